/** Where every pirate stands, topples or lies. */
import { footing, plankEnd } from "./layout.js";
import { ALL, BRINK, SINKING, SUNK } from "./scene.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{x: number, y: number, scale: number, turn: number, sort: string}} Spot */

const SHOULDERS = 62; // from one to the next in a row
const BREADTH = 88; // of someone alone
const BEHIND = 66; // from one row to the one behind, at least
const CLEAR = 80; // and where there is room
const HEIGHT = 150; // with the arms up and the hat in the air

/** How large, and how many in a row, so that all of them fit: as large as possible, beside each other rather than behind. @param {number} count @param {number} width @param {number} height @param {number} most */
function fit(count, width, height, most) {
  let best = { scale: 0.3, row: 5, rows: Math.ceil(count / 5), worth: 0 };
  for (let scale = most; scale > 0.3; scale -= 0.02) {
    const row = Math.max(1, Math.floor((width - BREADTH * scale) / (SHOULDERS * scale)) + 1);
    const rows = Math.ceil(count / row);
    const worth = scale * (1 - 0.16 * (rows - 1)) * (row === 1 && rows > 1 ? 0.9 : 1); // a tower hides those in it
    if (worth > best.worth && scale * (HEIGHT + (rows - 1) * BEHIND) <= height) best = { scale, row, rows, worth };
  }
  return best;
}

/** Where in the water someone lands who leaves a space. @param {Scene} now @param {Layout} at @param {number} space */
export function water(now, at, space) {
  return space > now["plank"] ? plankEnd(at, now["plank"]) + at.tile * 0.42 : at.start + (space - 0.5) * at.tile;
}

/** Every pirate's spot. Those who come first in ALL stand behind, so that nobody changes layers on the way. @param {Scene} now @param {Layout} at */
export function spots(now, at) {
  /** @type {Map<string, Spot>} */
  const found = new Map();
  const there = ALL.filter(({ crew }) => now["pirates"][crew]);
  const on = (/** @type {number} */ space) => there.filter(({ crew, who }) => now["pirates"][crew][who] === space);
  for (const space of [0, 1, 2, 3]) {
    const here = on(space);
    const [centre, width] = space ? [at.start + (space - 0.5) * at.tile, at.tile - at.gap - 8] : [at.ship * 0.48, at.ship - 18];
    const height = footing(at, space) - (space ? at.ceiling : at.loft);
    const { scale, row, rows } = fit(here.length, width, height, at.size);
    const behind = Math.min(CLEAR, (height / scale - HEIGHT) / Math.max(rows - 1, 1));
    here.forEach(({ key }, i) => {
      const before = here.length - 1 - i; // counted from the front, so that the front rows are full
      const back = Math.floor(before / row);
      const inRow = back === rows - 1 ? here.length - back * row : row;
      const step = Math.min((width - BREADTH * scale) / Math.max(row - 1, 1), 84 * scale);
      const x = centre + (inRow - 1 - (before % row) - (inRow - 1) / 2) * step + (back % 2 && inRow === row ? 8 * scale : 0);
      found.set(key, { x, y: footing(at, space) - 4 - back * behind * scale, scale, turn: 0, sort: "stands" });
    });
  }
  on(BRINK).forEach(({ key }, i) => found.set(key, { x: plankEnd(at, now["plank"]) + 36 + i * 46, y: footing(at, now["plank"]) + 26, scale: at.size * 0.8, turn: 34 + i * 10, sort: "topples" }));
  on(SINKING).forEach(({ key }) => found.set(key, { x: water(now, at, now["splash"]), y: at.sea + 92 * at.size, scale: at.size * 0.66, turn: 158, sort: "sinks" }));
  const [x = 0, y = 0, scale = 1, gap = 0] = at.sunk;
  on(SUNK).forEach(({ key }, i) => found.set(key, { x: x - i * gap, y: y + (i % 2) * 5, scale, turn: i % 2 ? 8 : -10, sort: "sunk" }));
  return found;
}
