/** A transfer: this device takes the place of another one at a table, with the code that the other shows. */
import { app } from "../app.js";
import { keep } from "../credentials.js";
import { ask } from "../http.js";
import { html } from "../lit.js";
import { _ } from "../words.js";
import { header } from "./frame.js";

export class TransferScreen {
  /** @param {string} table @param {string} transfer */
  constructor(table, transfer) {
    this.refusal = "";
    void this.take(table, transfer);
  }

  get title() {
    return _("One moment, please.");
  }

  /** @param {string} table @param {string} transfer */
  async take(table, transfer) {
    try {
      const credentials = await ask(`/api/tables/${encodeURIComponent(table)}/guests`, { body: { transfer } });
      const { game } = await ask(`/api/tables/${credentials.table}`);
      keep({ ...credentials, game });
      location.replace(`#/table/${credentials.table}`); // the code was good once: it need not be remembered
    } catch (error) {
      this.refusal = /** @type {Error} */ (error).message;
      app.redraw();
    }
  }

  render() {
    return html`${header()}
      <main class="narrow">
        <h1>${_("Moving to this device")}</h1>
        ${this.refusal ? html`<p role="alert">${this.refusal}</p><p><a class="button" href="#/">${_("To the harbour")}</a></p>` : html`<p role="status">${_("One moment, please.")}</p>`}
      </main>`;
  }
}
