"""Why the store did not do something."""

from __future__ import annotations

from tribord.core.refusal import Refusal
from tribord.core.words import _

BAD_STORE = _("“{url}” is not a store: it takes a path, sqlite:///path or postgresql://…")
BAD_POSTGRESQL = _("This is not a PostgreSQL address: {reason}")
NO_DRIVER = _("A PostgreSQL store needs a driver: pip install “tribord[postgresql]”.")
IN_MEMORY = _("A store lives in a file: tables in memory would be lost with the server.")
LATER_STORE = _("The store was written by a later version (schema {found}, this is {ours}): please update Tribord.")
EARLIER_STORE = _("An earlier version wrote this store. Start the server once: it brings the store up to date.")
DAMAGED = _(
    "This table’s record is damaged, so it can’t be opened. Other tables are fine."
    " Tell the person who runs this server: a backup may have it."
)
IN_USE = _("Another server is using the store “{place}”. Stop it first, or choose another file with --store.")
NOT_OPENED = _("The store “{place}” cannot be opened: {reason}")
UNAVAILABLE = _("The store does not answer: {reason}")
BACKUP_ONTO_ITSELF = _("A backup goes to another file than the store's own.")
BACKUP_DAMAGED = _(
    "This backup is damaged, and so is perhaps the store: “tribord check” says where. It is kept as “{path}”,"
    " and earlier backups are as they were."
)
BACKUP_FAILED = _("The backup to “{path}” failed: {reason}")
USE_PG_DUMP = _("A PostgreSQL store is backed up by PostgreSQL's own command: pg_dump.")


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
