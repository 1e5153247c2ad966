/** The cover of Sauve qui peut !: a crowded boat, a leak, and one who has been voted out. */
import { svg } from "/page/lit.js";
import { sea } from "/page/drawing/sea.js";
import { hat, person } from "./people.js";
import { leak } from "./waters.js";

export function cover() {
  const crew = /** @type {[string, string, number, number][]} */ ([["blue", "sailor", 0, 150], ["red", "helmsman", 0, 222], ["yellow", "sailor", 1, 296], ["green", "sailor", 2, 358]]);
  return svg`<rect class="sky" width="600" height="300" />
    <g transform="translate(38 40) rotate(-24)"><path d="M-60 40H120L96 150H-50Z" fill="var(--wood-dark)" stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" /><path d="M10 40V-40M10-36q46 6 60 46q-30 8-60 0z" fill="var(--sail)" stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" /><path d="M-56 76H110M-52 112H102" stroke="var(--ink-line)" stroke-width="2" opacity="0.55" /></g>
    ${sea(0, 150, 600, 150, 28)}
    <path d="M92 170Q280 150 470 164L440 214H126Z" fill="var(--sqp-hold)" />
    <g transform="translate(424 196) scale(1.6)">${leak(0)}</g>
    ${crew.map(([one, kind, number, x]) => svg`<g transform=${`translate(${x} ${kind === "helmsman" ? 138 : 150}) scale(${kind === "helmsman" ? 0.92 : 0.82})`}>${person(one, kind, number)}</g>`)}
    <path d="M84 176Q88 244 134 252H424Q476 244 506 142Q480 172 452 178H84Z" fill="var(--wood)" stroke="var(--ink-line)" stroke-width="4" stroke-linejoin="round" />
    <path d="M96 210H470" stroke="var(--ink-line)" stroke-width="2" opacity="0.5" />
    <circle cx="132" cy="216" r="24" fill="var(--bone)" stroke="var(--ink-line)" stroke-width="4" /><text x="132" y="227" font-size="32" font-weight="700" text-anchor="middle" fill="var(--black)" font-family="var(--text)">2</text>
    <text x="168" y="228" font-size="36" fill="var(--bone)" font-family="var(--display)">Colette</text>
    <path d="M70 256q18-12 36 0t36 0t36 0t36 0t36 0t36 0t36 0t36 0t36 0t36 0t36 0t36 0" fill="none" stroke="var(--foam)" stroke-width="4" />
    <g transform="translate(552 226) rotate(14) scale(0.8)">${person("lilac", "sailor", 1)}<path d="M-58 22q14-12 29 0t29 0t29 0t29 0v50h-116z" fill="var(--sea)" /></g>
    <g transform="translate(572 196) rotate(24) scale(0.7)">${hat("sailor")}</g>
    <path d="M458 96q60-4 82 60" fill="none" stroke="var(--accent)" stroke-width="5" stroke-dasharray="2 11" stroke-linecap="round" />`;
}
