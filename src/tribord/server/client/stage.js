/**
 * The stage plays what happened, event after event, as the difference between two drawn scenes. It gives every line the
 * time to be read and every turn a short rest. The true view has the last word.
 */
import { settings, still } from "./settings.js";
import { play } from "./sound.js";
import { because, explained, local } from "./words.js";

/** @typedef {import("./contract.js").Board} Board */
/** @typedef {import("./contract.js").GameEvent} GameEvent */
/** @typedef {{events: GameEvent[], view: any, seat: number, past: boolean}} Act `past`: it was over before the viewer came */

/**
 * @typedef {object} Viewer the viewer of the stage
 * @property {() => number} [speed] how many times as fast; else as the settings say
 * @property {() => boolean} [quiet] whether nothing is heard
 * @property {() => Promise<void> | null} [wait] what to wait for before playing anything
 * @property {(event: GameEvent) => string} [say] an event as this viewer reads it
 * @property {(event: GameEvent) => boolean} [concerns] whether an event is about this viewer
 * @property {(event: GameEvent) => string} [why] why an event happened, where that is said
 * @property {(event: GameEvent) => boolean} [familiar] whether a lesson hurries past an event: its kind was explained before
 * @property {() => void} [shown] another beat was shown
 */

// Milliseconds at normal speed.
const LINE = 900; // a line of up to four words
const WORD = 200; // each further word
const SHORTEST = 600; // a beat without words
const BIG = 2200; // a scene that matters
const REST = 500; // after a turn
const ROLL = 6000; // until unrolled dice roll by themselves
const PROGRESS = 1500; // at any speed: between two progress reports while a long line is read
const FRAME = 1000; // at any speed: a hidden page draws no frames
const SHORT_LINE = 4; // words
const OWN = 1.5; // times as long, if it concerns the viewer
const FAMILIAR = 0.4; // of the time, for the kind of line that a guided newcomer has read before

/** How long a line must stay to be read at normal speed, in milliseconds. @param {string} line */
export function reading(line) {
  const words = line.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return LINE + WORD * Math.max(0, words - SHORT_LINE);
}

/** Wait until the drawing is on the screen: on a slow phone, reading time starts only then. @returns {Promise<void>} */
function frame() {
  return new Promise((done) => {
    requestAnimationFrame(() => done());
    setTimeout(done, FRAME);
  });
}

export class Stage {
  /** @param {Board} board @param {() => void} redraw @param {Viewer} [viewer] */
  constructor(board, redraw, { speed = () => settings.speed, quiet = () => false, wait = () => null, say = local, concerns = () => false, why = because, familiar = () => false, shown = () => {} } = {}) {
    this.board = board;
    this.redraw = redraw;
    this.speed = speed;
    this.quiet = quiet;
    this.wait = wait;
    this.say = say;
    this.concerns = concerns;
    this.why = why;
    this.familiar = familiar;
    this.shown = shown;
    /** @type {Promise<void>} until everything was shown */
    this.idle = Promise.resolve();
    /** @type {import("./contract.js").Scene | null} */
    this.scene = null;
    /** @type {Act[]} */
    this.queue = [];
    this.busy = false;
    /** @type {GameEvent | null} what is being looked at */
    this.event = null;
    /** @type {GameEvent[]} what was shown of the turn that is played, `event` last */
    this.turn = [];
    /** @type {import("./contract.js").Cue} what goes with `event` */
    this.cue = {};
    /** @type {GameEvent | null} dice or lots that wait for this viewer to roll them */
    this.rolling = null;
    /** @type {(() => void) | null} */
    this.hurry = null;
    this.skipping = false;
    this.beat = 0; // how many lines were shown
    this.lived = false; // whether the viewer was there when something happened
    this.rushing = false; // the viewer wants to skip to the end
    /** @type {GameEvent[]} of the update that is played, what comes after `event` */
    this.rest = [];
  }

  /** @param {GameEvent[]} events @param {any} view @param {number} seat @param {boolean} [past] whether the viewer has just come and finds them done */
  show(events, view, seat, past = false) {
    // A new viewer first sees the table as it was before the present events.
    if (!this.scene && events.length) this.scene = (this.board.eve ?? ((scene) => scene))(this.board.scene(view, seat));
    this.queue.push({ events, view, seat, past });
    if (!this.busy) this.idle = this.run();
  }

