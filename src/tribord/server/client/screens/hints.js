/**
 * Hints: what a captain would do in your place. Only this device asks for them and gets them; in a cooperative game the
 * others don't see what a hint shows here.
 */
import { announce, app, gameCard, notice } from "../app.js";
import { sorry } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _, local } from "../words.js";

/**
 * @typedef {{mean: number | null, low: number | null, high: number | null}} Chance
 * @typedef {{action: number, value: Chance, line: {seat: number, action: number}[]}} Suggestion
 * @typedef {{version: number, seat: number, exact: boolean, suggestions: Suggestion[]}} Hint
 */

/** A share of 1 in percent. @param {number} share @param {boolean} [exact] */
export function percent(share, exact = false) {
  return new Intl.NumberFormat(settings.language, { style: "percent", maximumFractionDigits: exact ? 1 : 0 }).format(share);
}

/** What a choice is worth, in words. @param {Chance} value @param {boolean} exact @param {boolean} together */
export function worth({ mean, low, high }, exact, together) {
  if (mean === null || low === null || high === null) return { chance: "", range: "" };
  const chance = percent(mean, exact);
  const [from, to] = [percent(low), percent(high)];
  const range = exact ? _("exactly") : from === to ? _("almost exactly") : _("{low} to {high}", { low: from, high: to });
  return { chance: together ? _("{chance} chance that you all win", { chance }) : _("{chance} chance of winning", { chance }), range };
}

export class Hints {
  /** @param {import("./table.js").TableScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {Hint | null} */
    this.hint = null;
    this.at = 0; // the suggestion that is drawn on the board
    this.open = false;
    this.thinking = false;
    this.asking = new AbortController();
  }

  /** Whether you can ask for a hint here. On a shared device, it mustn't reveal what another player knows. */
  get offered() {
    const { table, seat, choice, shared } = this.screen;
    const { info, match } = table;
    if (!info?.hints || !match || (choice?.legal.length ?? 0) < 2) return false;
    const [own, common] = [match.views[String(seat)], match.views["-1"]];
    return !shared || (match.private ?? []).includes(seat) || JSON.stringify(own) === JSON.stringify(common);
  }

  /** There's a new decision: drop the hints about the last one. */
  forget() {
    this.asking.abort();
    this.hint = null;
    this.open = this.thinking = false;
  }

  close = () => {
    this.open = false;
    app.redraw();
  };

  press = () => {
    if (this.open) this.close();
    else if (this.hint) this.show(this.at);
    else if (!this.thinking) void this.ask();
  };

  async ask() {
    const { table, seat } = this.screen;
    const { signal } = (this.asking = new AbortController());
    this.thinking = true;
    app.redraw();
    try {
      const hint = await table.hint(seat, signal);
      if (signal.aborted) return;
      this.hint = hint;
      this.show(0);
      announce(`${_("A captain would choose:")} ${hint.suggestions.map((each) => this.say(each)).join(" ")}`);
    } catch (error) {
      if (!signal.aborted) notice(sorry(error));
    }
    if (signal.aborted) return;
    this.thinking = false;
    app.redraw();
  }

  /** Draw a suggestion on the board. @param {number} at */
  show(at) {
    const suggestion = this.hint?.suggestions[at];
    if (!suggestion) return;
    this.at = at;
    this.open = true;
    this.screen.lay(suggestion.action);
  }

  /** @param {number} action */
  action(action) {
    return local(this.screen.cards[action] ?? { fr: "", en: "" });
  }

  /** @param {Chance} value */
  worth(value) {
    const { info } = this.screen.table;
    return worth(value, this.hint?.exact ?? false, Boolean(info && gameCard(info.game).cooperative));
  }

  /** @param {Suggestion} suggestion */
  say({ action, value }) {
    const { chance, range } = this.worth(value);
    return _("{action}: {chance}, {range}.", { action: this.action(action), chance, range });
  }

  /** The button that asks for a hint. */
  button() {
    if (!this.offered) return nothing;
    return html`<button class="ask-hint" aria-expanded=${this.open ? "true" : "false"} aria-busy=${this.thinking ? "true" : "false"} @click=${this.press}>${this.thinking ? _("Thinking…") : this.open ? _("Close") : _("Get a hint")}</button>`;
  }

  /** The best choices, in place of the hand. */
  panel() {
    const { hint, screen } = this;
    if (!hint) return nothing;
    const item = (/** @type {Suggestion} */ { action, value, line }, /** @type {number} */ at) => {
      const { chance, range } = this.worth(value);
      const pressed = at === this.at;
      const follows = line.map((ply) => _("{name}: {action}.", { name: screen.table.called(ply.seat), action: this.action(ply.action) })).join(" ");
      return html`<li><button class="suggestion" aria-pressed=${pressed ? "true" : "false"} @click=${() => this.show(at)}><b>${this.action(action)}</b><span>${chance}</span><small>${range}</small></button>
        ${pressed ? html`<p class="follows"><small>${follows ? html`${_("Then, most likely:")} ${follows}` : _("What comes then depends on luck or on hidden choices.")}</small></p>` : nothing}</li>`;
    };
    return html`<section class="hints" aria-label=${_("Hint")}><p>${_("A captain would choose:")}</p><ol>${hint.suggestions.map(item)}</ol></section>`;
  }
}
