"""Moments that decided a match: consistent with its outcome and the board, without secrets or rolls."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from tribord import game_ids, load
from tribord.bots import seat_bot
from tribord.core.event import Event
from tribord.core.match import Match
from tribord.core.record import CHANCE
from tribord.core.secrecy import sealing
from tribord.server.moment import CAUSES, EFFECTS, MOMENTS, moments

FEW, MANY = 100, 500  # matches of each game
ROLLS = {"throws", "throws-base", "throws-two", "lots"}


def played(game_id: str, seed: int, rank: str | None = None) -> Match:
    """A whole match, at random or by bots, with as many players as the seed says."""
    game = load(game_id)
    least, most = game.players
    players, options = least + seed % (most - least + 1), {}
    if game_id == "walk-the-plank" and seed % 4 == 0:
        options = {"rounds": 4}
    elif game_id == "ile-aux-pirates" and players <= 4 and seed % 3:
        options = {"game": "strategic", **({"turns": 12} if seed % 3 == 1 else {})}
    match, chance = game.match(players, seed, options), random.Random(seed)
    bots = [seat_bot(rank, game, seed + seat) for seat in range(players)] if rank else None
    while not match.over:
        seat = chance.choice(match.to_act)
        legal = match.legal(seat)
        match.play(seat, bots[seat].decide(match.view_state(seat), legal) if bots else chance.choice(legal))
    return match


def told(match: Match) -> list[dict[str, Any]]:
    """Its moments, as the page gets them."""
    return msgspec.json.decode(msgspec.json.encode(moments(match)))


# Whether a step was good or bad for a seat by the board: a second opinion.


def push(before: Any, after: Any, seat: int) -> tuple[bool, bool]:
    crew = before["crews"][seat]["crew"]

    def fallen(view: Any) -> int:
        return sum(pirate["crew"] == crew for pile in view["piles"] for pirate in pile)

    def slots(view: Any) -> dict[int, int]:
        return {p["pirate"]: slot for slot, p in enumerate(view["plank"]) if p["crew"] == crew}

    then, now = slots(before), slots(after)
    entered = bool(now.keys() - then.keys())
    # An entry in the same turn may push a pirate back to where it was.
    back = any(now[p] <= then[p] for p in now.keys() & then.keys())
    out = any(now[p] >= then[p] for p in now.keys() & then.keys())
    richer = after["crews"][seat]["points"] > before["crews"][seat]["points"]
    return entered or back or richer, fallen(after) > fallen(before) or out or entered  # a pirate that entered moved on


def plank(before: Any, after: Any, seat: int) -> tuple[bool, bool]:
    then, now = before["crews"][seat], after["crews"][seat]
    # In the same step one pirate may die and another be saved: the one that moved stands where none stood.
    moved = any(after > before for before, after in zip(then["pirates"], now["pirates"], strict=True))
    return moved, now["dead"] > then["dead"]


def save(before: Any, after: Any, seat: int) -> tuple[bool, bool]:
    then, now = before["crews"][seat], after["crews"][seat]
    return now["points"] > then["points"], sum(now["drowned"].values()) > sum(then["drowned"].values())


def island(before: Any, after: Any, _seat: int) -> tuple[bool, bool]:
    steps = {pawn: after["pawns"][pawn] - place for pawn, place in before["pawns"].items()}
    pirates = [steps[pawn] for pawn in steps if pawn.startswith("pirate")]
    children = [steps[pawn] for pawn in steps if not pawn.startswith("pirate")]
    nobody = not any(steps.values())  # a pawn that leaves the castle may be sent back at once
    bad = min(children) < 0 or max(pirates) > 0 or after["over"]
    return max(children) > 0 or min(pirates) < 0 or nobody, bad or nobody


BOARDS = {"faut-pas-pousser": push, "walk-the-plank": plank, "sauve-qui-peut": save, "ile-aux-pirates": island}


def same(one: dict[str, Any], other: Event) -> bool:
    return one["kind"] == other.kind and one["fields"] == other.fields


def check(match: Match) -> Counter[str]:
    """Everything that must hold for the moments of a match; returns the kinds of their events."""
    outcome, kinds = match.outcome, Counter[str]()
    assert outcome is not None
    found = told(match)
    places = [moment["place"] for moment in found]
    assert len(found) <= MOMENTS and places == sorted(places)
    past = Match(match.game, match.players, match.dice.seed, match.options)
    past.restart()
    states, hushed, rolled = [past.states.tobytes()], set(ROLLS), set[int]()
    for place, entry in enumerate(match.journal, 1):
        open_to = past.to_act if sealing(past) else []
        happened = past.follow(entry)
        states.append(past.states.tobytes())
        if len(open_to) > 1:  # this one has chosen, others have not
            hushed |= {event.kind for event in happened}
        if entry.seat == CHANCE and match.game.cooperative:
            rolled.add(place)
    for moment in found:
        assert 1 <= len(moment["effects"]) <= EFFECTS and len(moment["events"]) <= CAUSES
        for effect in moment["effects"]:
            seat, event = effect["seat"], effect["event"]
            won = bool(outcome.winners) if seat is None else seat in outcome.winners
            assert (seat is None) == match.game.cooperative
            assert effect["after"] > effect["before"] if won else effect["after"] < effect["before"], (outcome, moment)
            assert event["kind"] not in hushed, moment
            places = [p for p, step in enumerate(match.steps, 1) if any(same(event, e) for e in step.events)]
            assert places and not rolled & set(places), moment
            if seat is not None:
                assert seat in (event["fields"].get("crew"), event["fields"].get("owner")), moment
            look = match.game.describe
            good_bad = [BOARDS[match.game.id](look(states[p - 1]), look(states[p]), seat or 0) for p in places]
            assert any(good if won else bad for good, bad in good_bad), (outcome, moment, good_bad)
            kinds[event["kind"]] += 1
        assert not {event["kind"] for event in moment["events"]} & hushed, moment
    return kinds


def survey(game_id: str, matches: int, rank: str | None = None) -> None:
    """Matches in a row: all moments must be true, and nearly all matches must have some."""
    kinds, silent, decided = Counter[str](), 0, 0
    for seed in range(matches):
        match = played(game_id, seed, rank)
        assert match.outcome is not None
        here = check(match)
        kinds += here
        if len(match.outcome.winners) < match.players or match.game.cooperative:
            decided += 1
            silent += not here
    assert silent <= decided * 0.08, (silent, decided)
    assert len(kinds) >= 3, kinds


@pytest.mark.parametrize("game_id", game_ids())
def test_what_decided_it_agrees_with_the_outcome_and_with_the_board(game_id: str) -> None:
    survey(game_id, FEW)


@pytest.mark.long
@pytest.mark.parametrize("rank", ["mousse", "matelot"])
@pytest.mark.parametrize("game_id", game_ids())
def test_what_decided_it_where_bots_play_agrees_with_the_outcome(game_id: str, rank: str) -> None:
    survey(game_id, MANY if rank == "mousse" else FEW, rank)


def test_from_a_moment_on_the_chances_never_come_back() -> None:
    for game_id in game_ids():
        for seed in range(10):
            match = played(game_id, seed)
            found = told(match)
            for effect, later in [
                (effect, later)
                for k, moment in enumerate(found)
                for effect in moment["effects"]
                for other in found[k + 1 :]
                for later in other["effects"]
                if later["seat"] == effect["seat"]
            ]:
                if effect["after"] > effect["before"]:
                    assert min(later["before"], later["after"]) > effect["before"]
                else:
                    assert max(later["before"], later["after"]) < effect["before"]


def test_a_branch_was_decided_after_it_parted() -> None:
    match = played("faut-pas-pousser", 3)
    place, found = match.version // 3, []
    for seed in range(6):
        branch, chance = match.branch(place, redeal=0, seed=seed), random.Random(seed)
        while not branch.over:
            seat = chance.choice(branch.to_act)
            branch.play(seat, chance.choice(branch.legal(seat)))
        check(branch)
        found += [moment["place"] for moment in moments(branch)]
    assert found and all(moment > place for moment in found)


def test_a_game_that_does_not_say_what_counts_has_no_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("faut-pas-pousser", 1)
    assert moments(match)
    monkeypatch.delattr(match.game.text, "stakes")
    assert moments(match) == []
