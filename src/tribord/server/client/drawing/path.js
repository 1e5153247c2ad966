/** Shapes with their lengths filled in: "M{x-34} {y+.4h}" is a path once x, y and h are known. */

/** As `path` in the core's `art.py` does it. @param {string} shape @param {Record<string, number>} lengths */
export function path(shape, lengths) {
  return shape.replaceAll(/\{([^}]*)\}/g, (_all, /** @type {string} */ sum) => {
    let total = 0;
    for (const [all, times = "", name = ""] of sum.matchAll(/([+-]?[\d.]*)([a-z]*)/g))
      if (all) total += (name && /^[+-]?$/.test(times) ? Number(`${times}1`) : Number(times)) * (name ? (lengths[name] ?? NaN) : 1);
    return String(Math.round(total * 100) / 100);
  });
}
