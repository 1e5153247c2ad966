/** Since your last turn: what happened while you waited or were away, in words and small moving pictures. */
import { app } from "../app.js";
import { html, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { Picture } from "../picture.js";
import { plainBoard } from "../plain.js";
import { _, ngettext } from "../words.js";
import { reason } from "./lines.js";

/** @typedef {import("../contract.js").GameEvent} GameEvent */

export class Recap {
  open = false;
  /** @type {WeakMap<GameEvent[], {before: any, after: any, seat: number}>} how the board looked, of what was seen here */
  seen = new WeakMap();
  /** @type {Map<GameEvent[], Picture>} drawn since the recap was opened */
  pictures = new Map();

  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  /** Something happened on this screen. @param {GameEvent[]} events @param {any} before @param {any} after @param {number} seat */
  note(events, before, after, seat) {
    if (events.length && before && after) this.seen.set(events, { before, after, seat });
  }

  /** What happened since our last decision, update by update. @returns {GameEvent[][]} */
  get turns() {
    const { table, stage } = this.screen;
    const own = table.log.findLastIndex(({ kind, by }) => kind === "act" && by !== undefined && by === table.guest);
    const unseen = stage?.unseen;
    return table.log
      .slice(own + 1)
      .map(({ events }) => events ?? [])
      .filter((events) => events.some((event) => !unseen?.has(event) && !stage?.wordless(event)));
  }

  show = () => {
    this.open = true;
    app.redraw();
  };

  close = () => {
    this.open = false;
    for (const picture of this.pictures.values()) picture.stop();
    this.pictures.clear();
    app.redraw();
  };

  /** The button that opens it, if something happened; it replaces the previous line, so that nothing jumps. */
  strip() {
    const count = this.turns.length;
    const label = ngettext("Since your last turn: {count} turn", "Since your last turn: {count} turns", count);
    return html`<p class="before">${count && this.screen.table.guest !== null ? html`<button class="since" @click=${this.show}><span>${label}</span></button>` : nothing}</p>`;
  }

  /** @param {GameEvent[]} events */
  picture(events) {
    const seen = this.seen.get(events);
    const { board } = this.screen;
    if (!seen || !board || board === plainBoard) return null;
    const known = this.pictures.get(events);
    if (known) return known;
    const picture = new Picture({ ...seen, events, options: {}, fr: "", en: "" }, board, app.redraw);
    picture.stage.put(seen.after, seen.seat);
    this.pictures.set(events, picture);
    return picture;
  }

  /** @param {GameEvent[]} events */
  turn(events) {
    const { table, stage } = this.screen;
    const lines = events.filter((event) => !stage?.wordless(event)).map((event) => html`<p>${table.narrate(event)}</p>${reason(event)}`);
    const picture = this.picture(events);
    if (!picture) return html`<li>${lines}</li>`;
    return html`<li><button class="replayed" aria-label=${_("Show again")} @click=${() => picture.play()}>${picture.render("wide")}</button><div>${lines}</div></li>`;
  }

  render() {
    if (!this.open) return nothing;
    return html`<dialog class="sheet recap" aria-labelledby="recap-title" @close=${this.close}
      ${modal}>
      <h2 id="recap-title">${_("Since your last turn")}</h2>
      <ol>${this.turns.map((events) => this.turn(events))}</ol>
      <button class="primary" @click=${this.close}>${_("Return to table")}</button>
    </dialog>`;
  }
}
