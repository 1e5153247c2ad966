/** The places of the crews' cards and everything on them, and of the strip below or beside the cards. */

const ABREAST = 3; // cards beside each other on a tall drawing with more than four
const GAP = 4;

/** @typedef {{x: number, y: number, w: number, h: number, name: {x: number, y: number, room: number, size: number}, dial: [number, number, number], points: [number, number], foot: [number, number, number], baton: [number, number, number, number]}} Card `foot`: x, y and the room there */

/** @param {"wide" | "tall"} shape @param {number} i @param {number} players @returns {Card} */
export function cardAt(shape, i, players) {
  if (shape === "wide") {
    const h = Math.min(200, 740 / players - 8);
    const name = h > 130 ? 38 : 30;
    return { x: 8, y: 8 + i * (h + 8) - (players > 3 ? 4 : 0), w: 290, h, name: { x: 122, y: name, room: 160, size: 25 }, dial: [72, h / 2, Math.min(1.12, h / 94)], points: [280, h - 16], foot: [122, h - 26, 104], baton: [18, h / 2, h > 130 ? 1.1 : 0.9, 6] };
  }
  const h = tallest(players);
  if (players > 4) {
    const w = 720 / ABREAST - 6;
    return { x: (i % ABREAST) * (720 / ABREAST) + 3, y: GAP + Math.floor(i / ABREAST) * (h + GAP), w, h, name: { x: 86, y: 25, room: w - 92, size: 24 }, dial: [54, h / 2, 0.82], points: [w - 6, h - 9], foot: [86, h - 19, w - 86 - 46], baton: [13, h / 2, 0.8, 6] };
  }
  const w = 720 / players - 6;
  return { x: (720 / players) * i + 3, y: GAP, w, h, name: { x: 8, y: 26, room: w - 14, size: 24 }, dial: [40, h - 42, 0.84], points: [w - 32, h - 44], foot: [78, h - 20, w - 78 - 30], baton: [w - 14, h - 42, 0.82, 6] };
}

/** @param {number} players */
function tallest(players) {
  return players > 4 ? 88 : 138;
}

/** Where the phases of the round are shown. @param {"wide" | "tall"} shape @param {number} players */
export function stripAt(shape, players) {
  if (shape === "wide") return { x: 310, y: 0, w: 890, h: 64 };
  return { x: 3, y: GAP + (players > 4 ? 2 : 1) * (tallest(players) + GAP), w: 714, h: 36 };
}
