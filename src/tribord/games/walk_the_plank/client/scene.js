/** What is drawn, as plain data: from a view, and from one event to the next. */
import { CARDS } from "./card.js";
import { CREWS } from "./figure.js";
import { LAYOUT } from "./layout.js";
import { seatAloft } from "./rigging.js";
import { water } from "./spot.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {Record<string, number[]>} Standing where each of a crew's three is: 0 the ship, 1-3 the tiles, then BRINK and SUNK */
/** @typedef {{crew: string, seat: number, aside: string[], cards: {slot: number, face: string, card?: string}[], next?: string[]}} Crew */

export const BRINK = 4; // over the water, not yet in it
export const SUNK = 5;
export const SINKING = 6; // just fallen in, on the way down
export const THREE = [0, 1, 2];
export const ALL = CREWS.flatMap((crew) => THREE.map((who) => ({ crew, who, key: `${crew}${who}` })));

/** @param {any} number */
export const crewOf = (number) => CREWS[number ?? 0] ?? "blue";
/** @param {any} number */
const cardOf = (number) => CARDS[number ?? 0] ?? "run";

/** @type {Standing} how they were last drawn: a view only counts a crew's pirates, and one that has moved should stay the same one */
let drawn = {};

/** @param {Standing} pirates as they have just been drawn */
export const remember = (pirates) => {
  drawn = pirates;
};

/** @type {{key: string, turn: string}} the very pirate that was touched: one colour on one space is all the same to the rules, not to a finger */
let meant = { key: "", turn: "" };

/** @param {Scene} now */
const turnOf = (now) => (now["turned"] ? `${now["turned"].crew}${now["turned"].slot}` : "");

/** Of pirates that are all the same, this one is meant until the card is played. @param {Scene} now @param {string} key */
export const mean = (now, key) => {
  meant = { key, turn: turnOf(now) };
};

/** Whether this one was touched last. @param {Scene} now @param {string} key */
export const isMeant = (now, key) => meant.key === key && meant.turn === turnOf(now);

/** @param {import("/page/contract.js").View} view @param {number} seat @returns {Scene} */
export function scene(view, seat) {
  /** @type {Standing} */
  const pirates = {};
  for (const { crew, pirates: counts, dead } of view["crews"]) {
    const spaces = [...counts.flatMap((/** @type {number} */ count, /** @type {number} */ space) => Array(count).fill(space)), ...Array(dead).fill(SUNK)];
    const before = drawn[crew];
    pirates[crew] = before && before.toSorted().join() === spaces.join() ? before : spaces;
  }
  const turned = view["crews"].find((/** @type {Crew} */ crew) => crew.crew === view["to_play"])?.cards.find((/** @type {any} */ card) => card.slot === view["slot"]);
  return {
    seat,
    pirates,
    plank: view["plank"],
    favour: view["favour"],
    phase: view["phase"],
    round: view["round"],
    rounds: view["rounds"],
    skulls: view["skulls"],
    crews: view["crews"],
    chosen: view["chosen"],
    toPlay: view["to_play"],
    turned: turned ? turnedUp(view["to_play"], view["slot"], turned.card) : null,
    out: view["crews"].filter((/** @type {{dead: number}} */ { dead }) => dead === 3).map((/** @type {Crew} */ { crew }) => crew),
    last: Boolean(view["rounds"] && view["round"] === view["rounds"]) || isDecided(pirates),
    cheers: view["over"] ? winnersOf(pirates) : null,
    ...AT_REST,
  };
}

/** A card that has just been turned up and has done nothing yet. @param {string} crew @param {number} slot @param {string} card */
const turnedUp = (crew, slot, card) => ({ crew, slot, card, why: null, deeds: [], lost: [] });

/** Whether the match ends after this round, as the sign on the hull says. @param {Standing} pirates */
function isDecided(pirates) {
  const living = Object.values(pirates).map((spaces) => spaces.filter((space) => space < SUNK).length);
  return living.reduce((sum, count) => sum + count, 0) <= 2 || living.filter(Boolean).length <= 1;
}

