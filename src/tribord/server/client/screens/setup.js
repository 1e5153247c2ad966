/** Setting up a table: seats and rules, in plain words. */
import { app, gameCard, go } from "../app.js";
import { ask } from "../http.js";
import { html, live, nothing } from "../lit.js";
import { ownName, suggested } from "../names.js";
import { rankName } from "../ranks.js";
import { settings } from "../settings.js";
import { variantOf, variantsOf } from "../variants.js";
import { _, capital, learn, local, name, ngettext, whole } from "../words.js";
import { header, howTo } from "./frame.js";
import { createTable, usualPlayers } from "./harbour.js";

/**
 * @typedef {{title: string, text: string, values?: Record<string, string>}} OptionWords
 * @typedef {{fr: OptionWords, en: OptionWords, when?: Record<string, any>}} PlainOption an option in plain words, from the
 *   game's setup.json, and what else must be chosen for it to matter
 */

export class SetUpScreen {
  /** @param {string} id */
  constructor(id) {
    this.game = gameCard(id);
    this.players = usualPlayers(this.game);
    this.public = false;
    this.seconds = 0;
    this.hints = true;
    /** @type {Record<string, any>} */
    this.options = {};
    /** @type {string[]} */
    this.seats = ["me", ...Array(this.game.players[1] - 1).fill("open")];
    this.nickname = ownName();
    /** @type {string[]} by seat, who else plays at this device */
    this.names = [];
    /** @type {Record<string, PlainOption>} */
    this.plain = {};
    void Promise.all([learn(id), this.read()]).then(app.redraw);
  }

  async read() {
    try {
      this.plain = await ask(`/games/${this.game.id}/setup.json`);
    } catch {
      // A game without plain words for its options at least has their names in the rules.
    }
  }

  /** What a value of an option is called. @param {import("../contract.js").Option} option @param {string} value */
  valueName(option, value) {
    return this.plain[option.name]?.[settings.language].values?.[value] ?? name("card", value);
  }

  /** Which of the games in this box is set up. */
  get variant() {
    return variantOf(this.game, this.options);
  }

  /** Take another game of this box. @param {import("../contract.js").Variant} variant */
  vary(variant) {
    this.options = { ...this.options, ...variant.options };
    const [least, most] = variant.players;
    this.players = Math.min(Math.max(this.players, least), most);
    app.redraw();
  }

  /** The games of this box, side by side. */
  variants() {
    const variants = variantsOf(this.game);
    if (!variants.length) return nothing;
    return html`<fieldset class="segments variants"><legend>${_("Which game?")}</legend>
      ${variants.map((variant) => {
        const { title, text } = variant[settings.language];
        const [[least, most], [soonest, latest]] = [variant.players, variant.minutes];
        return html`<label><input type="radio" name="variant" .checked=${live(variant === this.variant)} @change=${() => this.vary(variant)} /><span><b>${capital(title)}</b>${text}<small>${whole(_("{least}–{most} players", { least, most }))} · ${whole(_("{least}–{most} min", { least: soonest, most: latest }))} · ${whole(_("ages {age}+", { age: variant.age }))}</small></span></label>`;
      })}</fieldset>`;
  }

  /** Whether an option is asked for among the rules, given the others. @param {import("../contract.js").Option} option */
  asked(option) {
    return this.matters(option) && !variantsOf(this.game).some(({ options }) => option.name in options);
  }

  /** Whether an option matters, given the others. @param {import("../contract.js").Option} option */
  matters({ name: option }) {
    const now = (/** @type {string} */ other) => this.options[other] ?? this.game.options.find((one) => one.name === other)?.default;
    return Object.entries(this.plain[option]?.when ?? {}).every(([other, value]) => now(other) === value);
  }

  get title() {
    return this.game.title;
  }

