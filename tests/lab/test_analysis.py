"""Match analysis: two lenses, moments, accuracy, and luck and skill that add up."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from itertools import pairwise
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import BadOption, Match, game_ids, load
from tribord.bots import seat_bot, solver
from tribord.bots.decision import Decision
from tribord.cli import main
from tribord.core.chance import below, stream
from tribord.core.record import CHANCE, PlainStates, duplicate, revive
from tribord.core.words import LANGUAGES
from tribord.lab import analyse, analysis
from tribord.lab.analysis import (
    CHOICE,
    LUCK,
    MILLION,
    Effort,
    JournalStep,
    Studied,
    Weighing,
    _accuracy,
    _lens,
    _loss,
    _steps,
    _verdict,
    examine,
    study,
)  # fmt: skip
from tribord.lab.chances import Chances, chances
from tribord.lab.commentary import NOTHING_DECIDED, Commentary
from tribord.lab.interval import Interval
from tribord.testing.conformance import setups

FPP, ILE, SAUVE, WTP = (
    load(name) for name in ("faut-pas-pousser", "ile-aux-pirates", "sauve-qui-peut", "walk-the-plank")
)
DOCS = Path(__file__).parents[2] / "docs" / "analysis.md"
LITTLE = {"iterations": 8, "playouts": 12}


def begun(game, players, luck, steps, options=None):
    """A match that random players have begun; it isn't over."""
    match = game.match(players, seed=luck, options=options)
    rng = stream(luck)
    for _step in range(steps):
        before = match.fork()
        seat = match.to_act[below(rng, len(match.to_act))]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
        if match.over:
            return before
    return match


def played(match, rank="mousse"):
    """The match played to its end by bots."""
    bots = [seat_bot(rank, match.game, seat) for seat in range(match.players)]
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, bots[seat].decide(match.view_state(seat), match.legal(seat)))
    return match


@pytest.fixture(scope="module")
def ile():
    """A match of the base game, and its analysis."""
    match = played(ILE.match(3, seed=3))
    return match, analyse(match)


@pytest.fixture(scope="module")
def fpp():
    """A match with neutral crews, and its analysis."""
    match = played(FPP.match(2, seed=3, names=["Anne", "Zoé"]))
    return match, analyse(match, jobs=1, **LITTLE)


# -- luck and skill ---------------------------------------------------------------------------------------------------


def whole(share):
    return round(share * MILLION)


@pytest.mark.parametrize("game", game_ids())
def test_luck_and_skill_add_up_exactly_to_the_result(game):
    game = load(game)
    match = game.match(game.players[0] if game is not ILE else 2, seed=5)
    if game is ILE:
        played(match)
    else:
        match = begun(game, match.players, 5, 12)
    found = analyse(match, jobs=1, **LITTLE)
    last = found["series"][-1]["values"]
    for seat in found["seats"]:
        parts = [whole(seat[name]["mean"]) for name in ("luck", "skill", "others")]
        assert whole(seat["prior"]) + sum(parts) == whole(seat["result"])
        assert whole(seat["result"]) == whole(last[seat["seat"]]["mean"])
        assert sum(map(whole, seat["luck_by"].values())) == parts[0]
        assert whole(seat["prior"]) == whole(found["series"][0]["values"][seat["seat"]]["mean"])


def sealed(game, players, decisions, luck, options, last_first):
    """A match that random players have begun; of those who choose at the same time, the last may seal first."""
    match = game.match(players, seed=luck, options=options)
    for number in range(decisions):
        if match.over:
            break
        rng, seats = stream(luck, number), list(match.to_act)
        chosen = {}
        for seat in seats:
            legal = match.legal(seat)
            chosen[seat] = legal[below(rng, len(legal))]
        for seat in reversed(seats) if last_first else seats:
            match.play(seat, chosen[seat])
    return match


