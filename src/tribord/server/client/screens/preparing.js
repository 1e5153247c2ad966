/** What people read while bots are prepared: at a table, and in the harbour. */
import { app } from "../app.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { _ } from "../words.js";

const LOOK = 1500; // milliseconds between two looks

/** At a table with bots below their strength. @param {import("../table.js").Table} table */
export function preparing(table) {
  if (!table.preparing) return nothing;
  return html`<div class="banner" role="status">${_("The bots are still getting ready. They’ll play better in a few seconds.")}</div>`;
}

/** The server's progress with its bots, until it's done. */
export class Preparing {
  prepared = 0;
  of = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  gone = false;

  constructor() {
    void this.look();
  }

  leave() {
    this.gone = true;
    clearTimeout(this.timer);
  }

  async look() {
    try {
      const { prepared, of } = await ask("/api/bots");
      if (this.gone) return;
      const changed = prepared !== this.prepared || of !== this.of;
      Object.assign(this, { prepared, of });
      if (changed) app.redraw();
      if (prepared < of) this.timer = setTimeout(() => void this.look(), LOOK);
    } catch {
      // Without an answer, show nothing: this line isn't essential.
    }
  }

  render() {
    const { prepared, of } = this;
    if (prepared >= of) return nothing;
    return html`<p class="preparing"><span role="status">${_("The bots are getting ready… You can already start.")}</span>
      <progress max=${of} value=${prepared} aria-label=${_("Bots ready")}></progress></p>`;
  }
}
