"""The client plays whole matches against a real server, through lost connections and dead servers."""

from __future__ import annotations

import asyncio
import itertools
import random
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.launcher import ServerProcess
from tests.server.port import free_port

from tribord import game_ids
from tribord.client import Client, DiceNotice, DiceWarning, Refused
from tribord.client.contribution import (
    FOR_A_BOT,
    IN_OUR_NAME,
    LEFT_OUT,
    NOTHING_ADDED,
    OTHER_DICE,
    OTHER_SEED,
    OTHER_VALUE,
    SILENCED,
)
from tribord.client.http import ask
from tribord.core.journal import audit_content
from tribord.server import messages
from tribord.server.messages import Update

BOT = Path(__file__).parents[2] / "examples" / "network_bot.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server"), "--limits", "0") as serving:
        yield serving


async def table(url: str, game: str = "walk-the-plank", players: int = 3) -> tuple[Client, Client]:
    """A host in seat 0 and a guest in seat 1, bots in the others; the match has not begun."""
    bots = ["mousse"] * (players - 2)
    host = await Client.create(url, game, "Anne", players, seats=["me", "open", *bots])
    return host, await Client.join(url, host.id, "Zoé")


# Everyone votes in every round (S11), so an absent player never misses more than the server remembers. At Walk the
# Plank the others play on without players who are out.
NOBODY_IS_LEFT_BEHIND = "sauve-qui-peut"


async def begin(host: Client, guest: Client) -> None:
    """Both are connected: sit, be ready, start."""
    await guest.do("sit", seat=1)
    await guest.do("ready")
    await host.do("start")


async def play(client: Client, seed: int) -> int:
    """Play at random to the end; returns how many decisions were acknowledged."""
    rng, played = random.Random(seed), 0
    async for turn in client.turns():
        await client.act(turn.seat, rng.choice(turn.legal), turn.version)
        played += 1
    return played


async def heard(client: Client) -> list[Update]:
    """Everything up to the present version."""
    events: list[Update] = []
    async for event in client.events():
        events.append(event)
        if event.v == client.version:
            return events
    raise AssertionError


def decisions(content: dict, seat: int) -> int:
    """How often a seat has decided, by the match file, which must verify."""
    _match, problems = audit_content(content, Path("match"))
    assert not problems
    return sum(entry.get("seat") == seat for entry in content["journal"])


@pytest.mark.parametrize("game", game_ids())
def test_two_clients_and_bots_play_a_whole_match(server: ServerProcess, game: str) -> None:
    async def run() -> None:
        host, guest = await table(server.url, game)
        async with host, guest:
            await begin(host, guest)
            played = await asyncio.gather(play(host, 1), play(guest, 2))
            assert host.match["outcome"] == guest.match["outcome"]
            content = await host.match_file()
            assert played == [decisions(content, 0), decisions(content, 1)]
            told = await heard(host)
            assert [event.v for event in told] == list(range(1, host.version + 1))
            kinds = [event.kind for event in told if event.kind != "contribute"]
            assert kinds[:5] == ["create", "join", "sit", "ready", "start"]
            added = [content["contributions"][client.seats[0]] for client in (host, guest)]
            assert added == [host.contribution.value, guest.contribution.value] and None not in added
            assert host.contribution.doubt is guest.contribution.doubt is None

    asyncio.run(asyncio.wait_for(run(), 60))


OTHER = "0" * 64


