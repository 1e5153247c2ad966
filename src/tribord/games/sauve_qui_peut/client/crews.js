/** The crews beside the sea: who plays them, their dial, points and caps, whom they have lost; the baton; the phase. */
import { nothing, repeat, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { _ } from "/page/words.js";
import { offersNow, sentence } from "./offer.js";
import { cap, hat, hue, person } from "./people.js";
import { crewOf, kindOf } from "./scene.js";
import { hole } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Crew} Crew */
/** @typedef {import("./scene.js").Vote} Vote */
/** @typedef {import("./offer.js").Said} Said */

/**
 * A crew's card, and where things are on it. The fewer crews there are, the roomier it is.
 * @param {"wide" | "tall"} shape @param {number} i @param {number} players
 */
function card(shape, i, players) {
  if (shape === "tall") {
    const w = 720 / players - 6;
    const roomy = w > 140;
    const [dial, points] = roomy ? [44, 86] : [34, 69];
    return { x: (720 / players) * i + 3, y: 4, w, h: 142, roomy, left: roomy ? 8 : 5, name: 26, dial: [dial, 78, 0.92], points: [points, 89], said: [points - 6, 81], foot: 127, baton: [points + 3, 37, 0.88, 90], letters: Math.floor((w - 6) / 12.6) };
  }
  const h = Math.min(200, 626 / players - 8);
  const roomy = h > 110;
  const left = roomy ? 134 : 122;
  return { x: 8, y: 8 + i * (h + 8), w: 288, h, roomy, left, name: roomy ? 36 : 28, dial: [roomy ? 52 : 46, h / 2, Math.min(1.3, h / 84)], points: [274, roomy ? h / 2 + 18 : 59], said: [left, roomy ? h / 2 - 17 : 34], foot: h - (roomy ? 24 : 17), baton: [roomy ? 112 : 99, h / 2, roomy ? 1 : 0.86, 6], letters: 12 };
}

/** Where a crew's dial is. @param {"wide" | "tall"} shape @param {number} i @param {number} players @returns {[number, number, number]} */
export function dialAt(shape, i, players) {
  const { x, y, dial: [dx = 0, dy = 0, k = 1] } = card(shape, i, players);
  return [x + dx, y + dy, k];
}

/** @param {Desk} desk @param {Scene} now */
export function crews(desk, now) {
  const players = now.crews.length;
  const offers = now.phase === "over" ? [] : offersNow(desk);
  return svg`${now.crews.map((crew, i) => crewCard(desk, now, crew, i, offers.some(({ seat }) => seat === crew.seat)))}
    <g aria-hidden="true">${repeat(now.crews, ({ crew }) => crew, (crew, i) => dial(crew, dialAt(desk.shape, i, players)))}</g>
    ${baton(desk, now)}${now.crews.map((crew, i) => speech(desk, now, crew, i, offers))}${phases(desk, now)}`;
}

/** @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i @param {boolean} speaks */
function crewCard(desk, now, crew, i, speaks) {
  const { x, y, w, h, roomy, left, name, points: [px = 0, middle = 0], foot, letters } = card(desk.shape, i, now.crews.length);
  const tall = desk.shape === "tall";
  const who = crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
  const py = middle - (tall && (speaks || crew.gain) ? 15 : 0); // what comes in, or is said, stands below
  const deciding = crew.dial.state === "asked" || now.turn === crew.crew;
  return svg`<g class=${`sqp-crew ${deciding ? "deciding" : ""} ${crew.seat === desk.seat ? "own" : ""} ${roomy ? "roomy" : ""}`} transform=${`translate(${x} ${y})`}>
    <rect class="card" width=${w} height=${h} rx="12" />
    <text class="who" x=${left} y=${name}>${who.length > letters ? `${who.slice(0, letters - 1)}…` : who}</text>
    <text class="points" x=${px} y=${py} text-anchor=${tall ? "start" : "end"}>${crew.points}</text>
    ${crew.gain ? svg`<text class="gain" x=${tall ? px : px - 56} y=${tall ? py + 27 : py} text-anchor=${tall ? "start" : "end"}>+${crew.gain}</text>` : nothing}
    <g transform=${`translate(${left} ${foot})`}>${possessions(now, crew, w - left - 6)}</g>
  </g>`;
}

