"""What every test of the page needs: a server, and a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.page.sailor import chromium
from tests.server.launcher import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for the tests of one file, without limits."""
    with ServerProcess(tmp_path_factory.mktemp("page"), "--limits", "0") as serving:
        yield serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium for the tests of one file, which look at the page's elements and not at pictures."""
    with chromium(drawn=False) as running:
        yield running
