/** The decision in words: the line above the button, the button, the rule, and a step back. */
import { _, local } from "/page/words.js";
import { sign } from "./layout.js";

/** @typedef {import("/page/choice.js").Choice} Choice */

/** @param {Choice} choice */
export function ask(choice) {
  const touched = (/** @type {string} */ part) => choice.touchedValue(part);
  if (choice.action !== null) return local(choice.cards[choice.action] ?? { fr: "", en: "" }) + ".";
  if (choice.offers("kind", "pick")) return _("Pick your first pirate, in secret.");
  if (touched("card") !== undefined && touched("slot") === undefined) return _("Tap the pirate that {card} moves.", { card: sign(touched("card")) });
  if (touched("card") !== undefined) return _("Now pick one of your pirates.");
  if (touched("slot") !== undefined) return _("Now pick the card that moves this pirate.");
  if (touched("pirate") !== undefined) return _("Now pick an action card.");
  if (choice.offers("kind", "pass")) return _("Your turn: a pirate and an action card, or “Non merci !”.");
  return new Set(choice.all.map(({ parts }) => parts["card"])).size > 1 ? _("Your turn: a pirate and an action card.") : _("Your last turn: a pirate and an action card.");
}

/** @param {Choice} choice */
export function verb(choice) {
  const kind = choice.settled["kind"];
  return kind === "pick" ? _("Pick") : kind === "pass" ? _("Pass") : _("Play");
}

/** The rule of the last touch. @param {Choice} choice */
export function rule(choice) {
  if (choice.offers("kind", "pick")) return "F3";
  if (choice.touchedValue("kind") === "pass") return "F7";
  const last = choice.touched.at(-1)?.[0] ?? "";
  if (last === "order") return "F8";
  return last === "pirate" ? "F10" : last ? "F9" : "F6";
}

/** A person's step back: a card, never the order alone. @param {Choice} choice */
export function back(choice) {
  const last = choice.touched.filter(([part]) => part !== "order").at(-1);
  const before = last ? choice.back(last[0]) : choice;
  return before.touched.every(([part]) => part === "order") ? before.back("order") : before;
}
