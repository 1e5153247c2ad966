"""Golden data: perft counts and playthroughs of every game, kept beside its tests.

    python -m tribord.testing.golden [--folder FOLDER] [--match FILE]… [GAME …]      (or `make golden`)

rewrites FOLDER/my_game/perft.json and FOLDER/my_game/playthroughs/; FOLDER defaults to tests/games. Without a game, it
takes every game that has a folder there. Read the diff before you commit it: a changed number or line means a changed
rule. A match file given with `--match` becomes a playthrough if it shows something new.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path

from tribord import load
from tribord.core.chance import below, stream
from tribord.core.game import Game, games
from tribord.core.match import Match
from tribord.core.record import CHANCE, State
from tribord.lab.perft import perft_from
from tribord.testing.conformance import Setup, setups
from tribord.testing.playthrough import Playthrough, at_random, choose, play, replay, wanted

FOLDER = Path("tests/games")
LEAVES = 60_000  # perft goes as deep as this many leaves allow
DEEPEST = 8


def home(game: Game, folder: Path = FOLDER) -> Path:
    """The folder of a game's golden data."""
    return folder / game.id.replace("-", "_")


# -- perft ----------------------------------------------------------------------------------------------------------


def perft_counts(game: Game) -> dict[str, list[int]]:
    """For every setup, the counts at depth 1, 2, … from the start and from three points of one random match."""
    counts = {}
    for setup in setups(game):
        for after, state in _places(setup):
            counts[json.dumps({"players": setup.players, **setup.options, "after": after})] = list(_counts(game, state))
    return counts


def _places(setup: Setup) -> Iterator[tuple[int, State]]:
    """The positions at the start, a quarter, a half and three quarters of a random match."""
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


# -- checking and writing -------------------------------------------------------------------------------------------


def check_golden(game: Game, folder: Path = FOLDER) -> None:
    """Check a game against its golden data and that its playthroughs show everything; raise with the differences."""
    check_perft(game, folder)
    check_playthroughs(game, folder)


def check_perft(game: Game, folder: Path = FOLDER) -> None:
    """Check the perft counts against the recorded ones."""
    recorded = json.loads((home(game, folder) / "perft.json").read_text(encoding="utf-8"))
    counts = perft_counts(game)
    changed = [place for place in {**counts, **recorded} if counts.get(place) != recorded.get(place)]
    assert not changed, f"{game.id}: the perft counts of {changed} changed; rewrite the golden data, read the diff"


def check_playthroughs(game: Game, folder: Path = FOLDER) -> None:
    """Check that recorded decisions still have the same consequences, and that together they show everything."""
    missing = wanted(game)
    for path in _files(game, folder):
        recorded = path.read_text(encoding="utf-8")
        again = replay(game, recorded)
        assert again.text == recorded, f"{path.name} changed: rewrite the golden data, read the diff"
        missing -= again.shows
    assert not missing, f"{game.id}: no playthrough shows {sorted(missing)}: rewrite the golden data"


def write(game: Game, folder: Path = FOLDER, matches: Iterable[Match] = ()) -> set[str]:
    """Write a game's golden data; returns what no playthrough shows."""
    place = home(game, folder)
    (place / "playthroughs").mkdir(parents=True, exist_ok=True)
    (place / "perft.json").write_text(json.dumps(perft_counts(game), indent=1) + "\n", encoding="utf-8")
    recorded = [replay(game, path.read_text(encoding="utf-8"), at_random(path.stem)) for path in _files(game, folder)]
    chosen = choose(game, [*recorded, *map(_played_again, matches)])
    for old in _files(game, folder):
        old.unlink()
    for number, one in enumerate(chosen):
        twins = sum(other.name == one.name for other in chosen[:number])  # the same setup and seed with other decisions
        name = f"{one.name}-{twins + 1}" if twins else one.name
        (place / "playthroughs" / f"{name}.txt").write_text(one.text, encoding="utf-8")
    return wanted(game).difference(*(one.shows for one in chosen))


def _played_again(match: Match) -> Playthrough:
    decisions = (entry.action for entry in match.journal if entry.seat != CHANCE)
    fresh = match.game.match(match.players, match.dice.seed, match.options)
    return play(fresh, lambda _match, _legal: next(decisions))


def _files(game: Game, folder: Path) -> list[Path]:
    return sorted((home(game, folder) / "playthroughs").glob("*.txt"), key=lambda path: path.stem)


def main() -> None:
    """Write the golden data of the games named on the command line, or of all games that have some."""
    reader = ArgumentParser(prog="python -m tribord.testing.golden", description="Write the golden data of games.")
    reader.add_argument("games", nargs="*", metavar="GAME", help="ids of games (every game that has a folder there)")
    reader.add_argument("--folder", type=Path, default=FOLDER, help="where the folders of games are (%(default)s)")
    reader.add_argument("--match", type=Path, action="append", default=[], help="a match file worth keeping")
    asked = reader.parse_args()
    matches = [Match.load(path) for path in asked.match]
    for game in map(load, asked.games or (g.id for g in games() if home(g, asked.folder).is_dir())):
        missing = write(game, asked.folder, [match for match in matches if match.game is game])
        print(f"{game.id}: golden data written", *(f"; no playthrough shows {m}" for m in sorted(missing)), sep="")


if __name__ == "__main__":
    main()
