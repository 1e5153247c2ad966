"""Fallback: when a bot fails, the rank below decides in its place and the match goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tribord.bots import Bot, rank_below, seat_bot
from tribord.bots.external import CRASH, LATE, RUBBISH, Fault
from tribord.core.chance import below, stream
from tribord.core.engine import Legal
from tribord.core.game import Game
from tribord.core.record import State

STRIKES = 3  # faults after which a bot is no longer asked in this match


@dataclass
class Fallback:
    """A bot, with the rank below for decisions where it fails. Counts its faults and keeps the first message."""

    name: str
    bot: Bot
    game: Game
    seed: int
    clock: float | None = None  # seconds per decision; None for no limit
    allowed: float | None = None  # seconds after which a decision is late
    decisions: int = 0
    seconds: float = 0.0
    notice: Callable[[str, str], None] = lambda name, what: None  # called for every fault
    faults: dict[str, int] = field(default_factory=dict)
    example: str = ""
    wait: bool = True  # whether the rank below waits for the compiler
    _substitute: Fallback | None = None

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """The bot's decision if it is legal and in time, otherwise that of the rank below."""
        self.decisions += 1
        if sum(self.faults.values()) < STRIKES:
            try:
                return self._ask(view, legal, self.clock if clock is None else clock)
            except Fault as fault:
                kind, what = fault.kind, str(fault)
            except Exception as error:  # whatever a bot raises, the others keep playing
                kind, what = CRASH, f"{type(error).__name__}: {error}"
            self.faults[kind] = self.faults.get(kind, 0) + 1
            self.example = self.example or f"{kind}: {what}"
            self.notice(self.name, what)
        return self.decide_below(view, legal)

    def _ask(self, view: State, legal: Legal, clock: float | None) -> int:
        start = time.perf_counter()
        try:
            action = int(self.bot.decide(view.copy(), Legal(legal.seat, legal), clock))
        finally:
            taken = time.perf_counter() - start
            self.seconds += taken
        if action not in legal:
            raise Fault(RUBBISH, f"{action} is not among the {len(legal)} legal actions")
        if self.allowed is not None and taken > self.allowed:
            raise Fault(LATE, f"{taken:.2f} s, where {self.allowed:.2f} s are allowed")
        return action

    def decide_below(self, view: State, legal: Legal) -> int:
        """The decision of the rank below; below mousse, a random legal action."""
        below_it = rank_below(self.name)
        if not below_it:
            return legal[below(stream(self.seed, self.decisions), len(legal))]
        if self._substitute is None:
            bot = seat_bot(below_it, self.game, self.seed, self.wait)
            self._substitute = Fallback(below_it, bot, self.game, self.seed, wait=self.wait)
        return self._substitute.decide(view, legal)
