"""What Sauve qui peut ! shows of a turn: votes counted in front of everyone, big scenes, names that fit, rhythm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.narrator import Case, tell
from tests.page.player import SAVE
from tests.page.sailor import LAPTOP, PHONE, TV, aboard, drawn, elsewhere, play, take_place
from tests.page.test_sauve_qui_peut import played, told
from tests.server.launcher import ServerProcess

from tribord import Match, load
from tribord.client import Client
from tribord.server.page import actions

GAME = load(SAVE)
PEOPLE = ["Lise", "Jojo", "Marius", "Anne", "Paul", "Rose"]
LONG = ["Maximilienne-Charlotte-A", "Jean-Baptiste de la Mer!", "Wilhelmina-la-Terrible-X", "WWWWWWWWWWWWWWWWWWWWWWWW"]
WORDS_ALONE = {"no-leak", "alone"}  # what doesn't happen has nothing to show

LOOK = Path(__file__).with_name("scenes.js").read_text(encoding="utf-8")


def plain(acts: list[dict[str, Any]]) -> Any:
    return json.loads(json.dumps(acts, default=int))


def scripted(players: int, full: int, *votes: str) -> tuple[list[dict[str, Any]], int]:
    """Everyone aboard, `full` people in the first boat, then the votes by seat; and where the votes begin."""
    match = GAME.match(players, seed=1, options={"first": 0})
    acts: list[dict[str, Any]] = [{"events": [], "view": match.view()}]
    lane = 0
    while match.view()["phase"] == "placing":
        (seat,) = match.to_act
        aboard_first = len(acts) <= full
        lane = 1 if aboard_first else 2 + len(acts) % 6
        names = [GAME.notation(action) for action in match.legal(seat)]
        wanted = [name for name in names if name.endswith(f" {lane}")] or names
        acts.append({"events": told(match, match.play(seat, wanted[0])), "view": match.view()})
    begin = len(acts)
    for vote in votes:
        acts.append({"events": told(match, match.play(match.to_act[0], vote)), "view": match.view()})
    return plain(acts), begin


@pytest.fixture(scope="module")
def page(server: ServerProcess, browser: Browser) -> Any:
    with aboard(browser, LAPTOP, "en", at=server.url) as opened:
        yield opened


def shown(page: Page, players: int, full: int, *votes: str) -> list[dict[str, Any]]:
    """What is shown of votes, event after event."""
    acts, begin = scripted(players, full, *votes)
    found: list[dict[str, Any]] = page.evaluate(LOOK, ["events", {"acts": acts, "names": PEOPLE, "from": begin}])
    return found


def at(found: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(each for each in found if each["kind"] == kind)


def test_every_hand_the_tally_and_the_reason_are_on_the_sheet(page: Page) -> None:
    found = shown(page, 4, 3, "vote 1", "vote 6", "vote 1", "vote 1")
    hands = [each["sheet"] for each in found if each["kind"] == "votes-boat"]
    assert [len(sheet) for sheet in hands] == [1, 2, 2, 2]  # hand after hand
    most = at(found, "most-boat")
    assert most["sheet"] == [
        "1 Babette Lise Marius Anne 3",
        "6 Lison Jojo 1",
        "Babette 3 – Lison 1",
        "Most votes: 3 of 4.",
    ]
    assert most["question"] == "Which boat gets a leak?"
    assert at(found, "leaks")["sheet"] == []  # and then the boat itself is looked at


def test_a_tie_says_who_decides_and_why_while_they_think(page: Page) -> None:
    found = shown(page, 4, 3, "vote 1", "vote 6", "vote 1", "vote 6", "decide 6")
    tie = at(found, "tie")
    assert tie["sheet"][-2:] == ["Babette 2 – Lison 2", "A tie! Lise holds the baton and decides."]
    assert tie["big"] and tie["ms"] >= 2000
    assert at(found, "decides-boat")["question"] == "Which boat gets a leak?"
    acts, _begin = scripted(4, 3, "vote 1", "vote 6", "vote 1", "vote 6")
    drawn = page.evaluate(LOOK, ["question", {"acts": acts, "names": PEOPLE}])
    assert drawn == ["Babette 2 – Lison 2 · Lise decides!", "S9"]


def test_a_single_cap_decides_alone_by_its_own_rule(page: Page) -> None:
    found = shown(page, 4, 3, "cap", "vote 6", "vote 1", "vote 6")
    cap = at(found, "one-cap")
    assert cap["sheet"] == [
        "1 Babette Marius 1",
        "6 Lison Jojo Anne 2",
        "Cap Lise",
        "Lise decides alone!",
        "A single cap beats every vote.",
    ]
    assert cap["big"] and cap["ms"] >= 2000
    acts, _begin = scripted(4, 3, "cap", "vote 6", "vote 1", "vote 6")  # Lise holds the baton too
    assert page.evaluate(LOOK, ["question", {"acts": acts, "names": PEOPLE}])[1] == "S7"


def test_caps_that_cancel_are_struck_and_the_others_counted(page: Page) -> None:
    found = shown(page, 4, 3, "cap", "cap", "vote 1", "vote 1")
    clash = at(found, "caps-cancel")
    assert clash["sheet"][-3:] == [
        "Caps Lise Jojo",
        "Caps cancel out!",
        "Tokens lost: only the other votes count.",
    ]
    assert clash["big"] and at(found, "most-boat")["sheet"][-1] == "Most votes: 2 of 2."


def test_nothing_but_caps_leaves_it_to_the_baton(page: Page) -> None:
    found = shown(page, 3, 3, "cap", "cap", "cap")
    assert at(found, "all-caps")["sheet"][-2:] == ["Lise decides!", "Nothing but caps: the baton has the last word."]
    acts, _begin = scripted(3, 3, "cap", "cap", "cap")
    assert page.evaluate(LOOK, ["question", {"acts": acts, "names": PEOPLE}])[1] == "S8"


def test_votes_about_who_goes_overboard_show_their_weight(page: Page) -> None:
    # The first six people sit in Babette: two sailors each of three crews.
    found = shown(page, 3, 6, "vote 1", "vote 1", "vote 1", "vote green", "vote blue", "vote blue")
    assert at(found, "full")["changed"]
    hands = [each for each in found if each["kind"] == "votes-crew"]
    assert hands[0]["sheet"][-1] == "A sailor counts 1, a helmsman 2."
    assert hands[0]["question"] == "Babette is full: who goes overboard?"
    assert at(found, "most-crew")["sheet"] == [
        "Lise Jojo2 Marius2 4",
        "Jojo Lise2 2",
        "Lise 4 – Jojo 2",
        "Most votes: 4 of 6. A sailor counts 1, a helmsman 2.",
    ]


def test_every_kind_of_event_is_said_and_changes_the_drawing(page: Page) -> None:
    seen: dict[str, list[dict[str, Any]]] = {}
    for players, seed in ((3, 3), (5, 4), (6, 3)):
        acts = plain(played(players, seed))
        for each in page.evaluate(LOOK, ["events", {"acts": acts, "names": PEOPLE, "most": 2}]):
            seen.setdefault(each["kind"], []).append(each)
    for kind, events in seen.items():
        assert all(each["line"] for each in events), kind
        if kind not in WORDS_ALONE:
            assert all(each["changed"] for each in events), kind
    missing = {kind.name for kind in GAME.events.KINDS} - set(seen)
    assert missing <= {"first", "no-leak", "all-caps", "shares"}, missing


def test_big_moments_are_big_and_close(page: Page) -> None:
    found = page.evaluate(LOOK, ["events", {"acts": plain(played(6, 3)), "names": PEOPLE, "most": 1}])
    for kind in ("thrown", "sinks", "drown", "lands", "drowns"):
        each = at(found, kind)
        assert each["big"] and each["ms"] >= 2000, kind
        (wx, wy), (tx, ty) = each["focus"]
        assert 306 < wx < 1200 and 66 < wy < 740 and 0 < tx < 720 and 180 < ty < 800, (
            kind
        )  # in the sea, not among the cards
    for kind in ("one-cap", "tie", "caps-cancel", "last-round", "two-boats", "wins"):
        assert at(found, kind)["big"], kind


def test_points_are_counted_person_by_person_while_the_totals_rise(page: Page) -> None:
    acts = plain(played(6, 3))
    found = page.evaluate(LOOK, ["events", {"acts": acts, "names": PEOPLE, "kinds": ["scores"]}])
    totals = [0] * 6
    counted = [each for each in found if each["kind"] == "scores"]
    for each in counted:
        risen = [after - before for before, after in zip(totals, each["points"])]
        assert sorted(risen)[:-1] == [0] * 5 and max(risen) in (4, 5, 6, 7, 8)  # one person ashore
        totals = each["points"]
    assert len(counted) > 5


def test_the_first_baton_is_a_lot_that_its_owner_draws(page: Page) -> None:
    match = GAME.match(3, seed=1)
    events = told(match, match.events)
    assert events[0]["kind"] == "first"
    acts = [{"events": [], "view": match.view()}, {"events": events, "view": match.view()}]
    assert page.evaluate(LOOK, ["events", {"acts": plain(acts), "names": PEOPLE}])[0]["roll"]


@pytest.mark.parametrize(
    "split", [["vote 1"] * 4 + ["vote 6"] * 2, ["vote 1", "vote 2", "vote 3", "vote 4", "vote 5", "vote 5"]]
)
def test_a_vote_of_six_is_over_in_eight_seconds(page: Page, split: list[str]) -> None:
    found = shown(page, 6, 3, *split)
    vote = [each for each in found if each["kind"] in ("votes-boat", "most-boat")]
    assert len(vote) == 7
    assert 6000 <= sum(each["ms"] for each in vote) <= 8000


@pytest.mark.parametrize("shape", ["wide", "tall"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_names_of_24_letters_fit_and_are_whole(page: Page, players: int, shape: str) -> None:
    names = (LONG * 2)[:players]
    full = [f"vote {lane}" for lane in range(1, players + 1)]
    for votes, event in ((["vote 1"] * players, "most-boat"), (full, "tie")):
        acts, _begin = scripted(players, 3, *votes)
        wide, drawn = page.evaluate(LOOK, ["names", {"acts": acts, "names": names, "shape": shape, "event": event}])
        assert wide == []
        assert [said.replace(" ", "") for said in drawn] == [name.replace(" ", "") for name in names]


def test_wheels_lie_behind_everyone(page: Page) -> None:
    acts, _begin = scripted(6, 6, "vote 2")
    assert page.evaluate(LOOK, ["layers", {"acts": acts}]) == ["wheel"] * 12 + ["person"] * 36


TOLD = [
    ("drown", {"crew": 1, "people": 2, "boat": 6}, 1,
     "Lison sinks with two of yours.", "Lison coule avec deux des vôtres."),
    ("drown", {"crew": 1, "people": 1, "boat": 6}, 0,
     "Jojo loses one person with Lison.", "Jojo perd un marin avec Lison."),
    ("votes-crew", {"crew": 0, "target": 1, "votes": 3}, 1,
     "Lise votes against you: 3 votes.", "Lise vote contre vous : 3 voix."),
    ("votes-crew", {"crew": 0, "target": 0, "votes": 1}, None,
     "Lise votes against their own crew: 1 vote.", "Lise vote contre son propre équipage : 1 voix."),
    ("votes-crew", {"crew": 0, "target": 0, "votes": 1}, 0,
     "You vote against your own crew: 1 vote.", "Vous votez contre votre propre équipage : 1 voix."),
    ("tie", {"crew": 0, "votes": 2}, 0,
     "A tie, 2 each: you hold the baton and decide.", "Égalité, 2 partout : vous tenez le bâton et vous tranchez."),
    ("most-crew", {"crew": 2, "votes": 4, "all": 7}, 2,
     "You have the most votes: 4 of 7.", "Vous obtenez le plus de voix : 4 sur 7."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "fields", "you", "en", "fr"), TOLD)
def test_narration_uses_names_and_you(kind: str, fields: dict[str, int], you: int | None, en: str, fr: str) -> None:
    for language, said in (("en", en), ("fr", fr)):
        (told_so,) = tell(GAME, language, [Case(kind, fields, PEOPLE, you)])
        assert told_so and told_so.replace("\u00a0", " ") == said


def test_all_that_people_do_is_said_with_their_names() -> None:
    nobody = [kind for kind, sentence in GAME.text.SENTENCES.items() if not sentence.named]
    assert nobody == [
        "last-boat", "two-boats", "last-round", "no-leak", "caps-cancel", "most-boat", "only-boat", "full", "alone",
        "leaks", "sinks", "advances", "lands",
    ]  # fmt: skip


def test_what_everyone_may_know_of_a_player_adds_up(page: Page) -> None:
    for act in plain(played(3, 3))[::17]:
        view = act["view"]
        for crew, known in zip(view["crews"], page.evaluate(LOOK, ["standing", {"view": view}])):
            assert known["Points"] == crew["points"] and known["Caps"] == crew["tokens"]
            assert known.get("On deck", 0) + known["At sea"] + known["Ashore"] + known["Drowned"] == 7


# -- taps --------------------------------------------------------------------------------------------------------------


def placed(players: int, full: int) -> Match:
    """Everyone aboard, `full` people in the first boat."""
    match = GAME.match(players, seed=1, options={"first": 0})
    for entry in range(7 * players):
        (seat,) = match.to_act
        lane = 1 if entry < full else 2 + entry % 6
        names = [GAME.notation(action) for action in match.legal(seat)]
        match.play(seat, next((name for name in names if name.endswith(f" {lane}")), names[0]))
    return match


def taps(page: Page, match: Match, seat: int, *touched: str) -> list[list[list[Any]]]:
    """What taps do for a seat."""
    legal = match.legal(seat) if seat in match.to_act else None
    given = {"view": match.view(seat), "seat": seat, "legal": legal, "cards": actions(GAME), "names": PEOPLE}
    found: list[list[list[Any]]] = page.evaluate(LOOK, ["taps", plain(given | {"touched": touched})])
    return found


def test_a_tap_on_a_person_means_that_person(page: Page) -> None:
    match = placed(3, 4)
    for vote in ("vote 7",) * 3 + ("vote 6",) * 3:
        match.play(match.to_act[0], vote)
    assert match.view()["phase"] == "leaving" and match.to_act == [0]
    own = next(boat["lane"] for boat in match.view()["boats"] if boat["people"].get("blue", {}).get("helmsmen"))
    piece = f"[data-boat='{own}'] [data-piece^='blue-helmsman']"
    assert taps(page, match, 0, piece) == [[["pick", "lane", own], ["pick", "person", "helmsman"]]]
    other = next(boat["lane"] for boat in match.view()["boats"] if boat["people"] and "blue" not in boat["people"])
    assert taps(page, match, 0, f"[data-boat='{other}'] [data-piece]") == [[["why", "lane", other]]]


def test_overboard_a_tap_on_a_person_names_their_crew(page: Page) -> None:
    match = placed(3, 6)
    for _seat in range(3):
        match.play(match.to_act[0], "vote 1")
    assert match.view()["phase"] == "overboard"
    found = taps(page, match, 0, "[data-piece^='red']", "[data-crew='green']", "[data-lane], [data-boat='3']")
    assert found == [[["pick", "crew", "red"]], [["pick", "crew", "green"]], [["why", "lane", 3]]]


def test_once_someone_has_fallen_overboard_no_boat_is_named(page: Page) -> None:
    match = placed(3, 6)
    for _seat in range(3):
        match.play(match.to_act[0], "vote 1")
    given = {"view": match.view(0), "names": PEOPLE, "scene": {"targets": [], "fullBoat": None}}
    said: str = page.evaluate(LOOK, ["waiting", plain(given)])
    assert said
    assert "null" not in said


def test_what_cannot_be_chosen_asks_why(page: Page) -> None:
    match = GAME.match(3, seed=1, options={"first": 0})
    for seat in (0, 0, 1, 1, 2, 2):
        match.play(seat, "place helmsman 1")
    found = taps(page, match, 0, "[data-lane='1']", "[data-boat='1']", "[data-person='helmsman']", "[data-lane='2']")
    assert found == [[["why", "lane", 1]], [["why", "lane", 1]], [["why", "person", "helmsman"]], [["pick", "lane", 2]]]
    assert taps(page, match, 1, "[data-lane='2']", ".sqp-target") == [[["why", "lane", 2]], [["why", "lane", 1]]]
    match = placed(3, 4)
    match.state.tokens[0] = 0
    assert taps(page, match, 0, "[data-cap]") == [[["why", "kind", "cap"]]]


def test_a_full_boat_and_a_used_up_kind_say_why_by_touch(server: ServerProcess, browser: Browser) -> None:
    async def fill() -> Client:
        client = await Client.create(server.url, SAVE, "Anne", 3, seats=["me"] * 3, options={"first": 0})
        async with client:
            await client.do("start")
            for seat in (0, 0, 1, 1, 2, 2):
                await client.act(seat, "place helmsman 1")
        return client

    table = elsewhere(fill())
    with aboard(browser, PHONE, "en") as page:
        take_place(page, server.url, table, SAVE)
        page.locator("#must").wait_for()
        for what, said, rule in (
            (".sqp-hand [data-lane='1']", "Babette (1) has no free seat", "S5"),
            ("[data-person='helmsman']", "You’ve put all of those aboard", "S2"),
        ):
            page.locator(what).tap(force=True)
            expect(page.locator(".notice", has_text=said)).to_contain_text(rule)
            drawn(page)


def test_the_tv_says_in_large_letters_what_the_vote_is_about(server: ServerProcess, browser: Browser) -> None:
    table = elsewhere(
        play(server.url, SAVE, ["me"] * 3, until=lambda turn: GAME.notation(turn.legal[0]).startswith("vote"))
    )
    with aboard(browser, TV, "en") as page:
        page.goto(f"{server.url}/#/tv/{table.id}")
        asked = page.locator(".sqp-strip .question")
        expect(asked).to_have_text("Which boat gets a leak?")
        box = asked.bounding_box()
        assert box and box["height"] > 40 and box["width"] > 500