  /** @param {Event} event */
  create = async (event) => {
    event.preventDefault();
    const seats = this.seats.slice(0, this.players);
    const clock = this.seconds ? { per: "decision", seconds: this.seconds } : null;
    const options = Object.fromEntries(this.game.options.filter((option) => option.name in this.options && this.matters(option)).map(({ name: option }) => [option, this.options[option]]));
    const own = seats.indexOf("me");
    const names = seats.map((kind, seat) => (kind === "me" && seat !== own ? (this.names[seat] ?? "").trim() : ""));
    const table = await createTable({ game: this.game.id, nickname: this.nickname.trim(), players: this.players, seats, names, options, public: this.public, clock, hints: this.hints });
    if (!seats.includes("open")) app.starting = table;
    go(`/table/${table}`);
  };

  /** @param {number} seat */
  seat(seat) {
    const kinds = [["me", seat === this.seats.indexOf("me") ? _("Me") : _("On this device too")], ["open", _("Invite someone")], ...app.house.ranks.map((rank) => [rank, _("Bot: {rank}", { rank: rankName(rank) })])];
    const crew = name("player", seat) !== String(seat) ? name("player", seat) : name("crew", seat);
    const title = crew === String(seat) ? _("Seat {seat}", { seat: seat + 1 }) : capital(crew);
    return html`<label class="field seat"><span>${title}</span>
      <select .value=${live(this.seats[seat] ?? "open")} @change=${(/** @type {any} */ e) => {
        this.seats[seat] = e.target.value;
        if (e.target.value === "me") this.names[seat] ||= suggested([this.nickname, ...this.names.filter(Boolean)]);
        app.redraw();
      }}>
        ${kinds.map(([value, label]) => html`<option value=${value} ?selected=${this.seats[seat] === value}>${label}</option>`)}
      </select>
      ${this.seats[seat] === "me" && seat !== this.seats.indexOf("me")
        ? html`<input required maxlength="24" autocomplete="off" aria-label=${_("Name of {seat}", { seat: title })} .value=${live(this.names[seat] ?? "")} @input=${(/** @type {any} */ e) => (this.names[seat] = e.target.value)} />`
        : nothing}</label>`;
  }

  /** What the printed rules say, in words. @param {import("../contract.js").Option} option @returns {string} */
  byTheSheet(option) {
    const usual = option.default;
    switch (option.kind) {
      case "Flag":
        return usual ? _("yes") : _("no");
      case "Subset":
        return new Intl.ListFormat(settings.language).format(usual.map((/** @type {string} */ value) => this.valueName(option, value)));
      case "Limit":
        return usual ? String(usual) : _("no limit");
      case "Order":
        return _("in seat order");
      case "SeatOrChance":
        return usual === "random" ? _("at random") : _("Seat {seat}", { seat: usual + 1 });
      default:
        return this.valueName(option, usual);
    }
  }

