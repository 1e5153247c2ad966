/** Sauve qui peut !: seven lanes from the sinking ship to the islands, boats with seats, leaks and people, and the dials. */
import { lead } from "/page/app.js";
import { html, nothing, repeat, svg } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { place } from "/page/drawing/place.js";
import { sea, splash } from "/page/drawing/sea.js";
import { _, capital, local, name, ngettext } from "/page/words.js";
import { crews, dialAt, voteSign } from "./crews.js";
import { kept, offer, parley } from "./offer.js";
import { cap, hat, hue, person } from "./people.js";
import { crewOf, everybody, kindOf, numberOf, scene, step } from "./scene.js";
import { inside, islands, rows, ship, side, Waters } from "./waters.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/contract.js").GameEvent} GameEvent */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Boat} Boat */

const LANES = [1, 2, 3, 4, 5, 6, 7];
const SHOWN_AHEAD = ["placed", "leaves", "boards", "thrown", "leaks", "sinks", "advances", "lands"];

// -- looking ahead ----------------------------------------------------------------------------------------------------

/** Votes are sealed, and nobody can look ahead of them. @param {Choice} choice */
function foresee(choice) {
  return ["place", "decide", "leave", "board"].includes(choice.settled["kind"]) ? choice.action : null;
}

/** The waters as they would be: up to the last thing that can be seen there. @param {Desk} desk @returns {Scene} */
function ahead({ scene: now, choice, foreseen }) {
  const last = choice && foreseen ? foreseen.events.findLastIndex(({ kind }) => SHOWN_AHEAD.includes(kind)) : -1;
  return /** @type {any} */ (last < 0 ? now : foreseen?.scenes[last + 1]);
}

// -- the drawing ------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function draw(desk) {
  const now = /** @type {Scene} */ (/** @type {any} */ (desk.scene));
  if (!now.boats) return nothing;
  const look = ahead(desk);
  const waters = new Waters(desk.shape, now.boats);
  const { x, width, top, height } = waters.frame;
  const wide = desk.shape === "wide";
  const players = now.crews.length;
  const state = (/** @type {Boat} */ boat) => boatState(desk, now, look, boat);
  return svg`<g class="sqp">
    <rect class="sky" x="-900" y="-300" width="3600" height=${top + height + 700} />
    ${sea(wide ? x : -900, top - (wide ? 300 : 0), width + 2100, height + (wide ? 700 : 20), waters.depth / 2)}
    ${rows(waters)}${islands(waters, now.boats)}${ship(waters)}
    <g aria-hidden="true">${repeat(look.boats, ({ lane }) => lane, (boat) => inside(waters, boat, state(boat)))}
      ${repeat(everybody(players), (id) => id, (id) => piece(waters, now, look, id))}
      ${repeat(look.boats, ({ lane }) => lane, (boat) => side(waters, boat, state(boat)))}
      ${repeat(now.crews, ({ crew }) => crew, (crew, i) => ballot(desk, waters, now, crew, i))}</g>
    ${now.splashes.map((id) => fallen(waters, now, id))}
    ${LANES.map((lane) => target(desk, waters, look, lane))}
    ${wide ? svg`<rect class="sky" x="-900" y="-300" width=${900 + x} height="1400" /><path class="sqp-edge" d=${`M${x}-300V1100`} />` : nothing}
    ${crews(desk, now)}</g>`;
}

/** @param {Desk} desk @param {Scene} now @param {Scene} look @param {Boat} boat */
function boatState(desk, now, look, boat) {
  const was = now.boats.find(({ lane }) => lane === boat.lane);
  const preview = look !== now && (was?.where !== boat.where || was.row !== boat.row || was.seats.join() !== boat.seats.join());
  const decided = now.targets.length === 1 && now.targets[0] === boat.lane;
  return [boat.where, preview ? "preview" : "", now.leaking === boat.lane ? "leaking" : "", now.fullBoat === boat.lane ? "full" : "", now.moved === boat.lane ? "moved" : "", decided ? "decided" : ""].join(" ");
}

