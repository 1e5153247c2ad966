/** Ranks of bots, in the language of the screen. */
import { _ } from "./words.js";

/** A rank in a word: “sailor”. @param {string} rank */
export function rankWord(rank) {
  /** @type {Record<string, string>} */
  const ranks = { mousse: _("ship’s boy"), matelot: _("deckhand"), bosco: _("boatswain"), capitaine: _("captain") };
  return ranks[rank] ?? rank;
}

/** A rank, and how strong it is. @param {string} rank */
export function rankName(rank) {
  /** @type {Record<string, string>} */
  const ranks = { mousse: _("Ship’s boy (easy)"), matelot: _("Deckhand (normal)"), bosco: _("Boatswain (strong)"), capitaine: _("Captain (strongest)") };
  return ranks[rank] ?? rank;
}
