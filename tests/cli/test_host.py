"""`tribord` alone: the page opens at once, and the terminal shows the bots' progress."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator

import pytest

from tribord.cli import host
from tribord.cli.speech import Speech


class Server(http.server.ThreadingHTTPServer):
    """Answers what `accompany` asks, with more progress every time."""

    steps = ((1, 13), (9, 13), (13, 13))

    def __init__(self) -> None:
        self.looks = 0
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(http.server.BaseHTTPRequestHandler):
    """One answer."""

    server: Server

    def do_GET(self) -> None:
        found = {}
        if self.path == "/api/bots":
            found = dict(zip(("prepared", "of"), self.server.steps[self.server.looks], strict=True))
            self.server.looks += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    def log_message(self, *args: object) -> None:
        """Quietly."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(host, "LOOK_SECONDS", 0.01)
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(host.webbrowser, "open", found.append)
    monkeypatch.delenv("TRIBORD_NO_BROWSER", raising=False)
    return found


def test_the_page_opens_and_the_terminal_follows_the_bots(server, opened, capsys):
    address = f"http://127.0.0.1:{server.server_port}/"
    host.accompany(address, Speech("en"))
    assert opened == [address]
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "The bots are getting ready (1 of 13). You can already start.",
        "The bots are ready: they play at full strength.",
    ]


def test_in_a_terminal_one_line_changes(server, opened, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    host.accompany(f"http://127.0.0.1:{server.server_port}/", Speech("fr"))
    told = capsys.readouterr().out
    assert "\r" in told and "(9 sur 13)" in told
    assert told.count("\n") == 1


def test_where_bots_are_ready_nothing_is_said(server, opened, capsys):
    server.steps = ((13, 13),)
    host.accompany(f"http://127.0.0.1:{server.server_port}/", Speech("en"))
    assert len(opened) == 1
    assert capsys.readouterr().out == ""


def test_without_a_browser_none_is_opened(server, opened, monkeypatch):
    monkeypatch.setenv("TRIBORD_NO_BROWSER", "1")
    host.accompany(f"http://127.0.0.1:{server.server_port}/", Speech("en"))
    assert opened == []
