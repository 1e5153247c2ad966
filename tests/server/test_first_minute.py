"""The first minute: on a machine that has compiled nothing yet, bots of every rank act at once in every game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.server import aboard
from tests.server.aboard import Mate
from tests.server.launcher import ServerProcess
from websockets.asyncio.client import connect

from tribord import load
from tribord.bots import ranks
from tribord.core.game import game_ids

# Without compiled code a bot thinks for 0.6 seconds, and two seconds is what we promise. Here the processors are busy
# compiling, and perhaps with other tests: five seconds leave room for that. Compiling takes ten or more.
PATIENCE = 5.0
# Full strength takes 15 seconds on two processors that have nothing else to do.
COMPILING = 120.0
VARIANTS: list[tuple[str, dict[str, str]]] = [(game, {}) for game in game_ids()]
VARIANTS.append(("ile-aux-pirates", {"game": "strategic"}))  # its base game is solved: there bots need something else


@asynccontextmanager
async def alone(server: ServerProcess, game_id: str, rank: str, options: dict[str, str]) -> AsyncIterator[Mate]:
    """A client at a match with bots of a rank that has just begun."""
    players = load(game_id).players[0] + 1
    new = {"game": game_id, "nickname": "Anne", "players": players, "options": options}
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        host = (await client.post("/api/tables", json=new | {"seats": ["me", *[rank] * (players - 1)]})).json()
    async with connect(f"ws://127.0.0.1:{server.port}/socket", compression=None) as socket:
        anne = Mate(socket)
        await anne.say({"t": "hello", "protocol": 2, "table": host["table"], "secret": host["secret"]})
        await anne.must("start")
        yield anne


async def first_action(anne: Mate) -> float:
    """Seconds from the first turn of a bot to its action."""
    since = time.monotonic()
    while not any(m.get("kind") == "act" and m.get("by") is None for m in anne.heard):
        assert anne.match is not None
        if anne.match["to_act"] == [0]:
            await anne.must("act", seat=0, action=anne.match["legal"]["0"][0])
            since = time.monotonic()
        else:
            await anne.hear()
    return time.monotonic() - since


def test_bots_of_every_game_and_rank_act_at_once_where_nothing_is_compiled(tmp_path):
    async def story(server: ServerProcess) -> None:
        late = {}
        for rank in reversed(ranks()):
            for game_id, options in VARIANTS:
                async with alone(server, game_id, rank, options) as anne:
                    seconds = await first_action(anne)
                if seconds > PATIENCE:
                    late[game_id, rank, *options.values()] = seconds
        assert not late

    with ServerProcess(tmp_path, "--limits", "0", cache=tmp_path / "cache") as server:
        asyncio.run(story(server))
        found = httpx.get(f"{server.url}/api/bots").json()
        assert found["prepared"] < found["of"]  # otherwise nothing was proved


@pytest.mark.long
def test_a_rank_below_its_strength_says_so_until_it_is_not(tmp_path, monkeypatch):
    async def story(server: ServerProcess) -> None:
        async with alone(server, "walk-the-plank", "capitaine", {}) as anne:
            await anne.until(lambda message: message.get("preparing", False))
            monkeypatch.setattr(aboard, "PATIENCE", COMPILING)
            await anne.until(lambda message: message["t"] == "presence" and not message.get("preparing"))
            before = len(anne.heard)
            await anne.must("act", seat=0, action=anne.match["legal"]["0"][0])
            await anne.until(lambda message: message.get("kind") == "act" and message.get("by") is None)
            assert not any(message.get("preparing") for message in anne.heard[before:])

    with ServerProcess(tmp_path, "--limits", "0", cache=tmp_path / "cache") as server:
        asyncio.run(story(server))
