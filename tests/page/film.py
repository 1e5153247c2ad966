"""Film strips: each big moment of a game as a row of frames, for people to look at.

`python -m tests.page.film [GAME [MOMENT]]` writes docs/strips/GAME-MOMENT.png. The page's own stage, camera and board
play the moment, a quarter as fast as at a table; the line that people read is below each frame. To film a moment of
your game, add a `Strip` to ALL, run it, and look at the picture.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page
from tests.page.player import ISLAND, PLANK, PUSH, SAVE
from tests.page.sailor import aboard, chromium
from tests.server.launcher import ServerProcess

from tribord import load
from tribord.bots import seat_bot
from tribord.core.chance import below, stream
from tribord.core.match import Match
from tribord.games.ile_aux_pirates.state import CHILDREN
from tribord.server import outgoing

STRIPS = Path(__file__).parents[2] / "docs" / "strips"
STRATEGIC = {"game": "strategic"}
NAMES = ("Babette", "Lison", "Yann", "Zoé", "Hugo", "Anne")
SPEED = 0.25  # slow enough for a picture every few frames, on any machine
WIDTH = 300  # of a frame
COLOURS = 96
MOST = 150_000  # bytes
MATCHES = 400  # in which a moment is looked for


@dataclass(frozen=True)
class Strip:
    """A moment of a game.

    `frames` says how many pictures an event gets, by its kind; `where` decides by the events which update will do.
    `rank` names the bots that play, if a random match hardly ever gets that far.
    """

    game: str
    name: str
    frames: dict[str, int]
    players: int
    where: Callable[[list[dict[str, Any]]], bool] = lambda _events: True
    options: dict[str, Any] = field(default_factory=dict)
    shape: str = "tall"
    names: tuple[str, ...] = NAMES
    rank: str = ""

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return STRIPS / f"{self.game}-{self.name}.png"


def kinds(events: list[dict[str, Any]]) -> list[str]:
    """The kinds of a happening's events, in order."""
    return [event["kind"] for event in events]


def count(events: list[dict[str, Any]], kind: str) -> int:
    """How many events of a kind there are."""
    return kinds(events).count(kind)


def falls(events: list[dict[str, Any]], pirate: int) -> bool:
    """Whether a pirate of this value falls."""
    return any(event["kind"] == "falls" and event["fields"]["pirate"] == pirate for event in events)


def saved(
    name: str,
    frames: dict[str, int],
    players: int = 4,
    where: Callable[[list[dict[str, Any]]], bool] = lambda _events: True,
) -> Strip:
    """A moment of Sauve qui peut !, whose boats have the names of our people."""
    return Strip(SAVE, name, frames, players, where, names=("Lise", "Jojo", "Marius", "Anne", "Paul", "Rose"))


def sent_back(pirate: bool) -> Callable[[list[dict[str, Any]]], bool]:
    """Whether exactly one pawn goes back to the castle: a pirate or a child."""

    def where(events: list[dict[str, Any]]) -> bool:
        pawns = [event["fields"]["pawn"] for event in events if event["kind"] == "sent-back"]
        return len(pawns) == 1 and (pawns[0] >= CHILDREN) == pirate

    return where


