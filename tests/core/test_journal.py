"""Match files replay byte for byte, and a sentence says what is wrong with a bad one."""

import json

import pytest

from tribord import BadFile, Match, Refusal, game_ids, load
from tribord.core.archive import OtherRules
from tribord.core.chance import Dice
from tribord.core.journal import dumps, provenance, verify
from tribord.core.record import CHANCE
from tribord.core.words import Words

GAME = load("faut-pas-pousser")


@pytest.fixture
def saved(tmp_path, at_random):
    match = at_random(GAME.match(players=2, seed=11, names=["Anne", "Zoé"]), 2)
    path = tmp_path / "match.json"
    match.save(path)
    return path


@pytest.mark.parametrize("game", game_ids())
def test_a_match_file_replays_byte_for_byte(game, tmp_path, at_random):
    game = load(game)
    for players in range(game.players[0], game.players[1] + 1):
        for steps in (0, 5, 10_000):
            options = {o.name: o.research for o in game.options if o.research is not None}
            match = at_random(game.match(players, seed=4, options=options), players, steps)
            path = tmp_path / "m.json"
            match.save(path)
            again = Match.load(path)
            assert again.state.tobytes() == match.state.tobytes()
            assert again.events == match.events
            assert dumps(again) == path.read_text(encoding="utf-8")
            assert verify(path) == []


def change(path, **fields):
    content = json.loads(path.read_text(encoding="utf-8"))
    content.update(fields)
    path.write_text(json.dumps(content), encoding="utf-8")
    return content


def codes(path):
    return [problem.code for problem in verify(path)]


def test_a_changed_seed_is_found(saved):
    change(saved, seed="12")
    assert "bad-seed" in codes(saved) and "bad-draw" in codes(saved)


def test_a_changed_commitment_is_found(saved):
    change(saved, commitment="0" * 64)
    assert codes(saved) == ["bad-seed"]


def test_a_changed_draw_is_found_with_its_line(saved):
    content = json.loads(saved.read_text(encoding="utf-8"))
    number = next(i for i, line in enumerate(content["journal"]) if "chance" in line)
    was = content["journal"][number]["chance"]
    content["journal"][number]["chance"] = next(f"card {v}" for v in range(1, 7) if f"card {v}" != was)
    change(saved, journal=content["journal"])
    problem = verify(saved)[0]
    assert problem.code == "bad-draw" and f"{number + 1}" in str(problem) and was in str(problem)


def test_an_illegal_action_in_a_file_is_found_with_line_and_rule(saved):
    content = json.loads(saved.read_text(encoding="utf-8"))
    number = max(i for i, line in enumerate(content["journal"]) if "seat" in line)
    content["journal"][number]["action"] = "pick 1"
    change(saved, journal=content["journal"])
    problem = verify(saved)[0]
    assert problem.code == "bad-line" and f"Line {number + 1}" in str(problem) and "F3" in str(problem)
    assert "Ligne" in problem.say(Words("fr"))


def test_a_changed_outcome_or_state_is_found(saved):
    change(saved, outcome={"scores": [99, 0], "winners": [0], "reason": "end"})
    assert codes(saved) == ["bad-outcome"]
    change(saved, state="0" * 64)
    assert codes(saved) == ["bad-state", "bad-outcome"]


def test_a_shortened_journal_is_found(saved):
    content = json.loads(saved.read_text(encoding="utf-8"))
    change(saved, journal=content["journal"][:-3])
    assert "bad-state" in codes(saved)


@pytest.mark.parametrize("keep", [0, 1, 40, 400])
def test_a_truncated_file_is_refused(saved, keep):
    saved.write_text(saved.read_text(encoding="utf-8")[:keep], encoding="utf-8")
    with pytest.raises(BadFile) as refused:
        Match.load(saved)
    assert refused.value.code == "damaged"


@pytest.mark.parametrize("text", ["[]", "{}", '{"chess": 1}', "1", "null", '"tribord"'])
def test_a_file_that_is_not_ours_is_refused(saved, text):
    saved.write_text(text, encoding="utf-8")
    assert codes(saved) == ["not-ours"]