/** One of the people, wherever they are. @param {Waters} waters @param {Scene} now @param {Scene} look @param {string} id */
function piece(waters, now, look, id) {
  const kind = kindOf(id);
  const [x, y, sort] = whereabouts(waters, look, id);
  const [px, py, before] = look === now ? [x, y, sort] : whereabouts(waters, now, id);
  const preview = px !== x || py !== y || before !== sort;
  const shown = preview && sort === "drowned" ? "afloat" : sort;
  const size = (kind === "helmsman" ? 0.53 : 0.5) * waters.scale * (sort === "drowned" ? 0.7 : 1);
  return svg`<g class=${`sqp-piece moves ${shown} ${sort === "drowned" ? "falls" : ""} ${preview ? "preview" : ""} ${now.last === id ? "moved" : ""}`} ${place(x, y, size, sort === "afloat" || sort === "drowned" ? 16 : 0)}>
    ${person(crewOf(id), kind, numberOf(id))}${shown === "between" || shown === "afloat" ? svg`<path class="water" d=${kind === "helmsman" ? "M-80 22q20-12 40 0t40 0t40 0t40 0A84 84 0 0 1-80 22z" : "M-52 22q13-12 26 0t26 0t26 0t26 0Q46 62 0 64T-52 22z"} /><path class="ripple" d="M-66 22q14-12 28 0t28 0t28 0t28 0" />` : nothing}</g>`;
}

/** @param {Waters} waters @param {Scene} now @param {string} id @returns {[number, number, string]} */
function whereabouts(waters, now, id) {
  const large = kindOf(id) === "helmsman";
  for (const boat of now.boats) {
    const k = boat.seats.indexOf(id);
    if (k >= 0) return [...waters.seat(boat, k, large), boat.where === "landed" ? "ashore" : "aboard"];
  }
  const crew = now.crews.find(({ between }) => between?.id === id);
  const left = now.boats.find(({ lane }) => lane === crew?.between?.lane);
  if (left) return [...waters.seat(left, -1), "between"];
  const spot = now.afloat[id] ?? now.drowned[id];
  if (spot) {
    const boat = now.boats.find(({ lane }) => lane === spot.lane) ?? now.boats[0];
    const [x, y] = boat ? waters.seat(boat, spot.seat, large) : [0, 0];
    return id in now.afloat ? [x, y + 26 * waters.scale, "afloat"] : [x, y + 52 * waters.scale, "drowned"];
  }
  const own = now.crews.findIndex((each) => each.crew === crewOf(id));
  return [waters.frame.x + (waters.frame.ship - waters.frame.x) * 0.4, waters.frame.top + waters.frame.head + (own + 0.7) * waters.depth, "deck"];
}

/** A splash, and the hat that stays for a moment. @param {Waters} waters @param {Scene} now @param {string} id */
function fallen(waters, now, id) {
  const [x, y] = whereabouts(waters, now, id);
  return svg`<g aria-hidden="true">${splash(x, y - 10 * waters.scale)}<g transform=${`translate(${x} ${y}) scale(${0.62 * waters.scale})`}><g class="sqp-floats">${hat(kindOf(id))}</g></g></g>`;
}

/** A vote goes from its dial to the boat it names, once all are turned. @param {Desk} desk @param {Waters} waters @param {Scene} now @param {import("./scene.js").Crew} crew @param {number} i */
function ballot(desk, waters, now, { crew, dial }, i) {
  const players = now.crews.length;
  const lane = dial.state === "shown" ? dial.vote?.lane : undefined;
  const boat = now.boats.find((each) => each.lane === lane);
  const before = now.crews.slice(0, i).filter((each) => each.dial.state === "shown" && each.dial.vote?.lane === lane).length;
  const [dx, dy, k] = dialAt(desk.shape, i, players);
  const [bx, by] = boat ? waters.at(boat.lane, boat.row) : [0, 0];
  return svg`<g class=${`sqp-ballot moves ${boat ? "out" : "home"}`} ${boat ? place(bx + (12 + before * 25) * waters.scale, by - 6 * waters.scale, 0.27 * waters.scale) : place(dx, dy, 0.5 * k)}>${token(hue(crew))}</g>`;
}

/** A boat that may be touched: the whole lane is a thumb wide. @param {Desk} desk @param {Waters} waters @param {Scene} look @param {number} lane */
function target(desk, waters, look, lane) {
  const { choice } = desk;
  if (!choice?.offers("lane", lane)) return nothing;
  const boat = look.boats.find((each) => each.lane === lane);
  if (!boat) return nothing;
  const on = choice.touchedValue("lane") === lane;
  const [x, y] = waters.at(lane, boat.row);
  const s = waters.scale;
  const touch = () => desk.pick("lane", lane);
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    touch();
    lead(event, ".act .primary:not([disabled]), [data-person]:not([disabled])");
  };
  const { left, beach } = waters.frame;
  return svg`<g class=${`sqp-target ${on ? "on" : ""}`} role="button" tabindex="0" aria-pressed=${on ? "true" : "false"} aria-label=${name("lane", lane)} data-boat=${lane} @click=${touch} @keydown=${press}>
    <rect class="reach" x=${left - 20} y=${y + 19 * s - waters.depth + 1} width=${beach - left + 40} height=${waters.depth - 2} />
    <rect class="frame" x=${x - 158 * s} y=${y - 72 * s} width=${328 * s} height=${93 * s} rx=${20 * s} /></g>`;
}

