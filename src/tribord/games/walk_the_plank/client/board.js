/** Walk the Plank: the ship, up to three tiles over the sea, fifteen pirates, and three cards each that turn up one by one. */
import { lead } from "/page/app.js";
import { token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { fin, sea, splash } from "/page/drawing/sea.js";
import { html, keyed, nothing, repeat, svg } from "/page/lit.js";
import { _, capital, local, name } from "/page/words.js";
import { CARDS, picture, skull, small } from "./card.js";
import { carry } from "./carry.js";
import { favour, locker, plank, rail, ship } from "./deck.js";
import { CREWS, figure, head, headgear } from "./figure.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {{action: number, parts: Record<string, any>}} Option */
/** @typedef {{x: number, y: number, scale: number, turn: number, sort: string}} Spot */
/** @typedef {Record<string, number[]>} Standing where each of a crew's three is: 0 the ship, 1-3 the tiles, then BRINK and SUNK */
/** @typedef {{crew: string, seat: number, aside: string[], cards: {slot: number, face: string, card?: string}[], next?: string[]}} Crew */

const BRINK = 4; // over the water, not yet in it
const SUNK = 5;
const SINKING = 6; // just fallen in, on the way down
const THREE = [0, 1, 2];
const ALL = CREWS.flatMap((crew) => THREE.map((who) => ({ crew, who, key: `${crew}${who}` })));

/** Where things are, on a wide and on a tall drawing. */
const LAYOUT = {
  wide: { ship: 300, start: 296, tile: 178, deck: 268, top: 12, sea: 300, hull: 146, font: 24, size: 0.95, panels: 424, panel: 100, gap: 22, card: [994, 14, 192, 262], locker: [1096, 384, 0.9], sunk: [1010, 412, 0.3, 34], round: [330, 36] },
  tall: { ship: 226, start: 222, tile: 114, deck: 216, top: 6, sea: 246, hull: 88, font: 25, size: 0.78, panels: 336, panel: 114, gap: 12, card: [576, 4, 140, 192], locker: [656, 312, 0.56], sunk: [602, 330, 0.24, 27], round: [250, 30] },
};
/** @typedef {typeof LAYOUT.wide} Layout */

/** @param {any} number */
const crewOf = (number) => CREWS[number ?? 0] ?? "blue";
/** @param {any} number */
const cardOf = (number) => CARDS[number ?? 0] ?? "run";

// -- the scene --------------------------------------------------------------------------------------------------------

/** @type {Standing} how they were last drawn: a view only counts a crew's pirates, and whoever has moved should stay the same one */
let drawn = {};

/** @param {import("/page/contract.js").View} view @param {number} seat @returns {Scene} */
function scene(view, seat) {
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
    turned: turned ? { crew: view["to_play"], slot: view["slot"], card: turned.card, idle: false } : null,
    ...AT_REST,
  };
}

/** What is seen of an event only while it lasts. */
const AT_REST = { poses: {}, moved: [], rope: [], afloat: [], splash: 0 };

/** @param {Scene} before @param {GameEvent} event @returns {import("/page/contract.js").Step} */
function step(before, event) {
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
      return { scene: { ...now, phase: "resolving", chosen: [], crews, toPlay: crew, turned: { crew, slot, card, idle: false }, afloat: [] }, cue: { sound: "paper", ms: 950 } };
    }
    case "no-effect":
      return { scene: { ...now, turned: before["turned"] && { ...before["turned"], idle: true } }, cue: { sound: "knock", ms: 750 } };
    case "shoves":
    case "pushes": {
      const victim = crewOf(fields["victim"]);
      const hit = one(before, victim, from);
      const by = one(before, crew, from, hit);
      return { scene: { ...now, pirates: moved(before, [hit], goal), poses: { [by]: "pushes", [hit]: "flails" }, moved: [hit] }, cue: { sound: "knock", ms: 700 } };
    }
    case "drags":
    case "pulls": {
      const by = one(before, crew, from);
      const taken = one(before, crewOf(fields["victim"]), from, by);
      return { scene: { ...now, pirates: moved(before, [by, taken], goal), poses: { [by]: "holds", [taken]: "flails" }, moved: [by, taken], rope: [by, taken] }, cue: { sound: "knock", ms: 800 } };
    }
    case "runs":
    case "flees":
    case "charges": {
      const by = one(before, crew, from);
      return { scene: { ...now, pirates: moved(before, [by], goal), poses: { [by]: kind === "charges" ? "pushes" : "flails" }, moved: [by] }, cue: { sound: "knock", ms: 620 } };
    }
    case "extends":
      return { scene: { ...now, plank: fields["plank"] }, cue: { sound: "knock", ms: 700 } };
    case "retracts":
      return { scene: { ...now, plank: fields["plank"] }, cue: { sound: "knock", ms: 520 } };
    case "drowns": {
      const who = before["pirates"][crew].findIndex((/** @type {number} */ space) => space > before["plank"] && space < SUNK);
      const lost = `${crew}${Math.max(who, 0)}`;
      const x = before["pirates"][crew][who] === BRINK ? before["plank"] + 1 : before["pirates"][crew][who];
      return { scene: { ...now, pirates: moved(before, [lost], SINKING), afloat: [...before["afloat"], { crew, who: Math.max(who, 0), space: x }], splash: x, moved: [lost] }, cue: { sound: "splash", depth: 3 - (fields["left"] ?? 0), ms: 1000 } };
    }
    case "out":
      return { scene: { ...now, crews: alter(before, crew, (one) => ({ cards: one.cards.filter((laid) => laid.face === "up"), aside: [] })) }, cue: { sound: "bell", ms: 800 } };
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
      return { scene: { ...now, turned: null, toPlay: null }, cue: { sound: "fanfare", ms: 600 } };
    default:
      return { scene: now, cue: { ms: 240 } };
  }
}

