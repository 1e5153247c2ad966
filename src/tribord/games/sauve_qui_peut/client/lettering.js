/** Letters in the drawing: names of up to 24 letters are broken into lines, and squeezed only if that isn't enough. */
import { svg } from "/page/lit.js";

const FACE = '"Atkinson Hyperlegible", sans-serif';
const pen = document.createElement("canvas").getContext("2d");
/** @type {Map<string, number>} */
const measured = new Map();
document.fonts?.addEventListener("loadingdone", () => measured.clear()); // until then another font stands in

/** How wide a text is in the drawing's units. @param {string} text @param {number} size @param {boolean} [bold] */
export function widthOf(text, size, bold = false) {
  const key = `${bold}${text}`;
  if (pen && !measured.has(key)) {
    pen.font = `${bold ? 700 : 400} 100px ${FACE}`;
    measured.set(key, pen.measureText(text).width);
  }
  return ((measured.get(key) ?? text.length * 54) * size) / 100;
}

/** A text in one line or two, broken between words if they fit, otherwise within one. @param {string} text @param {number} room @param {number} size @param {boolean} [bold] @returns {string[]} */
export function inLines(text, room, size, bold = false) {
  const fits = (/** @type {string} */ part) => widthOf(part, size, bold) <= room;
  if (fits(text)) return [text];
  const cuts = [...text.matchAll(/[\s-]+/gu)].map((found) => found.index + found[0].length).filter((at) => at < text.length);
  const halves = (/** @type {number} */ at) => [text.slice(0, at).trimEnd(), text.slice(at)];
  const fair = cuts.map(halves).filter((lines) => lines.every(fits))[0];
  if (fair) return fair;
  const letters = [...text];
  let most = letters.length;
  while (most > 1 && !fits(letters.slice(0, most).join(""))) most -= 1;
  const at = Math.max(most, Math.ceil(letters.length / 2)); // if one line is squeezed, so is the other
  return [letters.slice(0, at).join("").trimEnd(), letters.slice(at).join("").trimStart()];
}

/** A text that ends where its room does. @param {string} text @param {number} room @param {number} size @param {boolean} [bold] */
export function shortened(text, room, size, bold = false) {
  if (widthOf(text, size, bold) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(`${letters.join("").trimEnd()}…`, size, bold) > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/**
 * A line of letters, squeezed if it's wider than its room.
 * @param {string} text @param {{x: number, y: number, room: number, size: number, bold?: boolean, anchor?: string, look?: string}} given
 */
export function line(text, { x, y, room, size, bold = false, anchor = "start", look = "" }) {
  return widthOf(text, size, bold) > room
    ? svg`<text class=${look} x=${x} y=${y} font-size=${size} text-anchor=${anchor} textLength=${room} lengthAdjust="spacingAndGlyphs">${text}</text>`
    : svg`<text class=${look} x=${x} y=${y} font-size=${size} text-anchor=${anchor}>${text}</text>`;
}
