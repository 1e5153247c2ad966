/** Where every pirate stands, topples or lies. */
import { ALL, BRINK, SINKING, SUNK } from "./scene.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{x: number, y: number, scale: number, turn: number, sort: string}} Spot */

/** How large, and how many in a row, so that all of them fit. @param {number} count @param {number} width @param {Layout} at */
function fit(count, width, at) {
  for (let scale = at.size; ; scale -= 0.05) {
    const row = Math.max(1, Math.floor(width / (78 * scale)));
    const rows = Math.ceil(count / row);
    const most = scale > 0.7 ? 1 : scale > 0.55 ? 2 : scale > 0.45 ? 3 : 5;
    if ((rows <= most && scale * (124 + (rows - 1) * 62) < at.deck - 6) || scale < 0.32) return { scale, row, rows };
  }
}

/** Where in the water somebody lands who leaves a space. @param {Scene} now @param {Layout} at @param {number} space */
export function water(now, at, space) {
  return at.start + (space - 0.5) * at.tile - (space > now["plank"] ? at.tile * 0.2 : 0);
}

/** Every pirate's spot. Those who come first in ALL stand behind, so that nobody changes layers on the way. @param {Scene} now @param {Layout} at */
export function spots(now, at) {
  /** @type {Map<string, Spot>} */
  const found = new Map();
  const there = ALL.filter(({ crew }) => now["pirates"][crew]);
  const on = (/** @type {number} */ space) => there.filter(({ crew, who }) => now["pirates"][crew][who] === space);
  for (const space of [0, 1, 2, 3]) {
    const here = on(space);
    const [centre, width] = space ? [at.start + (space - 0.5) * at.tile, at.tile - 4] : [at.ship * 0.52, at.ship - 14];
    const { scale, row, rows } = fit(here.length, width, at);
    here.forEach(({ key }, i) => {
      const behind = here.length - 1 - i; // counted from the front, so that the front rows are full
      const back = Math.floor(behind / row);
      const inRow = back === rows - 1 ? here.length - back * row : row;
      const x = centre + (inRow - 1 - (behind % row) - (inRow - 1) / 2) * Math.min(84 * scale + 6, width / row) + (back % 2 ? 9 * scale : 0);
      found.set(key, { x, y: at.deck - 4 - back * 62 * scale, scale, turn: 0, sort: "stands" });
    });
  }
  on(BRINK).forEach(({ key }, i) => found.set(key, { x: at.start + now["plank"] * at.tile + 34 + i * 44, y: at.deck + 30, scale: at.size * 0.72, turn: 34 + i * 10, sort: "topples" }));
  on(SINKING).forEach(({ key }) => found.set(key, { x: water(now, at, now["splash"]), y: at.sea + 96 * at.size, scale: at.size * 0.6, turn: 158, sort: "sinks" }));
  const [x = 0, y = 0, scale = 1, gap = 0] = at.sunk;
  on(SUNK).forEach(({ key }, i) => found.set(key, { x: x - i * gap, y, scale, turn: i % 2 ? 8 : -10, sort: "sunk" }));
  return found;
}
