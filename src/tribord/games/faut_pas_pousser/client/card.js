/** The cards of the turn that is shown: the last one large, as it lies on the table, with who played it. */
import { token } from "/page/drawing/pirate.js";
import { keyed, nothing, svg } from "/page/lit.js";
import { name } from "/page/words.js";
import { person } from "./crews.js";
import { sign } from "./layout.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./scene.js").Played} Played */

const SMALL = 0.42;

/** @param {Desk} desk @param {Layout} at */
export function cardsPlayed(desk, at) {
  const played = desk.scene["played"];
  if (!played) return nothing;
  const [x = 0, y = 0, width = 0, height = 0] = at.card;
  const last = played.cards.at(-1);
  const before = played.cards.at(-2);
  const left = desk.scene["entering"] ? "" : "left"; // its pirate has stepped onto the plank
  const who = person(desk, played.crew);
  const letters = Math.floor((width - 34) / 11.8);
  const narrower = who.length > letters && who.length <= letters + 2; // so that “Les Rouges” is whole on a tall drawing
  return svg`<g class="table-cards" aria-hidden="true">
    ${before ? svg`<g transform=${`translate(${x + 8} ${y + height + 12}) scale(${SMALL})`}>${face(before, played.crew, width, height, "left")}</g>` : nothing}
    <g transform=${`translate(${x} ${y})`}>${keyed(`${played.crew}${last.sort}${last.value}`, svg`<g class="dealt">${face(last, played.crew, width, height, left)}</g>`)}</g>
    <g class="whose" transform=${`translate(${x} ${y - 42})`}><rect width=${width + 12} height="36" rx="10" />
      <g transform="translate(20 18) scale(0.3)">${token(played.crew)}</g><text x=${narrower ? 36 : 40} y="26" textLength=${narrower ? width - 30 : nothing} lengthAdjust="spacingAndGlyphs">${narrower ? who : fitted(who, letters)}</text></g>
  </g>`;
}

/** The card of a hint that moves nobody yet, where it would lie: a pirate that is picked, or the pass. @param {Desk} desk @param {Layout} at */
export function hinted({ hinted: shown, choice, scene: now, seat }, at) {
  const kind = shown ? choice?.touchedValue("kind") : undefined;
  const crew = now["crews"].find((/** @type {any} */ one) => one.seat === seat)?.crew;
  if (!crew || (kind !== "pick" && kind !== "pass")) return nothing;
  const [x = 0, y = 0, width = 0, height = 0] = at.card;
  const card = /** @type {Played} */ (kind === "pass" ? { sort: "pass", value: 0 } : { sort: "pirate", value: choice?.touchedValue("pirate") });
  return svg`<g class="table-cards ghost" aria-hidden="true" transform=${`translate(${x} ${y})`}>${face(card, crew, width, height, "left")}</g>`;
}

/** @param {Played} card @param {string} crew @param {number} width @param {number} height @param {string} left */
function face(card, crew, width, height, left) {
  return svg`<g class=${`table-card ${card.sort} ${crew} ${left}`}>
    <rect class="paper" width=${width} height=${height} rx="14" /><rect class="border" x="7" y="7" width=${width - 14} height=${height - 14} rx="9" />
    ${card.sort === "pirate" ? pirateCard(card, crew, width, height) : card.sort === "action" ? actionCard(card, width, height) : passCard(width, height)}</g>`;
}

/** The pirate itself is a piece that lies on the card, and leaves it. @param {Played} card @param {string} crew @param {number} width @param {number} height */
function pirateCard(card, crew, width, height) {
  return svg`<g class="trace" transform=${`translate(${width / 2} ${height / 2 - 4})`}>${token(crew)}<text y="19">${card.value}</text></g>
    ${card.value === 1 ? svg`<text class="caption" x=${width / 2} y=${height - 16}>${name("pirate_bare", 1)}</text>` : nothing}`;
}

/** @param {Played} card @param {number} width @param {number} height */
function actionCard(card, width, height) {
  const to = card.value > 0 ? 1 : -1;
  return svg`<text class="push" x=${width / 2} y="82">${sign(card.value)}</text>
    <path class="way" d=${`M${width / 2 - to * 38} ${height - 40}h${to * 72}m${to * -17}-14l${to * 19} 14l${to * -19} 14`} />`;
}

/** @param {number} width @param {number} height */
function passCard(width, height) {
  return svg`<text class="refusal" x=${width / 2} y=${height / 2 - 4}>Non</text><text class="refusal" x=${width / 2} y=${height / 2 + 36}>merci !</text>`;
}

/** A name in at most this many letters. @param {string} text @param {number} most */
export function fitted(text, most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}