/** Who cheers at the end: the living, unless the last round ended it undecided. @param {Standing} pirates */
const winnersOf = (pirates) => (isDecided(pirates) ? Object.keys(pirates).filter((crew) => pirates[crew]?.some((space) => space < SUNK)) : []);

/** What an event shows only while it lasts. */
const AT_REST = { poses: {}, moved: [], rope: [], afloat: [], splash: 0 };

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
export function step(before, event) {
  const { kind, fields } = event;
  const sinking = ALL.filter(({ crew, who }) => before["pirates"]?.[crew]?.[who] === SINKING).map(({ key }) => key);
  if (sinking.length) return step({ ...before, pirates: moved(before, sinking, SUNK) }, event);
  const crew = crewOf(fields["crew"]);
  const now = { ...before, ...AT_REST, afloat: before["afloat"] };
  const [from = 0, goal = 0] = [fields["space"], fields["goal"]];
  switch (kind) {
    case "receives":
      return { scene: { ...now, favour: crew }, cue: { sound: "bell", ms: 900 } };
    case "chosen":
      return { scene: { ...now, chosen: [...before["chosen"], crew], crews: alter(before, crew, (one) => ({ cards: one.cards.length ? one.cards : [1, 2, 3].map((slot) => ({ slot, face: "down" })) })) }, cue: { sound: "paper", ms: 0 } }; // nobody who is still choosing should have to wait
    case "reveals": {
      const [slot = 1, card] = [fields["slot"], cardOf(fields["card"])];
      const crews = alter(before, crew, (one) => ({ cards: one.cards.map((laid) => (laid.slot === slot ? { slot, face: "up", card } : laid)) }));
      return { scene: { ...now, phase: "resolving", chosen: [], crews, toPlay: crew, turned: turnedUp(crew, slot, card), afloat: [] }, cue: { sound: "paper", ms: 950 } };
    }
    case "no-effect":
      return { scene: { ...now, turned: { ...before["turned"], why: fields["why"] } }, cue: { sound: "knock", ms: 900 } };
    case "shoves":
    case "pushes": {
      const victim = crewOf(fields["victim"]);
      const hit = one(before, victim, from);
      const by = one(before, crew, from, hit);
      return { scene: { ...now, turned: done(before, { by: crew, victim, from, to: goal }), pirates: moved(before, [hit], goal), poses: { [by]: "pushes", [hit]: "flails" }, moved: [hit] }, cue: { sound: "knock", ms: 700 } };
    }
    case "drags":
    case "pulls": {
      const victim = crewOf(fields["victim"]);
      const by = one(before, crew, from);
      const taken = one(before, victim, from, by);
      return { scene: { ...now, turned: done(before, { by: crew, victim, from, to: goal, way: "rope" }), pirates: moved(before, [by, taken], goal), poses: { [by]: "holds", [taken]: "flails" }, moved: [by, taken], rope: [by, taken] }, cue: { sound: "knock", ms: 800 } };
    }
    case "runs":
    case "flees":
    case "charges": {
      const by = one(before, crew, from);
      return { scene: { ...now, turned: done(before, { by: crew, from, to: goal }), pirates: moved(before, [by], goal), poses: { [by]: kind === "charges" ? "pushes" : "flails" }, moved: [by] }, cue: { sound: "knock", ms: 620 } };
    }
    case "extends":
    case "retracts":
      return { scene: { ...now, turned: done(before, { from: before["plank"], to: fields["plank"] ?? 0 }), plank: fields["plank"] }, cue: { sound: "knock", ms: 700 } };
    case "drowns": {
      const who = Math.max(before["pirates"][crew].findIndex((/** @type {number} */ space) => space > before["plank"] && space < SUNK), 0);
      const left = before["pirates"][crew][who];
      const splash = left === BRINK ? before["plank"] + 1 : left;
      const fallen = { ...now, turned: before["turned"] && { ...before["turned"], lost: [...before["turned"].lost, crew] }, pirates: moved(before, [`${crew}${who}`], SINKING), afloat: [...before["afloat"], { crew, who, space: splash }], splash, moved: [`${crew}${who}`] };
      return { scene: fallen, cue: { sound: "splash", depth: 3 - (fields["left"] ?? 0), ms: 1600, big: true, focus: (shape) => [water(fallen, LAYOUT[shape], splash), LAYOUT[shape].sea] } };
    }
    case "out": {
      const aloft = { ...now, out: [...before["out"], crew], crews: alter(before, crew, (one) => ({ cards: one.cards.filter((laid) => laid.face === "up"), aside: [] })) };
      return { scene: aloft, cue: { sound: "bell", ms: 1600, big: true, focus: (shape) => seatAloft(aloft, LAYOUT[shape], crew) } };
    }
    case "last-round":
      return { scene: { ...now, last: true }, cue: { sound: "bell", ms: 1400, big: true, focus: (shape) => [LAYOUT[shape].sign[0] ?? 0, LAYOUT[shape].sign[1] ?? 0] } };
    case "aside":
      return { scene: { ...now, turned: null, crews: alter(before, crew, (one) => ({ next: [...(one.next ?? []), cardOf(fields["card"])] })) }, cue: { sound: "paper", ms: 300 } };
    case "new-round": {
      const crews = before["crews"].map((/** @type {Crew} */ one) => ({ ...one, cards: [], aside: one.next ?? [], next: undefined }));
      return { scene: { ...now, crews, favour: crew, round: fields["round"], phase: "choosing", toPlay: null, turned: null, afloat: [] }, cue: { sound: "bell", ms: 800 } };
    }
    case "wins":
    case "shares":
    case "no-winner":
    case "limit":
      return { scene: { ...now, turned: null, toPlay: null, last: true, cheers: kind === "limit" ? [] : winnersOf(before["pirates"]) }, cue: { sound: "fanfare", ms: 1600, big: true } }; // all of it is worth seeing: no close-up
    default:
      return { scene: now, cue: { ms: 240 } };
  }
}

