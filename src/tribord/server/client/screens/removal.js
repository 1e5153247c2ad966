/** Someone is to be removed who's here and plays: everyone else with a seat is asked. */
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

/** @typedef {import("../table.js").Table} Table */

/** The guests who must agree before the host can remove one who plays here; nobody: the host decides alone. @param {Table} table @param {number} guest */
export function voters(table, guest) {
  if (table.info?.status !== "playing" || !table.sits(guest) || table.longAway(guest)) return [];
  const others = table.info.seats.flatMap((held) => (held.guest === null || held.guest === guest ? [] : [held.guest]));
  return [...new Set(others)].filter((other) => !isHost(other));
}

/** Whether the host can remove a guest or ask the others to: two players can't part while both are here. @param {Table} table @param {number} guest */
export function removable(table, guest) {
  return table.info?.status !== "playing" || !table.sits(guest) || table.longAway(guest) || voters(table, guest).length > 0;
}

/** @param {number} guest */
function isHost(guest) {
  return guest === 0;
}

/** Who is to be removed, and who has to agree; "" if nobody asks. @param {Table} table */
export function removalInWords(table) {
  const asked = table.match?.removal;
  if (!asked) return "";
  const missing = voters(table, asked.guest).filter((guest) => !asked.agreed.includes(guest));
  const names = new Intl.ListFormat(settings.language).format(missing.map((guest) => table.nickname(guest)));
  const name = table.nickname(asked.by);
  const wish = asked.guest === table.guest ? _("{name} wants to remove you from the game.", { name }) : _("{name} wants to remove {other} from the game.", { name, other: table.nickname(asked.guest) });
  return missing.length ? `${wish} ${_("Waiting for: {names}.", { names })}` : wish;
}

/** The request, with the answers for those who are asked. @param {Table} table */
export function removal(table) {
  const asked = table.match?.removal;
  if (!asked) return nothing;
  const { guest } = asked;
  const mine = table.guest !== null && voters(table, guest).includes(table.guest) && !asked.agreed.includes(table.guest);
  const answer = (/** @type {boolean} */ agree) => void table.send("remove", { guest, agree });
  return html`<div class="asked" role=${mine ? "alert" : "status"}><p>${removalInWords(table)}</p>
    ${mine ? html`<button class="primary" @click=${() => answer(true)}>${_("Agree")}</button><button @click=${() => answer(false)}>${_("Refuse")}</button>` : nothing}
    ${table.guest === asked.by ? html`<button @click=${() => answer(false)}>${_("Cancel")}</button>` : nothing}</div>`;
}
