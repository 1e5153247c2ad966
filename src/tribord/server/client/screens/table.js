/** A table, from the invitation to the score sheet. It holds what the parts of the screen share. */
import { announce, answered, app, gameCard, go, notice, stay } from "../app.js";
import { keep, leave as forget } from "../credentials.js";
import { WIDE, actionsOf, boardOf, needed } from "../boards.js";
import { camera } from "../camera.js";
import { Choice, flat } from "../choice.js";
import { Guide, lessonAt } from "../guide.js";
import { property } from "../drawing/place.js";
import { ask, sorry } from "../http.js";
import { html, nothing } from "../lit.js";
import { plainBoard } from "../plain.js";
import { set, settings } from "../settings.js";
import { allowShake, onShake } from "../shake.js";
import { play } from "../sound.js";
import { Stage } from "../stage.js";
import { Table } from "../table.js";
import { lessonOf } from "../variants.js";
import { _, because, beginning, explained, gameWords, learn, local } from "../words.js";
import { absence } from "./absence.js";
import { aside, rigging } from "./aside.js";
import { clocks } from "./clock.js";
import { CompanyDialog } from "./company.js";
import { header, howTo, inLines, openHowTo } from "./frame.js";
import { lines } from "./lines.js";
import { Hints } from "./hints.js";
import { Lobby } from "./lobby.js";
import { Recap } from "./recap.js";
import { result } from "./result.js";
import { turnTo, typeset } from "./rules.js";
import { Seats } from "./seats.js";
import { Undo } from "./undo.js";
import { preparing } from "./preparing.js";
import { why } from "./why.js";

const CITED = 105; // letters of a rule below the button, which are two lines on a phone

