/** The book of a game: its examples as pictures, by rule, and its first steps. Fetched when the book is opened. */
import { app } from "./app.js";
import { boardOf } from "./boards.js";
import { ask } from "./http.js";
import { Picture } from "./picture.js";
import { plainBoard } from "./plain.js";
import { learn } from "./words.js";

/** @type {Map<string, Promise<import("./contract.js").Passage[]>>} */
const asked = new Map();

/** @param {string} game @param {"examples" | "howto"} name @returns {Promise<Picture[]>} none if the game has no board to draw them */
export async function pictures(game, name) {
  const address = `/games/${game}/${name}.json`;
  if (!asked.has(address)) asked.set(address, ask(address));
  const [passages, board] = await Promise.all([asked.get(address), boardOf(game), learn(game)]);
  if (board === plainBoard && name === "examples") return [];
  return (passages ?? []).map((passage) => new Picture(passage, board, app.redraw));
}
