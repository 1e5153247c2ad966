"""A choice among many actions, narrowed part by part: first the kind, then the pirate, then the card…"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tribord.core.game import Game
from tribord.core.words import Words

Picked = tuple[str, Any]
END = ""


class StepwiseChoice:
    """The actions that are still possible, as their parts are settled one by one. Parts without a choice are skipped.

    >>> from tribord import load
    >>> game = load("faut-pas-pousser")
    >>> choice = StepwiseChoice(game, [game.action(text) for text in ("pass", "4 -2@3", "5 -2@3")])
    >>> words = game.words("en")
    >>> choice.question(words), choice.offers(words)
    ('What do you play?', [('1', 'Non merci ! (pass)'), ('2', 'A pirate and an action')])
    >>> choice.take("2"), choice.offers(words)
    (True, [('1', 'Pirate 4'), ('2', 'Pirate 5')])
    >>> choice.take("1"), game.notation(choice.action)
    (True, '4 -2@3')
    """

    def __init__(self, game: Game, actions: Sequence[int]):
        self.game = game
        # Each path ends with its own action, so that one path may be the beginning of another.
        self._paths: dict[int, list[Picked]] = {action: [*game.steps(action), (END, action)] for action in actions}
        self._path: list[Picked] = []  # the parts settled so far
        self._asked: list[int] = []  # how long the path was at each question
        self._skip()

    @property
    def action(self) -> int | None:
        """The chosen action, once only one is left."""
        left = self._left()
        return left[0] if len(left) == 1 else None

    def question(self, words: Words) -> str:
        """The question about the next part."""
        key = next(key for key, _value in self._next() if key != END)
        ask = self.game.text.ASK
        return words.say(ask[key] if key in ask else ask[key.partition(".")[0]])

    def offers(self, words: Words) -> list[tuple[str, str]]:
        """The possible answers: what to type and what it means. Plain numbers are typed as they are."""
        labels = [self._label(step, words) for step in self._next()]
        if all(label.isdecimal() for label in labels):
            return [(label, "") for label in labels]
        return [(str(number), label[:1].upper() + label[1:]) for number, label in enumerate(labels, 1)]

    def take(self, token: str) -> bool:
        """Settle the next part by what was typed; False if it isn't among the offers."""
        steps = self._next()
        tokens = [offer for offer, _label in self.offers(self.game.words("en"))]
        if token not in tokens:
            return False
        self._asked.append(len(self._path))
        self._path.append(steps[tokens.index(token)])
        self._skip()
        return True

    def back(self) -> bool:
        """Take back the last answer; False if there is none."""
        if not self._asked:
            return False
        del self._path[self._asked.pop() :]
        self._skip()
        return True

    def _left(self) -> list[int]:
        depth = len(self._path)
        return [action for action, path in self._paths.items() if path[:depth] == self._path]

    def _next(self) -> list[Picked]:
        depth = len(self._path)
        return list(dict.fromkeys(self._paths[action][depth] for action in self._left()))

    def _skip(self) -> None:
        while self.action is None and len(steps := self._next()) == 1:
            self._path.append(steps[0])

    def _label(self, step: Picked, words: Words) -> str:
        key, value = step
        if key == END:
            return self.game.say_action(value, words)
        stem = key.partition(".")[0]
        return words.name(self.game.text.LISTED.get(stem, stem), value)
