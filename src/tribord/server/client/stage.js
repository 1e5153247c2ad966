/**
 * The stage plays what happened, event after event, as the difference between two drawn scenes. The true view has the
 * last word. Whoever falls behind (a slow phone, a page in the background) is brought up to date without a queue.
 */
import { settings, still } from "./settings.js";
import { play } from "./sound.js";

/**
 * @typedef {{speed?: () => number, quiet?: () => boolean, wait?: () => Promise<void> | null}} Pace how fast, whether without
 *   sound, else as the settings say; and what is to be waited for before anything is played
 */

const USUAL = 420; // milliseconds an event is looked at
const BEHIND = 3; // happenings in the queue from which the stage skips to the last

/** @typedef {import("./contract.js").Board} Board */
/** @typedef {{events: import("./contract.js").GameEvent[], view: any, seat: number}} Act */

export class Stage {
  /** @param {Board} board @param {() => void} redraw @param {Pace} [pace] */
  constructor(board, redraw, { speed = () => settings.speed, quiet = () => false, wait = () => null } = {}) {
    this.board = board;
    this.redraw = redraw;
    this.speed = speed;
    this.quiet = quiet;
    this.wait = wait;
    /** @type {Promise<void>} until everything was shown */
    this.idle = Promise.resolve();
    /** @type {import("./contract.js").Scene | null} */
    this.scene = null;
    /** @type {Act[]} */
    this.queue = [];
    this.busy = false;
    /** @type {import("./contract.js").GameEvent | null} what is being looked at */
    this.event = null;
    /** @type {(() => void) | null} */
    this.hurry = null;
    this.skipping = false;
    /** @type {import("./contract.js").GameEvent[]} of the happening that is played, what comes after `event` */
    this.rest = [];
  }

  /** @param {import("./contract.js").GameEvent[]} events @param {any} view @param {number} seat */
  show(events, view, seat) {
    // Whoever sees the table for the first time sees it as it was just before what happens now.
    if (!this.scene && events.length) this.scene = (this.board.eve ?? ((scene) => scene))(this.board.scene(view, seat));
    this.queue.push({ events, view, seat });
    if (!this.busy) this.idle = this.run();
  }

  /** Show a view as it stands, whatever was being played. @param {any} view @param {number} seat */
  put(view, seat) {
    this.queue.length = 0;
    this.show([], view, seat);
    if (this.busy) this.skip();
  }

  /** Somebody has seen enough: go to the end at once. */
  skip() {
    this.skipping = this.busy; // a touch on a board that rests is no wish to miss what comes next
    this.hurry?.();
  }

  /** What has happened and was not shown yet: whoever tells about it waits for the stage. @returns {Set<import("./contract.js").GameEvent>} */
  get unseen() {
    return new Set([...this.rest, ...this.queue.flatMap(({ events }) => events)]);
  }

  /** How many happenings wait that somebody would miss. */
  get behind() {
    return this.queue.filter(({ events }) => !events.every(({ kind }) => this.board.brief?.includes(kind))).length;
  }

  async run() {
    this.busy = true;
    for (let act = this.queue.shift(); act; act = this.queue.shift()) {
      this.rest = act.events;
      if (act.events.length && this.wait()) await this.wait();
      for (const [place, event] of act.events.entries()) {
        this.rest = act.events.slice(place + 1);
        const { scene, cue } = this.board.step(this.scene ?? {}, event);
        this.scene = scene; // also when nothing is played: a board remembers what cannot be read off the view
        if (this.skipping || still() || document.hidden || this.behind > BEHIND) continue;
        this.event = event;
        if (cue?.sound && !this.quiet()) play(cue.sound, cue.depth ?? 0);
        this.redraw();
        await this.pause((cue?.ms ?? USUAL) / (this.speed() || 1) / (1 + this.behind));
      }
      this.scene = this.board.scene(act.view, act.seat);
      this.event = null;
      this.rest = [];
    }
    this.busy = false;
    this.skipping = false;
    this.redraw();
  }

  /** @param {number} ms @returns {Promise<void>} */
  pause(ms) {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.hurry = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
