/** The crews below the drawing: who plays them, who of them lives, what they have placed; and the Favour. */
import { place } from "/page/drawing/place.js";
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { skull, small } from "./card.js";
import { favour } from "./deck.js";
import { head } from "./figure.js";
import { SIZE } from "./layout.js";
import { inTwo, lettering } from "./lettering.js";
import { SUNK, THREE, lives, neighbours } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./scene.js").Crew} Crew */

/**
 * The crews in the order in which they sit: your left neighbour to your left. So play goes from right to left, clockwise
 * around the table, and the cards mean what they say.
 * @param {Desk} desk @returns {Crew[]}
 */
export function seated({ scene: now, seat }) {
  /** @type {Crew[]} */
  const crews = now["crews"];
  const first = Math.max(seat, 0) + Math.floor(crews.length / 2);
  return crews.map((_crew, k) => /** @type {Crew} */ (crews[(first - k + crews.length) % crews.length]));
}

/** @param {Desk} desk @param {Layout} at */
function panelWidth({ scene: now, shape }, at) {
  const n = now["crews"].length;
  return Math.min((SIZE[shape][0] - 8 - at.between * (n - 1)) / n, 300);
}

/** @param {Desk} desk @param {Layout} at @param {number} k */
function panelX(desk, at, k) {
  const [n, width] = [desk.scene["crews"].length, panelWidth(desk, at)];
  return (SIZE[desk.shape][0] - n * width - (n - 1) * at.between) / 2 + k * (width + at.between);
}

/**
 * Where things are on a panel: [x, y, …] of the three heads that look over its edge (from one to the next, scale), the
 * cards (width, height, between two), what is aside (width, height), its skull (scale), and the name (letter size).
 * @param {string} shape @param {number} width
 */
function form(shape, width) {
  if (shape === "wide") {
    const card = width > 240 ? 54 : 44;
    return { heads: [26, 0, 36, 0.34], name: [12, 39, 21], cards: [10, 48, card, 50, 6], aside: [32 + 3 * (card + 6), 56, 34, 40], skull: [-10, 20, 0.85] };
  }
  const card = Math.min(62, (width - 16) / 3);
  return { heads: [22, 0, Math.min(42, width / 4.4), width < 150 ? 0.32 : 0.36], name: [8, 45, 24], cards: [6, 76, card, 48, 2], aside: [32, 127, 30, 28], skull: [-13, 14, 0.85] };
}

/** Who plays a crew, for the viewer. @param {Desk} desk @param {number} seat */
export const person = (desk, seat) => (seat === desk.seat ? _("You") : desk.name(seat));

/** A crew: its player, its living pirates, its placed cards and those aside. @param {Desk} desk @param {Layout} at @param {Crew} crew */
export function panel(desk, at, crew) {
  const now = desk.scene;
  const width = panelWidth(desk, at);
  const alive = lives(now, crew.crew);
  const deciding = alive && (now["phase"] === "choosing" ? !now["chosen"].includes(crew.crew) : now["toPlay"] === crew.crew);
  const { name: [x = 0, y = 0, font = 0], heads, cards, aside, skull: mark } = form(desk.shape, width);
  const room = width - 2 * x;
  const who = desk.shape === "wide" ? [person(desk, crew.seat)] : inTwo(person(desk, crew.seat), room / font);
  return svg`<g class=${`w-panel moves ${alive ? "" : "w-gone"} ${deciding ? "w-deciding" : ""}`} data-crew=${crew.crew} @click=${() => desk.about?.(crew.seat)} ${place(panelX(desk, at, seated(desk).indexOf(crew)), at.panels)}>
    ${seated(desk)[0] === crew ? nothing : svg`<path class="w-turn-order" d=${`M${-at.between / 2 + 3} ${at.panel / 2 - 8}l-6 8 6 8`} />`}
    <rect class="w-plaque" width=${width} height=${at.panel} rx="12" />
    ${lettering(who, { x, y: y + (desk.shape === "tall" && who.length === 1 ? 10 : 0), font, room, gap: 24, sort: "w-who" })}
    <g aria-hidden="true">${alivePart(now, crew, heads)}${laidPart(desk, crew, cards)}${asidePart(now, crew, width, aside, mark)}</g>
  </g>`;
}

