/** A replay: a finished match, step by step, in anyone's view, with everything revealed at the end. */
import { announce, app, gameCard, readArchive, stay, walk } from "../app.js";
import { credentialsAt } from "../credentials.js";
import { WIDE, actionsOf, boardOf } from "../boards.js";
import { ask } from "../http.js";
import { html, live, nothing } from "../lit.js";
import { plainBoard } from "../plain.js";
import { rankWord } from "../ranks.js";
import { settings } from "../settings.js";
import { Stage } from "../stage.js";
import { crewOf, withCrew } from "../table.js";
import { _, capital, explained, gameWords, learn, local, sayEvent, times } from "../words.js";
import { inLines, openSettings } from "./frame.js";
import { footnote } from "./lines.js";
import { analysed, howItWent } from "./analysis.js";
import { decisive } from "./moments.js";
import { BranchDialog } from "./branch.js";
import { Comparison } from "./comparison.js";
import { verdict } from "./ending.js";
import { download, honestDice, scoreSheet, share } from "./result.js";

const PUBLIC = "public";
export const ALL = "all";
const CHANCE = -2;
const SPEEDS = [0.5, 1, 2, 4];
const BREATH = 650; // milliseconds between two automatic steps

/** @typedef {import("../contract.js").Position} Position */

/** @param {string} path */
const icon = (path) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

export class ReplayScreen {
  /** @type {import("../contract.js").TableInfo | null} */
  info = null;
  /** @type {any} the match file */
  file = null;
  /** @type {import("../contract.js").Board | null} */
  board = null;
  /** @type {import("../contract.js").ActionCard[]} */
  cards = [];
  /** @type {Stage | null} */
  stage = null;
  /** @type {Map<string, Position[]>} as each pair of eyes saw it */
  seen = new Map();
  eyes = PUBLIC; // or "all", or a seat
  at = 0;
  speed = settings.speed || 1;
  playing = 0; // the number of the run that goes on, 0: none
  runs = 0;
  gone = false;
  refusal = "";
  /** @type {number[]} the seats of who looks */
  own = [];

  /** @type {Comparison[]} with the match that this one goes on from, and with those that go on from this one */
  comparisons = [];

  /** @param {string} id a table's id or code @param {number} at @param {boolean} [branch] ask at once how to play on from there */
  constructor(id, at, branch = false) {
    this.id = id;
    this.at = at;
    this.branching = branch;
    this.branch = new BranchDialog(this);
    this.wide = matchMedia(WIDE);
    this.onShape = () => app.redraw();
    this.wide.addEventListener("change", this.onShape);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
    addEventListener("keydown", this.onKey);
    void this.prepare();
  }

  leave() {
    this.gone = true;
    this.playing = 0;
    this.wide.removeEventListener("change", this.onShape);
    removeEventListener("keydown", this.onKey);
  }

  get title() {
    return this.info ? _("Replay: {title}", { title: gameCard(this.info.game).title }) : _("Replay");
  }

