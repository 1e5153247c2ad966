/**
 * What is drawn, as plain data: who sits on which seat of which boat, the dials, the baton.
 *
 * The view only counts (“two red sailors aboard Colette”), but a drawing must know *which* sailor changed boats, or others
 * would move instead. So everyone has a name here, and a new view changes as little of the last scene as it can.
 */

/** @typedef {import("/page/contract.js").View} View */
/** @typedef {"at-sea" | "landed" | "sunk"} Where */
/** @typedef {{lane: number, island: string, worth: {sailor: number, helmsman: number}, where: Where, row: number, seats: (string | null)[]}} Boat */
/** @typedef {{state: "idle" | "asked" | "cast" | "shown", vote: Vote | null, weight: number, void: boolean}} Dial */
/** @typedef {{lane?: number, crew?: string, cap?: boolean}} Vote */
/** @typedef {{lane: number, seat: number}} Spot where in a boat someone was */
/** @typedef {{why: "most" | "tie" | "one-cap" | "all-caps" | "only", target?: number | string, by?: string, votes?: number, all?: number}} Result `by`: who has the last word */
/** @typedef {{about: "leak" | "overboard" | "advance", lane: number | null, hands: {crew: string, vote: Vote, weight: number}[], cancelled: boolean, result: Result | null}} Count of votes: what they are about, the hands turned up so far, whether the caps cancelled each other */
/** @typedef {{crew: string, seat: number, tokens: number, points: number, dial: Dial, lastVote: Vote | null, between: {id: string, lane: number} | null, gain: number}} Crew `lastVote`: when votes were last turned up, theirs */
/**
 * @typedef {object} Scene
 * @property {string} phase
 * @property {Boat[]} boats
 * @property {Crew[]} crews
 * @property {string[]} deck who is still on the ship
 * @property {Record<string, Spot>} afloat who swims where a boat has just sunk
 * @property {Record<string, Spot>} drowned who went down, and where
 * @property {string[]} splashes who falls into the sea at this moment
 * @property {string | null} baton
 * @property {string | null} turn
 * @property {number | null} fullBoat
 * @property {(number | string)[]} targets
 * @property {string | null} byRule the rule that gives someone the last word
 * @property {{by: string, rule: string} | null} decided who has just had the last word, and why it was theirs
 * @property {Count | null} count the votes that are being counted, or led to the last word
 * @property {number} leaksLeft
 * @property {number | null} moved the lane of the boat that moved last
 * @property {number | null} leaking the lane of the boat that springs a leak at this moment
 * @property {string | null} last who moved last
 * @property {string[]} hats people who have left only a hat since the turn began
 * @property {({id: string} & Spot) | null} thrown who flies out of a boat at this moment
 * @property {number | null} sinking the lane of the boat that goes down at this moment
 * @property {number | null} landing the lane of the boat that has just landed
 * @property {string[]} ashore whose points have been counted since it landed
 * @property {{id: string, points: number} | null} hop whose points are counted at this moment
 * @property {{kind: string, lanes: number[]} | null} ribbon what is announced at this moment
 * @property {number[]} crammed the lanes of the boats that have no room at this moment
 * @property {boolean} handed whether the baton is changing hands at this moment
 * @property {string[]} winners
 */

export const LEAK = "leak";
export const SEATS = 6;
export const CREWS = ["blue", "green", "red", "yellow", "lilac", "bone"];
const KINDS = ["helmsman", "sailor"];

/** @param {string} id “red-sailor-2” */
export const crewOf = (id) => id.split("-")[0] ?? "";
/** @param {string} id */
export const kindOf = (id) => id.split("-")[1] ?? "";
/** @param {string} id */
export const numberOf = (id) => Number(id.split("-")[2]);
/** Crew and kind. @param {string} id */
export const stem = (id) => id.slice(0, id.lastIndexOf("-"));

