"""The bots of a server: the ranks, and those the operator adds with `--bots`. A guest chooses one by its name and can't
name anything else. Each decision of an added bot gets a new bot, from a seed that all workers share, in its own thread:
if it fails or takes too long, a mousse decides.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence

from tribord.bots import Bot, external, net, python, ranks, seat_bot
from tribord.bots.bot import Ranked
from tribord.bots.external import LATE, External
from tribord.bots.fallback import STRIKES, Fallback
from tribord.core.engine import Legal
from tribord.core.match import Match
from tribord.core.record import State
from tribord.core.refusal import BadOption
from tribord.core.words import _
from tribord.server import log
from tribord.server.fair_queue import FairQueue
from tribord.server.name import alike
from tribord.server.phrase import legible

LONGEST = 32  # characters of a name, as messages have it
RESERVED = ("me", "open")  # what else a seat can be
THINKERS = 4  # added bots that think at once
GONE = "matelot"  # plays on for a bot that the server no longer has

NO_SORT = _("“{bot}” isn’t a bot: write NAME=py:module:Class, NAME=net:FILE or NAME=cmd:COMMAND.")
NO_NAME = _("“{bot}” needs a name for the page: write NAME={bot}.")
BAD_NAME = _("A bot can’t be called “{name}” here: take another name of 1 to {most} visible characters.")


class HouseBots:
    """The bots that may sit at the tables of a server."""

    def __init__(self, brought: Sequence[str] = ()):
        self._brought: dict[str, str] = {}
        self._late: Counter[str] = Counter()
        self._places = FairQueue(THINKERS)
        for text in brought:
            name, bot = read_bot(text)
            if alike(name) in {alike(other) for other in (*RESERVED, *ranks(), *self._brought)}:
                raise BadOption("bad-name", BAD_NAME, name=name, most=LONGEST)
            self._brought[name] = bot

    @property
    def names(self) -> tuple[str, ...]:
        """Return what a guest may choose: the ranks, lowest first, then the operator's bots."""
        return (*ranks(), *self._brought)

    def is_brought(self, name: str) -> bool:
        """Whether a bot isn't one of the ranks."""
        return name in self._brought

    def ranked(self, name: str, match: Match, seed: int) -> Ranked:
        """Return a bot of a rank. If a table's own bot is gone from this server, a rank plays on for it."""
        return seat_bot(name if name in ranks() else GONE, match.game, seed, wait=False)

    async def decide(self, name: str, match: Match, seed: int, view: State, legal: Legal, who: str = "") -> int:
        """Return the decision of an operator's bot, or of a mousse in its place; `who` is the address it thinks for."""
        bot = Fallback(name, self._made(name, match, seed), match.game, seed, wait=False)
        patience = external.PATIENCE + (external.START if self._brought[name].startswith(external.PREFIX) else 0)
        if self._late[name] < STRIKES:
            try:
                async with self._places.turn(who):
                    action = await asyncio.wait_for(_elsewhere(lambda: bot.decide(view, legal)), patience)
                if bot.faults:
                    log.line("warning", "bot failed", bot=name, faults=bot.faults)
                return action
            except TimeoutError:  # its thread can't be ended, so a bot that keeps doing this isn't asked any more
                self._late[name] += 1
                log.line("warning", "bot failed", bot=name, faults={LATE: 1})
        return await asyncio.to_thread(bot.decide_below, view, legal)

    def _made(self, name: str, match: Match, seed: int) -> Bot:
        bot = self._brought[name]
        return _Once(lambda: self._make(bot, match, seed))

    def _make(self, bot: str, match: Match, seed: int) -> Bot:
        if bot.startswith(external.PREFIX):
            return External(bot, match.game, seed, match.players, match.options)
        if bot.startswith(net.PREFIX):
            return net.bot_of(bot, match.game, match.players, match.options)
        return python.PythonBot(python.find_bot(bot), match.game, seed, bot)


class _Once:
    """A bot for one decision, built in the thread where it decides, because both may be slow."""

    def __init__(self, make: Callable[[], Bot]):
        self._make = make

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        bot = self._make()
        try:
            return bot.decide(view, legal, clock)
        finally:
            if isinstance(bot, External):
                bot.close()


def read_bot(text: str) -> tuple[str, str]:
    """Parse NAME=BOT into a name and a bot; a Python class may do without a name. Refuses unknown bots.

    >>> read_bot("py:tribord.bots.lookahead:Lookahead")
    ('Lookahead', 'py:tribord.bots.lookahead:Lookahead')
    """
    found = re.fullmatch(
        rf"(?:([^=:]*)=)?((?:{python.PREFIX}|{net.PREFIX}|{external.PREFIX}).*)", text.strip(), re.DOTALL
    )
    if found is None:
        raise BadOption("no-sort", NO_SORT, bot=text)
    given, bot = found[1], found[2]
    if bot.startswith(python.PREFIX):
        name = python.name_of(python.find_bot(bot)) if given is None else given.strip()
    else:
        (net.check_net if bot.startswith(net.PREFIX) else external.command_of)(bot)
        if given is None:
            raise BadOption("no-name", NO_NAME, bot=bot)
        name = given.strip()
    if not name or name != legible(name, LONGEST):
        raise BadOption("bad-name", BAD_NAME, name=name, most=LONGEST)
    return name, bot


async def _elsewhere(work: Callable[[], int]) -> int:
    """Run it in a daemon thread, because someone else's code may never return."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[int] = loop.create_future()

    def settle(result: int | BaseException) -> None:
        if not done.done():
            if isinstance(result, BaseException):
                done.set_exception(result)
            else:
                done.set_result(result)

    def run() -> None:
        result: int | BaseException
        try:
            result = work()
        except BaseException as error:
            result = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result)

    threading.Thread(target=run, name="brought-bot", daemon=True).start()
    return await done