/** @param {Scene} now @param {string} crew @param {(one: Crew) => Partial<Crew>} how */
function alter(now, crew, how) {
  return now["crews"].map((/** @type {Crew} */ one) => (one.crew === crew ? { ...one, ...how(one) } : one));
}

/** The key of a pirate of a crew on a space, other than `but`. @param {Scene} now @param {string} crew @param {number} space @param {string} [but] */
function one(now, crew, space, but = "") {
  const who = THREE.findLast((k) => now["pirates"][crew]?.[k] === space && `${crew}${k}` !== but);
  return `${crew}${who ?? 0}`;
}

/** @param {Scene} now @param {string[]} keys @param {number} goal @returns {Standing} */
function moved(now, keys, goal) {
  const pirates = { ...now["pirates"] };
  for (const { crew, who, key } of ALL) if (keys.includes(key)) pirates[crew] = pirates[crew].map((/** @type {number} */ space, /** @type {number} */ k) => (k === who ? goal : space));
  return pirates;
}

// -- where everybody stands -------------------------------------------------------------------------------------------

/** How large, and how many in a row, so that all of them fit. @param {number} count @param {number} width @param {Layout} at */
function fit(count, width, at) {
  for (let scale = at.size; ; scale -= 0.05) {
    const row = Math.max(1, Math.floor(width / (84 * scale)));
    const rows = Math.ceil(count / row);
    const most = scale > 0.7 ? 1 : scale > 0.55 ? 2 : scale > 0.45 ? 3 : 5;
    if ((rows <= most && scale * (124 + (rows - 1) * 62) < at.deck - 6) || scale < 0.32) return { scale, row, rows };
  }
}

/** Where in the water somebody lands who leaves a space. @param {Scene} now @param {Layout} at @param {number} space */
function water(now, at, space) {
  return at.start + (space - 0.5) * at.tile - (space > now["plank"] ? at.tile * 0.2 : 0);
}

/** Every pirate's spot. Those who come first in ALL stand behind, so that nobody changes layers on the way. @param {Scene} now @param {Layout} at */
function spots(now, at) {
  /** @type {Map<string, Spot>} */
  const found = new Map();
  const there = ALL.filter(({ crew }) => now["pirates"][crew]);
  const on = (/** @type {number} */ space) => there.filter(({ crew, who }) => now["pirates"][crew][who] === space);
  for (const space of [0, 1, 2, 3]) {
    const here = on(space);
    const [centre, width] = space ? [at.start + (space - 0.5) * at.tile, at.tile - 4] : [at.ship * 0.49, at.ship - 14];
    const { scale, row, rows } = fit(here.length, width, at);
    here.forEach(({ key }, i) => {
      const behind = here.length - 1 - i; // counted from the front, so that the front rows are full
      const back = Math.floor(behind / row);
      const inRow = back === rows - 1 ? here.length - back * row : row;
      const x = centre + (inRow - 1 - (behind % row) - (inRow - 1) / 2) * Math.min(84 * scale + 6, width / row) + (back % 2 ? 9 * scale : 0);
      found.set(key, { x, y: at.deck - 4 - back * 62 * scale, scale, turn: 0, sort: "stands" });
    });
  }
  on(BRINK).forEach(({ key }, i) => found.set(key, { x: at.start + now["plank"] * at.tile + 34 + i * 44, y: at.deck + 30, scale: at.size * 0.72, turn: 34 + i * 10, sort: "topples" }));
  on(SINKING).forEach(({ key }) => found.set(key, { x: water(now, at, now["splash"]), y: at.sea + 96 * at.size, scale: at.size * 0.6, turn: 158, sort: "sinks" }));
  const [x = 0, y = 0, scale = 1, gap = 0] = at.sunk;
  on(SUNK).forEach(({ key }, i) => found.set(key, { x: x - i * gap, y, scale, turn: i % 2 ? 8 : -10, sort: "sunk" }));
  return found;
}

