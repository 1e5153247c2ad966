/** A match file from elsewhere, dropped here or chosen: it becomes a table that is over, and is replayed. */
import { app, go } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { _ } from "../words.js";
import { header } from "./frame.js";

export class MatchFileScreen {
  refusal = "";
  over = false; // whether a file is dragged above us

  get title() {
    return _("Replay a match file");
  }

  /** @param {File | null | undefined} file */
  async take(file) {
    if (!file) return;
    try {
      const body = await file.text().then(JSON.parse);
      const { table } = await ask("/api/matches", { body });
      go(`/replay/${table}`);
    } catch (error) {
      this.refusal = error instanceof SyntaxError ? _("“{name}” isn’t a match file.", { name: file.name }) : /** @type {Error} */ (error).message;
      app.redraw();
    }
  }

  render() {
    const hang = (/** @type {boolean} */ over) => (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      this.over = over;
      app.redraw();
    };
    const drop = (/** @type {DragEvent} */ event) => {
      hang(false)(event);
      void this.take(event.dataTransfer?.files[0]);
    };
    return html`${header()}
      <main class="narrow">
        <h1>${_("Replay a match file")}</h1>
        <label class=${this.over ? "dropping over" : "dropping"} @dragover=${hang(true)} @dragleave=${hang(false)} @drop=${drop}>
          <span>${_("Drop a match file here.")}</span>
          <span class="button">${_("Choose a file")}</span>
          <input type="file" accept=".json,application/json" @change=${(/** @type {any} */ e) => this.take(e.target.files[0])} />
        </label>
        ${this.refusal ? html`<p role="alert">${this.refusal}</p>` : nothing}
        <p>${_("Tribord checks every roll and every draw before you see it.")}</p>
      </main>`;
  }
}
