"""Tables without sockets, store or clock: who may do what, what it leads to, and who hears of it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from tribord.bots import ranks
from tribord.core import match, signature
from tribord.core.chance import Dice, commitment_to
from tribord.core.game import game_ids, load
from tribord.core.journal import audit_content, to_dict
from tribord.core.match import Match
from tribord.core.refusal import BadOption, IllegalAction, Refusal
from tribord.core.words import Words
from tribord.games.sauve_qui_peut.actions import CREW_IDS
from tribord.server import messages as m
from tribord.server import outgoing, replay, ruling
from tribord.server.clock import EVENT_SECONDS, GRACE, Clock
from tribord.server.messages import encode
from tribord.server.name import FIRST_NAMES
from tribord.server.phrase import PHRASES, legible
from tribord.server.table import BUNDLE, OPEN, OVER, PLAYING, REMEMBERED, RESENT, Table

NAMES = ("Anne", "Mary", "Jack", "Edward")


def match_info(table: Table, guest: int | None) -> dict[str, Any]:
    """What a guest gets of the match, read as a client does."""
    content = outgoing.match_info(table, guest)
    assert content is not None
    return msgspec.json.decode(content)


class Deck:
    """A table and the rows that led to it; every command gets an id of its own and takes a second."""

    def __init__(self, game: str = "faut-pas-pousser", seats: str = "me open", clock: Any = None, guests: int = 4):
        self.rows: list[tuple[int, str, bytes, float]] = []
        self.now, self.commands = 1000.0, 0
        self.here = range(guests)  # who is connected
        self.table = Table("a-table")
        players = len(seats.split())
        seats = [
            {"guest": 0 if seat == "me" else None, "rank": seat if seat in ranks() else None} for seat in seats.split()
        ]
        self.row("create", {
            "game": game, "game_version": 1, "players": players, "options": load(game).match(players, 1).options,
            "public": True, "code": "ABCDEF", "clock": clock, "seed": "7", "commitment": Dice("7").commitment,
            "next": "the-next", "guests": [{"number": 0, "nickname": NAMES[0], "digest": "0"}], "seats": seats,
        })  # fmt: skip
        for number in range(1, guests):
            self.row("join", {"by": number, "nickname": NAMES[number], "digest": str(number)})

    def row(self, kind: str, body: dict[str, Any], seconds: float = 1.0) -> Table:
        """What the server does by itself, as a committed row."""
        self.now += seconds
        self.rows.append((self.table.seq + 1, kind, encode(body), self.now))
        self.table = replayed(self.rows[-1:], self.table)
        return self.table

    def do(
        self, guest: int, what: type[m.Command], /, seconds: float = 1.0, away: bool = False, **fields: Any
    ) -> Table:
        """A guest's command, carried out or refused."""
        self.commands += 1
        command = what(id=f"c{self.commands}", **fields)
        kind, body = ruling.decide(self.table, guest, command, lambda _guest: away, here=lambda: self.here)
        return self.row(kind, body, seconds)

    def refuses(self, guest: int, what: type[m.Command], /, away: bool = False, **fields: Any) -> str:
        """The code of a command's refusal; it has both languages, and the table is as before."""
        before, table = told_to_all(self.table), self.table
        with pytest.raises(Refusal) as refused:
            self.do(guest, what, away=away, **fields)
        said = json.loads(outgoing.refused(refused.value, "c"))
        assert said["en"] and said["fr"]
        assert self.table is table and told_to_all(table) == before
        return refused.value.code

    def started(self) -> Deck:
        """The table with everyone seated and ready, and the match begun."""
        for seat, held in enumerate(self.table.seats):
            if held.open:
                guest = 1 + sum(1 for c in self.table.seats[:seat] if c.guest)
                self.do(guest, m.Sit, seat=seat)
                self.do(guest, m.Ready)
        self.do(0, m.Start)
        return self

    def play(self, steps: int = 10_000) -> Deck:
        """People and bots take turns doing something legal."""
        while steps and self.table.status == PLAYING:
            seat = self.table.match.to_act[0]
            held, action = self.table.seats[seat], Random(self.table.seq).choice(self.table.match.legal(seat))
            if held.rank is None:
                self.do(held.guest, m.Act, seat=seat, action=action)
            else:
                self.row(*ruling.decide_bot(self.table, seat, action, self.table.match.version))
            steps -= 1
        return self


def replayed(rows: list[tuple[int, str, bytes, float]], table: Table | None = None) -> Table:
    table = table or Table("a-table")
    for seq, kind, body, at in rows:
        table = table.follow(seq, kind, msgspec.json.decode(body), at)
    return table


def told_to_all(table: Table) -> list[list[bytes]]:
    """Everything that everyone may know of a table."""
    return [outgoing.catch_up(table, guest, None) for guest in (None, *table.guests)]


# -- before the match -----------------------------------------------------------------------------------------------


def test_a_guest_sits_down_stands_up_and_is_ready():
    deck = Deck(seats="me open open")
    assert deck.do(1, m.Sit, seat=2).seats_of(1) == [2]
    assert deck.do(1, m.Ready).seats[2].ready
    assert not deck.do(1, m.Ready, ready=False).seats[2].ready
    assert deck.do(1, m.Stand, seat=2).seats[2].open
    assert deck.refuses(1, m.Ready) == "only-players"


def test_a_seat_is_taken_once_and_left_by_its_owner_alone():
    deck = Deck(seats="me open mousse")
    deck.do(1, m.Sit, seat=1)
    assert [deck.refuses(2, m.Sit, seat=seat) for seat in (0, 1, 2, 3)] == ["taken"] * 3 + ["no-such-seat"]
    assert [deck.refuses(2, m.Stand, seat=seat) for seat in (0, 1, 9)] == ["not-your-seat"] * 2 + ["no-such-seat"]


def test_the_host_arranges_the_seats_and_nobody_else():
    deck = Deck(seats="me open open")
    deck.do(1, m.Sit, seat=1)
    assert deck.do(0, m.Arrange, seat=1, to="open").seats[1].open
    assert deck.do(0, m.Arrange, seat=2, to="mousse").seats[2].rank == "mousse"
    assert deck.do(0, m.Arrange, seat=1, to="me").seats_of(0) == [0, 1]
    assert deck.refuses(1, m.Arrange, seat=0, to="open") == "not-host"
    assert deck.refuses(0, m.Arrange, seat=0, to="admiral") == "no-such-rank"
    assert deck.refuses(0, m.Arrange, seat=5, to="open") == "no-such-seat"


def test_a_guest_moves_to_an_open_seat_and_the_host_swaps_any_two():
    deck = Deck(seats="me open open")
    deck.do(1, m.Sit, seat=1)
    assert deck.do(1, m.Swap, seat=1, other=2).seats_of(1) == [2]
    assert deck.refuses(1, m.Swap, seat=2, other=0) == "taken"
    assert deck.refuses(1, m.Swap, seat=0, other=1) == "not-your-seat"
    swapped = deck.do(0, m.Swap, seat=0, other=2)
    assert (swapped.seats_of(0), swapped.seats_of(1)) == ([2], [0])


def test_a_guest_moved_by_the_host_is_asked_again_whether_they_are_ready():
    deck = Deck(seats="me open open open")
    for guest, seat in ((1, 1), (2, 2)):
        deck.do(guest, m.Sit, seat=seat)
    deck.do(2, m.Sit, seat=3, name="Jim")
    assert [held.ready for held in deck.do(0, m.Swap, seat=0, other=1).seats] == [False, False, True, True]
    assert deck.refuses(0, m.Start) == "not-ready"
    deck.do(1, m.Ready)
    assert [held.ready for held in deck.do(0, m.Arrange, seat=3, to="mousse").seats[:3]] == [True, False, False]
    deck.do(2, m.Ready)
    assert deck.do(2, m.Swap, seat=2, other=2, away=True).seats[2].ready  # one's own is one's own
    assert deck.do(0, m.Start).status == PLAYING
    assert replayed(deck.rows).seats == deck.table.seats


