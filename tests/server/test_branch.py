"""Branches: playing on from a moment of a finished match, against bots."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.harness import Sailor, ask, audit
from tests.server.launcher import ServerProcess
from tests.server.test_replay import all_positions, played

from tribord.core.archive import OtherRules
from tribord.core.chance import Dice
from tribord.core.game import game_ids
from tribord.core.journal import audit_content, to_dict
from tribord.core.match import Match
from tribord.server import messages as m
from tribord.server import outgoing, ruling
from tribord.server.archive import check_rules, resolution
from tribord.server.store import Row
from tribord.server.table import OVER, PLAYING, Table

OPTIONS = ("--limits", 0)
BOT = "mousse"


def branch_body(match: Match, place: int, seat: int, redealt: bool, seed: str = "7") -> dict[str, Any]:
    """The first row of a branch at which guest 0 plays a seat and bots the others."""
    content = to_dict(match.branch(place, seat if redealt else None, seed, []), ())
    seats = [{"guest": 0, "rank": None} if n == seat else {"guest": None, "rank": BOT} for n in range(match.players)]
    return {
        "game": match.game.id, "game_version": match.game.version, "players": match.players,
        "options": match.options, "public": False, "code": "ABCDEF", "clock": None, "seed": seed,
        "commitment": Dice(seed).commitment, "next": "the-next", "rematch_seed": "8", "seats": seats, "file": content,
        "guests": [{"number": 0, "nickname": "Anne", "digest": "0"}],
        "branch": {"original": "the-original", "place": place, "redealt": redealt},
    }  # fmt: skip


class Branch:
    """A branch in memory, played to its end: people and bots choose at random."""

    def __init__(self, body: dict[str, Any]):
        self.rows = [("branch", body)]
        self.table = Table("a-branch").follow(0, "branch", body, 1000.0)
        self.sent: list[bytes] = []
        self.hear()

    def hear(self) -> None:
        """What the player and the spectators get."""
        for guest in (0, None):
            self.sent.append(outgoing.update(self.table, guest))
            self.sent += outgoing.catch_up(self.table, guest, None)

    def told(self) -> list[bytes]:
        """What they got, without the digest of the match file."""
        return [re.sub(rb'"digest":"[0-9a-f]{64}"', b"", message) for message in self.sent]

    def play(self, most: int = 10_000) -> Branch:
        chance = Random(3)
        while self.table.status == PLAYING and most:
            match = self.table.match
            assert match is not None
            seat = chance.choice(match.to_act)
            choices = match.legal(seat)
            action = choices[chance.randrange(len(choices))]
            if self.table.seats[seat].guest == 0:
                row = ruling.decide(self.table, 0, m.Act(id=f"a{len(self.rows)}", seat=seat, action=action))
            else:
                row = ruling.decide_bot(self.table, seat, action, match.version)
            self.table = self.table.follow(len(self.rows), *row, 1000.0 + len(self.rows))
            self.rows.append(row)
            self.hear()
            most -= 1
        return self


@pytest.mark.parametrize("game_id", game_ids())
def test_a_branch_is_played_at_once_and_its_rows_alone_lead_to_the_same_table(game_id: str) -> None:
    match = played(game_id)
    for redealt in (False, True):
        branch = Branch(branch_body(match, match.version // 2, 1, redealt))
        assert branch.table.status == PLAYING and branch.table.match is not None
        assert branch.table.match.names == [branch.table.name(seat) for seat in range(match.players)]
        branch.play()
        assert branch.table.status == OVER
        again = Table("a-branch")
        for seq, (kind, body) in enumerate(json.loads(json.dumps(branch.rows))):
            again = again.follow(seq, kind, body, 1000.0 + seq)
        assert outgoing.catch_up(again, 0, None) == outgoing.catch_up(branch.table, 0, None)
        content = outgoing.match_file(again)
        told, problems = audit_content(content, Path("branch"))
        assert not problems and told.branched == match.version // 2
        assert content["names"] == branch.table.match.names


@pytest.mark.parametrize("game_id", game_ids())
def test_with_the_same_decisions_and_dice_a_branch_is_the_original_to_the_byte(game_id: str) -> None:
    match = played(game_id)
    body = branch_body(match, match.version // 3, 0, redealt=False, seed=match.dice.seed)
    table, seq = Table("a-branch").follow(0, "branch", body, 1000.0), 0
    while table.status == PLAYING:
        assert table.match is not None
        entry = match.journal[table.match.version]
        act = {"seat": entry.seat, "action": match.game.notation(entry.action)}
        table, seq = table.follow(seq + 1, "act", act, 1000.0), seq + 1
    assert table.match is not None and table.match.state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize("game_id", game_ids())
def test_a_redealt_branch_reveals_nothing_that_its_player_may_not_know(game_id: str) -> None:
    """If two matches differ only in what the player couldn't know, all messages are the same. Only the digest of the
    file at the end differs: the file also has the original, which was over and public before.
    """
    match = played(game_id)
    differed = 0
    for place in (1, 2, 3, *range(5, match.version, 7)):
        other = match.branch(place, 1, "another")  # as far as seat 1 can tell, this may be what happened
        differed += other.state.tobytes() != match.branch(place, None, "another").state.tobytes()
        one, two = (Branch(branch_body(truth, place, 1, redealt=True)) for truth in (match, other))
        assert one.play(40).told() == two.play(40).told()
    assert differed or game_id == "ile-aux-pirates"  # where nothing is hidden


def test_nothing_from_before_the_branch_is_taken_back() -> None:
    match = played("faut-pas-pousser", players=2)
    place = max(place for place, entry in enumerate(match.journal) if entry.seat >= 0)
    branch = Branch(branch_body(match, place, match.journal[place].seat, redealt=False))
    with pytest.raises(ruling.IllegalAction) as refused:
        ruling.decide(branch.table, 0, m.Undo(id="u"))
    assert refused.value.code == "nothing-to-undo"


def test_what_chance_decides_at_once_is_shown() -> None:
    match = played("faut-pas-pousser", players=2)
    place = next(place for place, entry in enumerate(match.journal) if entry.seat < 0)
    table = Branch(branch_body(match, place, 0, redealt=False)).table
    assert [event.kind for event in table.last.events][-1:] == ["first"] and table.match is not None
    assert table.match.version > place


@pytest.mark.parametrize("hosted", [True, False])
@pytest.mark.parametrize("game_id", game_ids())
def test_once_the_rules_have_changed_a_branch_can_still_be_read(
    game_id: str, hosted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(game_id)
    branch = Branch(branch_body(match, match.version // 2, 1, redealt=True) | {"hosted": hosted}).play()
    table, rows = Table("a-branch"), []
    for seq, (kind, body) in enumerate(branch.rows):
        table = table.follow(seq, kind, body, 1000.0 + seq)
        rows.append(Row("a-branch", seq, kind, m.encode({**body, **resolution(table)}), 1000.0 + seq))
    monkeypatch.setattr("tribord.server.archive.other_rules", lambda game, version: ("older-rules", "", {}))
    with pytest.raises(OtherRules) as refused:
        check_rules(rows)
    assert refused.value.archive.content == outgoing.match_file(branch.table)
    assert refused.value.archive.hosted == branch.table.hosted == hosted  # or else it isn't signed


def test_a_rematch_of_a_branch_is_a_whole_match() -> None:
    match = played("faut-pas-pousser", players=2)
    branch = Branch(branch_body(match, match.version - 2, 0, redealt=False)).play()
    row = ruling.decide(branch.table, 0, m.Rematch(id="r"))
    assert branch.table.follow(len(branch.rows), *row, 2000.0).rematch == "the-next"


@pytest.mark.parametrize("game_id", game_ids())
def test_the_replay_of_a_branch_is_what_was_seen(game_id: str) -> None:
    match = played(game_id)
    table = Branch(branch_body(match, match.version // 2, 1, redealt=True)).play().table
    assert table.match is not None
    shown, original = all_positions(table.match, 1), all_positions(match, 1)
    parted = match.version // 2
    assert [one["view"] for one in shown[: parted + 1]] == [one["view"] for one in original[: parted + 1]]
    assert shown[-1]["view"] == table.match.truth()


# -- over HTTP and the socket -----------------------------------------------------------------------------------------


async def imported(port: int, match: Match) -> str:
    """The table of a match that was played elsewhere."""
    response = await ask([port], "POST", "/api/matches", to_dict(match))
    assert response.status_code == 201, response.text
    return str(response.json()["table"])


async def branched(port: int, table: str, **asked: Any) -> dict[str, Any]:
    """Credentials of someone who plays on."""
    response = await ask([port], "POST", f"/api/tables/{table}/branches", {"nickname": "Anne", **asked})
    assert response.status_code == 201, response.text
    return dict(response.json())


async def read(port: int, path: str) -> Any:
    response = await ask([port], "GET", path)
    assert response.status_code == 200, response.text
    return response.json()


def seats(match: Match, own: int) -> list[str]:
    return ["me" if seat == own else BOT for seat in range(match.players)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with ServerProcess(tmp_path_factory.mktemp("branches"), *OPTIONS) as process:
        yield process


@pytest.mark.parametrize("redealt", [False, True])
@pytest.mark.parametrize("game_id", game_ids())
def test_a_branch_is_played_to_its_end_listed_and_exported(server: ServerProcess, game_id: str, redealt: bool) -> None:
    async def run() -> None:
        match, port = played(game_id, players=3), server.port
        original = await imported(port, match)
        place = match.version * 2 // 3
        given = await branched(port, original, place=place, seats=seats(match, 1), redealt=redealt)
        info = await read(port, f"/api/tables/{given['table']}")
        assert info["status"] == "playing" and given["seat"] == 1
        assert info["branch"] == {"original": original, "place": place, "redealt": redealt}
        sailor = await asyncio.wait_for(Sailor("anne", [port], given).run(), 60)
        assert sailor.faults == []
        content = await read(port, f"/api/tables/{given['table']}/match")
        told, problems = audit_content(content, Path("branch"))
        assert not problems and [(e.seat, e.action) for e in told.journal[:place]] == [
            (e.seat, e.action) for e in match.journal[:place]
        ]
        assert [(p["place"], p["redealt"], p["seed"]) for p in content["branchings"]] == [
            (place, 1 if redealt else None, match.dice.seed)
        ]
        (listed,) = (await read(port, f"/api/tables/{original}/branches"))["branches"]
        assert listed["table"] == given["table"] and listed["outcome"] == content["outcome"]
        assert (listed["place"], listed["seat"], listed["redealt"]) == (place, 1, redealt)
        again = await imported(port, told)  # a branch's file is a match like others
        further = await branched(port, again, place=place + 1, seats=seats(match, 0))
        assert (await read(port, f"/api/tables/{further['table']}"))["status"] in ("playing", "over")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({"place": 999}, 409, "no-such-place"),
        ({"place": -1}, 422, "not-a-message"),
        ({"seats": ["me"]}, 422, "wrong-seats"),
        ({"seats": ["me", "open"]}, 422, "bad-seat"),
        ({"seats": ["me", "me"]}, 422, "bad-seat"),
        ({"seats": [BOT, BOT]}, 422, "bad-seat"),
        ({"seats": ["me", "amiral"]}, 422, "bad-seat"),
        ({"nickname": "\u200b"}, 422, "no-name"),
        ({"hidden": "x"}, 422, "not-a-message"),
    ],
)
def test_what_cannot_be_played_on_is_refused(server: ServerProcess, asked: Any, status: int, code: str) -> None:
    async def run() -> None:
        match = played("faut-pas-pousser", players=2)
        original = await imported(server.port, match)
        body = {"nickname": "Anne", "place": 3, "seats": ["me", BOT], **asked}
        response = await ask([server.port], "POST", f"/api/tables/{original}/branches", body)
        assert (response.status_code, response.json()["code"]) == (status, code)
        assert (await read(server.port, f"/api/tables/{original}/branches"))["branches"] == []

    asyncio.run(run())


def test_a_match_that_goes_on_has_no_branches(server: ServerProcess) -> None:
    async def run() -> None:
        port = server.port
        new = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2, "seats": ["me", BOT]}
        table = (await ask([port], "POST", "/api/tables", new)).json()["table"]
        body = {"nickname": "Anne", "place": 0, "seats": ["me", BOT]}
        response = await ask([port], "POST", f"/api/tables/{table}/branches", body)
        assert (response.status_code, response.json()["code"]) == (409, "not-over")
        response = await ask([port], "POST", "/api/tables/nowhere-at-all/branches", body)
        assert response.status_code == 404

    asyncio.run(run())


def test_the_end_of_a_match_and_a_match_of_other_rules_are_refused(server: ServerProcess) -> None:
    async def run() -> None:
        match, port = played("faut-pas-pousser", players=2), server.port
        original = await imported(port, match)
        body = {"nickname": "Anne", "place": match.version, "seats": ["me", BOT]}
        response = await ask([port], "POST", f"/api/tables/{original}/branches", body)
        assert (response.status_code, response.json()["code"]) == (409, "match-over")
        older = (await ask([port], "POST", "/api/matches", to_dict(match) | {"game_version": 0})).json()["table"]
        response = await ask([port], "POST", f"/api/tables/{older}/branches", body | {"place": 3})
        assert (response.status_code, response.json()["code"]) == (409, "older-rules")

    asyncio.run(run())


def test_a_response_that_was_lost_makes_no_second_branch(server: ServerProcess) -> None:
    async def run() -> None:
        match = played("faut-pas-pousser", players=2)
        original = await imported(server.port, match)
        asked = {"place": 5, "seats": ["me", BOT], "id": "ab" * 16}
        first = await branched(server.port, original, **asked)
        assert await branched(server.port, original, **asked) == first
        assert len((await read(server.port, f"/api/tables/{original}/branches"))["branches"]) == 1

    asyncio.run(run())


def test_a_match_has_so_many_branches_and_no_more(server: ServerProcess) -> None:
    async def run() -> None:
        match, port = played("faut-pas-pousser", players=2), server.port
        original = await imported(port, match)
        given = [await branched(port, original, place=3, seats=["me", BOT], id=f"{k:032x}") for k in range(64)]
        assert await branched(port, original, place=3, seats=["me", BOT], id=f"{63:032x}") == given[63]  # repeated
        body = {"nickname": "Anne", "place": 3, "seats": ["me", BOT]}
        response = await ask([port], "POST", f"/api/tables/{original}/branches", body)
        assert (response.status_code, response.json()["code"]) == (409, "enough-branches")

    asyncio.run(run())


def test_a_branch_counts_as_a_new_table(tmp_path: Path) -> None:
    async def run(port: int) -> None:
        original = await imported(port, played("faut-pas-pousser", players=2))
        body = {"nickname": "Anne", "place": 3, "seats": ["me", BOT]}
        tries = [await ask([port], "POST", f"/api/tables/{original}/branches", body) for _k in range(10)]
        assert [one.status_code for one in tries] == [201] * 9 + [429]  # the match file took the first of ten

    with ServerProcess(tmp_path) as process:
        asyncio.run(run(process.port))


def test_killed_in_the_middle_of_a_branch_the_server_loses_nothing(tmp_path: Path) -> None:
    async def run(process: ServerProcess) -> None:
        match, port = played("sauve-qui-peut", players=3), process.port
        original = await imported(port, match)
        given = await branched(port, original, place=match.version // 4, seats=seats(match, 1), redealt=True)
        sailor = Sailor("anne", [port], given)
        playing = asyncio.ensure_future(sailor.run())
        for _kill in range(3):
            before = len(sailor.acks)
            while len(sailor.acks) < before + 2 and not playing.done():
                await asyncio.sleep(0.01)
            process.kill()
            await asyncio.to_thread(process.start)
        await asyncio.wait_for(playing, 90)
        assert await audit(process.store, [port], [sailor]) > 6
        assert [branch["table"] for branch in (await read(port, f"/api/tables/{original}/branches"))["branches"]] == [
            given["table"]
        ]

    with ServerProcess(tmp_path, *OPTIONS) as process:
        asyncio.run(run(process))
