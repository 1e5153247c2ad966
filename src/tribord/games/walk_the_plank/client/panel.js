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

/** A crew: who plays it, who of it lives, what it has laid and what lies aside. @param {Desk} desk @param {Layout} at @param {Crew} crew */
export function panel(desk, at, crew) {
  const now = desk.scene;
  const wide = desk.shape === "wide";
  const width = panelWidth(desk, at);
  const alive = lives(now, crew.crew);
  const deciding = alive && (now["phase"] === "choosing" ? !now["chosen"].includes(crew.crew) : now["toPlay"] === crew.crew);
  const person = crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
  const room = Math.floor((width - (wide ? 122 : 36)) / (wide ? 10.5 : 12));
  const short = person.length > room ? `${person.slice(0, room - 1)}…` : person;
  const crews = neighbours(now, crew.seat);
  const [cw, ch] = wide ? [44, 50] : [39, 46];
  const aside = crew.next ?? crew.aside;
  const asideX = wide ? 12 + 3 * (cw + 6) + 8 : 78;
  const asideStep = Math.min(wide ? 36 : 29, (width - asideX - 8 - 26) / Math.max(aside.length - 1, 1));
  return svg`<g class=${`w-panel moves ${alive ? "" : "w-gone"} ${deciding ? "w-deciding" : ""}`} data-crew=${crew.crew} ${place(panelX(desk, at, seated(desk).indexOf(crew)), at.panels)}>
    ${seated(desk)[0] === crew ? nothing : svg`<path class="w-turn-order" d=${`M${-at.gap / 2 + 3} ${at.panel / 2 - 8}l-6 8 6 8`} />`}
    <rect class="w-plaque" width=${width} height=${at.panel} rx="12" />
    <g aria-hidden="true" transform=${wide ? "translate(25 23) scale(0.34)" : "translate(19 21) scale(0.28)"}>${token(crew.crew)}</g>
    <text class="w-who" x=${wide ? 48 : 35} y="30" lengthAdjust="spacingAndGlyphs" textLength=${wide || short.length < room ? nothing : width - 42}>${short}</text>
    <g aria-hidden="true">
      ${THREE.map((k) => svg`<g transform=${wide ? `translate(${width - 64 + k * 25} 24) scale(0.23)` : `translate(${16 + k * 22} 104) scale(0.2)`} class=${now["pirates"][crew.crew].toSorted()[k] >= SUNK ? "w-dead" : ""}>${head(crew.crew, k, false)}${now["pirates"][crew.crew].toSorted()[k] >= SUNK ? svg`<path class="w-cross" d="M-38-38L38 38M38-38L-38 38" />` : nothing}</g>`)}
      ${[1, 2, 3].map((slot) => {
        const laid = crew.cards.find((card) => card.slot === slot);
        const turned = now["turned"]?.crew === crew.crew && now["turned"]?.slot === slot;
        return svg`<g class=${`w-laid w-of ${crew.crew} ${turned ? "w-turned" : ""} ${laid?.face === "up" && !turned ? "w-spent" : ""}`} transform=${`translate(${(wide ? 12 : 8) + (slot - 1) * (cw + (wide ? 6 : 3))} ${wide ? 43 : 40})`}>
          ${laid ? small(cw, ch, laid.face === "up" ? laid.card : undefined, crews, now["skulls"].includes(laid.card)) : svg`<rect class="w-nothing" width=${cw} height=${ch} rx="5" />`}</g>`;
      })}
      ${aside.map((card, k) => svg`<g class=${`w-aside w-of ${crew.crew}`} transform=${`translate(${asideX + k * asideStep} ${wide ? 54 : 90})`}>${small(wide ? 32 : 26, wide ? 38 : 26, card, crews, false)}<g transform=${`translate(${wide ? 16 : 13} ${wide ? -3 : 0}) scale(${wide ? 0.8 : 0.6})`}>${skull()}</g></g>`)}
    </g>
  </g>`;
}

/** The Favour, at its holder's panel. @param {Desk} desk @param {Layout} at */
export function medal(desk, at) {
  const k = seated(desk).findIndex((crew) => crew.crew === desk.scene["favour"]);
  const x = k < 0 ? SIZE[desk.shape][0] / 2 : panelX(desk, at, k) + panelWidth(desk, at) - 22;
  return svg`<g class="w-medal moves" ${place(x, at.panels + (k < 0 ? -60 : -18), desk.shape === "wide" ? 1 : 0.95)} role="img" aria-label=${_("The Captain’s Favour")}>${favour()}</g>`;
}
