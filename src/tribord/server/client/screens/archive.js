/** A match played with rules that aren't installed here: it can't be replayed, but read and saved. */
import { app, isArchived } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { settings } from "../settings.js";
import { _ } from "../words.js";
import { header } from "./frame.js";
import { download } from "./result.js";

/** @typedef {{seat?: number, action?: string, chance?: string}} Line a decision or a draw, in the game's notation */

export class ArchiveScreen {
  /** @type {any} the match file */
  file = null;
  refusal = "";

  /** @param {string} id a table's id or code */
  constructor(id) {
    this.id = id;
    void this.look();
  }

  get title() {
    return this.game || _("Match file");
  }

  get game() {
    return app.house.games.find(({ id }) => id === this.file?.game)?.title ?? this.file?.game ?? "";
  }

  async look() {
    const path = `/api/tables/${encodeURIComponent(this.id)}`;
    try {
      await ask(path);
      return location.replace(`#/replay/${this.id}`); // the rules are installed after all
    } catch (refused) {
      this.refusal = /** @type {Error} */ (refused).message;
      if (isArchived(refused)) this.file = await ask(`${path}/match`);
    }
    app.redraw();
  }

  /** @param {number} seat */
  name(seat) {
    return this.file.names[seat] || _("Player {number}", { number: seat + 1 });
  }

  get ending() {
    const { outcome } = this.file;
    if (!outcome) return _("The game wasn’t finished.");
    if (!outcome.winners.length) return _("No one won.");
    const names = outcome.winners.map((/** @type {number} */ seat) => this.name(seat));
    return _("Won by: {names}.", { names: new Intl.ListFormat(settings.language).format(names) });
  }

  get scores() {
    const { outcome, players } = this.file;
    return outcome.scores.slice(0, players).map((/** @type {number} */ value, /** @type {number} */ seat) => `${this.name(seat)} ${value}`).join(" · ");
  }

  render() {
    const { file } = this;
    return html`${header()}
      <main class="narrow">
        <h1>${this.game || _("Match file")}</h1>
        <p role="status">${this.refusal}</p>
        ${file
          ? html`<p><b>${this.ending}</b></p>
              ${file.outcome ? html`<p>${this.scores}</p>` : nothing}
              <p><button class="primary" @click=${() => download(this.id, `tribord-${file.game}`)}>${_("Save the game")}</button></p>
              <h2>${_("What was played")}</h2>
              <ol class="written">
                ${file.journal.map((/** @type {Line} */ { seat, action, chance }) => html`<li>${chance === undefined ? html`<b>${this.name(seat ?? 0)}</b> ${action}` : html`<i>${_("luck")}</i> ${chance}`}</li>`)}
              </ol>`
          : html`<p><a class="button" href="#/">${_("Return to harbour")}</a></p>`}
      </main>`;
  }
}
