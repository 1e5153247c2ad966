/** L'Île aux Pirates: the castle, the winding path, the ship; dice that roll, children who run, pirates who turn their backs. */
import { notice } from "/page/app.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { place } from "/page/drawing/place.js";
import { sea } from "/page/drawing/sea.js";
import { _, name } from "/page/words.js";
import { tallies } from "./crews.js";
import { die as drawnDie } from "./dice.js";
import { dawn, finale, mood } from "./finale.js";
import { hand } from "./hand.js";
import { CASTLE, SHIP, MAPS, curve, hull, land, middle, numbers, stand, vessel, way } from "./island.js";
import { others } from "./others.js";
import { ahead, ask, rule, verb, warn } from "./outlook.js";
import { CHILDREN, PAWNS, PIRATES, figure, isPirate } from "./pawn.js";
import { THROWS, eve, moveOf, scene, step } from "./scene.js";
import { crew, sheet, standing, where } from "./sheet.js";
import { hatSign, headSign } from "./signs.js";
import { tray } from "./tray.js";
import { walk } from "./walk.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("./island.js").Map_} Map_ */
/** @typedef {import("./island.js").Point} Point */
/** @typedef {import("./island.js").Spot} Spot */
/** @typedef {import("./outlook.js").Look} Look */

const SAILED = { wide: [26, 4], tall: [10, 8] };
const HOLD = 450; // milliseconds after which a touch points

/** @param {Desk} desk */
function draw(desk) {
  const { shape, scene: now } = desk;
  const map = MAPS[shape];
  const [width, height] = board.size[shape];
  const won = now["phase"] === "won";
  /** @type {Point} */
  const sailed = won ? [SAILED[shape][0] ?? 0, SAILED[shape][1] ?? 0] : [0, 0];
  const look = ahead(now, (desk.choice && desk.preview?.events) || []);
  const spots = roomy(map, now["pawns"] ?? {}, sailed, look.events);
  const fate = won ? "won" : now["phase"] === "lost" ? "lost" : "waits";
  const [sx, sy, size] = map.ship;
  // Pawns further down stand in front.
  const pawns = PAWNS.filter((pawn) => pawn in (now["pawns"] ?? {})).sort((a, b) => (spots.get(a)?.[1] ?? 0) - (spots.get(b)?.[1] ?? 0));
  return svg`<g class="ile" @pointerdown=${(/** @type {PointerEvent} */ event) => grasp(desk, event)} @pointerup=${letGo} @pointercancel=${letGo} @pointermove=${stray} @contextmenu=${keep} @click=${(/** @type {MouseEvent} */ event) => tap(desk, event)}>
    ${sea(0, -300, width + 1600, height + 600)}
    ${land(map, `ile-${shape}`)}
    ${dawn(now, width)}
    <g class="moves" ${place(sx + sailed[0], sy + sailed[1], size)}>${vessel(fate)}</g>
    ${arrows(desk, map, look)}
    ${numbers(map)}
    ${places(desk, map)}
    <g aria-hidden="true">${repeat(pawns, (pawn) => pawn, (pawn) => piece(desk, map, spots, pawn))}</g>
    <g class="moves aside-taps" ${place(sx + sailed[0], sy + sailed[1], size)}>${hull()}</g>
    ${now["game"] === "strategic" ? headcount(map, now, sailed) : nothing}
    ${preview(desk, map, look)}
    ${others(desk, map, spots, width)}
    ${now["clash"] ? clashSign(map, width, now["clash"]) : nothing}
    ${look.riddle === null ? nothing : clashSign(map, width, { place: look.riddle, sign: "riddle" })}
    ${remember(desk, map, now)}
    ${finale(now, spots, map, width)}
    ${tray(desk)}
    ${tallies(desk)}
  </g>`;
}

/**
 * Where every pawn stands; those on the square that the move in these events leads to make room.
 * @param {Map_} map @param {Record<string, number>} pawns @param {Point} sailed @param {GameEvent[]} events
 */
function roomy(map, pawns, sailed, events) {
  const spots = stand(map, pawns, sailed);
  for (const { pawn, to } of events.flatMap((event) => moveOf(event) ?? [])) {
    for (const [other, spot] of stand(map, { ...pawns, [pawn]: to }, sailed)) if (other !== pawn && pawns[other] === to) spots.set(other, spot);
  }
  return spots;
}

