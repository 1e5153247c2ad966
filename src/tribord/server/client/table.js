/** A table as this device knows it: its state from the socket, the log, and the commands. */
import { notice, readArchive } from "./app.js";
import { Contribution, denial } from "./contribution.js";
import { finish } from "./credentials.js";
import { Gestures } from "./gestures.js";
import { ask, askText } from "./http.js";
import { involved } from "./narration.js";
import { Socket } from "./socket.js";
import { _, capital, local, name, narration, sayEvent } from "./words.js";

const LOG = 400;
const MISSED = 9; // events that are still animated after a short absence; more are only listed
const HOST = 0; // the guest who created the table
const AWAY = 60_000; // milliseconds after which others may act for a guest who is away

/** What a muted guest reads. */
export const MUTED = () => _("The host has muted you. You can play on, but not chat.");

/**
 * @typedef {object} Watcher
 * @property {() => void} changed something must be redrawn
 * @property {(events: import("./contract.js").GameEvent[]) => void} played the match has gone on; `match` is already the one after
 * @property {(refusal: import("./contract.js").Refusal) => void} refused
 * @property {() => void} [undone] decisions were taken back; `match` is already the one before them
 * @property {(name: string, sort: string, value: any) => void} [pointed] someone else points at something
 */

export class Table {
  /** @param {string} id @param {import("./credentials.js").Credentials | undefined} credentials @param {Watcher} watcher */
  constructor(id, credentials, watcher) {
    this.id = id;
    this.credentials = credentials;
    this.watcher = watcher;
    this.connected = false;
    /** @type {import("./contract.js").TableInfo | null} */
    this.info = null;
    /** @type {import("./contract.js").MatchInfo | null} */
    this.match = null;
    /** @type {import("./contract.js").Update[]} */
    this.log = [];
    /** @type {import("./contract.js").GameEvent[] | null} what was missed and is not shown yet; null: only the state is */
    this.missed = null;
    /** @type {number | null} */
    this.guest = null;
    /** @type {number[]} */
    this.here = [];
    this.watching = 0;
    this.preparing = false; // bots play lighter here: they are still being prepared
    this.shown = 0; // the version up to which everything was shown
    this.fresh = false; // we came from the previous table, and see everything from the start
    this.returned = false; // these events were over before we came
    /** @type {Map<number, number>} since when guests are away, as far as we have seen */
    this.away = new Map();
    this.skew = Infinity; // seconds by which this device's clock is ahead of the server's
    this.gestures = new Gestures((t, fields) => (this.muted(this.guest) ? undefined : this.socket.show(t, fields)), () => watcher.changed());
    this.contribution = new Contribution(this);
    /** @type {import("./contract.js").Refusal | null} why the server wants no more of us */
    this.lost = null;
    this.socket = new Socket(id, credentials?.secret, {
      heard: (message) => this.hear(message),
      lost: (refusal) => {
        if (readArchive(id, refusal)) return;
        this.lost = refusal;
        watcher.changed();
      },
      connected: (connected) => {
        this.connected = connected;
        if (!connected) this.shown = 0; // a new connection doesn't know what we've shown
        watcher.changed();
      },
    }, credentials?.home);
  }

  /** @param {any} message */
  hear(message) {
    switch (message.t) {
      case "welcome":
        this.guest = message.guest;
        this.socket.report(this.shown); // from now on bots wait for us, even while the board is loading
        break;
      case "presence":
        this.here = message.guests;
        this.watching = message.watching;
        this.preparing = message.preparing ?? false;
        for (const { guest } of this.info?.guests ?? []) {
          if (this.here.includes(guest)) this.away.delete(guest);
          else if (!this.away.has(guest)) this.away.set(guest, Date.now());
        }
        break;
      case "sync":
        this.log = message.log;
        this.missed = this.fresh ? message.log.flatMap((/** @type {any} */ update) => update.events ?? []) : null;
        this.fresh = false;
        if (message.table) this.caughtUp(message);
        break;
      case "gap":
        for (const missed of message.missed) {
          this.note(missed);
          if (missed.kind === "silent" && this.contribution.calledOff(missed)) notice(denial());
        }
        this.missed?.push(...message.missed.flatMap((/** @type {any} */ missed) => missed.events ?? []));
        if (message.table) this.caughtUp(message);
        break;
      case "update": {
        if (message.kind === "resume") {
          this.skew = Infinity; // the server's clock may have been set
          notice(_("The server paused. Everyone’s time starts over."));
        }
        if (message.kind === "silent") notice(this.contribution.calledOff(message) ? denial() : local(message.said));
        if (message.kind === "mute" && message.said.guest === this.guest) notice(message.said.muted ? MUTED() : _("You can chat again."));
        // Messages take time to arrive, so the smallest difference found is the most accurate.
        this.skew = Math.min(this.skew, Date.now() / 1000 - message.at);
        if (message.table) this.info = message.table;
        if (message.match) {
          this.match = message.match;
          this.gestures.clear();
        }
        this.note({ ...message, heard: Date.now() });
        if (message.match) this.moveOn(message.events ?? []);
        break;
      }
      case "considered":
      case "pointed":
        this.gestures.hear(message);
        if (message.t === "pointed") this.watcher.pointed?.(this.nickname(message.guest), message.sort, message.value);
        break;
    }
    if (this.info) this.contribution.look(this.info, message.t === "sync" || message.t === "gap");
    if (this.info?.status === "over") finish(this.info.id);
    this.watcher.changed();
  }