/** Everyone in the match. @param {number} players */
export function everyone(players) {
  const count = /** @type {Record<string, number>} */ ({ sailor: players < 5 ? 5 : 4, helmsman: 2 });
  return KINDS.flatMap((kind) => CREWS.slice(0, players).flatMap((crew) => Array.from({ length: count[kind] ?? 0 }, (_each, i) => `${crew}-${kind}-${i}`)));
}

// -- from a view ------------------------------------------------------------------------------------------------------

/** The scenes there were, the latest first: those that `step` led to, and those that a view did. @type {Scene[]} */
const before = [];

/** @param {Scene} scene */
export function remember(scene) {
  if (before[0] && String(count(before[0])) === String(count(scene))) before[0] = scene;
  else before.unshift(scene);
  before.length = Math.min(before.length, 32);
  return scene;
}

/** @param {View} view @returns {Scene} */
export function scene(view) {
  const counted = countView(view);
  /** @param {Scene} each */
  const alike = (each) => count(each).filter((text, k) => text === counted[k]).length;
  const base = before.filter((each) => each.crews.length === view["players"]).reduce((/** @type {Scene | undefined} */ best, each) => (best && alike(best) >= alike(each) ? best : each), undefined);
  return remember(arrange(view, base, base !== undefined && alike(base) === counted.length));
}

/** Where everyone is, a text for each boat and crew, to compare scenes with views. @param {Scene} now @returns {string[]} */
function count(now) {
  const boats = now.boats.map((boat) => [boat.lane, rowOf(boat), ...boat.seats.flatMap((held) => (held === LEAK ? [LEAK] : held ? [stem(held)] : [])).sort()].join());
  return [...boats, ...now.crews.map(({ between }) => (between ? `${kindOf(between.id)}${between.lane}` : ""))];
}

/** @param {{where: Where, row: number}} boat */
const rowOf = ({ where, row }) => (where === "at-sea" ? row : where);

/** @param {View} view @returns {string[]} */
function countView(view) {
  const boats = view["boats"].map((/** @type {any} */ boat) => [boat.lane, rowOf(boat), ...aboard(boat).concat(Array(boat.leaks).fill(LEAK)).sort()].join());
  return [...boats, ...view["crews"].map((/** @type {any} */ { between }) => (between ? `${between.person}${between.lane}` : ""))];
}

/** Who is in a boat of a view, without names. @param {any} boat @returns {string[]} */
function aboard(boat) {
  return Object.entries(boat.people).flatMap(([crew, people]) => unnamed(crew, /** @type {any} */ (people)));
}

/** @param {string} crew @param {{sailors: number, helmsmen: number}} people */
function unnamed(crew, { sailors, helmsmen }) {
  return [...Array(helmsmen).fill(`${crew}-helmsman`), ...Array(sailors).fill(`${crew}-sailor`)];
}

