/** What the other players have in mind: the move someone considers, as a ghost with a name, and what people point at. */
import { nothing, repeat, svg } from "/page/lit.js";
import { curve, middle, stand, way } from "./island.js";
import { ahead } from "./outlook.js";
import { figure, isPirate } from "./pawn.js";
import { moveOf } from "./scene.js";
import { breadth, slip } from "./signs.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./island.js").Map_} Map_ */
/** @typedef {import("./island.js").Spot} Spot */

/** A slip with a name over a spot, inside the picture. @param {string} name @param {number} x @param {number} y of the head @param {number} width of the picture */
function tag(name, x, y, width) {
  const half = breadth(name) / 2 + 6;
  const shift = Math.max(0, half - x) - Math.max(0, x + half - width);
  const up = y < 62;
  return svg`<g transform=${`translate(${x} ${up ? Math.max(y, 6) + 6 : y - 4})`}>${slip(name, { up, shift })}</g>`;
}

/** The pawn that someone considers, and where it would go. @param {Desk} desk @param {Map_} map @param {Map<string, Spot>} spots @param {number} width */
function considered({ scene: now, considered: thought }, map, spots, width) {
  const pawn = thought?.parts["pawn"];
  if (!thought || !pawn) return nothing;
  const from = spots.get(pawn) ?? [0, 0, 1];
  const move = ahead(now, thought.events).events.map(moveOf).find((one) => one?.pawn === pawn);
  const name = `${thought.name}\u202f?`;
  if (!move) return svg`<g class="thought" aria-hidden="true"><ellipse class="halo" cx=${from[0]} cy=${from[1]} rx=${34 * from[2]} ry=${13 * from[2]} />${tag(name, from[0], from[1] - (isPirate(pawn) ? 112 : 84) * from[2], width)}</g>`;
  const [x, y, scale] = stand(map, { ...now["pawns"], [pawn]: move.to }).get(pawn) ?? [0, 0, 1];
  const path = curve([...way(map, now["pawns"][pawn] ?? 0, move.to).slice(0, -1), [x, y - 6]]);
  const force = isPirate(pawn) && now["shown"].includes(pawn) ? now["forces"][pawn] : null;
  return svg`<g class="thought" aria-hidden="true"><path class="arrow under" d=${path} /><path class="arrow" d=${path} />
    <g class="ghost" transform=${`translate(${x} ${y}) scale(${scale})`}><ellipse class="foot" rx="30" ry="10" />${figure(pawn, force)}</g>${tag(name, x, y - (isPirate(pawn) ? 112 : 84) * scale, width)}</g>`;
}

/** @param {Desk} desk @param {Map_} map @param {Map<string, Spot>} spots @param {number} width */
function pointed({ pointed: pings }, map, spots, width) {
  return repeat(pings ?? [], ({ key }) => key, ({ name, sort, value }) => {
    const [x, y, scale] = sort === "pawn" ? (spots.get(value) ?? [0, 0, 1]) : [...middle(map, Number(value)), 1];
    const head = sort === "pawn" ? y - (isPirate(value) ? 112 : 84) * scale : y - map.round;
    return svg`<g class="ping" aria-hidden="true"><g transform=${`translate(${x} ${sort === "pawn" ? y - 34 * scale : y})`}><circle class="wave" r=${map.round} /><circle class="wave late" r=${map.round} /></g>${tag(name, x, head, width)}</g>`;
  });
}

/** @param {Desk} desk @param {Map_} map @param {Map<string, Spot>} spots @param {number} width */
export function others(desk, map, spots, width) {
  return [considered(desk, map, spots, width), pointed(desk, map, spots, width)];
}
