/** The lines of the current turn: what is happening now, and below it, smaller, what led to it. */
import { html, nothing } from "../lit.js";
import { _, because } from "../words.js";

/** @param {import("../stage.js").Stage} stage @param {any} [otherwise] the text while nothing is narrated @param {(rule: string) => void} [open] a rule that is cited */
export function lines(stage, otherwise = nothing, open) {
  const events = stage.turn.filter((event) => !stage.wordless(event));
  const now = events.at(-1);
  const before = events.at(-2);
  return html`<div class="lines"><p class="before">${before ? stage.say(before) : nothing}</p>
    <p class=${`must ${now ? "narrated" : "waiting"}`} data-kind=${now?.kind ?? nothing} data-beat=${now ? stage.beat : nothing}>${now ? stage.say(now) : otherwise}</p>${now ? reason(now, open, stage.why(now)) : nothing}</div>`;
}

/** Why it happened, if everything is explained, with its rule. @param {import("../contract.js").GameEvent} event @param {(rule: string) => void} [open] the rule @param {string} [why] */
export function reason(event, open, why = because(event)) {
  if (!why) return nothing;
  return html`<p class="because">${why} ${open ? html`<button class="rule-link" @click=${() => open(event.rule)} aria-label=${_("Rule {rule}", { rule: event.rule })}>${event.rule}</button>` : html`<b>${event.rule}</b>`}</p>`;
}

/** The same below an entry of a log that has no links. @param {import("../contract.js").GameEvent} event */
export function footnote(event) {
  const why = because(event);
  return why ? html`<small class="because">${why} <b>${event.rule}</b></small>` : nothing;
}
