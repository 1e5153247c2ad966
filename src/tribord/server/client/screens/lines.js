/** The lines of the turn that is played: what is happening now, and below it in small what led to it. */
import { html, nothing } from "../lit.js";

/** @param {import("../stage.js").Stage} stage @param {any} [otherwise] what is said while nothing is told */
export function lines(stage, otherwise = nothing) {
  const told = stage.turn.filter((event) => !stage.wordless(event));
  const now = told.at(-1);
  const before = told.at(-2);
  return html`<div class="lines"><p class="before">${before ? stage.say(before) : nothing}</p>
    <p class=${`must ${now ? "told" : "waiting"}`} data-kind=${now?.kind ?? nothing} data-beat=${now ? stage.beat : nothing}>${now ? stage.say(now) : otherwise}</p></div>`;
}