  /** Show a view as it is, whatever was playing. @param {any} view @param {number} seat */
  put(view, seat) {
    this.queue.length = 0;
    this.show([], view, seat);
    if (this.busy) this.skip();
  }

  /** End this beat and play the next one. */
  next() {
    this.hurry?.();
  }

  /** Go to the end at once. */
  skip() {
    this.skipping = this.busy; // a touch on a resting board doesn't mean “skip what comes next”
    this.hurry?.();
  }

  /** Show the rest of the match without waiting. */
  rush() {
    this.rushing = true;
    this.skip();
  }

  /** Events that weren't shown yet: the log and the seats wait for the stage. @returns {Set<GameEvent>} */
  get unseen() {
    return new Set([...this.rest, ...this.queue.flatMap(({ events }) => events)]);
  }

  /** What a board gets from the stage. */
  get desk() {
    return { scene: this.scene ?? {}, event: this.event, turn: this.turn, rolling: this.rolling !== null };
  }

  /** Whether an event is shown without a line: nobody would miss its words, unless everything is explained. @param {GameEvent} event */
  wordless({ kind }) {
    return !settings.explain && Boolean(this.board.brief?.includes(kind));
  }

  /** How long an event stays, in milliseconds at normal speed. @param {GameEvent} event @param {import("./contract.js").Cue} cue */
  lasts(event, cue) {
    const read = this.wordless(event) ? SHORTEST : reading(explained(this.say(event), event, this.why(event)));
    const scene = Math.max(cue.ms ?? 0, cue.big ? BIG : 0);
    if (this.familiar(event)) return Math.max(read * FAMILIAR, scene / 2);
    return Math.max(read, scene) * (this.concerns(event) ? OWN : 1);
  }

  async run() {
    this.busy = true;
    for (let act = this.queue.shift(); act; act = this.queue.shift()) {
      this.rest = act.events;
      if (act.events.length) {
        await this.wait();
        await this.perform(act);
      }
      this.scene = this.board.scene(act.view, act.seat);
      this.event = null;
      this.turn = [];
      this.cue = {};
      this.rest = [];
    }
    this.busy = false;
    this.skipping = false;
    this.redraw();
    this.shown();
  }

  /** One update: its events, turn by turn. @param {Act} act */
  async perform({ events, past }) {
    if (events.length && !past) this.lived = true;
    const seen = () => !(past || this.skipping || this.rushing || still() || document.hidden);
    for (const [place, event] of events.entries()) {
      if (this.turn.length && this.board.opens?.includes(event.kind)) await this.close(seen);
      const { scene, cue = {} } = this.board.step(this.scene ?? {}, event);
      if (cue.roll && seen() && !settings.rolls && this.concerns(event)) await this.roll(event);
      this.rest = events.slice(place + 1);
      this.scene = scene; // even if nothing is played: a board may remember what the view doesn't contain
      if (!seen()) continue;
      this.event = event;
      if (!this.wordless(event)) this.beat++;
      this.cue = cue;
      this.turn = [...this.turn, event];
      if (cue.sound && !this.quiet()) play(cue.sound, cue.depth ?? 0);
      this.redraw();
      await frame();
      await this.pause(this.lasts(event, cue), this.shown);
      this.shown();
    }
    if (this.turn.some((event) => !this.wordless(event))) await this.close(seen);
  }

  /** A turn is over: a short rest, then the next. @param {() => boolean} seen */
  async close(seen) {
    this.cue = {}; // end the close-up with its event
    this.redraw();
    if (seen()) await this.pause(REST * (this.turn.every((event) => this.familiar(event)) ? FAMILIAR : 1));
    this.turn = [];
  }

  /** Wait for the viewer to roll. @param {GameEvent} event */
  async roll(event) {
    this.rolling = event;
    this.redraw();
    await this.pause(ROLL); // without progress: others don't wait for long
    this.rolling = null;
  }

  /** @param {number} ms at normal speed @param {() => void} [meanwhile] called now and then @returns {Promise<void>} */
  pause(ms, meanwhile = () => {}) {
    return new Promise((done) => {
      const beats = setInterval(meanwhile, PROGRESS);
      const timer = setTimeout(() => this.hurry?.(), ms / (this.speed() || 1));
      this.hurry = () => {
        clearInterval(beats);
        clearTimeout(timer);
        done();
      };
    });
  }
}
