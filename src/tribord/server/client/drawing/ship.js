/** The stern of the ship from which the plank goes out, at the left of a drawing. */
import { svg } from "../lit.js";

/** A ship whose deck lies at y, reaching from the left edge to x. @param {number} x @param {number} y @param {number} depth below the deck */
export function stern(x, y, depth) {
  const planks = [0.2, 0.42, 0.64, 0.84].map((part) => svg`<path class="seam" d=${`M-10 ${y + depth * part - 6}Q${x * 0.5} ${y + depth * part + 8} ${x - 6 - part * 26} ${y + depth * part - 4}`} />`);
  return svg`<g class="ship">
    <path class="mast" d=${`M${x * 0.36} ${y}V${y - 150}`} />
    <path class="pennant" d=${`M${x * 0.36} ${y - 146}q${x * 0.26} 4 ${x * 0.44} 44q${-x * 0.2} 6 ${-x * 0.44} 2z`} />
    <path class="hull" d=${`M-20 ${y}H${x}Q${x + 6} ${y + depth * 0.4} ${x - 34} ${y + depth * 0.88}Q${x * 0.5} ${y + depth * 1.08} -20 ${y + depth}Z`} />
    ${planks}
    <path class="rail" d=${`M-20 ${y - 26}H${x - 8}M${x * 0.2} ${y - 26}V${y}M${x * 0.5} ${y - 26}V${y}M${x * 0.8} ${y - 26}V${y}`} />
    <rect class="port" x=${x * 0.24} y=${y + depth * 0.36} width=${x * 0.14} height=${depth * 0.13} rx="3" /><rect class="port" x=${x * 0.56} y=${y + depth * 0.36} width=${x * 0.14} height=${depth * 0.13} rx="3" />
  </g>`;
}