def test_names_are_ones_own_or_the_hosts_to_change():
    deck = Deck()
    assert deck.do(1, m.Rename, nickname="  Mary \u202e\n Read ").guests[1].nickname == "Mary Read"
    assert deck.do(0, m.Rename, nickname="Calico", guest=2).guests[2].nickname == "Calico"
    assert deck.refuses(1, m.Rename, nickname="Nobody", guest=0) == "not-host"
    assert deck.refuses(0, m.Rename, nickname="Nobody", guest=9) == "no-such-guest"
    assert deck.refuses(1, m.Rename, nickname="\u200b\u2067") == "no-name"


def test_the_host_removes_a_guest_and_the_seat_is_open_again():
    deck = Deck(seats="me open open")
    deck.do(1, m.Sit, seat=1)
    deck.do(1, m.Ready)
    deck.row("transfer", {"by": 1, "digest": "code", "seconds": 600, "to": [1]})
    assert deck.refuses(2, m.Remove, guest=1) == "not-host"
    assert deck.refuses(1, m.Remove, away=True, guest=2) == "not-host"  # nobody stands in for the host here
    assert deck.refuses(0, m.Remove, guest=0) == "host-stays"
    assert deck.refuses(0, m.Remove, guest=9) == "no-such-guest"
    assert deck.refuses(0, m.Remove, guest=1, rank="admiral") == "no-such-rank"
    table = deck.do(0, m.Remove, guest=1)
    assert 1 not in table.guests and table.seats[1].open and not table.seats[1].ready and not table.transfers
    for guest in (None, 0, 1, 2):
        told = json.loads(outgoing.update(table, guest))
        assert told["kind"] == "remove" and told["by"] == 0
        words = {"fr": "Mary n’est plus à la table.", "en": "Mary has left the table."}
        assert told["said"] == {"guest": 1, "nickname": "Mary", **words}
        assert [g["guest"] for g in told["table"]["guests"]] == [0, 2, 3]
    assert deck.refuses(0, m.Remove, guest=1) == "no-such-guest"
    deck.do(2, m.Sit, seat=1)


def test_nobody_gets_the_number_of_a_removed_guest():
    deck = Deck(guests=3)
    deck.do(0, m.Chat, line="for your ears", to=[2])
    assert deck.table.arrived == 3
    deck.do(0, m.Remove, guest=2)
    assert deck.table.arrived == 3  # or the next one would get what was said to the last


@pytest.mark.parametrize("clock", [None, {"per": "match", "seconds": 60, "rank": "mousse"}])
def test_during_the_match_a_bot_gets_the_seat_of_a_removed_player(clock):
    deck = Deck(clock=clock).started()
    deck.do(1, m.Act, seat=1, action="pick 3")
    table = deck.do(0, m.Remove, away=True, guest=1, rank="mousse")  # whatever is asked for
    assert table.seats[1].guest is None and table.seats[1].rank == "capitaine"
    assert clock is None or set(table.clock.since) == {0}
    deck.do(0, m.Act, seat=0, action="pick 3")
    table = deck.play().table
    assert table.status == OVER
    assert outgoing.match_file(table)["names"] == ["Anne", "Mary"]  # as it began


def test_someone_who_is_there_and_plays_is_removed_if_all_others_with_a_seat_agree():
    deck = Deck("sauve-qui-peut", "me open open matelot").started()
    assert deck.refuses(0, m.Remove, guest=2, agree=False) == "nobody-asked"
    table = deck.do(0, m.Remove, guest=2)
    assert 2 in table.guests and table.seats[2].guest == 2
    told = json.loads(outgoing.update(table, 2))
    assert told["kind"] == "removal" and told["match"]["removal"] == {"by": 0, "guest": 2, "agreed": [0]}
    for other in (2, 3):  # not the one it's about, nor who has no seat
        assert deck.refuses(other, m.Remove, guest=2) == "not-host"
    assert deck.play(1).table.removal is not None  # playing on doesn't end it
    assert deck.do(1, m.Remove, guest=2, agree=False).removal is None and 2 in deck.table.guests
    deck.do(0, m.Remove, guest=2)
    assert deck.do(0, m.Remove, guest=2, agree=False).removal is None
    deck.do(0, m.Mute, guest=2)  # which the host can do alone
    deck.do(0, m.Remove, guest=2)
    assert deck.do(0, m.Remove, guest=2).removal.agreed == {0}  # the host agrees for nobody else
    deck.do(2, m.Replace, seat=2)  # nor does a bot end it
    table = deck.do(1, m.Remove, guest=2)
    assert 2 not in table.guests and table.seats[2].rank == "capitaine" and table.removal is None
    told = json.loads(outgoing.update(table, 0))
    assert told["kind"] == "remove" and "removal" not in told["match"]
    assert outgoing.match_info(replayed(deck.rows), 0) == outgoing.match_info(table, 0)


def test_of_two_players_neither_is_removed_while_they_are_there():
    deck = Deck("sauve-qui-peut", "me open matelot matelot").started()
    assert deck.refuses(0, m.Remove, guest=1) == "not-away"
    assert 2 not in deck.do(0, m.Remove, guest=2).guests  # someone without a seat
    assert 1 not in deck.do(0, m.Remove, guest=1, away=True).guests


def test_a_request_to_remove_someone_ends_with_the_match_or_if_someone_else_is_removed():
    deck = Deck("sauve-qui-peut", "me open open open").started()
    deck.do(0, m.Remove, guest=2)
    deck.do(0, m.Remove, guest=3, away=True)
    assert deck.table.removal is None
    deck.do(0, m.Remove, guest=2)
    table = deck.play().table
    assert (table.status, table.removal) == (OVER, None) and 2 in table.guests
    assert 2 not in deck.do(0, m.Remove, guest=2).guests  # for the rematch, the host decides alone again


def test_removing_a_guest_cancels_their_request():
    deck = Deck("ile-aux-pirates", "me open").started()
    while not any(entry.seat == 1 for entry in deck.table.match.journal) or deck.table.match.to_act == [1]:
        deck.play(1)
    asked = deck.do(1, m.Undo)
    assert asked.request is not None
    table = deck.do(0, m.Remove, away=True, guest=1)
    assert table.request is None and table.match.version == asked.match.version


def test_taking_another_seat_leaves_your_own():
    deck = Deck(seats="me open open")
    deck.row(*ruling.decide_join(deck.table, "Zoé", "z", watch=False))
    assert deck.table.seats_of(4) == [1] and deck.table.seats[1].ready
    assert deck.do(4, m.Sit, seat=2).seats_of(4) == [2] and deck.table.seats[1].open
    assert deck.do(4, m.Sit, seat=2).seats_of(4) == [2]  # said again, nothing changes
    table = deck.do(4, m.Sit, seat=1, name="Jim")
    assert table.seats_of(4) == [1, 2] and [table.name(seat) for seat in (1, 2)] == ["Jim", "Zoé"]
    assert deck.refuses(1, m.Sit, seat=1) == "taken"


