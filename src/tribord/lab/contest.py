"""A contest: play one match between bots from its seeds, the same on any machine."""

from __future__ import annotations

import hashlib
import math
import pickle
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tribord.bots import Bot, Mixture, is_rank, net, python, rank_of, ranks, seat_bot
from tribord.bots.external import PATIENCE, PREFIX, External, command_of
from tribord.bots.fallback import Fallback
from tribord.bots.uniform import UNIFORM, Uniform
from tribord.core.game import Game, load
from tribord.core.match import Match
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import _
from tribord.lab.ledger import NO_PLACE
from tribord.lab.luck import measure

SHORTEST, LONGEST = 0.01, 600.0  # seconds of a clock

BAD_CLOCK = _("A clock runs from {least} to {most} seconds per decision, not {value}.")
BAD_NAME = _("A bot can’t be called “{bot}”: that already means something here. Give it another “name”.")
SAME_NAME = _("Two different bots are called “{bot}”: give each of them a “name” of its own.")
NOT_FOR_OTHERS = _("“{bot}” can’t be sent to other processes ({reason}): leave out “jobs”, or name it py:module:Class.")
REDRAWS_OR_CLOCK = _("Decisions made by the clock can’t be redrawn: use either “redraws” or “clock”.")
BAD_SEED = _("A seed is a whole number of at most 63 bits, not {seed}.")


@dataclass(frozen=True)
class Terms:
    """What the matches of a contest have in common."""

    game: str
    players: int
    options: Mapping[str, Any]
    seed: int
    clock: float | None = None  # seconds per decision; None: the rank's own iterations
    patience: float = PATIENCE  # seconds a program may take without a clock
    redraws: int = 0  # how often a known bot's decision is drawn again, to measure its luck
    log: str | None = None  # where programs' standard error goes
    objects: Mapping[str, Bot | python.Maker] = field(default_factory=dict)  # bots that can't be loaded by name
    prefix: str = ""  # of all seeds, for matches that must differ from those of every run

    @property
    def full_seed(self) -> str:
        """What all seeds begin with."""
        return f"{self.prefix}{self.seed}"

    def clock_of(self, name: str) -> float | None:
        """Seconds per decision of a bot."""
        return None if self.clock is None else self.clock * rank_of(name)[1]

    def allowed(self, name: str) -> float | None:
        """Seconds after which a decision of a bot is late."""
        clock = self.clock_of(name)
        return None if clock is None else clock + max(0.25, clock / 2)


@dataclass(frozen=True)
class Fixture:
    """A match to play: its number, its round (which sets the dice), and the bot in every seat."""

    number: int
    round: int
    seats: tuple[str, ...]


@dataclass
class Played:
    """A finished match, as kept in a file."""

    number: int
    round: int
    seats: list[str]
    scores: list[int]
    winners: list[int]
    reason: str
    actions: int
    decisions: list[int]
    seconds: list[float]  # of thinking, by seat: the only part that varies between runs
    faults: list[dict[str, int]] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    luck: list[list[float]] = field(default_factory=list)  # by seat, see `luck`

    def as_dict(self) -> dict[str, Any]:
        """The match as plain data, for files."""
        return asdict(self)


def terms(
    game: Game, players: int, options: Mapping[str, Any] | None, seed: int, clock: float | None = None,
    patience: float | None = None, log: Path | None = None, objects: Mapping[str, Bot | python.Maker] | None = None,
    redraws: int = 0,
) -> Terms:  # fmt: skip
    """The terms of a contest. Refuses impossible ones."""
    check_seed(seed)
    if redraws and clock is not None:
        raise BadOption("redraws-or-clock", REDRAWS_OR_CLOCK)
    for value in (clock, patience):
        if value is not None and not (math.isfinite(value) and SHORTEST <= value <= LONGEST):
            raise BadOption("bad-clock", BAD_CLOCK, least=SHORTEST, most=f"{LONGEST:g}", value=f"{value:g}")
    settings = game.settings(players, options, research=True)
    if log:
        try:
            log.open("ab").close()
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=log, reason=error.strerror) from None
    return Terms(
        game.id, players, game.options_of(settings), seed, clock, PATIENCE if patience is None else patience,
        redraws, str(log) if log else None, objects or {},
    )  # fmt: skip


