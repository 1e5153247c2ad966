"""`tribord backup`: a consistent copy of the store while the server runs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from tribord.cli.arguments import Language
from tribord.cli.serve import Store
from tribord.core.refusal import BadOption
from tribord.core.words import _

NO_STORE = _("There is no store “{store}”.")
File = Annotated[Path, typer.Argument(metavar="FILE", help=_("The file to write the copy to."))]


def backup(file: File, store: Store = "tribord.sqlite3", lang: Language = None) -> None:
    """Copy the store to a file."""
    from tribord.server.store import connect

    place = connect(store)
    if not store.startswith("postgres") and not Path(store.removeprefix("sqlite:///")).is_file():
        raise BadOption("no-store", NO_STORE, store=store)
    asyncio.run(place.backup(file))
