/** Why a pirate lands where it lands: its sum on the plank (F10), and how far a card goes (F9). */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { figure, slotX } from "./layout.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{crew: string, value: number, first: number, firstCrew: string, lead: number, slot: number}} Entry */
/** @typedef {{value: number, slot: number, goal: number}} Push */

/** The lead over slot 1 that takes each slot. */
const LEADS = ["≤ 0", "1", "2", "≥ 3"];
const BESIDE = 288; // from one sum to the next, where two stand side by side
const APART = 26; // at least, if the first one is long
const HALF = 21; // of a plate
const RESULT = 128; // where a pirate's sum has its result

/** Sums in the order of play; a single one gives its result in words. @param {Layout} at @param {(Entry | Push)[]} list @param {number} [left] */
export function sums(at, list, left) {
  const [right = 0, y = 0] = at.sum;
  const x = left ?? right;
  const slot = list.length > 1 ? "" : _("slot");
  let place = x;
  return list.map((one) => {
    const here = place;
    place += Math.max(BESIDE, end(one, slot) + APART);
    return svg`<g class="sum" transform=${`translate(${here} ${y})`} aria-hidden="true">${"crew" in one ? entrySum(one, slot) : cardSum(one, slot)}</g>`;
  });
}

/** An entry: “4 − 3 = 1 → slot 2”. The numbers wear the crews they belong to. @param {Entry} entry @param {string} word */
function entrySum({ crew, value, first, firstCrew, lead, slot }, word) {
  const result = outcome(lead, word);
  return svg`${worn(22, crew, value)}<text x="52">−</text>${worn(98, firstCrew, first)}<text x="${RESULT}">${result}</text>${plate(RESULT + length(result) + 26, slot)}`;
}

/** What a sum comes to. @param {number} lead @param {string} word */
const outcome = (lead, word) => `= ${figure(lead)} → ${word}`;

/** Where a sum ends, in front of another one. @param {Entry | Push} one @param {string} word */
function end(one, word) {
  return "crew" in one ? RESULT + length(outcome(one.lead, word)) + 26 + HALF : 0;
}

/** A card: from this slot, so far, to that slot. @param {Push} push @param {string} word */
function cardSum({ value, slot, goal }, word) {
  const result = `${value > 0 ? "+" : "−"} ${Math.abs(value)} = ${figure(slot + value)} → ${word}`;
  return svg`${plate(22, slot)}<text x="54">${result}</text>${plate(54 + length(result) + 26, goal)}`;
}

/** Roughly how long a text is, with letters 34 high. @param {string} text */
function length(text) {
  return [...text].reduce((sum, letter) => sum + (letter === " " ? 9 : letter === "→" ? 36 : 20.5), 0);
}

/** The value of a pirate, in the shape of its crew. @param {number} x @param {string} crew @param {number} value */
function worn(x, crew, value) {
  return svg`<g transform=${`translate(${x} -12)`}><g transform="scale(0.46)">${token(crew)}</g><text class="worn" y="10">${value}</text></g>`;
}

/** A slot, as it is written on the plank. @param {number} x @param {number} slot */
function plate(x, slot) {
  return svg`<g class="plate" transform=${`translate(${x} -12)`}><rect x=${-HALF} y="-17" width=${2 * HALF} height="34" rx="6" /><text y="10">${slot}</text></g>`;
}

/** Above each slot, which lead takes it. @param {Layout} at @param {number} slot @param {number} y */
export function leads(at, slot, y) {
  return LEADS.map((lead, k) => {
    const hit = k + 1 === slot;
    return svg`<g class=${`lead ${hit ? "hit" : ""}`} transform=${`translate(${slotX(at, k + 1)} ${y})`} aria-hidden="true">
      <rect x="-34" y="-17" width="68" height="34" rx="17" /><text y="9">${lead}</text>${hit ? svg`<path d="M-10 20h20l-10 11z" />` : nothing}</g>`;
  });
}
