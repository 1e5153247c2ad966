/**
 * The people, drawn around (0, 0) like the house's pirates: sailors are small, with a pompon; helmsmen are large and stand
 * in front of their wheel, so that the outline alone tells them apart. They have their colours with them, for the harbour
 * shows them on the cover without a style sheet of the game.
 */
import { nothing, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";

const SPOKES = [0, 45, 90, 135, 180, 225, 270, 315];
const FACES = { sailor: [2, 5, 1, 6, 4], helmsman: [3, 4] };

export function wheel() {
  const spokes = SPOKES.map((turn) => `M${Math.cos((turn * Math.PI) / 180) * 30} ${Math.sin((turn * Math.PI) / 180) * 30}L${Math.cos((turn * Math.PI) / 180) * 76} ${Math.sin((turn * Math.PI) / 180) * 76}`).join("");
  return svg`<g fill="none" stroke="var(--ink-line)" stroke-linecap="round"><path stroke-width="15" d=${spokes} /><circle stroke-width="19" r="57" />
    <g stroke="var(--sqp-wheel)"><circle stroke-width="10" r="57" /><path stroke-width="7" d=${spokes} /></g></g>`;
}

/** A sailor's hat with its pompon, or a helmsman's; they float when there is nobody below. @param {string} kind */
export function hat(kind) {
  return kind === "helmsman"
    ? svg`<g stroke="var(--jet)" stroke-width="3" stroke-linejoin="round"><path fill="var(--sqp-felt)" d="M-42-22Q-30-30-25-32Q-24-60 0-60Q24-60 25-32Q30-30 42-22Q0-34-42-22Z" /><path fill="none" stroke="var(--yellow)" stroke-width="6" d="M-25-34Q0-42 25-34" /></g>`
    : svg`<g stroke="var(--jet)" stroke-width="3" stroke-linejoin="round"><path fill="var(--bone)" d="M-25-26Q-32-46-12-50H12Q32-46 25-26Q0-34-25-26Z" /><path fill="none" stroke="var(--sqp-band)" stroke-width="6" d="M-25-27Q0-36 25-27" /><circle fill="var(--red)" cy="-52" r="8" /></g>`;
}

/** @param {string} crew @param {string} kind @param {number} [number] which one of the crew: each has a face @param {boolean} [wheeled] whether a helmsman's wheel is drawn too */
export function person(crew, kind, number = 0, wheeled = true) {
  const large = kind === "helmsman";
  const faces = large ? FACES.helmsman : FACES.sailor;
  return svg`<g class=${`pirate sqp-person ${kind}`}>${large && wheeled ? wheel() : nothing}${token(crew)}${face(faces[number % faces.length] ?? 1)}${hat(kind)}</g>`;
}

/** The captain's cap, as a dial shows it and as one pays for it. */
export function cap() {
  return svg`<g stroke="var(--jet)" stroke-width="4" stroke-linejoin="round"><path fill="var(--bone)" d="M-38 4Q-46-24-24-30Q0-42 24-30Q46-24 38 4Z" /><path fill="var(--black)" d="M-38 4Q0-8 38 4Q40 14 30 20Q0 4-30 20Q-40 14-38 4Z" />
    <path fill="none" stroke="var(--sqp-braid)" stroke-width="5" stroke-linecap="round" d="M0-26v18M-8-20h16M-10-12q0 8 10 8t10-8" /></g>`;
}

/** The captain's baton, held up. */
export function batonSign() {
  return svg`<g class="sqp-baton" transform="translate(44 -4) rotate(14)"><g class="wave"><rect class="stick" x="-6" y="-38" width="12" height="76" rx="5" /><circle class="knob" cy="-40" r="11" /><circle class="knob" cy="38" r="8" /><path class="ribbon" d="M-6-13L6-20M-6 2L6-5M-6 17L6 10" /></g></g>`;
}

/** A crown of palm leaves and gold, for those who win. */
export function crown() {
  return svg`<path class="sqp-crown" d="M-34-30L-40-62L-18-46L0-70L18-46L40-62L34-30Q0-40-34-30Z" />`;
}
