/** Small signs: a child's head, a pirate's hat, a paper with words on it. */
import { svg } from "/page/lit.js";

/** A child's head. */
export function headSign() {
  return svg`<g class="head-sign"><circle class="head" r="11" /><path class="hair dark" d="M-11-2C-13-15 13-15 11-2C5-7-5-7-11-2Z" /><circle class="dot" cx="-4" cy="1" r="1.7" /><circle class="dot" cx="4" cy="1" r="1.7" /></g>`;
}

/** A pirate's hat. */
export function hatSign() {
  return svg`<path class="hat-sign" d="M-17 6C-14-2-9-4-7-3C-5-15 5-15 7-3C9-4 14-2 17 6C8 1-8 1-17 6Z" />`;
}

/** How wide a text of this display size is, about. @param {string} text @param {number} [size] */
export const breadth = (text, size = 26) => Math.max(70, text.length * size * 0.45 + 34);

/** Words on a slip of paper that points down at (0, 0), or up at it. @param {string} words @param {{up?: boolean, shift?: number}} [form] `shift`: how far to the right, which keeps it in the picture */
export function slip(words, { up = false, shift = 0 } = {}) {
  const half = breadth(words) / 2;
  const [left, right] = [shift - half, shift + half];
  return up
    ? svg`<g class="slip"><path class="paper" d=${`M${left} 14H-11L0 0L11 14H${right}V56H${left}Z`} /><text x=${shift} y="44">${words}</text></g>`
    : svg`<g class="slip"><path class="paper" d=${`M${left}-56H${right}V-14H11L0 0L-11-14H${left}Z`} /><text x=${shift} y="-27">${words}</text></g>`;
}