def check_seed(seed: int) -> None:
    """Refuse a seed that doesn't fit compiled code."""
    if not -(1 << 63) <= seed < 1 << 63:
        raise BadOption("bad-seed", BAD_SEED, seed=seed)


def bot_names(texts: Sequence[str]) -> list[str]:
    """Split a list of bots: ranks, nets, classes and commands, separated by commas.

    A command may contain commas, as long as no rank, net, class or other command follows one.

    >>> bot_names(["matelot, cmd:python bot.py --depth 1,2,cmd:./other,py:mine:Bot,net:run,capitaine-0.1,bosco@2"])
    ['matelot', 'cmd:python bot.py --depth 1,2', 'cmd:./other', 'py:mine:Bot', 'net:run', 'capitaine-0.1', 'bosco@2']
    """
    another = rf",(?=\s*(?:{PREFIX}|{python.PREFIX}|{net.PREFIX}|[^\W\d]+(?:-[\d.]+)?(?:@\S*)?\s*(?:,|$)))"
    return [part.strip() for text in texts for part in re.split(another, text)]


def entrants(
    bots: Sequence[str | Bot | python.Maker], game: Game, players: int, options: Mapping[str, Any] | None
) -> tuple[list[str], dict[str, Bot | python.Maker]]:
    """The names of all bots, and the objects and classes among them by name. Refuses what can't play at this table."""
    names: list[str] = []
    objects: dict[str, Bot | python.Maker] = {}
    for bot in bots:
        if isinstance(bot, str):
            check_bot(bot, game, players, options)
            names.append(bot)
            continue
        name = python.name_of(bot)
        if name == UNIFORM or is_rank(name) or name.startswith((PREFIX, python.PREFIX, net.PREFIX)):
            raise BadOption("bad-name", BAD_NAME, bot=name)
        python.make_bot(bot, game, 0, name)
        if objects.setdefault(name, bot) is not bot:
            raise BadOption("same-name", SAME_NAME, bot=name)
        names.append(name)
    return names, objects


def jobs_for(objects: Mapping[str, Bot | python.Maker], jobs: int | None) -> int:
    """The number of processes if some bots are objects: this one alone, unless the caller wants more."""
    if jobs is None or jobs == 1:
        return 1
    for name, bot in objects.items():
        try:
            pickle.dumps(bot)
            # Other processes import a script again, but code typed at a prompt has no file.
            sort: Any = bot if python.is_maker(bot) else type(bot)
            typed = getattr(sort, "__module__", "") == "__main__" and not hasattr(sys.modules["__main__"], "__file__")
            reason = f"{name} was typed at an interactive prompt" if typed else ""
        except Exception as error:  # whatever its own `__reduce__` may raise
            reason = f"{type(error).__name__}: {error}"
        if reason:
            raise BadOption("not-for-others", NOT_FOR_OTHERS, bot=name, reason=reason)
    return jobs


def check_bot(name: str, game: Game, players: int, options: Mapping[str, Any] | None = None) -> None:
    """Refuse an unknown bot, and a net that hasn't learned to play at this table."""
    if name.startswith(PREFIX):
        command_of(name)
    elif name.startswith(python.PREFIX):
        python.make_bot(python.find_bot(name), game, 0, name)
    elif name.startswith(net.PREFIX):
        net.bot_of(name, game, players, options)
    elif name not in (UNIFORM, *ranks()):
        seat_bot(name, game)  # its refusal lists the ranks


