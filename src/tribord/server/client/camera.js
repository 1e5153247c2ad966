/** The camera: close-ups of what matters, and back. */
import { place } from "./drawing/place.js";
import { svg } from "./lit.js";

const CLOSE = 1.6; // times as large

/**
 * The drawing, or a close-up of it while the stage shows a scene that matters.
 * @param {import("./stage.js").Stage} stage @param {"wide" | "tall"} shape @param {import("./contract.js").Drawn} drawn
 */
export function camera(stage, shape, drawn) {
  const [width, height] = stage.board.size[shape];
  const focus = stage.cue.big ? stage.cue.focus?.(shape) : undefined;
  const near = focus ? CLOSE : 1;
  const [x, y] = focus ?? [0, 0];
  // The edge of the drawing stays out of view.
  const left = Math.min(0, Math.max(width - near * width, width / 2 - near * x));
  const top = Math.min(0, Math.max(height - near * height, height / 2 - near * y));
  return svg`<g class="camera" ${place(left, top, near)}>${drawn}</g>`;
}
