/** What everyone may know about a player: who of the crew lives and where, what was played, what is aside; the shortest first, for the TV. */
import { _, capital, name } from "/page/words.js";

/** @typedef {{slot: number, face: string, card?: string}} Laid */

/** @param {import("/page/contract.js").View} view @param {number} seat @returns {{label: string, value: string | number}[]} */
export function standing(view, seat) {
  const crew = (view["crews"] ?? []).find((/** @type {{seat: number}} */ one) => one.seat === seat);
  if (!crew) return [];
  const left = 3 - crew.dead;
  const where = crew.pirates.map((/** @type {number} */ count, /** @type {number} */ space) => (count ? `${count} ${name("space_on", space)}` : "")).filter(Boolean);
  const played = crew.cards.filter((/** @type {Laid} */ { face }) => face === "up").map((/** @type {Laid} */ { card }) => name("card", card));
  const hidden = crew.cards.length - played.length;
  return [
    { label: _("Pirates"), value: left },
    { label: _("Cards"), value: left ? 10 - crew.aside.length : 0 },
    ...(where.length ? [{ label: _("Where"), value: where.join(", ") }] : [{ label: _("Where"), value: _("in the rigging, watching") }]),
    ...(view["favour"] === crew.crew ? [{ label: _("The Captain’s Favour"), value: _("starts this round") }] : []),
    ...(played.length || hidden ? [{ label: _("This round"), value: [...played, ...(hidden ? [_("{hidden} face down", { hidden })] : [])].join(", ") }] : []),
    ...(crew.aside.length ? [{ label: capital(_("aside")), value: crew.aside.map((/** @type {string} */ card) => name("card", card)).join(", ") }] : []),
  ];
}

/** Whether a player has lost all three pirates and watches from the rigging. @param {import("/page/contract.js").View} view @param {number} seat */
export function out(view, seat) {
  return (view["crews"] ?? []).find((/** @type {{seat: number}} */ one) => one.seat === seat)?.dead === 3;
}
