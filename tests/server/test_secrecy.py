"""Secrecy end to end: two servers whose tables differ in what one seat has sealed send the same bytes to the rest.

Both worlds have the same clock, ids, secrets and dice, so no difference can be explained away: what anyone else gets
over socket and HTTP, and what the server logs, is compared byte by byte until the rules reveal it.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import takewhile, zip_longest
from pathlib import Path

import pytest
from tests.server.harness import soon
from tests.server.launcher import ServerProcess, serving
from websockets.asyncio.client import ClientConnection, connect

from tribord import PUBLIC, Match, game_ids, load
from tribord.core.secrecy import sealing
from tribord.server.store import connect as connect_store

WITH_SEALED_CHOICES = [g for g in game_ids() if "sealed" in {f.name for f in load(g).fields}]
MARK = "settle"  # the id of a command that is refused; its answer says that all before it has arrived
# What depends on how fast the machine is.
IN_TIME = re.compile(
    r'"ms": [0-9.]+|\(.content-length., .\d+.\), (?=[^\n]*text/plain)'
    r"|(?m:^tribord_(\w+_seconds_sum|\w+_seconds_bucket{le=.[0-9.e-]+.}|sockets|tables_live) .*)"
)

# A server with a frozen clock and the same random numbers every time.
WORLD = """
import os, random, secrets, sys, time
chance = random.Random(7)
secrets.token_urlsafe = lambda size=32: chance.randbytes(size).hex()
secrets.token_hex = lambda size=32: chance.randbytes(size).hex()
secrets.choice = chance.choice
time.time = lambda: 1_800_000_000.0
from tribord.cli import main
from tribord.server import pulse
pulse.JUMP_SECONDS = 1e9  # a stall in one world must not make a difference
os.environ["TRIBORD_LOG"] = "debug"
sys.argv[1:1] = ["serve"]
main()
"""


class Listener:
    """A socket that keeps every byte it gets."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.heard: list[str] = []

    async def say(self, message: dict) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def settle(self) -> None:
        """Wait until everything that was under way has arrived."""
        await self.say({"t": "undo", "id": MARK, "agree": "?"})
        await self.until(lambda message: message.get("id") == MARK)

    async def until(self, last: Callable[[dict], bool]) -> None:
        """Hear on, until a message of some kind."""
        async with asyncio.timeout(20):
            while True:
                text = str(await self.socket.recv())
                message = json.loads(text)
                if message["t"] == "presence":  # sent when the server gets to it, and about sockets only
                    assert set(message) == {"t", "guests", "watching"}
                    continue
                self.heard.append(text)
                if last(message):
                    return


