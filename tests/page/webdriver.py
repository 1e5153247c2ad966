"""WebKit and Firefox for tests, through their own protocols, without a driver library.

WebKit is what iPhones have. Debian's `webkit2gtk-driver` brings WebKitWebDriver, which speaks WebDriver over HTTP, and
the MiniBrowser it drives; that needs a screen, and `xvfb` is one. Firefox (`firefox-esr`) speaks WebDriver BiDi over a
WebSocket. apt installs what is missing, if it may.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.page.chromium import apt
from tests.server.port import free_port
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60  # seconds for a browser to start, or to answer
MINIBROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
NO_WEBKIT = (
    "The page is tested in WebKit too, and there is none here. Install it: apt-get install webkit2gtk-driver xvfb"
)
NO_FIREFOX = (
    "The page is tested in Firefox too, and there is none here. Install it (apt-get install firefox-esr) or say where "
    "it is: FIREFOX=/path/to/firefox make test-long"
)

# Where a thing can be touched: its middle, otherwise any point of it that nothing covers.
POINT = """((selector) => {
  for (const thing of document.querySelectorAll(selector)) {
    thing.scrollIntoView({ block: "center" });
    const { left, top, width, height } = thing.getBoundingClientRect();
    for (const [x, y] of [[0.5, 0.5], [0.5, 0.25], [0.25, 0.5], [0.75, 0.5], [0.5, 0.75], [0.2, 0.2], [0.8, 0.8]]) {
      const point = [Math.round(left + width * x), Math.round(top + height * y)];
      const hit = document.elementFromPoint(...point);
      if (width && hit && (thing.contains(hit) || hit.contains(thing))) return point;
    }
  }
  return null;
})"""


class Window(ABC):
    """A browser's window, as a test uses it."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Open an address, and wait until it is loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, as JSON carries it."""

    @abstractmethod
    def press(self, x: int, y: int) -> None:
        """Press and let go, at a point of the page that is on the screen."""

    @abstractmethod
    def screenshot(self, path: Path) -> None:
        """A picture of the page."""

    def tap(self, selector: str) -> bool:
        """Touch the first touchable thing of a kind; False if there is none."""
        point = self.evaluate(f"{POINT}({json.dumps(selector)})")
        if point is None:
            return False
        self.press(*point)
        return True

    def wait(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.evaluate(f"Boolean({expression})"):
                return
            time.sleep(0.03)
        raise AssertionError(f"waited in vain for {expression}")


def _until(attempt: Any, what: str) -> Any:
    """The result of an attempt, once it succeeds."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except OSError as error:
            if time.monotonic() > until:
                raise AssertionError(f"{what} does not answer") from error
            time.sleep(0.1)


def _press(x: int, y: int) -> list[dict[str, Any]]:
    """A press as WebDriver and BiDi both write it."""
    pointer = [
        {"type": "pointerMove", "x": x, "y": y, "duration": 0},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    return [{"type": "pointer", "id": "hand", "parameters": {"pointerType": "mouse"}, "actions": pointer}]


# -- WebKit ---------------------------------------------------------------------------------------------------------


class WebKit(Window):
    """MiniBrowser, driven by WebKitWebDriver over HTTP."""

    def __init__(self, url: str, minibrowser: str, size: tuple[int, int]):
        self.session = url
        wanted = {"webkitgtk:browserOptions": {"binary": minibrowser, "args": ["--automation"]}}
        opened = _until(lambda: self.ask("/session", {"capabilities": {"alwaysMatch": wanted}}), "WebKit")
        self.session = f"{url}/session/{opened['sessionId']}"
        self.ask("/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000})
        self.ask("/window/rect", {"x": 0, "y": 0, "width": size[0], "height": size[1]})

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """One command: with a body it is a POST."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.session + path, data, {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"WebKit refuses {path}: {error.read().decode()}") from error

    def goto(self, url: str) -> None:
        self.ask("/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        return self.ask("/execute/sync", {"script": f"return ({expression});", "args": []})

    def press(self, x: int, y: int) -> None:
        self.ask("/actions", {"actions": _press(x, y)})

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("/screenshot")))

    def end(self) -> None:
        """Close the browser."""
        urllib.request.urlopen(urllib.request.Request(self.session, method="DELETE"), timeout=PATIENCE).close()


