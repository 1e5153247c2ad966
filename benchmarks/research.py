"""Measure steps per second through each adapter, compared with a classic game of the same library, on one core.

    pip install -e ".[bench]"
    python benchmarks/research.py                  # every contest
    python benchmarks/research.py OpenSpiel vector
    python benchmarks/research.py copy             # needs no extra but research

All play uniform legal actions, and both sides of a contest are made and driven as the library's users do it: by the
same loop, which samples legal actions with NumPy; thousands at a time with each one's own vector environment. Pgx is
measured in a loop inside XLA and with a call for each step, and has its own auto-reset. A step is a decision of a seat;
the library's other calls (chance, last looks at a finished match, resets) take time but aren't counted. Against
opponents a step is the learner's, and includes their decisions. Seconds are processor time. Yardsticks and games
alternate, and the best of the rounds counts for all, because machines are noisy. Ratios are to each yardstick; of Pgx's
two, which are one game, to the faster. The yardstick of “copy” is the vector environment that overwrites its own
arrays. The “share” is the part of a step's time that is spent because every step returns other arrays: with memory
that is reused (the default), and with memory that NumPy asks for each time. Prints JSON.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np

from tribord import game_ids, load

ROUNDS = 3
SECONDS = 0.4
MATCHES = 4096  # in a batch
STEPS = 10  # of a batch, between two checks of the clock

Play = Callable[[], int]  # plays for a while, and counts its steps


@dataclass(frozen=True)
class Contest:
    """One interface of a library: its own games, and how to make one of ours for it."""

    theirs: dict[str, Callable[[], Play]]
    ours: Callable[[str, int], Play]  # game, players
    alone: bool = True  # whether it can play a game for one


# PettingZoo


def take_turns(env: Any) -> Play:
    """Random matches seat by seat."""
    luck = np.random.default_rng(1)

    def play() -> int:
        env.reset()
        steps = 0
        for _agent in env.agent_iter():
            seen, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = np.flatnonzero(seen["action_mask"])
                env.step(legal[luck.integers(len(legal))])
                steps += 1
        return steps

    return play


def act_together(env: Any) -> Play:
    """Random matches in which all seats to act decide at once."""
    luck = np.random.default_rng(1)

    def play() -> int:
        seen, _infos = env.reset()
        steps = 0
        while env.agents:
            actions = dict.fromkeys(env.agents)
            for agent in env.agents:
                legal = np.flatnonzero(seen[agent]["action_mask"])
                if len(legal):
                    actions[agent] = legal[luck.integers(len(legal))]
                    steps += 1
            seen, *_ = env.step(actions)
        return steps

    return play


def connect_four(kind: str = "env") -> Any:
    """PettingZoo's: as its users make it, with wrappers, or raw, without."""
    from pettingzoo.classic import connect_four_v3

    return getattr(connect_four_v3, kind)()


def connect_four_together() -> Play:
    """The same, through PettingZoo's own conversion."""
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return act_together(turn_based_aec_to_parallel(connect_four()))


def in_pettingzoo(kind: str, game: str, players: int) -> Play:
    """A game of ours in PettingZoo."""
    from tribord.research import pettingzoo

    drive = act_together if kind == "parallel_env" else take_turns
    return drive(getattr(pettingzoo, kind)(game, players))


# OpenSpiel


def through_states(game: Any) -> Play:
    """Random matches as OpenSpiel's examples play them."""
    luck = np.random.default_rng(1)

    def play() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(outcomes[np.searchsorted(np.cumsum(odds[:-1]), luck.random(), "right")])
            elif state.is_simultaneous_node():
                choices = [state.legal_actions(seat) for seat in range(game.num_players())]
                state.apply_actions([legal[luck.integers(len(legal))] if legal else 0 for legal in choices])
                steps += sum(map(bool, choices))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[luck.integers(len(legal))])
                steps += 1
        return steps

    return play


def spiel(name: str) -> Play:
    """A game of OpenSpiel's own."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (registers python_tic_tac_toe)

    return through_states(pyspiel.load_game(name))


def in_openspiel(game: str, players: int) -> Play:
    """A game of ours in OpenSpiel, with compiled rules."""
    from tribord.research import openspiel

    load(game).speed_up()
    return through_states(openspiel.open_game(load(game), players))


# Thousands at once


def pgx(looped: bool) -> Play:
    """Pgx's connect_four, in a loop of XLA's or with a call for each step."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _unused: Any) -> Any:
        states, key = carry
        key, choice, luck = jax.random.split(key, 3)
        actions = jax.random.categorical(choice, jnp.where(states.legal_action_mask, 0.0, -1e9), axis=-1)
        states = step(states, actions, jax.random.split(luck, MATCHES))
        return (states, key), None

    loop = jax.jit(lambda carry: jax.lax.scan(one, carry, None, STEPS)[0])
    call = jax.jit(lambda carry: one(carry, None)[0])  # the observation is in the state already
    begun = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), MATCHES))
    carry = [(begun, jax.random.PRNGKey(1))]

    def play() -> int:
        for _call in range(1 if looped else STEPS):
            carry[0] = loop(carry[0]) if looped else call(carry[0])
        jax.block_until_ready(carry[0])
        return MATCHES * STEPS

    return play


