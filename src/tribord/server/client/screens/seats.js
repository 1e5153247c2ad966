/**
 * The seats: who plays, in which crew, whose turn it is, who is away. A tap on a seat shows what everyone may know about
 * that player; on the TV it's always there.
 */
import { announce, app } from "../app.js";
import { token } from "../drawing/pirate.js";
import { html, nothing, ref } from "../lit.js";
import { acts, involved } from "../narration.js";
import { rankName, rankWord } from "../ranks.js";
import { crewOf, spoken } from "../table.js";
import { _, capital, local, narration } from "../words.js";

const BUBBLE = 4000; // milliseconds a bubble stays, and a little more for each word

/**
 * @typedef {object} Screen what shows a table
 * @property {import("../table.js").Table} table
 * @property {import("../contract.js").Board | null} board
 * @property {import("../stage.js").Stage | null} stage
 * @property {number} eyes
 */

export class Seats {
  /** @type {number | null} the seat whose panel is open */
  open = null;
  /** @type {{view: import("../contract.js").View, acting: number[]}} */
  seen = { view: {}, acting: [] };

  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  /** The match as far as the stage has shown it: the seats never reveal what the board is about to show. */
  look() {
    const { table, stage, eyes } = this.screen;
    const { match } = table;
    const first = !Object.keys(this.seen.view).length; // nothing was shown yet, so nothing can be revealed too early
    if (match && (first || !stage?.busy)) this.seen = { view: match.views["-1"] ?? match.views[String(eyes)] ?? {}, acting: match.outcome ? [] : match.to_act };
    return this.seen;
  }

  /** Whose turn it is, as far as the stage has shown: while it plays a turn, that turn's player. @returns {number[]} */
  get acting() {
    const { stage } = this.screen;
    const deed = stage?.turn.findLast((event) => acts(event, narration()));
    const [actor] = deed ? involved(deed, narration()) : [];
    if (!stage?.busy) this.last = this.seen.acting;
    else if (actor !== undefined) this.last = [actor];
    return this.last;
  }

  /** @type {number[]} whose turn it was when we last looked: what only moves a pawn doesn't say who moves it */
  last = [];

  /** @param {number} seat */
  show(seat) {
    this.open = this.open === seat ? null : seat;
    app.redraw();
  }

  close = () => {
    const seat = this.open;
    this.open = null;
    app.redraw();
    /** @type {HTMLElement | null} */ (document.querySelector(`[data-seat="${seat}"]`))?.focus();
  };

  /** Notes about a seat beside its name. @param {import("../contract.js").Seat} held */
  state(held) {
    const { table, stage } = this.screen;
    const { seat, guest, rank } = held;
    const acting = !stage?.busy && this.acting.includes(seat);
    if (guest !== null && rank) return _("a bot is playing");
    if (guest !== null && table.away.has(guest)) return _("away");
    if (acting) return rank ? _("thinking…") : _("choosing…");
    if (rank) return rankWord(rank);
    return guest === table.guest && guest !== null ? _("you") : "";
  }

  /** The sign of a seat's crew, or of someone without one. @param {number} seat */
  sign(seat) {
    const { board } = this.screen;
    const { view } = this.seen;
    const own = (/** @type {any} */ crew) => crew.seat === seat;
    const crew = board?.crew?.(view, seat) ?? (Array.isArray(view["crews"]) ? view["crews"].find(own)?.crew : "") ?? "";
    return html`<svg class="mini" viewBox="-56 -58 112 116" aria-hidden="true">${token(crew, crew ? "" : "none")}</svg>`;
  }

