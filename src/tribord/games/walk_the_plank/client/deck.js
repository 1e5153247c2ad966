/** What Walk the Plank is played on: the ship with the Captain aloft, the tiles of the plank, the Locker below. */
import { pirate } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { footing } from "./layout.js";
import { lettering } from "./lettering.js";

const FAR = -800; // the ship goes on beyond the left edge, where a picture shows more than the drawing

/** The ship, from the left edge to x, its deck at y. @param {number} x @param {number} y @param {number} depth of the hull @param {number} top of the mast */
export function ship(x, y, depth, top) {
  const mast = Math.round(x * 0.2);
  const seams = [0.24, 0.46, 0.68, 0.88].map((part) => `M${FAR} ${y + depth * part}Q${x * 0.5} ${y + depth * part + 12} ${x - 8 - part * 30} ${y + depth * part - 2}`).join("");
  const ribs = [0.2, 0.52].map((part) => svg`<rect fill="var(--port)" stroke-width="2.5" x=${x * part} y=${y + depth * 0.17} width=${x * 0.14} height=${depth * 0.15} rx="3" />`);
  return svg`<g stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" stroke-linecap="round">
    <path fill="none" stroke-width="2" opacity="0.6" d=${`M${mast} ${top + 24}L${x * 0.86} ${y - 20}M${mast} ${top + 24}L-40 ${y - 90}M${mast - 3} ${top + 130}l${-mast} 60`} />
    <path fill="var(--wood)" stroke-width="3.5" d=${`M${mast - 6} ${y}L${mast - 4} ${top}H${mast + 4}L${mast + 6} ${y}Z`} />
    <path fill="var(--black)" stroke="var(--brim, var(--ink-line))" d=${`M${mast + 4} ${top + 2}q${x * 0.14} -12 ${x * 0.26} 2t${x * 0.22} -2v40q${-x * 0.1} 14 ${-x * 0.22} 2t${-x * 0.26} -2Z`} />
    <g transform=${`translate(${mast + x * 0.27} ${top + 20}) scale(1.15)`}><path fill="none" stroke="var(--bone)" stroke-width="5" d="M-15-9L15 11M15-9L-15 11" /><path fill="var(--bone)" stroke="none" d="M-9-2a9 9 0 1 1 18 0q0 5-4 7v4H-5V5q-4-2-4-7Z" /><path fill="none" stroke="var(--black)" stroke-width="5" d="M-4-2h.1M4-2h.1" /></g>
    <g transform=${`translate(${mast} ${top + 78}) scale(0.5)`}>${pirate("bone", 3, { captain: true, badge: false })}<path fill="var(--yellow)" stroke-width="3.5" d="M20-6l46-10 3 12-47 6Z" /></g>
    <path fill="var(--wood)" d=${`M${mast - 34} ${top + 88}H${mast + 34}L${mast + 26} ${top + 118}H${mast - 26}Z`} /><path fill="none" stroke-width="2" opacity="0.55" d=${`M${mast - 31} ${top + 98}h62M${mast - 28} ${top + 108}h56`} />
    <path fill="var(--wood-dark)" d=${`M${FAR} ${y}H${x}Q${x + 4} ${y + depth * 0.44} ${x - 36} ${y + depth * 0.9}Q${x * 0.5} ${y + depth * 1.1} ${FAR} ${y + depth}Z`} />
    <path fill="none" stroke-width="2" opacity="0.55" d=${seams} />${ribs}
    <path fill="var(--wood)" d=${`M${FAR} ${y - 7}H${x + 6}V${y + 11}H${FAR}Z`} /><path fill="none" stroke-width="2" opacity="0.55" d=${`M${FAR} ${y + 3}H${x}`} />
  </g>`;
}

/** The rail stands before whoever is aboard. @param {number} x @param {number} y */
export function rail(x, y) {
  let posts = "";
  for (let at = 14 - 46 * 17; at < x - 24; at += 46) posts += `M${at} ${y - 28}q-7 10 0 28M${at} ${y - 28}q7 10 0 28`;
  return svg`<path class="w-posts" d=${posts} /><path class="w-rail" d=${`M${FAR} ${y - 31}H${x - 26}q9 0 9 7V${y}`} />`;
}

/**
 * Three tiles, always, each a board of its own that hangs a little lower than the one before; one that is taken in lies under it.
 * @param {import("./layout.js").Layout} at @param {number} length
 */
export function plank(at, length) {
  const width = at.tile - at.gap;
  return svg`${repeat([3, 2, 1], (k) => k, (k) => {
    const out = Math.min(k, Math.max(length, 1));
    return svg`<g class=${`w-tile moves ${k > length ? "w-in" : ""}`} ${place(at.start + (out - 1) * at.tile + at.gap / 2, footing(at, out))}>
      <path class="w-lash" d=${`M4 2L${-at.gap - 4} ${4 - at.sag}M4 12L${-at.gap - 4} ${14 - at.sag}`} />
      <path class="w-board" d=${`M0-7H${width - 5}L${width} 20H0Z`} />
      <path class="w-grain" d=${`M10 3H${width * 0.36}M${width * 0.68} 3h${width * 0.22}M14 13h${width * 0.2}M${width * 0.72} 13h${width * 0.16}`} />
      <circle class="w-nail" cx="9" cy="8" r="2.4" /><circle class="w-nail" cx=${width - 10} cy="8" r="2.4" />
      <path class="w-plate" d=${`M${width / 2 - 17} 1h34v29q-17 9-34 0Z`} /><text class="w-tile-number" x=${width / 2} y="26">${k}</text>
    </g>`;
  })}`;
}

/** The sign on the hull: which round it is, and whether it is the last. @param {number[]} where x, y, width @param {string} words @param {boolean} last */
export function sign([x = 0, y = 0, width = 0], words, last) {
  return svg`<g class=${`w-sign ${last ? "w-last" : ""}`} transform=${`translate(${x} ${y})`}><path d=${`M${-width / 2}-20H${width / 2}L${width / 2 - 8} 0L${width / 2} 20H${-width / 2}L${-width / 2 + 8} 0Z`} />
    ${lettering([words], { x: 0, y: 8, font: 24, room: width - 26, sort: "w-round" })}</g>`;
}

/** Davy Jones’ Locker, lid up, around (0, 0). @param {boolean} fed whether somebody has just come */
export function locker(fed) {
  return svg`<g class=${`w-locker ${fed ? "w-fed" : ""}`}>
    <path class="w-lid" d="M-60-20Q-56-54 0-54Q56-54 60-20Z" /><path class="w-hoop" d="M-34-50Q-38-36-38-20M34-50Q38-36 38-20" />
    <path class="w-chest" d="M-60-14H60L54 26H-54Z" /><path class="w-hoop" d="M-38-14l2 40M38-14l-2 40" /><path class="w-dark" d="M-58-20H58V-12H-58Z" />
    <path class="w-lock" d="M-9-8H9V8Q0 14-9 8Z" />
    ${fed ? svg`<path class="w-bubbles" d="M-20-66h.1M4-82h.1M24-70h.1M-6-100h.1" />` : nothing}
  </g>`;
}

/** The Captain’s Favour: a medal with his hat, around (0, 0), 40 wide. */
export function favour() {
  return svg`<g class="w-favour"><path class="w-ribbon" d="M-9 8l-7 22 9-4 5 8 3-20M9 8l7 22-9-4-5 8-3-20" /><circle r="19" /><circle class="w-rim" r="14" />
    <path class="w-crown" d="M-11 3C-9-3-6-4-5-3C-4-11 4-11 5-3C6-4 9-3 11 3C6 0-6 0-11 3Z" /></g>`;
}