@pytest.mark.parametrize(
    ("forge", "doubt"),
    [
        (lambda mine: {}, None),
        (lambda mine: {"contributions": [OTHER, None]}, LEFT_OUT),
        (lambda mine: {"contributions": []}, LEFT_OUT),
        (lambda mine: {"commitment": OTHER}, OTHER_DICE),
        (lambda mine: {"contributions": [mine, OTHER]}, FOR_A_BOT),
        (lambda mine: {"seed": OTHER}, OTHER_SEED),
    ],
)
def test_a_server_that_chooses_the_dice_is_found_out(server: ServerProcess, forge: Any, doubt: str | None) -> None:
    class Deceived(Client):
        """What the server says about the dice is changed in transit once the match has begun."""

        def _hear(self, message: Any) -> None:
            for part in (getattr(message, "table", None), getattr(message, "match", None)):
                if isinstance(part, dict) and part.get("status") != "open":
                    part.update({name: said for name, said in forge(self.contribution.value).items() if name in part})
            super()._hear(message)

    async def run() -> None:
        made = await Client.create(server.url, "faut-pas-pousser", "Anne", 2, seats=["me", "mousse"])
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            async with Deceived(server.url, made.id, made.secret) as client:
                await client.do("start")
                await play(client, 1)
        assert [str(one.message) for one in warned if one.category is DiceWarning] == ([doubt] if doubt else [])
        assert client.contribution.doubt == doubt

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_guest_who_reveals_something_else_is_found_out(server: ServerProcess) -> None:
    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        hear = host._hear

        def deceived(message: Any) -> None:
            if isinstance(shown := getattr(message, "table", None), dict) and shown["contributions"]:
                shown["contributions"][1] = OTHER  # the server and the guest have chosen it together
            hear(message)

        host._hear = deceived  # type: ignore[method-assign]
        with pytest.warns(DiceWarning, match="something else"):
            async with host, guest:
                await begin(host, guest)
        assert (host.contribution.doubt, guest.contribution.doubt) == (OTHER_VALUE, None)

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize(("forged", "absence"), [(None, NOTHING_ADDED), (OTHER, IN_OUR_NAME)])
def test_a_player_who_was_away_at_the_start_is_told_that_nothing_of_theirs_is_in_the_dice(
    server: ServerProcess, forged: str | None, absence: str
) -> None:
    """A server may have cut the connection itself, to begin without anyone whose contribution it can't foresee."""

    class Deceived(Client):
        def _hear(self, message: Any) -> None:
            if isinstance(shown := getattr(message, "table", None), dict) and shown["contributions"]:
                shown["contributions"][1] = forged
            super()._hear(message)

    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        async with host:
            async with guest:
                await guest.do("sit", seat=1)
                await host._until(lambda: guest.contribution.is_in(host.table["guests"][1]["commitment"] or ""))
            await host._until(lambda: host.present == [0])
            await host.do("start")
            assert host.table["contributions"] == [host.contribution.value, None]
            with pytest.warns(DiceNotice) as told:
                async with Deceived(server.url, guest.id, guest.secret, contribution=guest.contribution) as again:
                    assert again.match is not None and again.contribution.doubt is None
            assert [str(one.message) for one in told] == [absence] == [again.contribution.absence]

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize("live", [True, False])
def test_a_server_that_calls_a_device_silent_which_has_answered_is_found_out(server: ServerProcess, live: bool) -> None:
    """Knowing its seed and what was revealed, it could try until it likes the dice."""
    said = {"kind": "silent", "at": 0.0, "said": {"guest": 0, "nickname": "Anne", "silent": True}}

    async def run() -> None:
        made = await Client.create(server.url, "faut-pas-pousser", "Anne", 2, seats=["me", "mousse"])
        async with made as client:
            await client.do("start")
            called_off = client.table | {"status": "open", "contributions": [], "revealing": []}
            with pytest.warns(DiceWarning) as warned:
                if live:
                    client._hear(Update(v=client.version + 1, table=called_off, **said))
                else:
                    client._hear(messages.Gap(v=client.version + 1, missed=[said], table=called_off, match=None))
            assert [str(one.message) for one in warned] == [SILENCED]

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_server_that_wrongly_says_a_player_was_away_is_found_out(server: ServerProcess) -> None:
    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        hear = guest._hear

        def deceived(message: Any) -> None:
            shown = getattr(message, "table", None)
            if isinstance(shown, dict) and shown["revealing"]:
                shown["revealing"], shown["guests"][1]["commitment"] = [0], None
            elif isinstance(shown, dict) and shown["contributions"]:
                shown["contributions"][1] = None
            hear(message)

        guest._hear = deceived  # type: ignore[method-assign]
        async with host, guest:
            await guest.do("sit", seat=1)
            await host._until(lambda: guest.contribution.is_in(host.table["guests"][1]["commitment"] or ""))
            with pytest.warns(DiceWarning):
                started = asyncio.ensure_future(host.do("start"))
                await guest._until(lambda: bool(guest.table["revealing"]))
                guest._post(messages.Reveal(id="r", value=str(guest.contribution.value)))
                await started
                await guest._until(lambda: guest.match is not None)
        assert guest.contribution.doubt == LEFT_OUT

    asyncio.run(asyncio.wait_for(run(), 60))


