/** What all screens share: the server's data, the page's history, redrawing, short notices. */

/** @type {{house: import("./contract.js").House, place: string | null, redraw: () => void, starting: string, notice: string, cited: string, reading: Promise<void> | null}} */
export const app = {
  house: { games: [], ranks: [], names: [], phrases: {}, address: "" },
  place: null, // the address of the screen that is there, or is being fetched
  redraw: () => {},
  starting: "", // the table to start on arrival
  notice: "",
  cited: "", // the rule that the notice is about
  reading: null, // until someone has read how to play
};

/** The default bots: the strongest would spoil a first match. */
export const USUAL_RANK = "matelot";

let fading = 0;

/** Show a short notice. @param {string} text @param {string} [rule] which says so */
export function notice(text, rule = "") {
  app.notice = rule ? text.replace(` (${rule})`, "") : text; // the rule is beside it, to open
  app.cited = rule;
  answering = false;
  clearTimeout(fading);
  fading = setTimeout(() => {
    app.notice = "";
    app.redraw();
  }, Math.max(6000, 450 * text.split(" ").length));
  app.redraw();
}

let answering = false;

/** Answer a touch that changes nothing; the next one that does makes it go away. @param {string} text @param {string} [rule] */
export function answer(text, rule = "") {
  notice(text, rule);
  answering = true;
}

/** A touch has changed something, or the screen has: what answered an earlier touch is out of date. */
export function answered() {
  if (answering) notice("");
}

/** Announce something to screen readers. @param {string} text */
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

/** Whether a table is refused because its rules aren't installed: it can only be read. @param {unknown} refusal */
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

/** A table's address for others: the server's address in the house, because this device may use “localhost”. @param {string} code */
export function invitation(code) {
  const local = /^(localhost|127\.|\[::1\])/.test(location.host);
  return `${(local && app.house.address) || location.origin}/#/${code}`;
}

/**
 * After a touch by keyboard (a click without a finger), focus the next decision.
 * @param {Event} event @param {string} selector
 */
export function lead(event, selector) {
  const byKey = event instanceof KeyboardEvent || (event instanceof MouseEvent && event.detail === 0);
  if (!byKey) return;
  app.redraw();
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus());
}

/** The arrow keys move between the buttons of a list. @param {KeyboardEvent} event */
export function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll("button")];
  const here = links.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  if (!step || here < 0) return;
  event.preventDefault();
  links[here + step]?.focus();
}
