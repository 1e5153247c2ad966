/** Words on a drawing: how much room they take, and where they break, so that no name is ever cut. */
import { nothing, svg } from "/page/lit.js";

/** The width of letters as parts of the letter size, rather too much than too little. @type {[RegExp, number][]} */
const BREADTHS = [
  [/[iljtfrI.,:;'’!|()\s-]/u, 0.34],
  [/[mwMW@%]/u, 0.88],
  [/[\p{Lu}\d]/u, 0.68],
];

/** How wide a text is, in letter sizes. @param {string} text */
export function breadth(text) {
  return [...text].reduce((sum, letter) => sum + (BREADTHS.find(([sort]) => sort.test(letter))?.[1] ?? 0.56), 0);
}

/** A text in lines no wider than this, word by word. @param {string} text @param {number} room in letter sizes @returns {string[]} */
export function inLines(text, room) {
  return text.split(" ").reduce((/** @type {string[]} */ lines, word) => {
    const last = lines.at(-1);
    if (last !== undefined && breadth(`${last} ${word}`) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
    return lines;
  }, []);
}

/** A name in one line, or in two of about the same length: at a space if there is one, or else in the middle of the word. @param {string} name @param {number} room in letter sizes */
export function inTwo(name, room) {
  if (breadth(name) <= room) return [name];
  const cuts = [...name].map((_letter, k) => [name.slice(0, k).trim(), name.slice(k).trim()]).filter(([a, b]) => a && b);
  const cost = (/** @type {string[]} */ [a = "", b = ""]) => Math.max(breadth(a), breadth(b), room * 0.8) + (a.length + b.length < name.length || a.endsWith("-") ? 0 : room / 4);
  return cuts.sort((one, other) => cost(one) - cost(other))[0] ?? [name];
}

/** Lines of text; a line that's too wide is squeezed. @param {string[]} lines @param {{x: number, y: number, font: number, room: number, gap?: number, sort: string}} form */
export function lettering(lines, { x, y, font, room, gap = font, sort }) {
  return lines.map((line, k) => svg`<text class=${sort} x=${x} y=${y + k * gap} lengthAdjust="spacingAndGlyphs" textLength=${breadth(line) * font > room ? room : nothing}>${line}</text>`);
}
