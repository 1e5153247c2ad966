/**
 * The plain board, for a game without a drawing: the board in words, and a choice part by part, in the game's order.
 * `partByPart` is a hand that any board may use.
 */
import { html, nothing } from "./lit.js";
import { _, capital, gameWords, local, name } from "./words.js";

/** @param {string} part @param {any} value */
function valueName(part, value) {
  const stem = part.split(".")[0] ?? part;
  return capital(name(gameWords().listed[stem] ?? stem, value));
}

/** A value to choose; one that can't be chosen now says why. @param {import("./contract.js").Desk} desk @param {string} part @param {any} value */
function option(desk, part, value) {
  const open = desk.choice?.values(part).includes(value);
  return html`<button aria-disabled=${open ? nothing : "true"} @click=${() => (open ? desk.pick : desk.why)(part, value)}>${valueName(part, value)}</button>`;
}

/** Ask about one part after the other. @param {import("./contract.js").Desk} desk @returns {import("./contract.js").Drawn} */
export function partByPart(desk) {
  const { choice } = desk;
  if (!choice) return nothing;
  const part = choice.next(gameWords().order);
  const chosen = choice.touched.map(([touched, value]) => html`<li>${valueName(touched, value)}</li>`);
  return html`${chosen.length ? html`<ol class="chosen-so-far" aria-label=${_("Chosen so far")}>${chosen}</ol>` : nothing}
    <div class="options">
      ${part
        ? choice.known(part).map((value) => option(desk, part, value))
        : choice.left.length > 1
          ? choice.left.map(({ action, parts }) => html`<button @click=${() => Object.entries(parts).forEach(([p, v]) => desk.pick(p, v))}>${local(choice.cards[action] ?? { fr: "", en: "" })}</button>`)
          : nothing}
    </div>`;
}

/** @type {import("./contract.js").Board} */
export const plainBoard = {
  size: { wide: [1200, 520], tall: [720, 720] },
  scene: (view) => view,
  step: (scene) => ({ scene }),
  draw: () => nothing,
  hand: partByPart,
};