  /** What everyone may know of a player. @param {number} seat @param {number} [most] lines, where there is little room */
  standing(seat, most) {
    const { board } = this.screen;
    const rows = (board?.standing?.(this.seen.view, seat) ?? []).slice(0, most);
    if (!rows.length) return nothing;
    return html`<dl class="standing">${rows.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  /** @param {import("../contract.js").Seat} held */
  marks(held) {
    const { table } = this.screen;
    const away = held.guest !== null && !held.rank && table.away.has(held.guest);
    const later = held.seat * 2 >= (table.info?.seats.length ?? 0); // in the second half of the row
    return `${this.acting.includes(held.seat) ? "acting" : ""} ${away ? "away" : ""} ${later ? "later" : ""}`;
  }

  /** A row of chips, for phones and laptops. */
  strip() {
    const { table } = this.screen;
    const { info } = table;
    if (!info) return nothing;
    this.look();
    return html`<ul class=${`seat-strip ${info.seats.length > 4 ? "many" : ""}`} aria-label=${_("Seats")}>
      ${info.seats.map(
        (held) => html`<li class=${this.marks(held)}>
          <div class="seat-spot"><button class="seat-chip" data-seat=${held.seat} aria-expanded=${this.open === held.seat ? "true" : "false"} aria-current=${this.acting.includes(held.seat) ? "true" : nothing} @click=${() => this.show(held.seat)}>
            ${this.sign(held.seat)}<span class="seat-name">${table.label(held.seat)}</span> <small>${this.state(held)}</small></button>${this.bubble(held)}</div>
          ${this.open === held.seat ? this.panel(held) : nothing}
        </li>`,
      )}
      ${this.visitors("li")}
    </ul>`;
  }

  /** What someone has just said, for as long as it takes to read it. @param {(update: import("../contract.js").Update) => boolean} by */
  saying(by) {
    const last = this.screen.table.log.findLast((past) => past.heard !== undefined && spoken(past) && by(past));
    const text = last ? (last.said.line ?? local(last.said)) : "";
    const left = (last?.heard ?? 0) + BUBBLE + 300 * text.split(" ").length - Date.now();
    if (!last || left <= 0) return null;
    if (!this.heard.has(last)) {
      this.heard.add(last);
      setTimeout(() => app.redraw(), left + 20); // then the bubble bursts
      announce(`${this.screen.table.nickname(last.by ?? 0)}: ${text}`);
    }
    return { text, by: last.by ?? 0 };
  }

  /** @type {WeakSet<import("../contract.js").Update>} */
  heard = new WeakSet();

  /** At the speaker's seat, or the first of several; an offer at its own seat. @param {import("../contract.js").Seat} held */
  bubble({ seat, guest }) {
    const first = this.screen.table.info?.seats.find((held) => held.guest === guest)?.seat;
    const said = guest === null ? null : this.saying((past) => past.by === guest && (past.said.seat ?? first) === seat);
    return said ? html`<p class="bubble">${said.text}</p>` : nothing;
  }

  /** Guests without a seat speak at the end of the row. @param {string} [within] */
  visitors(within = "") {
    const { table } = this.screen;
    const said = this.saying((past) => past.by !== null && past.by !== undefined && !table.sits(past.by));
    if (!said) return nothing;
    const bubble = html`<p class="bubble"><b>${table.nickname(said.by)}</b> ${said.text}</p>`;
    return within ? html`<li class="visitor">${bubble}</li>` : html`<div class="visitor">${bubble}</div>`;
  }

  /** What everyone may know of the player who was tapped. @param {import("../contract.js").Seat} held */
  panel(held) {
    const { table } = this.screen;
    const { seat, guest, rank } = held;
    const about = [crewOf(seat), guest === null && rank ? rankName(rank) : this.state(held)].filter(Boolean);
    return html`<section class="seat-panel" role="dialog" aria-labelledby="seat-panel-name" tabindex="-1" ${ref((panel) => this.arrive(/** @type {HTMLElement | undefined} */ (panel)))}>
      <div class="headline"><h2 id="seat-panel-name">${this.sign(seat)} ${table.name(seat)}</h2><button class="quiet close" aria-label=${_("Close")} @click=${this.close}>✕</button></div>
      ${about.length ? html`<p>${capital(about.join(" · "))}</p>` : nothing}
      ${this.standing(seat)}
    </section>`;
  }

  /** @type {HTMLElement | undefined} */
  shownPanel = undefined;

  /** Focus the panel when it opens. @param {HTMLElement | undefined} panel */
  arrive(panel) {
    if (panel && panel !== this.shownPanel) queueMicrotask(() => panel.focus());
    this.shownPanel = panel;
  }

  /** For the room: every seat with the first facts that everyone may know. @param {boolean} broad whether they stand in a row below the board */
  tv(broad) {
    const { table } = this.screen;
    const { info } = table;
    if (!info) return nothing;
    this.look();
    return html`<section class=${`tv-crew ${info.seats.length > 4 ? "many" : ""}`} aria-label=${_("Seats")}><ul>
      ${info.seats.map(
        (held) => html`<li class=${this.marks(held)}>
          ${this.sign(held.seat)}<b class="seat-name">${table.label(held.seat)}</b>
          <small>${this.state(held)}</small>${this.standing(held.seat, broad || info.seats.length > 4 ? 2 : 3)}${this.bubble(held)}
        </li>`,
      )}
    </ul>${this.visitors()}</section>`;
  }
}
