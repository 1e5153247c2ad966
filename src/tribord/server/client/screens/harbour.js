/** The harbour: the games, the tables where this device sits, the public tables that wait. */
import { USUAL_RANK, app, gameCard, go } from "../app.js";
import { credentialsAt, keep } from "../credentials.js";
import { cover } from "../drawing/cover.js";
import { pirate } from "../drawing/pirate.js";
import { sea } from "../drawing/sea.js";
import { stern } from "../drawing/ship.js";
import { ask, askOnce } from "../http.js";
import { html, nothing, svg } from "../lit.js";
import { ownName, remember } from "../names.js";
import { set, settings } from "../settings.js";
import { lessonOf, variantOf, variantsOf } from "../variants.js";
import { _, local, ngettext } from "../words.js";
import { header, howTos } from "./frame.js";
import { byCode } from "./join.js";
import { OwnMatches } from "./matches.js";
import { Preparing } from "./preparing.js";

/** The default number of players. @param {{players: [number, number]}} game or one of its variants */
export function usualPlayers({ players: [least, most] }) {
  return Math.min(Math.max(4, least), most);
}

/** @param {any} wanted a NewTable @returns {Promise<string>} the table's id */
export async function createTable(wanted) {
  const nickname = wanted.nickname || ownName();
  remember(nickname);
  const credentials = await askOnce("/api/tables", { ...wanted, nickname });
  keep({ ...credentials, game: wanted.game });
  return credentials.table;
}

/** The language of a game's own title: most are French, in English too. @param {string} title */
function titleLanguage(title) {
  return /^Walk/.test(title) ? "en" : "fr";
}

/** The quay: hosts who wait for players. */
function quay() {
  const crew = /** @type {[string, number, number][]} */ ([["green", 4, 352], ["blue", 1, 452], ["red", 3, 552], ["yellow", 5, 652], ["lilac", 2, 752], ["bone", 6, 852]]);
  return svg`${sea(0, 168, 1200, 72, 24)}${stern(250, 106, 118)}
    <path class="pier" d="M238 150H930L946 172H238ZM300 172V240M460 172V240M620 172V240M780 172V240M900 172V240" />
    ${crew.map(([one, value, x]) => svg`<g transform=${`translate(${x} 112) scale(0.78)`}>${pirate(one, value, { badge: false })}</g>`)}`;
}

export class HarbourScreen {
  title = "";

  constructor() {
    /** @type {{id: string, code: string, game: string, players: number, host: string, free: number}[]} */
    this.open = [];
    this.own = new OwnMatches();
    this.busy = false;
    const look = () => void Promise.all([this.look(), this.own.look()]);
    look();
    this.timer = setInterval(look, 10_000);
    this.preparing = new Preparing();
  }

  leave() {
    clearInterval(this.timer);
    this.preparing.leave();
  }

  async look() {
    try {
      this.open = (await ask("/api/tables")).tables;
      app.redraw();
    } catch {
      // The list isn't essential: the next look may get it.
    }
  }

  /** @param {import("../contract.js").GameCard} game @param {import("../contract.js").Variant} [variant] */
  async playNow(game, variant) {
    if (this.busy) return;
    this.busy = true;
    try {
      const players = usualPlayers(variant ?? game);
      const seats = ["me", ...Array(players - 1).fill(USUAL_RANK)];
      app.starting = await createTable({ game: game.id, players, seats, options: variant?.options ?? {} });
      go(`/table/${app.starting}`);
    } finally {
      this.busy = false;
    }
  }

  /** Play the guided match, or resume it. @param {import("../contract.js").GameCard} game @param {{id: string, options: Record<string, any>}} guide */
  async learn(game, guide) {
    if (this.busy) return;
    this.busy = true;
    const lesson = lessonOf(game, guide.options);
    try {
      const begun = credentialsAt(settings.guided[lesson] ?? "");
      const goesOn = begun && !begun.over && (await ask(`/api/tables/${begun.table}`).catch(() => null))?.status === "playing";
      const table = goesOn ? begun.table : await createTable({ game: game.id, players: game.players[0], guide: guide.id });
      if (!goesOn) app.starting = table;
      set({ guided: { ...settings.guided, [lesson]: table }, seen: [...new Set([...settings.seen, lesson])] });
      go(`/table/${table}`);
    } finally {
      this.busy = false;
    }
  }