/** Whom a shove would hit to either side, for the pictures on a crew's cards. @param {Scene} now @param {number} seat */
function neighbours(now, seat) {
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
const lives = (now, crew) => (now["pirates"][crew] ?? []).some((/** @type {number} */ space) => space < SUNK);

// -- looking ahead ----------------------------------------------------------------------------------------------------

/** @param {Choice} choice */
const kindOf = (choice) => String(choice.all[0]?.parts["kind"]);

/** @param {Choice} choice */
function foresee(choice) {
  return kindOf(choice) === "program" ? null : choice.action;
}

const CERTAIN = ["shoves", "pushes", "drags", "pulls", "runs", "flees", "charges"];

/** The scene as it would be when all have moved and nobody has sunk yet; whoever is about to hangs in the air. @param {Desk} desk */
function ahead({ scene: now, foreseen }) {
  const end = foreseen ? foreseen.events.findIndex(({ kind }) => !CERTAIN.includes(kind)) : 0;
  return foreseen?.scenes[end < 0 ? foreseen.events.length : end] ?? now;
}

// -- the drawing ------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function draw(desk) {
  const { scene: now, shape } = desk;
  const at = LAYOUT[shape];
  if (!now["pirates"]) return nothing;
  drawn = now["pirates"];
  const [width, height] = board.size[shape];
  const look = ahead(desk);
  const where = spots(look, at);
  const was = look === now ? where : spots(now, at);
  const aims = aimable(desk);
  const end = at.start + now["plank"] * at.tile;
  const [lx = 0, ly = 0, ls = 1] = at.locker;
  return svg`<g class=${`wtp ${shape}`}>
    <rect class="sky" x="-800" y="-400" width=${width + 3400} height=${height + 800} />
    ${sea(-800, at.sea, width + 3400, height - at.sea + 400)}
    <g class="moves" aria-hidden="true" ${place(end + at.tile * 0.55, at.sea + (shape === "wide" ? 46 : 26), shape === "wide" ? 1 : 0.72)}>${fin(0, 0)}</g>
    <path class="w-bed" d=${`M-800 ${height + 400}V${height - 26}H-20q90-14 190-4t230-8 260 6 240-8 300 10 400-6H${width + 2600}V${height + 400}Z`} />
    <g aria-hidden="true" transform=${`translate(${lx} ${ly}) scale(${ls})`}>${locker(now["splash"] > 0)}</g>
    <g aria-hidden="true">${plank(at, now["plank"])}${ship(at.ship, at.deck, at.hull, at.top)}${rail(at.ship, at.deck - 8)}</g>
    <text class="w-round" x=${at.round[0] ?? 0} y=${at.round[1] ?? 0}>${now["rounds"] ? _("Round {round} of {rounds}", { round: now["round"], rounds: now["rounds"] }) : _("Round {round}", { round: now["round"] })}</text>
    <g aria-hidden="true">${repeat(ALL.filter(({ crew }) => now["pirates"][crew]), ({ key }) => key, ({ crew, who, key }) => piece(desk, look, crew, who, where.get(key), aims))}${rope(now, where, at)}</g>
    ${look === now ? nothing : arrows(was, where, look)}
    ${targets(desk, where)}
    ${now["splash"] ? splash(water(now, at, now["splash"]), at.sea + 26) : nothing}
    ${now["afloat"].map((/** @type {any} */ lost, /** @type {number} */ i) => svg`<g class="w-afloat" transform=${`translate(${water(now, at, lost.space) + (i % 3) * 40 - 10} ${at.sea + 30}) scale(${at.size * 0.62})`}><g class="w-bobs">${headgear(lost.who)}</g></g>`)}
    ${repeat(seated(desk), (crew) => crew.crew, (crew) => panel(desk, at, crew))}
    ${medal(desk, at)}
    ${now["turned"] ? keyed(`${now["turned"].crew}${now["turned"].slot}`, turnedUp(desk, at)) : nothing}
  </g>`;
}

/** One of the pirates, wherever it is. @param {Desk} desk @param {Scene} look @param {string} crew @param {number} who @param {Spot | undefined} spot @param {Set<string> | null} aims who may be touched */
function piece(desk, look, crew, who, spot, aims) {
  if (!spot) return nothing;
  const key = `${crew}${who}`;
  const fresh = look["moved"].includes(key);
  const aside = aims && spot.sort === "stands" && !fresh && crew !== crewOf(desk.seat) && !aims.has(`${crew} ${desk.scene["pirates"][crew][who]}`);
  const pose = spot.sort === "topples" ? "flails" : (look["poses"][key] ?? "stands");
  return svg`<g class=${`w-piece moves w-${spot.sort} ${spot.sort === "sinks" ? "falls" : ""} ${fresh ? "w-fresh" : ""} ${aside ? "w-dim" : ""} ${crew === crewOf(desk.seat) && desk.seat >= 0 ? "w-mine" : ""}`} data-crew=${crew} ${place(spot.x, spot.y, spot.scale, spot.turn)}>
    <ellipse class="w-wake" rx="42" ry="9" />${figure(crew, who, pose)}</g>`;
}

/** What ties two together. @param {Scene} now @param {Map<string, Spot>} where @param {Layout} at */
function rope(now, where, at) {
  const [a, b] = now["rope"].map((/** @type {string} */ key) => where.get(key));
  if (!a || !b) return nothing;
  const lift = 52 * a.scale;
  return svg`<path class="w-tow" d=${`M${a.x} ${a.y - lift}Q${(a.x + b.x) / 2} ${Math.max(a.y, b.y) - lift + 34 * at.size} ${b.x} ${b.y - lift}`} />`;
}

