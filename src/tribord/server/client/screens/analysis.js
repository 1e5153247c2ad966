/**
 * How a match went: everyone's chances as a graph, what decided it, what to try next time, luck and skill. The server
 * computes it while the page waits, on this screen or another one, and keeps it with the match.
 */
import { announce, app } from "../app.js";
import { property } from "../drawing/place.js";
import { askLines, sorry } from "../http.js";
import { html, live, nothing, svg } from "../lit.js";
import { settings } from "../settings.js";
import { _, capital, local } from "../words.js";
import { percent } from "./hints.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [54, 8, 10, 12]; // around the graph
const NARROW = "(max-width: 600px)"; // there the graph is less wide, so that its numbers can be read
const CREWS = ["blue", "green", "red", "yellow", "lilac"];
const MOST = 3; // choices to learn from

/**
 * @typedef {{place: number | null, text: string}} Saying
 * @typedef {{moments: Saying[], errors: Record<string, (Saying & {seat: number})[]>, promises: Saying[]}} Sayings
 * @typedef {{mean: number, low: number, high: number}} Interval
 * @typedef {{seat: number, accuracy: number | null, loss: number, prior: number, result: number, luck: Interval, skill: Interval, others: Interval}} Part
 * @typedef {{chosen: Interval, best: {number: number, value: Interval}}} Lens
 * @typedef {{place: number, seat: number, number: number, knew: Lens | null, hindsight: Lens | null}} Decided
 * @typedef {{exact: boolean, series: {values: Interval[]}[], decisions: Decided[], moments: {place: number}[], seats: Part[], words: Record<"fr" | "en", Sayings>}} Found
 * @typedef {object} Reader who looks at it, and where
 * @property {string} table
 * @property {boolean} together whether all win or lose together
 * @property {(seat: number) => string} name
 * @property {number[]} own the seats of the reader's
 * @property {(place: number) => void} [jump] go to a position of the replay; left out, links lead there
 * @property {(place: number, seat: number | null) => void} [playOn] ask how to play on from a position of the replay
 * @property {number} [at] the position that is looked at
 * @property {(seat: number) => string} [crew] the colour of a seat's crew
 * @property {import("../contract.js").ActionCard[]} cards what every action number means
 */

class Analysis {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Found | null} */
    this.found = null;
    this.done = this.of = 0;
    this.refusal = "";
    this.lens = "knew";
    this.at = 0; // the position that is read off the graph
    /** @type {AbortController | null} */
    this.asking = null;
  }

  ask = async () => {
    this.cancel();
    const { signal } = (this.asking = new AbortController());
    this.done = this.of = 0;
    this.refusal = "";
    app.redraw();
    try {
      await askLines(`/api/tables/${this.table}/analysis`, signal, (line) => {
        if (line.analysis) this.found = line.analysis;
        else if (line.refused) this.refusal = line.refused[settings.language];
        else [this.done, this.of] = [line.done, line.of];
        app.redraw();
      });
      if (this.found) {
        this.at = this.found.series.length - 1;
        if (location.hash.includes(this.table)) announce(_("The analysis is ready."));
      } else this.refusal ||= _("Connection lost. Try again.");
    } catch (error) {
      if (signal.aborted) return;
      this.refusal = sorry(error);
    }
    this.asking = null;
    app.redraw();
  };

  cancel = () => {
    this.asking?.abort();
    this.asking = null;
    app.redraw();
  };
}

/** @type {Map<string, Analysis>} by table */
const analyses = new Map();

/** @param {string} table */
function analysisOf(table) {
  const known = analyses.get(table) ?? new Analysis(table);
  analyses.set(table, known);
  return known;
}

/** Whether a match was analysed, as far as this page knows. @param {string} table */
export function analysed(table) {
  return Boolean(analyses.get(table)?.found);
}

/** Everyone's chances at a position, in words. @param {Found} found @param {Reader} reader @param {number} at */
function chancesAt(found, { together, name }, at) {
  const values = found.series[at]?.values ?? [];
  if (together) return percent(values[0]?.mean ?? 0);
  return new Intl.ListFormat(settings.language, { type: "unit" }).format(values.map(({ mean }, seat) => `${capital(name(seat))} ${percent(mean)}`));
}

/** What the choice before a position and the best one were worth, through a lens. @param {Found} found @param {Reader} reader @param {number} at @param {string} lens */
function weighed(found, { cards, name }, at, lens) {
  const decided = found.decisions.find(({ place }) => place === at - 1);
  const seen = decided?.[lens === "knew" ? "knew" : "hindsight"];
  if (!decided || !seen) return html`<p class="weighed"></p>`;
  const action = (/** @type {number} */ number) => local(cards[number] ?? { fr: "", en: "" });
  const chosen = { name: capital(name(decided.seat)), chosen: action(decided.number), chance: percent(seen.chosen.mean, found.exact) };
  if (seen.best.number === decided.number) return html`<p class="weighed">${_("{name} chose: {chosen}, {chance}. That was the best choice.", chosen)}</p>`;
  const best = { best: action(seen.best.number), value: percent(seen.best.value.mean, found.exact) };
  return html`<p class="weighed">${_("{name} chose: {chosen}, {chance}. Best: {best}, {value}.", { ...chosen, ...best })}</p>`;
}