def test_everyone_at_a_table_has_a_unique_name():
    deck = Deck(seats="me open matelot matelot")
    bots = [deck.table.name(seat) for seat in (2, 3)]
    assert len(set(bots)) == 2 and set(bots) <= set(FIRST_NAMES)
    table = deck.do(1, m.Rename, nickname=bots[0])  # before the match a bot gives way
    assert table.guests[1].nickname == bots[0] and table.name(2) != bots[0] and table.name(3) == bots[1]
    assert deck.do(2, m.Rename, nickname="ANNE").guests[2].nickname == "ANNE 2"
    table = deck.do(0, m.Arrange, seat=1, to="me", name="anné")
    assert table.name(1) == "anné 3" and table.name(0) == "Anne"
    assert deck.do(0, m.Rename, seat=1, nickname="Lili").name(1) == "Lili"
    assert deck.refuses(1, m.Rename, seat=1, nickname="Loulou") == "not-your-seat"
    table = deck.do(0, m.Start)
    assert table.match.names == ["Anne", "Lili", table.name(2), table.name(3)]
    assert deck.do(3, m.Rename, nickname=table.name(3)).guests[3].nickname == f"{table.name(3)} 2"  # now it stays
    assert deck.table.name(3) == table.name(3)
    assert deck.do(0, m.Rename, nickname="Bonny").match.names[:2] == ["Bonny", "Lili"]
    assert outgoing.table_info(replayed(deck.rows)) == outgoing.table_info(deck.table)


def test_a_table_from_before_there_were_names_gives_its_bots_theirs():
    """Old rows have no names, no seat with a join, and let a guest sit twice."""
    deck = Deck(seats="me open open mousse")
    deck.row("sit", {"by": 1, "id": "old", "seat": 1})
    table = deck.row("sit", {"by": 1, "id": "older", "seat": 2})
    assert table.seats_of(1) == [1, 2] and not table.seats[1].ready
    assert [table.name(seat) for seat in range(3)] == ["Anne", "Mary", "Mary"]
    assert table.name(3) in FIRST_NAMES and replayed(deck.rows).name(3) == table.name(3)


def test_bots_take_the_open_seats_when_the_host_begins_with_them():
    deck = Deck(seats="me open open")
    assert deck.refuses(0, m.Start, rank="admiral") == "no-such-rank"
    table = deck.do(0, m.Start, rank="bosco")
    assert table.status == PLAYING and [held.rank for held in table.seats] == [None, "bosco", "bosco"]
    assert table.match.names == [table.name(seat) for seat in range(3)] and len(set(table.match.names)) == 3


def test_a_match_starts_when_every_seat_is_taken_and_everyone_is_ready():
    deck = Deck(seats="me open mousse")
    assert deck.refuses(0, m.Start) == "seat-open"
    deck.do(1, m.Sit, seat=1)
    deck.do(1, m.Ready, ready=False)
    assert deck.refuses(0, m.Start) == "not-ready"
    deck.do(1, m.Ready)
    assert deck.refuses(1, m.Start) == "not-host"
    assert deck.refuses(0, m.Act, seat=0, action=0) == "not-started"
    table = deck.do(0, m.Start)
    assert (table.status, table.match.names) == (PLAYING, ["Anne", "Mary", table.seats[2].name])
    later = [(m.Sit, {"seat": 1}), (m.Stand, {"seat": 0}), (m.Ready, {}), (m.Start, {}),
             (m.Arrange, {"seat": 0, "to": "open"}), (m.Swap, {"seat": 0, "other": 1})]  # fmt: skip
    assert {deck.refuses(0, what, **fields) for what, fields in later} == {"started"}


def test_while_the_host_is_away_any_player_may_do_what_the_host_may():
    deck = Deck(seats="me open open")
    deck.do(1, m.Sit, seat=1)
    assert deck.refuses(2, m.Arrange, away=True, seat=2, to="mousse") == "not-host"  # spectators may not
    assert deck.do(1, m.Arrange, away=True, seat=2, to="me").seats_of(1) == [1, 2]
    assert deck.do(1, m.Start, away=True).status == PLAYING
    assert deck.do(1, m.Replace, away=True, seat=0).seats[0].rank == "matelot"
    assert deck.refuses(1, m.Replace, seat=0) == "not-host"


# -- the match ------------------------------------------------------------------------------------------------------


def test_only_its_owner_plays_for_a_seat_and_only_what_the_rules_allow():
    deck = Deck("ile-aux-pirates", "me open").started()
    seat = deck.table.match.to_act[0]
    owner, other = deck.table.seats[seat].guest, deck.table.seats[1 - seat].guest
    legal = deck.table.match.legal(seat)
    illegal = next(a for a in range(deck.table.game.actions) if a not in legal)
    assert deck.refuses(other, m.Act, seat=seat, action=legal[0]) == "not-your-seat"
    assert deck.refuses(other, m.Act, seat=1 - seat, action=legal[0]) == "not-your-turn"
    assert deck.refuses(3, m.Act, seat=seat, action=legal[0]) == "not-your-seat"
    assert deck.refuses(owner, m.Act, seat=seat, action=10**9) == "not-an-action"
    assert deck.refuses(owner, m.Act, seat=seat, action=illegal)
    before = deck.table.match.version
    deck.do(owner, m.Act, seat=seat, action=legal[0], version=before)
    assert deck.table.match.version > before


def test_an_action_meant_for_an_earlier_decision_is_stale():
    deck = Deck("ile-aux-pirates", "me me").started()
    version, seat = deck.table.match.version, deck.table.match.to_act[0]
    deck.play(1)
    seat = deck.table.match.to_act[0]
    action = deck.table.match.legal(seat)[0]
    assert deck.refuses(0, m.Act, seat=seat, action=action, version=version) == "stale"


def test_a_device_with_several_seats_sees_each_and_the_public_board():
    deck = Deck("walk-the-plank", "me me open").started()
    info = match_info(deck.table, 0)
    assert set(info["views"]) == {"0", "1", "-1"} and set(info["legal"]) == {"0", "1"}
    assert set(match_info(deck.table, 1)["views"]) == {"2"}
    for watcher in (None, 3):
        assert set(match_info(deck.table, watcher)["views"]) == {"-1"}
        assert match_info(deck.table, watcher)["legal"] == {}


@pytest.mark.parametrize("game", game_ids())
def test_a_sealed_choice_looks_the_same_to_everyone_else_whatever_it_is(game):
    one, two = Deck(game, "me open open").started(), Deck(game, "me open open").started()
    for _step in range(60):
        if one.table.status == OVER:
            return
        seats = one.table.match.to_act
        if len(seats) > 1 and len(one.table.match.legal(0)) > 1 and 0 in seats:
            break
        one.play(1)
        two.play(1)
    else:
        pytest.skip("no sealed choice in this game")
    if len(one.table.match.to_act) < 2:
        pytest.skip("no sealed choice in this game")
    first, *_rest, last = one.table.match.legal(0)
    one.do(0, m.Act, seat=0, action=first)
    two.do(0, m.Act, seat=0, action=last)
    assert outgoing.update(one.table, 0) != outgoing.update(two.table, 0)
    for guest in (None, 1, 2, 3):
        assert outgoing.update(one.table, guest) == outgoing.update(two.table, guest)
        assert outgoing.catch_up(one.table, guest, None) == outgoing.catch_up(two.table, guest, None)


