"""Luck in the arena: the correction is zero on average, and the intervals keep their promise."""

import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tribord import BadOption, load
from tribord.bots import solver
from tribord.bots.decision import carry_out
from tribord.cli import main
from tribord.core.chance import below, stream
from tribord.core.record import CHANCE, duplicate
from tribord.lab import arena as arena_module
from tribord.lab import contest
from tribord.lab import luck as luck_module
from tribord.lab.arena import arena, corrected_credit, credit
from tribord.lab.contest import Fixture, Played, play, play_match, terms
from tribord.lab.interval import mean_of, skewed_mean_of
from tribord.lab.luck import CHOICES, COEFFICIENTS, DRAWS, Values, coefficients, fit, measure, redrawn
from tribord.lab.solve import evaluate_policy

FPP, ILE, SAUVE, WTP = (
    load(name) for name in ("faut-pas-pousser", "ile-aux-pirates", "sauve-qui-peut", "walk-the-plank")
)
STRATEGIC = {"game": "strategic"}


def before_a_draw(game, players, options, luck):
    """A match that random players have played up to a draw that is still pending."""
    match = game.match(players, seed=luck, options=options)
    rng = stream(luck)
    draws = [k for k, entry in enumerate(match.journal) if entry.seat == CHANCE]
    while len(draws) < 3:
        seat = match.to_act[0]
        legal = match.legal(seat)
        match.play(seat, legal[below(rng, len(legal))])
        draws = [k for k, entry in enumerate(match.journal) if entry.seat == CHANCE]
    journal = match.journal[: draws[-1]]
    match.restart()
    for entry in journal:
        match.follow(entry)
    assert not match.to_act and match.weights()
    return match


@pytest.mark.parametrize(("game", "options"), [(FPP, {}), (ILE, {}), (ILE, STRATEGIC)])
def test_a_draw_is_worth_nothing_on_average(game, options):
    for luck in range(3):
        match = before_a_draw(game, 2, options, luck)
        values = Values(game, match.state)
        weights = np.array(match.weights(), float)
        after = []
        for outcome in range(len(weights)):
            states = duplicate(match.states)
            if weights[outcome]:
                carry_out(game, states, CHANCE, outcome)
            after.append(values.of(states[0]))
        assert weights @ np.array(after) / weights.sum() == pytest.approx(values.expected(match.state), abs=1e-9)


def test_a_fit_never_has_the_dice_of_a_run(monkeypatch, capsys):
    """Otherwise the coefficients would be fitted to the very matches they correct."""
    given = []
    monkeypatch.setattr(
        contest, "play", lambda agreed, fixture: given.append((agreed, fixture)) or play(agreed, fixture)
    )
    monkeypatch.setattr(sys, "argv", ["luck", FPP.id, "--players", "2", "--matches", "2", "--redraws", "1"])
    luck_module.main()
    assert capsys.readouterr().out.startswith("LUCK = (")
    (fitted, fixture), _second = given
    run = terms(FPP, 2, None, 0, redraws=1)
    assert (fitted.seed, fitted.full_seed, run.full_seed) == (0, "fit:0", "0")
    (match, crew), (other, other_crew) = play_match(fitted, fixture), play_match(run, fixture)
    assert match.journal != other.journal
    assert [bot.bot.seed for bot in crew] != [bot.bot.seed for bot in other_crew]
    assert play_match(replace(fitted, prefix=""), fixture)[0].journal == other.journal


def test_perfect_play_without_luck_is_worth_what_the_solution_says_in_every_match():
    agreed = terms(ILE, 2, None, 7)
    opening = ILE.match(2, seed=1)
    opening.restart()
    worth = solver.solution(ILE).value(opening.state)
    outcomes = set()
    for number in range(12):
        played = play(agreed, Fixture(number, number, ("capitaine", "capitaine")))
        outcomes.add(credit(played, 0, True))
        assert corrected_credit(played, 0, COEFFICIENTS, True) == pytest.approx(worth, abs=1e-4)
    assert outcomes == {0.0, 1.0}  # with luck, some were lost