@pytest.mark.parametrize(
    ("game", "players", "decisions", "luck", "options"),
    [(FPP, 2, 5, 1, None), (FPP, 4, 9, 2, None), (WTP, 3, 7, 3, None), (SAUVE, 3, 139, 2, None)],
    ids=lambda value: str(value) if isinstance(value, int) else getattr(value, "id", ""),
)
def test_skill_does_not_depend_on_who_sealed_first(game, players, decisions, luck, options):
    """The last match has votes in which only some have a choice."""
    found = []
    for last_first in (False, True):
        match = sealed(game, players, decisions, luck, options, last_first)
        found.append((match, analyse(match, jobs=1, seed=3, **LITTLE)))
    (match, one), (other, two) = found
    assert [entry.seat for entry in match.journal] != [entry.seat for entry in other.journal]
    assert match.states.tobytes() == other.states.tobytes()
    keys = ("prior", "luck", "skill", "others", "result", "luck_by", "accuracy", "decisions", "verdicts")
    for a, b in zip(one["seats"], two["seats"]):
        assert {key: a[key] for key in keys} == {key: b[key] for key in keys}
        assert whole(a["prior"]) + sum(whole(a[part]["mean"]) for part in ("luck", "skill", "others")) == whole(
            a["result"]
        )
    assert any(seat["skill"]["mean"] for seat in one["seats"])


def test_what_sealed_choices_change_together_is_nobodys_own_skill():
    """By hand: alone each choice changes as much as it does first, and the rest is the others’."""
    match = sealed(WTP, 3, 1, 1, {}, False)
    found = analyse(match, jobs=1, **LITTLE)
    for seat in range(3):
        first = sealed(WTP, 3, 0, 1, {}, False)
        entry = next(entry for entry in match.journal if entry.seat == seat)
        first.play(seat, entry.action)
        alone = analyse(first, jobs=1, **LITTLE)["seats"][seat]
        assert found["seats"][seat]["skill"]["mean"] == alone["skill"]["mean"]


