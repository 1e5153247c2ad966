/** The company: a dialog with the people at this table, who is away, and what you can do. */
import { app, invitation, notice } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { remember } from "../names.js";
import { rankWord } from "../ranks.js";
import { MUTED } from "../table.js";
import { _, capital } from "../words.js";

export class CompanyDialog {
  open = false;
  /** The link with which another device takes our seat, once. */
  transfer = "";
  /** @type {{guest: number, what: "remove" | "report"} | null} what is asked about a guest before it is done */
  asking = null;
  /** @type {Set<number>} the guests we have reported */
  reported = new Set();

  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  show() {
    this.open = true;
    this.transfer = "";
    this.asking = null;
    app.redraw();
  }

  close = () => {
    this.open = false;
    this.transfer = "";
    app.redraw();
  };

  /** @param {import("../contract.js").Seat} held */
  seat(held) {
    const { table } = this.screen;
    const { seat, guest, rank } = held;
    const mine = guest !== null && guest === table.guest;
    const away = guest !== null && table.away.has(guest);
    const playing = table.info?.status === "playing";
    const state = guest === null ? (rank ? `${_("bot")} · ${rankWord(rank)}` : _("free")) : [rank ? _("a bot is playing") : away ? _("away") : "", this.silent(guest)].filter(Boolean).join(" · ");
    const replaced = () => void table.send("replace", { seat });
    return html`<li>
      <span><b>${capital(table.who(seat))}</b> <small>${state}</small></span>
      ${playing && mine && rank ? html`<button @click=${() => table.send("reclaim", { seat })}>${_("Take over")}</button>` : nothing}
      ${playing && mine && !rank ? html`<button class="chip" @click=${replaced}>${_("Use a bot")}</button>` : nothing}
      ${playing && !mine && guest !== null && !rank && table.mayHost && table.longAway(guest) ? html`<button class="chip" @click=${replaced}>${_("Use a bot")}</button>` : nothing}
      ${guest === null ? nothing : this.powers(guest)}
    </li>`;
  }

  /** When a bot can replace the others, for people who look for the button. */
  whenBots() {
    const { info, guest, mayHost } = this.screen.table;
    const others = (info?.seats ?? []).some((held) => held.guest !== null && held.guest !== guest && !held.rank);
    return info?.status === "playing" && mayHost && others ? html`<p><small>${_("If someone is away for a minute, you can let a bot play for them.")}</small></p>` : nothing;
  }

  /** @param {number} guest */
  silent(guest) {
    return this.screen.table.muted(guest) ? _("muted") : "";
  }

