/** Targets of the turned-up card: on the drawing, in the hand, and what each would lead to. */
import { lead } from "/page/app.js";
import { html, nothing, svg } from "/page/lit.js";
import { _, capital, local, name } from "/page/words.js";
import { CREWS, head } from "./figure.js";
import { footing } from "./layout.js";
import { ALL, THREE, crewOf, isMeant, mean } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./spot.js").Spot} Spot */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{action: number, parts: Record<string, any>}} Option */

/** @param {Choice} choice */
export const kindOf = (choice) => String(choice.all[0]?.parts["kind"]);

/** @param {Choice} choice */
export function toPreview(choice) {
  return kindOf(choice) === "program" ? null : choice.action;
}

const CERTAIN = ["shoves", "pushes", "drags", "pulls", "runs", "flees", "charges"];

/** The scene after all have moved and before anyone sinks; those about to fall hang in the air. @param {Desk} desk */
export function ahead({ scene: now, preview }) {
  const end = preview ? preview.events.findIndex(({ kind }) => !CERTAIN.includes(kind)) : 0;
  return preview?.scenes[end < 0 ? preview.events.length : end] ?? now;
}

/** Who would go where. @param {Scene} now @param {Scene} look @param {Map<string, Spot>} was @param {Map<string, Spot>} will */
export function arrows(now, look, was, will) {
  const goers = ALL.filter(({ crew, who }) => now["pirates"][crew] && now["pirates"][crew][who] !== look["pirates"][crew][who]);
  return goers.map(({ key }) => {
    const [a, b] = [was.get(key), will.get(key)];
    if (!a || !b) return nothing;
    const topples = b.sort === "topples";
    const [ay, by] = [a.y - 112 * a.scale, topples ? b.y - 100 * b.scale : b.y - 128 * b.scale];
    const [mx, my] = [(a.x + b.x) / 2, Math.max(8, Math.min(ay, by) - 44)];
    return svg`${arrow(`M${a.x} ${ay}Q${mx} ${my} ${b.x} ${by}`, b.x, by, Math.atan2(by - my, b.x - mx))}
      ${topples ? arrow(`M${b.x + 16} ${b.y + 6}v52`, b.x + 16, b.y + 58, Math.PI / 2) : nothing}`;
  });
}

/** A dotted line with an arrowhead, clear of everything below it. @param {string} d @param {number} x @param {number} y @param {number} turn */
function arrow(d, x, y, turn) {
  const tip = svg`<path d="M-15-12L0 0L-15 12" transform=${`translate(${x} ${y}) rotate(${(turn * 180) / Math.PI})`} />`;
  return svg`<g class="w-arrow-edge" aria-hidden="true"><path d=${d} />${tip}</g><g class="w-arrow" aria-hidden="true"><path class="w-shaft" d=${d} />${tip}</g>`;
}

/** Where an option is touched on the drawing: a crew on a space. @param {Option} option @param {string} own */
function aimedAt({ parts }, own) {
  const victim = parts["victim"];
  if (victim === undefined || victim === "nobody") return `${own} ${parts["space"]}`;
  return `${victim} ${parts["space"] + (parts["kind"] === "charge" ? 1 : 0)}`;
}

/** Whether this is what would be sent: a single option is, from the start. @param {Choice} choice @param {Option} option */
const isAimed = (choice, option) => choice.action === option.action;

/** Choose an option with one touch. @param {Desk} desk @param {Option} option */
function aim(desk, { parts }) {
  for (const [part, value] of Object.entries(parts)) if (part !== "kind") desk.pick(part, value);
}

/** What can be touched on the drawing: crews on spaces, or nothing if no card needs a target. @param {Desk} desk */
export function aimable({ choice, seat }) {
  return choice && kindOf(choice) !== "program" ? new Set(choice.all.map((option) => aimedAt(option, crewOf(seat)))) : null;
}

/** @template T @param {Option[]} options @param {(option: Option) => T} by @returns {Map<T, Option[]>} */
function grouped(options, by) {
  /** @type {Map<T, Option[]>} */
  const found = new Map();
  for (const option of options) found.set(by(option), [...(found.get(by(option)) ?? []), option]);
  return found;
}

/**
 * The pirates that can be touched now. The very one that was touched moves. If a touch could mean two things, the next
 * touch on the same pirate means the other.
 * @param {Desk} desk @param {Scene} look @param {Map<string, Spot>} where
 */
export function targets(desk, look, where) {
  const { choice, scene: now } = desk;
  if (!choice || kindOf(choice) === "program") return nothing;
  const own = crewOf(desk.seat);
  const sorted = grouped(choice.all, (option) => aimedAt(option, own));
  const crowd = sorted.size > 4; // rings around everyone would only hide the faces
  return [...sorted].map(([spot, options]) => {
    const [crew = "", space] = spot.split(" ");
    const held = THREE.filter((who) => now["pirates"][crew][who] === Number(space));
    const goes = (/** @type {number} */ who) => look["pirates"][crew][who] !== Number(space);
    const on = options.findIndex((option) => isAimed(choice, option));
    const said = options[Math.max(on, 0)];
    if (!said) return nothing;
    const touch = (/** @type {string} */ key) => {
      const again = isMeant(now, key) || held.length === 1;
      mean(now, key);
      aim(desk, options[again ? (on + 1) % options.length : Math.max(on, 0)] ?? said);
    };
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      touch(`${crew}${held.at(-1)}`);
      lead(event, ".act .primary");
    };
    return svg`<g class=${`w-target ${on >= 0 ? "w-aimed" : crowd ? "w-crowd" : ""}`} role="button" tabindex="0" aria-label=${capital(local(choice.cards[said.action] ?? { fr: "", en: "" }))} aria-pressed=${on >= 0 ? "true" : "false"} data-target=${spot} @keydown=${press}>
      ${held.map((who) => ring(where.get(`${crew}${who}`), held.some(goes) && !goes(who) ? "w-stays" : "", () => touch(`${crew}${who}`), `${crew}${who}`))}</g>`;
  });
}