@contextmanager
def webkit(size: tuple[int, int]) -> Iterator[Window]:
    """A WebKit on a screen of its own."""
    if not (shutil.which("WebKitWebDriver") and _minibrowser() and shutil.which("Xvfb")):
        apt("webkit2gtk-driver", "xvfb")
    minibrowser = _minibrowser()
    assert shutil.which("WebKitWebDriver") and minibrowser and shutil.which("Xvfb"), NO_WEBKIT
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as home,
        _screen() as display,
        _process(
            ["WebKitWebDriver", f"--port={port}", "--host=127.0.0.1"],
            {"DISPLAY": display, "HOME": home, "XDG_RUNTIME_DIR": home, "GDK_BACKEND": "x11"}
            | {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"},  # in a container as root
        ),
    ):
        window = WebKit(f"http://127.0.0.1:{port}", minibrowser, size)
        try:
            yield window
        finally:
            window.end()


def _minibrowser() -> str | None:
    return next((str(found) for found in sorted(Path("/").glob(MINIBROWSERS[1:]))), None)


@contextmanager
def _screen() -> Iterator[str]:
    """An X server without a monitor; it chooses its own number."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"]
    with _process(command, {}, keep=write):
        os.close(write)
        with os.fdopen(read) as told:
            yield f":{told.readline().strip()}"


# -- Firefox --------------------------------------------------------------------------------------------------------


class Firefox(Window):
    """Firefox without a screen, over WebDriver BiDi."""

    def __init__(self, line: ClientConnection, size: tuple[int, int]):
        self.line = line
        self.asked = 0
        self.ask("session.new", {"capabilities": {}})
        self.context = self.ask("browsingContext.getTree", {})["contexts"][0]["context"]
        viewport = {"width": size[0], "height": size[1]}
        self.ask("browsingContext.setViewport", {"context": self.context, "viewport": viewport})

    def ask(self, method: str, parameters: dict[str, Any]) -> Any:
        """One command and its answer; other messages are ignored."""
        self.asked += 1
        self.line.send(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.line.recv(timeout=PATIENCE))
            if answer.get("id") == self.asked:
                assert answer["type"] == "success", f"Firefox refuses {method}: {answer}"
                return answer["result"]

    def goto(self, url: str) -> None:
        self.ask("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def evaluate(self, expression: str) -> Any:
        asked = {"expression": f"JSON.stringify({expression})", "target": {"context": self.context}}
        answer = self.ask("script.evaluate", asked | {"awaitPromise": True})
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"]) if answer["result"]["type"] == "string" else None

    def press(self, x: int, y: int) -> None:
        self.ask("input.performActions", {"context": self.context, "actions": _press(x, y)})

    def screenshot(self, path: Path) -> None:
        taken = self.ask("browsingContext.captureScreenshot", {"context": self.context})
        path.write_bytes(base64.b64decode(taken["data"]))


@contextmanager
def firefox(size: tuple[int, int]) -> Iterator[Window]:
    """A Firefox with a profile of its own."""
    if _firefox() is None:
        apt("firefox-esr")
    path = _firefox()
    assert path, NO_FIREFOX
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        command = [
            path,
            "--headless",
            "--no-remote",
            "--profile",
            home,
            f"--remote-debugging-port={port}",
            "about:blank",
        ]
        with _process(command, {"HOME": home}):
            address = f"ws://127.0.0.1:{port}/session"
            with _until(lambda: connect(address, max_size=None, open_timeout=PATIENCE), "Firefox") as line:
                yield Firefox(line, size)


def _firefox() -> str | None:
    named = os.environ.get("FIREFOX")
    return named or next((path for name in ("firefox", "firefox-esr") if (path := shutil.which(name))), None)


# -- processes ------------------------------------------------------------------------------------------------------


@contextmanager
def _process(command: list[str], environment: dict[str, str], keep: int | None = None) -> Iterator[None]:
    """A program and everything it has started, for the length of a block."""
    running = subprocess.Popen(
        command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, pass_fds=() if keep is None else (keep,),
    )  # fmt: skip
    try:
        yield
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


BROWSERS = {"webkit": webkit, "firefox": firefox}
