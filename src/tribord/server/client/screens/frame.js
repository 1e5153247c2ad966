/** The frame around every screen except the table: the title, the language, the settings. */
import { html, nothing } from "../lit.js";
import { set, settings } from "../settings.js";
import { variantsOf } from "../variants.js";
import { _ } from "../words.js";

export function openSettings() {
  document.dispatchEvent(new Event("tribord-settings"));
}

/** The header. @param {unknown} [beside] */
export function header(beside = "") {
  const [other, called] = settings.language === "fr" ? /** @type {const} */ (["en", "English"]) : /** @type {const} */ (["fr", "Français"]);
  return html`<header class="top">
    <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="36" height="36" /><span>Tribord</span></a>
    <span class="ways">
      ${beside}
      <button class="quiet" lang=${other} @click=${() => set({ language: other })}>${called}</button>
      <button class="quiet" @click=${openSettings}>${_("Settings")}</button>
    </span>
  </header>`;
}

/** @param {string} game @param {Record<string, any>} options */
export function openHowTo(game, options) {
  document.dispatchEvent(new CustomEvent("tribord-howto", { detail: { game, options } }));
}

/** The link to a game's first steps, if it has any. @param {import("../contract.js").GameCard} game @param {string} [look] classes @param {Record<string, any>} [options] of the match */
export function howTo(game, look = "", options = {}) {
  if (!game.howto) return nothing;
  return html`<button type="button" class=${look} @click=${() => openHowTo(game.id, options)} aria-label=${_("How to play {title}, in a minute", { title: game.title })}>${_("How to play")}</button>`;
}

/** The links to all first steps of a game, one for each variant. @param {import("../contract.js").GameCard} game @param {string} [look] classes */
export function howTos(game, look = "") {
  const variants = variantsOf(game);
  if (!game.howto || !variants.length) return howTo(game, look);
  return variants.map((variant) => html`<button type="button" class=${look} @click=${() => openHowTo(game.id, variant.options)}>${_("How to play: {variant}", { variant: variant[settings.language].title })}</button>`);
}

/** The board in words, each statement separate. @param {string} words */
export function inLines(words) {
  return words.split("\n").map((line) => html`<div>${line}</div>`);
}
