/** Aiming: the pirates on the plank, each touched where it's drawn. The preview may already have moved it. */
import { lead } from "/page/app.js";
import { nothing, svg } from "/page/lit.js";
import { _, name } from "/page/words.js";
import { seen } from "./arrow.js";
import { key, slotX, standing } from "./layout.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Pirate} Pirate */
/** @typedef {import("./ahead.js").Look} Look */

const SLOTS = [1, 2, 3, 4];

/** The scene in which the action card acts. @param {Look} look */
export function acting(look) {
  const when = look.events.findIndex((event) => event.kind === "moves" || event.kind === "stays");
  return (when >= 0 ? look.scenes[when] : null) ?? look.scene;
}

/** @param {Desk} desk @param {Layout} at @param {Look} look */
export function targets(desk, at, look) {
  if (desk.seat < 0 || desk.event) return nothing; // nobody decides here, or the tap is for the stage
  const then = acting(look);
  return SLOTS.map((slot) => {
    /** @type {Pirate | undefined} */
    const one = then["plank"][slot - 1];
    const [x, y] = one ? seen(at, look.scene, one) : [slotX(at, slot), standing(at)];
    return desk.choice?.offers("slot", slot) && one ? target(desk, slot, one, x, y) : svg`<g class="closed" data-closed=${slot} @click=${() => desk.why("slot", slot)}><rect x=${x - 62} y=${y - 64} width="124" height="122" /></g>`;
  });
}

/** @param {Desk} desk @param {number} slot @param {Pirate} one @param {number} x @param {number} y */
function target(desk, slot, one, x, y) {
  const { choice } = desk;
  const aimed = choice?.touchedValue("slot");
  const card = choice?.touchedValue("card");
  const label = _("Slot {slot}: {crew_of} {pirate_bare}", { slot, crew_of: name("crew_of", one.crew), pirate: name("pirate", one.pirate), pirate_bare: name("pirate_bare", one.pirate) });
  const touch = () => {
    if (choice?.touchedValue("kind") === "pass") desk.pick("kind", "turn");
    if (choice?.touchedValue("order") === undefined) desk.pick("order", "action-first"); // it's aimed at where it stands now
    desk.pick("slot", slot);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch();
    const next = card === undefined ? "[data-card]" : choice?.touchedValue("pirate") === undefined ? "[data-pirate]" : "";
    lead(event, next ? `${next}:not([aria-disabled])` : ".act .primary");
  };
  return svg`<g class=${`target ${aimed === slot ? "aimed" : ""} ${aimed === undefined && card !== undefined ? "asked" : ""}`} role="button" tabindex="0" aria-label=${label} aria-pressed=${aimed === slot ? "true" : "false"} data-slot=${slot} data-of=${key(one)} @click=${touch} @keydown=${press}>
    <rect x=${x - 62} y=${y - 64} width="124" height="122" rx="18" /></g>`;
}