// -- the hand ---------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function hand(desk) {
  const now = /** @type {Scene} */ (/** @type {any} */ (desk.scene));
  const mine = now.crews?.find(({ seat }) => seat === desk.seat);
  if (!mine || now.phase === "over") return nothing;
  const { choice } = desk;
  const naming = choice ? choice.values("crew").length > 0 : now.fullBoat !== null;
  return html`<div class=${`sqp-hand ${hue(mine.crew)}`}>
    ${naming ? crewButtons(desk, now) : choice || desk.talk ? laneButtons(desk, now, mine) : nothing}
    <div class="second">${second(desk, now, mine)}
      ${desk.talk ? html`<button class="quiet parley" @click=${() => parley(desk)}>${_("Offer…")}</button>` : nothing}</div>
  </div>`;
}

/** @param {Desk} desk @param {Scene} now @param {import("./scene.js").Crew} mine */
function laneButtons({ choice, pick }, now, mine) {
  return html`<div class="lanes" role="group" aria-label=${_("The boats")}>${now.boats.map(({ lane, where }) => {
    const on = choice ? choice.touchedValue("lane") === lane : mine.dial.vote?.lane === lane;
    return html`<button class=${`lane ${on ? "on" : ""} ${where}`} ?disabled=${!choice?.offers("lane", lane)} aria-pressed=${on ? "true" : "false"} aria-label=${name("lane", lane)} data-lane=${lane}
      @click=${(/** @type {Event} */ event) => {
        pick("lane", lane);
        lead(event, ".act .primary:not([disabled]), [data-person]:not([disabled])");
      }}><b>${lane}</b><small>${name("boat", lane)}</small></button>`;
  })}</div>`;
}

/** Who may be named to go overboard, with their people in the full boat. @param {Desk} desk @param {Scene} now */
function crewButtons(desk, now) {
  const { choice } = desk;
  const seats = now.boats.find(({ lane }) => lane === now.fullBoat)?.seats ?? [];
  const there = now.crews.filter(({ crew }) => (choice ? choice.offers("crew", crew) : seats.some((id) => id && crewOf(id) === crew)));
  const voted = now.crews.find(({ seat }) => seat === desk.seat)?.dial.vote?.crew;
  return html`<div class="lanes named" role="group" aria-label=${_("The crews aboard")}>${there.map(({ crew, seat }) => {
    const people = seats.filter((id) => id && crewOf(id) === crew);
    const on = choice ? choice.touchedValue("crew") === crew : voted === crew;
    return html`<button class=${`lane ${on ? "on" : ""}`} ?disabled=${!choice?.offers("crew", crew)} aria-pressed=${on ? "true" : "false"} data-crew=${crew}
      aria-label=${capital(name("crew", crew))} @click=${(/** @type {Event} */ event) => {
        desk.pick("crew", crew);
        lead(event, ".act .primary:not([disabled])");
      }}><svg viewBox=${`0 -40 ${Math.max(1, people.length) * 60} 76`} aria-hidden="true">${people.map((id, k) => svg`<g transform=${`translate(${30 + k * 60} 4) scale(0.5)`}>${person(crew, kindOf(id ?? ""), numberOf(id ?? ""))}</g>`)}</svg>
      <small>${seat === desk.seat ? _("You") : desk.name(seat)}</small></button>`;
  })}</div>`;
}

