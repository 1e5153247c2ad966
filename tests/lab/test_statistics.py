"""Statistics that come with the games: of these rules, made by the command."""

import json
from pathlib import Path

import pytest

from tribord import load
from tribord.core.refusal import BadOption
from tribord.core.source import own_ids
from tribord.core.tip import read
from tribord.lab import statistics as lab
from tribord.lab.plot import plot_statistics

GAMES = own_ids()
DOCS = Path(__file__).parents[2] / "docs" / "games"


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_figures_are_of_these_rules_and_whole(name):
    game = load(name)
    found, plan = read(game, "statistics.json"), lab.counted(game)
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
    found = read(game, "statistics.json")
    players = game.players[0]
    again = lab.table(game, "base", players, "uniform", found["matches"]["uniform"], found["seed"])
    assert json.loads(json.dumps(again)) == found["tables"][f"base/{players}/uniform"]


def test_too_few_matches_are_refused():
    with pytest.raises(BadOption, match="at least"):
        lab.statistics(load("faut-pas-pousser"), 10, 1)


def test_the_plot_is_drawn(tmp_path):
    game = load("faut-pas-pousser")
    plot_statistics(read(game, "statistics.json"), tmp_path / "a.svg", game.words("fr"))
    assert "<svg" in (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize("name", GAMES)
def test_the_plots_in_the_docs_show_the_shipped_figures(name, tmp_path):
    game = load(name)
    plot_statistics(read(game, "statistics.json"), tmp_path / "a.svg", game.words("en"))
    assert (tmp_path / "a.svg").read_bytes() == (DOCS / f"{name}-statistics.svg").read_bytes()


@pytest.mark.parametrize("name", GAMES)
def test_the_docs_say_whether_the_figures_are_by_turn_order(name):
    """Without an order to count by, they're by seat, and who begins isn't always the first."""
    game = load(name)
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    ordered = lab.in_turn_order(game)
    assert ordered == (game.id in ("faut-pas-pousser", "sauve-qui-peut"))
    assert ("by turn order" in page) == ordered
    assert ("Seats aren't places in the turn order" in page) == (not ordered and not game.cooperative)


def test_every_card_boat_and_pawn_that_a_player_chooses_is_counted():
    chosen = {"faut-pas-pousser": "moves.card", "walk-the-plank": "reveals.card", "sauve-qui-peut": "scores.boat"}
    for name, key in chosen.items():
        assert all(table["values"][key] for table in read(load(name), "statistics.json")["tables"].values()), name
