/** Variants: a game that comes in several says so in its about.json. Each has its own facts, its own lesson and its own way in. */

/** @typedef {import("./contract.js").GameCard} GameCard */
/** @typedef {import("./contract.js").Variant} Variant */

/** @param {GameCard} game @returns {Variant[]} none where there is only the game itself */
export function variantsOf(game) {
  return game.about?.variants ?? [];
}

/** The variant that is played with these options; what they leave out is as usual. @param {GameCard} game @param {Record<string, any>} options */
export function variantOf(game, options) {
  const value = (/** @type {string} */ option) => options[option] ?? game.options.find(({ name }) => name === option)?.default;
  return variantsOf(game).find((variant) => Object.entries(variant.options).every(([option, wanted]) => value(option) === wanted));
}

/** What a device remembers a lesson by. @param {GameCard} game @param {Record<string, any>} options */
export function lessonOf(game, options) {
  const variant = variantOf(game, options);
  return variant ? `${game.id}/${variant.id}` : game.id;
}
