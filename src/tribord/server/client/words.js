/**
 * Words: messages are written in English in the code, marked with `_` or `ngettext`, and said in the page's language.
 * The catalogues are gettext ones, served as JSON. Placeholders have names.
 */
import { narrated } from "./narration.js";
import { settings } from "./settings.js";

/** @typedef {{messages: Record<string, string | string[]>, order: string[], listed: Record<string, string>,
 *   ask: Record<string, string>, names: Record<string, Record<string, string>>, endings: Record<string, string>, jokes: Record<string, string[]>, tips: import("./tips.js").Tip[],
 *   narration: import("./narration.js").Narration, reasons: Record<string, string>, rules: Record<string, string>, book: import("./contract.js").Section[]}} GameWords */

/** @type {Map<string, any>} */
const loaded = new Map();
let about = "";

/** @param {string} address */
async function load(address) {
  if (!loaded.has(address)) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(address);
    loaded.set(address, await answer.json());
  }
}

/** Fetch the words of the page, and of a game if one is named. @param {string} [game] */
export async function learn(game) {
  about = game ?? about;
  const wanted = [load(`/page/words/${settings.language}.json`)];
  if (about) wanted.push(load(`/games/${about}/words/${settings.language}.json`));
  await Promise.all(wanted);
}

/** @returns {GameWords} the words of the game that is spoken about */
export function gameWords() {
  const none = { messages: {}, order: [], listed: {}, ask: {}, names: {}, endings: {}, jokes: {}, tips: [], narration: { people: [], kinds: {}, phrases: {} }, reasons: {}, rules: {}, book: [] };
  return loaded.get(`/games/${about}/words/${settings.language}.json`) ?? none;
}

/** @param {string} message */
function translation(message) {
  return gameWords().messages[message] ?? loaded.get(`/page/words/${settings.language}.json`)?.messages[message];
}

/** @param {string} text @param {Record<string, any>} fields */
function fill(text, fields) {
  const said = text.replace(/\{(\w+)\}/g, (hole, name) => (name in fields ? String(fields[name]) : hole));
  return settings.language === "fr" ? held(said) : said;
}

/** A message in the page's language. @param {string} message @param {Record<string, any>} [fields] */
export function _(message, fields = {}) {
  const found = translation(message);
  return fill(typeof found === "string" ? found : message, fields);
}

/** @param {string} one @param {string} many @param {number} count @param {Record<string, any>} [fields] */
export function ngettext(one, many, count, fields = {}) {
  const found = translation(one);
  const forms = Array.isArray(found) ? found : [one, many];
  const single = new Intl.PluralRules(settings.language).select(count) === "one";
  return fill(forms[single ? 0 : 1] ?? many, { count, ...fields });
}

/** The game's name for a value of some sort: a crew, a card, a slot. @param {string} sort @param {any} value */
export function name(sort, value) {
  return gameWords().names[sort]?.[String(value)] ?? String(value);
}

/** How the current game narrates what happens to people. */
export function narration() {
  return gameWords().narration;
}

/** What happened, for the people at this table. @param {import("./contract.js").GameEvent} event @param {(seat: number) => string} person who plays a seat @param {number | null} [you] the reader's own seat */
export function sayEvent(event, person, you = null) {
  const said = narrated(event, { language: settings.language, narration: narration(), word: name, you, person });
  return held(said === null ? local(event) : capital(said));
}

/** Why something happened, if everything is explained. @param {import("./contract.js").GameEvent} event */
export function because({ kind, rule }) {
  return settings.explain ? reasonOf({ kind, rule }) : "";
}

/** The game’s reason for something that happened, or the rule itself. @param {{kind: string, rule: string}} event */
export function reasonOf({ kind, rule }) {
  const { reasons, rules } = gameWords();
  return held(reasons[`${kind} ${rule}`] ?? reasons[kind] ?? (rules[rule] ?? "").replace(/ ?\*\([^)]*\)\*|[*`]/g, ""));
}

/** What happened and, if everything is explained, why. @param {string} said @param {import("./contract.js").GameEvent} event @param {string} [why] */
export function explained(said, event, why = because(event)) {
  return why ? `${said} ${why}` : said;
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** In French a number also holds the word it counts, « 2 points », but not a little word, « 2 à ». */
const COUNTED = /(\d) (?=(?!(?:à|au|aux|contre|dans|de|des|du|en|est|et|la|le|les|ne|ou|par|pour|puis|qui|sont|sur|un|une|vers)(?!\p{L}))\p{L})/gu;

/** A number stays on the line of the word before it, “slot 1”, a mark too, “Non merci !”, and a sum on one line, “4 − 3 = 1”. @param {string} text */
export function held(text) {
  const bound = text.replace(/(\p{L}) (?=\d)/gu, "$1\u00a0").replace(/(\p{L}) (?=!)/gu, "$1\u202f").replace(/(\d) ([−+=]) (?=[\d−])/g, "$1\u00a0$2\u00a0");
  return settings.language === "fr" ? bound.replace(COUNTED, "$1\u00a0") : bound;
}

/** The first sentences of a text that fit in this many letters; all of it, if those would say next to nothing. @param {string} text @param {number} most */
export function beginning(text, most) {
  const [first = "", ...rest] = text.split(/(?<=[.!?…]) (?=[\p{Lu}«“])/u);
  let said = first;
  for (const sentence of rest) {
    if (said.length + 1 + sentence.length > most) return said.length < most / 3 ? text : said;
    said += ` ${sentence}`;
  }
  return said;
}

/** On one line, “3–10 min”. @param {string} text */
export function whole(text) {
  return text.replaceAll(" ", "\u00a0").replaceAll("–", "\u2060–\u2060");
}

/** How many times as fast. @param {number} factor */
export function times(factor) {
  return `${factor.toLocaleString(settings.language)}×`;
}

/** What the server says in both languages. @param {{fr: string, en: string}} said */
export function local(said) {
  return said[settings.language];
}
