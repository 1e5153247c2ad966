/** The round that is played, on the hull; the sign that says it is the last; and the draw between two equal crews. */
import { token } from "/page/drawing/pirate.js";
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { slotX } from "./layout.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */

const ROUNDS = 6;

/** @param {Desk} desk @param {Layout} at */
export function round(desk, at) {
  const { phase, round: now, sign, counting, played } = /** @type {any} */ (desk.scene);
  if (phase !== "playing" || counting || played?.cards.length > 1) return nothing; // a card lies there
  const [x = 0, y = 0] = at.round;
  const last = now >= ROUNDS;
  const small = svg`<g class=${`round ${last ? "last" : ""}`} transform=${`translate(${x} ${y})`}>
    <text>${last ? _("Last") : _("Round")}</text><text class="count" y="30">${last ? _("round!") : `${now}/${ROUNDS}`}</text></g>`;
  return sign ? svg`${small}${large(at)}` : small;
}

/** A board that hangs above the plank. @param {Layout} at */
function large(at) {
  return svg`<g class="last-sign" transform=${`translate(${(slotX(at, 2) + slotX(at, 3)) / 2} 50)`} aria-hidden="true">
    <path class="rope" d="M-130-36V-80M130-36V-80" /><path class="board" d="M-176-36H176L168 34H-170Z" /><path class="grain" d="M-150-14h90m60 0h110M-140 16h60m80 4h120" />
    <circle class="nail" cx="-158" cy="-22" r="4" /><circle class="nail" cx="158" cy="-22" r="4" /><text y="13">${_("Last round!")}</text></g>`;
}

/** Two equal crews draw straws: the longer one stands nearer the ship. @param {Desk} desk @param {Layout} at */
export function lots(desk, at) {
  const lucky = desk.scene["lots"];
  if (!lucky) return nothing;
  const neutral = desk.scene["crews"].filter((/** @type {any} */ crew) => crew.seat === null);
  return svg`<g class="lots" aria-hidden="true">${neutral.map((/** @type {any} */ { crew }, /** @type {number} */ k) => svg`<g transform=${`translate(${slotX(at, 2 + k)} 62)`}>
    <path class="straw" d=${`M0 0h${crew === lucky ? 110 : 58}`} /><g transform="scale(0.6)">${token(crew)}</g></g>`)}</g>`;
}
