/**
 * The socket of a table, following “Staying connected” in docs/protocol.md: a lost connection is a pause. It keeps the
 * version and the unanswered commands, reconnects after growing pauses, and resends those with their ids.
 */
const PROTOCOL = 2;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 10_000;
const SILENCE = 60_000; // the server pings every 20 s, but a page cannot hear pings: it asks whether it is still there

/**
 * @typedef {object} Listener
 * @property {(message: any) => void} heard welcome, sync, gap, update, presence
 * @property {(refusal: import("./contract.js").Refusal) => void} lost the server wants no more of us
 * @property {(connected: boolean) => void} connected
 */

export class Socket {
  /** @param {string} table @param {string | undefined} secret @param {Listener} listener @param {string | null} [home] where the table’s worker was reached last */
  constructor(table, secret, listener, home) {
    this.table = table;
    this.secret = secret;
    this.listener = listener;
    this.home = home ?? null; // a URL reference; null: where the page is from
    this.strays = false; // the home can't be reached: stay where we are
    this.version = 0;
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.settled = false; // since this connection's sync or gap
    this.leaving = false; // for another table: until its welcome, messages still come from the old one
    /** @type {Map<string, {command: any, answer: (message: any) => void}>} */
    this.unanswered = new Map();
    this.prefix = Math.random().toString(36).slice(2, 10);
    this.number = 0;
    this.heard = Date.now();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.onWake = () => this.wake();
    addEventListener("online", this.onWake);
    document.addEventListener("visibilitychange", this.onWake);
    this.connect();
  }

  connect() {
    if (this.ended) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.settled = false;
    this.leaving = false;
    this.heard = Date.now();
    const socket = new WebSocket(this.address());
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.greet(socket);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket) this.receive(JSON.parse(data));
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      if (!opened && this.home) {
        this.home = null; // any other worker serves the table too
        this.strays = true;
      }
      this.listener.connected(false);
      this.later();
    };
  }

  /** The address of the socket: at the table’s home, as far as it is known. */
  address() {
    const address = new URL("socket", new URL(this.home ?? "/", location.href));
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    return address.href;
  }

  /** The table’s home is elsewhere: go there, once. @param {string | null} home */
  moveTo(home) {
    const before = this.address();
    this.home = home ?? null;
    if (this.strays || this.address() === before) return false;
    this.drop();
    this.connect();
    return true;
  }

  /** @param {WebSocket} socket */
  greet(socket) {
    const seen = this.version ? { seen: this.version } : {};
    const secret = this.secret ? { secret: this.secret } : {};
    socket.send(JSON.stringify({ t: "hello", protocol: PROTOCOL, table: this.table, ...secret, ...seen }));
  }

  /** Go to another table, on this connection; the secret opens that one too. @param {string} table */
  visit(table) {
    this.table = table;
    this.version = 0;
    this.settled = false;
    this.unanswered.clear(); // the new table needn't answer commands to the old one
    if (this.socket?.readyState !== WebSocket.OPEN) return; // the next connection greets the new table
    this.leaving = true;
    this.greet(this.socket);
  }

  /** Reconnect after a random time, each time up to twice as long. @param {number} [least] milliseconds */
  later(least = 0) {
    if (this.ended || this.timer) return;
    this.timer = setTimeout(() => this.connect(), least + Math.random() * this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  again() {
    this.drop();
    this.listener.connected(false);
    this.later();
  }

  drop() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** The device has woken up or is online again: reconnect at once. */
  wake() {
    if (this.ended || document.hidden) return;
    if (this.timer) this.connect();
    else if (Date.now() - this.heard > SILENCE) this.again();
  }

  /** @param {any} message */
  receive(message) {
    this.heard = Date.now();
    if (this.leaving && message.t !== "welcome" && (message.t !== "refused" || message.id)) return undefined;
    this.leaving = false;
    if (message.t === "welcome" && this.moveTo(message.home)) return undefined;
    switch (message.t) {
      case "sync":
      case "gap":
        this.version = message.v;
        this.wait = FIRST_WAIT;
        this.strays = false;
        this.listener.heard(message);
        if (!message.table) break; // the gap comes in portions, and this wasn't the last
        this.listener.connected(true);
        for (const { command } of this.unanswered.values()) this.socket?.send(JSON.stringify(command));
        this.settled = true; // only now: commands given meanwhile have just been sent
        break;
      case "update":
        if (message.v > this.version + 1) return this.again();
        if (message.v === this.version + 1) {
          this.version = message.v;
          this.listener.heard(message);
        }
        if (message.id) this.answer(message); // what we asked for has happened
        break;
      case "ack":
        this.answer(message);
        break;
      case "refused":
        if (message.id) this.refuse(message);
        else if (message.code === "too-often" || message.code === "store-gone") this.holdOff(message);
        else {
          this.listener.lost(message);
          this.end();
        }
        break;
      default:
        this.listener.heard(message);
    }
    return undefined;
  }

  /** @param {any} message */
  holdOff(message) {
    this.drop();
    this.listener.connected(false);
    this.later((message.seconds ?? 1) * 1000);
  }

  /** A refused command may be sent again if the server only asks for patience. @param {any} message */
  refuse(message) {
    const waiting = this.unanswered.get(message.id);
    if (waiting && (message.code === "too-often" || message.code === "store-gone")) {
      const again = () => {
        if (this.unanswered.has(message.id) && this.settled) this.socket?.send(JSON.stringify(waiting.command));
      };
      setTimeout(again, (message.seconds ?? 1) * 1000 + 50);
    } else this.answer(message);
  }

  /** @param {any} message */
  answer(message) {
    const waiting = this.unanswered.get(message.id);
    this.unanswered.delete(message.id);
    waiting?.answer(message);
  }

  /**
   * Send a command, now or when we are back; the promise holds its answer, an ack or a refusal.
   * @param {string} t @param {Record<string, any>} [fields] @returns {Promise<any>}
   */
  send(t, fields = {}) {
    const id = `${this.prefix}-${++this.number}`;
    const command = { t, id, ...fields };
    return new Promise((answer) => {
      this.unanswered.set(id, { command, answer });
      if (this.settled && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
    });
  }

  /** Report up to which version everything was shown. It needs no answer and isn't repeated. @param {number} version */
  report(version) {
    if (!this.leaving && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ t: "shown", v: version }));
  }

  /** Show the others something for a moment: sent now or never, and only a refusal answers. @param {string} t @param {Record<string, any>} fields */
  show(t, fields) {
    const id = `${this.prefix}-${++this.number}`;
    if (this.settled && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ t, id, ...fields }));
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.onWake);
    document.removeEventListener("visibilitychange", this.onWake);
    this.drop();
  }
}