def test_bytes_that_are_no_text_are_refused(saved):
    saved.write_bytes(b"\xff\xfe\x00" * 50)
    assert codes(saved) == ["damaged"]


ADDED = ["a1" * 32, None]


@pytest.fixture
def contributed(tmp_path, at_random):
    match = at_random(GAME.match(players=2, seed=Dice("11", ADDED), names=["Anne", "Zoé"]), 2)
    path = tmp_path / "contributed.json"
    match.save(path)
    return path


def test_a_file_with_contributions_verifies_and_comes_back_the_same(contributed, saved):
    content = json.loads(contributed.read_text(encoding="utf-8"))
    assert (content["tribord"], content["contributions"]) == (2, ADDED)
    assert json.loads(saved.read_text(encoding="utf-8"))["tribord"] == 1  # release 0.1.0 reads the others
    assert codes(contributed) == []
    assert dumps(Match.load(contributed)) == contributed.read_text(encoding="utf-8")


@pytest.mark.parametrize("added", [["b1" * 32, None], ["a1" * 32, "b1" * 32]])
def test_changed_contributions_are_found(contributed, added):
    change(contributed, contributions=added)
    assert "bad-draw" in codes(contributed)


def test_contributions_that_were_left_out_are_found(contributed):
    content = json.loads(contributed.read_text(encoding="utf-8"))
    del content["contributions"]
    contributed.write_text(json.dumps(content), encoding="utf-8")
    assert "bad-draw" in codes(contributed)


@pytest.mark.parametrize(
    "added",
    [None, 3, "x", {}, [], [None, None], ["a1" * 32], [int("1" * 64), None], ["A1" * 32, None], ["", "a1" * 32]],
)
def test_contributions_of_the_wrong_kind_are_never_a_traceback(contributed, added):
    change(contributed, contributions=added)
    assert codes(contributed) == ["bad-field"]
    change(contributed, contributions=added, game_version=0)
    assert codes(contributed) == ["bad-field"]


def test_a_file_from_a_later_version_is_refused(saved):
    change(saved, tribord=4)
    assert codes(saved) == ["later-format"]
    change(saved, tribord=1, game_version=99)
    assert codes(saved) == ["newer-rules"]


def test_a_match_played_with_older_rules_is_read_and_never_replayed(saved):
    change(saved, game_version=0)
    with pytest.raises(OtherRules) as refused:
        Match.load(saved)
    assert refused.value.code == "older-rules"
    assert "older rules of Faut pas pousser: version 0, and this is version 1" in str(refused.value)
    content = json.loads(saved.read_text(encoding="utf-8"))
    archive = refused.value.archive
    assert archive.content == content  # as it was written: nothing is folded
    lines = archive.lines(Words("en"))
    assert len(lines) == len(content["journal"]) + 1
    first = content["journal"][0]
    assert lines[0] == f"{archive.names[0] or 'Player 1'}: {first['action']}"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("journal", [{"seat": 9, "action": "pick 1"}]),
        ("journal", [{"seat": True, "action": "pick 1"}]),
        ("journal", [{"seat": 0, "action": 3}]),
        ("journal", [{"seat": 0, "action": "pick 1", "chance": "card 1"}]),
        ("journal", [{}]),
        ("journal", [None]),
        ("outcome", {}),
        ("outcome", {"scores": ["many"], "winners": []}),
        ("outcome", {"scores": [1], "winners": [9]}),
        ("players", 0),
        ("players", 10**9),
    ],
)
def test_a_file_of_other_rules_that_cannot_even_be_read_is_refused(saved, field, value):
    change(saved, game_version=0, **{field: value})
    assert codes(saved) == ["bad-field"]


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    assert codes(tmp_path / "nothing.json") == ["no-file"]
    assert codes(tmp_path) == ["no-file"]


