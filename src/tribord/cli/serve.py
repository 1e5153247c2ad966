"""`tribord serve`: run the table server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tribord.cli.arguments import Language
from tribord.core.refusal import BadOption
from tribord.core.words import _

if TYPE_CHECKING:
    from tribord.server.settings import Settings

BAD_QUOTA = _("“{quota}” isn’t a size. Write 500MB or 20GB, for example.")
ONE_WORKER = _("SQLite allows one worker. For several, use --store postgresql://…")
UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
Host = Annotated[str, typer.Option(help=_("The address to listen on; 0.0.0.0 for the whole network."))]
Port = Annotated[int, typer.Option(min=1, max=65_535, help=_("The port to listen on."))]
Store = Annotated[str, typer.Option(help=_("Where the tables are kept: a file for SQLite, or postgresql://…"))]
Workers = Annotated[int, typer.Option(min=1, max=64, help=_("How many processes serve the tables (PostgreSQL only)."))]
Pace = Annotated[float, typer.Option(min=0, max=10, help=_("The minimum seconds for a bot’s decision."))]
Limits = Annotated[
    float, typer.Option(min=0, help=_("How generous the rate limits are: 1 is normal, 0 turns them off."))
]
Origin = Annotated[list[str] | None, typer.Option(help=_("Another origin whose pages may connect (repeatable)."))]
Homes = Annotated[
    str,
    typer.Option(help=_("Where clients reach a worker: //{host}:{port}/, or a proxy’s path such as /home/{port}/.")),
]
Retain = Annotated[float, typer.Option(min=0, help=_("Delete tables unused for this many days; 0 keeps them."))]
RetainUnfinished = Annotated[
    float | None,
    typer.Option(
        min=0, help=_("Delete unfinished games unused for this many days (normally four times as many); 0 keeps them.")
    ),
]
OwnBots = Annotated[
    list[str] | None,
    typer.Option(
        "--bots",
        metavar=_("BOT"),
        help=_("Another bot: [NAME=]py:module:Class, NAME=net:FILE or NAME=cmd:… (repeatable)."),
    ),
]
AuditDays = Annotated[float, typer.Option(min=0, help=_("How many days the audit log keeps an entry; 0 keeps all."))]
Analysis = Annotated[float, typer.Option(min=1, max=60, help=_("How many seconds the analysis of a match takes."))]
Drain = Annotated[
    float,
    typer.Option(
        min=0,
        max=600,
        help=_("Seconds to keep serving after SIGTERM while reporting “not ready”, so that a load balancer moves on."),
    ),
]
PublicMetrics = Annotated[bool, typer.Option("--public-metrics", help=_("Let other machines read /metrics."))]
Quota = Annotated[
    str | None, typer.Option(metavar=_("SIZE"), help=_("Refuse new tables once the store has this size: 500MB, 20GB."))
]
Proxy = Annotated[
    str | None, typer.Option(help=_("Addresses of a trusted reverse proxy, which reports client addresses."))
]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8420,
    store: Store = "tribord.sqlite3",
    workers: Workers = 1,
    pace: Pace = 0.7,
    limits: Limits = 1.0,
    origin: Origin = None,
    retain_days: Retain = 0,
    retain_unfinished_days: RetainUnfinished = None,
    quota: Quota = None,
    bots: OwnBots = None,
    public_metrics: PublicMetrics = False,
    drain: Drain = 0,
    analysis_seconds: Analysis = 25,
    audit_days: AuditDays = 90,
    proxy: Proxy = None,
    homes: Homes = "//{host}:{port}/",
    lang: Language = None,
) -> None:
    """Run the table server."""
    from tribord.server import timing
    from tribord.server.house_bots import HouseBots
    from tribord.server.settings import Settings
    from tribord.server.store import connect

    connect(store)  # refuses an invalid address before anything starts
    if workers > 1 and not store.startswith("postgres"):
        raise BadOption("one-worker", ONE_WORKER)
    HouseBots(bots or ())  # refuses what isn't a bot
    timing.check()
    chosen = Settings(
        store, pace, limits, tuple(origin or ()), retain_days, retain_unfinished_days, bots=tuple(bots or ()),
        quota=_bytes(quota), host=host, port=port, workers=workers, homes=homes, proxy=proxy,
        public_metrics=public_metrics, drain=drain, audit_days=audit_days, analysis=analysis_seconds,
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
    """Serve until stopped."""
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from tribord.server.own_port import bind_shared, options
    from tribord.server.settings import publish
    from tribord.server.startup import check

    check(settings)
    publish(settings)
    served: dict[str, Any] = {
        "app": "tribord.server.app:build",
        "factory": True,
        "host": settings.host,
        "port": settings.port,
    }
    if settings.workers == 1:
        uvicorn.run(**served, **options(settings))
    else:
        config = uvicorn.Config(**served, workers=settings.workers, **options(settings))
        Multiprocess(config, [bind_shared(settings)]).run()
