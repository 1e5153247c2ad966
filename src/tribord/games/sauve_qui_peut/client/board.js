/** Sauve qui peut !: seven lanes from the sinking ship to the islands, boats with seats, leaks and people, and the dials. */
import { lead } from "/page/app.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { place, property } from "/page/drawing/place.js";
import { sea } from "/page/drawing/sea.js";
import { name } from "/page/words.js";
import { ask, rule, verb } from "./asking.js";
import { count } from "./count.js";
import { crews, dialAt } from "./crews.js";
import { finale } from "./finale.js";
import { hand } from "./hand.js";
import { moments, ribbon } from "./moments.js";
import { kept, offer } from "./offer.js";
import { person, wheel } from "./people.js";
import { crewOf, everyone, kindOf, LEAK, numberOf, scene } from "./scene.js";
import { sheet, standing } from "./sheet.js";
import { step } from "./step.js";
import { strip } from "./strip.js";
import { inside, islands, rows, SEAT, ship, side, Waters } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Boat} Boat */

const SHOWN_AHEAD = ["placed", "leaves", "boards", "thrown", "leaks", "sinks", "advances", "lands"];

// -- looking ahead ----------------------------------------------------------------------------------------------------

/** Votes are sealed, so no preview goes past one. @param {Choice} choice */
function toPreview(choice) {
  return ["place", "decide", "leave", "board"].includes(choice.settled["kind"]) ? choice.action : null;
}

/** The waters after the move: up to the last thing that can be seen there. @param {Desk} desk @returns {Scene} */
function ahead({ scene: now, choice, preview }) {
  const last = choice && preview ? preview.events.findLastIndex(({ kind }) => SHOWN_AHEAD.includes(kind)) : -1;
  return /** @type {any} */ (last < 0 ? now : preview?.scenes[last + 1]);
}

// -- the drawing ------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function draw(desk) {
  const now = /** @type {Scene} */ (/** @type {any} */ (desk.scene));
  if (!now.boats) return nothing;
  const look = ahead(desk);
  const players = now.crews.length;
  const waters = new Waters(desk.shape, now.boats, players);
  const { x, width, top, height } = waters.frame;
  const wide = desk.shape === "wide";
  const state = (/** @type {Boat} */ boat) => boatState(now, look, boat);
  const people = everyone(players);
  return svg`<g class="sqp">
    <rect class="sky" x="-900" y="-300" width="3600" height=${top + height + 700} />
    ${sea(wide ? x : -900, top, width + 2100, height + (wide ? 700 : 20), waters.depth / 2)}
    ${rows(waters)}${islands(waters, now.boats)}${ship(waters)}
    <g aria-hidden="true">${repeat(look.boats, ({ lane }) => lane, (boat) => inside(waters, boat, state(boat)))}
      ${repeat(people.filter((id) => kindOf(id) === "helmsman"), (id) => id, (id) => piece(waters, now, look, id, true))}
      ${repeat(people, (id) => id, (id) => piece(waters, now, look, id, false))}
      ${repeat(look.boats, ({ lane }) => lane, (boat) => side(waters, boat, state(boat)))}
      ${repeat(now.crews, ({ crew }) => crew, (crew, i) => ballot(desk, waters, now, crew, i))}</g>
    ${finale(waters, now)}
    ${look.boats.map((boat) => target(desk, waters, boat))}
    ${wide ? svg`<rect class="sky" x="-900" y="-300" width=${900 + x} height="1500" /><rect class="sky" x=${x} y="-300" width="3000" height=${300 + top - 2} /><path class="sqp-edge" d=${`M${x}-300V1200M${x} ${top - 2}H3000`} />` : nothing}
    ${crews(desk, now)}${strip(desk, now)}
    ${moments(waters, now, (id) => whereabouts(waters, now, id))}${ribbon(waters, now)}${count(desk, now, top)}</g>`;
}

