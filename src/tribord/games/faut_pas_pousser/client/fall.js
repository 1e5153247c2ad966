/** A fall: the splash, what floats for a second where someone went down, and what it was worth. */
import { splash } from "/page/drawing/sea.js";
import { keyed, nothing, svg } from "/page/lit.js";
import { HOUSE } from "/page/shapes.js";
import { key } from "./layout.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./layout.js").Layout} Layout */

const SCARF = "M-34-26C-32-56 32-56 34-26C14-34-14-34-34-26ZM32-30L52-38L48-26L58-20L34-24";

/** @param {Desk} desk @param {Layout} at */
export function fall(desk, at) {
  const { fall: who, gain } = /** @type {any} */ (desk.scene);
  if (!who) return nothing;
  const [x = 0] = at.brink;
  const water = at.sea + 34;
  return keyed(key(who), svg`<g class="plop" aria-hidden="true">
    <g transform=${`translate(${x + 8} ${water}) scale(1.3)`}>${splash(0, 0)}</g>
    <g transform=${`translate(${x + 8} ${water})`}><g class="flotsam"><g class="bobs" transform="scale(1.05) translate(0 34)">${headgear(who)}</g><path class="bubbles" d="M-26 6a5 5 0 1 0 10 0a5 5 0 1 0-10 0M14 12a7 7 0 1 0 14 0a7 7 0 1 0-14 0M-4 20a4 4 0 1 0 8 0a4 4 0 1 0-8 0" /></g></g>
    ${gain.counts ? svg`<text class="won" x=${x - 66} y=${water + 4}>+${gain.points}</text>` : nothing}</g>`);
}

/** What floats: the Captain's hat, anyone else's scarf. @param {import("./layout.js").Pirate} who */
function headgear({ crew, pirate: value }) {
  return value === 1 ? svg`<path class="hat" d=${HOUSE.hat} /><path class="crossbones" d=${HOUSE.crossbones} />` : svg`<path class=${`crew ${crew}`} d=${SCARF} /><path class="dots" d="M-16-40v.1M0-36v.1M16-40v.1M-6-48v.1M8-48v.1" />`;
}