/** The graph. A slider covers it, so touch, mouse and keyboard can read it. @param {Analysis} analysis @param {Found} found @param {Reader} reader */
function graph(analysis, found, reader) {
  const { series } = found;
  const [WIDTH, HEIGHT] = matchMedia(NARROW).matches ? [400, 250] : [640, 230];
  const last = Math.max(1, series.length - 1);
  const at = Math.min(reader.at ?? analysis.at, last);
  const x = (/** @type {number} */ place) => LEFT + ((WIDTH - LEFT - RIGHT) * place) / last;
  const y = (/** @type {number} */ share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const seats = reader.together ? [0] : (series[0]?.values ?? []).map((_value, seat) => seat);
  const colour = (/** @type {number} */ seat) => reader.crew?.(seat) || CREWS[seat % CREWS.length];
  const line = (/** @type {number} */ seat) => series.map(({ values }, place) => `${x(place).toFixed(1)},${y(values[seat]?.mean ?? 0).toFixed(1)}`).join(" ");
  const band = (/** @type {number} */ seat) => {
    const edge = (/** @type {"high" | "low"} */ end) => series.map(({ values }, place) => `${x(place).toFixed(1)},${y(values[seat]?.[end] ?? 0).toFixed(1)}`);
    return [...edge("high"), ...edge("low").reverse()].join(" ");
  };
  const read = (/** @type {number} */ place) => {
    analysis.at = place;
    if (reader.jump) reader.jump(place);
    else app.redraw();
  };
  const said = _("Step {place}: {chances}", { place: at, chances: chancesAt(found, reader, at) });
  return html`<figure class="chances">
    <figcaption>${reader.together ? _("Your chance of winning together") : _("Everyone’s chance of winning")}</figcaption>
    <div class="graph" ${property("--left", `${(100 * LEFT) / WIDTH}%`)} ${property("--right", `${(100 * RIGHT) / WIDTH}%`)}>
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        ${[0, 0.5, 1].map((share) => svg`<line class="level" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(share)} y2=${y(share)} /><text x=${LEFT - 6} y=${y(share) + 5}>${percent(share)}</text>`)}
        ${found.moments.map(({ place }) => svg`<line class="decided" x1=${x(place + 1)} x2=${x(place + 1)} y1=${TOP} y2=${HEIGHT - BOTTOM} />`)}
        ${found.exact ? nothing : seats.map((seat) => svg`<polygon class=${`band ${colour(seat)}`} points=${band(seat)} />`)}
        ${seats.map((seat) => svg`<polyline class=${`chance dash-${seat % CREWS.length} ${colour(seat)}`} points=${line(seat)} />`)}
        <line class="here" x1=${x(at)} x2=${x(at)} y1=${TOP - 6} y2=${HEIGHT - BOTTOM + 6} />
        ${seats.map((seat) => svg`<circle class=${`spot ${colour(seat)}`} cx=${x(at)} cy=${y(series[at]?.values[seat]?.mean ?? 0)} r="6" />`)}
      </svg>
      <input type="range" min="0" max=${last} .value=${live(String(at))} aria-label=${_("Step")} aria-valuetext=${said} @input=${(/** @type {any} */ event) => read(Number(event.target.value))} />
    </div>
    ${seats.length > 1 ? html`<ul class="legend">${seats.map((seat) => html`<li><svg viewBox="0 0 36 10" aria-hidden="true"><polyline class=${`chance dash-${seat % CREWS.length} ${colour(seat)}`} points="1,5 35,5" /></svg>${capital(reader.name(seat))}</li>`)}</ul>` : nothing}
    ${weighed(found, reader, at, analysis.lens)}
    <p class="read">${said} ${reader.jump ? nothing : html`<a href=${`#/replay/${reader.table}/${at}`}>${_("See this step")}</a>`}</p>
  </figure>`;
}

/** Something about a place of the match, a link there, and a link to play on from there. @param {Saying & {seat?: number}} saying @param {Reader} reader @param {boolean} [again] whether it can be tried again */
function saying({ place, text, seat }, { table, jump, playOn }, again = false) {
  if (place === null) return html`<li>${text}</li>`;
  const playAgain = (/** @type {MouseEvent} */ event) => {
    if (!playOn) return;
    event.preventDefault();
    playOn(place, seat ?? null);
  };
  const go = (/** @type {MouseEvent} */ event) => {
    if (!jump) return;
    event.preventDefault();
    jump(place + 1);
  };
  const differently = html`<a class="differently" href=${`#/replay/${table}/${place}/branch`} @click=${playAgain}>${_("Try it differently")}</a>`;
  return html`<li><a href=${`#/replay/${table}/${place + 1}`} @click=${go}>${text}</a>${again ? differently : nothing}</li>`;
}

