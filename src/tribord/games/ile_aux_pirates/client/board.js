/** L'Île aux Pirates: the castle, the winding path, the ship; dice that roll, children who run, pirates who turn their backs. */
import { lead } from "/page/app.js";
import { html, nothing, repeat, svg } from "/page/lit.js";
import { place } from "/page/drawing/place.js";
import { sea, splash } from "/page/drawing/sea.js";
import { _, capital, local, name, ngettext } from "/page/words.js";
import { die as drawnDie } from "./dice.js";
import { CASTLE, SHIP, MAPS, curve, hull, land, middle, numbers, stand, vessel, way } from "./island.js";
import { CHILDREN, PAWNS, PIRATES, crewOf, figure, isPirate, sign } from "./pawn.js";
import { STRIDE, TUMBLE, walk } from "./walk.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./island.js").Point} Point */

const COLOURS = ["blue", "green", "red", "yellow"];

/** Where the dice and the players are, beside the map. */
const LAYOUT = {
  wide: { tray: [1052, 366, 240, 162], size: 0.84, step: 74, list: [1052, 14], columns: 1, line: [240, 40], notes: [1172, 312], sailed: [26, 4] },
  tall: { tray: [6, 592, 306, 106], size: 0.92, step: 88, list: [318, 592], columns: 2, line: [195, 33], notes: [16, 583], sailed: [10, 8] },
};

// -- the scene --------------------------------------------------------------------------------------------------------

/** @param {import("/page/contract.js").View} view @returns {Scene} */
function scene(view) {
  return {
    game: view["game"],
    players: view["players"],
    hard: view["hard"],
    memory: view["memory"],
    phase: view["phase"],
    turn: view["turn"],
    pawns: view["pawns"],
    forces: view["forces"],
    shown: view["shown"],
    dice: view["dice"],
    pirateDice: view["pirate_dice"],
    childDice: view["child_dice"],
    spent: view["spent"],
    turnsLeft: view["turns_left"] ?? null,
    walked: null, // {pawn, from, to}: who is on the way
    used: null, // {die, pawn}: the die that was just used, and who took it
    rolls: false, // the dice are in the air
    sunk: 0, // the die that nobody could take, and that has just gone overboard
    clash: null, // {place, force, children, sign}: what is compared there
  };
}

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
function step(before, { kind, fields }) {
  const now = { ...before, walked: null, used: null, rolls: false, sunk: 0, clash: null };
  const pawn = PAWNS[fields["pawn"] ?? 0] ?? "";
  const { square = 0, force = 0, children = 0, die = 0 } = fields;
  const clash = (/** @type {string} */ outcome) => ({ place: square, force: before["clash"]?.force, children: before["clash"]?.children, sign: outcome });
  switch (kind) {
    case "force":
    case "shows":
      return { scene: { ...now, clash: before["clash"], forces: { ...before["forces"], [pawn]: force }, shown: [...before["shown"], pawn] }, cue: { sound: "paper", ms: 700 } };
    case "face-down": // they are still to be seen until somebody moves, so that everybody has the time to look
      return { scene: now, cue: { sound: "knock", ms: 1200 } };
    case "starts":
      return { scene: { ...now, turn: COLOURS[fields["colour"] ?? 0] }, cue: { sound: "bell", ms: 700 } };
    case "last-turn":
      return { scene: now, cue: { sound: "bell", big: true } };
    case "throws":
    case "throws-alone":
    case "throws-base":
    case "throws-two": {
      const dice = [fields["one"], fields["two"], fields["three"]].filter(Boolean);
      const colour = fields["colour"] ?? fields["hue"];
      const turn = colour === undefined ? fields["player"] : COLOURS[colour];
      return { scene: { ...now, turn, dice, pirateDice: 1, childDice: dice.length - 1, spent: [], rolls: true, phase: "moving" }, cue: { sound: "dice", ms: 1000, roll: true } };
    }
    case "leaves-castle":
    case "moves":
    case "boards": {
      const from = before["pawns"][pawn] ?? CASTLE;
      const to = kind === "boards" ? SHIP : (fields["goal"] ?? SHIP);
      const pawns = { ...before["pawns"], [pawn]: to };
      const left = [...before["dice"]];
      left.splice(left.indexOf(die), 1);
      const used = isPirate(pawn) ? { pirateDice: 0 } : { childDice: Math.max(0, before["childDice"] - 1) };
      // With the first step ashore pirates turn their backs again; whoever is aboard shows his force.
      const shown = before["memory"] ? PIRATES.filter((one) => pawns[one] === SHIP) : before["shown"];
      const moved = { ...now, ...used, pawns, shown, dice: left, spent: [...before["spent"], pawn], walked: { pawn, from, to }, used: { die, pawn } };
      return { scene: moved, cue: { sound: "knock", ms: 300 + STRIDE * (to - from) } };
    }
    case "captured":
    case "sent-back": {
      const spent = before["spent"].includes(pawn) ? before["spent"] : [...before["spent"], pawn];
      return { scene: { ...now, clash: before["clash"] ?? { place: square, sign: "caught" }, pawns: { ...before["pawns"], [pawn]: CASTLE }, spent, walked: { pawn, from: square, to: CASTLE } }, cue: { sound: "splash", ms: TUMBLE } };
    }
    case "safe":
      return { scene: { ...now, clash: { place: square, sign: "safe" } }, cue: { sound: "knock", ms: 900 } };
    case "duel":
      return { scene: { ...now, clash: { place: square, force, children, sign: "duel" } }, cue: { sound: "knock", ms: 900 } };
    case "standoff":
      return { scene: { ...now, clash: clash("equal") }, cue: { sound: "knock", ms: 800 } };
    case "holds":
      return { scene: { ...now, clash: clash("holds") }, cue: { sound: "knock", ms: 800 } };
    case "die-lost": {
      const left = [...before["dice"]];
      left.splice(left.indexOf(die), 1);
      return { scene: { ...now, dice: left, sunk: die }, cue: { sound: "splash", ms: 700 } };
    }
    case "ship-held":
      return { scene: { ...now, clash: { place: SHIP, force, children, sign: "duel" } }, cue: { sound: "knock", ms: 900 } };
    case "ship-taken":
      return { scene: { ...now, phase: "lost", dice: [], clash: { place: SHIP, force, children, sign: "duel" } }, cue: { sound: "splash", depth: 4, ms: 1200 } };
    case "pirate-first":
      return { scene: { ...now, phase: "lost", dice: [] }, cue: { sound: "splash", depth: 4, ms: 1200 } };
    case "escaped":
    case "home":
      return { scene: { ...now, phase: "won", dice: [] }, cue: { sound: "fanfare", ms: 1200 } };
    case "late":
      return { scene: { ...now, phase: "out-of-turns", dice: [], turnsLeft: 0 }, cue: { sound: "bell", ms: 1200 } };
    default:
      return { scene: now, cue: { ms: 240 } };
  }
}

