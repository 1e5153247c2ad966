"""A page of another origin: the browser lets it use the API only where the operator named it."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.server.launcher import ServerProcess

CREATE = """async (url) => {
  const body = JSON.stringify({ game: "ile-aux-pirates", nickname: "Anne", players: 2 });
  const headers = { "content-type": "application/json", authorization: "Bearer x" };
  try {
    const answer = await fetch(url + "/api/tables", { method: "POST", headers, body });
    return [answer.status, (await answer.json()).guest];
  } catch { return null; }
}"""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Another site, with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


@pytest.mark.parametrize("named", [True, False])
def test_a_page_of_another_origin_creates_a_table_where_it_was_named(tmp_path, browser: Browser, elsewhere, named):
    origin = elsewhere if named else "https://friend.example"
    with ServerProcess(tmp_path, "--origin", origin) as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(elsewhere)
        assert page.evaluate(CREATE, server.url) == ([201, 0] if named else None)
