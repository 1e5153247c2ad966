"""Incomplete requests are bounded: in size, in time, and in number from one address."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.server.launcher import SERVE, ServerProcess
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tribord.server.http_protocol import HEAD_BYTES, URL_BYTES
from tribord.server.limit import ConnectionLimit, network

PATIENCE = 20.0
QUICK = """
import tribord.server.http_protocol as http, tribord.server.limit as limit
http.REQUEST_SECONDS, http.LINGER_SECONDS, limit.CONNECTIONS, limit.SOCKETS = 0.5, 0.5, 12, 4
"""
FEW_FILES = """
import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
http.REQUEST_SECONDS = 5
"""
FLOOD = "127.0.0.66"  # another address of this machine


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that is soon impatient."""
    with ServerProcess(tmp_path_factory.mktemp("server"), program=QUICK + SERVE) as serving:
        yield serving
        assert serving.answers()
        assert not serving.failures()


def opened(server: ServerProcess, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0))


def said(line: socket.socket) -> bytes:
    """Everything until the server closes."""
    heard = b""
    try:
        while piece := line.recv(65_536):
            heard += piece
    except ConnectionResetError:  # it was closed while we were still sending
        pass
    return heard


def sent(line: socket.socket, piece: bytes, most: int) -> int:
    """Send the same bytes again and again until the server closes; how many it took."""
    count = 0
    try:
        while count < most:
            line.sendall(piece)
            count += len(piece)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return count


def refusal(answer: bytes) -> tuple[int, str]:
    head, _empty, body = answer.partition(b"\r\n\r\n")
    content = json.loads(body)
    assert content["fr"] and content["en"] and content["fr"] != content["en"]
    return int(head.split()[1]), content["code"]


def eventually(happens: Callable[[], Any]) -> None:
    until = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < until
        time.sleep(0.02)


