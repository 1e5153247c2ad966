/** The 24 pirates, each wherever it is: aboard, on its card, on the plank, about to fall, in the sea. */
import { pirate } from "/page/drawing/pirate.js";
import { place, property } from "/page/drawing/place.js";
import { keyed, nothing, repeat, svg } from "/page/lit.js";
import { ALL, crewOf, key, slotX, standing } from "./layout.js";
import { swim } from "./sea.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Pirate} Pirate */
/** @typedef {import("./ahead.js").Look} Look */
/** @typedef {{x: number, y: number, scale: number, turn: number, sort: "aboard" | "dealt" | "standing" | "newcomer" | "doomed" | "swims"}} Spot */

/** @param {Desk} desk @param {Layout} at @param {Look} look */
export function pieces(desk, at, look) {
  const named = (/** @type {string} */ kind) => new Set(look.events.filter((event) => event.kind === kind).map(({ fields }) => `${crewOf(fields["crew"] ?? 0)}${fields["pirate"]}`));
  const [fallen, entered] = [named("falls"), named("enters")];
  return repeat(ALL, key, (one) => piece(desk, at, look, one, spot(at, look.scene, one, fallen, entered)));
}

/** @param {Layout} at @param {Scene} now @param {Pirate} one @param {Set<string>} fallen @param {Set<string>} entered @returns {Spot} */
function spot(at, now, one, fallen, entered) {
  const id = key(one);
  const slot = now["plank"].findIndex((/** @type {Pirate} */ other) => key(other) === id);
  if (slot >= 0) return { x: slotX(at, slot + 1), y: standing(at), scale: at.size, turn: 0, sort: entered.has(id) ? "newcomer" : "standing" };
  if (fallen.has(id)) return { x: at.brink[0] ?? 0, y: at.brink[1] ?? 0, scale: at.size * 0.86, turn: 38, sort: "doomed" };
  const [left = 0, top = 0, width = 0, height = 0] = at.card;
  if (now["entering"] && key(now["entering"]) === id) return { x: left + width / 2, y: top + height / 2 - 4, scale: at.face, turn: 0, sort: "dealt" };
  for (const [k, pile] of now["piles"].entries()) {
    const nth = pile.findIndex((/** @type {Pirate} */ other) => key(other) === id);
    if (nth < 0) continue;
    const [x, y] = swim(at, k, nth);
    return { x, y, scale: at.small, turn: 0, sort: "swims" };
  }
  return { x: left + width / 2, y: top + height / 2 - 4, scale: at.size * 0.8, turn: 0, sort: "aboard" };
}

/** @param {Desk} desk @param {Layout} at @param {Look} look @param {Pirate} one @param {Spot} spot */
function piece(desk, at, look, one, { x, y, scale, turn, sort }) {
  const id = key(one);
  const now = look.scene;
  const shown = now === desk.scene; // a preview is drawn, not played
  const plunges = shown && now["fall"] && key(now["fall"]) === id;
  const counted = shown && now["counting"] && now["gain"] && key(now["gain"]) === id;
  const stuck = shown && now["vain"] && key(now["vain"]) === id;
  const compared = shown && now["entering"]?.slot && now["plank"][0] && key(now["plank"][0]) === id;
  const cheers = now["winners"].includes(one.crew);
  const worn = pirate(one.crew, one.pirate, { badge: sort !== "swims" || desk.shape === "wide" });
  const marks = [sort, now["moved"] === id && "moved", plunges && "plunges", shown && now["fall"] && !plunges && "waits", counted && "counted", stuck && "stuck", compared && "compared", cheers && "cheers", now["winners"].length && !cheers && "rues"];
  return svg`<g class=${`piece moves ${marks.filter(Boolean).join(" ")}`} ${place(x, y, scale, turn)}>
    ${sort === "aboard" || sort === "swims" || sort === "dealt" ? nothing : svg`<ellipse class="wake" cy="50" rx="40" ry="8" />`}
    ${counted || compared ? svg`<circle class="halo" r="64" />` : nothing}${counted ? keyed(now["gain"].points, svg`<text class=${`score ${now["gain"].counts ? "" : "nobodys"}`} y="-76">+${now["gain"].points}</text>`) : nothing}
    ${plunges ? keyed(id, plunge(at, x, y, svg`${arms("flails")}${worn}`)) : cheers && sort !== "aboard" ? svg`<g class="glad">${arms("waves")}${worn}</g>` : worn}</g>`;
}

/** The way down: along the plank, a moment at the brink, into the water, up again, and off to the pile. @param {Layout} at @param {number} x @param {number} y @param {any} drawn */
function plunge(at, x, y, drawn) {
  const units = (/** @type {number} */ length) => `${length / at.small}px`;
  const [bx = 0] = at.brink;
  return svg`<g class="plunge" ${property("--slot-x", units(slotX(at, 4) - x))} ${property("--deck-y", units(standing(at) - y))} ${property("--edge-x", units((at.plank[1] ?? 0) - 26 - x))}
    ${property("--water-x", units(bx + 8 - x))} ${property("--water-y", units(at.sea + 26 - y))} ${property("--near", String(at.size / at.small))}>${drawn}</g>`;
}

/** Two arms, for those who need them. @param {"flails" | "waves"} how */
function arms(how) {
  return svg`<g class=${`arms ${how}`}><path class="left" d="M-34 6Q-56-8-58-34" /><path class="right" d="M34 6Q56-8 58-34" /></g>`;
}
