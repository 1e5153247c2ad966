/** What Walk the Plank is played on: the ship with the Captain aloft, the tiles of the plank, the Locker below. */
import { pirate } from "/page/drawing/pirate.js";
import { path } from "/page/drawing/path.js";
import { place } from "/page/drawing/place.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { footing } from "./layout.js";
import { lettering } from "./lettering.js";
import { SHAPES } from "./shapes.js";

const FAR = -800; // the ship goes on beyond the left edge, in case a picture shows more than the drawing

/** The ship, from the left edge to x, its deck at y. @param {number} x @param {number} y @param {number} depth of the hull @param {number} top of the mast */
export function ship(x, y, depth, top) {
  const mast = Math.round(x * 0.2);
  const { stays, mast: pole, flag, spyglass, nest, staves, hull, seams, ports, deck, board } = SHAPES.ship;
  const d = (/** @type {string} */ shape) => path(shape, { x, y, h: depth, far: FAR, m: mast, t: top });
  return svg`<g stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" stroke-linecap="round">
    <path fill="none" stroke-width="2" opacity="0.6" d=${d(stays)} />
    <path fill="var(--wood)" stroke-width="3.5" d=${d(pole)} />
    <path fill="var(--black)" stroke="var(--brim, var(--ink-line))" d=${d(flag)} />
    <g transform=${`translate(${mast + x * 0.27} ${top + 20}) scale(1.15)`}><path fill="none" stroke="var(--bone)" stroke-width="5" d=${SHAPES.skull.crossed} /><path fill="var(--bone)" stroke="none" d=${SHAPES.skull.bone} /><path fill="none" stroke="var(--black)" stroke-width="5" d=${SHAPES.skull.sockets} /></g>
    <g transform=${`translate(${mast} ${top + 78}) scale(0.5)`}>${pirate("bone", 3, { captain: true, badge: false })}<path fill="var(--yellow)" stroke-width="3.5" d=${spyglass} /></g>
    <path fill="var(--wood)" d=${d(nest)} /><path fill="none" stroke-width="2" opacity="0.55" d=${d(staves)} />
    <path fill="var(--wood-dark)" d=${d(hull)} />
    <path fill="none" stroke-width="2" opacity="0.55" d=${d(seams)} />${ports.map((port) => svg`<path fill="var(--port)" stroke-width="2.5" d=${d(port)} />`)}
    <path fill="var(--wood)" d=${d(deck)} /><path fill="none" stroke-width="2" opacity="0.55" d=${d(board)} />
  </g>`;
}

/** The rail, in front of everyone aboard. @param {number} x @param {number} y */
export function rail(x, y) {
  let posts = "";
  for (let at = 14 - 46 * 17; at < x - 24; at += 46) posts += path(SHAPES.ship.post, { x: at, y });
  return svg`<path class="w-posts" d=${posts} /><path class="w-rail" d=${path(SHAPES.ship.rail, { x, y, far: FAR })} />`;
}

/**
 * Three tiles, always, each a board of its own that hangs a little lower than the one before; a retracted one lies under it.
 * @param {import("./layout.js").Layout} at @param {number} length
 */
export function plank(at, length) {
  const width = at.tile - at.gap;
  const { lash, board, grain, plate } = SHAPES.tile;
  const d = (/** @type {string} */ shape) => path(shape, { w: width, g: at.gap, s: at.sag });
  return svg`${repeat([3, 2, 1], (k) => k, (k) => {
    const out = Math.min(k, Math.max(length, 1));
    return svg`<g class=${`w-tile moves ${k > length ? "w-in" : ""}`} ${place(at.start + (out - 1) * at.tile + at.gap / 2, footing(at, out))}>
      <path class="w-lash" d=${d(lash)} />
      <path class="w-board" d=${d(board)} />
      <path class="w-grain" d=${d(grain)} />
      <circle class="w-nail" cx="9" cy="8" r="2.4" /><circle class="w-nail" cx=${width - 10} cy="8" r="2.4" />
      <path class="w-plate" d=${d(plate)} /><text class="w-tile-number" x=${width / 2} y="26">${k}</text>
    </g>`;
  })}`;
}

/** The sign on the hull: which round it is, and whether it is the last. @param {number[]} where x, y, width @param {string} words @param {boolean} last */
export function sign([x = 0, y = 0, width = 0], words, last) {
  return svg`<g class=${`w-sign ${last ? "w-last" : ""}`} transform=${`translate(${x} ${y})`}><path d=${`M${-width / 2}-20H${width / 2}L${width / 2 - 8} 0L${width / 2} 20H${-width / 2}L${-width / 2 + 8} 0Z`} />
    ${lettering([words], { x: 0, y: 8, font: 24, room: width - 26, sort: "w-round" })}</g>`;
}

/** Davy Jones’ Locker, lid up, around (0, 0). @param {boolean} fed whether someone has just come */
export function locker(fed) {
  const { lid, straps, chest, hoops, dark, lock } = SHAPES.locker;
  return svg`<g class=${`w-locker ${fed ? "w-fed" : ""}`}>
    <path class="w-lid" d=${lid} /><path class="w-hoop" d=${straps} />
    <path class="w-chest" d=${chest} /><path class="w-hoop" d=${hoops} /><path class="w-dark" d=${dark} />
    <path class="w-lock" d=${lock} />
    ${fed ? svg`<path class="w-bubbles" d="M-20-66h.1M4-82h.1M24-70h.1M-6-100h.1" />` : nothing}
  </g>`;
}

/** The Captain’s Favour: a medal with his hat, around (0, 0), 40 wide. */
export function favour() {
  const { ribbon, rims: [outer, inner], crown } = SHAPES.favour;
  return svg`<g class="w-favour"><path class="w-ribbon" d=${ribbon} /><circle r=${outer} /><circle class="w-rim" r=${inner} />
    <path class="w-crown" d=${crown} /></g>`;
}
