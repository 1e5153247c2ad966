/** Joining a table by its code or link: one's name, and in. Or just watching. */
import { app, go, notice } from "../app.js";
import { keep } from "../berth.js";
import { prepare } from "../boards.js";
import { ask } from "../http.js";
import { html } from "../lit.js";
import { set, settings } from "../settings.js";
import { _ } from "../words.js";
import { header } from "./frame.js";

/** Where the code of a table is typed. */
export function byCode() {
  const come = (/** @type {any} */ event) => {
    event.preventDefault();
    const code = event.target.elements.code.value.trim();
    if (code) go(`/${code}`);
    else notice(_("Type the six letters of the table’s code."));
  };
  return html`<form class="row by-code" @submit=${come}>
    <label class="field"><span>${_("Code of a table")}</span><input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="16" /></label>
    <button>${_("Come aboard")}</button>
  </form>`;
}

export class JoinScreen {
  /** @param {string} name a table's id or code */
  constructor(name) {
    this.name = name;
    this.nickname = settings.nickname;
    this.refusal = "";
    /** @type {import("../contract.js").TableInfo | null} */
    this.table = null;
    void this.look();
  }

  get title() {
    return _("Come aboard");
  }

  async look() {
    try {
      const table = await ask(`/api/tables/${encodeURIComponent(this.name)}`);
      this.table = table;
      prepare(table.game); // while somebody types a name
    } catch (error) {
      this.refusal = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  /** @param {Event} event */
  join = async (event) => {
    event.preventDefault();
    set({ nickname: this.nickname.trim() });
    const credentials = await ask(`/api/tables/${encodeURIComponent(this.name)}/guests`, { body: { nickname: this.nickname.trim() || _("Sailor") } });
    keep({ ...credentials, game: this.table?.game ?? "" });
    go(`/table/${credentials.table}`);
  };

  render() {
    const game = app.house.games.find((one) => one.id === this.table?.game);
    const host = this.table?.guests[0]?.nickname ?? "";
    return html`${header()}
      <main class="narrow">
        <h1>${game?.title ?? _("Come aboard")}</h1>
        ${this.refusal
          ? html`<p role="alert">${this.refusal}</p>${byCode()}<p><a class="button" href="#/">${_("To the harbour")}</a></p>`
          : html`<p>${host ? _("{host} has kept you a place. What shall we call you?", { host }) : _("One moment, please.")}</p>
              <form @submit=${this.join}>
                <label class="field"><span>${_("Your name")}</span>
                  <input required maxlength="24" autocomplete="nickname" .value=${this.nickname} @input=${(/** @type {any} */ e) => (this.nickname = e.target.value)} /></label>
                <div class="row">
                  <button class="primary">${_("Come aboard")}</button>
                  <a class="button" href=${`#/watch/${this.table?.id ?? this.name}`}>${_("Only watch")}</a>
                </div>
              </form>`}
      </main>`;
  }
}
