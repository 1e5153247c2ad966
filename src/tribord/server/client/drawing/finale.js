/**
 * The finale: winners celebrate on deck, the others bob in the sea behind the ship, the better the nearer. The
 * same picture on phones and TV, 720 × 320 units.
 */
import { nothing, svg } from "../lit.js";
import { face, pirate, token } from "./pirate.js";
import { place, property } from "./place.js";
import { fin, sea } from "./sea.js";
import { stern } from "./ship.js";

const DECK = 184;
const SHIP = 318; // how far it reaches
const WATER = 222;
const COLOURS = ["red", "blue", "yellow", "green", "bone", "lilac"];
const DELIGHT = 4; // faces, by the number that `face` knows them by
const DISMAY = [2, 5, 6, 3, 5, 6];
const PAPERS = 34;

/** @typedef {{crew: string, own: boolean}} Figure `own`: whose device it is */
/** @typedef {{winners: Figure[], losers: Figure[], rogue: boolean}} Cast `losers` in the order in which they did well; `rogue`: someone else has the ship */

/** @param {Cast} cast */
export function finale({ winners, losers, rogue }) {
  const joy = winners.length > 0;
  return svg`<g class="finale"><rect class="sky" width="720" height="320" />
    ${joy ? [bunting(), papers()] : nothing}
    ${sea(0, WATER, 720, 98, 30)}
    ${losers.length < 4 ? fin(660, WATER + 12) : nothing}
    <g class="roll">${stern(SHIP, DECK, 120)}${rogue ? scoundrel() : joy ? revellers(winners) : gull(SHIP * 0.66, DECK - 26)}</g>
    ${swimmers(losers)}</g>`;
}

/** Those on deck, arms in the air; a single winner stands on a barrel. @param {Figure[]} winners */
function revellers(winners) {
  const alone = winners.length === 1;
  const size = [0.98, 0.98, 0.9, 0.8, 0.66, 0.56, 0.48][winners.length] ?? 0.4;
  const left = alone ? 214 : 140;
  const gap = winners.length > 1 ? Math.min(110, (SHIP - 30 - left) / (winners.length - 1)) : 0;
  const floor = DECK - (alone ? 40 : 0) - 47 * size;
  const mug = svg`<g class="mug"><path d="M-11-12h20v24h-20z" /><path class="open" d="M9-6h8v12h-8" /><path class="froth" d="M-13-12q4-9 9-4q4-8 8-1q6-4 7 5z" /></g>`;
  return svg`${alone ? svg`<g ${place(left, DECK - 20, 0.8)}>${barrel()}</g>` : nothing}
    ${winners.map(({ crew, own }, k) => svg`<g ${place(left + k * gap, floor, size)}><g class="hop" ${property("--beat", String(k))}>
      <path class="limb" d="M-36 12q-26-8-30-40M36 12q26-8 32-36" /><g ${place(-66, -36, 1, -12)}>${mug}</g><g ${place(72, -48)}>${flag(crew)}</g>
      ${own ? halo() : nothing}${pirate(crew, DELIGHT, { captain: true, badge: false })}</g></g>`)}`;
}