def test_a_branch_is_judged_from_where_it_parts():
    match = played(FPP.match(2, seed=3))
    branch = played(match.branch(place := match.version // 3, redeal=1, seed=4))
    found = analyse(branch, jobs=1, **LITTLE)
    assert len(found["series"]) == branch.version + 1
    assert all(each["values"] == found["series"][place]["values"] for each in found["series"][:place])
    for decision in found["decisions"]:
        assert decision["place"] >= place or (decision["knew"] is None and decision["hindsight"] is None)
    assert any(decision["knew"] for decision in found["decisions"])
    assert found["moments"] and all(moment["place"] >= place for moment in found["moments"])
    for seat in found["seats"]:
        parts = [whole(seat[name]["mean"]) for name in ("luck", "skill", "others")]
        assert whole(seat["prior"]) + sum(parts) == whole(seat["result"])


def test_the_result_is_the_outcome(fpp):
    match, found = fpp
    assert [seat["result"] for seat in found["seats"]] == [float(s in match.outcome.winners) for s in range(2)]
    assert found["outcome"]["scores"] == match.outcome.scores
    assert set(found["seats"][0]["luck_by"]) <= {"card", "left"}


def test_luck_is_fair_on_average():
    """The chances before a draw are the mean of the chances after it, by the weights of the draw."""
    match = FPP.match(2, seed=1)
    match.restart()
    for seat in range(2):
        match.game.engine.apply(match.states, seat, FPP.action("pick 3"), None)
    weights = np.array(match.weights(), float)
    assert len(weights) > 1
    before = chances(FPP, match.states, 1500, seed=1)
    after = []
    for outcome in range(len(weights)):
        states = duplicate(match.states)
        FPP.engine.apply(states, CHANCE, outcome, None)
        after.append(chances(FPP, states, 500, seed=outcome))
    odds = weights / weights.sum()
    mean = odds @ np.array([each.mean for each in after])
    variance = odds**2 @ np.array([each.variance for each in after]) + before.variance
    assert np.all(np.abs(mean - before.mean) < 5 * np.sqrt(variance))


def test_a_sealed_choice_is_not_foreseen():
    """One pick, three to come: if the others were sure to make their best picks, the match would seem decided."""
    match = FPP.match(4, seed=1)
    match.play(0, "pick 1")
    assert chances(FPP, match.states, 600, seed=1).mean.max() < 0.6


def test_playouts_that_all_end_alike_are_no_certainty():
    match = begun(FPP, 4, 7, 26)
    found = chances(FPP, match.states, 20, seed=1)
    assert np.all(found.variance > 0)
    assert found.mean.sum() == pytest.approx(1)


# -- exact in the base game -------------------------------------------------------------------------------------------


def test_the_values_of_iles_base_game_are_the_solvers(ile):
    match, found = ile
    solution = solver.solution(ILE)
    past = ILE.match(3, seed=3)
    past.restart()
    values, decisions = [], []
    for entry in match.journal:
        values.append(solution.value(past.state))
        if entry.seat != CHANCE and len(past.legal(entry.seat)) > 1:
            worth = dict(zip(past.legal(entry.seat), solution.action_values(past.state)))
            decisions.append((worth[entry.action], max(worth.values())))
        past.follow(entry)
    assert found["exact"]
    told = [each for each in found["decisions"] if each["knew"]]
    assert len(told) == len(decisions)
    for each, (chosen, best) in zip(told, decisions):
        for lens in ("knew", "hindsight"):
            assert each[lens]["exact"] and each[lens]["chosen"]["mean"] == pytest.approx(chosen, abs=1e-6)
            assert each[lens]["best"]["value"]["mean"] == pytest.approx(best, abs=1e-6)
            assert each[lens]["loss"] == pytest.approx(best - chosen, abs=1e-6)
    for each, value in zip(found["series"], [*values, float(bool(match.outcome.winners))]):
        assert [v["mean"] for v in each["values"]] == pytest.approx([value] * 3, abs=1e-6)
    lost = sum(best - chosen for chosen, best in decisions)
    assert sum(seat["skill"]["mean"] for seat in found["seats"]) == pytest.approx(-lost, abs=1e-4)


def test_perfect_play_is_flawless():
    found = analyse(played(ILE.match(2, seed=8), "capitaine"))
    assert [seat["accuracy"] for seat in found["seats"]] == [1, 1]
    assert [whole(seat["skill"]["mean"]) for seat in found["seats"]] == [0, 0]
    assert {each["verdict"] for each in found["decisions"]} <= {None, "good"}


# -- blunders and moments ---------------------------------------------------------------------------------------------


def test_a_planted_blunder_is_found_and_named():
    match = ILE.match(2, seed=4)
    solution = solver.solution(ILE)
    planted = None
    while not match.over:
        seat = match.to_act[0]
        legal, values = match.legal(seat), solution.action_values(match.state)
        worst = int(np.argmin(values))
        if planted is None and match.version > 8 and max(values) - values[worst] > 0.3:
            planted = match.version, ILE.notation(legal[worst]), ILE.notation(legal[int(np.argmax(values))])
            match.play(seat, legal[worst])
        else:
            match.play(seat, legal[int(np.argmax(values))])
    found = analyse(match)
    (blunder,) = [each for each in found["decisions"] if each["verdict"] == "blunder"]
    assert (blunder["place"], blunder["action"], blunder["knew"]["best"]["action"]) == planted
    (moment,) = [each for each in found["moments"] if each["place"] == planted[0]]
    assert moment["cause"] == CHOICE and moment["verdict"] == "blunder" and moment["action"] == planted[1]
    said = Commentary(match, found, ILE.words("en")).lines()
    assert any("a big mistake" in line and f"Step {planted[0] + 1}," in line for line in said)
    for errors in Commentary(match, found, ILE.words("en")).to_dict()["errors"].values():  # nothing is hidden here
        assert errors[0]["place"] == planted[0] and "a big mistake" in errors[0]["text"]


def test_a_planted_blunder_is_found_by_search_too():
    for luck in range(20):
        match = begun(FPP, 4, luck, 23)
        seat = match.to_act[0]
        decision = Decision(FPP, match.view_state(seat), match.legal(seat), iterations=2000)
        values = {action: decision.value(action).value.mean for action in match.legal(seat)}
        worst = min(values, key=values.__getitem__)
        if max(values.values()) - values[worst] > 0.3:
            break
    assert decision.exact and max(values.values()) - values[worst] > 0.3
    place = match.version
    match.play(seat, worst)
    step = list(_steps(match, ()))[place]
    effort = Effort(FPP.id, 0, None, 60, 10)
    lens = examine(effort, step).knew
    assert not lens.exact  # so few iterations mustn't solve it
    assert _verdict(lens) == "blunder"


def test_moments_are_the_greatest_swings_in_order_and_name_their_player(ile):
    match, found = ile
    swings = []
    for before, after in zip(found["series"], found["series"][1:]):
        swings.append(max(abs(a["mean"] - b["mean"]) for a, b in zip(after["values"], before["values"])))
    places = [moment["place"] for moment in found["moments"]]
    assert places == sorted(places) and len(places) == 3
    assert sorted((swings[place] for place in places), reverse=True) == sorted(swings, reverse=True)[:3]
    for moment in found["moments"]:
        entry = match.journal[moment["place"]]
        assert (moment["cause"] == LUCK) == (entry.seat == CHANCE)
        assert moment["seat"] == (None if entry.seat == CHANCE else entry.seat)
        assert [each["kind"] for each in moment["events"]] == [e.kind for e in match.steps[moment["place"]].events]


def pretended(swings, share=0.25):
    """Instead of `chances`: playouts of four who are even, but for those swings of the first (by place)."""

    def chances(game, states, playouts=None, seconds=None, seed=0):
        place = places[states.tobytes()]
        mine = share + sum(swing for after, swing in swings.items() if place > after)
        odds = [mine, *[(1 - mine) / 3] * 3]
        mean = np.random.default_rng(seed).multinomial(playouts, odds) / playouts
        return Chances(mean, np.maximum(mean * (1 - mean), 1 / (playouts + 2)) / (playouts - 1))

    places = {}
    return chances, places


def decided(match, monkeypatch, swings, seed, playouts):
    """What decided a match whose chances are pretended."""
    pretend, places = pretended(swings)
    places |= {step.settled: step.place for step in _steps(match, ())}
    places |= {step.alone: step.place for step in _steps(match, ()) if step.alone}
    monkeypatch.setattr(analysis, "chances", pretend)
    monkeypatch.setattr(analysis, "_weigh", lambda *_all: None)
    return analyse(match, playouts=playouts, seed=seed, jobs=1)


def test_noise_decides_nothing_in_a_long_match_and_a_real_swing_is_found(monkeypatch):
    match = played(SAUVE.match(4, seed=1))
    assert len(match.journal) > 150
    quiet = [decided(match, monkeypatch, {}, seed, 30) for seed in range(20)]
    told = [sum(moment["sure"] for moment in found["moments"]) for found in quiet]
    assert sum(map(bool, told)) <= 3, told  # 1 is allowed
    swings = [max(abs(b["mean"] - a["mean"]) for a, b in zip(one["values"], two["values"]))
              for one, two in pairwise(quiet[0]["series"])]  # fmt: skip
    assert max(swings) > 0.25  # which looks like something
    nothing = quiet[0] | {"moments": []}
    assert Commentary(match, nothing, SAUVE.words("en")).lines()[4].strip() == str(NOTHING_DECIDED)
    place = next(step.place for step in _steps(match, ()) if step.place > 90 and len(step.legal) > 1)
    covered = 0
    for seed in range(10):
        found = decided(match, monkeypatch, {place: 0.5}, seed, 48)
        (moment,) = [each for each in found["moments"] if each["place"] == place]
        covered += moment["change"]["low"] < 0.5 < moment["change"]["high"]
        assert moment["who"] == 0
        assert moment["change"]["mean"] == pytest.approx(moment["after"][0] - moment["before"][0], abs=2e-6)
        said = Commentary(match, found, SAUVE.words("en")).moment(moment)
        reach = round(100 * (moment["change"]["high"] - moment["change"]["mean"]))
        assert said.endswith(f"% (±{reach}).")
    assert covered >= 8


@pytest.mark.parametrize(("lang", "probably"), [("en", "Probably: step "), ("fr", "Probablement : étape ")])
def test_three_moments_are_told_and_those_that_are_not_sure_say_so(lang, probably, monkeypatch):
    match = played(SAUVE.match(4, seed=1))
    places = [step.place for step in _steps(match, ()) if len(step.legal) > 1 and step.place < 200][10:40:10]
    swings = dict(zip(places, (0.5, -0.2, 0.25)))
    found = [decided(match, monkeypatch, swings, seed, 30) for seed in range(6)]
    for each in found:
        assert len(each["moments"]) == 3
        said = Commentary(match, each, SAUVE.words(lang)).to_dict()["moments"]
        for moment, sentence in zip(each["moments"], said):
            text = sentence["text"].replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
            assert text.startswith(probably) == (not moment["sure"])
            change = moment["change"]
            assert moment["sure"] or abs(change["mean"]) > (change["high"] - change["mean"]) / 2
    sure = [[moment["place"] for moment in each["moments"] if moment["sure"]] for each in found]
    assert all(places[0] in each for each in sure) and sum(map(len, sure)) < 18
    told = [moment["place"] for each in found for moment in each["moments"]]
    assert sum(place in places for place in told) >= 14  # most of the others are real too


def test_a_moment_says_what_would_have_been_better(fpp):
    match, found = fpp
    decision = next(each for each in found["decisions"] if each["knew"])
    place, best = decision["place"], decision["knew"]["best"]
    for low, high, said in ((-0.4, -0.1, "Better:"), (-0.4, 0.1, "Perhaps better:"), (0.1, 0.3, "no better choice")):
        margin = {"mean": (low + high) / 2, "low": low, "high": high}
        decisions = [each | {"knew": each["knew"] | {"margin": margin}} if each is decision else each
                     for each in found["decisions"]]  # fmt: skip
        told = Commentary(match, found | {"decisions": decisions}, FPP.words("en")).instead(place)
        assert said in told and (high > 0.2 or FPP.say_action(FPP.action(best["action"]), FPP.words("en")) in told)


def test_the_size_of_a_moment_is_hardly_exaggerated(monkeypatch):
    """Told from the estimates by which they are chosen, the greatest of many would seem greater than they are."""
    match = played(SAUVE.match(4, seed=1))
    places = [step.place for step in _steps(match, ()) if len(step.legal) > 1 and step.place < 200][::12]
    up = {place: (0.2 if k % 2 == 0 else -0.2) for k, place in enumerate(places)}
    told = []
    for seed in range(12):
        told += [abs(each["change"]["mean"]) for each in decided(match, monkeypatch, up, seed, 100)["moments"]]
    assert len(told) >= 24
    assert np.mean(told) == pytest.approx(0.2, abs=0.04)


def test_a_planted_blunder_is_a_moment_by_playouts_too():
    for luck in range(20):
        match = begun(FPP, 4, luck, 23)
        seat = match.to_act[0]
        decision = Decision(FPP, match.view_state(seat), match.legal(seat), iterations=2000)
        values = {action: decision.value(action).value.mean for action in match.legal(seat)}
        worst = min(values, key=values.__getitem__)
        if max(values.values()) - values[worst] > 0.3:
            break
    branch = match.fork()
    place = branch.version
    branch.play(seat, worst)
    found = analyse(played(branch, "matelot"), iterations=20, playouts=100, jobs=1)
    assert place in [each["place"] for each in found["moments"]]


# -- accuracy ---------------------------------------------------------------------------------------------------------


def lens_of(margin):
    """A choice worth 25%, with this margin over the best alternative."""
    value = Interval(0.25, 0.2, 0.3)
    return Weighing(value, 1, Interval(0.25 - margin.mean, 0.0, 1.0), margin, False, (), {})


def test_a_loss_counts_only_beyond_the_uncertainty():
    assert _loss(lens_of(Interval(-0.03, -0.05, -0.01))) == 0.03
    assert _loss(lens_of(Interval(-0.03, -0.07, 0.01))) == 0
    assert _loss(lens_of(Interval(0.03, 0.01, 0.05))) == 0
    assert (
        _verdict(lens_of(Interval(-0.3, -0.7, 0.1))) == "good"
        and _verdict(lens_of(Interval(-0.3, -0.4, -0.2))) == "blunder"
    )


def test_one_blunder_in_sixty_choices_is_counted_in_points(fpp):
    match, found = fpp
    step = next(step for step in _steps(match, ()) if len(step.legal) > 1)
    margins = [Interval(-0.02, -0.08, 0.04)] * 59 + [Interval(-0.25, -0.3, -0.2)]  # a noisy search, and one blunder
    decisions = [{"seat": 0, "knew": _lens(match, step, lens_of(m)), "verdict": _verdict(lens_of(m))} for m in margins]
    told = _accuracy(0, decisions)
    assert told["loss"] == 0.25 and told["verdicts"]["blunder"] == 1 and told["decisions"] == 60
    assert told["accuracy"] == pytest.approx(1 - 0.25 / (60 * 0.25 + 0.25), abs=1e-6)
    said = {language: Commentary(match, found, FPP.words(language)).accuracy(told) for language in LANGUAGES}
    assert said["en"].endswith("98% of their chances kept, in 60 choices. Points of winning chance lost: 25.")
    assert said["fr"].endswith(" 25.")
    for seat in found["seats"]:
        own = [each["knew"] for each in found["decisions"] if each["seat"] == seat["seat"] and each["knew"]]
        sure = [-each["margin"]["mean"] for each in own if each["margin"]["high"] < 0]
        assert seat["loss"] == pytest.approx(sum(sure), abs=1e-5)
        assert seat["loss"] <= sum(max(0, -each["margin"]["mean"]) for each in own)


# -- two lenses -------------------------------------------------------------------------------------------------------


def step_of(match, seat, action):
    state = match.states.tobytes()
    place = match.version
    return JournalStep(place, seat, action, state, state, state, b"", place, tuple(match.legal(seat)), ())


@pytest.mark.parametrize("game", game_ids())
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_what_a_seat_knew_does_not_change_when_only_hidden_facts_do(game, data):
    game = load(game)
    setup = data.draw(st.sampled_from(list(setups(game))))
    match = begun(game, setup.players, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 30)), setup.options)
    seat = match.to_act[-1]
    action = data.draw(st.sampled_from(list(match.legal(seat))))
    twin = match.fork()
    twin.states[:] = revive(match.view_state(seat).tobytes(), game.dtype)
    room = np.zeros(max(game.actions, game.chances), np.int64)
    game.rules.guess(PlainStates(twin.states)[0], seat, stream(data.draw(st.integers(0, 999)), 5), room)
    effort = Effort(game.id, 1, None, 10, 1)
    lenses = [examine(effort, step_of(truth, seat, action)).knew for truth in (match, twin)]
    assert repr(lenses[0]).encode() == repr(lenses[1]).encode()


