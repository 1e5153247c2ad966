/** A decision in words: the question, the button, the rule, and the step back. */
import { _, capital, local, name } from "/page/words.js";
import { kindOf } from "./aim.js";
import { effect } from "./card.js";

/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("/page/contract.js").Scene} Scene */

/** @param {Choice} choice */
export function ask(choice) {
  const kind = kindOf(choice);
  if (kind === "program") {
    const last = choice.touched.at(-1)?.[1];
    return last ? _("{card}: {effect}", { card: name("card", last), effect: effect(last) }) : _("Choose three cards, in the order you’ll play them.");
  }
  if (choice.action !== null) {
    const said = `${capital(local(choice.cards[choice.action] ?? { fr: "", en: "" }))}.`;
    return choice.all.length === 1 ? `${_("There’s only one choice.")} ${said}` : said;
  }
  switch (kind) {
    case "shove":
      return _("Who do you shove? Tap a pirate.");
    case "drag":
      return _("Who do you drag toward the sea? Tap a pirate.");
    case "pull":
      return _("Who do you pull toward the ship? Tap a pirate.");
    case "run":
      return _("Which of your pirates runs, and which way?");
    case "flee":
      return _("Which of your pirates goes back, and how far?");
    default:
      return _("Who charges, and who gets shoved?");
  }
}

/** @param {Choice} choice */
export function verb(choice) {
  switch (kindOf(choice)) {
    case "program":
      return _("Place cards");
    case "shove":
      return _("Shove");
    case "drag":
      return _("Drag");
    case "pull":
      return _("Pull");
    case "run":
      return _("Run");
    case "flee":
      return _("Go back");
    default:
      return _("Charge!");
  }
}

/** @type {Record<string, string>} */
const RULE = { "shove-left": "W10", "shove-right": "W10", "shove-anyone": "W11", extend: "W12", retract: "W12", drag: "W13", pull: "W14", run: "W15", "i-dont-want-to-die": "W16", charge: "W17" };

/** @param {Choice} choice @param {Scene} now */
export function rule(choice, now) {
  const card = kindOf(choice) === "program" ? choice.touched.at(-1)?.[1] : now["turned"]?.card;
  return RULE[card] ?? "W4";
}

/** A step back: the last card placed, or the whole target, which takes one touch. @param {Choice} choice */
export function back(choice) {
  let before = choice.back();
  while (kindOf(choice) !== "program" && before.touched.length) before = before.back();
  return before;
}
