/**
 * What this device adds to the dice, so that nobody can choose them: docs/protocol.md, “Adding to the dice”. Before the
 * match is started every device commits to its own digits, afterwards all reveal them. This device notes the others'
 * commitments before it reveals, and compares them when the match begins.
 */
import { notice } from "./app.js";
import { credentialsAt, note } from "./credentials.js";
import { randomHex } from "./random.js";
import { settings } from "./settings.js";
import { sha256 } from "./sha256.js";
import { _ } from "./words.js";

/** @typedef {import("./contract.js").TableInfo} TableInfo */
/** @typedef {{commitment: string, value: string, revealed?: boolean}} Added to which dice, what, and whether the server knows it */

export class Contribution {
  /** @type {Added | null} to the dice of this match, or when it is over, of its rematch */
  added = null;
  missing = false; // the dice of this match aren't those the devices agreed on
  elsewhere = false; // someone contributed in our name: we, at another device, or the server
  absent = false; // nothing was added in our name
  included = false; // the dice depend on what this device added: nobody has chosen them
  silenced = false; // the server said that this device didn't answer, though it did
  committing = false;
  /** @type {Added[]} all that this device has made here: the server may have taken any of them when the match is started */
  made = [];
  revealed = ""; // the value that was revealed last
  skipped = false; // the match was started without asking for ours, though we were there
  /** @type {Set<string>} what all had committed to when this device revealed */
  committed = new Set();
  compared = ""; // the table whose dice were compared
  looked = false; // we were at a table before

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * The table has changed: commit or reveal, and once the dice are fixed, compare.
   * @param {TableInfo} info @param {boolean} arrived just now: if another device of ours has committed, it counts no more
   */
  look(info, arrived) {
    if (!this.table.seats.length) return;
    if (info.status !== "open") this.compare(info);
    this.looked = true;
    const mine = info.guests.find(({ guest }) => guest === this.table.guest);
    if (info.revealing.includes(this.table.guest ?? -1)) this.reveal(info);
    else if (info.revealing.length && this.added && mine?.commitment === null && !arrived) this.skipped = true;
    const open = info.status === "open" && !info.revealing.length;
    const pledged = open ? info.commitment : info.status === "over" && !info.rematch ? info.rematch_commitment : null;
    if (open && Object.values(settings.guided).includes(info.id)) return; // we have asked for a guided match, whose dice are fixed
    if (!pledged || !mine || this.committing) return;
    if (open) this.added = credentialsAt(info.id)?.added ?? this.added;
    const ours = this.added && mine.commitment === committedTo(this.added.value);
    if (mine.commitment === null || (arrived && !ours)) void this.commit(pledged, open ? info.id : null);
    else if (!ours) this.forget(open ? info.id : null);
  }

  /** @param {TableInfo} info */
  compare({ id, commitment, contributions, seats, guide, branch }) {
    if (this.compared === id) return;
    this.compared = id;
    this.added = credentialsAt(id)?.added ?? this.added;
    const ours = contributions[this.table.seats[0] ?? 0];
    // A bot's contribution would be the server's. Latecomers can't tell a bot from a removed player.
    const bots = this.looked && seats.some(({ guest }, seat) => guest === null && contributions[seat]);
    // A device that slept when the match started has added nothing. It may have been cut off, so it says so.
    const asked = this.skipped || this.added?.revealed;
    const left = this.added !== null && (this.added.commitment !== commitment || (asked && this.added.value !== ours));
    const hashes = contributions.flatMap((value) => (value ? [committedTo(value)] : []));
    const others = this.committed.size > 0 && (hashes.length !== this.committed.size || hashes.some((hash) => !this.committed.has(hash)));
    this.missing = bots || left || others;
    this.included = !this.missing && Boolean(ours) && this.added?.value === ours;
    this.elsewhere = !this.missing && Boolean(ours) && !this.included;
    this.absent = !this.missing && !ours && guide === null && branch === null;
    this.committed = new Set();
    this.skipped = false;
    const said = this.missing ? warning() : this.absent ? absence() : this.elsewhere && this.added ? otherDevice() : "";
    if (said) notice(said);
  }

  /** The start was called off: whether the server blames this device, which had answered. @param {import("./contract.js").Update} update */
  calledOff({ said }) {
    this.silenced ||= said.guest === this.table.guest && this.added?.revealed === true;
    return this.silenced;
  }

  /** We go on to another table. */
  leave() {
    this.missing = this.elsewhere = this.absent = this.included = this.silenced = false;
  }

  /** @param {TableInfo} info */
  reveal({ id, guests }) {
    const mine = guests.find(({ guest }) => guest === this.table.guest)?.commitment;
    const taken = this.made.find(({ value }) => committedTo(value) === mine);
    const added = taken ?? credentialsAt(id)?.added ?? this.added;
    if (!added || added.value === this.revealed) return;
    this.added = { ...added, revealed: true };
    note(id, this.added);
    this.revealed = added.value;
    this.committed = new Set(guests.flatMap(({ commitment }) => (commitment ? [commitment] : [])));
    void this.table.socket.send("reveal", { value: added.value });
  }

  /** @param {string} commitment of the server's @param {string | null} table where to note it; null: it is for a rematch */
  async commit(commitment, table) {
    const added = { commitment, value: randomHex(32) };
    this.added = added;
    this.made = [...this.made, added];
    this.committing = true;
    if (table) note(table, added);
    await this.table.socket.send("contribute", { commitment: committedTo(added.value) });
    this.committing = false;
  }

  /** Another device of ours came later and contributes instead. @param {string | null} table where ours is noted */
  forget(table) {
    if (this.added && table) note(table, null);
    this.added = null;
  }
}

/** The hash that fixes a value and reveals nothing about it. @param {string} value */
function committedTo(value) {
  return sha256(`tribord:${value}`);
}

export function warning() {
  return _("Careful! The draws in this game don’t match what your devices agreed on.");
}

export function absence() {
  return _("The draws in this game were fixed without your device: it wasn’t connected at the start.");
}

export function otherDevice() {
  return _("Another of your devices added to this seed. If you have no other device, don’t trust it.");
}

/** The server claims that this device was silent. */
export function denial() {
  return _("Your device did answer, but the server says it didn’t. If your connection is fine, don’t trust the luck here.");
}
