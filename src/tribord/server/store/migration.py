"""Migrations: numbered SQL files that bring a store from any earlier schema to this version's.

The table schema_version has one line per migration done. The worker that runs them holds a lock of the database, so
that several workers may start at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tribord.server.store.refusal import EARLIER_STORE, LATER_STORE, EarlierStore, LaterStore

VERSIONS = "CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL)"


@dataclass(frozen=True)
class Migration:
    """One step of the schema."""

    version: int
    name: str
    sql: str


def migrations(dialect: str) -> list[Migration]:
    """All steps for "sqlite" or "postgresql", in order."""
    files = sorted((Path(__file__).parent / "migrations" / dialect).glob("*.sql"))
    return [Migration(int(file.stem[:4]), file.stem[5:], file.read_text(encoding="utf-8")) for file in files]


def missing(dialect: str, version: int) -> list[Migration]:
    """Return the steps that a store at a version (0 = empty) still needs; refuse a later version."""
    steps = migrations(dialect)
    ours = steps[-1].version
    if version > ours:
        raise LaterStore("later-store", LATER_STORE, found=version, ours=ours)
    return [step for step in steps if step.version > version]


def check_current(dialect: str, version: int) -> None:
    """Refuse a store that isn't at this program's version."""
    if missing(dialect, version):
        raise EarlierStore("earlier-store", EARLIER_STORE)
