"""The table server over real sockets: people join, sit, play, leave, return, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.server.aboard import Mate, Ship, afloat
from websockets.asyncio.client import connect

from tribord.core import signature
from tribord.core.chance import commitment_to
from tribord.core.game import game_ids, load
from tribord.core.journal import audit_content
from tribord.core.match import Entry
from tribord.core.record import CHANCE
from tribord.server import clock, house_bots, live_table, ruling, scheduler, table
from tribord.server.live_table import LiveTable
from tribord.server.name import FIRST_NAMES
from tribord.server.ruling import decide_late

Story = Callable[[Ship], Awaitable[None]]


def sail(story: Story, store: object, **settings: Any) -> None:
    """Run a story on a server of its own."""

    async def voyage() -> None:
        async with asyncio.timeout(60), afloat(store, **settings) as ship:
            await story(ship)

    asyncio.run(voyage())


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots decide interpreted: nobody waits for a compiler here."""
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


# -- people ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_ids())
def test_two_people_and_a_bot_play_a_whole_match_while_someone_watches(store, game):
    async def story(ship: Ship) -> None:
        host = await ship.create(game, "me open mousse")
        guest = await ship.join(host["code"])
        assert guest["table"] == host["table"] and guest["guest"] == 1
        async with ship.mate(host) as anne, ship.mate(guest) as mary, ship.mate({"table": host["table"]}) as screen:
            await anne.must("start")
            watching = asyncio.ensure_future(screen.play())
            await asyncio.gather(anne.play(), mary.play(), watching)
            seen = [m["match"] for m in screen.heard if m.get("match")]
            assert all(set(match["views"]) == {"-1"} and not match["legal"] for match in seen)
            assert anne.match["outcome"] == mary.match["outcome"] == screen.match["outcome"]
        file = (await ship.ask("GET", f"/api/tables/{host['table']}/match")).json()
        match, problems = audit_content(file, Path("match file"))
        assert not problems and match.names[:2] == ["Anne", "Mary"] and match.names[2] in FIRST_NAMES

    sail(story, store)


