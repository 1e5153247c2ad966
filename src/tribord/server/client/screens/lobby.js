/** The table before the match: who sits where, the invitation, and the start. */
import { USUAL_RANK, app, gameCard, invitation, notice } from "../app.js";
import { html, live, nothing } from "../lit.js";
import { crewOf } from "../table.js";
import { _, capital, ngettext } from "../words.js";
import { howTo } from "./frame.js";
import { rankName } from "./setup.js";

/** @param {import("./table.js").TableScreen} screen */
export function lobby(screen) {
  const { table } = screen;
  const info = /** @type {import("../contract.js").TableInfo} */ (table.info);
  const open = info.seats.filter((chair) => chair.guest === null && !chair.rank);
  const mine = table.seats;
  const link = invitation(info.code);
  const late = info.seats.filter((chair) => chair.guest !== null && chair.guest !== 0 && chair.guest !== table.guest && !chair.ready);
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    notice(_("The link is copied."));
  };
  const crew = () => open.forEach(({ seat: free }) => void table.tell("arrange", { seat: free, to: USUAL_RANK }));
  const share = () => navigator.share({ title: "Tribord", url: link });

  /** @param {import("../contract.js").Chair} chair */
  const seat = (chair) => {
    const title = capital(crewOf(chair.seat)) || _("Seat {seat}", { seat: chair.seat + 1 });
    const who = chair.guest !== null ? table.nickname(chair.guest) : chair.rank ? rankName(chair.rank) : _("free");
    const away = chair.guest !== null && table.away.has(chair.guest);
    const arrange = (/** @type {any} */ event) => void table.tell("arrange", { seat: chair.seat, to: event.target.value });
    return html`<li class="chair">
      <span class="crew-name">${title}</span>
      <b>${who}</b>
      <small>${away ? _("away") : chair.guest !== null && chair.guest !== 0 ? (chair.ready ? _("ready") : _("not ready yet")) : ""}</small>
      ${chair.guest === null && !chair.rank && table.guest !== null && !mine.length ? html`<button @click=${() => table.tell("sit", { seat: chair.seat })}>${_("Sit here")}</button>` : nothing}
      ${mine.includes(chair.seat) && !table.mayHost ? html`<button class="quiet" @click=${() => table.tell("stand", { seat: chair.seat })}>${_("Stand up")}</button>` : nothing}
      ${table.mayHost && (chair.guest === null || chair.guest === table.guest)
        ? html`<select aria-label=${_("Who sits here: {seat}", { seat: title })} @change=${arrange} .value=${live(chair.guest !== null ? "me" : (chair.rank ?? "open"))}>
            <option value="open" ?selected=${chair.guest === null && !chair.rank}>${_("Somebody by link or code")}</option>
            <option value="me" ?selected=${chair.guest !== null}>${mine.length && !mine.includes(chair.seat) ? _("On this device too") : _("Me")}</option>
            ${app.house.ranks.map((rank) => html`<option value=${rank} ?selected=${chair.rank === rank}>${_("Bot: {rank}", { rank: rankName(rank) })}</option>`)}
          </select>`
        : nothing}
    </li>`;
  };

  const me = info.seats.find((chair) => mine.includes(chair.seat));
  return html`<main class="narrow lobby">
    <h1>${gameCard(info.game).title}</h1>
    <p class="row">${howTo(gameCard(info.game), "chip")}</p>
    <section class="invite" aria-labelledby="invite">
      <div>
        <h2 id="invite">${_("Invite")}</h2>
        <p>${_("Point a phone’s camera here, send the link, or read the code out.")}</p>
        <p class="code" aria-label=${_("Code {code}", { code: info.code.split("").join(" ") })}>${info.code}</p>
        <p class="link">${link}</p>
        <p><small>${_("On the TV, open {address}", { address: invitation(`tv/${info.code}`).replace(/^https?:\/\//, "") })}</small></p>
        <div class="row">
          ${navigator.clipboard ? html`<button @click=${copy}>${_("Copy the link")}</button>` : nothing}
          <a class="button" href=${`#/tv/${info.id}`} target="_blank">${_("On the TV")}</a>
          ${"share" in navigator ? html`<button @click=${share}>${_("Share")}</button>` : nothing}
        </div>
      </div>
      <img class="qr" alt=${_("QR code of the link to this table")} src=${`/page/qr.svg?text=${encodeURIComponent(link)}`} width="180" height="180" />
    </section>
    <h2>${_("Seats")}</h2>
    <ul class="chairs">${info.seats.map(seat)}</ul>
    <div class="row">
      ${table.mayHost
        ? html`<button class="primary" ?disabled=${open.length > 0 || late.length > 0} @click=${() => table.tell("start")}>${_("Start")}</button>
            ${open.length ? html`<button @click=${crew}>${ngettext("A bot for the free seat", "Bots for the free seats", open.length)}</button>` : nothing}
            <span role="status">${open.length ? ngettext("{count} seat is still free.", "{count} seats are still free.", open.length) : late.length ? _("{name} is not ready yet.", { name: table.nickname(late[0]?.guest ?? 0) }) : ""}</span>`
        : me
          ? html`<button class="primary" @click=${() => table.tell("ready", { ready: !me.ready })}>${me.ready ? _("Not ready after all") : _("I am ready")}</button><span role="status">${_("The host starts the match.")}</span>`
          : html`<span role="status">${table.guest === null ? _("You are watching.") : _("Choose a seat.")}</span>`}
    </div>
  </main>`;
}
