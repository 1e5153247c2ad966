"""Playouts and batches on a GPU: every game of Tribord beside Pgx's connect_four, on the same card in the same run.

    python benchmarks/gpu.py [--seconds 1] [--repeats 5] [--only playouts|batches] [--ends] [--games …]
        [--without-pgx]

Prints JSON, a line for each row. Every figure is the median of the repeats after a warm-up, and its spread. Actions are
those of seats; chance is played but not counted. A repeat of ours is one launch: matches, with their scores, winners,
lengths and reasons written to the card's memory. Pgx plays uniform random legal actions with its own auto-reset inside
one compiled scan, at the batch size that suits it best.

A step of a batch draws and plays a random action in every match, rolls the dice, and writes mask, observation and
rewards; finished matches restart. Its bytes are those of the arrays that a learner reads, without the states. The
card's bandwidth is that of a copy, counting what is read and what is written. `parts` is where the time goes, in
nanoseconds a match: drawing actions, playing them, and writing masks and observations. `--ends` leaves out all but the
fewest and the most players.

Needs the extra `gpu`; the yardstick needs pgx and a JAX that sees the card.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tribord import BadOption, game_ids, load
from tribord.lab import cuda
from tribord.lab.cuda_batch import CudaBatch

BEST_OF = 4
FORMS = (("uint8", "bits"), ("uint8", "bytes"), ("float32", "bytes"))  # observations and masks


def measure(run: Callable[[], tuple[int, float]], repeats: int) -> dict[str, Any]:
    """Actions per second of a function that plays and returns the number of actions and seconds."""
    run()
    rates = sorted(actions / seconds for actions, seconds in (run() for _repeat in range(repeats)))
    return {
        "actions_per_second": round(statistics.median(rates)),
        "least": round(rates[0]),
        "most": round(rates[-1]),
    }


def connect_four(batch: int, steps: int = 512) -> Callable[[], tuple[int, float]]:
    """Pgx's connect_four: a batch of matches, one random action each per step, restarted when over."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    environment = pgx.make("connect_four")
    begin = jax.jit(jax.vmap(environment.init))
    act = auto_reset(environment.step, environment.init)

    def step(state: Any, key: Any) -> tuple[Any, None]:
        first, second = jax.random.split(key)
        action = act_randomly(first, state.legal_action_mask)
        return jax.vmap(act)(state, action, jax.random.split(second, batch)), None

    scan = jax.jit(lambda state, key: jax.lax.scan(step, state, jax.random.split(key, steps))[0])
    state = begin(jax.random.split(jax.random.PRNGKey(0), batch))
    number = iter(range(1, 1 << 30))

    def run() -> tuple[int, float]:
        begun = time.perf_counter()
        jax.block_until_ready(scan(state, jax.random.PRNGKey(next(number))))
        return batch * steps, time.perf_counter() - begun

    return run


def playouts(
    name: str, players: int, options: dict[str, Any], best_of: int, seconds: float
) -> Callable[[], tuple[int, float]]:
    """Our playouts: as many matches as fill the time."""
    game = load(name)
    settings = game.settings(players, options, research=True)
    first = 0

    def play(matches: int) -> tuple[int, float]:
        nonlocal first
        begun = time.perf_counter()
        portion = cuda.Portion(game, settings, matches, 1, first, best_of, False)
        cuda.toolkit().synchronize()
        taken = time.perf_counter() - begun
        first += matches
        return int(portion.lengths.copy_to_host().sum(dtype=np.int64)), taken

    play(1 << 12)
    matches = int((1 << 18) * seconds / play(1 << 18)[1])
    return lambda: play(min(max(matches, 1 << 16), 1 << 26))


def steps(batch: CudaBatch, seconds: float) -> Callable[[], tuple[int, float]]:
    """Steps of a batch: as many as fill the time."""

    def play(rounds: int) -> tuple[int, float]:
        begun = time.perf_counter()
        for _round in range(rounds):
            batch.advance(batch.sample())
        cuda.toolkit().synchronize()
        return batch.matches * rounds, time.perf_counter() - begun

    play(300)  # until matches are at different places
    rounds = max(20, int(20 * seconds / play(20)[1]))
    return lambda: play(rounds)