def test_hindsight_knows_what_the_others_sealed_in_any_order():
    """Two sealed choices in either order: what each knew is the same, and so is hindsight."""
    mine, theirs = "program run pull extend", "program charge pull extend"
    found = []
    for order in ((0, 1, 2), (2, 1, 0)):
        match = WTP.match(3, seed=1)
        for seat in order:
            match.play(seat, mine if seat == 0 else theirs)
        place = next(k for k, entry in enumerate(match.journal) if entry.seat == 0)
        found.append(list(_steps(match, ()))[place])
    first, last = found
    assert first.hindsight == last.hindsight == last.state
    assert first.state != first.hindsight
    sealed = revive(first.hindsight, WTP.dtype)[0].sealed
    assert [int(choice) for choice in sealed[:3]] == [-1, WTP.action(theirs), WTP.action(theirs)]


def test_hindsight_differs_where_a_hidden_fact_matters():
    """If the others' programs are known, another program is best or the values differ."""
    effort = Effort(WTP.id, 1, None, 60, 1)
    told = set()
    for theirs in ("program charge pull extend", "program extend retract run"):
        match = WTP.match(3, seed=1)
        for seat, action in ((1, theirs), (2, theirs), (0, "program run pull extend")):
            match.play(seat, action)
        step = next(step for step in _steps(match, ()) if step.seat == 0)
        studied = examine(effort, step)
        told.add(repr(studied.hindsight))
        knew = repr(studied.knew)
    assert len(told) == 2
    assert knew not in told


