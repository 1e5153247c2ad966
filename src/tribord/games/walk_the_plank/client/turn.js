/** The playbill of a turn: who, which card, what it moved and what it cost. It hangs in the sky, where nobody stands or falls. */
import { nothing, svg } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { effect, picture, skull, title } from "./card.js";
import { CREWS, head } from "./figure.js";
import { inLines, lettering } from "./lettering.js";
import { person } from "./panel.js";
import { neighbours } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{by?: string, victim?: string, from: number, to: number, way?: string}} Deed */

const WAY = 104; // how wide “from here to there” is
const COST = 36; // and someone who is lost
const SEA = 4; // where pirates go that leave the plank, by the rules

/** [x, y, …] of the card (width, height, scale of its picture), the name, the card's title, the words below (letter size, room, lines), and the deeds (down to the next, scale, room). */
const FORMS = {
  wide: { card: [14, 46, 104, 126, 1.5], who: [16, 35, 25, 288], title: [130, 72, 27, 176], said: [16, 190, 21, 288, 3], deeds: [132, 120, 37, 0.3, 178] },
  tall: { card: [10, 10, 112, 148, 1.62], who: [136, 36, 26, 362], title: [136, 68, 30, 362], said: [136, 97, 24, 362, 3], deeds: [140, 100, 42, 0.32, 362] },
};

/** @param {Desk} desk @param {Layout} at */
export function turn(desk, at) {
  const { crew, slot, card, why, deeds, lost } = desk.scene["turned"];
  const [x = 0, y = 0, width = 0, height = 0] = at.turn;
  const form = FORMS[desk.shape];
  const seat = CREWS.indexOf(crew);
  const idle = why !== null;
  const shown = deeds.length > 0 || lost.length > 0;
  const text = (/** @type {number[]} */ [tx = 0, ty = 0, font = 0, room = 0], /** @type {string[]} */ lines, /** @type {string} */ sort) => lettering(lines, { x: tx, y: ty, font, room, gap: font + 1, sort });
  const titled = inLines(title(card), (form.title[3] ?? 0) / (form.title[2] ?? 1));
  const words = idle ? _("No effect: {why}.", { why: name("why", why) }) : capital(effect(card));
  return svg`<g aria-hidden="true" transform=${`translate(${x} ${y})`}><g class=${`w-bill w-of ${crew} ${idle ? "w-idle" : ""} ${desk.choice && desk.shape === "tall" ? "w-cut" : ""}`}>
    <rect class="w-paper" width=${width} height=${height} rx="14" /><rect class="w-border" x="5" y="5" width=${width - 10} height=${height - 10} rx="10" />
    ${upturned(desk, form.card, slot, card, seat)}
    ${text(form.who, [person(desk, seat)], "w-owner")}
    ${text(form.title, titled, "w-card-name")}
    ${shown ? nothing : text(form.said, inLines(words, (form.said[3] ?? 0) / (form.said[2] ?? 1)).slice(0, form.said[4]), "w-said")}
    ${shown ? account(deeds, lost, form.deeds, titled.length) : nothing}
  </g></g>`;
}

/** The card itself. @param {Desk} desk @param {number[]} form @param {number} slot @param {string} card @param {number} seat */
function upturned({ scene: now }, [x = 0, y = 0, width = 0, height = 0, scale = 1], slot, card, seat) {
  return svg`<g class="w-upturned" transform=${`translate(${x} ${y})`}><rect class="w-paper" width=${width} height=${height} rx="10" />
    <g transform=${`translate(${width / 2} ${height / 2 + 8}) scale(${scale})`}>${picture(card, neighbours(now, seat))}</g>
    <text class="w-slot-number" x=${width - 10} y="27">${slot}</text>
    ${now["skulls"].includes(card) ? svg`<g transform="translate(16 18)">${skull()}</g>` : nothing}</g>`;
}

/** What the card has moved, deed by deed, and who it has cost. @param {Deed[]} deeds @param {string[]} lost @param {number[]} form @param {number} lines of the title */
function account(deeds, lost, [x = 0, y = 0, step = 0, scale = 1, room = 0], lines) {
  const rows = deeds.flatMap((deed) => deedRows(deed, scale, room));
  let [left, row] = [rows.at(-1)?.width ?? 0, Math.max(rows.length - 1, 0)];
  const costs = lost.map((crew, k) => {
    if (left + COST > room) [left, row] = [0, row + 1];
    left += COST;
    return svg`<g class="w-cost" transform=${`translate(${left - COST / 2} ${row * step})`}><g transform=${`scale(${scale})`} class="w-dead">${head(crew, k, false)}<path class="w-cross" d="M-38-38L38 38M38-38L-38 38" /></g></g>`;
  });
  return svg`<g transform=${`translate(${x} ${y + Math.max(lines - 2, 0) * 22})`}>${rows.map(({ drawn }, k) => svg`<g class="w-deed" transform=${`translate(0 ${k * step})`}>${drawn}</g>`)}${costs}</g>`;
}

/** One deed: who does it to who else, and from where to where; one below the other if they don't fit side by side. @param {Deed} deed @param {number} scale @param {number} room */
function deedRows({ by, victim, from, to, way }, scale, room) {
  const someone = (/** @type {string} */ crew, /** @type {number} */ x) => svg`<g transform=${`translate(${x} 0) scale(${scale})`}>${head(crew, 0, false)}</g>`;
  const shaft = (/** @type {number} */ x) => svg`<path class="w-way" d=${`M${x} 0h20m-8-7l8 7-8 7`} />`;
  const link = way === "rope" ? svg`<path class="w-rope" d="M36 4q12 10 24 0" />` : shaft(38);
  const who = svg`${by ? someone(by, 16) : nothing}${by && victim ? svg`${link}${someone(victim, 80)}` : nothing}`;
  const whereTo = (/** @type {number} */ x) => svg`${station(from, x + 16)}${shaft(x + 38)}${station(to, x + 80)}`;
  const start = by ? (victim ? 118 : 42) : 0;
  if (start + WAY <= room) return [{ drawn: svg`${who}${whereTo(start)}`, width: start + WAY }];
  return [{ drawn: who, width: start }, { drawn: whereTo(0), width: WAY }];
}

/** A space, as it is written. @param {number} space @param {number} x */
function station(space, x) {
  if (space === 0) return svg`<path class="w-hull" transform=${`translate(${x} 0)`} d="M-18-4H18L10 12H-12Z" /><path class="w-line" d=${`M${x}-4V-18`} />`;
  if (space === SEA) return svg`<path class="w-wave" transform=${`translate(${x} 0)`} d="M-18-4q6-7 12 0t12 0 12 0M-18 8q6-7 12 0t12 0 12 0" />`;
  return svg`<g transform=${`translate(${x} 0)`}><path class="w-plate" d="M-15-15h30v26q-15 8-30 0Z" /><text class="w-tile-number" y="8">${space}</text></g>`;
}
