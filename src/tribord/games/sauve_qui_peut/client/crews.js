/** The crews beside the sea: who plays them, their dial, points and caps, whom they have lost; the baton; the phase. */
import { nothing, repeat, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { _ } from "/page/words.js";
import { cap, hat, hue, person } from "./people.js";
import { crewOf, kindOf } from "./scene.js";
import { hole } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Crew} Crew */

/** Where the crews' cards are. @param {"wide" | "tall"} shape @param {number} i @param {number} players */
function card(shape, i, players) {
  if (shape === "tall") return { x: (720 / players) * i + 3, y: 4, w: 720 / players - 6, h: 122 };
  const h = Math.min(116, 626 / players - 8);
  return { x: 918, y: 8 + i * (h + 8), w: 274, h };
}

/** Where a crew's dial is. @param {"wide" | "tall"} shape @param {number} i @param {number} players @returns {[number, number, number]} */
export function dialAt(shape, i, players) {
  const { x, y, w, h } = card(shape, i, players);
  return shape === "tall" ? [x + (w > 140 ? 44 : 34), y + 64, 0.96] : [x + 46, y + h / 2, Math.min(1.15, h / 84)];
}

/** @param {Desk} desk @param {Scene} now */
export function crews(desk, now) {
  const players = now.crews.length;
  return svg`${now.crews.map((crew, i) => crewCard(desk, now, crew, i))}
    <g aria-hidden="true">${repeat(now.crews, ({ crew }) => crew, (crew, i) => dial(desk, crew, dialAt(desk.shape, i, players)))}</g>
    ${baton(desk, now)}${phases(desk, now)}`;
}

/** @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i */
function crewCard(desk, now, crew, i) {
  const { x, y, w, h } = card(desk.shape, i, now.crews.length);
  const tall = desk.shape === "tall";
  const who = crew.seat === desk.seat ? _("You") : desk.name(crew.seat);
  const room = tall ? Math.floor((w - 8) / 12.6) : 11;
  const deciding = crew.dial.state === "asked" || now.turn === crew.crew;
  const left = tall ? 8 : 114;
  const foot = tall ? 106 : h - 22;
  return svg`<g class=${`sqp-crew ${deciding ? "deciding" : ""} ${crew.seat === desk.seat ? "own" : ""}`} transform=${`translate(${x} ${y})`}>
    <rect class="card" width=${w} height=${h} rx="12" />
    <text class="who" x=${left} y=${tall ? 27 : 32}>${who.length > room ? `${who.slice(0, room - 1)}…` : who}</text>
    <text class=${tall && w < 130 ? "points small" : "points"} x=${tall ? (w > 140 ? 84 : 66) : w - 14} y=${tall ? 77 : 36} text-anchor=${tall ? "start" : "end"}>${crew.points}</text>
    ${crew.gain ? svg`<text class="gain" x=${tall ? (w > 140 ? 84 : 62) : w - 14} y=${tall ? 52 : 70} text-anchor=${tall ? "start" : "end"}>+${crew.gain}</text>` : nothing}
    <g transform=${`translate(${left} ${foot})`}>${possessions(now, crew, w - left)}</g>
  </g>`;
}

/** Caps that are left, and who is on deck or was lost: a hat is all that stays. @param {Scene} now @param {Crew} crew @param {number} room */
function possessions(now, crew, room) {
  const people = now.deck.length ? now.deck : Object.keys(now.drowned);
  const each = Math.min(54, (room - 4) / 3);
  const k = Math.min(1, each / 46);
  const groups = [svg`<g transform=${`scale(${0.32 * k})`}>${cap()}</g>`];
  const counts = [crew.tokens];
  for (const kind of ["sailor", "helmsman"]) {
    const number = people.filter((id) => crewOf(id) === crew.crew && kindOf(id) === kind).length;
    if (!number) continue;
    counts.push(number);
    groups.push(
      now.deck.length
        ? svg`<g transform=${`scale(${(kind === "sailor" ? 0.27 : 0.2) * k})`}>${person(crew.crew, kind)}</g>`
        : svg`<g class="lost" transform=${`translate(0 ${15 * k}) scale(${0.38 * k})`}>${hat(kind)}<path class="ripple" d="M-33-18q11-9 22 0t22 0t22 0" /></g>`,
    );
  }
  return groups.map((drawn, i) => svg`<g transform=${`translate(${13 * k + i * each} 0)`}>${drawn}<text class="count" x=${18 * k - 2} y="9">${counts[i]}</text></g>`);
}