def test_the_device_that_came_last_adds_to_the_dice(server: ServerProcess) -> None:
    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        async with host, guest:
            await guest.do("sit", seat=1)
            async with Client(server.url, guest.id, guest.secret) as phone:
                await host._until(lambda: phone.contribution.is_in(host.table["guests"][1]["commitment"]))
                await begin(host, guest)
                assert host.table["contributions"] == [host.contribution.value, phone.contribution.value]
                assert guest.contribution.value is None

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(asyncio.wait_for(run(), 60))


def test_the_dice_of_a_rematch_are_checked_too_and_latecomers_trust_what_they_see(server) -> None:
    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        async with host, guest:
            await begin(host, guest)
            await asyncio.gather(play(host, 1), play(guest, 2))
            await host.do("chat", phrase="revenge")  # after what it adds to the next dice
            await host.do("rematch", start=True)
            async with host.rematch() as again, guest.rematch():
                await again._until(lambda: again.match is not None)
                assert again.table["status"] == "playing" and again.seats == [1]
                assert again.table["contributions"][1] == again.contribution.value is not None
                await again.do("remove", guest=1)  # a bot has a seat now, with what its player had added
                assert again.contribution.doubt is None
                async with Client(server.url, again.id, again.secret) as late:
                    assert late.contribution.doubt is None

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asyncio.run(asyncio.wait_for(run(), 60))


def test_a_refusal_has_a_code_and_a_rule_and_changes_nothing(server: ServerProcess) -> None:
    async def run() -> None:
        host, guest = await table(server.url, "faut-pas-pousser", 2)
        async with host, guest:
            await begin(host, guest)
            before = host.version
            with pytest.raises(Refused) as refused:
                await host.act(0, "4 -2@3")
            assert (refused.value.rule[:1], refused.value.later) == ("F", False)
            with pytest.raises(Refused) as refused:
                await host.act(1, "pick 3")
            assert refused.value.code == "not-your-seat"
            await host.act(0, {"kind": "pick", "pirate": 3})
            with pytest.raises(Refused) as refused:
                await host.act(0, "pick 3")
            assert refused.value.code == "already-sealed"
            assert host.version == before + 1

    asyncio.run(asyncio.wait_for(run(), 30))


def test_what_opens_nothing_is_refused_at_once(server: ServerProcess) -> None:
    async def run() -> None:
        host, _guest = await table(server.url)
        for client, code in (
            (Client(server.url, host.id, "not-the-secret"), "wrong-secret"),
            (Client(server.url, "no-such-table", "x"), "no-such-table"),
        ):
            with pytest.raises(Refused) as refused:
                async with client:
                    pass
            assert refused.value.code == code
        with pytest.raises(Refused) as refused:
            await Client.join(server.url, "no-such-table", "Zoé")
        assert refused.value.code == "no-such-table"
        with pytest.raises(Refused) as refused:
            await Client.create(server.url, "chess", "Anne", 2)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_without_a_secret_one_watches(server: ServerProcess) -> None:
    async def run() -> None:
        host, guest = await table(server.url)
        async with host, guest, Client(server.url, host.id) as watcher:
            await begin(host, guest)
            await asyncio.gather(play(host, 3), play(guest, 4))
            async for _event in watcher.events():
                if watcher.over:
                    break
            assert (watcher.guest, watcher.seats, list(watcher.match["views"])) == (None, [], ["-1"])
            assert watcher.match["outcome"] == host.match["outcome"]
            with pytest.raises(Refused) as refused:
                await watcher.do("chat", line="Ahoy")
            assert refused.value.code == "only-watching"

    asyncio.run(asyncio.wait_for(run(), 30))