# -- promises ---------------------------------------------------------------------------------------------------------


def test_promises_kept_and_broken_are_shown_with_their_worth(tmp_path):
    match = SAUVE.match(3, seed=1, options={"first": 0})
    while len(match.to_act) == 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    offers = SAUVE.offers

    def made(seat, **offer):
        return {"seat": seat, "offer": offers.check(match, seat, offer), "version": match.version}

    made_there = [
        made(0, kind="promise", vote="leak", lane=1),
        made(1, kind="promise", vote="leak", lane=5),
        made(2, kind="promise", vote="overboard", crew="blue"),
        made(2, kind="alliance", crew="green"),
    ]
    place = match.version
    for seat, lane in enumerate((1, 2, 1)):
        match.play(seat, {"kind": "vote", "lane": lane})
    assert offers.promised(match, made_there[0]) == (place, SAUVE.action("vote 1"))
    assert offers.promised(match, made_there[1]) == (place + 1, SAUVE.action("vote 5"))
    assert offers.promised(match, made_there[2]) is None and offers.promised(match, made_there[3]) is None
    match.offers = made_there
    match.save(tmp_path / "match.json")
    match = Match.load(tmp_path / "match.json")
    found = analyse(match, jobs=1, **LITTLE)
    assert found == analyse(match, jobs=1, offers=made_there, **LITTLE)
    kept, broken, never, alliance = found["promises"]
    assert [each["kept"] for each in found["promises"]] == [True, False, None, True]
    vote = next(each for each in found["decisions"] if each["place"] == place)
    assert kept["worth"]["knew"] == vote["knew"]["margin"]
    assert broken["worth"]["knew"]["mean"] is not None and broken["worth"]["hindsight"]["mean"] is not None
    assert never["worth"] == alliance["worth"] == {"knew": None, "hindsight": None}
    for language in LANGUAGES:
        said = Commentary(match, found, SAUVE.words(language)).lines()
        assert sum(SAUVE.offers.say(each["offer"], each["seat"], SAUVE.words(language)) in " ".join(said)
                   for each in made_there) == 4  # fmt: skip
        promises = Commentary(match, found, SAUVE.words(language)).to_dict()["promises"]
        assert [each["place"] for each in promises] == [place, place + 1, None, None]
        assert {each["text"] for each in promises} <= {line.strip() for line in said}


