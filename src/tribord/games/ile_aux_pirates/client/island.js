/** The island: the castle, the winding path of sixteen squares, the ship; and where on it the pawns stand. */
import { nothing, svg } from "/page/lit.js";
import { CHILDREN, isPirate, PAWNS, PIRATES } from "./pawn.js";
import { SHAPES } from "./shapes.js";

/** @typedef {[number, number]} Point */
/** @typedef {[number, number, number]} Spot x, y of the feet, and how large */
/**
 * @typedef {object} Map_
 * @property {Point[]} coast
 * @property {Point[]} squares 1 to 16
 * @property {number} round how large a square is
 * @property {number} grown how large a pawn is on it
 * @property {Spot} castle
 * @property {Spot} ship
 * @property {Point[]} gangway from the last square to the deck
 * @property {Spot[]} palms
 * @property {Spot[]} hills
 * @property {Spot[]} bushes
 * @property {Spot} pond
 * @property {Spot[]} tufts
 * @property {Spot} cave
 * @property {Spot} treasure
 * @property {Spot} crab
 * @property {Spot} rose
 */

export const CASTLE = 0;
export const SHIP = 17;

/** A drawing is wide or tall. */
export const MAPS = /** @type {{wide: Map_, tall: Map_}} */ (SHAPES.maps);

// -- lines ------------------------------------------------------------------------------------------------------------

/** A calm curve through points. @param {Point[]} points @param {boolean} [closed] */
export function curve(points, closed = false) {
  const n = points.length;
  const at = (/** @type {number} */ i) => /** @type {Point} */ (closed ? points[(i + n) % n] : points[Math.min(Math.max(i, 0), n - 1)]);
  let path = `M${at(0)[0]} ${at(0)[1]}`;
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path += `C${round(from[0] + (to[0] - before[0]) / 6)} ${round(from[1] + (to[1] - before[1]) / 6)} ${round(to[0] - (after[0] - from[0]) / 6)} ${round(to[1] - (after[1] - from[1]) / 6)} ${to[0]} ${to[1]}`;
  }
  return closed ? `${path}Z` : path;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** The middle of a place: castle, square or ship. @param {Map_} map @param {number} place @returns {Point} */
export function middle(map, place) {
  if (place === CASTLE) return [map.castle[0], map.castle[1] - 40 * map.castle[2]];
  if (place === SHIP) return [map.ship[0], map.ship[1] - 44 * map.ship[2]];
  return map.squares[place - 1] ?? [0, 0];
}

/** The gate of the castle. @param {Map_} map @returns {Point} */
function gate(map) {
  return [map.castle[0] + 78 * map.castle[2], map.castle[1] - 40 * map.castle[2]];
}

/** The way from one place to another along the path. @param {Map_} map @param {number} from @param {number} to @returns {Point[]} */
export function way(map, from, to) {
  /** @type {Point[]} */
  const points = [];
  for (let place = from; place <= to; place++) {
    if (place === CASTLE) points.push(gate(map));
    else if (place === SHIP) points.push(...map.gangway, middle(map, SHIP));
    else points.push(middle(map, place));
  }
  return points;
}

// -- where the pawns stand --------------------------------------------------------------------------------------------

/** Where pawns that share a square stand, and how large; none of them on its number. @param {number} count @returns {Spot[]} */
function circle(count) {
  const few = /** @type {Spot[][]} */ (SHAPES.crowds.few)[count - 1];
  const more = SHAPES.crowds.more.find(({ most }) => count <= most);
  if (few || !more) return few ?? [];
  const { columns, across, down, size } = more;
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_none, i) => [(i % columns - (columns - 1) / 2) * across, 7 - (rows - 1 - Math.floor(i / columns)) * down, size]);
}

/** Pawns in the castle stand as far apart as there's room: children before the wall, in one row or two, pirates on top of it. @param {string[]} here @returns {Map<string, Spot>} */
function onCastle(here) {
  const children = here.filter((pawn) => !isPirate(pawn));
  const back = children.length > 5 ? Math.floor(children.length / 2) : 0;
  const rows = [children.slice(0, back), children.slice(back)];
  const size = back ? 0.6 : 0.76;
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  rows.forEach((row, k) => {
    const apart = Math.min(back ? 44 : 56, 184 / Math.max(1, row.length - 1));
    row.forEach((pawn, i) => spots.set(pawn, [-6 + (k ? 0 : -9) + (i - (row.length - 1) / 2) * apart, k ? 3 : -33, size]));
  });
  const pirates = here.filter(isPirate);
  pirates.forEach((pawn, i) => spots.set(pawn, [-8 + (i - (pirates.length - 1) / 2) * 44, -118, pirates.length > 1 ? 0.66 : 0.76]));
  return spots;
}

/** And on the ship, behind her bulwark: children amidships, pirates aft. @param {string} pawn @param {boolean} many @returns {Spot} */
function onShip(pawn, many) {
  const { children, pirates } = SHAPES.aboard[many ? "many" : "few"];
  const spot = isPirate(pawn) ? pirates[PIRATES.indexOf(pawn)] : children[CHILDREN.indexOf(pawn)];
  return /** @type {Spot} */ (spot ?? [0, 0, 1]);
}

