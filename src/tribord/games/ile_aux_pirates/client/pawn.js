/**
 * The pawns: twelve children, three pirates. They stand on (0, 0) and are some 90 units tall. A child's body is its crew's
 * shape; the two of a crew differ by their hair. A pirate shows his face and force, or his back.
 */
import { nothing, svg } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { SHAPES } from "./shapes.js";

export const CHILDREN = ["brown-1", "brown-2", "brown-3", "brown-4", "blue-1", "blue-2", "green-1", "green-2", "red-1", "red-2", "yellow-1", "yellow-2"];
export const PIRATES = ["pirate-1", "pirate-2", "pirate-3"];
/** In the order of the game's pawn numbers. */
export const PAWNS = [...CHILDREN, ...PIRATES];

/** @param {string} pawn */
export const crewOf = (pawn) => pawn.split("-")[0] ?? "brown";
/** @param {string} pawn */
export const isPirate = (pawn) => pawn.startsWith("pirate");

/** A child. @param {string} pawn */
export function child(pawn) {
  const crew = crewOf(pawn);
  const which = Number(pawn.split("-")[1]);
  const { limbs, head, eyes, smiles, hair } = SHAPES.child;
  const { behind, above, colour } = /** @type {Hair} */ (hair[(crew === "brown" ? which - 1 : which === 1 ? 2 : 1) % 4]);
  return svg`<g class="child">
    <path class="limb" d=${limbs} /><g transform="translate(0 -29) scale(0.5)">${token(crew)}</g>
    ${behind ? svg`<path class=${`hair ${colour}`} d=${behind} />` : nothing}${round("head", head)}<path class=${`hair ${colour}`} d=${above} />
    ${eyes.map((eye) => round("dot", eye))}<path class="smile" d=${smiles[which % 2 ? 0 : 1] ?? ""} />
  </g>`;
}

/** @typedef {{behind?: string, above: string, colour: string}} Hair what lies behind the head and on it */

/** @param {string} sort @param {number[]} circle */
const round = (sort, [x = 0, y = 0, r = 0]) => svg`<circle class=${sort} cx=${x} cy=${y} r=${r} />`;

/** What a pirate is known by, from in front and from behind: his hat, his legs, his arm. @param {string} pawn */
function marks(pawn) {
  const { tricorne, bones, feather, scarf, legs, leg, peg, arms, raised, hook } = SHAPES.pirate;
  const limb = (/** @type {string} */ d) => svg`<path class="limb" d=${d} />`;
  switch (pawn) {
    case "pirate-1":
      return { hat: svg`<path class="hat" d=${tricorne} /><path class="crossbones" d=${bones} />`, legs: limb(legs), arm: limb(arms) };
    case "pirate-2":
      return { hat: svg`<path class="hat" d=${SHAPES.pirate["tall-hat"]} /><path class="feather" d=${feather} />`, legs: svg`${limb(leg)}<path class="peg" d=${peg} />`, arm: limb(arms) };
    default:
      return { hat: svg`<path class="scarf" d=${scarf} />`, legs: limb(legs), arm: svg`${limb(raised)}<path class="hook edge" d=${hook} /><path class="hook" d=${hook} />` };
  }
}

/** A pirate: his face and force, or his back. @param {string} pawn @param {number | null} force null: it's hidden, and he shows his back @param {boolean} front he shows his face, and no force */
export function pirate(pawn, force, front) {
  const { hat, legs, arm } = marks(pawn);
  const { coat, belt, vent, head, ears, strands, bow } = SHAPES.pirate;
  return svg`<g class=${`rogue ${force === null && !front ? "back" : "front"}`}>
    <g class="side seen">${legs}${arm}<path class="coat" d=${coat} /><path class="belt" d=${belt} />
      ${round("head", head)}${rogueFace(pawn)}${hat}
      ${front ? nothing : svg`<circle class="badge" cy="-30" r="15" /><text class="force" y="-22.5">${force ?? ""}</text>`}</g>
    <g class="side unseen-side">${legs}${arm}<path class="coat" d=${coat} /><path class="belt" d=${vent} />
      ${ears.map((ear) => round("ear", ear))}${round("nape", head)}<path class="strands" d=${strands} />
      <path class="bow" d=${bow} />${hat}<text class="riddle" y="-17">?</text></g>
  </g>`;
}

/** @typedef {{eyes: number[][], patch?: string, beard?: string, smile: string}} Face */

/** @param {string} pawn */
function rogueFace(pawn) {
  const { eyes, patch, beard, smile } = /** @type {Face} */ (SHAPES.pirate.faces[PIRATES.indexOf(pawn)]);
  const bearded = pawn === "pirate-3"; // his smile is seen in his beard, his moustached mate's below the moustache
  const mouth = svg`<path class=${`smile ${bearded ? "light" : ""}`} d=${smile} />`;
  return svg`${patch ? svg`<path class="patch" d=${patch} />` : nothing}${bearded ? nothing : mouth}${beard ? svg`<path class="beard" d=${beard} />` : nothing}${eyes.map((eye) => round("dot", eye))}${bearded ? mouth : nothing}`;
}

/** A pawn as it stands on the board. @param {string} pawn @param {number | null} [force] of a pirate @param {boolean} [front] a pirate who shows his face all the same */
export function figure(pawn, force = null, front = false) {
  return isPirate(pawn) ? pirate(pawn, force, front) : child(pawn);
}

/** What a pawn alone fills, hats and hooks included. @param {string} pawn */
export const frame = (pawn) => (isPirate(pawn) ? "-46 -112 92 116" : "-40 -88 80 92");
