"""An onlooker notes on every screen which lines were shown, for how long, and what was announced and reported."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# One clock for all pages of the machine. A line is anything with a beat; each event has its own.
NOTES = """(() => {
  const notes = (globalThis.notes = { lines: [], heard: [], reported: [] });
  let now = null;
  const look = () => {
    const line = document.querySelector("[data-beat]");
    const beat = line?.dataset.beat ?? "";
    if ((now?.beat ?? "") === beat) return;
    if (now) now.to = Date.now();
    const acting = [...document.querySelectorAll(".acting .seat-name")].map((name) => name.textContent);
    now = line && { beat, kind: line.dataset.kind, text: line.innerText, acting, from: Date.now(), to: null };
    if (now) notes.lines.push(now);
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  addEventListener("DOMContentLoaded", () => new MutationObserver(look).observe(document, all));
  const Real = WebSocket;
  globalThis.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        const bot = message.kind === "act" && message.by === undefined;
        const events = (message.events ?? []).map(({ kind }) => kind);
        if (message.t === "update") notes.heard.push({ at: Date.now(), v: message.v, bot, events });
      });
    }
    send(data) {
      const message = JSON.parse(data);
      if (message.t === "shown") notes.reported.push({ at: Date.now(), v: message.v });
      super.send(data);
    }
  };
})()"""


def notes(page: Page) -> dict[str, list[dict[str, Any]]]:
    """What was noted on a page."""
    noted: dict[str, list[dict[str, Any]]] = page.evaluate("notes")
    return noted
