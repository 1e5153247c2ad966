/**
 * What this device adds to the dice, so that the server alone can't choose them: docs/protocol.md, “Adding to the dice”.
 * The hash that the server has shown is noted before anything is added. When the match begins, both are compared.
 */
import { notice } from "./app.js";
import { credentialsAt, note } from "./credentials.js";
import { _ } from "./words.js";

/** @typedef {import("./contract.js").TableInfo} TableInfo */
/** @typedef {{commitment: string, value: string}} Added to which dice, and what */

export class Contribution {
  /** @type {Added | null} to the dice of this match, or when it is over, of its rematch */
  added = null;
  missing = false; // the dice of this match are not those to which this device has added
  elsewhere = false; // somebody else has added in our name: we, at another device, or the server
  asked = ""; // the table and its status when we last added
  compared = ""; // the table whose dice were compared

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /** The table has changed: add to dice that aren't fixed yet, and once they are, compare. @param {TableInfo} info */
  look(info) {
    if (!this.table.seats.length) return;
    if (info.status === "playing") this.compare(info);
    const pledged = info.status === "open" ? info.commitment : info.status === "over" && !info.rematch ? info.rematch_commitment : null;
    const mine = info.guests.find(({ guest }) => guest === this.table.guest);
    if (!pledged || mine?.contributed !== false || this.asked === `${info.id} ${info.status}`) return;
    this.asked = `${info.id} ${info.status}`;
    void this.add(pledged, info.status === "open" ? info.id : null);
  }

  /** @param {TableInfo} info */
  compare({ id, commitment, contributions, seats }) {
    if (this.compared === id) return;
    this.compared = id;
    this.added = credentialsAt(id)?.added ?? this.added;
    const ours = contributions[this.table.seats[0] ?? 0];
    const bots = seats.some(({ guest }, seat) => guest === null && contributions[seat]); // nobody's: the server's own
    this.missing = bots || (this.added !== null && (this.added.commitment !== commitment || this.added.value !== ours));
    this.elsewhere = this.added === null && Boolean(ours);
    if (this.missing) notice(warning());
  }

  /** @param {string} commitment @param {string | null} table where to note it; null: it is for a rematch */
  async add(commitment, table) {
    const value = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const added = { commitment, value };
    this.added = added;
    if (table) note(table, added);
    const answer = await this.table.socket.send("contribute", { value });
    if (answer.code !== "contributed" || this.added !== added) return;
    this.added = null; // another device of ours was first
    if (table) note(table, null);
  }
}

export function warning() {
  return _("Careful: this match has begun without what this device added to the dice.");
}
