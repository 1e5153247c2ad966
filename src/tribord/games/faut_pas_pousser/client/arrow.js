/** Arrows: who goes where, from a small likeness of the pirate in the slot it leaves to the pirate itself. */
import { pirate } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { crewOf, key, slotX, standing } from "./layout.js";
import { noEffect } from "./plank.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Pirate} Pirate */
/** @typedef {import("./ahead.js").Look} Look */

/** Where a pirate of the plank is drawn: the preview may have moved it, even off. @param {Layout} at @param {Scene} now @param {Pirate} one @returns {[number, number]} */
export function seen(at, now, one) {
  const slot = now["plank"].findIndex((/** @type {Pirate} */ other) => key(other) === key(one));
  return slot < 0 ? [at.brink[0] ?? 0, at.brink[1] ?? 0] : [slotX(at, slot + 1), standing(at)];
}

/** @param {Layout} at @param {Scene} now @param {Pirate} one @param {number} slot that it leaves */
export function path(at, now, one, slot) {
  const [b, y] = seen(at, now, one);
  const [top, end] = [standing(at) - 72 * at.size, y - 62 * at.size];
  const from = slotX(at, slot);
  const a = from === b ? b - 48 : from; // moved, and pushed back to where it was
  const slant = b < a ? -17 : 17;
  return svg`<g class="path" aria-hidden="true"><path class="arrow" d=${`M${a + slant} ${top}Q${(a + b) / 2} ${top - 34} ${b} ${end}`} /><path class="arrow-head" d=${`M${b - 13} ${end - 16}L${b} ${end + 2}L${b + 13} ${end - 16}`} />
    <g class="arrow-tail" data-of=${key(one)} transform=${`translate(${a} ${top}) scale(0.42)`}>${pirate(one.crew, one.pirate)}</g></g>`;
}

/** What would happen, into the piles too. @param {Layout} at @param {Look} look */
export function arrows(at, look) {
  return look.events.map(({ kind, fields: { owner = 0, pirate: value = 0, slot = 1, pile = 1 } }) => {
    if (kind === "moves") return path(at, look.scene, { crew: crewOf(owner), pirate: value }, slot);
    if (kind === "stays") return noEffect(at, slot);
    if (kind !== "falls") return nothing;
    const x = at.pile + (pile - 1) * at.pileStep;
    const [end, start] = [at.pileY - (at.pool[1] ?? 0) + 2, (at.brink[1] ?? 0) + 50];
    return svg`<path class="arrow at-sea" d=${`M${at.brink[0]} ${start}Q${x} ${start - 6} ${x} ${end}`} /><path class="arrow-head at-sea" d=${`M${x - 13} ${end - 14}l13 18l13-18`} />`;
  });
}
