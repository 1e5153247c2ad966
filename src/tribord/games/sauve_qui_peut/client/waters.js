/** Where things lie between the ship and the islands, and the ship, the islands and the boats themselves. */
import { nothing, svg } from "/page/lit.js";
import { path } from "/page/drawing/path.js";
import { place } from "/page/drawing/place.js";
import { stripAt } from "./cards.js";
import { LEAK } from "./scene.js";
import { SHAPES } from "./shapes.js";
import { person } from "./people.js";
import { name } from "/page/words.js";

/** @typedef {import("./scene.js").Boat} Boat */
/** @typedef {import("./scene.js").Spot} Spot */

/** The stern and bow of a boat, and its seats, in its own units around the middle of its waterline. */
const { stern: STERN, bow: BOW } = SHAPES.boat;
export const SEAT = SHAPES.boat.seat;

/**
 * The sea: where it begins, how much of it is above the first lane, where the ship ends and the islands begin. A screen that is
 * broader than the drawing shows more of its right side: so the crews are on the left of a wide one, and the islands are whole.
 * @param {"wide" | "tall"} shape @param {number} players
 */
function frameOf(shape, players) {
  if (shape === "wide") return { x: 306, width: 1200, top: 66, head: 8, height: 674, ship: 410, left: 454, beach: 1044, most: 1.3 };
  const top = stripAt("tall", players).y + 38;
  return { x: 0, width: 720, top, head: 13, height: 800 - top, ship: 46, left: 86, beach: 608, most: 1.25 };
}

export class Waters {
  /** @param {"wide" | "tall"} shape @param {Boat[]} boats @param {number} players */
  constructor(shape, boats, players) {
    this.shape = shape;
    this.frame = frameOf(shape, players);
    this.lanes = boats.map(({ lane }) => lane);
    this.depth = (this.frame.height - this.frame.head) / boats.length; // of a lane
    this.scale = Math.min(this.frame.most, this.depth / 92);
    this.stride = (this.frame.beach + 22 - this.frame.left - (BOW - STERN) * this.scale) / 3;
  }

  /** The middle of a boat's waterline. @param {number} lane @param {number} row @returns {[number, number]} */
  at(lane, row) {
    const k = Math.max(0, this.lanes.indexOf(lane));
    return [this.frame.left - STERN * this.scale + (4 - row) * this.stride, this.frame.top + this.frame.head + (k + 1) * this.depth - 19 * this.scale];
  }

  /** A place in or behind a boat: seat −1 is in the water behind it. @param {Boat} boat @param {number} seat @param {boolean} large @returns {[number, number]} */
  seat(boat, seat, large = false) {
    const [x, y] = this.at(boat.lane, boat.row);
    if (seat < 0) return [x + (STERN - 18) * this.scale, y - 8 * this.scale];
    return [x + (seat - 2.5) * SEAT * this.scale, y - (large ? 44 : 39) * this.scale];
  }
}

// -- the ship ---------------------------------------------------------------------------------------------------------

/** The sinking ship, along the left edge. @param {Waters} waters */
export function ship({ frame: { x, top, head, height, ship: reach }, lanes, depth, shape }) {
  const first = top + head;
  const across = (/** @type {number} */ part) => x + (reach - x) * part;
  const seams = [0.1, 0.5, 0.82].map((part) => path(SHAPES.ship.seam, { x: across(part), t: top, h: height })).join("");
  const wide = shape === "wide";
  return svg`<g class="ship sqp-ship" aria-hidden="true">
    <path class="hull" d=${path(SHAPES.ship.hull, { x: reach, t: top, h: height, far: -900 })} />
    <path class="seam" d=${seams} />
    ${lanes.map((_lane, k) => {
      const y = first + (k + 0.5) * depth;
      return svg`<circle class="port" cx=${across(wide ? 0.3 : 0.42)} cy=${y} r=${wide ? 15 : 10} /><path class="davit" d=${path(SHAPES.ship.davit, { x: reach, y: y - depth * 0.1, w: wide ? 34 : 24 })} />`;
    })}
    ${wide ? svg`<g transform=${`translate(${across(0.64)} ${top + height / 2}) rotate(-90)`}><text class="ship-name" y="8">L’Insubmersible</text></g>` : nothing}
    <path class="wash" d=${lanes.map((_lane, k) => path(SHAPES.ship.wash, { x: reach, y: first + (k + 0.82) * depth })).join("")} />
  </g>`;
}

// -- the islands ------------------------------------------------------------------------------------------------------

/** @param {Waters} waters @param {Boat[]} boats */
export function islands(waters, boats) {
  const { frame, depth, shape } = waters;
  const groups = ["left", "centre", "right"].map((island) => boats.filter((boat) => boat.island === island)).filter((group) => group.length);
  return groups.map((group) => {
    const first = waters.lanes.indexOf(group[0]?.lane ?? 1);
    const top = frame.top + frame.head + first * depth + 7;
    const bottom = top + group.length * depth - 14;
    const [x, far] = [frame.beach, frame.width + 330];
    const middle = (top + bottom) / 2;
    const worth = group[0]?.worth ?? { sailor: 0, helmsman: 0 };
    const island = group[0]?.island ?? "";
    const sign = shape === "wide" ? { x: x + 84, y: middle + 6, k: 1 } : { x: x + 60, y: middle + 8, k: 0.86 };
    return svg`<g class=${`sqp-island ${island}`}>
      <path class="shoal" d=${shore(x - 16, far, top - 5, bottom + 5)} /><path class="sand" d=${shore(x, far, top, bottom)} />
      <path class="grass" d=${shore(x + 76, far - 34, top + 14, bottom - 14)} />
      ${growth(island, x, top, bottom)}
      <g transform=${`translate(${sign.x} ${sign.y}) scale(${sign.k})`}>
        <path class="post" d="M0 20V64" /><rect class="board" x="-56" y="-48" width="112" height="92" rx="7" />
        <g transform="translate(-25 -22) scale(0.36)" aria-hidden="true">${person("none", "sailor")}</g><text class="worth" x="26" y="-12">${worth.sailor}</text>
        <g transform="translate(-25 19) scale(0.28)" aria-hidden="true">${person("none", "helmsman")}</g><text class="worth" x="26" y="32">${worth.helmsman}</text>
      </g></g>`;
  });
}

