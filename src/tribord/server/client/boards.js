/** Boards: a game's drawing with its style sheet, and what its action numbers mean, fetched when first asked for. */
import { app, gameCard } from "./app.js";
import { ask } from "./http.js";
import { plainBoard } from "./plain.js";
import { learn } from "./words.js";

/** Where the wide drawing is shown; on a phone that lies on its side, the tall one stands beside the hand. */
export const WIDE = "(min-width: 1000px), (min-aspect-ratio: 5/4) and (min-height: 501px)";

/** @type {Map<string, Promise<import("./contract.js").Board>>} */
const boards = new Map();
/** @type {Map<string, Promise<import("./contract.js").ActionCard[]>>} */
const catalogues = new Map();
/** @type {Map<string, HTMLLinkElement>} */
const sheets = new Map(); // of boards, by address

/** A game's board, or the plain one. @param {string} game @returns {Promise<import("./contract.js").Board>} */
export async function boardOf(game) {
  if (!gameCard(game).board) return plainBoard;
  const dressed = dressFor(game);
  if (!boards.has(game)) {
    const coming = import(`/games/${game}/board.js`).then((module) => module.board);
    coming.catch(() => boards.delete(game)); // the next who asks tries again
    boards.set(game, coming);
  }
  await dressed;
  return /** @type {Promise<import("./contract.js").Board>} */ (boards.get(game));
}

/** Have everything of a game brought that its table will want, before anybody knows the table. @param {string} game */
export function prepare(game) {
  if (!app.house.games.some(({ id }) => id === game)) return;
  for (const wanted of [boardOf(game), actionsOf(game), learn(game)]) wanted.catch(() => {}); // whoever needs it asks again
}

/** Put on the style sheet of a game's board, and take off the others': each names its classes for itself. @param {string} game */
async function dressFor(game) {
  for (const [other, sheet] of sheets) sheet.disabled = other !== `/games/${game}/board.css`;
  await styled(`/games/${game}/board.css`, sheets);
}

/** @type {Map<string, HTMLLinkElement>} */
const others = new Map();

/** Put on a style sheet, once. @param {string} address @param {Map<string, HTMLLinkElement>} [worn] */
export async function styled(address, worn = others) {
  if (worn.has(address)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  worn.set(address, link);
  const there = new Promise((done) => (link.onload = link.onerror = done));
  document.head.append(link);
  await there;
}

/** @param {string} game @returns {Promise<import("./contract.js").ActionCard[]>} */
export function actionsOf(game) {
  if (!catalogues.has(game)) catalogues.set(game, ask(`/games/${game}/actions.json`));
  return /** @type {Promise<import("./contract.js").ActionCard[]>} */ (catalogues.get(game));
}
