/** Boards: a game's drawing with its style sheet, and what its action numbers mean, fetched when first asked for. */
import { app, gameCard } from "./app.js";
import { ask } from "./http.js";
import { plainBoard } from "./plain.js";
import { learn } from "./words.js";

/** When to show the wide drawing; on a phone in landscape, the tall one stands beside the hand. */
export const WIDE = "(min-width: 1000px), (min-aspect-ratio: 5/4) and (min-height: 501px)";

const AGAIN = 1000; // milliseconds between two tries

/** @type {Map<string, Promise<import("./contract.js").Board>>} */
const boards = new Map();
/** @type {Map<string, Promise<import("./contract.js").ActionCard[]>>} */
const catalogues = new Map();
/** @typedef {Map<string, {link: HTMLLinkElement, there: Promise<unknown>}>} Sheets style sheets by address */
/** @type {Sheets} */
const sheets = new Map(); // of boards

/** A game's board, or the plain one. @param {string} game @returns {Promise<import("./contract.js").Board>} */
export async function boardOf(game) {
  if (!gameCard(game).board) return plainBoard;
  const dressed = dressFor(game);
  if (!boards.has(game)) {
    const coming = import(`/games/${game}/board.js`).then((module) => module.board);
    coming.catch(() => boards.delete(game)); // the next request tries again
    boards.set(game, coming);
  }
  await dressed;
  return /** @type {Promise<import("./contract.js").Board>} */ (boards.get(game));
}

/** Fetch everything that a game's table will need, before the table is known. @param {string} game */
export function prepare(game) {
  if (!app.house.games.some(({ id }) => id === game)) return;
  for (const wanted of [boardOf(game), actionsOf(game), learn(game)]) wanted.catch(() => {}); // the code that needs it asks again
}

/** Use the style sheet of a game's board and remove the others': their class names may clash. @param {string} game */
async function dressFor(game) {
  for (const [other, { link }] of sheets) link.disabled = other !== `/games/${game}/board.css`;
  await styled(`/games/${game}/board.css`, sheets);
}

/** @type {Sheets} */
const others = new Map();

/** Add a style sheet, once. @param {string} address @param {Sheets} [worn] @returns {Promise<unknown>} */
export function styled(address, worn = others) {
  const known = worn.get(address);
  if (known) return known.there;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  const there = new Promise((done, failed) => {
    link.onload = done;
    link.onerror = () => failed(new TypeError(address));
  });
  there.catch(() => {
    worn.delete(address); // the next request tries again
    link.remove();
  });
  worn.set(address, { link, there });
  document.head.append(link);
  return there;
}

/** @param {string} game @returns {Promise<import("./contract.js").ActionCard[]>} */
export function actionsOf(game) {
  if (!catalogues.has(game)) {
    const coming = ask(`/games/${game}/actions.json`);
    coming.catch(() => catalogues.delete(game));
    catalogues.set(game, coming);
  }
  return /** @type {Promise<import("./contract.js").ActionCard[]>} */ (catalogues.get(game));
}

/**
 * Fetch something essential, with retries: the server may be down just now. Only a failed fetch (a TypeError in
 * browsers) is worth a retry. Null: the screen is gone.
 * @template T @param {{gone: boolean}} screen @param {() => Promise<T>} bring @returns {Promise<T | null>}
 */
export async function needed(screen, bring) {
  for (;;) {
    try {
      return await bring();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((again) => setTimeout(again, AGAIN));
    if (screen.gone) return null;
  }
}