@pytest.mark.parametrize(
    ("mean", "reach", "kept", "english", "french"),
    [
        (0.04, 0.02, True, "Kept: that gained 4 points of winning", "tenue : 4 points de chances gagnés."),
        (-0.01, 0.0, True, "Kept: that cost 1 point of winning", "tenue : 1 point de chances perdu."),
        (-0.31, 0.05, False, "Broken: that cost 31 points of winning", "rompue : 31 points de chances perdus."),
        (0.02, 0.03, False, "Broken. That made no clear difference.", "rompue. Cela n’a pas vraiment compté."),
        (0.004, 0.001, True, "Kept. That made no clear difference.", "tenue. Cela n’a pas vraiment compté."),
        (float("nan"), 0.0, False, "Broken.", "rompue."),
    ],
)
def test_a_promise_is_worth_something_only_beyond_the_uncertainty(mean, reach, kept, english, french):
    worth = {"mean": mean, "low": mean - reach, "high": mean + reach}
    offer = {"kind": "promise", "vote": "leak", "lane": 2}
    promise = {"seat": 0, "offer": offer, "kept": kept, "worth": {"knew": worth, "hindsight": worth}}
    for language, wanted in (("en", english), ("fr", french)):
        said = Commentary(SAUVE.match(3, seed=1), {}, SAUVE.words(language)).promise(promise)
        assert wanted in said.replace("\xa0", " ")


