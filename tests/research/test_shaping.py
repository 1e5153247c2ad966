"""Shaped rewards: they add up to the unshaped ones less a constant, so the best policies stay the best."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from tests.research.test_opponents import a_net

from tribord import BadFile, BadOption, game_ids, load
from tribord.core.verbs import evaluate
from tribord.research.gymnasium import env_id
from tribord.research.shaping import Shaping

MATCHES = 12


def weighed(observation):
    """A potential of any sort: nothing but the rule of adding up must matter."""
    return observation @ np.cos(np.arange(observation.shape[1]))


def twins(name, shaping, **more):
    game = load(name)
    form = {"num_envs": MATCHES, "players": max(2, game.players[0]), "seat": None, **more}
    plain = gymnasium.make_vec(env_id(game), **form)
    return plain.unwrapped, gymnasium.make_vec(env_id(game), shaping=shaping, **form).unwrapped


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
@pytest.mark.parametrize("name", game_ids())
@pytest.mark.parametrize("potential", ["evaluate", "net", weighed])
def test_without_discount_the_rewards_of_a_match_add_up_to_the_plain_ones_less_the_first_potential(
    name, potential, mode, tmp_path
):
    if potential == "net":
        potential = f"net:{a_net(tmp_path, name, max(2, load(name).players[0]))}"
    options = {"turns": 10} if name == "ile-aux-pirates" else None
    plain, shaped = twins(name, Shaping(potential, scale=0.5), autoreset_mode=mode, options=options)
    plain.reset(seed=4), shaped.reset(seed=4)
    owed, matches, moved = shaped.matches.shaper.now.copy(), 0, 0.0
    total = np.zeros(MATCHES)
    for _step in range(150):
        actions = plain.sample()
        resting = shaped.matches.work.seats < 0
        seen, rewards, over, _cut, info = plain.step(actions)
        also, told, ended, _cut, _info = shaped.step(actions)
        assert all((seen[key] == also[key]).all() for key in seen) and (over == ended).all()
        assert (_info["rewards"] == info["rewards"]).all()  # of all seats, unshaped
        total += told - rewards
        moved += np.abs(told - rewards)[~over].sum()
        assert (told[resting] == 0).all()
        assert total[over] == pytest.approx(-owed[over], abs=1e-5)
        matches += int(over.sum())
        if mode is AutoresetMode.DISABLED and over.any():
            plain.reset(options={"reset_mask": over}), shaped.reset(options={"reset_mask": over})
        new = (resting if mode is AutoresetMode.NEXT_STEP else over).copy()
        total[new], owed[new] = 0, shaped.matches.shaper.now[new]
    assert matches > 3 and moved > 0.1


def test_every_step_adds_the_discounted_potential_after_it_less_the_one_before():
    plain, shaped = twins("faut-pas-pousser", Shaping(weighed, scale=2.0, gamma=0.9))
    seen, _info = plain.reset(seed=1)
    shaped.reset(seed=1)
    for _step in range(20):
        actions, before = plain.sample(), 2 * weighed(seen["observation"])
        seen, rewards, over, _cut, _info = plain.step(actions)
        _seen, told, *_rest = shaped.step(actions)
        after = np.where(over, 0, 0.9 * 2 * weighed(seen["observation"]))
        assert told == pytest.approx(rewards + after - before)


def test_one_match_is_shaped_as_a_vector_of_one_is_and_an_illegal_end_is_an_end_too():
    kept = {}
    for play in ("legal", "illegal"):
        env = gymnasium.make("tribord/FautPasPousser-v1", players=3, opponents="mousse", shaping="evaluate")
        seen, _info = env.reset(seed=2)
        states, seat = env.unwrapped.matches.states, 0
        first, total, over = evaluate(states[0], seat), 0.0, False
        while not over:
            mask = seen["action_mask"]
            if play == "illegal" and total:
                with pytest.warns(UserWarning, match="ends here with -1"):
                    seen, reward, over, _cut, info = env.step(int(mask.argmin()))
            else:
                seen, reward, over, _cut, info = env.step(int(mask.argmax()))
            total += reward
        end = info["rewards"][0] if play == "legal" else -1
        kept[play] = total, end - first
    for told, expected in kept.values():
        assert told == pytest.approx(expected, abs=1e-6)


def test_a_position_is_kept_with_its_potential():
    _plain, shaped = twins("sauve-qui-peut", "evaluate")
    shaped.reset(seed=1)
    for _step in range(10):
        shaped.step(shaped.sample())
    kept, told = shaped.clone_state(), []
    for _time in range(2):
        told.append([shaped.step(shaped.sample())[1].tolist() for _step in range(10)])
        shaped.restore_state(kept)
    assert told[0] == told[1] and np.abs(told[0]).sum() > 0


@pytest.mark.parametrize(
    ("shaping", "sentence"),
    [
        ("points", "A potential is “evaluate”, net:FILE or a function of observations, not points"),
        (7, "A potential is"),
        ("net:/there/is/no/such.npz", "doesn’t exist"),
        ({"potential": weighed, "gamma": 0.0}, "“gamma” is above 0 and at most 1, not 0.0"),
        ({"potential": weighed, "gamma": 1.5}, "“gamma” is above 0"),
        ({"potential": weighed, "scale": float("nan")}, "“scale” is a number other than 0, not nan"),
        ({"potential": weighed, "scale": 0.0}, "“scale” is a number other than 0"),
    ],
)
def test_what_cannot_shape_is_refused(shaping, sentence):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises((BadOption, BadFile), match=sentence):
            make("tribord/WalkThePlank-v1", shaping=Shaping(**shaping) if isinstance(shaping, dict) else shaping)


def test_self_play_has_no_seat_to_shape_for_and_a_potential_answers_each_row():
    with pytest.raises(BadOption, match="not for opponents=“self”"):
        gymnasium.make_vec("tribord/WalkThePlank-v1", opponents="self", shaping="evaluate")
    env = gymnasium.make_vec("tribord/WalkThePlank-v1", num_envs=3, shaping=lambda seen: seen.sum())
    with pytest.raises(BadOption, match="must return 3 numbers, one for each row, not an array of shape"):
        env.reset(seed=1)
