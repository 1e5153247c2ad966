/** The score sheet. */
import { token } from "/page/drawing/pirate.js";
import { html } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { head } from "./figure.js";
import { THREE } from "./scene.js";

/** Who is left: nothing else counts at the end. @param {import("/page/contract.js").View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
export function sheet(view, who) {
  /** @type {any[]} */
  const crews = view["crews"].toSorted((/** @type {any} */ a, /** @type {any} */ b) => a.dead - b.dead);
  const heads = (/** @type {any} */ crew, /** @type {number} */ count) => html`<span aria-hidden="true">${THREE.slice(0, count).map((k) => html`<svg class="w-mini" viewBox="-56 -62 112 118">${head(crew.crew, k)}</svg>`)}</span>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${_("Score sheet")}><table class="sheet-table w-sheet">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th><th scope="col">${capital(_("alive"))}</th><th scope="col">${capital(_("with Davy Jones"))}</th></tr></thead>
    <tbody>${crews.map((crew) => html`<tr class=${crew.dead < 3 ? "winner" : ""}><th scope="row"><svg class="w-mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew.crew)}</svg> ${who(crew.seat)} <small>${name("crew", crew.crew)}</small></th>
      <td class="sum">${heads(crew, 3 - crew.dead)} ${3 - crew.dead}</td><td class="w-drowned">${heads(crew, crew.dead)} ${crew.dead}</td></tr>`)}</tbody></table></div>`;
}
