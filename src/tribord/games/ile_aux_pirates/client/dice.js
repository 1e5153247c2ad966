/** The dice: a bone cube with pips, drawn around (0, 0), 80 units wide. */
import { nothing, svg } from "/page/lit.js";

const [L, M, R] = [-21, 0, 21];
/** Where the pips are, by value. @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[M, M]],
  2: [[L, L], [R, R]],
  3: [[L, L], [M, M], [R, R]],
  4: [[L, L], [R, L], [L, R], [R, R]],
  5: [[L, L], [R, L], [M, M], [L, R], [R, R]],
  6: [[L, L], [R, L], [L, M], [R, M], [L, R], [R, R]],
};

/** @param {number} value */
function pips(value) {
  return (PIPS[value] ?? []).map(([x, y]) => svg`<circle class="pip" cx=${x} cy=${y} r="8.5" />`);
}

/** A die; while it rolls other faces come by. @param {number} value @param {boolean} [rolling] */
export function die(value, rolling = false) {
  const passing = rolling ? [(value % 6) + 1, ((value + 2) % 6) + 1].map((other, i) => svg`<g class=${`passing p${i}`}><rect class="bone-side" x="-38" y="-38" width="76" height="76" rx="14" />${pips(other)}</g>`) : nothing;
  return svg`<g class="die"><rect class="cube" x="-40" y="-40" width="80" height="80" rx="16" /><path class="shade" d="M-32 33q32 5 64 0M33-32q5 32 0 64" />${pips(value)}${passing}</g>`;
}

/** A die that nobody has rolled yet. */
export function blank() {
  return svg`<g class="die"><rect class="cube" x="-40" y="-40" width="80" height="80" rx="16" /><path class="shade" d="M-32 33q32 5 64 0M33-32q5 32 0 64" /><text class="unknown" y="19">?</text></g>`;
}
