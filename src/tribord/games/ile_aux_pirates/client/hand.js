/** The hand: the pawns this seat plays with. They're on the board too; here they're large, named, and in reach of the keyboard. */
import { lead } from "/page/app.js";
import { html, nothing } from "/page/lit.js";
import { _, capital, name } from "/page/words.js";
import { CASTLE, SHIP } from "./island.js";
import { PAWNS, crewOf, figure, frame, isPirate } from "./pawn.js";
import { COLOURS } from "./scene.js";
import { ask } from "./outlook.js";

/** @typedef {import("/page/contract.js").Desk} Desk */

const ENDED = ["won", "lost", "out-of-turns"];

/** The pawns this seat plays with: brown ones, its own, the pirates, and any other that may take a die now. @param {Desk} desk */
function roster({ scene: now, seat, choice }) {
  const pawns = now["pawns"] ?? {};
  const colour = now["players"] === 1 ? now["turn"] : COLOURS[seat];
  return PAWNS.filter((pawn) => pawn in pawns && pawns[pawn] !== SHIP && (["brown", "pirate", colour].includes(crewOf(pawn)) || choice?.offers("pawn", pawn)));
}

/** @param {Desk} desk */
export function hand(desk) {
  const { choice, scene: now, seat, preview } = desk;
  if (seat < 0 || !now["pawns"] || ENDED.includes(now["phase"])) return nothing;
  const pawns = roster(desk);
  const chip = (/** @type {string} */ pawn) => {
    const at = now["pawns"][pawn];
    const may = choice?.offers("pawn", pawn) ?? false;
    const on = choice?.settled["pawn"] === pawn;
    const force = isPirate(pawn) && now["shown"].includes(pawn) ? now["forces"][pawn] : null;
    const where = at === CASTLE ? _("in the castle") : _("on square {square}", { square: at });
    const next = choice?.settled["die"] === undefined ? "[data-die]" : ".act .primary";
    const touch = (/** @type {Event} */ event) => {
      if (!may) return choice ? desk.why("pawn", pawn) : desk.point?.("pawn", pawn);
      desk.pick("pawn", pawn);
      lead(event, next);
    };
    return html`<button class=${`chip-pawn ${on ? "on" : ""}`} aria-disabled=${may || (!choice && desk.point) ? nothing : "true"} aria-pressed=${on ? "true" : "false"} aria-label=${`${capital(name("pawn", pawn))}, ${where}`} data-pawn=${pawn} @click=${touch}>
      <svg viewBox=${frame(pawn)} aria-hidden="true">${figure(pawn, force)}</svg><span>${name("pawn_name", pawn)}</span>${at === CASTLE ? nothing : html`<b>${at}</b>`}</button>`;
  };
  // What a choice leads to stands above the hand; a screen reader hears it when it comes.
  return html`<div class=${`ile ile-hand ${pawns.length > 9 ? "two-rows" : pawns.length > 5 ? "small" : ""} ${choice ? "" : "idle"}`}><div class="pawns" role="group" aria-label=${choice ? _("Who may move") : _("The pawns")}>${pawns.map(chip)}</div>
    <p class="outlook unseen" aria-live="polite">${choice && choice.action !== null && preview ? ask(choice, now, preview) : ""}</p></div>`;
}