/** Below the boats: which person, the cap, or how one stands. @param {Desk} desk @param {Scene} now @param {import("./scene.js").Crew} mine */
function second(desk, now, mine) {
  const { choice } = desk;
  if (choice && choice.values("person").length) return personButtons(desk, now, mine, choice);
  if (choice && (choice.offers("kind", "vote") || choice.offers("kind", "cap"))) {
    const on = choice.touchedValue("kind") === "cap";
    return html`<button class=${`wide-card ${on ? "on" : ""}`} ?disabled=${!choice.offers("kind", "cap")} aria-pressed=${on ? "true" : "false"} data-cap @click=${(/** @type {Event} */ event) => {
      desk.pick("kind", "cap");
      lead(event, ".act .primary:not([disabled])");
    }}><svg viewBox="-44 -40 88 66" aria-hidden="true">${cap()}</svg><span>${_("Captain’s cap")} <small>${ngettext("{count} token", "{count} tokens", mine.tokens)}</small></span></button>`;
  }
  if (!choice && mine.dial.state === "cast" && mine.dial.vote) {
    return html`<p class="standing"><svg viewBox="-32 -32 64 64" aria-hidden="true"><g class="sqp-dial"><circle class=${`crew ${hue(mine.crew)}`} r="30" /><circle class="window" r="21" />${voteSign(mine.dial.vote)}</g></svg>${_("Your vote is sealed.")}</p>`;
  }
  const seats = (/** @type {string} */ where) => now.boats.filter((boat) => boat.where === where).flatMap((boat) => boat.seats).filter((id) => id && crewOf(id) === mine.crew).length;
  const drowned = Object.keys(now.drowned).filter((id) => crewOf(id) === mine.crew).length;
  const [sailing, ashore] = [seats("at-sea") + (mine.between ? 1 : 0), seats("landed")];
  const told = [
    sailing ? _("{count} at sea", { count: sailing }) : "",
    ashore ? _("{count} ashore", { count: ashore }) : "",
    drowned ? ngettext("{count} drowned", "{count} drowned", drowned) : "",
  ].filter(Boolean);
  return html`<p class="standing"><svg viewBox="-56 -56 112 112" aria-hidden="true">${token(hue(mine.crew))}</svg><span><b>${capital(name("crew", mine.crew))}</b> <span class="told">${told.join(" · ")}</span></span></p>`;
}

/** @param {Desk} desk @param {Scene} now @param {import("./scene.js").Crew} mine @param {Choice} choice */
function personButtons(desk, now, mine, choice) {
  const placing = choice.offers("kind", "place");
  return ["sailor", "helmsman"].map((kind) => {
    const on = choice.touchedValue("person") === kind || (choice.action !== null && choice.settled["person"] === kind);
    const waiting = now.deck.filter((id) => crewOf(id) === mine.crew && kindOf(id) === kind).length;
    return html`<button class=${`wide-card ${on ? "on" : ""}`} ?disabled=${!choice.offers("person", kind)} aria-pressed=${on ? "true" : "false"} data-person=${kind} @click=${(/** @type {Event} */ event) => {
      desk.pick("person", kind);
      lead(event, choice.touchedValue("lane") === undefined ? "[data-lane]:not([disabled])" : ".act .primary:not([disabled])");
    }}><svg viewBox="-80 -80 160 156" aria-hidden="true">${person(mine.crew, kind)}</svg><span>${kind === "sailor" ? _("Sailor") : _("Helmsman")} ${placing ? html`<small>× ${waiting}</small>` : nothing}</span></button>`;
  });
}

// -- the words --------------------------------------------------------------------------------------------------------

/** @param {Choice} choice @param {import("/page/contract.js").Scene} now */
function ask(choice, now) {
  const kind = choice.settled["kind"];
  const boat = name("boat", now["fullBoat"]);
  if (choice.action !== null) return meant(choice, now) || capital(local(choice.cards[choice.action] ?? { fr: "", en: "" })) + ".";
  if (choice.offers("kind", "place")) return choice.touchedValue("lane") !== undefined ? _("A sailor or a helmsman?") : choice.touchedValue("person") ? _("Into which boat?") : _("Put somebody aboard: who, and where?");
  if (kind === "leave") return choice.touchedValue("lane") !== undefined ? _("A sailor or a helmsman?") : _("Somebody must change boats: who?");
  if (kind === "board") return _("Your swimmer boards another boat: which?");
  if (kind === "decide") return choice.values("crew").length ? _("The last word is yours: who goes overboard?") : now["phase"] === "leak" ? _("The last word is yours: which boat gets the leak?") : _("The last word is yours: which boat advances?");
  if (now["phase"] === "overboard") return _("{boat} is full: who goes overboard?", { boat });
  return now["phase"] === "leak" ? _("In secret: which boat gets a leak?") : _("In secret: which boat advances?");
}

