/** The matches of this device: those still going on, with whose turn it is, and finished ones to watch again. */
import { app, isArchived } from "../app.js";
import { allCredentials, finish, leave } from "../credentials.js";
import { Refused, ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _, ngettext } from "../words.js";

const SHOWN = 4; // of each list, before someone asks for all

/** @typedef {import("../credentials.js").Credentials} Credentials */
/** @typedef {import("../contract.js").TableInfo & {to_act: number[]}} ShownTable */

export class OwnMatches {
  /** @type {Map<string, ShownTable>} what the server says of the tables that go on */
  tables = new Map();
  /** @type {Set<string>} the lists shown completely */
  whole = new Set();

  /** Ask how the matches stand. One that is over is remembered as such and never asked for again. */
  async look() {
    await Promise.all(allCredentials().filter(({ over }) => !over).map((credentials) => this.ask(credentials)));
    app.redraw();
  }

  /** @param {Credentials} credentials */
  async ask({ table }) {
    try {
      const found = await ask(`/api/tables/${table}`);
      if (found.status === "over") finish(table);
      this.tables.set(table, found);
    } catch (error) {
      if (!(error instanceof Refused)) return;
      if (error.code === "no-such-table") leave(table); // deleted for its age
      if (isArchived(error)) finish(table); // it can only be read
    }
  }

  /** Whether a match waits for us. @param {Credentials} credentials */
  waits({ table, guest }) {
    const info = this.tables.get(table);
    return Boolean(info?.to_act.some((seat) => info.seats[seat]?.guest === guest && !info.seats[seat]?.rank));
  }

  /** Whose turn it is. @param {Credentials} credentials */
  state(credentials) {
    const info = this.tables.get(credentials.table);
    if (!info) return "";
    if (info.status === "open") {
      const free = info.seats.filter(({ guest, rank }) => guest === null && !rank).length;
      return free ? ngettext("{count} seat is still free.", "{count} seats are still free.", free) : _("Ready to start");
    }
    const alone = info.seats.filter(({ guest }) => guest === credentials.guest).length === 1;
    if (alone && this.waits(credentials)) return _("Your turn");
    const names = new Intl.ListFormat(settings.language).format(info.to_act.map((seat) => info.seats[seat]?.name ?? ""));
    return info.to_act.length > 1 ? _("{names} are choosing…", { names }) : info.to_act.length ? _("{names} is choosing…", { names }) : "";
  }

  /** @param {Credentials} credentials @param {string} address */
  line(credentials, address) {
    const title = app.house.games.find((game) => game.id === credentials.game)?.title ?? credentials.game;
    const when = new Intl.DateTimeFormat(settings.language, { dateStyle: "medium", timeStyle: "short" }).format(credentials.since);
    const state = credentials.over ? "" : this.state(credentials);
    const forget = () => {
      leave(credentials.table);
      app.redraw();
    };
    return html`<li class=${this.waits(credentials) ? "waits" : ""}>
      <a class="line" href=${address}><b>${title}</b> ${state ? html`<span class="state">${state}</span>` : nothing} <small>${credentials.code} · ${when}</small></a>
      <button class="quiet" @click=${forget} aria-label=${_("Forget table {code}", { code: credentials.code })}>✕</button>
    </li>`;
  }

  /** @param {string} id @param {string} title @param {Credentials[]} list @param {(credentials: Credentials) => string} address */
  section(id, title, list, address) {
    if (!list.length) return nothing;
    const shown = this.whole.has(id) ? list : list.slice(0, SHOWN);
    const rest = list.length - shown.length;
    const showAll = () => {
      this.whole.add(id);
      app.redraw();
    };
    return html`<section aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      <ul class="plain-list">${shown.map((credentials) => this.line(credentials, address(credentials)))}</ul>
      ${rest > 0 ? html`<button class="chip" @click=${showAll}>${ngettext("Show {count} more", "Show {count} more", rest)}</button>` : nothing}
    </section>`;
  }

  /** The matches still going on; those that wait for us come first. */
  running() {
    const list = allCredentials().filter(({ over }) => !over);
    return this.section("continue", _("Continue"), [...list.filter((one) => this.waits(one)), ...list.filter((one) => !this.waits(one))], ({ table }) => `#/table/${table}`);
  }

  /** What is over. */
  finished() {
    return this.section("replays", _("Finished games"), allCredentials().filter(({ over }) => over), ({ table }) => `#/replay/${table}`);
  }
}