/** Caps that are left, and who is on deck or was lost: a hat is all that stays. @param {Scene} now @param {Crew} crew @param {number} room */
function possessions(now, crew, room) {
  const people = now.deck.length ? now.deck : Object.keys(now.drowned);
  const number = (/** @type {string} */ kind) => people.filter((id) => crewOf(id) === crew.crew && kindOf(id) === kind).length;
  const kinds = ["sailor", "helmsman"].filter(number);
  const each = Math.min(56, room / (kinds.length + 1));
  const k = Math.min(1, each / 50);
  const groups = [svg`<g class="worn" transform=${`scale(${0.32 * k})`}>${cap()}</g>`];
  const counts = [crew.tokens, ...kinds.map(number)];
  for (const kind of kinds) {
    groups.push(
      now.deck.length
        ? svg`<g transform=${`scale(${(kind === "sailor" ? 0.27 : 0.2) * k})`}>${person(crew.crew, kind)}</g>`
        : svg`<g class="worn" transform=${`translate(0 ${15 * k}) scale(${(kind === "sailor" ? 0.38 : 0.32) * k})`}>${hat(kind)}<path class="ripple" d="M-33-18q11-9 22 0t22 0t22 0" /></g>`,
    );
  }
  return groups.map((drawn, i) => svg`<g transform=${`translate(${13 * k + i * each} 0)`}>${drawn}<text class="count" x=${17 * k - 1} y="9">${counts[i]}</text></g>`);
}

/** A dial; beside it, until the next votes are turned up, what it said last. @param {Crew} crew @param {[number, number, number]} where */
function dial({ crew, lastVote, dial: { state, vote, void: cancelled, weight } }, [x, y, k]) {
  const mine = state === "cast" && vote;
  return svg`<g class=${`sqp-dial ${state} ${cancelled ? "void" : ""}`} transform=${`translate(${x} ${y}) scale(${k})`}>
    ${state === "idle" || state === "asked"
      ? svg`<g transform="scale(0.56)">${token(hue(crew))}${face(1)}</g>${state === "asked" ? svg`<g class="asking"><circle cx="21" cy="18" r="13" /><text x="21" y="27">?</text></g>` : nothing}`
      : svg`<g class="disc"><circle class=${`crew ${hue(crew)}`} r="30" /><circle class=${state === "shown" || mine ? "window" : "back"} r="21" />
          ${state === "shown" || mine ? voteSign(vote) : svg`<path class="seal" d="M-9 0l7 8l12-15" />`}
          ${weight > 1 ? svg`<g class="weight"><circle cx="24" cy="20" r="14" /><text x="24" y="29">${weight}</text></g>` : nothing}
          ${cancelled ? svg`<path class="strike" d="M-24 20L24-20" />` : nothing}</g>`}
    ${lastVote && state !== "shown" && !mine ? svg`<g class="last-vote" transform="translate(-22 -23)"><title>${_("The last vote")}</title><circle class="window" r="14" /><g transform=${`scale(${lastVote.cap ? 0.66 : 0.86})`}>${voteSign(lastVote)}</g></g>` : nothing}
  </g>`;
}

/** What a dial says in its window. @param {Vote | null} vote */
export function voteSign(vote) {
  if (vote?.cap) return svg`<g transform="translate(0 3) scale(0.44)">${cap()}</g>`;
  if (vote?.crew) return svg`<g transform="scale(0.32)">${token(hue(vote.crew))}</g>`;
  return svg`<text class="vote" y="10">${vote?.lane ?? ""}</text>`;
}

// -- offers -----------------------------------------------------------------------------------------------------------

/** What a crew has offered in this round, the latest first, as far as there is room. @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i @param {Said[]} offers */
function speech(desk, now, crew, i, offers) {
  const { x, y, w, roomy, said: [sx = 0, sy = 0], points: [px = 0] } = card(desk.shape, i, now.crews.length);
  if (crew.gain) return nothing; // points that come in are looked at first
  const tall = desk.shape === "tall";
  const right = tall ? w - 2 : px - (crew.points > 9 ? 56 : 34);
  const k = tall ? 1 : roomy ? 1.2 : 1;
  let left = sx;
  return offers.filter(({ seat }) => seat === crew.seat).map((made) => {
    const { width, drawn } = bubble(made);
    const at = left;
    if (at > sx && at + width * k > right) return nothing;
    left += width * k + 5;
    return svg`<g class=${`sqp-said ${made.offer["kind"]} ${made.to ? "apart" : ""}`} role="img" aria-label=${sentence(made)} transform=${`translate(${x + at} ${y + sy}) scale(${k})`}><title>${sentence(made)}</title>
      <path class="bubble" d=${`M8 0H${width - 8}q8 0 8 8v9q0 8-8 8H14l-12 5l4-6Q0 23 0 17V8Q0 0 8 0z`} />${drawn}</g>`;
  });
}

