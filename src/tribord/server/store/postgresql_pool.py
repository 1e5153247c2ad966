"""Connections to PostgreSQL: a few, opened when needed and reopened when the server has been away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection, errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from tribord.server.store.refusal import Unavailable

PATIENCE = 30.0  # seconds that a caller waits for a server that is away

# A server that vanishes silently is noticed in seconds; settings in the address take precedence.
DEFAULTS = {
    "application_name": "tribord",
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}

# What the database ends by itself, in case this process hangs or its machine is gone: nobody waits for our locks for
# longer than a lease runs. The options in the address take precedence here too.
TIMEOUTS = {
    "lock_timeout": "1s",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "3s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
UNHURRIED = "SET statement_timeout = 0"  # for commands that read the whole store

Connection = AsyncConnection[tuple[Any, ...]]
T = TypeVar("T")


class Lost(Exception):
    """The connection broke or couldn't be made: the work may be done or not."""


AGAIN = (Lost, errors.DeadlockDetected, errors.SerializationFailure, errors.ReadOnlySqlTransaction)


def address(url: str) -> str:
    """A connection string with our defaults; raises psycopg.ProgrammingError if the URL is invalid."""
    given = conninfo_to_dict(url)
    options = " ".join([*(f"-c {name}={value}" for name, value in TIMEOUTS.items()), str(given.get("options") or "")])
    return make_conninfo("", **(DEFAULTS | given | {"options": options.strip()}))


async def connect(conninfo: str) -> Connection:
    """A connection that commits each statement, unless a transaction is opened."""
    try:
        connection = await AsyncConnection.connect(conninfo, autocommit=True)
    except (psycopg.OperationalError, OSError) as error:
        raise Lost(error) from error
    await connection.set_isolation_level(psycopg.IsolationLevel.READ_COMMITTED)
    return connection


def pauses() -> Iterator[float]:
    """Yield how long to wait before each retry: 50 ms, then longer, at most 2 s."""
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, 2.0)


def _is_farewell(error: psycopg.OperationalError) -> bool:
    """Whether the server has gone or is stopping, before the connection knows. An error without a code comes from our
    side (such as an interrupted pipeline); the codes 57P.. mean that a server shuts down or starts.
    """
    return error.sqlstate is None or error.sqlstate.startswith("57P")


class Pool:
    """At most `size` connections."""

    def __init__(self, conninfo: str, size: int, prepare: str = ""):
        self._conninfo = conninfo
        self._size = size
        self._places = asyncio.Semaphore(size)
        self._idle: list[Connection] = []
        self._prepare = prepare  # a statement for each new connection
        self._closed = False

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run work that may safely run twice, and run it again if the connection breaks or a lock is lost."""
        clock = asyncio.get_running_loop().time
        patience = clock() + PATIENCE
        for pause in pauses():
            try:
                async with self.connection() as connection:
                    return await work(connection)
            except AGAIN as error:
                if clock() + pause > patience:
                    raise Unavailable(error) from error
            except psycopg.OperationalError as error:  # it answers, but can't do it: its disk is full, a timeout
                raise Unavailable(error) from error
            await asyncio.sleep(pause)
        raise AssertionError("pauses never end")

    async def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""

        async def work(connection: Connection) -> list[tuple[Any, ...]]:
            return await (await connection.execute(query.encode(), values)).fetchall()

        return await self.run(work)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Lend a connection for the length of the block; raise `Lost` if it breaks."""
        async with self._places:
            if self._closed:
                raise Unavailable("it is closed")
            connection = self._idle.pop() if self._idle else await self._connect()
            try:
                yield connection
            except psycopg.OperationalError as error:
                if connection.closed or _is_farewell(error):
                    await connection.close()
                    await self._drop()  # the idle ones have broken with it
                    raise Lost(error) from error
                raise
            finally:
                if connection.info.transaction_status == TransactionStatus.IDLE:
                    self._idle.append(connection)
                else:
                    await connection.close()

    async def close(self) -> None:
        """Wait for work in progress, then close everything."""
        self._closed = True
        for _ in range(self._size):
            await self._places.acquire()
        await self._drop()
        for _ in range(self._size):  # those who still wait for a place learn that it is closed
            self._places.release()

    async def _drop(self) -> None:
        while self._idle:
            await self._idle.pop().close()

    async def _connect(self) -> Connection:
        connection = await connect(self._conninfo)
        if self._prepare:
            try:
                await connection.execute(self._prepare.encode())
            except BaseException as error:
                await connection.close()
                if isinstance(error, psycopg.OperationalError):
                    raise Lost(error) from error
                raise
        return connection
