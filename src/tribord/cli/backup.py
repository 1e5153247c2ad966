"""`tribord backup`: a checked copy of the store while the server runs, once or again and again."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tribord.cli.arguments import Language
from tribord.cli.serve import Store
from tribord.cli.speech import Speech
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _

if TYPE_CHECKING:
    from tribord.server import store as server_store

NO_STORE = _("There’s no store “{store}”.")
BAD_TIME = _("“{every}” isn’t a time between backups. Write 30m, 6h or 1d, for example.")
NOT_A_FOLDER = _("With --every or --keep, backups go to a folder. “{place}” isn’t one.")
DONE = _("Backed up and checked: {file}")
File = Annotated[
    Path, typer.Argument(metavar=_("FILE"), help=_("The file to write the copy to; with --every or --keep, a folder."))
]
Every = Annotated[
    str | None, typer.Option(metavar=_("TIME"), help=_("Keep making backups at this interval: 30m, 6h, 1d."))
]
Keep = Annotated[
    int | None, typer.Option(min=1, help=_("How many good backups to keep in the folder; older ones are deleted."))
]

SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def backup(
    ctx: typer.Context,
    file: File,
    store: Store = "tribord.sqlite3",
    every: Every = None,
    keep: Keep = None,
    lang: Language = None,
) -> int:
    """Copy the store to a file, or to files with the time in their names."""
    from tribord.server.store import connect

    place, source = connect(store), Path(store.removeprefix("sqlite:///"))
    pause = _seconds(every) if every is not None else None
    if store.startswith("postgres"):
        asyncio.run(place.backup(file))  # which says how
    if not source.is_file():
        raise BadOption("no-store", NO_STORE, store=store)
    if every is None and keep is None:
        asyncio.run(_copy(place, file))
        return 0
    if file.exists() and not file.is_dir():
        raise BadOption("not-a-folder", NOT_A_FOLDER, place=file)
    file.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        return _repeat(place, source, file, pause, keep, ctx.obj)
    except KeyboardInterrupt:
        return 130


def _repeat(
    place: server_store.Store, source: Path, folder: Path, pause: int | None, keep: int | None, speech: Speech
) -> int:
    """Backups with the time in their names, forever, or once without a pause."""
    while True:
        began = time.monotonic()
        copy = folder / f"{source.stem}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.sqlite3"
        try:
            asyncio.run(_copy(place, copy))
        except Refusal as refused:
            if pause is None:
                raise
            print(speech.refusal(refused), file=sys.stderr, flush=True)  # and the good ones stay
        else:
            if keep is not None:
                rotate(folder, source.stem, keep)
            print(speech.say(DONE, file=copy), flush=True)
        if pause is None:
            return 0
        time.sleep(max(0.0, began + pause - time.monotonic()))


async def _copy(place: server_store.Store, file: Path) -> None:
    """Make a backup, and note it in the audit log."""
    from tribord.server.store import AuditEntry

    await place.backup(file)
    with suppress(Refusal):  # a store of an earlier release has no audit log yet
        await place.note(AuditEntry(time.time(), "backup", "operator", details={"file": str(file)}))


def rotate(folder: Path, stem: str, keep: int) -> None:
    """Keep the newest good backups and the newest damaged one; leave files with other names alone."""
    for ending, count in (("", keep), (".damaged", 1), (".partial", 0)):
        name = re.compile(rf"{re.escape(stem)}-\d{{8}}T\d{{6}}Z\.sqlite3{re.escape(ending)}")
        found = sorted(path for path in folder.iterdir() if name.fullmatch(path.name))
        for old in found[: max(0, len(found) - count)]:
            old.unlink(missing_ok=True)


def _seconds(every: str) -> int:
    """The seconds in “30m”, “6h” or “1d”."""
    found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", every)
    if found is None:
        raise BadOption("bad-time", BAD_TIME, every=every)
    return int(found[1]) * SECONDS[found[2]]