/** Who would go where. @param {Map<string, Spot>} was @param {Map<string, Spot>} will @param {Scene} look */
function arrows(was, will, look) {
  return look["moved"].concat(Object.keys(look["poses"])).filter((/** @type {string} */ key, /** @type {number} */ i, /** @type {string[]} */ all) => all.indexOf(key) === i).map((/** @type {string} */ key) => {
    const [a, b] = [was.get(key), will.get(key)];
    if (!a || !b || Math.abs(a.x - b.x) < 40) return nothing;
    const [ay, by] = [a.y - 112 * a.scale, b.sort === "topples" ? b.y - 70 * b.scale : b.y - 122 * b.scale];
    const over = Math.max(14, Math.min(ay, by) - 40);
    return svg`<path class="w-arrow" d=${`M${a.x} ${ay}Q${(a.x + b.x) / 2} ${over} ${b.x} ${by - 6}`} /><path class="w-arrow-head" d=${`M${b.x - 12} ${by - 20}L${b.x} ${by - 4}L${b.x + 12} ${by - 20}`} />
      ${b.sort === "topples" ? svg`<path class="w-arrow" d=${`M${b.x + 16} ${b.y + 6}v44`} /><path class="w-arrow-head" d=${`M${b.x + 4} ${b.y + 42}l12 16l12-16`} />` : nothing}`;
  });
}

/** Where an option is aimed at on the drawing: some crew on some space. @param {Option} option @param {string} own */
function aimedAt({ parts }, own) {
  const victim = parts["victim"];
  if (victim === undefined || victim === "nobody") return `${own} ${parts["space"]}`;
  return `${victim} ${parts["space"] + (parts["kind"] === "charge" ? 1 : 0)}`;
}

/** @param {Choice} choice @param {Option} option */
const isAimed = (choice, option) => choice.touched.length > 0 && choice.action === option.action;

/** Settle on an option with one touch. @param {Desk} desk @param {Option} option */
function aim(desk, { parts }) {
  for (const [part, value] of Object.entries(parts)) if (part !== "kind") desk.pick(part, value);
}

/** Whom the drawing may be touched at: crews on spaces; nothing while there is nothing to aim. @param {Desk} desk */
function aimable({ choice, seat }) {
  return choice && kindOf(choice) !== "program" ? new Set(choice.all.map((option) => aimedAt(option, crewOf(seat)))) : null;
}

/** @template T @param {Option[]} options @param {(option: Option) => T} by @returns {Map<T, Option[]>} */
function grouped(options, by) {
  /** @type {Map<T, Option[]>} */
  const found = new Map();
  for (const option of options) found.set(by(option), [...(found.get(by(option)) ?? []), option]);
  return found;
}

/** The pirates that may be touched now. Where a touch could mean two things, the next touch means the other. @param {Desk} desk @param {Map<string, Spot>} where */
function targets(desk, where) {
  const { choice, scene: now } = desk;
  if (!choice || kindOf(choice) === "program") return nothing;
  const own = crewOf(desk.seat);
  const sorted = grouped(choice.all, (option) => aimedAt(option, own));
  const crowd = sorted.size > 4; // rings around everybody would only hide the faces
  return [...sorted].map(([spot, options]) => {
    const [crew = "", space] = spot.split(" ");
    const held = THREE.filter((who) => now["pirates"][crew][who] === Number(space)).map((who) => where.get(`${crew}${who}`));
    const on = options.findIndex((option) => isAimed(choice, option));
    const next = options[(on + 1) % options.length];
    const said = options[Math.max(on, 0)];
    if (!next || !said) return nothing;
    const touch = () => aim(desk, next);
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      touch();
      lead(event, ".act .primary");
    };
    return svg`<g class=${`w-target ${on >= 0 ? "w-aimed" : crowd ? "w-crowd" : ""}`} role="button" tabindex="0" aria-label=${capital(local(choice.cards[said.action] ?? { fr: "", en: "" }))} aria-pressed=${on >= 0 ? "true" : "false"} data-target=${spot} @click=${touch} @keydown=${press}>
      ${held.map((spot) => (spot ? svg`<circle cx=${spot.x} cy=${spot.y - 62 * spot.scale} r=${Math.max(50 * spot.scale, 26)} />` : nothing))}</g>`;
  });
}

/**
 * The crews in the order in which they sit: your left neighbour to your left. So play goes from right to left, as the
 * clock does round a table, and the cards mean what they say.
 * @param {Desk} desk @returns {Crew[]}
 */
function seated({ scene: now, seat }) {
  /** @type {Crew[]} */
  const crews = now["crews"];
  const first = Math.max(seat, 0) + Math.floor(crews.length / 2);
  return crews.map((_crew, k) => /** @type {Crew} */ (crews[(first - k + crews.length) % crews.length]));
}

/** @param {Desk} desk @param {Layout} at */
function panelWidth({ scene: now, shape }, at) {
  const n = now["crews"].length;
  return Math.min((board.size[shape][0] - 8 - at.gap * (n - 1)) / n, 300);
}

