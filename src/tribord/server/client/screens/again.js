/** Play again with the same people: right away, or after changing something. */
import { gameCard } from "../app.js";
import { html } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

/** What you can do after a match. In a cooperative game there's no revenge. @param {import("../table.js").Table} table @param {import("../contract.js").TableInfo} info */
export function again(table, info) {
  const { cooperative } = gameCard(info.game);
  if (info.rematch) return html`<a class="button primary" href=${`#/${table.credentials ? "table" : "watch"}/${info.rematch}`}>${cooperative ? _("Join next game") : _("Join the rematch")}</a>`;
  const host = table.nickname(0);
  if (!table.mayHost) return html`<span>${cooperative ? _("{host} can start the next game.", { host }) : _("{host} can start a rematch.", { host })}</span>`;
  const away = info.seats.filter(({ guest }) => guest !== null && table.away.has(guest)).map(({ name }) => name);
  const names = new Intl.ListFormat(settings.language).format(away);
  return html`<button class="primary" @click=${() => table.send("rematch", { start: true })}>${cooperative ? _("Play again") : _("Play a rematch")}</button>
    ${away.length
      ? html`<span>${_("Away: {names}. At the next table you can wait for them, or start right away.", { names })}</span>`
      : html`<button @click=${() => table.send("rematch")}>${_("Change something")}</button>`}`;
}
