/** The scene: what lies on the table, and how each event changes it. */
import { CREWS, LAYOUT, crewOf, key } from "./layout.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/contract.js").Cue} Cue */
/** @typedef {import("./layout.js").Pirate} Pirate */
/** @typedef {{sort: "pirate" | "action" | "pass", value: number, first?: number, lead?: number, slot?: number, goal?: number}} Played */

/** What only one event shows. */
const STILL = {
  shift: null, // who was moved on the plank, from which slot to which
  vain: null, // who should have moved and couldn't
  fall: null, // who falls, into which pile
  gain: null, // what a crew has just won, and for which pirate
  bubble: null, // the crew that says “Non merci !”
  lots: null, // the crew that chance puts nearer the ship
  opener: null, // the crew that plays first
  sign: false, // the sign of the last round is shown large
};

/** @param {import("/page/contract.js").View} view @returns {Scene} */
export function scene(view) {
  const over = view["phase"] === "over";
  const players = view["crews"].filter((/** @type {any} */ crew) => crew.seat !== null);
  const best = Math.max(...players.map((/** @type {any} */ crew) => crew.points));
  return {
    ...STILL,
    plank: view["plank"],
    piles: view["piles"],
    crews: view["crews"],
    picked: view["picked"],
    picks: view["picks"],
    toPlay: view["to_play"],
    phase: view["phase"],
    round: Math.floor(view["turn"] / CREWS.length) + 1,
    played: null, // the cards of the turn that is shown, and whose they are
    entering: null, // who is about to step onto the plank, and where
    moved: null, // the key of the pirate that moved last
    counting: false, // whether those who still stand are being counted
    winners: over ? players.filter((/** @type {any} */ crew) => crew.points === best).map((/** @type {any} */ crew) => crew.crew) : [],
  };
}

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
export function step(before, { kind, fields }) {
  const crew = crewOf(fields["crew"] ?? 0);
  const value = fields["pirate"] ?? 0;
  const slot = fields["slot"] ?? 1;
  const card = fields["card"] ?? 0;
  const one = { crew, pirate: value };
  /** @type {Pirate[]} */
  const plank = [...before["plank"]];
  const now = { ...before, ...STILL };
  const theirs = { ...now, toPlay: crew };
  switch (kind) {
    case "chosen":
      return { scene: { ...now, picked: [...before["picked"], crew] }, cue: { sound: "paper" } };
    case "neutral-back":
      return { scene: { ...theirs, entering: null, played: add(null, crew, { sort: "pass", value: 0 }), bubble: crew }, cue: { sound: "paper" } };
    case "neutral-card":
      return { scene: { ...theirs, entering: { ...one, slot: 0 }, played: add(null, crew, { sort: "pirate", value }) }, cue: { sound: "paper" } };
    case "lots":
      return { scene: { ...now, lots: crew, entering: null, played: null }, cue: { sound: "dice", ms: 900 } };
    case "installed":
      plank[slot - 1] = one;
      return {
        scene: { ...theirs, plank: plank.filter(Boolean), crews: without(before["crews"], one), moved: key(one), phase: "playing", picked: [], entering: null, played: add(null, crew, { sort: "pirate", value }) },
        cue: { sound: "knock", ms: 500 },
      };
    case "first":
      return { scene: { ...theirs, opener: crew, played: null, moved: null }, cue: { sound: "bell" } };
    case "passes":
    case "neutral-pass":
      return { scene: { ...theirs, crews: unpassed(before["crews"], crew), entering: null, bubble: crew, played: add(null, crew, { sort: "pass", value: 0 }) }, cue: { sound: "paper", ms: 700 } };
    case "moves": {
      const goal = fields["goal"] ?? 1;
      const [taken] = plank.splice(slot - 1, 1);
      if (taken) plank.splice(goal - 1, 0, taken);
      return {
        scene: { ...theirs, plank, crews: spent(before["crews"], crew, card), shift: { ...taken, slot, goal }, moved: taken ? key(taken) : null, played: add(before["played"], crew, { sort: "action", value: card, slot, goal }) },
        cue: { sound: "knock", ms: 700 },
      };
    }
    case "stays": {
      const stuck = plank[slot - 1];
      return { scene: { ...theirs, crews: spent(before["crews"], crew, card), vain: { ...stuck, slot }, moved: null, played: add(before["played"], crew, { sort: "action", value: card, slot, goal: slot }) }, cue: { sound: "knock", ms: 700 } };
    }
    case "enters":
      return {
        scene: { ...theirs, entering: { ...one, slot }, moved: null, crews: without(before["crews"], one), played: add(before["played"], crew, { sort: "pirate", value, first: fields["first"] ?? 0, lead: fields["lead"] ?? 0, slot }) },
        cue: { sound: "paper", ms: 700 },
      };
    case "falls": {
      const pile = (fields["pile"] ?? 1) - 1;
      const entering = before["entering"];
      const left = plank.filter((other) => key(other) !== key(one));
      if (entering) left.splice(entering.slot - 1, 0, { crew: entering.crew, pirate: entering.pirate });
      /** @type {Pirate[][]} */
      const piles = before["piles"].map((/** @type {Pirate[]} */ here, /** @type {number} */ k) => (k === pile ? [...here, one] : here));
      return {
        scene: { ...now, plank: left, piles, entering: null, moved: entering ? key(entering) : null, fall: { ...one, pile }, ...won(before, one, pile + 1) },
        cue: { sound: "splash", depth: pile, big: true, ms: 2400, focus: (shape) => [LAYOUT[shape].brink[0] ?? 0, (LAYOUT[shape].brink[1] ?? 0) - 20] },
      };
    }
    case "last-round":
      return { scene: { ...now, round: 6, sign: true, played: null, moved: null }, cue: { sound: "bell", big: true, focus: (shape) => [LAYOUT[shape].slot + 1.5 * LAYOUT[shape].step, LAYOUT[shape].deck - 60] } };
    case "counting":
      return { scene: { ...now, counting: true, played: null, moved: null, toPlay: null }, cue: { sound: "bell" } };
    case "scores":
      return { scene: { ...now, counting: true, ...won(before, one, fields["points"] ?? 0) }, cue: { sound: "knock", ms: 900 } };
    case "captain":
      return { scene: { ...now, counting: true, ...won(before, { crew, pirate: 1 }, 2) }, cue: { sound: "bell", ms: 900 } };
    case "wins":
    case "shares":
      return { scene: { ...now, phase: "over", toPlay: null, winners: [...before["winners"], crew] }, cue: { sound: "fanfare", big: true, ms: 3000 } };
    default:
      return { scene: now, cue: {} };
  }
}

