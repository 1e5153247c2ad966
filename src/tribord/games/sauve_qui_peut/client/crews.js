/** The crews beside the sea: who plays them, their dial, points and caps, the people they have lost; the baton. */
import { nothing, repeat, svg } from "/page/lit.js";
import { face, token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { _ } from "/page/words.js";
import { cardAt } from "./cards.js";
import { inLines, line } from "./lettering.js";
import { offersNow, sentence } from "./offer.js";
import { cap, crown, hat, person } from "./people.js";
import { crewOf, kindOf } from "./scene.js";
import { SHAPES } from "./shapes.js";
import { hole } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Crew} Crew */
/** @typedef {import("./scene.js").Vote} Vote */
/** @typedef {import("./offer.js").Said} Said */

const [USUAL, GLAD, SAD] = [1, 4, 6]; // faces on the dials

/** Where a crew's dial is. @param {"wide" | "tall"} shape @param {number} i @param {number} players @returns {[number, number, number]} */
export function dialAt(shape, i, players) {
  const { x, y, dial: [dx, dy, k] } = cardAt(shape, i, players);
  return [x + dx, y + dy, k];
}

/** What a crew is called here. @param {Desk} desk @param {number} seat */
export const calledBy = (desk, seat) => (seat === desk.seat ? _("You") : desk.name(seat));

/** @param {Desk} desk @param {Scene} now */
export function crews(desk, now) {
  const players = now.crews.length;
  const offers = now.phase === "over" ? [] : offersNow(desk);
  return svg`${now.crews.map((crew, i) => crewCard(desk, now, crew, i, offers.some(({ seat }) => seat === crew.seat)))}
    <g aria-hidden="true">${repeat(now.crews, ({ crew }) => crew, (crew, i) => dial(now, crew, dialAt(desk.shape, i, players)))}
      ${now.crews.map((crew, i) => hinted(desk, crew, dialAt(desk.shape, i, players)))}</g>
    ${baton(desk, now)}${now.crews.map((crew, i) => speech(desk, now, crew, i, offers))}${now.crews.map((crew, i) => touched(desk, now, crew, i))}`;
}

/** @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i @param {boolean} speaks */
function crewCard(desk, now, crew, i, speaks) {
  const { x, y, w, h, name, points: [px, py], foot: [fx, fy, room] } = cardAt(desk.shape, i, now.crews.length);
  const own = crew.seat === desk.seat;
  const deciding = crew.dial.state === "asked" || now.turn === crew.crew;
  const who = inLines(calledBy(desk, crew.seat), name.room, name.size, own);
  return svg`<g class=${`sqp-crew ${deciding ? "deciding" : ""} ${own ? "own" : ""} ${crew.gain ? "gains" : ""}`} transform=${`translate(${x} ${y})`}>
    <rect class="card" width=${w} height=${h} rx="12" />
    ${who.map((text, k) => line(text, { ...name, y: name.y + k * (name.size - 1), bold: own, look: "who" }))}
    <text class="points" x=${px} y=${py} text-anchor="end">${crew.points}</text>
    <g transform=${`translate(${fx} ${fy})`}>${crew.gain ? svg`<text class="gain" y="11">+${crew.gain}</text>` : possessions(now, crew, room, speaks)}</g>
  </g>`;
}

/** The whole card is a button: it shows what everyone may know about a player. @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i */
function touched(desk, now, { seat }, i) {
  const { about } = desk;
  if (!about) return nothing;
  const { x, y, w, h } = cardAt(desk.shape, i, now.crews.length);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    about(seat);
  };
  return svg`<rect class="sqp-about" x=${x} y=${y} width=${w} height=${h} rx="12" role="button" tabindex="0" aria-label=${calledBy(desk, seat)} @click=${(/** @type {Event} */ event) => {
    event.stopPropagation(); // else the stage would take it for a tap to go on
    about(seat);
  }} @keydown=${press} />`;
}

const TIGHT = 30; // units below which a sign and its number run into the next

/**
 * The caps left, and who is on deck or was lost: all that stays is a hat. Where there's little room, caps aren't
 * counted while people board, and hats are counted together.
 * @param {Scene} now @param {Crew} crew @param {number} room @param {boolean} speaks whether what is said needs the room
 */
