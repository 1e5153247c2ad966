/** The scene: what is drawn of a match, and how it changes from event to event. */
import { CASTLE, MAPS, SHIP, middle } from "./island.js";
import { PAWNS, PIRATES, isPirate } from "./pawn.js";
import { STRIDE, TUMBLE } from "./walk.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */

export const COLOURS = ["blue", "green", "red", "yellow"];
export const THROWS = ["throws", "throws-alone", "throws-base", "throws-two"];
const COUNT = 260; // milliseconds to count a child at the end

/** @param {import("/page/contract.js").View} view @returns {Scene} */
export function scene(view) {
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
    used: 0, // the die that the pawn on its way has taken
    rolls: false, // the dice are in the air
    clash: null, // {place, force, children, sign}: what's compared there
  };
}

/** Whose dice an event throws: a colour, or in the base game a seat. @param {GameEvent} event @returns {string | number | undefined} */
export function thrower({ fields }) {
  const colour = fields["colour"] ?? fields["hue"];
  return colour === undefined ? fields["player"] : COLOURS[colour];
}

/** The dice that an event throws. @param {GameEvent} event @returns {number[]} */
export function diceOf({ fields }) {
  return [fields["one"], fields["two"], fields["three"]].filter((die) => die !== undefined);
}

/** Who goes where in an event, or null. @param {GameEvent} event */
export function moveOf({ kind, fields }) {
  if (!["leaves-castle", "moves", "boards"].includes(kind)) return null;
  return { pawn: PAWNS[fields["pawn"] ?? 0] ?? "", to: kind === "boards" ? SHIP : (fields["goal"] ?? SHIP), die: fields["die"] ?? 0 };
}

/** Look closely at a place. @param {number} at */
const look = (at) => (/** @type {"wide" | "tall"} */ shape) => middle(MAPS[shape], at);

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
export function step(before, event) {
  const { kind, fields } = event;
  const now = { ...before, walked: null, used: 0, rolls: false, clash: null };
  const pawn = PAWNS[fields["pawn"] ?? 0] ?? "";
  const { square = 0, force = 0, children = 0, die = 0 } = fields;
  const compared = { force: before["clash"]?.force, children: before["clash"]?.children };
  const aboard = Object.entries(before["pawns"] ?? {}).filter(([who, at]) => at === SHIP && !isPirate(who)).length;
  const end = (/** @type {string} */ phase, /** @type {Scene} */ more = {}) => ({ ...now, phase, dice: [], ...more });
  const counting = { big: true, ms: 1600 + COUNT * aboard }; // the children aboard are counted one by one
  switch (kind) {
    case "force":
    case "shows":
      return { scene: { ...now, clash: before["clash"], forces: { ...before["forces"], [pawn]: force }, shown: [...before["shown"], pawn] }, cue: { sound: "paper", ms: 700 } };
    case "face-down": // they stay visible until the first move, so everyone has time to look
      return { scene: now, cue: { sound: "knock", ms: 1200 } };
    case "starts":
      return { scene: { ...now, turn: COLOURS[fields["colour"] ?? 0] }, cue: { sound: "bell", ms: 700 } };
    case "last-turn":
      return { scene: { ...now, turnsLeft: 1, clash: { place: SHIP, sign: "last" } }, cue: { sound: "bell", big: true, focus: look(SHIP) } };
    case "throws":
    case "throws-alone":
    case "throws-base":
    case "throws-two": {
      const dice = diceOf(event);
      return { scene: { ...now, turn: thrower(event), dice, pirateDice: 1, childDice: dice.length - 1, spent: [], rolls: true, phase: "moving" }, cue: { sound: "dice", ms: 1000, roll: true } };
    }
    case "leaves-castle":
    case "moves":
    case "boards": {
      const from = before["pawns"][pawn] ?? CASTLE;
      const to = moveOf(event)?.to ?? SHIP;
      const pawns = { ...before["pawns"], [pawn]: to };
      const mine = isPirate(pawn) ? { pirateDice: 0 } : { childDice: Math.max(0, before["childDice"] - 1) };
      // With the first step ashore pirates turn their backs again; a pirate aboard shows his force.
      const shown = before["memory"] ? PIRATES.filter((one) => pawns[one] === SHIP) : before["shown"];
      const moved = { ...now, ...mine, pawns, shown, dice: without(before["dice"], die), spent: [...before["spent"], pawn], walked: { pawn, from, to }, used: die };
      return { scene: moved, cue: { sound: "knock", ms: 300 + STRIDE * (to - from) } };
    }
    case "captured":
    case "sent-back": {
      const spent = before["spent"].includes(pawn) ? before["spent"] : [...before["spent"], pawn];
      const first = before["clash"]?.place !== square; // the others of the same square follow at once
      const caught = { scene: { ...now, clash: before["clash"] ?? { place: square, sign: "caught" }, pawns: { ...before["pawns"], [pawn]: CASTLE }, spent, walked: { pawn, from: square, to: CASTLE } }, cue: { sound: "splash", ms: TUMBLE } };
      return first ? { ...caught, cue: { ...caught.cue, big: true, focus: look(square) } } : caught;
    }
    case "safe":
      return { scene: { ...now, clash: { place: square, sign: "safe" } }, cue: { sound: "knock", big: true, focus: look(square) } };
    case "duel":
      return { scene: { ...now, clash: { place: square, force, children, sign: "duel" } }, cue: { sound: "knock", big: true, focus: look(square) } };
    case "standoff":
      return { scene: { ...now, clash: { place: square, ...compared, sign: "equal" } }, cue: { sound: "knock" } };
    case "holds":
      return { scene: { ...now, clash: { place: square, ...compared, sign: "holds" } }, cue: { sound: "knock" } };
    case "die-lost":
      return { scene: { ...now, dice: without(before["dice"], die) }, cue: { sound: "splash" } };
    case "ship-held":
      return { scene: { ...now, clash: { place: SHIP, force, children, sign: "duel" } }, cue: { sound: "knock", big: true, focus: look(SHIP) } };
    case "ship-taken":
      return { scene: end("lost", { clash: { place: SHIP, force, children, sign: "duel" } }), cue: { sound: "splash", depth: 4, ...counting, focus: look(SHIP) } };
    case "pirate-first":
      return { scene: end("lost"), cue: { sound: "splash", depth: 4, ...counting, focus: look(SHIP) } };
    case "escaped":
    case "home":
      return { scene: end("won"), cue: { sound: "fanfare", ...counting, focus: look(SHIP) } };
    case "late":
      return { scene: end("out-of-turns", { turnsLeft: 0 }), cue: { sound: "bell", ...counting } };
    default:
      return { scene: now, cue: {} };
  }
}

/** One die less. @param {number[]} dice @param {number} die */
function without(dice, die) {
  const place = dice.indexOf(die);
  return dice.filter((_die, i) => i !== place);
}

/** Before the first throw, and before anyone has shown a force. @param {Scene} now @returns {Scene} */
export function eve(now) {
  return { ...now, dice: [], shown: [], forces: {} };
}