/** The parts of each result: they add up. @param {Found} found @param {Reader} reader */
function parts({ seats, exact }, { name, own }) {
  const signed = new Intl.NumberFormat(settings.language, { signDisplay: "exceptZero" });
  const points = (/** @type {number} */ share) => Math.round(share * 100);
  const row = (/** @type {Part} */ { seat, prior, luck, skill, others, result, accuracy, loss }) => {
    const [start, lucky, skilled, end] = [points(prior), points(luck.mean), points(skill.mean), points(result)];
    /** @type {[number, Interval][]} the last one takes what rounding leaves */
    const changes = [[lucky, luck], [skilled, skill], [end - start - lucky - skilled, others]];
    const cell = (/** @type {number} */ change, /** @type {Interval} */ { low, high }) =>
      html`<td>${signed.format(change).replace("-", "−")}${high > low ? html` <small>±${Math.max(1, points((high - low) / 2))}</small>` : nothing}</td>`;
    const lost = points(loss) ? html` <small>−${points(loss)}</small>` : nothing;
    return html`<tr class=${own.includes(seat) ? "own" : ""}><th scope="row">${capital(name(seat))}</th><td>${start}</td>${changes.map(([change, interval]) => cell(change, interval))}<td class="sum">${end}</td><td>${accuracy === null ? "–" : percent(accuracy)}${lost}</td></tr>`;
  };
  return html`<div class="parts" tabindex="0" role="region" aria-label=${_("Luck and skill")}><table>
    <thead><tr><td></td><th scope="col">${_("At the start")}</th><th scope="col">${_("Luck")}</th><th scope="col">${_("Choices")}</th><th scope="col">${_("The others")}</th><th scope="col">${_("Result")}</th><th scope="col">${_("Accuracy")}</th></tr></thead>
    <tbody>${seats.map(row)}</tbody></table></div>
    <p><small>${_("All numbers are points out of 100. The starting chance, luck, a player’s own choices and the others’ add up to the result. Accuracy says how much of their chances their choices kept. Below it: the points those choices clearly cost.")}${exact ? nothing : html` ${_("± is the uncertainty (95%).")}`}</small></p>`;
}

/** @param {Analysis} analysis @param {Found} found @param {Reader} reader */
function report(analysis, found, reader) {
  const words = found.words[settings.language];
  const mine = (words.errors[analysis.lens] ?? []).filter(({ seat }) => !reader.own.length || reader.own.includes(seat)).slice(0, MOST);
  const lens = (/** @type {string} */ value, /** @type {string} */ label) => html`<label><input type="radio" name="lens" .checked=${live(analysis.lens === value)} @change=${() => {
    analysis.lens = value;
    app.redraw();
  }} /><span>${label}</span></label>`;
  return html`${graph(analysis, found, reader)}
    <h3>${_("What decided it")}</h3>
    ${words.moments.length ? html`<ol>${words.moments.map((each) => saying(each, reader, true))}</ol>` : html`<p>${_("No single step clearly changed anyone’s chances.")}</p>`}
    <h3>${_("What to try next time")}</h3>
    <fieldset class="segments lenses"><legend class="unseen">${_("Point of view")}</legend>${lens("knew", _("With what you knew"))}${lens("hindsight", _("In hindsight"))}</fieldset>
    ${mine.length ? html`<ol class="errors">${mine.map((each) => saying(each, reader, true))}</ol>` : html`<p class="errors">${_("No choice cost much.")}</p>`}
    <h3>${_("Luck and skill")}</h3>
    ${parts(found, reader)}
    ${words.promises.length ? html`<h3>${_("Promises")}</h3><ul>${words.promises.map((each) => saying(each, reader))}</ul>` : nothing}
    <p><small>${found.exact ? _("All chances are exact.") : _("All chances are the bots’ estimates. The pale bands show how uncertain they are.")}</small></p>`;
}

/** How did it go? @param {Reader} reader */
export function howItWent(reader) {
  const analysis = analysisOf(reader.table);
  const { found, asking, done, of, refusal } = analysis;
  const body = found
    ? report(analysis, found, reader)
    : asking
      ? html`<p role="status">${_("Looking at every choice…")}</p><progress max=${of || 1} value=${done} aria-label=${_("Analysis progress")}></progress><button @click=${analysis.cancel}>${_("Stop")}</button>`
      : html`${refusal ? html`<p role="alert">${refusal}</p>` : nothing}<button class="ask-analysis" @click=${analysis.ask}>${_("Analyse the game")}</button>`;
  return html`<section class="analysis" aria-label=${_("How did it go?")}>${found ? html`<h2>${_("How did it go?")}</h2>` : nothing}${body}</section>`;
}