/** Before the first throw, and before anybody has shown his force. @param {Scene} now @returns {Scene} */
function eve(now) {
  return { ...now, dice: [], shown: [], forces: {} };
}

// -- looking ahead ----------------------------------------------------------------------------------------------------

/** @param {Choice} choice */
function foresee(choice) {
  return choice.action;
}

/**
 * What the choice would lead to, as far as one may look: where forces are to be remembered, a look ahead must not be a look
 * at the forces, so it ends where they would be compared.
 * @param {Desk} desk
 */
function ahead({ scene: now, foreseen }) {
  const events = foreseen?.events ?? [];
  if (!now["memory"]) return { events, riddle: null };
  const turned = events.findIndex(({ kind, fields }) => kind === "shows" || (kind === "boards" && isPirate(PAWNS[fields["pawn"] ?? 0] ?? "")));
  if (turned < 0) return { events, riddle: null };
  const compared = events.slice(turned).find(({ kind }) => kind === "duel");
  const boards = events[turned]?.kind === "boards";
  return { events: events.slice(0, boards ? turned + 1 : turned), riddle: boards ? SHIP : (compared?.fields["square"] ?? null) };
}

// -- the drawing ------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function draw(desk) {
  const { shape, scene: now } = desk;
  const [at, map] = [LAYOUT[shape], MAPS[shape]];
  const [width, height] = board.size[shape];
  const won = now["phase"] === "won";
  /** @type {Point} */
  const sailed = won ? [at.sailed[0] ?? 0, at.sailed[1] ?? 0] : [0, 0];
  const look = ahead(desk);
  const spots = roomy(map, now["pawns"] ?? {}, sailed, desk.choice ? look.events : []);
  const fate = won ? "won" : now["phase"] === "lost" ? "lost" : "waits";
  const [sx, sy, size] = map.ship;
  return svg`<g class="ile">
    ${sea(0, -300, width + 1600, height + 600)}
    ${land(map, `ile-${shape}`)}
    <g class="moves" ${place(sx + sailed[0], sy + sailed[1], size)}>${vessel(fate)}</g>
    ${trail(desk, map, look)}
    ${numbers(map)}
    <g aria-hidden="true">${repeat(PAWNS.filter((pawn) => pawn in (now["pawns"] ?? {})), (pawn) => pawn, (pawn) => piece(desk, map, spots, pawn))}</g>
    <g class="moves" ${place(sx + sailed[0], sy + sailed[1], size)}>${hull()}</g>
    ${now["game"] === "strategic" ? muster(map, now, sailed) : nothing}
    ${preview(desk, map, look)}
    ${squareTargets(desk, map)}
    ${now["clash"] ? clashSign(map, width, now["clash"]) : nothing}
    ${look.riddle === null ? nothing : clashSign(map, width, { place: look.riddle, sign: "riddle" })}
    ${remember(desk, map, now)}
    ${tray(desk, at)}
    ${players(desk, at)}
    ${notes(desk, at)}
  </g>`;
}