@pytest.mark.parametrize("field", ["game", "players", "options", "names", "journal", "seed", "commitment", "state"])
@pytest.mark.parametrize("value", [None, 3.5, True, [1, 2], {"a": 1}, "x", -1])
def test_no_field_of_the_wrong_kind_is_ever_a_traceback(saved, field, value):
    change(saved, **{field: value})
    problems = verify(saved)
    assert problems and all(isinstance(p, Refusal) and p.say(Words("fr")) for p in problems)


@pytest.mark.parametrize(
    "line", [None, 3, [], {}, {"seat": 0}, {"chance": 7}, {"seat": "x", "action": "pass"}, {"seat": 0, "action": 1.5}]
)
def test_no_line_of_the_wrong_kind_is_ever_a_traceback(saved, line):
    content = json.loads(saved.read_text(encoding="utf-8"))
    for number in (0, 2, len(content["journal"]) - 1):
        change(saved, journal=[*content["journal"][:number], line, *content["journal"][number + 1 :]])
        assert codes(saved)[0] in ("bad-field", "bad-line")


@pytest.mark.parametrize("rank", [7, None, [], "m" * 25, "\x1b[2J", "ma\ntelot"])
def test_a_rank_that_is_none_is_refused(saved, rank):
    content = json.loads(saved.read_text(encoding="utf-8"))
    content["journal"][0]["rank"] = rank
    change(saved, journal=content["journal"])
    assert codes(saved) == ["bad-field"]


def test_a_file_says_which_bot_decided_what(saved, tmp_path):
    match = Match.load(saved)
    assert match.bots() == [[] for _seat in range(match.players)]
    assert '"rank"' not in saved.read_text(encoding="utf-8")
    again = Match(match.game, match.players, match.dice, match.options, match.names)
    for place, entry in enumerate(entry for entry in match.journal if entry.seat != CHANCE):
        again.carry_out(entry.seat, entry.action, rank="" if entry.seat == 0 else ("matelot", "bosco")[place > 9])
    again.save(tmp_path / "again.json")
    assert not verify(tmp_path / "again.json")
    known = Match.load(tmp_path / "again.json")
    assert known.journal == again.journal and known.bots() == again.bots()
    assert known.bots()[0] == [] and known.bots()[1] == ["matelot", "bosco"]


def test_saving_is_whole_or_not_at_all(saved, monkeypatch):
    before = saved.read_text(encoding="utf-8")
    match = Match.load(saved)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError, match="power cut"):
        match.save(saved)
    assert saved.read_text(encoding="utf-8") == before


# Offers


@pytest.fixture
def offered(tmp_path):
    """A file of a match with a promise."""
    match = load("sauve-qui-peut").match(3, seed=1, options={"first": 0})
    seat = match.to_act[0]
    match.play(seat, match.legal(seat)[0])
    match.offers = [{"seat": 1, "offer": {"kind": "promise", "vote": "leak", "lane": 3}, "version": 1}]
    match.save(tmp_path / "match.json")
    return tmp_path / "match.json"


def test_a_file_keeps_what_was_offered(offered):
    again = Match.load(offered)
    assert again.offers == json.loads(offered.read_text(encoding="utf-8"))["offers"]
    assert dumps(again) == offered.read_text(encoding="utf-8")
    assert codes(offered) == []


@pytest.mark.parametrize(
    "offers",
    [
        [], {}, [1], [{"seat": 1}], [{"seat": True, "offer": {}, "version": 0}],
        [{"seat": 1, "offer": {"kind": "bribe"}, "version": 0}],
        [{"seat": 9, "offer": {"kind": "promise", "vote": "leak", "lane": 3}, "version": 0}],
        [{"seat": 1, "offer": {"kind": "promise", "vote": "leak", "lane": 3}, "version": 99}],
        [{"seat": 1, "offer": {"kind": "promise", "vote": "leak", "lane": 3}, "version": 0, "to": [2]}],
    ],
)  # fmt: skip
def test_what_is_no_offer_is_refused(offered, offers):
    change(offered, offers=offers)
    with pytest.raises(BadFile) as refused:
        Match.load(offered)
    assert refused.value.code == "bad-field" and refused.value.fields["field"] == "offers"


