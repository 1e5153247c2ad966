"""The names, spaces and masks that libraries ask for, in all environments."""

from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from tribord import load
from tribord.core.refusal import BadOption
from tribord.research import pettingzoo
from tribord.research.gymnasium import env_id

RLLIB = ("observations", "action_mask")
GAME = load("sauve-qui-peut")


def single(**more):
    return gymnasium.make(env_id(GAME), players=3, **more)


def vector(**more):
    return gymnasium.make_vec(env_id(GAME), num_envs=5, players=3, **more)


@pytest.mark.parametrize("make", [single, vector])
def test_a_learner_of_one_seat_chooses_the_names_or_one_vector(make):
    plain, info = make().reset(seed=1)
    env = make(keys=RLLIB)
    named, _info = env.reset(seed=1)
    assert list(named) == list(RLLIB) and env.observation_space.contains(named)
    assert (named["observations"] == plain["observation"]).all()
    env = make(flat=True)
    flat, _info = env.reset(seed=1)
    assert isinstance(env.observation_space, Box) and env.observation_space.contains(flat)
    assert (flat[..., : GAME.observation] == plain["observation"]).all()
    assert (flat[..., GAME.observation :] == plain["action_mask"]).all()
    assert (info["action_mask"] == plain["action_mask"]).all()


def test_seats_choose_the_names_or_one_vector():
    envs = [pettingzoo.parallel_env(GAME, 3, **more) for more in ({}, {"keys": RLLIB}, {"flat": True})]
    infos, *_rest = [env.reset(seed=1)[1] for env in envs]
    while envs[0].agents:
        actions = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
        (looks, *_rest, infos), (named, *_rest), (flat, *_rest) = [env.step(actions) for env in envs]
        for agent, plain in looks.items():
            assert list(named[agent]) == list(RLLIB)
            assert np.array_equal(named[agent]["observations"], plain["observation"])
            assert np.array_equal(flat[agent], [*plain["observation"], *plain["action_mask"]])
            assert envs[2].observation_space(agent).contains(flat[agent])
            assert np.array_equal(infos[agent]["action_mask"], plain["action_mask"])
    for more in ({"keys": RLLIB}, {"flat": True}):
        env = pettingzoo.env(GAME, 3, **more)
        env.reset(seed=1)
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in env.agents)


def test_the_masks_of_turns_are_in_the_infos_too():
    env = pettingzoo.env(GAME, 3)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _reward, terminated, _truncated, info = env.last()
        assert np.array_equal(info["action_mask"], seen["action_mask"])
        for other in env.agents:
            assert np.array_equal(env.infos[other]["action_mask"], env.observe(other)["action_mask"])
        env.step(None if terminated else int(env.infos[agent]["action_mask"].argmax()))


def test_idle_seats_may_do_action_0_which_nobody_looks_at():
    env, plain = (pettingzoo.parallel_env("faut-pas-pousser", 4, idle=idle) for idle in ("noop", "zeros"))
    infos = env.reset(seed=1)[1]
    plain.reset(seed=1)
    while env.agents:
        actions = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
        seen, rewards, *_rest, infos = env.step(actions)
        same, expected, *_rest = plain.step(actions)
        assert rewards == expected
        for agent, one in seen.items():
            mask, bare = one["action_mask"], same[agent]["action_mask"]
            assert np.array_equal(mask, bare) if bare.any() else mask.nonzero()[0].tolist() == [0]


def test_in_the_end_action_0_counts_as_legal_for_idle_learners():
    for mode in ("SameStep", "NextStep", "Disabled"):
        env = gymnasium.make_vec(
            "tribord/FautPasPousser-v1", 4, players=4, idle="noop", strict=False, autoreset_mode=mode
        )
        env.reset(seed=1)
        for _step in range(7):
            seen, _reward, over, _cut, info = env.step(env.unwrapped.sample())
        assert over.all() and seen["action_mask"].any(axis=1).all()
        if mode == "SameStep":
            assert all(one["action_mask"].nonzero()[0].tolist() == [0] for one in info["final_obs"])
    env = gymnasium.make("tribord/FautPasPousser-v1", players=4, idle="noop")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="The match ends here"):
        seen, *_rest = env.step(246)
    assert seen["action_mask"].nonzero()[0].tolist() == [0]


@pytest.mark.filterwarnings("ignore:.*The match ends here with -1:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
def test_the_libraries_own_checks_pass_in_every_form():
    for more in ({"keys": RLLIB}, {"flat": True}, {"idle": "noop"}):
        check_env(single(**more).unwrapped, skip_render_check=True)
    api_test(pettingzoo.env(GAME, 3, idle="noop"), num_cycles=60)
    parallel_api_test(pettingzoo.parallel_env(GAME, 3, idle="noop"), num_cycles=60)


@pytest.mark.parametrize(
    "wrong", [{"keys": "observations"}, {"keys": ("mask", "mask")}, {"keys": ("observation", 1)}, {"idle": "sleep"}]
)
def test_forms_that_cannot_be(wrong):
    makers = [getattr(pettingzoo, kind) for kind in ("env", "raw_env", "parallel_env")]
    for make in (single, vector, *(partial(make, GAME, 3) for make in makers)):
        with pytest.raises(BadOption, match=r"“(keys|idle)” "):
            make(**wrong)