/**
 * Where every pawn stands; whoever is on the square that the move in these events leads to makes room.
 * @param {import("./island.js").Map_} map @param {Record<string, number>} pawns @param {Point} sailed @param {GameEvent[]} events
 */
function roomy(map, pawns, sailed, events) {
  const spots = stand(map, pawns, sailed);
  for (const { pawn, to } of events.flatMap((event) => moveOf(event) ?? [])) {
    for (const [other, spot] of stand(map, { ...pawns, [pawn]: to }, sailed)) if (other !== pawn && pawns[other] === to) spots.set(other, spot);
  }
  return spots;
}

/** Who goes where in an event, or null. @param {GameEvent} event */
function moveOf({ kind, fields }) {
  if (!["leaves-castle", "moves", "boards"].includes(kind)) return null;
  return { pawn: PAWNS[fields["pawn"] ?? 0] ?? "", to: kind === "boards" ? SHIP : (fields["goal"] ?? SHIP) };
}

/** A pawn, wherever it is. @param {Desk} desk @param {import("./island.js").Map_} map @param {Map<string, import("./island.js").Spot>} spots @param {string} pawn */
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
    <ellipse class="foot" rx="27" ry="9" />${figure(pawn, force)}
    ${spent ? svg`<g class="tick" transform="translate(22 -80)"><circle r="12" /><path d="M-5 0l4 5l7-9" /></g>` : nothing}
  </g>`;
}

/** How it stands on the ship: the children aboard must be more than the force aboard (I15). @param {import("./island.js").Map_} map @param {Scene} now @param {Point} sailed */
function muster(map, now, [dx, dy]) {
  const aboard = (/** @type {string[]} */ pawns) => pawns.filter((pawn) => now["pawns"][pawn] === SHIP);
  const force = aboard(PIRATES).reduce((sum, pirate) => sum + (now["forces"][pirate] ?? 0), 0);
  const [x, y, scale] = map.ship;
  return svg`<g class="muster moves" ${place(x + dx - 6, y + dy + 24 * scale, scale)}><rect x="-62" y="-17" width="124" height="34" rx="8" />
    <g transform="translate(-44 0)">${headSign()}</g><text x="-14" y="9">${aboard(CHILDREN).length}</text>
    <g transform="translate(16 0)">${hatSign()}</g><text x="46" y="9">${force}</text></g>`;
}

/** A child's head, as a sign. */
function headSign() {
  return svg`<g class="head-sign"><circle class="head" r="11" /><path class="hair dark" d="M-11-2C-13-15 13-15 11-2C5-7-5-7-11-2Z" /><circle class="dot" cx="-4" cy="1" r="1.7" /><circle class="dot" cx="4" cy="1" r="1.7" /></g>`;
}

/** A pirate's hat, as a sign. */
function hatSign() {
  return svg`<path class="hat-sign" d="M-17 6C-14-2-9-4-7-3C-5-15 5-15 7-3C9-4 14-2 17 6C8 1-8 1-17 6Z" />`;
}

/** @typedef {{events: GameEvent[], riddle: number | null}} Look */

/** The moves that are looked ahead at: who, where to, and the way there. @param {Desk} desk @param {import("./island.js").Map_} map @param {Look} look */
function intended({ scene: now, choice }, map, { events }) {
  if (!choice) return [];
  return events.flatMap((event) => {
    const move = moveOf(event);
    if (!move) return [];
    const { pawn, to } = move;
    const spot = stand(map, { ...now["pawns"], [pawn]: to }).get(pawn) ?? [0, 0, 1];
    const points = [...way(map, now["pawns"][pawn] ?? CASTLE, to).slice(0, -1), /** @type {Point} */ ([spot[0], spot[1] - 6])];
    return [{ pawn, spot, points }];
  });
}

/** The way the move that is meant would take, under the numbers and under everybody's feet. @param {Desk} desk @param {import("./island.js").Map_} map @param {Look} look */
function trail(desk, map, look) {
  return intended(desk, map, look).map(({ points }) => svg`<path class="arrow under" d=${curve(points)} /><path class="arrow" d=${curve(points)} />`);
}

/** Where the move that is meant would lead, and who would be sent back. @param {Desk} desk @param {import("./island.js").Map_} map @param {Look} look */
function preview(desk, map, look) {
  const { scene: now, choice } = desk;
  if (!choice) return nothing;
  const ghosts = intended(desk, map, look).map(({ pawn, spot }) => svg`<g class="ghost" transform=${`translate(${spot[0]} ${spot[1]}) scale(${spot[2]})`}><ellipse class="foot" rx="30" ry="10" />${figure(pawn, isPirate(pawn) && now["shown"].includes(pawn) ? now["forces"][pawn] : null)}</g>`);
  const falls = look.events.map(({ kind, fields }) => {
    if (kind === "captured" || kind === "sent-back") {
      const [x, y] = middle(map, fields["square"] ?? 1);
      const [u, v] = middle(map, CASTLE);
      const bow = `M${x} ${y - 40}Q${(x + u) / 2} ${Math.min(y, v) - 110} ${u + 60} ${v - 40}`;
      return svg`<path class="arrow under" d=${bow} /><path class="arrow back" d=${bow} /><path class="arrow-head" d=${`M${u + 80} ${v - 66}L${u + 58} ${v - 39}L${u + 92} ${v - 38}`} />`;
    }
    return nothing;
  });
  return [ghosts, falls];
}

/**
 * Squares whose pawns may take a die: a touch takes the first of them, another touch the next. The hand has every pawn too, so
 * all squares together are one stop for the Tab key, and the arrows go along the path.
 * @param {Desk} desk @param {import("./island.js").Map_} map
 */
function squareTargets(desk, map) {
  const { choice, scene: now } = desk;
  if (!choice) return nothing;
  const may = choice.values("pawn");
  const places = [...new Set(may.map((pawn) => now["pawns"][pawn]))].sort((a, b) => a - b);
  const touched = choice.touchedValue("pawn");
  const stop = Math.max(0, places.indexOf(now["pawns"][touched]));
  return svg`<g role="group" aria-label=${_("Who may move")} @keydown=${alongThePath}>${places.map((at, i) => {
    const here = may.filter((pawn) => now["pawns"][pawn] === at);
    const touch = () => desk.pick("pawn", here[(here.indexOf(touched) + 1) % here.length]);
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      touch();
      if (here.length === 1) lead(event, choice.settled["die"] === undefined ? "[data-die]" : ".act .primary");
    };
    const [x, y] = middle(map, at);
    const scale = map.castle[2];
    const [left, top, width, height, round] = at === CASTLE ? [x - 116 * scale, y - 142 * scale, 232 * scale, 192 * scale, 20] : [x - map.round - 2, y - 68, map.round * 2 + 4, 68 + map.round, 30];
    const who = here.map((pawn) => name("pawn_name", pawn)).join(", ");
    const label = at === CASTLE ? _("On the castle: {pawns}.", { pawns: who }) : _("Square {square}: {pawns}.", { square: at, pawns: who });
    return svg`<rect class="touch" data-place=${at} role="button" tabindex=${i === stop ? 0 : -1} aria-pressed=${here.includes(touched) ? "true" : "false"} aria-label=${label} x=${left} y=${top} width=${width} height=${height} rx=${round} @click=${touch} @keydown=${press} />`;
  })}</g>`;
}

/** The arrows go from one square to the next. @param {KeyboardEvent} event */
function alongThePath(event) {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  const squares = [.../** @type {SVGElement} */ (event.currentTarget).querySelectorAll("[data-place]")];
  const here = squares.indexOf(/** @type {SVGElement} */ (event.target));
  if (!step || here < 0) return;
  event.preventDefault();
  /** @type {SVGElement | undefined} */ (squares[here + step])?.focus();
}

/** What is compared on a place, and how it ends. @param {import("./island.js").Map_} map @param {number} width @param {{place: number, force?: number, children?: number, sign: string}} clash */
function clashSign(map, width, { place: at, force, children, sign: outcome }) {
  const [mx, my] = middle(map, at);
  const x = Math.min(Math.max(mx, 108), width - 108);
  const below = at !== SHIP && my < 150; // under the square where there is no room above it
  const y = below ? my + 76 : my - (at === SHIP ? 90 : 112);
  const words = outcome === "safe" ? _("Three together!") : outcome === "caught" ? _("Caught!") : outcome === "riddle" ? _("A duel?") : "";
  const between = outcome === "equal" ? "=" : outcome === "holds" ? "<" : "";
  return svg`<g class="clash" transform=${`translate(${x} ${y})`}><path class="paper" d=${below ? "M-100-30H-14L0-46L14-30H100V26H-100Z" : "M-100-30H100V26H14L0 44L-14 26H-100Z"} />
    ${words
      ? svg`<text class="said" y="9">${words}</text>`
      : svg`<g transform="translate(-70 4) scale(1.25)">${hatSign()}</g><text x="-34" y="10">${force}</text>${between ? svg`<text y="10">${between}</text>` : svg`<path class="blades" d="M-13 12L11-14M13 12L-11-14M-15 5l8 8M15 5l-8 8" />`}
        <text x="36" y="10">${children}</text><g transform="translate(70 0) scale(1.3)">${headSign()}</g>`}
  </g>`;
}

/** Before the first move the forces are there to be looked at. @param {Desk} desk @param {import("./island.js").Map_} map @param {Scene} now */
function remember({ shape }, map, now) {
  const opening = now["memory"] && PIRATES.every((pawn) => now["shown"].includes(pawn)) && Object.values(now["pawns"]).every((at) => at === CASTLE);
  if (!opening) return nothing;
  const [x, y] = map.castle;
  const [w, h] = shape === "wide" ? [330, 84] : [420, 96];
  const [left, top] = shape === "wide" ? [x - 116, y + 26] : [x - 100, y + 12];
  return svg`<g class="remember" transform=${`translate(${left} ${top})`}><path class="paper" d=${`M0 0H60L72-18L84 0H${w}V${h}H0Z`} />
    <text x=${w / 2} y=${h * 0.42}>${_("Remember the forces well:")}</text><text x=${w / 2} y=${h * 0.8}>${_("soon they turn their backs.")}</text></g>`;
}

// -- the dice and the players -----------------------------------------------------------------------------------------

/** The dice that are left, and for whom. @param {Desk} desk @param {typeof LAYOUT.wide} at */
function tray(desk, at) {
  const { scene: now, choice, shape } = desk;
  const [x = 0, y = 0, w = 0, h = 0] = at.tray;
  const map = MAPS[shape];
  /** @type {number[]} */
  const dice = now["dice"] ?? [];
  const tally = new Map();
  const keyed = dice.map((value) => {
    const nth = tally.get(value) ?? 0;
    tally.set(value, nth + 1);
    return { value, nth, key: `${value}-${nth}` };
  });
  const used = now["used"];
  const gone = used?.die ?? now["sunk"];
  const flying = gone ? [{ value: gone, nth: -1, key: `${gone}-${tally.get(gone) ?? 0}` }] : [];
  const wide = shape === "wide";
  const titled = wide && now["turnsLeft"] === null; // where the turns are counted there is no room for a word
  const base = wide ? y + h - 20 - 40 * at.size : y + h / 2;
  const spot = (/** @type {number} */ i) => x + w / 2 + (wide ? 0 : 18) + (i - 1) * at.step;
  /** @type {Point} */
  const overboard = wide ? [x - 40, y + h - 50] : [x + 380, y - 30];
  const jobs = [...Array(now["pirateDice"] ?? 0).fill("pirate"), ...Array(now["childDice"] ?? 0).fill("child")];
  return svg`<g class="tray"><rect class="box" x=${x} y=${y} width=${w} height=${h} rx="14" /><rect class="felt" x=${x + 8} y=${y + 8} width=${w - 16} height=${h - 16} rx="9" />
    ${dice.length === 0 && !gone ? svg`<text class="empty" x=${x + w / 2} y=${y + h / 2 + 8}>${_("The dice rest.")}</text>` : nothing}
    ${jobs.length && dice.length ? svg`<g aria-hidden="true">${titled ? svg`<text class="for" x=${x + 22} y=${y + 43}>${_("for")}</text>` : nothing}${jobs.map((job, i) => svg`<g transform=${wide ? `translate(${x + (titled ? 96 : 32) + i * (titled ? 46 : 40)} ${y + 36}) scale(1.1)` : `translate(${x + 26} ${y + h / 2 + (i - (jobs.length - 1) / 2) * 28}) scale(0.9)`}>${job === "pirate" ? hatSign() : headSign()}</g>`)}</g>` : nothing}
    ${now["turnsLeft"] === null ? nothing : hourglass(now["turnsLeft"], wide ? [x + w - 58, y + 36] : [646, 396])}
    ${repeat([...keyed, ...flying], ({ key }) => key, ({ value, nth }, i) => {
      if (nth < 0) {
        // A die that was used goes along with its pawn, one that nobody could take goes overboard.
        const [ux, uy] = used ? middle(map, now["pawns"][used.pawn]) : overboard;
        return svg`<g class=${`die-spot moves ${used ? "" : "falls"}`} aria-hidden="true" ${used ? place(ux + 40, uy - 62, 0.42) : place(ux, uy, 0.3, 200)}>${drawnDie(value)}</g>`;
      }
      return dieSpot(desk, value, spot(i + (3 - dice.length) / 2), base, at.size, choice?.settled["die"] === value && keyed.findIndex((d) => d.value === value) === i);
    })}
    ${now["sunk"] ? splash(...overboard) : nothing}</g>`;
}

/** The turns that are left. @param {number} turns @param {Point} at */
function hourglass(turns, [x, y]) {
  return svg`<g class="sand" transform=${`translate(${x} ${y})`}><rect x="-46" y="-20" width="92" height="40" rx="10" /><path class="glass" d="M-37-13H-19L-26 0L-19 13H-37L-30 0Z" /><text x="14" y="9">${turns}</text></g>`;
}

/** A die in the tray. @param {Desk} desk @param {number} value @param {number} x @param {number} y @param {number} size @param {boolean} on */
function dieSpot(desk, value, x, y, size, on) {
  const { choice, scene: now } = desk;
  const rolls = now["rolls"];
  const inside = svg`<g class=${rolls ? "rolling" : ""}>${drawnDie(value, rolls)}</g>`;
  if (!choice?.offers("die", value)) return svg`<g class="die-spot moves" ${place(x, y, size)} aria-hidden="true">${inside}</g>`;
  const touch = () => desk.pick("die", value);
  const next = choice.settled["pawn"] === undefined ? "[data-pawn]:not([disabled])" : ".act .primary";
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch();
    lead(event, next);
  };
  return svg`<g class=${`die-spot moves offered ${on ? "on" : ""}`} ${place(x, y, size)} role="button" tabindex="0" data-die=${value} aria-pressed=${choice.settled["die"] === value ? "true" : "false"} aria-label=${_("Die: {die}", { die: value })} @click=${touch} @keydown=${press}>
    <rect class="ring" x="-48" y="-48" width="96" height="96" rx="20" />${inside}</g>`;
}

/** Who plays which colour, how many of it are aboard, whose turn it is. @param {Desk} desk @param {typeof LAYOUT.wide} at */
function players(desk, at) {
  const now = desk.scene;
  const [left = 0, top = 0] = at.list;
  const [w = 0, h = 0] = at.line;
  const wide = at.columns === 1;
  const person = (/** @type {number} */ seat) => (seat === desk.seat ? _("You") : desk.name(seat));
  const tally = (/** @type {string} */ crew) => {
    const all = CHILDREN.filter((pawn) => crewOf(pawn) === crew && pawn in now["pawns"]);
    return `${all.filter((pawn) => now["pawns"][pawn] === SHIP).length}/${all.length}`;
  };
  /** @type {{sign: any, who: string, count: string, turn: boolean, mine: boolean}[]} */
  const lines = now["game"] === "strategic"
    ? [...COLOURS.map((crew, i) => ({ sign: sign(crew), who: now["players"] === 1 ? name("colour", crew) : i < now["players"] ? person(i) : _("neutral"), count: tally(crew), turn: now["turn"] === crew, mine: now["players"] === 1 || i === desk.seat })), { sign: sign("brown"), who: _("shared"), count: tally("brown"), turn: false, mine: false }]
    : Array.from({ length: now["players"] ?? 0 }, (_none, seat) => ({ sign: null, who: person(seat), count: "", turn: now["turn"] === seat, mine: seat === desk.seat }));
  const letter = wide ? 10.5 : 11.8;
  return lines.map((line, i) => {
    const x = left + (i % at.columns) * (w + 6);
    const y = top + Math.floor(i / at.columns) * (h + (wide ? 8 : 3.5));
    const room = w - (line.sign ? 96 : 40);
    // A name that is a little too long is set closer, so that what tells it from the others is not lost; then it is cut.
    const most = Math.floor((room / letter) * 1.3);
    const short = line.who.length > most ? `${line.who.slice(0, most - 1)}…` : line.who;
    const width = short.length * letter > room ? room : nothing;
    return svg`<g class=${`player ${line.turn ? "turn" : ""} ${line.mine ? "mine" : ""}`} transform=${`translate(${x} ${y})`}><rect width=${w} height=${h} rx="12" />
      ${line.sign ? svg`<g transform=${`translate(19 ${h / 2}) scale(0.28)`}>${line.sign}</g>` : svg`<g transform=${`translate(20 ${h / 2})`}><path class="mark" d="M-6-9L9 0L-6 9Z" /></g>`}
      <text x=${line.sign ? 37 : 36} y=${h / 2 + 8} textLength=${width} lengthAdjust="spacingAndGlyphs">${short}</text>${line.count ? svg`<text class="count" x=${w - 8} y=${h / 2 + 8}>${line.count}</text>` : nothing}</g>`;
  });
}

/** Which game this is. @param {Desk} desk @param {typeof LAYOUT.wide} at */
function notes({ scene: now }, at) {
  const said = now["game"] === "strategic"
    ? [_("Strategic game"), now["memory"] ? _("by memory") : "", now["hard"] ? _("hard") : "", "brown-4" in now["pawns"] ? _("a fourth brown child") : ""].filter(Boolean)
    : [_("Base game")];
  const [x = 0, y = 0] = at.notes;
  if (at.columns === 2) return svg`<text class="notes" x=${x} y=${y}>${capital(said.slice(said.length > 2 ? 1 : 0).join(", "))}</text>`;
  return svg`<text class="notes middle" x=${x} y=${y}>${said.slice(0, 2).join(", ")}${said.length > 2 ? "," : ""}</text><text class="notes middle" x=${x} y=${y + 28}>${said.slice(2).join(", ")}</text>`;
}

// -- the hand ---------------------------------------------------------------------------------------------------------

/** Whom this seat may care for: brown ones, its own, the pirates, and whoever else may take a die now. @param {Desk} desk */
function roster({ scene: now, seat, choice }) {
  const pawns = now["pawns"] ?? {};
  const colour = now["players"] === 1 ? now["turn"] : COLOURS[seat];
  return PAWNS.filter((pawn) => pawn in pawns && pawns[pawn] !== SHIP && (["brown", "pirate", colour].includes(crewOf(pawn)) || choice?.offers("pawn", pawn)));
}

/** @param {Desk} desk */
function hand(desk) {
  const { choice, scene: now, seat } = desk;
  if (seat < 0 || !now["pawns"] || ["won", "lost", "out-of-turns"].includes(now["phase"])) return nothing;
  const { events, riddle } = ahead(desk);
  const pawns = roster(desk);
  const chip = (/** @type {string} */ pawn) => {
    const at = now["pawns"][pawn];
    const on = choice?.settled["pawn"] === pawn;
    const force = isPirate(pawn) && now["shown"].includes(pawn) ? now["forces"][pawn] : null;
    const where = at === CASTLE ? _("on the castle") : _("on square {square}", { square: at });
    const next = choice?.settled["die"] === undefined ? "[data-die]" : ".act .primary";
    return html`<button class=${`chip-pawn ${on ? "on" : ""}`} ?disabled=${!choice?.offers("pawn", pawn)} aria-pressed=${on ? "true" : "false"} aria-label=${`${capital(name("pawn", pawn))}, ${where}`} data-pawn=${pawn}
      @click=${(/** @type {Event} */ event) => {
        desk.pick("pawn", pawn);
        lead(event, next);
      }}>
      <svg viewBox=${frame(pawn)} aria-hidden="true">${figure(pawn, force)}</svg><span>${name("pawn_name", pawn)}</span>${at === CASTLE ? nothing : html`<b>${at}</b>`}</button>`;
  };
  const outlook = choice ? events.filter(({ kind }) => TELLING.has(kind)).map((event) => local(event)) : [];
  if (choice && !choice.touched.length) outlook.push(choice.action === null ? todo(now) : _("There is no other choice."));
  if (choice && riddle !== null) outlook.push(riddle === SHIP ? _("The ship: will the children aboard outnumber his force?") : _("A duel on square {square}: do you remember the forces?", { square: riddle }));
  const columns = pawns.length <= 5 ? Math.max(pawns.length, 3) : pawns.length === 6 ? 3 : pawns.length <= 8 ? 4 : 5;
  return html`<div class=${`ile ile-hand in-${columns} ${pawns.length > 5 ? "rows" : ""} ${choice ? "" : "idle"}`}><div class="pawns" role="group" aria-label=${_("Who may move")}>${pawns.map(chip)}</div>
    <p class="outlook" aria-live="polite">${outlook.join(" ")}</p></div>`;
}

/** What a pawn alone fills, hats and hooks included. @param {string} pawn */
const frame = (pawn) => (isPirate(pawn) ? "-46 -112 92 116" : "-40 -88 80 92");

/** For whom the dice are that are left: at most two are for children. @param {Scene} now */
function todo(now) {
  const children = now["childDice"];
  if (!now["pirateDice"]) return ngettext("Still to move: one child.", "Still to move: two children.", children);
  if (!children) return _("Still to move: a pirate.");
  return ngettext("Still to move: a pirate and a child.", "Still to move: a pirate and two children.", children);
}

/** What is worth saying before one commits. */
const TELLING = new Set(["captured", "safe", "duel", "standoff", "holds", "sent-back", "die-lost", "ship-held", "ship-taken", "pirate-first", "escaped", "home", "late"]);

/** @param {Choice} choice */
function ask(choice) {
  const { die, pawn } = choice.settled;
  if (choice.action !== null) return local(choice.cards[choice.action] ?? { fr: "", en: "" }) + ".";
  if (choice.touchedValue("die") !== undefined) return _("Who takes the {die}?", { die });
  if (choice.touchedValue("pawn") !== undefined) return _("Which die does {pawn} take?", { pawn: name("pawn_name", pawn) });
  const may = choice.values("pawn");
  if (may.every(isPirate)) return _("What is left is for a pirate. Who takes it?");
  if (!may.some(isPirate)) return _("What is left is for the children. Who takes it?");
  return _("Touch a pawn, and the die it takes.");
}

/** @param {Choice} choice @param {Scene} now */
function rule(choice, now) {
  if (choice.action === null) return "I2";
  return now["game"] === "strategic" ? "I14" : "I7";
}

/** The sheet: who is home, and who is not; all win or all lose. @param {import("/page/contract.js").View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
function sheet(view, who) {
  const strategic = view["game"] === "strategic";
  const crews = strategic ? [...COLOURS, "brown"] : ["brown"];
  const children = CHILDREN.filter((pawn) => pawn in view["pawns"]);
  const aboard = (/** @type {string[]} */ pawns) => pawns.filter((pawn) => view["pawns"][pawn] === SHIP);
  const where = (/** @type {number} */ at) => (at === SHIP ? _("aboard") : at === CASTLE ? _("on the castle") : _("square {square}", { square: at }));
  const owner = (/** @type {string} */ crew) => {
    const seat = COLOURS.indexOf(crew);
    if (!strategic) return _("Children");
    return crew === "brown" ? _("shared") : view["players"] === 1 ? who(0) : seat < view["players"] ? who(seat) : _("neutral");
  };
  const force = aboard(PIRATES).reduce((sum, pirate) => sum + (view["forces"][pirate] ?? 0), 0);
  const mini = (/** @type {string} */ pawn, /** @type {number | null} */ value, told = true) => html`<span class="who-where"><svg viewBox=${frame(pawn)} aria-hidden="true">${figure(pawn, value)}</svg><span>${name("pawn_name", pawn)}${told ? html`, <span class="where">${where(view["pawns"][pawn])}</span>` : nothing}</span></span>`;
  return html`<div class="ile"><p class="together">${ngettext("{count} child of {all} aboard,", "{count} children of {all} aboard,", aboard(children).length, { all: children.length })} ${!aboard(PIRATES).length ? _("and no pirate.") : strategic ? _("against a force of {force}.", { force }) : _("and the pirate.")}</p>
    <table class="sheet-table ile-sheet"><caption class="unseen">${_("Who got where")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th><th scope="col">${_("Who got where")}</th><th scope="col">${_("Aboard")}</th></tr></thead>
    <tbody>${crews.map((crew) => {
      const all = children.filter((pawn) => crewOf(pawn) === crew);
      const home = aboard(all).length === all.length;
      return html`<tr class=${home ? "winner" : ""}><th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${sign(crew)}</svg> ${owner(crew)}</th>
        <td>${all.map((pawn) => mini(pawn, null, !home))}</td><td class="sum">${aboard(all).length}/${all.length}</td></tr>`;
    })}
    <tr><th scope="row"><svg class="mini" viewBox="-20 -20 40 40" aria-hidden="true">${hatSign()}</svg> ${strategic ? _("Pirates") : _("Pirate")}</th><td>${Object.entries(view["forces"]).map(([pirate, value]) => mini(pirate, value))}</td><td class="sum">${strategic ? _("force {force}", { force }) : `${aboard(PIRATES).length}/1`}</td></tr>
    </tbody></table></div>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { opens: ["last-turn", "throws", "throws-alone", "throws-base", "throws-two"], size: { wide: [1300, 540], tall: [720, 704] }, scene, step, eve, draw, hand, ask, verb: () => _("Forward"), rule, foresee, sheet };