  /** @param {import("./contract.js").GameEvent[]} events */
  moveOn(events) {
    if (this.taken) this.watcher.undone?.();
    this.taken = false;
    this.watcher.played(events);
  }

  taken = false; // decisions were taken back, and the watcher doesn't know it yet

  /** Remember an update, and forget what it took back. @param {import("./contract.js").Update} update */
  note(update) {
    const { undone } = update;
    if (undone !== undefined) {
      this.log = this.log.map((past) => ((past.place ?? -1) >= undone ? { ...past, events: [] } : past));
      this.taken = true;
    }
    this.log.push(update);
    if (this.log.length > LOG) this.log.splice(0, this.log.length - LOG);
  }

  /** The last portion of a gap has the current state. @param {any} message */
  caughtUp({ table, match }) {
    this.info = table;
    this.match = match;
    this.returned = (this.missed?.length ?? 0) > MISSED;
    this.moveOn(this.missed ?? []);
    this.returned = false;
    this.missed = [];
  }

  /** The seats this device holds. */
  get seats() {
    return (this.info?.seats ?? []).filter((held) => held.guest !== null && held.guest === this.guest).map((c) => c.seat);
  }

  get host() {
    return this.guest === HOST;
  }

  /** Whether the host has been away so long that the players run the table. */
  get hostAway() {
    return this.longAway(HOST);
  }

  /** Whether a guest has been away for so long that others may act for them. @param {number} guest */
  longAway(guest) {
    const since = this.away.get(guest);
    return since !== undefined && Date.now() - since > AWAY;
  }

  /** Whether we may do what the host may. */
  get mayHost() {
    return this.host || (this.hostAway && this.seats.length > 0);
  }

  /** The seconds that a seat has left to decide, by the server's clock; undefined without a clock. @param {number} seat */
  left(seat) {
    const until = this.match?.deadlines[String(seat)];
    const { per, seconds } = this.info?.clock ?? { per: "", seconds: 0 };
    const most = per === "decision" ? seconds : Infinity; // the clock starts after the events before it
    return until === undefined ? undefined : Math.min(most, Math.max(0, until - (Date.now() / 1000 - (Number.isFinite(this.skew) ? this.skew : 0))));
  }

  /** Go on to another table, a rematch, on the same connection. @param {string} id @param {import("./credentials.js").Credentials | undefined} credentials */
  visit(id, credentials) {
    this.id = id;
    this.credentials = credentials;
    this.info = null;
    this.match = null;
    this.log = [];
    this.missed = null;
    this.fresh = true;
    this.shown = 0;
    this.away.clear();
    this.contribution.leave();
    this.socket.visit(id);
  }

  /** @param {number} seat @returns {string} who sits there */
  name(seat) {
    return this.info?.seats[seat]?.name || "–";
  }

  /** Whether a name doesn't identify a seat: a program plays several, or nobody said who else plays here. @param {number} seat */
  several(seat) {
    return (this.info?.seats ?? []).filter((held) => held.name === this.name(seat)).length > 1;
  }

  /** A seat in a few letters, for boards and sheets: its player, or its crew if one player has several. @param {number} seat */
  label(seat) {
    return (this.several(seat) && capital(crewOf(seat))) || this.name(seat);
  }

  /** A seat in a short sentence: its player, with the crew only if needed. @param {number} seat */
  called(seat) {
    return this.several(seat) ? this.who(seat) : this.name(seat);
  }

  /** A seat in a sentence: its player, and its crew if the game has crews. @param {number} seat */
  who(seat) {
    return withCrew(this.name(seat), seat);
  }

  /** Who plays a seat, for narration: nothing if a name wouldn't identify the seat. @param {number} seat */
  person(seat) {
    return this.several(seat) || !this.info?.seats[seat] ? "" : this.name(seat);
  }

