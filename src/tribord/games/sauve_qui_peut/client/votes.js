/** A vote in words: what it is about, and how it stands. */
import { _, name } from "/page/words.js";
import { calledBy } from "./crews.js";
import { shortened } from "./lettering.js";

/** @typedef {import("/page/contract.js").Desk} Desk */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Count} Count */
/** @typedef {{target: number | string, votes: number, hands: Count["hands"]}} Tally */

/** How the votes stand, by target, the most first. @param {Count} count @returns {Tally[]} */
export function talliesOf({ hands }) {
  /** @type {Map<number | string, Tally>} */
  const found = new Map();
  for (const hand of hands) {
    const target = hand.vote.lane ?? hand.vote.crew;
    if (target === undefined) continue;
    const tally = found.get(target) ?? { target, votes: 0, hands: [] };
    found.set(target, { ...tally, votes: tally.votes + hand.weight, hands: [...tally.hands, hand] });
  }
  return [...found.values()].sort((a, b) => b.votes - a.votes || (a.target < b.target ? -1 : 1));
}

/** @param {Desk} desk @param {Scene} now @param {number | string} target */
export function targetName(desk, now, target) {
  if (typeof target === "number") return name("boat", target);
  return calledBy(desk, now.crews.find(({ crew }) => crew === target)?.seat ?? -1);
}

/** “Babette 3 – Lison 1”. @param {Desk} desk @param {Scene} now @param {Tally[]} tallies */
export function tallyLine(desk, now, tallies) {
  return tallies.map(({ target, votes }) => `${shortened(targetName(desk, now, target), 150, 24)} ${votes}`).join(" – ");
}

/** The question before the table, for the whole room. @param {Desk} desk @param {Scene} now */
export function question(desk, now) {
  const decider = now.targets.length > 1 ? now.crews.find(({ crew }) => crew === now.turn) : undefined;
  if (decider) {
    const votes = now.count ? `${tallyLine(desk, now, talliesOf(now.count))} · ` : "";
    return votes + (decider.seat === desk.seat ? _("You decide!") : _("{name} decides!", { name: calledBy(desk, decider.seat) }));
  }
  switch (now.phase) {
    case "leak": return _("Which boat gets a leak?");
    case "overboard": return _("{boat} is full: who goes overboard?", { boat: name("boat", now.fullBoat) });
    case "advance": return _("Which boat advances?");
    case "leaving": return _("Changing boats: take someone out!");
    case "boarding": return _("Changing boats: back aboard!");
    case "over": return _("The end");
    default: return _("All aboard!");
  }
}