/** Which of a crew live. @param {Scene} now @param {Crew} crew @param {number[]} form */
function alivePart(now, { crew }, [x = 0, y = 0, step = 0, scale = 1]) {
  const spaces = now["pirates"][crew].toSorted();
  return THREE.map((k) => svg`<g transform=${`translate(${x + k * step} ${y}) scale(${scale})`} class=${`w-one ${spaces[k] >= SUNK ? "w-dead" : ""}`}>${head(crew, k, false)}${spaces[k] >= SUNK ? svg`<path class="w-cross" d="M-38-38L38 38M38-38L-38 38" />` : nothing}</g>`);
}

/** What a crew has placed; you see your own face-down cards, and those of a hint. @param {Desk} desk @param {Crew} crew @param {number[]} form */
function laidPart({ scene: now, seat, choice, hinted }, crew, [x = 0, y = 0, width = 0, height = 0, gap = 0]) {
  return [1, 2, 3].map((slot) => {
    const laid = crew.cards.find((card) => card.slot === slot);
    const turned = now["turned"]?.crew === crew.crew && now["turned"]?.slot === slot;
    const up = laid?.face === "up";
    const hint = hinted && crew.seat === seat && !laid ? choice?.touchedValue(`cards.${slot - 1}`) : undefined;
    if (hint) return svg`<g class=${`w-laid w-of ${crew.crew} w-ghost`} transform=${`translate(${x + (slot - 1) * (width + gap)} ${y})`}>${small(width, height, hint, neighbours(now, crew.seat), now["skulls"].includes(hint))}</g>`;
    return svg`<g class=${`w-laid w-of ${crew.crew} ${turned ? "w-turned" : ""} ${up && !turned ? "w-spent" : ""} ${up ? "" : "w-hidden"}`} transform=${`translate(${x + (slot - 1) * (width + gap)} ${y})`}>
      ${laid ? small(width, height, up || crew.seat === seat ? laid.card : undefined, neighbours(now, crew.seat), now["skulls"].includes(laid.card)) : svg`<rect class="w-nothing" width=${width} height=${height} rx="5" />`}</g>`;
  });
}

/** The cards a crew can't play this round, side by side. @param {Scene} now @param {Crew} crew @param {number} whole width of the panel @param {number[]} form @param {number[]} mark */
function asidePart(now, crew, whole, [x = 0, y = 0, width = 0, height = 0], [sx = 0, sy = 0, scale = 1]) {
  const cards = crew.next ?? crew.aside;
  if (!cards.length) return nothing;
  const step = Math.min(width + 3, (whole - x - 6 - width) / Math.max(cards.length - 1, 1));
  return svg`${cards.map((card, k) => svg`<g class=${`w-aside w-of ${crew.crew}`} transform=${`translate(${x + k * step} ${y})`}>${small(width, height, card, neighbours(now, crew.seat), false)}</g>`)}
    <g transform=${`translate(${x + sx} ${y + sy}) scale(${scale})`}>${skull()}</g>`;
}

/** The Favour, hanging on its holder's panel. @param {Desk} desk @param {Layout} at */
export function medal(desk, at) {
  const k = seated(desk).findIndex((crew) => crew.crew === desk.scene["favour"]);
  const x = k < 0 ? SIZE[desk.shape][0] / 2 : panelX(desk, at, k) + panelWidth(desk, at) - 18;
  return svg`<g class="w-medal moves" ${place(x, at.panels + (k < 0 ? -60 : -12), 0.86)} role="img" aria-label=${_("The Captain’s Favour")}>${favour()}</g>`;
}