  /** The ways into the guided matches of a game; a newcomer is asked. @param {import("../contract.js").GameCard} game */
  lessons(game) {
    const isNew = (/** @type {import("../contract.js").GameCard["guides"][number]} */ guide) => !settings.seen.includes(lessonOf(game, guide.options));
    const ways = game.guides.map((guide) => {
      const { title } = variantOf(game, guide.options)?.[settings.language] ?? { title: "" };
      return html`<button type="button" class=${isNew(guide) ? "chip" : "quiet"} @click=${() => this.learn(game, guide)} aria-label=${_("Learn {title} by playing", { title: title ? `${game.title} (${title})` : game.title })}>${_("Learn by playing")}${title ? html` <small>${title}</small>` : nothing}</button>`;
    });
    return html`${game.guides.some(isNew) ? html`<span class="asks">${_("First game?")}</span>` : nothing}${ways}`;
  }

  /** @param {import("../contract.js").GameCard} game */
  card(game) {
    const [least, most] = game.players;
    const { about, title } = game;
    const variants = variantsOf(game);
    return html`<li class="game-card">
      <div class="cover">${cover(game)}</div>
      <div class="body">
        <h2 lang=${titleLanguage(title)}>${title}</h2>
        <p class="facts">
          <span>${_("{least}–{most} players", { least, most })}</span>
          ${about ? html`<span>${_("{least}–{most} min", { least: about.minutes[0], most: about.minutes[1] })}</span>
            <span>${_("ages {age}+", { age: about.age })}</span>` : nothing}
          ${game.cooperative ? html`<span>${_("together")}</span>` : nothing}
        </p>
        <div class="row">
          ${variants.length ? variants.map((variant) => this.playVariant(game, variant)) : html`<button class="primary" @click=${() => this.playNow(game)} aria-label=${_("Play {title} against bots now", { title })}>
            ${_("Play now")}<small>${_("against bots")}</small>
          </button>`}
          <a class="button" href=${`#/new/${game.id}`} aria-label=${_("Open a table: {title}", { title })}>${_("Open a table")}</a>
        </div>
        ${about ? html`<p class="pitch">${local(about.pitch)}</p>` : nothing}
        <p class="learn">${this.lessons(game)}${howTos(game, "quiet")}<a class="quiet button" href=${`#/rules/${game.id}`} aria-label=${_("The rules of {title}", { title })}>${_("Rules")}</a></p>
      </div>
    </li>`;
  }

  /** @param {import("../contract.js").GameCard} game @param {import("../contract.js").Variant} variant */
  playVariant(game, variant) {
    const { title } = variant[settings.language];
    return html`<button class="primary" @click=${() => this.playNow(game, variant)} aria-label=${_("Play {title} against bots now: {variant}", { title: game.title, variant: title })}>
      ${_("Play now")}<small>${title}</small></button>`;
  }

  tables() {
    if (!this.open.length) return nothing;
    return html`<section aria-labelledby="public">
      <h2 id="public">${_("Tables waiting for players")}</h2>
      <ul class="plain-list">
        ${this.open.map(
          (table) => html`<li>
            <a class="line" href=${`#/${table.code}`}>
              <b>${gameCard(table.game).title}</b> <span>${_("at {host}’s table", { host: table.host })}</span>
              <small>${ngettext("{count} free seat", "{count} free seats", table.free)}</small>
            </a>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  render() {
    const puzzles = app.house.games.some((game) => game.puzzles) ? html`<a class="quiet button" href="#/puzzles">${_("Puzzles")}</a>` : "";
    return html`${header(puzzles)}
      <main class="harbour">
        <div class="welcome">
          <div class="words">
            <h1>${_("Pirate board games for everyone around the table")}</h1>
            <p>${_("Play against bots right away. Or open a table: the others scan a code with their phones, and off you go! No account, nothing to install.")}</p>
            ${byCode()}
          </div>
          <svg class="quay" viewBox="0 -56 1000 296" preserveAspectRatio="xMinYMax slice" aria-hidden="true">${quay()}</svg>
        </div>
        ${this.preparing.render()} ${this.own.running()} ${this.tables()}
        <h2 class="unseen">${_("The games")}</h2>
        <ul class="games" aria-label=${_("The games")}>${app.house.games.map((game) => this.card(game))}</ul>
        ${this.own.finished()}
        <p class="elsewhere">${_("Did a friend send you a match file?")} <a href="#/replay">${_("Watch the game")}</a></p>
      </main>`;
  }
}
