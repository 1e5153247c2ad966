/** The cover of L'Île aux Pirates: three children on the beach, three pirates at their heels. */
import { svg } from "/page/lit.js";
import { sea } from "/page/drawing/sea.js";
import { hull, vessel, castle } from "./island.js";
import { figure } from "./pawn.js";

// The harbour shows covers before any board, so what the island is coloured with comes along, and first.
const dress = document.createElement("link");
dress.rel = "stylesheet";
dress.href = new URL("board.css", import.meta.url).href;
await new Promise((done) => {
  dress.onload = dress.onerror = done;
  document.head.append(dress);
});

export function cover() {
  const run = /** @type {[string, number, number, number, number | null][]} */ ([["pirate-2", 176, 232, 0.9, null], ["pirate-3", 232, 250, 0.95, 3], ["brown-2", 306, 244, 0.95, null], ["blue-1", 352, 260, 1, null], ["yellow-2", 402, 244, 0.95, null]]);
  return svg`<g class="ile"><rect class="sky" width="600" height="300" />${sea(0, 168, 600, 132, 26)}
    <path class="ground" d="M-10 180Q90 150 210 176Q360 196 442 236Q474 262 440 310H-10Z" /><path class="beach-side" d="M-10 236Q140 200 300 222Q420 236 452 262Q462 284 440 310H-10Z" />
    ${castle([104, 196, 0.92])}
    <g transform="translate(512 246) scale(0.72)">${vessel("waits")}</g><g transform="translate(490 236) scale(0.62)">${figure("red-1")}</g><g transform="translate(512 246) scale(0.72)">${hull()}</g>
    ${run.map(([pawn, x, y, scale, force]) => svg`<g transform=${`translate(${x} ${y}) scale(${scale})`}>${figure(pawn, force)}</g>`)}
  </g>`;
}
