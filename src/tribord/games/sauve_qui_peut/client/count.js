/** The count of votes, on a sheet above the sea: every vote, the totals, and why the result is what it is. */
import { nothing, repeat, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { _, ngettext } from "/page/words.js";
import { calledBy } from "./crews.js";
import { line, shortened, widthOf } from "./lettering.js";
import { batonSign, cap, person } from "./people.js";
import { crewOf, kindOf, numberOf } from "./scene.js";
import { question, talliesOf, tallyLine, targetName } from "./votes.js";
import { hole } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Count} Count */
/** @typedef {Count["hands"][number]} Hand */
/** @typedef {import("./votes.js").Tally} Tally */

const COUNTED = ["votes-boat", "votes-crew", "shows-cap", "caps-cancel", "most-boat", "most-crew", "only-boat", "one-cap", "all-caps", "tie"];
const SHEET = { wide: { x: 372, y: 82, w: 764 }, tall: { x: 24, y: 14, w: 672 } };
const TITLE = { wide: 8, tall: 54 }; // on a wide drawing the question stands above in the same letters
const [ROW, LINE, BAND] = [54, 36, 136];

/** @param {Desk} desk @param {Scene} now @param {number} top where the sea begins */
export function count(desk, now, top) {
  if (!now.count || !COUNTED.includes(desk.event?.kind ?? "")) return nothing;
  const { x, w, y } = SHEET[desk.shape];
  const tallies = [...talliesOf(now.count)].sort((a, b) => (a.target < b.target ? -1 : 1)); // each in its place, so nothing jumps
  const caps = now.count.hands.filter(({ vote }) => vote.cap);
  const rows = tallies.map((tally) => row(desk, now, w, tally));
  if (caps.length) rows.push(capsRow(desk, now, w, caps));
  let at = TITLE[desk.shape] + 6;
  const placed = rows.map(({ height, drawn, key }) => {
    const here = at;
    at += height;
    return { key, drawn: svg`<g transform=${`translate(0 ${here})`}>${drawn}</g>` };
  });
  const height = at + BAND;
  const lone = now.count.result?.why === "one-cap";
  return svg`<g class=${`sqp-count ${lone ? "lone" : ""}`} transform=${`translate(${x} ${(desk.shape === "wide" ? 0 : top) + y})`} role="img" aria-label=${tallyLine(desk, now, talliesOf(now.count))}>
    <path class="sheet" d=${`M0 8Q${w * 0.25}-6 ${w * 0.5} 4T${w} 2L${w - 5} ${height - 6}Q${w * 0.7} ${height + 6} ${w * 0.45} ${height - 3}T4 ${height - 2}Z`} />
    ${desk.shape === "tall" ? line(about(desk, now), { x: w / 2, y: 42, room: w - 40, size: 34, bold: true, anchor: "middle", look: "title" }) : nothing}
    ${repeat(placed, ({ key }) => key, ({ drawn }) => drawn)}
    <g transform=${`translate(0 ${at})`}>${band(desk, now, w)}</g></g>`;
}

/** @param {Desk} desk @param {Scene} now */
function about(desk, now) {
  return question(desk, { ...now, phase: now.count?.about ?? now.phase, fullBoat: now.count?.lane ?? now.fullBoat, targets: [] });
}

/** A row: what it is about, who voted for it, and how many votes that makes. @param {Desk} desk @param {Scene} now @param {number} w @param {Tally} tally */
function row(desk, now, w, { target, votes, hands }) {
  const result = now.count?.result;
  const boat = typeof target === "number";
  const state = result?.target === target ? "won" : result?.why === "tie" && votes === result.votes ? "tied" : "";
  const sign = boat ? svg`<circle class="disc" cx="34" cy="27" r="20" /><text class="number" x="34" y="37">${target}</text>` : svg`<g transform="translate(34 27) scale(0.4)">${token(String(target))}${face(1)}</g>`;
  const { drawn, lines } = chips(desk, now, hands, w - 232 - 76);
  const height = ROW + (lines - 1) * LINE;
  return { key: String(target), height, drawn: svg`<g class=${`row ${state}`}><rect class="ground" x="10" y="2" width=${w - 20} height=${height - 4} rx="10" />${sign}
    ${line(targetName(desk, now, target), { x: 64, y: 37, room: 150, size: 28, bold: true, look: "target" })}<g transform="translate(232 0)">${drawn}</g>
    <text class="votes" x=${w - 28} y="41" text-anchor="end">${votes}</text></g>` };
}

/** Caps aren't votes: they have a row of their own. @param {Desk} desk @param {Scene} now @param {number} w @param {Hand[]} caps */
function capsRow(desk, now, w, caps) {
  const { drawn, lines } = chips(desk, now, caps, w - 232 - 20);
  const height = ROW + (lines - 1) * LINE;
  const state = now.count?.cancelled ? "void" : now.count?.result?.by && now.count.result.why !== "tie" ? "won" : "";
  return { key: "cap", height, drawn: svg`<g class=${`row caps ${state}`}><rect class="ground" x="10" y="2" width=${w - 20} height=${height - 4} rx="10" /><g transform="translate(36 30) scale(0.5)">${cap()}</g>
    ${line(ngettext("Cap", "Caps", caps.length), { x: 64, y: 37, room: 150, size: 28, bold: true, look: "target" })}<g transform="translate(232 0)">${drawn}</g></g>` };
}

