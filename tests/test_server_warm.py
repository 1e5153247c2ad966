"""Warming up: bots are compiled in another process, and whatever goes wrong there, nobody waits for ever."""

from __future__ import annotations

import asyncio
import gc
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tribord.bots import ranks
from tribord.core.game import game_ids
from tribord.server import warm
from tribord.server.warm import Warmer


@pytest.fixture(autouse=True)
def collector_as_before() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def program(folder: Path, script: str) -> str:
    """A program that stands for Python."""
    path = folder / "python"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_each_bot_is_ready_when_the_other_process_says_so(tmp_path, monkeypatch):
    (first, rank), *others = ((game, rank) for rank in ranks() for game in game_ids())
    script = f"echo a stray line; echo {first} {rank}; exec sleep 30"
    monkeypatch.setattr(warm.sys, "executable", program(tmp_path, script))
    loaded: list[str] = []
    monkeypatch.setattr(type(warm.load(first)), "speed_up", lambda game: loaded.append(game.id))

    async def story() -> None:
        warmer = Warmer()
        running = asyncio.ensure_future(warmer.run())
        async with asyncio.timeout(10):
            await warmer.ready(first, rank)
        assert loaded == [first]
        for other in others:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(warmer.ready(*other), 0.02)
        await warmer.stop()
        async with asyncio.timeout(10):
            await running
            for other in others:
                await warmer.ready(*other)

    asyncio.run(story())


@pytest.mark.parametrize("script", ["exit 3", "kill -9 $$"])
def test_a_failure_is_logged_and_leaves_everything_ready(tmp_path, monkeypatch, capfd, script):
    monkeypatch.setattr(warm.sys, "executable", program(tmp_path, script))

    async def story() -> None:
        warmer = Warmer()
        async with asyncio.timeout(10):
            await warmer.run()
            for game in game_ids():
                await warmer.ready(game, ranks()[-1])

    asyncio.run(story())
    assert "compiling ahead failed" in capfd.readouterr().err


def test_no_program_at_all_is_no_obstacle(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(warm.sys, "executable", str(tmp_path / "nothing"))

    async def story() -> None:
        warmer = Warmer()
        async with asyncio.timeout(10):
            await warmer.run()
            await warmer.ready(game_ids()[0], ranks()[0])
        await warmer.stop()

    asyncio.run(story())
    assert "FileNotFoundError" in capfd.readouterr().err
