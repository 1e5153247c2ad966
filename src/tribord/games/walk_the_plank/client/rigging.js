/** The rigging, where those who are out sit and watch. */
import { place } from "/page/drawing/place.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { onlooker } from "./figure.js";
import { plankEnd } from "./layout.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */

/** Where on the yard someone sits. @param {Scene} now @param {Layout} at @param {string} crew @returns {[number, number]} */
export function seatAloft(now, at, crew) {
  const [x = 0, y = 0, width = 0] = at.perch;
  const [k, n] = [now["out"].indexOf(crew), now["out"].length];
  return [x + (width * (k + 0.5)) / n, y];
}

/** The yard with everyone who is out; the latest loser climbs up from the sea. @param {Scene} now @param {Layout} at */
export function rigging(now, at) {
  const [x = 0, y = 0, width = 0, scale = 1] = at.perch;
  const crews = now["crews"].map((/** @type {{crew: string}} */ { crew }) => crew);
  return svg`<g aria-hidden="true">
    ${now["out"].length ? svg`<path class="w-yard" d=${`M${x} ${y - 4}H${x + width}q5 4 0 9H${x}q-5-5 0-9Z`} /><path class="w-stay" d=${`M${x + 8} ${y - 4}L${at.ship * 0.2} ${at.top + 118}L${x + width - 8} ${y - 4}`} />` : nothing}
    ${repeat(crews, (crew) => crew, (crew) => {
      const out = now["out"].includes(crew);
      const [tx = 0, ty = 0] = out ? seatAloft(now, at, String(crew)) : [plankEnd(at, now["plank"]) + 40, at.sea + 40];
      return svg`<g class=${`w-aloft moves ${out ? "" : "w-below"}`} data-aloft=${crew} ${place(tx, ty, scale)}>${onlooker(String(crew))}</g>`;
    })}
  </g>`;
}
