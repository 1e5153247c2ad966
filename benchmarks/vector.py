"""Thousands of matches at once, on one core: batches and Gymnasium's vector environment against Pgx's connect_four.

    pip install -e ".[bench]"
    python benchmarks/vector.py

All play uniform legal actions, begin anew when a match ends, and write what is seen and what is legal in every step. A
step is one action in one match, so with opponents a step of the learner's is several; both are told. Pgx has its own
auto-reset, and is measured in a loop inside XLA and with a call for each step; the better counts. Yardstick and games
alternate, and the best of the rounds counts for all, because machines are noisy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import gymnasium

from tribord import game_ids, load
from tribord.core.batch import Batch
from tribord.research.gymnasium import env_id

MATCHES = 4096
STEPS = 40
ROUNDS = 5


def pgx_steps() -> tuple[Callable[[], None], Callable[[], None]]:
    """STEPS of Pgx's connect_four, in a loop of XLA's and with a call for each."""
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
        return (states, key), states.observation.sum()

    looped = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=STEPS))
    single = jax.jit(lambda carry: one(carry, None)[0])
    begun = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), MATCHES)), jax.random.PRNGKey(1)

    def by_call() -> None:
        carry = begun
        for _step in range(STEPS):
            carry = single(carry)
        jax.block_until_ready(carry)

    return lambda: jax.block_until_ready(looped(begun)) and None, by_call


def batch_steps(name: str, players: int) -> Callable[[], None]:
    """STEPS of a batch."""
    batch = Batch(load(name), MATCHES, players, seed=1, auto_reset=True)
    turns, actions = batch.turns(), batch.sample()

    def play() -> None:
        for _step in range(STEPS):
            batch.advance(batch.sample(out=actions), out=turns)

    return play


def vector_steps(name: str, players: int, opponents: str) -> Callable[[], None]:
    """STEPS of the vector environment."""
    envs = gymnasium.make_vec(
        env_id(load(name)), num_envs=MATCHES, players=players, opponents=opponents, copy=False
    ).unwrapped
    envs.reset(seed=1)

    def play() -> None:
        for _step in range(STEPS):
            envs.step(envs.sample())

    return play


def rate(play: Callable[[], None]) -> float:
    """Million steps a second."""
    begin = time.perf_counter()
    play()
    return MATCHES * STEPS / (time.perf_counter() - begin) / 1e6


def main() -> None:
    """Print the table."""
    runs = dict(zip(("Pgx, loop", "Pgx, calls"), pgx_steps(), strict=True))
    for name in game_ids():
        for players in sorted({load(name).players[0], min(4, load(name).players[1])}):
            runs[f"{name} {players}, batch"] = batch_steps(name, players)
            runs[f"{name} {players}, vector, self"] = vector_steps(name, players, "self")
            if players > 1:
                runs[f"{name} {players}, vector, random"] = vector_steps(name, players, "random")
                runs[f"{name} {players}, vector, mousse"] = vector_steps(name, players, "mousse")
    for play in runs.values():
        play()  # compiles
    best = dict.fromkeys(runs, 0.0)
    for _round in range(ROUNDS):
        for run, play in runs.items():
            best[run] = max(best[run], rate(play))
    yardstick = max(best["Pgx, loop"], best["Pgx, calls"])
    for run, found in best.items():
        print(f"{run:38} {found:8.2f} M steps/s {found / yardstick:8.2f} × Pgx")


if __name__ == "__main__":
    main()
