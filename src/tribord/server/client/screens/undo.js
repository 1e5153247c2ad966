/**
 * Undo: take back your last decision and everything decided since. It says what would go first, if that's more than your
 * own decision; everyone else who owns a seat is asked, even while a bot plays for them.
 */
import { app, notice } from "../app.js";
import { sorry } from "../http.js";
import { html, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

/** @typedef {import("../table.js").Table} Table */
/** @typedef {NonNullable<NonNullable<Table["match"]>["undo"]>} Asked */

const LINES = 8; // of the lines that would go, the last ones

/** Decisions were taken back. */
export function announceUndo() {
  notice(_("Taken back. Any dice or draws will come out the same."));
}

/** The players who still have to agree. @param {Table} table @param {Asked} asked @returns {number[]} */
function toAnswer(table, asked) {
  const players = new Set((table.info?.seats ?? []).flatMap(({ guest }) => (guest === null ? [] : [guest])));
  return [...players].filter((player) => !asked.agreed.includes(player));
}

/** @param {Table} table @param {number[]} guests */
function named(table, guests) {
  return new Intl.ListFormat(settings.language).format(guests.map((guest) => table.nickname(guest)));
}

/** @param {Table} table @param {Asked} asked */
function wish(table, asked) {
  return _("{name} wants to take a choice back.", { name: table.nickname(asked.by) });
}

/** For the room: who wants to take a choice back, and who has to agree; "" if nobody does. @param {Table} table */
export function requestInWords(table) {
  const asked = table.match?.undo;
  if (!asked) return "";
  return `${wish(table, asked)} ${_("Waiting for: {names}.", { names: named(table, toAnswer(table, asked)) })}`;
}

export class Undo {
  /** @type {{place: number, seats: number[]} | null} what would be undone, while we are asked whether to */
  found = null;

  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  /** Ask for it; confirm first if it undoes more than our own last decision. */
  ask = async () => {
    const { table } = this.screen;
    try {
      this.found = await table.undoable();
    } catch (error) {
      return notice(sorry(error));
    }
    if (this.found.seats.length <= 1) this.take();
    app.redraw();
  };

  take = () => {
    this.close();
    void this.screen.table.send("undo");
  };

  close = () => {
    this.found = null;
    app.redraw();
  };

  /** Decisions were taken back: stop showing them. */
  taken() {
    const { stage, table, eyes, seat } = this.screen;
    const view = table.match?.views[String(eyes)];
    if (view) stage?.put(view, seat);
    this.found = null;
    announceUndo();
  }

  /** What happened from a place of the match on, line by line. @param {number} place */
  lines(place) {
    const { table, stage } = this.screen;
    const unseen = stage?.unseen;
    const events = table.since(place).filter((event) => !unseen?.has(event));
    if (!events.length) return nothing;
    return html`<ul class="undone" tabindex="0" aria-label=${_("What would be undone")}>${events.length > LINES ? html`<li>…</li>` : nothing}${events.slice(-LINES).map((event) => html`<li>${table.narrate(event)}</li>`)}</ul>`;
  }

  /** Whose decisions would be taken back beside ours. @param {number[]} seats */
  question(seats) {
    const { table } = this.screen;
    const others = [...new Set(seats.filter((seat) => !table.seats.includes(seat)))].map((seat) => table.called(seat));
    if (!others.length) return _("This takes back the last {count} choices on this device.", { count: seats.length });
    return _("This also takes back what others have chosen since: {names}.", { names: new Intl.ListFormat(settings.language).format(others) });
  }

  render() {
    const { found } = this;
    if (!found) return nothing;
    return html`<dialog class="sheet undo" aria-labelledby="undo-title" @close=${this.close}
      ${modal}>
      <h2 id="undo-title">${_("Take it back?")}</h2>
      <p>${this.question(found.seats)}</p>
      ${this.lines(found.place)}
      <p><small>${_("Any dice or draws will come out the same.")}</small></p>
      <div class="row"><button @click=${this.close}>${_("Keep it")}</button><button class="primary" @click=${this.take}>${_("Take it back")}</button></div>
    </dialog>`;
  }

  /** Someone asks to take a decision back: everyone who owns a seat is asked. */
  banner() {
    const { table } = this.screen;
    const { match, guest } = table;
    const asked = match?.undo;
    if (!asked) return nothing;
    const missing = toAnswer(table, asked);
    const answer = (/** @type {boolean} */ agree) => void table.send("undo", { agree });
    if (guest === asked.by) {
      return html`<div class="asked" role="status"><p>${_("You’ve asked to take your choice back. Waiting for: {names}.", { names: named(table, missing) })}</p>
        <button @click=${() => answer(false)}>${_("Keep my choice")}</button></div>`;
    }
    const mine = guest !== null && missing.includes(guest);
    return html`<div class="asked" role=${mine ? "alert" : "status"}><p>${mine ? wish(table, asked) : requestInWords(table)}</p>
      ${mine ? html`<button class="primary" @click=${() => answer(true)}>${_("Agree")}</button><button @click=${() => answer(false)}>${_("Refuse")}</button>
        <details><summary>${_("What would be undone")}</summary>${this.lines(asked.place)}</details>` : nothing}</div>`;
  }
}