/** Where every pawn stands. @param {Map_} map @param {Record<string, number>} pawns @param {Point} [sailed] how far the ship has gone @returns {Map<string, Spot>} */
export function stand(map, pawns, sailed = [0, 0]) {
  const many = Object.keys(pawns).length > 5;
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  for (let place = CASTLE; place <= SHIP; place++) {
    const here = PAWNS.filter((pawn) => pawns[pawn] === place);
    const crowd = circle(here.length);
    const yard = onCastle(place === CASTLE ? here : []);
    here.forEach((pawn, i) => {
      if (place === CASTLE || place === SHIP) {
        const [x, y, scale] = place === CASTLE ? map.castle : map.ship;
        const [dx, dy, size] = yard.get(pawn) ?? onShip(pawn, many);
        const [sx, sy] = place === SHIP ? sailed : [0, 0];
        spots.set(pawn, [x + dx * scale + sx, y + dy * scale + sy, size * scale]);
      } else {
        const [x, y] = middle(map, place);
        const [dx, dy, size] = crowd[i] ?? [0, 0, 1];
        const grown = map.grown;
        spots.set(pawn, [x + dx * grown, y + dy * grown, size * grown]);
      }
    });
  }
  return spots;
}

// -- what is drawn ----------------------------------------------------------------------------------------------------

/** @param {Spot} at */
const put = ([x, y, scale]) => `translate(${x} ${y}) scale(${scale})`;

/** @param {Spot} at */
export function palm(at) {
  return svg`<g class="palm" transform=${put(at)}><path class="trunk" d=${SHAPES.palm.trunk} /><path class="frond" d=${SHAPES.palm.frond} /><path class="ridge" d=${SHAPES.palm.ridge} /></g>`;
}

/** @param {Spot} at */
function hill(at) {
  return svg`<g class="hill" transform=${put(at)}><path class="slope" d=${SHAPES.hill.slope} /><path class="hatch" d=${SHAPES.hill.hatch} /></g>`;
}

/** @param {Spot} at */
function bush(at) {
  return svg`<g class="bush" transform=${put(at)}><path class="leaves" d=${SHAPES.bush.leaves} /><path class="ridge" d=${SHAPES.bush.ridge} /></g>`;
}

/** A tuft of grass, three strokes of the pen. @param {Spot} at */
function tuft(at) {
  return svg`<path class="tuft" transform=${put(at)} d=${SHAPES.tuft} />`;
}

/** A rock that looks like a skull. @param {Spot} at */
function cave(at) {
  return svg`<g class="cave" transform=${put(at)}><path class="rock" d="M-46 0Q-50-22-38-34Q-36-62 0-64Q38-62 38-34Q52-20 46 0L28 0Q26-14 14-14V0H-14V-14Q-26-14-28 0Z" /><path class="hollow" d="M-24-34a9 10 0 1 0 18 0a9 10 0 1 0-18 0ZM6-34a9 10 0 1 0 18 0a9 10 0 1 0-18 0ZM-4-18l4-8l4 8Z" /><path class="hollow" d="M-14 0V-13H14V0Z" /><path class="hatch" d="M28-52l8 14M20-56l6 8M40-22l4 14" /></g>`;
}

/** X marks the spot. @param {Spot} at */
function treasure(at) {
  return svg`<g class="treasure" transform=${put(at)}><path class="dig" d="M-26 4Q-20-10 2-8Q26-10 26 4Q10 14-10 11Q-24 10-26 4Z" /><path class="cross" d="M-11-5L11 7M11-6L-11 7" /><path class="spade" d="M26 2L40-34M35-36l10 4" /></g>`;
}

/** @param {Spot} at */
function crab(at) {
  return svg`<g class="crab" transform=${put(at)}><path class="claw" d="M-15-4q-14-4-11-15M15-4q14-4 11-15M-12 4l-11 5M12 4l11 5M-9 7l-7 7M9 7l7 7" /><ellipse class="shell" rx="16" ry="10" /><path class="claw" d="M-5-9v-6M5-9v-6" /><circle class="dot" cx="-5" cy="-16" r="2.4" /><circle class="dot" cx="5" cy="-16" r="2.4" /></g>`;
}

/** The castle: two towers, a wall with battlements, a gate that stands open. @param {Spot} at */
export function castle(at) {
  const { rock, wall, towers, stones, slit, roof, pole, jolly, bones, gate, door, terrace, flags } = SHAPES.castle;
  return svg`<g class="castle" transform=${put(at)}>
    <path class="rock" d=${rock} /><path class="wall" d=${wall} />${towers.map((tower) => svg`<path class="tower" d=${tower} />`)}
    <path class="stones" d=${stones} /><path class="slit" d=${slit} /><path class="roof" d=${roof} />
    <path class="pole" d=${pole} /><path class="jolly" d=${jolly} /><path class="jolly-bones" d=${bones} />
    <path class="gate" d=${gate} /><path class="door" d=${door} />
    <path class="terrace" d=${terrace} /><path class="flag" d=${flags} />
  </g>`;
}

