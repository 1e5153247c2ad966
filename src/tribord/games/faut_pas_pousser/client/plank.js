/** The plank: four slots, what each is worth, and above the heads the reason for what is shown. */
import { path } from "/page/drawing/path.js";
import { nothing, svg } from "/page/lit.js";
import { _, name } from "/page/words.js";
import { crewOf, slotX, standing } from "./layout.js";
import { SHAPES } from "./shapes.js";
import { leads, sums } from "./sum.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./ahead.js").Look} Look */

const WORTH = [9, 8, 7, 6];

/** @param {Desk} desk @param {Layout} at */
export function plank(desk, at) {
  const [from = 0, to = 0] = at.plank;
  const aimed = desk.choice?.touchedValue("slot");
  const goal = desk.scene["entering"]?.slot;
  const mark = (/** @type {number} */ slot) => `${aimed === slot ? "aimed" : ""} ${goal === slot ? "goal" : ""} ${desk.scene["counting"] ? "counting" : ""}`;
  return svg`<path class="plank" d=${path(SHAPES.plank, { a: from, b: to, y: at.deck, h: at.thick })} />
    <path class="grain" d=${WORTH.map((_points, k) => path(SHAPES.grain, { x: slotX(at, k + 1), y: at.deck, h: at.thick })).join("")} />
    ${WORTH.map((points, k) => svg`<g class=${`spot ${mark(k + 1)}`} transform=${`translate(${slotX(at, k + 1)} ${at.deck})`}>
      <rect x="-21" y="5" width="42" height=${at.thick - 9} rx="5" /><text class="place" y=${at.thick / 2 + 10}>${k + 1}</text>
      <text class="worth" y=${at.thick + 27}>${_("{points} pts", { points })}</text></g>`)}`;
}

/** @param {Desk} desk @param {Layout} at @param {Look} look */
export function reason(desk, at, look) {
  if (look.events.length) return sums(at, foretold(look), desk.shape === "tall" ? 12 : undefined); // nothing lies on the ship
  const { played, entering, plank: [first], shift, vain } = /** @type {any} */ (desk.scene);
  const card = played?.cards.at(-1);
  const above = standing(at) - 82 * at.size;
  if (entering && card?.slot) return svg`${sums(at, [{ ...card, crew: played.crew, firstCrew: first.crew }])}${leads(at, card.slot, above)}`;
  return svg`${shift || vain ? sums(at, [card]) : nothing}${vain ? noEffect(at, vain.slot) : nothing}`;
}

/** The sums of the preview. @param {Look} look @returns {(import("./sum.js").Entry | import("./sum.js").Push)[]} */
function foretold({ events, scenes }) {
  /** @type {(import("./sum.js").Entry | import("./sum.js").Push)[][]} */
  const found = events.map(({ kind, fields: { crew = 0, pirate = 0, first = 0, lead = 0, slot = 1, card = 0, goal = slot } }, k) => {
    if (kind === "enters") return [{ crew: crewOf(crew), value: pirate, first, firstCrew: scenes[k]?.["plank"][0]?.crew, lead, slot }];
    return kind === "moves" || kind === "stays" ? [{ value: card, slot, goal }] : [];
  });
  return found.flat();
}

/** Why a card moves nobody. @param {Layout} at @param {number} slot */
export function noEffect(at, slot) {
  const atSea = slot > 1;
  return svg`<text class="vain" x=${slotX(at, slot) + (atSea ? 66 : -58)} y=${standing(at) - 72 * at.size} text-anchor=${atSea ? "end" : "start"}>${_("no effect: already {where}", { where: name("slot_end", slot) })}</text>`;
}
