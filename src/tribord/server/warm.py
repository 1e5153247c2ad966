"""Warming up: compile what the bots need in another process, so that this one answers from the first second.

The other process leaves its work in the cache on disk and prints a game and a rank when it is through with them. Lower
ranks come first, in all games: most people meet those, and a search takes longer to compile than a judgement.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from tribord.bots import ranks, seat_bot
from tribord.bots.solver import is_solved, solution
from tribord.core.compiled import interpreted
from tribord.core.game import game_ids, load
from tribord.server import log
from tribord.server.collector import collector


class Warmer:
    """Knows which bots are compiled."""

    def __init__(self) -> None:
        self._ready = {(game, rank): asyncio.Event() for game in game_ids() for rank in ranks()}
        self._process: asyncio.subprocess.Process | None = None

    async def ready(self, game: str, rank: str) -> None:
        """Wait until the bots of a rank are compiled for a game."""
        await self._ready[game, rank].wait()

    async def run(self) -> None:
        """Compile all bots in another process; if that fails, they are compiled here when they are first needed."""
        try:
            if not interpreted():
                await self._compile_elsewhere()
        except OSError as error:
            log.failure("compiling ahead failed", error)
        finally:
            for event in self._ready.values():
                event.set()
        collector.take_over()

    async def _compile_elsewhere(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tribord.server.warm",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert self._process.stdout
        async for line in self._process.stdout:
            game, _space, rank = line.decode(errors="replace").strip().partition(" ")
            if (game, rank) in self._ready:
                await asyncio.to_thread(load(game).speed_up)  # from the cache: some milliseconds
                self._ready[game, rank].set()
        if await self._process.wait():
            log.line("warning", "compiling ahead failed; bots will be compiled when first needed")

    async def stop(self) -> None:
        """End the other process, if it is still at work."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


def compile_bot(name: str, rank: str) -> None:
    """Compile the rules of a game, and let a bot of a rank decide once."""
    game = load(name)
    game.speed_up()
    match = game.match(game.players[0], seed=1)
    seat = match.to_act[0]
    bot = seat_bot(rank, game, 1)
    getattr(bot, "otherwise", bot).decide(match.view_state(seat), match.legal(seat))  # what is solved comes last


def main() -> None:
    """Compile all bots, and solve what can be solved."""
    for rank in ranks():
        for name in game_ids():
            compile_bot(name, rank)
            print(name, rank, flush=True)
    for name in game_ids():
        if is_solved(load(name)):
            solution(load(name))


if __name__ == "__main__":
    main()
