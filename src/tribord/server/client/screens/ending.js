/** How a match ended, for the reader: the verdict, the joke, the picture, the sound. */
import { gameCard } from "../app.js";
import { finale } from "../drawing/finale.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { play } from "../sound.js";
import { _, gameWords } from "../words.js";

const COLOURS = ["blue", "green", "red", "yellow", "lilac", "bone"]; // if players have none

/** @typedef {(seat: number) => string} Naming */
/** @typedef {import("../contract.js").Outcome} Outcome */

/**
 * @typedef {object} Reader
 * @property {Outcome} outcome
 * @property {string} game
 * @property {string} table its id: the same joke for the same match
 * @property {Naming} name
 * @property {number[]} own the seats of who reads it
 */

/** A player's place, counted from 1, and how many others share it. @param {Outcome} outcome @param {number} seat */
export function placeOf({ winners, scores }, seat) {
  if (winners.includes(seat)) return { place: 1, shared: winners.length - 1 };
  const own = scores[seat] ?? 0;
  const others = scores.filter((_score, other) => other !== seat && !winners.includes(other));
  return { place: 1 + winners.length + others.filter((score) => score > own).length, shared: others.filter((score) => score === own).length };
}

/** Who won, in a sentence. @param {Outcome} outcome @param {string} game @param {Naming} name @param {number[]} [own] the seats of who reads it */
export function verdict(outcome, game, name, own = []) {
  const { winners, scores } = outcome;
  if (gameCard(game).cooperative) return together(winners.length > 0, own.length > 0, scores.length);
  if (winners.length === 0) return _("No one wins.");
  const [seat] = own;
  if (own.length === 1 && seat !== undefined) return winners.includes(seat) ? won(outcome) : (placed(outcome, seat) ?? victors(outcome, name));
  return victors(outcome, name);
}

/** @param {Outcome} outcome */
function won({ winners, scores }) {
  if (winners.length === 1) return _("You win!");
  return winners.length === scores.length ? _("Everyone wins.") : _("You share the victory!");
}

/** A loser's place; nothing if all losers did equally well. @param {Outcome} outcome @param {number} seat */
function placed(outcome, seat) {
  const { place, shared } = placeOf(outcome, seat);
  if (shared && shared === outcome.scores.length - outcome.winners.length - 1) return undefined;
  const alone = [_("You came second."), _("You came third."), _("You came fourth."), _("You came fifth."), _("You came sixth.")];
  const tied = [_("You share second place."), _("You share third place."), _("You share fourth place."), _("You share fifth place.")];
  return (shared ? tied : alone)[place - 2];
}

/** @param {Outcome} outcome @param {Naming} name */
function victors({ winners, scores }, name) {
  if (winners.length === scores.length && scores.length > 1) return _("Everyone wins.");
  const names = new Intl.ListFormat(settings.language).format(winners.map(name));
  return winners.length > 1 ? _("{names} share the victory.", { names }) : _("{names} wins.", { names });
}

/** In a cooperative game. @param {boolean} won @param {boolean} own whether who reads it has played @param {number} players */
function together(won, own, players) {
  if (players === 1) return won ? _("Victory!") : _("You lost this one.");
  if (own) return won ? _("You won, all together!") : _("You lost, all together.");
  return won ? _("Everyone won, together!") : _("Everyone lost, together.");
}

/** The reader's situation, as in a game's `ending.json`. @param {Reader} reader */
export function situation({ outcome, game, own }) {
  const { winners, scores } = outcome;
  if (gameCard(game).cooperative) return winners.length ? "won" : "lost";
  if (!winners.length) return "nobody";
  const [seat] = own;
  if (own.length !== 1 || seat === undefined) return winners.length > 1 ? "watched-shared" : "watched";
  if (winners.includes(seat)) return winners.length > 1 ? "shared" : "won";
  const { place, shared } = placeOf(outcome, seat);
  return place === 2 && !shared && scores.length > 2 ? "second" : "lost";
}

/** The reader's joke: always the same for the same match, and different for each player. @param {Reader} reader */
export function joke(reader) {
  const lines = gameWords().jokes[situation(reader)] ?? [];
  const winner = reader.outcome.winners.length === 1 ? reader.name(reader.outcome.winners[0] ?? 0) : "";
  return (lines[(number(reader.table) + (reader.own[0] ?? 0)) % lines.length] ?? "").replace("{winner}", winner);
}

/** A number that follows from a text. @param {string} text */
export function number(text) {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}

/** The picture: winners on deck, the others behind the ship. @param {Reader} reader @param {import("../contract.js").Board} board @param {import("../contract.js").View} view */
export function picture({ outcome, game, own }, board, view) {
  const { winners, scores } = outcome;
  const figure = (/** @type {number} */ seat) => ({ crew: crewOf(board, view, seat), own: own.length === 1 && scores.length > 1 && own[0] === seat });
  const losers = scores.map((_score, seat) => seat).filter((seat) => !winners.includes(seat));
  losers.sort((a, b) => placeOf(outcome, a).place - placeOf(outcome, b).place);
  const cast = { winners: winners.map(figure), losers: losers.map(figure), rogue: gameCard(game).cooperative && !winners.length };
  return html`<div class="finale-frame" aria-hidden="true"><svg viewBox="0 0 720 320">${finale(cast)}</svg></div>`;
}

/** The colour of a seat's crew. @param {import("../contract.js").Board} board @param {import("../contract.js").View} view @param {number} seat */
function crewOf(board, view, seat) {
  const crews = Array.isArray(view["crews"]) ? view["crews"] : [];
  return board.crew?.(view, seat) || crews.find((crew) => crew.seat === seat)?.crew || COLOURS[seat % COLOURS.length];
}

/** The sound: winners rejoice, a trombone comforts losers. @param {Reader} reader */
export function sound({ outcome, own }) {
  const lost = own.length ? !own.some((seat) => outcome.winners.includes(seat)) : !outcome.winners.length;
  play(lost ? "trombone" : "triumph");
}

/** Verdict, joke and winners, above the score sheet. @param {Reader} reader */
export function opening(reader) {
  const { outcome, game, name, own } = reader;
  const said = verdict(outcome, game, name, own);
  const others = own.length === 1 && outcome.winners.length && !gameCard(game).cooperative ? victors(outcome, name) : said;
  const short = joke(reader);
  return html`<h2>${said}</h2>
    <p>${others === said || outcome.winners.includes(own[0] ?? -1) ? nothing : html`${others} `}${gameWords().endings[outcome.reason] ?? ""}</p>
    ${short ? html`<p class="joke">${short}</p>` : nothing}`;
}