# -- size -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [b"x-much: " + b"y" * 1_000 + b"\r\n", b"z" * 1_000], ids=["many", "one"])
def test_a_head_that_does_not_end_is_refused(server, line):
    with opened(server) as asking:
        asking.sendall(b"GET /api/games HTTP/1.1\r\nhost: x\r\nx-one: ")
        asking.sendall(line * (HEAD_BYTES // len(line) + 1))
        assert refusal(said(asking)) == (431, "too-large")
    with opened(server) as asking:
        asking.sendall(b"GET /api/games HTTP/1.1\r\nhost: x\r\nx-one: ")
        assert sent(asking, line * 100, 50_000_000) < 20_000_000


def test_an_address_that_does_not_end_is_refused(server):
    with opened(server) as asking:
        asking.sendall(b"GET /" + b"a" * (URL_BYTES + 1))
        assert refusal(said(asking)) == (414, "too-long")
    with opened(server) as asking:
        asking.sendall(b"GET /" + b"a" * (URL_BYTES - 10) + b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert said(asking).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("after", [b"", b"0\r\nx-trailer: "], ids=["body", "trailer"])
def test_a_body_that_does_not_end_is_refused_and_then_closed(server, after):
    with opened(server) as asking:
        asking.sendall(b"POST /api/tables HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        chunk = b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n"
        if after:
            asking.sendall(after)
            chunk = b"y" * 65_536
        assert sent(asking, chunk, 50_000_000) < 20_000_000


def test_requests_in_one_piece_are_answered_up_to_a_number(server):
    ask = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    with opened(server) as asking:
        asking.sendall(ask * 9 + ask.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"))
        assert said(asking).count(b"HTTP/1.1 200 OK") == 10
    with opened(server) as asking:
        sent(asking, ask * 1_000, 10_000_000)
        assert said(asking).count(b"HTTP/1.1 200 OK") < 100


# -- time -----------------------------------------------------------------------------------------------------------


def test_a_connection_that_stays_silent_is_not_waited_for(server):
    with opened(server) as asking:
        assert said(asking) == b""


@pytest.mark.parametrize(
    "half",
    [
        b"GET /api/ga", b"GET /api/games HTTP/1.1\r\nhost: x\r\nx-slow: ye",
        b"POST /api/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{",
        b"GET /socket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n",
    ],
    ids=["address", "head", "body", "handshake"],
)  # fmt: skip
@pytest.mark.parametrize("before", [0, 1], ids=["first", "second"])
def test_a_request_that_is_only_half_sent_is_not_waited_for(server, half, before):
    ask = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    with opened(server) as asking:
        for _k in range(before):
            asking.sendall(ask)
            assert asking.recv(65_536).startswith(b"HTTP/1.1 200")
        asking.sendall(half)
        assert refusal(said(asking)) == (408, "too-late")


def test_a_request_that_comes_drop_by_drop_is_not_waited_for(server):
    with opened(server) as asking:
        asking.sendall(b"GET /api/games HTTP/1.1\r\nx-slow: ")
        while not select.select([asking], [], [], 0.05)[0]:
            asking.sendall(b"y")
        assert refusal(said(asking)) == (408, "too-late")


def test_a_client_that_does_not_read_the_answer_is_cut_off(server):
    with socket.socket() as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        asking.settimeout(PATIENCE)
        asking.connect(("127.0.0.1", server.port))
        ask = b"GET /api/games/walk-the-plank/actions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
        asking.sendall(ask)
        mine = asking.getsockname()[1]

        def gone() -> bool:
            ends = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            theirs = [end for end in ends if end[2].endswith(f":{mine:04X}") and end[1].endswith(f":{server.port:04X}")]
            return all(end[9] == "0" for end in theirs)  # no process has it any more

        eventually(gone)


# -- how many -------------------------------------------------------------------------------------------------------


def answered(server: ServerProcess, source: str) -> bytes:
    with opened(server, source) as asking:
        asking.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        return said(asking)


def test_an_address_has_so_many_connections_and_others_are_served(server):
    with ExitStack() as stack:
        flood = [stack.enter_context(opened(server, FLOOD)) for _k in range(12)]
        for line in flood:
            line.sendall(b"GET /api/ga")
        assert refusal(answered(server, FLOOD)) == (503, "too-many")
        assert answered(server, "127.0.0.1").startswith(b"HTTP/1.1 200")
    eventually(lambda: answered(server, FLOOD).startswith(b"HTTP/1.1 200"))


def test_an_address_has_so_many_sockets_and_others_are_served(server):
    url = f"ws://127.0.0.1:{server.port}/socket"

    async def refused_at_once(source: str) -> bool:
        async with connect(url, proxy=None, local_addr=(source, 0)) as one:
            with suppress(ConnectionClosed):  # it may be refused before it has said anything
                await one.send('{"t": "hello", "protocol": 2, "table": "nowhere"}')
            code = json.loads(await one.recv())["code"]
            with pytest.raises(ConnectionClosed) as end:
                await one.recv()
            assert end.value.rcvd is not None and end.value.rcvd.code == 4001
            return code == "too-many"

    async def story() -> None:
        async with asyncio.timeout(60):
            open_ones = [await connect(url, proxy=None, local_addr=(FLOOD, 0)) for _k in range(4)]
            assert await refused_at_once(FLOOD)
            assert not await refused_at_once("127.0.0.1")
            for one in open_ones:
                await one.close()
            while await refused_at_once(FLOOD):
                await asyncio.sleep(0.02)

    asyncio.run(story())


def test_all_together_are_counted_at_every_port_of_a_worker():
    connections = ConnectionLimit(2, together=5)
    assert [connections.enter("one") for _k in range(3)] == [True, True, False]
    assert [connections.enter("") for _k in range(4)] == [
        True,
        True,
        True,
        False,
    ]  # a proxy's, beyond what one may have
    assert not connections.enter("other")
    connections.leave("")
    assert connections.enter("other")


def test_the_networks_of_one_ipv6_household_are_counted_together_too():
    connections = ConnectionLimit(256, together=768)  # with the usual number of files
    home = [network(f"2001:db8:0:ab0{k}::1") for k in range(4)]
    taken = [sum(connections.enter(who) for _k in range(300)) for who in home]
    assert taken == [256, 256, 0, 0]
    assert connections.enter(network("2001:db8:0:ac00::1")) and connections.enter("192.0.2.7")
    connections.leave(home[0])
    assert connections.enter(home[3]) and not connections.enter(home[3])


def test_behind_a_proxy_the_sockets_of_an_address_are_counted_and_not_the_proxys(tmp_path):
    async def story(port: int) -> None:
        async with asyncio.timeout(60):

            async def come(who: str) -> Any:
                forwarded = {"x-forwarded-for": who}
                return await connect(f"ws://127.0.0.1:{port}/socket", proxy=None, additional_headers=forwarded)

            family = [await come(f"203.0.113.{k}") for k in range(16)]  # more than one address may have
            flood = [await come("198.51.100.1") for _k in range(5)]
            assert json.loads(await flood[-1].recv())["code"] == "too-many"
            for one in (*family, *flood):
                await one.close()

    with ServerProcess(tmp_path, "--proxy", "127.0.0.1", program=QUICK + SERVE) as serving:
        asyncio.run(story(serving.port))


def test_more_connections_than_there_are_files_lock_nobody_out(tmp_path):
    with (
        ServerProcess(tmp_path, "--limits", "0", program=QUICK + FEW_FILES + SERVE) as serving,
        ExitStack() as stack,
    ):
        flood = [stack.enter_context(opened(serving, FLOOD)) for _k in range(200)]
        heard = [said(line) for line in flood]
        assert {refusal(answer) for answer in heard if answer} == {(503, "too-many")}
        assert answered(serving, "127.0.0.1").startswith(b"HTTP/1.1 200")
    assert not serving.failures()