/** @param {View} view @param {Scene | undefined} base @param {boolean} same whether the base is this very position, and not only the nearest there was @returns {Scene} */
function arrange(view, base, same) {
  const free = new Set(everyone(view["players"]));
  /** Someone of this stem who isn't placed yet: preferably not one of the drowned. @param {string} wanted */
  const take = (wanted) => {
    const found = [...free].filter((id) => stem(id) === wanted).sort((a, b) => Number(a in (base?.drowned ?? {})) - Number(b in (base?.drowned ?? {})))[0] ?? "";
    free.delete(found);
    return found;
  };
  /** @param {string} id @param {string} wanted */
  const keep = (id, wanted) => stem(id) === wanted && free.delete(id);

  /** @type {{boat: Boat, missing: string[], leaks: number}[]} */
  const boats = view["boats"].map((/** @type {any} */ seen) => {
    const old = base?.boats.find(({ lane }) => lane === seen.lane);
    const missing = aboard(seen);
    let leaks = seen.leaks;
    const seats = Array.from({ length: SEATS }, (_each, k) => {
      const held = old?.seats[k] ?? null;
      if (held === LEAK) return leaks-- > 0 ? LEAK : null;
      const at = held ? missing.findIndex((wanted) => keep(held, wanted)) : -1;
      if (at >= 0) missing.splice(at, 1);
      return at >= 0 ? held : null;
    });
    const row = seen.where === "sunk" ? (old?.row ?? 3) : seen.row;
    return { boat: { lane: seen.lane, island: seen.island, worth: seen.worth, where: seen.where, row, seats }, missing, leaks: Math.max(0, leaks) };
  });
  const between = view["crews"].map((/** @type {any} */ { crew, between: one }) => {
    if (!one) return null;
    const old = base?.crews.find((each) => each.crew === crew)?.between?.id ?? "";
    const wanted = `${crew}-${one.person}`;
    return { id: keep(old, wanted) ? old : take(wanted), lane: one.lane };
  });
  for (const { boat, missing, leaks } of boats) {
    for (const wanted of missing) boat.seats[boat.seats.indexOf(null)] = take(wanted);
    for (let i = 0; i < leaks; i++) boat.seats[boat.seats.lastIndexOf(null)] = LEAK;
  }
  const deck = view["crews"].flatMap((/** @type {any} */ { crew, waiting }) => unnamed(crew, waiting).map(take));
  /** @type {Record<string, Spot>} */
  const drowned = Object.fromEntries([...free].map((id) => [id, base?.drowned[id] ?? base?.afloat[id] ?? { lane: 0, seat: 0 }]));
  return {
    phase: view["phase"],
    boats: boats.map(({ boat }) => boat),
    crews: view["crews"].map((/** @type {any} */ crew, /** @type {number} */ i) => ({
      crew: crew.crew, seat: crew.seat, tokens: crew.tokens, points: crew.points, between: between[i], dial: dialOf(view, crew.crew, base), gain: 0,
      lastVote: (same && base?.crews.find((each) => each.crew === crew.crew)?.lastVote) || null,
    })),
    deck,
    afloat: {},
    drowned,
    splashes: [],
    baton: view["baton"],
    turn: view["turn"],
    fullBoat: view["full_boat"],
    targets: view["targets"],
    byRule: view["by_rule"],
    decided: null,
    count: kept(view, base),
    leaksLeft: view["leaks_left"],
    moved: base?.moved ?? null,
    leaking: null,
    last: base?.last ?? null,
    hats: [],
    thrown: null,
    sinking: null,
    landing: null,
    ashore: [],
    hop: null,
    ribbon: null,
    crammed: [],
    handed: false,
    winners: view["over"] ? leaders(view["crews"]) : [],
  };
}

/** The votes that led to the last word: it's good to see them while someone decides. @param {View} view @param {Scene | undefined} base */
function kept(view, base) {
  const count = base?.count ?? null;
  return view["targets"].length && count?.result?.by === view["turn"] ? count : null;
}

/** @param {{crew: string, points: number}[]} crews */
function leaders(crews) {
  const most = Math.max(...crews.map(({ points }) => points));
  return crews.filter(({ points }) => points === most).map(({ crew }) => crew);
}

/** @param {View} view @param {string} crew @param {Scene | undefined} base @returns {Dial} */
function dialOf(view, crew, base) {
  // While someone decides after a vote, the votes stay in sight.
  const old = base?.crews.find((each) => each.crew === crew)?.dial;
  if (view["targets"].length && old?.state === "shown") return old;
  const state = view["voting"].includes(crew) ? "asked" : view["voted"].includes(crew) ? "cast" : "idle";
  return { state, vote: readVote(view["votes"][crew]), weight: 0, void: false };
}

/** @param {string | undefined} notation “vote 4”, “vote red”, “cap” @returns {Vote | null} */
function readVote(notation) {
  if (!notation) return null;
  const target = notation.split(" ")[1];
  return !target ? { cap: true } : /^\d/.test(target) ? { lane: Number(target) } : { crew: target };
}
