/** The island: the castle, the winding path of sixteen squares, the ship; and where on it the pawns stand. */
import { nothing, svg } from "/page/lit.js";
import { isPirate, PAWNS } from "./pawn.js";

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

/** @type {{wide: Map_, tall: Map_}} */
export const MAPS = {
  tall: {
    coast: [[12, 170], [56, 48], [200, 22], [330, 56], [440, 40], [570, 32], [684, 76], [714, 200], [706, 340], [652, 402], [572, 424], [536, 474], [508, 520], [436, 540], [404, 600], [392, 660], [330, 692], [210, 706], [92, 692], [20, 620], [6, 480], [10, 320]],
    squares: [[322, 218], [400, 146], [512, 138], [618, 172], [650, 276], [552, 330], [442, 308], [334, 340], [226, 372], [114, 390], [62, 488], [106, 592], [214, 636], [322, 604], [352, 494], [458, 450]],
    round: 50,
    grown: 1.13,
    castle: [134, 266, 1.14],
    ship: [574, 640, 1],
    gangway: [[464, 498], [458, 606]],
    palms: [[448, 236, 0.8], [276, 306, 0.7], [566, 252, 0.8], [28, 384, 0.75], [262, 476, 0.85], [146, 506, 0.8], [290, 694, 0.7], [682, 386, 0.8], [386, 420, 0.75]],
    hills: [[234, 560, 0.95], [612, 396, 0.6]],
    bushes: [[384, 258, 1], [500, 386, 0.9], [168, 446, 0.9], [150, 694, 0.9], [654, 92, 0.9], [342, 92, 0.9], [34, 560, 0.8], [420, 540, 0.7]],
    pond: [486, 224, 0.8],
    tufts: [[300, 96, 1], [250, 70, 0.9], [450, 78, 0.9], [560, 80, 1], [396, 352, 0.9], [606, 240, 0.9], [500, 380, 0.9], [300, 400, 0.9], [190, 430, 1], [120, 450, 0.9], [420, 390, 0.8], [160, 560, 0.9], [282, 540, 0.8], [180, 686, 0.9], [280, 680, 0.9], [390, 560, 0.8]],
    cave: [206, 498, 0.8],
    treasure: [282, 556, 0.85],
    crab: [374, 676, 0.85],
    rose: [652, 480, 0.55],
  },
  wide: {
    coast: [[14, 200], [40, 90], [130, 34], [300, 40], [440, 22], [600, 34], [760, 20], [900, 36], [996, 110], [1012, 220], [960, 316], [860, 350], [750, 336], [674, 372], [664, 440], [640, 500], [530, 526], [400, 508], [260, 522], [120, 506], [30, 420], [8, 310]],
    squares: [[300, 268], [336, 172], [434, 118], [544, 134], [652, 114], [762, 122], [868, 126], [936, 202], [856, 264], [748, 244], [640, 276], [532, 254], [426, 296], [376, 398], [470, 460], [584, 440]],
    round: 47,
    grown: 1.05,
    castle: [138, 318, 1.15],
    ship: [838, 462, 1.05],
    gangway: [[622, 448], [690, 430]],
    palms: [[596, 194, 0.9], [706, 190, 0.8], [296, 468, 1], [346, 494, 0.8], [812, 196, 0.85], [480, 200, 0.8], [972, 150, 0.7], [92, 446, 0.8], [890, 330, 0.7]],
    hills: [[190, 470, 1.15], [640, 208, 0.7], [470, 384, 0.66]],
    bushes: [[372, 236, 1], [256, 400, 0.9], [386, 60, 0.8], [700, 52, 0.8], [930, 90, 0.9], [520, 500, 0.9], [60, 400, 0.9], [300, 350, 0.8], [964, 268, 0.8]],
    pond: [540, 190, 0.8],
    tufts: [[400, 170, 1], [470, 62, 0.9], [600, 66, 1], [820, 66, 0.9], [260, 80, 1], [330, 86, 0.9], [700, 190, 0.9], [890, 160, 0.9], [590, 330, 1], [690, 320, 0.9], [420, 386, 0.8], [330, 330, 0.9], [110, 420, 1], [440, 400, 0.9], [540, 400, 0.9], [280, 430, 0.9], [620, 344, 0.9]],
    cave: [532, 386, 0.78],
    treasure: [226, 500, 0.9],
    crab: [576, 504, 0.8],
    rose: [1372, 300, 0.62],
  },
};

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

