"""Strategy tips: each follows from the shipped figures, says who played, and reads well in both languages."""

from __future__ import annotations

import copy
import re

import pytest

from tribord import game_ids, load
from tribord.core import tip
from tribord.core.refusal import BadFile
from tribord.server import page
from tribord.testing.tip import check_tips

GAMES = [load(game) for game in game_ids()]
SAID = {language: re.compile(words) for language, words in {
    "en": r"random|ship’s boy|deckhand|boatswain", "fr": r"hasard|mousse|matelot|bosco"}.items()}  # fmt: skip
named = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@named
def test_tips_are_filled_in_from_the_shipped_figures_and_hold(game):
    check_tips(game)
    said = tip.tips(game)
    assert 2 <= len(said) <= 4
    for each in said:
        for language, who in SAID.items():
            assert re.search(r"\d", each[language]) and "{" not in each[language]
            assert who.search(each[language]), f"who played? {each[language]}"


@named
def test_every_figure_of_a_tip_takes_part_in_its_claims(game):
    """A sentence may only compare what is claimed: a figure that no claim is about could be anything."""
    for each in tip.read(game, "tips.json"):
        claimed = {end for claim in each["claims"] for end in (claim["figure"], claim["above"])}
        assert set(each["figures"].values()) <= claimed, each["en"]


@named
def test_the_page_is_served_tips_and_every_variant_has_some(game):
    about = page.card(game)["about"] or {}
    for language in ("en", "fr"):
        served = page.game_words(game, language)["tips"]
        assert [each["text"] for each in served] == [each[language] for each in tip.tips(game)]
        for variant in [one["id"] for one in about.get("variants", [])] or [""]:
            fitting = [each for each in served if each["variant"] in ("", variant) and not each["players"]]
            assert fitting, f"{variant}: none for any number of players"


@pytest.fixture
def files(monkeypatch):
    """The files of a game, to be changed."""
    game = GAMES[0]
    assert game.id == "faut-pas-pousser"
    found = copy.deepcopy({name: tip.read(game, name) for name in ("statistics.json", "tips.json", "counted.json")})
    monkeypatch.setattr(tip, "read", lambda _game, name: found[name])
    return found


def test_a_claim_that_no_longer_holds_is_refused_and_not_served(files):
    files["statistics.json"]["tables"]["base/4/matelot"]["order"][3]["low"] = 0.4
    with pytest.raises(BadFile, match="no longer holds"):
        tip.tips(GAMES[0])
    assert page.tips_for(GAMES[0], "en") == []


def test_a_figure_that_does_not_exist_is_refused(files):
    files["tips.json"][0]["figures"]["last"] = "base/9/matelot order 3"
    with pytest.raises(BadFile, match="no figure"):
        tip.tips(GAMES[0])


@pytest.mark.parametrize(
    ("share", "english", "french"),
    [
        (0.884, "88%", "88\u00a0%"),
        (0.003, "0.3%", "0,3\u00a0%"),
        (0.995, "99.5%", "99,5\u00a0%"),
        (1.0, "100%", "100\u00a0%"),
    ],
)
def test_nearly_everything_never_reads_as_everything(files, share, english, french):
    files["statistics.json"]["tables"]["base/2/matelot"]["order"][1]["mean"] = share
    said = next(each for each in tip.tips(GAMES[0]) if "two players" in each["en"])
    assert english in said["en"] and french in said["fr"]
