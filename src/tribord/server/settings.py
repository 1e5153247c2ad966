"""The settings of a server. Workers are separate processes and read them from the environment."""

from __future__ import annotations

import os

import msgspec


class Settings(msgspec.Struct, frozen=True):
    """The settings that `tribord serve` takes."""

    store: str = "tribord.sqlite3"
    pace: float = 0.7  # seconds a bot takes at least
    limits: float = 1.0  # factor; 0: none
    origins: tuple[str, ...] = ()  # origins that may connect besides the page's own; "*" all
    retain_days: float = 0  # tables untouched for longer are deleted, unless being played; 0: never
    retain_unfinished_days: float | None = None  # the same for those being played; None: four times as long
    prepare: bool = True  # have the bots prepared
    bots: tuple[str, ...] = ()  # besides the ranks: NAME=py:module:Class, NAME=cmd:COMMAND
    quota: int = 0  # bytes of the store from which on new tables are refused; 0: none
    audit_days: float = 90  # entries of the audit log are deleted after this many; 0: never
    analysis: float = 25  # seconds that the analysis of a match takes
    drain: float = 0  # seconds between the signal to stop and closing sockets
    public_metrics: bool = False  # whether other machines may read /metrics
    host: str = "127.0.0.1"  # where it listens
    port: int = 0
    workers: int = 1
    homes: str = "//{host}:{port}/"  # where clients reach a worker: the host they used, and the worker's own port
    proxy: str | None = None  # addresses of a reverse proxy that may say who is asking
    address: str = ""  # address of this server in the house, for invitations; "" for the browser's own


VARIABLE = "TRIBORD_SERVER"


def publish(settings: Settings) -> None:
    """Publish the settings for the workers."""
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()


def published() -> Settings:
    """Return the published settings, or the defaults."""
    return msgspec.json.decode(os.environ.get(VARIABLE, "{}"), type=Settings)
