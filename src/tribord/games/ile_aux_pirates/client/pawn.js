/**
 * The pawns: twelve children, three pirates. They stand on (0, 0) and are some 90 units tall. A child's body is its crew's
 * shape; the two of a crew differ by their hair. A pirate shows his face and force, or his back.
 */
import { nothing, svg } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";

export const CHILDREN = ["brown-1", "brown-2", "brown-3", "brown-4", "blue-1", "blue-2", "green-1", "green-2", "red-1", "red-2", "yellow-1", "yellow-2"];
export const PIRATES = ["pirate-1", "pirate-2", "pirate-3"];
/** In the order of the game's pawn numbers. */
export const PAWNS = [...CHILDREN, ...PIRATES];

/** @param {string} pawn */
export const crewOf = (pawn) => pawn.split("-")[0] ?? "brown";
/** @param {string} pawn */
export const isPirate = (pawn) => pawn.startsWith("pirate");

/** Hair, for each child another: what lies behind the head, what lies on it, its colour. @type {[string, string, string][]} */
const HAIR = [
  ["", "M-17-64C-20-84 20-84 17-64C10-72-8-72-17-64Z", "dark"], // a fringe
  ["M-18-66q-12 6-9 22q8 0 9-8zM18-66q12 6 9 22q-8 0-9-8z", "M-17-62C-20-82 20-82 17-62C8-74-8-74-17-62Z", "black"], // two plaits
  ["", "M-16-66C-18-78-6-84 0-78C4-86 18-82 16-66C12-72 4-70 0-73C-4-70-12-72-16-66Z", "red"], // curls
  ["M10-78q18-2 15 16q-8-2-12-10z", "M-17-63C-19-84 19-84 17-63C14-73-14-73-17-63Z", "fair"], // a pony tail
];

/** A child. @param {string} pawn */
export function child(pawn) {
  const crew = crewOf(pawn);
  const which = Number(pawn.split("-")[1]);
  const [behind, above, colour] = HAIR[(crew === "brown" ? which - 1 : which === 1 ? 2 : 1) % 4] ?? ["", "", "dark"];
  const smile = which % 2 ? "M-6-54q6 6 12 0" : "M-6-55q6 9 12 0z";
  return svg`<g class="child">
    <path class="limb" d="M-8-12L-11-1h-5M8-12L11-1h5M-19-36l-9 8M19-36l9 8" />
    <g transform="translate(0 -29) scale(0.5)">${token(crew)}</g>
    ${behind ? svg`<path class=${`hair ${colour}`} d=${behind} />` : nothing}
    <circle class="head" cy="-61" r="16.5" />
    <path class=${`hair ${colour}`} d=${above} />
    <circle class="dot" cx="-6" cy="-61" r="2.4" /><circle class="dot" cx="6" cy="-61" r="2.4" /><path class="smile" d=${smile} />
  </g>`;
}

const COAT = "M-15-50Q-30-34-27-9Q0-3 27-9Q30-34 15-50Z";
const TRICORNE = "M-30-72C-26-82-19-84-16-82C-12-100 12-100 16-82C19-84 26-82 30-72C18-78-18-78-30-72Z";
const SCARF = "M-19-66C-20-92 20-92 19-66C8-73-8-73-19-66ZM17-70l15-3-6 9 7 6-14 0z";
const HOOK = "M33-48v-8a7 7 0 1 1 10 6";
const TALL_HAT = "M-17-72L-13-101Q0-107 13-101L17-72ZM-27-71Q0-82 27-71L25-66Q0-75-25-66Z";

