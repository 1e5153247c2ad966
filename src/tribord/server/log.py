"""The log: one JSON object per line on standard error. No secret, no body of a message and no query goes into it."""

from __future__ import annotations

import json
import sys
import time
import traceback
from typing import Any

LEVELS = ("debug", "info", "warning", "error")
quiet_below = "info"


def line(level: str, message: str, **fields: Any) -> None:
    """Write a line."""
    if LEVELS.index(level) >= LEVELS.index(quiet_below):
        record = {"at": round(time.time(), 3), "level": level, "message": message, **fields}
        print(json.dumps(record, ensure_ascii=False, default=str), file=sys.stderr, flush=True)


def info(message: str, **fields: Any) -> None:
    """Something worth knowing."""
    line("info", message, **fields)


def failure(message: str, error: BaseException | None, **fields: Any) -> None:
    """Something that should not have happened, with where it came from."""
    where = "".join(traceback.format_exception(error)) if error else ""
    line("error", message, error=f"{type(error).__name__}: {error}", where=where, **fields)
