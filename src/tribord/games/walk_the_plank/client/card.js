/** The ten cards: what each does; a picture of it, within a square of 60 around (0, 0); the skull; the back. */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { _, name } from "/page/words.js";

/** @typedef {{own: string, left?: string | undefined, right?: string | undefined}} Crews whose card it is, and whom it would hit to either side */

export const CARDS = ["shove-left", "shove-right", "shove-anyone", "extend", "retract", "drag", "pull", "run", "i-dont-want-to-die", "charge"];

/** @param {string | undefined} crew @param {number} x @param {number} y @param {number} [size] */
function man(crew, x, y, size = 0.27) {
  return svg`<g transform=${`translate(${x} ${y}) scale(${size})`}>${crew ? token(crew) : svg`<circle class="w-anyone" r="42" /><text class="w-what" y="21">?</text>`}
    <path class="w-gaze" d="M-13-8v6M13-8v6M-12 14Q0 22 12 14" visibility=${crew ? "visible" : "hidden"} /></g>`;
}

/** The side a card looks to, at the top edge. @param {-1 | 0 | 1} way */
function side(way) {
  return svg`<path class="w-side" d=${way < 0 ? "M-6-28l-9 8 9 8" : way > 0 ? "M6-28l9 8-9 8" : "M-9-28l-9 8 9 8M9-28l9 8-9 8"} />`;
}

/** @param {string | undefined} own @param {string | undefined} other @param {-1 | 0 | 1} way */
function shove(own, other, way) {
  return svg`${side(way)}<path class="w-wood" d="M-28 20H28V26H-28Z" /><path class="w-line" d="M-8 6h9M-8 0h8" />${man(own, -16, 6)}${man(other, 13, 6)}<path class="w-way" d="M-6-20H7" visibility=${way ? "hidden" : "visible"} />`;
}

/** @param {boolean} longer */
function planks(longer) {
  return svg`<path class="w-hull" d="M-30-4H-14V24H-30Z" /><path class="w-wood" d="M-14 2H6V11H-14Z" /><path class=${longer ? "w-wood" : "w-gap"} d="M6 2H26V11H6Z" />
    <path class="w-way" d=${longer ? "M0-16h24M19-22l7 6-7 6" : "M26-16H2M8-22l-7 6 7 6"} /><path class="w-wave" d="M-10 24q5-5 10 0t10 0 10 0 10 0" />`;
}

/** @param {string} card @param {Crews} crews */
export function picture(card, { own, left, right }) {
  switch (card) {
    case "shove-left":
      return shove(own, left, -1);
    case "shove-right":
      return shove(own, right, 1);
    case "shove-anyone":
      return shove(own, undefined, 0);
    case "extend":
      return planks(true);
    case "retract":
      return planks(false);
    case "drag":
      return svg`<path class="w-rope" d="M-18-12Q-4-4 12-12" />${man(undefined, -16, -12)}${man(own, 13, -12)}<path class="w-way" d="M-22 10H20M14 4l8 6-8 6" /><path class="w-wave" d="M-28 25q7-6 14 0t14 0 14 0 14 0" />`;
    case "pull":
      return svg`<path class="w-rope" d="M-12-12Q4-4 18-12" />${man(own, -13, -12)}${man(undefined, 16, -12)}<path class="w-way" d="M22 10H-20M-14 4l-8 6 8 6" /><path class="w-hull" d="M-28 20H28L22 29H-24Z" />`;
    case "run":
      return svg`<path class="w-line" d="M-3-2l-11 8M3-2l9 4 1 8" />${man(own, 0, -12, 0.32)}<path class="w-way" d="M-22 20H22M-16 14l-8 6 8 6M16 14l8 6-8 6" />`;
    case "i-dont-want-to-die":
      return svg`${man(own, 11, -6, 0.36)}<path class="w-drop" d="M-10-26q-5 7 0 9t0-9M28-28q-5 7 0 9t0-9" /><path class="w-way" d="M-16-12l-9 8 9 8M-6-12l-9 8 9 8" /><path class="w-hull" d="M-28 20H-4L-8 29H-28Z" /><path class="w-wood" d="M-4 20H28V25H-4Z" />`;
    default:
      return svg`<path class="w-line" d="M-29-12h12M-27-2h9M-29 8h12" />${man(own, -4, -2, 0.34)}<path class="w-burst" d="M18-22l3 10 9-5-4 10 6 6-9 1 2 11-8-7-7 8 0-10-9-2 8-6-4-9 9 3Z" /><path class="w-wood" d="M-28 20H28V26H-28Z" />`;
  }
}

/** The mark of the cards that lie aside for a round, around (0, 0), 20 wide. */
export function skull() {
  return svg`<g class="w-skull"><path d="M-9-2a9 9 0 1 1 18 0q0 5-4 7v5H-5V5q-4-2-4-7Z" /><circle cx="-3.6" cy="-2" r="2.4" /><circle cx="3.6" cy="-2" r="2.4" /><path class="w-teeth" d="M-2 6v4M2 6v4" /></g>`;
}

/** The back of a card, filling width × height from (0, 0). @param {number} width @param {number} height @param {string} crew */
export function back(width, height, crew) {
  const bars = [];
  for (let x = 8; x < width - 4; x += 7) bars.push(`M${x} 6V${height - 6}`);
  return svg`<path class="w-hatch" d=${bars.join("")} /><g transform=${`translate(${width / 2} ${height / 2}) scale(${Math.min(width, height) / 190})`}>${token(crew)}</g>`;
}

/** A small card lying on the table. @param {number} width @param {number} height @param {string | undefined} card nothing: face down @param {Crews} crews @param {boolean} skulled */
export function small(width, height, card, crews, skulled) {
  return svg`<rect class="w-paper" width=${width} height=${height} rx="5" />
    ${card ? svg`<g transform=${`translate(${width / 2} ${height / 2}) scale(${Math.min(width, height) / 66})`}>${picture(card, crews)}</g>` : back(width, height, crews.own)}
    ${card && skulled ? svg`<g transform=${`translate(${width - 7} ${height - 8}) scale(0.7)`}>${skull()}</g>` : nothing}`;
}

/** A card's name; short words stay with the next one, so that no line ends in “à” or “the”. @param {string} card */
export function title(card) {
  return name("card", card)
    .split(" ")
    .reduce((said, word) => `${said}${/(^|\s)(\p{L}{1,2}|the)$/u.test(said) ? "\u00a0" : " "}${word}`);
}

/** What a card does, in a breath. @param {string} card */
export function effect(card) {
  switch (card) {
    case "shove-left":
      return _("pushes a left neighbour’s pirate on the same space one step.");
    case "shove-right":
      return _("pushes a right neighbour’s pirate on the same space one step.");
    case "shove-anyone":
      return _("pushes any other pirate on the same space one step.");
    case "extend":
      return _("one more tile, three at most.");
    case "retract":
      return _("takes away the last tile, with everyone on it.");
    case "drag":
      return _("takes a pirate on the same space along, one step toward the sea.");
    case "pull":
      return _("takes a pirate on the same space along, one step toward the ship.");
    case "run":
      return _("one pirate goes one step, either way.");
    case "i-dont-want-to-die":
      return _("one pirate goes back one or two steps toward the ship.");
    default:
      return _("one step toward the sea, then a push. No effect as card 1.");
  }
}