def test_joining_after_the_start_is_watching_with_a_name(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            late = await ship.join(host["table"], "Jack")
            await anne.until(lambda m: m.get("kind") == "join")
            async with ship.mate(late) as jack:
                assert jack.heard[0] == {"t": "welcome", "protocol": 2, "guest": 1, "seats": [], "home": None}
                assert (await jack.do("sit", seat=0))["code"] == "started"
                assert (await jack.do("act", seat=0, action=0))["code"] == "not-your-seat"
                await jack.must("chat", line="Ahoy!")
                assert set(jack.match["views"]) == {"-1"}
            assert (await anne.until(lambda m: m.get("kind") == "chat"))["said"] == {"line": "Ahoy!"}

    sail(story, store)


def test_presence_says_who_is_here(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne:
            async with ship.mate({"table": host["code"].lower()}):
                assert await anne.until(lambda m: m["t"] == "presence" and m["watching"] == 1)
            last = await anne.until(lambda m: m["t"] == "presence" and m["watching"] == 0)
            assert last["guests"] == [0]

    sail(story, store)


def test_public_tables_are_listed_while_they_are_open_and_private_ones_never(store):
    async def story(ship: Ship) -> None:
        await ship.create()
        host = await ship.create(seats="me mousse", public=True)
        listed = (await ship.ask("GET", "/api/tables")).json()["tables"]
        assert [(t["id"], t["host"], t["free"]) for t in listed] == [(host["table"], "Anne", 0)]
        async with ship.mate(host) as anne:
            await anne.must("start")
        assert (await ship.ask("GET", "/api/tables")).json() == {"tables": []}

    sail(story, store)


def test_a_guest_moves_to_another_device_and_the_old_one_is_cut_off(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        path = f"/api/tables/{host['table']}"
        asked = await ship.ask("POST", f"{path}/transfers", headers={"authorization": f"Bearer {host['secret']}"})
        transfer = asked.json()["transfer"]
        async with ship.mate(host) as old, ship.mate({"table": host["table"]}) as screen:
            version = screen.version
            new = (await ship.ask("POST", f"{path}/guests", json={"transfer": transfer})).json()
            assert new["guest"] == 0 and new["secret"] != host["secret"]
            async with ship.mate(new) as anne:
                assert await old.closed() == 4001 and "wrong-secret" in [m.get("code") for m in old.heard]
                await anne.must("chat", line="here")
                await screen.until(lambda m: m.get("kind") == "chat")
                assert screen.version == version + 1  # nothing was sent about the transfer
        again = await ship.ask("POST", f"{path}/guests", json={"transfer": transfer})
        assert (again.status_code, again.json()["code"]) == (403, "wrong-transfer")
        gone = await ship.ask("POST", f"{path}/transfers", headers={"authorization": f"Bearer {host['secret']}"})
        assert (gone.status_code, gone.json()["code"]) == (403, "wrong-secret")

    sail(story, store)


def test_a_secret_is_revoked_and_a_code_expires(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        path, bearer = f"/api/tables/{host['table']}", {"authorization": f"Bearer {host['secret']}"}
        transfer = (await ship.ask("POST", f"{path}/transfers", headers=bearer)).json()["transfer"]
        async with ship.mate(host) as old:
            new = (await ship.ask("POST", f"{path}/secrets", headers=bearer)).json()
            async with ship.mate(new) as anne:
                assert await old.closed() == 4001
                await anne.must("chat", line="still me")
        assert (
            await ship.ask("POST", f"{path}/guests", json={"transfer": transfer})
        ).status_code == 403  # revoked with it
        bearer = {"authorization": f"Bearer {new['secret']}"}
        transfer = (await ship.ask("POST", f"{path}/transfers", headers=bearer)).json()["transfer"]
        expiry = ship.hub.guests.expiry
        expiry.update({code: until - 601 for code, until in expiry.items()})  # as if ten minutes had gone
        assert (await ship.ask("POST", f"{path}/guests", json={"transfer": transfer})).json()[
            "code"
        ] == "wrong-transfer"

    sail(story, store)


def test_when_the_host_is_gone_for_long_the_others_go_on(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open")
        guest = await ship.join(host["table"])
        async with ship.mate(guest) as mary:
            async with ship.mate(host):
                await mary.must("sit", seat=1)
                assert (await mary.do("arrange", seat=0, to="mousse"))["code"] == "not-host"
            assert (await mary.do("arrange", seat=0, to="mousse"))["code"] == "not-host"  # perhaps only a tunnel
            monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
            await mary.must("arrange", seat=0, to="mousse")
            await mary.must("start")

    sail(story, store)


def test_a_bot_plays_for_a_player_only_once_they_are_away_for_long_from_every_device(store, monkeypatch):
    async def story(ship: Ship) -> None:
        host = await ship.create("faut-pas-pousser", "me open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne:
            async with ship.mate(guest) as mary:
                await anne.must("start")
                monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
                async with ship.mate(guest):
                    assert (await anne.do("replace", seat=1))["code"] == "not-away"
                await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0, 1])  # the laptop is closed
                assert (await anne.do("replace", seat=1))["code"] == "not-away"
                monkeypatch.undo()
                monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
                assert [m.get("kind") for m in mary.heard].count("act") == 0
            await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0])
            refused = await anne.do("replace", seat=1)
            assert refused["code"] == "not-away" and "Mary" in refused["en"]  # perhaps only a tunnel
            monkeypatch.setattr(live_table, "AWAY_SECONDS", 0.0)
            await anne.must("replace", seat=1)
            await anne.until(lambda m: m.get("kind") == "act")
            async with ship.mate(guest) as mary:
                await mary.must("reclaim", seat=1)

    sail(story, store)


def test_a_rematch_has_the_same_people_one_seat_further_and_there_is_only_one(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me mousse open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(host) as phone, ship.mate(guest) as mary:
            await mary.must("sit", seat=2)
            await mary.must("ready")
            await anne.must("start")
            await asyncio.gather(anne.play(), mary.play())
            while phone.match is None or not phone.match["outcome"]:
                await phone.hear()
            answers = await asyncio.gather(anne.do("rematch"), phone.do("rematch"))
            assert sorted(answer["t"] for answer in answers) == ["refused", "update"]
            while not mary.table["rematch"]:
                await mary.hear()
        next_table = {**guest, "table": mary.table["rematch"]}
        async with ship.mate(next_table) as mary:
            assert [seat["guest"] for seat in mary.table["seats"]] == [1, 0, None]
            assert mary.table["status"] == "open" and mary.table["commitment"] != anne.table["commitment"]
            await mary.must("ready")

    sail(story, store)


def test_newcomers_are_seated_and_ready_until_the_table_is_full(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open mousse")
        names = ("Mary", "mary", "Mary")
        came = [await ship.join(host["code"], name) for name in names]
        assert [guest["seat"] for guest in (host, *came)] == [0, 1, None, None]
        async with ship.mate(host) as anne, ship.mate(came[1]) as second:
            assert [guest["nickname"] for guest in anne.table["guests"]] == ["Anne", "Mary", "mary 2", "Mary 3"]
            assert anne.table["seats"][1] == {"seat": 1, "guest": 1, "rank": None, "ready": True, "name": "Mary"}
            assert second.heard[0]["seats"] == []
            await anne.must("start")

    sail(story, store)


def test_spectators_get_no_seat(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open")
        answer = await ship.ask("POST", f"/api/tables/{host['code']}/guests", json={"nickname": "Mary", "watch": True})
        assert (answer.status_code, answer.json()["seat"]) == (201, None)
        assert (await ship.join(host["code"], "Jack"))["seat"] == 1

    sail(story, store)


@pytest.mark.parametrize("here", [True, False])
def test_a_rematch_begins_at_once_if_all_players_are_here(store, here):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me matelot open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne:
            async with ship.mate(guest) as mary:
                await anne.must("start")
                await asyncio.gather(anne.play(), mary.play())
                if here:
                    before = mary.table["seats"]
                    await anne.must("rematch", start=True)
            if not here:
                before = anne.table["seats"]
                await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0])
                await anne.must("rematch", start=True)
        shown = (await ship.ask("GET", f"/api/tables/{anne.table['rematch']}")).json()
        assert shown["status"] == ("playing" if here else "open") and bool(shown["to_act"]) == here
        seats = shown["seats"]
        assert [seat["name"] for seat in seats] == [before[k - 1]["name"] for k in range(3)]  # moved round by one
        assert all(seat["ready"] for seat in seats)
        async with ship.mate({**guest, "table": shown["id"]}) as mary:
            if not here:  # absent players find their seats, and the host can begin
                async with ship.mate({**host, "table": shown["id"]}) as anne:
                    await anne.must("start")
            assert mary.heard[0]["seats"] == [0]

    sail(story, store)


def drawn(file: dict[str, Any]) -> list[str]:
    """What the dice must have given, from docs/match-file.md and the weights alone."""
    added = ",".join(sorted(value for value in file["contributions"] if value))
    key = hmac.new(file["seed"].encode(), f"contributions:{added}".encode(), hashlib.sha256).hexdigest().encode()
    match = load(file["game"]).match(file["players"], 0, file["options"])
    match.restart()
    found: list[str] = []
    for line in file["journal"]:
        if "chance" not in line:
            match.follow(Entry(line["seat"], match.game.action(line["action"])))
            continue
        weights, attempt = match.weights(), 0
        most = 2**64 // sum(weights) * sum(weights)
        while (word := int(hmac.new(key, f"{len(found)}:{attempt}".encode(), "sha256").hexdigest()[:16], 16)) >= most:
            attempt += 1
        place = word % sum(weights)
        outcome = next(k for k in range(len(weights)) if place < sum(weights[: k + 1]))
        found.append(match.game.play.chance_notation(outcome))
        match.follow(Entry(CHANCE, outcome))
    return found


def test_neither_host_nor_server_chooses_the_dice_of_a_match_or_its_rematch(store):
    values = iter(f"{k:064x}" for k in range(1, 9))

    async def add(*mates: Mate) -> list[str]:
        added = []
        for mate in mates:
            added.append(next(values))
            answer = await mate.must("contribute", commitment=commitment_to(added[-1]))
            assert answer["table"]["guests"][answer["by"]]["commitment"] == commitment_to(added[-1])
        return added

    async def reveal(added: list[str], *mates: Mate) -> None:
        for value, mate in zip(added, mates):
            await mate.must("reveal", value=value)
        await mates[0].until(lambda _heard: mates[0].match is not None)

    async def file_of(ship: Ship, table: str) -> dict[str, Any]:
        file: dict[str, Any] = (await ship.ask("GET", f"/api/tables/{table}/match")).json()
        assert not audit_content(file, Path("match file"))[1]
        assert [line["chance"] for line in file["journal"] if "chance" in line] == drawn(file)
        return file

    async def story(ship: Ship) -> None:
        host = await ship.create("ile-aux-pirates", "me open mousse")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            promised, promised_next = anne.table["commitment"], anne.table["rematch_commitment"]
            added = await add(anne, mary)
            await anne.must("start")
            assert anne.table["revealing"] == [0, 1] and anne.match is None
            await reveal(added, anne, mary)
            assert anne.table["contributions"] == [*added, None]
            await asyncio.gather(anne.play(), mary.play())
            file = await file_of(ship, host["table"])
            assert file["commitment"] == promised and file["contributions"] == [*added, None]
            ahead = await add(anne, mary)
            await mary.must("contribute", commitment="f" * 64)  # at another device; the last counts
            await mary.must("contribute", commitment=commitment_to(ahead[1]))
            rematch = (await anne.must("rematch", start=True))["table"]["rematch"]
            assert (await mary.do("contribute", commitment="f" * 64))["code"] == "dice-fixed"
        async with ship.mate(host | {"table": rematch}) as anne, ship.mate(guest | {"table": rematch}) as mary:
            await reveal(ahead, anne, mary)
            assert anne.table["status"] == "playing" and anne.table["contributions"] == [None, *ahead]
            await asyncio.gather(anne.play(), mary.play())
            assert (await file_of(ship, rematch))["commitment"] == promised_next

    sail(story, store)


def test_a_start_that_a_device_is_silent_about_is_put_off_also_by_the_server_after(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "REVEAL_SECONDS", 0.3)
    monkeypatch.setattr(scheduler, "SWEEP_SECONDS", 0.1)
    path = tmp_path / "tables.sqlite3"

    async def story() -> None:
        async with asyncio.timeout(30):
            async with afloat(path) as ship:
                host = await ship.create(seats="me mousse")
                async with ship.mate(host) as anne:
                    await anne.must("contribute", commitment="f" * 64)
                    await anne.must("start")
                    heard = await anne.until(lambda message: message.get("kind") == "silent")
                    assert "Anne" in heard["said"]["en"] and heard["said"]["guest"] == 0
                    assert anne.table["guests"][0]["commitment"] is None and anne.table["status"] == "open"
                    await anne.must("contribute", commitment="e" * 64)
                    await anne.must("start")
            async with afloat(path) as ship:  # its host has left
                while (await ship.ask("GET", f"/api/tables/{host['table']}")).json()["revealing"]:
                    await asyncio.sleep(0.05)
                async with ship.mate(host) as anne:
                    await anne.must("start")  # without a commitment it begins at once
                    assert anne.match is not None and anne.table["contributions"] == []

    asyncio.run(story())


@pytest.mark.parametrize("value", ["", "0" * 63, "0" * 65, "A" * 64, "g" * 64, "0" * 63 + "\n", 7, None])
def test_what_is_no_contribution_is_refused(store, value):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me mousse")
        async with ship.mate(host) as anne:
            await anne.say({"t": "contribute", "id": "c", "commitment": value})
            assert (await anne.until(lambda message: message["t"] == "refused"))["code"] == "not-understood"
            await anne.must("start")
            assert anne.table["contributions"] == []

    sail(story, store)


@pytest.mark.parametrize("way", ["revoke", "transfer"])
def test_a_secret_that_is_changed_after_the_rematch_was_founded_opens_it_too(store, way):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="mousse mousse")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, AsyncExitStack() as stack:
            tables = [host["table"]]
            for _k in range(2):
                await anne.must("start")
                await anne.play()
                tables.append((await anne.must("rematch"))["table"]["rematch"])
                await anne.say({"t": "hello", "protocol": 2, "table": tables[-1], "secret": host["secret"]})
                anne.match = None
                await anne.until(lambda m: m["t"] == "sync")
            newcomer = await ship.join(tables[0], "Jack")  # another guest 2 than at the rematch
            namesake = await ship.join(tables[1], "Edward")
            assert newcomer["guest"] == namesake["guest"] == 2
            mary = await stack.enter_async_context(ship.mate({**guest, "table": tables[2]}))
            new = {}
            for who in (guest, newcomer):
                bearer = {"authorization": f"Bearer {who['secret']}"}
                path = f"/api/tables/{tables[0]}"
                if way == "revoke":
                    answer = await ship.ask("POST", f"{path}/secrets", headers=bearer)
                else:
                    code = (await ship.ask("POST", f"{path}/transfers", headers=bearer)).json()["transfer"]
                    answer = await ship.ask("POST", f"{path}/guests", json={"transfer": code})
                new[who["guest"]] = answer.json()
                assert new[who["guest"]]["table"] == tables[0] and new[who["guest"]]["guest"] == who["guest"]
            for table in tables:
                async with ship.mate({**new[1], "table": table}) as there:
                    assert there.heard[0]["guest"] == 1
                    if table == tables[0]:  # used here, so the old one is invalid at all of them
                        assert await mary.closed() == 4001
            async with ship.mate({**namesake, "table": tables[1]}) as edward:  # is not touched
                assert edward.heard[0]["guest"] == 2

    sail(story, store)


def test_a_guest_who_is_removed_is_cut_off_and_their_secret_opens_nothing(store, monkeypatch):
    monkeypatch.setattr(ruling, "STRONGEST", "mousse")  # which thinks for a moment only

    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary, ship.mate({"table": host["table"]}) as screen:
            await mary.must("sit", seat=1)
            await mary.must("ready")
            await anne.must("start")
            assert (await mary.do("remove", guest=0))["code"] == "not-host"
            assert (await anne.do("remove", guest=1))["code"] == "not-away"
            monkeypatch.setattr(LiveTable, "away", lambda _live, guest: guest == 1)
            await anne.must("remove", guest=1)
            assert await mary.closed() == 4001
            told = [m.get("code") or m.get("kind") for m in mary.heard if m["t"] != "presence"]
            assert told[-2:] == ["remove", "removed"]
            assert (await screen.until(lambda m: m.get("kind") == "remove"))["said"]["nickname"] == "Mary"
            await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0])
            async with connect(f"ws://127.0.0.1:{ship.port}/socket") as socket:
                again = Mate(socket)
                await again.say({"t": "hello", "protocol": 2, "table": host["table"], "secret": guest["secret"]})
                assert (await again.hear())["code"] == "wrong-secret"
            bearer = {"authorization": f"Bearer {guest['secret']}"}
            for path in ("transfers", "secrets"):
                answer = await ship.ask("POST", f"/api/tables/{host['table']}/{path}", headers=bearer)
                assert answer.status_code == 403
            assert (await ship.join(host["table"], "Jack"))["guest"] == 2
            await anne.play()
            bot = anne.table["seats"][1]
            assert (bot["guest"], bot["rank"]) == (None, "mousse") and bot["name"] in FIRST_NAMES

    sail(story, store)


