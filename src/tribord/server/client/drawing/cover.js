/** Covers for the harbour: each game's own drawing, fetched when it is there; until then, the open sea. */
import { app } from "../app.js";
import { svg, html } from "../lit.js";
import { sea } from "./sea.js";

/** @type {Map<string, (() => import("../contract.js").Drawn) | null>} */
const drawn = new Map();

/** @param {import("../contract.js").GameCard} game */
export function cover(game) {
  if (game.cover && !drawn.has(game.id)) {
    drawn.set(game.id, null);
    void import(`/games/${game.id}/cover.js`).then((module) => {
      drawn.set(game.id, module.cover);
      app.redraw();
    });
  }
  return html`<svg viewBox="0 0 600 300" aria-hidden="true" preserveAspectRatio="xMidYMid slice">${drawn.get(game.id)?.() ?? svg`<rect class="sky" width="600" height="300" />${sea(0, 150, 600, 150)}`}</svg>`;
}
