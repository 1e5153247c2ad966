/** The crews: who plays which colour, and how many children of it are aboard. */
import { nothing, svg } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { SHIP } from "./island.js";
import { token } from "/page/drawing/pirate.js";
import { CHILDREN, crewOf } from "./pawn.js";
import { COLOURS } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */

const LINE = { left: 1052, top: 14, width: 240, height: 40, gap: 8 };
const TALLY = { left: 362, y: 772, step: 72 };

/** How many children of a crew are aboard. @param {Scene} now @param {string} crew */
function tally(now, crew) {
  const all = CHILDREN.filter((pawn) => crewOf(pawn) === crew && pawn in now["pawns"]);
  return `${all.filter((pawn) => now["pawns"][pawn] === SHIP).length}/${all.length}`;
}

/** On a phone: a sign and a count for each crew, and which game this is. @param {Desk} desk */
function tallTallies({ scene: now }) {
  const crews = now["game"] === "strategic" ? [...COLOURS, "brown"] : ["brown"];
  return svg`<g aria-hidden="true">${crews.map((crew, i) => svg`<g class="tally" transform=${`translate(${TALLY.left + i * TALLY.step} ${TALLY.y})`}><g transform="scale(0.26)">${token(crew)}</g><text x="16" y="9">${tally(now, crew)}</text></g>`)}
    <text class="notes" x=${crews.length > 1 ? 350 : TALLY.left + 70} y=${crews.length > 1 ? 810 : TALLY.y + 9}>${capital(game(now).slice(crews.length > 1 && game(now).length > 2 ? 1 : 0).join(", "))}</text></g>`;
}

/** Where there is room: the players by name, too. @param {Desk} desk */
function wideTallies(desk) {
  const now = desk.scene;
  const person = (/** @type {number} */ seat) => (seat === desk.seat ? _("You") : desk.name(seat));
  /** @type {{crew: string, who: string, seat: number, turn: boolean}[]} */
  const lines = now["game"] === "strategic"
    ? [...COLOURS.map((crew, i) => ({ crew, who: now["players"] === 1 ? capital(name("colour", crew)) : i < now["players"] ? person(i) : _("neutral"), seat: now["players"] > 1 && i < now["players"] ? i : -1, turn: now["turn"] === crew })), { crew: "brown", who: _("shared"), seat: -1, turn: false }]
    : Array.from({ length: now["players"] ?? 0 }, (_none, seat) => ({ crew: "", who: person(seat), seat, turn: now["turn"] === seat }));
  const { left, top, width, height, gap } = LINE;
  const letter = 10.5;
  return lines.map(({ crew, who, seat, turn }, i) => {
    const room = width - (crew ? 96 : 40);
    // A name that's a little too long is set tighter, so the letters that tell it apart stay; a longer one is cut.
    const most = Math.floor((room / letter) * 1.3);
    const short = who.length > most ? `${who.slice(0, most - 1)}…` : who;
    const squeezed = short.length * letter > room ? room : nothing;
    return svg`<g class=${`player ${turn ? "turn" : ""} ${seat === desk.seat || now["players"] === 1 ? "mine" : ""}`} transform=${`translate(${left} ${top + i * (height + gap)})`} @click=${() => seat >= 0 && desk.about?.(seat)}><rect width=${width} height=${height} rx="12" />
      ${crew ? svg`<g transform=${`translate(19 ${height / 2}) scale(0.28)`}>${token(crew)}</g>` : svg`<g transform=${`translate(20 ${height / 2})`}><path class="mark" d="M-6-9L9 0L-6 9Z" /></g>`}
      <text x="37" y=${height / 2 + 8} textLength=${squeezed} lengthAdjust="spacingAndGlyphs">${short}</text>${crew ? svg`<text class="count" x=${width - 8} y=${height / 2 + 8}>${tally(now, crew)}</text>` : nothing}</g>`;
  });
}

/** Which game this is, in a few words. @param {Scene} now */
function game(now) {
  if (now["game"] !== "strategic") return [_("Base game")];
  return [_("Strategic game"), now["memory"] ? _("hidden forces") : "", now["hard"] ? _("hard") : "", "brown-4" in now["pawns"] ? _("a fourth child") : ""].filter(Boolean);
}

/** @param {Desk} desk */
export function tallies(desk) {
  if (desk.shape === "tall") return tallTallies(desk);
  const said = game(desk.scene);
  return [
    wideTallies(desk),
    svg`<text class="notes middle" x="1172" y=${said.length > 2 ? 288 : 306}>${said.slice(0, 2).join(", ")}${said.length > 2 ? "," : ""}</text><text class="notes middle" x="1172" y="316">${said.slice(2).join(", ")}</text>`,
  ];
}
