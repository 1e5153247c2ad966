/** Strategy tips: what a game's statistics teach, one at a time, for the game that is spoken about. */
import { html, nothing } from "./lit.js";
import { variantOf } from "./variants.js";
import { _, gameWords, held } from "./words.js";

/** @typedef {{text: string, variant: string, players: number}} Tip `variant`: for which game of the box, `players`: for how many of them; "" and 0: any */

const DAY = 86_400_000; // milliseconds
let shown = 0; // on this visit

/** A number for the next tip to show: another one every time, and every day. */
export function turnOfTip() {
  return Math.floor(Date.now() / DAY) + shown++;
}

/** One tip about the game that is played with these options. @param {import("./contract.js").GameCard} game @param {Record<string, any>} options @param {number} turn which of them, counted round and round @param {number} [players] how many play, where that is known */
export function tip(game, options, turn, players = 0) {
  const variant = variantOf(game, options)?.id ?? "";
  const fitting = gameWords().tips.filter((each) => (!each.variant || each.variant === variant) && (!each.players || !players || each.players === players));
  const chosen = fitting[turn % fitting.length];
  return chosen ? html`<p class="tip"><b>${_("Tip:")}</b> ${held(chosen.text)}</p>` : nothing;
}
