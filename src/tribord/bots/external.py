"""Bots in any language: a program reads questions on its standard input and answers on its standard output.

One JSON object per line, each way. docs/arena.md describes the messages; examples/stdin_bot.py is a bot.

    > {"t": "hello", "protocol": 1, "game": …, "players": 4, "options": {…}, "seat": 2, "seed": 81, "clock": null}
    < {"t": "ready"}
    > {"t": "decide", "id": 1, "seat": 2, "seconds": 10, "view": {…}, "legal": [{"action": 3, "notation": …}, …]}
    < {"t": "act", "id": 1, "action": 3}

A program starts once, not once per match: when a match ends it is kept, and gets a new hello for the next one.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from tribord.core.engine import Legal
from tribord.core.game import Game, load
from tribord.core.record import State
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

PROTOCOL = 1
PREFIX = "cmd:"
CRASH, LATE, RUBBISH = FAULTS = ("crash", "late", "rubbish")
PATIENCE = 10.0  # seconds for a decision, by default
START = 60.0  # seconds for the answer to a hello: a program may have a lot to load
LONGEST = 1 << 16  # characters of an answer

NO_COMMAND = _("“{bot}” doesn’t name a program: write cmd: and the command that starts it.")
NO_PROGRAM = _("“{bot}” can’t start: the program “{program}” wasn’t found.")


class Fault(Exception):
    """A bot failed: it crashed, was late, or gave an invalid answer."""

    def __init__(self, kind: str, what: str):
        super().__init__(what)
        self.kind = kind


def command_of(bot: str) -> list[str]:
    """The command of an external bot. Refuses one that can't be started.

    >>> command_of("cmd:sh -c 'exec bot'")
    ['sh', '-c', 'exec bot']
    """
    try:
        command = shlex.split(bot.removeprefix(PREFIX))
    except ValueError:  # an unclosed quote
        command = []
    if not command:
        raise BadOption("no-command", NO_COMMAND, bot=bot)
    if shutil.which(command[0]) is None:
        raise BadOption("no-program", NO_PROGRAM, bot=bot, program=command[0])
    return command


class Program:
    """A running program that is asked line by line. It can never make us wait longer than the timeout."""

    def __init__(self, bot: str, log: Path | None):
        command = command_of(bot)
        stderr = log.open("ab") if log else None
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr or subprocess.DEVNULL,
                encoding="utf-8", errors="replace", start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise Fault(CRASH, f"it could not be started: {error.strerror}") from None
        finally:
            if stderr:
                stderr.close()
        self._outbox: queue.Queue[str | None] = queue.Queue()
        self._inbox: queue.Queue[str | None] = queue.Queue(64)  # a program that writes too much has to wait
        self._stopped = threading.Event()
        self._asked = False
        for work in (self._write, self._read):
            threading.Thread(target=work, daemon=True).start()

    def _write(self) -> None:
        """Read and write in threads, because writing to a full pipe blocks."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                self._process.stdin.write(line)
                self._process.stdin.flush()
        with suppress(OSError, ValueError):
            self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        line: str | None = ""
        while line is not None:
            try:
                line = self._process.stdout.readline(LONGEST) or None
            except (OSError, ValueError):
                line = None
            while not self._stopped.is_set():
                with suppress(queue.Full):
                    self._inbox.put(line, timeout=0.5)
                    break
        self._process.stdout.close()

    def ask(self, message: Mapping[str, Any], answer: str, seconds: float) -> dict[str, Any]:
        """Send a message and wait for an answer of this kind. Answers to earlier questions are skipped."""
        until = time.monotonic() + seconds
        if self._asked:  # only the first answer may be ahead of its question
            self._forget()
        self._asked = True
        self._outbox.put(json.dumps(message, ensure_ascii=False) + "\n")
        while True:
            try:
                line = self._inbox.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Fault(LATE, f"no answer within {seconds:g} s") from None
            if line is None:
                raise Fault(CRASH, f"it ended with status {self._status()}")
            try:
                answered = json.loads(line)
            except (ValueError, RecursionError):
                raise Fault(RUBBISH, f"it answered “{line.strip()[:80]}”, which is not JSON") from None
            if not isinstance(answered, dict) or answered.get("t") != answer:
                raise Fault(RUBBISH, f"it answered “{line.strip()[:80]}” where “{answer}” was asked for")
            if answered.get("id") == message.get("id"):
                return answered

    def _forget(self) -> None:
        """Discard unsolicited lines, but keep the end of the output."""
        with suppress(queue.Empty):
            while self._inbox.get_nowait() is not None:
                pass
            self._inbox.put(None)

    def _status(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(1)
        return None

    def end(self) -> None:
        """Kill the program and every process it started."""
        self._stopped.set()
        self._outbox.put(None)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


_running: list[Program] = []
_idle: dict[tuple[str, Path | None], list[Program]] = {}


def end_all() -> None:
    """Kill every program that is still running."""
    _idle.clear()
    while _running:
        _running.pop().end()


class External:
    """A bot that is another program. Its failures raise `Fault`."""

    def __init__(
        self, bot: str, game: Game, seed: int, players: int, options: Mapping[str, Any],
        clock: float | None = None, patience: float = PATIENCE, log: Path | None = None,
    ):  # fmt: skip
        command_of(bot)
        self.bot = bot
        self.game = game
        self.patience = patience
        self.log = log
        self.decisions = 0
        self._program: Program | None = None
        self._hello = {
            "t": "hello", "protocol": PROTOCOL, "game": game.id, "game_version": game.version, "players": players,
            "options": dict(options), "seed": seed, "clock": clock,
        }  # fmt: skip

    def decide(self, view: State, legal: Legal, clock: float | None = None) -> int:
        """Ask the program for an action. The clock in its hello applies to every decision."""
        self.decisions += 1
        question = {
            "t": "decide", "id": self.decisions, "seat": legal.seat, "seconds": self.patience,
            "view": self.game.describe(view), "legal": [action_card(self.game.id, action) for action in legal],
        }  # fmt: skip
        try:
            answer = self._greeted(legal.seat).ask(question, "act", self.patience)
        except Fault as fault:
            if fault.kind != RUBBISH:
                self._drop()
            raise
        action: Any = answer.get("action")
        if isinstance(action, bool):  # Python would take it for 0 or 1
            raise Fault(RUBBISH, f"“{json.dumps(action)}” is not an action")
        try:
            return self.game.action(action)
        except Refusal as refused:
            raise Fault(RUBBISH, str(refused)) from None

    def _greeted(self, seat: int) -> Program:
        if self._program is None:
            with suppress(IndexError):  # a single atomic pop: other threads may want it too
                self._program = _idle.get((self.bot, self.log), []).pop()
            if self._program is None:
                self._program = Program(self.bot, self.log)
                if not _running:  # also runs in pool processes, which skip atexit handlers
                    Finalize(None, end_all, exitpriority=10)
                _running.append(self._program)
            try:
                self._program.ask({**self._hello, "seat": seat}, "ready", START)
            except Fault:
                self._drop()
                raise
        return self._program

    def _drop(self) -> None:
        """Kill a program that crashed or hangs; the next decision starts another."""
        if self._program is not None:
            _running.remove(self._program)
            self._program.end()
            self._program = None

    def close(self) -> None:
        """The match is over: keep the program for the next."""
        if self._program is not None:
            _idle.setdefault((self.bot, self.log), []).append(self._program)
            self._program = None


@cache
def action_card(game_id: str, action: int) -> dict[str, Any]:
    """What an action number means: parts, notation, and a sentence in both languages."""
    game = load(game_id)
    return {
        "action": action,
        "notation": game.notation(action),
        "parts": game.parts(action),
        **{language: game.say_action(action, game.words(language)) for language in ("fr", "en")},
    }