/** One more card in the turn of a crew; the first one begins it. @param {{crew: string, cards: Played[]} | null} played @param {string} crew @param {Played} card */
function add(played, crew, card) {
  const before = played?.crew === crew ? played.cards.filter(({ sort }) => sort !== card.sort) : [];
  return { crew, cards: [...before, card] };
}

/** Points for a pirate; a neutral crew's count for nobody (F19). @param {Scene} before @param {Pirate} one @param {number} points */
function won(before, one, points) {
  const crews = before["crews"].map((/** @type {any} */ crew) => (crew.crew === one.crew ? { ...crew, points: crew.points + points } : crew));
  return { crews, gain: { ...one, points, counts: crews.some((/** @type {any} */ crew) => crew.crew === one.crew && crew.seat !== null) } };
}

/** @param {any[]} crews @param {Pirate} one */
function without(crews, one) {
  return crews.map((crew) => (crew.crew === one.crew ? { ...crew, pirates: crew.pirates.filter((/** @type {number} */ value) => value !== one.pirate) } : crew));
}

/** @param {any[]} crews @param {string} name @param {number} card */
function spent(crews, name, card) {
  return crews.map((crew) => (crew.crew === name ? { ...crew, cards: crew.cards.filter((/** @type {number} */ held) => held !== card) } : crew));
}

/** @param {any[]} crews @param {string} name */
function unpassed(crews, name) {
  return crews.map((crew) => (crew.crew === name ? { ...crew, pass: false } : crew));
}
