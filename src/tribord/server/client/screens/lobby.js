/** The table before the match: who sits where, the invitation, and the start. */
import { USUAL_RANK, app, gameCard, invitation, notice } from "../app.js";
import { html, live, nothing } from "../lit.js";
import { namesAt, remember, suggested } from "../names.js";
import { rankName, rankWord } from "../ranks.js";
import { settings } from "../settings.js";
import { crewOf } from "../table.js";
import { variantOf } from "../variants.js";
import { _, capital, ngettext } from "../words.js";
import { howTo } from "./frame.js";

/** @typedef {import("../contract.js").Seat} Seat */

/** Notes about a seat beside its player's name. @param {import("../table.js").Table} table @param {Seat} held */
export function seatState(table, { guest, rank, ready, name }) {
  if (guest === null) return rank ? rankWord(rank) : "";
  if (table.away.has(guest)) return _("away");
  if (name !== table.nickname(guest)) return _("with {name}", { name: table.nickname(guest) });
  if (guest === 0) return _("host");
  return ready ? _("ready") : _("not ready yet");
}

export class Lobby {
  /** @type {{seat: number, name: string} | null} the seat at this device that needs a player's name */
  naming = null;

  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
  }

  get table() {
    return this.screen.table;
  }

  get info() {
    return /** @type {import("../contract.js").TableInfo} */ (this.table.info);
  }

  /** Ask who else plays at this device. @param {number} seat */
  askName(seat) {
    this.naming = { seat, name: suggested(namesAt(this.info)) };
    app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLInputElement | null} */ (document.querySelector(".naming input"))?.select()));
  }

  /** The host's choice for this seat. @param {Seat} held @param {string} to */
  arrange({ seat }, to) {
    const { seats } = this.table;
    if (to === "me" && seats.length && !seats.includes(seat)) return this.askName(seat);
    this.naming = null;
    void this.table.send("arrange", { seat, to });
  }

  /** Someone else sits down at this device. @param {Event} event */
  seatAnother = (event) => {
    event.preventDefault();
    const { table, naming } = this;
    const name = naming?.name.trim();
    if (!naming || !name) return;
    this.naming = null;
    void (table.mayHost ? table.send("arrange", { seat: naming.seat, to: "me", name }) : table.send("sit", { seat: naming.seat, name }));
  };

  /** @param {Seat} held @param {string} nickname */
  rename(held, nickname) {
    const own = held.name === this.table.nickname(held.guest ?? -1); // else one of several people at this device
    if (!nickname || nickname === held.name) return app.redraw();
    if (own) remember(nickname);
    void this.table.send("rename", own ? { nickname } : { nickname, seat: held.seat });
  }

  /** @param {Seat} held */
  who(held) {
    const mine = held.guest !== null && held.guest === this.table.guest;
    if (!mine) return html`<b class="seated">${held.name || _("free")}</b>`;
    const label = held.name === this.table.nickname(held.guest ?? -1) ? _("Your name") : _("Name");
    return html`<input class="seated" aria-label=${label} maxlength="24" autocomplete="off" spellcheck="false" .value=${live(held.name)}
      @change=${(/** @type {any} */ event) => this.rename(held, event.target.value.trim())} />`;
  }

  /** @param {Seat} held */
  seat(held) {
    const { table, naming } = this;
    const title = capital(crewOf(held.seat)) || _("Seat {seat}", { seat: held.seat + 1 });
    const free = held.guest === null && !held.rank;
    const mine = table.seats;
    const sits = mine.includes(held.seat);
    return html`<li class=${`lobby-seat ${sits ? "mine" : ""}`}>
      <span class="crew-name">${title}</span>
      ${this.who(held)}
      <small>${seatState(table, held)}</small>
      ${free && table.guest !== null && mine.length < 2 ? html`<button @click=${() => table.send("sit", { seat: held.seat })}>${_("Sit here")}</button>` : nothing}
      ${free && mine.length && !table.mayHost ? html`<button class="quiet" @click=${() => this.askName(held.seat)}>${_("Add someone here")}</button>` : nothing}
      ${sits && !table.mayHost ? html`<button class="quiet" @click=${() => table.send("stand", { seat: held.seat })}>${_("Stand up")}</button>` : nothing}
      ${table.mayHost && (held.guest === null || sits)
        ? html`<select aria-label=${_("Who sits here? {seat}", { seat: title })} @change=${(/** @type {any} */ event) => this.arrange(held, event.target.value)} .value=${live(naming?.seat === held.seat || sits ? "me" : (held.rank ?? "open"))}>
            <option value="open" ?selected=${free}>${_("Invite someone")}</option>
            <option value="me" ?selected=${sits}>${mine.length && mine[0] !== held.seat ? _("On this device too") : _("Me")}</option>
            ${app.house.ranks.map((rank) => html`<option value=${rank} ?selected=${held.rank === rank}>${_("Bot: {rank}", { rank: rankName(rank) })}</option>`)}
          </select>`
        : nothing}
      ${naming?.seat === held.seat && held.guest === null
        ? html`<form class="naming" @submit=${this.seatAnother}><label class="field"><span>${_("Who plays here?")}</span>
            <input required maxlength="24" autocomplete="off" .value=${live(naming.name)} @input=${(/** @type {any} */ event) => (naming.name = event.target.value)} /></label>
            <button class="primary">${_("Sit down")}</button></form>`
        : nothing}
    </li>`;
  }

  invite() {
    const { code, id } = this.info;
    const link = invitation(code);
    const copy = async () => {
      await navigator.clipboard.writeText(link);
      notice(_("The link is copied."));
    };
    const share = () => navigator.share({ title: "Tribord", url: link }).catch((/** @type {Error} */ error) => {
      if (error.name !== "AbortError") notice(link);
    });
    return html`<section class="invite" aria-labelledby="invite">
      <div>
        <h2 id="invite">${_("Invite")}</h2>
        <p>${_("Point a phone’s camera here, send the link, or read out the code.")}</p>
        <p class="code" aria-label=${_("Code {code}", { code: code.split("").join(" ") })}>${code}</p>
        <p class="link">${link}</p>
        <p><small>${_("On the TV, open {address}", { address: invitation(`tv/${code}`).replace(/^https?:\/\//, "") })}</small></p>
        <div class="row">
          ${navigator.clipboard ? html`<button @click=${copy}>${_("Copy the link")}</button>` : nothing}
          <a class="button" href=${`#/tv/${id}`} target="_blank">${_("Show on TV")}</a>
          ${"share" in navigator ? html`<button @click=${share}>${_("Share")}</button>` : nothing}
        </div>
      </div>
      <img class="qr" alt=${_("QR code of the link to this table")} src=${`/page/qr.svg?text=${encodeURIComponent(link)}`} width="180" height="180" />
    </section>`;
  }

  /** The start, for the host; for the others, what they wait for. */
  start() {
    const { table, info } = this;
    const open = info.seats.filter((held) => held.guest === null && !held.rank).length;
    if (table.mayHost) {
      const late = info.seats.find((held) => held.guest !== null && held.guest !== 0 && held.guest !== table.guest && !held.ready);
      const start = () => void table.send("start", open ? { rank: USUAL_RANK } : {});
      const status = open ? ngettext("{count} seat is still free.", "{count} seats are still free.", open) : late ? _("Waiting for {name}.", { name: late.name }) : "";
      return html`<button class="primary" ?disabled=${late !== undefined} @click=${start}>${open ? ngettext("Start with {count} bot", "Start with {count} bots", open) : _("Start")}</button>
        <span role="status">${status}</span>`;
    }
    const me = info.seats.find((held) => table.seats.includes(held.seat));
    if (!me) return html`<span role="status">${table.guest === null ? _("You’re watching.") : open ? _("Choose a seat.") : _("All seats are taken. You’re watching.")}</span>`;
    const ready = () => void table.send("ready", { ready: !me.ready });
    const host = table.nickname(0);
    return html`<span role="status">${me.ready ? _("You’re aboard. {host} starts the game.", { host }) : _("{host} is waiting for you.", { host })}</span>
      <button class=${me.ready ? "quiet" : "primary"} @click=${ready}>${me.ready ? _("Wait for me") : _("I’m ready")}</button>`;
  }

  /** The host sees the invitation first and Start under the thumb; the others see what they wait for. */
  render() {
    const { info } = this;
    const host = this.table.mayHost;
    const variant = variantOf(gameCard(info.game), info.options)?.[settings.language];
    return html`<main class="narrow lobby">
      <h1>${gameCard(info.game).title}</h1>
      ${variant ? html`<p class="facts"><b>${capital(variant.title)}</b> <span>${variant.text}</span></p>` : nothing}
      <p class="row">${howTo(gameCard(info.game), "chip", info.options)}</p>
      ${info.hints ? nothing : html`<p class="facts">${_("No hints at this table.")}</p>`}
      ${host ? this.invite() : html`<div class="row">${this.start()}</div>`}
      <h2>${_("Seats")}</h2>
      <ul class="lobby-seats">${info.seats.map((held) => this.seat(held))}</ul>
      ${host ? html`<div class="row at-hand">${this.start()}</div>` : this.invite()}
    </main>`;
  }
}
