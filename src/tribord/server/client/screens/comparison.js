/** What if: a match beside those that go on from it. Who got what, where they part, and what the chances were there. */
import { app, gameCard } from "../app.js";
import { credentialsAt } from "../credentials.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { crewOf } from "../table.js";
import { _, capital, local } from "../words.js";
import { percent } from "./hints.js";

/**
 * @typedef {{table: string, place: number, redealt: boolean, seat: number | null, names: string[], status: string, outcome: import("../contract.js").Outcome | null}} Branch
 * @typedef {{seat?: number, action?: string, chance?: string}} Line of a journal
 * @typedef {{names: string[], outcome: import("../contract.js").Outcome, journal: Line[]}} File
 */

export class Comparison {
  /** @type {File | null} the original */
  file = null;
  /** @type {Branch[]} */
  branches = [];
  /** @type {{values: {mean: number}[]}[]} everyone's chances in the original, if it was analysed */
  series = [];
  /** @type {Line[]} of the branch we are at */
  journal = [];
  /** @type {(import("../contract.js").ActionCard & {notation: string})[]} as match files write them */
  actions = [];

  /**
   * @param {string} original the table whose match the others go on from
   * @param {string} here the table we are at: that one, or a branch
   * @param {string} game
   */
  constructor(original, here, game) {
    this.original = original;
    this.here = here;
    this.game = game;
    void this.read();
  }

  async read() {
    const table = (/** @type {string} */ id) => `/api/tables/${encodeURIComponent(id)}`;
    try {
      const { branches, analysed } = await ask(`${table(this.original)}/branches`);
      if (!branches.length) return;
      const elsewhere = this.here !== this.original;
      const [file, analysis, own, known] = await Promise.all([
        ask(`${table(this.original)}/match`),
        analysed ? ask(`${table(this.original)}/analysis`) : null,
        elsewhere ? ask(`${table(this.here)}/match`) : null,
        elsewhere ? ask(`/api/games/${this.game}/actions`) : null,
      ]);
      Object.assign(this, { branches, file, series: analysis?.series ?? [], journal: own?.journal ?? [], actions: known?.actions ?? [] });
      app.redraw();
    } catch {
      // The original was deleted for its age: there is nothing to compare with.
    }
  }

  /** What someone, or chance, did there. @param {Line} line @param {string[]} names */
  said({ seat, action }, names) {
    if (seat === undefined) return _("chance decides");
    const card = this.actions.find(({ notation }) => notation === action);
    return _("{name} – {action}", { name: names[seat] || crewOf(seat), action: card ? local(card) : (action ?? "") });
  }

  /** Where the branch that we are at went another way. */
  parting() {
    const { file, journal } = this;
    const branch = this.branches.find(({ table }) => table === this.here);
    if (!file || !branch) return nothing;
    const place = journal.findIndex((line, at) => ["seat", "action", "chance"].some((part) => line[/** @type {"seat"} */ (part)] !== file.journal[at]?.[/** @type {"seat"} */ (part)]));
    const [then, now] = [file.journal[place], journal[place]];
    if (!then || !now) return html`<p>${_("Both games went the same way.")}</p>`;
    if (then.seat === undefined) return html`<p>${_("They differ from step {step} on: chance decided differently.", { step: place + 1 })}</p>`;
    return html`<p>${_("They differ from step {step} on.", { step: place + 1 })}</p>
      <ul><li>${_("Original game:")} ${this.said(then, file.names)}</li><li>${_("Here:")} ${this.said(now, branch.names)}</li></ul>`;
  }

  /** @param {Branch} branch */
  about({ seat, place, redealt, names, status }) {
    if (seat === null) return nothing;
    const had = this.series[place]?.values[seat]?.mean;
    const parts = [
      names.length > 1 ? _("{name} plays {crew}", { name: names[seat] ?? "", crew: crewOf(seat) || _("seat {seat}", { seat: seat + 1 }) }) : names[seat],
      redealt ? _("dealt again") : "",
      had === undefined ? "" : _("chance of winning there: {chance}", { chance: percent(had) }),
      status === "over" ? "" : _("still going on"),
    ];
    return html`<small>${parts.filter(Boolean).join(" · ")}</small>`;
  }

  /** How a match ended, by seat; all together where they win and lose so. @param {import("../contract.js").Outcome | null} outcome @param {boolean} together @param {number} players */
  ended(outcome, together, players) {
    if (together) return html`<td>${outcome ? (outcome.winners.length ? _("Won") : _("Lost")) : "–"}</td>`;
    return Array.from({ length: players }, (_none, seat) => {
      const wins = outcome?.winners.includes(seat);
      return html`<td class=${wins ? "winner" : ""}>${outcome?.scores[seat] ?? "–"}${wins ? html` <span role="img" aria-label=${_("wins")}>★</span>` : nothing}</td>`;
    });
  }

  render() {
    const { file, branches } = this;
    if (!file || !branches.length) return nothing;
    const together = gameCard(this.game).cooperative;
    const players = file.outcome.scores.length;
    const seats = Array.from({ length: players }, (_none, seat) => capital(crewOf(seat)) || _("Seat {seat}", { seat: seat + 1 }));
    const way = (/** @type {Branch} */ { table, status }) => `#/${status === "over" ? "replay" : credentialsAt(table) ? "table" : "watch"}/${table}`;
    const row = (/** @type {Branch} */ branch) => html`<tr aria-current=${branch.table === this.here ? "true" : nothing}><th scope="row"><a href=${way(branch)}>${_("From step {step}", { step: branch.place })}</a>${this.about(branch)}</th>${this.ended(branch.outcome, together, players)}</tr>`;
    return html`<section class="comparison" aria-labelledby="what-if">
      <h2 id="what-if">${_("What if…?")}</h2>
      ${this.parting()}
      <div class="parts" tabindex="0" role="region" aria-label=${_("The games side by side")}><table>
        <thead><tr><td></td>${together ? html`<th scope="col">${_("Result")}</th>` : seats.map((seat) => html`<th scope="col">${seat}</th>`)}</tr></thead>
        <tbody><tr aria-current=${this.here === this.original ? "true" : nothing}><th scope="row"><a href=${`#/replay/${this.original}`}>${_("Original game")}</a></th>${this.ended(file.outcome, together, players)}</tr>${branches.map(row)}</tbody>
      </table></div>
    </section>`;
  }
}