/** @param {Scene} now @param {Scene} look @param {Boat} boat */
function boatState(now, look, boat) {
  const was = now.boats.find(({ lane }) => lane === boat.lane);
  const preview = look !== now && (was?.where !== boat.where || was.row !== boat.row || was.seats.join() !== boat.seats.join());
  const decided = now.targets.length === 1 && now.targets[0] === boat.lane;
  const tied = now.targets.length > 1 && now.targets.includes(boat.lane);
  return [boat.where, preview ? "preview" : "", now.leaking === boat.lane ? "leaking" : "", now.sinking === boat.lane ? "sinking" : "", now.fullBoat === boat.lane ? "full" : "", now.moved === boat.lane ? "moved" : "", decided ? "decided" : "", tied ? "tied" : ""].join(" ");
}

/**
 * One of the people, wherever they are. A helmsman's wheel lies behind everyone, so it hides no face.
 * @param {Waters} waters @param {Scene} now @param {Scene} look @param {string} id @param {boolean} wheels
 */
function piece(waters, now, look, id, wheels) {
  const kind = kindOf(id);
  const [x, y, sort] = whereabouts(waters, look, id);
  const [px, py, before] = look === now ? [x, y, sort] : whereabouts(waters, now, id);
  const preview = px !== x || py !== y || before !== sort;
  const shown = preview && sort === "drowned" ? "afloat" : sort;
  const size = (kind === "helmsman" ? 0.53 : 0.5) * waters.scale * (sort === "drowned" ? 0.7 : 1);
  const antic = [now.thrown?.id === id ? "thrown" : "", now.hop?.id === id ? "hops" : "", sort === "ashore" && now.winners.includes(crewOf(id)) ? "dances" : "", sort === "drowned" ? "falls" : "", preview ? "preview" : "", now.last === id ? "moved" : ""].join(" ");
  const wet = shown === "between" || shown === "afloat";
  return svg`<g class=${`sqp-piece moves ${shown} ${antic}`} ${place(x, y, size, sort === "afloat" || sort === "drowned" ? 16 : 0)}><g class="jig" ${property("--wait", `${(numberOf(id) % 4) * 0.13}s`)}>
    ${wheels ? wheel() : person(crewOf(id), kind, numberOf(id), false)}</g>${wet && !wheels ? svg`<path class="water" d=${kind === "helmsman" ? "M-80 22q20-12 40 0t40 0t40 0t40 0A84 84 0 0 1-80 22z" : "M-52 22q13-12 26 0t26 0t26 0t26 0Q46 62 0 64T-52 22z"} /><path class="ripple" d="M-66 22q14-12 28 0t28 0t28 0t28 0" />` : nothing}</g>`;
}

/** @param {Waters} waters @param {Scene} now @param {string} id @returns {[number, number, string]} */
function whereabouts(waters, now, id) {
  const large = kindOf(id) === "helmsman";
  for (const boat of now.boats) {
    const k = boat.seats.indexOf(id);
    if (k >= 0) return [...waters.seat(boat, k, large), boat.where === "landed" ? "ashore" : "aboard"];
  }
  const crew = now.crews.find(({ between }) => between?.id === id);
  const left = now.boats.find(({ lane }) => lane === crew?.between?.lane);
  if (left) return [...waters.seat(left, -1), "between"];
  const spot = now.afloat[id] ?? now.drowned[id];
  if (spot) {
    const boat = now.boats.find(({ lane }) => lane === spot.lane) ?? now.boats[0];
    const [x, y] = boat ? waters.seat(boat, spot.seat, large) : [0, 0];
    return id in now.afloat ? [x, y + 26 * waters.scale, "afloat"] : [x, y + 52 * waters.scale, "drowned"];
  }
  const own = now.crews.findIndex((each) => each.crew === crewOf(id));
  return [waters.frame.x + (waters.frame.ship - waters.frame.x) * 0.4, waters.frame.top + waters.frame.head + (own + 0.7) * waters.depth, "deck"];
}

