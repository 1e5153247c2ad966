"""Check a game's reasons: `client/reasons.json`, which explains why things happen."""

from __future__ import annotations

from tribord.core.game import Game
from tribord.core.reason import reasons
from tribord.core.words import LANGUAGES


def check_reasons(game: Game) -> None:
    """Every reason belongs to an existing kind of event, cites an existing rule, and has words in every language.

    A game may omit reasons; if it has any, it needs one for every kind.
    """
    found = reasons(game)
    kinds = {kind.name for kind in game.events.KINDS}
    for key, said in found.items():
        kind, _space, rule = key.partition(" ")
        assert kind in kinds, f"{game.id}: reasons.json explains “{kind}”, which isn’t a kind of event"
        assert not rule or f"- {rule}. " in game.rulebook("en"), f"{game.id}: reasons.json cites {rule}: no such rule"
        for language in LANGUAGES:
            assert said.get(language), f"{game.id}: the reason of “{key}” is missing in “{language}”"
    missing = kinds - {key.partition(" ")[0] for key in found}
    assert not found or not missing, f"{game.id}: reasons.json has no reason for {sorted(missing)}"
