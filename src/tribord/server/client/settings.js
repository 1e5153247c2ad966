/** Settings of this device: language, theme, speed of motion, sound, explanations. Remembered, and announced to listeners. */

const KEY = "tribord.settings";

/**
 * @typedef {{language: "fr" | "en", theme: "auto" | "light" | "dark", speed: number, sound: boolean, nickname: string, seen: string[], rolls: boolean, explain: boolean, guided: Record<string, string>, puzzles: Record<string, boolean>}} Settings
 *   `seen` are the games whose first steps were shown here; `rolls`: dice roll by themselves; `explain`: everything that happens comes with its reason; `guided`: by lesson, the table of its guided match; `puzzles`: by game and number, whether the first answer was the best
 */

/** @returns {Settings} */
function initial() {
  const language = navigator.language.startsWith("fr") ? "fr" : "en";
  return { language, theme: "auto", speed: 1, sound: !matchMedia("(min-width: 1800px)").matches, nickname: "", seen: [], rolls: false, explain: false, guided: {}, puzzles: {} };
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
    // In a private window nothing is stored: the settings last as long as the page.
  }
  dress();
  for (const listener of listeners) listener();
}

/** Apply the settings: the theme's colours and the language of the page. */
export function dress() {
  document.documentElement.lang = settings.language;
  if (settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = settings.theme;
  document.documentElement.style.setProperty("--speed", String(settings.speed || 1));
  document.documentElement.toggleAttribute("data-still", settings.speed === 0);
}

/** Whether nothing should move: by the system's setting or ours (speed 0). */
export function still() {
  return settings.speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