/** A leak or a step for a boat, somebody in the water, an ally; a request asks. @param {Said} made */
function bubble({ offer: { kind, vote, lane, crew } }) {
  const ask = kind === "ask";
  const crewSign = (/** @type {number} */ x) => svg`<g transform=${`translate(${x} 11) scale(0.17)`}>${token(hue(crew))}</g>`;
  if (kind === "alliance") return { width: 42, drawn: svg`<text x="4" y="21">+</text>${crewSign(29)}` };
  const sign = lane === undefined ? svg`${crewSign(14)}<path class="waves" d="M4 19q3.5-5 7 0t7 0t7 0" />` : vote === "leak" ? svg`<g transform="translate(13 12.5) scale(0.56)">${hole()}</g>` : svg`<path class="onward" d="M6 12.5H20M14 6l7 6.5l-7 6.5" />`;
  const width = 29 + (lane === undefined ? 0 : 13) + (ask ? 11 : 0);
  return { width, drawn: svg`${sign}${lane === undefined ? nothing : svg`<text x="24" y="21">${lane}</text>`}${ask ? svg`<text x=${width - 14} y="21">?</text>` : nothing}` };
}

// -- the round --------------------------------------------------------------------------------------------------------

/** The captain's baton goes from one to the next; on a tall drawing it underlines whose it is. @param {Desk} desk @param {Scene} now */
function baton(desk, now) {
  const i = now.crews.findIndex(({ crew }) => crew === now.baton);
  const { x, y, baton: [bx = 0, by = 0, k = 1, turn = 0] } = card(desk.shape, Math.max(i, 0), now.crews.length);
  return svg`<g class=${`sqp-baton moves ${i < 0 ? "nowhere" : ""}`} ${place(x + bx, y + by, k, turn)} aria-hidden="true"><title>${_("The captain’s baton")}</title>
    <rect class="stick" x="-5" y="-30" width="10" height="60" rx="4" /><circle class="knob" cy="-32" r="9" /><circle class="knob" cy="30" r="6" /><path class="ribbon" d="M-5-10L5-16M-5 2L5-4M-5 14L5 8" /></g>`;
}

/** What a round consists of, where it is, and the leaks still in the box. @param {Desk} desk @param {Scene} now */
function phases(desk, now) {
  const tall = desk.shape === "tall";
  const placing = now.deck.length > 0 || now.phase === "drawing-first" || now.phase === "placing";
  const only = placing || now.phase === "over";
  const named = placing ? [_("All aboard")] : only ? [_("The end")] : [_("1 A leak"), _("2 Advance"), _("3 Change")];
  const current = only ? 0 : ({ leak: 0, overboard: 0, advance: 1, leaving: 2, boarding: 2 }[now.phase] ?? -1);
  const [x, y, room] = tall ? [3, 152, 626] : [8, 636, 214];
  // Beside a wide sea there is room for the name of one phase only.
  const widths = named.map((_title, k) => (tall || current < 0 || only ? room / named.length : k === current ? room - 76 : 38));
  return svg`<g class=${`sqp-phases ${only ? "only" : ""}`} transform=${`translate(${x} ${y})`}>
    ${named.map((title, k) => {
      const w = widths[k] ?? 0;
      const left = widths.slice(0, k).reduce((sum, each) => sum + each, 0);
      return svg`<g class=${k === current ? "now" : ""} transform=${`translate(${left} 0)`}><path class="step" d=${only ? `M0 0H${w - 5}V34H0Z` : `M0 0H${w - 11}l9 17l-9 17H0${k ? "l9-17" : ""}Z`} /><text x=${w / 2 - (k || only ? 0 : 4)} y="25">${w < 70 ? title.slice(0, 1) : title}</text></g>`;
    })}
    <g transform=${`translate(${room + 12} 0)`}><title>${_("Leaks in the box")}</title><g transform="translate(14 17) scale(0.86)">${hole()}</g><text class="supply" x="34" y="26">${now.leaksLeft}</text></g>
  </g>`;
}
