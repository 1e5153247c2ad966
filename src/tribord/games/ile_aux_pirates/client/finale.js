/** The finale: the children aboard are counted one by one, with jokes on both sides. */
import { nothing, svg } from "/page/lit.js";
import { property } from "/page/drawing/place.js";
import { _ } from "/page/words.js";
import { CASTLE, SHIP } from "./island.js";
import { CHILDREN, PIRATES, isPirate } from "./pawn.js";
import { breadth, slip } from "./signs.js";

/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("./island.js").Map_} Map_ */
/** @typedef {import("./island.js").Spot} Spot */

const POTATOES = "M-16 2a8 6 0 1 1 15-3a8 6 0 1 1 14 3a9 6 0 1 1-29 0Z";

/** How a pawn behaves at the end: a class for its figure. @param {Scene} now @param {string} pawn */
export function mood(now, pawn) {
  const aboard = now["pawns"][pawn] === SHIP;
  if (now["phase"] === "won") return aboard === isPirate(pawn) ? "sulks" : "cheers";
  if (now["phase"] === "lost") return isPirate(pawn) ? "cheers" : "sulks";
  return now["phase"] === "out-of-turns" ? (isPirate(pawn) ? "cheers" : "sulks") : "";
}

/** Children aboard, in the order in which they are counted. @param {Scene} now */
const saved = (now) => CHILDREN.filter((pawn) => now["pawns"][pawn] === SHIP);

/** A number above each child aboard, one after the other, and the sum. @param {Scene} now @param {Map<string, Spot>} spots @param {Map_} map @param {number} width */
function count(now, spots, map, width) {
  const home = saved(now);
  const all = CHILDREN.filter((pawn) => pawn in now["pawns"]).length;
  const [x, y, scale] = map.ship;
  const sum = home.length === all ? _("All {all} saved!", { all }) : home.length ? _("{count} of {all} aboard", { count: home.length, all }) : _("No one aboard");
  const shift = Math.min(0, width - x - breadth(sum) / 2 - 8);
  const small = home.length > 4 ? 0.82 : 1;
  return svg`<g class="counted" aria-hidden="true">${home.map((pawn, i) => {
    const [px, py, size] = spots.get(pawn) ?? [0, 0, 1];
    return svg`<g transform=${`translate(${px} ${py - 90 * size}) scale(${small})`}><g class="tick-up" ${property("--nth", String(i))}><circle r="13" /><text y="7">${i + 1}</text></g></g>`;
  })}<g transform=${`translate(${x} ${y - 150 * scale})`}><g class="tick-up sum" ${property("--nth", String(home.length + 1))}>${slip(sum, { shift })}</g></g></g>`;
}

/** What someone says at the end. @param {string} words @param {Spot} spot @param {number} height of who says it @param {number} width of the picture @param {number} nth */
function says(words, [x, y, size], height, width, nth) {
  const half = breadth(words) / 2 + 6;
  const shift = Math.max(0, half - x) - Math.max(0, x + half - width);
  const head = y - height * size;
  const up = head < 62;
  return svg`<g transform=${`translate(${x} ${up ? y + 8 : head})`}><g class="tick-up" ${property("--nth", String(nth))}>${slip(words, { up, shift })}</g></g>`;
}

/** @param {Scene} now @param {Map<string, Spot>} spots @param {Map_} map @param {number} width */
export function finale(now, spots, map, width) {
  const mood = now["phase"];
  if (!["won", "lost", "out-of-turns"].includes(mood)) return nothing;
  const rogues = PIRATES.filter((pawn) => pawn in now["pawns"]);
  const ashore = rogues.filter((pawn) => now["pawns"][pawn] !== SHIP);
  const home = saved(now);
  const left = CHILDREN.filter((pawn) => pawn in now["pawns"] && now["pawns"][pawn] !== SHIP);
  const at = (/** @type {string | undefined} */ pawn) => spots.get(pawn ?? "") ?? [0, 0, 1];
  const last = home.length + 2;
  /** @type {any[]} */
  const jokes = [];
  if (mood === "won") {
    const loser = ashore[0];
    if (loser) jokes.push(says(_("Come back!"), at(loser), 112, width, last));
    for (const pawn of rogues.filter((one) => !ashore.includes(one))) jokes.push(mop(at(pawn)));
    if (!loser) jokes.push(says(_("Yes, captain…"), at(rogues[0]), 112, width, last));
  } else if (mood === "lost") {
    const winner = rogues.find((pawn) => now["pawns"][pawn] === SHIP);
    const [wx, wy, size] = at(winner);
    jokes.push(says(_("Yo-ho-ho!"), [wx + 20, wy + 24, size], 112, width, last)); // below the sum
    const [x, y, scale] = map.ship;
    if (home.length) jokes.push(svg`<g transform=${`translate(${x - 104 * scale} ${y - 4 * scale}) scale(${scale})`}><path class="potatoes" d=${POTATOES} /><path class="bucket" d="M-18 2H18L14 26H-14Z" /></g>`);
    const friend = left.find((pawn) => now["pawns"][pawn] !== CASTLE) ?? left[0];
    if (friend) jokes.push(says(home.length ? _("Enjoy the potatoes!") : _("Wait for us!"), at(friend), 84, width, last + 2));
  } else {
    jokes.push(says(_("Good morning!"), at(ashore[0]), 112, width, last));
  }
  return svg`<g class="finale" aria-hidden="true">${count(now, spots, map, width)}${jokes}</g>`;
}

/** A pirate on a ship full of children makes himself useful. @param {Spot} at */
function mop([x, y, size]) {
  return svg`<g class="mop" transform=${`translate(${x} ${y}) scale(${size})`}><path class="stick" d="M30-72L44-4" /><path class="cloth" d="M34-10l-8 14h32l-8-16z" /></g>`;
}

/** The sun that ends the night. @param {Scene} now @param {number} width */
export function dawn(now, width) {
  if (now["phase"] !== "out-of-turns") return nothing;
  const rays = Array.from({ length: 12 }, (_none, i) => `M${Math.cos(i * 0.5236) * 60} ${Math.sin(i * 0.5236) * 60}L${Math.cos(i * 0.5236) * 84} ${Math.sin(i * 0.5236) * 84}`).join("");
  return svg`<g class="dawn" transform=${`translate(${width > 1000 ? 980 : 640} 70)`}><circle r="46" /><path d=${rays} /><circle class="dot" cx="-14" cy="-6" r="5" /><circle class="dot" cx="14" cy="-6" r="5" /><path class="smile" d="M-18 10q18 16 36 0" /></g>`;
}