def test_a_bot_takes_over_and_the_player_takes_the_seat_back():
    deck = Deck("ile-aux-pirates", "me open").started()
    assert deck.refuses(1, m.Reclaim, seat=1) == "no-bot-plays"
    assert deck.refuses(1, m.Replace, seat=0) == "not-host"
    assert deck.refuses(0, m.Replace, seat=1, rank="admiral", away=True) == "no-such-rank"
    deck.do(0, m.Replace, seat=1, rank="bosco", away=True)
    while deck.table.match.to_act != [1]:
        deck.play(1)
    assert deck.table.to_act(by_bot=True) == [1] and deck.table.due(5.0) == 5.0
    assert deck.refuses(1, m.Act, seat=1, action=deck.table.match.legal(1)[0]) == "bot-plays"
    assert deck.refuses(0, m.Reclaim, seat=1) == "not-your-seat"
    deck.do(1, m.Reclaim, seat=1)
    assert deck.table.to_act(by_bot=True) == [] and deck.table.to_act(by_bot=False) == [1]
    with pytest.raises(IllegalAction):
        ruling.decide_bot(deck.table, 1, deck.table.match.legal(1)[0], deck.table.match.version)
    assert deck.do(1, m.Replace, seat=1).seats[1].rank == "matelot"  # a player who must go may do so


def test_only_you_can_let_a_bot_play_for_you_while_you_are_here():
    deck = Deck(seats="me open matelot").started()
    assert deck.refuses(0, m.Replace, seat=1) == "not-away"
    assert deck.refuses(1, m.Replace, seat=0) == deck.refuses(2, m.Replace, away=True, seat=1) == "not-host"
    deck.do(1, m.Replace, seat=1, rank="mousse")
    assert deck.refuses(0, m.Replace, seat=1, rank="capitaine") == "not-away"  # nor chooses which bot it is
    assert deck.do(0, m.Replace, seat=0).seats[0].rank == "matelot"


@pytest.mark.parametrize("weakest", ["mousse", "Robbie"])
def test_nobody_gains_by_a_weak_bot_in_the_seat_of_an_opponent(weakest):
    bots = (*ranks(), "Robbie")
    clock = {"per": "match", "seconds": 60, "rank": "capitaine"}
    deck = Deck(seats="me open open capitaine", clock=clock).started()

    def refusal(what: type[m.Command], **fields: Any) -> str:
        with pytest.raises(IllegalAction) as refused:
            ruling.decide(deck.table, 0, what(id="c", **fields), lambda _guest: True, bots)
        assert refused.value.say(Words("fr")) != refused.value.say(Words("en"))
        return refused.value.code

    assert refusal(m.Replace, seat=1, rank=weakest) == "too-weak"
    assert refusal(m.Replace, seat=3, rank=weakest) == refusal(m.Replace, seat=3, rank="matelot") == "bot-stays"
    deck.do(0, m.Remove, away=True, guest=2)
    assert deck.table.seats[2].rank == "capitaine"
    assert refusal(m.Replace, seat=2, rank="capitaine") == "bot-stays"  # removed guests can't be used either
    deck.do(0, m.Replace, seat=0, rank="mousse")  # one's own is one's own
    deck.do(0, m.Remove, away=True, guest=1)  # nobody else plays
    assert refusal(m.Replace, seat=1, rank=weakest) == refusal(m.Replace, seat=2, rank="matelot") == "bot-stays"
    deck.do(0, m.Replace, seat=3, rank="matelot")


def test_a_host_who_has_removed_everyone_takes_back_only_what_they_have_decided_since():
    deck = Deck("ile-aux-pirates", "me open").started()
    while not any(entry.seat == 0 for entry in deck.table.match.journal) or deck.table.match.to_act == [0]:
        deck.play(1)
    deck.do(0, m.Remove, away=True, guest=1)
    version = deck.table.match.version
    assert deck.refuses(0, m.Undo) == "removed-since"
    while not any(entry.seat == 0 for entry in deck.table.match.journal[version:]):
        deck.play(1)
    deck.do(0, m.Undo)
    assert deck.table.last.undone is not None and deck.table.last.undone >= version
    assert deck.refuses(0, m.Undo) == "removed-since"
    assert replayed(deck.rows).removed == deck.table.removed == {1: version}


def test_the_bot_that_was_agreed_on_with_the_clock_is_fair_and_alone_one_chooses_freely():
    deck = Deck(seats="me open", clock={"per": "match", "seconds": 60, "rank": "mousse"}).started()
    assert deck.do(0, m.Replace, away=True, seat=1, rank="mousse").seats[1].rank == "mousse"
    deck = Deck(seats="me matelot").started()
    assert deck.do(0, m.Replace, seat=1, rank="mousse").seats[1].rank == "mousse"


def test_a_bots_thought_for_an_earlier_decision_is_not_played():
    deck = Deck("ile-aux-pirates", "me mousse").started()
    while deck.table.match.to_act != [1]:
        deck.play(1)
    version, action = deck.table.match.version, deck.table.match.legal(1)[0]
    deck.play(1)
    while deck.table.match.to_act != [1] and deck.table.status == PLAYING:
        deck.play(1)
    with pytest.raises(IllegalAction):
        ruling.decide_bot(deck.table, 1, action, version)


def test_a_decision_is_taken_back_when_all_who_own_seats_agree():
    deck = Deck("ile-aux-pirates", "me open open").started()
    assert deck.refuses(1, m.Undo) == "nothing-to-undo"
    assert deck.refuses(1, m.Undo, agree=False) == "nobody-asked"
    assert deck.refuses(3, m.Undo) == "only-players"
    while not any(entry.seat == 0 for entry in deck.table.match.journal) or deck.table.match.to_act == [0]:
        deck.play(1)
    before = deck.table
    deck.do(0, m.Undo)
    deck.do(1, m.Undo)
    assert deck.table.request.agreed == {0, 1} and deck.table.match.version == before.match.version
    deck.do(2, m.Undo, agree=False)
    assert deck.table.request is None
    deck.do(0, m.Undo)
    deck.do(1, m.Undo)
    deck.do(2, m.Undo)
    assert deck.table.request is None and deck.table.match.version < before.match.version
    assert before.match.version == len(before.match.steps)


def test_a_decision_may_be_taken_back_alone_against_bots_but_not_after_the_end():
    deck = Deck("ile-aux-pirates", "me mousse").started()
    while not any(entry.seat == 0 for entry in deck.table.match.journal):
        deck.play(1)
    before = deck.table.match.version
    deck.do(0, m.Undo)
    assert deck.table.match.version < before and deck.table.request is None
    deck.play()
    assert deck.table.status == OVER
    for what, fields in [(m.Undo, {}), (m.Reclaim, {"seat": 0}), (m.Replace, {"seat": 0})]:
        assert deck.refuses(0, what, **fields) == "match-over"
    assert deck.refuses(0, m.Act, seat=0, action=0) == "match-over"


@given(st.integers(1, 30), st.integers(0, 40))
def test_what_was_taken_back_is_sent_to_nobody_any_more(steps: int, missed: int):
    """Listeners from the start, newcomers, and clients that return after a gap all have the same log."""
    deck = Deck("ile-aux-pirates", "me open mousse", guests=2).started()
    live: list[dict[str, Any]] = json.loads(outgoing.catch_up(deck.table, 1, None)[-1])["log"]
    while not any(entry.seat == 0 for entry in deck.table.match.journal):
        deck.play(1)
        note(live, json.loads(outgoing.update(deck.table, 1)))
    for _step in range(steps):
        deck.play(1)
        note(live, json.loads(outgoing.update(deck.table, 1)))
    if deck.table.status == OVER:
        return
    seen = deck.table.version(1) - min(missed, len(live))
    before = [dict(past) for past in live[: len(live) - (deck.table.version(1) - seen)]]
    place = ruling.undoable(deck.table, 0)
    deck.do(0, m.Undo)
    note(live, json.loads(outgoing.update(deck.table, 1)))
    deck.do(1, m.Undo)
    note(live, json.loads(outgoing.update(deck.table, 1)))
    assert deck.table.match.version == place
    assert live[-1]["undone"] == place
    told = deck.table.game.match(3, deck.table.seed, deck.table.settings["options"])
    told.replay(deck.table.match.journal)
    assert sentences(live) == [deck.table.game.say_event(e, deck.table.game.words("en")) for e in told.events]
    new = [json.loads(part) for part in outgoing.catch_up(deck.table, 1, None)]
    remembered = [past for part in new for past in part.get("log", part.get("missed"))]
    assert sentences(remembered) == sentences(live[-len(remembered) :])
    for part in outgoing.catch_up(deck.table, 1, seen):
        heard = json.loads(part)
        if heard["t"] == "sync":
            before.clear()
        for past in heard.get("missed", heard.get("log")):
            note(before, past)
    assert sentences(before)[-20:] == sentences(live)[-20:]