/** So many share a square: where each stands, and how large; nobody on the number. @param {number} count @returns {Spot[]} */
function circle(count) {
  if (count === 1) return [[0, 3, 1]];
  if (count === 2) return [[-23, 1, 0.9], [23, 5, 0.9]];
  if (count === 3) return [[0, -21, 0.8], [-28, 6, 0.8], [28, 6, 0.8]];
  const columns = count <= 4 ? 2 : count <= 9 ? 3 : 5;
  const rows = Math.ceil(count / columns);
  const size = count <= 4 ? 0.74 : count <= 6 ? 0.64 : count <= 9 ? 0.54 : 0.44;
  const [dx, dy] = [columns === 2 ? 48 : columns === 3 ? 38 : 24, count <= 4 ? 38 : rows === 2 ? 35 : 27];
  return Array.from({ length: count }, (_none, i) => [(i % columns - (columns - 1) / 2) * dx, 7 - (rows - 1 - Math.floor(i / columns)) * dy, size]);
}

/** Who is on the castle stands as far apart as there is room: children before the wall, in one row or two, pirates on top of it. @param {string[]} here @returns {Map<string, Spot>} */
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
  const k = PAWNS.indexOf(pawn);
  if (isPirate(pawn)) return many ? [62 + (k - 12) * 31, -22, 0.54] : [94, -26, 0.68];
  return many ? [-98 + (k % 6) * 26 + (k < 6 ? 13 : 0), k < 6 ? -7 : 9, 0.54] : [-82 + k * 50, -12, 0.72];
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
  return svg`<g class="palm" transform=${put(at)}><path class="trunk" d="M-4 0Q2-26 -2-48L5-48Q8-24 5 0Z" /><path class="frond" d="M2-48Q-22-66-36-44Q-16-52 2-46Q-10-40-18-24Q0-42 3-46Q10-36 22-26Q16-42 4-47Q22-52 38-40Q24-66 2-48Z" /><path class="ridge" d="M-20-51q12-2 22 4M22-50q-10-2-20 4" /></g>`;
}

/** @param {Spot} at */
function hill(at) {
  return svg`<g class="hill" transform=${put(at)}><path class="slope" d="M-66 0Q-40-14-24-50Q-14-66-2-46Q8-30 20-40Q32-46 40-26Q50-6 68 0Z" /><path class="hatch" d="M-2-44l8 20M6-34l8 16M-10-52l18 46M22-38l12 26M30-36l14 28" /></g>`;
}

/** @param {Spot} at */
function bush(at) {
  return svg`<g class="bush" transform=${put(at)}><path class="leaves" d="M-24 0Q-34-14-20-20Q-16-34 0-28Q14-36 20-20Q34-14 24 0Z" /><path class="ridge" d="M-10-8q4-8 10-8M6-6q4-6 9-6" /></g>`;
}

/** A tuft of grass, three strokes of the pen. @param {Spot} at */
function tuft(at) {
  return svg`<path class="tuft" transform=${put(at)} d="M-7 0L-10-9M0 0V-12M7 0L10-9" />`;
}

/** A rock that looks like what it should not. @param {Spot} at */
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
  return svg`<g class="castle" transform=${put(at)}>
    <path class="rock" d="M-118 12Q-124-20-108-44L-104-80H100Q116-40 116-10Q118 14 70 16Q-60 22-118 12Z" />
    <path class="wall" d="M-72-118v-14h18v14h18v-14h18v14h18v-14h18v14h18v-14h18v14h18V-46H-72Z" />
    <path class="tower" d="M-106-44V-142h-6v-24h12v10h10v-10h12v10h10v-10h12v24h-6v98Z" />
    <path class="tower" d="M56-44V-150h-6v-24h12v10h10v-10h12v10h10v-10h12v24h-6V-44Z" />
    <path class="stones" d="M-98-120h12M-80-98h10M-96-74h12M66-128h12M80-104h12M64-72h12M-48-104h14M-20-64h12M14-100h12M30-60h10M-44-62h10" />
    <path class="slit" d="M-84-126v14M82-134v14" />
    <path class="roof" d="M-112-166L-84-204L-56-166Z" />
    <path class="pole" d="M78-174v-40" /><path class="jolly" d="M78-212q20-6 38 2q-6 10 0 20q-18-8-38-2z" /><path class="jolly-bones" d="M88-206l16 8m0-8l-16 8" />
    <path class="gate" d="M60-40V-66A18 18 0 0 1 96-66V-40Z" /><path class="door" d="M96-66l14 8v24l-14-6z" />
    <path class="terrace" d="M-112-34Q0-52 112-34Q122 10 60 12Q-60 18-112 8Q-122-12-112-34Z" /><path class="flag" d="M-96-12h26M-50-22h30M0-8h34M46-24h30M-30 4h28M60-2h26" />
  </g>`;
}

