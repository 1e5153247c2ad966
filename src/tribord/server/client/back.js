/**
 * The way back: the Back button and Escape close what is open, the topmost first, before they leave the screen.
 *
 * Every open thing has an entry of its own in the browser's history, with the same address and its number as the state:
 * 0 is the screen itself. Closing something in another way leaves its entry behind: the next thing that opens reuses
 * it, and Back skips it. Removing it at once would race with a link followed at the same moment.
 */
import { app } from "./app.js";

/** @type {(() => void)[]} */
let open = []; // how to close each thing that is open, the topmost last
let depth = 0; // the number of the entry we are at
let visit = 0; // to this screen: its entries keep this number when its address changes

/** The screen has changed. */
export function arrive() {
  visit = Date.now();
}

/** What is open now. @param {(() => void)[]} closers */
export function keepOpen(closers) {
  open = closers;
  depth = history.state?.open ?? 0;
  if (depth === 0 && open.length) history.replaceState({ open: 0, visit }, "");
  while (depth < open.length) history.pushState({ open: ++depth, visit }, "");
}

addEventListener("popstate", ({ state }) => {
  const before = depth;
  depth = state?.open ?? 0;
  const same = state?.visit === visit;
  if (!same && location.hash !== app.place) return; // another screen: main.js decides which
  // The screen may have changed its address since the entry was made (a replay, a rematch).
  if (same && app.place !== null && app.place !== location.hash) history.replaceState(state, "", app.place);
  if (depth >= before) return;
  const close = open.at(-1);
  if (!close) return history.go(-depth - 1); // nothing is open any more: this press was meant to leave
  close();
  app.redraw();
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const close = open.at(-1);
  if (close) return close();
  app.notice = "";
  app.redraw();
});
