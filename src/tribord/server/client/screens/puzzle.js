/** A puzzle: a position as its seat saw it, with the game's own board and hand. The server knows the values. */
import { announce, answered, app, gameCard, notice } from "../app.js";
import { WIDE, actionsOf, boardOf, needed } from "../boards.js";
import { Choice, flat } from "../choice.js";
import { property } from "../drawing/place.js";
import { ask, sorry } from "../http.js";
import { html, nothing } from "../lit.js";
import { plainBoard } from "../plain.js";
import { rankWord } from "../ranks.js";
import { set, settings } from "../settings.js";
import { crewOf } from "../table.js";
import { _, capital, gameWords, learn, local, name, reasonOf, sayEvent } from "../words.js";
import { inLines, openSettings } from "./frame.js";
import { percent, worth } from "./hints.js";
import { footnote } from "./lines.js";
import { levelName, mark } from "./puzzles.js";
import { objection } from "./why.js";

/**
 * @typedef {{game: string, number: number, level: string, players: number, options: Record<string, any>, seat: number, view: import("../contract.js").View, legal: number[], events: import("../contract.js").GameEvent[], words: {fr: string, en: string}}} PuzzleInfo
 * @typedef {import("./hints.js").Suggestion} Suggestion
 * @typedef {{share: number, otherwise: number, event: import("../contract.js").GameEvent}} Likely until the seat's next turn; `otherwise`: after the others, or the best one
 * @typedef {Suggestion & {outlook: {at_once: import("../contract.js").GameEvent[], likely: Likely[], spared: Likely[]}}} Weighed
 * @typedef {{right: boolean, exact: boolean, best: Weighed, chosen: Weighed, ranks: Record<string, number>}} Solved
 */

export class PuzzleScreen {
  /** @type {PuzzleInfo | null} */
  puzzle = null;
  /** @type {import("../contract.js").Board | null} */
  board = null;
  /** @type {import("../contract.js").ActionCard[]} */
  cards = [];
  /** @type {Choice | null} */
  choice = null;
  /** @type {{action: number, events: import("../contract.js").GameEvent[], fate: import("../contract.js").GameEvent[]} | null} */
  ahead = null;
  /** @type {Solved | null} */
  solved = null;
  /** @type {Record<string, any>} the options of the game in plain words */
  plain = {};
  sending = false;
  gone = false;
  refusal = "";
  asking = new AbortController();

  /** @param {string} game @param {number} number */
  constructor(game, number) {
    this.address = `/api/puzzles/${encodeURIComponent(game)}/${number}`;
    this.game = game;
    this.number = number;
    this.wide = matchMedia(WIDE);
    this.onShape = () => app.redraw();
    this.wide.addEventListener("change", this.onShape);
    void this.prepare();
  }

  leave() {
    this.gone = true;
    this.asking.abort();
    this.wide.removeEventListener("change", this.onShape);
  }

  get title() {
    return _("Puzzle {number}", { number: this.number });
  }

