"""Copies, pickles and saved positions of environments and bots continue like the original."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

from tribord import game_ids, load, seat_bot
from tribord.core.refusal import BadOption
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id


def over_pickle(thing):
    return pickle.loads(pickle.dumps(thing))


def single(name, **more):
    env = gymnasium.make(env_id(load(name)), players=max(2, load(name).players[0]), **more)
    observation, _info = env.reset(seed=1)
    return env, observation["action_mask"]


def go_on(env, mask, steps=12):
    """Play on with the first legal action, through new matches; everything that came back."""
    line = []
    for _step in range(steps):
        seen, reward, over, _cut, info = env.step(int(mask.argmax()))
        line.append((seen["observation"].tobytes(), reward, over, info["seat"]))
        if over:
            seen, _info = env.reset()
        mask = seen["action_mask"]
    return line


def go_on_together(envs, steps=12):
    line = []
    for _step in range(steps):
        seen, reward, over, _cut, _info = envs.step(envs.unwrapped.sample())
        line.append((seen["observation"].tobytes(), reward.tolist(), over.tolist()))
    return line


@pytest.mark.parametrize("keep", [copy.deepcopy, over_pickle], ids=["copy", "pickle"])
@pytest.mark.parametrize("name", game_ids())
def test_copies_of_environments_play_the_same_from_there(name, keep):
    env, mask = single(name, opponents=["random", "mousse", "matelot"][: max(2, load(name).players[0])])
    twin = keep(env)
    assert twin.unwrapped.game is load(name)
    assert go_on(env, mask) == go_on(twin, mask)
    envs = gymnasium.make_vec(env_id(load(name)), 4, players=max(2, load(name).players[0]))
    envs.reset(seed=1)
    twins = keep(envs)
    assert go_on_together(envs) == go_on_together(twins)


@pytest.mark.parametrize("name", game_ids())
def test_a_kept_position_can_be_returned_to_again_and_again(name):
    env, mask = single(name)
    kept = env.unwrapped.clone_state()
    first = go_on(env, mask)
    for _time in range(2):
        env.unwrapped.restore_state(kept)
        assert go_on(env, mask) == first
    envs = gymnasium.make_vec(env_id(load(name)), 4, players=max(2, load(name).players[0]))
    envs.reset(seed=1)
    kept = envs.unwrapped.clone_state()
    first = go_on_together(envs)
    envs.unwrapped.restore_state(kept)
    assert go_on_together(envs) == first


@pytest.mark.parametrize("name", game_ids())
def test_kept_positions_of_all_seats(name):
    env, together = pettingzoo.env(name), pettingzoo.parallel_env(name)
    env.reset(seed=1)
    _seen, infos = together.reset(seed=1)
    positions = env.clone_state(), together.clone_state()
    lines = []
    for _time in range(2):
        line = []
        for agent in env.agent_iter():
            line.append((agent, env.last()[1], env.state().tobytes()))
            env.step(None if env.terminations[agent] else int(env.infos[agent]["action_mask"].argmax()))
        now = infos
        while together.agents:
            _seen, rewards, *_rest, now = together.step({a: int(i["action_mask"].argmax()) for a, i in now.items()})
            line.append((rewards, together.state().tobytes()))
        lines.append(line)
        env.restore_state(positions[0])
        together.restore_state(positions[1])
    assert lines[0] == lines[1]


def test_a_position_of_another_environment_is_refused():
    env, _mask = single("walk-the-plank")
    other, mask = single("faut-pas-pousser")
    with pytest.raises(BadOption, match="SeatEnv of walk-the-plank for 3, 1 at once"):
        other.unwrapped.restore_state(env.unwrapped.clone_state())
    go_on(other, mask)


@pytest.mark.parametrize("keep", [copy.deepcopy, over_pickle], ids=["copy", "pickle"])
def test_copies_of_bots_decide_the_same(keep):
    game = load("walk-the-plank")
    match = game.match(3, seed=1)
    for rank in ("mousse", "matelot", "bosco"):
        bot = seat_bot(rank, game, 1)
        bot.decide(match.view_state(0), match.legal(0))
        twin = keep(bot)
        decided = [[each.decide(match.view_state(seat), match.legal(seat)) for seat in (1, 2)] for each in (bot, twin)]
        assert decided[0] == decided[1]
        if rank == "bosco":
            worker = twin.workers[0]
            assert np.shares_memory(worker.seen, worker.seen_words)