export class TableScreen {
  /** @param {string} id @param {import("../credentials.js").Credentials | undefined} credentials */
  constructor(id, credentials) {
    /** @type {import("../contract.js").Board | null} */
    this.board = null;
    /** @type {import("../contract.js").ActionCard[]} */
    this.cards = [];
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Choice | null} */
    this.choice = null;
    this.choiceKey = "";
    /** @type {{action: number, key: string, events: import("../contract.js").GameEvent[], fate: import("../contract.js").GameEvent[]} | null} */
    this.ahead = null;
    this.sending = false;
    this.drawer = ""; // "", "log", "chat", "rules", "words"
    this.rule = "";
    this.inWords = "";
    this.wordsKey = "";
    this.chatted = 0; // how much of the talk was seen
    /** @type {number | null} who looks at the device, if several share it */
    this.unveiled = null;
    this.company = new CompanyDialog(this);
    this.recap = new Recap(this);
    /** @type {any} what this view showed last */
    this.viewed = null;
    this.seats = new Seats(this);
    this.undo = new Undo(this);
    this.hints = new Hints(this);
    this.lobby = new Lobby(this);
    /** @type {import("./comparison.js").Comparison | null} with the match that this one goes on from */
    this.comparison = null;
    this.table = new Table(id, credentials, {
      changed: () => this.changed(),
      played: (events) => this.played(events),
      refused: (refusal) => notice(local(refusal), refusal.rule),
      undone: () => {
        this.hints.forget();
        this.undo.taken();
      },
      pointed: (name, sort, value) => announce(_("{name} points at this: {thing}.", { name, thing: this.board?.thing?.(sort, value) ?? value })),
    });
    this.wide = matchMedia(WIDE);
    this.onShape = () => app.redraw();
    this.wide.addEventListener("change", this.onShape);
    this.ticking = setInterval(() => this.tick(), 1000);
    this.unshake = onShake(() => this.stage?.rolling && this.stage.next());
  }

  leave() {
    this.gone = true;
    clearInterval(this.ticking);
    this.unshake();
    this.wide.removeEventListener("change", this.onShape);
    this.table.leave();
  }

  gone = false;

  get title() {
    return this.table.info ? gameCard(this.table.info.game).title : _("Table");
  }

  tick() {
    if (Object.keys(this.table.match?.deadlines ?? {}).length || this.table.away.size) app.redraw();
  }

  changed() {
    if (this.gone) return; // the screen has changed: ignore the connection's last messages
    const { info, lost, credentials } = this.table;
    if (lost?.code === "removed" && credentials) {
      forget(credentials.table);
      notice(local(lost));
      go("/");
      return;
    }
    if (lost?.code === "wrong-secret" && credentials) {
      forget(credentials.table);
      notice(_("Your seat has moved to another device. You’re watching here."));
      go(`/watch/${credentials.table}`);
      return;
    }
    if (info && !this.board) void this.prepare(info.game, info.guide);
    if (info?.status === "over" && !info.guests.length) {
      location.replace(`#/replay/${info.id}`); // a match from a file: no one ever sat here
      return;
    }
    if (info && !this.arrived) {
      this.arrived = true;
      this.followed = info.rematch ?? ""; // if you open an old table, you want to see that one
    }
    if (info && app.starting === info.id && this.table.host && info.status === "open") {
      app.starting = "";
      const waitFor = info.seats.some(({ guest, rank, ready }) => (guest === null ? !rank : guest !== this.table.guest && !ready));
      if (!waitFor) void this.table.send("start");
    }
    if (this.stage && !this.stage.busy) this.table.report(false);
    if (info?.rematch && this.followed !== info.rematch) void this.follow(info.rematch);
    app.redraw();
  }

  followed = "";

  /** The same guests play again, on the same connection: their secrets open the new table too. @param {string} table */
  async follow(table) {
    this.followed = table;
    const credentials = this.table.credentials;
    const info = await ask(`/api/tables/${table}`);
    const moved = credentials && { ...credentials, table, code: info.code };
    if (moved) keep(moved);
    stay(`#/${credentials ? "table" : "watch"}/${table}`);
    this.choice = null;
    this.choiceKey = "";
    this.guide = null; // a rematch is without one
    this.ahead = null;
    this.unveiled = null;
    this.chatted = 0;
    this.wordsKey = this.inWords = "";
    if (this.board) this.setStage(this.board);
    this.table.visit(table, moved);
    app.redraw();
  }

  arrived = false;

  /** @param {string} game @param {string | null} guided */
  async prepare(game, guided) {
    if (this.preparing) return;
    this.preparing = true;
    const brought = await needed(this, () => Promise.all([boardOf(game), actionsOf(game), learn(game), guided ? lessonAt(game, guided) : null]));
    if (!brought) return;
    const [board, cards, , lesson] = brought;
    this.guide = lesson && new Guide(lesson, this);
    this.cards = cards;
    this.board = board;
    this.setStage(board);
    for (const { events, view, seat, past } of this.missed.splice(0)) this.stage?.show(events, view, seat, past);
    this.choose();
    app.redraw();
  }

  /** @type {Guide | null} who leads us through a first match */
  guide = null;

  /** Why something happened, if that's shown. @param {import("../contract.js").GameEvent} event */
  why(event) {
    return because(event) || this.guide?.because(event) || "";
  }

  /** @type {import("../stage.js").Act[]} what happened before there was a stage to show it */
  missed = [];

  /** A stage that has shown nothing yet. @param {import("../contract.js").Board} board */
  setStage(board) {
    const changed = () => {
      app.redraw();
      this.resume();
    };
    this.stage = new Stage(board, changed, {
      wait: () => (this.table.info?.clock ? null : app.reading),
      say: (event) => this.table.narrate(event),
      concerns: (event) => this.table.concerns(event),
      why: (event) => this.why(event),
      familiar: (event) => !settings.explain && (this.guide?.knows(event) ?? false),
      shown: () => this.table.report(this.stage?.busy ?? false),
    });
  }

  preparing = false;

  /** Whether several people share this device. */
  get shared() {
    return this.table.seats.length > 1;
  }

  /** Our seat that must decide now, or −1. */
  get deciding() {
    const { match, info } = this.table;
    const seats = Object.keys(match?.legal ?? {}).map(Number).filter((seat) => !info?.seats[seat]?.rank);
    return this.unveiled !== null && seats.includes(this.unveiled) ? this.unveiled : (seats[0] ?? -1);
  }

  /** Several people share this device, and one must decide in secret: the others look away first. */
  get curtained() {
    if (!this.shared || this.sending) return null;
    const seat = this.deciding;
    return this.table.match?.private?.includes(seat) && this.unveiled !== seat ? seat : null;
  }

  /** Who is at the board: our only seat, otherwise the one that decides, otherwise the public. */
  get seat() {
    const { match, seats } = this.table;
    if (!match || !seats.length) return -1;
    if (!this.shared) return seats[0] ?? -1;
    return this.curtained === null && !this.sending ? this.deciding : -1;
  }

  /** Which view: on a shared device the public one, except for private choices. */
  get eyes() {
    const seat = this.seat;
    return !this.shared || this.table.match?.private?.includes(seat) ? seat : -1;
  }

  /** @param {import("../contract.js").GameEvent[]} events */
  played(events) {
    const { match } = this.table;
    if (events.length) announce(events.map((event) => explained(this.table.narrate(event), event, this.why(event))).join(" "));
    if (!match) return;
    const { info } = this.table;
    if (info && this.newcomer && !info.clock && !info.guide) openHowTo(info.game, info.options);
    const seat = this.seat;
    const view = match.views[String(this.eyes)];
    const playing = this.playing;
    const past = this.table.returned;
    this.recap.note(events, this.viewed, view, seat);
    this.viewed = view;
    if (view && this.stage) this.stage.show(events, view, seat, past);
    else if (view) this.missed.push({ events, view, seat, past });
    if (!this.stage) return;
    this.undisturbed = !this.choose() && this.choice !== null && !playing;
    if (this.undisturbed) void this.lookAhead();
    this.resume();
  }

  /** Whether it is the first match of this game, or of this variant, that is played here. */
  get newcomer() {
    const { info, seats } = this.table;
    return info?.status === "playing" && seats.length > 0 && !settings.seen.includes(lessonOf(gameCard(info.game), info.options));
  }

  /** With a clock nothing covers the board: how to play is offered but doesn't open by itself. */
  hint() {
    const { info } = this.table;
    if (!info || !this.newcomer || !gameCard(info.game).howto) return nothing;
    return html`<div class="asked hint" role="status"><p>${_("First game?")}</p>
      ${howTo(gameCard(info.game), "chip", info.options)}<button class="quiet" aria-label=${_("No thanks")} @click=${() => set({ seen: [...settings.seen, lessonOf(gameCard(info.game), info.options)] })}>✕</button></div>`;
  }

  /** Whether a decision of ours was open before the current events: others choose in secret, and we go on. */
  undisturbed = false;

  /** Whether the stage plays something to watch before deciding. */
  get playing() {
    return Boolean(this.stage?.busy) && !this.undisturbed;
  }

  /** Redraw the board for the person who has the device now. */
  look() {
    const view = this.table.match?.views[String(this.eyes)];
    if (view) this.stage?.show([], view, this.seat);
    if (this.sending) this.forgetAhead();
    else this.choose();
    app.redraw();
  }

  /** With the keyboard, focus the next decision where the last one was, not at the top of the page. */
  resume() {
    if (!this.byKey || !this.choice || this.playing) return;
    app.redraw();
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      this.byKey = false;
      /** @type {HTMLElement | null} */ (document.querySelector("[data-suggested]") ?? document.querySelector(".hand-area button:not([disabled], [aria-disabled])"))?.focus();
    });
  }

  byKey = false;

  /** A new decision is a new choice; the same one keeps what was touched. @returns {boolean} whether it is a new one */
  choose() {
    const { match } = this.table;
    const seat = this.seat;
    const legal = match?.legal[String(seat)];
    const bot = seat >= 0 && this.table.info?.seats[seat]?.rank;
    const key = legal && !bot ? `${seat}:${legal.join()}` : "";
    if (key === this.choiceKey) return false;
    this.choiceKey = key;
    this.choice = legal && key ? new Choice(legal, this.cards) : null;
    this.hints.forget();
    this.forgetAhead();
    if (this.choice) play("bell");
    void this.lookAhead(); // a single possibility is shown at once
    return true;
  }

  /** @param {Choice} choice */
  touch(choice) {
    answered();
    this.hints.open = false;
    this.choice = choice;
    if (this.together) this.table.gestures.consider(this.seat, Object.fromEntries(choice.touched));
    void this.lookAhead();
    app.redraw();
  }

  /** Draw an action on the board as if it had been touched, on this screen only. @param {number} action */
  lay(action) {
    if (this.choice) this.choice = new Choice(this.choice.legal, this.cards, Object.entries(flat(this.cards[action]?.parts ?? {})));
    void this.lookAhead();
    app.redraw();
  }

  /** Whether we play a cooperative match, in which everyone sees what the others have in mind. */
  get together() {
    const { info, seats } = this.table;
    return info?.status === "playing" && seats.length > 0 && gameCard(info.game).cooperative;
  }

  /** Ask the server what the action would lead to; the page knows no rules. */
  async lookAhead() {
    const action = this.choice && this.board?.toPreview ? this.board.toPreview(this.choice) : null;
    if (action === null) return this.forgetAhead();
    const key = `${this.table.match?.version}:${action}`;
    if (this.ahead?.key === key) return;
    if (this.ahead?.action !== action) this.ahead = null;
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    try {
      const found = await this.table.preview(this.seat, action, signal);
      if (!signal.aborted) this.ahead = { action, key, ...found };
    } catch {
      if (!signal.aborted) this.ahead = null; // a preview isn't essential
    }
    app.redraw();
  }

  asking = new AbortController();

  /** There's nothing to preview, and a pending answer comes too late. */
  forgetAhead() {
    this.asking.abort();
    this.ahead = null;
  }

  /** @param {MouseEvent} event */
  async send(event) {
    const { choice } = this;
    this.byKey = event.detail === 0;
    const action = choice?.action ?? null;
    if (action === null || this.sending) return;
    const seat = this.seat;
    const version = this.table.match?.version ?? 0;
    this.sending = true;
    this.unveiled = null;
    this.asking.abort(); // after a decision, the preview stops
    this.choiceKey = "sent"; // the next decision may look the same, but it's a new choice
    if (this.shared) this.look(); // the device goes back to the middle of the table
    app.redraw();
    await this.table.send("act", { seat, action, version });
    this.sending = false;
    if (this.shared) this.look();
    this.resume();
    app.redraw();
  }

  /** @param {string} drawer */
  toggle(drawer) {
    this.drawer = this.drawer === drawer ? "" : drawer;
    app.redraw();
  }

  /** How to close what is open, the topmost last. On wide screens the drawers are a column, which is always there. */
  closers() {
    const narrow = !matchMedia("(min-width: 1000px)").matches;
    const { seats, company, recap, undo } = this;
    return [
      ...(narrow && this.drawer ? [() => this.toggle(this.drawer)] : []),
      ...(seats.open === null ? [] : [seats.close]),
      ...(company.open ? [company.close] : []),
      ...(recap.open ? [recap.close] : []),
      ...(undo.found ? [undo.close] : []),
    ];
  }

  /** Open the rule that is cited. @param {string} rule */
  openRule(rule) {
    this.rule = rule;
    this.drawer = "rules";
    app.redraw();
    turnTo(rule);
  }

  /** @returns {import("../contract.js").Desk} */
  get desk() {
    const { stage, board, ahead } = this;
    const scene = stage?.scene ?? {};
    let preview = null;
    if (ahead && board && !this.playing) {
      const scenes = [scene];
      for (const event of ahead.events) scenes.push(board.step(scenes.at(-1) ?? scene, event).scene);
      preview = { events: ahead.events, scenes, fate: ahead.fate };
    }
    return {
      ...stage?.desk,
      scene,
      rush: () => stage?.rush(),
      choice: this.playing || this.sending || this.curtained !== null ? null : this.choice,
      hinted: this.hints.open,
      seat: this.seat,
      shape: this.wide.matches ? "wide" : "tall",
      name: (seat) => this.table.label(seat),
      pick: (part, value) => this.choice && !this.guide?.declines(part, value) && this.touch(this.choice.pick(part, value)),
      back: (part) => this.choice && this.touch(this.choice.back(part)),
      why: (part, value) => void why(this, part, value),
      about: (seat) => this.seats.show(seat),
      ...this.table.gesturing(this.playing),
      ...(this.together && !this.table.muted(this.table.guest) ? { point: (/** @type {string} */ sort, /** @type {any} */ value) => this.table.gestures.point(this.table.guest ?? 0, sort, value) } : {}),
      preview,
      log: this.table.log,
      talk: () => {
        this.drawer = "chat";
        app.redraw();
      },
    };
  }

  /** Fetch the board in words when it is wanted and has changed. */
  async readBoard() {
    const eyes = this.eyes;
    const key = `${this.table.match?.version}:${eyes}:${settings.language}`;
    if (key === this.wordsKey || !this.table.match) return;
    if (this.shared) this.inWords = ""; // the next person mustn't see it
    this.wordsKey = key;
    const words = await this.table.inWords(eyes, settings.language).catch(sorry);
    if (key === this.wordsKey) this.inWords = words;
    app.redraw();
  }

  banner() {
    const { lost, connected, info } = this.table;
    if (lost) return html`<div class="banner" role="status">${local(lost)} <a href="#/">${_("Return to harbour")}</a></div>`;
    if (!connected && info) return html`<div class="banner" role="status">${_("Connection lost. Reconnecting… your game is safe.")}</div>`;
    if (this.table.hostAway && this.table.seats.length && info?.status !== "over") return html`<div class="banner" role="status">${_("{name}, the host, is away. Meanwhile, any player can run the table.", { name: this.table.nickname(0) })}</div>`;
    return html`${preparing(this.table)}${this.whatIf()}`;
  }

  /** In a branch: which match this one goes on from. */
  whatIf() {
    const { info } = this.table;
    if (!info?.branch || info.status === "over") return nothing;
    return html`<div class="banner" role="status">${_("What if…? You play on from step {step} of another game.", { step: info.branch.place })} <a href=${`#/replay/${info.branch.original}/${info.branch.place}`}>${_("See the original")}</a></div>`;
  }

  /** Let the dice roll. */
  roll() {
    allowShake();
    this.stage?.next();
  }

  /** Who must decide now, in words. */
  status() {
    const { match, info } = this.table;
    if (!match || !info) return "";
    const others = match.to_act.filter((seat) => seat !== this.seat).map((seat) => this.table.who(seat));
    if (!others.length) return "";
    const names = new Intl.ListFormat(settings.language).format(others);
    return others.length > 1 ? _("{names} are choosing…", { names }) : _("{names} is choosing…", { names });
  }

  decision() {
    const { choice, board, stage } = this;
    const { match } = this.table;
    const desk = this.desk;
    if (!board || !stage) return nothing;
    const hand = html`<div class="hand-area">${this.seat >= 0 ? board.hand(desk) : nothing}</div>${rigging(this)}`;
    const held = this.table.info?.seats[this.seat];
    if (held?.rank && held.guest !== null) {
      return html`<p class="must">${_("A bot is playing for you.")}</p>
        <div class="act"><button class="primary" @click=${() => this.table.send("reclaim", { seat: this.seat })}>${_("Take over")}</button></div>`;
    }
    if (this.playing) {
      return html`${lines(stage, this.status(), (rule) => this.openRule(rule))}
        ${hand}
        <div class="act">${stage.rolling ? html`<button class="primary" @click=${() => this.roll()}>${_("Roll!")}</button>` : html`<button @click=${() => stage.next()}>${_("Next")}</button>`}
          <button class="quiet" @click=${() => stage.skip()}>${_("Catch up")}</button></div>`;
    }
    if (this.curtained !== null) return this.curtain(this.curtained);
    if (!choice || this.sending) {
      return html`${this.recap.strip()}<p class="must waiting">${this.status()}</p>${clocks(this.table, match?.to_act ?? [], this.seat)}${hand}
        ${this.table.guest === null ? html`<p class="watching">${_("You’re watching.")} <a href=${`#/tv/${this.table.id}`}>${_("Show on TV")}</a></p>` : nothing}`;
    }
    const rule = board.rule?.(choice, desk.scene, desk.preview) ?? "";
    const warning = board.warn?.(desk);
    const question = gameWords().ask[choice.next(gameWords().order)?.split(".")[0] ?? ""];
    const must = board.ask?.(choice, desk.scene, desk.preview) ?? (choice.action === null ? (question ?? "") : local(this.cards[choice.action] ?? { fr: "", en: "" }));
    const turn = this.shared ? html`<b>${_("{name}:", { name: this.table.label(this.seat) })}</b> ` : nothing;
    return html`${this.guide ? this.guide.render() : this.recap.strip()}<p class="must" id="must">${turn}${must}</p>${clocks(this.table, [this.seat], this.seat)}
      ${this.hints.open ? this.hints.panel() : hand}
      ${warning ? html`<p class="warning" role="alert">${warning}</p>` : nothing}
      <div class="act">
        ${choice.touched.length ? html`<button @click=${() => this.touch((board.back ?? ((c) => c.back()))(choice))}>${_("Back")}</button>` : nothing}
        <button class="primary" ?disabled=${choice.action === null || this.sending} @click=${(/** @type {MouseEvent} */ event) => this.send(event)} aria-describedby="must">
          ${choice.action === null ? _("Choose") : (board.verb?.(choice, desk.scene, desk.preview) ?? _("Play"))}
        </button>
        ${this.guide ? nothing : this.hints.button()}
        ${rule && !this.guide ? html`<button class="cite" @click=${() => this.openRule(rule)}><b>${rule}</b> ${typeset(beginning((gameWords().rules[rule] ?? "").replace(/ ?\*\([^)]*\)\*/g, ""), this.wide.matches ? 2 * CITED : CITED), String)}</button>` : nothing}
      </div>`;
  }

  /** Between two people who share the device: show nothing of either's. @param {number} seat */
  curtain(seat) {
    const reveal = () => {
      this.unveiled = seat;
      this.look();
    };
    return html`<div class="curtain"><p class="hem" aria-hidden="true"></p>
      <p>${_("Pass the device to")}</p><h2>${this.table.label(seat)}</h2><p>${_("The others look away.")}</p>
      <button class="primary" @click=${reveal}>${_("Start my turn")}</button></div>`;
  }

  /** @param {import("../contract.js").Board} board */
  scene(board) {
    const desk = this.desk;
    const [width, height] = board.size[desk.shape];
    if (board === plainBoard) void this.readBoard();
    if (board === plainBoard) return html`<div class="scene-area"><div class="in-words large" tabindex="0" role="region" aria-label=${_("The board in words")}>${inLines(this.inWords)}</div></div>`;
    return html`<div class="scene-area drawn" ${property("--ratio", String(width / height))}><svg class=${`scene ${desk.shape}`} viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMinYMid" role="group" aria-label=${_("The board")} @click=${() => (this.stage?.rolling ? this.roll() : this.stage?.next())}>${this.stage ? camera(this.stage, desk.shape, board.draw(desk)) : nothing}</svg></div>`;
  }

  render() {
    const { info, match, lost } = this.table;
    if (!info) {
      return html`${header()}<main class="narrow">${lost ? html`<h1>${_("No table here")}</h1><p role="alert">${local(lost)}</p><p><a class="button" href="#/">${_("Return to harbour")}</a></p>` : html`<h1>${_("One moment, please.")}</h1>`}</main>`;
    }
    const about = html`<button class="quiet" @click=${() => this.company.show()}>${_("Table")}</button>`;
    if (info.status === "open" || !match) return html`${header(this.table.guest === null ? nothing : about)}${this.banner()}${this.lobby.render()}${this.company.render()}`;
    const over = info.status === "over" && !this.stage?.busy;
    if (this.drawer === "words") void this.readBoard();
    const board = this.board;
    return html`<div class=${`table-screen ${this.table.guest === null ? "watched" : ""} ${over ? "ended" : ""}`} data-version=${match.version}>
      <header class="top slim">
        <a class="brand" href="#/" aria-label=${_("Return to harbour")}><img src="/page/icon.svg" alt="" width="32" height="32" /></a>
        <h1>${gameCard(info.game).title}</h1>
        ${about}
        <button class="quiet" @click=${() => document.dispatchEvent(new Event("tribord-settings"))}>${_("Settings")}</button>
        ${this.seats.strip()}
      </header>
      <div class="banners">${this.banner()}${absence(this.table)}${this.undo.banner()}${info.clock ? this.hint() : nothing}</div>
      <main class="board-area">
        ${board ? this.scene(board) : nothing}
        <section class="decision" aria-label=${_("Your choice")}>${over && board ? html`${this.guide?.render()}${result(this, board)}` : this.decision()}</section>
      </main>
      ${aside(this)}
      ${this.company.render()}${this.recap.render()}${this.undo.render()}
    </div>`;
  }
}
