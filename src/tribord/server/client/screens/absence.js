/** Absence: a banner about players who must decide and are away, with what you can do. */
import { html } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";

const AWAY = 4000; // milliseconds: don't mention a phone that only reloads

/** The seats that the table waits for while their players are away. @param {import("../table.js").Table} table */
function absent({ info, match, away, connected }) {
  if (info?.status !== "playing" || !connected) return [];
  return (match?.to_act ?? []).filter((seat) => {
    const { guest = null, rank } = info.seats[seat] ?? {};
    const since = guest === null || rank ? undefined : away.get(guest);
    return since !== undefined && Date.now() - since >= AWAY;
  });
}

/** Whether a bot may play for a seat's owner. @param {import("../table.js").Table} table @param {number} seat */
function longAway(table, seat) {
  return table.longAway(table.info?.seats[seat]?.guest ?? -1);
}

/** For phones and laptops: with a button for those who may let a bot play. @param {import("../table.js").Table} table */
export function absence(table) {
  return absent(table).map((seat) => {
    const name = table.called(seat);
    if (!longAway(table, seat)) return html`<div class="asked absent" role="status"><p>${_("{name} is away. After a minute, a bot can play.", { name })}</p></div>`;
    const said = table.mayHost ? _("{name} is away. Wait, or let a bot play.", { name }) : _("{name} is away. Wait, or ask the host for a bot.", { name });
    return html`<div class="asked absent" role="status"><p>${said}</p>
      ${table.mayHost ? html`<button @click=${() => table.send("replace", { seat })}>${_("Use a bot")}</button>` : ""}</div>`;
  });
}

/** For the room, in a sentence; "" if nobody is missing. @param {import("../table.js").Table} table */
export function absenceInWords(table) {
  const seats = absent(table);
  if (!seats.length) return "";
  const name = new Intl.ListFormat(settings.language).format(seats.map((seat) => table.called(seat)));
  const several = seats.length > 1;
  if (!seats.every((seat) => longAway(table, seat))) return several ? _("Away: {names}. After a minute, bots can play.", { names: name }) : _("{name} is away. After a minute, a bot can play.", { name });
  return several ? _("Away: {names}. Wait, or let bots play.", { names: name }) : _("{name} is away. Wait, or let a bot play.", { name });
}
