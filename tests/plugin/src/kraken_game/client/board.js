/** Kraken: the boats on the sea, and how much each has at home. */
import { svg } from "/page/lit.js";
import { partByPart } from "/page/plain.js";
import { place } from "/page/drawing/place.js";

/** @param {import("/page/contract.js").Desk} desk */
function draw({ scene: now, name }) {
  return svg`<g class="kraken"><rect class="deep" width="1600" height="900" />
    ${now["crews"].map((/** @type {any} */ crew, /** @type {number} */ seat) => svg`<g class="moves" ${place(120 + 30 * crew.hold, 140 + 90 * seat)} data-boat=${crew.crew}>
      <path class=${`hull ${crew.crew}`} d="M-50 0h100l-20 30h-60Z" /><text y="-14">${name(seat)}: ${crew.hold}</text></g>`)}
    ${now["die"] ? svg`<text class="haul" x="120" y="70">${now["die"]} → ${now["boat"]}</text>` : ""}</g>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = {
  size: { wide: [1000, 520], tall: [900, 720] },
  scene: (view) => view,
  step: (scene, { kind, fields }) => {
    if (kind === "fishes") return { scene: { ...scene, die: fields["die"], boat: fields["boat"] }, cue: { roll: true } };
    const crews = scene["crews"].map((/** @type {any} */ crew, /** @type {number} */ seat) => (kind === "lands" && seat === fields["crew"] ? { ...crew, hold: fields["hold"] } : crew));
    return { scene: { ...scene, crews, die: 0, boat: 0 }, cue: kind === "wakes" ? { big: true } : {} };
  },
  draw,
  hand: partByPart,
};
