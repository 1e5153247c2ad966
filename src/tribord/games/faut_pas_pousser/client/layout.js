/** Where things stand, on a wide and on a tall drawing. */

/** @typedef {typeof LAYOUT.wide} Layout */
/** @typedef {{crew: string, pirate: number}} Pirate */

export const CREWS = ["blue", "green", "red", "yellow"];
export const VALUES = [1, 2, 3, 4, 5, 6];
export const CARDS = [-1, -2, -3, 1, 2];
export const ALL = CREWS.flatMap((crew) => VALUES.map((value) => ({ crew, pirate: value })));

/** @type {{wide: [number, number], tall: [number, number]}} */
export const SIZE = { wide: [1200, 530], tall: [720, 562] };

export const LAYOUT = {
  wide: {
    ship: 250, hull: 176, deck: 214, plank: [238, 826], thick: 34, slot: 328, step: 136, size: 1.12, brink: [852, 252],
    sea: 290, fin: [1030, 36], pile: 338, pileStep: 188, pileY: 402, pool: [86, 58], small: 0.58, apart: [74, 54],
    side: [932, 26], card: [26, 50, 168, 150], face: 1.2, sum: [268, 40], round: [118, 340], shark: [880, 318, 1.1],
  },
  tall: {
    ship: 128, hull: 122, deck: 212, plank: [118, 654], thick: 36, slot: 198, step: 126, size: 1.08, brink: [660, 258],
    sea: 288, fin: [250, 24], pile: 84, pileStep: 138, pileY: 384, pool: [64, 58], small: 0.54, apart: [54, 54],
    side: [0, 508], card: [6, 46, 132, 150], face: 1, sum: [156, 38], round: [56, 290], shark: [640, 334, 0.9],
  },
};

/** @param {Pirate} one */
export const key = ({ crew, pirate: value }) => `${crew}${value}`;
/** A number with a proper minus. @param {number} number */
export const figure = (number) => (number < 0 ? `−${-number}` : String(number));
/** @param {number} card */
export const sign = (card) => (card > 0 ? `+${card}` : figure(card));
/** @param {number} number */
export const crewOf = (number) => CREWS[number] ?? "blue";
/** The head of someone on the plank. @param {Layout} at */
export const standing = (at) => at.deck - 47 * at.size;
/** @param {Layout} at @param {number} slot from 1 */
export const slotX = (at, slot) => at.slot + (slot - 1) * at.step;