  /** What happened, in our words: with names, and with “you” if one person is at this device. @param {import("./contract.js").GameEvent} event */
  narrate(event) {
    const { seats } = this;
    return sayEvent(event, (seat) => this.person(seat), seats.length === 1 ? (seats[0] ?? null) : null);
  }

  /** Whether an event is about a seat of ours. @param {import("./contract.js").GameEvent} event */
  concerns(event) {
    const about = involved(event, narration());
    return this.seats.some((seat) => about.includes(seat));
  }

  /** @param {number} guest */
  nickname(guest) {
    const removed = () => this.log.find(({ kind, said }) => kind === "remove" && said.guest === guest)?.said; // what they said stays
    return (this.info?.guests.find((one) => one.guest === guest) ?? removed())?.nickname ?? "?";
  }

  /** Whether the host has muted a guest. @param {number | null} guest */
  muted(guest) {
    return this.info?.guests.find((one) => one.guest === guest)?.muted ?? false;
  }

  /** Whether a guest has a seat. @param {number} guest */
  sits(guest) {
    return (this.info?.seats ?? []).some((held) => held.guest === guest);
  }

  /** @param {string} t @param {Record<string, any>} [fields] @returns {Promise<boolean>} whether it was done */
  async send(t, fields) {
    const answer = await this.socket.send(t, fields);
    if (answer.t === "refused") this.watcher.refused(answer);
    return answer.t !== "refused";
  }

  /** The board in words. @param {number} seat @param {string} language */
  async inWords(seat, language) {
    const query = seat >= 0 ? `?seat=${seat}` : "";
    return askText(`/api/tables/${this.id}/board/${language}${query}`, { secret: this.credentials?.secret ?? "" });
  }

  /** What an action would lead to, and whether that is certain to lose. @param {number} seat @param {number} action @param {AbortSignal} signal @returns {Promise<{events: import("./contract.js").GameEvent[], fate: import("./contract.js").GameEvent[]}>} */
  async preview(seat, action, signal) {
    const path = `/api/tables/${this.id}/preview/${action}?seat=${seat}`;
    return ask(path, { secret: this.credentials?.secret ?? "", signal });
  }

  /** What a captain would do in a seat's place. @param {number} seat @param {AbortSignal} signal @returns {Promise<import("./screens/hints.js").Hint>} */
  async hint(seat, signal) {
    return ask(`/api/tables/${this.id}/hint?seat=${seat}`, { secret: this.credentials?.secret ?? "", signal });
  }

  /** What a board draws of the others' gestures, while it shows the match as it is. @param {boolean} busy */
  gesturing(busy) {
    const { considered, pointed } = this.gestures;
    return {
      considered: considered && !busy && considered.version === this.match?.version ? { ...considered, name: this.label(considered.seat) } : null,
      pointed: pointed.map((ping) => ({ ...ping, name: this.nickname(ping.guest) })),
    };
  }

  /** Report to the server how far we have shown events, so that bots wait for us. @param {boolean} busy whether there is more to show */
  report(busy) {
    const before = this.shown;
    if (!busy) this.shown = this.socket.version;
    if (busy || this.shown !== before) this.socket.report(this.shown);
  }

  /** Why a seat can't play an action now; null: it can. @param {number} seat @param {number} action @returns {Promise<import("./contract.js").Refusal | null>} */
  async refused(seat, action) {
    return (await ask(`/api/tables/${this.id}/refused/${action}?seat=${seat}`, { secret: this.credentials?.secret ?? "" })).refused;
  }

  /** What taking our last decision back would undo. @returns {Promise<{place: number, seats: number[]}>} */
  async undoable() {
    return ask(`/api/tables/${this.id}/undo`, { secret: this.credentials?.secret ?? "" });
  }

  /** What happened from a place of the match on, in words. @param {number} place */
  since(place) {
    return this.log.filter((past) => (past.place ?? -1) >= place).flatMap((past) => past.events ?? []);
  }

  leave() {
    this.socket.end();
  }
}

/** Whether a guest said something in an update; otherwise it's about one. @param {import("./contract.js").Update} update */
export function spoken({ kind, said }) {
  return Boolean(said) && !["remove", "mute", "silent"].includes(kind);
}

/** The name of a seat's crew, in the games that have crews; else nothing. @param {number} seat */
export function crewOf(seat) {
  const crew = name("player", seat) !== String(seat) ? name("player", seat) : name("crew", seat);
  return crew === String(seat) ? "" : crew;
}

/** @param {string} person @param {number} seat */
export function withCrew(person, seat) {
  const crew = crewOf(seat);
  return crew ? `${person} (${crew})` : person;
}
