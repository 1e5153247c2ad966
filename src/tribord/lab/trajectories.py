"""Trajectories: every decision of whole matches, as a row in a Parquet file: seen, legal, chosen, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tribord.core import verbs
from tribord.core.batch import Mask, mark, observe_match, reward_seats
from tribord.core.bits import lowest_bit
from tribord.core.chance import seed_stream
from tribord.core.compiled import compiled
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.record import CHANCE, Floats, Ints, State, States
from tribord.core.refusal import BadFile, BadOption
from tribord.lab.export import FILE_EXISTS, NOT_A_FORMAT
from tribord.lab.extra import needed
from tribord.lab.ledger import NO_PLACE

if TYPE_CHECKING:
    from tribord.lab.simulate import Sample

SUFFIX = ".parquet"


class Decisions(NamedTuple):
    """The decisions of some matches, one match after another."""

    seats: Ints
    actions: Ints
    observation: Floats  # of the seat that decides
    mask: Mask  # what was legal


def room(game: Game, rows: int) -> Decisions:
    """Arrays for this many decisions."""
    floats, mask = np.zeros((rows, game.observation), np.float32), np.zeros((rows, game.actions), np.int8)
    return Decisions(np.zeros(rows, np.int64), np.zeros(rows, np.int64), floats, mask)


@compiled
def record_playouts(
    states: States, settings: State, lengths: Ints, seed: int, first: int, rng: Ints, out: Ints, scores: Ints,
    wins: Ints, rows: Decisions,
) -> None:  # fmt: skip
    """Play the matches of `tribord.lab.simulate.playouts` again, with the same luck, and record every decision."""
    state, row = states[0], 0
    for i in range(len(lengths)):
        seed_stream(rng, seed, first + i)
        verbs.initial(state, settings)
        end = row + lengths[i]
        while row < end:
            acting = verbs.to_act(state)
            if acting == 0:
                verbs.apply(state, CHANCE, verbs.roll(state, rng, out), None)
                continue
            seat = lowest_bit(acting)
            observe_match(states, states[1:], seat, 0, rows.observation[row])
            mark(state, seat, rows.mask[row], out)
            rows.seats[row] = seat
            rows.actions[row] = verbs.sample(state, seat, rng, out)
            verbs.apply(state, seat, rows.actions[row], None)
            row += 1


@compiled
def record_journal(states: States, settings: State, seats: Ints, actions: Ints, out: Ints, rows: Decisions) -> None:
    """Replay a match from its journal, dice included, and record every decision."""
    state, row = states[0], 0
    verbs.initial(state, settings)
    for k in range(len(seats)):
        if seats[k] != CHANCE:
            observe_match(states, states[1:], seats[k], 0, rows.observation[row])
            mark(state, seats[k], rows.mask[row], out)
            rows.seats[row] = seats[k]
            rows.actions[row] = actions[k]
            row += 1
        verbs.apply(state, seats[k], actions[k], None)


def recorded(
    play: Callable[..., Sample], game: Game, settings: State, matches: int, seed: int, first: int = 0
) -> Sample:
    """Matches played uniformly at random, with their decisions."""
    sample = play(game, settings, matches, seed, first)
    sample.decisions = room(game, int(sample.lengths.sum()))
    seats, out = game.players[1], np.zeros(max(game.actions, game.chances), np.int64)
    scores, wins = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    record_playouts(
        game.states(2), settings, sample.lengths, seed, first, np.zeros(4, np.int64), out, scores, wins,
        sample.decisions,
    )  # fmt: skip
    return sample


def decisions_of(match: Match) -> Decisions:
    """The decisions of a match that is over."""
    game, entries = match.game, [step.entry for step in match.steps]
    seats = np.array([entry.seat for entry in entries], np.int64)
    rows = room(game, int((seats != CHANCE).sum()))
    actions = np.array([entry.action for entry in entries], np.int64)
    out = np.zeros(max(game.actions, game.chances), np.int64)
    record_journal(game.states(2), match.settings, seats, actions, out, rows)
    return rows


def joined(parts: list[Decisions]) -> Decisions:
    """The decisions of several matches as one."""
    return Decisions(*(np.concatenate(arrays) for arrays in zip(*parts)))


class Trajectories:
    """A Parquet file that grows by matches, and gets its name once complete. Without a path it does nothing."""

    def __init__(self, path: Path | None, game: Game, players: int, arguments: Mapping[str, Any]):
        self.path = path
        self.game = game
        self.players = players
        self._arguments = arguments
        self._file: IO[bytes] | None = None
        if path:
            check_trajectories(path)
            self._draft = path.with_name(path.name + ".part")

    def __enter__(self) -> Trajectories:
        if self.path:
            try:
                self._file = self._draft.open("wb")
            except OSError as error:
                raise BadFile("unwritable", NO_PLACE, path=self.path, reason=error.strerror) from None
            self._schema = self._columns()
            self._writer = needed("pyarrow.parquet").ParquetWriter(self._file, self._schema, compression="zstd")
        return self

    def add(self, sample: Sample, first: int) -> None:
        """Add the decisions of matches number `first` and following."""
        rows = sample.decisions
        if self.path is None or rows is None:
            return
        arrow = needed("pyarrow")
        lengths = sample.lengths
        match = np.repeat(np.arange(len(lengths)), lengths)
        step = np.arange(len(match)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        shares = np.zeros((len(lengths), self.players), np.float32)
        for share, wins in zip(shares, sample.wins):
            reward_seats(wins, self.game.cooperative, share)
        endings = [*self.game.text.ENDINGS]
        reasons = np.array([endings[why - 1] for why in sample.reasons().tolist()])
        last = np.zeros(len(match), np.bool_)
        for seat in range(self.players):
            mine = np.flatnonzero(rows.seats == seat)
            last[mine[np.append(match[mine][1:] != match[mine][:-1], True)]] = len(mine) > 0
        columns = {
            "match": first + match, "step": step, "seat": rows.seats,
            "observation": _lists(arrow, rows.observation), "action_mask": _lists(arrow, rows.mask.view(np.bool_)),
            "action": rows.actions, "last": last, "share": shares[match, rows.seats],
            "score": sample.scores[match, rows.seats], "reason": reasons[match],
        }  # fmt: skip
        columns = {name: arrow.array(values).cast(self._schema.field(name).type) for name, values in columns.items()}
        try:
            self._writer.write_table(arrow.table(columns, schema=self._schema))
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=self.path, reason=error.strerror) from None

    def _columns(self) -> Any:
        arrow = needed("pyarrow")
        fields = [
            ("match", arrow.int64()), ("step", arrow.int32()), ("seat", arrow.int8()),
            ("observation", arrow.list_(arrow.float32(), self.game.observation)),
            ("action_mask", arrow.list_(arrow.bool_(), self.game.actions)),
            ("action", arrow.int32()), ("last", arrow.bool_()), ("share", arrow.float32()), ("score", arrow.int32()),
            ("reason", arrow.string()),
        ]  # fmt: skip
        about = json.dumps(dict(self._arguments), ensure_ascii=False)
        return arrow.schema(fields).with_metadata({"tribord": about})

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is None:
            return
        self._writer.close()
        self._file.close()
        if kind is None:
            assert self.path
            self._draft.replace(self.path)
        else:
            self._draft.unlink()


def _lists(arrow: Any, rows: Any) -> Any:
    """A column of lists of one size, from the rows of an array."""
    return arrow.FixedSizeListArray.from_arrays(arrow.array(rows.reshape(-1)), rows.shape[1])


def check_trajectories(path: Path) -> None:
    """Refuse a file that can't become one of trajectories, before anything is played."""
    if path.suffix != SUFFIX:
        raise BadOption("not-a-format", NOT_A_FORMAT, known=SUFFIX, file=path)
    if path.exists():
        raise BadOption("file-exists", FILE_EXISTS, file=path)
    needed("pyarrow.parquet")
