"""Golden data: perft counts and readable playthroughs, kept in tests/games/ beside each game's tests.

`python -m tribord.testing.golden [GAME …]` (or `make golden`) writes them anew; read the diff before you commit it:
a number or a line that changed is a rule that changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tribord import game_ids, load
from tribord.core.chance import below, stream
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.option import Choice
from tribord.core.record import CHANCE, State
from tribord.lab.perft import perft_from
from tribord.testing.conformance import Setup, setups

HOME = Path("tests/games")  # one folder per game, named as its package's
LEAVES = 60_000  # perft goes as deep as this many leaves allow
DEEPEST = 8


def perft_file(game: Game) -> Path:
    """Where the counts are kept."""
    return HOME / game.folder.name / "perft.json"


def playthrough_files(game: Game) -> dict[Path, Setup]:
    """One playthrough for every player count of every named choice, and one for each other value of an option."""
    found: dict[Path, Setup] = {}
    told: set[str] = set()
    choices = {o.name for o in game.options if isinstance(o, Choice)}
    for setup in setups(game):
        label = "-".join(f"{name}-{_slug(value)}" for name, value in setup.options.items())
        if not setup.options.keys() <= choices:
            if label in told:
                continue
            told.add(label)
        name = f"{setup.players}-players" + (f"-{label}" if label else "")
        found[HOME / game.folder.name / "playthroughs" / f"{name}.txt"] = setup
    return found


def _slug(value: Any) -> str:
    if isinstance(value, list):
        return "-".join(map(str, value)) or "none" if len(str(value)) < 24 else "all"
    return str(value)


def perft_counts(game: Game) -> dict[str, list[int]]:
    """For every setup the counts at depth 1, 2, … from the start, and from three places of one random match on."""
    counts = {}
    for setup in setups(game):
        for after, state in _places(setup):
            counts[json.dumps({"players": setup.players, **setup.options, "after": after})] = list(_counts(game, state))
    return counts


def _places(setup: Setup) -> Iterator[tuple[int, State]]:
    """The start of a random match, a quarter of it, half of it, three quarters."""
    match = play_at_random(setup, 2)
    journal = match.journal
    for quarter in range(4):
        after = len(journal) * quarter // 4
        match.restart()
        for entry in journal[:after]:
            match.follow(entry)
        yield after, match.state


def _counts(game: Game, state: State) -> Iterator[int]:
    last = 1
    growth = 1.0
    for depth in range(1, DEEPEST + 1):
        if last * growth > LEAVES:
            return
        count = perft_from(game, state, depth)
        growth, last = count / last, count
        yield count


def play_at_random(setup: Setup, seed: int) -> Match:
    """A whole random match."""
    match, rng = setup.match(seed), stream(seed, 98)
    while not match.over:
        seat = match.to_act[0]
        choices = match.legal(seat)
        match.play(seat, choices[below(rng, len(choices))])
    return match


def playthrough(setup: Setup, seed: int = 1) -> str:
    """A whole random match as people would read it: every entry in notation, every event with its rule, some boards."""
    game, match = setup.game, setup.match(seed)
    words = game.words("en")
    rng = stream(seed, 99)
    lines = [f"# {game.title}: {setup.players} players, {json.dumps(setup.plain_options)}, seed {seed}", ""]
    told = 0

    def tell() -> None:
        nonlocal told
        for step in match.steps[told:]:
            entry = step.entry
            if entry.seat == CHANCE:
                lines.append(f"chance: {game.play.chance_notation(entry.action)}")
            else:
                lines.append(f"seat {entry.seat}: {game.notation(entry.action)}")
            lines.extend(f"    {e.rule:<4} {game.say_event(e, words)}" for e in step.events)
        told = len(match.steps)

    tell()
    while not match.over:
        if match.version % 12 < 2:
            lines += ["", *game.text.board(match.view(), words).splitlines(), ""]
        seat = match.to_act[0]
        choices = match.legal(seat)
        lines.append(f"to act: {match.to_act}; seat {seat} has {len(choices)} choices")
        match.play(seat, choices[below(rng, len(choices))])
        tell()
    ended = match.outcome
    assert ended
    lines += ["", *game.text.board(match.truth(), words).splitlines(), ""]
    lines.append(f"outcome: scores {ended.scores}, winners {ended.winners}, {ended.reason}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write(game: Game) -> None:
    """Write a game's golden data."""
    perft_file(game).write_text(json.dumps(perft_counts(game), indent=1) + "\n", encoding="utf-8")
    files = playthrough_files(game)
    folder = HOME / game.folder.name / "playthroughs"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        if old not in files:
            old.unlink()
    for path, setup in files.items():
        path.write_text(playthrough(setup), encoding="utf-8")


def main() -> None:
    """Write the golden data of the games named on the command line, or of all."""
    for name in sys.argv[1:] or game_ids():
        write(load(name))
        print(f"{name}: golden data written")


if __name__ == "__main__":
    main()
