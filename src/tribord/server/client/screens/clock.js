/** Clocks: the time left to decide, as a number and as running sand. */
import { property } from "../drawing/place.js";
import { html, nothing } from "../lit.js";
import { _ } from "../words.js";

const HURRY = 10; // seconds from which on the clock stands out

/** @param {number} seconds */
function spoken(seconds) {
  const whole = Math.ceil(seconds);
  if (whole < 100) return _("{seconds} s", { seconds: whole });
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * The clocks of these seats; your own has no name.
 * @param {import("../table.js").Table} table @param {number[]} seats @param {number} [own]
 */
export function clocks(table, seats, own = -1) {
  const whole = table.info?.clock?.seconds;
  const running = seats.flatMap((seat) => {
    const left = table.left(seat);
    return left === undefined ? [] : [{ seat, left }];
  });
  if (!whole || !running.length) return nothing;
  return html`<ul class="clocks" aria-label=${_("Time left")}>
    ${running.map(
      ({ seat, left }) => html`<li class=${left <= HURRY ? "clock hurry" : "clock"}>
        ${seat === own ? nothing : html`<span>${table.label(seat)}</span>`}<span class="sand" aria-hidden="true" ${property("--left", `${Math.min(100, (100 * left) / whole)}%`)}></span><b>${spoken(left)}</b></li>`,
    )}
  </ul>`;
}
