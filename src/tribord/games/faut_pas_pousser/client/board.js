/** Faut pas pousser: the ship, the plank with four pirates above the sea, five piles below, your hand under the thumb. */
import { fin, sea } from "/page/drawing/sea.js";
import { stern } from "/page/drawing/ship.js";
import { nothing, svg } from "/page/lit.js";
import { ahead, toPreview } from "./ahead.js";
import { targets } from "./aim.js";
import { arrows, path } from "./arrow.js";
import { cardsPlayed, hinted } from "./card.js";
import { crews } from "./crews.js";
import { ask, back, rule, verb } from "./decision.js";
import { fall } from "./fall.js";
import { finale, flags } from "./finale.js";
import { hand } from "./hand.js";
import { LAYOUT, SIZE, crewOf, key } from "./layout.js";
import { pieces } from "./piece.js";
import { plank, reason } from "./plank.js";
import { lots, round } from "./round.js";
import { scene, step } from "./scene.js";
import { pool, ripples } from "./sea.js";
import { sheet, standing } from "./sheet.js";

/** @typedef {import("/page/contract.js").Desk} Desk */

/** @param {Desk} desk */
function draw(desk) {
  const at = LAYOUT[desk.shape];
  const [width, height] = SIZE[desk.shape];
  const { scene: now } = desk;
  const look = ahead(desk);
  const falls = look.events.filter((event) => event.kind === "falls").map(({ fields }) => `${crewOf(fields["crew"] ?? 0)}${fields["pirate"]}`);
  const dry = new Set(now["fall"] ? [key(now["fall"])] : falls); // who hasn't reached a pile yet
  const [finX = 0, finY = 0] = at.fin;
  return svg`<g class=${`fpp ${now["fall"] ? "falling" : ""} ${now["winners"].length ? "over" : ""}`}>
    <rect class="sky" x="-20" y="-400" width=${width + 2000} height=${height + 400} />
    ${sea(0, at.sea, width + 1000, height - at.sea + 400)}
    ${now["winners"].length ? nothing : fin(finX, at.sea + finY)}
    ${[0, 1, 2, 3, 4].map((k) => pool(at, look.scene, k))}
    ${flags(desk, at)}${stern(at.ship, at.deck - 10, at.hull)}${round(desk, at)}
    ${plank(desk, at)}
    ${ripples(at, look.scene, dry)}
    ${cardsPlayed(desk, at)}${hinted(desk, at)}
    <g aria-hidden="true">${pieces(desk, at, look)}</g>
    ${reason(desk, at, look)}${lots(desk, at)}
    ${now["shift"] ? path(at, now, now["shift"], now["shift"].slot) : nothing}${arrows(at, look)}
    ${fall(desk, at)}${finale(desk, at)}
    ${crews(desk, at)}
    ${targets(desk, at, look)}</g>`;
}

/** Kinds of events that begin a turn within one update: neutral crews play right after the last player. */
const opens = ["neutral-card", "neutral-pass", "last-round", "counting", "wins"];

/** @type {import("/page/contract.js").Board} */
export const board = { size: SIZE, scene, step, brief: ["chosen"], opens, draw, hand, ask, verb, rule, toPreview, back, sheet, standing };
