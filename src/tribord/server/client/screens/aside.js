/** Beside the board: the log, talk, the rules, the board in words. A drawer on phones, a column on wide screens. */
import { app } from "../app.js";
import { html, nothing } from "../lit.js";
import { sentence } from "../table.js";
import { _, capital, gameWords, local } from "../words.js";

/** @typedef {import("./table.js").TableScreen} TableScreen */

/** @param {TableScreen} screen */
function log(screen) {
  const entries = screen.table.log.flatMap((happening) => happening.events ?? (happening.said?.offer ? [{ ...happening.said, rule: "" }] : [])).reverse();
  return html`<ol class="log" reversed>
    ${entries.map(
      (event) => html`<li class=${event.offer ? "offered" : ""}>${sentence(event)} ${event.rule ? html`<button class="rule-link" @click=${() => screen.openRule(event.rule)} aria-label=${_("Rule {rule}", { rule: event.rule })}>${event.rule}</button>` : nothing}</li>`,
    )}
  </ol>`;
}

/** @param {TableScreen} screen */
function chat(screen) {
  const { table } = screen;
  const said = table.log.filter((happening) => happening.said).reverse();
  screen.chatted = said.length;
  const speak = (/** @type {any} */ event) => {
    event.preventDefault();
    const field = event.target.elements.line;
    const line = field.value.trim();
    if (line) void table.tell("chat", { line });
    field.value = "";
  };
  return html`${table.guest === null
      ? html`<p>${_("Whoever watches keeps quiet.")}</p>`
      : html`<div class="phrases">${app.house.phrases.slice(0, 12).map((phrase) => html`<button class="chip" @click=${() => table.tell("chat", { phrase })}>${phraseWords(phrase)}</button>`)}</div>
          <form class="say" @submit=${speak}><label class="field"><span>${_("Say something")}</span><input name="line" maxlength="280" autocomplete="off" /></label><button>${_("Say")}</button></form>${offer(screen)}`}
    <ol class="log talk">
      ${said.map((happening) => html`<li class=${happening.said.offer ? "offered" : ""}><b>${happening.by === null || happening.by === undefined ? "" : table.nickname(happening.by)}</b> ${happening.said.line ?? local(happening.said)}</li>`)}
    </ol>`;
}

/** A typed offer, where the game has them and there is still something to offer. @param {TableScreen} screen */
function offer(screen) {
  const { table, board, seat } = screen;
  if (!board?.offer || seat < 0 || table.info?.status !== "playing") return nothing;
  return board.offer(screen.desk, {
    guests: (table.info?.guests ?? []).filter(({ guest }) => guest !== table.guest),
    make: (made, to) => table.tell("offer", { seat, offer: made, ...(to?.length ? { to } : {}) }),
  });
}

/** The quick phrases as the server says them. @param {string} phrase */
function phraseWords(phrase) {
  /** @type {Record<string, string>} */
  const words = {
    hello: _("Ahoy!"), ready: _("Ready."), "your-turn": _("Your turn."), "one-moment": _("One moment."), "well-played": _("Well played!"),
    ouch: _("Ouch."), sorry: _("No hard feelings."), thanks: _("Thank you!"), revenge: _("I shall remember that."), again: _("Once more?"),
    "good-match": _("A fine match."), "good-bye": _("Fair winds!"),
  };
  return words[phrase] ?? phrase;
}

/** @param {TableScreen} screen */
function rules(screen) {
  return html`<dl class="rules">
    ${Object.entries(gameWords().rules).map(
      ([number, text]) => html`<div id=${`rule-${number}`} class=${screen.rule === number ? "cited" : ""}><dt>${number}</dt><dd>${text.replaceAll("*", "")}</dd></div>`,
    )}
  </dl>`;
}

/** @param {TableScreen} screen */
function words(screen) {
  return html`<div class="in-words">${screen.inWords}</div>`;
}

/** @param {TableScreen} screen */
export function aside(screen) {
  const talk = screen.table.log.filter((happening) => happening.said).length;
  const news = screen.drawer === "chat" ? 0 : talk - screen.chatted;
  /** @type {[string, string, (screen: TableScreen) => any][]} */
  const drawers = [["log", _("Log"), log], ["chat", _("Talk"), chat], ["rules", _("Rules"), rules], ["words", _("In words"), words]];
  const wide = matchMedia("(min-width: 1000px)").matches;
  const open = drawers.find(([id]) => id === screen.drawer) ?? (wide ? drawers[0] : undefined);
  return html`<aside class="aside" aria-label=${_("Beside the board")}>
    <div class="tabs" role="tablist">
      ${drawers.map(
        ([id, title]) => html`<button role="tab" id=${`tab-${id}`} aria-selected=${open?.[0] === id ? "true" : "false"} aria-controls=${open?.[0] === id ? "drawer" : nothing} @click=${() => screen.toggle(id)}>
          ${capital(title)}${id === "chat" && news > 0 ? html`<span class="news">${news}</span>` : nothing}</button>`,
      )}
    </div>
    ${open ? html`<div class="drawer" role="tabpanel" id="drawer" tabindex="0" aria-labelledby=${`tab-${open[0]}`}>
      <button class="quiet close" @click=${() => screen.toggle(screen.drawer)} aria-label=${_("Close")}>✕</button>${open[2](screen)}</div>` : nothing}
  </aside>`;
}
