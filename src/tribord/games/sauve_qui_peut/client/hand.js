/** The controls under the thumb: boats or crews to choose from, which person, the cap; or how the crew is doing. */
import { lead } from "/page/app.js";
import { html, nothing, svg } from "/page/lit.js";
import { token } from "/page/drawing/pirate.js";
import { _, capital, name, ngettext } from "/page/words.js";
import { calledBy, voteSign } from "./crews.js";
import { parley } from "./offer.js";
import { cap, person } from "./people.js";
import { crewOf, kindOf, numberOf } from "./scene.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("/page/choice.js").Choice} Choice */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Crew} Crew */

const READY = ".act .primary:not([disabled])";

/** @param {Desk} desk */
export function hand(desk) {
  const now = /** @type {Scene} */ (/** @type {any} */ (desk.scene));
  const mine = now.crews?.find(({ seat }) => seat === desk.seat);
  if (!mine || now.phase === "over") return nothing;
  const { choice } = desk;
  const naming = choice ? choice.values("crew").length > 0 : now.fullBoat !== null;
  return html`<div class=${`sqp-hand ${mine.crew}`}>
    ${naming ? crewButtons(desk, now) : choice || desk.talk ? laneButtons(desk, now, mine) : nothing}
    <div class="second">${second(desk, now, mine)}
      ${desk.talk ? html`<button class="quiet parley" @click=${() => parley(desk)}>${_("Offer…")}</button>` : nothing}</div>
  </div>`;
}

/** Choose it, or hear why you can't. @param {Desk} desk @param {string} part @param {any} value @param {string} then where the keyboard goes on */
function touch(desk, part, value, then) {
  return (/** @type {Event} */ event) => {
    if (!desk.choice?.offers(part, value)) return desk.why(part, value);
    desk.pick(part, value);
    lead(event, then);
  };
}

/** @param {Desk} desk @param {Scene} now @param {Crew} mine */
function laneButtons(desk, now, mine) {
  const { choice } = desk;
  return html`<div class="lanes" role="group" aria-label=${_("The boats")}>${now.boats.map(({ lane, where }) => {
    const on = choice ? choice.touchedValue("lane") === lane : mine.dial.vote?.lane === lane;
    return html`<button class=${`lane ${on ? "on" : ""} ${where}`} aria-disabled=${choice?.offers("lane", lane) ? nothing : "true"} aria-pressed=${on ? "true" : "false"} aria-label=${name("lane", lane)} data-lane=${lane}
      @click=${touch(desk, "lane", lane, `${READY}, [data-person]:not([aria-disabled])`)}><b>${lane}</b><small>${name("boat", lane)}</small></button>`;
  })}</div>`;
}

/** Who may be named to go overboard, with their people in the full boat. @param {Desk} desk @param {Scene} now */
function crewButtons(desk, now) {
  const { choice } = desk;
  const seats = now.boats.find(({ lane }) => lane === now.fullBoat)?.seats ?? [];
  const there = now.crews.filter(({ crew }) => seats.some((id) => id && crewOf(id) === crew));
  const voted = now.crews.find(({ seat }) => seat === desk.seat)?.dial.vote?.crew;
  return html`<div class=${`lanes named ${there.length > 3 ? "many" : ""}`} role="group" aria-label=${_("The crews aboard")}>${there.map(({ crew, seat }) => {
    const people = seats.filter((id) => id && crewOf(id) === crew);
    const on = choice ? choice.touchedValue("crew") === crew : voted === crew;
    return html`<button class=${`lane ${on ? "on" : ""}`} aria-disabled=${choice?.offers("crew", crew) ? nothing : "true"} aria-pressed=${on ? "true" : "false"} data-crew=${crew}
      aria-label=${capital(name("crew", crew))} @click=${touch(desk, "crew", crew, READY)}><svg viewBox=${`0 -40 ${Math.max(1, people.length) * 60} 76`} aria-hidden="true">${people.map((id, k) => svg`<g transform=${`translate(${30 + k * 60} 4) scale(0.5)`}>${person(crew, kindOf(id ?? ""), numberOf(id ?? ""))}</g>`)}</svg>
      <small>${calledBy(desk, seat)}</small></button>`;
  })}</div>`;
}

