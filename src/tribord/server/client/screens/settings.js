/** The settings of this device, in a dialog. */
import { app } from "../app.js";
import { allCredentials, leave } from "../credentials.js";
import { html } from "../lit.js";
import { modal } from "../modal.js";
import { set, settings } from "../settings.js";
import { _, ngettext, times } from "../words.js";

const SPEEDS = [0.5, 1, 2, 4, 0];

export class SettingsDialog {
  open = false;

  close = () => {
    this.open = false;
    this.asked = false;
    app.redraw();
  };

  /** @param {string} name @param {string} title @param {[any, string][]} values */
  choose(name, title, values) {
    const now = /** @type {any} */ (settings)[name];
    return html`<fieldset class="segments">
      <legend>${title}</legend>
      ${values.map(
        ([value, label]) => html`<label>
          <input type="radio" name=${name} .checked=${now === value} @change=${() => set({ [name]: value })} />
          <span>${label}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  /** The tables whose secrets are kept here. Before lending the device to others, you may want to forget them. */
  remembered() {
    const count = allCredentials().length;
    const forget = () => {
      for (const { table } of allCredentials()) leave(table);
      this.asked = false;
      app.redraw();
    };
    const ask = () => {
      this.asked = true;
      app.redraw();
    };
    if (!count) return html`<p>${_("This device remembers no tables.")}</p>`;
    if (!this.asked) return html`<p>${ngettext("This device remembers {count} table.", "This device remembers {count} tables.", count)}</p><p><button @click=${ask}>${_("Forget")}</button></p>`;
    return html`<p role="alert">${_("You can’t return to forgotten tables from this device.")}</p>
      <p class="row"><button @click=${forget}>${_("Forget them all")}</button><button class="quiet" @click=${() => ((this.asked = false), app.redraw())}>${_("Keep them")}</button></p>`;
  }

  asked = false;

  render() {
    return html`<dialog
      class="sheet"
      aria-labelledby="settings-title"
      ${modal}
      @close=${this.close}
    >
      <h2 id="settings-title">${_("Settings")}</h2>
      ${this.choose("language", _("Language"), [["fr", "Français"], ["en", "English"]])}
      ${this.choose("theme", _("Light"), [["auto", _("Same as device")], ["light", _("Day")], ["dark", _("Night")]])}
      ${this.choose("speed", _("Animation speed"), SPEEDS.map((speed) => [speed, speed ? times(speed) : _("None")]))}
      ${this.choose("rolls", _("Dice and draws"), [[false, _("I roll them")], [true, _("Automatic")]])}
      ${this.choose("sound", _("Sound"), [[true, _("On")], [false, _("Off")]])}
      ${this.choose("explain", _("Explain everything"), [[true, _("On")], [false, _("Off")]])}
      <h3>${_("Tables")}</h3>
      ${this.remembered()}
      <button class="primary" @click=${this.close}>${_("Done")}</button>
    </dialog>`;
  }
}