/** Hands as names; overboard, with the people who give them their weight. @param {Desk} desk @param {Scene} now @param {Hand[]} hands @param {number} room */
function chips(desk, now, hands, room) {
  const weighed = now.count?.about === "overboard";
  let [left, lines] = [0, 1];
  const drawn = hands.map(({ crew, vote, weight }) => {
    const who = shortened(calledBy(desk, now.crews.find((each) => each.crew === crew)?.seat ?? -1), room - 70, 24, true);
    const people = weighed && !vote.cap ? aboard(now, crew) : [];
    const spans = people.map((id) => (kindOf(id) === "helmsman" ? 38 : 27));
    const bodies = people.length ? spans.reduce((sum, each) => sum + each, 4) : 32;
    const heavy = people.length > 0;
    const width = bodies + widthOf(who, 24, true) + (heavy ? 50 : 18);
    if (left > 0 && left + width > room) [left, lines] = [0, lines + 1];
    const at = left;
    left += width;
    let from = 0;
    const body = (/** @type {string} */ id, /** @type {number} */ k) => {
      const middle = from + (spans[k] ?? 0) / 2;
      from += spans[k] ?? 0;
      return svg`<g transform=${`translate(${middle} 1) scale(${kindOf(id) === "helmsman" ? 0.25 : 0.28})`}>${person(crew, kindOf(id), numberOf(id))}</g>`;
    };
    return svg`<g class="hand" transform=${`translate(${at} ${27 + (lines - 1) * LINE})`}><g class="pop">
      ${heavy ? people.map(body) : svg`<g transform="translate(14 0) scale(0.27)">${token(crew)}${face(1)}</g>`}
      <text x=${bodies} y="9">${who}</text>${heavy ? svg`<circle class="disc" cx=${width - 28} cy="0" r="15" /><text class="weight" x=${width - 28} y="9">${weight}</text>` : nothing}</g></g>`;
  });
  return { drawn, lines };
}

/** A crew's people in the full boat. @param {Scene} now @param {string} crew @returns {string[]} */
function aboard(now, crew) {
  const seats = now.boats.find(({ lane }) => lane === now.count?.lane)?.seats ?? [];
  return seats.flatMap((held) => (held && crewOf(held) === crew ? [held] : []));
}

// -- how it ends ------------------------------------------------------------------------------------------------------

/** The result and its reason, in large. @param {Desk} desk @param {Scene} now @param {number} w */
function band(desk, now, w) {
  const counted = /** @type {Count} */ (now.count);
  const { result, cancelled } = counted;
  const who = now.crews.find(({ crew }) => crew === result?.by);
  const called = who ? calledBy(desk, who.seat) : "";
  const mine = who?.seat === desk.seat;
  const tally = tallyLine(desk, now, talliesOf(counted));
  const weights = counted.about === "overboard" ? ` ${_("A sailor counts 1, a helmsman 2.")}` : "";
  /** @param {string} first @param {string} second @param {any} drawn */
  const panel = (first, second, drawn) => svg`<path class="rule" d=${`M24 4H${w - 24}`} /><g transform="translate(84 74)">${drawn}</g>
    ${line(first, { x: 166, y: 58, room: w - 190, size: 36, bold: true, look: "outcome" })}${line(second, { x: 166, y: 96, room: w - 190, size: 26, look: "reason" })}`;
  switch (result?.why) {
    case "most": return panel(tally, _("Most votes: {votes} of {all}.", { votes: result.votes, all: result.all }) + weights, effect(counted));
    case "only": return panel(targetName(desk, now, result.target ?? 0), _("It’s the only boat at sea: nothing to decide."), effect(counted));
    case "tie": return panel(tally, mine ? _("A tie! You hold the baton and decide.") : _("A tie! {name} holds the baton and decides.", { name: called }), chief(result.by ?? "", batonSign()));
    case "one-cap": return panel(mine ? _("You decide alone!") : _("{name} decides alone!", { name: called }), _("A single cap beats every vote."), chief(result.by ?? "", svg`<g class="drops"><g transform="translate(0 -40) scale(1.1)">${cap()}</g></g>`));
    case "all-caps": return panel(mine ? _("You decide!") : _("{name} decides!", { name: called }), _("Nothing but caps: the baton has the last word."), chief(result.by ?? "", batonSign()));
    default: return cancelled ? panel(_("Caps cancel out!"), _("Tokens lost: only the other votes count."), clash()) : weights ? line(weights.trim(), { x: w / 2, y: 80, room: w - 60, size: 26, anchor: "middle", look: "reason" }) : nothing;
  }
}

/** What happens to the target. @param {Count} counted */
function effect({ about: asked }) {
  if (asked === "leak") return svg`<g class="stamp"><g transform="scale(2.1)">${hole()}</g></g>`;
  if (asked === "advance") return svg`<g class="stamp"><path class="onward" d="M-32 0H28M6-26L34 0L6 26" /></g>`;
  return svg`<g class="stamp"><path class="plunge" d="M-30-26q34-14 44 22M2-12l13 9l8-14" /><path class="ripples" d="M-38 20q10-10 20 0t20 0t20 0t20 0M-26 34q9-9 18 0t18 0t18 0" /></g>`;
}

/** Who has the last word, and a sign that shows why. @param {string} crew @param {any} sign */
function chief(crew, sign) {
  return svg`<path class="rays" d="M0-58V-74M0 58V74M58 0H74M-58 0H-74M41-41L52-52M-41 41L-52 52M41 41L52 52M-41-41L-52-52" /><g transform="scale(0.92)">${token(crew)}${face(4)}</g>${sign}`;
}

/** Two caps bump into each other. */
function clash() {
  return svg`<g class="bump left"><g transform="translate(-22 0) rotate(-14) scale(0.66)">${cap()}</g></g><g class="bump right"><g transform="translate(22 0) rotate(14) scale(0.66)">${cap()}</g></g>
    <path class="stars" d="M0-50l4 10l11 0l-9 7l4 11l-10-7l-10 7l4-11l-9-7l11 0z" />`;
}
