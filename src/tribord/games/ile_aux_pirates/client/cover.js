/** The cover of L'Île aux Pirates: three children on the beach, three pirates at their heels. */
import { styled } from "/page/boards.js";
import { svg } from "/page/lit.js";
import { sea } from "/page/drawing/sea.js";
import { castle, hull, palm, vessel } from "./island.js";
import { figure } from "./pawn.js";

await styled("/games/ile-aux-pirates/board.css"); // the home page shows covers before any board

export function cover() {
  const run = /** @type {[string, number, number, number, number | null][]} */ ([["pirate-3", 196, 246, 0.92, null], ["pirate-1", 258, 262, 0.98, 2], ["brown-2", 330, 246, 0.92, null], ["blue-1", 376, 268, 0.98, null], ["yellow-2", 420, 250, 0.92, null]]);
  return svg`<g class="ile"><rect class="sky" width="600" height="300" /><circle class="moon" cx="508" cy="62" r="30" /><path class="hatch" d="M520 42q12 18 2 40M528 50q8 14 2 26" />${sea(0, 170, 600, 130, 26)}
    <path class="ground" d="M-10 176Q120 150 250 178Q380 200 452 240Q484 266 450 310H-10Z" /><path class="beach-side" d="M-10 232Q140 202 300 222Q420 236 462 266Q470 288 450 310H-10Z" />
    ${palm([300, 212, 1])}${palm([344, 220, 0.8])}${castle([122, 204, 0.86])}
    <g transform="translate(516 250) scale(0.78)">${vessel("waits")}</g><g transform="translate(474 242) scale(0.6)">${figure("green-1")}</g><g transform="translate(506 242) scale(0.6)">${figure("red-1")}</g><g transform="translate(516 250) scale(0.78)">${hull()}</g>
    ${run.map(([pawn, x, y, scale, force]) => svg`<g transform=${`translate(${x} ${y}) scale(${scale})`}>${figure(pawn, force)}</g>`)}
  </g>`;
}
