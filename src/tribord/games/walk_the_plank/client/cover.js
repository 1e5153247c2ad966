/** The cover of Walk the Plank: a shove, a stumble, a hat. */
import { fin, sea } from "/page/drawing/sea.js";
import { svg } from "/page/lit.js";
import { ship } from "./deck.js";
import { figure, headgear } from "./figure.js";

export function cover() {
  return svg`<rect class="sky" width="600" height="300" />${sea(0, 214, 600, 90, 26)}${fin(470, 252)}
    <path d="M150 168H430L440 188H150Z" fill="var(--wood)" stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" />
    ${ship(170, 174, 110, 10)}
    <g transform="translate(96 170) scale(0.66)">${figure("yellow", 1, "stands")}</g>
    <g transform="translate(232 166) scale(0.82)">${figure("green", 2, "holds")}</g>
    <g transform="translate(352 166) scale(0.94)">${figure("red", 0, "pushes")}</g>
    <g transform="translate(470 178) rotate(34) scale(0.94)">${figure("blue", 1, "flails")}</g>
    <g transform="translate(560 226) scale(0.62)">${headgear(0)}</g>
    <path d="M430 62q64-16 98 34" fill="none" stroke="var(--accent)" stroke-width="5" stroke-dasharray="2 11" stroke-linecap="round" />`;
}
