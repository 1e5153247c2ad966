"""Homes: the workers that share a store, each home to some of its tables."""

from __future__ import annotations

from msgspec import Struct


class Home(Struct, frozen=True):
    """A worker as the others know it."""

    id: str  # drawn at its start and known only to workers: a request with it comes from a worker
    address: str  # host:port, where the other workers reach it
    reference: str  # where clients reach it: a URL reference with {host} for the host that they used

    def reached_from(self, host: str) -> str:
        """The reference for a client that used a host, with or without a port.

        >>> home = Home("", "127.0.0.1:8421", "//{host}:8421/")
        >>> home.reached_from("play.example"), home.reached_from("192.168.1.5:8420"), home.reached_from("[::1]")
        ('//play.example:8421/', '//192.168.1.5:8421/', '//[::1]:8421/')
        """
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        return self.reference.replace("{host}", name)