  async prepare() {
    try {
      const name = encodeURIComponent(this.id);
      const [info, file] = await Promise.all([ask(`/api/tables/${name}`), ask(`/api/tables/${name}/match`)]);
      this.id = info.id;
      this.file = file;
      const guest = credentialsAt(info.id)?.guest;
      const own = info.seats.filter((/** @type {any} */ held) => held.guest !== null && held.guest === guest);
      this.own = own.map((/** @type {any} */ held) => held.seat);
      if (own.length === 1) this.eyes = String(own[0].seat);
      const [board, cards] = await Promise.all([boardOf(info.game), actionsOf(info.game), learn(info.game), this.fetch(this.eyes)]);
      this.board = board;
      this.cards = cards;
      this.stage = new Stage(board, app.redraw, { speed: () => this.speed, say: this.narrate });
      this.info = info;
      const place = this.at;
      this.go(place - 1); // a link to a moment plays that moment
      if (place) this.go(place);
      this.comparisons = [...(info.branch ? [new Comparison(info.branch.original, info.id, info.game)] : []), new Comparison(info.id, info.id, info.game)];
      if (this.branching && place < this.last) this.branch.show();
    } catch (error) {
      if (readArchive(this.id, error)) return;
      this.refusal = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  /** Everything that a pair of eyes saw. @param {string} eyes */
  async fetch(eyes) {
    const key = this.key(eyes);
    if (this.seen.has(key)) return;
    /** @type {Position[]} */
    const positions = [];
    const whose = eyes === ALL ? "truth=1&" : eyes === PUBLIC ? "" : `eyes=${eyes}&`;
    const query = `${whose}words=${settings.language}&`;
    for (let total = 1; positions.length < total && !this.gone; ) {
      const page = await ask(`/api/tables/${encodeURIComponent(this.id)}/replay?${query}from=${positions.length}`);
      total = page.total;
      positions.push(...page.positions);
    }
    this.seen.set(key, positions);
  }

  /** @param {string} eyes */
  key(eyes) {
    return `${eyes}:${settings.language}`;
  }

  get positions() {
    const now = this.seen.get(this.key(this.eyes));
    if (now) this.shown = now;
    else if (this.info && this.asked !== this.key(this.eyes)) {
      this.asked = this.key(this.eyes); // the language has changed
      void this.fetch(this.eyes).then(app.redraw);
    }
    return this.shown;
  }

  /** @type {Position[]} */
  shown = [];
  asked = "";

  get last() {
    return Math.max(0, this.positions.length - 1);
  }

  get position() {
    return this.positions[this.at];
  }

  get seat() {
    return this.eyes === PUBLIC || this.eyes === ALL ? -1 : Number(this.eyes);
  }

  /** @param {number} seat */
  name(seat) {
    const given = this.file?.names[seat] ?? "";
    if (!given) return _("Seat {seat}", { seat: seat + 1 });
    return app.house.ranks.includes(given) ? capital(rankWord(given)) : given; // in files from before bots had names
  }

  /** Whether a name doesn't identify a seat: one person has played several. @param {number} seat */
  several(seat) {
    const { names } = this.file;
    return names.filter((/** @type {string} */ other) => other === names[seat]).length > 1;
  }

  /** @param {number} seat */
  label = (seat) => (this.several(seat) && capital(crewOf(seat))) || this.name(seat);

  /** @param {number} seat */
  called = (seat) => (this.several(seat) ? this.who(seat) : this.name(seat));

  /** What happened, with the players' names; the viewer isn't “you”. @param {import("../contract.js").GameEvent} event */
  narrate = (event) => sayEvent(event, (seat) => (this.file.names[seat] && !this.several(seat) ? this.name(seat) : ""));

  /** The bots that have decided for a seat, in brackets. @param {number} seat */
  bots(seat) {
    const ranks = this.file.journal.filter((/** @type {any} */ line) => line.seat === seat && line.rank).map((/** @type {any} */ line) => rankWord(line.rank));
    return ranks.length ? ` (${[...new Set(ranks)].join(", ")})` : "";
  }

  /** @param {number} seat */
  who(seat) {
    return withCrew(this.name(seat), seat);
  }

  // -- going about ----------------------------------------------------------------------------------------------------

  /** Go to a place: at once, or one animated step. @param {number} place */
  go(place) {
    const to = Math.min(this.last, Math.max(0, Math.floor(place) || 0));
    const step = to === this.at + 1;
    this.at = to;
    const position = this.position;
    if (!position) return;
    if (step) this.stage?.show(position.events, position.view, this.seat);
    else this.stage?.put(position.view, this.seat);
    announce(position.events.map((event) => explained(this.narrate(event), event)).join(" "));
    if (!this.gone) stay(`#/replay/${this.id}${to ? `/${to}` : ""}`);
    app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => this.follow()));
  }

  /** Keep the current line of the log in view, without scrolling the page. */
  follow() {
    const line = document.querySelector(".replay-log [aria-current]");
    const log = line?.closest(".replay-log");
    if (!line || !log) return;
    const [here, box] = [line.getBoundingClientRect(), log.getBoundingClientRect()];
    const above = Math.max(0, Math.min(box.height / 3, box.height - here.height)); // show all of a long line
    if (here.top < box.top || here.bottom > box.bottom) log.scrollTop += here.top - box.top - above;
  }

  stop() {
    this.playing = 0;
    this.stage?.skip();
    app.redraw();
  }

  /** @param {number} place */
  jump(place) {
    this.stop();
    this.go(place);
  }

