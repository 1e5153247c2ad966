/** Joining a table by its code or link: a name, and you have a seat and are ready. Or just watching. */
import { app, go, notice, readArchive } from "../app.js";
import { keep } from "../credentials.js";
import { prepare } from "../boards.js";
import { ask, askOnce } from "../http.js";
import { html, nothing } from "../lit.js";
import { isTaken, namesAt, ownName, remember } from "../names.js";
import { randomHex } from "../random.js";
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
    <label class="field"><span>${_("Table code")}</span><input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="16" /></label>
    <button>${_("Come aboard")}</button>
  </form>`;
}

export class JoinScreen {
  /** @param {string} name a table's id or code */
  constructor(name) {
    this.name = name;
    this.id = randomHex(16); // tapping twice because nothing came back makes one guest
    this.nickname = "";
    this.refusal = "";
    this.taken = ""; // the name that someone else has
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
      this.nickname ||= ownName(this.names);
      requestAnimationFrame(() => requestAnimationFrame(() => /** @type {HTMLInputElement | null} */ (document.querySelector(".join input"))?.select()));
      prepare(table.game); // while someone types a name
    } catch (error) {
      if (readArchive(this.name, error)) return;
      this.refusal = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  /** The people at the table; a bot gives its name to a guest. */
  get names() {
    return this.table ? namesAt(this.table, ({ guest }) => guest === null && this.table?.status === "open") : [];
  }

  /** Whether a seat is free. */
  get free() {
    return this.table?.status === "open" && this.table.seats.some(({ guest, rank }) => guest === null && !rank);
  }

  /** @param {Event} event */
  join = async (event) => {
    event.preventDefault();
    const nickname = this.nickname.trim();
    if (!nickname || this.busy) return;
    this.taken = isTaken(nickname, this.names) ? nickname : "";
    if (this.taken) return app.redraw();
    this.busy = true;
    try {
      const { seat, ...credentials } = await askOnce(`/api/tables/${encodeURIComponent(this.name)}/guests`, { nickname }, this.id);
      remember(nickname);
      keep({ ...credentials, game: this.table?.game ?? "" });
      if (seat === null && this.free) notice(_("Someone just took the last seat. You’re watching."));
      go(`/table/${credentials.table}`);
    } finally {
      this.busy = false;
    }
  };

  busy = false;

  /** What a newcomer reads. @param {string} host */
  welcome(host) {
    if (this.free) return _("{host} has saved you a seat. What’s your name?", { host });
    return this.table?.status === "open" ? _("All seats are taken. Come aboard to watch and chat.") : _("The game has started. Come aboard to watch and chat.");
  }

  render() {
    const game = app.house.games.find((one) => one.id === this.table?.game);
    const host = this.table?.guests[0]?.nickname ?? "";
    return html`${header()}
      <main class="narrow">
        <h1>${game?.title ?? _("Come aboard")}</h1>
        ${this.refusal
          ? html`<p role="alert">${this.refusal}</p>${byCode()}<p><a class="button" href="#/">${_("Return to harbour")}</a></p>`
          : !this.table // until then the form would jump away under a finger
            ? html`<p>${_("One moment, please.")}</p>`
            : html`<p>${this.welcome(host)}</p>
              <form class="join" @submit=${this.join}>
                <label class="field"><span>${_("Your name")}</span>
                  <input required maxlength="24" autocomplete="nickname" aria-describedby=${this.taken ? "taken" : nothing} .value=${this.nickname} @input=${(/** @type {any} */ e) => (this.nickname = e.target.value)} /></label>
                ${this.taken ? html`<p id="taken" role="alert">${_("{name} is already aboard. Choose another name.", { name: this.taken })}</p>` : nothing}
                <div class="row">
                  <button class="primary">${_("Come aboard")}</button>
                  <a class="button" href=${`#/watch/${this.table.id}`}>${_("Just watch")}</a>
                </div>
              </form>`}
      </main>`;
  }
}
