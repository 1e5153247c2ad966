/** The scene after an event, from the public fields of the event alone. */
import { CREWS, LEAK, SEATS, crewOf, remember, stem } from "./scene.js";
import { Waters } from "./waters.js";

/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/contract.js").Cue} Cue */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Boat} Boat */
/** @typedef {import("./scene.js").Crew} Crew */
/** @typedef {import("./scene.js").Count} Count */
/** @typedef {import("./scene.js").Result} Result */

/** What shows for the length of one event only. */
const PASSING = { splashes: [], leaking: null, thrown: null, sinking: null, hop: null, ribbon: null, crammed: [], handed: false };
const ABOUT = /** @type {Record<string, Count["about"]>} */ ({ S11: "leak", S12: "overboard", S14: "advance" });

/** @param {any} scene @param {GameEvent} event @returns {import("/page/contract.js").Step} */
export function step(scene, { kind, rule, fields }) {
  /** @type {Scene} */
  const was = scene;
  const crew = CREWS[fields["crew"] ?? -1] ?? "";
  const target = CREWS[fields["target"] ?? -1] ?? "";
  const lane = fields["boat"] ?? 0;
  const person = fields["person"] === 1 ? "helmsman" : "sailor";
  const boat = was.boats.find((each) => each.lane === lane);
  const one = was.crews.find((each) => each.crew === crew);
  const now = { ...was, ...PASSING, crews: was.crews.map((each) => (each.gain ? { ...each, gain: 0 } : each)) };
  /** @param {Partial<Scene>} changed @param {Cue} cue */
  const then = (changed, cue) => ({ scene: remember({ ...now, ...changed }), cue });
  /** @param {Partial<Boat>} changed */
  const boats = (changed) => was.boats.map((each) => (each.lane === lane ? { ...each, ...changed } : each));
  /** @param {Partial<Crew>} changed @param {string} [whose] */
  const crews = (changed, whose = crew) => now.crews.map((each) => (each.crew === whose ? { ...each, ...changed } : each));
  const seats = boat?.seats ?? [];
  /** @param {number} k @param {string | null} held */
  const seated = (k, held) => boats({ seats: seats.map((each, i) => (i === k ? held : each)) });
  const findSeat = () => seats.findIndex((held) => held && stem(held) === `${crew}-${person}`);
  /** A close-up of the boat. @type {Cue["focus"]} */
  const close = (shape) => new Waters(shape, was.boats, was.crews.length).at(lane, boat?.row ?? 4);
  /** What the count comes to. @param {Result} result @param {Cue} cue */
  const counted = (result, cue) => then({ count: was.count && { ...was.count, result }, turn: result.by ?? null, byRule: result.by ? rule : null }, cue);

  switch (kind) {
    case "first":
      return then({ baton: crew, handed: true }, { sound: "knock", ms: 900, roll: true });
    case "baton":
      return then({ baton: crew, handed: true, count: null, crews: now.crews.map((each) => ({ ...each, dial: { state: "idle", vote: null, weight: 0, void: false } })) }, { sound: "knock", ms: 650 });
    case "last-boat":
    case "last-round":
      return then({ ribbon: { kind, lanes: [lane] } }, { sound: "bell", big: true });
    case "two-boats":
      return then({ ribbon: { kind, lanes: [lane, fields["other"] ?? 0] } }, { sound: "bell", big: true });
    case "placed": {
      const id = was.deck.find((each) => stem(each) === `${crew}-${person}`) ?? "";
      return then({ deck: was.deck.filter((each) => each !== id), boats: seated(seats.indexOf(null), id), last: id }, { sound: "knock", ms: 420 });
    }
    case "votes-boat":
    case "votes-crew":
    case "shows-cap": {
      const vote = kind === "shows-cap" ? { cap: true } : kind === "votes-boat" ? { lane } : { crew: target };
      const first = !was.count || was.count.result !== null;
      const about = ABOUT[rule] ?? (was.phase === "leak" || was.phase === "overboard" ? was.phase : "advance");
      const weight = fields["votes"] ?? 1;
      /** @type {Count} */
      const count = first || !was.count ? { about, lane: was.fullBoat, hands: [], cancelled: false, result: null } : was.count;
      const turned = { dial: { state: /** @type {"shown"} */ ("shown"), vote, weight: fields["votes"] ?? 0, void: false }, lastVote: vote, tokens: fields["tokens"] ?? one?.tokens ?? 0 };
      const shown = now.crews.map((each) => (each.crew === crew ? { ...each, ...turned } : first ? { ...each, lastVote: null } : each));
      return then({ crews: shown, count: { ...count, about: kind === "shows-cap" ? count.about : about, hands: [...count.hands, { crew, vote, weight }] } }, { sound: first ? "dice" : "paper", ms: 600 });
    }
    case "caps-cancel":
      return then({ count: was.count && { ...was.count, cancelled: true }, crews: now.crews.map((each) => (each.dial.vote?.cap ? { ...each, dial: { ...each.dial, void: true } } : each)) }, { sound: "knock", big: true });
    case "most-boat":
      return counted({ why: "most", target: lane, votes: fields["votes"] ?? 0, all: fields["all"] ?? 0 }, { sound: "knock", ms: 1600 });
    case "most-crew":
      return counted({ why: "most", target: crew, votes: fields["votes"] ?? 0, all: fields["all"] ?? 0 }, { sound: "knock", ms: 1600 });
    case "only-boat":
      return counted({ why: "only", target: lane }, { sound: "knock", ms: 1600 });
    case "one-cap":
      return counted({ why: "one-cap", by: crew }, { sound: "bell", big: true });
    case "all-caps":
      return counted({ why: "all-caps", by: crew }, { sound: "bell", big: true });
    case "tie":
      return counted({ why: "tie", by: crew, votes: fields["votes"] ?? 0 }, { sound: "bell", big: true });
    case "decides-boat":
    case "decides-crew":
      return then({ targets: [kind === "decides-boat" ? lane : target], decided: { by: crew, rule } }, { sound: "knock", ms: 900 });
    case "full":
      return then({ fullBoat: lane, leaking: lane, crammed: [lane], count: null }, { sound: "knock", ms: 900 });
    case "thrown": {
      const k = findSeat();
      const id = seats[k] ?? "";
      return then({ boats: seated(k, null), drowned: { ...was.drowned, [id]: { lane, seat: k } }, thrown: { id, lane, seat: k }, hats: [...was.hats, id], fullBoat: null, count: null, targets: [], decided: null }, { sound: "splash", depth: 2, big: true, focus: close });
    }
    case "leaks":
      return then({ boats: seated(seats.lastIndexOf(null), LEAK), leaking: lane, leaksLeft: was.leaksLeft - 1, fullBoat: null, turn: null, targets: [], count: null, decided: null }, { sound: "splash", depth: 0, ms: 800 });
    case "sinks": {
      const people = Object.fromEntries(seats.flatMap((held, k) => (held && held !== LEAK ? [[held, { lane, seat: k }]] : [])));
      return then({ boats: boats({ where: "sunk", seats: Array(SEATS).fill(null) }), afloat: { ...was.afloat, ...people }, sinking: lane, leaksLeft: was.leaksLeft + seats.filter((held) => held === LEAK).length }, { sound: "splash", depth: 4, big: true, focus: close, ms: 2600 });
    }
    case "drown": {
      const swimming = Object.entries(was.afloat);
      const down = swimming.filter(([id, spot]) => crewOf(id) === crew && spot.lane === lane);
      const left = swimming.filter((each) => !down.includes(each));
      const ids = down.map(([id]) => id);
      return then({ afloat: Object.fromEntries(left), drowned: { ...was.drowned, ...Object.fromEntries(down) }, splashes: ids, hats: [...was.hats, ...ids] }, { sound: "splash", depth: 3, big: true, focus: close });
    }
    case "advances":
      return then({ boats: boats({ row: fields["row"] ?? 4 }), moved: lane, turn: null, targets: [], count: null, decided: null }, { sound: "knock", ms: 800 });
    case "lands":
      return then({ boats: boats({ where: "landed", row: 1, seats: seats.map((held) => (held === LEAK ? null : held)) }), moved: lane, landing: lane, ashore: [], leaksLeft: was.leaksLeft + seats.filter((held) => held === LEAK).length }, { sound: "fanfare", big: true, focus: close });
    case "scores": {
      const id = seats.find((held) => held && stem(held) === `${crew}-${person}` && !was.ashore.includes(held)) ?? "";
      const points = fields["points"] ?? 0;
      return then({ crews: crews({ points: (one?.points ?? 0) + points, gain: points }), hop: { id, points }, ashore: [...was.ashore, id] }, { sound: "bell", ms: 900 });
    }
    case "leaves": {
      const k = findSeat();
      const id = seats[k] ?? "";
      return then({ boats: seated(k, null), crews: crews({ between: { id, lane } }), turn: null, last: id, landing: null, phase: "leaving" }, { sound: "splash", depth: 0, ms: 600 });
    }
    case "boards": {
      const id = one?.between?.id ?? "";
      return then({ boats: seated(seats.indexOf(null), id), crews: crews({ between: null }), turn: null, last: id, phase: "boarding" }, { sound: "knock", ms: 600 });
    }
    case "drowns": {
      const between = one?.between;
      if (!between) return then({}, {});
      const left = was.boats.find((each) => each.lane === between.lane);
      /** @type {Cue["focus"]} */
      const focus = (shape) => {
        const waters = new Waters(shape, was.boats, was.crews.length);
        return left ? waters.seat(left, -1) : waters.at(between.lane, 4);
      };
      const crammed = was.boats.filter((each) => each.where === "at-sea" && each.lane !== between.lane).map((each) => each.lane);
      return then({ crammed, crews: crews({ between: null }), drowned: { ...was.drowned, [between.id]: { lane: between.lane, seat: -1 } }, splashes: [between.id], hats: [...was.hats, between.id] }, { sound: "splash", depth: 3, big: true, focus });
    }
    case "stuck":
      return then({ turn: crew }, {});
    case "wins":
    case "shares":
      return then({ phase: "over", winners: [...was.winners, crew], turn: null, landing: null }, { sound: "fanfare", big: true });
    default:
      return then({}, {}); // “no-leak” and “alone”: their words say all there is
  }
}
