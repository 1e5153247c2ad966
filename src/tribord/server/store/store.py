"""The store's contract. The server folds a table in memory; the store keeps its rows and its line in the index."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from tribord.server.store.home import Home
from tribord.server.store.moderation import AuditEntry, Ban
from tribord.server.store.row import IndexEntry, Row

Heard = Callable[[str, int, Row | None], None]


class Store(Protocol):
    """Where tables are kept. It belongs to one event loop."""

    shared: bool
    """Whether other workers may write too: what is in memory is then to be compared with the store."""
    worker: str
    """The id of this one, drawn at its start."""

    def claim(self) -> AbstractContextManager[None]:
        """Hold a store that can't be shared, from before it is opened until it is closed; refuses one that is held."""

    async def open(self, *, reading: bool = False) -> None:
        """Connect, and bring the schema up to date; refuses a store that a later version has written.

        `reading`: no row is appended, and the schema must be up to date.
        """

    async def close(self) -> None:
        """Write and answer pending appends, then release everything."""

    async def append(self, row: Row, entry: IndexEntry) -> None:
        """Keep a row and its table's entry, both or none; durable when it returns.

        Raises `Conflict` when the row does not follow the table's last one, `CodeTaken` when another table has the
        entry's code, `Unavailable` when it could not be written. Cancelling the caller doesn't undo it.
        """

    async def read(self, table: str, after: int = -1, before: bytes = b"") -> list[Row]:
        """The rows of a table behind row `after`, whose hash is `before`, in order; raises `Damaged`."""

    async def tables(self) -> list[str]:
        """Every table that has rows or a line in the index."""

    async def flaws(self) -> list[str]:
        """What the database finds wrong with its own files."""

    async def index_entry(self, table: str) -> IndexEntry | None:
        """A table's line in the index."""

    async def find(self, code: str) -> str | None:
        """The table that has a code."""

    async def open_tables(self, limit: int = 50) -> list[IndexEntry]:
        """The public tables that wait for players, last touched first."""

    async def due(self, before: float, limit: int = 100) -> list[str]:
        """The tables at which this worker must act by then (inclusive), longest due first: its own, and orphans."""

    async def listen(self, heard: Heard) -> None:
        """From now on call `heard(table, seq, row)` for rows that others append to tables whose home is this worker.

        A large row is left out. After a lost connection it is called once for each such table that others have moved
        meanwhile, with its last row, and perhaps for some that were heard before.
        """

    async def renew(self, worker: Home, seconds: float) -> bool:
        """Run this worker's lease for so long from now; whether it still ran, so that its tables are surely its own."""

    async def release(self) -> None:
        """End this worker's lease: its tables are free at once."""

    async def home(self, table: str) -> Home | None:
        """The worker that is home to a table: this one (None) if it was free, or if no other worker has it."""

    async def taken(self, tables: list[str]) -> dict[str, Home]:
        """Of these tables, those whose home is another worker, and which; looks only."""

    async def keep_key(self, fresh: bytes) -> bytes:
        """The key that signs match files: the stored one, otherwise `fresh`, which is stored from now on."""

    async def probe(self) -> None:
        """Read and write, to check that both work; raises `Unavailable` if not."""

    async def size(self) -> int:
        """The bytes that its tables take."""

    async def backup(self, path: Path) -> None:
        """Write a consistent copy to a file while running, and check it; refuses one that is damaged."""

    async def purge(self, before: float, unfinished: bool = False) -> int:
        """Delete the tables untouched since then that aren't being played, or if `unfinished` those that are.

        Returns how many.
        """

    async def ban(self, ban: Ban) -> None:
        """Keep a ban, instead of an earlier one of the same target."""

    async def unban(self, target: str) -> bool:
        """Lift a ban; whether there was one."""

    async def bans(self) -> list[Ban]:
        """The bans that hold now, the first first."""

    async def note(self, entry: AuditEntry) -> None:
        """Append to the audit log; durable when it returns. With a key that is there already it does nothing."""

    async def audit(self, what: str = "", limit: int = 100) -> list[AuditEntry]:
        """The last entries of the audit log, of one sort or all, oldest first."""

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep the analysis of a table's match, as long as the table; an earlier one of the same format stays."""

    async def analysis(self, table: str) -> bytes | None:
        """The analysis that is kept of a table's match; one of an old format doesn't count."""

    async def keep_branch(self, table: str, original: str) -> None:
        """Note that a table goes on from the match of another."""

    async def branches(self, original: str, limit: int) -> list[tuple[str, bytes]]:
        """The tables that go on from a table's match and their summaries, last touched first."""

    async def forget(self, before: float) -> int:
        """Delete bans that have run out, and the entries of the audit log from before then; returns how many."""
