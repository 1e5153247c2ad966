/**
 * A guide through a first match: what to do next and why, as the game's guide.json says it. The match is a real one; the
 * guide marks what to touch, and answers a touch on something else. docs/page.md, “A guided match”.
 */
import { announce, answer, app } from "./app.js";
import { flat } from "./choice.js";
import { ask } from "./http.js";
import { html, nothing } from "./lit.js";
import { settings } from "./settings.js";
import { _, held, local, reasonOf } from "./words.js";

/** @typedef {{title: string, text: string, instead?: Record<string, string>}} Said `instead`: why not a likely mistake, by part and value */
/** @typedef {{fr: Said, en: Said, rule: string, touch: string[] | null, action: number | null}} GuideStep `touch`: the parts in the order in which they're touched, where it isn't the usual one */
/** @typedef {{id: string, touch: Record<string, string>, steps: GuideStep[]}} Lesson `touch`: what the board calls a part of an action, as a selector */

/** @param {string} game @param {string} id @returns {Promise<Lesson | null>} */
export async function lessonAt(game, id) {
  /** @type {Lesson[]} */
  const lessons = await ask(`/games/${game}/guide.json`);
  return lessons.find((lesson) => lesson.id === id) ?? null;
}

export class Guide {
  /** @param {Lesson} lesson @param {import("./screens/table.js").TableScreen} screen */
  constructor(lesson, screen) {
    this.lesson = lesson;
    this.screen = screen;
    /** @type {Map<string, import("./contract.js").GameEvent>} what was explained: everything once, when it first happens */
    this.explained = new Map();
    this.said = ""; // for screen readers
  }

  /** Where we are in the lesson. @returns {GuideStep | null} null: the match has left it */
  get step() {
    const place = this.screen.table.match?.guide;
    return typeof place === "number" ? (this.lesson.steps[place] ?? null) : null;
  }

  /** What is suggested, if it can be done now. @returns {number | null} */
  get action() {
    const action = this.step?.action ?? null;
    return action !== null && this.screen.choice?.legal.includes(action) ? action : null;
  }

  /** @returns {Record<string, any>} the parts of what is suggested */
  get parts() {
    return this.action === null ? {} : flat(this.screen.cards[this.action]?.parts ?? {});
  }

  /** Whether a touch differs from the suggestion; then repeat the suggestion. @param {string} part @param {any} value */
  declines(part, value) {
    if (this.action === null || this.parts[part] === value) return false;
    if (!this.screen.choice?.offers(part, value)) return false; // it isn't legal, and the refusal says why
    const why = this.step?.[settings.language].instead?.[`${part.split(".")[0]} ${value}`];
    const fields = { action: this.wanted };
    answer(why ? `${why} ${_("Try this: {action}.", fields)}` : _("The rules allow that. But for now, try this: {action}.", fields), this.step?.rule);
    return true;
  }

  /** What is suggested, in words. */
  get wanted() {
    const card = this.action === null ? null : this.screen.cards[this.action];
    return card ? local(card).replace(/\.$/, "") : "";
  }

  /** Whether this kind of event was shown before. @param {import("./contract.js").GameEvent} event */
  knows(event) {
    const key = `${event.kind} ${event.rule}`;
    if (!this.explained.has(key)) this.explained.set(key, event);
    return this.explained.get(key) !== event;
  }

  /** Why something happened, when it happens for the first time, unless a step of the lesson is about its rule. @param {import("./contract.js").GameEvent} event */
  because(event) {
    if (this.knows(event) || this.lesson.steps.some(({ rule }) => rule === event.rule)) return "";
    return reasonOf(event);
  }

  /** The next thing to touch. @returns {Element | null} */
  get target() {
    const { choice, playing } = this.screen;
    if (!choice || playing || this.action === null) return null;
    if (choice.action === this.action) return document.querySelector(".act .primary");
    const { parts } = this;
    const order = this.step?.touch ?? Object.keys(this.lesson.touch);
    const stem = (/** @type {string} */ part) => part.split(".")[0] ?? part;
    const open = Object.keys(parts).filter((part) => choice.touchedValue(part) === undefined && order.includes(stem(part)));
    const next = open.sort((a, b) => order.indexOf(stem(a)) - order.indexOf(stem(b)))[0];
    const selector = next && this.lesson.touch[stem(next)]?.replace("{value}", String(parts[next])).replace("{action}", String(this.action));
    return selector ? document.querySelector(`.table-screen ${selector}`) : null;
  }

  /** Mark it on the screen, once that is drawn; nothing once we go on alone. */
  mark() {
    const target = this.screen.guide === this ? this.target : null;
    for (const old of document.querySelectorAll("[data-suggested]")) {
      if (old === target) continue;
      old.removeAttribute("data-suggested");
      old.removeAttribute("aria-description");
    }
    const marked = target?.hasAttribute("data-suggested");
    target?.setAttribute("data-suggested", ""); // which also keeps it clear of sticky edges
    target?.setAttribute("aria-description", _("This is what the guide suggests."));
    if (target && !marked) this.lead(target);
  }

  /** Scroll it into view, and focus it if the keyboard is in use. @param {Element} target */
  lead(target) {
    target.scrollIntoView({ block: "nearest" });
    const here = document.activeElement;
    if (here?.matches(":focus-visible") && here.closest(".hand-area, .scene, .act")) /** @type {HTMLElement} */ (target).focus();
  }

  /** What to do next, and why. */
  render() {
    const { step, screen } = this;
    requestAnimationFrame(() => requestAnimationFrame(() => this.mark()));
    const away = () => {
      screen.guide = null;
      this.mark();
      app.redraw();
    };
    if (!step) {
      queueMicrotask(away); // we have decided something else, or stopped the guide
      return nothing;
    }
    const { title, text } = step[settings.language];
    const over = screen.table.info?.status === "over";
    this.say(`${title}. ${text} ${this.wanted}`);
    const learners = this.lesson.steps.filter(({ action }) => action !== null);
    return html`<section class="guide" aria-label=${_("Guide")}>
      <h2>${title}${learners.includes(step) ? html` <small>${_("Step {step} of {steps}", { step: learners.indexOf(step) + 1, steps: learners.length })}</small>` : nothing}</h2>
      <p>${held(text)} ${step.rule ? html`<button class="rule-link" @click=${() => screen.openRule(step.rule)} aria-label=${_("Rule {rule}", { rule: step.rule })}>${step.rule}</button>` : nothing}</p>
      ${over ? nothing : !learners.includes(step) ? html`<p class="row"><button class="chip" @click=${away}>${_("Stop the guide")}</button></p>` : html`<button class="quiet" @click=${away} aria-label=${_("Stop the guide")} title=${_("Stop the guide")}>✕</button>`}
    </section>`;
  }

  /** For screen readers, once. @param {string} text */
  say(text) {
    if (this.said === text) return;
    this.said = text;
    setTimeout(() => announce(text), 600); // after what has just happened
  }
}
