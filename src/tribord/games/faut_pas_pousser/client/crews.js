/** The crews: who they are, how many points they have, whose turn it is, and who says “Non merci !”. */
import { token } from "/page/drawing/pirate.js";
import { keyed, nothing, svg } from "/page/lit.js";
import { _, capital } from "/page/words.js";
import { fitted } from "./card.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */

const NARROW = 7; // letters on a line, on a tall drawing
const SQUEEZED = 10; // letters of a name that is set narrower rather than cut off

/** Who plays a crew. @param {Desk} desk @param {string} name */
export function person(desk, name) {
  const crew = desk.scene["crews"].find((/** @type {any} */ one) => one.crew === name);
  return crew?.seat == null ? capital(_("neutral")) : crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
}

/** @param {Desk} desk @param {Layout} at */
export function crews(desk, at) {
  const [left = 0, top = 0] = at.side;
  return (desk.scene["crews"] ?? []).map((/** @type {any} */ crew, /** @type {number} */ i) =>
    desk.shape === "wide" ? line(desk, crew, left, top + i * 57) : line(desk, crew, 5 + i * 179, top));
}

/** @param {Desk} desk @param {any} crew @param {number} x @param {number} y */
function line(desk, crew, x, y) {
  const wide = desk.shape === "wide";
  const now = desk.scene;
  const picking = now["phase"] === "picking";
  const picked = picking && now["picked"].includes(crew.crew);
  const deciding = picking ? crew.seat !== null && !picked : now["toPlay"] === crew.crew;
  const points = crew.seat === null ? "–" : picking ? (picked ? "✓" : "…") : String(crew.points);
  const gain = now["gain"]?.counts && now["gain"].crew === crew.crew ? now["gain"] : null;
  const won = now["winners"].includes(crew.crew);
  return svg`<g class=${`crew-line ${deciding ? "deciding" : ""} ${won ? "won-it" : ""} ${gain ? "gains" : ""}`} transform=${`translate(${x} ${y})`} @click=${() => crew.seat !== null && !desk.event && desk.about?.(crew.seat)}>
    <rect width=${wide ? 256 : 172} height="48" rx="14" />
    <g transform=${wide ? "translate(27 23) scale(0.38)" : "translate(24 24) scale(0.38)"}>${token(crew.crew)}</g>
    ${gain && !wide ? nothing : wide ? svg`<text class="who" x="54" y="32">${fitted(person(desk, crew.crew), 13)}</text>` : called(person(desk, crew.crew))}
    ${gain ? svg`<text class="gain" x=${wide ? 196 : 96} y="33" text-anchor="end">+${gain.points}</text>` : nothing}
    ${keyed(points, svg`<text class="points" x=${wide ? 240 : 162} y="34" text-anchor="end">${points}</text>`)}
    ${now["opener"] === crew.crew ? svg`<g class="opener" transform=${`translate(${wide ? 200 : 150} 24)`}><circle r="18" /><text y="9">1</text></g>` : nothing}
    ${now["bubble"] === crew.crew ? svg`<g class="bubble" transform=${wide ? "translate(-180 2)" : "translate(2 -52)"}><path d="M8 0H160q8 0 8 8V36q0 8-8 8H8q-8 0-8-8V8q0-8 8-8Z" /><text x="84" y="31">Non merci !</text></g>` : nothing}
  </g>`;
}

/** A name where there is little room: on two lines if it has two words, such as “Les Rouges”. @param {string} name */
function called(name) {
  const [first = "", ...rest] = name.split(" ");
  if (name.length >= NARROW && name.length <= SQUEEZED && !rest.length) return svg`<text class="who" x="46" y="32" textLength="76" lengthAdjust="spacingAndGlyphs">${name}</text>`;
  if (name.length <= NARROW || !rest.length) return svg`<text class="who" x="46" y="32">${fitted(name, NARROW)}</text>`;
  return svg`<text class="who" x="46" y="20">${fitted(first, NARROW)}</text><text class="who" x="46" y="41">${fitted(rest.join(" "), NARROW)}</text>`;
}
