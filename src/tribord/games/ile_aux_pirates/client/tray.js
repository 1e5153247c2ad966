/** The tray: the dice of the turn, who took which, what's left and for which pawns. */
import { lead } from "/page/app.js";
import { nothing, repeat, svg } from "/page/lit.js";
import { place } from "/page/drawing/place.js";
import { _, capital, name } from "/page/words.js";
import { blank, die as drawnDie } from "./dice.js";
import { SHIP } from "./island.js";
import { CHILDREN, figure, isPirate } from "./pawn.js";
import { COLOURS, THROWS, diceOf, moveOf, thrower } from "./scene.js";
import { hatSign, headSign } from "./signs.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {{value: number, taker: string, lost: boolean}} Slot a die of the throw, and who has taken it */
/**
 * @typedef {object} TrayPlace
 * @property {[number, number, number, number]} box
 * @property {number} size of a die
 * @property {number} step from die to die
 * @property {[number, number]} first die's middle
 * @property {[number, number]} jobs where the signs begin
 * @property {[number, number]} job from sign to sign
 * @property {[number, number, number]} whose where the name stands, and how wide it may be
 * @property {[number, number]} sand where the hourglass stands
 */

/** @type {{wide: TrayPlace, tall: TrayPlace}} */
const PLACES = {
  wide: { box: [1052, 338, 240, 190], size: 0.84, step: 74, first: [1098, 474], jobs: [1084, 412], job: [40, 0], whose: [1074, 378, 200], sand: [1240, 412] },
  tall: { box: [6, 716, 330, 98], size: 0.98, step: 94, first: [92, 765], jobs: [28, 765], job: [0, 28], whose: [348, 744, 250], sand: [664, 738] },
};

/**
 * The dice of this turn. The log knows which pawn took which die; if it doesn't fit the dice left, only those are shown.
 * @param {Desk} desk @returns {Slot[]}
 */
export function slots({ scene: now, log }) {
  /** @type {number[]} */
  const left = now["dice"] ?? [];
  const events = (log ?? []).flatMap((update) => update.events ?? []);
  for (let k = events.length - 1; k >= 0; k--) {
    const event = events[k];
    if (!event || !THROWS.includes(event.kind) || thrower(event) !== now["turn"]) continue;
    const thrown = diceOf(event).map((value) => ({ value, taker: "", lost: false }));
    let used = thrown.length - left.length;
    for (const { kind, fields } of events.slice(k + 1)) {
      const move = moveOf({ kind, rule: "", fields, fr: "", en: "" });
      if ((!move && kind !== "die-lost") || used-- <= 0) continue;
      const slot = thrown.find((one) => one.value === fields["die"] && !one.taker && !one.lost);
      if (slot) Object.assign(slot, move ? { taker: move.pawn } : { lost: true });
    }
    const rest = thrown.filter(({ taker, lost }) => !taker && !lost).map(({ value }) => value);
    if (rest.join() === [...left].sort().join()) return thrown;
  }
  return left.map((value) => ({ value, taker: "", lost: false }));
}

/** Whose dice these are. @param {Desk} desk */
function whose({ scene: now, seat, name: called }) {
  const turn = now["turn"];
  if (turn === null || turn === undefined) return "";
  const player = typeof turn === "number" ? turn : now["players"] === 1 ? -1 : COLOURS.indexOf(turn);
  if (player < 0) return capital(name("colour", turn));
  return player === seat ? _("Your dice") : called(player);
}

