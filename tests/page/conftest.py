"""What every test of the page needs: a server, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser
from tests.page.sailor import chromium
from tests.server.launcher import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for the tests of one file, without limits."""
    with ServerProcess(tmp_path_factory.mktemp("page"), "--limits", "0") as serving:
        yield serving


class Shared:
    """A Chromium for tests that follow one another. It can't run on beside the others: some use an event loop."""

    def __init__(self) -> None:
        self._running: Browser | None = None
        self._stack = ExitStack()

    def browser(self) -> Browser:
        """The one that runs, or a new one."""
        if self._running is None or not self._running.is_connected():
            self.close()
            # The tests look at the page's elements, and not at pictures.
            self._running = self._stack.enter_context(chromium(drawn=False))
        return self._running

    def close(self) -> None:
        """Close it, if there is one."""
        self._running = None
        self._stack.close()


SHARED = Shared()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """A Chromium, shared by all tests that follow one another."""
    return SHARED.browser()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser at the end of a file, unless the next test needs one too."""
    if nextitem is None or (nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())):
        SHARED.close()
