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

const VOWELS = "aeiouyàâäéèêëîïôöùûüœ";

/** What breaking a name here costs: a space or a hyphen is best, then the end of a syllable near the middle. @param {string} name @param {string[]} cut @param {number} room */
function cost(name, [a = "", b = ""], room) {
  const widest = Math.max(breadth(a), breadth(b));
  const whole = a.length + b.length < name.length || a.endsWith("-");
  const syllable = VOWELS.includes(a.at(-1)?.toLowerCase() ?? "") && !VOWELS.includes(b[0]?.toLowerCase() ?? "") && b.length > 2;
  return Math.max(widest, room * 0.8) + widest / 100 + (whole ? 0 : room / (syllable ? 4 : 3));
}

/** A name in one line, or in two of about the same length: at a space if there is one, or else with a hyphen in the word. @param {string} name @param {number} room in letter sizes */
export function inTwo(name, room) {
  if (breadth(name) <= room) return [name];
  const cuts = [...name].map((_letter, k) => [name.slice(0, k).trim(), name.slice(k).trim()]).filter(([a, b]) => a && b);
  const [best] = cuts.sort((one, other) => cost(name, one, room) - cost(name, other, room));
  if (!best) return [name];
  const [a = "", b = ""] = best;
  return [a.length + b.length < name.length || !/\p{L}$/u.test(a) ? a : `${a}-`, b];
}

/** Lines of text; a line that's too wide is squeezed. @param {string[]} lines @param {{x: number, y: number, font: number, room: number, gap?: number, sort: string}} form */
export function lettering(lines, { x, y, font, room, gap = font, sort }) {
  return lines.map((line, k) => svg`<text class=${sort} x=${x} y=${y + k * gap} lengthAdjust="spacingAndGlyphs" textLength=${breadth(line) * font > room ? room : nothing}>${line}</text>`);
}
