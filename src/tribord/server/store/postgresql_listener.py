"""The PostgreSQL listener: hears of rows that others append to this worker's tables, also after a lost connection."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import datetime

import psycopg

from tribord.server.store.postgresql_pool import Connection, Lost, connect, pauses
from tribord.server.store.postgresql_writer import CHANNEL
from tribord.server.store.row import Row
from tribord.server.store.store import Heard

HEARTBEAT = 10.0  # seconds of silence after which the connection is tried

# A row's time is the start of its transaction, hence the margin. If we wrote last ourselves, we missed nothing.
MISSED = b"""SELECT table_id, seq FROM entry
             WHERE wrote > %s::timestamptz - interval '1 minute' AND worker <> %s AND home = %s"""

log = logging.getLogger(__name__)


class Listener:
    """Calls `heard` on the event loop, from `start` until `close`."""

    def __init__(self, conninfo: str, worker: str, heard: Heard):
        self._conninfo = conninfo
        self._worker = worker
        self._heard = heard
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._since: datetime | None = None  # the database's clock when the connection was last known to work

    async def start(self) -> None:
        """Returns when it listens: nothing that is committed from now on is missed."""
        self._connection = await self._listen()
        self._task = asyncio.create_task(self._run(self._connection), name="tribord-listen")

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._connection is not None:
            await self._connection.close()

    async def _run(self, connection: Connection) -> None:
        while True:
            try:
                await self._hear(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("The store's connection for listening broke: %s", error)
            await connection.close()
            connection = self._connection = await self._reconnect()

    async def _hear(self, connection: Connection) -> None:
        while True:
            async for notice in connection.notifies(timeout=HEARTBEAT):
                number, table, *row = notice.payload.split("\n", 5)
                self._notify(table, int(number), _row(table, int(number), *row) if row else None)
            await self._beat(connection)

    async def _reconnect(self) -> Connection:
        for pause in pauses():
            await asyncio.sleep(pause)
            with suppress(Lost):
                return await self._listen()
        raise AssertionError("pauses never end")

    async def _listen(self) -> Connection:
        connection = await connect(self._conninfo)
        try:
            await connection.execute(f"LISTEN {CHANNEL}{self._worker}".encode())
            if self._since is not None:
                missed = await connection.execute(MISSED, (self._since, self._worker, self._worker))
                for table, seq in await missed.fetchall():
                    self._notify(table, seq)
            await self._beat(connection)
        except BaseException as error:
            await connection.close()
            if isinstance(error, psycopg.Error):
                raise Lost(error) from error
            raise
        return connection

    async def _beat(self, connection: Connection) -> None:
        now = await (await connection.execute(b"SELECT clock_timestamp()")).fetchone()
        assert now is not None
        self._since = now[0]

    def _notify(self, table: str, seq: int, row: Row | None = None) -> None:
        try:
            self._heard(table, seq, row)
        except Exception:  # a listener's mistake must not end the listening
            log.exception("Hearing of row %d of table %s failed", seq, table)


def _row(table: str, seq: int, at: str, kind: str, known: str, body: str) -> Row:
    return Row(table, seq, kind, bytes.fromhex(body), float(at), bytes.fromhex(known))