class World:
    """One server and a table with a guest in each seat, one without a seat, and a spectator."""

    def __init__(self, server: ServerProcess):
        self.server = server
        self.everyone: list[Listener] = []  # those in seats first, by seat
        self.secrets: list[str | None] = []
        self.asked: list[str] = []  # answers to side requests
        self.requests = 0
        self.rng = random.Random(0)
        self.aside: list[Listener] = []  # second sockets of returning guests

    async def open(self, game: str, players: int) -> None:
        """A new table with everyone seated and the match begun."""
        clock = {"per": "decision", "seconds": 600}
        new = {"game": game, "nickname": "Anne", "players": players, "public": True, "clock": clock}
        host = json.loads(self.fetch("POST", "/api/tables", new).partition("\n")[2])
        self.table, self.code, self.secrets = host["table"], host["code"], [host["secret"]]
        for seat in range(1, players + 1):
            guest = self.fetch("POST", f"/api/tables/{self.table}/guests", {"nickname": f"Bart {seat}"})
            self.secrets.append(json.loads(guest.partition("\n")[2])["secret"])
        self.secrets.append(None)
        self.everyone = [await self.enter(secret) for secret in self.secrets]
        for seat in range(1, players):
            await self.do(seat, {"t": "sit", "seat": seat})
            await self.do(seat, {"t": "ready"})
        await self.do(0, {"t": "start"})

    async def match(self) -> Match:
        """The match as it began, dice included: only the store knows them."""
        store = connect_store(self.server.store)
        await store.open()
        created = json.loads((await store.read(self.table))[0].body)
        await store.close()
        return load(created["game"]).match(created["players"], created["seed"], created["options"])

    async def acts(self) -> list[tuple[int, str]]:
        """Seat and action of everything that was played."""
        store = connect_store(self.server.store)
        await store.open()
        rows = [json.loads(row.body) for row in await store.read(self.table) if row.kind == "act"]
        await store.close()
        return [(body["seat"], body["action"]) for body in rows]

    async def enter(self, secret: str | None, seen: int | None = None) -> Listener:
        """A new socket that has received its first messages."""
        url = f"ws://127.0.0.1:{self.server.port}/socket"
        listener = Listener(await connect(url, proxy=None, compression=None, ping_interval=None, max_queue=None))
        await listener.say({"t": "hello", "protocol": 2, "table": self.table, "secret": secret, "seen": seen})
        await listener.settle()
        return listener

    async def do(self, who: int, command: dict) -> None:
        """Send a command, and let everyone hear its result before anything else happens."""
        await self.everyone[who].say({"id": f"{len(self.everyone[who].heard)}", **command})
        await self.everyone[who].settle()
        for listener in self.everyone:
            await listener.settle()

    async def act(self, match: Match, seat: int, action: int) -> None:
        """Play an action, here and in the match of this world."""
        await self.do(seat, {"t": "act", "seat": seat, "action": action, "version": match.version})
        match.play(seat, action)

    async def probe(self, match: Match, knowing: list[int], actions: tuple[int, ...]) -> None:
        """Let everyone who may not know try to learn something: by refused commands, reconnecting, and HTTP."""
        secretive = knowing[0]
        for who, secret in enumerate(self.secrets):
            if who not in knowing:
                for action in actions:
                    await self.do(who, {"t": "act", "seat": secretive, "action": action})
                legal = match.legal(who) if who < match.players else []
                illegal = next(action for action in range(match.game.actions) if action not in legal)
                await self.do(who, {"t": "act", "seat": who, "action": illegal})
                await self.do(who, {"t": "reclaim", "seat": secretive})
                await self.do(who, {"t": "undo"})
                again = await self.enter(secret, self.rng.choice((None, 0, 4)))
                self.asked += again.heard
                self.aside.append(again)
        for method, path, secret in (
            ("GET", f"/api/tables/{self.table}", None), ("GET", f"/api/tables/{self.code}", None),
            ("GET", "/api/tables", None), ("GET", f"/api/tables/{self.table}/match", None),
            ("GET", f"/api/tables/{self.table}/match", self.secrets[-2]),
            ("POST", f"/api/tables/{self.table}/transfers", "no secret"),
            ("GET", f"/api/tables/{self.table}/rows", None), ("GET", "/metrics", None), ("GET", "/healthz", None),
        ):  # fmt: skip
            self.asked.append(IN_TIME.sub("", self.fetch(method, path, None, secret)))

    def fetch(self, method: str, path: str, body: dict | None = None, secret: str | None = None) -> str:
        """An HTTP answer: status and headers on a line, then the content."""
        self.requests += 1
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        content = f"{response.status} {response.getheaders()}\n{response.read().decode()}"
        connection.close()
        return content

    async def heard_by_all_but(self, knowing: list[int]) -> list[list[str]]:
        """Every byte that anyone else received, and the server's logs."""
        # A request is logged after its answer; the first one checked whether the server is up.
        await soon(lambda: self.server.log.read_text().count('"message": "request"') == self.requests + 1)
        log = IN_TIME.sub("", self.server.log.read_text().replace(self.server.store, "STORE"))
        sockets = [listener.heard for who, listener in enumerate(self.everyone) if who not in knowing]
        return [*sockets, self.asked, log.splitlines()]

    async def close(self) -> None:
        """All go home."""
        await asyncio.gather(*(listener.socket.close() for listener in (*self.everyone, *self.aside)))
        self.aside = []