/** What a vote or the last word would do: “vote for Babette” alone does not tell what she would get. @param {Choice} choice @param {import("/page/contract.js").Scene} now */
function meant({ settled: { kind, lane, crew } }, now) {
  if (kind === "cap") return _("The cap: if it is the only one, you decide.");
  if (kind !== "vote" && kind !== "decide") return "";
  const fields = { lane: name("lane", lane), crew: name("crew", crew) };
  const does = crew ? _("{crew} lose somebody.", fields) : now["phase"] === "leak" ? _("the leak for {lane}.", fields) : _("{lane} advances.", fields);
  return kind === "vote" ? _("Your vote: {does}", { does }) : _("You decide: {does}", { does });
}

/** @param {Choice} choice */
function verb(choice) {
  /** @type {Record<string, string>} */
  const verbs = { place: _("Put aboard"), vote: _("Vote"), cap: _("Show the cap"), decide: _("Decide"), leave: _("Take out"), board: _("Board") };
  return verbs[choice.settled["kind"]] ?? _("Vote");
}

/** @param {Choice} choice @param {import("/page/contract.js").Scene} now */
function rule(choice, now) {
  const kind = choice.settled["kind"] ?? "vote";
  if (kind === "cap") return "S7";
  if (kind === "decide") return now["byRule"] ?? "S9";
  if (kind === "vote") return { leak: "S11", overboard: "S12", advance: "S14" }[/** @type {"leak"} */ (now["phase"])] ?? "S6";
  return { place: "S5", leave: "S16", board: "S17" }[/** @type {"place"} */ (kind)] ?? "";
}

// -- the score sheet --------------------------------------------------------------------------------------------------

/** @param {import("/page/contract.js").View} view @param {(seat: number) => string} who */
function sheet(view, who) {
  const ranked = [...view["crews"]].sort((a, b) => b.points - a.points);
  const landed = view["boats"].filter((/** @type {any} */ boat) => boat.where === "landed");
  const ashore = (/** @type {string} */ crew, /** @type {string} */ island) =>
    landed.filter((/** @type {any} */ boat) => boat.island === island && boat.people[crew])
      .reduce((/** @type {number[]} */ [sailors = 0, helmsmen = 0, points = 0], /** @type {any} */ { people, worth }) => {
        const here = people[crew];
        return [sailors + here.sailors, helmsmen + here.helmsmen, points + here.sailors * worth.sailor + here.helmsmen * worth.helmsman];
      }, [0, 0, 0]);
  const people = (/** @type {string} */ crew, /** @type {number} */ sailors, /** @type {number} */ helmsmen) => html`<span class="unseen">${_("sailors: {sailors}, helmsmen: {helmsmen}", { sailors, helmsmen })}</span>
    <span class="sqp-counted" aria-hidden="true">${[["helmsman", helmsmen], ["sailor", sailors]].map(([kind, number]) => (number ? html`<span><svg class=${`mini ${kind}`} viewBox=${kind === "helmsman" ? "-80 -80 160 156" : "-56 -80 112 156"}>${person(crew, String(kind))}</svg>${number}</span>` : nothing))}</span>`;
  const titles = /** @type {Record<string, string>} */ ({ left: _("left"), centre: _("centre"), right: _("right") });
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${_("Score sheet")}><table class="sheet-table sqp-sheet">
    <caption class="unseen">${_("Score sheet")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th>${["left", "centre", "right"].map((island) => html`<th scope="col">${titles[island]}</th>`)}<th scope="col"><span class="unseen">${_("drowned")}</span><svg class="mini" viewBox="-46 -64 92 60" aria-hidden="true">${hat("sailor")}<path class="sqp-ripple" d="M-40-12q10-9 20 0t20 0t20 0t20 0" /></svg></th><th scope="col">${_("total")}</th></tr></thead>
    <tbody>${ranked.map(({ crew, seat, points, drowned }) => html`<tr class=${points === ranked[0].points ? "winner" : ""}>
      <th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(hue(crew))}</svg> ${who(seat)}</th>
      ${["left", "centre", "right"].map((island) => {
        const [sailors = 0, helmsmen = 0, worth = 0] = ashore(crew, island);
        return html`<td>${sailors + helmsmen ? html`${people(crew, sailors, helmsmen)}<b>${worth}</b>` : "·"}</td>`;
      })}
      <td>${drowned.sailors + drowned.helmsmen || "·"}</td><td class="sum">${points}</td></tr>`)}</tbody></table></div>`;
}

/** @type {import("/page/contract.js").Board} */
export const board = { size: { wide: [1200, 680], tall: [720, 800] }, scene, step, eve: (first) => ({ ...first, baton: null }), draw, hand, ask, verb, rule, foresee, sheet, offer, kept };
