/** The end of a match: who won, the score sheet, once more. */
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _, capital, gameWords } from "../words.js";

/** @param {import("./table.js").TableScreen} screen @param {import("../contract.js").Board} board */
export function result(screen, board) {
  const { table } = screen;
  const outcome = table.match?.outcome;
  if (!outcome) return nothing;
  const winners = new Intl.ListFormat(settings.language).format(outcome.winners.map((seat) => table.name(seat)));
  const together = outcome.winners.length === outcome.scores.length && outcome.scores.length > 1;
  const title =
    outcome.winners.length === 0
      ? _("Nobody wins.")
      : table.seats.length === 1 && outcome.winners.includes(table.seats[0] ?? -1)
        ? outcome.winners.length === 1 ? _("You win!") : _("You win, together.")
        : together ? _("Everybody wins.")
        : outcome.winners.length > 1 ? _("{names} share the victory.", { names: winners }) : _("{names} wins.", { names: winners });
  const view = table.match?.views[String(screen.seat)] ?? Object.values(table.match?.views ?? {})[0] ?? {};
  const download = async () => {
    const file = await ask(`/api/tables/${table.id}/match`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: "application/json" }));
    link.download = `tribord-${table.info?.game}-${table.info?.code}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return html`<div class="result">
    <h2>${title}</h2>
    <p>${gameWords().endings[outcome.reason] ?? ""}</p>
    ${board.sheet ? board.sheet(view, (seat) => table.name(seat)) : plainSheet(screen)}
    ${board.kept && table.match?.offers?.length ? board.kept(table.match.offers, (seat) => table.name(seat)) : nothing}
    <div class="row">
      ${table.host ? html`<button class="primary" @click=${() => table.tell("rematch")}>${_("Rematch")}</button>` : html`<span>${_("The host can call a rematch.")}</span>`}
      <button @click=${download}>${_("Match file")}</button>
      <a class="button" href="#/">${_("To the harbour")}</a>
    </div>
  </div>`;
}

/** @param {import("./table.js").TableScreen} screen */
function plainSheet(screen) {
  const outcome = screen.table.match?.outcome;
  if (!outcome) return nothing;
  const order = outcome.scores.map((_score, seat) => seat).sort((a, b) => (outcome.scores[b] ?? 0) - (outcome.scores[a] ?? 0));
  return html`<table class="sheet-table">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Player")}</th><th scope="col">${_("Points")}</th></tr></thead>
    <tbody>${order.map((seat) => html`<tr class=${outcome.winners.includes(seat) ? "winner" : ""}><th scope="row">${capital(screen.who(seat))}</th><td>${outcome.scores[seat]}</td></tr>`)}</tbody>
  </table>`;
}
