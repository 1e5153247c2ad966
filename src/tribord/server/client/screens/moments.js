/** What decided a match: the turns after which the chances never recovered, with their events. */
import { app } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

/** @typedef {import("../contract.js").Moment} Moment */
/** @typedef {import("../contract.js").GameEvent} GameEvent */

/** @type {Map<string, Moment[] | null>} by table; null while they are fetched */
const found = new Map();

/** @param {string} table @returns {Moment[]} */
function momentsOf(table) {
  if (!found.has(table)) {
    found.set(table, null);
    ask(`/api/tables/${table}/moments`)
      .then(({ moments }) => found.set(table, moments))
      .catch(() => found.delete(table)) // fetched again the next time
      .finally(app.redraw);
  }
  return found.get(table) ?? [];
}

/**
 * The moments that decided a match, each a way into its replay.
 * @param {string} table @param {(seat: number) => string} name @param {(event: GameEvent) => string} narrate @param {number[]} [own] the seats of who reads it
 */
export function decisive(table, name, narrate, own = []) {
  const moments = momentsOf(table);
  if (!moments.length) return nothing;
  const percent = new Intl.NumberFormat(settings.language, { style: "percent" });
  const chances = (/** @type {import("../contract.js").Effect} */ { seat, ...effect }) => {
    const [before, after] = [percent.format(effect.before), percent.format(effect.after)];
    if (seat === null) return _("Chance of winning: {before} → {after}", { before, after });
    if (own.length === 1 && own[0] === seat) return _("Your chance of winning: {before} → {after}", { before, after });
    return _("{name}: chance of winning {before} → {after}", { name: name(seat), before, after });
  };
  const item = (/** @type {Moment} */ { place, events, effects }) => {
    const effect = effects.find(({ seat }) => seat !== null && own.includes(seat)) ?? effects[0];
    if (!effect) return nothing;
    return html`<li><a href=${`#/replay/${table}/${place}`}>${narrate(effect.event)}</a>
      ${events.length ? html`<small>${events.map(narrate).join(" ")}</small>` : nothing}<small class="odds">${chances(effect)}</small></li>`;
  };
  return html`<section class="moments" aria-labelledby="moments">
    <h3 id="moments">${_("What decided it")}</h3>
    <ol>${moments.map(item)}</ol>
    <p><small>${_("According to the bots, these turns decided the game.")}</small></p>
  </section>`;
}
