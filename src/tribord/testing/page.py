"""Reference pages: generate one uniform page per game, with its board, under docs/games.

Run `python -m tribord.testing.page [--folder FOLDER] [GAME …]` (or `make docs`); without a name it writes those of
Tribord's own games. A test fails when a page is out of date.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import groupby, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tribord import load
from tribord.core.chance import below, stream
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.source import own_ids
from tribord.core.tip import read, tips
from tribord.lab.plot import plot_statistics
from tribord.lab.statistics import in_turn_order

FOLDER = Path(__file__).parents[3] / "docs" / "games"
TRIED = 1000  # random matches at each number of players


def page(game: Game) -> str:
    """The reference page of a game."""
    least, most = game.players
    return "\n".join(
        [
            f"# {game.title}",
            "",
            f"Look up actions, events and observations here; `make docs` generates this page from the code."
            f" Id `{game.id}`, version {game.version}, {least} to {most} players"
            f"{', cooperative' if game.cooperative else ''}. State {game.state_bytes} bytes, {game.actions} actions,"
            f" {game.chances} chance outcomes, {game.observation} floats of observation.",
            "",
            f"![The board during a match]({game.id}.svg)",
            "",
            *_statistics(game),
            "## Options",
            "",
            *_table(
                ("option", "rule", "takes", "default", "for bots and research", "meaning"),
                (
                    (f"`{o.name}`", o.rule, o.takes(), _code(o.default), _code(o.research), o.meaning)
                    for o in game.options
                ),
            ),
            "## Load it in any library",
            "",
            "[Choose a library](../research.md). Actions, floats and rewards are the same in all of them.",
            "",
            "```python",
            *_snippets(game),
            "",
            "```",
            "",
            "## For learners",
            "",
            *_life(game),
            "## Observation",
            "",
            f"{game.observation} floats, made of what the seat may know. In “for each … and …” the last one varies"
            f" fastest; cards, lanes and pawns have the same order as in actions. {game.whose}",
            "",
            *_table(("stretch", "from", "length", "meaning"), _layout(game)),
            "## Actions",
            "",
            "`game.parts(action)` returns the dict, `game.notation(action)` the text; `game.action(…)` reads both."
            " Numbers count through the parts like digits, the last one fastest.",
            "",
            *_table(("number", "counts through", "parts, for example", "notation", "in words"), _actions(game)),
            "## Chance outcomes",
            "",
            *_table(
                ("number", "notation"), ((str(k), f"`{game.play.chance_notation(k)}`") for k in _few(game.chances))
            ),
            "## Events",
            "",
            *_table(("event", "fields", "sentence"), _events(game)),
            "## Refusals",
            "",
            *_table(
                ("code", "rule", "sentence"),
                ((f"`{code}`", f"{game.letter}{n}", text) for code, (n, text) in game.text.REFUSALS.items()),
            ),
            "## Endings",
            "",
            *_table(("reason", "sentence"), ((f"`{name}`", text) for name, text in game.text.ENDINGS.items())),
            "## View",
            "",
            "`match.view(seat)` halfway through a match (without what is hidden from the seat):",
            "",
            "```json",
            _view(game),
            "```",
            "",
            "## State",
            "",
            *_table(
                ("field", "shape", "range", "seen by", "meaning"),
                ((f"`{f.name}`", str(f.shape or ""), f"{f.low}…{f.high}", f.seen, f.meaning) for f in game.fields),
            ),
            "## Versions",
            "",
            "A game gets a new version when the same numbers would mean a different match. Match files and arena"
            " results include it.",
            "",
            *_table(("version", "changes"), ((str(version), what) for version, what in game.versions.items())),
        ]
    )


def _statistics(game: Game) -> Iterator[str]:
    """What comes with the game about who wins."""
    found = read(game, "statistics.json")
    if found is None:
        return
    yield "## Who wins"
    yield ""
    yield from (f"- {tip['en']}" for tip in tips(game))
    yield ""
    ordered = in_turn_order(game)
    who = (
        "How often everyone wins" if game.cooperative else f"Who wins by {'turn order' if ordered else 'seat'} and rank"
    )
    yield f"![{who}, and what goes with winning]({game.id}-statistics.svg)"
    yield ""
    apart = "" if ordered or game.cooperative else "Seats aren't places in the turn order: who begins is drawn. "
    yield (
        f"Matches between bots, with 95% intervals; the dashed line is a fair share. {apart}`{found['command']}`"
        " counts them ([how](../simulate.md#statistics-of-a-game)), and"
        f" `tribord statistics {game.id} --plot {game.id}-statistics.svg` draws them."
    )
    yield ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if not body:
        yield from ("None.", "")
        return
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    yield from body
    yield ""


def _code(value: Any) -> str:
    return "" if value is None else f"`{json.dumps(value)}`"


def _actions(game: Game) -> Iterator[tuple[str, ...]]:
    words = game.words("en")

    def shape(action: int) -> str:
        parts = game.parts(action)
        return f"{parts['kind']} {' '.join(parts)} {game.text.sentence(parts)}"

    for _shape, group in groupby(range(game.actions), key=shape):
        numbers = list(group)
        example = numbers[len(numbers) // 2]
        span = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
        parts = json.dumps(game.parts(example), ensure_ascii=False)
        yield (
            span,
            _counted(game, numbers),
            f"`{parts}`",
            f"`{game.notation(example)}`",
            game.say_action(example, words),
        )


def _counted(game: Game, numbers: list[int]) -> str:
    """How these actions are numbered: the parts that vary, slowest first, with their values; checked one by one."""
    all_parts = [game.parts(number) for number in numbers]
    changing = [key for key in all_parts[0] if any(parts[key] != all_parts[0][key] for parts in all_parts)]
    if len(changing) == 1 and isinstance(all_parts[0][changing[0]], list):
        chosen = [tuple(parts[changing[0]]) for parts in all_parts]
        values = list(dict.fromkeys(each[0] for each in chosen))
        if chosen == list(permutations(values, len(chosen[0]))):
            return f"{len(chosen[0])} different {changing[0]} in order, each of {_span(values)}"
    for keys in permutations(changing):
        found = [tuple(parts[key] for key in keys) for parts in all_parts]
        through = [list(dict.fromkeys(column)) for column in zip(*found, strict=True)]
        if found == list(product(*through)):
            return " · ".join(f"{key} {_span(values)}" for key, values in zip(keys, through, strict=True))
    assert not changing, f"{game.id}: the numbering of actions {numbers[0]} to {numbers[-1]} has no description"
    return ""


def _span(values: list[Any]) -> str:
    """List some values; consecutive numbers as a range."""
    if isinstance(values[0], int) and len(values) > 2 and values == list(range(values[0], values[0] + len(values))):
        return f"{values[0]}…{values[-1]}"
    return ", ".join(map(str, values))


def _snippets(game: Game) -> Iterator[str]:
    """Code that loads the game in each library. These lines run as doctests."""
    most = game.players[1]
    camel = game.id.replace("-", " ").title().replace(" ", "")
    yield ">>> from tribord import load  # arrays of matches: docs/batch.md"
    yield f'>>> turns = load("{game.id}").batch(1000, players={most}, auto_reset=True).turns()'
    yield ">>> turns.observation.shape, turns.action_mask.shape, turns.rewards.shape"
    yield f"((1000, {game.observation}), (1000, {game.actions}), (1000, {most}))"
    yield ">>> from tribord.research import pettingzoo  # all seats: docs/pettingzoo.md; also parallel_env"
    yield f'>>> pettingzoo.env("{game.id}", players={most}).possible_agents[-1]'
    yield f"'seat_{most - 1}'"
    yield ">>> import gymnasium, tribord.research.gymnasium  # one seat against bots: docs/gymnasium.md; also make_vec"
    name = f"tribord/{camel}-v{game.version}"
    yield f'>>> gymnasium.make("{name}", players={most}, seat=0, opponents="mousse").action_space'
    yield f"Discrete({game.actions})"
    yield ">>> import pyspiel, tribord.research.openspiel  # trees, exact chance: docs/openspiel.md"
    yield f'>>> pyspiel.load_game("tribord_{game.id.replace("-", "_")}(players={most})").num_distinct_actions()'
    yield f"{game.actions}"


class Life(NamedTuple):
    """Figures of random matches."""

    lengths: list[int]
    choices: int
    rewards: list[float]
    sealed: set[str]


def _lived(game: Game, players: int) -> Life:
    batch = game.batch(TRIED, players, seed=1)
    lengths, choices, sealed = np.zeros(TRIED, np.int64), 0, set()
    rewards, turns = np.zeros(players), batch.turns()
    while not turns.over.all():
        actions = batch.sample()
        lengths += turns.seats >= 0
        choices += int(turns.action_mask.sum())
        if "sealing" in (game.dtype.names or ()):
            face_down = (turns.seats >= 0) & (batch.states["sealing"] >> np.maximum(turns.seats, 0) & 1 == 1)
            sealed |= {str(game.parts(int(action))["kind"]) for action in np.unique(actions[face_down])}
        turns = batch.advance(actions, out=turns)
        rewards += turns.rewards.sum(axis=0)
    return Life(lengths.tolist(), choices, (rewards / TRIED).tolist(), sealed)


def _life(game: Game) -> Iterator[str]:
    least, most = game.players
    lives = {players: _lived(game, players) for players in range(least, most + 1)}
    sealed = sorted(set().union(*(life.sealed for life in lives.values())))
    if game.cooperative:
        yield "- **Reward**: 1 for all or 0 for all at the end, 0 before."
    else:
        yield (
            "- **Reward**: the share of the victory at the end, 0 before. A single winner gets 1, two get ½ each;"
            " without a winner everyone gets 0. Points aren’t rewards."
        )
    if sealed:
        yield (
            f"- **Sealed choices** ({', '.join(f'`{kind}`' for kind in sealed)}): all seats to act choose"
            " without seeing the others’ choices. In batches, Gymnasium and PettingZoo’s AEC they choose one after"
            " another, by seat; in PettingZoo’s Parallel and in OpenSpiel it’s one step."
        )
    else:
        yield "- **No sealed choices**: one seat decides at a time."
    yield (
        "- **The seat to act** follows from the rules, not from the order of the seats: read `turns.seats`,"
        " `agent_selection` or `current_player()`. A seat may act several times in a row, or never again."
    )
    yield "- **Chance** is resolved inside a step; in OpenSpiel it has its own nodes."
    limits = [option for option in game.options if option.research is not None]
    for option in limits:
        yield (
            f"- **The option `{option.name}`** defaults to {option.research} here ({option.rule}), because random play"
            f" might not end; in a match between people it’s {option.default}."
        )
    yield ""
    yield f"{TRIED} random matches with seed 1 for each number of players:"
    yield ""
    yield from _table(
        ("players", "mean decisions", "longest", "mean legal actions", "mean reward by seat"),
        (
            (
                str(players),
                f"{sum(life.lengths) / TRIED:.0f}",
                str(max(life.lengths)),
                f"{life.choices / sum(life.lengths):.1f}",
                " ".join(f"{reward:.2f}" for reward in life.rewards),
            )
            for players, life in lives.items()
        ),
    )


def _few(count: int, most: int = 12) -> list[int]:
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})


def _events(game: Game) -> Iterator[tuple[str, ...]]:
    for kind in game.events.KINDS:
        sentence = game.text.SENTENCES[kind.name].crews
        said = sentence if isinstance(sentence, str) else sentence[1]
        yield f"`{kind.name}`", " ".join(f"`{f}`" for f in kind.fields), said


def board(game: Game) -> str:
    """The picture on the page: the public view during a match."""
    from tribord.research.picture import svg

    return svg(game, _midway(game).view())


def _view(game: Game) -> str:
    return json.dumps(_midway(game).view(0), ensure_ascii=False)


def _midway(game: Game) -> Match:
    match = game.match(game.players[1] if game.players[0] > 1 else 2, seed=1)
    rng = stream(1)
    for _k in range(20):
        if match.over:
            break
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[below(rng, len(match.legal(seat)))])
    return match


def _layout(game: Game) -> Iterator[tuple[str, ...]]:
    start = 0
    for name, length, meaning in game.layout:
        yield f"`{name}`", str(start), str(length), meaning
        start += length


def main() -> None:
    """Write the pages of the games named on the command line, or of Tribord's own."""
    reader = ArgumentParser(prog="python -m tribord.testing.page", description="Write the reference pages of games.")
    reader.add_argument("games", nargs="*", metavar="GAME", help="ids of games (Tribord's own)")
    reader.add_argument("--folder", type=Path, default=FOLDER, help="where the pages go (%(default)s)")
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for game in map(load, asked.games or own_ids()):
        file = asked.folder / f"{game.id}.md"
        file.write_text(page(game), encoding="utf-8")
        file.with_suffix(".svg").write_text(board(game), encoding="utf-8")
        if found := read(game, "statistics.json"):
            plot_statistics(found, asked.folder / f"{game.id}-statistics.svg", game.words("en"))
        print(file)


if __name__ == "__main__":
    main()
