/** What a person must do, in one line; what the button says; which rule is cited. */
import { _, capital, local, name } from "/page/words.js";

/** @typedef {import("/page/choice.js").Choice} Choice */

/** @param {Choice} choice @param {import("/page/contract.js").Scene} now */
export function ask(choice, now) {
  const kind = choice.settled["kind"];
  const boat = name("boat", now["fullBoat"]);
  if (choice.action !== null) return meant(choice, now) || capital(local(choice.cards[choice.action] ?? { fr: "", en: "" })) + ".";
  if (choice.offers("kind", "place")) return choice.touchedValue("lane") !== undefined ? _("A sailor or a helmsman?") : choice.touchedValue("person") ? _("Into which boat?") : _("Put someone aboard: who, and where?");
  if (kind === "leave") return choice.touchedValue("lane") !== undefined ? _("A sailor or a helmsman?") : _("Which of your people changes boats?");
  if (kind === "board") return _("Which boat does your swimmer board?");
  if (kind === "decide") return choice.values("crew").length ? _("The last word is yours: who goes overboard?") : now["phase"] === "leak" ? _("The last word is yours: which boat gets the leak?") : _("The last word is yours: which boat advances?");
  if (now["phase"] === "overboard") return _("{boat} is full: who goes overboard?", { boat });
  return now["phase"] === "leak" ? _("In secret: which boat gets a leak?") : _("In secret: which boat advances?");
}

/** What a vote or the last word would do: “vote for Babette” alone doesn't say what for. @param {Choice} choice @param {import("/page/contract.js").Scene} now */
function meant({ settled: { kind, lane, crew } }, now) {
  if (kind === "cap") return _("The cap: if it’s the only one, you decide.");
  if (kind !== "vote" && kind !== "decide") return "";
  const fields = { lane: name("lane", lane), crew: name("crew", crew) };
  const does = crew ? _("{crew} loses someone.", fields) : now["phase"] === "leak" ? _("a leak in {lane}.", fields) : _("{lane} advances.", fields);
  return kind === "vote" ? _("Your vote: {does}", { does }) : _("You decide: {does}", { does });
}

/** @param {Choice} choice */
export function verb(choice) {
  /** @type {Record<string, string>} */
  const verbs = { place: _("Put aboard"), vote: _("Vote"), cap: _("Show the cap"), decide: _("Decide"), leave: _("Take out"), board: _("Board") };
  return verbs[choice.settled["kind"]] ?? _("Vote");
}

/** @param {Choice} choice @param {import("/page/contract.js").Scene} now */
export function rule(choice, now) {
  const kind = choice.settled["kind"] ?? "vote";
  if (kind === "cap") return "S7";
  if (kind === "decide") return now["byRule"] ?? "S9";
  if (kind === "vote") return { leak: "S11", overboard: "S12", advance: "S14" }[/** @type {"leak"} */ (now["phase"])] ?? "S6";
  return { place: "S5", leave: "S16", board: "S17" }[/** @type {"place"} */ (kind)] ?? "";
}