/** The card that is turned up, with what it has done. @param {Scene} before @param {import("./turn.js").Deed} deed */
function done({ turned }, deed) {
  return turned && { ...turned, deeds: [...turned.deeds, deed] };
}

/** @param {Scene} now @param {string} crew @param {(one: Crew) => Partial<Crew>} how */
function alter(now, crew, how) {
  return now["crews"].map((/** @type {Crew} */ one) => (one.crew === crew ? { ...one, ...how(one) } : one));
}

/** The key of a pirate of a crew on a space, other than `but`: the touched one, otherwise the one in front. @param {Scene} now @param {string} crew @param {number} space @param {string} [but] */
function one(now, crew, space, but = "") {
  const here = THREE.filter((k) => now["pirates"][crew]?.[k] === space).map((k) => `${crew}${k}`).filter((key) => key !== but);
  return here.find((key) => isMeant(now, key)) ?? here.at(-1) ?? `${crew}0`;
}

/** @param {Scene} now @param {string[]} keys @param {number} goal @returns {Standing} */
function moved(now, keys, goal) {
  const pirates = { ...now["pirates"] };
  for (const { crew, who, key } of ALL) if (keys.includes(key)) pirates[crew] = pirates[crew].map((/** @type {number} */ space, /** @type {number} */ k) => (k === who ? goal : space));
  return pirates;
}

/** Who a shove would hit on either side, for the pictures on a crew's cards. @param {Scene} now @param {number} seat */
export function neighbours(now, seat) {
  /** @type {Crew[]} */
  const crews = now["crews"];
  const next = (/** @type {number} */ by) => {
    for (let k = 1; k < crews.length; k++) {
      const other = crews[(seat + by * k + crews.length * k) % crews.length];
      if (other && lives(now, other.crew)) return other.crew;
    }
    return undefined;
  };
  return { own: crewOf(seat), left: next(1), right: next(-1) };
}

/** @param {Scene} now @param {string} crew */
export const lives = (now, crew) => (now["pirates"][crew] ?? []).some((/** @type {number} */ space) => space < SUNK);
