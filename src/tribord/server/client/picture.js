/** A picture in the book: a passage of a match, drawn by the game's own board, which can be set in motion. */
import { camera } from "./camera.js";
import { html, nothing } from "./lit.js";
import { still } from "./settings.js";
import { Stage } from "./stage.js";
import { capital, name } from "./words.js";

const LOOK = 700; // milliseconds to see the scene before it changes

export class Picture {
  /** @param {import("./contract.js").Passage} passage @param {import("./contract.js").Board} board @param {() => void} redraw */
  constructor(passage, board, redraw) {
    this.passage = passage;
    this.board = board;
    this.stage = new Stage(board, redraw, { quiet: () => true, say: () => "" });
    this.stage.show([], passage.before, passage.seat);
    this.played = false;
    this.timer = 0;
  }

  get moves() {
    return this.passage.events.length > 0;
  }

  /** From before to after, at once if nothing should move. */
  play() {
    const { before, events, after, seat } = this.passage;
    clearTimeout(this.timer);
    this.stage.put(before, seat);
    this.played = true;
    this.timer = setTimeout(() => this.stage.show(events, after, seat), still() ? 0 : LOOK);
  }

  stop() {
    clearTimeout(this.timer);
    this.stage.skip();
  }

  /** @param {"wide" | "tall"} shape */
  render(shape) {
    const { board, stage, passage } = this;
    const [width, height] = board.size[shape];
    /** @type {import("./contract.js").Desk} */
    const desk = {
      ...stage.desk,
      choice: null,
      seat: passage.seat,
      shape,
      name: crewOf,
      pick: () => {},
      back: () => {},
      why: () => {},
      preview: null,
    };
    return html`<div class="picture" inert>
      <svg class=${`scene ${shape}`} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">${camera(stage, shape, board.draw(desk))}</svg>
      ${passage.hand ? html`<div class="holding">${board.hand(desk)}</div>` : nothing}
    </div>`;
  }
}

/** Players in the book are named after their crews. @param {number} seat */
function crewOf(seat) {
  const player = name("player", seat);
  return capital(player === String(seat) ? name("crew", seat) : player);
}