def note(log: list[dict[str, Any]], happened: dict[str, Any]) -> None:
    """Keep a log as the protocol says."""
    if "undone" in happened:
        for past in log:
            if past.get("place", -1) >= happened["undone"]:
                past["events"] = []
    log.append(happened)


def sentences(log: list[dict[str, Any]]) -> list[str]:
    return [event["en"] for past in log for event in past.get("events", ())]


def asked_to_undo(clock: Any = None) -> Deck:
    """Anne has decided, and asks to take it back; Mary must agree."""
    deck = Deck("ile-aux-pirates", "me open", clock).started()
    while not any(entry.seat == 0 for entry in deck.table.match.journal) or deck.table.match.to_act == [0]:
        deck.play(1)
    deck.do(0, m.Undo)
    assert deck.table.request.agreed == {0}
    return deck


def test_an_undo_replays_few_decisions_however_long_the_match_is(monkeypatch):
    monkeypatch.setattr(match, "SNAPSHOT", 2)
    deck = Deck("ile-aux-pirates", "me me").started().play(9)
    assert deck.table.status == PLAYING and deck.table.match.version > 9
    followed, follow = [], Match.follow
    monkeypatch.setattr(Match, "follow", lambda match, entry: followed.append(entry) or follow(match, entry))
    since = deck.table.match.version - ruling.undoable(deck.table, 0)
    deck.do(0, m.Undo)
    assert deck.table.last.undone == len(deck.table.match.journal)
    assert len(followed) <= 3 * 1 + 2 * since  # a snapshot is near: to look at it, to decide and to carry it out


def test_a_request_falls_with_the_next_decision():
    assert asked_to_undo().play(1).table.request is None


@pytest.mark.parametrize("by", ["host", "player", "clock", "removal"])
def test_a_bot_agrees_for_nobody_and_a_request_falls_when_a_player_is_replaced(by):
    deck = asked_to_undo({"per": "decision", "seconds": 30, "rank": "mousse"})
    version = deck.table.match.version
    if by == "host":
        deck.do(0, m.Replace, seat=1, away=True)
    elif by == "player":
        deck.do(1, m.Replace, seat=1)
    elif by == "clock":
        deck.row(*ruling.decide_late(deck.table, 1))
    else:
        deck.do(0, m.Remove, away=True, guest=1)
    assert deck.table.request is None and deck.table.match.version == version
    assert "undone" not in json.loads(outgoing.update(deck.table, 1))
    if by == "removal":  # who is gone for good can't be asked
        assert deck.refuses(0, m.Undo) == "removed-since" and deck.table.match.version == version
        with pytest.raises(IllegalAction):
            ruling.undoable(deck.table, 0)
        return
    deck.do(0, m.Undo)
    assert deck.table.request.asked == {0, 1} and deck.table.match.version == version
    deck.do(1, m.Reclaim, seat=1)
    assert deck.table.request is not None and deck.table.match.version == version
    deck.do(1, m.Undo)
    assert deck.table.request is None and deck.table.match.version < version


def test_a_journal_of_release_0_1_0_where_a_bot_agreed_folds_as_it_did():
    deck = asked_to_undo()
    seq, kind, body, at = deck.rows.pop()
    written = {name: value for name, value in json.loads(body).items() if name != "asked"}
    deck.table = replayed([*deck.rows, (seq, kind, encode(written), at)])
    version = deck.table.match.version
    deck.do(1, m.Replace, seat=1)
    assert deck.table.last.undone is not None and deck.table.match.version < version


@pytest.mark.parametrize("game", game_ids())
def test_a_finished_match_reveals_its_seed_and_gives_a_match_file_that_verifies(game):
    deck = Deck(game, "me open mousse").started()
    with pytest.raises(IllegalAction):
        outgoing.match_file(deck.table)
    assert "seed" not in match_info(deck.table, 0)
    deck.play()
    assert deck.table.status == OVER
    info = match_info(deck.table, None)
    assert info["seed"] == "7" and info["outcome"]["reason"]
    assert Dice(info["seed"]).commitment == deck.table.commitment
    match, problems = audit_content(json.loads(encode(outgoing.match_file(deck.table))), Path("match file"))
    assert not problems and match.over
    assert match.bots() == [[], [], ["mousse"]]


def test_a_match_file_says_where_a_bot_has_decided_for_a_player():
    deck = Deck("ile-aux-pirates", "me open").started()
    while deck.table.match.to_act != [1]:
        deck.play(1)
    deck.do(1, m.Replace, seat=1, rank="bosco")
    deck.play(1)
    deck.do(1, m.Reclaim, seat=1)
    deck.play()
    match, problems = audit_content(json.loads(encode(outgoing.match_file(deck.table))), Path("match file"))
    decided = [entry.rank for entry in match.journal if entry.seat == 1]
    assert not problems and match.bots() == [[], ["bosco"]] and decided.count("bosco") == 1 < len(decided)
    shown = replay.positions(match, None, 0)["positions"]
    assert [(p["seat"], p["rank"]) for p in shown if "rank" in p] == [(1, "bosco")]


def test_a_rematch_points_once_to_the_table_drawn_at_the_start():
    deck = Deck("ile-aux-pirates", "me mousse").started()
    assert deck.refuses(0, m.Rematch) == "not-over"
    deck.play()
    assert deck.refuses(1, m.Rematch) == "not-host"
    assert deck.do(0, m.Rematch).rematch == "the-next"
    assert b"the-next" in bytes(outgoing.table_info(deck.table))
    assert deck.refuses(0, m.Rematch) == "rematched"


VALUES = ["0a" * 32, "1b" * 32, "2c" * 32, "3d" * 32]


HASHES = [commitment_to(value) for value in VALUES]


def told_of_dice(table: Table) -> dict[str, Any]:
    """What everyone learns of the dice."""
    told = json.loads(bytes(outgoing.table_info(table)))
    committed = [guest["commitment"] for guest in told["guests"]]
    return {"committed": committed, **{name: told[name] for name in ("revealing", "contributions", "status")}}


