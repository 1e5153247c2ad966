/** The cover of Faut pas pousser: one too many on the plank. */
import { svg } from "/page/lit.js";
import { pirate } from "/page/drawing/pirate.js";
import { sea } from "/page/drawing/sea.js";
import { stern } from "/page/drawing/ship.js";

export function cover() {
  const crew = /** @type {[string, number, number][]} */ ([["yellow", 4, 178], ["blue", 1, 268], ["red", 5, 358], ["green", 3, 448]]);
  return svg`<rect class="sky" width="600" height="300" />${sea(0, 206, 600, 94, 26)}${stern(140, 150, 130)}
    <path d="M130 158H500L512 176H130Z" fill="var(--wood)" stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" />
    ${crew.map(([one, value, x]) => svg`<g transform=${`translate(${x} 118) scale(0.84)`}>${pirate(one, value, { badge: false })}</g>`)}
    <g transform="translate(540 196) rotate(48) scale(0.84)">${pirate("blue", 6, { badge: false })}</g>
    <path d="M512 96q40 8 46 46" fill="none" stroke="var(--accent)" stroke-width="5" stroke-dasharray="2 11" stroke-linecap="round" />`;
}