def batch(game: str, players: int) -> Play:
    """A batch that reuses its arrays."""
    matches = load(game).batch(MATCHES, players, seed=1, auto_reset=True)
    turns, actions = matches.turns(), matches.sample()

    def play() -> int:
        for _step in range(STEPS):
            matches.advance(matches.sample(out=actions), out=turns)
        return MATCHES * STEPS

    return play


def vector(opponents: str, copy: bool, game: str, players: int, matches: int = MATCHES, reuse: bool = True) -> Play:
    """Gymnasium's vector environment, with the same arrays or new ones in every step; new ones may reuse memory."""
    import gymnasium

    from tribord.research.gymnasium import env_id

    made = gymnasium.make_vec(env_id(load(game)), matches, players=players, opponents=opponents, copy=copy)
    envs: Any = made.unwrapped
    if not reuse:
        envs.matches.buffers.take = np.empty
    envs.reset(seed=1)

    def play() -> int:
        for _step in range(STEPS):
            envs.step(envs.sample())
        return matches * STEPS

    return play


PGX = {"Pgx connect_four, loop": partial(pgx, True), "Pgx connect_four, calls": partial(pgx, False)}
CONTESTS = {
    "PettingZoo AEC": Contest(
        {"connect_four_v3": lambda: take_turns(connect_four())}, partial(in_pettingzoo, "env")
    ),
    "PettingZoo AEC, raw": Contest(
        {"connect_four_v3, raw_env": lambda: take_turns(connect_four("raw_env"))}, partial(in_pettingzoo, "raw_env")
    ),
    "PettingZoo Parallel": Contest(
        {"connect_four_v3, turn_based_aec_to_parallel": connect_four_together}, partial(in_pettingzoo, "parallel_env")
    ),
    "OpenSpiel": Contest(
        {
            "tic_tac_toe, Python": partial(spiel, "python_tic_tac_toe"),
            "connect_four, C++": partial(spiel, "connect_four"),
        },
        in_openspiel,
    ),
    "batch": Contest(PGX, batch),
    "vector": Contest(PGX, partial(vector, "self", False)),
    "vector, new arrays": Contest(PGX, partial(vector, "self", True)),
    "vector against random": Contest(PGX, partial(vector, "random", False), alone=False),
    "vector against mousse": Contest(PGX, partial(vector, "mousse", False), alone=False),
}  # fmt: skip


COPY = "copy"
COPIED = (4096, 65_536)  # matches in a vector: the allocator keeps small arrays, and gives large ones back


def speed(play: Play) -> float:
    """Steps per second of the processor."""
    steps, begin = 0, time.process_time()
    while time.process_time() - begin < SECONDS:
        steps += play()
    return steps / (time.process_time() - begin)


def hold(contest: Contest) -> dict[str, Any]:
    """All games, at their fewest and most players, against the yardsticks."""
    try:
        plays = {name: make() for name, make in contest.theirs.items()}
    except ImportError as missing:
        return {"not held": f"{missing}. See the first lines of this file."}
    for game in game_ids():
        for players in sorted(set(load(game).players)):
            if players > 1 or contest.alone:
                plays[f"{game}, {players}"] = contest.ours(game, players)
    for play in plays.values():
        play()  # compiles, or loads compiled code
    best = dict.fromkeys(plays, 0.0)
    for _ in range(ROUNDS):
        for name, play in plays.items():
            best[name] = max(best[name], speed(play))
    yardsticks = {name: best.pop(name) for name in contest.theirs}
    fastest = max(yardsticks.values())
    bases = [fastest] if contest.theirs is PGX else list(yardsticks.values())
    ours = {
        name: {"steps/s": round(found), "ratio": [float(f"{found / base:.2g}") for base in bases]}
        for name, found in best.items()
    }
    return {"yardsticks": {name: round(found) for name, found in yardsticks.items()}, "ours": ours}


def compare_copies() -> dict[str, Any]:
    """The vector environment with the same arrays in every step, with others in reused memory, and in new memory."""
    return {
        f"{game}, {load(game).players[1]}, {matches} matches": compare_memory(game, load(game).players[1], matches)
        for matches in COPIED
        for game in game_ids()
    }


def compare_memory(game: str, players: int, matches: int) -> dict[str, Any]:
    """The same for one game, in turns: steps per second, the share of the time, and page faults in a step of all."""
    kinds = {"same arrays": (False, True), "reused memory": (True, True), "new memory": (True, False)}
    plays = {kind: vector("self", copy, game, players, matches, reuse) for kind, (copy, reuse) in kinds.items()}
    best, faults = dict.fromkeys(plays, 0.0), dict.fromkeys(plays, 0.0)
    for play in plays.values():
        play()
    for _ in range(ROUNDS):
        for kind, play in plays.items():
            best[kind] = max(best[kind], speed(play))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            play()
            faults[kind] = (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / STEPS
    shares = {kind: round(1 - found / best["same arrays"], 2) for kind, found in best.items()}
    return {
        kind: {"steps/s": round(found), "share": shares[kind], "page faults": round(faults[kind])}
        for kind, found in best.items()
    }


def run(name: str) -> dict[str, Any]:
    """A contest, or the comparison of copies."""
    return compare_copies() if name == COPY else hold(CONTESTS[name])


def main() -> None:
    """Run the requested contests, or all."""
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    print(json.dumps(machine | {name: run(name) for name in sys.argv[1:] or (*CONTESTS, COPY)}, indent=2))


if __name__ == "__main__":
    main()
