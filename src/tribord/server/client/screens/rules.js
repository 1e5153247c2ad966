/** The rulebook: numbered rules by section, with drawn examples. As a screen of its own, and beside the board. */
import { announce, app, gameCard } from "../app.js";
import { pictures } from "../book.js";
import { html, nothing } from "../lit.js";
import { _, gameWords, held, learn, local } from "../words.js";
import { header, howTos } from "./frame.js";

/** @typedef {import("../picture.js").Picture} Picture */

export class Rulebook {
  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, Picture[]>} by rule */
    this.examples = new Map();
    void this.open();
  }

  async open() {
    for (const picture of await pictures(this.game, "examples")) {
      const rule = picture.passage.rule ?? "";
      this.examples.set(rule, [...(this.examples.get(rule) ?? []), picture]);
    }
    app.redraw();
  }

  /**
   * @param {object} how
   * @param {string} how.cited the rule that someone looks for
   * @param {(rule: string) => unknown} how.link to another rule
   * @param {"wide" | "tall"} how.shape of the pictures
   * @param {boolean} how.folded whether pictures wait for a touch
   */
  render({ cited, link, shape, folded }) {
    const { rules, book } = gameWords();
    return book.slice(1).map(
      ({ title, text, rules: numbers }, place) => html`<section aria-labelledby=${`section-${place}`}>
        <h2 id=${`section-${place}`}>${title}</h2>
        ${text.map((paragraph) => html`<p>${typeset(paragraph, link)}</p>`)}
        ${numbers.length ? html`<dl class="rules">
          ${numbers.map(
            (number) => html`<div id=${`rule-${number}`} class=${cited === number ? "cited" : ""} tabindex="-1">
              <dt>${number}</dt>
              <dd>
                <p>${typeset(rules[number] ?? "", link)}</p>
                ${this.examples.has(number) ? html`<div class="examples">${this.examples.get(number)?.map((picture) => (folded ? this.fold(picture, shape, cited === number) : example(picture, shape)))}</div>` : nothing}
              </dd>
            </div>`,
          )}
        </dl>` : nothing}
      </section>`,
    );
  }

  /** @param {Picture} picture @param {"wide" | "tall"} shape @param {boolean} wanted */
  fold(picture, shape, wanted) {
    const open = this.unfolded.get(picture) ?? wanted;
    const toggle = (/** @type {any} */ event) => {
      this.unfolded.set(picture, event.target.open);
      app.redraw();
    };
    return html`<details class="fold" ?open=${open} @toggle=${toggle}><summary>${_("Example")}</summary>${open ? example(picture, shape) : nothing}</details>`;
  }

  /** @type {Map<Picture, boolean>} */
  unfolded = new Map();
}

/** @param {Picture} picture @param {"wide" | "tall"} shape */
function example(picture, shape) {
  return html`<figure class="example">
    ${picture.render(shape)}
    <figcaption>
      ${held(local(picture.passage))}
      ${picture.moves ? html`<button class="chip" @click=${() => picture.play()}><span aria-hidden="true">▶</span> ${picture.played ? _("Show again") : _("Show it")}</button>` : nothing}
    </figcaption>
  </figure>`;
}

/** A rule's text: citations are links, options and rulings stand out. @param {string} text @param {(rule: string) => unknown} link */
export function typeset(text, link) {
  const { rules } = gameWords();
  return held(text).split(/(\*[^*]+\*|`[^`]+`|\b[A-Z]\d{1,2}\b)/).map((piece) => {
    if (piece.startsWith("*(")) return html`<small class="ruling">${piece.slice(1, -1)}</small>`;
    if (piece.startsWith("*")) return html`<em>${piece.slice(1, -1)}</em>`;
    if (piece.startsWith("`")) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece in rules ? link(piece) : piece;
  });
}

/** Scroll to a rule, and focus it. @param {string} rule */
export function turnTo(rule) {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const place = document.getElementById(`rule-${rule}`);
      place?.scrollIntoView({ block: "center" });
      place?.focus({ preventScroll: true });
    }),
  );
}

export class RulesScreen {
  /** @param {string} game @param {string} rule */
  constructor(game, rule) {
    this.game = gameCard(game);
    this.rule = rule;
    this.book = new Rulebook(game);
    void learn(game).then(() => {
      app.redraw();
      if (rule) turnTo(rule);
      else announce(this.title);
    });
  }

  get title() {
    return _("{title}: the rules", { title: this.game.title });
  }

  render() {
    const { book } = gameWords();
    const id = this.game.id;
    const others = app.house.games.filter((game) => game.id !== id);
    const jump = (/** @type {string} */ rule) => (/** @type {Event} */ event) => {
      event.preventDefault();
      turnTo(rule);
    };
    return html`${header()}
      <main class="rulebook">
        <div class="foreword">
          <h1>${this.game.title}</h1>
          ${book[0]?.text.map((paragraph) => html`<p>${typeset(paragraph, String)}</p>`)}
          <div class="row">${howTos(this.game)}<a class="button" href=${`#/new/${id}`}>${_("Open a table")}</a></div>
        </div>
        <nav class="contents" aria-label=${_("Contents")}>
          <ol>${book.slice(1).filter(({ rules }) => rules.length).map(({ title, rules }) => html`<li><a href=${`#/rules/${id}/${rules[0]}`} @click=${jump(rules[0] ?? "")}>${title} <small>${rules[0]}–${rules.at(-1)}</small></a></li>`)}</ol>
          <p class="others">${_("Other rulebooks")}</p>
          <ul>${others.map((game) => html`<li><a href=${`#/rules/${game.id}`}>${game.title}</a></li>`)}</ul>
        </nav>
        <div class="chapters">
          ${this.book.render({
            cited: this.rule,
            link: (rule) => html`<a href=${`#/rules/${id}/${rule}`} @click=${jump(rule)}>${rule}</a>`,
            shape: "tall", // beside its rule a picture is narrow: this shape stays legible there
            folded: false,
          })}
        </div>
      </main>`;
  }
}
