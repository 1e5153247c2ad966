/** A table, from the invitation to the score sheet. It holds what the parts of the screen share and hands it to them. */
import { announce, app, gameCard, go, notice } from "../app.js";
import { keep } from "../berth.js";
import { actionsOf, boardOf } from "../boards.js";
import { Choice } from "../choice.js";
import { ask } from "../http.js";
import { html, nothing } from "../lit.js";
import { plainBoard } from "../plain.js";
import { settings } from "../settings.js";
import { play } from "../sound.js";
import { Stage } from "../stage.js";
import { Table, sentence } from "../table.js";
import { _, capital, gameWords, learn, local, name } from "../words.js";
import { aside } from "./aside.js";
import { header } from "./frame.js";
import { lobby } from "./lobby.js";
import { result } from "./result.js";

export class TableScreen {
  /** @param {string} id @param {import("../berth.js").Berth | undefined} berth */
  constructor(id, berth) {
    /** @type {import("../contract.js").Board | null} */
    this.board = null;
    /** @type {import("../contract.js").ActionCard[]} */
    this.cards = [];
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Choice | null} */
    this.choice = null;
    this.choiceKey = "";
    /** @type {{action: number, key: string, events: import("../contract.js").GameEvent[]} | null} */
    this.ahead = null;
    this.sending = false;
    this.drawer = ""; // "", "log", "chat", "rules", "words"
    this.rule = "";
    this.inWords = "";
    this.wordsKey = "";
    this.chatted = 0; // how much of the talk was seen
    /** @type {number | null} whose eyes are at the device, where several share it */
    this.unveiled = null;
    this.table = new Table(id, berth, {
      changed: () => this.changed(),
      happened: (events) => this.happened(events),
      refused: (refusal) => notice(local(refusal)),
    });
    this.wide = matchMedia("(min-aspect-ratio: 5/4), (min-width: 1000px)");
    this.onShape = () => app.redraw();
    this.wide.addEventListener("change", this.onShape);
    this.ticking = setInterval(() => this.tick(), 1000);
  }

  leave() {
    clearInterval(this.ticking);
    this.wide.removeEventListener("change", this.onShape);
    this.table.leave();
  }

  get title() {
    return this.table.info ? gameCard(this.table.info.game).title : _("Table");
  }

  tick() {
    if (Object.keys(this.table.match?.deadlines ?? {}).length) app.redraw();
  }

  changed() {
    const info = this.table.info;
    if (info && !this.board) void this.prepare(info.game);
    if (info && app.starting === info.id && this.table.host && info.status === "open") {
      app.starting = "";
      void this.table.tell("start");
    }
    if (info?.rematch && this.followed !== info.rematch && this.table.berth) void this.follow(info.rematch);
    app.redraw();
  }

  followed = "";

  /** The same guests play again: their secrets open the new table too. @param {string} table */
  async follow(table) {
    this.followed = table;
    const berth = this.table.berth;
    if (!berth) return;
    const info = await ask(`/api/tables/${table}`);
    keep({ ...berth, table, code: info.code });
    if (this.table.host) app.starting = table;
    go(`/table/${table}`);
  }

  /** @param {string} game */
  async prepare(game) {
    if (this.preparing) return;
    this.preparing = true;
    const [board, cards] = await Promise.all([boardOf(game), actionsOf(game), learn(game)]);
    this.cards = cards;
    this.board = board;
    this.stage = new Stage(board, () => {
      app.redraw();
      this.resume();
    });
    this.happened([]);
    app.redraw();
  }

  preparing = false;

  /** Whose eyes look at the board: the seat that must decide, else the first of ours, else the public. */
  get seat() {
    const { match, seats } = this.table;
    if (!match || !seats.length) return -1;
    if (seats.length === 1) return seats[0] ?? -1;
    const deciding = Number(Object.keys(match.legal)[0] ?? -1);
    return deciding >= 0 && this.unveiled === deciding ? deciding : -1;
  }

  /** Several people share this device, and another one must decide now: the others look away. */
  get curtained() {
    const { match, seats } = this.table;
    const deciding = match ? Object.keys(match.legal)[0] : undefined;
    return seats.length > 1 && deciding !== undefined && this.unveiled !== Number(deciding) ? Number(deciding) : null;
  }

  /** @param {import("../contract.js").GameEvent[]} events */
  happened(events) {
    const { match } = this.table;
    if (events.length) announce(events.map(sentence).join(" "));
    if (!match || !this.stage) return;
    const seat = this.seat;
    const view = match.views[String(seat)] ?? match.views["-1"] ?? Object.values(match.views)[0];
    if (view) this.stage.show(events, view, seat);
    this.ahead = null;
    this.choose();
    this.resume();
  }

  /** Whoever decides by keyboard finds the next decision where the last one was, and not at the top of the page. */
  resume() {
    if (!this.byKey || !this.choice || this.stage?.busy) return;
    app.redraw();
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      this.byKey = false;
      /** @type {HTMLElement | null} */ (document.querySelector(".hand-area button:not([disabled])"))?.focus();
    });
  }

  byKey = false;

  /** A new decision is a new choice; the same one keeps what was touched. */
  choose() {
    const { match } = this.table;
    const seat = this.seat;
    const legal = match?.legal[String(seat)];
    const bot = seat >= 0 && this.table.info?.seats[seat]?.rank;
    const key = legal && !bot ? `${seat}:${legal.join()}` : "";
    if (key === this.choiceKey) return;
    this.choiceKey = key;
    this.choice = legal && key ? new Choice(legal, this.cards) : null;
    if (this.choice) play("bell");
  }

  /** @param {Choice} choice */
  touch(choice) {
    this.choice = choice;
    void this.lookAhead();
    app.redraw();
  }

  /** Ask the server what the action would lead to; the page knows no rules. */
  async lookAhead() {
    const action = this.choice && this.board?.foresee ? this.board.foresee(this.choice) : null;
    if (action === null) {
      this.ahead = null;
      return;
    }
    const key = `${this.table.match?.version}:${action}`;
    if (this.ahead?.key === key) return;
    try {
      const events = await this.table.foresee(this.seat, action);
      if (this.choice && this.board?.foresee?.(this.choice) === action) this.ahead = { action, key, events };
    } catch {
      this.ahead = null; // a look ahead is a courtesy
    }
    app.redraw();
  }

  /** @param {MouseEvent} event */
  async send(event) {
    const { choice } = this;
    this.byKey = event.detail === 0;
    const action = choice?.action ?? null;
    if (action === null || this.sending) return;
    this.sending = true;
    this.choiceKey = "sent"; // what may be decided next can look the very same, and is a new choice all the same
    app.redraw();
    const seat = this.seat;
    const version = this.table.match?.version ?? 0;
    await this.table.tell("act", { seat, action, version });
    this.sending = false;
    if (this.table.seats.length > 1) this.unveiled = null;
    this.resume();
    app.redraw();
  }

  /** @param {string} drawer */
  toggle(drawer) {
    this.drawer = this.drawer === drawer ? "" : drawer;
    app.redraw();
  }

  /** Open the rule that is cited. @param {string} rule */
  openRule(rule) {
    this.rule = rule;
    this.drawer = "rules";
    app.redraw();
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`rule-${rule}`)?.scrollIntoView({ block: "center" })));
  }

  /** @returns {import("../contract.js").Desk} */
  get desk() {
    const { stage, board, ahead } = this;
    const scene = stage?.scene ?? {};
    let foreseen = null;
    if (ahead && board && !stage?.busy) {
      const scenes = [scene];
      for (const event of ahead.events) scenes.push(board.step(scenes.at(-1) ?? scene, event).scene);
      foreseen = { events: ahead.events, scenes };
    }
    return {
      scene,
      choice: stage?.busy || this.sending || this.curtained !== null ? null : this.choice,
      seat: this.seat,
      shape: this.wide.matches ? "wide" : "tall",
      name: (seat) => this.table.name(seat),
      pick: (part, value) => this.choice && this.touch(this.choice.pick(part, value)),
      back: () => this.choice && this.touch(this.choice.back()),
      foreseen,
      talk: () => {
        this.drawer = "chat";
        app.redraw();
      },
    };
  }

  /** Fetch the board in words when it is wanted and has changed. */
  async readBoard() {
    const key = `${this.table.match?.version}:${this.seat}:${settings.language}`;
    if (key === this.wordsKey || !this.table.match) return;
    this.wordsKey = key;
    try {
      this.inWords = await this.table.inWords(this.seat, settings.language);
    } catch (error) {
      this.inWords = /** @type {Error} */ (error).message;
    }
    app.redraw();
  }

  banner() {
    const { lost, connected, info } = this.table;
    if (lost) return html`<div class="banner" role="status">${local(lost)} <a href="#/">${_("To the harbour")}</a></div>`;
    if (!connected && info) return html`<div class="banner" role="status">${_("The line is down; it will be back in a moment. Nothing is lost.")}</div>`;
    return nothing;
  }

  /** Who must decide now, in words. */
  status() {
    const { match, info } = this.table;
    if (!match || !info) return "";
    const others = match.to_act.filter((seat) => seat !== this.seat).map((seat) => this.who(seat));
    if (!others.length) return "";
    const names = new Intl.ListFormat(settings.language).format(others);
    return others.length > 1 ? _("{names} are choosing…", { names }) : _("{names} is choosing…", { names });
  }

  /** A seat by its player's name, and its crew where the game has crews. @param {number} seat */
  who(seat) {
    const crew = name("player", seat) !== String(seat) ? name("player", seat) : name("crew", seat);
    const person = this.table.name(seat);
    return crew === String(seat) ? person : `${person} (${crew})`;
  }

  decision() {
    const { choice, board, stage } = this;
    const desk = this.desk;
    if (!board || !stage) return nothing;
    if (this.curtained !== null) {
      const seat = this.curtained;
      const reveal = () => {
        this.unveiled = seat;
        this.happened([]);
        app.redraw();
      };
      return html`<div class="curtain"><p>${_("Pass the device to {name}. The others look away.", { name: capital(this.who(seat)) })}</p>
        <button class="primary" @click=${reveal}>${_("Here I am")}</button></div>`;
    }
    const chair = this.table.info?.seats[this.seat];
    if (chair?.rank && chair.guest !== null) {
      return html`<p class="must">${_("A bot plays for you.")}</p>
        <div class="act"><button class="primary" @click=${() => this.table.tell("take-back", { seat: this.seat })}>${_("Take my seat back")}</button></div>`;
    }
    if (stage.busy) {
      const event = stage.event;
      return html`<p class="must">${event ? sentence(event) : ""}</p>
        <div class="hand-area">${board.hand(desk)}</div>
        <div class="act"><button @click=${() => stage.skip()}>${_("Skip")}</button></div>`;
    }
    if (!choice) return html`<p class="must waiting">${this.status()}</p><div class="hand-area">${board.hand(desk)}</div>`;
    const rule = board.rule?.(choice, desk.scene) ?? "";
    const question = gameWords().ask[choice.next(gameWords().order)?.split(".")[0] ?? ""];
    const must = board.ask?.(choice, desk.scene) ?? (choice.action === null ? (question ?? "") : local(this.cards[choice.action] ?? { fr: "", en: "" }));
    return html`<p class="must" id="must">${must}${this.clock()}</p>
      <div class="hand-area">${board.hand(desk)}</div>
      <div class="act">
        ${choice.touched.length ? html`<button @click=${() => this.touch((board.back ?? ((c) => c.back()))(choice))}>${_("Back")}</button>` : nothing}
        <button class="primary" ?disabled=${choice.action === null || this.sending} @click=${(/** @type {MouseEvent} */ event) => this.send(event)} aria-describedby="must">
          ${choice.action === null ? _("Choose") : (board.verb?.(choice, desk.scene) ?? _("Play"))}
        </button>
        ${rule ? html`<button class="cite" @click=${() => this.openRule(rule)}><b>${rule}</b> ${gameWords().rules[rule]?.split(/(?<=\.)\s/)[0] ?? ""}</button>` : nothing}
      </div>`;
  }

  clock() {
    const until = this.table.match?.deadlines[String(this.seat)];
    if (!until) return nothing;
    const seconds = Math.max(0, Math.round(until - Date.now() / 1000));
    return html` <span class="clock">${_("{seconds} s", { seconds })}</span>`;
  }

  /** @param {import("../contract.js").Board} board */
  scene(board) {
    const desk = this.desk;
    const [width, height] = board.size[desk.shape];
    if (board === plainBoard) void this.readBoard();
    if (board === plainBoard) return html`<div class="in-words large" tabindex="0" role="region" aria-label=${_("The board in words")}>${this.inWords}</div>`;
    return html`<svg class=${`scene ${desk.shape}`} viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMinYMid" role="group" aria-label=${_("The board")} @click=${() => this.stage?.skip()}>${board.draw(desk)}</svg>`;
  }

  render() {
    const { info, match, lost } = this.table;
    if (!info) {
      return html`${header()}<main class="narrow">${lost ? html`<h1>${_("No table here")}</h1><p role="alert">${local(lost)}</p><p><a class="button" href="#/">${_("To the harbour")}</a></p>` : html`<h1>${_("One moment, please.")}</h1>`}</main>`;
    }
    if (info.status === "open" || !match) return html`${header()}${this.banner()}${lobby(this)}`;
    const over = info.status === "over" && !this.stage?.busy;
    if (this.drawer === "words") void this.readBoard();
    const board = this.board;
    return html`<div class="table-screen" data-version=${match.version}>
      <header class="top slim">
        <a class="brand" href="#/" aria-label=${_("To the harbour")}><img src="/page/icon.svg" alt="" width="32" height="32" /></a>
        <h1>${gameCard(info.game).title}</h1>
        <button class="quiet" @click=${() => document.dispatchEvent(new Event("tribord-settings"))}>${_("Settings")}</button>
      </header>
      ${this.banner()}
      <main class="board-area">
        ${board ? html`<div class="scene-area">${this.scene(board)}</div>` : nothing}
        <section class="decision" aria-label=${_("Your decision")}>${over && board ? result(this, board) : this.decision()}</section>
      </main>
      ${aside(this)}
    </div>`;
  }
}
