/** Beside the board: the log, chat, the rules, the board in words. A drawer on phones, a column on wide screens. */
import { app, gameCard, walk } from "../app.js";
import { html, nothing } from "../lit.js";
import { set, settings } from "../settings.js";
import { MUTED, spoken } from "../table.js";
import { _, because, capital, local } from "../words.js";
import { howTo, inLines } from "./frame.js";
import { Rulebook } from "./rules.js";

/** @typedef {import("./table.js").TableScreen} TableScreen */

/** The log, latest first. Its rule links are one stop for the keyboard; the arrows go from one to the next. @param {TableScreen} screen */
function log(screen) {
  const unseen = screen.stage?.unseen; // the log doesn't reveal what the board is about to show
  const lines = (/** @type {import("../contract.js").Update} */ { events, said }) => events?.filter((event) => !unseen?.has(event)) ?? (said?.offer ? [{ ...said, rule: "" }] : []);
  const entries = screen.table.log.flatMap(lines).reverse();
  const latest = entries.find((event) => event.rule);
  if (!entries.length) return html`<p class="waiting">${_("Nothing has happened yet.")}</p>`;
  return html`<ol class="log" reversed @keydown=${walk}>
    ${entries.map(
      (event) => {
        if (!event.rule) return html`<li class=${event.offer ? "offered" : ""}>${screen.table.narrate(event)}</li>`;
        const text = screen.table.narrate(event);
        const last = text.lastIndexOf(" ") + 1; // the last word keeps its link beside it, so no link is alone on a line
        return html`<li>${text.slice(0, last)}<span class="last-word">${text.slice(last)} <button class="rule-link" tabindex=${event === latest ? 0 : -1} @click=${() => screen.openRule(event.rule)} aria-label=${_("Rule {rule}", { rule: event.rule })}>${event.rule}</button></span>${because(event) ? html`<small class="because">${because(event)}</small>` : nothing}</li>`;
      },
    )}
  </ol>`;
}

/** Phrases for a situation, each one tap. @param {TableScreen} screen @param {string} situation */
function phrases({ table }, situation) {
  const offered = Object.entries(app.house.phrases).filter(([, { when }]) => when === situation);
  return html`<div class="phrases">${offered.map(([phrase, said]) => html`<button class="chip" @click=${() => table.send("chat", { phrase })}>${local(said)}</button>`)}</div>`;
}

/** For planning in a cooperative game. @param {TableScreen} screen */
function planning(screen) {
  const { info } = screen.table;
  return info && gameCard(info.game).cooperative && info.status === "playing" ? phrases(screen, "planning") : nothing;
}

/** Players who are out watch from the rigging: they cheer, jeer, or skip to the end. @param {TableScreen} screen */
export function rigging(screen) {
  const { table, board, stage, seat, eyes } = screen;
  const view = table.match?.views[String(eyes)];
  if (!view || table.info?.status !== "playing" || stage?.unseen.size || !board?.out?.(view, seat)) return nothing;
  return html`<div class="rigging">${table.muted(table.guest) ? nothing : phrases(screen, "out")}<button class="chip" @click=${() => stage?.rush()}>${_("Skip to end")}</button></div>`;
}

/** @param {TableScreen} screen */
function chat(screen) {
  const { table } = screen;
  const said = table.log.filter((update) => update.said).reverse();
  screen.chatted = said.length;
  const speak = (/** @type {any} */ event) => {
    event.preventDefault();
    const field = event.target.elements.line;
    const line = field.value.trim();
    if (line) void table.send("chat", { line });
    field.value = "";
  };
  return html`${table.guest === null
      ? html`<p>${_("Spectators can’t chat.")}</p>`
      : table.muted(table.guest)
        ? html`${offer(screen)}<p role="status">${MUTED()}</p>`
        : html`${offer(screen)}${planning(screen)}${phrases(screen, "")}
          <form class="say" @submit=${speak}><label class="field"><span>${_("Write something")}</span><input name="line" maxlength="280" autocomplete="off" /></label><button>${_("Send")}</button></form>`}
    <ol class="log talk">
      ${said.map((update) => html`<li class=${update.said.offer ? "offered" : ""}><b>${spoken(update) ? table.nickname(update.by ?? 0) : ""}</b> ${update.said.line ?? local(update.said)}</li>`)}
    </ol>`;
}

/** A typed offer, if the game has them and there's still something to offer. @param {TableScreen} screen */
function offer(screen) {
  const { table, board, seat } = screen;
  if (!board?.offer || seat < 0 || table.info?.status !== "playing") return nothing;
  return board.offer(screen.desk, {
    guests: (table.info?.guests ?? []).filter(({ guest }) => guest !== table.guest),
    make: (made, to) => table.send("offer", { seat, offer: made, ...(to?.length ? { to } : {}) }),
  });
}

/** @type {WeakMap<TableScreen, Rulebook>} */
const books = new WeakMap();

/** @param {TableScreen} screen */
function rules(screen) {
  const game = screen.table.info?.game ?? "";
  const book = books.get(screen) ?? new Rulebook(game);
  books.set(screen, book);
  const link = (/** @type {string} */ rule) => html`<button class="rule-link" @click=${() => screen.openRule(rule)}>${rule}</button>`;
  return html`<p class="row">${howTo(gameCard(game), "chip", screen.table.info?.options)}<button type="button" class="chip" aria-pressed=${settings.explain ? "true" : "false"} @click=${() => set({ explain: !settings.explain })}>${_("Explain everything")}</button></p>${book.render({ cited: screen.rule, link, shape: "tall", folded: true })}`;
}

/** @param {TableScreen} screen */
function words(screen) {
  return html`<div class="in-words">${inLines(screen.inWords)}</div>`;
}

/** @param {TableScreen} screen */
export function aside(screen) {
  const talk = screen.table.log.filter((update) => update.said).length;
  const news = screen.drawer === "chat" ? 0 : talk - screen.chatted;
  /** @type {[string, string, (screen: TableScreen) => any][]} */
  const drawers = [["log", _("Log"), log], ["chat", _("Chat"), chat], ["rules", _("Rules"), rules], ["words", _("In words"), words]];
  const wide = matchMedia("(min-width: 1000px)").matches;
  const open = drawers.find(([id]) => id === screen.drawer) ?? (wide ? drawers[0] : undefined);
  return html`<aside class="aside" aria-label=${_("Beside the board")}>
    <div class="tab-row"><div class="tabs" role="tablist">
      ${drawers.map(
        ([id, title]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${open?.[0] === id ? "true" : "false"} aria-controls=${open?.[0] === id ? "drawer" : nothing} @click=${() => screen.toggle(id)}>
          ${capital(title)}${id === "chat" && news > 0 ? html`<span class="news">${news}</span>` : nothing}</button>`,
      )}
    </div>${screen.drawer ? html`<button class="quiet close" @click=${() => screen.toggle(screen.drawer)} aria-label=${_("Close")}>✕</button>` : nothing}</div>
    ${open ? html`<div class="drawer" role="tabpanel" id="drawer" tabindex="0" aria-labelledby=${`tab-${open[0]}`}>${open[2](screen)}</div>` : nothing}
  </aside>`;
}
