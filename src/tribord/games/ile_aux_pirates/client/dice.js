/** The dice: a bone cube with pips, drawn around (0, 0), 80 units wide. */
import { nothing, svg } from "/page/lit.js";
import { SHAPES } from "./shapes.js";

/** @param {number} value */
function pips(value) {
  return (SHAPES.die.pips[value] ?? []).map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r=${SHAPES.die.pip} />`);
}

/** A die; while it rolls, other faces go by. @param {number} value @param {boolean} [rolling] */
export function die(value, rolling = false) {
  const passing = rolling ? [(value % 6) + 1, ((value + 2) % 6) + 1].map((other, i) => svg`<g class=${`passing p${i}`}><rect class="bone-side" x="-38" y="-38" width="76" height="76" rx="14" />${pips(other)}</g>`) : nothing;
  return svg`<g class="die"><rect class="cube" x="-40" y="-40" width="80" height="80" rx="16" /><path class="shade" d=${SHAPES.die.shade} />${pips(value)}${passing}</g>`;
}

/** A die that nobody has rolled yet. */
export function blank() {
  return svg`<g class="die"><rect class="cube" x="-40" y="-40" width="80" height="80" rx="16" /><path class="shade" d=${SHAPES.die.shade} /><text class="unknown" y="19">?</text></g>`;
}
