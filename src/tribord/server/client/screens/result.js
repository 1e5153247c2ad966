/** The end of a match: the ending, the score sheet, what decided it, and what can be done next. */
import { gameCard, invitation, notice } from "../app.js";
import { absence, denial, otherDevice, warning } from "../contribution.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { play } from "../sound.js";
import { tally } from "../tally.js";
import { tip } from "../tips.js";
import { _, capital } from "../words.js";
import { again } from "./again.js";
import { analysed, howItWent } from "./analysis.js";
import { Comparison } from "./comparison.js";
import { number, opening, picture, sound } from "./ending.js";
import { decisive } from "./moments.js";

/** @typedef {(seat: number) => string} Naming */
/** @typedef {import("../contract.js").Outcome} Outcome */

/**
 * The score sheet: the game's own, as on paper, or the points. It's counted for those who saw the end.
 * @param {import("../contract.js").Board} board @param {import("../contract.js").View} view @param {Outcome} outcome @param {Naming} name
 * @param {{own?: number[], live?: boolean, tick?: () => void}} [reader] whose rows stand out, and whether it is counted
 */
export function scoreSheet(board, view, outcome, name, { own = [], live = false, tick = () => {} } = {}) {
  const row = (/** @type {number} */ seat) => {
    const mine = own.length === 1 && own[0] === seat && outcome.scores.length > 1;
    return html`<span class=${`sheet-name ${mine ? "own" : ""}`} title=${name(seat)}>${capital(name(seat))}</span>`;
  };
  return html`<div class="sheet" ${tally(live, tick)}>${board.sheet ? board.sheet(view, row) : points(outcome, row)}</div>`;
}

/** @param {Outcome} outcome @param {(seat: number) => import("../contract.js").Drawn} name */
function points({ scores, winners }, name) {
  const order = scores.map((_score, seat) => seat).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  return html`<table class="sheet-table">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Player")}</th><th scope="col">${_("Points")}</th></tr></thead>
    <tbody>${order.map((seat) => html`<tr class=${winners.includes(seat) ? "winner" : ""}><th scope="row">${name(seat)}</th><td class="sum">${scores[seat]}</td></tr>`)}</tbody>
  </table>`;
}

/**
 * Chance can be checked, and so can the file.
 * @param {string} commitment @param {string} seed @param {(string | null)[]} contributions by seat @param {Naming} name
 * @param {string} [digest] of the match file @param {import("../contribution.js").Contribution} [own] what became of ours, if we played
 */
export function honestDice(commitment, seed, contributions, name, digest, own) {
  const added = contributions.flatMap((value, seat) => (value ? [{ value, seat }] : []));
  return html`<details class="dice"><summary>${_("Check the luck")}</summary>
    <p>${_("Before the game, the table showed the hash of a secret seed. Here’s that seed. Every roll and every draw follows from it, and “tribord verify” checks them all in the match file.")}</p>
    ${own?.included ? html`<p>${_("These players’ devices added to the seed, yours too. Each device fixed its part before it saw any other, so no one could choose what comes up.")}</p>` : nothing}
    ${added.length && !own?.included ? html`<p>${_("These players’ devices added to the seed. They alone know that no one could choose what comes up.")}</p>` : nothing}
    ${own?.missing ? html`<p role="alert">${warning()}</p>` : nothing}
    ${own?.elsewhere ? html`<p>${otherDevice()}</p>` : nothing}
    ${own?.absent ? html`<p>${absence()}</p>` : nothing}
    ${own?.silenced ? html`<p role="alert">${denial()}</p>` : nothing}
    <dl><dt>${_("Hash")}</dt><dd><code>${commitment}</code></dd><dt>${_("Seed")}</dt><dd><code>${seed}</code></dd>
      ${added.map(({ value, seat }) => html`<dt>${capital(name(seat))}</dt><dd><code>${value}</code></dd>`)}
      ${digest ? html`<dt>${_("Digest of the match file")}</dt><dd><code>${digest}</code></dd>` : nothing}</dl>
    ${digest ? html`<p>${_("Note this digest. With it, “tribord verify” can tell if anything in the file has changed since, even a name.")}</p>` : nothing}</details>`;
}

/** Share the replay's link: with the device's own sharing, otherwise by copying. @param {string} table */
export async function share(table) {
  const url = invitation(`replay/${table}`);
  try {
    if ("share" in navigator) await navigator.share({ title: "Tribord", url });
    else {
      await copy(url);
      notice(_("The link is copied."));
    }
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") notice(url); // then at least it can be read
  }
}

/** @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  throw new Error("no clipboard"); // without https there is none
}

/** Save the match file. @param {string} table @param {string} name */
export async function download(table, name) {
  const file = await ask(`/api/tables/${table}/match`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @type {Set<string>} tables whose end was heard */
const heard = new Set();

/** Play the sound of a match's end, once and only if we saw it. @param {import("./ending.js").Reader} reader @param {boolean} live @param {boolean} [quiet] */
export function celebrate(reader, live, quiet = false) {
  if (heard.has(reader.table)) return;
  heard.add(reader.table);
  if (live && !quiet && !document.hidden) sound(reader);
}

/** A branch beside its original. @param {import("./table.js").TableScreen} screen @param {import("../contract.js").TableInfo} info */
function comparison(screen, info) {
  if (!info.branch) return nothing;
  screen.comparison ??= new Comparison(info.branch.original, info.id, info.game);
  return screen.comparison.render();
}

/** @param {import("./table.js").TableScreen} screen @param {import("../contract.js").Board} board */
export function result(screen, board) {
  const { table, stage } = screen;
  const { match, info } = table;
  const outcome = match?.outcome;
  if (!outcome || !info) return nothing;
  const name = (/** @type {number} */ seat) => table.called(seat);
  const label = (/** @type {number} */ seat) => table.label(seat);
  const view = match.views[String(screen.eyes)] ?? {};
  const reader = { outcome, game: info.game, table: info.id, name, own: table.seats };
  const live = stage?.lived ?? false;
  celebrate(reader, live);
  return html`<div class="result">
    ${opening(reader)}
    <div class="outcome">${picture(reader, board, view)}${scoreSheet(board, view, outcome, label, { own: table.seats, live, tick: () => play("coin") })}</div>
    ${board.kept && match.offers?.length ? board.kept(match.offers, label) : nothing}
    ${comparison(screen, info)}
    <div class="row">
      ${info.branch ? html`<a class="button primary" href=${`#/replay/${info.branch.original}/${info.branch.place}/branch`}>${_("Try again")}</a>` : again(table, info)}
      <a class="button" href=${`#/replay/${info.id}`}>${_("Look again")}</a>
      <button @click=${() => share(info.id)}>${_("Share")}</button>
      <button @click=${() => download(info.id, `tribord-${info.game}-${info.code}`)}>${_("Save the game")}</button>
      <a class="button" href="#/">${_("Return to harbour")}</a>
    </div>
    ${tip(gameCard(info.game), info.options, number(info.id), info.players)}
    ${howItWent({ table: info.id, together: gameCard(info.game).cooperative, name: label, own: table.seats, cards: screen.cards, crew: (seat) => board.crew?.(view, seat) ?? "" })}
    ${analysed(info.id) ? nothing : decisive(info.id, name, (event) => table.narrate(event), table.seats)}
    ${honestDice(info.commitment, match.seed ?? "", info.contributions, label, match.digest, table.contribution)}
  </div>`;
}
