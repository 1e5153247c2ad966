/** The score sheet, as on paper, and what anyone may know of a player. */
import { token } from "/page/drawing/pirate.js";
import { html } from "/page/lit.js";
import { _, name } from "/page/words.js";
import { sign } from "./layout.js";

/** @param {import("/page/contract.js").View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
export function sheet(view, who) {
  const crews = view["crews"].filter((/** @type {any} */ crew) => crew.seat !== null).sort((/** @type {any} */ a, /** @type {any} */ b) => b.points - a.points);
  const best = crews[0]?.points;
  return html`<div class="fpp scroll" tabindex="0" role="region" aria-label=${_("Score sheet")}><table class="sheet-table">
    <thead><tr><th scope="col"><span class="unseen">${_("Crew")}</span> <small aria-hidden="true">${_("pile")}</small></th>${[1, 2, 3, 4, 5].map((k) => html`<th scope="col"><span class="unseen">${_("pile {pile}", { pile: k })}</span><span aria-hidden="true">${k}</span></th>`)}<th scope="col">${_("plank")}</th><th scope="col">${_("total")}</th></tr></thead>
    <tbody>${crews.map((/** @type {any} */ crew) => {
      const sea = [1, 2, 3, 4, 5].map((k) => view["piles"][k - 1].filter((/** @type {import("./layout.js").Pirate} */ p) => p.crew === crew.crew).length * k);
      return html`<tr class=${crew.points === best ? "winner" : ""}><th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew.crew)}</svg> ${who(crew.seat)} <small>${name("colour", crew.crew)}</small></th>
        ${sea.map((points) => html`<td>${points || "·"}</td>`)}<td>${crew.points - sea.reduce((a, b) => a + b, 0) || "·"}</td><td class="sum">${crew.points}</td></tr>`;
    })}</tbody></table></div>`;
}

/** What anyone may know of a player. @param {import("/page/contract.js").View} view @param {number} seat @returns {{label: string, value: string}[]} */
export function standing(view, seat) {
  const crew = view["crews"].find((/** @type {any} */ one) => one.seat === seat);
  if (!crew) return [];
  return [
    { label: _("Points"), value: String(crew.points) },
    { label: _("Pirates"), value: crew.pirates.join(" ") || _("none") },
    { label: _("Actions"), value: crew.cards.map(sign).join(" ") || _("none") },
    { label: "Non merci\u202f!", value: crew.pass ? _("in hand") : _("played") },
  ];
}
