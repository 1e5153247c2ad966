"""Strategy tips: what the statistics of a game teach, in sentences whose figures are filled in from them.

A game may bring `client/tips.json` beside `client/statistics.json`::

    [{"claims": [{"figure": "base/4/matelot order 3", "above": "base/4/matelot fair", "times": 2}],
      "figures": {"share": "base/4/matelot order 3"},
      "en": "Play last! … {share} of the victories …", "fr": "…"}]

A claim says that the whole interval of a figure lies above a bound: a number, or a multiple of another figure. A tip
for one of several games in a box names it as its `variant`, and one for a number of `players` that number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tribord.core.game import Game
from tribord.core.refusal import BadFile
from tribord.core.words import LANGUAGES, _

NO_FIGURE = _("There’s no figure “{figure}” in the statistics of {title}.")
CLAIM = _("The tip “{tip}” no longer holds.")


def read(game: Game, name: str) -> Any:
    """A file beside the game's board, or None."""
    file = game.folder / "client" / name
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def tips(game: Game) -> list[dict[str, Any]]:
    """A game's strategy tips in every language, with figures from its statistics, if it has any.

    Each has the `variant` and the number of `players` that it's for; "" and 0 mean any. A tip that no longer holds is
    refused.
    """
    found, written = read(game, "statistics.json"), read(game, "tips.json")
    if found is None or written is None:
        return []
    said = []
    for tip in written:
        for claim in tip["claims"]:
            if not holds(game, found, claim):
                raise BadFile("claim", CLAIM, tip=tip["en"])
        numbers = {name: figure(game, found, path)["mean"] for name, path in tip["figures"].items()}
        sentences = {language: tip[language].format(**_written(numbers, language)) for language in LANGUAGES}
        said.append(sentences | {"variant": tip.get("variant", ""), "players": tip.get("players", 0)})
    return said


def figure(game: Game, found: Mapping[str, Any], path: str) -> dict[str, float]:
    """A figure by its path, “base/4/matelot order 3”."""
    try:
        name, *steps = path.split()
        at = found["tables"][name]
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at[step]
        if not isinstance(at, dict):
            at = {"mean": at, "low": at, "high": at}
        return {end: float(at[end]) for end in ("mean", "low", "high")}
    except (KeyError, IndexError, ValueError, TypeError):
        raise BadFile("no-such-figure", NO_FIGURE, figure=path, title=game.title) from None


def holds(game: Game, found: Mapping[str, Any], claim: Mapping[str, Any]) -> bool:
    """Whether the whole interval of a figure lies above a bound: a number, or a multiple of another figure."""
    left = figure(game, found, claim["figure"])
    bound = claim["above"]
    least = figure(game, found, bound)["high"] if isinstance(bound, str) else float(bound)
    return left["low"] > least * claim.get("times", 1)


def _written(numbers: Mapping[str, float], language: str) -> dict[str, str]:
    """Shares as percentages, other numbers as whole ones."""
    return {name: _percent(number, language) if number <= 1 else f"{number:.0f}" for name, number in numbers.items()}


def _percent(share: float, language: str) -> str:
    """A share in percent. One that is neither nothing nor everything never reads as 0% or 100%."""
    exact = 0 < share < 0.005 or 0.995 <= share < 1
    number = f"{100 * share:.1f}" if exact else f"{100 * share:.0f}"
    return f"{number.replace('.', ',')}\u00a0%" if language == "fr" else f"{number}%"
