"""An analyst: a low-priority process that analyses one match for a server and reports its progress.

It reads one JSON object (`match`, a match file, and `seconds`) and writes lines of JSON: `done` and `of` while it
works, and last the `analysis` with its words in every language. It can be killed at any time.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from tribord.core.journal import audit_content
from tribord.core.words import LANGUAGES
from tribord.lab.analysis import analyse
from tribord.lab.commentary import Commentary
from tribord.lab.cores import all_cores

NICE = 10  # people who are playing come first


def study(asked: dict[str, Any], progress: Any) -> dict[str, Any]:
    """The analysis of a match, with the sentences about it."""
    match, _none = audit_content(asked["match"], Path("match file"))
    jobs = max(1, all_cores() // 2)
    found = analyse(match, asked["seconds"], jobs=jobs, progress=progress)
    words = {language: Commentary(match, found, match.game.words(language)).to_dict() for language in LANGUAGES}
    for decision in found["decisions"]:
        for lens in ("knew", "hindsight"):
            if decision[lens]:
                del decision[lens]["line"]  # most of the bytes, and unused here
    return {**found, "words": words}


def main() -> None:
    """Read the question and answer it."""

    def say(line: dict[str, Any]) -> None:
        print(json.dumps(line, ensure_ascii=False), flush=True)

    if hasattr(os, "nice"):
        os.nice(NICE)
    asked = json.load(sys.stdin)
    say({"analysis": study(asked, lambda done, of: say({"done": done, "of": of}))})


if __name__ == "__main__":
    main()
