/** The card that has just been turned up, for everybody to see. */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { picture, skull, title } from "./card.js";
import { CREWS } from "./figure.js";
import { person } from "./panel.js";
import { neighbours } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */

/** @param {string} text @param {number} most letters in a line */
function lines(text, most) {
  return text.split(" ").reduce((/** @type {string[]} */ rows, word) => {
    const last = rows.at(-1);
    if (last !== undefined && last.length + word.length < most) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
    return rows;
  }, []);
}

/** The card that has just been turned up, for everybody to see. @param {Desk} desk @param {Layout} at */
export function turnedUp(desk, at) {
  const { crew, slot, card, idle } = desk.scene["turned"];
  const [x = 0, y = 0, width = 0, height = 0] = at.card;
  const wide = desk.shape === "wide";
  const seat = CREWS.indexOf(crew);
  const rows = lines(title(card), wide ? 15 : 10);
  const font = wide ? 26 : 24;
  const last = height - (rows.length > 1 ? 18 : 30); // a single line stands clear of the border
  return svg`<g aria-hidden="true" transform=${`translate(${x} ${y})`}><g class=${`w-card-up w-of ${crew} ${idle ? "w-idle" : ""}`}>
    <rect class="w-paper" width=${width} height=${height} rx="14" /><rect class="w-border" x="7" y="7" width=${width - 14} height=${height - 14} rx="9" />
    <g transform=${`translate(30 32) scale(${wide ? 0.36 : 0.34})`}>${token(crew)}</g>
    ${wide ? svg`<text class="w-owner" x="54" y="39">${person(desk, seat).slice(0, 9)}</text>` : nothing}
    <text class="w-slot-number" x=${width - 18} y="40">${slot}</text>
    <g transform=${`translate(${width / 2} ${wide ? 116 : rows.length > 2 ? 68 : 82}) scale(${wide ? 2.3 : rows.length > 2 ? 1.1 : 1.3})`}>${picture(card, neighbours(desk.scene, seat))}</g>
    ${rows.map((row, k) => svg`<text class="w-card-name" x=${width / 2} y=${last - (rows.length - 1 - k) * font}>${row}</text>`)}
    ${desk.scene["skulls"].includes(card) ? svg`<g transform=${`translate(${wide ? width - 26 : 22} ${wide ? 70 : 62}) scale(${wide ? 1.1 : 1})`}>${skull()}</g>` : nothing}
    ${idle ? svg`<g class="w-stamp" transform=${`translate(${width / 2} ${wide ? 118 : 84}) rotate(-14)`}><rect x=${-width / 2 + 6} y="-22" width=${width - 12} height="40" rx="6" /><text y="8">${_("No effect")}</text></g>` : nothing}
  </g></g>`;
}
