/**
 * Gestures: in a cooperative game everyone sees the move that someone considers, and can point at things. They're drawn
 * for a moment and stored nowhere (docs/protocol.md, “Gestures”).
 */
const LASTS = 5000; // milliseconds a pointing finger stays
const PAUSE = 150; // between two updates: faster ones would go unnoticed

/**
 * @typedef {{guest: number, seat: number, version: number, parts: Record<string, any>, events: import("./contract.js").GameEvent[]}} Considered
 * @typedef {{key: number, guest: number, sort: string, value: any}} Pointed
 */

export class Gestures {
  /** @param {(t: string, fields: Record<string, any>) => void} send @param {() => void} changed */
  constructor(send, changed) {
    this.send = send;
    this.changed = changed;
    /** @type {Considered | null} what someone else considers */
    this.considered = null;
    /** @type {Pointed[]} who points at what */
    this.pointed = [];
    this.number = 0;
    this.sent = "{}"; // what the others have seen us consider
    this.timer = 0;
  }

  /** @param {any} message */
  hear(message) {
    if (message.t === "pointed") this.ping(message);
    else this.considered = message.parts ? { events: [], ...message } : null;
  }

  /** The match has moved on: forget what was considered. */
  clear() {
    this.considered = null;
    this.sent = "{}";
    clearTimeout(this.timer);
  }

  /** Show the others which parts of a choice we have in mind. @param {number} seat @param {Record<string, any>} parts */
  consider(seat, parts) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const now = JSON.stringify(parts);
      if (now === this.sent) return;
      this.sent = now;
      this.send("consider", { seat, parts });
    }, PAUSE);
  }

  /** Point at something, for the others and for ourselves. @param {number} guest @param {string} sort @param {any} value */
  point(guest, sort, value) {
    this.ping({ guest, sort, value });
    this.send("point", { sort, value });
    this.changed();
  }

  /** @param {{guest: number, sort: string, value: any}} pointed */
  ping({ guest, sort, value }) {
    const ping = { key: ++this.number, guest, sort, value };
    this.pointed = [...this.pointed.filter((other) => other.guest !== guest), ping]; // a hand points at one thing
    setTimeout(() => {
      this.pointed = this.pointed.filter((other) => other !== ping);
      this.changed();
    }, LASTS);
  }
}
