/** The moments that make people laugh or groan: someone is kicked overboard, a boat sinks, a boat lands, the end is near. */
import { nothing, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { place, property } from "/page/drawing/place.js";
import { splash } from "/page/drawing/sea.js";
import { _, name } from "/page/words.js";
import { line, widthOf } from "./lettering.js";
import { batonSign, cap, hat, person } from "./people.js";
import { crewOf, kindOf, numberOf } from "./scene.js";

/** @typedef {import("./waters.js").Waters} Waters */
/** @typedef {import("./scene.js").Scene} Scene */

/** @param {Waters} waters @param {Scene} now @param {(id: string) => [number, number, string]} whereabouts */
export function moments(waters, now, whereabouts) {
  return svg`<g aria-hidden="true">${now.hats.filter((id) => id !== now.thrown?.id).map((id) => floating(waters, whereabouts(id), id))}
    ${now.splashes.map((id, k) => fallen(waters, whereabouts(id), k === 0))}${now.crammed.map((lane) => noRoom(waters, now, lane))}${lastWord(waters, now)}${overboard(waters, now)}${sinking(waters, now)}${landing(waters, now)}${hop(waters, now, whereabouts)}</g>`;
}

/** A shout beside a boat. @param {string} said @param {number} x @param {number} y @param {number} k @param {string} [look] */
function shout(said, x, y, k, look = "") {
  const w = widthOf(said, 30, true) + 28;
  return svg`<g class=${`sqp-shout ${look}`} transform=${`translate(${x} ${y}) scale(${k})`}><g class="pop"><path class="bubble" d=${`M12-44H${w - 12}q12 0 12 12v12q0 12-12 12H34L14 8l4-16h-6q-12 0-12-12v-12q0-12 12-12z`} /><text x=${w / 2} y="-15">${said}</text></g></g>`;
}

/** A board at the mast: no room. @param {Waters} waters @param {Scene} now @param {number} lane */
function noRoom(waters, { boats }, lane) {
  const boat = boats.find((each) => each.lane === lane);
  if (!boat) return nothing;
  const [x, y] = waters.at(lane, boat.row);
  const said = _("Full!");
  const w = widthOf(said, 26, true) + 26;
  return svg`<g transform=${`translate(${x + 118 * waters.scale} ${y - 34 * waters.scale}) scale(${waters.scale})`}><g class="sqp-sign"><path class="post" d="M0 0V-34" /><rect class="board" x=${-w / 2} y="-72" width=${w} height="40" rx="6" /><text y="-43">${said}</text></g></g>`;
}

/** The baton or the cap points at what its owner has chosen. @param {Waters} waters @param {Scene} now */
function lastWord(waters, { decided, targets, fullBoat, boats }) {
  const chosen = targets[0];
  const lane = typeof chosen === "number" ? chosen : fullBoat;
  const boat = boats.find((each) => each.lane === lane);
  if (!decided || !boat || targets.length !== 1) return nothing;
  const [x, y] = waters.at(boat.lane, boat.row);
  const s = waters.scale;
  return svg`<g transform=${`translate(${x} ${y - 96 * s}) scale(${s})`}><g class="sqp-points"><g transform="scale(0.62)">${token(decided.by)}${face(4)}${decided.rule === "S7" ? svg`<g transform="translate(0 -42) scale(1.05)">${cap()}</g>` : batonSign()}</g>
    <path class="arrow" d="M-16 34H16L0 54Z" /></g></g>`;
}

// -- overboard --------------------------------------------------------------------------------------------------------

/** A boot, an arc, a splash, a hat. @param {Waters} waters @param {Scene} now */
function overboard(waters, { thrown, boats }) {
  const boat = boats.find(({ lane }) => lane === thrown?.lane);
  if (!thrown || !boat) return nothing;
  const s = waters.scale;
  const [x, y] = waters.seat(boat, thrown.seat, kindOf(thrown.id) === "helmsman");
  const [wx, wy] = waters.seat(boat, -1);
  const size = (kindOf(thrown.id) === "helmsman" ? 0.53 : 0.5) * s;
  return svg`<g ${place(x, y)}>
      <g class="sqp-flight across" ${property("--far", `${wx - x}px`)}><g class="sqp-flight down" ${property("--deep", `${wy - y + 40 * s}px`)}><g class="sqp-flight over"><g transform=${`scale(${size})`}>${person(crewOf(thrown.id), kindOf(thrown.id), numberOf(thrown.id))}</g></g></g></g>
      <g transform=${`translate(${34 * s} ${-6 * s}) scale(${s})`}><g class="sqp-kick"><path class="leg" d="M8-62L-4-14" /><path class="boot" d="M-18-20H6Q14-2 6 12Q-10 22-44 18Q-54 16-46 6Q-30 2-22-4Z" /><path class="lace" d="M-8-10l-12 8M-4-2l-12 8" /></g></g>
    </g>
    <g transform=${`translate(${wx} ${wy}) scale(${s * 1.15})`}><g class="sqp-late">${splash(0, 6)}</g></g>
    <g transform=${`translate(${wx} ${wy + 6 * s}) scale(${0.66 * s})`}><g class="sqp-late lasting">${hat(kindOf(thrown.id))}<path class="ripple" d="M-40-16q10-9 20 0t20 0t20 0t20 0" /></g></g>
    ${shout(_("Splash!"), wx + 20 * s, wy - 46 * s, s * 0.95, "sqp-late lasting")}`;
}

/** A splash for everyone who goes under, and the first one's last thought. @param {Waters} waters @param {[number, number, string]} where @param {boolean} first */
function fallen(waters, [x, y], first) {
  const s = waters.scale;
  return svg`<g>${splash(x, y - 10 * s)}${first ? shout(_("My hat!"), x + 12 * s, y - 62 * s, s) : nothing}</g>`;
}

/** The hat that stays. @param {Waters} waters @param {[number, number, string]} where @param {string} id */
function floating(waters, [x, y], id) {
  return svg`<g transform=${`translate(${x} ${y - 20 * waters.scale}) scale(${0.6 * waters.scale})`}><g class="sqp-bob">${hat(kindOf(id))}<path class="ripple" d="M-40-16q10-9 20 0t20 0t20 0t20 0" /></g></g>`;
}

// -- a boat goes down -------------------------------------------------------------------------------------------------

/** Bubbles, a fin that comes to see, and last words. @param {Waters} waters @param {Scene} now */
function sinking(waters, { sinking: lane, boats }) {
  const boat = boats.find((each) => each.lane === lane);
  if (!boat) return nothing;
  const s = waters.scale;
  const [x, y] = waters.at(boat.lane, boat.row);
  const bubbles = [[-110, 5, 0], [-70, 8, 0.5], [-36, 5, 0.25], [4, 9, 0.75], [40, 6, 0.1], [84, 8, 0.6], [118, 5, 0.35]];
  return svg`<g transform=${`translate(${x} ${y}) scale(${s})`}>
      ${bubbles.map(([bx = 0, r = 5, wait = 0]) => svg`<circle class="sqp-bubble" cx=${bx} cy="6" r=${r} ${property("--wait", `${wait}s`)} />`)}
      <g class="sqp-prowl"><path class="fin" d="M-30 12C-18-14 -6-22 8-20 16-18 24-6 28 10 14 2-6 2-30 12Z" /><path class="ripple" d="M-44 14q9-8 18 0t18 0t18 0t18 0" /></g></g>
    ${shout(_("Glub, glub…"), x + 30 * s, y - 56 * s, s)}`;
}

// -- a boat lands -----------------------------------------------------------------------------------------------------

const CONFETTI = [[-120, -70, 0], [-88, -104, 1], [-52, -84, 2], [-20, -112, 3], [18, -92, 0], [52, -116, 1], [84, -82, 2], [112, -104, 3], [-100, -120, 2], [66, -66, 0], [0, -70, 1], [-64, -60, 3]];
const HUES = ["var(--red)", "var(--yellow)", "var(--green)", "var(--blue)"];

/** A flag, paper snippets, a shout. @param {Waters} waters @param {Scene} now */
function landing(waters, { landing: lane, boats, hop: counting }) {
  const boat = boats.find((each) => each.lane === lane);
  if (!boat) return nothing;
  const s = waters.scale;
  const [x, y] = waters.at(boat.lane, boat.row);
  return svg`<g transform=${`translate(${x} ${y}) scale(${s})`}><g class="sqp-flag"><path class="pole" d="M146-36V-100" /><path class="cloth" d="M146-100q22-12 44 0t40 0v34q-20 12-40 0t-44 0z" /><path class="bone" d="M170-92l30 18m0-18l-30 18" /></g>
      ${CONFETTI.map(([cx = 0, cy = 0, hue = 0], k) => svg`<g transform=${`translate(${cx} ${cy})`}><rect class="sqp-snippet" width="9" height="15" rx="2" fill=${HUES[hue] ?? ""} ${property("--wait", `${(k % 5) * 0.12}s`)} /></g>`)}</g>
    ${counting ? nothing : shout(_("Land!"), x - 60 * s, y - 60 * s, s)}`;
}

/** Someone jumps ashore, and the points it brings. @param {Waters} waters @param {Scene} now @param {(id: string) => [number, number, string]} whereabouts */
function hop(waters, { hop: counting }, whereabouts) {
  if (!counting?.id) return nothing;
  const [x, y] = whereabouts(counting.id);
  return svg`<g transform=${`translate(${x} ${y - 52 * waters.scale}) scale(${Math.max(1, waters.scale)})`}><g class="sqp-worth"><circle r="27" /><text y="11">+${counting.points}</text></g></g>`;
}

// -- the end comes near -----------------------------------------------------------------------------------------------

/** A ribbon across the sea. @param {Waters} waters @param {Scene} now */
export function ribbon({ frame, shape }, { ribbon: said }) {
  if (!said) return nothing;
  const w = shape === "wide" ? 700 : 640;
  const [x, y] = shape === "wide" ? [frame.x + 100, frame.top + 210] : [40, frame.top + 190];
  const boats = said.lanes.map((lane) => name("boat", lane)).join(" – ");
  return svg`<g class="sqp-ribbon" aria-hidden="true" transform=${`translate(${x} ${y})`}><g class="unroll">
    <path class="tail" d=${`M-34 42H20V148H-34L-6 95ZM${w + 34} 42H${w - 20}V148H${w + 34}L${w + 6} 95Z`} /><path class="cloth" d=${`M0 10Q${w / 2}-14 ${w} 10V120Q${w / 2} 96 0 120Z`} />
    <g transform=${`translate(74 64)`}><g class="glass"><path class="frame" d="M-26-42H26M-26 42H26" /><path class="bulb" d="M-20-40Q-20-12-4 0Q-20 12-20 40H20Q20 12 4 0Q20-12 20-40Z" /><path class="sand" d="M-12-18H12Q8-8 0-2Q-8-8-12-18ZM-16 38Q0 14 16 38Z" /></g></g>
    ${line(said.kind === "last-round" ? _("Last round!") : _("The last round?"), { x: w / 2 + 30, y: 62, room: w - 190, size: 52, bold: true, anchor: "middle", look: "title" })}
    ${line(boats, { x: w / 2 + 30, y: 98, room: w - 190, size: 30, anchor: "middle", look: "boats" })}</g></g>`;
}
