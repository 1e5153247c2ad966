/** Variants: a game that comes in several says so in its about.json. Each has its own facts, lesson and entry. */

/** @typedef {import("./contract.js").GameCard} GameCard */
/** @typedef {import("./contract.js").Variant} Variant */

/** @param {GameCard} game @returns {Variant[]} none where there is only the game itself */
export function variantsOf(game) {
  return game.about?.variants ?? [];
}

/** The variant for these options; missing ones have their defaults. @param {GameCard} game @param {Record<string, any>} options */
export function variantOf(game, options) {
  const value = (/** @type {string} */ option) => options[option] ?? game.options.find(({ name }) => name === option)?.default;
  return variantsOf(game).find((variant) => Object.entries(variant.options).every(([option, wanted]) => value(option) === wanted));
}

/** The key under which a device remembers a lesson. @param {GameCard} game @param {Record<string, any>} options */
export function lessonOf(game, options) {
  const variant = variantOf(game, options);
  return variant ? `${game.id}/${variant.id}` : game.id;
}
