/** The sea: rows of the same swell, drifting slowly. */
import { svg } from "../lit.js";
import { HOUSE } from "/page/shapes.js";

const LENGTH = 80; // of a swell

/** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} [gap] between rows */
export function sea(x, y, width, height, gap = 34) {
  const rows = [];
  for (let row = 0, at = y + gap * 0.45; at < y + height - 4; row++, at += gap) {
    const path = `M${x - LENGTH * 2} ${at}` + HOUSE.swell.repeat(Math.ceil(width / LENGTH) + 4);
    rows.push(svg`<path class=${`swell s${row % 3}`} d=${path} />`);
  }
  return svg`<g class="sea"><rect class="water" x=${x} y=${y} width=${width} height=${height} />${rows}</g>`;
}

/** A fin that minds its own business. @param {number} x @param {number} y */
export function fin(x, y) {
  return svg`<g class="fin-path"><path class="fin" transform=${`translate(${x} ${y})`} d="M-30 12C-18-14 -6-22 8-20 16-18 24-6 28 10 14 2-6 2-30 12Z" /></g>`;
}

/** Where someone fell in. @param {number} x @param {number} y */
export function splash(x, y) {
  return svg`<g class="splash" transform=${`translate(${x} ${y})`}>
    <path d="M-34 0q6-34 -8-52M-14-6q0-36-4-66M14-6q4-34 10-62M34 0q-2-30 14-46" /><ellipse rx="44" ry="11" />
  </g>`;
}
