/** The end of a match: who won, the score sheet, the moments that decided it, once more. */
import { gameCard, invitation, notice } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _, capital, gameWords } from "../words.js";
import { decisive } from "./moments.js";

/** @typedef {(seat: number) => string} Naming */
/** @typedef {import("../contract.js").Outcome} Outcome */

/** Who won, in a sentence. @param {Outcome} outcome @param {string} game @param {Naming} name @param {number[]} [own] the seats of whoever reads it */
export function verdict(outcome, game, name, own = []) {
  const { winners, scores } = outcome;
  if (gameCard(game).cooperative) return together(winners.length > 0, own.length > 0, scores.length);
  const names = new Intl.ListFormat(settings.language).format(winners.map(name));
  if (winners.length === 0) return _("Nobody wins.");
  if (own.length === 1 && winners.includes(own[0] ?? -1)) return winners.length === 1 ? _("You win!") : _("You win, together.");
  if (winners.length === scores.length && scores.length > 1) return _("Everybody wins.");
  return winners.length > 1 ? _("{names} share the victory.", { names }) : _("{names} wins.", { names });
}

/** Where all are in the same boat. @param {boolean} won @param {boolean} own whether who reads it has played @param {number} players */
function together(won, own, players) {
  if (players === 1) return won ? _("Victory!") : _("The match is lost.");
  if (own) return won ? _("You have won, all together!") : _("You have lost, all together.");
  return won ? _("Everybody has won, together!") : _("Everybody has lost, together.");
}

/** The score sheet: the game's own, as on paper, or the points. @param {import("../contract.js").Board} board @param {import("../contract.js").View} view @param {Outcome} outcome @param {Naming} name */
export function scoreSheet(board, view, outcome, name) {
  if (board.sheet) return board.sheet(view, name);
  const order = outcome.scores.map((_score, seat) => seat).sort((a, b) => (outcome.scores[b] ?? 0) - (outcome.scores[a] ?? 0));
  return html`<table class="sheet-table">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Player")}</th><th scope="col">${_("Points")}</th></tr></thead>
    <tbody>${order.map((seat) => html`<tr class=${outcome.winners.includes(seat) ? "winner" : ""}><th scope="row">${capital(name(seat))}</th><td>${outcome.scores[seat]}</td></tr>`)}</tbody>
  </table>`;
}

/** Chance can be checked. @param {string} commitment @param {string} seed */
export function honestDice(commitment, seed) {
  return html`<details class="dice"><summary>${_("Chance can be checked")}</summary>
    <p>${_("Before the match the table showed the hash of a secret seed; here is the seed, and every throw and every draw follows from it: “tribord verify” checks them in the match file.")}</p>
    <dl><dt>${_("Hash")}</dt><dd><code>${commitment}</code></dd><dt>${_("Seed")}</dt><dd><code>${seed}</code></dd></dl></details>`;
}

/** Hand the replay's link on: by the device's own way of sharing, else by copying. @param {string} table */
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
  throw new Error("no clipboard"); // a page that did not come over https has none
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

/** @param {import("./table.js").TableScreen} screen @param {import("../contract.js").Board} board */
export function result(screen, board) {
  const { table } = screen;
  const { match, info } = table;
  const outcome = match?.outcome;
  if (!outcome || !info) return nothing;
  const name = (/** @type {number} */ seat) => table.called(seat);
  const label = (/** @type {number} */ seat) => table.label(seat);
  const view = match.views[String(screen.eyes)] ?? {};
  return html`<div class="result">
    <h2>${verdict(outcome, info.game, name, table.seats)}</h2>
    <p>${gameWords().endings[outcome.reason] ?? ""}</p>
    ${scoreSheet(board, view, outcome, label)}
    ${board.kept && match.offers?.length ? board.kept(match.offers, label) : nothing}
    <div class="row">
      ${info.rematch
        ? html`<a class="button primary" href=${`#/${table.berth ? "table" : "watch"}/${info.rematch}`}>${_("To the rematch")}</a>`
        : table.mayHost
          ? html`<button class="primary" @click=${() => table.tell("rematch")}>${_("Rematch")}</button>`
          : html`<span>${_("The host can call a rematch.")}</span>`}
      <a class="button" href=${`#/replay/${info.id}`}>${_("Look again")}</a>
      <button @click=${() => share(info.id)}>${_("Share")}</button>
      <button @click=${() => download(info.id, `tribord-${info.game}-${info.code}`)}>${_("Match file")}</button>
      <a class="button" href="#/">${_("To the harbour")}</a>
    </div>
    ${decisive(info.id, name, (event) => table.narrate(event), table.seats)}
    ${honestDice(info.commitment, match.seed ?? "")}
  </div>`;
}
