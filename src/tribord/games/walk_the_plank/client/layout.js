/**
 * Where things are, on a wide and on a tall drawing. The tall one is a phone's and as deep as the phone leaves room for: on
 * a shorter one there is less sea, then less sky.
 */

const WIDTH = 720; // of the tall drawing
const [DEEPEST, SHALLOWEST] = [900, 660];
const SEA_TO_SPARE = 110;
const AROUND = 354; // pixels of a phone's screen that the board doesn't get while you watch
const STEP = 40; // so that nothing moves when a browser's bars come and go

const WIDE = { ship: 288, start: 288, tile: 182, gap: 26, sag: 9, deck: 290, ceiling: 24, loft: 104, top: 10, sea: 352, hull: 150, size: 0.95, panels: 450, panel: 104, between: 22, turn: [874, 8, 320, 250], locker: [1112, 404, 0.72], sunk: [1030, 420, 0.3, 36], fin: [20, 1], sign: [128, 372, 196], perch: [104, 132, 176, 0.42], low: [0, 0] };

/**
 * Heights are in drawing units. `ceiling` and `loft` are how high pirates may stand on the plank and on the ship, `low` is how
 * far the scene sinks behind the panels while cards are placed and while one is aimed. Lists are [x, y, …]: the playbill of a
 * turn (width, height), the Locker (scale), who lies before it (scale, step), the fin (down from the sea, scale), the sign
 * on the hull (width), the perch (width, scale).
 * @typedef {typeof WIDE} Layout
 */

/** How deep the tall drawing is. */
function depth() {
  const room = (WIDTH * (innerHeight - AROUND)) / innerWidth;
  return Math.min(DEEPEST, Math.max(SHALLOWEST, Math.round(room / STEP) * STEP));
}

/** @type {Map<number, Layout>} */
const talls = new Map();

/** @param {number} deep @returns {Layout} */
function tall(deep) {
  const spared = Math.min(DEEPEST - deep, SEA_TO_SPARE);
  const sky = DEEPEST - deep - spared;
  const [deck, sea, bed] = [470 - sky, 556 - sky, 672 - sky - spared];
  return { ship: 198, start: 198, tile: 138, gap: 22, sag: 13, deck, ceiling: 184, loft: 184, top: 8, sea, hull: 150, size: 1, panels: deep - 162, panel: 158, between: 10, turn: [204, 8, 510, 168], locker: [640, bed, 0.66], sunk: [574, bed + 18, 0.28, 33], fin: [30, 0.9], sign: [86, deck + 82, 150], perch: [4, Math.min(226, deck - 120), 184, 0.46], low: [190 - spared, Math.max(0, 80 - spared)] };
}

export const LAYOUT = {
  wide: WIDE,
  get tall() {
    const deep = depth();
    if (!talls.has(deep)) talls.set(deep, tall(deep));
    return /** @type {Layout} */ (talls.get(deep));
  },
};

export const SIZE = {
  wide: /** @type {[number, number]} */ ([1200, 560]),
  get tall() {
    return /** @type {[number, number]} */ ([WIDTH, depth()]);
  },
};

/** How high the deck or a tile lies: the plank gives way step by step. @param {Layout} at @param {number} space */
export const footing = (at, space) => at.deck + space * at.sag;

/** Where the plank ends. @param {Layout} at @param {number} plank */
export const plankEnd = (at, plank) => at.start + plank * at.tile - at.gap / 2;
