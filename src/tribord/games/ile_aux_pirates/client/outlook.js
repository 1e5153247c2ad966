/** The outlook: what a choice would lead to, said before you commit to it. The page knows no rules: the server says. */
import { _, local, name, ngettext } from "/page/words.js";
import { SHIP } from "./island.js";
import { PAWNS, PIRATES, isPirate } from "./pawn.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {{events: GameEvent[], riddle: number | null}} Look the events that may be shown, and where forces would be compared */

/** The events worth announcing before a player commits. */
const NOTABLE = new Set(["captured", "safe", "duel", "standoff", "holds", "sent-back", "die-lost", "ship-held", "ship-taken", "pirate-first", "escaped", "home", "late"]);
const LOSING = new Set(["ship-taken", "pirate-first", "late"]);

/**
 * What a move would lead to, as far as the player may know. Where forces must be remembered, a preview mustn't give
 * them away, so it stops before they'd be compared.
 * @param {Scene} now @param {GameEvent[]} events @returns {Look}
 */
export function ahead(now, events) {
  if (!now["memory"]) return { events, riddle: null };
  const turned = events.findIndex(({ kind, fields }) => kind === "shows" || (kind === "boards" && isPirate(PAWNS[fields["pawn"] ?? 0] ?? "")));
  if (turned < 0) return { events, riddle: null };
  const compared = events.slice(turned).find(({ kind }) => kind === "duel");
  const boards = events[turned]?.kind === "boards";
  return { events: events.slice(0, boards ? turned + 1 : turned), riddle: boards ? SHIP : (compared?.fields["square"] ?? null) };
}

/**
 * How the match would be lost for certain, or null. Where forces must be remembered, it's certain only if the weakest
 * hidden pirate would be enough: else the warning would give the forces away.
 * @param {Scene} now @param {Desk["preview"]} preview @returns {GameEvent | null}
 */
function doom(now, preview) {
  const fate = preview?.fate ?? [];
  const known = PIRATES.filter((pirate) => now["pawns"][pirate] === SHIP).reduce((sum, pirate) => sum + (now["forces"][pirate] ?? 0), 0);
  const hidden = PIRATES.filter((pirate) => pirate in now["pawns"] && now["pawns"][pirate] !== SHIP && !now["shown"].includes(pirate));
  const least = Math.min(...hidden.map((pirate) => now["forces"][pirate] ?? 0));
  const certain = (/** @type {GameEvent} */ { kind, fields }) => kind !== "ship-taken" || !now["memory"] || !hidden.length || known + least >= (fields["children"] ?? 0);
  return fate.every(certain) ? (fate[0] ?? null) : null;
}

/** The warning above the button about a move that loses for certain. @param {Desk} desk */
export function warn({ choice, scene: now, preview }) {
  const end = choice && choice.action !== null ? doom(now, preview) : null;
  if (!end || !preview) return "";
  const children = end.fields["children"] ?? 0;
  const reasons = {
    "ship-taken": ngettext("only {count} child is aboard, and that isn’t enough", "only {count} children are aboard, and that isn’t enough", children),
    "pirate-first": _("the pirate boards before the third child"),
    late: _("the last turn is over"),
  };
  const why = end.kind === "ship-taken" && !children ? _("a pirate boards, and there’s no child aboard") : reasons[/** @type {keyof typeof reasons} */ (end.kind)];
  const later = !preview.events.some(({ kind }) => LOSING.has(kind));
  return `${later ? _("Whatever you do next, this loses the game: {why}.", { why }) : _("This loses the game: {why}.", { why })} (${end.rule})`;
}

/** What the person must do, or what the move they have chosen would lead to. @param {Choice} choice @param {Scene} now @param {Desk["preview"]} preview */
export function ask(choice, now, preview) {
  const { die, pawn } = choice.settled;
  if (choice.action !== null) return [`${local(choice.cards[choice.action] ?? { fr: "", en: "" })}.`, ...prospects(choice, now, preview)].join(" ");
  if (choice.touchedValue("die") !== undefined) return _("Who takes the {die}?", { die });
  if (choice.touchedValue("pawn") !== undefined) return _("Which die does {pawn} take?", { pawn: name("pawn_name", pawn) });
  const may = choice.values("pawn");
  if (may.every(isPirate)) return _("What’s left is for a pirate. Which one?");
  if (!may.some(isPirate)) return _("What’s left is for the children. Who moves?");
  return _("Tap a pawn, and the die it takes.");
}

/** What would happen, in short sentences. @param {Choice} choice @param {Scene} now @param {Desk["preview"]} preview */
function prospects(choice, now, preview) {
  const { events, riddle } = ahead(now, preview?.events ?? []);
  const said = events.filter(({ kind }) => NOTABLE.has(kind) && !LOSING.has(kind)).map((event) => local(event));
  if (riddle !== null && !doom(now, preview)) said.push(riddle === SHIP ? _("The ship: will the children aboard outnumber his force?") : _("A duel on square {square}: do you remember the forces?", { square: riddle }));
  if (!choice.touched.length) said.push(_("There’s no other choice."));
  return said;
}

/** The rule that applies: of the events, the last that matters; otherwise of the move itself. @param {Choice} choice @param {Scene} now @param {Desk["preview"]} preview */
export function rule(choice, now, preview) {
  if (choice.action === null) return "I2";
  const { events, riddle } = ahead(now, preview?.events ?? []);
  const matters = doom(now, preview) ?? events.findLast(({ kind }) => NOTABLE.has(kind));
  if (matters) return matters.rule;
  if (riddle !== null) return riddle === SHIP ? "I15" : "I14";
  return events[0]?.rule ?? "I1";
}

/** @param {Choice} choice @param {Scene} now @param {Desk["preview"]} preview */
export function verb(choice, now, preview) {
  return doom(now, preview) ? _("Move anyway") : _("Move");
}
