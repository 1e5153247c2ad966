"""Match files: they replay byte for byte, and whatever is wrong with one is said in a sentence."""

import json

import pytest

from tribord import BadFile, Match, Refusal, game_ids, load
from tribord.core.archive import OtherRules
from tribord.core.chance import Dice
from tribord.core.journal import dumps, verify
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
    change(saved, tribord=3)
    assert codes(saved) == ["later-format"]
    change(saved, tribord=1, game_version=99)
    assert codes(saved) == ["newer-rules"]


def test_a_match_played_with_older_rules_is_read_and_never_replayed(saved):
    change(saved, game_version=0)
    with pytest.raises(OtherRules) as refused:
        Match.load(saved)
    assert refused.value.code == "older-rules"
    assert "version 0 of Faut pas pousser; this is version 1" in str(refused.value)
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


def test_saving_is_whole_or_not_at_all(saved, monkeypatch):
    before = saved.read_text(encoding="utf-8")
    match = Match.load(saved)
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError, match="power cut"):
        match.save(saved)
    assert saved.read_text(encoding="utf-8") == before