@cache
def sailors(matches, redraws):
    """Matches of sailors in L'Île's base game: (plain results, results without luck)."""
    agreed = terms(ILE, 2, None, 11, redraws=redraws)
    played = [play(agreed, Fixture(number, number, ("matelot", "matelot"))) for number in range(matches)]
    return [credit(m, 0, True) for m in played], [corrected_credit(m, 0, COEFFICIENTS, True) for m in played]


def covered(values, size, truth):
    """How many of the intervals over this many matches contain the truth, and how many there are."""
    intervals = [skewed_mean_of(values[k : k + size]) for k in range(0, len(values) - size + 1, size)]
    return sum(each.low <= truth <= each.high for each in intervals), len(intervals)


def sailors_worth():
    """What a sailor wins in L'Île's base game, exactly."""
    opening = ILE.match(2, seed=1)
    opening.restart()
    policy = evaluate_policy(ILE, solver.TEMPERATURES["matelot"])
    return float(policy[solver.solution(ILE).module.position(opening.state)])


def test_without_luck_the_estimate_agrees_with_the_exact_worth_and_is_many_times_as_sure():
    truth = sailors_worth()
    plain, corrected = sailors(160, 1)
    for values in (plain, corrected):
        found = mean_of(values)
        assert found.low <= truth <= found.high
    assert np.var(plain) > 10 * np.var(corrected)
    hits, intervals = covered(corrected, 8, truth)
    assert intervals == 20 and hits >= 16


@pytest.mark.parametrize("rounds", [10, 20, 40])
@pytest.mark.parametrize("worst", ["exponential", "rare"])
def test_the_interval_covers_as_it_claims_with_few_skewed_rounds(worst, rounds):
    """Most rounds go well, and some mistakes cost a lot; Student's interval alone covers 89 to 92 % of these means."""
    rng = np.random.default_rng(5)
    if worst == "exponential":
        samples, truth = 1 - rng.exponential(0.1, (2000, rounds)), 0.9
    else:
        samples, truth = 0.9 - 0.3 * rng.beta(0.4, 1.6, (2000, rounds)), 0.9 - 0.3 * 0.2
    hits = sum(each.low <= truth <= each.high for each in map(skewed_mean_of, samples))
    assert hits >= 0.94 * 2000
    assert hits > sum(each.low <= truth <= each.high for each in map(mean_of, samples)) + 40


def test_without_skewness_the_interval_is_students():
    assert skewed_mean_of([1.0, 2.0, 3.0]) == mean_of([1.0, 2.0, 3.0])
    assert skewed_mean_of([2.0, 2.0]) == mean_of([2.0, 2.0]) and skewed_mean_of([1.0]) == mean_of([1.0])


@pytest.mark.long
def test_its_interval_covers_as_often_as_it_claims():
    truth = sailors_worth()
    _plain, corrected = sailors(4000, 1)
    hits, intervals = covered(corrected, 40, truth)
    assert intervals == 100 and hits >= 90
    found = mean_of(corrected)
    assert found.low <= truth <= found.high


@pytest.mark.parametrize(
    ("game", "players", "options", "bots"),
    [
        (FPP, 2, None, ("mousse", "uniform")),
        (FPP, 2, None, ("matelot", "mousse")),
        (SAUVE, 3, None, ("mousse", "uniform", "mousse")),
        (WTP, 3, None, ("mousse", "uniform", "mousse")),
    ],
)
def test_what_is_taken_off_is_zero_on_average(game, players, options, bots):
    agreed = terms(game, players, options, 3, redraws=1)
    luck = np.array([play(agreed, Fixture(n, n, bots)).luck for n in range(40)])
    for part in (DRAWS, CHOICES):
        for seat in range(players):
            values = luck[:, seat, part]
            assert abs(values.mean()) <= 4 * values.std() / len(values) ** 0.5 + 1e-9
    assert luck[:, :, CHOICES].std() > 0.02


