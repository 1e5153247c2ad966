/** The crews below the drawing: who plays them, who of them lives, what they have laid; and the Favour. */
import { token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { skull, small } from "./card.js";
import { favour } from "./deck.js";
import { head } from "./figure.js";
import { SIZE } from "./layout.js";
import { SUNK, THREE, lives, neighbours } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./scene.js").Crew} Crew */

/**
 * The crews in the order in which they sit: your left neighbour to your left. So play goes from right to left, as the
 * clock does round a table, and the cards mean what they say.
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
  return Math.min((SIZE[shape][0] - 8 - at.gap * (n - 1)) / n, 300);
}

/** @param {Desk} desk @param {Layout} at @param {number} k */
function panelX(desk, at, k) {
  const [n, width] = [desk.scene["crews"].length, panelWidth(desk, at)];
  return (SIZE[desk.shape][0] - n * width - (n - 1) * at.gap) / 2 + k * (width + at.gap);
}

/**
 * Where things are on a panel: [x, y, …] of the crew's token (scale), the three heads (from one to the next, scale), the
 * cards (width, height, between two), what lies aside (width, height), its skull (scale), and the room for a name.
 * @param {string} shape @param {number} width
 */
function form(shape, width) {
  if (shape === "wide" && width > 240) return { token: [25, 23, 0.34], heads: [width - 64, 24, 25, 0.23], cards: [12, 43, 52, 50, 7], aside: [198, 54, 32, 38], skull: [16, -6, 0.75], who: [48, width - 122], letter: 10.5 };
  if (shape === "wide") return { token: [25, 23, 0.34], heads: [width - 64, 24, 25, 0.23], cards: [12, 43, 44, 50, 6], aside: [170, 54, 32, 38], skull: [16, -6, 0.75], who: [48, width - 122], letter: 10.5 };
  if (width > 200) return { token: [21, 21, 0.28], heads: [width - 58, 21, 22, 0.2], cards: [9, 40, 54, 66, 5], aside: [190, 42, 30, 32], skull: [15, -2, 0.7], who: [38, width - 110], letter: 12 };
  return { token: [19, 20, 0.28], heads: [14, 98, 20, 0.19], cards: [8, 37, Math.min(46, (width - 22) / 3), 44, 3], aside: [82, 85, 26, 26], skull: [-8, 13, 0.6], who: [35, width - 41], letter: 11.4 };
}

/** Who plays a crew, as whoever looks on would say. @param {Desk} desk @param {number} seat */
export const person = (desk, seat) => (seat === desk.seat ? _("You") : desk.name(seat));

/** A crew: who plays it, who of it lives, what it has laid and what lies aside. @param {Desk} desk @param {Layout} at @param {Crew} crew */
export function panel(desk, at, crew) {
  const now = desk.scene;
  const width = panelWidth(desk, at);
  const alive = lives(now, crew.crew);
  const deciding = alive && (now["phase"] === "choosing" ? !now["chosen"].includes(crew.crew) : now["toPlay"] === crew.crew);
  const { token: [tx = 0, ty = 0, ts = 1], who: [nx = 0, room = 0], letter, heads, cards, aside } = form(desk.shape, width);
  const who = person(desk, crew.seat);
  const most = Math.floor(room / letter);
  const short = who.length > most ? `${who.slice(0, most - 1)}…` : who;
  return svg`<g class=${`w-panel moves ${alive ? "" : "w-gone"} ${deciding ? "w-deciding" : ""}`} data-crew=${crew.crew} ${place(panelX(desk, at, seated(desk).indexOf(crew)), at.panels)}>
    ${seated(desk)[0] === crew ? nothing : svg`<path class="w-turn-order" d=${`M${-at.gap / 2 + 3} ${at.panel / 2 - 8}l-6 8 6 8`} />`}
    <rect class="w-plaque" width=${width} height=${at.panel} rx="12" />
    <g aria-hidden="true" transform=${`translate(${tx} ${ty}) scale(${ts})`}>${token(crew.crew)}</g>
    <text class="w-who" x=${nx} y="29" lengthAdjust="spacingAndGlyphs" textLength=${short.length < most ? nothing : room}>${short}</text>
    <g aria-hidden="true">${alivePart(now, crew, heads)}${laidPart(now, crew, cards)}${asidePart(desk, crew, width, aside)}</g>
  </g>`;
}

/** Who of a crew lives. @param {Scene} now @param {Crew} crew @param {number[]} form */
function alivePart(now, { crew }, [x = 0, y = 0, step = 0, scale = 1]) {
  const spaces = now["pirates"][crew].toSorted();
  return THREE.map((k) => svg`<g transform=${`translate(${x + k * step} ${y}) scale(${scale})`} class=${spaces[k] >= SUNK ? "w-dead" : ""}>${head(crew, k, false)}${spaces[k] >= SUNK ? svg`<path class="w-cross" d="M-38-38L38 38M38-38L-38 38" />` : nothing}</g>`);
}

/** What a crew has laid. @param {Scene} now @param {Crew} crew @param {number[]} form */
function laidPart(now, crew, [x = 0, y = 0, width = 0, height = 0, gap = 0]) {
  return [1, 2, 3].map((slot) => {
    const laid = crew.cards.find((card) => card.slot === slot);
    const turned = now["turned"]?.crew === crew.crew && now["turned"]?.slot === slot;
    return svg`<g class=${`w-laid w-of ${crew.crew} ${turned ? "w-turned" : ""} ${laid?.face === "up" && !turned ? "w-spent" : ""}`} transform=${`translate(${x + (slot - 1) * (width + gap)} ${y})`}>
      ${laid ? small(width, height, laid.face === "up" ? laid.card : undefined, neighbours(now, crew.seat), now["skulls"].includes(laid.card)) : svg`<rect class="w-nothing" width=${width} height=${height} rx="5" />`}</g>`;
  });
}

/** What a crew cannot lay in this round: in a row, or one below the other where there is more room that way. @param {Desk} desk @param {Crew} crew @param {number} whole width of the panel @param {number[]} form */
function asidePart({ scene: now, shape }, crew, whole, [x = 0, y = 0, width = 0, height = 0]) {
  const cards = crew.next ?? crew.aside;
  if (!cards.length) return nothing;
  const { skull: [sx = 0, sy = 0, scale = 1] } = form(shape, whole);
  const column = shape === "tall" && whole > 200;
  const step = Math.min((column ? height : width) + 3, (column ? 66 - height : whole - x - 6 - width) / Math.max(cards.length - 1, 1));
  return svg`${cards.map((card, k) => svg`<g class=${`w-aside w-of ${crew.crew}`} transform=${`translate(${x + (column ? 0 : k * step)} ${y + (column ? k * step : 0)})`}>${small(width, height, card, neighbours(now, crew.seat), false)}</g>`)}
    <g transform=${`translate(${x + sx} ${y + sy}) scale(${scale})`}>${skull()}</g>`;
}

/** The Favour, standing on its holder's panel. @param {Desk} desk @param {Layout} at */
export function medal(desk, at) {
  const k = seated(desk).findIndex((crew) => crew.crew === desk.scene["favour"]);
  const x = k < 0 ? SIZE[desk.shape][0] / 2 : panelX(desk, at, k) + panelWidth(desk, at) - 26;
  return svg`<g class="w-medal moves" ${place(x, at.panels + (k < 0 ? -60 : desk.shape === "wide" ? -30 : -25), desk.shape === "wide" ? 0.95 : 0.8)} role="img" aria-label=${_("The Captain’s Favour")}>${favour()}</g>`;
}
