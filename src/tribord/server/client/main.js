/** The page: which screen the address asks for, and drawing it. */
import { announce, app, notice } from "./app.js";
import { berthAt } from "./berth.js";
import { styled } from "./boards.js";
import { ask } from "./http.js";
import { html, nothing, render } from "./lit.js";
import { HarbourScreen } from "./screens/harbour.js";
import { HowToDialog } from "./screens/howto.js";
import { JoinScreen } from "./screens/join.js";
import { RulesScreen } from "./screens/rules.js";
import { SettingsDialog } from "./screens/settings.js";
import { SetUpScreen } from "./screens/setup.js";
import { TableScreen } from "./screens/table.js";
import { dress, onSettings, settings } from "./settings.js";
import { learn } from "./words.js";

/** @typedef {{render(): any, leave?(): void, openRule?(rule: string): void, title: string}} Screen */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {Screen | null} */
let screen = null;
let drawing = 0;

/** Screens that few visits need are fetched, with their styles, when they are. @param {Promise<any>} module @param {string} [style] */
async function fetched(module, style) {
  if (style) await styled(style);
  return module;
}

/**
 * The screen for an address: `#/new/<game>`, `#/rules/<game>/<rule>`, `#/table/<id>`, `#/<code>` to join, else the harbour.
 * @returns {Promise<Screen>}
 */
async function screenFor() {
  const [first = "", second = "", third = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (first === "rules" && second) return new RulesScreen(second, third);
  if (first === "new" && second) return new SetUpScreen(second);
  if (first === "table" && second) return new TableScreen(second, berthAt(second));
  if (first === "tv" && second) return new (await fetched(import("./screens/tv.js"), "/page/screens/tv.css")).TvScreen(second);
  if (first === "replay" && second) return new (await fetched(import("./screens/replay.js"))).ReplayScreen(second, Number(third));
  if (first === "replay") return new (await fetched(import("./screens/matchfile.js"))).MatchFileScreen();
  if (first === "move" && second && third) return new (await fetched(import("./screens/move.js"))).MoveScreen(second, third);
  if (first === "watch" && second) return new TableScreen(second, undefined);
  if (first) {
    const berth = berthAt(first.toUpperCase()) ?? berthAt(first);
    return berth ? new TableScreen(berth.table, berth) : new JoinScreen(first);
  }
  return new HarbourScreen();
}

function draw() {
  drawing = 0;
  if (!screen) return;
  document.title = screen.title ? `${screen.title} · Tribord` : "Tribord";
  render(
    html`${screen.render()}
      <div class="notice" role="alert" ?hidden=${!app.notice}>${app.notice} ${app.cited && screen.openRule ? html`<button @click=${() => screen?.openRule?.(app.cited)}>${app.cited}</button>` : nothing}</div>
      ${dialog.open ? dialog.render() : nothing} ${howTo.game ? howTo.render() : nothing}`,
    root,
  );
  if (screen instanceof TableScreen && screen.table.info?.status === "playing" && screen.table.seats.length) howTo.greet(screen.table.info.game);
}

app.redraw = () => {
  drawing ||= requestAnimationFrame(draw);
  // A page in the background gets no frames, and must not wait for one.
  if (document.hidden) draw();
};

const dialog = new SettingsDialog();
const howTo = new HowToDialog();

async function move() {
  if (!app.house.games.length) return; // the house is still being fetched, and then looks where we are
  const asked = location.hash;
  screen?.leave?.();
  screen = null;
  try {
    const next = await screenFor();
    if (location.hash !== asked) return next.leave?.(); // somebody was quicker
    screen = next;
  } catch {
    location.hash = "";
    return;
  }
  scrollTo(0, 0);
  draw();
  announce(screen.title);
}

export function openSettings() {
  dialog.open = true;
  app.redraw();
}

document.addEventListener("tribord-settings", openSettings);
document.addEventListener("tribord-howto", (asked) => void howTo.open(/** @type {CustomEvent} */ (asked).detail));
addEventListener("hashchange", move);
onSettings(() => void learn().then(app.redraw));
addEventListener("unhandledrejection", ({ reason }) => notice(String(reason?.message ?? reason)));

dress();
try {
  const [house] = await Promise.all([ask("/page/house.json"), learn()]);
  app.house = house;
  await move();
  // For when the server is out of reach, and only once the page is there. Over plain HTTP browsers allow no worker.
  setTimeout(() => void navigator.serviceWorker?.register("/worker.js").catch(() => {}), 2000);
} catch {
  const sorry = { fr: "Le serveur ne répond pas. Rechargez la page dans un instant.", en: "The server does not answer. Reload the page in a moment." };
  root.textContent = sorry[settings.language];
}
