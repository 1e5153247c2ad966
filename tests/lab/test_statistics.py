"""Statistics that come with the games: of these rules, made by the command, and with tips that hold."""

import copy
import json

import pytest

from tribord import load
from tribord.core.refusal import BadFile, BadOption
from tribord.core.source import own_ids
from tribord.lab import statistics as lab
from tribord.lab.plot import plot_statistics

GAMES = own_ids()


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_figures_are_of_these_rules_and_whole(name):
    game = load(name)
    found, plan = lab.read(game, "statistics.json"), lab.counted(game)
    assert (found["game"], found["version"]) == (game.id, game.version)
    matches = found["matches"]["uniform"]
    assert found["command"] == f"tribord statistics {name} --matches {matches} --seed {found['seed']} --json"
    assert found["matches"] == {bot: matches // part for bot, part in lab.PARTS.items()}
    for title, table in found["tables"].items():
        variant, players, bot = title.split("/")
        assert variant in plan["variants"] and table["matches"] == found["matches"][bot]
        assert len(table["order"]) == (0 if game.cooperative else int(players))
        if not game.cooperative:
            assert sum(place["mean"] for place in table["order"]) == pytest.approx(table["won"]["mean"], abs=1e-4)
        for share in (*table["order"], table["won"], table["shared"]):
            assert 0 <= share["low"] <= share["mean"] <= share["high"] <= 1


@pytest.mark.parametrize("name", GAMES)
def test_a_slice_played_again_gives_the_shipped_figures(name):
    game = load(name)
    found = lab.read(game, "statistics.json")
    players = game.players[0]
    again = lab.table(game, "base", players, "uniform", found["matches"]["uniform"], found["seed"])
    assert json.loads(json.dumps(again)) == found["tables"][f"base/{players}/uniform"]


@pytest.mark.parametrize("name", GAMES)
def test_tips_are_filled_in_from_figures_and_hold(name):
    said = lab.tips(load(name))
    assert 1 <= len(said) <= 5
    for tip in said:
        assert any(c.isdigit() for c in tip["en"]) and any(c.isdigit() for c in tip["fr"])
        assert "{" not in tip["en"] + tip["fr"]


def test_a_claim_that_no_longer_holds_or_names_no_figure_is_refused(monkeypatch):
    game = load("faut-pas-pousser")
    files = {name: lab.read(game, name) for name in ("statistics.json", "tips.json")}
    changed = copy.deepcopy(files)
    changed["statistics.json"]["tables"]["base/4/matelot"]["order"][3]["low"] = 0.4
    monkeypatch.setattr(lab, "read", lambda _game, name: changed[name])
    with pytest.raises(BadFile, match="no longer holds"):
        lab.tips(game)
    changed["tips.json"][0]["claims"] = []
    changed["tips.json"][0]["figures"]["share"] = "base/9/matelot order 3"
    with pytest.raises(BadFile, match="no figure"):
        lab.tips(game)


def test_too_few_matches_are_refused():
    with pytest.raises(BadOption, match="at least"):
        lab.statistics(load("faut-pas-pousser"), 10, 1)


def test_the_plot_is_drawn(tmp_path):
    game = load("faut-pas-pousser")
    plot_statistics(lab.read(game, "statistics.json"), tmp_path / "a.svg", game.words("fr"))
    assert "<svg" in (tmp_path / "a.svg").read_text()