/** @param {Desk} desk @param {Layout} at @param {number} k */
function panelX(desk, at, k) {
  const [n, width] = [desk.scene["crews"].length, panelWidth(desk, at)];
  return (board.size[desk.shape][0] - n * width - (n - 1) * at.gap) / 2 + k * (width + at.gap);
}

/** A crew: who plays it, who of it lives, what it has laid and what lies aside. @param {Desk} desk @param {Layout} at @param {Crew} crew */
function panel(desk, at, crew) {
  const now = desk.scene;
  const wide = desk.shape === "wide";
  const width = panelWidth(desk, at);
  const alive = lives(now, crew.crew);
  const deciding = alive && (now["phase"] === "choosing" ? !now["chosen"].includes(crew.crew) : now["toPlay"] === crew.crew);
  const person = crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
  const room = Math.floor((width - (wide ? 122 : 36)) / (wide ? 10.5 : 12));
  const short = person.length > room ? `${person.slice(0, room - 1)}…` : person;
  const crews = neighbours(now, crew.seat);
  const [cw, ch] = wide ? [44, 50] : [39, 46];
  const aside = crew.next ?? crew.aside;
  const asideX = wide ? 12 + 3 * (cw + 6) + 8 : 78;
  const asideStep = Math.min(wide ? 36 : 29, (width - asideX - 8 - 26) / Math.max(aside.length - 1, 1));
  return svg`<g class=${`w-panel moves ${alive ? "" : "w-gone"} ${deciding ? "w-deciding" : ""}`} data-crew=${crew.crew} ${place(panelX(desk, at, seated(desk).indexOf(crew)), at.panels)}>
    ${seated(desk)[0] === crew ? nothing : svg`<path class="w-turn-order" d=${`M${-at.gap / 2 + 3} ${at.panel / 2 - 8}l-6 8 6 8`} />`}
    <rect class="w-plaque" width=${width} height=${at.panel} rx="12" />
    <g aria-hidden="true" transform=${wide ? "translate(25 23) scale(0.34)" : "translate(19 21) scale(0.28)"}>${token(crew.crew)}</g>
    <text class="w-who" x=${wide ? 48 : 35} y="30" lengthAdjust="spacingAndGlyphs" textLength=${wide || short.length < room ? nothing : width - 42}>${short}</text>
    <g aria-hidden="true">
      ${THREE.map((k) => svg`<g transform=${wide ? `translate(${width - 64 + k * 25} 24) scale(0.23)` : `translate(${16 + k * 22} 104) scale(0.2)`} class=${now["pirates"][crew.crew].toSorted()[k] >= SUNK ? "w-dead" : ""}>${head(crew.crew, k, false)}${now["pirates"][crew.crew].toSorted()[k] >= SUNK ? svg`<path class="w-cross" d="M-38-38L38 38M38-38L-38 38" />` : nothing}</g>`)}
      ${[1, 2, 3].map((slot) => {
        const laid = crew.cards.find((card) => card.slot === slot);
        const turned = now["turned"]?.crew === crew.crew && now["turned"]?.slot === slot;
        return svg`<g class=${`w-laid w-of ${crew.crew} ${turned ? "w-turned" : ""} ${laid?.face === "up" && !turned ? "w-spent" : ""}`} transform=${`translate(${(wide ? 12 : 8) + (slot - 1) * (cw + (wide ? 6 : 3))} ${wide ? 43 : 40})`}>
          ${laid ? small(cw, ch, laid.face === "up" ? laid.card : undefined, crews, now["skulls"].includes(laid.card)) : svg`<rect class="w-nothing" width=${cw} height=${ch} rx="5" />`}</g>`;
      })}
      ${aside.map((card, k) => svg`<g class=${`w-aside w-of ${crew.crew}`} transform=${`translate(${asideX + k * asideStep} ${wide ? 54 : 90})`}>${small(wide ? 32 : 26, wide ? 38 : 26, card, crews, false)}<g transform=${`translate(${wide ? 16 : 13} ${wide ? -3 : 0}) scale(${wide ? 0.8 : 0.6})`}>${skull()}</g></g>`)}
    </g>
  </g>`;
}

/** The Favour, at its holder's panel. @param {Desk} desk @param {Layout} at */
function medal(desk, at) {
  const k = seated(desk).findIndex((crew) => crew.crew === desk.scene["favour"]);
  const x = k < 0 ? board.size[desk.shape][0] / 2 : panelX(desk, at, k) + panelWidth(desk, at) - 22;
  return svg`<g class="w-medal moves" ${place(x, at.panels + (k < 0 ? -60 : -18), desk.shape === "wide" ? 1 : 0.95)} role="img" aria-label=${_("The Captain’s Favour")}>${favour()}</g>`;
}

/** @param {string} text @param {number} most letters in a line */
function lines(text, most) {
  return text.split(" ").reduce((/** @type {string[]} */ rows, word) => {
    const last = rows.at(-1);
    if (last !== undefined && last.length + word.length < most) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
    return rows;
  }, []);
}