@pytest.mark.parametrize("way", ["transfers", "secrets"])
def test_a_new_secret_leaves_the_old_device_outside(server: ServerProcess, way: str) -> None:
    async def run() -> None:
        host, _guest = await table(server.url)
        async with host:
            found = await ask(f"{server.url}/api/tables/{host.id}/{way}", {}, host.secret)
            if way == "transfers":
                found = await ask(f"{server.url}/api/tables/{host.id}/guests", {"transfer": found["transfer"]})
            async with Client(server.url, host.id, found["secret"]) as there:
                assert (there.guest, there.seats) == (0, [0])
                with pytest.raises(Refused) as refused:
                    async for _event in host.events():
                        pass
                assert refused.value.code == "wrong-secret"
                with pytest.raises(Refused):
                    await host.do("chat", line="Still here?")

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_limit_is_waited_for(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        host, _guest = await table(url)
        async with host:
            for number in range(10):  # two more than may be said at once
                await host.do("chat", line=f"line {number}")
            lines = [event.said["line"] for event in await heard(host) if event.kind == "chat"]
            assert lines == [f"line {number}" for number in range(10)]

    with ServerProcess(tmp_path) as serving:
        asyncio.run(asyncio.wait_for(run(serving.url), 30))


@asynccontextmanager
async def cutting(port: int, seed: int, mean: int) -> AsyncIterator[str]:
    """A proxy to the server with connections that break in the middle of anything, after some `mean` bytes."""
    rng = random.Random(seed)
    # After thirty breaks the proxy holds, so the test ends.
    lasting = itertools.chain((600 + int(rng.expovariate(1 / mean)) for _break in range(30)), itertools.repeat(1 << 40))
    async with leading(port, lasting) as url:
        yield url


@asynccontextmanager
async def leading(port: int, lasting: Iterator[int]) -> AsyncIterator[str]:
    """A proxy to the server: each connection lasts for this many bytes."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int) -> None:
        while left > 0 and (some := await reader.read(min(left, 512))):
            writer.write(some)
            await writer.drain()
            left -= len(some)

    async def through(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        lasts = next(lasting)
        pumps = [
            asyncio.ensure_future(pump(reader, back, lasts)),
            asyncio.ensure_future(pump(there, writer, lasts)),
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for way in (writer, back):
            way.transport.abort()
        for pumping in pumps:
            pumping.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)

    server = await asyncio.start_server(through, "127.0.0.1", free_port())
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def test_on_a_line_that_loses_answers_a_table_is_created_once_and_joined_once(server: ServerProcess) -> None:
    async def run() -> None:
        # Requests of some 350 bytes get through, but their answers are cut off: twice each.
        async with leading(server.port, iter([500, 500, 1 << 40, 500, 500, 1 << 40, 1 << 40])) as way:
            host = await Client.create(way, "faut-pas-pousser", "Anne", 2, public=True)
            guest = await Client.join(way, host.id, "Zoé")
        host.url = guest.url = server.url
        async with host, guest:
            assert [one["nickname"] for one in guest.table["guests"]] == ["Anne", "Zoé"]
            assert guest.seats == [1]

    asyncio.run(asyncio.wait_for(run(), 30))


@pytest.mark.parametrize("game", [NOBODY_IS_LEFT_BEHIND, "walk-the-plank"])
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))])
def test_on_a_network_that_breaks_nothing_is_lost_or_played_twice(server: ServerProcess, game: str, seed: int) -> None:
    async def run() -> None:
        host, guest = await table(server.url, game)
        async with cutting(server.port, seed, 8_000) as broken:
            host.url = guest.url = broken
            async with host, guest:
                await begin(host, guest)
                played = await asyncio.gather(play(host, seed), play(guest, seed + 9))
                told = [event.v for event in await heard(guest)]
                assert told == sorted(set(told)) and told[-1] == guest.version
                if game == NOBODY_IS_LEFT_BEHIND:
                    assert told == list(range(1, guest.version + 1))
        host.url = server.url
        content = await host.match_file()
        assert played == [decisions(content, 0), decisions(content, 1)]

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_client_with_much_to_catch_up_gets_there_on_a_line_that_never_carries_it_at_once(
    server: ServerProcess,
) -> None:
    """Every connection breaks after nine kilobytes, and the log is three times as long."""

    async def run() -> None:
        host, guest = await table(server.url)
        async with host, guest:
            await begin(host, guest)
            await asyncio.gather(play(host, 5), play(guest, 6))
            for number in range(64):
                await host.do("chat", line=f"{number}: " + "aye " * 68)
            connections = itertools.count()
            thin = leading(server.port, (9_000 for _connection in connections))
            async with thin as url, Client(url, host.id) as late:
                told = [event.said["line"] for event in await heard(late)]
                assert [int(line.partition(":")[0]) for line in told] == list(range(64))
                assert late.match["outcome"] == host.match["outcome"]
            assert next(connections) > 1

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path) -> None:
    async def run(serving: ServerProcess) -> None:
        host, guest = await table(serving.url, "faut-pas-pousser", 2)
        async with host, guest:
            await begin(host, guest)
            playing = asyncio.gather(play(host, 5), play(guest, 6))
            for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
                await asyncio.sleep(0.02)
                await asyncio.to_thread(serving.stop, how)
                await asyncio.to_thread(serving.start)
            played = await playing
            content = await host.match_file()
            assert played == [decisions(content, 0), decisions(content, 1)]
            assert [event.v for event in await heard(host)] == list(range(1, host.version + 1))

    with ServerProcess(tmp_path, "--limits", "0") as serving:
        asyncio.run(asyncio.wait_for(run(serving), 90))


def test_the_example_bot_plays_a_match_with_its_secret(server: ServerProcess) -> None:
    assert len(BOT.read_text().splitlines()) <= 40

    async def run() -> None:
        host, guest = await table(server.url, "sauve-qui-peut", 4)
        async with host:
            command = [sys.executable, str(BOT), server.url, host.id]
            joined = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
            async for _event in host.events():  # one after the other: both would sit down on the first free seat
                if host.table["seats"][1]["guest"] is not None:
                    break
            await host.do("arrange", seat=2, to="open")
            with_secret = await asyncio.create_subprocess_exec(*command, str(guest.secret), stdout=subprocess.PIPE)
            async for _event in host.events():
                if all(seat["ready"] for seat in host.table["seats"][1:3]):
                    break
            await host.do("start")
            await play(host, 7)
            said = [(await bot.communicate())[0].decode().splitlines() for bot in (joined, with_secret)]
            assert [bot.returncode for bot in (joined, with_secret)] == [0, 0]
            assert {lines[-1] for lines in said} == {f"winners: {host.match['outcome']['winners']}"}
            assert said[1][0] == f"table {host.id} secret {guest.secret}"

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_bot_in_another_language_plays_on_a_network_that_breaks(server: ServerProcess) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")

    async def run() -> None:
        host, guest = await table(server.url, NOBODY_IS_LEFT_BEHIND)
        async with cutting(server.port, 3, 8_000) as broken, host:
            command = [node, "--experimental-websocket", str(BOT.with_suffix(".mjs")), broken, host.id]
            bot = await asyncio.create_subprocess_exec(
                *command, str(guest.secret), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            async for _event in host.events():
                if host.table["seats"][1]["ready"]:
                    break
            await host.do("start")
            await play(host, 8)
            said, complaints = await bot.communicate()
            winners = str(host.match["outcome"]["winners"]).replace(" ", "")
            assert said.decode().splitlines()[-1] == f"winners: {winners}", complaints.decode()
            decisions(await host.match_file(), 1)

    asyncio.run(asyncio.wait_for(run(), 60))
