/** The ten cards: what each does; a picture of it, within a square of 60 around (0, 0); the skull; the back. */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { _, name } from "/page/words.js";
import { SHAPES } from "./shapes.js";

/** @typedef {{own: string, left?: string | undefined, right?: string | undefined}} Crews whose card it is, and who it would hit on either side */

export const CARDS = Object.keys(SHAPES.cards);

/** @param {string | undefined} crew @param {number} x @param {number} y @param {number} size */
function man(crew, x, y, size) {
  return svg`<g transform=${`translate(${x} ${y}) scale(${size})`}>${crew ? token(crew) : svg`<circle class="w-anyone" r="42" /><text class="w-what" y="21">?</text>`}
    <path class="w-gaze" d=${SHAPES.gaze} visibility=${crew ? "visible" : "hidden"} /></g>`;
}

const SOMEONE = ["own", "left", "right", "anyone"];

/** A card's picture: lines by kind, and people with their place and size. @param {string} card @param {Crews} crews */
export function picture(card, crews) {
  const parts = /** @type {Record<string, (string | number)[][]>} */ (SHAPES.cards)[card] ?? [];
  return parts.map(([sort, ...drawn]) => {
    if (!SOMEONE.includes(String(sort))) return svg`<path class=${`w-${sort}`} d=${drawn[0]} />`;
    const [x = 0, y = 0, size = 1] = drawn.map(Number);
    return man(/** @type {Record<string, string | undefined>} */ (crews)[String(sort)], x, y, size);
  });
}

/** The mark of the cards that stay aside for a round, around (0, 0), 20 wide. */
export function skull() {
  const { bone, eyes, teeth } = SHAPES.skull;
  return svg`<g class="w-skull"><path d=${bone} />${eyes.map(([x, y, r]) => svg`<circle cx=${x} cy=${y} r=${r} />`)}<path class="w-teeth" d=${teeth} /></g>`;
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

/** A card's name; a short word stays with the next one, so no line ends in “à” or “the”. @param {string} card */
export function title(card) {
  return name("card", card)
    .split(" ")
    .reduce((said, word) => `${said}${/(^|\s)(\p{L}{1,2}|the)$/u.test(said) ? "\u00a0" : " "}${word}`);
}

/** What a card does, in one line. @param {string} card */
export function effect(card) {
  switch (card) {
    case "shove-left":
      return _("shoves your left neighbour’s pirate on the same space toward the sea.");
    case "shove-right":
      return _("shoves your right neighbour’s pirate on the same space toward the sea.");
    case "shove-anyone":
      return _("shoves any other pirate on the same space toward the sea.");
    case "extend":
      return _("one more tile, three at most.");
    case "retract":
      return _("takes away the last tile, with everyone on it.");
    case "drag":
      return _("takes a pirate on the same space along, one space toward the sea.");
    case "pull":
      return _("takes a pirate on the same space along, one space toward the ship.");
    case "run":
      return _("one pirate goes one space, either way.");
    case "i-dont-want-to-die":
      return _("one pirate goes back one or two spaces toward the ship.");
    default:
      return _("one space toward the sea, then a shove. No effect as card 1.");
  }
}