@pytest.mark.long
def test_plain_and_corrected_agree_over_many_runs_in_every_game():
    for game, players, options in ((FPP, 2, None), (SAUVE, 3, None), (WTP, 3, None), (ILE, 2, STRATEGIC)):
        weights = coefficients(game, game.match(players, seed=0, options=options).state)
        agreed = terms(game, players, options, 5, redraws=1)
        differences = []
        for number in range(300):
            played = play(agreed, Fixture(number, number, ("mousse",) * players))
            differences.append(
                credit(played, 0, game.cooperative) - corrected_credit(played, 0, weights, game.cooperative)
            )
        found = mean_of(differences)
        assert abs(found.mean) <= 4 * np.std(differences) / 300**0.5


def test_only_bots_that_remember_nothing_are_drawn_again():
    view = FPP.match(4, seed=1).view_state(0)
    assert all(redrawn(name, FPP, view) for name in ("uniform", "mousse", "matelot"))
    assert not any(redrawn(name, FPP, view) for name in ("bosco", "capitaine", "capitaine@2", "cmd:./mine", "py:a:B"))
    assert redrawn("capitaine", ILE, ILE.match(2, seed=1).view_state(0))  # it plays by the solution
    agreed = terms(FPP, 2, None, 3, redraws=1)
    played = play(agreed, Fixture(0, 0, ("mousse", "mousse")))
    assert any(row[CHOICES] for row in played.luck)
    match = FPP.match(2, "3:0", agreed.options)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    assert not any(row[CHOICES] for row in measure(match, ["py:a:B", "cmd:./mine"], 1))


def test_the_coefficients_that_fit_take_the_luck_off():
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(400, 2))
    assert fit(list(0.5 + 0.8 * luck[:, 0] - 0.3 * luck[:, 1]), luck.tolist()) == (0.8, -0.3)
    assert coefficients(ILE, ILE.match(2, seed=1).state) == COEFFICIENTS
    assert coefficients(ILE, ILE.match(2, seed=1, options=STRATEGIC).state) != COEFFICIENTS


def test_the_arena_gives_both_estimates_and_the_same_matches():
    plain = arena(FPP, ["mousse", "uniform"], 2, 12, 1, jobs=1)
    redrawn_too = arena(FPP, ["mousse", "uniform"], 2, 12, 1, jobs=1, redraws=1)
    assert plain["digest"] == redrawn_too["digest"]
    assert [s["win_share"] for s in plain["standings"]] == [s["win_share"] for s in redrawn_too["standings"]]
    for result in (plain, redrawn_too):
        corrected = [standing["corrected"] for standing in result["standings"]]
        assert sum(each["win_share"]["mean"] for each in corrected) == pytest.approx(1, abs=1e-5)
        assert all(each["as_sure_as"] is None or each["as_sure_as"] > 0 for each in corrected)
    assert plain["standings"][0]["corrected"] != redrawn_too["standings"][0]["corrected"]


@pytest.mark.parametrize(("lang", "said"), [("fr", "sans le hasard"), ("en", "without luck")])
def test_the_command_shows_it_too(lang, said, capfd):
    arguments = ["faut-pas-pousser", "--players", "2", "--bots", "mousse,uniform", "--matches", "4", "--redraws", "1"]
    assert main(["arena", *arguments, "--jobs", "1", "--lang", lang]) == 0
    assert said in capfd.readouterr().out


def test_matches_of_an_older_file_have_no_luck_to_take_off():
    old = Played(0, 0, ["a", "b"], [1, 0], [0], "end", 2, [1, 1], [0.0, 0.0], [{}, {}], ["", ""])
    found = arena_module.summary(FPP, ["a", "b"], [old], 1)
    assert all("corrected" not in standing for standing in found["standings"])


@pytest.mark.parametrize("wrong", [{"redraws": -1}, {"redraws": 1, "clock": 0.1}])
def test_what_cannot_be_redrawn_is_refused(wrong):
    with pytest.raises(BadOption):
        arena(FPP, ["mousse", "uniform"], 2, 2, **wrong)
