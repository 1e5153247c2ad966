/**
 * The TV: the table for the whole room. It only knows what everyone may know, no matter whose device it is, and takes
 * no commands.
 */
import { announce, app, gameCard, invitation, stay } from "../app.js";
import { boardOf, needed } from "../boards.js";
import { camera } from "../camera.js";
import { cover } from "../drawing/cover.js";
import { property } from "../drawing/place.js";
import { html, nothing } from "../lit.js";
import { plainBoard } from "../plain.js";
import { settings } from "../settings.js";
import { play } from "../sound.js";
import { Stage } from "../stage.js";
import { Table, crewOf } from "../table.js";
import { _, because, capital, explained, learn, local } from "../words.js";
import { absenceInWords } from "./absence.js";
import { clocks } from "./clock.js";
import { inLines, openSettings } from "./frame.js";
import { Seats } from "./seats.js";
import { opening, picture } from "./ending.js";
import { seatState } from "./lobby.js";
import { celebrate, scoreSheet } from "./result.js";
import { removalInWords } from "./removal.js";
import { requestInWords, announceUndo } from "./undo.js";
import { preparing } from "./preparing.js";

const BROAD = 1.95; // from this width to a height on, a board takes the whole width and the log goes below
const NARROW = 800; // up to this width a phone plays the TV: the tall drawing, which is legible there
const PUBLIC = -1;

export class TvScreen {
  sound = false; // a room has its own noise, so sound must be turned on here
  /** @type {import("../contract.js").Board | null} */
  board = null;
  /** @type {Stage | null} */
  stage = null;
  game = "";
  inWords = "";
  wordsKey = "";
  eyes = PUBLIC;
  seats = new Seats(this);

  /** @param {string} id a table's id or code */
  constructor(id) {
    this.table = new Table(id, undefined, {
      changed: () => this.changed(),
      played: (events) => this.played(events),
      refused: () => {},
      undone: () => this.undone(),
    });
    this.ticking = setInterval(() => this.tick(), 1000);
    this.onSize = () => app.redraw();
    addEventListener("resize", this.onSize);
  }

  leave() {
    this.gone = true;
    clearInterval(this.ticking);
    removeEventListener("resize", this.onSize);
    this.table.leave();
  }

  gone = false;

  get title() {
    return this.table.info ? gameCard(this.table.info.game).title : _("Table");
  }

  /** @returns {"wide" | "tall"} */
  get shape() {
    return innerWidth > NARROW ? "wide" : "tall";
  }

  tick() {
    if (Object.keys(this.table.match?.deadlines ?? {}).length || this.table.away.size) app.redraw();
  }

  changed() {
    if (this.gone) return; // the screen has changed: ignore the connection's last messages
    const { info } = this.table;
    if (info && this.game !== info.game) void this.prepare(info.game);
    if (info?.status === "over" && !info.guests.length) {
      location.replace(`#/replay/${info.id}`); // a match from a file: nobody ever sat here, and the replay knows the names
      return;
    }
    if (this.stage && !this.stage.busy) this.table.report(false);
    if (info?.rematch) {
      stay(`#/tv/${info.rematch}`);
      if (this.board) this.setStage(this.board);
      this.table.visit(info.rematch, undefined);
    }
    app.redraw();
  }

  /** @param {string} game */
  async prepare(game) {
    this.game = game;
    const brought = await needed(this, () => Promise.all([boardOf(game), learn(game)]));
    if (!brought) return;
    [this.board] = brought;
    this.setStage(this.board);
    this.played([]);
    app.redraw();
  }

  /** A stage that has shown nothing yet. @param {import("../contract.js").Board} board */
  setStage(board) {
    this.stage = new Stage(board, app.redraw, {
      quiet: () => !this.sound,
      say: (event) => this.table.narrate(event),
      shown: () => this.table.report(this.stage?.busy ?? false),
    });
  }

  /** @param {import("../contract.js").GameEvent[]} events */
  played(events) {
    if (events.length) announce(events.map((event) => explained(this.table.narrate(event), event)).join(" "));
    const view = this.table.match?.views[String(PUBLIC)];
    if (view) this.stage?.show(events, view, PUBLIC, this.table.returned);
  }

  /** Decisions were taken back: stop showing them. */
  undone() {
    const view = this.table.match?.views[String(PUBLIC)];
    if (view) this.stage?.put(view, PUBLIC);
    announceUndo();
  }

  /** Whose turn it is, and why the room waits. */
  turn() {
    const { match, info } = this.table;
    if (!match || !info) return "";
    const event = this.stage?.turn.filter((event) => !this.stage?.wordless(event)).at(-1);
    if (event) return html`<span class="narrated" data-kind=${event.kind} data-beat=${this.stage?.beat ?? nothing}>${this.table.narrate(event)}${because(event) ? html`<small class="because">${because(event)}</small>` : nothing}</span>`;
    const waits = requestInWords(this.table) || removalInWords(this.table) || absenceInWords(this.table);
    if (waits) return html`<strong role="status">${waits}</strong>`;
    const names = new Intl.ListFormat(settings.language).format(match.to_act.map((seat) => this.table.who(seat)));
    if (match.to_act.length > 1) return _("{names} are choosing in secret…", { names });
    return match.to_act.length ? _("{names} is choosing…", { names }) : "";
  }

