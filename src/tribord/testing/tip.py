"""Check a game's strategy tips: `client/tips.json`, which turns its statistics into sentences."""

from __future__ import annotations

from tribord.core.game import Game
from tribord.core.tip import read, tips
from tribord.core.words import LANGUAGES, placeholders

LONGEST = 26  # words: it's read in passing


def check_tips(game: Game) -> None:
    """Every tip follows from a claim that holds by the game's statistics, and is short, in every language.

    A game may omit tips. One that no longer holds raises `BadFile` with its sentence.
    """
    variants = {"", *((read(game, "counted.json") or {}).get("variants", {}))}
    for written, said in zip(read(game, "tips.json") or [], tips(game)):
        assert written["claims"], f"{game.id}: a tip without a claim: “{written['en']}”"
        assert said["variant"] in variants, f"{game.id}: no variant “{said['variant']}” in counted.json"
        assert not said["players"] or game.players[0] <= said["players"] <= game.players[1], game.id
        for language in LANGUAGES:
            holes = placeholders(written[language])
            assert holes == set(written["figures"]), f"{game.id}: “{written[language]}” doesn’t show its figures"
            words = [word for word in said[language].split() if any(map(str.isalnum, word))]
            assert len(words) <= LONGEST, f"{game.id}: too long for a tip: “{said[language]}”"
