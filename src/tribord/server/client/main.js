/** The page: choose the screen for an address, and draw it. */
import { announce, answered, app, notice } from "./app.js";
import { arrive, keepOpen } from "./back.js";
import { credentialsAt } from "./credentials.js";
import { prepare, styled } from "./boards.js";
import { ask, sorry } from "./http.js";
import { html, nothing, render } from "./lit.js";
import { HarbourScreen } from "./screens/harbour.js";
import { JoinScreen } from "./screens/join.js";
import { SettingsDialog } from "./screens/settings.js";
import { dress, onSettings, settings } from "./settings.js";
import { _, learn } from "./words.js";

/** @typedef {{render(): any, leave?(): void, closers?(): (() => void)[], openRule?(rule: string): void, title: string}} Screen */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {Screen | null} */
let screen = null;
let drawing = 0;
let moves = 0;

/**
 * The screen for an address: `#/new/<game>`, `#/rules/<game>/<rule>`, `#/table/<id>`, `#/puzzles/<game>/<number>`, `#/<code>` to join, else the harbour.
 * All screens except the first two are fetched on demand; the likely ones are on their way already.
 * @returns {Promise<Screen>}
 */
async function screenFor() {
  const [first = "", second = "", third = "", fourth = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (first === "rules" && second) return new (await import("./screens/rules.js")).RulesScreen(second, third);
  if (first === "new" && second) return new (await import("./screens/setup.js")).SetUpScreen(second);
  if (first === "table" && second) return tableScreen(second, credentialsAt(second));
  if (first === "tv" && second) {
    const [{ TvScreen }] = await Promise.all([import("./screens/tv.js"), styled("/page/screens/tv.css")]);
    return new TvScreen(second);
  }
  if (first === "replay" && second) return new (await import("./screens/replay.js")).ReplayScreen(second, Number(third), fourth === "branch");
  if (first === "puzzles") return puzzleScreen(second, Number(third));
  if (first === "archive" && second) return new (await import("./screens/archive.js")).ArchiveScreen(second);
  if (first === "replay") return new (await import("./screens/matchfile.js")).MatchFileScreen();
  if (first === "transfer" && second && third) return new (await import("./screens/transfer.js")).TransferScreen(second, third);
  if (first === "watch" && second) return tableScreen(second, undefined);
  if (first) {
    const credentials = credentialsAt(first.toUpperCase()) ?? credentialsAt(first);
    return credentials ? tableScreen(credentials.table, credentials) : new JoinScreen(first);
  }
  return new HarbourScreen();
}

/** All puzzles, or one of them. @param {string} game @param {number} number */
async function puzzleScreen(game, number) {
  await styled("/page/screens/puzzles.css");
  if (game) return new (await import("./screens/puzzle.js")).PuzzleScreen(game, number);
  return new (await import("./screens/puzzles.js")).PuzzlesScreen();
}

/** @param {string} table @param {import("./credentials.js").Credentials | undefined} credentials */
async function tableScreen(table, credentials) {
  if (credentials?.game) prepare(credentials.game);
  return new (await import("./screens/table.js")).TableScreen(table, credentials);
}

function draw() {
  drawing = 0;
  if (!screen) return;
  document.title = screen.title ? `${screen.title} · Tribord` : "Tribord";
  render(
    html`${screen.render()}
      <div class="notice" role="alert" ?hidden=${!app.notice}><p>${app.notice}</p>
        ${app.cited && screen.openRule ? html`<button @click=${openCited} aria-label=${_("Rule {rule}", { rule: app.cited })}>${app.cited}</button>` : nothing}
        <button class="quiet" @click=${() => notice("")} aria-label=${_("Close")}>✕</button></div>
      ${dialog.open ? dialog.render() : nothing} ${howTo?.game ? howTo.render() : nothing}`,
    root,
  );
  keepOpen([...(screen.closers?.() ?? []), ...(dialog.open ? [dialog.close] : []), ...(howTo?.game ? [howTo.close] : [])]);
}

/** Open the rule that the notice cites, and close the notice. */
function openCited() {
  const rule = app.cited;
  notice("");
  screen?.openRule?.(rule);
}

app.redraw = () => {
  drawing ||= requestAnimationFrame(draw);
  // A page in the background gets no frames, and must not wait for one.
  if (document.hidden) draw();
};

const dialog = new SettingsDialog();
/** @type {import("./screens/howto.js").HowToDialog | null} */
let howTo = null;

/** On request; and by itself once for each lesson and device, when a first match begins. @param {{game: string, options: Record<string, any>}} asked */
function showHowTo(asked) {
  app.reading ??= read(asked).finally(() => (app.reading = null));
}

/** @param {{game: string, options: Record<string, any>}} asked */
async function read({ game, options }) {
  const { HowToDialog } = await import("./screens/howto.js");
  howTo ??= new HowToDialog();
  await howTo.open(game, options);
}

async function move() {
  if (!app.house.games.length) return; // still loading; afterwards the address is read again
  if (app.place === location.hash) return; // the address was read before the last change arrived
  app.place = location.hash;
  const mine = ++moves; // by number: going there and back uses one address twice, and only one screen may stay
  screen?.leave?.();
  howTo?.close();
  answered();
  screen = null;
  try {
    const next = await screenFor();
    if (mine !== moves) return next.leave?.(); // another one was quicker
    screen = next;
    arrive();
  } catch {
    if (mine === moves) location.hash = "";
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
document.addEventListener("tribord-howto", (asked) => showHowTo(/** @type {CustomEvent} */ (asked).detail));
addEventListener("hashchange", move);
onSettings(() => void learn().then(app.redraw));
addEventListener("unhandledrejection", ({ reason }) => notice(sorry(reason)));

dress();
try {
  const [house] = await Promise.all([ask("/page/house.json"), learn()]);
  app.house = house;
  await move();
  // For when the server is unreachable, and only once the page is loaded. Over plain HTTP browsers allow no service
  // worker.
  setTimeout(() => void navigator.serviceWorker?.register("/worker.js").catch(() => {}), 2000);
} catch {
  const sorry = { fr: "Le serveur ne répond pas. Rechargez la page dans un instant.", en: "The server doesn’t answer. Reload the page in a moment." };
  root.textContent = sorry[settings.language];
}
