/** Where things are, on a wide and on a tall drawing. */

/** @type {import("/page/contract.js").Board["size"]} */
export const SIZE = { wide: [1200, 530], tall: [720, 456] };

export const LAYOUT = {
  wide: { ship: 300, start: 296, tile: 178, deck: 268, top: 12, sea: 300, hull: 146, font: 24, size: 0.95, panels: 424, panel: 100, gap: 22, card: [994, 14, 192, 262], locker: [1096, 384, 0.9], sunk: [1010, 374, 0.3, 34], fin: [18, 1], round: [330, 40] },
  tall: { ship: 226, start: 222, tile: 114, deck: 216, top: 6, sea: 246, hull: 88, font: 25, size: 0.78, panels: 336, panel: 114, gap: 12, card: [576, 4, 140, 192], locker: [632, 312, 0.56], sunk: [578, 294, 0.24, 27], fin: [9, 0.66], round: [250, 32] },
};
/** @typedef {typeof LAYOUT.wide} Layout */
