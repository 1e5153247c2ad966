"""`tribord serve`: run the table server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from tribord.cli.arguments import Language
from tribord.core.refusal import BadOption
from tribord.core.words import _

if TYPE_CHECKING:
    from tribord.server.settings import Settings

BAD_QUOTA = _("“{quota}” is not a size. Write 500MB or 20GB, for example.")
ONE_WORKER = _("With SQLite there is one worker: several workers need --store postgresql://…")
UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
Host = Annotated[str, typer.Option(help=_("The address to listen on; 0.0.0.0 for the whole house."))]
Port = Annotated[int, typer.Option(min=1, max=65_535, help=_("The port to listen on."))]
Store = Annotated[str, typer.Option(help=_("Where the tables are kept: a file for SQLite, or postgresql://…"))]
Workers = Annotated[int, typer.Option(min=1, max=64, help=_("How many processes serve (PostgreSQL only)."))]
Pace = Annotated[float, typer.Option(min=0, max=10, help=_("Seconds a bot takes at least for a decision."))]
Limits = Annotated[float, typer.Option(min=0, help=_("How generous the limits are: 1 as usual, 0 for none."))]
Origin = Annotated[list[str] | None, typer.Option(help=_("Another origin whose pages may connect (repeatable)."))]
Homes = Annotated[
    str,
    typer.Option(help=_("Where clients reach a worker: //{host}:{port}/, or a proxy's path such as /home/{port}/.")),
]
Retain = Annotated[float, typer.Option(min=0, help=_("Delete tables untouched for so many days; 0 keeps them."))]
OwnBots = Annotated[
    list[str] | None,
    typer.Option("--bots", metavar="BOT", help=_("Another bot: [NAME=]py:module:Class or NAME=cmd:… (repeatable).")),
]
PublicMetrics = Annotated[bool, typer.Option("--public-metrics", help=_("Let other machines read /metrics."))]
Quota = Annotated[
    str | None, typer.Option(metavar="SIZE", help=_("Take no new tables once the store has this size: 500MB, 20GB."))
]
Proxy = Annotated[str | None, typer.Option(help=_("Addresses of a reverse proxy that may say who is asking."))]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8420,
    store: Store = "tribord.sqlite3",
    workers: Workers = 1,
    pace: Pace = 0.7,
    limits: Limits = 1.0,
    origin: Origin = None,
    retain_days: Retain = 0,
    quota: Quota = None,
    bots: OwnBots = None,
    public_metrics: PublicMetrics = False,
    proxy: Proxy = None,
    homes: Homes = "//{host}:{port}/",
    lang: Language = None,
) -> None:
    """Run the table server."""
    from tribord.server.house_bots import HouseBots
    from tribord.server.settings import Settings
    from tribord.server.store import connect

    connect(store)  # refuses an address that is none before anything starts
    if workers > 1 and not store.startswith("postgres"):
        raise BadOption("one-worker", ONE_WORKER)
    HouseBots(bots or ())  # refuses what is no bot
    chosen = Settings(
        store, pace, limits, tuple(origin or ()), retain_days, bots=tuple(bots or ()), quota=_bytes(quota), host=host,
        port=port, workers=workers, homes=homes, proxy=proxy, public_metrics=public_metrics,
    )  # fmt: skip
    run(chosen)


def _bytes(quota: str | None) -> int:
    """The bytes in “500MB” or “20GB”; 0 without a quota."""
    if quota is None:
        return 0
    found = re.fullmatch(r"([1-9]\d{0,5})(MB|GB|TB)", quota.upper())
    if found is None:
        raise BadOption("bad-quota", BAD_QUOTA, quota=quota)
    return int(found[1]) * UNITS[found[2]]


def run(settings: Settings) -> None:
    """Serve until told to stop."""
    import uvicorn

    from tribord.server.own_port import options
    from tribord.server.settings import publish
    from tribord.server.store import connect

    with connect(settings.store).claim():  # or say so here, where somebody reads it; the server holds it for itself
        publish(settings)
    uvicorn.run(
        "tribord.server.app:build",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers if settings.workers > 1 else None,
        **options(settings),
    )
