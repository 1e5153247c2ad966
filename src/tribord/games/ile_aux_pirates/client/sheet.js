/** The score sheet, and what everyone may know about a player: who is home and who isn't; everyone wins or everyone loses. */
import { html, nothing } from "/page/lit.js";
import { _, name, ngettext } from "/page/words.js";
import { CASTLE, SHIP } from "./island.js";
import { token } from "/page/drawing/pirate.js";
import { CHILDREN, PIRATES, crewOf, figure, frame } from "./pawn.js";
import { COLOURS } from "./scene.js";
import { hatSign } from "./signs.js";

/** @typedef {import("/page/contract.js").View} View */

/** Where a pawn is, in words. @param {number} at */
export const where = (at) => (at === SHIP ? _("aboard") : at === CASTLE ? _("in the castle") : _("square {square}", { square: at }));

/** @param {View} view @param {string[]} pawns */
const aboard = (view, pawns) => pawns.filter((pawn) => view["pawns"][pawn] === SHIP);

/** What everyone may know about a player: in the strategic game their children, in the base game what all have saved. @param {View} view @param {number} seat */
export function standing(view, seat) {
  if (!view["pawns"]) return [];
  const children = CHILDREN.filter((pawn) => pawn in view["pawns"]);
  if (view["game"] !== "strategic") return [{ label: _("Saved together"), value: `${aboard(view, children).length}/${children.length}` }];
  const own = children.filter((pawn) => crewOf(pawn) !== "brown" && (view["players"] === 1 || crewOf(pawn) === COLOURS[seat]));
  const count = { label: _("Children aboard"), value: `${aboard(view, own).length}/${own.length}` };
  return view["players"] === 1 ? [count] : [count, ...own.map((pawn) => ({ label: name("pawn_name", pawn), value: where(view["pawns"][pawn]) }))];
}

/** The colour of a seat. @param {View} view @param {number} seat */
export function crew(view, seat) {
  return view["game"] === "strategic" && view["players"] > 1 ? (COLOURS[seat] ?? "") : "";
}

/** @param {View} view @param {(seat: number) => import("/page/contract.js").Drawn} who */
export function sheet(view, who) {
  const strategic = view["game"] === "strategic";
  const crews = strategic ? [...COLOURS, "brown"] : ["brown"];
  const children = CHILDREN.filter((pawn) => pawn in view["pawns"]);
  const owner = (/** @type {string} */ crew) => {
    const seat = COLOURS.indexOf(crew);
    if (!strategic) return _("Children");
    return crew === "brown" ? _("shared") : view["players"] === 1 ? who(0) : seat < view["players"] ? who(seat) : _("neutral");
  };
  const saved = aboard(view, children).length;
  const pirates = aboard(view, PIRATES);
  const force = pirates.reduce((sum, pirate) => sum + (view["forces"][pirate] ?? 0), 0);
  const mini = (/** @type {string} */ pawn, /** @type {number | null} */ value, placed = true) => html`<span class="who-where"><svg viewBox=${frame(pawn)} aria-hidden="true">${figure(pawn, value)}</svg><span>${name("pawn_name", pawn)}${placed ? html`, <span class="where">${where(view["pawns"][pawn])}</span>` : nothing}</span></span>`;
  return html`<div class="ile"><p class="together">${saved ? ngettext("{count} child of {all} is aboard.", "{count} children of {all} are aboard.", saved, { all: children.length }) : _("No child is aboard.")} ${!pirates.length ? _("No pirate is aboard.") : strategic ? _("The pirates aboard have force {force}.", { force }) : _("The pirate is aboard.")}</p>
    <table class="sheet-table ile-sheet"><caption class="unseen">${_("Who’s where")}</caption>
    <thead><tr><th scope="col">${_("Crew")}</th><th scope="col">${_("Who’s where")}</th><th scope="col">${_("Aboard")}</th></tr></thead>
    <tbody>${crews.map((crew) => {
      const all = children.filter((pawn) => crewOf(pawn) === crew);
      const home = aboard(view, all).length === all.length;
      return html`<tr class=${home ? "winner" : ""}><th scope="row"><svg class="mini" viewBox="-56 -56 112 112" aria-hidden="true">${token(crew)}</svg> ${owner(crew)}</th>
        <td>${all.map((pawn) => mini(pawn, null, !home))}</td><td class="sum">${aboard(view, all).length}/${all.length}</td></tr>`;
    })}
    <tr><th scope="row"><svg class="mini" viewBox="-20 -20 40 40" aria-hidden="true">${hatSign()}</svg> ${strategic ? _("Pirates") : _("Pirate")}</th><td>${Object.entries(view["forces"]).map(([pirate, value]) => mini(pirate, value))}</td><td class="sum">${strategic ? _("force {force}", { force }) : `${pirates.length}/1`}</td></tr>
    </tbody></table></div>`;
}