def step_bytes(batch: CudaBatch) -> int:
    """What a step writes for a learner, for each match."""
    return sum(array.nbytes for array in batch.turns()) // batch.matches


def parts(batch: CudaBatch, rounds: int = 15) -> dict[str, float]:
    """Nanoseconds a match of a step's parts: the median of the rounds."""
    tools = cuda.toolkit()
    marks = [[tools.event() for _mark in range(4)] for _round in range(rounds)]
    for first, second, third, fourth in marks:
        first.record()
        actions = batch.sample()
        second.record()
        batch._play(False, actions)
        third.record()
        batch.turns()
        fourth.record()
    tools.synchronize()
    found = {}
    for k, name in enumerate(("sample", "play", "show")):
        taken = [tools.event_elapsed_time(mark[k], mark[k + 1]) for mark in marks[3:]]
        found[name] = round(statistics.median(taken) * 1e6 / batch.matches, 3)
    return found


def bandwidth(repeats: int) -> dict[str, Any]:
    """Bytes that a copy within the card's memory reads and writes in a second."""
    tools = cuda.toolkit()
    size = 4 << 30
    one, other = (tools.device_array(size, np.uint8) for _array in range(2))

    def run() -> tuple[int, float]:
        begun = time.perf_counter()
        for _copy in range(10):
            other.copy_to_device(one)
        tools.synchronize()
        return 20 * size, time.perf_counter() - begun

    return {name.replace("actions", "bytes"): rate for name, rate in measure(run, repeats).items()}


def tables(games: list[str], ends: bool) -> list[tuple[str, int, dict[str, Any]]]:
    """Every game at every player count, or only at its ends; L'Île aux Pirates in both its games."""
    found: list[tuple[str, int, dict[str, Any]]] = []
    for name in games:
        game = load(name)
        kinds: list[dict[str, Any]] = [{}]
        for option in game.options:
            if option.name == "game":
                kinds = [{"game": value} for value in option.values]
        for options in kinds:
            possible = []
            for players in range(game.players[0], game.players[1] + 1):
                try:
                    game.settings(players, options)
                except BadOption:  # the strategic game ends at four
                    continue
                possible.append(players)
            found += [(name, players, options) for players in (possible[:: len(possible) - 1] if ends else possible)]
    return found


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=("playouts", "batches"))
    parser.add_argument("--matches", type=int, default=1 << 20, help="in a batch")
    parser.add_argument("--ends", action="store_true")
    parser.add_argument("--games", nargs="*", default=game_ids(), choices=game_ids())
    parser.add_argument("--without-pgx", action="store_true")
    given = parser.parse_args()
    yardstick = None
    if not given.without_pgx:
        tried = {batch: measure(connect_four(batch), given.repeats) for batch in (1 << 18, 1 << 20, 1 << 21)}
        batch = max(tried, key=lambda size: tried[size]["actions_per_second"])
        yardstick = {"game": "pgx connect_four", "batch": batch, **tried[batch]}
    copied = bandwidth(given.repeats)
    print(json.dumps({"card": cuda.card(), "copy": copied, "pgx": yardstick}), flush=True)

    def show(row: dict[str, Any]) -> None:
        if yardstick:
            row["times_pgx"] = round(row["actions_per_second"] / yardstick["actions_per_second"], 2)
        print(json.dumps(row), flush=True)

    for name, players, options in tables(given.games, given.ends):
        game = load(name)
        table = {"game": name, "players": players, "options": options}
        for observation, mask in FORMS if given.only != "playouts" else ():
            make = partial(
                CudaBatch, game, players=players, seed=1, options=options, auto_reset=True, observation=observation,
                check=False, mask=mask,
            )  # fmt: skip
            ours = make(given.matches)
            row = (
                table | {"observation": observation, "mask": mask} | measure(steps(ours, given.seconds), given.repeats)
            )
            row["bytes_per_step"] = step_bytes(ours)
            written = row["actions_per_second"] * row["bytes_per_step"]
            show(row | {"of_bandwidth": round(written / copied["bytes_per_second"], 3), "parts": parts(ours)})
            del ours
        for best_of in (0, BEST_OF) if given.only != "batches" else ():
            run = playouts(name, players, options, best_of, given.seconds)
            show(table | {"best_of": best_of, **measure(run, given.repeats)})


if __name__ == "__main__":
    main()