/** Those in the water. The first of them has found a barrel, the last one has lost the hat. @param {Figure[]} losers */
function swimmers(losers) {
  const size = [0.9, 0.9, 0.84, 0.74, 0.64, 0.56, 0.5][losers.length] ?? 0.46;
  const left = SHIP + 62;
  const gap = losers.length > 1 ? Math.min(128, (668 - left) / (losers.length - 1)) : 0;
  return losers.map(({ crew, own }, k) => {
    const last = k > 0 && k === losers.length - 1;
    return svg`<g ${place(losers.length === 1 ? 500 : left + k * gap, WATER + 34 + (k % 2) * 26, size)}><g class="bob" ${property("--beat", String(k))}>
      ${own ? halo() : nothing}${k === 0 ? svg`<g ${place(-52, 14, 0.8, -74)}>${barrel()}</g>` : nothing}
      <g class="pirate">${token(crew)}${face(DISMAY[k] ?? 5)}</g>${k === 1 && !last ? svg`<g ${place(52, -8)}><path class="limb" d="M-14 22l10-18" />${flag("bone")}</g>` : nothing}
      ${last ? svg`<g ${place(78, 16, 0.9, 14)}><g class="afloat"><path class="hat" d="M-40 6C-34-8-26-8-22-6C-18-28 18-28 22-6C26-8 34-8 40 6C20 0-20 0-40 6Z" /><path class="crossbones" d="M-6-14l12 6m0-6l-12 6" /></g></g>` : nothing}
      <path class="lap" d="M-78 62V26q13-11 26 0t26 0t26 0t26 0t26 0t26 0V62Z" /><path class="foam" d="M-78 26q13-11 26 0t26 0t26 0t26 0t26 0t26 0" /></g>
      ${last ? gull(0, -60, 0.9) : nothing}</g>`;
  });
}

/** A pirate of no crew, very pleased with the ship. */
function scoundrel() {
  return svg`<g ${place(206, DECK - 50, 1.06)}><g class="hop"><path class="limb" d="M-36 12q-26-8-30-40M36 12q26-8 32-36" />${pirate("none", DELIGHT, { captain: true, badge: false })}</g></g>`;
}

function barrel() {
  return svg`<g class="barrel"><path d="M-26-26H26Q38 0 26 26H-26Q-38 0-26-26Z" /><path class="hoop" d="M-30-14H30M-30 14H30" /><path class="hoop thin" d="M-9-26V26M9-26V26" /></g>`;
}

/** @param {string} crew */
function flag(crew) {
  return svg`<g class="flag"><path class="pole" d="M-6 26V-30" /><path class=${`crew cloth ${crew}`} d="M-6-30q16-8 24 0t22-2v26q-14 8-22 2t-24 0z" /></g>`;
}

/** Which of them is yours. */
function halo() {
  return svg`<circle class="yours" r="58" />`;
}

/** @param {number} x @param {number} y @param {number} [size] */
function gull(x, y, size = 1) {
  return svg`<g class="gull" ${place(x, y, size)}><path d="M-22-4q8-16 22-12q14-2 20 6l12 2-10 6q-6 14-22 14t-22-16z" /><path class="leg" d="M-4 12v12M6 12v12" /><circle class="dot" cx="18" cy="-8" r="2.4" /></g>`;
}

/** Flags on a rope, from the mast to both sides. */
function bunting() {
  const rope = (/** @type {number} */ t) => [114 + t * 620, 38 + Math.sin(t * Math.PI) * 46 - t * 26];
  const points = Array.from({ length: 15 }, (_none, k) => rope((k + 0.5) / 15));
  return svg`<g class="bunting"><path class="rope" d="M0 52Q60 66 114 38Q420 138 730 12" />
    ${points.map(([x = 0, y = 0], k) => svg`<g ${place(x, y)}><path class=${`crew pennon ${COLOURS[k % COLOURS.length]}`} ${property("--beat", String(k))} d="M-14 0H14L0 30Z" /></g>`)}</g>`;
}

/** Confetti that falls to fixed places: the same for everyone, so nothing here is random. */
function papers() {
  return svg`<g class="papers">${Array.from({ length: PAPERS }, (_none, k) => {
    const [x, y, turn] = [(k * 211) % 700, 12 + ((k * 89) % 190), (k * 67) % 180];
    return svg`<g ${place(x + 10, y, 1, turn)}><path class=${`crew paper ${COLOURS[k % COLOURS.length]}`} ${property("--beat", String(k % 9))} d=${k % 3 ? "M-7-4H7V4H-7Z" : "M-7 5L7 5L0-7Z"} /></g>`;
  })}</g>`;
}