/** A pawn, wherever it is. @param {Desk} desk @param {Map_} map @param {Map<string, Spot>} spots @param {string} pawn */
function piece({ scene: now, choice }, map, spots, pawn) {
  const [x, y, scale] = spots.get(pawn) ?? [0, 0, 1];
  const { walked } = now;
  const walks = walked?.pawn === pawn;
  const back = walks && walked.to < walked.from;
  /** @type {Point[]} */
  const points = !walks ? [[x, y]] : back ? [middle(map, walked.from), [x, y]] : [...way(map, walked.from, walked.to).slice(0, -1), [x, y]];
  const force = isPirate(pawn) && now["shown"].includes(pawn) ? (now["forces"][pawn] ?? null) : null;
  const may = choice?.values("pawn").includes(pawn) ?? false;
  const meant = choice?.settled["pawn"] === pawn;
  const spent = now["phase"] === "moving" && now["spent"].includes(pawn);
  return svg`<g class=${`pawn ${walks ? "walks" : "moves"} ${may ? "may" : ""} ${meant ? "meant" : ""} ${spent ? "spent" : ""}`} data-piece=${pawn} data-at=${now["pawns"][pawn]} ${walk(points, scale, back)}>
    <rect class="grip" x="-28" y=${isPirate(pawn) ? -108 : -84} width="56" height=${isPirate(pawn) ? 112 : 88} /><ellipse class="foot" rx="27" ry="9" /><g class=${`figure ${mood(now, pawn)}`}>${figure(pawn, force)}</g>
    ${spent ? svg`<g class="tick" transform="translate(22 -80)"><circle r="12" /><path d="M-5 0l4 5l7-9" /></g>` : nothing}
    ${walks && now["used"] ? svg`<g class="took" transform=${`translate(0 ${isPirate(pawn) ? -134 : -108}) scale(0.42)`}>${drawnDie(now["used"])}</g>` : nothing}
  </g>`;
}

/** The count on the ship: the children aboard must outnumber the force aboard (I15). @param {Map_} map @param {Scene} now @param {Point} sailed */
function headcount(map, now, [dx, dy]) {
  const aboard = (/** @type {string[]} */ pawns) => pawns.filter((pawn) => now["pawns"][pawn] === SHIP);
  const force = aboard(PIRATES).reduce((sum, pirate) => sum + (now["forces"][pirate] ?? 0), 0);
  const [x, y, scale] = map.ship;
  return svg`<g class="headcount moves" ${place(x + dx - 6, y + dy + 24 * scale, scale)}><rect x="-62" y="-17" width="124" height="34" rx="8" />
    <g transform="translate(-44 0)">${headSign()}</g><text x="-14" y="9">${aboard(CHILDREN).length}</text>
    <g transform="translate(16 0)">${hatSign()}</g><text x="46" y="9">${force}</text></g>`;
}

/** The moves of the preview: who, where to, and the way there. @param {Desk} desk @param {Map_} map @param {Look} look */
function intended({ scene: now }, map, { events }) {
  return events.flatMap((event) => {
    const move = moveOf(event);
    if (!move) return [];
    const { pawn, to } = move;
    const spot = stand(map, { ...now["pawns"], [pawn]: to }).get(pawn) ?? [0, 0, 1];
    const points = [...way(map, now["pawns"][pawn] ?? CASTLE, to).slice(0, -1), /** @type {Point} */ ([spot[0], spot[1] - 6])];
    return [{ pawn, spot, points }];
  });
}

/** The path of the chosen move, drawn under the numbers and under everyone's feet. @param {Desk} desk @param {Map_} map @param {Look} look */
function arrows(desk, map, look) {
  return intended(desk, map, look).map(({ points }) => svg`<path class="arrow under" d=${curve(points)} /><path class="arrow" d=${curve(points)} />`);
}

/** Where the chosen move would lead, and who would be sent back. @param {Desk} desk @param {Map_} map @param {Look} look */
function preview(desk, map, look) {
  const { scene: now } = desk;
  const ghosts = intended(desk, map, look).map(({ pawn, spot }) => svg`<g class="ghost" transform=${`translate(${spot[0]} ${spot[1]}) scale(${spot[2]})`}><ellipse class="foot" rx="30" ry="10" />${figure(pawn, isPirate(pawn) && now["shown"].includes(pawn) ? now["forces"][pawn] : null)}</g>`);
  const falls = look.events.map(({ kind, fields }) => {
    if (kind !== "captured" && kind !== "sent-back") return nothing;
    const [x, y] = middle(map, fields["square"] ?? 1);
    const [u, v] = middle(map, CASTLE);
    const bow = `M${x} ${y - 40}Q${(x + u) / 2} ${Math.min(y, v) - 110} ${u + 60} ${v - 40}`;
    return svg`<path class="arrow under" d=${bow} /><path class="arrow back" d=${bow} /><path class="arrow-head" d=${`M${u + 80} ${v - 66}L${u + 58} ${v - 39}L${u + 92} ${v - 38}`} />`;
  });
  return [ghosts, falls];
}