def test_a_match_file_goes_out_and_comes_in_again(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="mousse mousse")
        early = await ship.ask("GET", f"/api/tables/{host['table']}/match")
        assert (early.status_code, early.json()["code"]) == (409, "not-over")
        async with ship.mate(host) as anne:
            await anne.must("start")
            await anne.play()
        file = (await ship.ask("GET", f"/api/tables/{host['table']}/match")).json()
        taken = (await ship.ask("POST", "/api/matches", json=file)).json()
        assert (await ship.ask("GET", f"/api/tables/{taken['code']}/match")).json() == file
        async with ship.mate(taken) as screen:
            assert screen.table["status"] == "over" and screen.match["seed"] == file["seed"]
            assert screen.match["digest"] == anne.match["digest"] == signature.digest(file)
        assert (await ship.join(taken["table"]))["guest"] == 1  # someone may come and talk about it
        file["journal"][-1]["action"] = "rubbish"
        bad = await ship.ask("POST", "/api/matches", json=file)
        assert bad.status_code == 422, bad.text

    sail(story, store)


def test_a_match_file_is_signed_by_the_server_that_played_it_and_by_no_other(store, tmp_path):
    files: list[dict[str, Any]] = []

    async def play(ship: Ship) -> None:
        host = await ship.create(seats="mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            await anne.play()
            await anne.must("rename", nickname="Mary")  # too late for what was written down
        for _again in range(2):
            files.append((await ship.ask("GET", f"/api/tables/{host['table']}/match")).json())
        assert files[-1] == files[-2] and not audit_content(files[-1], Path("match file"))[1]
        assert (await ship.ask("GET", "/api/signer")).json() == {
            "signer": files[-1]["signature"]["signer"],
            "fingerprint": signature.fingerprint(files[-1]["signature"]["signer"]),
        }

    async def elsewhere(ship: Ship) -> None:
        assert (await ship.ask("GET", "/api/signer")).json()["signer"] != files[0]["signature"]["signer"]
        unsigned = {name: value for name, value in files[0].items() if name != "signature"}
        forged = unsigned | {"names": ["Mary", "Jack"]}
        for file in (files[0], unsigned, forged, forged | {"game_version": 0}):
            taken = (await ship.ask("POST", "/api/matches", json=file)).json()
            assert (await ship.ask("GET", f"/api/tables/{taken['table']}/match")).json() == file
        refused = await ship.ask("POST", "/api/matches", json=files[0] | {"names": ["Mary", "Jack"]})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad-signature")

    sail(play, store)
    sail(play, store)  # the same server after a restart has the same key
    assert len({file["signature"]["signer"] for file in files}) == 1
    sail(elsewhere, tmp_path / "other.sqlite3")


def test_a_branch_is_signed_only_if_all_of_its_match_was_played_at_this_server(store):
    async def file_of(ship: Ship, table: str) -> dict[str, Any]:
        return (await ship.ask("GET", f"/api/tables/{table}/match")).json()

    async def branched(ship: Ship, table: str) -> str:
        """Play on from the last decision of a match, to the end."""
        journal = (await file_of(ship, table))["journal"]
        place = max(place for place, line in enumerate(journal) if "seat" in line)
        seats = ["mousse", "mousse"]
        seats[journal[place]["seat"]] = "me"
        new = {"nickname": "Eve", "place": place, "seats": seats}
        host = (await ship.ask("POST", f"/api/tables/{table}/branches", json=new)).json()
        async with ship.mate(host) as eve:
            await eve.play()
        return str(host["table"])

    async def story(ship: Ship) -> None:
        host = await ship.create(seats="mousse mousse")
        async with ship.mate(host) as anne:
            await anne.must("start")
            await anne.play()
        signed = await file_of(ship, host["table"])
        unsigned = {name: value for name, value in signed.items() if name != "signature"}
        forged = (await ship.ask("POST", "/api/matches", json=unsigned | {"names": ["Jack", "Edward"]})).json()["table"]
        ours = (await ship.ask("POST", "/api/matches", json=signed)).json()["table"]
        for played in (host["table"], ours):
            twice = await branched(ship, await branched(ship, played))
            assert signature.holds(await file_of(ship, twice))
        for _chain in range(2):
            forged = await branched(ship, forged)
            ship.hub.live_tables.clear()
            file = await file_of(ship, forged)
            assert "signature" not in file and not audit_content(file, Path("match file"))[1]

    sail(story, store)


def test_everyone_sees_how_the_host_arranges_the_seats(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary, ship.mate({"table": host["table"]}) as screen:
            await anne.must("arrange", seat=2, to="mousse")
            for other in (mary, screen):
                await other.until(lambda message: message.get("kind") == "arrange")
                assert other.table["seats"][2]["rank"] == "mousse"

    sail(story, store)


def test_a_hello_on_an_open_connection_goes_to_another_table(store):
    async def story(ship: Ship) -> None:
        here, there = await ship.create(), await ship.create("walk-the-plank", "me mousse mousse")
        async with ship.mate(here) as anne, ship.mate({"table": here["table"]}) as screen:
            await anne.must("chat", line="good-bye")
            await anne.say({"t": "hello", "protocol": 2, "table": there["table"], "secret": there["secret"]})
            await anne.until(lambda message: message["t"] == "welcome")
            anne.version = 0
            sync = await anne.hear()
            assert sync["t"] == "sync" and anne.table["id"] == there["table"]
            await anne.must("start")
            await screen.until(lambda message: message["t"] == "presence" and message["guests"] == [])
            assert not any(message.get("kind") == "start" for message in screen.heard)
            await anne.say({"t": "hello", "protocol": 2, "table": here["table"], "secret": there["secret"]})
            assert (await anne.until(lambda message: message["t"] == "refused"))["code"] == "wrong-secret"
            assert await anne.closed() == 4001

    sail(story, store)


# -- once and only once ---------------------------------------------------------------------------------------------


def test_a_command_that_is_sent_again_is_done_once_on_any_socket(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        async with ship.mate(host) as anne, ship.mate(host) as phone:
            first = await anne.do("chat", id="same", line="once")
            again = await anne.do("chat", id="same", line="once")
            elsewhere = await phone.do("chat", id="same", line="once")
            assert (first["t"], again["t"]) == ("update", "ack")
            assert first["v"] == again["v"] == elsewhere["v"] == anne.version
            both = await asyncio.gather(
                anne.do("chat", id="at once", line="x"), phone.do("chat", id="at once", line="x")
            )
            assert both[0]["v"] == both[1]["v"] == anne.version
        rows = await ship.hub.store.read(host["table"])
        assert [row.kind for row in rows] == ["create", "chat", "chat"]

    sail(story, store)


def test_ids_are_each_guests_own_and_a_refused_command_may_be_tried_again(store):
    async def story(ship: Ship) -> None:
        host = await ship.create(seats="me open open")
        guest = await ship.join(host["table"])
        async with ship.mate(host) as anne, ship.mate(guest) as mary:
            assert (await anne.do("chat", id="1", line="a"))["t"] == "update"
            assert (await mary.do("chat", id="1", line="b"))["t"] == "update"
            assert (await anne.do("start", id="2"))["code"] == "seat-open"
            await anne.must("arrange", seat=2, to="mousse")
            assert (await anne.do("start", id="2"))["t"] == "update"

    sail(story, store)


def test_a_command_sent_again_after_a_restart_is_known(store):
    host: dict[str, Any] = {}

    async def before(ship: Ship) -> None:
        host.update(await ship.create())
        async with ship.mate(host) as anne:
            host["v"] = (await anne.do("chat", id="x", line="a"))["v"]

    async def after(ship: Ship) -> None:
        async with ship.mate(host, seen=host["v"]) as anne:
            assert anne.heard[-1]["t"] == "gap" and anne.heard[-1]["missed"] == []
            assert await anne.do("chat", id="x", line="a") == {"t": "ack", "id": "x", "v": host["v"]}

    sail(before, store)
    sail(after, store)


def test_each_guest_gets_the_gaps_that_concern_them(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        one, two = await ship.join(host["table"], "Mary"), await ship.join(host["table"], "Jack")
        async with ship.mate(host) as anne, ship.mate(one) as mary, ship.mate(two) as jack:
            seen = {"mary": mary.version, "jack": jack.version}
            await anne.must("chat", line="to Mary", to=[1])
            await anne.must("chat", line="to all")
            await anne.must("chat", line="to Jack", to=[2])
            await jack.until(lambda m: m.get("said", {}).get("line") == "to Jack")
        for credentials, version, lines in (
            (one, seen["mary"], ["to Mary", "to all"]),
            (two, seen["jack"], ["to all", "to Jack"]),
        ):
            async with ship.mate(credentials, version) as back:
                gap = back.heard[-1]
                assert gap["t"] == "gap" and [m["said"]["line"] for m in gap["missed"]] == lines
                assert gap["v"] == version + 2
        async with ship.mate(one, 10_000) as lost:
            assert lost.heard[-1]["t"] == "sync"

    sail(story, store)


def test_a_socket_that_dies_in_the_middle_does_not_take_its_command_with_it(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        append, asked = ship.hub.store.append, asyncio.Event()

        async def slowly(*row: Any) -> None:
            asked.set()
            await asyncio.sleep(0.3)
            await append(*row)

        async with ship.mate({"table": host["table"]}) as screen:
            ship.hub.store.append = slowly
            async with ship.mate(host) as anne:
                await anne.say({"t": "chat", "id": "last words", "line": "argh"})
                await asked.wait()
                anne.socket.transport.abort()
            assert (await screen.until(lambda m: m.get("kind") == "chat"))["said"]["line"] == "argh"
            ship.hub.store.append = append
            async with ship.mate(host) as anne:
                assert (await anne.do("chat", id="last words", line="argh"))["t"] == "ack"

    sail(story, store)


# -- clocks and bots ------------------------------------------------------------------------------------------------


def test_a_bot_plays_on_when_time_is_up_and_the_player_comes_back(store):
    hasty = pytest.MonkeyPatch()  # of its own: undone on the way, while bots still run without a compiler
    hasty.setattr(scheduler, "GRACE", 0.0)
    hasty.setattr(clock.Clock, "deadline", lambda self, seat: self.since[seat] + 0.2)

    async def story(ship: Ship) -> None:
        host = await ship.create(
            "walk-the-plank", "me me me", clock={"per": "decision", "seconds": 5, "rank": "mousse"}
        )
        async with ship.mate(host) as anne:
            await anne.must("start")
            assert len(anne.match["deadlines"]) == 3
            while not all(seat["rank"] == "mousse" for seat in anne.table["seats"]):
                await anne.hear()
            hasty.undo()
            await anne.until(lambda m: m.get("kind") == "act" and m.get("by") is None)
            if anne.table["status"] == "playing":
                await anne.do("reclaim", seat=0)

    try:
        sail(story, store)
    finally:
        hasty.undo()


def test_a_deadline_that_passed_while_the_server_was_down_is_not_rung_at_once(store, monkeypatch):
    host: dict[str, Any] = {}
    new = {"per": "decision", "seconds": 5, "rank": "mousse"}

    async def before(ship: Ship) -> None:
        host.update(await ship.create("walk-the-plank", "me me me", clock=new))
        async with ship.mate(host) as anne:
            await anne.must("start")

    async def after(ship: Ship) -> None:
        async with ship.mate(host) as anne:
            legal = anne.match["legal"]["0"]
            await anne.must("act", seat=0, action=legal[0])  # late, and still in time
            table = (await ship.hub.live(host["table"])).table
            assert table.late(time.time()) == [1, 2] and decide_late(table, 1)[0] == "replace"
            monkeypatch.setattr(scheduler, "GRACE", 0.0)
            await anne.must("chat", line="where is everyone?")  # tends the table again
            while sum(1 for seat in anne.table["seats"] if seat["rank"]) < 2:
                await anne.hear()

    sail(before, store)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)
    sail(after, store)


def test_bots_play_on_at_a_table_that_everyone_has_left_also_after_a_restart(store, monkeypatch):
    monkeypatch.setattr(scheduler, "SWEEP_SECONDS", 0.2)
    host: dict[str, Any] = {}

    async def before(ship: Ship) -> None:
        host.update(await ship.create("walk-the-plank", "mousse mousse mousse"))
        async with ship.mate(host) as anne:
            await anne.must("start")

    async def after(ship: Ship) -> None:
        while (entry := await ship.hub.store.index_entry(host["table"])) and entry.status != "over":
            await asyncio.sleep(0.05)
        assert entry.due is None

    sail(before, store, pace=0.3)
    sail(after, store)


class Slow:
    """Stands in for the preparer: nothing is prepared until the test says so."""

    def __init__(self) -> None:
        self.ready = False
        self.asked: list[tuple[str, list[str | None]]] = []

    def prepare(self, table: Any) -> bool:
        self.asked.append((table.game.id, [seat.rank for seat in table.seats]))
        return self.ready


def test_bots_play_lighter_until_they_are_prepared_and_everyone_sees_it(store, monkeypatch):
    monkeypatch.delenv("TRIBORD_INTERPRETED")
    monkeypatch.setattr("tribord.core.compiled.Driver.is_loaded", lambda driver, dtype: False)
    monkeypatch.setattr("tribord.bots.lookahead.LIGHT", 0.05)

    def told(mate: Any) -> list[bool]:
        return [m.get("preparing", False) for m in mate.heard if m["t"] == "presence"]

    async def story(ship: Ship) -> None:
        ship.hub.scheduler.preparer = preparer = Slow()
        host = await ship.create("walk-the-plank", "me capitaine mousse")
        async with ship.mate(host) as anne, ship.mate({"table": host["table"]}) as screen:
            assert ("walk-the-plank", [None, "capitaine", "mousse"]) in preparer.asked  # before anything has begun
            await anne.must("start")
            await screen.until(lambda m: m["t"] == "presence" and m.get("preparing"))
            assert not any(told(anne)[:-1])
            async with ship.mate({"table": host["table"]}) as late:
                await late.until(lambda m: m["t"] == "presence")
                assert told(late) == [True]
            ship.hub.bots_changed()  # something else was prepared
            preparer.ready = True
            ship.hub.bots_changed()
            await screen.until(lambda m: m["t"] == "presence" and not m.get("preparing"))
            before = len(anne.heard)
            while not any(m.get("kind") == "act" and m.get("by") is None for m in anne.heard[before:]):
                if "0" in anne.match["legal"]:
                    await anne.must("act", seat=0, action=anne.match["legal"]["0"][0])
                else:
                    await anne.hear()

    sail(story, store)


def test_a_bot_gets_a_view_and_takes_its_time(store, monkeypatch):
    given: list[tuple[bytes, int]] = []
    real = house_bots.seat_bot

    def spied(rank: str, game: Any, seed: int, wait: bool) -> Any:
        assert not wait  # nobody at a table waits for a solution
        bot = real(rank, game, seed, wait)
        decide = bot.decide
        bot.decide = lambda view, seat: (given.append((view.tobytes(), seat)), decide(view, seat))[1]
        return bot

    monkeypatch.setattr(house_bots, "seat_bot", spied)

    async def story(ship: Ship) -> None:
        host = await ship.create("walk-the-plank", "me mousse mousse")
        async with ship.mate(host) as anne:
            begun = await anne.must("start")
            await anne.must("act", seat=0, action=anne.match["legal"]["0"][0])
            match = (await ship.hub.live(host["table"])).table.match
            hidden = match.states.tobytes()
            await anne.until(lambda m: m.get("kind") == "act" and m.get("by") is None)
            first = next(m for m in anne.heard if m.get("kind") == "act" and m.get("by") is None)
            assert first["at"] - begun["at"] > 0.2  # from 0.7 × the pace on, however long we took
            assert all(view != hidden for view, _seat in given)

    sail(story, store, pace=0.3)


# -- memory ---------------------------------------------------------------------------------------------------------


def test_idle_tables_leave_the_memory_and_come_back_as_they_were(store, monkeypatch):
    monkeypatch.setattr(scheduler, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(scheduler, "IDLE_SECONDS", 0.2)

    async def story(ship: Ship) -> None:
        clocked = {"per": "match", "seconds": 3600, "rank": "mousse"}
        host = await ship.create("walk-the-plank", "me me me", clock=clocked)
        async with ship.mate(host) as anne:
            await anne.must("start")
            await asyncio.sleep(0.6)
            assert host["table"] in ship.hub.live_tables  # someone is there
            told = anne.match
        while ship.hub.live_tables:
            await asyncio.sleep(0.05)
        async with ship.mate(host) as anne:
            assert anne.match == told
            assert ship.hub.live_tables[host["table"]].alarm is not None

    sail(story, store)


def test_many_guests_at_once_get_one_table(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        ship.hub.live_tables.clear()
        found = await asyncio.gather(*(ship.hub.live(host["table"]) for _k in range(20)))
        assert len({id(one) for one in found}) == 1 and not ship.hub.loading
        with pytest.raises(Exception, match="This table doesn’t exist"):
            await ship.hub.live("nowhere")
        assert not ship.hub.loading

    sail(story, store)


def test_a_client_that_does_not_read_is_cut_off_and_the_others_go_on(store):
    async def story(ship: Ship) -> None:
        host = await ship.create()
        guest = await ship.join(host["table"])
        reader, writer = await asyncio.open_connection("127.0.0.1", ship.port)
        try:
            async with ship.mate(host) as anne:
                await _connect_by_hand(reader, writer, guest)
                writer.transport.pause_reading()
                sockets = ship.hub.live_tables[host["table"]].sockets
                await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0, 1])
                (deaf,) = (socket for socket in sockets if socket.guest == 1)
                for _k in range(1_000):
                    deaf.send(b"x" * 60_000)
                    await asyncio.sleep(0)
                    if deaf.slow:
                        break
                assert deaf.slow and deaf.ending.result() == live_table.TOO_SLOW
                await anne.until(lambda m: m["t"] == "presence" and m["guests"] == [0])
                await anne.must("chat", line="Mary?")
        finally:
            writer.transport.abort()

    sail(story, store)


async def _connect_by_hand(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, credentials: dict[str, Any]
) -> None:
    """A WebSocket without a library that reads."""
    writer.write(
        b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    hello = json.dumps({"t": "hello", "protocol": 2, "table": credentials["table"], "secret": credentials["secret"]})
    writer.write(bytes([0x81, 0x80 | 126]) + len(hello).to_bytes(2, "big") + bytes(4) + hello.encode())
    await writer.drain()
