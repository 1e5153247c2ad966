/** The score sheet, and what everyone may know about a player while the match goes on. */
import { html, nothing } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { _ } from "/page/words.js";
import { hat, person } from "./people.js";

/** @param {import("/page/contract.js").View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
export function sheet(view, who) {
  const ranked = [...view["crews"]].sort((a, b) => b.points - a.points);
  const landed = view["boats"].filter((/** @type {any} */ boat) => boat.where === "landed");
  const ashore = (/** @type {string} */ crew, /** @type {string} */ island) =>
    landed.filter((/** @type {any} */ boat) => boat.island === island && boat.people[crew])
      .reduce((/** @type {number[]} */ [sailors = 0, helmsmen = 0, points = 0], /** @type {any} */ { people, worth }) => {
        const here = people[crew];
        return [sailors + here.sailors, helmsmen + here.helmsmen, points + here.sailors * worth.sailor + here.helmsmen * worth.helmsman];
      }, [0, 0, 0]);
  const people = (/** @type {string} */ crew, /** @type {number} */ sailors, /** @type {number} */ helmsmen) => html`<span class="unseen">${_("sailors: {sailors}, helmsmen: {helmsmen}", { sailors, helmsmen })}</span>
    <span class="sqp-counted" aria-hidden="true">${[["helmsman", helmsmen], ["sailor", sailors]].map(([kind, number]) => (number ? html`<span><svg class=${`mini ${kind}`} viewBox=${kind === "helmsman" ? "-80 -80 160 156" : "-56 -80 112 156"}>${person(crew, String(kind))}</svg>${number}</span>` : nothing))}</span>`;
  const titles = /** @type {Record<string, string>} */ ({ left: _("left"), centre: _("centre"), right: _("right") });
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${_("Score sheet")}><table class="sheet-table sqp-sheet">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th>${["left", "centre", "right"].map((island) => html`<th scope="col">${titles[island]}</th>`)}<th scope="col"><span class="unseen">${_("drowned")}</span><svg class="mini" viewBox="-46 -64 92 60" aria-hidden="true">${hat("sailor")}<path class="sqp-ripple" d="M-40-12q10-9 20 0t20 0t20 0t20 0" /></svg></th><th scope="col">${_("total")}</th></tr></thead>
    <tbody>${ranked.map(({ crew, seat, points, drowned }) => html`<tr class=${points === ranked[0].points ? "winner" : ""}>
      <th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew)}</svg> ${who(seat)}</th>
      ${["left", "centre", "right"].map((island) => {
        const [sailors = 0, helmsmen = 0, worth = 0] = ashore(crew, island);
        return html`<td>${sailors + helmsmen ? html`${people(crew, sailors, helmsmen)}<b>${worth}</b>` : "·"}</td>`;
      })}
      <td>${drowned.sailors + drowned.helmsmen || "·"}</td><td class="sum">${points}</td></tr>`)}</tbody></table></div>`;
}

/** @param {import("/page/contract.js").View} view @param {number} seat @returns {{label: string, value: string | number}[]} */
export function standing(view, seat) {
  const own = view["crews"][seat];
  const heads = (/** @type {{sailors: number, helmsmen: number} | undefined} */ people) => (people ? people.sailors + people.helmsmen : 0);
  const there = (/** @type {string} */ where) => view["boats"].filter((/** @type {any} */ boat) => boat.where === where).reduce((/** @type {number} */ sum, /** @type {any} */ boat) => sum + heads(boat.people[own.crew]), 0);
  return [
    { label: _("Points"), value: own.points },
    ...(heads(own.waiting) ? [{ label: _("On deck"), value: heads(own.waiting) }] : []),
    { label: _("At sea"), value: there("at-sea") + (own.between ? 1 : 0) },
    { label: _("Ashore"), value: there("landed") },
    { label: _("Drowned"), value: heads(own.drowned) },
    { label: _("Caps"), value: own.tokens },
  ];
}
