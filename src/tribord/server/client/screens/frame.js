/** The frame around every screen but the table: the name of the house and the way to the settings. */
import { html } from "../lit.js";
import { _ } from "../words.js";

export function openSettings() {
  document.dispatchEvent(new Event("tribord-settings"));
}

/** The header. @param {unknown} [beside] */
export function header(beside = "") {
  return html`<header class="top">
    <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="36" height="36" /><span>Tribord</span></a>
    ${beside}
    <button class="quiet" @click=${openSettings}>${_("Settings")}</button>
  </header>`;
}
