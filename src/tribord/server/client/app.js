/** What all screens share: the house, the place in the page's history, redrawing, short notices. */

/** @type {{house: import("./contract.js").House, place: string | null, redraw: () => void, starting: string, notice: string, cited: string, reading: Promise<void> | null}} */
export const app = {
  house: { games: [], ranks: [], names: [], phrases: {}, address: "" },
  place: null, // the address of the screen that is there, or is being fetched
  redraw: () => {},
  starting: "", // the table to start as soon as we arrive
  notice: "",
  cited: "", // the rule that the notice is about
  reading: null, // until someone has read how to play
};

/** The default bots: the strongest would spoil a first match. */
export const USUAL_RANK = "matelot";

let fading = 0;

/** Say something that passes. @param {string} text @param {string} [rule] which says so */
export function notice(text, rule = "") {
  app.notice = rule ? text.replace(` (${rule})`, "") : text; // the rule stands beside it, to be opened
  app.cited = rule;
  clearTimeout(fading);
  fading = setTimeout(() => {
    app.notice = "";
    app.redraw();
  }, Math.max(6000, 450 * text.split(" ").length));
  app.redraw();
}

/** Say something to those who listen instead of looking. @param {string} text */
export function announce(text) {
  const polite = document.getElementById("polite");
  if (polite) polite.textContent = text;
}

/** @param {string} hash without the mark */
export function go(hash) {
  location.hash = hash;
}

/** Keep the screen, but change its address. @param {string} hash with the mark */
export function stay(hash) {
  history.replaceState(history.state, "", hash);
  app.place = location.hash;
}

const OTHER_RULES = new Set(["older-rules", "newer-rules", "not-installed"]);

/** Whether a table is refused because its rules aren't here: it can only be read. @param {unknown} refusal */
export function isArchived(refusal) {
  return OTHER_RULES.has(/** @type {{code?: string}} */ (refusal)?.code ?? "");
}

/** Read such a table on a screen of its own, in place of this one. @param {string} table @param {unknown} refusal */
export function readArchive(table, refusal) {
  if (isArchived(refusal)) location.replace(`#/archive/${table}`);
  return isArchived(refusal);
}

/** @param {string} id @returns {import("./contract.js").GameCard} */
export function gameCard(id) {
  const found = app.house.games.find((game) => game.id === id);
  if (!found) throw new Error(`no game ${id}`);
  return found;
}

/** The address of a table for others: the one the house is reached under, for this device may be “localhost”. @param {string} code */
export function invitation(code) {
  const local = /^(localhost|127\.|\[::1\])/.test(location.host);
  return `${(local && app.house.address) || location.origin}/#/${code}`;
}

/**
 * After a touch by keyboard (a click without a finger), go on where the next thing is to be decided.
 * @param {Event} event @param {string} selector
 */
export function lead(event, selector) {
  const byKey = event instanceof KeyboardEvent || (event instanceof MouseEvent && event.detail === 0);
  if (!byKey) return;
  app.redraw();
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus());
}

/** The arrows go from one button of a list to the next. @param {KeyboardEvent} event */
export function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
  const here = links.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  if (!step || here < 0) return;
  event.preventDefault();
  links[here + step]?.focus();
}
