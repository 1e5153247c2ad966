/** The strip above the sea: the question in large letters, the phase of the round, the votes so far, the leaks in the box. */
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { stripAt } from "./cards.js";
import { line } from "./lettering.js";
import { question } from "./votes.js";
import { hole } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */

const PLACING = ["drawing-first", "placing"];
const PHASE = /** @type {Record<string, number>} */ ({ leak: 0, overboard: 0, advance: 1, leaving: 2, boarding: 2 });

/** @param {Desk} desk @param {Scene} now */
export function strip(desk, now) {
  const { x, y, w, h } = stripAt(desk.shape, now.crews.length);
  const wide = desk.shape === "wide";
  const placing = now.deck.length > 0 || PLACING.includes(now.phase);
  const only = placing || now.phase === "over";
  const room = w - 84;
  const deciding = now.targets.length > 1;
  const large = { x: 0, y: h / 2 + (wide ? 13 : 9), room: 0, size: wide ? 36 : 26, bold: true, anchor: "middle", look: "question" };
  const steps = only || (deciding && !wide) ? nothing : phases(now, wide ? 150 : room, h, wide);
  const asked = wide || only || deciding;
  const from = wide && !only ? 168 : 0;
  return svg`<g class=${`sqp-strip ${deciding ? "deciding" : ""}`} transform=${`translate(${x} ${y})`}>
    ${steps}${asked ? line(placing ? _("All aboard!") : question(desk, now), { ...large, x: from + (room - from) / 2, room: room - from - 16 }) : nothing}
    <g transform=${`translate(${room + 18} ${h / 2})`}><title>${_("Leaks in the box")}</title><g transform="translate(2 0) scale(0.86)">${hole()}</g><text class="supply" x="22" y="9">${now.leaksLeft}</text></g>
  </g>`;
}

/** The phases of a round, and which one it's in. @param {Scene} now @param {number} room @param {number} h @param {boolean} wide where only the numbers have room */
function phases(now, room, h, wide) {
  const titles = [_("1 A leak"), _("2 Advance"), _("3 Change")];
  const current = PHASE[now.phase] ?? -1;
  const w = room / titles.length;
  const [top, bottom, middle] = wide ? [13, h - 13, h / 2] : [1, h - 1, h / 2];
  return titles.map((title, k) => svg`<g class=${`phase ${k === current ? "now" : ""}`} transform=${`translate(${k * w} 0)`}><title>${title}</title>
    <path class="step" d=${`M0 ${top}H${w - 11}l9 ${middle - top}l-9 ${bottom - middle}H0${k ? `l9 ${middle - bottom}` : ""}Z`} /><text x=${w / 2 - (k ? 0 : 4)} y=${middle + 9}>${wide ? title.slice(0, 1) : title}</text></g>`);
}