/** The ship: her deck lies at y = 0; sails are set when she leaves, and the flag says who has her. @param {"waits" | "won" | "lost"} fate */
export function vessel(fate) {
  const { mast, set, furled, gaskets, spar, jolly, bones, ensign, rope, deck } = SHAPES.vessel;
  return svg`<g class="vessel">
    <path class="mast" d=${mast} />${(fate === "won" ? set : furled).map((canvas) => svg`<path class="canvas" d=${canvas} />`)}
    ${fate === "won" ? nothing : svg`<path class="seam" d=${gaskets} />`}
    <path class="spar" d=${spar} />
    ${fate === "lost" ? svg`<path class="jolly" d=${jolly} /><path class="jolly-bones" d=${bones} />` : svg`<path class="ensign" d=${ensign} />`}
    <path class="rope" d=${rope} /><path class="deck" d=${deck} />
  </g>`;
}

/** The near side of the ship, in front of who stands on deck. */
export function hull() {
  const { hull: side, seam, ports, foam } = SHAPES.vessel;
  return svg`<g class="vessel"><path class="hull" d=${side} /><path class="seam" d=${seam} />
    ${ports.map(([x, y]) => svg`<rect class="port" x=${x} y=${y} width="20" height="16" rx="3" />`)}<path class="foam-line" d=${foam} /></g>`;
}

/** A compass rose, for the empty sea. @param {Spot} at */
function rose(at) {
  return svg`<g class="rose" transform=${put(at)}><circle r="58" /><circle r="50" /><path class="point" d="M0-74L12-12L74 0L12 12L0 74L-12 12L-74 0L-12-12Z" /><path class="half" d="M0-74L12-12L0 0ZM74 0L12 12L0 0ZM0 74L-12 12L0 0ZM-74 0L-12-12L0 0Z" /></g>`;
}

/** Everything that lies still: land, path, squares, castle. @param {Map_} map @param {string} id for what is clipped */
export function land(map, id) {
  const coast = curve(map.coast, true);
  const path = curve(way(map, CASTLE, SHIP).slice(0, -1));
  return svg`${rose(map.rose)}
    <path class="shoal outer" d=${coast} /><path class="shoal gap" d=${coast} /><path class="shoal inner" d=${coast} /><path class="shoal close" d=${coast} />
    <clipPath id=${id}><path d=${coast} /></clipPath>
    <g clip-path=${`url(#${id})`}><path class="ground" d=${coast} /><path class="beach" d=${coast} /></g>
    <path class="shore" d=${coast} />
    <g transform=${put(map.pond)}><path class="pond" d=${SHAPES.pond.water} /><path class="ripple" d=${SHAPES.pond.ripple} /></g>
    <path class="grains" d=${coast} transform=${inset(map.coast)} />
    ${map.tufts.map(tuft)}${map.hills.map(hill)}${cave(map.cave)}${treasure(map.treasure)}${map.bushes.map(bush)}${map.palms.map(palm)}${crab(map.crab)}
    <path class="walkway edge" d=${path} /><path class="walkway" d=${path} /><path class="steps" d=${path} />
    ${castle(map.castle)}
    <path class="gangway" d=${`M${map.gangway.map((p) => p.join(" ")).join("L")}`} /><path class="rungs" d=${`M${map.gangway.map((p) => p.join(" ")).join("L")}`} />
    ${map.squares.map(([x, y], i) => svg`<g class="square"><ellipse class="rim" cx=${x} cy=${y + 5} rx=${map.round + 2} ry=${map.round * 0.86} /><ellipse class="stone" cx=${x} cy=${y} rx=${map.round} ry=${map.round * 0.84} /><path class="glint" d=${`M${x - 24} ${y - 14}l9-3M${x + 13} ${y - 21}l8 4M${x + 27} ${y - 3}l4 7M${x - 32} ${y + 6}l3 6M${x - 4} ${y - 27}l7-1`} />${i === 0 ? svg`<path class="first" transform=${`translate(${x} ${y - 8}) rotate(${angle(gate(map), middle(map, 2))})`} d="M-26-9H0V-20L26 0L0 20V9H-26Z" />` : nothing}</g>`)}`;
}

/** The numbers of the squares: drawn over everything on the path. @param {Map_} map */
export function numbers(map) {
  return map.squares.map(([x, y], i) => svg`<text class="square-number" x=${x} y=${y + map.round * 0.84 - 4}>${i + 1}</text>`);
}

/** The coast again, a little inland. @param {Point[]} coast */
function inset(coast) {
  const [x, y] = [0, 1].map((i) => coast.reduce((sum, point) => sum + (point[i] ?? 0), 0) / coast.length);
  return `translate(${x} ${y}) scale(0.965 0.95) translate(${-(x ?? 0)} ${-(y ?? 0)})`;
}

/** @param {Point} from @param {Point} to */
function angle([x, y], [u, v]) {
  return (Math.atan2(v - y, u - x) * 180) / Math.PI;
}

