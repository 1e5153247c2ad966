"""Making puzzles: positions from simulated matches with one clearly best choice, by what the seat knows.

A choice is clearly best if its whole interval is above that of every other choice, in a short search and in one ten
times longer, which looks at all of them. In a solved game the values are exact, and one look is enough. Each match
gives one puzzle at most. To save time, a glance and the cheap ranks come first, the long search last.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tribord.bots import ranks, seat_bot
from tribord.bots.decision import TREES, ActionValue, Decision
from tribord.bots.puzzle import FILE, LEVELS, Puzzle, puzzles
from tribord.bots.search import iterations_of
from tribord.core.game import Game
from tribord.core.journal import line_of
from tribord.core.match import Match
from tribord.core.option import Choice, Flag, Subset
from tribord.core.refusal import BadOption
from tribord.core.words import _
from tribord.lab.contest import check_seed
from tribord.lab.outlook import outlooks

LEAST_CHOICES, MOST_CHOICES = 3, 64  # of a puzzle, so that they can still be compared
GLANCE, SHORT, LONG = 50, 10, 1  # a captain's iterations are divided by this, in each tree of a search
LOOKED_AT = 8  # choices whose values the short search compares; the long one compares all
MARGIN = 0.03  # of the chances, between the best choice and the next: less isn't clear
EXACT_MARGIN = 0.01  # if the values are exact
TRIED = 40  # decisions of a match that are looked at
LONGEST = 500  # decisions after which a simulated match is dropped
TRIES = {"mousse": 8, "matelot": 8, "bosco": 8, "capitaine": 4}  # decisions of each rank, by which a puzzle is graded
CREW = ("mousse", "matelot")  # who plays the simulated matches
WRITTEN = ("players", "options", "journal", "seat", "level", "exact", "choices", "ranks")  # of a puzzle
SHARE = 4  # at least one puzzle in this many is kept for each level

TOO_FEW = _("At least one puzzle and one match are needed.")


def build(
    game: Game,
    count: int,
    seed: int,
    matches: int,
    progress: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> dict[str, Any]:
    """The puzzles of a game: this many, or all that the simulated matches have."""
    check_seed(seed)
    if count < 1 or matches < 1:
        raise BadOption("too-few", TOO_FEW)
    game.speed_up()
    found: list[dict[str, Any]] = []
    known: set[bytes] = set()
    for playing in range(matches):
        progress(len(found), count)
        if len(found) == count:
            break
        found += find(game, seed, playing, found, count, known)
    found = [explained(Puzzle(game, number, **each)) for number, each in enumerate(found, 1)]
    return {
        "game": game.id,
        "version": game.version,
        "command": f"tribord puzzles {game.id} --count {count} --seed {seed} --matches {matches} --json",
        "search": {"trees": TREES, "iterations": iterations_of(game, "capitaine") // LONG},
        "puzzles": found,
    }


def explained(each: Puzzle) -> dict[str, Any]:
    """A puzzle as it is written, with what every choice leads to. It depends on nothing but the position."""
    actions = [suggestion.action for suggestion in each.suggestions]
    found = outlooks(each.game, each.view, each.seat, actions)
    written = {name: getattr(each, name) for name in WRITTEN}
    return written | {"choices": [dict(choice) | {"outlook": told} for choice, told in zip(each.choices, found)]}


def explained_again(
    game: Game, progress: Callable[[int, int], None] = lambda done, all_of_them: None
) -> dict[str, Any]:
    """The puzzles that come with a game, as they are written, with what their choices lead to worked out again."""
    game.speed_up()
    shipped = json.loads((game.folder / FILE).read_text(encoding="utf-8"))
    those = puzzles(game)
    found = []
    for each in those:
        progress(each.number - 1, len(those))
        found.append(explained(each))
    return shipped | {"puzzles": found}


def find(
    game: Game, seed: int, playing: int, found: list[dict[str, Any]], count: int, known: set[bytes]
) -> list[dict[str, Any]]:
    """The puzzle of a simulated match, if it has one that is still wanted. `known` are the views of those found: the
    opening looks the same in many matches.
    """
    kinds = Counter(kind_of(game, each["choices"][0]["actions"][0]) for each in found)
    decisions = list(candidates(game, seed, playing))
    random.Random(f"{seed}:{playing}:order").shuffle(decisions)
    decisions.sort(key=lambda each: kinds[kind_of(game, each[0].legal(each[1])[0])])  # the rare ones first
    wanted = levels_wanted([each["level"] for each in found], count)
    for match, seat in decisions[:TRIED]:
        position = match.view_state(seat).tobytes()
        if position not in known and (made := puzzle(match, seat, seed + playing, wanted)):
            known.add(position)
            return [made]
    return []


def candidates(game: Game, seed: int, playing: int) -> Iterator[tuple[Match, int]]:
    """The decisions of a simulated match with neither too few nor too many choices: the match, and the seat."""
    chance = random.Random(f"{seed}:{playing}")
    players, options = setting(game, chance)
    match = game.match(players, f"{seed}:{playing}", options)
    bots = [seat_bot(chance.choice(CREW), game, seed + playing) for _seat in range(players)]
    for _decision in range(LONGEST):
        if match.over:
            return
        seat = match.to_act[0]
        legal = match.legal(seat)
        if LEAST_CHOICES <= len(legal) <= MOST_CHOICES:
            yield match.fork(), seat
        match.play(seat, bots[seat].decide(match.view_state(seat), legal))


def setting(game: Game, chance: random.Random) -> tuple[int, dict[str, Any]]:
    """A random number of players and options; every other match has the default ones."""
    while True:
        players = chance.randint(*game.players)
        options: dict[str, Any] = {}
        if chance.random() < 0.5:
            for option in game.options:
                if isinstance(option, Choice):
                    options[option.name] = chance.choice(option.values)
                elif isinstance(option, Flag):
                    options[option.name] = chance.random() < 0.5
                elif isinstance(option, Subset):
                    options[option.name] = chance.choice(([], list(option.values)))
        try:
            game.settings(players, options)
        except BadOption:  # they don't go together
            continue
        return players, options


def kind_of(game: Game, action: int | str) -> str:
    """What kind of decision an action belongs to."""
    part, value = game.steps(game.action(action))[0]
    return str(value) if part == "kind" else part


def levels_wanted(found: list[str], count: int) -> set[str]:
    """The levels that still have room: each has its share.

    >>> sorted(levels_wanted(["easy"] * 6, 10)), sorted(levels_wanted(["easy"] * 5 + ["medium"] * 2, 10))
    (['hard', 'medium'], ['easy', 'hard', 'medium'])
    """
    counted = Counter(found)
    kept = {level: max(0, count // SHARE - counted[level]) for level in LEVELS}
    free = count - len(found) - sum(kept.values())
    return {level for level in LEVELS if kept[level] or free > 0}


def puzzle(match: Match, seat: int, seed: int, wanted: set[str]) -> dict[str, Any] | None:
    """The decision of a seat as a puzzle; None if no choice is clearly the best, or its level isn't wanted."""
    game, view, legal = match.game, match.view_state(seat), match.legal(seat)

    def search(divided: int) -> Decision:
        iterations = max(1, iterations_of(game, "capitaine") // divided)
        return Decision(game, view, legal, iterations=iterations, seed=seed + divided)

    def share(rank: str) -> float:
        tries = TRIES[rank]
        return sum(seat_bot(rank, game, seed + k).decide(view, legal) in best for k in range(tries)) / tries

    decision = search(GLANCE)
    if not decision.exact:
        first, *others = decision.ranked(2)
        if not others or not first.value.mean - others[0].value.mean >= MARGIN:
            return None
        decision = search(SHORT)
    choices = alike(decision)
    if len(choices) < LEAST_CHOICES:
        return None
    values = valued(decision, choices) if decision.exact else decision.ranked(LOOKED_AT)
    best = next(actions for actions in choices if values[0].action in actions)
    if not clear(values, decision.exact):
        return None
    found = {rank: share(rank) for rank in ranks()[:-1]}
    if level(found) not in wanted:
        return None
    if not decision.exact:
        decision = search(LONG)
        if decision.ranked(2)[0].action not in best or not clear(values := valued(decision, choices)):
            return None
        if values[0].action not in best:
            return None
    return {
        "players": match.players,
        "options": match.options,
        "journal": [line_of(game, entry) for entry in match.journal],
        "seat": seat,
        "level": level(found),
        "exact": decision.exact,
        "choices": [
            {
                "actions": [game.notation(action) for action in next(a for a in choices if each.action in a)],
                "value": each.value.as_dict(),
                "visits": each.visits,
                "line": [f"{ply.seat} {game.notation(ply.action)}" for ply in decision.line(each.action)],
            }
            for each in values
        ],
        "ranks": found | {ranks()[-1]: share(ranks()[-1])},
    }


def alike(decision: Decision) -> list[list[int]]:
    """The legal actions, grouped by the position they lead to."""
    found: dict[bytes, list[int]] = {}
    for action in decision.legal:
        found.setdefault(decision.leads_to(action), []).append(action)
    return list(found.values())


def valued(decision: Decision, choices: list[list[int]]) -> list[ActionValue]:
    """The value of every choice, the best first, each with a close look."""
    for actions in choices:
        decision.look_closer(actions[0])
    return sorted((decision.value(actions[0]) for actions in choices), key=lambda each: -each.value.mean)


def clear(values: list[ActionValue], exact: bool = False) -> bool:
    """Whether the first choice is clearly better than every other."""
    best, *others = (each.value for each in values)
    margin = EXACT_MARGIN if exact else MARGIN
    return bool(others) and all(best.low > other.high and best.mean - other.mean >= margin for other in others)


def level(found: Mapping[str, float]) -> str:
    """How hard a puzzle is: whether a mousse, or else a matelot, finds the best choice at least every other time.

    >>> [level({"mousse": mousse, "matelot": matelot}) for mousse, matelot in ((0.5, 1.0), (0.25, 0.75), (0.25, 0.0))]
    ['easy', 'medium', 'hard']
    """
    return LEVELS[0] if found["mousse"] >= 0.5 else LEVELS[1] if found["matelot"] >= 0.5 else LEVELS[2]


def dumps(made: Mapping[str, Any]) -> str:
    """The puzzles as text: one per line, so that a diff shows which have changed."""
    head = json.dumps({**made, "puzzles": []}, ensure_ascii=False, indent=1)
    lines = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in made["puzzles"])
    return head.replace('"puzzles": []', f'"puzzles": [\n{lines}\n ]') if lines else head
