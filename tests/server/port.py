"""Ports for the servers of tests."""

import os
import random
import socket
from contextlib import suppress

# Below the ephemeral ports, so no connection takes one while its server is down. Each process that runs tests has its
# own range: a server ends if its port is taken, and its test would ask the other's.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
_ports = random.SystemRandom().sample(range(20_000 + WORKER * 1_200, 21_200 + WORKER * 1_200), 1_200)


def free_port() -> int:
    """An unused port that this process hasn't given away before."""
    while _ports:
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", _ports[-1]))
            return _ports.pop()
        _ports.pop()
    raise AssertionError("no port is free")
