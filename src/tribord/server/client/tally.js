/** Counting: a score sheet is filled in row by row, from the last to the first, while the totals rise. A tap ends it. */
import { Directive, directive } from "./lit.js";
import { settings, still } from "./settings.js";

const CELL = 230; // milliseconds at normal speed
const LONGEST = 5000; // for a whole sheet

/** @typedef {{cells: HTMLElement[], worth: number[], sum: Text | undefined, total: number, row: HTMLElement}} Line */

class Tally extends Directive {
  begun = false;

  /** @param {boolean} _wanted @param {() => void} _tick @returns {any} */
  render(_wanted, _tick) {
    return undefined;
  }

  /** @param {any} part @param {[boolean, () => void]} given @override */
  update(part, [wanted, tick]) {
    if (!this.begun && wanted && !still() && !document.hidden) queueMicrotask(() => count(part.element, tick)); // once the sheet is in it
    this.begun = true;
    return undefined;
  }
}

/** Count the sheet in an element when first drawn, if wanted: `<div ${tally(true, tick)}>`. */
export const tally = directive(Tally);

/** @param {HTMLElement} sheet @param {() => void} tick at every cell that counts */
function count(sheet, tick) {
  const lines = [...sheet.querySelectorAll("tbody tr")].map((row) => read(/** @type {HTMLElement} */ (row))).reverse();
  const cells = lines.reduce((sum, line) => sum + line.cells.length, 0);
  const pause = Math.min(CELL, LONGEST / Math.max(1, cells)) / (settings.speed || 1);
  const steps = lines.flatMap((line) => line.cells.map((_cell, k) => () => show(line, k + 1)));
  for (const line of lines) show(line, 0);
  sheet.setAttribute("aria-busy", "true");
  let done = 0;
  const timer = setInterval(() => {
    if (steps[done++]?.()) tick();
    if (done >= steps.length) finish();
  }, pause);
  const finish = () => {
    clearInterval(timer);
    removeEventListener("pointerdown", finish, true);
    removeEventListener("keydown", finish, true);
    for (const line of lines) show(line, line.cells.length);
    sheet.removeAttribute("aria-busy");
  };
  addEventListener("pointerdown", finish, true);
  addEventListener("keydown", finish, true);
}

/** What is in a row: its cells, what each is worth, and the number that sums them up. @param {HTMLElement} row @returns {Line} */
function read(row) {
  const cells = /** @type {HTMLElement[]} */ ([...row.querySelectorAll("td")]);
  const sum = cells.map((cell) => (cell.matches(".sum") ? numbers(cell).at(-1) : undefined)).find(Boolean);
  const total = Number(sum?.data ?? 0);
  const worth = cells.map((cell) => (cell.matches(".sum") ? 0 : Number(numbers(cell).at(-1)?.data ?? 0)));
  const exact = worth.reduce((a, b) => a + b, 0) === total;
  return { row, cells, sum, total, worth: exact ? worth : cells.map(() => total / cells.length) };
}

/** The pieces of text in a cell that are whole numbers. @param {HTMLElement} cell */
function numbers(cell) {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const found = [];
  while (walker.nextNode()) if (/^\s*\d+\s*$/.test(walker.currentNode.nodeValue ?? "")) found.push(/** @type {Text} */ (walker.currentNode));
  return found;
}

/** Show the first cells of a row, and their total. @param {Line} line @param {number} shown @returns {boolean} whether the last of them is worth something */
function show({ row, cells, worth, sum, total }, shown) {
  const whole = shown >= cells.length;
  row.toggleAttribute("data-count", !whole);
  cells.forEach((cell, k) => cell.toggleAttribute("data-counted", !whole && (k < shown || (cell.matches(".sum") && shown > 0))));
  // Only the letters of drawn text change, and at the end they're the same again.
  if (sum) sum.data = whole ? String(total) : String(Math.round(worth.slice(0, shown).reduce((a, b) => a + b, 0)));
  return (worth[shown - 1] ?? 0) > 0;
}
