"""Playthroughs: whole matches as short text, with every decision and its consequences.

    # {"game": "walk-the-plank", "players": 3, "options": {"skulls": [], "rounds": 200}, "seed": "1"}
    chance: favour green                      W3   favour crew=1
    seat 0 (720): program extend run charge   W4   chosen crew=0

A line is one decision or roll: the seat, its number of choices, its action in notation. To the right are its events:
rule, kind, fields. Now and then a digest of the whole state follows. The decisions of a file are its input: to check a
playthrough they are played again, so only their consequences can differ.

`choose` picks playthroughs that together show every feature of a game: see `wanted`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from tribord.bots import seat_bot
from tribord.core import option
from tribord.core.chance import below, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.refusal import IllegalAction
from tribord.testing.conformance import setups

DIGEST_EVERY = 20  # entries of the journal
EVENTS_AT = 40  # the column
FIRST_SEEDS = range(1, 21)  # tried with every setup, so that short matches can be chosen
BOT_SEEDS = range(1, 5)  # then by bots, while something is missing
MORE_SEEDS = range(21, 61)  # then at random again

Decider = Callable[[Match, Legal], int]
_DECISION = re.compile(r"seat (\d+) \(\d+\): (.*?)(?:  .*)?")


@dataclass(frozen=True)
class Playthrough:
    """A finished match, with the number of choices at each decision."""

    match: Match
    choices: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its file name: players, options that differ from the default, seed."""
        turned = [f"{o.name}-{_slug(value)}" for o, value in _turned(self.match)]
        return "-".join((f"{self.match.players}-players", *turned, f"seed-{self.match.dice.seed}"))

    @cached_property
    def shows(self) -> frozenset[str]:
        """The features this match shows: see `wanted`."""
        ended = self.match.outcome
        assert ended
        kinds = (f"event {happened.kind}" for happened in self.match.events)
        return frozenset((*_shown_by_setup(self.match), *kinds, f"ending {ended.reason}"))

    @property
    def length(self) -> int:
        """Roughly how many lines it takes."""
        return sum(max(1, len(step.events)) for step in self.match.steps)

    @cached_property
    def text(self) -> str:
        """The content of its file."""
        match, game = self.match, self.match.game
        header = {"game": game.id, "players": match.players, "options": match.options, "seed": match.dice.seed}
        lines = [f"# {json.dumps(header)}"]
        again = Match(game, match.players, match.dice.seed, match.options)
        again.restart()
        choices = iter(self.choices)
        for number, step in enumerate(match.steps, 1):
            again.follow(step.entry)
            if step.entry.seat == CHANCE:
                entry = f"chance: {game.play.chance_notation(step.entry.action)}"
            else:
                entry = f"seat {step.entry.seat} ({next(choices)}): {game.notation(step.entry.action)}"
            events = [
                f"{e.rule:<4} " + " ".join((e.kind, *(f"{name}={value}" for name, value in e.fields.items())))
                for e in step.events
            ]
            first, *others = events or [""]
            lines += [f"{entry:<{EVENTS_AT}}  {first}".rstrip(), *(" " * (EVENTS_AT + 2) + e for e in others)]
            if number % DIGEST_EVERY == 0 or number == len(match.steps):
                lines.append(f"state {hashlib.sha256(again.states.tobytes()).hexdigest()[:12]}")
        ended = match.outcome
        assert ended
        lines.append(f"outcome: scores {ended.scores}, winners {ended.winners}, {ended.reason}")
        return "\n".join(lines) + "\n"


def play(match: Match, decide: Decider) -> Playthrough:
    """Play a match to its end; seats that choose at the same time do so in order."""
    choices = []
    while not match.over:
        legal = match.legal(match.to_act[0])
        choices.append(len(legal))
        match.play(legal.seat, decide(match, legal))
    return Playthrough(match, tuple(choices))


def at_random(seed: int | str) -> Decider:
    """Choose legal actions uniformly at random."""
    rng = stream(int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:4]), 99)
    return lambda _match, legal: legal[below(rng, len(legal))]


