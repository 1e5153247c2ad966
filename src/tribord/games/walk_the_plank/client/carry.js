/** Carrying a card with a finger or the mouse, from where it lies to a place. Taps do the same. */

const MEANT = 8; // pixels from which a press isn't a tap any more

/**
 * Begin to carry what is under the pointer; `drop` gets the number of the place where it's let go, or -1.
 * @param {PointerEvent} event @param {(to: number) => void} drop
 */
export function carry(event, drop) {
  const card = /** @type {HTMLElement} */ (event.currentTarget);
  if (event.button !== 0 || !event.isPrimary) return;
  const box = card.getBoundingClientRect();
  /** @type {HTMLElement | null} */
  let ghost = null;
  /** @type {Element | null} */
  let over = null;

  /** @param {PointerEvent} at */
  const below = (at) => document.elementFromPoint(at.clientX, at.clientY)?.closest("[data-place]") ?? null;
  /** @param {PointerEvent} at */
  const move = (at) => {
    const [x, y] = [at.clientX - event.clientX, at.clientY - event.clientY];
    if (!ghost && Math.hypot(x, y) < MEANT) return;
    if (!ghost) {
      ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
      ghost.classList.add("w-carried");
      ghost.setAttribute("aria-hidden", "true");
      for (const given of ["left", "top", "width", "height"]) ghost.style.setProperty(given, `${box[/** @type {"left"} */ (given)]}px`);
      document.body.append(ghost);
      card.classList.add("w-lifted");
    }
    ghost.style.transform = `translate(${x}px, ${y}px) rotate(3deg)`;
    const now = below(at);
    if (now !== over) {
      over?.classList.remove("w-over");
      now?.classList.add("w-over");
      over = now;
    }
  };
  const done = () => {
    card.removeEventListener("pointermove", move);
    card.removeEventListener("pointerup", up);
    card.removeEventListener("pointercancel", done);
    card.classList.remove("w-lifted");
    over?.classList.remove("w-over");
    ghost?.remove();
  };
  /** @param {PointerEvent} at */
  const up = (at) => {
    const carried = ghost !== null;
    done();
    if (!carried) return;
    // The press that carried a card isn't a tap on it too.
    const hush = (/** @type {Event} */ click) => click.stopPropagation();
    window.addEventListener("click", hush, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", hush, { capture: true }), 0);
    const place = /** @type {HTMLElement | null} */ (below(at));
    drop(place ? Number(place.dataset["place"]) : -1);
  };
  card.setPointerCapture(event.pointerId);
  card.addEventListener("pointermove", move);
  card.addEventListener("pointerup", up);
  card.addEventListener("pointercancel", done);
}
