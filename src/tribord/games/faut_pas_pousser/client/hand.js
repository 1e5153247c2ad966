/** The hand: six pirates, five action cards, “Non merci !”, and which comes first. */
import { lead } from "/page/app.js";
import { pirate } from "/page/drawing/pirate.js";
import { html, nothing } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { ahead } from "./ahead.js";
import { acting } from "./aim.js";
import { CARDS, VALUES, key, sign } from "./layout.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./layout.js").Pirate} Pirate */

/** @param {Desk} desk */
export function hand(desk) {
  const { choice, scene: now, seat } = desk;
  const mine = (now["crews"] ?? []).find((/** @type {any} */ crew) => crew.seat === seat);
  if (!mine || now["phase"] === "over") return nothing;
  const picking = choice?.offers("kind", "pick") ?? false;
  const chosen = now["picks"]?.[mine.crew];
  const pirates = VALUES.map((value) => {
    const held = mine.pirates.includes(value);
    return card(desk, { part: "pirate", value, held, on: choice?.touchedValue("pirate") === value || chosen === value, look: "pirate-card", label: capital(name("pirate", value)), next: "" },
      html`<svg viewBox="-54 -66 108 118" aria-hidden="true">${held ? pirate(mine.crew, value, { badge: false }) : nothing}</svg><b>${value}</b>`);
  });
  const cards = CARDS.map((value) => card(desk, { part: "card", value, held: mine.cards.includes(value), on: choice?.touchedValue("card") === value, look: "action-card", label: capital(name("card_aloud", value)), next: "[data-slot]" },
    html`<b>${sign(value)}</b><small>${value > 0 ? _("to the sea") : _("to the ship")}</small>`));
  const pass = card(desk, { part: "kind", value: "pass", held: mine.pass, on: choice?.touchedValue("kind") === "pass", look: "pass-card", label: nothing, next: ".act .primary" },
    html`<b>Non merci !</b><small>${_("pass")}</small>`);
  return html`<div class=${`fpp fpp-hand ${mine.crew}`}>
    <div class="cards" role="group" aria-label=${_("Your pirates")}>${pirates}</div>
    <div class="cards" role="group" aria-label=${_("Your action cards")}>${cards}${pass}</div>
    ${choice && !picking ? order(desk, choice) : nothing}
  </div>`;
}

/**
 * A card of the hand; one that can't be played says why.
 * @param {Desk} desk @param {{part: string, value: any, held: boolean, on: boolean, look: string, label: any, next: string}} about @param {any} drawn
 */
function card(desk, { part, value, held, on, look, label, next }, drawn) {
  const open = desk.choice?.offers(part, value);
  const touch = (/** @type {Event} */ event) => {
    if (!open) return desk.why(part, value);
    play(desk, part, value);
    if (next) lead(event, next);
  };
  return html`<button class=${`card ${look} ${on ? "on" : ""} ${held ? "" : "gone"}`} aria-disabled=${open ? nothing : "true"} aria-pressed=${on ? "true" : "false"} aria-label=${label}
    data-pirate=${part === "pirate" ? value : nothing} data-card=${part === "card" ? value : nothing} ?data-pass=${part === "kind"} @click=${touch}>${drawn}</button>`;
}

/** @param {Desk} desk @param {string} part @param {any} value */
function play(desk, part, value) {
  const touched = (/** @type {string} */ name) => desk.choice?.touchedValue(name);
  if (part !== "kind" && !desk.choice?.offers("kind", "pick")) {
    // What was touched first comes first, until the person changes it below.
    if (touched("order") === undefined) desk.pick("order", part === "pirate" ? "pirate-first" : "action-first");
    if (touched("kind") === "pass") desk.pick("kind", "turn");
    // Another pirate may push the target elsewhere, so the person aims again.
    if (part === "pirate" && touched("order") === "pirate-first" && touched("pirate") !== value) desk.back("slot");
  }
  desk.pick(part, value);
}

/** The pirate first, or the action? @param {Desk} desk @param {Choice} choice */
function order(desk, choice) {
  const now = choice.touchedValue("order");
  const idle = choice.touchedValue("kind") === "pass" || choice.touchedValue("pirate") === undefined || choice.touchedValue("card") === undefined;
  return html`<div class=${`order ${idle ? "idle" : ""}`} role="group" aria-label=${_("In which order?")}>
    <button aria-pressed=${now === "pirate-first" ? "true" : "false"} @click=${() => flip(desk, "pirate-first")}>${_("Pirate first")}</button>
    <button aria-pressed=${now === "action-first" ? "true" : "false"} @click=${() => flip(desk, "action-first")}>${_("Action first")}</button>
  </div>`;
}

/** The other order. The card stays with its target if the page already knows the slot it will be in. @param {Desk} desk @param {string} order */
function flip(desk, order) {
  const { choice } = desk;
  if (!choice || choice.touchedValue("order") === order) return;
  const slot = choice.touchedValue("slot");
  /** @type {Pirate | undefined} */
  const aimed = acting(ahead(desk))["plank"][slot - 1];
  const there = aimed && order === "action-first" ? desk.scene["plank"].findIndex((/** @type {Pirate} */ one) => key(one) === key(aimed)) : -1;
  if (there < 0) desk.back("slot");
  else desk.pick("slot", there + 1);
  desk.pick("order", order);
}
