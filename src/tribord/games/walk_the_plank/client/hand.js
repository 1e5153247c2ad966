/** The controls under the thumb: three places, ten cards, or a card's targets. */
import { lead } from "/page/app.js";
import { html, nothing } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { aims, kindOf } from "./aim.js";
import { CARDS, effect, picture, skull, title } from "./card.js";
import { carry } from "./carry.js";
import { THREE, lives, neighbours } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./scene.js").Crew} Crew */
/** @typedef {import("./card.js").Crews} Crews */

/** @type {(string | undefined)[]} what this person has put there, until the view says so: events don't say what lies face down */
let sent = [];

/** The cards that were put in the three places so far. @param {Choice | null} choice @returns {(string | undefined)[]} */
const program = (choice) => THREE.map((k) => choice?.touchedValue(`cards.${k}`));

/** Place the cards again; the one just touched comes last, because its effect is shown. @param {Desk} desk @param {(string | undefined)[]} cards @param {string} card */
function lay(desk, cards, card) {
  desk.choice?.touched.forEach(() => desk.back());
  const order = THREE.filter((k) => cards[k] !== undefined).sort((a, b) => Number(cards[a] === card) - Number(cards[b] === card));
  for (const k of order) desk.pick(`cards.${k}`, cards[k]);
}

/** A tap puts a card in the first free place (or the last), or takes it back. @param {Desk} desk @param {string} card */
function tap(desk, card) {
  const cards = program(desk.choice);
  const here = cards.indexOf(card);
  const free = cards.indexOf(undefined);
  cards[here >= 0 ? here : free >= 0 ? free : 2] = here >= 0 ? undefined : card;
  lay(desk, cards, card);
}

/** Put a card in a place, swapping with the card there; nowhere means back in the hand. @param {Desk} desk @param {string} card @param {number} to */
function drop(desk, card, to) {
  const cards = program(desk.choice);
  const from = cards.indexOf(card);
  if (from >= 0) cards[from] = to >= 0 ? cards[to] : undefined;
  if (to >= 0) cards[to] = card;
  lay(desk, cards, card);
}

/** Whether the person here has cards to place. @param {Desk} desk */
export function laying({ scene: now, seat }) {
  /** @type {Crew | undefined} */
  const mine = (now["crews"] ?? []).find((/** @type {Crew} */ crew) => crew.seat === seat);
  return mine !== undefined && now["phase"] === "choosing" && !mine.cards.length && lives(now, mine.crew);
}

/** @param {Desk} desk */
export function hand(desk) {
  const { choice, scene: now, seat } = desk;
  /** @type {Crew | undefined} */
  const mine = (now["crews"] ?? []).find((/** @type {Crew} */ crew) => crew.seat === seat);
  if (!mine || now["phase"] === "over") return nothing;
  if (!lives(now, mine.crew)) return html`<p class="w-done">${_("All your pirates are with Davy Jones. You’re watching from the rigging.")}</p>`;
  const programming = choice !== null && kindOf(choice) === "program";
  if (programming) sent = program(choice);
  const laid = programming ? sent : THREE.map((k) => mine.cards.find((card) => card.slot === k + 1)).map((card, k) => card && (card.card ?? sent[k]));
  const crews = neighbours(now, seat);
  const choosing = laying(desk);
  return html`<div class=${`w-hand w-of ${mine.crew} ${choosing ? "w-choosing" : ""} ${choice ? "w-deciding" : ""}`}>
    <ol class="w-slots" aria-label=${_("Your three cards, in order")}>${THREE.map((k) => html`<li>${slot(desk, mine, laid, k, crews, programming)}</li>`)}</ol>
    ${choosing ? cards(desk, mine, laid, crews, programming) : nothing}
    ${choice && !programming ? aims(desk, choice) : nothing}
  </div>`;
}

/** One of the three places. @param {Desk} desk @param {Crew} mine @param {(string | undefined)[]} laid @param {number} k @param {Crews} crews @param {boolean} programming */
function slot(desk, mine, laid, k, crews, programming) {
  const card = laid[k];
  const now = desk.scene;
  if (!card) return html`<div class="w-slot w-empty" data-place=${k}><b>${k + 1}</b><span class="unseen">${mine.cards.length ? _("face down") : _("empty")}</span></div>`;
  const face = html`<b>${k + 1}</b><svg viewBox="-32 -32 64 64" aria-hidden="true">${picture(card, crews)}</svg><span>${title(card)}</span>`;
  if (programming) {
    const shift = (/** @type {KeyboardEvent} */ event) => {
      const to = k + (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0);
      if (to === k || to < 0 || to > 2) return;
      event.preventDefault();
      drop(desk, card, to);
      lead(event, `button[data-place="${to}"]`);
    };
    const take = (/** @type {Event} */ event) => {
      tap(desk, card);
      lead(event, `[data-card="${card}"]`);
    };
    return html`<button class="w-slot" data-place=${k} aria-label=${_("Card {slot}: {card}. Take it back.", { slot: k + 1, card: name("card", card) })} @click=${take} @keydown=${shift} @pointerdown=${(/** @type {PointerEvent} */ event) => carry(event, (to) => drop(desk, card, to))}>${face}</button>`;
  }
  const turned = now["turned"]?.crew === mine.crew && now["turned"]?.slot === k + 1;
  const spent = !turned && mine.cards.find((one) => one.slot === k + 1)?.face === "up";
  return html`<button class=${`w-slot w-fixed ${turned ? "w-now" : ""} ${spent ? "w-spent" : ""}`} aria-disabled="true" @click=${() => desk.why(`cards.${k}`, card)}>${face}</button>`;
}

/** The ten cards; one that can't be placed says why when it's touched. @param {Desk} desk @param {Crew} mine @param {(string | undefined)[]} laid @param {Crews} crews @param {boolean} programming */
function cards(desk, mine, laid, crews, programming) {
  return html`<div class="w-cards" role="group" aria-label=${_("Your cards")}>${CARDS.map((card) => {
    const here = laid.indexOf(card);
    const aside = (mine.next ?? mine.aside).includes(card);
    const shut = !programming || aside;
    const touch = (/** @type {Event} */ event) => {
      if (shut) return desk.why(`cards.${Math.max(laid.indexOf(undefined), 0)}`, card);
      tap(desk, card);
      if (here < 0 && laid.filter(Boolean).length >= 2) lead(event, ".act .primary");
    };
    return html`<button class=${`w-card w-of ${mine.crew} ${here >= 0 ? "w-on" : ""} ${aside ? "w-away" : ""}`} aria-disabled=${shut ? "true" : "false"} aria-pressed=${here >= 0 ? "true" : "false"} data-card=${card} title=${capital(effect(card))}
      aria-label=${aside ? _("{card}: aside for this round", { card: name("card", card) }) : _("{card}: {effect}", { card: name("card", card), effect: effect(card) })}
      @click=${touch} @pointerdown=${(/** @type {PointerEvent} */ event) => !shut && carry(event, (to) => to >= 0 && drop(desk, card, to))}>
      <svg viewBox="-32 -32 64 64" aria-hidden="true">${picture(card, crews)}</svg>
      ${desk.scene["skulls"].includes(card) ? html`<svg class="w-corner" viewBox="-12 -13 24 25" aria-hidden="true">${skull()}</svg>` : nothing}
      <span>${title(card)}</span>${aside ? html`<i>${_("aside")}</i>` : nothing}${here >= 0 ? html`<b>${here + 1}</b>` : nothing}</button>`;
  })}</div>`;
}