/** Below the boats: which person, the cap, or how the crew is doing. @param {Desk} desk @param {Scene} now @param {Crew} mine */
function second(desk, now, mine) {
  const { choice } = desk;
  if (choice && choice.values("person").length) return personButtons(desk, now, mine, choice);
  if (choice && (choice.offers("kind", "vote") || choice.offers("kind", "cap"))) {
    const on = choice.touchedValue("kind") === "cap";
    return html`<button class=${`wide-card ${on ? "on" : ""}`} aria-disabled=${choice.offers("kind", "cap") ? nothing : "true"} aria-pressed=${on ? "true" : "false"} data-cap @click=${touch(desk, "kind", "cap", READY)}>
      <svg viewBox="-44 -40 88 66" aria-hidden="true">${cap()}</svg><span>${_("Captain’s cap")} <small>${mine.tokens ? ngettext("{count} token", "{count} tokens", mine.tokens) : _("no token left")}</small></span></button>`;
  }
  if (!choice && mine.dial.state === "cast" && mine.dial.vote) {
    return html`<p class="standing"><svg viewBox="-32 -32 64 64" aria-hidden="true"><g class="sqp-dial"><circle class=${`crew ${mine.crew}`} r="30" /><circle class="window" r="21" />${voteSign(mine.dial.vote)}</g></svg>${_("Your vote is sealed.")}</p>`;
  }
  return standing(now, mine);
}

/** @param {Scene} now @param {Crew} mine */
function standing(now, mine) {
  const seats = (/** @type {string} */ where) => now.boats.filter((boat) => boat.where === where).flatMap((boat) => boat.seats).filter((id) => id && crewOf(id) === mine.crew).length;
  const drowned = Object.keys(now.drowned).filter((id) => crewOf(id) === mine.crew).length;
  const [sailing, ashore] = [seats("at-sea") + (mine.between ? 1 : 0), seats("landed")];
  const looksOn = now.phase === "overboard" && now.fullBoat !== null && !now.targets.length && mine.dial.state === "idle";
  const counts = looksOn
    ? [_("Only the crews in {boat} vote.", { boat: name("boat", now.fullBoat) })]
    : [
        sailing ? _("{count} at sea", { count: sailing }) : "",
        ashore ? _("{count} ashore", { count: ashore }) : "",
        drowned ? ngettext("{count} drowned", "{count} drowned", drowned) : "",
      ].filter(Boolean);
  return html`<p class="standing"><svg viewBox="-56 -56 112 112" aria-hidden="true">${token(mine.crew)}</svg><span><b>${capital(name("crew", mine.crew))}</b> <span class="counts">${counts.join(" · ")}</span></span></p>`;
}

/** @param {Desk} desk @param {Scene} now @param {Crew} mine @param {Choice} choice */
function personButtons(desk, now, mine, choice) {
  const placing = choice.offers("kind", "place");
  return ["sailor", "helmsman"].map((kind) => {
    const on = choice.touchedValue("person") === kind || (choice.action !== null && choice.settled["person"] === kind);
    const waiting = now.deck.filter((id) => crewOf(id) === mine.crew && kindOf(id) === kind).length;
    const then = choice.touchedValue("lane") === undefined ? "[data-lane]:not([aria-disabled])" : READY;
    return html`<button class=${`wide-card ${on ? "on" : ""}`} aria-disabled=${choice.offers("person", kind) ? nothing : "true"} aria-pressed=${on ? "true" : "false"} data-person=${kind} @click=${touch(desk, "person", kind, then)}>
      <svg viewBox="-80 -80 160 156" aria-hidden="true">${person(mine.crew, kind)}</svg><span>${kind === "sailor" ? _("Sailor") : _("Helmsman")} ${placing ? html`<small>× ${waiting}</small>` : nothing}</span></button>`;
  });
}
