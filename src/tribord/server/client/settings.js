/** Settings of this device: language, theme, speed of motion, sound. Remembered, and told to whoever listens. */

const KEY = "tribord.settings";

/**
 * @typedef {{language: "fr" | "en", theme: "auto" | "light" | "dark", speed: number, sound: boolean, nickname: string, seen: string[], rolls: boolean}} Settings
 *   `seen` are the games whose first steps were shown here; `rolls`: dice roll by themselves
 */

/** @returns {Settings} */
function initial() {
  const language = navigator.language.startsWith("fr") ? "fr" : "en";
  return { language, theme: "auto", speed: 1, sound: !matchMedia("(min-width: 1800px)").matches, nickname: "", seen: [], rolls: false };
}

/** @returns {Settings} */
function remembered() {
  try {
    return { ...initial(), ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return initial();
  }
}

/** @type {Settings} */
export const settings = remembered();

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {() => void} listener */
export function onSettings(listener) {
  listeners.add(listener);
}

/** @param {Partial<Settings>} changed */
export function set(changed) {
  Object.assign(settings, changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window keeps nothing: the settings last as long as the page.
  }
  dress();
  for (const listener of listeners) listener();
}

/** Put on what the settings say: the theme's colours and the language of the page. */
export function dress() {
  document.documentElement.lang = settings.language;
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.documentElement.style.setProperty("--speed", String(settings.speed || 1));
  document.documentElement.toggleAttribute("data-still", settings.speed === 0);
}

/** Whether nothing should move: asked of the system, or of us (speed 0). */
export function still() {
  return settings.speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