  async play() {
    const run = (this.playing = ++this.runs);
    if (this.at === this.last) this.go(0);
    while (this.playing === run && this.at < this.last) {
      this.go(this.at + 1);
      await this.stage?.idle;
      await new Promise((done) => setTimeout(done, BREATH / this.speed));
    }
    if (this.playing === run) this.playing = 0;
    app.redraw();
  }

  /** Ask how to play on from a place. @param {number} place @param {number | null} [seat] whose turn is to be tried again */
  playOn(place, seat = null) {
    this.jump(place);
    this.branch.show(seat);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement | null} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest("input, select, dialog, [tabindex='0']")) return;
    /** @type {Record<string, () => void>} */
    const keys = { ArrowLeft: () => this.jump(this.at - 1), ArrowRight: () => this.jump(this.at + 1), Home: () => this.jump(0), End: () => this.jump(this.last) };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]?.();
  }

  /** @param {string} eyes */
  async look(eyes) {
    await this.fetch(eyes);
    this.eyes = eyes;
    this.jump(this.at);
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  /** The decision, if this view could see it. @param {Position} position */
  decided({ seat, action }) {
    if (seat === null) return _("The game begins.");
    if (seat === CHANCE) return _("Chance decides.");
    const card = action === undefined ? undefined : this.cards[action];
    return card ? _("{name}: {action}.", { name: this.who(seat), action: local(card) }) : _("{name} chooses in secret.", { name: this.who(seat) });
  }

  /** @param {import("../contract.js").Board} board */
  scene(board) {
    const scene = this.stage?.scene;
    if (!scene) return nothing;
    if (board === plainBoard) return this.inWords();
    const shape = this.wide.matches ? "wide" : "tall";
    const [width, height] = board.size[shape];
    /** @type {import("../contract.js").Desk} */
    const desk = { scene, choice: null, seat: this.seat, shape, name: this.label, pick: () => {}, back: () => {}, why: () => {}, preview: null };
    return html`<svg class=${`scene ${shape}`} viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMinYMid" role="group" aria-label=${_("The board")}>${board.draw(desk)}</svg>
      ${this.seat >= 0 && this.at < this.last ? html`<div class="hand-area" inert>${board.hand(desk)}</div>` : nothing}`;
  }

  inWords() {
    return html`<div class="in-words large" tabindex="0" role="region" aria-label=${_("The board in words")}>${inLines(this.position?.words ?? "")}</div>`;
  }

  controls() {
    const { at, last } = this;
    const seats = Array.from({ length: this.info?.players ?? 0 }, (_none, seat) => seat);
    return html`<div class="replay-controls">
      <p class="must"><b>${at}/${last}</b> ${this.position ? this.decided(this.position) : ""}</p>
      <label class="replay-slider"><span class="unseen">${_("Step")}</span>
        <input type="range" min="0" max=${last} .value=${live(String(at))} @input=${(/** @type {any} */ e) => this.jump(Number(e.target.value))} /></label>
      <div class="replay-buttons" role="group" aria-label=${_("Steps")}>
        <button ?disabled=${at === 0} @click=${() => this.jump(0)} aria-label=${_("Go to start")}>${icon("M6 5v14M19 5L9 12L19 19Z")}</button>
        <button ?disabled=${at === 0} @click=${() => this.jump(at - 1)} aria-label=${_("Step back")}>${icon("M16 5L6 12L16 19Z")}</button>
        ${this.playing
          ? html`<button class="primary" @click=${() => this.stop()}>${_("Pause")}</button>`
          : html`<button class="primary" @click=${() => this.play()}>${at === last ? _("Show again") : _("Watch")}</button>`}
        <button ?disabled=${at === last} @click=${() => this.jump(at + 1)} aria-label=${_("Step forward")}>${icon("M8 5L18 12L8 19Z")}</button>
        <button ?disabled=${at === last} @click=${() => this.jump(last)} aria-label=${_("Skip to end")}>${icon("M18 5v14M5 5L15 12L5 19Z")}</button>
      </div>
      ${at < last ? html`<p class="play-on"><button @click=${() => this.playOn(at)}>${_("Play from here")}</button></p>` : nothing}
      <div class="replay-choices">
        <fieldset class="segments"><legend>${_("Speed")}</legend>
          ${SPEEDS.map((speed) => html`<label><input type="radio" name="pace" .checked=${live(this.speed === speed)} @change=${() => {
            this.speed = speed;
            app.redraw();
          }} /><span>${times(speed)}</span></label>`)}</fieldset>
        <label class="field"><span>${_("Seen by")}</span>
          <select @change=${(/** @type {any} */ e) => this.look(e.target.value)} .value=${live(this.eyes)}>
            <option value=${PUBLIC} ?selected=${this.eyes === PUBLIC}>${_("Everyone")}</option>
            ${seats.map((seat) => html`<option value=${seat} ?selected=${this.eyes === String(seat)}>${capital(this.who(seat))}${this.bots(seat)}</option>`)}
            <option value=${ALL} ?selected=${this.eyes === ALL}>${_("All secrets shown")}</option>
          </select></label>
      </div>
    </div>`;
  }

  /** What happened in a step, each event with its reason and its rule if everything is explained. @param {import("../contract.js").GameEvent[]} events */
  sentences(events) {
    if (!settings.explain) return events.map(this.narrate).join(" ");
    return html`<span>${events.map((event) => html`<span class="event-line">${this.narrate(event)}</span>${footnote(event)}`)}</span>`;
  }

  log() {
    return html`<aside class="aside replay-aside" aria-label=${_("Log")}><div class="drawer replay-log" tabindex="0" role="region" aria-label=${_("Log")}><ol class="log" @keydown=${walk}>
      ${this.positions.map((position, place) =>
        position.events.length || place === this.at
          ? html`<li value=${place} aria-current=${place === this.at ? "step" : nothing} class=${place > this.at ? "ahead" : ""}>
              <button class="quiet" tabindex=${place === this.at ? 0 : -1} @click=${() => this.jump(place)}>${position.events.length ? this.sentences(position.events) : this.decided(position)}</button></li>`
          : nothing,
      )}</ol></div></aside>`;
  }

  ending() {
    const outcome = this.file?.outcome;
    if (this.at < this.last || !outcome || !this.board || !this.info) return nothing;
    return html`<div class="result"><h2>${verdict(outcome, this.info.game, this.called)}</h2><p>${gameWords().endings[outcome.reason] ?? ""}</p>
      ${scoreSheet(this.board, this.position?.view ?? {}, outcome, this.label)}
      ${analysed(this.id) ? nothing : decisive(this.id, this.called, this.narrate)}
      ${honestDice(this.file.commitment, this.file.seed, this.file.contributions ?? [], this.label)}</div>`;
  }

  render() {
    const { info, board } = this;
    if (!info || !board) {
      return html`<main class="narrow"><h1>${_("Replay")}</h1>${this.refusal ? html`<p role="alert">${this.refusal}</p><p><a class="button" href="#/">${_("Return to harbour")}</a></p>` : html`<p role="status">${_("One moment, please.")}</p>`}</main>`;
    }
    return html`<div class="table-screen replay" data-at=${this.at}>
      <header class="top slim">
        <a class="brand" href="#/" aria-label=${_("Return to harbour")}><img src="/page/icon.svg" alt="" width="32" height="32" /></a>
        <h1>${_("Replay: {title}", { title: gameCard(info.game).title })}</h1>
        <button class="quiet" @click=${openSettings}>${_("Settings")}</button>
      </header>
      <div class="banners"></div>
      <main class="board-area">
        <div class="scene-area">${this.scene(board)}</div>
        <section class="decision" aria-label=${_("Steps of the game")}>${this.controls()}${this.ending()}
          ${howItWent({ table: this.id, together: gameCard(info.game).cooperative, name: this.label, own: this.own, cards: this.cards, at: this.at, jump: (place) => this.jump(place), playOn: (place, seat) => this.playOn(place, seat), crew: (seat) => board.crew?.(this.position?.view ?? {}, seat) ?? "" })}
          ${this.comparisons.map((comparison) => comparison.render())}
          ${board === plainBoard ? nothing : html`<details><summary>${_("The board in words")}</summary><div class="in-words">${inLines(this.position?.words ?? "")}</div></details>`}
          <div class="row replay-after">
            <button @click=${() => share(this.id)}>${_("Share")}</button>
            <button @click=${() => download(this.id, `tribord-${info.game}-${info.code}`)}>${_("Save the game")}</button>
            <a class="button" href="#/">${_("Return to harbour")}</a>
          </div></section>
      </main>
      ${this.log()}${this.branch.render()}
    </div>`;
  }
}
