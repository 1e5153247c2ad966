"""Every game in PettingZoo: PettingZoo's own tests, secrets, the same match as in Tribord, and the rules' refusals."""

from __future__ import annotations

import copy
import importlib
import logging
import pickle
import runpy
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)

from tribord import game_ids, load
from tribord.core import verbs
from tribord.core.chance import stream
from tribord.core.match import Entry, Match
from tribord.core.record import CHANCE
from tribord.core.refusal import BadOption, UnknownGame
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id

Table = tuple[str, int, dict[str, Any]]

GAMES = [load(name) for name in game_ids()]
OPTIONS: list[Table] = [
    ("faut-pas-pousser", 3, {"age": [2, 0, 1]}),
    ("sauve-qui-peut", 3, {"boats": "players+1", "first": 2}),
    ("walk-the-plank", 3, {"skulls": ["drag", "charge"], "rounds": 5}),
    ("walk-the-plank", 4, {"skulls": [], "rounds": 2}),
    ("ile-aux-pirates", 1, {"game": "strategic"}),
    ("ile-aux-pirates", 4, {"game": "strategic", "hard": True, "harder": True, "memory": False, "first": 1}),
    ("ile-aux-pirates", 2, {"turns": 12}),
]
TABLES: list[Table] = [(g.id, n, {}) for g in GAMES for n in range(g.players[0], g.players[1] + 1)] + OPTIONS
# Games where the first decisions go round the table, as PettingZoo's test of `max_cycles` assumes.
GOING_ROUND = [t for t in TABLES if t[0] in ("faut-pas-pousser", "sauve-qui-peut") or t[:2] == ("ile-aux-pirates", 1)]


def named(table: Table) -> str:
    return "-".join([table[0], str(table[1]), *table[2]])


at_every_table = pytest.mark.parametrize("table", TABLES, ids=named)

# PettingZoo recognizes its own games by name, and warns about others.
with_a_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # when the match is over
)


def makers(table: Table) -> SimpleNamespace:
    """The environments of a table, as a module of PettingZoo has them."""
    name, players, options = table
    return SimpleNamespace(
        env=partial(pettingzoo.env, name, players, options),
        raw_env=partial(pettingzoo.raw_env, name, players, options),
        parallel_env=partial(pettingzoo.parallel_env, name, players, options),
    )


class Lawful(Discrete):
    """An action space that samples legal actions, for PettingZoo's tests that ignore the mask."""

    def __init__(self, legal: Any):
        super().__init__(len(legal))
        self.legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        return super().sample(self.legal)


def lawful(make: Callable[..., Any], **arguments: Any) -> Any:
    """An environment with spaces that sample legal actions."""
    env = make(**arguments)
    rows = list(env._masks) if len(env._masks) == env.players else [env._masks[0]] * env.players
    env.action_spaces = {agent: Lawful(row) for agent, row in zip(env.possible_agents, rows, strict=True)}
    return env


def drawn(mask: np.ndarray, luck: np.random.Generator) -> int:
    return int(luck.choice(np.flatnonzero(mask)))


def legal_actions(seen: dict[str, Any], luck: np.random.Generator) -> dict[str, int]:
    """A legal action for every seat to act."""
    return {agent: drawn(one["action_mask"], luck) for agent, one in seen.items() if one["action_mask"].any()}


