"""The ledger: a file of finished matches, so that an interrupted contest can be resumed.

One JSON object per line: first the terms, then the matches in order. A last line that was cut short, by a power cut or
a full disk, is detected and removed. A ledger has one writer at a time: another would remove the line being written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tribord.core.refusal import BadFile
from tribord.core.words import _

FORMAT = 1

NO_PLACE = _("“{path}” couldn’t be written: {reason}.")
NOT_A_LEDGER = _("“{path}” isn’t a file of arena matches. Nothing was played or written: give --to another name.")
IN_USE = _("Another arena is writing to “{path}”: wait until it ends, or give --to another name.")
BAD_LINE = _("Line {line} of “{path}” is damaged: fix or remove it.")
OTHER_TERMS = _("“{path}” was started with another “{field}” ({theirs} there, {ours} here): give --to another name.")


class Ledger:
    """An open file of finished matches, by number."""

    def __init__(self, path: Path, terms: Mapping[str, Any]):
        self.path = path
        self.kept: dict[int, dict[str, Any]] = {}
        self.cut_short = False  # whether a half-written line was found
        head = {"arena": FORMAT, **terms}
        try:
            self._file = path.open("a", encoding="utf-8")
            try:
                _lock(self._file)
                self._read(json.loads(json.dumps(head)))
            except BaseException:
                self._file.close()
                raise
        except BlockingIOError:
            raise BadFile("in-use", IN_USE, path=path) from None
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=path, reason=error.strerror) from None
        if path.stat().st_size == 0:
            self._write(head)

    def _read(self, head: dict[str, Any]) -> None:
        content = self.path.read_bytes()
        whole, newline, rest = content.rpartition(b"\n")
        lines = whole.split(b"\n") if newline else []
        theirs = _object(lines[0] if lines else rest)
        if rest:
            if lines or json.dumps(head).encode().startswith(rest):
                self.cut_short = True
            else:
                raise BadFile("not-a-ledger", NOT_A_LEDGER, path=self.path)
        if lines:
            if theirs is None or "arena" not in theirs:
                raise BadFile("not-a-ledger", NOT_A_LEDGER, path=self.path)
            for field in head | theirs:
                if theirs.get(field) != head.get(field):
                    raise BadFile(
                        "other-terms", OTHER_TERMS, path=self.path, field=field,
                        theirs=_short(theirs.get(field)), ours=_short(head.get(field)),
                    )  # fmt: skip
        for number, line in enumerate(lines[1:], 2):
            match = _object(line)
            if match is None or not isinstance(match.get("number"), int):
                raise BadFile("bad-line", BAD_LINE, path=self.path, line=number)
            self.kept[match["number"]] = match
        if self.cut_short:
            with self.path.open("r+b") as file:
                file.truncate(len(content) - len(rest))

    def add(self, match: Mapping[str, Any]) -> None:
        """Append a match that has just ended."""
        self._write(match)

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise BadFile("unwritable", NO_PLACE, path=self.path, reason=error.strerror) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def _lock(file: IO[str]) -> None:
    """Lock the file for this writer until it's closed or the process dies, on systems with such locks."""
    with suppress(ModuleNotFoundError):  # Windows
        fcntl = import_module("fcntl")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
