/**
 * The people, drawn around (0, 0) like the house's pirates: sailors are small, with a pompon; helmsmen are large and stand
 * in front of their wheel, so that the outline alone tells them apart. They carry their own colours, because the
 * home page shows them on the cover without the game's style sheet.
 */
import { nothing, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { SHAPES } from "./shapes.js";

export function wheel() {
  const { spokes, rim } = SHAPES.people;
  return svg`<g fill="none" stroke="var(--ink-line)" stroke-linecap="round"><path stroke-width="15" d=${spokes} /><circle stroke-width="19" r=${rim} />
    <g stroke="var(--sqp-wheel)"><circle stroke-width="10" r=${rim} /><path stroke-width="7" d=${spokes} /></g></g>`;
}

/** A sailor's hat with its pompon, or a helmsman's; they float once their owner is gone. @param {string} kind */
export function hat(kind) {
  const { felt, cord, cloth, band, pompon: [x, y, r] } = SHAPES.people;
  return kind === "helmsman"
    ? svg`<g stroke="var(--jet)" stroke-width="3" stroke-linejoin="round"><path fill="var(--sqp-felt)" d=${felt} /><path fill="none" stroke="var(--yellow)" stroke-width="6" d=${cord} /></g>`
    : svg`<g stroke="var(--jet)" stroke-width="3" stroke-linejoin="round"><path fill="var(--bone)" d=${cloth} /><path fill="none" stroke="var(--sqp-band)" stroke-width="6" d=${band} /><circle fill="var(--red)" cx=${x} cy=${y} r=${r} /></g>`;
}

/** @param {string} crew @param {string} kind @param {number} [number] which one of the crew: each has a face @param {boolean} [wheeled] whether a helmsman's wheel is drawn too */
export function person(crew, kind, number = 0, wheeled = true) {
  const large = kind === "helmsman";
  const faces = SHAPES.people.faces[large ? "helmsman" : "sailor"];
  return svg`<g class=${`pirate sqp-person ${kind}`}>${large && wheeled ? wheel() : nothing}${token(crew)}${face(faces[number % faces.length] ?? 1)}${hat(kind)}</g>`;
}

/** The captain's cap, as a dial shows it, and as the sign for a token. */
export function cap() {
  const { crown: top, peak, anchor } = SHAPES.cap;
  return svg`<g stroke="var(--jet)" stroke-width="4" stroke-linejoin="round"><path fill="var(--bone)" d=${top} /><path fill="var(--black)" d=${peak} />
    <path fill="none" stroke="var(--sqp-braid)" stroke-width="5" stroke-linecap="round" d=${anchor} /></g>`;
}

/** The captain's baton, held up. */
export function batonSign() {
  return svg`<g class="sqp-baton" transform="translate(44 -4) rotate(14)"><g class="wave"><rect class="stick" x="-6" y="-38" width="12" height="76" rx="5" /><circle class="knob" cy="-40" r="11" /><circle class="knob" cy="38" r="8" /><path class="ribbon" d="M-6-13L6-20M-6 2L6-5M-6 17L6 10" /></g></g>`;
}

/** A crown of palm leaves and gold, for those who win. */
export function crown() {
  return svg`<path class="sqp-crown" d="M-34-30L-40-62L-18-46L0-70L18-46L40-62L34-30Q0-40-34-30Z" />`;
}