/** @param {Desk} desk @param {Crew} crew @param {[number, number, number]} where */
function dial(desk, { crew, dial: { state, vote, void: cancelled, weight } }, [x, y, k]) {
  const mine = state === "cast" && vote;
  return svg`<g class=${`sqp-dial ${state} ${cancelled ? "void" : ""}`} transform=${`translate(${x} ${y}) scale(${k})`}>
    ${state === "idle" || state === "asked"
      ? svg`<g transform="scale(0.56)">${token(hue(crew))}${face(1)}</g>${state === "asked" ? svg`<g class="asking"><circle cx="20" cy="18" r="12" /><text x="20" y="26">?</text></g>` : nothing}`
      : svg`<g class="disc"><circle class=${`crew ${hue(crew)}`} r="30" /><circle class=${state === "shown" || mine ? "window" : "back"} r="21" />
          ${state === "shown" || mine ? voteSign(vote) : svg`<path class="seal" d="M-9 0l7 8l12-15" />`}
          ${weight > 1 ? svg`<g class="weight"><circle cx="24" cy="20" r="13" /><text x="24" y="27">${weight}</text></g>` : nothing}
          ${cancelled ? svg`<path class="strike" d="M-24 20L24-20" />` : nothing}</g>`}
  </g>`;
}

/** What a dial says in its window. @param {import("./scene.js").Vote | null} vote */
export function voteSign(vote) {
  if (vote?.cap) return svg`<g transform="translate(0 3) scale(0.44)">${cap()}</g>`;
  if (vote?.crew) return svg`<g transform="scale(0.32)">${token(hue(vote.crew))}</g>`;
  return svg`<text class="vote" y="10">${vote?.lane ?? ""}</text>`;
}

/** The captain's baton goes from one to the next. @param {Desk} desk @param {Scene} now */
function baton(desk, now) {
  const i = now.crews.findIndex(({ crew }) => crew === now.baton);
  const { x, y, w, h } = card(desk.shape, Math.max(i, 0), now.crews.length);
  const tall = desk.shape === "tall";
  const [bx, by, k] = !tall ? [x + 92, y + h / 2, 0.86] : w > 130 ? [x + w - 15, y + 66, 1] : [x + w - 7, y + 66, 0.8];
  return svg`<g class=${`sqp-baton moves ${i < 0 ? "nowhere" : ""}`} ${place(bx, by, k, 6)} aria-hidden="true"><title>${_("The captain’s baton")}</title>
    <rect class="stick" x="-5" y="-30" width="10" height="60" rx="4" /><circle class="knob" cy="-32" r="9" /><circle class="knob" cy="30" r="6" /><path class="ribbon" d="M-5-10L5-16M-5 2L5-4M-5 14L5 8" /></g>`;
}

/** What a round consists of, where it is, and the leaks still in the box. @param {Desk} desk @param {Scene} now */
function phases(desk, now) {
  const tall = desk.shape === "tall";
  const placing = now.deck.length > 0 || now.phase === "drawing-first" || now.phase === "placing";
  const named = placing ? [_("All aboard")] : [_("1 A leak"), _("2 Advance"), _("3 Change")];
  const current = placing ? 0 : ({ leak: 0, overboard: 0, advance: 1, leaving: 2, boarding: 2 }[now.phase] ?? -1);
  const [x, y, room] = tall ? [3, 131, 626] : [918, 640, 196];
  // Beside a wide sea there is room for the name of one phase only.
  const widths = named.map((_title, k) => (tall || current < 0 || placing ? room / named.length : k === current ? room - 76 : 38));
  return svg`<g class="sqp-phases" transform=${`translate(${x} ${y})`}>
    ${named.map((title, k) => {
      const w = widths[k] ?? 0;
      const left = widths.slice(0, k).reduce((sum, each) => sum + each, 0);
      return svg`<g class=${k === current ? "now" : ""} transform=${`translate(${left} 0)`}><rect width=${w - 5} height="32" rx="9" /><text x=${w / 2 - 2.5} y="24">${w < 70 ? title.slice(0, 1) : title}</text></g>`;
    })}
    <g transform=${`translate(${room + 12} 0)`}><title>${_("Leaks in the box")}</title><g transform="translate(14 16) scale(0.86)">${hole()}</g><text class="supply" x="34" y="25">${now.leaksLeft}</text></g>
  </g>`;
}