function possessions(now, crew, room, speaks) {
  const boarding = now.deck.length > 0;
  const people = speaks ? [] : (boarding ? now.deck : Object.keys(now.drowned)).filter((id) => crewOf(id) === crew.crew);
  const kinds = ["sailor", "helmsman"].map((kind) => ({ kind, many: people.filter((id) => kindOf(id) === kind).length })).filter(({ many }) => many);
  const tight = kinds.length > 1 && room / 3 < TIGHT;
  const counted = tight && !boarding ? [{ kind: "sailor", many: people.length }] : kinds;
  const rows = [...(tight && boarding ? [] : [{ kind: "cap", many: crew.tokens }]), ...counted];
  const each = speaks ? 36 : Math.min(56, room / Math.max(2, rows.length));
  const k = Math.min(1, each / 50);
  const sign = (/** @type {string} */ kind) => {
    if (kind === "cap") return svg`<g class="worn" transform=${`scale(${0.32 * k})`}>${cap()}</g>`;
    if (boarding) return svg`<g transform=${`scale(${(kind === "sailor" ? 0.27 : 0.2) * k})`}>${person(crew.crew, kind)}</g>`;
    return svg`<g class="worn" transform=${`translate(0 ${15 * k}) scale(${(kind === "sailor" ? 0.38 : 0.32) * k})`}>${hat(kind)}<path class="ripple" d="M-33-18q11-9 22 0t22 0t22 0" /></g>`;
  };
  return rows.map(({ kind, many }, i) => svg`<g transform=${`translate(${13 * k + i * each} 0)`}>${sign(kind)}<text class="count" x=${17 * k - 1} y="9">${many}</text></g>`);
}

/** A dial; beside it, until the next votes are shown, its last vote. @param {Scene} now @param {Crew} crew @param {[number, number, number]} where */
function dial(now, { crew, lastVote, dial: { state, vote, void: cancelled, weight } }, [x, y, k]) {
  const mine = state === "cast" && vote;
  const over = now.phase === "over";
  const won = now.winners.includes(crew);
  return svg`<g class=${`sqp-dial ${state} ${cancelled ? "void" : ""} ${over ? (won ? "glad" : "sad") : ""}`} transform=${`translate(${x} ${y}) scale(${k})`}>
    ${state === "idle" || state === "asked" || over
      ? svg`<g class="head" transform="scale(0.56)">${token(crew)}${face(over ? (won ? GLAD : SAD) : USUAL)}${over ? (won ? crown() : svg`<path class="tear" d="M14 4q9 13 0 16q-9-3 0-16z" />`) : nothing}</g>${state === "asked" && !over ? svg`<g class="asking"><circle cx="21" cy="18" r="13" /><text x="21" y="27">?</text></g>` : nothing}`
      : svg`<g class="disc"><circle class=${`crew ${crew}`} r="30" /><circle class=${state === "shown" || mine ? "window" : "back"} r="21" />
          ${state === "shown" || mine ? voteSign(vote) : svg`<path class="seal" d="M-9 0l7 8l12-15" />`}
          ${weight > 1 ? svg`<g class="weight"><circle cx="24" cy="20" r="14" /><text x="24" y="29">${weight}</text></g>` : nothing}
          ${cancelled ? svg`<path class="strike" d="M-24 20L24-20" />` : nothing}</g>`}
    ${lastVote && state !== "shown" && !mine && !over ? svg`<g class="last-vote" transform="translate(-22 -23)"><title>${_("The last vote")}</title><circle class="window" r="14" /><g transform=${`scale(${lastVote.cap ? 0.66 : 0.86})`}>${voteSign(lastVote)}</g></g>` : nothing}
  </g>`;
}

/** The vote of a hint, over the dial of who asked for it. @param {Desk} desk @param {Crew} crew @param {[number, number, number]} where */
function hinted({ hinted: shown, choice, seat }, crew, [x, y, k]) {
  const { kind, lane, crew: named } = (shown && crew.seat === seat && choice?.settled) || {};
  if (kind !== "cap" && kind !== "vote" && kind !== "decide") return nothing;
  return svg`<g class="sqp-dial ghost" transform=${`translate(${x} ${y}) scale(${k})`}><circle class=${`crew ${crew.crew}`} r="30" /><circle class="window" r="21" />${voteSign({ cap: kind === "cap", crew: named, lane })}</g>`;
}

