/** The company: who sits at this table and who is away, and what may be done about it. A dialog. */
import { app, invitation } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { remember } from "../names.js";
import { rankWord } from "../ranks.js";
import { _, capital } from "../words.js";

export class CompanyDialog {
  open = false;
  /** The link with which another device takes our place, once. */
  transfer = "";
  /** @type {number | null} the guest of whom is asked whether to remove them */
  removing = null;

  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  show() {
    this.open = true;
    this.transfer = "";
    this.removing = null;
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
    const state = guest === null ? (rank ? `${_("bot")} · ${rankWord(rank)}` : _("free")) : rank ? _("a bot plays on") : away ? _("away") : "";
    const replaced = () => void table.send("replace", { seat });
    return html`<li>
      <span><b>${capital(table.who(seat))}</b> <small>${state}</small></span>
      ${playing && mine && rank ? html`<button @click=${() => table.send("reclaim", { seat })}>${_("Take my seat back")}</button>` : nothing}
      ${playing && mine && !rank ? html`<button class="chip" @click=${replaced}>${_("Let a bot play for me")}</button>` : nothing}
      ${playing && !mine && guest !== null && !rank && table.mayHost && table.longAway(guest) ? html`<button class="chip" @click=${replaced}>${_("Let a bot play on")}</button>` : nothing}
      ${guest === null ? nothing : this.remove(guest)}
    </li>`;
  }

  /** Why there is no bot to be had for the others, for those who might look for one. */
  whenBots() {
    const { info, guest, mayHost } = this.screen.table;
    const others = (info?.seats ?? []).some((held) => held.guest !== null && held.guest !== guest && !held.rank);
    return info?.status === "playing" && mayHost && others ? html`<p><small>${_("If someone is away for a minute, you can let a bot play for them.")}</small></p>` : nothing;
  }

  /** The host can send somebody away, and is asked first. @param {number} guest */
  remove(guest) {
    const { table } = this.screen;
    if (!table.host || guest === table.guest) return nothing;
    const put = (/** @type {number | null} */ asked) => {
      this.removing = asked;
      app.redraw();
    };
    const remove = () => {
      put(null);
      void table.send("remove", { guest });
    };
    if (this.removing !== guest) return html`<button class="chip" @click=${() => put(guest)}>${_("Remove from the table")}</button>`;
    const name = table.nickname(guest);
    const question = table.info?.status === "playing" && table.sits(guest) ? _("Remove {name} for good? A bot plays on.", { name }) : _("Remove {name} from this table?", { name });
    return html`<div class="removing" role="alert"><p>${question}</p>
      <button class="chip" @click=${remove}>${_("Yes, remove")}</button><button class="chip quiet" @click=${() => put(null)}>${_("No")}</button></div>`;
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

  /** A code for another device. It is good once, and then this one has no secret any more. */
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
        ${info.guests.filter(({ guest }) => !table.sits(guest)).map(({ guest, nickname }) => html`<li><span><b>${nickname}</b> <small>${_("without a seat")}</small></span>${this.remove(guest)}</li>`)}</ul>
      ${this.whenBots()}
      ${info.status === "playing" && table.seats.length && !table.match?.undo ? html`<button @click=${this.undo}>${_("Take my last decision back")}</button>` : nothing}
      ${table.guest === null
        ? nothing
        : html`<form class="say" @submit=${this.rename}>
              <label class="field"><span>${_("Your name")}</span><input name="nickname" maxlength="24" autocomplete="nickname" .value=${table.nickname(table.guest)} /></label>
              <button>${_("Rename")}</button>
            </form>
            ${this.transfer
              ? html`<div class="transfer"><p>${_("Point the other device’s camera here within ten minutes. It takes your place; this one then watches.")}</p>
                  <img class="qr" width="200" height="200" alt=${_("QR code with which another device takes your place")} src=${`/page/qr.svg?text=${encodeURIComponent(this.transfer)}`} /></div>`
              : html`<button @click=${this.offerTransfer}>${_("Move to another device")}</button>`}`}
      <div class="row">
        <a class="button" href=${`#/tv/${info.id}`} target="_blank">${_("On the TV")}</a>
        <button class="primary" @click=${this.close}>${_("Done")}</button>
      </div>
    </dialog>`;
  }
}