def test_players_commit_to_what_they_add_to_the_dice_and_reveal_it_when_all_have():
    deck = Deck("ile-aux-pirates", "me open me mousse")
    for guest in (0, 1, 2):
        deck.do(guest, m.Contribute, commitment=HASHES[guest])
    told = {"committed": [*HASHES[:3], None], "revealing": [], "contributions": [], "status": "open"}
    assert told_of_dice(deck.table) == told
    deck.do(0, m.Contribute, commitment=HASHES[3])  # at another device
    deck.do(0, m.Contribute, commitment=HASHES[0])  # the last counts
    assert deck.refuses(0, m.Reveal, value=VALUES[0]) == "not-asked"
    deck.do(1, m.Sit, seat=1)
    deck.do(0, m.Start)
    told |= {"committed": [*HASHES[:2], None, None], "revealing": [0, 1]}  # guest 2 only watches
    assert told_of_dice(deck.table) == told
    assert deck.refuses(0, m.Reveal, value=VALUES[1]) == "wrong-value"
    assert deck.refuses(2, m.Reveal, value=VALUES[2]) == "not-asked"
    assert deck.refuses(3, m.Contribute, commitment=HASHES[3]) == "dice-fixed"  # too late to choose
    for what, fields in ((m.Start, {}), (m.Stand, {"seat": 0}), (m.Remove, {"guest": 1}), (m.Ready, {})):
        assert deck.refuses(0, what, **fields) == "starting"
    deck.do(0, m.Reveal, value=VALUES[0])
    assert told_of_dice(deck.table) == told | {"revealing": [1]}
    assert not any(value.encode() in told for value in VALUES for told in told_to_all(deck.table))
    deck.do(1, m.Reveal, value=VALUES[1])
    assert told_of_dice(deck.table)["committed"] == [None] * 4
    assert deck.table.match.dice.contributions == [VALUES[0], VALUES[1], None, None]  # guest 2 only watches
    assert deck.table.match.dice.commitment == deck.table.commitment
    assert json.loads(bytes(outgoing.table_info(deck.table)))["contributions"] == [VALUES[0], VALUES[1], None, None]
    assert deck.refuses(1, m.Reveal, value=VALUES[1]) == "not-asked"
    assert deck.refuses(1, m.Contribute, commitment=HASHES[3]) == "dice-fixed"
    assert replayed(deck.rows).match.dice.contributions == deck.table.match.dice.contributions
    deck.play()
    file = json.loads(encode(outgoing.match_file(deck.table)))
    assert file["contributions"] == [VALUES[0], VALUES[1], None, None]
    assert not audit_content(file, Path("match file"))[1]
    assert "bad-draw" in [
        p.code for p in audit_content(file | {"contributions": [VALUES[0], *[None] * 3]}, Path("x"))[1]
    ]


def test_a_match_without_contributions_has_the_dice_of_its_seed():
    deck = Deck("faut-pas-pousser", "me open", guests=3)
    deck.do(2, m.Contribute, commitment=HASHES[2])  # without a seat
    deck.started()
    assert deck.table.match.dice.contributions == []
    file = outgoing.match_file(deck.play().table)
    assert file["tribord"] == 1 and "contributions" not in file


def test_a_removed_guest_takes_their_contribution_along():
    deck = Deck("faut-pas-pousser", "me open")
    deck.do(1, m.Sit, seat=1)
    deck.do(1, m.Contribute, commitment=HASHES[1])
    deck.do(0, m.Remove, guest=1)
    deck.do(2, m.Sit, seat=1)
    deck.do(2, m.Contribute, commitment=HASHES[2])
    assert deck.do(0, m.Start).revealing == {2: ""}
    assert deck.do(2, m.Reveal, value=VALUES[2]).match.dice.contributions == [None, VALUES[2]]


def test_a_player_who_is_away_at_the_start_adds_nothing_and_holds_up_nobody():
    deck = Deck("faut-pas-pousser", "me open")
    deck.do(1, m.Sit, seat=1)
    for guest in (0, 1):
        deck.do(guest, m.Contribute, commitment=HASHES[guest])
    deck.here = [0]
    assert deck.do(0, m.Start).revealing == {0: ""}
    assert told_of_dice(deck.table)["committed"][:2] == [HASHES[0], None]  # before anything is revealed
    assert deck.do(0, m.Reveal, value=VALUES[0]).match.dice.contributions == [VALUES[0], None]


def test_a_device_that_is_silent_puts_the_start_off_and_everyone_commits_to_something_else():
    deck = Deck("faut-pas-pousser", "me open")
    deck.do(1, m.Sit, seat=1)
    for guest in (0, 1):
        deck.do(guest, m.Contribute, commitment=HASHES[guest])
    deck.do(0, m.Start)
    deck.do(0, m.Reveal, value=VALUES[0])
    assert deck.table.due(deck.now) == deck.table.reveal_by
    deck.row(*ruling.decide_silent(deck.table))
    assert ruling.decide_silent(deck.table) is None and deck.table.due(deck.now) is None
    assert deck.table.last.said.guest == 1
    told = {"committed": [None] * 4, "revealing": [], "contributions": [], "status": "open"}
    assert told_of_dice(deck.table) == told
    for guest in (0, 1):
        deck.do(guest, m.Contribute, commitment=HASHES[guest + 2])
    deck.do(0, m.Start)
    for guest in (0, 1):
        deck.do(guest, m.Reveal, value=VALUES[guest + 2])
    assert deck.table.match.dice.contributions == VALUES[2:]


def test_nobody_learns_the_next_tables_id_or_the_seed_or_a_digest_before_their_time():
    deck = Deck("ile-aux-pirates", "me open").started()
    deck.row("transfer", {"by": 1, "digest": "digest-of-the-code", "seconds": 600, "to": [1]})
    for told in told_to_all(deck.table):
        assert b"the-next" not in told and b'"seed"' not in told and b"digest" not in told


# -- talk -----------------------------------------------------------------------------------------------------------


def test_people_talk_to_all_or_to_some_in_lines_and_phrases():
    deck = Deck()
    deck.do(3, m.Chat, line="Land\u0007 ho!\n")
    said = json.loads(outgoing.update(deck.table, None))
    assert (said["said"]["line"], said["by"]) == ("Land ho!", 3)
    deck.do(1, m.Chat, phrase="hello", to=[2])
    said = json.loads(outgoing.update(deck.table, 2))["said"]
    assert said["to"] == [1, 2] and said["fr"] and said["en"] == PHRASES["hello"]
    assert [deck.table.last.concerns(guest) for guest in (None, 0, 1, 2, 3)] == [False, False, True, True, False]


@pytest.mark.parametrize(
    ("fields", "code"),
    [({}, "nothing-said"), ({"line": "a", "phrase": "hello"}, "nothing-said"), ({"line": " \u200e"}, "nothing-said"),
     ({"phrase": "arr"}, "no-such-phrase"), ({"line": "a", "to": [9]}, "no-such-guest")],
)  # fmt: skip
def test_talk_that_is_none_is_refused(fields, code):
    assert Deck().refuses(1, m.Chat, **fields) == code


def test_offers_are_typed_open_or_private_and_remembered_to_the_end():
    deck = Deck("sauve-qui-peut", "me open open").started()
    promise = {"kind": "promise", "vote": "leak", "lane": 3}
    assert deck.refuses(3, m.Offer, seat=0, offer=promise) == "not-your-seat"
    assert deck.refuses(0, m.Offer, seat=0, offer={"kind": "bribe"}) == "bad-offer"
    deck.do(0, m.Offer, seat=0, offer=promise)
    said = json.loads(outgoing.update(deck.table, None))["said"]
    assert said["offer"] == promise and said["seat"] == 0 and said["fr"] != said["en"]
    deck.do(1, m.Offer, seat=1, offer={"kind": "alliance", "crew": CREW_IDS[2]}, to=[0])
    assert not deck.table.last.concerns(2) and not deck.table.last.concerns(None)
    assert "offers" not in match_info(deck.table, 0)
    deck.play()
    offers = match_info(deck.table, None)["offers"]
    assert [offer["seat"] for offer in offers] == [0, 1] and all("kept" in offer for offer in offers)
    file = outgoing.match_file(deck.table)
    assert file["offers"] == [{name: offer[name] for name in ("seat", "offer", "version")} for offer in offers]
    assert match_info(deck.table, None)["digest"] == signature.digest(file)
    again, problems = audit_content(file, Path("match file"))
    assert not problems and to_dict(again) == file
    assert deck.refuses(0, m.Offer, seat=0, offer=promise) == "too-late"