/** A vote travels from its dial to the boat it names. @param {Desk} desk @param {Waters} waters @param {Scene} now @param {import("./scene.js").Crew} crew @param {number} i */
function ballot(desk, waters, now, { crew, dial }, i) {
  const players = now.crews.length;
  const lane = dial.state === "shown" && now.phase !== "over" ? dial.vote?.lane : undefined;
  const boat = now.boats.find((each) => each.lane === lane);
  const before = now.crews.slice(0, i).filter((each) => each.dial.state === "shown" && each.dial.vote?.lane === lane).length;
  const [dx, dy, k] = dialAt(desk.shape, i, players);
  const [bx, by] = boat ? waters.at(boat.lane, boat.row) : [0, 0];
  return svg`<g class=${`sqp-ballot moves ${boat ? "out" : "home"}`} ${boat ? place(bx + (12 + before * 25) * waters.scale, by - 6 * waters.scale, 0.27 * waters.scale) : place(dx, dy, 0.5 * k)}>${token(crew)}</g>`;
}

/** A boat to tap: the whole lane is a thumb wide, and its people are part of it. If it can't be chosen, it says why. @param {Desk} desk @param {Waters} waters @param {Boat} boat */
function target(desk, waters, boat) {
  const { choice, seat } = desk;
  const { lane } = boat;
  if (seat < 0) return nothing;
  const open = Boolean(choice?.offers("lane", lane));
  const on = choice?.touchedValue("lane") === lane;
  const [x, y] = waters.at(lane, boat.row);
  const s = waters.scale;
  const touch = () => (open ? desk.pick : desk.why)("lane", lane);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch();
    if (open) lead(event, ".act .primary:not([disabled]), [data-person]:not([aria-disabled])");
  };
  const { left, beach } = waters.frame;
  const reach = svg`<rect class="reach" x=${left - 20} y=${y + 19 * s - waters.depth + 1} width=${beach - left + 40} height=${waters.depth - 2} />`;
  const people = choice ? boat.seats.map((id, k) => (id && id !== LEAK ? body(desk, waters, boat, id, k, touch) : nothing)) : nothing;
  if (!choice) return svg`<g class="sqp-target shut" @click=${touch}>${reach}</g>`;
  return svg`<g class=${`sqp-target ${on ? "on" : ""} ${open ? "" : "shut"}`} role="button" tabindex="0" aria-pressed=${on ? "true" : "false"} aria-disabled=${open ? nothing : "true"} aria-label=${name("lane", lane)} data-boat=${lane} @click=${touch} @keydown=${press}>
    ${reach}<rect class="frame" x=${x - 158 * s} y=${y - 72 * s} width=${328 * s} height=${93 * s} rx=${20 * s} />${people}</g>`;
}

/** Someone in a boat, to tap: the tap means that very person. @param {Desk} desk @param {Waters} waters @param {Boat} boat @param {string} id @param {number} k @param {() => void} otherwise */
function body(desk, waters, boat, id, k, otherwise) {
  const now = /** @type {Scene} */ (/** @type {any} */ (desk.scene));
  const { choice } = desk;
  const [x, y] = waters.seat(boat, k);
  const crew = crewOf(id);
  const mine = now.crews.find(({ seat }) => seat === desk.seat)?.crew === crew;
  const touch = (/** @type {Event} */ event) => {
    event.stopPropagation();
    if (now.fullBoat === boat.lane && choice?.offers("crew", crew)) return desk.pick("crew", crew);
    if (mine && choice?.offers("kind", "leave") && choice.offers("lane", boat.lane)) {
      desk.pick("lane", boat.lane);
      return desk.pick("person", kindOf(id));
    }
    return otherwise();
  };
  return svg`<rect class="reach" data-piece=${id} x=${x - (SEAT / 2) * waters.scale} y=${y - 34 * waters.scale} width=${SEAT * waters.scale} height=${58 * waters.scale} @click=${touch} />`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { size: { wide: [1200, 740], tall: [720, 800] }, scene, step, eve: (first) => ({ ...first, baton: null }), opens: ["baton", "wins"], draw, hand, ask, verb, rule, toPreview, sheet, standing, offer, kept };
