/** The sea: five piles, and the rings around everyone who swims in them. */
import { svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { key } from "./layout.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Pirate} Pirate */

/** A pile in the sea, and what it is worth. @param {Layout} at @param {Scene} now @param {number} k */
export function pool(at, now, k) {
  const x = at.pile + k * at.pileStep;
  const [rx = 0, ry = 0] = at.pool;
  const here = now["piles"]?.[k]?.length ?? 0;
  const filling = here < 4 && (k === 0 || now["piles"]?.[k - 1]?.length === 4);
  return svg`<g class=${filling ? "pool filling" : "pool"}>
    <ellipse cx=${x} cy=${at.pileY} rx=${rx} ry=${ry} />
    <text x=${x} y=${at.pileY + ry + 32}>${k === 0 ? _("{points} pt", { points: 1 }) : _("{points} pts", { points: k + 1 })}</text>
  </g>`;
}

/** Where each swims, two by two. @param {Layout} at @param {number} pile @param {number} nth @returns {[number, number]} */
export function swim(at, pile, nth) {
  const [across = 0, down = 0] = at.apart;
  return [at.pile + pile * at.pileStep + ((nth % 2) - 0.5) * across, at.pileY + (Math.floor(nth / 2) - 0.5) * down];
}

/** The rings lie below all swimmers, so none covers the next one's head. @param {Layout} at @param {Scene} now @param {Set<string>} fallen who has not reached the water yet */
export function ripples(at, now, fallen) {
  return now["piles"].map((/** @type {Pirate[]} */ pile, /** @type {number} */ k) =>
    pile.map((one, nth) => {
      if (fallen.has(key(one))) return "";
      const [x, y] = swim(at, k, nth);
      return svg`<ellipse class="ripple" cx=${x} cy=${y + 50 * at.small} rx=${40 * at.small} ry=${8 * at.small} />`;
    }),
  );
}