def test_offers_end_somewhere_and_are_not_made_in_every_game():
    deck = Deck("sauve-qui-peut", "me me me").started()
    for _offer in range(ruling.MOST_OFFERS // 3):
        deck.do(0, m.Offer, seat=0, offer={"kind": "ask", "vote": "leak", "lane": 3})
    assert deck.refuses(0, m.Offer, seat=0, offer={"kind": "ask", "vote": "leak", "lane": 3}) == "enough-offers"
    deck.do(0, m.Offer, seat=1, offer={"kind": "ask", "vote": "leak", "lane": 3})  # the others have theirs
    other = Deck("ile-aux-pirates", "me me")
    assert other.refuses(0, m.Offer, seat=0, offer={}) == "not-started"
    assert other.started().refuses(0, m.Offer, seat=0, offer={}) == "no-offers"


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("a" * 50, 24, "a" * 24), ("x\u0000\u202ey", 9, "x y"), ("e\u0301", 9, "é"), ("  ", 9, ""), ("a b", 2, "a"),
        ("An\u3164ne\ufe01", 9, "Anne"), ("❤\ufe0f", 9, "❤\ufe0f"), ("नमस्ते", 9, "नमस्ते"),
    ],
)  # fmt: skip
def test_text_is_made_legible(text, most, shown):
    assert legible(text, most) == shown


@pytest.mark.parametrize(
    "blank", ["\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\U0001d159", "\u034f", "\u0301", "\ufe0f", "\u180b"]
)  # fmt: skip
def test_a_nickname_that_shows_nothing_is_refused(blank):
    for text in (blank, f" {blank} {blank}"):
        with pytest.raises(BadOption) as refused:
            ruling.nickname(text)
        assert refused.value.code == "no-name"


# -- guests ---------------------------------------------------------------------------------------------------------


def test_a_transfer_concerns_its_guest_alone_and_codes_do_not_push_each_other_out():
    deck = Deck()
    versions = [deck.table.version(guest) for guest in (None, 0, 1, 2)]
    deck.row("transfer", {"by": 1, "digest": "one", "seconds": 600, "to": [1]})
    deck.row("transfer", {"by": 2, "digest": "two", "seconds": 600, "to": [2]})
    assert [deck.table.version(guest) for guest in (None, 0, 1, 2)] == [*versions[:2], versions[2] + 1, versions[3] + 1]
    assert set(deck.table.transfers) == {1, 2} and deck.table.transfers[1] == ("one", deck.now + 599)
    deck.row("new-secret", {"by": 1, "digest": "new", "to": [1]})
    assert (deck.table.guests[1].digest, deck.table.guests[1].pending) == ("1", "new")
    assert set(deck.table.transfers) == {1, 2}  # until it is used
    deck.row("secret", {"by": 1, "digest": "new", "to": [1]})
    assert (deck.table.guests[1].digest, deck.table.guests[1].pending) == ("new", "")
    assert set(deck.table.transfers) == {2}


def test_commands_are_known_again_the_last_ones():
    deck = Deck()
    versions: list[int] = []
    for number in range(RESENT + 30):
        deck.do(1, m.Chat, phrase="hello")
        versions.append(deck.table.version(1))
        known = [deck.table.guests[1].done(f"c{given + 1}") for given in range(number + 1)]
        assert known[-RESENT:] == versions[-RESENT:]
        assert len(known) - known.count(None) <= RESENT + BUNDLE
    assert deck.table.guests[0].done(f"c{deck.commands}") is None


# -- clocks ---------------------------------------------------------------------------------------------------------


def shown(deck: Deck) -> float:
    """When the latest events have been shown: only then the clock starts for the next player."""
    return deck.now + EVENT_SECONDS * len(deck.table.last.events)


def test_a_clock_per_decision_starts_again_for_each_and_a_bot_takes_over():
    deck = Deck("ile-aux-pirates", "me open", {"per": "decision", "seconds": 30, "rank": "mousse"}).started()
    (seat,) = deck.table.match.to_act
    assert deck.table.due(0) == shown(deck) + 30 == deck.table.clock.deadline(seat) > deck.now + 30
    deck.do(deck.table.seats[seat].guest, m.Act, seat=seat, action=deck.table.match.legal(seat)[0], seconds=20)
    (seat,) = deck.table.match.to_act
    assert deck.table.due(0) == shown(deck) + 30
    assert deck.table.late(shown(deck) + 29.9) == [] and deck.table.late(shown(deck) + 30) == [seat]
    deck.row(*ruling.decide_late(deck.table, seat), seconds=30)
    assert deck.table.seats[seat].rank == "mousse" and deck.table.clock.since == {}
    deck.do(deck.table.seats[seat].guest, m.Reclaim, seat=seat)
    assert deck.table.clock.deadlines() == {seat: deck.now + GRACE}
    deck.do(deck.table.seats[seat].guest, m.Act, seat=seat, action=deck.table.match.legal(seat)[0])
    (seat,) = deck.table.match.to_act
    assert deck.table.clock.deadlines() == {seat: shown(deck) + 30}


@pytest.mark.parametrize("seconds", [5, 14, 15, 40])
@pytest.mark.parametrize("per", ["decision", "match"])
def test_taking_a_seat_back_gives_at_least_a_moment_however_short_the_clock_is(per, seconds):
    deck = Deck("ile-aux-pirates", "me me", {"per": per, "seconds": seconds, "rank": "mousse"}).started()
    (seat,) = deck.table.match.to_act
    deck.row(*ruling.decide_late(deck.table, seat), seconds=shown(deck) - deck.now + seconds)
    deck.do(0, m.Reclaim, seat=seat)
    assert deck.table.clock.deadlines() == {seat: deck.now + GRACE}


@pytest.mark.parametrize("seconds", [5, 40])
@pytest.mark.parametrize("per", ["decision", "match"])
def test_nobody_gains_time_by_letting_a_bot_play_and_taking_the_seat_back(per, seconds):
    deck = Deck("ile-aux-pirates", "me me", {"per": per, "seconds": seconds, "rank": "mousse"}).started()
    (seat,) = deck.table.match.to_act
    began, patience = shown(deck), 0
    while deck.table.seats[seat].rank is None:
        deck.do(0, m.Replace, seat=seat, rank="mousse", seconds=max(began - deck.now, 0.0) + 2.0)
        if seat in deck.table.clock.extended:
            break
        deck.do(0, m.Reclaim, seat=seat, seconds=0.0)
        patience += 1
        assert patience < 100
    assert deck.refuses(0, m.Reclaim, seat=seat) == "time-up"
    assert deck.now - began <= seconds + GRACE
    deck.play(1)  # the bot
    deck.do(0, m.Reclaim, seat=seat)
    assert deck.table.seats[seat].rank is None
    assert told_to_all(replayed(deck.rows)) == told_to_all(deck.table)


def test_a_clock_per_match_runs_down_and_coming_back_gives_a_moment():
    deck = Deck("ile-aux-pirates", "me me", {"per": "match", "seconds": 60, "rank": "mousse"}).started()
    (seat,) = deck.table.match.to_act
    deck.do(0, m.Act, seat=seat, action=deck.table.match.legal(seat)[0], seconds=shown(deck) - deck.now + 45)
    assert deck.table.clock.left[seat] == 15
    while deck.table.match.to_act != [seat]:
        deck.play(1)
    assert deck.table.due(0) == shown(deck) + 15
    deck.row(*ruling.decide_late(deck.table, seat), seconds=shown(deck) - deck.now + 15)
    assert deck.table.clock.left[seat] == 0
    deck.do(0, m.Reclaim, seat=seat)
    assert deck.table.clock.left[seat] == GRACE


