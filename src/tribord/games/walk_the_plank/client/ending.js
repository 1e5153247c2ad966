/** The end, on the drawing: who the Captain keeps, and what Davy Jones says to the others. */
import { nothing, svg } from "/page/lit.js";
import { _ } from "/page/words.js";
import { CREWS, head } from "./figure.js";
import { breadth, inLines, lettering } from "./lettering.js";
import { person } from "./panel.js";
import { ALL, SUNK } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */

const FORMS = {
  wide: { title: [20, 48, 30], first: [48, 112], next: 76, scale: 0.6, name: [92, 26, 216] },
  tall: { title: [20, 44, 30], first: [46, 90], next: 48, scale: 0.44, name: [84, 26, 410] },
};

/** The Captain's choice, where the cards hung. @param {Desk} desk @param {Layout} at */
export function verdict(desk, at) {
  const now = desk.scene;
  const [x = 0, y = 0, width = 0, height = 0] = at.turn;
  const { title: [tx = 0, ty = 0, font = 0], first: [hx = 0, hy = 0], next, scale, name: [nx = 0, size = 0, room = 0] } = FORMS[desk.shape];
  /** @type {string[]} */
  const kept = now["cheers"];
  const anyone = ALL.some(({ crew, who }) => now["pirates"][crew]?.[who] < SUNK);
  const title = kept.length ? _("The Captain keeps:") : anyone ? _("No one wins") : _("The Captain keeps no one");
  const why = anyone ? _("The Captain is tired of waiting.") : _("Pirates were overrated anyway.");
  return svg`<g class="w-verdict" aria-hidden="true" transform=${`translate(${x} ${y})`}><g class="w-bill">
    <rect class="w-paper" width=${width} height=${height} rx="14" /><rect class="w-border" x="5" y="5" width=${width - 10} height=${height - 10} rx="10" />
    ${lettering([title], { x: tx, y: ty, font, room: width - 2 * tx, sort: "w-card-name" })}
    ${kept.map((crew, k) => svg`<g transform=${`translate(${hx} ${hy + k * next}) scale(${scale})`}>${head(crew, k)}</g>${lettering([person(desk, CREWS.indexOf(crew))], { x: nx, y: hy + k * next + 9, font: size, room, sort: "w-owner" })}`)}
    ${kept.length ? nothing : lettering(inLines(why, (width - 2 * tx) / size), { x: tx, y: hy, font: size, room: width - 2 * tx, gap: size + 4, sort: "w-said" })}
  </g></g>`;
}

/** What Davy Jones says to his guests. @param {Scene} now @param {Layout} at */
export function joke(now, at) {
  const guests = ALL.filter(({ crew, who }) => now["pirates"][crew]?.[who] >= SUNK).length;
  if (!guests) return nothing;
  const jokes = [_("“Wipe your feet!”"), _("“Soup for {guests}!”", { guests }), _("“Who brought cards?”")];
  const words = now["cheers"].length ? (jokes[now["round"] % jokes.length] ?? "") : _("“Full house tonight!”");
  const [x = 0, y = 0] = at.locker;
  const width = 26 * breadth(words) + 24;
  return svg`<g class="w-joke" transform=${`translate(${x - 30} ${y - 92})`}><path d=${`M${60 - width}-28H60q14 0 14 14V14q0 14-14 14H46L38 52L22 28H${60 - width}q-14 0-14-14V-14q0-14 14-14Z`} />
    ${lettering([words], { x: 60 - width / 2, y: 9, font: 26, room: width - 10, sort: "w-joke-words" })}</g>`;
}