  /** Ask for confirmation; the focus goes along, and back to the row. @param {{guest: number, what: "remove" | "report"} | null} asked */
  ask(asked) {
    const at = asked ? ".removing" : `[data-guest="${this.asking?.guest}"] button`;
    this.asking = asked;
    app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(at))?.focus()));
  }

  /** Our options about someone else: the host mutes and removes, everyone can report. @param {number} guest */
  powers(guest) {
    const { table } = this.screen;
    if (table.guest === null || guest === table.guest) return nothing;
    if (this.asking?.guest === guest) return this.asking.what === "remove" ? this.remove(guest) : this.report(guest);
    const muted = table.muted(guest);
    return html`<div class="powers" data-guest=${guest}>
      ${table.host ? html`<button class="chip" @click=${() => table.send("mute", { guest, muted: !muted })}>${muted ? _("Unmute") : _("Mute")}</button>` : nothing}
      ${table.host ? html`<button class="chip" @click=${() => this.ask({ guest, what: "remove" })}>${_("Remove")}</button>` : nothing}
      ${this.reported.has(guest) ? html`<small>${_("reported")}</small>` : html`<button class="chip quiet" @click=${() => this.ask({ guest, what: "report" })}>${_("Report…")}</button>`}
    </div>`;
  }

  /** The host can send someone away, and is asked first. @param {number} guest */
  remove(guest) {
    const { table } = this.screen;
    const remove = () => {
      this.ask(null);
      void table.send("remove", { guest });
    };
    const name = table.nickname(guest);
    const question = table.info?.status === "playing" && table.sits(guest) ? _("Remove {name} for good? A bot takes over.", { name }) : _("Remove {name} from this table?", { name });
    return html`<div class="removing" role="alert" tabindex="-1"><p>${question}</p>
      <button class="chip" @click=${remove}>${_("Remove")}</button>${this.no()}</div>`;
  }

  /** Ask for the reason of a report to the server's operator. @param {number} guest */
  report(guest) {
    const { table } = this.screen;
    const report = async (/** @type {string} */ reason) => {
      this.ask(null);
      if (!(await table.send("report", { guest, reason }))) return;
      this.reported.add(guest);
      notice(_("Thanks! The person who runs this server will see your report."));
    };
    const reasons = [["nickname", _("Their name")], ["talk", _("What they say")], ["behaviour", _("How they behave")]];
    return html`<div class="removing" role="alert" tabindex="-1"><p>${_("Report {name} to the person who runs this server? Choose a reason:", { name: table.nickname(guest) })}</p>
      ${reasons.map(([reason = "", said]) => html`<button class="chip" @click=${() => report(reason)}>${said}</button>`)}${this.no()}</div>`;
  }

  no() {
    return html`<button class="chip quiet" @click=${() => this.ask(null)}>${_("Cancel")}</button>`;
  }

  /** @param {Event} event */
  rename = (event) => {
    event.preventDefault();
    const field = /** @type {any} */ (event.target).elements.nickname;
    const nickname = field.value.trim();
    if (!nickname) return;
    remember(nickname);
    void this.screen.table.send("rename", { nickname });
  };

  /** A code for another device. It works once, and then this device has no secret any more. */
  offerTransfer = async () => {
    const { table } = this.screen;
    const { transfer } = await ask(`/api/tables/${table.id}/transfers`, { secret: table.credentials?.secret ?? "", body: {} });
    this.transfer = invitation(`transfer/${table.id}/${transfer}`);
    app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector(".transfer")?.scrollIntoView({ block: "nearest" })));
  };

  undo = () => {
    this.close();
    void this.screen.undo.ask();
  };

  render() {
    if (!this.open) return nothing;
    const { table } = this.screen;
    const info = table.info;
    if (!info) return nothing;
    return html`<dialog
      class="sheet company"
      aria-labelledby="company-title"
      ${modal}
      @close=${this.close}
    >
      <h2 id="company-title">${_("Table")} <span class="code">${info.code}</span></h2>
      <ul class="company-seats">${info.seats.map((held) => this.seat(held))}
        ${info.guests.filter(({ guest }) => !table.sits(guest)).map(({ guest, nickname }) => html`<li><span><b>${nickname}</b> <small>${[_("without a seat"), this.silent(guest)].filter(Boolean).join(" · ")}</small></span>${this.powers(guest)}</li>`)}</ul>
      ${this.whenBots()}
      ${info.status === "playing" && table.seats.length && !table.match?.undo ? html`<button @click=${this.undo}>${_("Take back my choice")}</button>` : nothing}
      ${table.guest === null
        ? nothing
        : html`${table.muted(table.guest)
              ? html`<p role="status">${MUTED()}</p>`
              : html`<form class="say" @submit=${this.rename}>
              <label class="field"><span>${_("Your name")}</span><input name="nickname" maxlength="24" autocomplete="nickname" .value=${table.nickname(table.guest)} /></label>
              <button>${_("Rename")}</button>
            </form>`}
            ${this.transfer
              ? html`<div class="transfer"><p>${_("Point the other device’s camera here within ten minutes. It gets your seat. This one just watches.")}</p>
                  <img class="qr" width="200" height="200" alt=${_("QR code that moves your seat to another device")} src=${`/page/qr.svg?text=${encodeURIComponent(this.transfer)}`} /></div>`
              : html`<button @click=${this.offerTransfer}>${_("Change device")}</button>`}`}
      <div class="row">
        <a class="button" href=${`#/tv/${info.id}`} target="_blank">${_("Show on TV")}</a>
        <button class="primary" @click=${this.close}>${_("Done")}</button>
      </div>
    </dialog>`;
  }
}