/** Around an island. @param {number} x @param {number} right @param {number} top @param {number} bottom */
function shore(x, right, top, bottom) {
  return path(SHAPES.island.shore, { x, r: right, t: top, h: bottom - top });
}

/** The greener the island, the more points it brings. Its sign stands on the left of what grows. @param {string} island @param {number} x @param {number} top @param {number} bottom */
function growth(island, x, top, bottom) {
  if (island === "left") return svg`${palm(x + 58, top + 66, 0.62)}${palm(x + 112, top + 72, 0.8)}${palm(x + 186, bottom - 12, 0.84)}${palm(x + 250, top + 84, 0.7)}${palm(x + 318, bottom - 20, 0.9)}${palm(x + 386, top + 92, 0.72)}`;
  if (island === "right") return svg`${palm(x + 90, top + 68, 0.74)}${palm(x + 206, bottom - 22, 0.86)}${palm(x + 344, top + 96, 0.7)}`;
  const at = [[x + 66, top + 62], [x + 60, bottom - 18], [x + 236, bottom - 66], [x + 348, top + 78]];
  return SHAPES.island.rocks.map((rock, k) => svg`<path class="rock" transform=${`translate(${at[k]?.join(" ")})`} d=${rock} />`);
}

/** @param {number} x @param {number} y @param {number} k */
function palm(x, y, k) {
  const { trunk, leaf, nuts } = SHAPES.island;
  return svg`<g class="palm" transform=${`translate(${x} ${y}) scale(${k})`}>
    <path class="trunk" d=${trunk} />
    <path class="leaf" d=${leaf} />
    ${nuts.map(([cx, cy, r]) => svg`<circle class="nut" cx=${cx} cy=${cy} r=${r} />`)}</g>`;
}

// -- the boats --------------------------------------------------------------------------------------------------------

/** How far away the islands are: a buoy for each row. @param {Waters} waters */
export function rows(waters) {
  const { frame, scale, stride } = waters;
  const bow = frame.left + (BOW - STERN) * scale + 12;
  return [0, 1, 2].map((k) => svg`<path class="sqp-row" d=${`M${bow + k * stride} ${frame.top + 8}V${frame.top + frame.height - 8}`} />`);
}

/** The inside of a boat, behind its people: benches and leaks. @param {Waters} waters @param {Boat} boat @param {string} state */
export function inside(waters, boat, state) {
  return svg`<g class=${`sqp-boat moves ${state}`} ${boatPlace(waters, boat, state)}>
    <ellipse class="wake" cx=${STERN - 10} cy="8" rx="34" ry="7" />
    <path class="hold" d=${SHAPES.boat.hold} />
    ${boat.seats.map((held, k) => {
      const x = (k - 2.5) * SEAT;
      if (held === LEAK) return leak(x);
      return held || boat.where !== "at-sea" ? nothing : svg`<circle class="bench" cx=${x} cy="-38" r="14" />`;
    })}</g>`;
}

/** The side of a boat, before its people: its number, its name. @param {Waters} waters @param {Boat} boat @param {string} state */
export function side(waters, boat, state) {
  const { hull, seam, disc: [x, y, r], foam } = SHAPES.boat;
  return svg`<g class=${`sqp-boat moves ${state}`} ${boatPlace(waters, boat, state)}>
    <path class=${`hull h${boat.lane % 2}`} d=${hull} />
    <path class="seam" d=${seam} />
    <circle class="disc" cx=${x} cy=${y} r=${r} /><text class="number" x="-119" y="4">${boat.lane}</text>
    <text class="name" x="-94" y="5">${name("boat", boat.lane)}</text>
    <path class="foam" d=${foam} />
  </g>`;
}

/** @param {Waters} waters @param {Boat} boat @param {string} state */
function boatPlace(waters, boat, state) {
  const [x, y] = waters.at(boat.lane, boat.row);
  return state.includes("sunk") ? place(x, y + 16 * waters.scale, waters.scale * 0.94, 14) : place(x, y, waters.scale, 0);
}

/** Water that comes up where someone could sit. @param {number} x */
export function leak(x) {
  return svg`<g class="sqp-leak" transform=${`translate(${x} -30)`}>
    <path class="jet" fill="none" stroke="var(--foam)" stroke-width="5" stroke-linecap="round" d=${SHAPES.leak.jet} />
    <g transform="translate(0 4)">${hole()}</g><g fill="var(--foam)">${SHAPES.leak.drops.map(([cx, cy, r]) => svg`<circle cx=${cx} cy=${cy} r=${r} />`)}</g></g>`;
}

/** The hole itself, as it lies in the box. */
export function hole() {
  const [x, y, r] = SHAPES.leak.hole;
  return svg`<circle fill="var(--sqp-hole)" stroke="var(--jet)" stroke-width="3.5" cx=${x} cy=${y} r=${r} /><path fill="none" stroke="var(--sqp-glint)" stroke-width="3" stroke-linecap="round" d=${SHAPES.leak.glint} />`;
}
