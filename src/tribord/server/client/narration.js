/**
 * Narration: what happened, for its reader. People have names, “you” are you, and neutral crews keep their own. A
 * game's `text.py` has the sentences (docs/page.md); this module chooses among them and fills them in.
 */

/**
 * @typedef {string | {one: string, many: string, count: string, none?: string}} Said
 * @typedef {{yours: string, theirs: string, crews?: string, own?: string, your_own?: string}} Phrase
 * @typedef {{people: string[], kinds: Record<string, {you?: Said, named?: Said}>, phrases: Record<string, Phrase>}} Narration
 * @typedef {object} Audience who reads it, and in which words
 * @property {"fr" | "en"} language
 * @property {Narration} narration
 * @property {(sort: string, value: any) => string} word the game's word for a value of some sort
 * @property {number | null} you the reader's own seat, where they have exactly one
 * @property {(seat: number) => string} person who plays a seat; nothing for a crew without a player
 */

const ELIDES = /^(?:[aeiouœæh]|y[^aeiouœæy])/u; // « d’Anne », « d’Hugo », « d’Yves », mais « de Yann »

/** How a language says “you”, and the forms of a name. @type {Record<"fr" | "en", {you: Record<string, string>, name: Record<string, (name: string) => string>}>} */
const GRAMMAR = {
  en: { you: { "": "you", to: "to you" }, name: { of: (name) => `${name}’s`, to: (name) => `to ${name}` } },
  fr: { you: { "": "vous", to: "à vous" }, name: { of: (name) => (elides(name) ? `d’${name}` : `de ${name}`), to: (name) => `à ${name}` } },
};

/** @param {string} name */
function elides(name) {
  return ELIDES.test(name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

/** The seats that an event is about, the acting one first. @param {import("./contract.js").GameEvent} event @param {Narration} narration @returns {number[]} */
export function involved(event, narration) {
  const fields = Object.entries(event.fields ?? {});
  return fields.filter(([field]) => narration.people.includes(field)).map(([, seat]) => seat);
}

/** Whether someone did an event: its sentence has their name, not only their pirate. @param {import("./contract.js").GameEvent} event @param {Narration} narration */
export function acts(event, narration) {
  const said = narration.kinds[event.kind]?.named ?? "";
  return (typeof said === "string" ? said : said.many).includes("{name}");
}

/** What happened, for the reader; `null` if there is only the crews' sentence. @param {import("./contract.js").GameEvent} event @param {Audience} audience @returns {string | null} */
export function narrated(event, audience) {
  const said = audience.narration.kinds[event.kind];
  if (!said?.named) return null;
  const [actor] = involved(event, audience.narration);
  const known = actor === undefined || actor === audience.you || audience.person(actor);
  if (said.you && !known) return null; // a crew is plural and needs another verb form
  const toYou = actor === audience.you ? said.you : undefined;
  return new Sentence(event.fields, audience, Boolean(toYou)).say(toYou ?? said.named);
}

/** The sentence of one event, as it is put together. */
class Sentence {
  /** @param {Record<string, number>} fields @param {Audience} audience @param {boolean} acted whether the sentence has said by itself who acts */
  constructor(fields, audience, acted) {
    this.fields = fields;
    this.audience = audience;
    this.acted = acted;
    this.subject = Object.keys(fields).find((field) => audience.narration.people.includes(field)) ?? "";
  }

  /** @param {Said} said */
  say(said) {
    if (typeof said === "string") return this.fill(said, this.subject);
    const count = this.fields[said.count] ?? 0;
    const one = new Intl.PluralRules(this.audience.language).select(count) === "one";
    return this.fill(!count && said.none ? said.none : one ? said.one : said.many, this.subject);
  }

  /** @param {string} text @param {string} name the field of the person that `{name}` means @returns {string | null} */
  fill(text, name) {
    let whole = true;
    const filled = text.replace(/\{(\w+)\}/g, (_hole, key) => {
      const found = this.word(key.replace(/^name(?=_|$)/, name));
      whole &&= found !== null;
      return found ?? "";
    });
    return whole ? filled : null;
  }

  /** What fills a placeholder: a person, a phrase about one, or the game's word. @param {string} key @returns {string | null} */
  word(key) {
    const { narration, word } = this.audience;
    const cut = key in this.fields ? key.length : key.lastIndexOf("_");
    const [field, form] = [key.slice(0, cut), key.slice(cut + 1)];
    const value = this.fields[field];
    if (value === undefined) return null;
    if (!narration.people.includes(field)) return word(key, value);
    const phrase = narration.phrases[form];
    return phrase ? this.phrase(phrase, field, value) : this.person(key, value, form);
  }

  /** @param {string} key @param {number} seat @param {string} form */
  person(key, seat, form) {
    const { language, you, person, word } = this.audience;
    const { you: called, name: bend } = GRAMMAR[language];
    if (seat === this.fields[this.subject]) this.acted = true;
    if (seat === you) return called[form] ?? null;
    const name = person(seat);
    if (!name) return word(key, seat);
    return form ? (bend[form]?.(name) ?? null) : name;
  }

  /** Something of a person's; after the acting person's name it's “their own”. @param {Phrase} phrase @param {string} field @param {number} seat */
  phrase(phrase, field, seat) {
    const { you, person } = this.audience;
    const own = this.acted && seat === this.fields[this.subject];
    if (seat === you) return this.fill((own && phrase.your_own) || phrase.yours, field);
    if (!person(seat)) return phrase.crews ? this.fill(phrase.crews, field) : null;
    return this.fill((own && phrase.own) || phrase.theirs, field);
  }
}
