"""The log: one JSON object per line on standard error, for messages of the server and its libraries. It never contains
a secret, a table id, a message body or a query. The text of an exception may hold any of these, so only its kind and
origin are logged. Messages of the operating system and the store are logged.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
import traceback
from typing import Any

from tribord.core.refusal import Refusal
from tribord.server.store import Unavailable

LEVELS = ("debug", "info", "warning", "error")
VARIABLE = "TRIBORD_LOG"
SELDOM = 10.0  # seconds between two equal lines of a library: strangers could fill the log
FAMILIAR = (OSError, Unavailable)


def line(level: str, message: str, **fields: Any) -> None:
    """Write a line."""
    if LEVELS.index(level) >= LEVELS.index(_quiet_below()):
        record = {"at": round(time.time(), 3), "level": level, "message": message, **fields}
        # In one piece, line end included: several workers write into the same file.
        sys.stderr.write(json.dumps(record, ensure_ascii=False, default=str) + "\n")
        sys.stderr.flush()


def info(message: str, **fields: Any) -> None:
    """Log an event."""
    line("info", message, **fields)


def failure(message: str, error: BaseException, **fields: Any) -> None:
    """Log an error, with its kind and origin."""
    line("error", message, **_describe(error), **fields)


def refusal(message: str, refused: Refusal) -> None:
    """Log a refusal, with a sentence about what the operator can change."""
    line("error", message, code=refused.code, reason=str(refused))


def adopt_libraries() -> None:
    """Send the libraries' log records through this log."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "asyncio", "tribord"):
        logger = logging.getLogger(name)
        logger.handlers = [_Handler()]
        logger.propagate = False


class _Handler(logging.Handler):
    """Write what a library logs, without exception messages, and repeat the same line only now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._written: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        pattern, now = str(record.msg), time.monotonic()
        if now - self._written.get(pattern, -SELDOM) < SELDOM:
            return
        if len(self._written) > 100:
            self._written.clear()
        self._written[pattern] = now
        level = record.levelname.lower()
        described = _describe(record.exc_info[1]) if record.exc_info and record.exc_info[1] else {}
        # A message that quotes an exception or a stranger's input is logged as its pattern.
        message = record.getMessage() if record.name.startswith("uvicorn") and not described else pattern
        if message.startswith("Traceback"):  # uvicorn passes startup errors on as text
            described, message = _describe_text(message), "startup failed"
        line(level if level in LEVELS else "error", message.strip(), logger=record.name, **described)


def _describe(error: BaseException) -> dict[str, Any]:
    kinds: list[str] = []
    where: list[str] = []
    known: BaseException | None = error
    while known is not None and len(kinds) < 5:
        kinds.append(f"{type(known).__name__}: {known}" if isinstance(known, FAMILIAR) else type(known).__name__)
        frames = traceback.extract_tb(known.__traceback__)
        where += [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        known = known.__cause__
    return {"error": " from ".join(kinds), "where": where}


def _describe_text(trace: str) -> dict[str, Any]:
    """Describe a traceback that is already text."""
    kinds = re.findall(r"^(?:\w+\.)*(\w+)(?:: .*)?$", trace, re.MULTILINE)
    return {"error": kinds[-1] if kinds else "?", "where": re.findall(r'^  File "(.*)$', trace, re.MULTILINE)}


def _quiet_below() -> str:
    level = os.environ.get(VARIABLE, "info")
    return level if level in LEVELS else "info"


def debugging() -> bool:
    """Whether to log every request."""
    return _quiet_below() == "debug"
