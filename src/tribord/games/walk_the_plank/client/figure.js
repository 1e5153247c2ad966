/** The pirates of Walk the Plank: a crew's token on two legs, with a hat that outlives its owner by a second. */
import { face, token } from "/page/drawing/pirate.js";
import { svg } from "/page/lit.js";
import { SHAPES } from "./shapes.js";

export const CREWS = ["blue", "green", "red", "yellow", "lilac"];

/** @typedef {keyof typeof SHAPES.pirate.arms} Pose */

// Colours are in the drawing itself: the cover is shown without the board's style sheet.

/** What each of the three of a crew wears, around the middle of its head. @param {number} who 0, 1 or 2 */
export function headgear(who) {
  const { tricorne, bones, scarf, dots, cap, ribs, pompon: [x, y, r] } = SHAPES.pirate;
  const worn = [
    svg`<path fill="var(--black)" stroke="var(--brim, var(--jet))" d=${tricorne} /><path fill="none" stroke="var(--bone)" d=${bones} />`,
    svg`<path fill="var(--sail)" d=${scarf} /><path fill="none" stroke-width="6" d=${dots} />`,
    svg`<path fill="var(--wood)" d=${cap} /><path fill="none" stroke-width="2.5" d=${ribs} /><circle fill="var(--sail)" cx=${x} cy=${y} r=${r} />`,
  ][who % 3];
  return svg`<g stroke="var(--ink-line)" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round">${worn}</g>`;
}

/** Its head alone: token, face and hat, around (0, 0). @param {string} crew @param {number} who @param {boolean} [hat] */
export function head(crew, who, hat = true) {
  return svg`<g class="pirate">${token(crew)}${face(((CREWS.indexOf(crew) * 2 + who) % 6) + 1)}${hat ? headgear(who) : ""}</g>`;
}

/** A pirate standing on (0, 0), 118 units high. @param {string} crew @param {number} who @param {Pose} pose */
export function figure(crew, who, pose) {
  return svg`<g fill="none" stroke="var(--limb, var(--ink-line))" stroke-linejoin="round" stroke-linecap="round"><path stroke-width="9" d=${SHAPES.pirate.legs} />
      <path fill="var(--wood-dark)" stroke-width="3.5" d=${SHAPES.pirate.shoes} /><path stroke-width="8" d=${SHAPES.pirate.arms[pose]} /></g>
    <g transform="translate(0 -66)">${head(crew, who, pose !== "flails" && pose !== "sinks")}</g>
    ${pose === "flails" ? svg`<g transform="translate(6 -84) rotate(-14)">${headgear(who)}</g>` : ""}`;
}

/** Someone who sits on (0, 0), legs in the air, and watches through a spyglass. @param {string} crew */
export function onlooker(crew) {
  return svg`<g fill="none" stroke="var(--limb, var(--ink-line))" stroke-linejoin="round" stroke-linecap="round"><path stroke-width="9" d="M-14-30Q-18-4-12 14M14-30Q20-6 22 10" /><path fill="var(--wood-dark)" stroke-width="3.5" d="M-20 10h15v6q8 1 8 6h-23ZM15 6h15v6q8 1 8 6H15Z" /></g>
    <g transform="translate(0 -62)">${head(crew, 0, false)}</g>
    <g stroke="var(--ink-line)" stroke-width="3.5" stroke-linejoin="round"><path fill="var(--yellow)" d="M14-74L44-80L47-64L16-62Z" /><path fill="var(--wood)" d="M44-84L74-92L79-66L48-60Z" /></g>
    <path fill="none" stroke="var(--limb, var(--ink-line))" stroke-width="8" stroke-linecap="round" d="M34-46q14-2 18-16" />`;
}