def told(infos: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The infos without the masks."""
    return {agent: {k: v for k, v in info.items() if k != "action_mask"} for agent, info in infos.items()}


def play(env: Any, luck: np.random.Generator, seed: int | None = None) -> tuple[dict[str, float], dict[str, Any]]:
    """A match at random; rewards and infos as every seat had them at its end."""
    env.reset(seed=seed)
    rewards, infos = {}, {}
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            assert not seen["action_mask"].any()
            rewards[agent], infos[agent] = reward, info
            env.step(None)
        else:
            assert reward == 0
            env.step(drawn(seen["action_mask"], luck))
    return rewards, infos


# -- PettingZoo's own tests -------------------------------------------------------------------------------------------


@with_a_mask
@at_every_table
def test_api(table: Table) -> None:
    api_test(makers(table).env())
    api_test(makers(table).raw_env(), num_cycles=10)


@at_every_table
def test_seeds(table: Table) -> None:
    seed_test(makers(table).env, num_cycles=100)


@at_every_table
def test_parallel_api(table: Table) -> None:
    parallel_api_test(makers(table).parallel_env())


@at_every_table
def test_parallel_seeds(table: Table) -> None:
    parallel_seed_test(makers(table).parallel_env)
    parallel_seed_test(partial(lawful, makers(table).parallel_env))


@pytest.mark.parametrize("table", GOING_ROUND, ids=named)
def test_max_cycles(table: Table) -> None:
    makes = makers(table)
    max_cycles_test(SimpleNamespace(env=partial(lawful, makes.env), parallel_env=partial(lawful, makes.parallel_env)))


@at_every_table
def test_max_cycles_where_turns_do_not_go_round(table: Table) -> None:
    """No seat decides more often, a parallel match has no more steps, and all are truncated without a reward."""
    env, luck = makers(table).env(max_cycles=2), np.random.default_rng(2)
    rewards, infos = play(env, luck, seed=4)
    assert set(rewards.values()) == {0.0}
    assert max(env._decided.values()) == 2
    assert not any(told(infos).values())
    together = makers(table).parallel_env(max_cycles=3)
    seen, _ = together.reset(seed=4)
    for step in range(3):
        assert together.agents == together.possible_agents
        seen, shares, ended, cut, _ = together.step(legal_actions(seen, luck))
        assert set(cut.values()) == {step == 2}
        assert not any(ended.values())
        assert not any(shares.values())
    assert not together.agents
    assert not any(one["action_mask"].any() for one in seen.values())


@at_every_table
def test_state(table: Table) -> None:
    state_test(lawful(makers(table).env), lawful(makers(table).parallel_env))


@at_every_table
def test_render(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(makers(table).env, {"svg": lambda text: ElementTree.fromstring(text).tag.endswith("svg")})
    assert capsys.readouterr().out.count("\n") > 20


# -- the same match ---------------------------------------------------------------------------------------------------


@at_every_table
def test_a_match_is_the_same_in_tribord(table: Table) -> None:
    """Decisions, and the throws of the same luck, lead to the same views, choices, points and winners."""
    env, luck = makers(table).raw_env(), np.random.default_rng(1)
    env.reset(seed=3)
    match = Match(env.game, env.players, 0, env.options)
    match.restart()
    rng, room = stream(3), np.zeros(env.game.engine.room, np.int64)

    def throw() -> None:
        while not match.to_act and match.weights():
            match.follow(Entry(CHANCE, int(verbs.roll(match.state, rng, room))))

    throw()
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        seat = env.possible_agents.index(agent)
        view = env.game.observe(match.view_state(seat), seat)
        assert np.array_equal(seen["observation"], view)
        assert np.flatnonzero(seen["action_mask"]).tolist() == match.legal(seat)
        if match.over:
            outcome = match.outcome
            assert outcome and terminated and not truncated
            assert (info["reason"], info["score"]) == (outcome.reason, outcome.scores[seat])
            sharing = 1 if env.game.cooperative else len(outcome.winners)
            assert reward == (1 / sharing if seat in outcome.winners else 0)
            env.step(None)
            continue
        assert seat == match.to_act[0]
        action = drawn(seen["action_mask"], luck)
        other = (seat + 1) % env.players
        assert other == seat or not env.observe(env.possible_agents[other])["action_mask"].any()
        env.step(np.int64(action))
        match.follow(Entry(seat, action))
        throw()
    assert match.over


@at_every_table
def test_turns_and_all_at_once_are_the_same_match(table: Table) -> None:
    env, together, luck = makers(table).env(), makers(table).parallel_env(), np.random.default_rng(7)
    seen, _ = together.reset(seed=5)
    env.reset(seed=5)
    rewards: dict[str, float] = {}
    infos: dict[str, Any] = {}
    at_once = 0
    while together.agents:
        actions = legal_actions(seen, luck)
        at_once = max(at_once, len(actions))
        for agent in actions:
            assert env.agent_selection == agent
            assert env.last()[0]["action_mask"].tolist() == seen[agent]["action_mask"].tolist()
            env.step(actions[agent])
        waiting = {agent: luck.choice([None, 0, 9999]) for agent in together.agents if agent not in actions}
        seen, rewards, *_, infos = together.step(actions | waiting)
        for agent in together.possible_agents:
            assert np.array_equal(env.observe(agent)["observation"], seen[agent]["observation"])
        assert np.array_equal(env.state(), np.concatenate([one["observation"] for one in seen.values()]))
        assert np.array_equal(env.state(), together.state())
    assert env.rewards == rewards
    assert told(env.infos) == told(infos)
    assert at_once == (env.players if "sealing" in (env.game.dtype.names or ()) else 1)


@pytest.mark.parametrize("name", game_ids())
def test_matches_are_those_of_a_batch(name: str) -> None:
    """Without a seed the next match uses the next stream, like the next one of a batch."""
    game = load(name)
    batch = game.batch(3, game.players[1], seed=11)
    while not batch.over.all():
        batch.step(np.where(batch.over, -1, batch.legal().argmax(axis=1)))
    env = pettingzoo.env(name, game.players[1])
    for k in range(3):
        env.reset(seed=None if k else 11)
        while not any(env.terminations.values()):
            env.step(int(env.last()[0]["action_mask"].argmax()))
        scores = [env.infos[agent]["score"] for agent in env.agents]
        assert scores == batch.scores[k].tolist()


def test_without_a_seed_no_match_is_like_another() -> None:
    first, second = pettingzoo.env("ile-aux-pirates", 3), pettingzoo.env("ile-aux-pirates", 3)
    dice = [[env.reset() or env.state().tobytes() for _ in range(8)] for env in (first, second)]
    assert dice[0] != dice[1]
    assert len(set(dice[0])) > 1


@pytest.mark.parametrize("keep", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("name", game_ids())
def test_a_copy_goes_on_by_itself(name: str, keep: Callable[[Any], Any]) -> None:
    env, luck = pettingzoo.env(name), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(5):
        env.step(drawn(env.last()[0]["action_mask"], luck))
    twins = [keep(env), keep(env)]
    before = env.state()
    for twin in twins:
        steps = np.random.default_rng(2)
        while not any(twin.terminations.values()):
            twin.step(drawn(twin.last()[0]["action_mask"], steps))
    assert told(twins[0].infos) == told(twins[1].infos)
    assert np.array_equal(twins[0].state(), twins[1].state())
    assert np.array_equal(env.state(), before)
    together = keep(pettingzoo.parallel_env(name))
    assert set(together.reset(seed=1)[0]) == set(together.agents)


def test_spaces_are_seeded_apart() -> None:
    env = pettingzoo.env("faut-pas-pousser", 2)
    spaces = [env.observation_space(agent) for agent in env.possible_agents]
    spaces[0].seed(1)
    expected = spaces[0].sample()["observation"]
    spaces[0].seed(1)
    spaces[1].seed(2)
    assert np.array_equal(spaces[0].sample()["observation"], expected)


def test_what_was_seen_stays_as_it_was() -> None:
    """A learner may keep an observation, or write into it."""
    env, luck = pettingzoo.env("faut-pas-pousser", 4), np.random.default_rng(1)
    env.reset(seed=1)
    seen = env.last()[0]
    kept = copy.deepcopy(seen)
    action = drawn(seen["action_mask"], luck)
    seen["action_mask"][action] = 0
    env.step(action)
    assert not told(env.infos)["seat_0"]
    assert np.array_equal(seen["observation"], kept["observation"])


@pytest.mark.parametrize("name", game_ids())
def test_every_game_is_a_module_as_in_pettingzoo(name: str) -> None:
    spelled = f"{name.replace('-', '_')}_v{load(name).version}"
    module = importlib.import_module(f"tribord.research.pettingzoo.{spelled}")
    assert module is getattr(pettingzoo, spelled)
    for make in (module.env, module.raw_env, module.parallel_env):
        env = make(players=load(name).players[1])
        assert env.metadata["name"] == spelled and env.game is load(name)
    assert f"tribord/{name.replace('-', ' ').title().replace(' ', '')}-v{load(name).version}" == env_id(load(name))


# -- seats that are out, and secrets ----------------------------------------------------------------------------------


def test_a_seat_that_is_out_waits_for_the_end() -> None:
    """Walk the Plank: no more turns once all pirates are dead; terminated together with all others at the end."""
    env, luck, outs = pettingzoo.env("walk-the-plank", 5), np.random.default_rng(1), 0
    for seed in range(5):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            out = [agent for agent, pirates in zip(env.agents, env._states[0].pirates) if not pirates]
            outs += len(out)
            assert env.agent_selection not in out
            assert len(env.agents) == 5
            env.step(drawn(env.last()[0]["action_mask"], luck))
        assert sum(env._cumulative_rewards.values()) in (0.0, pytest.approx(1.0))
        last_looks = [env.agent_selection for agent in env.agent_iter() if env.step(None) is None]
        assert len(last_looks) == 5
    assert outs


@settings(max_examples=60)
@given(
    st.sampled_from([t for t in TABLES if t[0] != "ile-aux-pirates"]),
    st.integers(0, 2**31),
    st.integers(0, 60),
    st.data(),
)
def test_a_sealed_choice_is_hidden_from_the_others(table: Table, seed: int, steps: int, data: st.DataObject) -> None:
    """Two worlds that differ in one sealed choice look the same to all others, and to the public."""
    world, luck = makers(table).raw_env(render_mode="ansi"), np.random.default_rng(seed)
    world.reset(seed=seed)
    while steps > 0 or world.game.engine.to_act(world._states[:1]).bit_count() < 2:
        world.step(drawn(world.last()[0]["action_mask"], luck))
        steps -= 1
        assume(not any(world.terminations.values()))
    other, chooser = copy.deepcopy(world), world.agent_selection
    legal = np.flatnonzero(world.last()[0]["action_mask"]).tolist()
    assume(len(legal) > 1)
    one, two = data.draw(st.lists(st.sampled_from(legal), min_size=2, max_size=2, unique=True))
    world.step(one)
    other.step(two)
    assert world.agent_selection == other.agent_selection != chooser
    for agent in world.agents:
        same = [np.array_equal(world.observe(agent)[key], other.observe(agent)[key]) for key in world.observe(agent)]
        assert all(same) == (agent != chooser)
    assert world.render() == other.render()


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    """The board of the game at every step, also printed; nothing unless requested."""
    match = load("faut-pas-pousser").match(4, 1)
    words = match.game.words("en")
    boards = [match.game.text.board(match.view(), words)]
    match.play(0, 2)
    boards.append(match.game.text.board(match.view(), words))
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        env = make("faut-pas-pousser", 4, render_mode="ansi")
        env.reset(seed=1)
        assert env.render() == boards[0]
    env = pettingzoo.env("faut-pas-pousser", 4, render_mode="human")
    env.reset(seed=1)
    env.step(2)
    assert capsys.readouterr().out == "\n".join(boards) + "\n"
    silent = pettingzoo.env("faut-pas-pousser", 2)
    silent.reset()
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert silent.render() is None


# -- refusals ---------------------------------------------------------------------------------------------------------


def picked(make: Callable[..., Any]) -> Any:
    """Faut pas pousser with four, when the picks are made."""
    env = make("faut-pas-pousser", 4)
    env.reset(seed=1)
    for action in range(4):
        env.step(action)
    return env


def test_an_illegal_action_ends_the_match_with_the_sentence_of_the_rules(caplog: pytest.LogCaptureFixture) -> None:
    env = picked(pettingzoo.env)
    offender = env.agent_selection
    with caplog.at_level(logging.WARNING):
        env.step(3)
    sentence = "The plank is full: play a pirate and an action card, or “Non merci !”. (F3)"
    assert f"{offender}: {sentence}" in caplog.text
    assert told(env.infos)[offender] == {"refusal": sentence}
    assert all(env.terminations.values()) and all(env.truncations.values())
    for agent in env.agent_iter():
        assert env.last()[1] == (-1 if agent == offender else 0)
        env.step(None)


def test_an_illegal_action_in_a_raw_environment_raises_and_changes_nothing() -> None:
    env = picked(pettingzoo.raw_env)
    before, agent = env.state(), env.agent_selection
    with pytest.raises(AssertionError, match=r"The plank is full.*\(F3\)$"):
        env.step(3)
    assert np.array_equal(env.state(), before)
    assert env.agent_selection == agent
    assert env.agents
    env.step(6)
    assert env.agent_selection != agent


@pytest.mark.parametrize("action", [-1, 247, 10**30, 1.5, "pass", None])
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
def test_what_is_no_action_raises(make: Callable[..., Any], action: Any) -> None:
    env = picked(make)
    before = env.state()
    with pytest.raises(AssertionError, match="isn’t an action in this game"):
        env.step(action)
    assert np.array_equal(env.state(), before)


def test_illegal_actions_at_once(caplog: pytest.LogCaptureFixture) -> None:
    env = pettingzoo.parallel_env("faut-pas-pousser", 4)
    env.reset(seed=1)
    with caplog.at_level(logging.WARNING):
        _, rewards, terminations, truncations, infos = env.step({"seat_0": 1, "seat_1": 6, "seat_2": 2, "seat_3": 99})
    assert rewards == {"seat_0": 0, "seat_1": -1, "seat_2": 0, "seat_3": -1}
    assert all(terminations.values()) and all(truncations.values())
    assert infos["seat_1"]["refusal"] == "The plank is still empty: pick a pirate first, in secret. (F3)"
    assert "seat_3: The plank is still empty" in caplog.text
    assert not told(infos)["seat_0"]
    assert not env.agents


def test_every_seat_to_act_brings_an_action() -> None:
    env = pettingzoo.parallel_env("faut-pas-pousser", 4)
    env.reset(seed=1)
    before = env.state()
    for actions in ({}, {"seat_0": 1, "seat_1": 1, "seat_3": 1}, dict.fromkeys(env.agents, 1) | {"seat_2": None}):
        with pytest.raises(AssertionError, match=r"seat_\d must decide now, and there is no action for it"):
            env.step(actions)
    with pytest.raises(AssertionError, match="“247” isn’t an action"):
        env.step(dict.fromkeys(env.agents, 247))
    assert np.array_equal(env.state(), before)
    assert not env.step(dict.fromkeys(env.agents, 1))[2]["seat_0"]


def test_stepping_a_finished_match(caplog: pytest.LogCaptureFixture) -> None:
    luck = np.random.default_rng(1)
    env = pettingzoo.env("faut-pas-pousser", 2)
    play(env, luck)
    with caplog.at_level(logging.WARNING):
        env.step(0)
    assert "The game is over. Should reset() first." in caplog.text
    caplog.clear()
    strict = pettingzoo.raw_env("faut-pas-pousser", 2)
    play(strict, luck)
    with pytest.raises(AssertionError, match="The game is over"):
        strict.step(0)
    together = pettingzoo.parallel_env("faut-pas-pousser", 2, max_cycles=1)
    together.reset()
    together.step({"seat_0": 1, "seat_1": 1})
    with caplog.at_level(logging.WARNING):
        assert together.step({"seat_0": 1}) == ({}, {}, {}, {}, {})
    assert "The game is over. Should reset() first." in caplog.text
    env.reset()
    assert env.agents


def test_the_last_look_is_no_action() -> None:
    env = pettingzoo.env("faut-pas-pousser", 2, max_cycles=1)
    env.reset()
    env.step(1)
    env.step(1)
    assert env.truncations == {"seat_0": True, "seat_1": True}
    with pytest.raises(ValueError, match="the only valid action is None"):
        env.step(1)


def test_everything_in_its_order() -> None:
    env, together = pettingzoo.env("sauve-qui-peut", 3, render_mode="ansi"), pettingzoo.parallel_env("sauve-qui-peut")
    for early in (
        lambda: env.step(0),
        lambda: env.observe("seat_0"),
        env.render,
        env.state,
        env.agent_iter,
        lambda: together.step({}),
        together.render,
        together.state,
    ):
        with pytest.raises(AssertionError, match=r"^reset\(\) needs to be called before"):
            early()
    with pytest.raises(AttributeError):
        _ = env.agents
    env.reset()
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\) in a loop"):
        list(env.agent_iter())


@pytest.mark.parametrize(
    ("arguments", "refused", "sentence"),
    [
        ({"game": "chess"}, UnknownGame, "There’s no game “chess”"),
        ({"game": "faut-pas-pousser", "players": 5}, BadOption, "for 2 to 4 players, not 5"),
        ({"game": "sauve-qui-peut", "options": {"boats": "nine"}}, BadOption, "“boats” can’t be “nine”.*S1"),
        ({"game": "sauve-qui-peut", "options": {"sharks": True}}, BadOption, "has no option “sharks”"),
        ({"game": "sauve-qui-peut", "render_mode": "smell"}, ValueError, "“smell” is not a render mode"),
    ],
)
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env, pettingzoo.parallel_env])
def test_environments_that_cannot_be(
    make: Callable[..., Any], arguments: dict[str, Any], refused: type[Exception], sentence: str
) -> None:
    with pytest.raises(refused, match=sentence):
        make(**arguments)


# -- the example ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [[], ["--parallel"]], ids=["turns", "parallel"])
def test_random_agents_share_the_victories(
    way: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = Path(__file__).parents[2] / "examples" / "pettingzoo_random.py"
    monkeypatch.setattr("sys.argv", [str(example), "faut-pas-pousser", "--players", "4", "--matches", "60", *way])
    runpy.run_path(str(example), run_name="__main__")
    shares = [float(line.split()[1]) for line in capsys.readouterr().out.splitlines()]
    assert len(shares) == 4
    assert sum(shares) == pytest.approx(1, abs=0.003)
    assert min(shares) > 0.05
