"""An analyst: a low-priority process that analyses one match for a server and reports its progress.

It reads one JSON object (`match`, a match file, and `seconds`) and writes lines of JSON: `done` and `of` while it
works, and last the `analysis` with its words in every language. It can be killed at any time.

People who are playing come first: it only gets the time that no one else wants, and leaves one core alone. It has a
process group, so that it can be ended with all it has started, but belongs to the server's session. Linux ranks whole
sessions, and within one of its own a low priority means nothing.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tribord.core.journal import audit_content
from tribord.core.words import LANGUAGES
from tribord.lab.analysis import LENSES, analyse
from tribord.lab.commentary import Commentary
from tribord.lab.cores import all_cores

NICE = 19  # the least, where there is no SCHED_IDLE
PLAYOUTS = 48  # at least, in every position: a rougher analysis would be kept as if it were good


def study(asked: dict[str, Any], progress: Any) -> dict[str, Any]:
    """The analysis of a match, with the sentences about it."""
    match, _none = audit_content(asked["match"], Path("match file"))
    found = analyse(match, asked["seconds"], playouts=PLAYOUTS, jobs=all_cores(), progress=progress)
    words = {language: Commentary(match, found, match.game.words(language)).to_dict() for language in LANGUAGES}
    for decision in found["decisions"]:
        for lens in LENSES:
            if decision[lens]:
                del decision[lens]["line"]  # most of the bytes, and unused here
    return {**found, "words": words}


def step_back() -> None:
    """Take a process group and the lowest priority there is, and leave a core to the others. Children inherit all."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    if hasattr(os, "sched_setaffinity") and len(cores := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(0, cores[1:])
    if hasattr(os, "SCHED_IDLE"):
        with suppress(OSError):  # a container may forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            return
    if hasattr(os, "nice"):  # on Windows the server starts it with a low priority
        os.nice(NICE)


def main() -> None:
    """Read the question and answer it."""

    def say(line: dict[str, Any]) -> None:
        print(json.dumps(line, ensure_ascii=False), flush=True)

    step_back()
    asked = json.load(sys.stdin)
    say({"analysis": study(asked, lambda done, of: say({"done": done, "of": of}))})


if __name__ == "__main__":
    main()
