/** The preview: what the touched cards would lead to, as far as that's certain. */

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").Scene} Scene */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {{scene: Scene, events: GameEvent[], scenes: Scene[]}} Look the last scene, what leads to it, and the scene before each event */

/** @param {Choice} choice */
export function toPreview(choice) {
  const pirateFirst = choice.touchedValue("order") === "pirate-first" && choice.touchedValue("pirate") !== undefined;
  const aimed = choice.touchedValue("card") !== undefined && choice.touchedValue("slot") !== undefined;
  return (pirateFirst || aimed) && choice.left[0] ? choice.left[0].action : null;
}

/** The preview of the settled parts, not of the first action that happens to fit. @param {Desk} desk @returns {Look} */
export function ahead({ scene: now, choice, preview }) {
  if (!choice || !preview) return { scene: now, events: [], scenes: [] };
  const settled = { pirate: choice.touchedValue("pirate") !== undefined, card: choice.touchedValue("card") !== undefined && choice.touchedValue("slot") !== undefined };
  let count = 0;
  for (const event of preview.events) {
    const part = event.kind === "moves" || event.kind === "stays" ? "card" : event.kind === "falls" || event.kind === "enters" ? "pirate" : "";
    if (!part || !settled[/** @type {"card" | "pirate"} */ (part)]) break;
    count++;
  }
  return { scene: preview.scenes[count] ?? now, events: preview.events.slice(0, count), scenes: preview.scenes };
}