def test_sealed_choices_have_a_clock_each():
    clock = {"per": "decision", "seconds": 30, "rank": "mousse"}
    deck = Deck("walk-the-plank", "me open mousse", clock).started()
    assert set(deck.table.clock.deadlines()) == {0, 1} and deck.table.due(7.0) == 7.0
    began = shown(deck)
    deck.do(0, m.Act, seat=0, action=deck.table.match.legal(0)[0], seconds=10)
    assert deck.table.clock.deadlines() == {1: began + 30}
    assert match_info(deck.table, None)["deadlines"] == {"1": began + 30}


@pytest.mark.parametrize(("per", "seconds"), [("decision", 30), ("decision", 5), ("match", 60)])
def test_after_a_jump_of_time_decisions_begin_again_with_a_moment_at_least(per, seconds):
    deck = Deck("walk-the-plank", "me open mousse", {"per": per, "seconds": seconds, "rank": "mousse"}).started()
    assert ruling.decide_resume(Deck().table) is ruling.decide_resume(Deck().started().table) is None  # without a clock
    legal = deck.table.match.legal(0)
    deck.row(*ruling.decide_resume(deck.table), seconds=3600)
    assert deck.table.late(deck.now) == []
    assert deck.table.clock.deadlines() == dict.fromkeys((0, 1), deck.now + max(seconds, GRACE))
    deck.do(0, m.Act, seat=0, action=legal[0], seconds=1)
    assert per == "decision" or deck.table.clock.left[0] == seconds - 1  # the hour was nobody's
    deck.row(*ruling.decide_resume(deck.table), seconds=-7200)
    assert deck.table.clock.deadlines() == {1: deck.now + max(seconds, GRACE)}
    assert told_to_all(replayed(deck.rows)) == told_to_all(deck.table)


def test_a_clock_that_goes_backwards_gives_no_time():
    clock = Clock("match", 60, "mousse").running([0], 100.0).stopped([0], 90.0)
    assert clock.left[0] == 60 and clock.deadlines() == {}


# -- any sequence of commands ---------------------------------------------------------------------------------------

COMMANDS: tuple[type[m.Command], ...] = (
    m.Sit, m.Stand, m.Ready, m.Arrange, m.Swap, m.Rename, m.Start, m.Start, m.Act, m.Act, m.Act, m.Act, m.Act, m.Act,
    m.Reclaim, m.Replace, m.Undo, m.Chat, m.Offer, m.Rematch, m.Remove,
)  # fmt: skip


def some_command(table: Table, kind: int, luck: int) -> tuple[type[m.Command], dict[str, Any]]:
    what, seat = COMMANDS[kind], luck % len(table.seats)
    if what is m.Act and table.match is not None and table.match.to_act:
        seat = table.match.to_act[luck % len(table.match.to_act)]
    legal = table.match.legal(seat) if table.match is not None else []
    to = [None, [luck % 4], []][luck % 3]
    fields: dict[type[m.Command], dict[str, Any]] = {
        m.Sit: {"seat": seat}, m.Stand: {"seat": seat}, m.Ready: {"ready": luck % 5 > 0},
        m.Arrange: {"seat": seat, "to": ("open", "me", "mousse", "matelot", "cook")[luck % 5]},
        m.Swap: {"seat": seat, "other": luck // 7 % len(table.seats)},
        m.Rename: {"nickname": f"Name {luck % 9}", "guest": (None, 1, 2, 7)[luck % 4]},
        m.Start: {}, m.Act: {"seat": seat, "action": legal[luck % len(legal)] if legal and luck % 11 else luck},
        m.Reclaim: {"seat": seat}, m.Replace: {"seat": seat, "rank": "mousse"}, m.Undo: {"agree": luck % 3 > 0},
        m.Chat: {"line": "Ahoy", "to": to},
        m.Offer: {"seat": seat, "offer": {"kind": "ask", "vote": "leak", "lane": 3}, "to": to}, m.Rematch: {},
        m.Remove: {"guest": luck % 5, "rank": "mousse"},
    }  # fmt: skip
    return what, fields[what]


@pytest.mark.parametrize("game", game_ids())
@effort(max_examples=80)
@given(
    clock=st.sampled_from([None, {"per": "decision", "seconds": 9, "rank": "mousse"},
                           {"per": "match", "seconds": 9, "rank": "mousse"}]),
    begun=st.booleans(),
    wishes=st.lists(st.tuples(st.integers(0, 3), st.integers(0, len(COMMANDS) - 1), st.integers(0, 10_000)),
                    min_size=20, max_size=80),
)  # fmt: skip
def test_whatever_is_asked_the_table_holds_together(game, clock, begun, wishes):
    deck = Deck(game, "me me mousse", clock)
    if begun:
        deck.do(0, m.Start)
    for guest, kind, luck in wishes:
        before, known = deck.table, told_to_all(deck.table)
        what, fields = some_command(before, kind, luck)
        if what is m.Act and before.status == PLAYING:
            guest = before.seats[fields["seat"]].guest or 0
        if guest not in before.guests:  # removed: the server drops their commands
            continue
        try:
            deck.do(guest, what, seconds=luck % 4, away=luck % 17 == 0, **fields)
        except Refusal as refused:
            assert outgoing.refused(refused) and deck.table is before
            continue
        finally:
            assert told_to_all(before) == known  # what was, stays
        after = deck.table
        assert after.seq == before.seq + 1 and len(after.recent) <= REMEMBERED
        assert (after.status == PLAYING) == (after.match is not None and not after.match.over)
        assert after.status != OPEN or after.match is None
        assert {c.guest for c in after.seats} <= {None, *after.guests}
        assert after.status == OPEN or not any(held.open for held in after.seats)
        running = set(after.clock.since) if after.clock else set()
        assert running == (set(after.to_act(by_bot=False)) if clock else set())
        for other in (None, *after.guests):
            assert after.version(other) == before.version(other) + after.last.concerns(other)
            assert json.loads(outgoing.update(after, other))["v"] == after.version(other)
        assert after.guests[guest].done(f"c{deck.commands}") == after.version(guest)
        if deck.table.to_act(by_bot=True):
            deck.play(luck % 3)
        for seat in deck.table.late(deck.now):
            deck.row(*ruling.decide_late(deck.table, seat), seconds=0)
    again = replayed(deck.rows)
    assert told_to_all(again) == told_to_all(deck.table)
    assert again.guests == deck.table.guests
    for guest in (None, *again.guests):
        assert_gaps_are_right(again, guest)


def assert_gaps_are_right(table: Table, guest: int | None) -> None:
    """Whatever version a client has seen, it gets exactly what it missed, or everything."""
    now = table.version(guest)
    mine = [h for h in table.recent if h.concerns(guest)]
    for seen in (None, *range(now + 3)):
        first, *more = answers = [json.loads(message) for message in outgoing.catch_up(table, guest, seen)]
        assert answers[-1]["v"] == now and answers[-1]["table"]["id"] == table.id
        assert not any("table" in answer or "match" in answer for answer in answers[:-1])
        assert all(answer["t"] == "gap" for answer in more)
        told = [answer.get("log", []) + answer.get("missed", []) for answer in answers]
        reached = [answer["v"] for answer in answers]
        assert [b - a for a, b in pairwise(reached)] == [len(portion) for portion in told[1:]]
        assert all(len(portion) == 1 or len(json.dumps(portion, ensure_ascii=False)) < 5_000 for portion in told)
        missed = mine
        if seen is None or seen > now or now - seen > len(mine):
            assert first["t"] == "sync"
        else:
            assert first["t"] == "gap"
            missed = mine[len(mine) - (now - seen) :]
        assert [h["at"] for portion in told for h in portion] == [h.at for h in missed]
