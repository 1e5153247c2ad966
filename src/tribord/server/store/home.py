"""Homes: the workers that share a store, each home to some of its tables."""

from __future__ import annotations

from msgspec import Struct


class Home(Struct, frozen=True):
    """A worker as the others know it."""

    id: str  # drawn at its start, and known to the workers alone: whoever shows it speaks for one
    address: str  # host:port, where the other workers reach it
    reference: str  # where clients reach it: a URL reference with {host} for the host that they used
