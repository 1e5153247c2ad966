/**
 * A choice: the legal actions, narrowed by the parts that were touched, in any order. It knows no rules: a value is
 * possible if some legal action has it. A choice never changes; touching returns a new one.
 *
 * A part that is a list counts one by one: `cards.0`, `cards.1`.
 */

/** @typedef {import("./contract.js").ActionCard} ActionCard */

/** @param {Record<string, any>} parts @returns {Record<string, any>} */
export function flat(parts) {
  /** @type {Record<string, any>} */
  const found = {};
  for (const [part, value] of Object.entries(parts)) {
    if (Array.isArray(value)) value.forEach((each, place) => (found[`${part}.${place}`] = each));
    else found[part] = value;
  }
  return found;
}

export class Choice {
  /**
   * @param {number[]} legal
   * @param {ActionCard[]} cards what every action number means
   * @param {[string, any][]} [touched] in the order in which they were touched
   */
  constructor(legal, cards, touched = []) {
    this.legal = legal;
    this.cards = cards;
    this.touched = touched;
    /** @type {{action: number, parts: Record<string, any>}[]} */
    this.all = legal.map((action) => ({ action, parts: flat(cards[action]?.parts ?? {}) }));
    this.left = this.all.filter(({ parts }) => touched.every(([part, value]) => parts[part] === value));
  }

  /** The settled parts: touched, or the same in every remaining action. */
  get settled() {
    /** @type {Record<string, any>} */
    const settled = {};
    const first = this.left[0]?.parts ?? {};
    for (const [part, value] of Object.entries(first)) {
      if (this.left.every(({ parts }) => parts[part] === value)) settled[part] = value;
    }
    return settled;
  }

  /** The value that was touched. @param {string} part */
  touchedValue(part) {
    return this.touched.find(([name]) => name === part)?.[1];
  }

  /** The values a part may still take, given what else was touched. @param {string} part @returns {any[]} */
  values(part) {
    const others = this.touched.filter(([name]) => name !== part);
    const open = this.all.filter(({ parts }) => part in parts && others.every(([p, v]) => parts[p] === v));
    return [...new Set(open.map(({ parts }) => parts[part]))];
  }

  /** The values a part has in any action, legal or not, that goes with what else was touched. @param {string} part @returns {any[]} */
  known(part) {
    const others = this.touched.filter(([name]) => name !== part);
    const open = this.cards.map(({ parts }) => flat(parts)).filter((parts) => part in parts && others.every(([p, v]) => parts[p] === v));
    return [...new Set(open.map((parts) => parts[part]))];
  }

  /** Whether any legal action has this. @param {string} part @param {any} value */
  offers(part, value) {
    return this.all.some(({ parts }) => parts[part] === value);
  }

  /**
   * Touch a value. Earlier touches that don't go with it are dropped, the earliest first.
   * @param {string} part @param {any} value
   */
  pick(part, value) {
    if (!this.offers(part, value)) return this;
    /** @type {[string, any][]} */
    let kept = [[part, value]];
    for (const earlier of this.touched.filter(([name]) => name !== part).reverse()) {
      const tried = /** @type {[string, any][]} */ ([earlier, ...kept]);
      if (this.all.some(({ parts }) => tried.every(([p, v]) => parts[p] === v))) kept = tried;
    }
    return new Choice(this.legal, this.cards, kept);
  }

  /** Take the last touch back, or the touch of a part. @param {string} [part] */
  back(part) {
    const kept = part ? this.touched.filter(([name]) => name !== part) : this.touched.slice(0, -1);
    return new Choice(this.legal, this.cards, kept);
  }

  /**
   * The action to ask the server about when a value can't be chosen. Of the actions that have it, the one that goes
   * with the touches and differs least from a legal one, so that the reason is about this value only.
   * @param {string} part @param {any} value @returns {number | null} null: no action has it, or it can be chosen
   */
  nearest(part, value) {
    const others = this.touched.filter(([name]) => name !== part);
    const legal = new Set(this.legal);
    const having = this.cards.map(({ parts }, action) => ({ action, parts: flat(parts) })).filter(({ parts }) => parts[part] === value);
    const agreeing = having.map((each) => ({ ...each, agreed: others.filter(([p, v]) => each.parts[p] === v).length }));
    if (agreeing.some(({ action, agreed }) => legal.has(action) && agreed === others.length)) return null;
    const unlike = agreeing.filter(({ action }) => !legal.has(action));
    const most = Math.max(...unlike.map(({ agreed }) => agreed));
    let best = null;
    let score = -1;
    for (const { action, parts, agreed } of unlike) {
      if (agreed < most) continue;
      const names = Object.keys(parts);
      let alike = 0;
      for (const other of this.all) alike = Math.max(alike, names.reduce((same, name) => same + Number(parts[name] === other.parts[name]), 0));
      const mine = alike + names.length / 100; // if all else is equal, the one with the most parts
      if (mine > score) [best, score] = [action, mine];
    }
    return best;
  }

  /** The action that is meant, once one is left. @returns {number | null} */
  get action() {
    return this.left.length === 1 ? /** @type {{action: number}} */ (this.left[0]).action : null;
  }

  /**
   * The next part to ask about, when a choice is made part by part, in the game's order.
   * @param {string[]} order
   */
  next(order) {
    const names = [...new Set(this.left.flatMap(({ parts }) => Object.keys(parts)))];
    const stem = (/** @type {string} */ name) => name.split(".")[0] ?? name;
    const place = (/** @type {string} */ name) => (order.indexOf(stem(name)) + 1 || order.length + 1) - 1;
    names.sort((a, b) => place(a) - place(b) || a.localeCompare(b, "en", { numeric: true }));
    const settled = this.settled;
    return names.find((name) => !(name in settled) && this.left.every(({ parts }) => name in parts)) ?? null;
  }
}