def by_bot(rank: str, game: Game, seed: int) -> Decider:
    """Let a bot decide for every seat, to reach endings that random matches hardly ever do."""
    bot = seat_bot(rank, game, seed)
    return lambda match, legal: bot.decide(match.view_state(legal.seat), legal)


def replay(game: Game, text: str, otherwise: Decider | None = None) -> Playthrough:
    """Play the decisions of a file again. Once one is illegal, `otherwise` decides from there on, if given."""
    header, *lines = text.splitlines()
    start = json.loads(header.removeprefix("#"))
    match = game.match(start["players"], start["seed"], start["options"])
    decisions = [(int(found[1]), found[2]) for line in lines if (found := _DECISION.fullmatch(line))][::-1]

    def as_recorded(match: Match, legal: Legal) -> int:
        seat, action = decisions.pop() if decisions else (legal.seat, "")
        try:
            if seat == legal.seat:
                return match.check(seat, action)
        except IllegalAction:
            pass
        assert otherwise, f"after {match.version} entries “{action}” of seat {seat} is no longer legal"
        decisions.clear()
        return otherwise(match, legal)

    return play(match, as_recorded)


# -- which matches --------------------------------------------------------------------------------------------------


def wanted(game: Game) -> set[str]:
    """What the playthroughs of a game must show: every player count, every option changed, every kind of event, every
    ending."""
    shown = {f"event {kind.name}" for kind in game.events.KINDS} | {f"ending {reason}" for reason in game.text.ENDINGS}
    return shown.union(*(_shown_by_setup(setup.match(1)) for setup in setups(game)))


def choose(game: Game, recorded: Iterable[Playthrough]) -> list[Playthrough]:
    """A small set of playthroughs that shows as much of `wanted` as can be found, the same each time.

    Recorded ones stay as long as they are useful. Missing features are added from random and bot matches, always the
    match that shows the most new features per line. Then redundant ones are removed, longest first.
    """
    chosen = list(recorded)
    missing = wanted(game).difference(*(one.shows for one in chosen))
    found = list(_candidates(game, frozenset(missing))) if missing else []
    while found and missing:
        best = max(found, key=lambda one: len(one.shows & missing) / one.length)
        if not best.shows & missing:
            break
        chosen.append(best)
        missing -= best.shows
    for one in sorted(chosen, key=lambda one: -one.length):
        others = [other for other in chosen if other is not one]
        if one.shows <= frozenset().union(*(other.shows for other in others)):
            chosen = others
    return chosen


def _candidates(game: Game, missing: frozenset[str]) -> Iterator[Playthrough]:
    """Matches of every setup that show something missing: a few of each, then more until everything is shown."""
    unseen = set(missing)
    everywhere = list(setups(game))
    for rank, seeds in (("", FIRST_SEEDS), ("matelot", BOT_SEEDS), ("", MORE_SEEDS)):
        for seed, setup in product(seeds, everywhere):
            if not unseen and seeds is not FIRST_SEEDS:
                return
            one = play(setup.match(seed), by_bot(rank, game, seed) if rank else at_random(seed))
            if one.shows & missing:
                unseen -= one.shows
                yield one


def _shown_by_setup(match: Match) -> set[str]:
    return {f"{match.players} players", *(f"option {_label(o, value)}" for o, value in _turned(match))}


def _turned(match: Match) -> Iterator[tuple[option.Option, Any]]:
    """The options of a match that differ from the default."""
    usual = match.game.options_of(match.game.settings(match.players, research=True))
    return ((o, match.options[o.name]) for o in match.game.options if match.options[o.name] != usual[o.name])


def _label(o: option.Option, value: Any) -> str:
    """An option's value by name, if it has few."""
    return f"{o.name}={_slug(value)}" if isinstance(o, option.Flag | option.Choice | option.Subset) else o.name


def _slug(value: Any) -> str:
    if isinstance(value, list):
        return "-".join(map(str, value)) or "none" if len(str(value)) < 24 else "all"
    return str(value)
