"""Bots in Python: named as `py:module:Class`, or passed as an object or a class.

A bot is an object with `decide(view, legal, clock)`. A class, or any function that returns such an object, is called
with `(game, seed)` for every seat and match. An object that is already a bot plays every seat it is given.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any, cast

from tribord.bots.bot import Bot
from tribord.bots.external import CRASH, Fault
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _

PREFIX = "py:"

Maker = Callable[[Game, int], Bot]

NOT_A_CLASS = _("“{bot}” doesn’t name a class: write py:module:Class.")
NO_MODULE = _("“{bot}” can’t be loaded: there is no module “{module}” here.")
BAD_MODULE = _("“{bot}” can’t be loaded because its module fails: {reason}.")
NO_CLASS = _("“{bot}” can’t be loaded: there is no “{wanted}” in {file}.")
NO_START = _("“{bot}” can’t play {title}: {reason}.")
NO_DECIDE = _("“{bot}” isn’t a bot: it has no method decide(view, legal, clock).")
OTHER_DECIDE = _("“{bot}” isn’t a bot: its decide{signature} can’t be called as decide(view, legal, clock).")


def find_bot(name: str) -> Bot | Maker:
    """The class, function or object named by `py:module:Class`. The current folder is searched for modules too."""
    module, colon, wanted = name.removeprefix(PREFIX).strip().partition(":")
    if not (colon and all(part.isidentifier() for part in (*module.split("."), *wanted.split(".")))):
        raise BadOption("not-a-class", NOT_A_CLASS, bot=name)
    here = os.getcwd()  # noqa: PTH109  # as text, which is what Python looks modules up by
    if here not in sys.path:
        sys.path.append(here)  # last, so that a file here can't shadow an installed module
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):  # something that the module imports
            raise BadOption("bad-module", BAD_MODULE, bot=name, reason=_reason(error)) from error
        raise BadOption("no-module", NO_MODULE, bot=name, module=module) from None
    except (Exception, SystemExit) as error:  # it's someone else's code
        raise BadOption("bad-module", BAD_MODULE, bot=name, reason=_reason(error)) from error
    file = getattr(found, "__file__", None) or module
    for part in wanted.split("."):
        found = getattr(found, part, None)
    if found is None:
        raise BadOption("no-class", NO_CLASS, bot=name, wanted=wanted, file=file)
    return cast("Bot | Maker", found)


def name_of(bot: Bot | Maker) -> str:
    """A Python bot's name in results: its `name` if it has one, otherwise that of its class or function."""
    name = getattr(bot, "name", None) or getattr(bot, "__name__", None) or type(bot).__name__
    return str(name)


def is_maker(bot: Bot | Maker) -> bool:
    """Whether this makes bots, rather than being one."""
    return isinstance(bot, type) or not hasattr(bot, "decide")


def make_bot(bot: Bot | Maker, game: Game, seed: int, name: str = "") -> Bot:
    """A bot for a seat. Refuses anything that isn't one."""
    name = name or name_of(bot)
    made: Any = bot
    if is_maker(bot):
        if not callable(bot):
            raise BadOption("no-decide", NO_DECIDE, bot=name)
        try:
            made = bot(game, seed)
        except (Exception, SystemExit) as error:
            raise BadOption("no-start", NO_START, bot=name, title=game.title, reason=_reason(error)) from error
    decide = getattr(made, "decide", None)
    if not callable(decide):
        raise BadOption("no-decide", NO_DECIDE, bot=name)
    try:
        signature = inspect.signature(decide)
    except ValueError:  # written in another language
        return cast(Bot, made)
    try:
        signature.bind(None, None, None)
    except TypeError:
        raise BadOption("other-decide", OTHER_DECIDE, bot=name, signature=signature) from None
    return cast(Bot, made)


class PythonBot:
    """A Python bot in a seat. If it can't be made, it fails at every decision and the others play on."""

    def __init__(self, bot: Bot | Maker, game: Game, seed: int, name: str = ""):
        self._bot: Bot | None = None
        self._why = ""
        try:
            self._bot = make_bot(bot, game, seed, name)
        except BadOption as refused:
            self._why = str(refused)

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The bot's decision."""
        if self._bot is None:
            raise Fault(CRASH, self._why)
        return self._bot.decide(view, legal, clock)


def _reason(error: BaseException) -> str:
    """The reason on one line, without the final period."""
    said = " ".join(str(error).split()).rstrip(".")
    return (
        said if isinstance(error, SystemExit | BadOption) and said else f"{type(error).__name__}: {said}".rstrip(": ")
    )
