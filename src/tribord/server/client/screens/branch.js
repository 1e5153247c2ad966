/** Play on from a moment of a match: what if…? A dialog that asks for your seat, the hidden things and the bots. */
import { USUAL_RANK, app, go, notice } from "../app.js";
import { keep } from "../credentials.js";
import { askOnce, sorry } from "../http.js";
import { html, live, nothing } from "../lit.js";
import { modal } from "../modal.js";
import { ownName, remember } from "../names.js";
import { rankName } from "../ranks.js";
import { _, capital } from "../words.js";
import { ALL } from "./replay.js";

export class BranchDialog {
  open = false;
  busy = false;
  redealt = false;
  seat = 0;
  rank = USUAL_RANK;
  /** Whether anything is hidden from the seat here; null until we know. @type {boolean | null} */
  hidden = null;

  /** @param {import("./replay.js").ReplayScreen} replay */
  constructor(replay) {
    this.replay = replay;
  }

  /** @param {number | null} [seat] the seat that tries its turn again */
  show(seat = null) {
    const { own, position } = this.replay;
    const acting = position?.to_act ?? [];
    const mine = acting.find((one) => own.includes(one)) ?? own[0];
    this.open = true;
    void this.choose(seat ?? mine ?? acting[0] ?? 0);
  }

  close = () => {
    this.open = false;
    app.redraw();
  };

  /** Take a seat, and check whether it knows everything. @param {number} seat */
  async choose(seat) {
    this.seat = seat;
    this.hidden = null;
    app.redraw();
    const { replay } = this;
    await Promise.all([replay.fetch(String(seat)), replay.fetch(ALL)]);
    const [known, truth] = [String(seat), ALL].map((eyes) => replay.seen.get(replay.key(eyes))?.[replay.at]);
    this.hidden = JSON.stringify(known?.view) !== JSON.stringify(truth?.view);
    app.redraw();
  }

  /** @param {Event} event */
  play = async (event) => {
    event.preventDefault();
    const { replay, seat, rank } = this;
    const { info } = replay;
    if (!info || this.busy) return;
    this.busy = true;
    app.redraw();
    try {
      const nickname = ownName();
      remember(nickname);
      const seats = Array.from({ length: info.players }, (_none, other) => (other === seat ? "me" : rank));
      const redealt = this.redealt && this.hidden === true;
      const credentials = await askOnce(`/api/tables/${replay.id}/branches`, { nickname, place: replay.at, seats, redealt });
      keep({ ...credentials, game: info.game });
      go(`/table/${credentials.table}`);
    } catch (error) {
      this.open = false;
      notice(sorry(error));
    } finally {
      this.busy = false;
      app.redraw();
    }
  };

  /** What is hidden. */
  secrets() {
    if (!this.hidden) return nothing;
    const choice = (/** @type {boolean} */ redealt, /** @type {string} */ label, /** @type {string} */ text) => html`<label><input type="radio" name="redealt" .checked=${live(this.redealt === redealt)} @change=${() => {
      this.redealt = redealt;
      app.redraw();
    }} /><span><b>${label}</b>${text}</span></label>`;
    return html`<fieldset class="segments variants"><legend>${_("What you can’t see")}</legend>
      ${choice(false, _("As it was"), _("What’s hidden is exactly what it was then."))}
      ${choice(true, _("Dealt again"), _("What’s hidden is dealt again: anything you couldn’t rule out is possible."))}</fieldset>`;
  }

  render() {
    if (!this.open) return nothing;
    const { replay } = this;
    const seats = Array.from({ length: replay.info?.players ?? 0 }, (_none, seat) => seat);
    return html`<dialog class="sheet branch" aria-labelledby="branch-title" aria-busy=${String(this.hidden === null)} @close=${this.close} ${modal}>
      <form @submit=${this.play}>
        <h2 id="branch-title">${_("What if…?")}</h2>
        <p>${_("You play on from step {step} at a new table. This game stays as it is.", { step: replay.at })}</p>
        ${seats.length > 1
          ? html`<label class="field"><span>${_("You play")}</span>
              <select @change=${(/** @type {any} */ event) => this.choose(Number(event.target.value))} .value=${live(String(this.seat))}>
                ${seats.map((seat) => html`<option value=${seat} ?selected=${this.seat === seat}>${capital(replay.who(seat))}</option>`)}
              </select></label>
              <label class="field"><span>${_("Bots play the others")}</span>
                <select @change=${(/** @type {any} */ event) => (this.rank = event.target.value)} .value=${live(this.rank)}>
                  ${app.house.ranks.map((rank) => html`<option value=${rank} ?selected=${this.rank === rank}>${rankName(rank)}</option>`)}
                </select></label>`
          : nothing}
        ${this.secrets()}
        <div class="row"><button type="button" @click=${this.close}>${_("Cancel")}</button><button class="primary" ?disabled=${this.busy || this.hidden === null}>${_("Play on")}</button></div>
      </form>
    </dialog>`;
  }
}