// -- what can be touched ----------------------------------------------------------------------------------------------

/** Whether the stage is playing: then a tap is for the stage. @param {Desk} desk */
const playing = (desk) => Boolean(desk.event || desk.rolling);

/** A touch on the drawing: a pawn or a place. @param {Event} event @returns {{sort: "pawn" | "square", value: any} | null} */
function thingAt(event) {
  const target = /** @type {Element} */ (event.target);
  const pawn = target.closest("[data-piece]")?.getAttribute("data-piece");
  if (pawn) return { sort: "pawn", value: pawn };
  const square = target.closest("[data-place]")?.getAttribute("data-place");
  return square ? { sort: "square", value: Number(square) } : null;
}

/** A long press points; the click that follows it isn't a choice. @type {{timer: number, done: boolean, at: Point}} */
const touch = { timer: 0, done: false, at: [0, 0] };

/** @param {Desk} desk @param {PointerEvent} event */
function grasp(desk, event) {
  letGo();
  touch.done = false;
  const thing = thingAt(event);
  if (!thing || !desk.point || playing(desk)) return;
  touch.at = [event.clientX, event.clientY];
  touch.timer = setTimeout(() => {
    touch.done = true;
    desk.point?.(thing.sort, thing.value);
  }, HOLD);
}

function letGo() {
  clearTimeout(touch.timer);
}

/** A finger that moves wants to scroll. @param {PointerEvent} event */
function stray(event) {
  if (Math.hypot(event.clientX - touch.at[0], event.clientY - touch.at[1]) > 10) letGo();
}

/** The browser's menu would cover the target. @param {Event} event */
function keep(event) {
  if (thingAt(event)) event.preventDefault();
}

/** @param {Desk} desk @param {MouseEvent} event */
function tap(desk, event) {
  const thing = thingAt(event);
  if (!thing || playing(desk) || touch.done) return;
  if (!desk.choice) desk.point?.(thing.sort, thing.value);
  else if (thing.sort === "pawn") takePawn(desk, thing.value);
  else takeSquare(desk, thing.value);
}

/** @param {Desk} desk @param {string} pawn */
function takePawn(desk, pawn) {
  if (desk.choice?.offers("pawn", pawn)) desk.pick("pawn", pawn);
  else desk.why("pawn", pawn);
}

/** A tap beside the pawns of a place takes the first that may move, another tap the next. @param {Desk} desk @param {number} at */
function takeSquare(desk, at) {
  const { choice, scene: now } = desk;
  const here = PAWNS.filter((pawn) => now["pawns"][pawn] === at);
  const may = here.filter((pawn) => choice?.offers("pawn", pawn));
  if (may.length) desk.pick("pawn", may[(may.indexOf(choice?.touchedValue("pawn")) + 1) % may.length]);
  else if (here[0]) desk.why("pawn", here[0]);
  else notice(at === SHIP ? _("No one is aboard yet: tap a pawn.") : at === CASTLE ? _("No one is left in the castle: tap a pawn.") : _("No one stands on square {square}: tap a pawn.", { square: at }), "I2");
}

/**
 * The castle, the squares and the ship, to be touched. The hand has every pawn too, so all places together are one stop for the
 * Tab key, and the arrows go along the path: on your own turn where a pawn may move, else everywhere, to point at.
 * @param {Desk} desk @param {Map_} map
 */
function places(desk, map) {
  const { choice, scene: now } = desk;
  if (!now["pawns"] || (!choice && !desk.point)) return nothing;
  const all = Array.from({ length: SHIP + 1 }, (_none, at) => at);
  const open = choice ? all.filter((at) => choice.values("pawn").some((pawn) => now["pawns"][pawn] === at)) : all;
  const touched = choice?.touchedValue("pawn");
  const stop = Math.max(0, open.indexOf(now["pawns"][touched]));
  const press = (/** @type {KeyboardEvent} */ event) => {
    const thing = thingAt(event);
    if (!thing || (event.key !== "Enter" && event.key !== " ")) return alongThePath(event);
    event.preventDefault();
    if (choice) takeSquare(desk, thing.value);
    else desk.point?.("square", thing.value);
  };
  return svg`<g role="group" aria-label=${choice ? _("Who may move") : _("Point at a place")} @keydown=${press}>${all.map((at) => {
    const [left, top, w, h, round] = outline(map, at);
    const who = PAWNS.filter((pawn) => now["pawns"][pawn] === at).map((pawn) => name("pawn_name", pawn)).join(", ");
    if (!open.includes(at)) return svg`<rect class="touch" data-place=${at} aria-hidden="true" x=${left} y=${top} width=${w} height=${h} rx=${round} />`;
    return svg`<rect class="touch" data-place=${at} role="button" tabindex=${at === open[stop] ? 0 : -1} aria-pressed=${choice ? (now["pawns"][touched] === at ? "true" : "false") : nothing} aria-label=${`${thing("square", at)}${who ? `: ${who}` : ""}`} x=${left} y=${top} width=${w} height=${h} rx=${round} />`;
  })}</g>`;
}

