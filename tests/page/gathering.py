"""Tables worth looking at beside the moments of a match: with people, branches, an undo to agree to, older rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tests.page.player import ISLAND, PUSH
from tests.page.sailor import go_on, play

from tribord.client import Client
from tribord.client.http import ask

OLD = Path(__file__).parents[1] / "server" / "data" / "match-0.1.0.json"


@dataclass(frozen=True)
class Gathering:
    """A table and the two people there, if there are two."""

    game: str
    anne: Client
    zoe: Client


def again(client: Client) -> Client:
    """The same guest on a new connection."""
    return Client(client.url, client.id, client.secret)


async def meet(url: str, game: str = PUSH, start: bool = True) -> Gathering:
    """Two people at a table, with a match that may have begun; both have left the room since."""
    anne = await Client.create(url, game, "Anne", 3, seats=["me", "open", "mousse"])
    zoe = await Client.join(url, anne.id, "Zoé")
    async with anne, zoe:
        await zoe.do("sit", seat=1)
        if start:
            await zoe.do("ready")
            await anne.do("start")
    return Gathering(game, again(anne), again(zoe))


async def taking_back(url: str) -> Gathering:
    """Anne wants to take back what she chose, and Zoé has to agree."""
    anne = await Client.create(url, ISLAND, "Anne", 2)
    zoe = await Client.join(url, anne.id, "Zoé")
    async with anne, zoe:
        await zoe.do("sit", seat=1)
        await zoe.do("ready")
        await anne.do("start")
        while anne._turn() is None:  # so that she has a decision to take back
            await zoe._until(lambda: zoe._turn() is not None)
            turn = zoe._turn()
            assert turn is not None
            await zoe.act(turn.seat, turn.legal[0], turn.version)
            await anne._until(lambda played=turn.version: anne.match["version"] > played)
        turn = anne._turn()
        assert turn is not None
        await anne.act(turn.seat, turn.legal[0], turn.version)
        await anne.do("undo")
    return Gathering(ISLAND, again(anne), again(zoe))


async def branches(url: str, original: Client) -> tuple[Client, Client]:
    """Two branches of a match: one goes on, one is over."""
    wanted = {"nickname": "Anne", "place": 6, "seats": ["me", "mousse"], "redealt": False}
    told = [await ask(f"{url}/api/tables/{original.id}/branches", wanted) for _one in range(2)]
    going, over = (Client(url, one["table"], one["secret"]) for one in told)
    async with over:
        await go_on(over)
    return going, again(over)


async def alone(url: str, game: str) -> Client:
    """Anne against a bot, after some turns."""
    return await play(url, game, ["me", "mousse"], 6)


async def archived(url: str) -> str:
    """The table of a match that was played with rules which aren't installed."""
    file = json.loads(OLD.read_text(encoding="utf-8"))
    table = await ask(f"{url}/api/matches", file | {"game_version": 0})
    return str(table["table"])