ALL = [
    Strip(PUSH, "turn", {"moves": 2, "enters": 2, "falls": 2}, 4, lambda events: kinds(events)[0] == "moves"),
    Strip(PUSH, "fall", {"falls": 7}, 4, lambda events: falls(events, 1)),
    Strip(PUSH, "last-round", {"last-round": 4}, 4),
    Strip(PUSH, "count", {"counting": 1, "scores": 1, "captain": 1, "wins": 1}, 4),
    Strip(PUSH, "end", {"wins": 5}, 4),
    saved("vote", {"votes-boat": 1, "most-boat": 2}, 4, lambda events: kinds(events)[-1] == "leaks"),
    saved("cap", {"shows-cap": 1, "one-cap": 4}),
    saved("caps", {"caps-cancel": 4, "most-boat": 1}, 5),
    saved("tie", {"tie": 4}),
    saved("weights", {"votes-crew": 1, "most-crew": 2}, 4, lambda events: count(events, "votes-crew") == 3),
    saved("overboard", {"thrown": 7}),
    saved("sinking", {"sinks": 4, "drown": 2}, 4, lambda events: count(events, "drown") in (1, 2)),
    saved("landing", {"lands": 3, "scores": 1}, 3, lambda events: count(events, "scores") in (3, 4)),
    saved("no-seat", {"drowns": 4}, 5),
    saved("last-round", {"last-round": 3}),
    saved("end", {"wins": 4}),
    Strip(PLANK, "turn", {"drags": 2, "reveals": 1, "retracts": 2}, 4),
    Strip(PLANK, "no-effect", {"reveals": 1, "no-effect": 3}, 4),
    Strip(PLANK, "fall", {"shoves": 1, "drowns": 6}, 4, lambda events: kinds(events)[:2] == ["shoves", "drowns"]),
    Strip(PLANK, "retract", {"retracts": 2, "drowns": 2}, 4, lambda events: count(events, "drowns") == 2),
    Strip(PLANK, "out", {"drowns": 2, "out": 4}, 4),
    Strip(PLANK, "last-round", {"last-round": 4}, 4),
    Strip(PLANK, "end", {"wins": 5}, 4),
    Strip(ISLAND, "turn", {"moves": 4, "throws": 2}, 4, lambda events: len(events) == 2, STRATEGIC),
    Strip(ISLAND, "caught", {"captured": 6}, 3, lambda events: count(events, "captured") == 1),
    Strip(ISLAND, "safe", {"safe": 4}, 3, rank="mousse"),
    Strip(ISLAND, "duel", {"shows": 1, "duel": 3, "sent-back": 2}, 4, sent_back(pirate=False), STRATEGIC),
    Strip(ISLAND, "duel-won", {"duel": 2, "sent-back": 4}, 4, sent_back(pirate=True), STRATEGIC, rank="mousse"),
    Strip(ISLAND, "standoff", {"duel": 2, "standoff": 2}, 4, options=STRATEGIC),
    Strip(ISLAND, "ship-taken", {"boards": 1, "ship-taken": 5}, 4, options=STRATEGIC),
    Strip(ISLAND, "last-turn", {"last-turn": 4}, 4, options={**STRATEGIC, "turns": 12}),
    Strip(ISLAND, "lost", {"pirate-first": 5}, 3),
    Strip(ISLAND, "won", {"boards": 1, "escaped": 5}, 3, rank="mousse"),
]


def happenings(strip: Strip, seed: int) -> Iterator[dict[str, Any]]:
    """A match as spectators get it: the view before, the events, the view after."""
    known, rng = load(strip.game), stream(seed)
    bot = seat_bot(strip.rank, known, seed, wait=False) if strip.rank else None
    match: Match = known.match(strip.players, seed=seed, options=strip.options)
    while not match.over:
        seat, before, start = match.to_act[0], match.view(), len(match.steps)
        legal = match.legal(seat)
        match.play(seat, bot.decide(match.view_state(seat), legal) if bot else legal[below(rng, len(legal))])
        events = [outgoing.render_event(known, event) for step in match.steps[start:] for event in step.events]
        yield {"before": before, "events": events, "after": match.view()}


def find(strip: Strip) -> dict[str, Any]:
    """A happening that has the moment."""
    for seed in range(MATCHES):
        for happening in happenings(strip, seed):
            if set(strip.frames) <= set(kinds(happening["events"])) and strip.where(happening["events"]):
                return happening
    raise LookupError(f"{strip.game}: no “{strip.name}” in {MATCHES} matches")


