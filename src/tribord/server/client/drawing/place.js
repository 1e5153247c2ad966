/**
 * Places: position an element through its style object, which the content policy allows, unlike a style attribute. With
 * a CSS transition on `transform`, two drawings in a row are a motion.
 */
import { directive, Directive } from "../lit.js";

class Place extends Directive {
  /** @param {number} _x @param {number} _y @param {number} [_scale] @param {number} [_turn] @returns {any} */
  render(_x, _y, _scale, _turn) {
    return undefined;
  }

  /** @param {any} part @param {[number, number, number?, number?]} where @override */
  update(part, [x, y, scale = 1, turn = 0]) {
    const style = /** @type {SVGElement} */ (part.element).style;
    style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
    return undefined;
  }
}

/** Put an element at (x, y), `scale` times as large, turned by this many degrees: `<g ${place(10, 20)}>`. */
export const place = directive(Place);

class Property extends Directive {
  /** @param {string} _name @param {string} _value @returns {any} */
  render(_name, _value) {
    return undefined;
  }

  /** @param {any} part @param {[string, string]} given @override */
  update(part, [name, value]) {
    /** @type {HTMLElement} */ (part.element).style.setProperty(name, value);
    return undefined;
  }
}

/** Set one CSS property of an element: `<div ${property("--part", "40%")}>`. */
export const property = directive(Property);