/** Around a pirate, as large as a finger. @param {Spot | undefined} spot @param {string} sort @param {() => void} touch @param {string} key */
function ring(spot, sort, touch, key) {
  return spot ? svg`<circle class=${sort} data-pirate=${key} cx=${spot.x} cy=${spot.y - 62 * spot.scale} r=${Math.max(50 * spot.scale, 28)} @click=${touch} />` : nothing;
}

/** Everything else that can be touched says why not: the ship, the tiles, and those who stand on them. @param {Desk} desk @param {Layout} at */
export function grounds(desk, at) {
  return [0, 1, 2, 3].filter((space) => space <= desk.scene["plank"]).map((space) => {
    const x = space ? at.start + (space - 1) * at.tile : 0;
    return svg`<rect class="w-ground" aria-hidden="true" data-space=${space} x=${x} y=${at.ceiling} width=${space ? at.tile : at.ship} height=${footing(at, space) + 36 - at.ceiling} @click=${() => refuse(desk, space)} />`;
  });
}

/** Those who aren't targets, and why. @param {Desk} desk @param {Map<string, Spot>} where */
export function bystanders(desk, where) {
  const { scene: now } = desk;
  const aims = aimable(desk);
  return ALL.filter(({ key, crew, who }) => where.get(key)?.sort === "stands" && !aims?.has(`${crew} ${now["pirates"][crew][who]}`)).map(
    ({ key, crew, who }) => svg`<g class="w-bystander" aria-hidden="true" data-at=${now["pirates"][crew][who]}>${ring(where.get(key), "", () => refuse(desk, now["pirates"][crew][who], crew), key)}</g>`,
  );
}

/** Say why nothing can be done there, or with someone there. @param {Desk} desk @param {number} space @param {string} [crew] */
function refuse(desk, space, crew) {
  const { choice } = desk;
  const from = choice && kindOf(choice) === "charge" && crew !== crewOf(desk.seat) ? space - 1 : space; // a charge hits one space further on
  if (!crew || from < 0 || !choice?.offers("space", from)) desk.why("space", Math.max(from, 0));
  else desk.why("victim", crew);
}

/** The targets of the turned-up card, space by space. @param {Desk} desk @param {Choice} choice */
export function aims(desk, choice) {
  const kind = kindOf(choice);
  const spaces = grouped(choice.all, ({ parts }) => Number(parts["space"]));
  return html`<div class="w-aims">${[...spaces].sort(([a], [b]) => a - b).map(([space, options]) => html`<div class="w-aim-group" role="group" aria-label=${capital(name("space_from", space))}>
    <span class="w-space">${capital(name(kind === "charge" || kind === "run" || kind === "flee" ? "space_from" : "space_on", space))}</span>
    <div>${options.map((option) => {
      const touch = (/** @type {Event} */ event) => {
        aim(desk, option);
        lead(event, ".act .primary");
      };
      return html`<button class=${`w-aim ${isAimed(choice, option) ? "w-on" : ""}`} aria-pressed=${isAimed(choice, option) ? "true" : "false"} aria-label=${capital(local(choice.cards[option.action] ?? { fr: "", en: "" }))} data-aim=${option.action} @click=${touch}>${aimFace(desk, option)}</button>`;
    })}</div></div>`)}</div>`;
}

/** @param {Desk} desk @param {Option} option */
function aimFace(desk, { parts }) {
  const { victim, way, steps } = parts;
  const shaft = (/** @type {string} */ d) => html`<svg viewBox="-32 -24 64 48" aria-hidden="true"><path class="w-way" d=${d} /></svg>`;
  if (way) return html`${shaft(way === "sea" ? "M-22 0H22M10-12L23 0L10 12" : "M22 0H-22M-10-12L-23 0L-10 12")}<span>${capital(name("way", way))}</span>`;
  if (steps) return html`${shaft(steps === 1 ? "M6-14L-8 0L6 14" : "M-2-14L-16 0L-2 14M18-14L4 0L18 14")}<span>${capital(name("steps", steps))}</span>`;
  if (victim === "nobody") return html`${shaft("M-22 0H22M10-12L23 0L10 12")}<span>${capital(name("victim", "nobody"))}</span>`;
  const seat = CREWS.indexOf(victim);
  return html`<svg viewBox="-56 -62 112 116" aria-hidden="true">${head(victim, 0)}</svg><span>${seat === desk.seat ? _("Yours") : desk.name(seat)}</span>`;
}