def first_difference(one: list[list[str]], two: list[list[str]]) -> str:
    """Where two recordings differ: whose, which message, and how both continue from there; otherwise nothing."""
    for who, (heard, other) in enumerate(zip(one, two, strict=True)):
        for number, (here, there) in enumerate(zip_longest(heard, other, fillvalue="")):
            if here != there:
                alike = sum(1 for _same in takewhile(lambda both: both[0] == both[1], zip(here, there)))
                at = max(alike - 40, 0)
                return f"{who}, message {number}: {here[at:][:200]!r}, but {there[at:][:200]!r}"
    return ""


def opening(match: Match) -> bool:
    """Whether several seats are to choose in secret."""
    return sealing(match) and len(match.to_act) > 1


def told_apart(matches: list[Match], secretive: int) -> bool:
    """Whether the rules let anyone except one seat see which match is which."""
    seats = [PUBLIC, *(seat for seat in range(matches[0].players) if seat != secretive)]
    one, two = ([match.view_state(seat).tobytes() for seat in seats] for match in matches)
    return one != two or matches[0].events != matches[1].events


def two_choices(match: Match, seat: int, rng: random.Random) -> tuple[int, int]:
    """Two choices of a seat. Often they begin alike, so that the difference lies hidden for longer."""
    one, two = rng.sample(match.legal(seat), 2)
    words = match.game.notation(one).split()
    alike = [a for a in match.legal(seat) if a != one and match.game.notation(a).split()[:-1] == words[:-1]]
    return one, rng.choice(alike) if alike and rng.random() < 0.7 else two


class Pair:
    """Two worlds in step, and the match played in each."""

    def __init__(self, worlds: list[World], rng: random.Random):
        self.worlds = worlds
        self.rng = rng
        self.matches: list[Match] = []

    async def differ(self, game: str, players: int, rounds: int, *, bot: bool = False) -> int:
        """Play on to a sealed choice, let one seat choose differently, and compare until the rules reveal it to the
        rest. With `bot`, a bot chooses last, the same in both worlds. Returns for how many decisions the difference
        stayed hidden; 0 if the match was over before.
        """
        try:
            await self._begin(game, players)
            await self._come_to(rounds)
            return 0 if self.matches[0].over else await self._compare(bot)
        finally:
            await asyncio.gather(*(world.close() for world in self.worlds))

    async def _come_to(self, rounds: int) -> None:
        """Play until a choice is to be sealed, after so many others."""
        match = self.matches[0]
        while not match.over and (rounds or not opening(match)):
            rounds -= opening(match)
            for seat in self.rng.sample(match.to_act, len(match.to_act)):
                if seat in match.to_act:  # some decisions settle those of others
                    await self._act(seat)

    async def _compare(self, bot: bool) -> int:
        match, hidden = self.matches[0], 0
        secretive = self.rng.choice(match.to_act)
        actions = two_choices(match, secretive, self.rng)
        await self._act(secretive, actions)
        while not match.over and not told_apart(self.matches, secretive):  # once it is over, the match file tells all
            hidden += 1
            await self._nobody_else_knows([secretive], actions)
            seat = self.rng.choice(match.to_act)
            if bot and sealing(match) and len(match.to_act) == 1:
                await self._let_a_bot_choose(seat)
                break
            await self._act(seat)
        one, two = ([world.everyone[secretive].heard] for world in self.worlds)
        assert first_difference(one, two)  # the seat that knows does see it
        return hidden

    async def whisper(self, game: str) -> None:
        """One player says something different to another in each world, and nobody else learns it."""
        try:
            await self._begin(game, load(game).players[1])
            await self._come_to(1)
            for said in (
                [{"t": "chat", "line": "the red ones"}, {"t": "chat", "line": "no, the greens"}],
                [{"t": "chat", "phrase": "sorry"}, {"t": "chat", "line": "not sorry at all"}],
                [{"t": "offer", "seat": 0, "offer": {"kind": "alliance", "crew": crew}} for crew in self._crews()],
            ):
                await asyncio.gather(*(w.do(0, command | {"to": [1]}) for w, command in zip(self.worlds, said)))
                await self._nobody_else_knows([0, 1], ())
            await self._come_to(3)
            await self._nobody_else_knows([0, 1], ())
            one, two = ([world.everyone[1].heard] for world in self.worlds)
            assert first_difference(one, two)
        finally:
            await asyncio.gather(*(world.close() for world in self.worlds))

    def _crews(self) -> list[str]:
        return [crew["crew"] for crew in self.matches[0].view()["crews"][1:3]]

    async def _begin(self, game: str, players: int) -> None:
        await asyncio.gather(*(world.open(game, players) for world in self.worlds))
        self.matches = [await world.match() for world in self.worlds]

    async def _nobody_else_knows(self, knowing: list[int], actions: tuple[int, ...]) -> None:
        await asyncio.gather(*(w.probe(m, knowing, actions) for w, m in zip(self.worlds, self.matches)))
        one, two = [await world.heard_by_all_but(knowing) for world in self.worlds]
        assert not first_difference(one, two)

    async def _act(self, seat: int, actions: tuple[int, int] | None = None) -> None:
        """A seat acts in both worlds, the same way by default."""
        both = actions or (self.rng.choice(self.matches[0].legal(seat)),) * 2
        await asyncio.gather(*(w.act(m, seat, a) for w, m, a in zip(self.worlds, self.matches, both)))

    async def _let_a_bot_choose(self, seat: int) -> None:
        """The last to choose lets a bot play, which knows no more than its seat: it chooses the same."""
        version = len(await self.worlds[0].acts())
        chosen = []
        for world in self.worlds:
            await world.do(seat, {"t": "replace", "seat": seat, "rank": "mousse"})
            async with asyncio.timeout(30):
                while len(acts := await world.acts()) == version:
                    await asyncio.sleep(0.05)
            chosen.append(acts[version])
        assert chosen[0] == chosen[1] and chosen[0][0] == seat


