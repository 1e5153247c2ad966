"""Reference pages: one uniform page per game under docs/games, made from the code.

`python -m tribord.testing.page` (or `make docs`) writes them; a test fails when one is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from tribord import game_ids, load
from tribord.core.chance import below, stream
from tribord.core.game import Game

FOLDER = Path(__file__).parents[3] / "docs" / "games"


def page(game: Game) -> str:
    """The reference page of a game."""
    least, most = game.players
    return "\n".join(
        [
            f"# {game.title}",
            "",
            f"Made from the code by `make docs`. Id `{game.id}`, version {game.version}, {least} to {most} players"
            f"{', cooperative' if game.cooperative else ''}. State {game.state_bytes} bytes, {game.actions} actions,"
            f" {game.chances} chance outcomes, {game.observation} floats of observation.",
            "",
            "## Options",
            "",
            *_table(
                ("option", "rule", "takes", "default", "for bots and research", "meaning"),
                (
                    (f"`{o.name}`", o.rule, o.takes(), _code(o.default), _code(o.research), o.meaning)
                    for o in game.options
                ),
            ),
            "## Actions",
            "",
            "`game.parts(action)` gives the dict, `game.notation(action)` the text; `game.action(…)` reads both.",
            "",
            *_table(("number", "parts, for example", "notation", "in words"), _actions(game)),
            "## Chance outcomes",
            "",
            *_table(
                ("number", "notation"), ((str(k), f"`{game.play.chance_notation(k)}`") for k in _few(game.chances))
            ),
            "## Events",
            "",
            *_table(("event", "fields", "sentence"), _events(game)),
            "## Refusals",
            "",
            *_table(
                ("code", "rule", "sentence"),
                ((f"`{code}`", f"{game.letter}{n}", text) for code, (n, text) in game.text.REFUSALS.items()),
            ),
            "## Endings",
            "",
            *_table(("reason", "sentence"), ((f"`{name}`", text) for name, text in game.text.ENDINGS.items())),
            "## View",
            "",
            "`match.view(seat)` halfway through a match (what is hidden from the seat is left out):",
            "",
            "```json",
            _view(game),
            "```",
            "",
            "## State",
            "",
            *_table(
                ("field", "shape", "range", "seen by", "meaning"),
                ((f"`{f.name}`", str(f.shape or ""), f"{f.low}…{f.high}", f.seen, f.meaning) for f in game.fields),
            ),
            "## Observation",
            "",
            *_table(("stretch", "from", "length", "meaning"), _layout(game)),
        ]
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if not body:
        yield from ("None.", "")
        return
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    yield from body
    yield ""


def _code(value: Any) -> str:
    return "" if value is None else f"`{json.dumps(value)}`"


def _actions(game: Game) -> Iterator[tuple[str, ...]]:
    words = game.words("en")

    def shape(action: int) -> str:
        parts = game.parts(action)
        return f"{parts['kind']} {' '.join(parts)} {game.text.sentence(parts)}"

    for _shape, group in groupby(range(game.actions), key=shape):
        numbers = list(group)
        example = numbers[len(numbers) // 2]
        span = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
        parts = json.dumps(game.parts(example), ensure_ascii=False)
        yield span, f"`{parts}`", f"`{game.notation(example)}`", game.say_action(example, words)


def _chances(game: Game) -> Iterator[tuple[str, ...]]:
    for outcome in _few(game.chances):
        yield str(outcome), f"`{game.play.chance_notation(outcome)}`"


def _few(count: int, most: int = 12) -> list[int]:
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})


def _events(game: Game) -> Iterator[tuple[str, ...]]:
    for kind in game.text.KINDS:
        sentence = kind.sentence if isinstance(kind.sentence, str) else kind.sentence[1]
        yield f"`{kind.name}`", " ".join(f"`{f}`" for f in kind.fields), sentence


def _view(game: Game) -> str:
    match = game.match(game.players[1] if game.players[0] > 1 else 2, seed=1)
    rng = stream(1)
    for _k in range(20):
        if match.over:
            break
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[below(rng, len(match.legal(seat)))])
    return json.dumps(match.view(0), ensure_ascii=False)


def _layout(game: Game) -> Iterator[tuple[str, ...]]:
    start = 0
    for name, length, meaning in game.layout:
        yield f"`{name}`", str(start), str(length), meaning
        start += length


def main() -> None:
    """Write the page of every game."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in game_ids():
        (FOLDER / f"{name}.md").write_text(page(load(name)), encoding="utf-8")
        print(f"docs/games/{name}.md")


if __name__ == "__main__":
    main()
