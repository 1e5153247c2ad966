"""A table's home: with several workers the page opens its socket at the worker that holds the table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.page.sailor import aboard, sit_down
from tests.server.launcher import ServerProcess
from tests.server.postgres import database_of_its_own, server_of_its_own  # noqa: F401


@pytest.fixture
def workers(tmp_path, postgres_url) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path, "--workers", 2, "--limits", 0, store=postgres_url) as serving:
        yield serving


def test_the_page_finds_the_home_and_any_other_worker_when_that_is_out_of_reach(
    workers: ServerProcess, browser: Browser
):
    own = [f"ws://127.0.0.1:{workers.port + k}/socket" for k in range(1, 5)]
    with aboard(browser) as page:
        opened: list[str] = []
        page.on("websocket", lambda socket: opened.append(socket.url))
        sit_down(page, workers.url)
        assert opened[-1] in own
    with aboard(browser, troubled=True) as page:
        page.on("websocket", lambda socket: opened.append(socket.url))
        page.add_init_script(
            "const Real = WebSocket; window.WebSocket = function (url, ...rest) {"
            f" return new Real({own}.includes(url) ? 'ws://127.0.0.1:9/socket' : url, ...rest) }};"
            "Object.assign(window.WebSocket, {OPEN: 1});"
        )
        sit_down(page, workers.url)  # relayed to the home by any worker
        assert opened[-1] == f"ws://127.0.0.1:{workers.port}/socket"