/** The card that has just been turned up, for everybody to see. @param {Desk} desk @param {Layout} at */
function turnedUp(desk, at) {
  const { crew, slot, card, idle } = desk.scene["turned"];
  const [x = 0, y = 0, width = 0, height = 0] = at.card;
  const wide = desk.shape === "wide";
  const seat = CREWS.indexOf(crew);
  const rows = lines(name("card", card), wide ? 15 : 12);
  const font = wide ? 26 : 24;
  return svg`<g aria-hidden="true" transform=${`translate(${x} ${y})`}><g class=${`w-card-up w-of ${crew} ${idle ? "w-idle" : ""}`}>
    <rect class="w-paper" width=${width} height=${height} rx="14" /><rect class="w-border" x="7" y="7" width=${width - 14} height=${height - 14} rx="9" />
    <g transform=${`translate(30 32) scale(${wide ? 0.36 : 0.34})`}>${token(crew)}</g>
    ${wide ? svg`<text class="w-owner" x="54" y="39">${desk.name(seat).slice(0, 9)}</text>` : nothing}
    <text class="w-slot-number" x=${width - 18} y="40">${slot}</text>
    <g transform=${`translate(${width / 2} ${wide ? 116 : rows.length > 2 ? 72 : 82}) scale(${wide ? 2.3 : 1.3})`}>${picture(card, neighbours(desk.scene, seat))}</g>
    ${rows.map((row, k) => svg`<text class="w-card-name" x=${width / 2} y=${height - 16 - (rows.length - 1 - k) * font}>${row}</text>`)}
    ${desk.scene["skulls"].includes(card) ? svg`<g transform=${`translate(${wide ? width - 26 : 30} ${wide ? 70 : 66}) scale(1.1)`}>${skull()}</g>` : nothing}
    ${idle ? svg`<g class="w-stamp" transform=${`translate(${width / 2} ${wide ? 118 : 84}) rotate(-14)`}><rect x=${-width / 2 + 6} y="-22" width=${width - 12} height="40" rx="6" /><text y="8">${_("No effect")}</text></g>` : nothing}
  </g></g>`;
}

// -- the hand ---------------------------------------------------------------------------------------------------------

/** What a card does, in a breath. @param {string} card */
function effect(card) {
  switch (card) {
    case "shove-left":
      return _("a left neighbour’s pirate on your space, one step seaward.");
    case "shove-right":
      return _("a right neighbour’s pirate on your space, one step seaward.");
    case "shove-anyone":
      return _("another pirate on your space, one step seaward.");
    case "extend":
      return _("one more tile, three at most.");
    case "retract":
      return _("the last tile, with everybody on it.");
    case "drag":
    case "pull":
      return _("one of yours and another on its space, one step.");
    case "run":
      return _("one of yours, one step, either way.");
    case "i-dont-want-to-die":
      return _("one of yours, one or two steps toward the ship.");
    default:
      return _("one step seaward, then a push. No effect as card 1.");
  }
}

/** @type {(string | undefined)[]} what this person has put there, until the view says so: events do not tell what lies face down */
let sent = [];

/** The cards that were put in the three places so far. @param {Choice | null} choice @returns {(string | undefined)[]} */
const program = (choice) => THREE.map((k) => choice?.touchedValue(`cards.${k}`));

/** Lay the cards anew; the one that was just touched comes last, because it is the one to speak of. @param {Desk} desk @param {(string | undefined)[]} cards @param {string} card */
function lay(desk, cards, card) {
  desk.choice?.touched.forEach(() => desk.back());
  const order = THREE.filter((k) => cards[k] !== undefined).sort((a, b) => Number(cards[a] === card) - Number(cards[b] === card));
  for (const k of order) desk.pick(`cards.${k}`, cards[k]);
}

/** A tap lays a card in the first place that is free (or the last), and takes it back. @param {Desk} desk @param {string} card */
function tap(desk, card) {
  const cards = program(desk.choice);
  const here = cards.indexOf(card);
  const free = cards.indexOf(undefined);
  cards[here >= 0 ? here : free >= 0 ? free : 2] = here >= 0 ? undefined : card;
  lay(desk, cards, card);
}

/** Put a card in a place; what lies there changes places with it. Nowhere is back in the hand. @param {Desk} desk @param {string} card @param {number} to */
function drop(desk, card, to) {
  const cards = program(desk.choice);
  const from = cards.indexOf(card);
  if (from >= 0) cards[from] = to >= 0 ? cards[to] : undefined;
  if (to >= 0) cards[to] = card;
  lay(desk, cards, card);
}

/** @param {Desk} desk */
function hand(desk) {
  const { choice, scene: now, seat } = desk;
  /** @type {Crew | undefined} */
  const mine = (now["crews"] ?? []).find((/** @type {Crew} */ crew) => crew.seat === seat);
  if (!mine || now["phase"] === "over") return nothing;
  if (!lives(now, mine.crew)) return html`<p class="w-done">${_("All your pirates are with Davy Jones. The others go on without you.")}</p>`;
  const programming = choice !== null && kindOf(choice) === "program";
  if (programming) sent = program(choice);
  const laid = programming ? sent : THREE.map((k) => mine.cards.find((card) => card.slot === k + 1)).map((card, k) => card && (card.card ?? sent[k]));
  const crews = neighbours(now, seat);
  const choosing = now["phase"] === "choosing" && !mine.cards.length;
  return html`<div class=${`w-hand w-of ${mine.crew} ${choosing ? "w-choosing" : ""}`}>
    <ol class="w-slots" aria-label=${_("Your three cards, in order")}>${THREE.map((k) => html`<li>${slot(desk, mine, laid, k, crews, programming)}</li>`)}</ol>
    ${choosing ? cards(desk, mine, laid, crews, programming) : nothing}
    ${choice && !programming ? aims(desk, choice) : nothing}
  </div>`;
}

