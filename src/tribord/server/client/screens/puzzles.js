/** The puzzles: that of the day, and all of them by game and level, with marks for those solved on this device. */
import { app, gameCard } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _, ngettext } from "../words.js";
import { header } from "./frame.js";

/** @typedef {{number: number, level: string, players: number}} Entry */
/** @typedef {{daily: {date: string, game: string, number: number, level: string} | null, games: {game: string, puzzles: Entry[]}[]}} Puzzles */

export const LEVELS = ["easy", "medium", "hard"];

/** @param {string} level */
export function levelName(level) {
  return { easy: _("Easy"), medium: _("Medium"), hard: _("Hard") }[level] ?? level;
}

/** Whether a puzzle was solved on this device at the first try; absent: not tried. @param {string} game @param {number} number */
export function mark(game, number) {
  return settings.puzzles[`${game}/${number}`];
}

export class PuzzlesScreen {
  /** @type {Puzzles | null} */
  found = null;
  refusal = "";

  constructor() {
    void this.look();
  }

  get title() {
    return _("Puzzles");
  }

  async look() {
    try {
      this.found = await ask("/api/puzzles");
    } catch (error) {
      this.refusal = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  daily() {
    const daily = this.found?.daily;
    if (!daily) return nothing;
    const day = new Intl.DateTimeFormat(settings.language, { day: "numeric", month: "long", timeZone: "UTC" }).format(new Date(daily.date));
    return html`<p class="daily"><a class="primary button" href=${`#/puzzles/${daily.game}/${daily.number}`}>${_("Puzzle of the day")}</a>
      <span>${[day, gameCard(daily.game).title, levelName(daily.level)].join(" · ")} ${this.state(daily.game, daily.number)}</span></p>`;
  }

  /** The result of a puzzle here. @param {string} game @param {number} number */
  state(game, number) {
    const solved = mark(game, number);
    if (solved === undefined) return nothing;
    return html`<span class="mark" role="img" aria-label=${solved ? _("solved") : _("not solved")}>${solved ? "✓" : "✗"}</span>`;
  }

  /** @param {string} game @param {Entry[]} puzzles */
  game(game, puzzles) {
    const solved = puzzles.filter(({ number }) => mark(game, number)).length;
    return html`<section aria-labelledby=${`of-${game}`}><h2 id=${`of-${game}`}>${gameCard(game).title}</h2>
      <p><small>${ngettext("{count} puzzle", "{count} puzzles", puzzles.length)}${solved ? html` · ${ngettext("{count} solved", "{count} solved", solved)}` : nothing}</small></p>
      ${LEVELS.map((level) => this.level(game, level, puzzles.filter((each) => each.level === level)))}</section>`;
  }

  /** @param {string} game @param {string} level @param {Entry[]} puzzles */
  level(game, level, puzzles) {
    if (!puzzles.length) return nothing;
    return html`<h3>${levelName(level)}</h3>
      <ul class="puzzle-list">${puzzles.map(
        ({ number, players }) => html`<li><a class="button" href=${`#/puzzles/${game}/${number}`} aria-label=${_("Puzzle {number}, {players} players", { number, players })}>${number} ${this.state(game, number)}</a></li>`,
      )}</ul>`;
  }

  render() {
    const { found } = this;
    return html`${header()}
      <main class="narrow puzzles">
        <h1>${_("Puzzles")}</h1>
        <p>${_("One choice is clearly the best. Find it! Every position comes from a game between bots.")}</p>
        ${this.refusal ? html`<p role="alert">${this.refusal}</p>` : nothing}
        ${found ? [this.daily(), ...found.games.map(({ game, puzzles }) => this.game(game, puzzles))] : this.refusal ? nothing : html`<p role="status">${_("One moment, please.")}</p>`}
        <p class="row"><a class="button" href="#/">${_("Return to harbour")}</a></p>
      </main>`;
  }
}
