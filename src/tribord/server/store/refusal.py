"""The refusals of the store."""

from __future__ import annotations

from tribord.core.refusal import Refusal
from tribord.core.words import _

BAD_STORE = _("“{url}” isn’t a store. Write a path, sqlite:///path or postgresql://…")
BAD_POSTGRESQL = _("This isn’t a PostgreSQL address: {reason}")
NO_DRIVER = _("A PostgreSQL store needs a driver: pip install “tribord[postgresql]”.")
IN_MEMORY = _("Name a file for the store. Tables in memory would be lost with the server.")
LATER_STORE = _("The store was written by a later version (schema {found}, this is {ours}). Update Tribord.")
EARLIER_STORE = _("An earlier version wrote this store. Start the server once: it brings the store up to date.")
DAMAGED = _(
    "This table’s log is damaged, so it can’t be opened. Other tables are fine. Tell the person who runs this"
    " server: a backup may have it."
)
IN_USE = _("Another server is using the store “{place}”. Stop it first, or choose another file with --store.")
NOT_OPENED = _("The store “{place}” can’t be opened: {reason}")
UNAVAILABLE = _("The store doesn’t answer: {reason}")
BACKUP_ONTO_ITSELF = _("Choose another file for the backup: this one is the store itself.")
BACKUP_DAMAGED = _(
    "This backup is damaged, and perhaps the store is too. Run “tribord check” to find out where. The damaged backup"
    " is kept as “{path}”; earlier backups are untouched."
)
BACKUP_FAILED = _("The backup to “{path}” failed: {reason}")
USE_PG_DUMP = _("Back up a PostgreSQL store with PostgreSQL’s own command: pg_dump.")


class Conflict(Exception):
    """The row's number is taken by another worker, or does not follow the last one: reload and retry."""

    def __init__(self, table: str, seq: int):
        super().__init__(f"row {seq} of table {table}")
        self.table = table
        self.seq = seq


class CodeTaken(Exception):
    """Another table has this code: nothing was kept, draw another."""

    def __init__(self, code: str):
        super().__init__(code)
        self.code = code


class Damaged(Refusal):
    """A row of a table is missing, or isn't what was written: the table can't be trusted."""

    def __init__(self, table: str, seq: int):
        super().__init__("damaged", DAMAGED)
        self.table = table
        self.seq = seq


class EarlierStore(Refusal):
    """The store's schema is older than this program."""


class LaterStore(Refusal):
    """The store's schema is newer than this program."""


class Unavailable(Refusal):
    """The disk is full, the database is away. After a failed append, reload the table: its row may be there or not."""

    def __init__(self, reason: object):
        super().__init__("store-unavailable", UNAVAILABLE, reason=str(reason).strip())