/** @param {Desk} desk */
export function tray(desk) {
  const { scene: now, shape, rolling } = desk;
  const at = PLACES[shape];
  const [x, y, w, h] = at.box;
  const all = rolling ? waiting(desk) : slots(desk);
  const jobs = [...Array(now["pirateDice"] ?? 0).fill("pirate"), ...Array(now["childDice"] ?? 0).fill("child")];
  const who = rolling ? _("Your dice") : whose(desk);
  const [wx, wy, room] = at.whose;
  const spot = (/** @type {number} */ i) => at.first[0] + (i + (3 - all.length) / 2) * at.step;
  return svg`<g class="tray"><rect class="box" x=${x} y=${y} width=${w} height=${h} rx="14" /><rect class="felt" x=${x + 8} y=${y + 8} width=${w - 16} height=${h - 16} rx="9" />
    ${who ? svg`<text class="whose" x=${wx} y=${wy} textLength=${who.length * 13 > room ? room : nothing} lengthAdjust="spacingAndGlyphs">${who}</text>` : nothing}
    ${all.length ? nothing : svg`<text class="empty" x=${x + w / 2} y=${shape === "wide" ? y + h - 52 : y + h / 2 + 8}>${_("The dice are resting.")}</text>`}
    ${all.length && !rolling ? svg`<g aria-hidden="true">${jobs.map((job, i) => svg`<g transform=${`translate(${at.jobs[0] + at.job[0] * i} ${at.jobs[1] + at.job[1] * (i - (jobs.length - 1) / 2)})`}>${job === "pirate" ? hatSign() : headSign()}</g>`)}</g>` : nothing}
    ${now["turnsLeft"] === null ? nothing : hourglass(now["turnsLeft"], at.sand)}
    ${repeat(all, (_slot, i) => `${i}`, (slot, i) => (rolling ? unrolled(spot(i), at.first[1], at.size, i) : slot.taker || slot.lost ? usedDie(desk, slot, spot(i), at.first[1], at.size) : freeDie(desk, slot.value, spot(i), at.first[1], at.size, all.findIndex((other) => other.value === slot.value && !other.taker && !other.lost) === i)))}</g>`;
}

/** The dice of a throw that is still to come: one for a pirate, and for up to two children. @param {Desk} desk @returns {Slot[]} */
function waiting({ scene: now }) {
  const ashore = CHILDREN.filter((pawn) => pawn in now["pawns"] && now["pawns"][pawn] !== SHIP).length;
  const dice = now["game"] === "strategic" ? 3 : 1 + Math.min(2, Math.max(1, ashore));
  return Array.from({ length: dice }, () => ({ value: 0, taker: "", lost: false }));
}

/** A die that waits to be rolled. @param {number} x @param {number} y @param {number} size @param {number} i */
function unrolled(x, y, size, i) {
  return svg`<g class="die-spot" aria-hidden="true" ${place(x, y, size)}><g class=${`waits w${i}`}>${blank()}</g></g>`;
}

/** A die that a pawn has taken, or that none could. @param {Desk} desk @param {Slot} slot @param {number} x @param {number} y @param {number} size */
function usedDie(desk, { value, taker, lost }, x, y, size) {
  const why = () => desk.choice && desk.why("die", value);
  return svg`<g class="die-spot used" ${place(x, y, size)} data-used=${value} aria-hidden="true" @click=${why}><g class="faded">${drawnDie(value)}</g>
    ${lost ? svg`<path class="cross" d="M-26-26L26 26M26-26L-26 26" />` : svg`<g transform="translate(0 40) scale(0.86)">${figure(taker, null, isPirate(taker))}</g>`}</g>`;
}

/** A die to be taken. @param {Desk} desk @param {number} value @param {number} x @param {number} y @param {number} size @param {boolean} first of its value */
function freeDie(desk, value, x, y, size, first) {
  const { choice, scene: now } = desk;
  const inside = svg`<g class=${now["rolls"] ? "rolling" : ""}>${drawnDie(value, now["rolls"])}</g>`;
  if (!choice?.offers("die", value)) return svg`<g class="die-spot" ${place(x, y, size)} aria-hidden="true">${inside}</g>`;
  const touch = () => desk.pick("die", value);
  const next = choice.settled["pawn"] === undefined ? "[data-pawn]:not([aria-disabled])" : ".act .primary";
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch();
    lead(event, next);
  };
  const on = choice.settled["die"] === value;
  return svg`<g class=${`die-spot offered ${on && first ? "on" : ""}`} ${place(x, y, size)} role="button" tabindex="0" data-die=${value} aria-pressed=${on ? "true" : "false"} aria-label=${_("Die: {die}", { die: value })} @click=${touch} @keydown=${press}>
    <rect class="ring" x="-48" y="-48" width="96" height="96" rx="20" />${inside}</g>`;
}

/** The turns that are left. @param {number} turns @param {[number, number]} at */
function hourglass(turns, [x, y]) {
  return svg`<g class="sand" transform=${`translate(${x} ${y})`}><rect x="-46" y="-20" width="92" height="40" rx="10" /><path class="glass" d="M-37-13H-19L-26 0L-19 13H-37L-30 0Z" /><text x="14" y="9">${turns}</text></g>`;
}
