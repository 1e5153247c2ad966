/** A transfer: this device takes another one's seat at a table, with the code that the other shows. */
import { app } from "../app.js";
import { keep } from "../credentials.js";
import { Refused, ask } from "../http.js";
import { html } from "../lit.js";
import { _ } from "../words.js";
import { header } from "./frame.js";

export class TransferScreen {
  /** @param {string} table @param {string} transfer */
  constructor(table, transfer) {
    this.refusal = "";
    this.lost = false; // no answer came: the code is still valid
    this.again = () => {
      this.lost = false;
      app.redraw();
      void this.take(table, transfer);
    };
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
      location.replace(`#/table/${credentials.table}`); // the code worked once: forget it
    } catch (error) {
      if (error instanceof Refused) this.refusal = error.message;
      else this.lost = true;
      app.redraw();
    }
  }

  body() {
    if (this.lost) return html`<p role="alert">${_("No answer from the server. Your seat is safe.")}</p><p><button class="primary" @click=${this.again}>${_("Try again")}</button></p>`;
    if (this.refusal) return html`<p role="alert">${this.refusal}</p><p><a class="button" href="#/">${_("Return to harbour")}</a></p>`;
    return html`<p role="status">${_("One moment, please.")}</p>`;
  }

  render() {
    return html`${header()}
      <main class="narrow">
        <h1>${_("Moving to this device")}</h1>
        ${this.body()}
      </main>`;
  }
}
