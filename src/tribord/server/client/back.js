/**
 * The way back: the Back button and Escape close what is open, the topmost first, before they leave the screen.
 *
 * Every open thing has an entry of its own in the browser's history, with the same address and its number as the state:
 * 0 is the screen itself. The page says after each drawing what is open; entries are added and taken back to match.
 */
import { app } from "./app.js";

/** @type {(() => void)[]} */
let open = []; // how to close each thing that is open, the topmost last
let depth = 0; // the number of the entry we are at
let visit = 0; // to this screen: entries of earlier visits stay in the history and are none of ours
let returning = false; // entries are being taken back, and the browser has not told us yet

/** Another screen is there. */
export function arrive() {
  visit = Date.now();
}

/** What is open now. @param {(() => void)[]} closers */
export function keepOpen(closers) {
  open = closers;
  if (returning) return;
  depth = history.state?.open ?? 0;
  if (depth === 0 && open.length) history.replaceState({ open: 0, visit }, "");
  while (depth < open.length) history.pushState({ open: ++depth, visit }, "");
  if (depth > open.length) {
    returning = true;
    history.go(open.length - depth);
  }
}

addEventListener("popstate", ({ state }) => {
  const before = depth;
  const ours = returning;
  returning = false;
  depth = state?.open ?? 0;
  if (state?.visit !== visit) return; // another screen: which one is decided elsewhere
  // The screen may have changed its address since the entry was made (a replay, a rematch).
  if (app.place !== null && app.place !== location.hash) history.replaceState(state, "", app.place);
  if (!ours && depth < before) open.at(-1)?.();
  app.redraw();
});

addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const close = open.at(-1);
  if (close) return close();
  app.notice = "";
  app.redraw();
});