  invite() {
    const { info } = this.table;
    const free = info?.seats.some((held) => held.guest === null && !held.rank);
    if (!info || info.status !== "open" || !free) return nothing;
    const link = invitation(info.code);
    return html`<section class="tv-invite" aria-label=${_("Invite")}>
      <img class="qr" alt=${_("QR code of the link to this table")} src=${`/page/qr.svg?text=${encodeURIComponent(link)}`} />
      <div><p>${_("Point a phone’s camera here, or type the code at {address}", { address: link.replace(/^https?:\/\//, "").replace(/\/#.*/, "") })}</p>
        <p class="code" aria-label=${_("Code {code}", { code: info.code.split("").join(" ") })}>${info.code}</p></div>
    </section>`;
  }

  lobby() {
    const { table } = this;
    const info = /** @type {import("../contract.js").TableInfo} */ (table.info);
    const free = info.seats.some((held) => held.guest === null && !held.rank);
    return html`<main class="tv-lobby">
      <div class="tv-cover" aria-hidden="true">${cover(gameCard(info.game))}</div>
      ${this.invite()}
      <ul class="tv-seats">${info.seats.map((held) => {
        const who = held.name || _("free");
        return html`<li class=${held.guest === null && !held.rank ? "free" : nothing}><span class="crew-name">${capital(crewOf(held.seat)) || _("Seat {seat}", { seat: held.seat + 1 })}</span> <b>${who}</b> <small>${seatState(table, held)}</small></li>`;
      })}</ul>
      ${free ? nothing : html`<p class="tv-turn">${_("Everyone’s aboard. {host} starts the game.", { host: table.nickname(0) })}</p>`}
    </main>`;
  }

  log() {
    const unseen = this.stage?.unseen;
    const lines = this.table.log.flatMap((update) => update.events ?? []).filter((event) => !unseen?.has(event)).slice(-12).reverse();
    return html`<section class="tv-log" aria-label=${_("Log")}><ol reversed>${lines.map((event, age) => html`<li class=${age ? "" : "latest"}>${this.table.narrate(event)}</li>`)}</ol></section>`;
  }

  /** The board in words, for a game without a drawing. */
  async readBoard() {
    const key = `${this.table.match?.version}:${settings.language}`;
    if (key === this.wordsKey) return;
    this.wordsKey = key;
    this.inWords = await this.table.inWords(PUBLIC, settings.language).catch(() => "");
    app.redraw();
  }

  scene() {
    const { board, stage } = this;
    if (!board || !stage?.scene) return nothing;
    if (board === plainBoard) {
      void this.readBoard();
      return html`<div class="tv-board in-words">${inLines(this.inWords)}</div>`;
    }
    const shape = this.shape;
    const [width, height] = board.size[shape];
    /** @type {import("../contract.js").Desk} */
    const desk = { ...stage.desk, ...this.table.gesturing(stage.busy), choice: null, seat: PUBLIC, shape, name: (seat) => this.table.label(seat), pick: () => {}, back: () => {}, why: () => {}, preview: null, log: this.table.log };
    return html`<div class="tv-board"><svg class=${`scene ${shape}`} viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" role="group" aria-label=${_("The board")}>${camera(stage, shape, board.draw(desk))}</svg></div>`;
  }

  /** The same ending as on the phones, for the whole room: it takes the place of the board. */
  result() {
    const { match, info } = this.table;
    const outcome = match?.outcome;
    if (!outcome || !info || !this.board) return nothing;
    const view = match.views[String(PUBLIC)] ?? {};
    const reader = { outcome, game: info.game, table: info.id, name: (/** @type {number} */ seat) => this.table.called(seat), own: [] };
    const live = this.stage?.lived ?? false;
    celebrate(reader, live, !this.sound);
    return html`<section class="tv-result"><div class="tv-ending">${opening(reader)}${picture(reader, this.board, view)}</div>
      ${scoreSheet(this.board, view, outcome, (seat) => this.table.label(seat), { live, tick: () => this.sound && play("coin") })}</section>`;
  }

  /** Controls for the person who stands in front of the screen. */
  controls() {
    const toggle = () => {
      this.sound = !this.sound;
      app.redraw();
    };
    const fill = () => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    return html`<div class="tv-controls">
      <button class="quiet" aria-pressed=${this.sound ? "true" : "false"} @click=${toggle}>${this.sound ? _("Sound on") : _("Sound off")}</button>
      <button class="quiet" @click=${fill}>${_("Full screen")}</button>
      <button class="quiet" @click=${openSettings}>${_("Settings")}</button>
    </div>`;
  }

  render() {
    const { info, match, lost, connected } = this.table;
    if (!info) return html`<main class="tv"><h1>${lost ? local(lost) : _("One moment, please.")}</h1>${lost ? html`<p><a class="button" href="#/">${_("Return to harbour")}</a></p>` : nothing}</main>`;
    const [width, height] = this.board?.size[this.shape] ?? [16, 9];
    const playing = info.status !== "open" && match;
    const over = info.status === "over" && !this.stage?.busy;
    const form = width / height >= BROAD ? "broad" : "deep";
    return html`<div class=${`tv ${playing ? form : "waiting"} ${over ? "over" : ""}`} data-version=${match?.version ?? ""} ${property("--ratio", String(width / height))}>
      <header class="tv-top"><h1>${gameCard(info.game).title}</h1>
        ${playing && !over ? html`<p class="tv-turn">${this.turn()}</p>${clocks(this.table, match.to_act)}` : nothing}${this.controls()}</header>
      ${connected ? preparing(this.table) : html`<div class="banner" role="status">${_("Connection lost. Reconnecting… your game is safe.")}</div>`}
      ${playing ? html`<main class="tv-stage">${over ? this.result() : this.scene()}</main>${over ? nothing : html`${this.seats.tv(form === "broad")}${this.log()}`}` : this.lobby()}
    </div>`;
  }
}
