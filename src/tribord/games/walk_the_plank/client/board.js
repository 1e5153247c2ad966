/** Walk the Plank: the ship, up to three tiles over the sea, fifteen pirates, and three cards each that turn up one by one. */
import { place } from "/page/drawing/place.js";
import { fin, sea, splash } from "/page/drawing/sea.js";
import { keyed, nothing, repeat, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { ahead, aimable, arrows, bystanders, toPreview, grounds, targets } from "./aim.js";
import { ask, back, rule, verb } from "./decision.js";
import { locker, plank, rail, ship, sign } from "./deck.js";
import { joke, verdict } from "./ending.js";
import { figure, headgear } from "./figure.js";
import { hand, laying } from "./hand.js";
import { LAYOUT, SIZE, plankEnd } from "./layout.js";
import { medal, panel, seated } from "./panel.js";
import { rigging } from "./rigging.js";
import { ALL, crewOf, remember, scene, step } from "./scene.js";
import { sheet } from "./sheet.js";
import { spots, water } from "./spot.js";
import { out, standing } from "./standing.js";
import { turn } from "./turn.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./spot.js").Spot} Spot */
/** @typedef {import("./layout.js").Layout} Layout */

/** @param {Desk} desk */
function draw(desk) {
  const { scene: now, shape } = desk;
  const at = LAYOUT[shape];
  if (!now["pirates"]) return nothing;
  remember(now["pirates"]);
  const [width, height] = SIZE[shape];
  const look = ahead(desk);
  const where = spots(look, at);
  const was = look === now ? where : spots(now, at);
  const aims = aimable(desk);
  const [lx = 0, ly = 0, ls = 1] = at.locker;
  const [laid = 0, aimed = 0] = at.low;
  const low = laying(desk) ? laid : desk.choice ? aimed : 0;
  return svg`<g class=${`w-scene ${shape}`}>
    <rect class="sky" x="-800" y="-400" width=${width + 3400} height=${height + 800} />
    <g class="moves" ${place(0, low)}>
      ${sea(-800, at.sea, width + 3400, height - at.sea + 400)}
      <g class="moves" aria-hidden="true" ${place(Math.min(plankEnd(at, now["plank"]) + at.tile * 1.1, width - 60), at.sea + (at.fin[0] ?? 0), at.fin[1])}>${fin(0, 0)}</g>
      <path class="w-bed" d=${`M-800 ${height + 400}V${height - 26}H-20q90-14 190-4t230-8 260 6 240-8 300 10 400-6H${width + 2600}V${height + 400}Z`} />
      <g aria-hidden="true" transform=${`translate(${lx} ${ly}) scale(${ls})`}>${locker(now["splash"] > 0)}</g>
      <g aria-hidden="true">${ship(at.ship, at.deck, at.hull, at.top)}${plank(at, now["plank"])}</g>
      ${sign(at.sign, round(now), now["last"])}
      ${rigging(now, at)}
      ${grounds(desk, at)}
      <g aria-hidden="true">${repeat(ALL.filter(({ crew }) => now["pirates"][crew]), ({ key }) => key, ({ crew, who, key }) => piece(desk, look, crew, who, where.get(key), aims))}${rope(now, where, at)}${rail(at.ship, at.deck - 8)}</g>
      ${look === now ? nothing : arrows(now, look, was, where)}
      ${bystanders(desk, was)}
      ${targets(desk, look, where)}
      ${now["splash"] ? splash(water(now, at, now["splash"]), at.sea + 26) : nothing}
      ${now["afloat"].map((/** @type {any} */ lost, /** @type {number} */ i) => svg`<g class="w-afloat" transform=${`translate(${water(now, at, lost.space) + (i % 3) * 44 - 10} ${at.sea + 30}) scale(${at.size * 0.7})`}><g class="w-bobs">${headgear(lost.who)}</g></g>`)}
      ${now["cheers"] ? joke(now, at) : nothing}
    </g>
    ${repeat(seated(desk), (crew) => crew.crew, (crew) => panel(desk, at, crew))}
    ${medal(desk, at)}
    ${now["cheers"] ? verdict(desk, at) : nothing}
    ${now["turned"] ? keyed(`${now["turned"].crew}${now["turned"].slot}`, turn(desk, at)) : nothing}
  </g>`;
}

/** What the sign on the hull says. @param {Scene} now */
function round(now) {
  if (now["last"]) return _("Last round");
  return now["rounds"] ? _("Round {round} of {rounds}", { round: now["round"], rounds: now["rounds"] }) : _("Round {round}", { round: now["round"] });
}

/** One of the pirates, wherever it is. @param {Desk} desk @param {Scene} look @param {string} crew @param {number} who @param {Spot | undefined} spot @param {Set<string> | null} aims who may be touched */
function piece(desk, look, crew, who, spot, aims) {
  if (!spot) return nothing;
  const key = `${crew}${who}`;
  const fresh = look["moved"].includes(key);
  const aside = aims && spot.sort === "stands" && !fresh && crew !== crewOf(desk.seat) && !aims.has(`${crew} ${desk.scene["pirates"][crew][who]}`);
  const cheers = spot.sort === "stands" && look["cheers"]?.includes(crew);
  const pose = cheers ? "cheers" : spot.sort === "topples" ? "flails" : spot.sort === "stands" ? (look["poses"][key] ?? "stands") : "sinks";
  return svg`<g class=${`w-piece moves w-${spot.sort} ${spot.sort === "sinks" ? "falls" : ""} ${fresh ? "w-fresh" : ""} ${aside ? "w-dim" : ""} ${crew === crewOf(desk.seat) && desk.seat >= 0 ? "w-mine" : ""}`} data-crew=${crew} data-key=${key} ${place(spot.x, spot.y, spot.scale, spot.turn)}>
    <ellipse class="w-wake" rx="42" ry="9" /><g class=${cheers ? `w-hops w-${who}` : ""}>${figure(crew, who, pose)}</g></g>`;
}

/** What ties two together. @param {Scene} now @param {Map<string, Spot>} where @param {Layout} at */
function rope(now, where, at) {
  const [a, b] = now["rope"].map((/** @type {string} */ key) => where.get(key));
  if (!a || !b) return nothing;
  const lift = 52 * a.scale;
  return svg`<path class="w-tow" d=${`M${a.x} ${a.y - lift}Q${(a.x + b.x) / 2} ${Math.max(a.y, b.y) - lift + 34 * at.size} ${b.x} ${b.y - lift}`} />`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { size: SIZE, scene, step, eve: (first) => ({ ...first, favour: null }), brief: ["chosen", "aside"], opens: ["reveals", "new-round"], draw, hand, ask, verb, rule, toPreview, back, standing, out, sheet };