/** @typedef {import("./card.js").Crews} Crews */

/** One of the three places. @param {Desk} desk @param {Crew} mine @param {(string | undefined)[]} laid @param {number} k @param {Crews} crews @param {boolean} programming */
function slot(desk, mine, laid, k, crews, programming) {
  const card = laid[k];
  const now = desk.scene;
  if (!card) return html`<div class="w-slot w-empty" data-place=${k}><b>${k + 1}</b><span class="unseen">${mine.cards.length ? _("face down") : _("empty")}</span></div>`;
  const face = html`<b>${k + 1}</b><svg viewBox="-32 -32 64 64" aria-hidden="true">${picture(card, crews)}</svg><span>${capital(name("card", card))}</span>`;
  if (programming) {
    const shift = (/** @type {KeyboardEvent} */ event) => {
      const to = k + (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0);
      if (to === k || to < 0 || to > 2) return;
      event.preventDefault();
      drop(desk, card, to);
      lead(event, `button[data-place="${to}"]`);
    };
    const take = (/** @type {Event} */ event) => {
      tap(desk, card);
      lead(event, `[data-card="${card}"]`);
    };
    return html`<button class="w-slot" data-place=${k} aria-label=${_("Card {slot}: {card}. Take it back.", { slot: k + 1, card: name("card", card) })} @click=${take} @keydown=${shift} @pointerdown=${(/** @type {PointerEvent} */ event) => carry(event, (to) => drop(desk, card, to))}>${face}</button>`;
  }
  const turned = now["turned"]?.crew === mine.crew && now["turned"]?.slot === k + 1;
  const spent = !turned && mine.cards.find((one) => one.slot === k + 1)?.face === "up";
  return html`<div class=${`w-slot ${turned ? "w-now" : ""} ${spent ? "w-spent" : ""}`}>${face}</div>`;
}

/** The ten cards. @param {Desk} desk @param {Crew} mine @param {(string | undefined)[]} laid @param {Crews} crews @param {boolean} programming */
function cards(desk, mine, laid, crews, programming) {
  return html`<div class="w-cards" role="group" aria-label=${_("Your cards")}>${CARDS.map((card) => {
    const here = laid.indexOf(card);
    const aside = (mine.next ?? mine.aside).includes(card);
    const touch = (/** @type {Event} */ event) => {
      tap(desk, card);
      if (here < 0 && laid.filter(Boolean).length >= 2) lead(event, ".act .primary");
    };
    return html`<button class=${`w-card w-of ${mine.crew} ${here >= 0 ? "w-on" : ""} ${aside ? "w-away" : ""}`} ?disabled=${!programming || aside} aria-pressed=${here >= 0 ? "true" : "false"} data-card=${card} title=${capital(effect(card))}
      aria-label=${aside ? _("{card}: aside for this round", { card: name("card", card) }) : _("{card}: {effect}", { card: name("card", card), effect: effect(card) })}
      @click=${touch} @pointerdown=${(/** @type {PointerEvent} */ event) => programming && carry(event, (to) => to >= 0 && drop(desk, card, to))}>
      <svg viewBox="-32 -32 64 64" aria-hidden="true">${picture(card, crews)}</svg>
      ${desk.scene["skulls"].includes(card) ? html`<svg class="w-corner" viewBox="-12 -13 24 25" aria-hidden="true">${skull()}</svg>` : nothing}
      <span>${aside ? _("aside") : name("card", card)}</span>${here >= 0 ? html`<b>${here + 1}</b>` : nothing}</button>`;
  })}</div>`;
}

/** What the card that is turned up may be aimed at, space by space. @param {Desk} desk @param {Choice} choice */
function aims(desk, choice) {
  const kind = kindOf(choice);
  const spaces = grouped(choice.all, ({ parts }) => Number(parts["space"]));
  return html`<div class="w-aims">${[...spaces].sort(([a], [b]) => a - b).map(([space, options]) => html`<div class="w-aim-row" role="group" aria-label=${capital(name("space_from", space))}>
    <span class="w-space">${capital(name(kind === "charge" || kind === "run" || kind === "flee" ? "space_from" : "space_on", space))}</span>
    ${options.map((option) => {
      const touch = (/** @type {Event} */ event) => {
        aim(desk, option);
        lead(event, ".act .primary");
      };
      return html`<button class=${`w-aim ${isAimed(choice, option) ? "w-on" : ""}`} aria-pressed=${isAimed(choice, option) ? "true" : "false"} aria-label=${capital(local(choice.cards[option.action] ?? { fr: "", en: "" }))} data-aim=${choice.cards[option.action]?.notation ?? ""} @click=${touch}>${aimFace(desk, option)}</button>`;
    })}</div>`)}</div>`;
}