# A stage of our own on an empty page. It waits for the pictures, so a slow machine can film it too.
OPEN = """async ([game, shape, names, width, speed, happening]) => {
  const [{ boardOf }, { camera }, { Stage }, words, { html, render }] = await Promise.all(
    ["boards", "camera", "stage", "words", "lit"].map((name) => import(`/page/${name}.js`)));
  await words.learn(game);
  const board = await boardOf(game);
  document.documentElement.style.setProperty("--speed", speed);
  document.querySelectorAll("body > *").forEach((element) => (element.hidden = true));
  const screen = document.body.appendChild(document.createElement("div"));
  screen.id = "film";
  const sheet = new CSSStyleSheet();
  const [wide, high] = board.size[shape];
  sheet.replaceSync(`#film { width: ${width}px; background: var(--paper); }
    #film svg.scene { display: block; width: ${width}px; height: ${(width * high) / wide}px; max-height: none; }
    #film p { margin: 0; padding: 6px 8px; height: 3.9em; font: 13px/1.3 var(--text); text-align: center; }`);
  document.adoptedStyleSheets = [sheet];
  const person = (seat) => names[seat] ?? "";
  const draw = () => {
    const desk = { ...stage.desk, choice: null, seat: -1, shape, preview: null, name: person };
    const drawn = camera(stage, shape, board.draw(desk));
    const line = stage.event ? stage.say(stage.event) : "";
    render(html`<svg class="scene ${shape}" viewBox="0 0 ${wide} ${high}">${drawn}</svg><p>${line}</p>`, screen);
  };
  const say = (event) => words.sayEvent(event, person);
  const stage = new Stage(board, draw, { speed: () => speed / 20, quiet: () => true, say });
  const { before, events, after } = happening;
  stage.show([], before, -1);
  await stage.idle;
  stage.show(events, after, -1);
  globalThis.film = stage;
}"""
NOW = """() => {
  const { event, cue, busy, beat } = film;
  return { kind: event?.kind ?? "", lasts: event ? film.lasts(event, cue) : 0, busy, beat };
}"""


class Camera:
    """Takes the pictures of a strip, event by event."""

    def __init__(self, page: Page, strip: Strip):
        self.page, self.strip = page, strip
        self.frames: list[Image.Image] = []

    def shoot(self) -> Image.Image:
        """Film it, and lay the pictures side by side."""
        strip = self.strip
        given = [strip.game, strip.shape, strip.names, WIDTH, SPEED, find(strip)]
        self.page.evaluate(OPEN, given)
        filmed = 0
        while (now := self.page.evaluate(NOW))["busy"]:
            if now["beat"] != filmed:
                filmed = now["beat"]
                self.take(strip.frames.get(now["kind"], 0), now["lasts"] / SPEED)
            self.page.evaluate("() => film.next()")
            self.page.wait_for_timeout(60)
        width = sum(frame.width for frame in self.frames)
        row = Image.new("RGB", (width, self.frames[0].height))
        for place, frame in enumerate(self.frames):
            row.paste(frame, (place * frame.width, 0))
        return row

    def take(self, many: int, lasts: float) -> None:
        """Pictures of the event that is shown, from its beginning to its end."""
        start = self.page.evaluate("() => performance.now()")
        for frame in range(many):
            due = lasts * (frame + 0.8) / (many + 0.4)
            left = start + due - self.page.evaluate("() => performance.now()")
            self.page.wait_for_timeout(max(0, left))
            self.frames.append(Image.open(BytesIO(self.page.locator("#film").screenshot())).convert("RGB"))


def film(browser: Browser, url: str, strip: Strip) -> None:
    """Write a strip."""
    with aboard(browser, (WIDTH + 40, 700), "en", speed=SPEED, at=url) as page:
        page.locator(".game-card").first.wait_for()
        row = Camera(page, strip).shoot()
    strip.path.parent.mkdir(exist_ok=True)
    row.quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE).save(strip.path, optimize=True)
    size = strip.path.stat().st_size
    print(f"{strip.path.name}: {row.width}×{row.height}, {size // 1000} kB")
    assert size <= MOST, f"{strip.path} is too large: {size} bytes"


def main() -> None:
    """Film all moments, or those of a game, or one."""
    game, name = [*sys.argv[1:], "", ""][:2]
    wanted = [strip for strip in ALL if strip.game.startswith(game) and strip.name.startswith(name)]
    with (
        tempfile.TemporaryDirectory() as room,
        ServerProcess(Path(room), "--limits", "0") as server,
        chromium() as browser,
    ):
        for strip in wanted:
            film(browser, server.url, strip)


if __name__ == "__main__":
    main()