def test_a_game_without_offers_has_none_in_its_files(saved):
    change(saved, offers=[{"seat": 0, "offer": {"kind": "promise", "vote": "leak", "lane": 3}, "version": 0}])
    with pytest.raises(BadFile):
        Match.load(saved)


# -- branches ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def branched(tmp_path, at_random):
    match = at_random(GAME.match(players=2, seed=Dice("11", ADDED), names=["Anne", "Zoé"]), 2)
    first = at_random(match.branch(9, redeal=1, seed="first"), 3)
    path = tmp_path / "branched.json"
    at_random(first.branch(15, seed="second", names=["Anne", "bosco"]), 4).save(path)
    return path


def test_a_branch_says_where_it_comes_from_and_verifies_to_the_first_throw(branched):
    content = json.loads(branched.read_text(encoding="utf-8"))
    assert content["tribord"] == 3 and content["names"] == ["Anne", "bosco"]
    assert [(p["place"], p["redealt"], p["seed"]) for p in content["branchings"]] == [(9, 1, "11"), (15, None, "first")]
    assert content["branchings"][0]["contributions"] == ADDED
    assert codes(branched) == []
    again = Match.load(branched)
    assert dumps(again) == branched.read_text(encoding="utf-8") and again.branched == 15
    assert [parting["place"] for parting in provenance(branched).branchings] == [9, 15]


@pytest.mark.parametrize(("since", "until"), [(0, 9), (9, 15), (15, 99)])
def test_a_changed_draw_is_found_in_any_match_of_a_branch(branched, since, until):
    content = json.loads(branched.read_text(encoding="utf-8"))
    drawn = [k for k, line in enumerate(content["journal"]) if "chance" in line and since <= k < until]
    content["journal"][drawn[0]]["chance"] = next(
        f"card {n}" for n in range(1, 7) if f"card {n}" != content["journal"][drawn[0]]["chance"]
    )
    change(branched, journal=content["journal"])
    assert codes(branched)[0] == "bad-draw" and f"{drawn[0] + 1}:" in verify(branched)[0].say(Words("en"))


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("field", ["seed", "commitment"])
def test_a_changed_seed_of_a_match_it_parts_from_is_found(branched, number, field):
    content = json.loads(branched.read_text(encoding="utf-8"))
    content["branchings"][number][field] = "12"
    change(branched, branchings=content["branchings"])
    assert codes(branched)[0] == "bad-seed"


def test_a_branch_dealt_from_another_view_is_found(branched):
    content = json.loads(branched.read_text(encoding="utf-8"))
    moved = [{**content["branchings"][0], "place": 1}, content["branchings"][1]]  # while the picks are sealed
    change(branched, branchings=moved)
    assert codes(branched)


GOOD = {"place": 3, "redealt": None, "commitment": "x", "seed": "11"}


@pytest.mark.parametrize(
    "branchings",
    [
        None, 3, {}, [], [3], [{}], [GOOD | {"place": -1}], [GOOD | {"place": 999}], [GOOD | {"place": True}],
        [GOOD | {"redealt": 2}], [GOOD | {"redealt": "1"}], [GOOD | {"seed": 11}], [GOOD | {"commitment": None}],
        [GOOD | {"place": 9}, GOOD], [GOOD | {"contributions": []}], [GOOD | {"else": 1}], [GOOD] * 65,
    ],
)  # fmt: skip
def test_branchings_of_the_wrong_kind_are_never_a_traceback(branched, branchings):
    change(branched, branchings=branchings)
    assert codes(branched) == ["bad-field"]
    change(branched, branchings=branchings, game_version=0)
    assert codes(branched) == ["bad-field"]


def test_a_branch_of_a_match_that_was_over_is_refused(saved):
    content = json.loads(saved.read_text(encoding="utf-8"))
    parting = {"place": len(content["journal"]), "redealt": None}
    parting |= {name: content[name] for name in ("commitment", "seed")}
    change(saved, tribord=3, branchings=[parting])
    assert codes(saved) == ["bad-field"]