/** @param {Desk} desk @param {Option} option */
function aimFace(desk, { parts }) {
  const { victim, way, steps } = parts;
  const shaft = (/** @type {string} */ d) => html`<svg viewBox="-32 -24 64 48" aria-hidden="true"><path class="w-way" d=${d} /></svg>`;
  if (way) return html`${shaft(way === "sea" ? "M-22 0H22M10-12L23 0L10 12" : "M22 0H-22M-10-12L-23 0L-10 12")}<span>${name("way", way)}</span>`;
  if (steps) return html`${shaft(steps === 1 ? "M6-14L-8 0L6 14" : "M-2-14L-16 0L-2 14M18-14L4 0L18 14")}<span>${name("steps", steps)}</span>`;
  if (victim === "nobody") return html`${shaft("M-22 0H22M10-12L23 0L10 12")}<span>${name("victim", "nobody")}</span>`;
  const seat = CREWS.indexOf(victim);
  return html`<svg viewBox="-56 -62 112 116" aria-hidden="true">${head(victim, 0)}</svg><span>${seat === desk.seat ? _("You") : desk.name(seat)}</span>`;
}

// -- words ------------------------------------------------------------------------------------------------------------

/** @param {Choice} choice */
function ask(choice) {
  const kind = kindOf(choice);
  if (kind === "program") {
    const last = choice.touched.at(-1)?.[1];
    if (choice.action !== null) return `${capital(local(choice.cards[choice.action] ?? { fr: "", en: "" }))}.`;
    return last ? _("{card}: {effect}", { card: name("card", last), effect: effect(last) }) : _("Lay your three cards, in order.");
  }
  if (choice.action !== null) {
    const said = `${capital(local(choice.cards[choice.action] ?? { fr: "", en: "" }))}.`;
    return choice.all.length === 1 ? `${_("There is only one way.")} ${said}` : said;
  }
  switch (kind) {
    case "shove":
      return _("Whom do you shove? Touch a pirate.");
    case "drag":
      return _("Whom do you drag along toward the sea? Touch a pirate.");
    case "pull":
      return _("Whom do you pull along toward the ship? Touch a pirate.");
    case "run":
      return _("Which of your pirates runs, and which way?");
    case "flee":
      return _("Which of your pirates goes back, and how far?");
    default:
      return _("Who charges, and into whom?");
  }
}

/** @param {Choice} choice */
function verb(choice) {
  switch (kindOf(choice)) {
    case "program":
      return _("Lay the cards");
    case "shove":
      return _("Shove");
    case "drag":
      return _("Drag");
    case "pull":
      return _("Pull");
    case "run":
      return _("Run");
    case "flee":
      return _("Go back");
    default:
      return _("Charge!");
  }
}

/** @type {Record<string, string>} */
const RULE = { "shove-left": "W10", "shove-right": "W10", "shove-anyone": "W11", extend: "W12", retract: "W12", drag: "W13", pull: "W14", run: "W15", "i-dont-want-to-die": "W16", charge: "W17" };

/** @param {Choice} choice @param {Scene} now */
function rule(choice, now) {
  const card = kindOf(choice) === "program" ? choice.touched.at(-1)?.[1] : now["turned"]?.card;
  return RULE[card] ?? "W4";
}

/** A step back: the card that was laid last, or the whole aim, which one touch settles. @param {Choice} choice */
function back(choice) {
  let before = choice.back();
  while (kindOf(choice) !== "program" && before.touched.length) before = before.back();
  return before;
}

/** Who is left: all that counts at the end. @param {import("/page/contract.js").View} view @param {(seat: number) => string} who */
function sheet(view, who) {
  /** @type {any[]} */
  const crews = view["crews"].toSorted((/** @type {any} */ a, /** @type {any} */ b) => a.dead - b.dead);
  const heads = (/** @type {any} */ crew, /** @type {number} */ count) => html`<span aria-hidden="true">${THREE.slice(0, count).map((k) => html`<svg class="w-mini" viewBox="-56 -62 112 118">${head(crew.crew, k)}</svg>`)}</span>`;
  return html`<div class="scroll"><table class="sheet-table w-sheet">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th><th scope="col">${_("alive")}</th><th scope="col">${_("with Davy Jones")}</th></tr></thead>
    <tbody>${crews.map((crew) => html`<tr class=${crew.dead < 3 ? "winner" : ""}><th scope="row"><svg class="w-mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew.crew)}</svg> ${who(crew.seat)} <small>${name("crew", crew.crew)}</small></th>
      <td class="sum">${heads(crew, 3 - crew.dead)} ${3 - crew.dead}</td><td class="w-drowned">${heads(crew, crew.dead)} ${crew.dead}</td></tr>`)}</tbody></table></div>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { size: { wide: [1200, 530], tall: [720, 456] }, scene, step, eve: (first) => ({ ...first, favour: null }), draw, hand, ask, verb, rule, foresee, back, sheet };