  async prepare() {
    try {
      const brought = await needed(this, () => Promise.all([ask(this.address), boardOf(this.game), actionsOf(this.game), ask(`/games/${this.game}/setup.json`).catch(() => ({})), learn(this.game)]));
      if (!brought) return;
      [this.puzzle, this.board, this.cards, this.plain] = brought;
      this.choice = new Choice(this.puzzle?.legal ?? [], this.cards);
      void this.lookAhead();
    } catch (error) {
      this.refusal = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  /** A seat by its crew. @param {number} seat */
  label = (seat) => capital(crewOf(seat)) || _("Seat {seat}", { seat: seat + 1 });

  /** @param {Choice} choice */
  touch(choice) {
    if (this.solved) return;
    answered();
    this.choice = choice;
    void this.lookAhead();
    app.redraw();
  }

  /** Ask the server what the action would lead to; the page knows no rules. */
  async lookAhead() {
    const action = this.choice && this.board?.toPreview ? this.board.toPreview(this.choice) : null;
    if (action !== null && this.ahead?.action === action) return;
    this.ahead = null;
    this.asking.abort();
    if (action === null) return;
    const { signal } = (this.asking = new AbortController());
    try {
      const found = await ask(`${this.address}/preview/${action}`, { signal });
      if (!signal.aborted) this.ahead = { action, ...found };
    } catch {
      // a preview isn't essential
    }
    app.redraw();
  }

  async answer() {
    const action = this.choice?.action ?? null;
    if (action === null || this.sending) return;
    this.sending = true;
    app.redraw();
    try {
      const solved = await ask(this.address, { body: { action } });
      const key = `${this.game}/${this.number}`;
      if (mark(this.game, this.number) === undefined) set({ puzzles: { ...settings.puzzles, [key]: solved.right } }); // only the first answer counts
      this.solved = solved;
      this.show(solved.best.action);
      announce(`${this.verdict()} ${this.explained(solved.best)}`);
      requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(".answered h2"))?.focus()));
    } catch (error) {
      notice(sorry(error));
    }
    this.sending = false;
    app.redraw();
  }

  /** Draw an action on the board. @param {number} action */
  show(action) {
    if (this.choice) this.choice = new Choice(this.choice.legal, this.cards, Object.entries(flat(this.cards[action]?.parts ?? {})));
    void this.lookAhead();
  }

  again = () => {
    this.solved = null;
    this.choice = new Choice(this.puzzle?.legal ?? [], this.cards);
    void this.lookAhead();
    app.redraw();
  };

  /** @param {string} part @param {any} value */
  async why(part, value) {
    if (this.board && this.choice && !this.solved) await objection(this.board, this.desk, part, value, async (action) => (await ask(`${this.address}/refused/${action}`)).refused);
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  /** @returns {import("../contract.js").Desk} */
  get desk() {
    const { board, puzzle, ahead } = this;
    const seat = puzzle?.seat ?? -1;
    const scene = board && puzzle ? board.scene(puzzle.view, seat) : {};
    let preview = null;
    if (ahead && board) {
      const scenes = [scene];
      for (const event of ahead.events) scenes.push(board.step(scenes.at(-1) ?? scene, event).scene);
      preview = { events: ahead.events, scenes, fate: ahead.fate };
    }
    return {
      scene,
      event: null,
      turn: [],
      rolling: false,
      choice: this.choice,
      hinted: this.solved !== null,
      seat,
      shape: this.wide.matches ? "wide" : "tall",
      name: this.label,
      pick: (part, value) => this.choice && this.touch(this.choice.pick(part, value)),
      back: (part) => this.choice && this.touch(this.choice.back(part)),
      why: (part, value) => void this.why(part, value),
      preview,
    };
  }

  /** @param {import("../contract.js").Board} board */
  scene(board) {
    if (board === plainBoard) return html`<div class="scene-area"><div class="in-words large" tabindex="0" role="region" aria-label=${_("The board in words")}>${inLines(this.puzzle ? local(this.puzzle.words) : "")}</div></div>`;
    const { desk } = this;
    const [width, height] = board.size[desk.shape];
    return html`<div class="scene-area drawn" ${property("--ratio", String(width / height))}><svg class=${`scene ${desk.shape}`} viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMinYMid" role="group" aria-label=${_("The board")}>${board.draw(desk)}</svg></div>`;
  }

  question() {
    const { choice, board, desk } = this;
    if (!choice || !board) return nothing;
    const question = gameWords().ask[choice.next(gameWords().order)?.split(".")[0] ?? ""];
    const must = board.ask?.(choice, desk.scene, desk.preview) ?? (choice.action === null ? (question ?? "") : local(this.cards[choice.action] ?? { fr: "", en: "" }));
    const warning = board.warn?.(desk);
    return html`<p class="must" id="must"><b>${_("{crew}: what’s the best choice?", { crew: this.label(desk.seat) })}</b> ${must}</p>
      <div class="hand-area">${board.hand(desk)}</div>
      ${warning ? html`<p class="warning" role="alert">${warning}</p>` : nothing}
      <div class="act">
        ${choice.touched.length ? html`<button @click=${() => this.touch((board.back ?? ((c) => c.back()))(choice))}>${_("Back")}</button>` : nothing}
        <button class="primary" ?disabled=${choice.action === null || this.sending} @click=${() => this.answer()} aria-describedby="must">${_("Answer")}</button>
      </div>`;
  }

  /** The options that differ from the default. */
  settings() {
    const options = this.puzzle?.options ?? {};
    const usual = (/** @type {any} */ value) => Array.isArray(value) && value.length > 0 && value.every((seat, place) => seat === place); // the order of the seats
    const changed = gameCard(this.game).options.filter(({ name, default: normal }) => name in options && String(options[name]) !== String(normal) && !usual(options[name]));
    if (!changed.length) return nothing;
    return html`<p><small>${_("Rules of this game:")} ${changed.map((option) => this.setting(option.name, options[option.name])).join(" · ")}</small></p>`;
  }

  /** An option with its value. @param {string} option @param {any} value */
  setting(option, value) {
    const said = this.plain[option]?.[settings.language];
    const title = (said?.title ?? option).replace(/[\s\u202f]?\?$/, "");
    if (value === true) return title;
    const names = Array.isArray(value) ? new Intl.ListFormat(settings.language).format(value.map((each) => name(typeof each === "number" ? "crew" : "card", each))) : (said?.values?.[value] ?? value);
    return _("{option}: {value}", { option: title, value: value === false || names === "" ? _("none") : names });
  }

  verdict() {
    return this.solved?.right ? _("Right! That’s the best choice.") : _("There’s a better choice.");
  }

  /** @param {Suggestion} choice */
  worth(choice) {
    return worth(choice.value, this.solved?.exact ?? false, gameCard(this.game).cooperative);
  }

  /** @param {number} action */
  action(action) {
    return local(this.cards[action] ?? { fr: "", en: "" });
  }

  /** @param {Suggestion} choice */
  explained(choice) {
    const { chance, range } = this.worth(choice);
    return _("{action}: {chance}, {range}.", { action: this.action(choice.action), chance, range });
  }

  /** What happened or may happen, as the seat reads it. @param {import("../contract.js").GameEvent} event */
  said(event) {
    return sayEvent(event, () => "", this.puzzle?.seat);
  }

  /** The reason for an event, where it first comes up. @param {import("../contract.js").GameEvent} event @param {Set<string>} given */
  because(event, given) {
    const why = reasonOf(event);
    if (!why || given.has(why)) return nothing;
    given.add(why);
    return html` <small>${why}</small>`;
  }

  /** What a choice leads to, event by event. @param {Weighed} choice @param {Set<string>} given the reasons that were given */
  leadsTo({ outlook: { at_once: atOnce, likely, spared } }, given) {
    const later = [...likely, ...spared];
    const comes = (/** @type {Likely} */ { share, otherwise, event }) => {
      const often = { share: percent(share), otherwise: percent(otherwise), event: this.said(event) };
      return html`<li>${often.share === often.otherwise ? _("{share}: {event}", often) : _("{share} instead of {otherwise}: {event}", often)}${this.because(event, given)}</li>`;
    };
    return html`${atOnce.length ? html`<dd class="leads-to">${_("At once:")}<ul>${atOnce.map((event) => html`<li>${this.said(event)}${this.because(event, given)}</li>`)}</ul></dd>` : nothing}
      ${later.length ? html`<dd class="leads-to">${_("Until your next turn:")}<ul>${later.map(comes)}</ul></dd>` : nothing}`;
  }

  /** @param {string} term @param {Weighed} choice @param {Set<string>} given the reasons that were given */
  weighed(term, choice, given) {
    const { chance, range } = this.worth(choice);
    const follows = choice.line.map((ply) => _("{name}: {action}.", { name: this.label(ply.seat), action: this.action(ply.action) })).join(" ");
    return html`<div><dt>${term}</dt><dd class="what">${this.action(choice.action)}</dd><dd class="worth"><b>${chance}</b><br /><small>${range}</small></dd>
      ${this.leadsTo(choice, given)}
      ${follows ? html`<dd class="follows"><small>${_("Then, most likely:")} ${follows}</small></dd>` : nothing}</div>`;
  }

  /** @param {Solved} solved */
  answered({ right, best, chosen, ranks }) {
    const found = Object.entries(ranks).map(([rank, share]) => _("{rank} {share}", { rank: capital(rankWord(rank)), share: percent(share) }));
    /** @type {Set<string>} */
    const given = new Set();
    return html`<div class="answered"><h2 tabindex="-1">${this.verdict()}</h2>
      <dl>${this.weighed(_("The best choice"), best, given)}${right ? nothing : this.weighed(_("Your choice"), chosen, given)}</dl>
      <p><small>${_("“Instead of” compares the best choice with the others, and yours with the best. Deckhand bots played on from each choice many times.")}</small></p>
      <p><small>${_("How often the bots find it: {found}.", { found: new Intl.ListFormat(settings.language, { type: "unit" }).format(found) })}</small></p>
      <div class="row"><a class="primary button" href="#/puzzles">${_("See more puzzles")}</a><button @click=${this.again}>${_("Try again")}</button></div></div>`;
  }

  log() {
    const events = this.puzzle?.events ?? [];
    return html`<aside class="aside" aria-label=${_("Log")}><div class="drawer" tabindex="0" role="region" aria-label=${_("What happened before")}>
      <h2>${_("What happened before")}</h2>
      ${events.length ? html`<ol class="log" reversed>${[...events].reverse().map((event) => html`<li>${sayEvent(event, () => "")}${footnote(event)}</li>`)}</ol>` : html`<p>${_("Nothing has happened yet.")}</p>`}</div></aside>`;
  }

  render() {
    const { puzzle, board } = this;
    if (!puzzle || !board) {
      return html`<main class="narrow"><h1>${this.title}</h1>${this.refusal ? html`<p role="alert">${this.refusal}</p><p><a class="button" href="#/puzzles">${_("Puzzles")}</a></p>` : html`<p role="status">${_("One moment, please.")}</p>`}</main>`;
    }
    return html`<div class=${`table-screen puzzle ${this.solved ? "ended" : ""}`}>
      <header class="top slim">
        <a class="brand" href="#/puzzles" aria-label=${_("Puzzles")}><img src="/page/icon.svg" alt="" width="32" height="32" /></a>
        <h1>${gameCard(this.game).title} <small>${_("Puzzle {number}", { number: this.number })} · ${levelName(puzzle.level)}</small></h1>
        <button class="quiet" @click=${openSettings}>${_("Settings")}</button>
      </header>
      <div class="banners"></div>
      <main class="board-area">
        ${this.scene(board)}
        <section class="decision" aria-label=${_("Your choice")}>${this.solved ? this.answered(this.solved) : this.question()}
          ${this.settings()}
          ${board === plainBoard ? nothing : html`<details><summary>${_("The board in words")}</summary><div class="in-words">${inLines(local(puzzle.words))}</div></details>`}</section>
      </main>
      ${this.log()}
    </div>`;
  }
}