# -- how it runs ------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_analysis_on_any_number_of_processes(fpp):
    match, found = fpp
    assert analyse(match, jobs=2, **LITTLE) == found
    assert analyse(match, jobs=1, seed=1, **LITTLE)["digest"] != found["digest"]


def test_closing_a_study_ends_its_processes():
    match = begun(SAUVE, 3, 1, 30)
    before = set(active_children())
    studying: Iterator = study(match, iterations=20, playouts=20, jobs=2)
    assert next(studying).place == 0
    mine = set(active_children()) - before
    assert len(mine) == 2
    studying.close()
    for child in mine:
        child.join(30)
        assert not child.is_alive()


def test_progress_counts_every_step_and_may_cancel():
    class Enough(Exception):
        pass

    told = []

    def progress(done, steps):
        told.append((done, steps))
        if done == 3:
            raise Enough

    match = begun(FPP, 2, 1, 9)
    with suppress(Enough):
        analyse(match, jobs=1, progress=progress, **LITTLE)
    assert told == [(k, match.version + 1) for k in (1, 2, 3)]


def test_by_the_clock_it_takes_about_that_long_and_says_so():
    match = begun(FPP, 2, 1, 5)
    found = analyse(match, 0.3, jobs=1)
    assert not found["reproducible"] and found["seconds"] == 0.3
    assert len(found["series"]) == match.version + 1


