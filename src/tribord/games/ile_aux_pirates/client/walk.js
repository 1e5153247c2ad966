/** Walking: a pawn hops along the path, square by square, or tumbles back to the castle, instead of sliding across the island. */
import { directive, Directive } from "/page/lit.js";
import { settings, still } from "/page/settings.js";

/** @typedef {import("./island.js").Point} Point */

const HOP = 22; // how high
export const STRIDE = 135; // milliseconds a square
export const TUMBLE = 620;

/** @param {Point} at @param {number} scale @param {number} [turn] */
const transform = ([x, y], scale, turn = 0) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;

class Walk extends Directive {
  goal = "";

  /** @param {Point[]} _points @param {number} _scale @param {boolean} [_tumbles] @returns {any} */
  render(_points, _scale, _tumbles) {
    return undefined;
  }

  /** @param {any} part @param {[Point[], number, boolean?]} given @override */
  update(part, [points, scale, tumbles = false]) {
    const element = /** @type {SVGElement} */ (part.element);
    const end = points.at(-1) ?? [0, 0];
    const goal = transform(end, scale);
    if (goal === this.goal) return undefined;
    const start = this.goal;
    this.goal = goal;
    element.style.transform = goal;
    if (!start || points.length < 2 || still()) return undefined;
    const steps = [start];
    if (tumbles) {
      const [x, y] = points[0] ?? end;
      steps.push(transform([(x + end[0]) / 2, Math.min(y, end[1]) - 70], scale, -180), transform(end, scale, -360));
    } else {
      points.slice(1).forEach(([x, y], i) => {
        const [u, v] = points[i] ?? [x, y];
        steps.push(transform([(x + u) / 2, Math.min(y, v) - HOP], scale), transform([x, y], scale));
      });
    }
    const lasts = tumbles ? TUMBLE : STRIDE * (points.length - 1);
    element.animate({ transform: steps }, { duration: lasts / settings.speed, easing: tumbles ? "ease-in" : "linear" });
    return undefined;
  }
}

/** Put a pawn at the last of the points; if it was elsewhere before, it goes there over the others. */
export const walk = directive(Walk);
