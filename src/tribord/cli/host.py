"""`tribord` alone: a server for the whole house, the browser on its page, and a QR code for the phones."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from contextlib import suppress
from pathlib import Path

from tribord.cli.speech import Speech
from tribord.core.words import _

PORT = 8420
TRIES = 50
OPEN = _("The harbour is open at {address}")
SCAN = _("With a phone on the same network, point the camera here. Ctrl+C closes the harbour; tables are kept.")
TERMINAL = _("To play in the terminal instead: tribord play")
PREPARING = _("The bots are getting ready ({prepared} of {of}). You can already start.")
PREPARED = _("The bots are ready: they play at full strength.")
LOOK_SECONDS = 1.0  # between two checks of their progress


def host(speech: Speech) -> int:
    """Open the harbour, and keep it open until someone closes it."""
    import segno

    from tribord.cli.serve import run
    from tribord.server.settings import Settings
    from tribord.server.store import connect

    store = str(data_folder() / "tables.sqlite3")
    with connect(store).claim():
        port = free_port()
    address = f"http://{lan_address()}:{port}"
    print(speech.say(OPEN, address=address))
    print(speech.say(SCAN))
    segno.make(address, error="m", micro=False).terminal(out=sys.stdout, compact=True, border=2)
    print(speech.say(TERMINAL))
    threading.Thread(target=accompany, args=(f"http://127.0.0.1:{port}/", speech), daemon=True).start()
    run(Settings(store=store, address=address, host="0.0.0.0", port=port))
    return 0


def accompany(address: str, speech: Speech) -> None:
    """Open the page in the browser once it's there, and show the bots' progress here."""
    for _wait in range(100):
        try:
            with urllib.request.urlopen(f"{address}healthz", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    if not os.environ.get("TRIBORD_NO_BROWSER"):
        webbrowser.open(address)
    with suppress(OSError, ValueError):  # the page shows it too
        show_progress(f"{address}api/bots", speech)


def show_progress(address: str, speech: Speech) -> None:
    """Show the bots' progress in a line that updates; nothing if they're ready from the start."""
    shown = False
    while True:
        with urllib.request.urlopen(address, timeout=5) as answer:
            found = json.load(answer)
        if found["prepared"] >= found["of"]:
            break
        line = speech.say(PREPARING, **found)
        if sys.stdout.isatty():
            print(f"\r{line}", end="", flush=True)
        elif not shown:
            print(line, flush=True)
        shown = True
        time.sleep(LOOK_SECONDS)
    if shown:
        print("\r\033[K" if sys.stdout.isatty() else "", speech.say(PREPARED), sep="", flush=True)


def free_port(first: int = PORT) -> int:
    """Return the default port, or the next free one."""
    for port in range(first, first + TRIES):
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)):  # no one answers
                return port
    return first


def lan_address() -> str:
    """Return the address where other devices in the house reach this one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody: we only need the route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def data_folder() -> Path:
    """Return the user's data folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = base / "tribord"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
