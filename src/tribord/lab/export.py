"""Exports: write one row per match, as Parquet, CSV or JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption
from tribord.core.words import _
from tribord.lab.extra import needed
from tribord.lab.ledger import NO_PLACE

if TYPE_CHECKING:
    from tribord.lab.simulate import Sample

FORMATS = (".parquet", ".csv", ".json")

NOT_A_FORMAT = _("The name of a file of matches must end in {known}, not “{file}”.")
FILE_EXISTS = _("“{file}” already exists: choose another name.")


class Export:
    """A file of matches that gets its final name once complete. Without a path it does nothing."""

    def __init__(self, path: Path | None, game: Game, players: int, arguments: Mapping[str, Any]):
        self.path = path
        self._endings = [*game.text.ENDINGS]
        self._players = players
        self._names = ["match", "actions", "reason"]
        self._names += [f"{what}_{seat}" for what in ("score", "won") for seat in range(players)]
        self._arguments = arguments
        self._rows = 0
        self._file: IO[Any] | None = None
        self._writer: Any = None
        if path:
            check_export(path)
            self._draft = path.with_name(path.name + ".part")

    def __enter__(self) -> Export:
        if not self.path:
            return self
        try:
            if self.path.suffix == ".parquet":
                self._file = self._draft.open("wb")
                self._writer = needed("pyarrow.parquet").ParquetWriter(self._file, self._schema())
            else:
                self._file = self._draft.open("w", encoding="utf-8", newline="")
                if self.path.suffix == ".csv":
                    self._writer = csv.writer(self._file, lineterminator="\n")
                    self._writer.writerow(self._names)
                else:
                    self._file.write(json.dumps(dict(self._arguments), ensure_ascii=False)[:-1] + ', "matches": [')
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=self.path, reason=error.strerror) from None
        return self

    def add(self, sample: Sample, first: int) -> None:
        """Add matches number `first` and following."""
        if self.path is None or self._file is None:
            return
        n, players = len(sample.lengths), self._players
        columns: list[list[Any]] = [
            list(range(first, first + n)),
            sample.lengths.tolist(),
            [self._endings[why - 1] for why in sample.reasons().tolist()],
            *sample.scores[:, :players].T.tolist(),
            *sample.wins[:, :players].astype(bool).T.tolist(),
        ]
        try:
            if self.path.suffix == ".parquet":
                table = needed("pyarrow").table(dict(zip(self._names, columns)), schema=self._schema())
                self._writer.write_table(table)
            elif self.path.suffix == ".csv":
                self._writer.writerows(
                    [int(cell) if cell is True or cell is False else cell for cell in row] for row in zip(*columns)
                )
            else:
                for row in zip(*columns):
                    self._file.write(("," if self._rows else "") + "\n" + json.dumps(dict(zip(self._names, row))))
                    self._rows += 1
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=self.path, reason=error.strerror) from None

    def _schema(self) -> Any:
        arrow = needed("pyarrow")
        sorts = {"match": arrow.int64(), "actions": arrow.int32(), "reason": arrow.string()}
        fields = [
            (name, sorts.get(name) or (arrow.int32() if name.startswith("score") else arrow.bool_()))
            for name in self._names
        ]
        about = json.dumps(dict(self._arguments), ensure_ascii=False)
        return arrow.schema(fields).with_metadata({"tribord": about})

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.path is None or self._file is None:
            return
        if self.path.suffix == ".parquet":
            self._writer.close()
        elif self.path.suffix == ".json" and kind is None:
            self._file.write("\n]}\n")
        self._file.close()
        if kind is None:
            self._draft.replace(self.path)
        else:
            self._draft.unlink()


def check_export(path: Path) -> None:
    """Refuse a file that can't hold matches, before anything is played."""
    if path.suffix not in FORMATS:
        raise BadOption("not-a-format", NOT_A_FORMAT, known=", ".join(FORMATS), file=path)
    if path.exists():
        raise BadOption("file-exists", FILE_EXISTS, file=path)
    if path.suffix == ".parquet":
        needed("pyarrow.parquet")