/** What a dial says in its window. @param {Vote | null} vote */
export function voteSign(vote) {
  if (vote?.cap) return svg`<g transform="translate(0 3) scale(0.44)">${cap()}</g>`;
  if (vote?.crew) return svg`<g transform="scale(0.32)">${token(vote.crew)}</g>`;
  return svg`<text class="vote" y="10">${vote?.lane ?? ""}</text>`;
}

// -- offers -----------------------------------------------------------------------------------------------------------

/** What a crew has offered in this round, the latest first, as far as there is room. @param {Desk} desk @param {Scene} now @param {Crew} crew @param {number} i @param {Said[]} offers */
function speech(desk, now, crew, i, offers) {
  const { x, y, foot: [fx, fy, room] } = cardAt(desk.shape, i, now.crews.length);
  if (crew.gain) return nothing; // points that come in are looked at first
  const first = fx + 38;
  let left = first;
  return offers.filter(({ seat }) => seat === crew.seat).map((made) => {
    const { width, drawn } = bubble(made);
    const at = left;
    if (at > first && at + width > fx + room) return nothing;
    left += width + 5;
    return svg`<g class=${`sqp-said ${made.offer["kind"]} ${made.to ? "apart" : ""}`} role="img" aria-label=${sentence(made)} transform=${`translate(${x + at} ${y + fy - 15})`}><title>${sentence(made)}</title>
      <path class="bubble" d=${`M8 0H${width - 8}q8 0 8 8v9q0 8-8 8H14l-12 5l4-6Q0 23 0 17V8Q0 0 8 0z`} />${drawn}</g>`;
  });
}

/** What an offer is about: a leak or an advance for a boat, someone in the water, an ally; a request has a question mark. @param {Said} made */
function bubble({ offer: { kind, vote, lane, crew } }) {
  const ask = kind === "ask";
  const crewSign = (/** @type {number} */ x) => svg`<g transform=${`translate(${x} 11) scale(0.17)`}>${token(crew)}</g>`;
  if (kind === "alliance") return { width: 42, drawn: svg`<text x="4" y="21">+</text>${crewSign(29)}` };
  const sign = lane === undefined ? svg`${crewSign(14)}<path class="waves" d="M4 19q3.5-5 7 0t7 0t7 0" />` : vote === "leak" ? svg`<g transform="translate(13 12.5) scale(0.56)">${hole()}</g>` : svg`<path class="onward" d="M6 12.5H20M14 6l7 6.5l-7 6.5" />`;
  const width = 29 + (lane === undefined ? 0 : 13) + (ask ? 11 : 0);
  return { width, drawn: svg`${sign}${lane === undefined ? nothing : svg`<text x="24" y="21">${lane}</text>`}${ask ? svg`<text x=${width - 14} y="21">?</text>` : nothing}` };
}

// -- the baton --------------------------------------------------------------------------------------------------------

/** The captain's baton goes from one crew to the next; before a crew has it, it turns above the sea. @param {Desk} desk @param {Scene} now */
function baton(desk, now) {
  const i = now.crews.findIndex(({ crew }) => crew === now.baton);
  const { x, y, baton: [bx, by, k, turn] } = cardAt(desk.shape, Math.max(i, 0), now.crews.length);
  const [left, top, width, height, round] = SHAPES.baton.stick;
  const at = i >= 0 ? place(x + bx, y + by, k, turn) : desk.shape === "wide" ? place(750, 380, 4) : place(360, 480, 4);
  return svg`<g class=${`sqp-baton moves ${now.handed ? "handed" : i >= 0 ? "" : desk.rolling ? "turning" : "nowhere"}`} ${at} aria-hidden="true"><title>${_("The captain’s baton")}</title>
    <g class="spin"><rect class="stick" x=${left} y=${top} width=${width} height=${height} rx=${round} />${SHAPES.baton.knobs.map(([cx, cy, radius]) => svg`<circle class="knob" cx=${cx} cy=${cy} r=${radius} />`)}<path class="ribbon" d=${SHAPES.baton.ribbon} /></g></g>`;
}