def test_on_a_slow_machine_the_later_steps_take_less_time_so_that_it_ends_when_it_should(monkeypatch):
    now, seconds = [1000.0], []

    def slow(effort, step):
        seconds.append(effort.seconds)
        now[0] += 4 * effort.seconds * analysis._work(step)  # four processes share the core
        return Studied(step.place, Chances(np.full(2, 0.5), np.zeros(2)), None, None, None)

    monkeypatch.setattr(analysis, "examine", slow)
    monkeypatch.setattr(analysis.time, "time", lambda: now[0])
    match = played(FPP.match(2, seed=3))
    analyse(match, 20.0, jobs=1)
    assert now[0] == pytest.approx(1016, abs=2.0) and seconds[0] > 4 * seconds[-1] > 0


def test_with_a_clock_every_position_has_the_least_number_of_playouts_however_long_they_take():
    match = begun(FPP, 4, 7, 4)
    hurried, enough = (chances(FPP, match.states, least, seconds=1e-9, seed=1) for least in (None, 200))
    assert enough.variance.max() <= 0.25 / 199 < hurried.variance.min()
    found = analyse(begun(FPP, 2, 1, 3), 1e-6, playouts=200, jobs=1)
    for each in found["series"]:
        assert all(value["high"] - value["low"] <= 2 * 1.96 * (0.25 / 199) ** 0.5 for value in each["values"])


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"playouts": 0}, {"jobs": 0}, {"seconds": -1}, {"seed": 1 << 70}])
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(BadOption):
        analyse(FPP.match(2, seed=1), **wrong)


# -- for people and machines ------------------------------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch, capfd):
    """Run `tribord` in this process: (exit status, stdout, stderr)."""

    def run(*args, lang="en"):
        monkeypatch.setenv("TRIBORD_LANG", lang)
        status = main([str(arg) for arg in args])
        return status, *capfd.readouterr()

    return run


def test_the_command_says_the_same_as_the_function(ile, here, tmp_path):
    match, found = ile
    match.save(tmp_path / "match.json")
    status, out, _err = here("analyse", tmp_path / "match.json", "--json")
    assert status == 0
    assert json.loads(out) == json.loads(json.dumps(found))


@pytest.mark.parametrize(("lang", "luck"), [("fr", "Hasard et talent"), ("en", "Luck and skill")])
def test_the_command_speaks_and_writes_a_page(lang, luck, fpp, here, tmp_path):
    match, found = fpp
    match.save(tmp_path / "match.json")
    page = tmp_path / "page.html"
    arguments = ["analyse", tmp_path / "match.json", "--iterations", 8, "--playouts", 12, "--jobs", 1]
    status, out, _err = here(*arguments, "--report", page, lang=lang)
    assert status == 0 and luck in out and "Anne" in out and "{" not in out
    assert out.splitlines() == Commentary(match, found, FPP.words(lang)).lines()
    written = page.read_text(encoding="utf-8")
    HTMLParser().feed(written)
    assert f'lang="{lang}"' in written and written.count("<polyline") == 2 and luck in written
    assert "http" not in written  # it needs nothing else
    choices = [each for each in found["decisions"] if each["knew"]]
    rows = re.findall(r"<tr><td>(\d+)</td><td>.*?</td><td>.*?</td><td>.*?\d.*?</td><td>.*?\d.*?</td></tr>", written)
    assert [int(place) for place in rows] == [each["place"] + 1 for each in choices]
    status, _out, err = here(*arguments, "--report", page, lang=lang)
    assert status == 2 and "page.html" in err


def test_every_field_of_an_analysis_is_documented(fpp, ile):
    documented = set(re.findall(r"`([a-z_]+)`", DOCS.read_text(encoding="utf-8")))

    def fields(content):
        if isinstance(content, dict):
            yield from content
            for value in content.values():
                yield from fields(value)
        elif isinstance(content, list):
            for value in content:
                yield from fields(value)

    def of_the_game(result):  # its own names: options, kinds of event, lots
        for seat in result["seats"]:
            yield from seat["luck_by"]
        yield from result["options"]
        for moment in result["moments"]:
            for each in moment["events"]:
                yield from each["fields"]
        for each in result["decisions"]:
            for lens in ("knew", "hindsight"):
                for ply in (each[lens] or {}).get("line", ()):
                    for happened in ply["events"]:
                        yield from happened["fields"]

    for _match, result in (fpp, ile):
        assert set(fields(result)) - set(of_the_game(result)) - documented == set()
