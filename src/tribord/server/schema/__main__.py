"""Write docs/protocol/openapi.json and docs/protocol/asyncapi.json, here or in the folder that is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tribord.server.schema import asyncapi, openapi

FOLDER = Path("docs/protocol")


def text(document: dict[str, Any]) -> str:
    """Return a document as the text of its file."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def documents() -> dict[str, str]:
    """Return the documents by file name."""
    return {"openapi.json": text(openapi()), "asyncapi.json": text(asyncapi())}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in documents().items():
        (folder / name).write_text(content, encoding="utf-8")
        print(folder / name)