/** What a pirate is known by, from in front and from behind: his hat, his legs, his arm. @param {string} pawn */
function marks(pawn) {
  switch (pawn) {
    case "pirate-1":
      return { hat: svg`<path class="hat" d=${TRICORNE} /><path class="crossbones" d="M-5-88l10 6m0-6l-10 6" />`, legs: svg`<path class="limb" d="M-10-8V-1h-7M10-8V-1h7" />`, arm: svg`<path class="limb" d="M-24-34l-9 14M24-34l9 14" />` };
    case "pirate-2":
      return { hat: svg`<path class="hat" d=${TALL_HAT} /><path class="feather" d="M10-98q14-18 22-8q-4 12-20 14z" />`, legs: svg`<path class="limb" d="M-10-8V-1h-7" /><path class="peg" d="M6-10h9L12 0H9Z" />`, arm: svg`<path class="limb" d="M-24-34l-9 14M24-34l9 14" />` };
    default:
      return { hat: svg`<path class="scarf" d=${SCARF} />`, legs: svg`<path class="limb" d="M-10-8V-1h-7M10-8V-1h7" />`, arm: svg`<path class="limb" d="M-24-34l-9 14M24-38l9-10" /><path class="hook edge" d=${HOOK} /><path class="hook" d=${HOOK} />` };
  }
}

/** A pirate, face to face with his force, or with his back to us. @param {string} pawn @param {number | null} force null: it isn't to be seen, and he shows his back @param {boolean} front he shows his face, and no force */
export function pirate(pawn, force, front) {
  const { hat, legs, arm } = marks(pawn);
  return svg`<g class=${`rogue ${force === null && !front ? "back" : "front"}`}>
    <g class="side seen">${legs}${arm}<path class="coat" d=${COAT} /><path class="belt" d="M-28-20Q0-13 28-20" />
      <circle class="head" cy="-62" r="18" />${rogueFace(pawn)}${hat}
      ${front ? nothing : svg`<circle class="badge" cy="-30" r="15" /><text class="force" y="-22.5">${force ?? ""}</text>`}</g>
    <g class="side unseen-side">${legs}${arm}<path class="coat" d=${COAT} /><path class="belt" d="M0-46V-8" />
      <circle class="ear" cx="-18" cy="-59" r="5" /><circle class="ear" cx="18" cy="-59" r="5" /><circle class="nape" cy="-62" r="18" /><path class="strands" d="M-10-68q-4 10 1 20M-4-68q-2 12 1 22M4-68q2 12-1 22M10-68q4 10-1 20" />
      <path class="bow" d="M0-46l-9-5v10ZM0-46l9-5v10Z" />${hat}<text class="riddle" y="-17">?</text></g>
  </g>`;
}

/** @param {string} pawn */
function rogueFace(pawn) {
  if (pawn === "pirate-1") return svg`<circle class="dot" cx="-6" cy="-63" r="2.6" /><path class="patch" d="M1-69h13q1 10-6 11-7-1-7-11zM1-69l-18-4M14-69l4-2" /><path class="smile" d="M-8-52q8 5 15-2" />`;
  if (pawn === "pirate-2") return svg`<circle class="dot" cx="-6" cy="-63" r="2.6" /><circle class="dot" cx="6" cy="-63" r="2.6" /><path class="smile" d="M-7-51h13" /><path class="beard" d="M-12-55q6-4 12 0q6-4 12 0q-4 5-12 3q-8 2-12-3z" />`;
  return svg`<path class="beard" d="M-17-60Q-14-38 0-40Q14-38 17-60Q8-52 0-54Q-8-52-17-60Z" /><circle class="dot" cx="-6" cy="-64" r="2.6" /><circle class="dot" cx="6" cy="-64" r="2.6" /><path class="smile light" d="M-5-49q5 4 10 0" />`;
}

/** A pawn as it stands on the board. @param {string} pawn @param {number | null} [force] of a pirate @param {boolean} [front] a pirate who shows his face all the same */
export function figure(pawn, force = null, front = false) {
  return isPirate(pawn) ? pirate(pawn, force, front) : child(pawn);
}

/** What a pawn alone fills, hats and hooks included. @param {string} pawn */
export const frame = (pawn) => (isPirate(pawn) ? "-46 -112 92 116" : "-40 -88 80 92");
