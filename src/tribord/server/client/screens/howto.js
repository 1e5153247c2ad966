/** How to play in a minute: a few drawn steps, before a first match of a game and whenever someone asks. */
import { app, gameCard } from "../app.js";
import { pictures } from "../book.js";
import { property } from "../drawing/place.js";
import { html, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { plainBoard } from "../plain.js";
import { set, settings } from "../settings.js";
import { tip, turnOfTip } from "../tips.js";
import { lessonOf, variantOf } from "../variants.js";
import { _, capital, held } from "../words.js";

export class HowToDialog {
  constructor() {
    this.game = ""; // none: it is closed
    this.title = "";
    /** @type {import("../picture.js").Picture[]} */
    this.steps = [];
    this.at = 0;
    this.turn = 0; // which tip comes at the end
    this.wide = matchMedia("(min-width: 720px) and (min-aspect-ratio: 1/1)");
  }

  /** Open it, until it's closed again. @param {string} game @param {Record<string, any>} options of the match that is to be understood @returns {Promise<void>} */
  async open(game, options) {
    const card = gameCard(game);
    const lesson = lessonOf(card, options);
    const variant = variantOf(card, options)?.[settings.language].title;
    this.game = game;
    this.turn = turnOfTip();
    this.title = _("{title} in a minute", { title: variant ? capital(variant) : card.title });
    if (!settings.seen.includes(lesson)) set({ seen: [...settings.seen, lesson] });
    try {
      this.steps = (await pictures(game, "howto")).filter(({ passage }) => lessonOf(card, passage.options) === lesson);
    } catch {
      this.steps = []; // it isn't essential
    }
    if (!this.steps.length) return this.close();
    this.go(0);
    return new Promise((closed) => {
      this.closed = closed;
    });
  }

  closed = () => {};

  close = () => {
    this.steps[this.at]?.stop();
    this.game = "";
    this.steps = [];
    this.closed();
    app.redraw();
  };

  /** @param {number} place */
  go(place) {
    if (place >= this.steps.length) return this.close();
    this.steps[this.at]?.stop();
    this.at = Math.max(0, place);
    this.steps[this.at]?.play();
    app.redraw();
  }

  /** @param {KeyboardEvent} event */
  press = (event) => {
    if (event.key === "ArrowRight" && this.at < this.steps.length - 1) this.go(this.at + 1);
    if (event.key === "ArrowLeft") this.go(this.at - 1);
  };

  render() {
    const picture = this.steps[this.at];
    if (!picture) return nothing;
    const { title, text } = picture.passage[settings.language];
    const last = this.at === this.steps.length - 1;
    const shape = this.wide.matches ? "wide" : "tall";
    const [width, height] = picture.board.size[shape];
    return html`<dialog
      class="howto"
      ${property("--ratio", String(width / height))}
      aria-labelledby="howto-title"
      ${modal}
      @close=${this.close}
      @keydown=${this.press}
    >
      <header>
        <h2 id="howto-title">${this.title}</h2>
        <button class="quiet" @click=${this.close}>${last ? _("Close") : _("Skip")}</button>
      </header>
      ${picture.board === plainBoard ? nothing : picture.render(shape)}
      <div class="step" tabindex="0" role="group" aria-labelledby="howto-step" aria-live="polite">
        <p class="unseen">${_("Step {step} of {steps}", { step: this.at + 1, steps: this.steps.length })}</p>
        <h3 id="howto-step">${title}</h3>
        <p>${held(text)}</p>
        ${last ? tip(gameCard(this.game), picture.passage.options ?? {}, this.turn) : nothing}
      </div>
      <footer>
        <button ?disabled=${this.at === 0} @click=${() => this.go(this.at - 1)}>${_("Back")}</button>
        <ol class="dots" aria-hidden="true">${this.steps.map((_step, place) => html`<li class=${place === this.at ? "here" : ""}></li>`)}</ol>
        <button class="primary" autofocus @click=${() => this.go(this.at + 1)}>${last ? _("Got it") : _("Next")}</button>
        <button class="quiet again" ?hidden=${!picture.moves} @click=${() => picture.play()}>${_("Show again")}</button>
        <a class="quiet button" href=${`#/rules/${this.game}`} @click=${this.close}>${_("Rules")}</a>
      </footer>
    </dialog>`;
  }
}
