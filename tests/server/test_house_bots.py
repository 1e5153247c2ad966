"""Bots that the operator of a server adds: chosen by name, played in real processes, named by the operator alone."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.lab.test_train import a_policy
from tests.page.sailor import PHONE, aboard, chromium
from tests.server.launcher import ServerProcess

from tribord import Refusal, load
from tribord.bots.net import bot_of
from tribord.cli import main
from tribord.client import Client, Refused
from tribord.core.net import write_policy
from tribord.server.house_bots import HouseBots

HOUSE = Path(__file__).parents[2]
STDIN = f"cmd:{sys.executable} {HOUSE / 'examples' / 'stdin_bot.py'}"
BOTS = """
import os, time
from pathlib import Path

class Clever:
    def __init__(self, game, seed):
        self.game = game
    def decide(self, view, legal, clock):
        Path("asked").open("a").write(f"{self.game.id} {legal.seat}\\n")
        return legal[-1]

class Broken:
    name = "Broken one"
    def __init__(self, game, seed):
        pass
    def decide(self, view, legal, clock):
        raise ZeroDivisionError("a secret")

class Asleep(Broken):
    name = "Asleep"
    def decide(self, view, legal, clock):
        time.sleep(3600)
"""
OURS = ("--bots", "py:my_bots:Clever", "--bots", f"Robbie={STDIN}", "--bots", "py:my_bots:Broken")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "my_bots.py").write_text(BOTS)
    return tmp_path


async def play(url: str, *seats: str, game: str = "faut-pas-pousser", stop: int = 1000) -> Client:
    """A table with these bots, played to its end, or for this many of our own decisions."""
    client = await Client.create(url, game, "Anne", 1 + len(seats), seats=["me", *seats])
    async with client:
        await client.do("start")
        async for turn in client.turns():
            await client.act(turn.seat, turn.legal[0], turn.version)
            stop -= 1
            if not stop:
                break
        return client


def test_they_are_chosen_by_name_and_play_to_the_end(folder):
    with ServerProcess(folder, "--limits", "0", *OURS) as server:
        with urllib.request.urlopen(f"{server.url}/page/house.json", timeout=30) as answer:
            assert json.load(answer)["ranks"][4:] == ["Clever", "Robbie", "Broken one"]
        client = asyncio.run(play(server.url, "Clever", "Robbie", "Broken one"))
        assert client.over and [seat["rank"] for seat in client.table["seats"]] == [
            None,
            "Clever",
            "Robbie",
            "Broken one",
        ]
        assert set((folder / "asked").read_text().splitlines()) == {"faut-pas-pousser 1"}
        told = [json.loads(line) for line in server.log.read_text().splitlines()]
        failed = [line for line in told if line["message"] == "bot failed"]
        assert {line["bot"] for line in failed} == {"Broken one"} and "secret" not in json.dumps(failed)


def test_they_are_chosen_on_the_page(folder):
    with (
        ServerProcess(folder, "--limits", "0", *OURS) as server,
        chromium(drawn=False) as browser,
        aboard(browser, PHONE, "en", at=f"{server.url}/#/new/walk-the-plank") as page,
    ):
        page.locator(".set-up .primary").wait_for()
        page.locator(".set-up .primary").click()
        page.locator(".lobby-seat select").nth(1).select_option("Clever")
        expect(page.locator(".lobby-seat small").nth(1)).to_have_text("Clever")


@pytest.mark.parametrize("name", ["py:os:system", "cmd:python bot.py", "py:my_bots:Clever", "clever", "Asleep"])
def test_a_guest_names_nothing_that_the_operator_did_not_bring(folder, name):
    async def ask(url: str) -> None:
        with pytest.raises(Refused, match="A seat is"):
            await Client.create(url, "faut-pas-pousser", "Anne", 2, seats=["me", name])
        client = await Client.create(url, "faut-pas-pousser", "Anne", 2)
        async with client:
            for command in ({"kind": "arrange", "seat": 1, "to": name}, {"kind": "start", "rank": name}):
                with pytest.raises(Refused):
                    await client.do(**command)

    with ServerProcess(folder, "--limits", "0", *OURS) as server:
        asyncio.run(ask(server.url))
    assert not (folder / "asked").exists()


def test_a_rank_plays_on_for_a_bot_that_is_there_no_more(folder):
    server = ServerProcess(folder, "--limits", "0", *OURS)
    with server:
        client = asyncio.run(play(server.url, "Clever", stop=2))
        server.stop(signal.SIGTERM)
        server.options = tuple(option for option in server.options if option not in OURS)
        server.start()

        async def go_on() -> bool:
            again = Client(server.url, client.id, client.secret)
            async with again:
                async for turn in again.turns():
                    await again.act(turn.seat, turn.legal[0], turn.version)
                return again.over

        assert asyncio.run(go_on())


def test_one_that_falls_asleep_holds_up_neither_the_match_nor_the_end_of_the_server(folder):
    code = "import tribord.bots.external as e; e.PATIENCE = 0.5\n"
    (folder / "my_bots.py").write_text(code + BOTS)  # the server reads this before anyone decides
    with ServerProcess(folder, "--limits", "0", "--bots", "py:my_bots:Asleep") as server:
        assert asyncio.run(play(server.url, "Asleep")).over
        failed = [line for line in server.log.read_text().splitlines() if "bot failed" in line]
        assert len(failed) == 3 and "late" in failed[0]  # then it isn't asked again
        assert server.stop(signal.SIGTERM) in (0, -signal.SIGTERM)


def test_a_net_plays_at_tables_like_those_it_has_learned(tmp_path, capsys):
    game = load("faut-pas-pousser")
    write_policy(tmp_path / "net.npz", a_policy(game, 4), game)
    house = HouseBots([f"Robbie=net:{tmp_path}"])
    net = bot_of(f"net:{tmp_path}", game, 4)
    for players, failed in ((4, False), (3, True)):
        match = game.match(players, seed=1)
        view, legal = match.view_state(0), match.legal(0)
        action = asyncio.run(house.decide("Robbie", match, 1, view, legal))
        assert action == net.decide(view, legal) if players == 4 else action in legal
        assert ("bot failed" in capsys.readouterr().err) is failed  # with three a mousse plays instead


@pytest.mark.parametrize(
    ("bots", "why"),
    [
        (["capitaine"], "write NAME=py:module:Class"),
        (["py:nowhere:Bot"], "there is no module “nowhere”"),
        (["cmd:sh"], "needs a name for the page: write NAME=cmd:sh"),
        (["Robbie=cmd:no-such-program"], "can’t start"),
        (["net:run"], "“run” doesn’t exist"),
        ([f"Robbie=net:{__file__}"], "There’s no net in"),
        (["mousse=cmd:sh"], "can’t be called “mousse”"),
        (["me=cmd:sh"], "can’t be called “me”"),
        (["=cmd:sh"], "can’t be called “”"),
        (["Ann=cmd:sh", "ann=cmd:sh"], "can’t be called “ann”"),
        ([f"{'x' * 33}=cmd:sh"], "can’t be called “xxx"),
    ],
)
def test_what_is_no_bot_is_refused_before_anything_starts(bots, why, capsys, tmp_path):
    with pytest.raises(Refusal, match=why):
        HouseBots(bots)
    options = [part for bot in bots for part in ("--bots", bot)]
    assert main(["serve", "--store", str(tmp_path / "tables.sqlite3"), *options, "--lang", "en"]) == 2
    assert why in capsys.readouterr().err
