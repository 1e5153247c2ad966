"""Memory that is reused, but never while someone holds it."""

import copy
import gc
import pickle

import gymnasium
import numpy as np

from tribord.research.buffers import SPARE, Buffers
from tribord.research.gymnasium import SeatVectorEnv


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_is_used_again_once_the_array_is_gone():
    buffers = Buffers()
    first = buffers.take((1000, 7), np.float32)
    first[:] = 1
    where = address(first)
    second = buffers.take((1000, 7), np.float32)
    assert address(second) != where and first.flags.c_contiguous and first.flags.writeable
    del first
    gc.collect()
    assert address(buffers.take((1000, 7), np.float32)) == where


def test_memory_that_a_view_still_holds_is_left_alone():
    buffers = Buffers()
    array = buffers.take((100, 7), np.int8)
    array[:] = 5
    kept = [array[3:5], array.T, memoryview(array), np.asarray(array)[::2].view(np.uint8)]
    where = address(array)
    del array
    while kept:
        for _time in range(3):
            other = buffers.take((100, 7), np.int8)
            assert address(other) != where
            other[:] = 0
        assert (np.asarray(kept[0]) == 5).all()
        kept.pop()
    del other
    taken = [buffers.take((100, 7), np.int8) for _time in range(4)]
    assert where in map(address, taken)


def test_no_more_is_kept_than_a_learner_needs():
    buffers = Buffers()
    many = [buffers.take((10,), np.int64) for _time in range(50)]
    del many
    assert [len(spare) for spare in buffers._spare.values()] == [SPARE]


def test_observations_of_past_steps_stay_as_they_were():
    env = gymnasium.make_vec("tribord/FautPasPousser-v1", num_envs=50, players=2)
    assert isinstance(env.unwrapped, SeatVectorEnv)
    seen, _info = env.reset(seed=1)
    kept, copies, places = [], [], set()
    for step in range(30):
        places.add(address(seen["observation"]))
        if step % 10 == 0:
            kept.append(seen["observation"][7])
            copies.append(seen["observation"][7].copy())
        seen, *_rest = env.step(env.unwrapped.sample())
    assert all((one == other).all() for one, other in zip(kept, copies, strict=True))
    assert len(places) < 8
    assert env.unwrapped.matches.buffers._spare
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert not twin.unwrapped.matches.buffers._spare  # nobody's memory needs no copy
        twin.step(twin.unwrapped.sample())
    assert not env.unwrapped.clone_state()["matches"].buffers._spare
