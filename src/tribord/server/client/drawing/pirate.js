/**
 * Pirates: every crew has a shape as well as a colour, and every pirate a face. They are drawn around (0, 0), within a
 * circle of radius 46; put them somewhere with `place`.
 */
import { nothing, svg } from "../lit.js";

/** The outline of each crew. @type {Record<string, string>} */
export const SHAPES = {
  blue: "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z",
  green: "M0-46L45-13L30 41H-30L-45-13Z",
  red: "M0-52L48 0L0 50L-48 0Z",
  yellow: "M-30-42H30Q41-42 41-31V31Q41 42 30 42H-30Q-41 42-41 31V-31Q-41-42-30-42Z",
  lilac: "M-24-44H24L47 0L24 44H-24L-47 0Z",
  white: "M0-52L50 38H-50Z",
};

const HAT = "M-52-26C-46-40-34-40-30-38C-24-62 24-62 30-38C34-40 46-40 52-26C30-34 -30-34-52-26Z";

/** @param {string} crew @param {string} [inside] classes */
export function token(crew, inside = "") {
  return svg`<path class=${`crew ${crew} ${inside}`} d=${SHAPES[crew] ?? SHAPES["blue"] ?? ""} />`;
}

/** A face, a little stupid, never gory; each value has its own. @param {number} value */
export function face(value) {
  const eyes = [
    svg`<circle class="dot" cx="-10" cy="-3" r="3.4" /><path class="line" d="M6-8l9 9m0-9l-9 9" />`,
    svg`<circle class="dot" cx="-10" cy="-3" r="3.4" /><circle class="dot" cx="10" cy="-3" r="3.4" /><path class="line" d="M-16-12l9 2M16-12l-9 2" />`,
    svg`<circle class="dot" cx="-10" cy="-3" r="3.4" /><path class="patch" d="M2-9h17q1 12-8 13-9-1-9-13zM2-9L-25-15M19-9l5-4" />`,
    svg`<path class="line" d="M-15-2q5-6 10 0M5-2q5-6 10 0" />`,
    svg`<circle class="eye" cx="-9" cy="-4" r="7" /><circle class="eye" cx="10" cy="-4" r="7" /><circle class="dot" cx="-7" cy="-3" r="3" /><circle class="dot" cx="7" cy="-3" r="3" />`,
    svg`<path class="line" d="M-15-6h10M6-8l9 9m0-9l-9 9" /><circle class="dot" cx="-10" cy="-2" r="3" />`,
  ][(value - 1) % 6];
  const mouth = [
    "M-14 10Q0 24 14 10",
    "M-10 14H12",
    "M-13 9Q0 25 13 9ZM-3 16v5",
    "M-14 9Q0 28 14 9Z",
    "M-6 14a6 5 0 1 0 12 0a6 5 0 1 0 -12 0",
    "M-13 15Q0 6 13 14",
  ][(value - 1) % 6];
  return svg`<circle class="skin" r="27" cy="2" />${eyes}<path class="mouth" d=${mouth ?? ""} />`;
}

/** @param {string} crew @param {number} value @param {{captain?: boolean, badge?: boolean}} [worn] */
export function pirate(crew, value, { captain = value === 1, badge = true } = {}) {
  return svg`<g class="pirate">${token(crew)}${face(value)}
    ${captain ? svg`<path class="hat" d=${HAT} /><path class="bone" d="M-8-46l16 8m0-8l-16 8" />` : nothing}
    ${badge ? svg`<circle class="badge" cx="31" cy="-33" r="16" /><text class="number" x="31" y="-26.5">${value}</text>` : nothing}</g>`;
}
