/** The pirates of Walk the Plank: a crew's token on two legs, with a hat that outlives its owner by a second. */
import { face, token } from "/page/drawing/pirate.js";
import { svg } from "/page/lit.js";

export const CREWS = ["blue", "green", "red", "yellow", "lilac"];

const ARMS = {
  stands: "M-36-58q-14 6-14 22M36-58q14 6 14 22",
  pushes: "M24-70q24-6 44-2M26-50q22 4 42-2M66-80v28M66-58v14",
  holds: "M-36-58q-10 8-12 20M34-60q16 2 30 0",
  flails: "M-34-72q-16-12-18-34M34-72q16-12 18-34",
  cheers: "M-34-74q-14-14-12-42M34-74q14-14 12-42",
  sinks: "M-34-72q-16-12-18-34M34-72q16-12 18-34",
};

// Colours stand in the drawing itself: the cover is shown where the board's style sheet is not.

/** What each of the three of a crew wears, around the middle of its head. @param {number} who 0, 1 or 2 */
export function headgear(who) {
  const worn = [
    svg`<path fill="var(--black)" stroke="var(--brim, var(--jet))" d="M-48-22C-44-36-32-38-27-35C-20-60 20-60 27-35C32-38 44-36 48-22C26-30-26-30-48-22Z" /><path fill="none" stroke="var(--bone)" d="M-7-45l14 8m0-8l-14 8" />`,
    svg`<path fill="var(--sail)" d="M-30-13C-29-46 29-46 30-13C14-22-14-22-30-13ZM29-17l14-8-2 9 9 5-16 3Z" /><path fill="none" stroke-width="6" d="M-13-28h.1M1-33h.1M15-27h.1M2-23h.1" />`,
    svg`<path fill="var(--wood)" d="M-29-16C-27-50 25-52 29-16ZM-31-18Q0-30 31-18V-9Q0-21-31-9Z" /><path fill="none" stroke-width="2.5" d="M-18-20v9M-6-23v9M6-23v9M18-20v9" /><circle fill="var(--sail)" cx="0" cy="-47" r="8" />`,
  ][who % 3];
  return svg`<g stroke="var(--ink-line)" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round">${worn}</g>`;
}

/** Its head alone: token, face and hat, around (0, 0). @param {string} crew @param {number} who @param {boolean} [hat] */
export function head(crew, who, hat = true) {
  return svg`<g class="pirate">${token(crew)}${face(((CREWS.indexOf(crew) * 2 + who) % 6) + 1)}${hat ? headgear(who) : ""}</g>`;
}

/** A pirate standing on (0, 0), 118 units high. @param {string} crew @param {number} who @param {keyof ARMS} pose */
export function figure(crew, who, pose) {
  return svg`<g fill="none" stroke="var(--limb, var(--ink-line))" stroke-linejoin="round" stroke-linecap="round"><path stroke-width="9" d="M-14-30V-6M14-30V-6" />
      <path fill="var(--wood-dark)" stroke-width="3.5" d="M-22-12h15v6q8 1 8 6h-23ZM6-12h15v6q8 1 8 6H6Z" /><path stroke-width="8" d=${ARMS[pose]} /></g>
    <g transform="translate(0 -66)">${head(crew, who, pose !== "flails" && pose !== "sinks")}</g>
    ${pose === "flails" ? svg`<g transform="translate(6 -84) rotate(-14)">${headgear(who)}</g>` : ""}`;
}

/** Somebody who sits on (0, 0), legs in the air, and looks on through a spyglass. @param {string} crew */
export function onlooker(crew) {
  return svg`<g fill="none" stroke="var(--limb, var(--ink-line))" stroke-linejoin="round" stroke-linecap="round"><path stroke-width="9" d="M-14-30Q-18-4-12 14M14-30Q20-6 22 10" /><path fill="var(--wood-dark)" stroke-width="3.5" d="M-20 10h15v6q8 1 8 6h-23ZM15 6h15v6q8 1 8 6H15Z" /></g>
    <g transform="translate(0 -62)">${head(crew, 0, false)}</g>
    <g stroke="var(--ink-line)" stroke-width="3.5" stroke-linejoin="round"><path fill="var(--yellow)" d="M14-74L44-80L47-64L16-62Z" /><path fill="var(--wood)" d="M44-84L74-92L79-66L48-60Z" /></g>
    <path fill="none" stroke="var(--limb, var(--ink-line))" stroke-width="8" stroke-linecap="round" d="M34-46q14-2 18-16" />`;
}
