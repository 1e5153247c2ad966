/** The end: the winners' flag goes up, their pirates wave, the others spout water, and the shark has had enough. */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { swim } from "./sea.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Pirate} Pirate */

/** The winners' colours on the mast. @param {Desk} desk @param {Layout} at */
export function flags(desk, at) {
  const [x, y] = [at.ship * 0.36, at.deck - 160];
  const long = at.ship * 0.62;
  return desk.scene["winners"].map((/** @type {string} */ crew, /** @type {number} */ k) => svg`<g class="flag" aria-hidden="true" transform=${`translate(${x} ${y + k * 60})`}>
    <path class=${`crew ${crew}`} d=${`M0 0q${long * 0.25}-10 ${long * 0.5} 0t${long * 0.5} 0v56q${-long * 0.25} 10 ${-long * 0.5} 0t${-long * 0.5} 0z`} />
    <g transform=${`translate(${long * 0.5} 30) scale(0.36)`}><g class="device">${token(crew)}</g></g></g>`);
}

/** @param {Desk} desk @param {Layout} at */
export function finale(desk, at) {
  const { winners, piles } = /** @type {any} */ (desk.scene);
  if (!winners.length) return nothing;
  return svg`<g class="finale" aria-hidden="true">${piles.flatMap((/** @type {Pirate[]} */ pile, /** @type {number} */ k) =>
    pile.map((one, nth) => (winners.includes(one.crew) ? nothing : spout(...swim(at, k, nth), at.small, (k * 4 + nth) % 5))))}${shark(at)}</g>`;
}

/** Water, by the mouthful. @param {number} x @param {number} y @param {number} scale @param {number} turn whose it is: not all at once */
function spout(x, y, scale, turn) {
  return svg`<g transform=${`translate(${x} ${y}) scale(${scale})`}><path class=${`spout t${turn}`} d="M4-6C6-44 18-62 34-58M2-6C0-52-4-66-18-68M3-8C4-50 8-74 8-82M36-52v6M-20-62v6M8-76v5" /></g>`;
}

/** It sat through twenty falls. @param {Layout} at */
function shark(at) {
  const [x = 0, y = 0, scale = 1] = at.shark;
  return svg`<g transform=${`translate(${x} ${y}) scale(${scale})`}><g class="shark">
    <path class="back" d="M-66 30C-60-14-34-46 4-52C36-48 58-18 62 30Z" /><path class="fin" d="M-22-40C-30-66-44-76-58-80C-50-58-52-40-46-24Z" />
    <path class="belly" d="M-40 30C-34 2-14-8 10-8C32-8 48 6 52 30Z" />
    <path class="grin" d="M-24 6Q8 22 40 2M-12 11l5 8l6-5M6 14l6 8l6-8M24 10l7 6l4-10" />
    <circle class="eye" cx="-4" cy="-24" r="8" /><circle class="eye" cx="24" cy="-24" r="8" /><path class="lid" d="M-13-27q9-8 18 0M15-27q9-8 18 0" /><circle class="dot" cx="-3" cy="-21" r="3" /><circle class="dot" cx="23" cy="-21" r="3" />
    <path class="pick" d="M38 4L66-10" /></g>
    <path class="line" d="M-84 32q12-7 24 0t24 0 24 0 24 0 24 0 24 0 24 0" />
    <g class="bubble" transform="translate(-250 -46)"><path d="M8 0H152q8 0 8 8V12L184 24L160 32V36q0 8-8 8H8q-8 0-8-8V8q0-8 8-8Z" /><text x="80" y="31">Non merci !</text></g></g>`;
}
