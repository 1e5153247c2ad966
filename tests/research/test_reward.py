"""The rewards to choose from, by hand and in every environment."""

import gymnasium
import numpy as np
import pytest

from tribord import game_ids, load
from tribord.core.refusal import BadOption
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id
from tribord.research.reward import AGAINST_OTHERS, REWARDS, reward_of

SHARES = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
SCORES = np.array([[7, 7, 2], [0, 0, 0], [3, 5, 4]])


def test_rewards_by_hand():
    game = load("sauve-qui-peut")
    worth = {name: reward_of(name, game)(SHARES, SCORES).round(3).tolist() for name in REWARDS}
    assert worth["share"] == SHARES.tolist() and worth["score"] == SCORES.tolist()
    assert worth["zero_sum"] == [[0.167, 0.167, -0.333], [0, 0, 0], [0.667, -0.333, -0.333]]
    assert worth["margin"] == [[0, 0, -5], [0, 0, 0], [-2, 1, -1]]


@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("reward", REWARDS)
def test_every_environment_gives_the_reward_of_its_end(name, reward):
    game = load(name)
    if game.cooperative and reward in AGAINST_OTHERS:
        with pytest.raises(BadOption, match="“reward” is one of share, score in"):
            pettingzoo.env(name, 3, reward=reward)
        return
    of = reward_of(reward, game)
    plain, env = (gymnasium.make_vec(env_id(game), num_envs=16, players=3, reward=kind) for kind in ("share", reward))
    plain.reset(seed=1), env.reset(seed=1)
    ended = 0
    for _step in range(60):
        _seen, _reward, over, _cut, expected = plain.step(actions := plain.unwrapped.sample())
        _seen, told, _over, _cut, info = env.step(actions)
        worth = np.where(over[:, None], of(expected["rewards"], expected["scores"]), 0)
        assert info["rewards"] == pytest.approx(worth) and told == pytest.approx(worth[:, 0])
        ended += over.sum()
    assert ended or name == "ile-aux-pirates"
    ends = []
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        table = make(name, 3, reward=reward)
        infos = table.reset(seed=3)
        if make is pettingzoo.env:
            for agent in table.agent_iter():
                if table.terminations[agent]:
                    break
                table.step(int(table.infos[agent]["action_mask"].argmax()))
            ends.append((table.rewards, [table.infos[agent]["score"] for agent in table.agents]))
        else:
            infos = infos[1]
            while table.agents:
                actions = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
                _seen, rewards, *_rest, infos = table.step(actions)
            ends.append((rewards, [info["score"] for info in infos.values()]))
    assert ends[0] == ends[1]
    if reward == "score":
        assert list(ends[0][0].values()) == ends[0][1]


def test_an_unknown_reward_is_refused():
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(BadOption, match="one of share, score, zero_sum, margin in Walk the Plank, not gold"):
            make("tribord/WalkThePlank-v1", reward="gold")
