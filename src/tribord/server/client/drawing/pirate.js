/**
 * Pirates: every crew has a shape as well as a colour, and every pirate a face. They are drawn around (0, 0), within a
 * circle of radius 46; put them somewhere with `place`.
 */
import { nothing, svg } from "../lit.js";
import { HOUSE } from "/page/shapes.js";

/** The outline of each crew. @type {Record<string, string>} */
const SHAPES = HOUSE.crews;

/** @param {string} crew @param {string} [inside] classes */
export function token(crew, inside = "") {
  return svg`<path class=${`crew ${crew} ${inside}`} d=${SHAPES[crew] ?? HOUSE.crews.blue} />`;
}

/** A face, a little stupid, never gory; each value has its own. @param {number} value */
export function face(value) {
  const [x, y, r] = HOUSE.head;
  const { eyes = [], line, patch, dots = [], mouth } = /** @type {Face} */ (HOUSE.faces[(value - 1) % HOUSE.faces.length]);
  return svg`<circle class="skin" cx=${x} cy=${y} r=${r} />${rounds("eye", eyes)}
    ${line ? svg`<path class="line" d=${line} />` : nothing}${patch ? svg`<path class="patch" d=${patch} />` : nothing}${rounds("dot", dots)}<path class="mouth" d=${mouth} />`;
}

/** @typedef {{eyes?: number[][], line?: string, patch?: string, dots?: number[][], mouth: string}} Face */

/** @param {string} sort @param {number[][]} circles */
const rounds = (sort, circles) => circles.map(([x, y, r]) => svg`<circle class=${sort} cx=${x} cy=${y} r=${r} />`);

/** @param {string} crew @param {number} value @param {{captain?: boolean, badge?: boolean}} [worn] */
export function pirate(crew, value, { captain = value === 1, badge = true } = {}) {
  return svg`<g class="pirate">${token(crew)}${face(value)}
    ${captain ? svg`<path class="hat" d=${HOUSE.hat} /><path class="crossbones" d=${HOUSE.crossbones} />` : nothing}
    ${badge ? svg`<circle class="badge" cx="31" cy="-33" r="16" /><text class="number" x="31" y="-26.5">${value}</text>` : nothing}</g>`;
}