/** Where a place can be touched. @param {Map_} map @param {number} at @returns {[number, number, number, number, number]} */
function outline(map, at) {
  const [x, y] = middle(map, at);
  const [, , castle] = map.castle;
  const [, , ship] = map.ship;
  if (at === CASTLE) return [x - 116 * castle, y - 142 * castle, 232 * castle, 192 * castle, 20];
  if (at === SHIP) return [x - 140 * ship, y - 70 * ship, 280 * ship, 170 * ship, 30];
  return [x - map.round, y - map.round * 0.84, map.round * 2, map.round * 1.76, map.round * 0.84];
}

/** The arrows go from one place to the next. @param {KeyboardEvent} event */
function alongThePath(event) {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  const squares = [.../** @type {SVGElement} */ (event.currentTarget).querySelectorAll("[data-place][role]")];
  const here = squares.indexOf(/** @type {SVGElement} */ (event.target));
  if (!step || here < 0) return;
  event.preventDefault();
  /** @type {SVGElement | undefined} */ (squares[here + step])?.focus();
}

/** Something on the board, in words. @param {string} sort @param {any} value */
function thing(sort, value) {
  if (sort === "pawn") return name("pawn_name", value);
  return value === CASTLE ? _("the castle") : value === SHIP ? _("the ship") : where(value);
}

// -- signs on the map -------------------------------------------------------------------------------------------------

/** What's compared in a place, and how it ends. @param {Map_} map @param {number} width @param {{place: number, force?: number, children?: number, sign: string}} clash */
function clashSign(map, width, { place: at, force, children, sign: outcome }) {
  const [mx, my] = middle(map, at);
  const x = Math.min(Math.max(mx, 108), width - 108);
  const below = at !== SHIP && my < 180; // under the square if there's no room above it
  const y = below ? my + map.round + 29 : my - (at === SHIP ? 90 : 66 + map.round);
  const words = { safe: _("Three together!"), caught: _("Caught!"), riddle: _("A duel?"), last: _("Last turn!") }[outcome] ?? "";
  const between = outcome === "equal" ? "=" : outcome === "holds" ? "<" : "";
  return svg`<g class="clash" transform=${`translate(${x} ${y})`}><path class="paper" d=${below ? "M-100-30H-14L0-46L14-30H100V26H-100Z" : "M-100-30H100V26H14L0 44L-14 26H-100Z"} />
    ${words
      ? svg`<text class="said" y="9">${words}</text>`
      : svg`<g transform="translate(-70 4) scale(1.25)">${hatSign()}</g><text x="-34" y="10">${force}</text>${between ? svg`<text y="10">${between}</text>` : svg`<path class="blades" d="M-13 12L11-14M13 12L-11-14M-15 5l8 8M15 5l-8 8" />`}
        <text x="36" y="10">${children}</text><g transform="translate(70 0) scale(1.3)">${headSign()}</g>`}
  </g>`;
}

/** Before the first move, everyone can look at the forces. @param {Desk} desk @param {Map_} map @param {Scene} now */
function remember({ shape }, map, now) {
  const opening = now["memory"] && PIRATES.every((pawn) => now["shown"].includes(pawn)) && Object.values(now["pawns"]).every((at) => at === CASTLE);
  if (!opening) return nothing;
  const [x, y] = map.castle;
  const [w, h] = shape === "wide" ? [330, 84] : [420, 96];
  const [left, top] = shape === "wide" ? [x - 116, y + 34] : [x - 100, y + 26];
  return svg`<g class="remember" transform=${`translate(${left} ${top})`}><path class="paper" d=${`M0 0H60L72-18L84 0H${w}V${h}H0Z`} />
    <text x=${w / 2} y=${h * 0.42}>${_("Remember the forces well:")}</text><text x=${w / 2} y=${h * 0.8}>${_("soon they turn their backs.")}</text></g>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = {
  size: { wide: [1300, 540], tall: [720, 820] },
  opens: ["last-turn", ...THROWS],
  scene, step, eve, draw, hand, ask, verb, rule, warn, thing, standing, crew, sheet,
  toPreview: (choice) => choice.action,
};