  /** @param {import("../contract.js").Option} option */
  option(option) {
    const now = this.options[option.name] ?? option.default;
    const put = (/** @type {any} */ value) => {
      this.options = { ...this.options, [option.name]: value };
      app.redraw();
    };
    const plain = this.plain[option.name]?.[settings.language];
    const label = html`${plain ? html`<b>${plain.title}</b> ${plain.text}` : local(option)} <small>${option.rule}</small><small class="sheet-says">${_("On the sheet: {default}", { default: this.byTheSheet(option) })}</small>`;
    const word = (/** @type {string} */ value) => capital(this.valueName(option, value));
    switch (option.kind) {
      case "Flag":
        return html`<label class="check"><input type="checkbox" .checked=${live(now)} @change=${(/** @type {any} */ e) => put(e.target.checked)} /><span>${label}</span></label>`;
      case "Choice":
        return html`<label class="field"><span>${label}</span><select @change=${(/** @type {any} */ e) => put(e.target.value)}>
          ${option.values.map((value) => html`<option value=${value} ?selected=${now === value}>${word(value)}</option>`)}</select></label>`;
      case "Subset":
        return html`<fieldset class="checks"><legend>${label}</legend>
          ${option.values.map((value) => html`<label class="check"><input type="checkbox" .checked=${live(now.includes(value))}
            @change=${(/** @type {any} */ e) => put(option.values.filter((v) => (v === value ? e.target.checked : now.includes(v))))} /><span>${word(value)}</span></label>`)}</fieldset>`;
      case "Limit":
        return html`<label class="field"><span>${label}</span><input type="number" min="0" max="10000" .value=${String(now)} @change=${(/** @type {any} */ e) => put(Number(e.target.value))} /></label>`;
      case "SeatOrChance":
        return html`<label class="field"><span>${label}</span><select @change=${(/** @type {any} */ e) => put(e.target.value === "random" ? "random" : Number(e.target.value))}>
          <option value="random" ?selected=${now === "random"}>${_("At random")}</option>
          ${Array.from({ length: this.players }, (_none, seat) => html`<option value=${seat} ?selected=${now === seat}>${_("Seat {seat}", { seat: seat + 1 })}</option>`)}</select></label>`;
      case "Order": {
        const order = now.length === this.players ? now : Array.from({ length: this.players }, (_none, seat) => seat);
        const swap = (/** @type {number} */ place, /** @type {number} */ seat) => put(order.map((/** @type {number} */ s, /** @type {number} */ i) => (i === place ? seat : s === seat ? order[place] : s)));
        return html`<fieldset class="checks"><legend>${label}</legend>
          ${order.map((/** @type {number} */ now, /** @type {number} */ place) => html`<label class="field inline"><span>${place + 1}.</span>
            <select @change=${(/** @type {any} */ e) => swap(place, Number(e.target.value))}>
              ${order.map((/** @type {number} */ _s, /** @type {number} */ seat) => html`<option value=${seat} ?selected=${now === seat}>${capital(name("crew", seat))}</option>`)}</select></label>`)}</fieldset>`;
      }
      default:
        return nothing;
    }
  }

  render() {
    const [least, most] = (this.variant ?? this.game).players;
    const counts = Array.from({ length: most - least + 1 }, (_none, i) => least + i);
    const open = this.seats.slice(0, this.players).includes("open");
    return html`${header()}
      <main class="narrow">
        <h1>${this.game.title}</h1>
        <p class="row">${howTo(this.game, "chip", this.options)}<a class="button chip" href=${`#/rules/${this.game.id}`}>${_("Rules")}</a></p>
        <form class="set-up" @submit=${this.create}>
          <label class="field"><span>${_("Your name")}</span>
            <input required maxlength="24" autocomplete="nickname" .value=${live(this.nickname)} @input=${(/** @type {any} */ e) => (this.nickname = e.target.value)} /></label>
          ${this.variants()}
          <fieldset class="segments"><legend>${_("How many players?")}</legend>
            ${counts.map((count) => html`<label><input type="radio" name="players" .checked=${live(this.players === count)} @change=${() => {
              this.players = count;
              if (this.options["age"]) this.options = { ...this.options, age: [] };
              app.redraw();
            }} /><span>${count}</span></label>`)}</fieldset>
          <h2>${_("Who sits where?")}</h2>
          <div class="seats">${Array.from({ length: this.players }, (_none, seat) => this.seat(seat))}</div>
          <details>
            <summary>${_("Rules and clock")}</summary>
            ${this.game.options.filter((option) => this.asked(option)).map((option) => this.option(option))}
            <label class="field"><span>${_("Time per choice")}</span><select @change=${(/** @type {any} */ e) => (this.seconds = Number(e.target.value))}>
              <option value="0">${_("As long as it takes")}</option>
              ${[30, 60, 120].map((seconds) => html`<option value=${seconds}>${ngettext("{count} second, then a bot takes over", "{count} seconds, then a bot takes over", seconds)}</option>`)}</select></label>
            <label class="check"><input type="checkbox" name="hints" .checked=${live(this.hints)} @change=${(/** @type {any} */ e) => (this.hints = e.target.checked)} /><span>${_("Players can ask for hints")}</span></label>
            <label class="check"><input type="checkbox" .checked=${live(this.public)} @change=${(/** @type {any} */ e) => (this.public = e.target.checked)} /><span>${_("Show this table in the harbour: anyone can join")}</span></label>
          </details>
          <div class="row"><button class="primary">${open ? _("Open and invite") : _("Play")}</button><a class="button" href="#/">${_("Back")}</a></div>
        </form>
      </main>`;
  }
}
