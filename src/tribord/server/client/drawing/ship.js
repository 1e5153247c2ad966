/** The stern of the ship from which the plank goes out, at the left of a drawing. */
import { svg } from "../lit.js";
import { HOUSE } from "/page/shapes.js";
import { path } from "./path.js";

/** A ship whose deck lies at y, reaching from the left edge to x. @param {number} x @param {number} y @param {number} depth below the deck */
export function stern(x, y, depth) {
  const { mast, pennant, hull, seams, rail, ports } = HOUSE.stern;
  const part = (/** @type {string} */ sort, /** @type {string} */ shape) => svg`<path class=${sort} d=${path(shape, { x, y, h: depth })} />`;
  return svg`<g class="ship">${part("mast", mast)}${part("pennant", pennant)}${part("hull", hull)}${seams.map((seam) => part("seam", seam))}${part("rail", rail)}${ports.map((port) => part("port", port))}</g>`;
}