def play(terms: Terms, fixture: Fixture) -> Played:
    """Play a match to its end. The same terms and fixture give the same match, unless there is a clock."""
    match, crew = play_match(terms, fixture)
    ended = match.outcome
    assert ended is not None
    decisions = [bot.decisions for bot in crew]
    luck = measure(match, fixture.seats, terms.redraws, f"{terms.full_seed}:{fixture.round}:{fixture.number}")
    return Played(
        fixture.number, fixture.round, list(fixture.seats), ended.scores, ended.winners, ended.reason, sum(decisions),
        decisions, [round(bot.seconds, 4) for bot in crew], [bot.faults for bot in crew], [bot.example for bot in crew],
        luck,
    )  # fmt: skip


def play_match(terms: Terms, fixture: Fixture) -> tuple[Match, list[Fallback]]:
    """The finished match, and the bots that played it."""
    game = _ready(terms.game)
    match = game.match(terms.players, f"{terms.full_seed}:{fixture.round}", terms.options)
    crew = [seated(terms, fixture, seat, game) for seat in range(terms.players)]
    try:
        while not match.over:
            for seat in match.to_act:
                match.carry_out(seat, crew[seat].decide(match.view_state(seat), match.legal(seat)))
    finally:
        for bot in crew:
            if isinstance(bot.bot, External):
                bot.bot.close()
    return match, crew


def seated(terms: Terms, fixture: Fixture, seat: int, game: Game) -> Fallback:
    """The bot of a seat, with its fallback. Its seed depends on the round and the seat, not on the bot."""
    name = fixture.seats[seat]
    luck = hashlib.sha256(f"{terms.full_seed}:{fixture.round}:{seat}".encode()).digest()
    seed = int.from_bytes(luck[:4], "big")
    bot: Bot
    if name.startswith(PREFIX):
        patience = terms.allowed(name) or terms.patience
        log = Path(terms.log) if terms.log else None
        bot = External(name, game, seed, terms.players, terms.options, terms.clock, patience, log)
        return Fallback(name, bot, game, seed)
    if name == UNIFORM:
        return Fallback(name, Uniform(seed), game, seed)
    _warm(terms, name)
    if name in terms.objects or name.startswith(python.PREFIX):
        bot = python.PythonBot(_python_bot(terms, name), game, seed, name)
    elif name.startswith(net.PREFIX):
        bot = net.bot_of(name, game, terms.players, terms.options)
    else:
        bot = seat_bot(name, game, seed)
    return Fallback(name, bot, game, seed, terms.clock_of(name), terms.allowed(name))


def _python_bot(terms: Terms, name: str) -> Bot | python.Maker:
    return terms.objects[name] if name in terms.objects else python.find_bot(name)


_warmed: set[tuple[str, str]] = set()


def _warm(terms: Terms, name: str) -> None:
    """Let a bot decide once in every process before it is timed, so that compilation doesn't count as thinking.

    An object that is already a bot isn't asked, because it may remember the question.
    """
    if (terms.game, name) in _warmed:
        return
    _warmed.add((terms.game, name))
    game = load(terms.game)
    match = game.match(terms.players, 0, terms.options)
    with suppress(Exception):  # if it fails here it fails in the match too, where faults are counted
        seat = match.to_act[0]
        bot: Bot
        if name in terms.objects or name.startswith(python.PREFIX):
            maker = _python_bot(terms, name)
            if not python.is_maker(maker):
                return
            bot = python.make_bot(maker, game, 0, name)
        elif name.startswith(net.PREFIX):
            bot = net.bot_of(name, game, terms.players, terms.options)
        else:
            bot = seat_bot(name, game)
        for each in (bot.below, bot.bot) if isinstance(bot, Mixture) else (bot,):
            each.decide(match.view_state(seat), match.legal(seat), terms.clock)


@cache
def _ready(name: str) -> Game:
    """A game with its rules compiled, once in every process."""
    game = load(name)
    game.speed_up()
    return game
