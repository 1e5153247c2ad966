/** The end: the people ashore dance, and the shark says thank you for the hats. */
import { nothing, svg } from "/page/lit.js";
import { property } from "/page/drawing/place.js";
import { _ } from "/page/words.js";
import { line, widthOf } from "./lettering.js";
import { hat } from "./people.js";
import { kindOf } from "./scene.js";

/** @typedef {import("./waters.js").Waters} Waters */
/** @typedef {import("./scene.js").Scene} Scene */

const PILE = 7; // hats in a pile on its head

/** @param {Waters} waters @param {Scene} now */
export function finale({ frame, shape }, now) {
  if (now.phase !== "over") return nothing;
  const lost = Object.keys(now.drowned);
  const [x, y, k] = shape === "wide" ? [590, frame.top + frame.height * 0.62, 1.2] : [196, frame.top + frame.height * 0.62, 0.9];
  const said = lost.length ? _("Thank you, that was delicious.") : _("Not a single one? I’ll go to bed hungry.");
  const w = Math.min(430, widthOf(said, 28, true) + 36);
  const piles = [lost.slice(0, PILE), lost.slice(PILE, 2 * PILE), lost.slice(2 * PILE)];
  return svg`<g class="sqp-finale" aria-hidden="true" transform=${`translate(${x} ${y}) scale(${k})`}>
    <g class="shark"><path class="body" d="M-150 70Q-140-30-30-62Q60-84 128-20Q150 4 158 70Z" /><path class="belly" d="M-96 70Q-70 6 24-4Q96-6 128 30L140 70Z" />
      <path class="smile" d=${lost.length ? "M-30 30Q40 62 118 14" : "M-24 44Q40 14 112 34"} /><path class="teeth" d=${lost.length ? "M-12 38l8 13l9-8M18 45l9 12l8-12M50 43l9 11l7-14M80 32l9 10l5-15" : ""} />
      <circle class="eye" cx="62" cy="-22" r="13" /><circle class="pupil" cx=${lost.length ? 66 : 60} cy=${lost.length ? -24 : -17} r="6" /><path class="lid" d=${lost.length ? "M47-30Q62-42 77-30" : "M47-34L77-26"} />
      <path class="napkin" d="M-70 40L-20 34L-34 70H-84Z" /><path class="fin" d="M-96-20Q-110-96-40-116Q-48-72-20-56Z" />
      ${piles.map((pile, p) => pile.map((id, i) => svg`<g transform=${`translate(${22 + p * 44 - 30} ${-54 + p * 12 - i * 19}) scale(0.66) rotate(${(i % 3) * 7 - 7})`}>${hat(kindOf(id))}</g>`))}
    </g>
    <path class="ripple" d="M-190 70q16-13 32 0t32 0t32 0t32 0t32 0t32 0t32 0t32 0t32 0t32 0t32 0" />
    <g class="sqp-shout" transform=${`translate(${shape === "wide" ? -150 : -150} ${lost.length ? -70 : -60})`}><g class="pop" ${property("--wait", "0.6s")}><path class="bubble" d=${`M12-44H${w - 12}q12 0 12 12v12q0 12-12 12H${w - 60}l-4 18l-26-18H12q-12 0-12-12v-12q0-12 12-12z`} />${line(said, { x: w / 2, y: -15, room: w - 30, size: 28, bold: true, anchor: "middle" })}</g></g>
  </g>`;
}
