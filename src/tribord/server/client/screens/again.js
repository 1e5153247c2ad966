/** Once more with the same people: at once, or after something was changed. */
import { gameCard } from "../app.js";
import { html } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

/** What may be done after a match. Where all play together, nobody takes revenge. @param {import("../table.js").Table} table @param {import("../contract.js").TableInfo} info */
export function again(table, info) {
  const { cooperative } = gameCard(info.game);
  if (info.rematch) return html`<a class="button primary" href=${`#/${table.credentials ? "table" : "watch"}/${info.rematch}`}>${cooperative ? _("To the next match") : _("To the rematch")}</a>`;
  const host = table.nickname(0);
  if (!table.mayHost) return html`<span>${cooperative ? _("{host} can start the next match.", { host }) : _("{host} can call a rematch.", { host })}</span>`;
  const away = info.seats.filter(({ guest }) => guest !== null && table.away.has(guest)).map(({ name }) => name);
  const names = new Intl.ListFormat(settings.language).format(away);
  return html`<button class="primary" @click=${() => table.send("rematch", { start: true })}>${cooperative ? _("Play again") : _("Rematch")}</button>
    ${away.length
      ? html`<span>${_("Away: {names}. At the next table you can wait, or start without waiting.", { names })}</span>`
      : html`<button @click=${() => table.send("rematch")}>${_("Change something first")}</button>`}`;
}