@asynccontextmanager
async def two_worlds(tmp_path: Path, seed: int, program: str = WORLD) -> AsyncIterator[Pair]:
    """Two servers that are the same to the last random number."""
    worlds = []
    for number in range(2):
        (folder := tmp_path / str(number)).mkdir()
        worlds.append(World(ServerProcess(folder, "--limits", 0, program=program, store=str(folder / "tables"))))
    async with serving(*(world.server for world in worlds)):
        yield Pair(worlds, random.Random(seed))


def prove(tmp_path: Path, game: str, tables: list[tuple[int, int]], seed: int, program: str = WORLD) -> None:
    """Tables (players, sealed choices before the one that differs) one after the other, the last with a bot."""

    async def play() -> list[int]:
        async with two_worlds(tmp_path, seed, program) as pair:
            return [
                await pair.differ(game, players, rounds, bot=number == len(tables) - 1)
                for number, (players, rounds) in enumerate(tables)
            ]

    hidden = asyncio.run(play())
    assert hidden[0] and hidden[-1]
    print(f"{game}: hidden for {hidden} decisions")


@pytest.mark.parametrize("game", WITH_SEALED_CHOICES)
def test_two_worlds_look_the_same_to_anyone_who_may_not_know(tmp_path, game):
    fewest, most = load(game).players
    prove(tmp_path, game, [(most, 0), (fewest, 1 if game != "faut-pas-pousser" else 0)], seed=1)


def test_private_talk_reaches_nobody_else(tmp_path):
    async def play() -> None:
        async with two_worlds(tmp_path, 1) as pair:
            await pair.whisper("sauve-qui-peut")

    asyncio.run(play())


def test_the_comparison_notices_a_leak(tmp_path):
    leak = "import tribord.games.faut_pas_pousser.view as rules\nrules.hide = lambda view, seat: None\nmain()"
    with pytest.raises(AssertionError, match=r"message \d+"):
        prove(tmp_path, "faut-pas-pousser", [(2, 0)], 1, WORLD.replace("main()", leak))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", WITH_SEALED_CHOICES)
def test_two_worlds_are_one_throughout_whole_matches(tmp_path, game, seed):
    rng = random.Random(seed)
    rounds = [0] if game == "faut-pas-pousser" else [0, 1, 2, 3, 5, 8, 12, 16]  # there one picks once, at the start
    tables = [(rng.randint(*load(game).players), number) for number in rounds for _again in range(8 // len(rounds))]
    prove(tmp_path, game, [*tables, (load(game).players[1], 0)], seed)