/** The ship: her deck lies at y = 0; sails are set when she leaves, and the flag says who has her. @param {"waits" | "won" | "lost"} fate */
export function vessel(fate) {
  return svg`<g class="vessel">
    <path class="mast" d="M-36-10V-138M52-40V-110" />
    ${fate === "won"
      ? svg`<path class="canvas" d="M-84-116Q-36-106 12-116Q6-92 16-62Q-36-48-90-62Q-78-92-84-116Z" /><path class="canvas" d="M24-100Q56-92 90-100Q84-84 92-62Q56-54 20-62Q30-84 24-100Z" />`
      : svg`<path class="canvas" d="M-86-116Q-36-106 16-116Q20-104 12-98Q-36-88-82-98Q-90-106-86-116Z" /><path class="canvas" d="M20-100Q56-92 92-100Q96-88 88-84Q56-76 24-84Q16-90 20-100Z" /><path class="seam" d="M-60-112v18M-36-110v20M-12-112v18M40-97v16M72-97v16" />`}
    <path class="spar" d="M-90-118H20M16-102H96" />
    ${fate === "lost"
      ? svg`<path class="jolly" d="M-36-136q28-10 54 2q-7 15 0 30q-26-12-54-2z" /><path class="jolly-bones" d="M-20-126l20 11m0-11l-20 11" />`
      : svg`<path class="ensign" d="M-36-136q24-8 46 2l-12 11l12 11q-22-10-46-2z" />`}
    <path class="rope" d="M-36-124L-128-20M52-106L126-44M-36-90L52-104" />
    <path class="deck" d="M-128-20Q-60-6 44-8L48-32Q100-34 136-46L130-4H-112Z" />
  </g>`;
}

/** The near side of the ship, in front of who stands on deck. */
export function hull() {
  return svg`<g class="vessel"><path class="hull" d="M-146-30Q-128-10-60-4Q10 0 50-4L52-26Q104-28 140-42Q142 20 112 56Q0 74-92 56Q-128 26-146-30Z" />
    <path class="seam" d="M-128 6Q0 26 132 4M-112 30Q0 48 126 28" />
    <rect class="port" x="-66" y="14" width="20" height="16" rx="3" /><rect class="port" x="-20" y="18" width="20" height="16" rx="3" /><rect class="port" x="26" y="17" width="20" height="16" rx="3" /><rect class="port" x="72" y="10" width="20" height="16" rx="3" />
    <path class="foam-line" d="M-112 52q14 10 28 4t28 8t30-2t30 4t30-4t30 0t30-6" /></g>`;
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
    <g transform=${put(map.pond)}><path class="pond" d="M-46 4Q-40-18-8-14Q20-24 42-6Q52 14 14 16Q-30 22-46 4Z" /><path class="ripple" d="M-22 0q10-5 20 0M4 8q9-4 18 0" /></g>
    <path class="grains" d=${coast} transform=${inset(map.coast)} />
    ${map.tufts.map(tuft)}${map.hills.map(hill)}${cave(map.cave)}${treasure(map.treasure)}${map.bushes.map(bush)}${map.palms.map(palm)}${crab(map.crab)}
    <path class="trail edge" d=${path} /><path class="trail" d=${path} /><path class="steps" d=${path} />
    ${castle(map.castle)}
    <path class="gangway" d=${`M${map.gangway.map((p) => p.join(" ")).join("L")}`} /><path class="rungs" d=${`M${map.gangway.map((p) => p.join(" ")).join("L")}`} />
    ${map.squares.map(([x, y], i) => svg`<g class="square"><ellipse class="rim" cx=${x} cy=${y + 5} rx=${map.round + 2} ry=${map.round * 0.86} /><ellipse class="stone" cx=${x} cy=${y} rx=${map.round} ry=${map.round * 0.84} /><path class="glint" d=${`M${x - 24} ${y - 14}l9-3M${x + 13} ${y - 21}l8 4M${x + 27} ${y - 3}l4 7M${x - 32} ${y + 6}l3 6M${x - 4} ${y - 27}l7-1`} />${i === 0 ? svg`<path class="first" transform=${`translate(${x} ${y - 8}) rotate(${angle(gate(map), middle(map, 2))})`} d="M-26-9H0V-20L26 0L0 20V9H-26Z" />` : nothing}</g>`)}`;
}

/** The numbers of the squares: they lie on whatever is drawn on the path. @param {Map_} map */
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

