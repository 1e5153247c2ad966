"""Reference pages: one uniform page per game with its board under docs/games, made from the code.

`python -m tribord.testing.page [--folder FOLDER] [GAME …]` (or `make docs`) writes them, without a name those of
Tribord's own games; a test fails when one is out of date.
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

FOLDER = Path(__file__).parents[3] / "docs" / "games"
TRIED = 1000  # matches of random play at each number of players


def page(game: Game) -> str:
    """The reference page of a game."""
    least, most = game.players
    return "\n".join(
        [
            f"# {game.title}",
            "",
            f"Made from the code by `make docs`. Id `{game.id}`, version {game.version}, {least} to {most} players"
            f"{', cooperative' if game.cooperative else ''}. State {game.state_bytes} bytes, {game.actions} actions,"
            f" {game.chances} chance outcomes, {game.observation} floats of observation.",
            "",
            f"![The board during a match]({game.id}.svg)",
            "",
            "## Options",
            "",
            *_table(
                ("option", "rule", "takes", "default", "for bots and research", "meaning"),
                (
                    (f"`{o.name}`", o.rule, o.takes(), _code(o.default), _code(o.research), o.meaning)
                    for o in game.options
                ),
            ),
            "## In every library",
            "",
            "[Which is for whom](../research.md). All of them have the same actions, floats and rewards.",
            "",
            "```python",
            *_snippets(game),
            "",
            "```",
            "",
            "## A match as a learner meets it",
            "",
            *_life(game),
            "## Observation",
            "",
            f"{game.observation} floats, of what the seat may know. “For each … and …” counts the last one fastest;"
            f" cards, lanes and pawns come in the order in which actions count through them. {game.whose}",
            "",
            *_table(("stretch", "from", "length", "meaning"), _layout(game)),
            "## Actions",
            "",
            "`game.parts(action)` gives the dict, `game.notation(action)` the text; `game.action(…)` reads both."
            " Numbers count through the parts as through the digits of a number, the last one fastest.",
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
            "`match.view(seat)` halfway through a match (what is hidden from the seat is left out):",
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
            "A version is new where the same numbers would mean another match. Match files and results of the arena"
            " name it.",
            "",
            *_table(("version", "brought"), ((str(version), what) for version, what in game.versions.items())),
        ]
    )


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
    """What changes in the parts of these actions, slowest first, and through which values; checked number by number."""
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
    assert not changing, f"{game.id}: nobody can say how actions {numbers[0]} to {numbers[-1]} are numbered"
    return ""


def _span(values: list[Any]) -> str:
    """Some values; of numbers in a row the first and the last."""
    if isinstance(values[0], int) and len(values) > 2 and values == list(range(values[0], values[0] + len(values))):
        return f"{values[0]}…{values[-1]}"
    return ", ".join(map(str, values))


def _snippets(game: Game) -> Iterator[str]:
    """The game in each library that knows it. The page is a test: what these lines say is checked."""
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
    yield f'>>> gymnasium.make("tribord/{camel}-v0", players={most}, seat=0, opponents="mousse").action_space'
    yield f"Discrete({game.actions})"
    yield ">>> import pyspiel, tribord.research.openspiel  # trees, exact chance: docs/openspiel.md"
    yield f'>>> pyspiel.load_game("tribord_{game.id.replace("-", "_")}(players={most})").num_distinct_actions()'
    yield f"{game.actions}"


class Life(NamedTuple):
    """What matches of random play were like."""

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
        yield "- **Reward**: at the end 1 for all or 0 for all, before that 0."
    else:
        yield (
            "- **Reward**: at the end the share of the victory, before that 0. One winner has 1, two have a half each;"
            " where nobody wins nobody has anything. Points are not rewards."
        )
    if sealed:
        yield (
            f"- **Sealed choices** ({', '.join(f'`{kind}`' for kind in sealed)}): all who must choose do so without"
            " seeing the others’ choices. Batches, Gymnasium and PettingZoo’s AEC ask them one after another by seat;"
            " in PettingZoo’s Parallel and in OpenSpiel they are one step."
        )
    else:
        yield "- **No choice is sealed**: one seat decides at a time."
    yield (
        "- **Whose turn it is** follows from the rules, not from the order of the seats: ask `turns.seats`,"
        " `agent_selection` or `current_player()`. A seat may decide several times in a row, or no more before the end."
    )
    yield "- **Chance**, where there is any, is drawn inside a step; in OpenSpiel it has nodes of its own."
    limits = [option for option in game.options if option.research is not None]
    for option in limits:
        yield (
            f"- **The option `{option.name}`** is {option.research} unless you say otherwise ({option.rule}), and"
            f" {option.default} in a match among people: random play might not end."
        )
    yield ""
    yield f"{TRIED} matches of random play, seed 1, at each number of players:"
    yield ""
    yield from _table(
        ("players", "decisions in a match", "longest", "legal actions, mean", "mean reward by seat"),
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
    """The picture on the page: what everyone may see during a match."""
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
        print(file)


if __name__ == "__main__":
    main()
