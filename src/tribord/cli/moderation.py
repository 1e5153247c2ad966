"""`tribord reports`, `ban`, `unban`, `bans` and `audit`: moderation by a server's operator."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tribord.cli.arguments import Json, Language
from tribord.cli.backup import SECONDS
from tribord.cli.serve import Store
from tribord.cli.speech import Speech
from tribord.core.refusal import BadOption
from tribord.core.words import _, escaped

if TYPE_CHECKING:
    from tribord.server import store as server_store

T = TypeVar("T")

NO_TARGET = _(
    "“{target}” is neither an address nor a table here. Write an IP address (for IPv6, its /64 is banned), or a"
    " table’s id or code."
)
OWN_ADDRESS = _(
    "{target} is this machine: behind a proxy, that would ban everyone. Start the server with --proxy, so that it"
    " knows people’s own addresses."
)
BAD_DURATION = _("“{duration}” isn’t a duration. Write 30m, 6h or 7d, for example.")
NOT_BANNED = _("“{target}” isn’t banned. “tribord bans” lists what is.")
BANNED = _("Banned until {until}: {target}. Open connections close within seconds.")
BANNED_FOR_GOOD = _("Banned until you lift it: {target}. Open connections close within seconds.")
UNBANNED = _("No longer banned: {target}")
NO_BANS = _("Nothing is banned.")
NO_REPORTS = _("No reports.")
NO_ENTRIES = _("The audit log is empty.")
FOR_GOOD = _("Until you lift it")
UNKNOWN_ADDRESS = _("address unknown")
REASONS = {"nickname": _("nickname"), "talk": _("chat"), "behaviour": _("behaviour")}
REPORT = _("{at} {nickname} ({address}): {reason}. Reported by {actor} ({by_address}) at table {table}.")
QUOTE = _("    said: {line}")

Target = Annotated[str, typer.Argument(metavar=_("TARGET"), help=_("An IP address, or a table’s id or code."))]
Duration = Annotated[
    str | None,
    typer.Option("--for", metavar=_("TIME"), help=_("How long: 30m, 6h, 7d; by default, until you lift it.")),
]
Reason = Annotated[str, typer.Option("--reason", metavar=_("TEXT"), help=_("A note for yourself."))]
Last = Annotated[int, typer.Option("--last", min=1, help=_("How many entries to show, the latest first."))]
What = Annotated[str, typer.Option("--what", metavar=_("KIND"), help=_("Only this kind: mute, remove, ban, backup…"))]


def reports(
    ctx: typer.Context, store: Store = "tribord.sqlite3", last: Last = 20, as_json: Json = False, lang: Language = None
) -> int:
    """What guests have reported, the newest last."""
    speech: Speech = ctx.obj
    found = _with(store, lambda place: place.audit("report", last))
    if as_json:
        return _print_json(found)
    if not found:
        print(speech.say(NO_REPORTS))
    for entry in found:
        details = entry.details
        print(
            speech.say(
                REPORT, at=_time(entry.at), nickname=details["nickname"], table=entry.table, actor=entry.actor,
                address=details["address"] or speech.say(UNKNOWN_ADDRESS), by_address=entry.address,
                reason=speech.say(REASONS[details["reason"]]),
            )
        )  # fmt: skip
        for line in details["said"]:
            print(speech.say(QUOTE, line=line))
    return 0


def ban(
    ctx: typer.Context,
    target: Target,
    duration: Duration = None,
    reason: Reason = "",
    store: Store = "tribord.sqlite3",
    lang: Language = None,
) -> int:
    """Close the server to an address, or a table to everyone."""
    from tribord.server.store import Ban

    speech: Speech = ctx.obj
    now = time.time()
    until = None if duration is None else now + _seconds(duration)

    async def work(place: server_store.Store) -> str:
        found = await _target(place, target)
        await place.ban(Ban(found, now, until, reason))
        await _note(place, "ban", found, until=until, reason=reason)
        return found

    found = _with(store, work)
    print(speech.say(BANNED_FOR_GOOD, target=found) if until is None else _until(speech, found, until))
    return 0


def unban(ctx: typer.Context, target: Target, store: Store = "tribord.sqlite3", lang: Language = None) -> int:
    """Lift a ban."""

    async def work(place: server_store.Store) -> str:
        found = await _target(place, target)
        if not await place.unban(found):
            raise BadOption("not-banned", NOT_BANNED, target=target)
        await _note(place, "unban", found)
        return found

    print(ctx.obj.say(UNBANNED, target=_with(store, work)))
    return 0


def bans(ctx: typer.Context, store: Store = "tribord.sqlite3", as_json: Json = False, lang: Language = None) -> int:
    """What is banned, the newest last."""
    speech: Speech = ctx.obj
    found = _with(store, lambda place: place.bans())
    if as_json:
        return _print_json(found)
    if not found:
        print(speech.say(NO_BANS))
    for ban in found:
        until = speech.say(FOR_GOOD) if ban.until is None else _time(ban.until)
        print(f"{ban.target}  {until}  {escaped(ban.reason)}".rstrip())
    return 0


def audit(
    ctx: typer.Context,
    store: Store = "tribord.sqlite3",
    last: Last = 50,
    what: What = "",
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """Who used which power, the newest last."""
    found = _with(store, lambda place: place.audit(what, last))
    if as_json:
        return _print_json(found)
    if not found:
        print(ctx.obj.say(NO_ENTRIES))
    for entry in found:
        details = escaped(json.dumps(entry.details, ensure_ascii=False))
        print(
            f"{_time(entry.at)}  {entry.what}  {entry.actor}  {entry.address or '-'}  {entry.table or '-'}  {details}"
        )
    return 0


def _with(store: str, work: Callable[[server_store.Store], Awaitable[T]]) -> T:
    """Do something with a store, also while servers use it."""
    from tribord.server.store import connect

    async def run() -> T:
        place = connect(store)
        await place.open(reading=True)
        try:
            return await work(place)
        finally:
            await place.close()

    return asyncio.run(run())


async def _target(place: server_store.Store, target: str) -> str:
    """An address as the limits know it, or a table's id."""
    from tribord.server.limit import network
    from tribord.server.secret import is_code

    try:
        address = ipaddress.ip_address(target.removesuffix("/64"))
    except ValueError:
        table = await place.find(target.upper()) if is_code(target) else target
        banned = target in [ban.target for ban in await place.bans()]
        if table is None or not (banned or await place.index_entry(table)):
            raise BadOption("no-target", NO_TARGET, target=target) from None
        return table
    if address.version == 4 and target.endswith("/64"):
        raise BadOption("no-target", NO_TARGET, target=target)
    if address.is_loopback:
        raise BadOption("own-address", OWN_ADDRESS, target=target)
    return network(str(address))


async def _note(place: server_store.Store, what: str, target: str, **details: Any) -> None:
    from tribord.server.store import AuditEntry

    table = "" if set(target) & set(".:") else target
    await place.note(AuditEntry(time.time(), what, "operator", table, "", {"target": target, **details}))


def _seconds(duration: str) -> int:
    found = re.fullmatch(r"([1-9]\d{0,5})([smhd])", duration)
    if found is None:
        raise BadOption("bad-duration", BAD_DURATION, duration=duration)
    return int(found[1]) * SECONDS[found[2]]


def _until(speech: Speech, target: str, until: float) -> str:
    return speech.say(BANNED, target=target, until=_time(until))


def _time(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def _print_json(found: list[Any]) -> int:
    import msgspec

    for thing in found:
        print(msgspec.json.encode(thing).decode())
    return 0
