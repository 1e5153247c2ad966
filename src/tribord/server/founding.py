"""Founding: create tables, take them in from match files, and prepare rematches."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tribord.core import signature
from tribord.core.archive import Archive, OtherRules
from tribord.core.chance import Dice
from tribord.core.game import load
from tribord.core.journal import audit_content, to_dict
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.signature import carried
from tribord.core.words import _
from tribord.server import guide, messages, metrics, ruling
from tribord.server.guests import check, credentials, recognise
from tribord.server.live_table import LiveTable, Socket
from tribord.server.messages import encode
from tribord.server.name import LONGEST, distinct
from tribord.server.phrase import legible
from tribord.server.quota import Full, check_store
from tribord.server.ruling import NOT_OVER
from tribord.server.secret import digest, new_code, new_secret, new_table, repeated_secret, repeated_table
from tribord.server.store import CodeTaken, Conflict, IndexEntry, Row, Unavailable, chained
from tribord.server.table import HOST, OVER, Table

if TYPE_CHECKING:
    from tribord.server.hub import Hub

WRONG_SEATS = _("A table for {players} needs {players} seats, not {seats}.")
BAD_SEAT = _("A seat is “me”, “open” or a bot’s rank, not “{seat}”.")

ONE_SEAT = _("In a branch you play one seat, and bots play the others.")
ENOUGH_BRANCHES = _("This game already has {most} branches. Play on from one of them.")

MOST_BRANCHES = 64  # of one match: they are listed with it
TRIES = 16  # at a code that no other table has
CARRIED_OVER = ("game", "game_version", "players", "options", "public", "hints")  # settings of a rematch


class Founding:
    """Founds the tables of a hub."""

    def __init__(self, hub: Hub):
        self.hub = hub

    async def create(self, new: messages.NewTable, who: str = "") -> messages.Credentials:
        """Create a table, for an address; its creator is its host."""
        game = load(new.game)
        lesson = guide.lesson_of(game, new.guide) if new.guide is not None else None
        if lesson:
            new = msgspec.structs.replace(
                new, players=lesson["players"], options=lesson["options"], seats=guide.seats_of(lesson),
                names=[], public=False, clock=None,
            )  # fmt: skip
        settings = game.settings(new.players, new.options)
        seats = new.seats or ["me"] + ["open"] * (new.players - 1)
        if len(seats) != new.players:
            raise BadOption("wrong-seats", WRONG_SEATS, players=new.players, seats=len(seats))
        if new.clock is not None and new.clock.rank not in self.hub.bots.names:
            raise BadOption("no-such-rank", ruling.NO_RANK, rank=new.clock.rank)
        table = repeated_table(self.hub.key, new.id) if new.id else new_table()
        secret = repeated_secret(self.hub.key, table, new.id) if new.id else new_secret()
        nickname = ruling.nickname(new.nickname)
        host = {"number": HOST, "nickname": nickname, "digest": digest(secret)}
        body = {
            "game": game.id,
            "game_version": game.version,
            "players": new.players,
            "options": game.options_of(settings),
            "public": new.public,
            "hints": new.hints,
            "clock": msgspec.to_builtins(new.clock) if new.clock else None,
            "guests": [host],
            "seats": _seats(seats, new.names, nickname, self.hub.bots.names),
            **(_fresh(lesson["seed"]) | {"guide": lesson["id"]} if lesson else _fresh()),
        }
        try:
            live = await self._found(table, "create", body, who)
        except Conflict:  # it was created before, and the response was lost on the way
            live = await self.hub.live(table, who)
        return credentials(live.table, recognise(live.table, secret), secret)

    async def branch(self, name: str, new: messages.NewBranch, who: str = "") -> messages.Credentials:
        """A table that continues another table's finished match from one of its moments."""
        original = (await self.hub.find(name, who)).table
        if original.status != OVER or original.match is None:
            raise IllegalAction("not-over", NOT_OVER)
        match, nickname = original.match, ruling.nickname(new.nickname)
        if len(new.seats) != match.players:
            raise BadOption("wrong-seats", WRONG_SEATS, players=match.players, seats=len(new.seats))
        seats = _seats(new.seats, [], nickname, self.hub.bots.names)
        if new.seats.count("me") != 1 or "open" in new.seats:
            raise BadOption("bad-seat", ONE_SEAT)
        table = repeated_table(self.hub.key, f"{original.id} {new.id}") if new.id else new_table()
        secret = repeated_secret(self.hub.key, table, new.id) if new.id else new_secret()
        own = _fresh()
        redealt = new.seats.index("me") if new.redealt else None
        file = await self.hub.read_long(who, lambda: to_dict(match.branch(new.place, redealt, own["seed"], []), ()))
        body = {
            **{setting: original.settings[setting] for setting in ("game", "game_version", "players", "options")},
            "public": False,
            "clock": None,
            "guests": [{"number": HOST, "nickname": nickname, "digest": digest(secret)}],
            "seats": seats,
            "branch": {"original": original.id, "place": new.place, "redealt": new.redealt},
            "file": file,
            "hosted": original.hosted or self._is_ours(original.imported),
            **own,
        }
        try:
            known = dict(await self.hub.store.branches(original.id, MOST_BRANCHES))
            if len(known) == MOST_BRANCHES and table not in known:
                raise IllegalAction("enough-branches", ENOUGH_BRANCHES, most=MOST_BRANCHES)
            live = await self._found(table, "branch", body, who)
        except Conflict:  # it was created before, and the response was lost on the way
            live = await self.hub.live(table, who)
        await self.hub.store.keep_branch(table, original.id)
        self.hub.scheduler.tend(live)
        return credentials(live.table, recognise(live.table, secret), secret)

    def _is_ours(self, file: dict[str, Any] | None) -> bool:
        """Whether this server has signed an imported match file. The signature was verified when it was taken in."""
        return file is not None and file.get(signature.FIELD, {}).get("signer") == self.hub.signer.public

    async def take_in(self, content: dict[str, Any], who: str = "") -> dict[str, str]:
        """Turn a match file into a finished table; refuse a file that doesn't verify."""
        try:
            match, problems = await self.hub.read_long(who, audit_content, content, Path("match file"))
        except OtherRules as refused:
            return await self._keep_archive(refused.archive)
        if problems:
            raise problems[0]
        if not match.over:
            raise IllegalAction("not-over", NOT_OVER)
        match.names = [legible(name, LONGEST) for name in match.names[: match.players]]
        file = await self.hub.read_long(who, lambda: carried(content, to_dict(match)))
        live = await self._found(new_table(), "import", {"file": file}, who)
        return {"table": live.table.id, "code": live.table.settings["code"]}

    async def _keep_archive(self, archive: Archive) -> dict[str, str]:
        """Turn a match of other rules into a table that can only be read."""
        content = archive.content
        if any(name != legible(name, LONGEST) for name in content["names"]):
            content = carried(content, content | {"names": [legible(name, LONGEST) for name in archive.names]})
        if content["outcome"] is None:
            raise IllegalAction("not-over", NOT_OVER)
        await check_store(self.hub.store, self.hub.quota)
        table, now = new_table(), time.time()
        for _attempt in range(TRIES):
            code = new_code()
            row = chained(Row(table, 0, "import", encode({"file": content, "code": code}), now), b"")
            with suppress(CodeTaken):
                await self.hub.store.append(
                    row, IndexEntry(table, code, content["game"], False, OVER, None, now, b"{}")
                )
                return {"table": table, "code": code}
        raise Unavailable("no code is free")

    async def _found(self, name: str, kind: str, body: dict[str, Any], who: str) -> LiveTable:
        """Write a table's first row, with a code that no other table has; raises `Conflict` if it has one already."""
        try:
            await check_store(self.hub.store, self.hub.quota)
        except Full:
            if await self.hub.store.index_entry(name) is None:
                raise
            raise Conflict(name, 0) from None  # it needs no room: it's there
        for _attempt in range(TRIES):
            live = LiveTable(Table(name), who)
            try:
                await self.hub.commit(live, kind, {**body, "code": new_code()})
            except CodeTaken:
                continue
            self.hub.live_tables[name] = live
            metrics.count("tables_created")
            return live
        raise Unavailable("no code is free")

    async def prepare_rematch(self, live: LiveTable, socket: Socket, command: messages.Rematch) -> None:
        """Create a table's rematch before the table points to it. Its id is drawn already, so there's only one."""
        if self.hub.store.shared or live.doubtful:
            await self.hub.catch_up(live)
        table, guest = live.table, socket.guest
        assert guest is not None
        check(table, socket)
        if table.guests[guest].done(command.id) is not None:
            return
        ruling.decide(table, guest, command, live.away)
        rotated = [table.seats[seat - 1] for seat in range(len(table.seats))]
        body = {
            **{name: table.settings[name] for name in CARRIED_OVER},
            "clock": table.clock.to_dict() if table.clock else None,
            "guests": [
                {
                    "number": g.number,
                    "nickname": g.nickname,
                    "digest": g.digest,
                    "pending": g.pending,
                    "commitment": g.commitment,
                    "muted": g.muted,
                }
                for g in table.guests.values()
            ],
            # Players replaced by a bot are asked again.
            "seats": [
                {
                    "guest": seat.guest,
                    "rank": seat.rank if seat.guest is None else None,
                    "ready": True,
                    "name": seat.name,
                }
                for seat in rotated
            ],
            **_fresh(table.rematch_seed),
        }
        with suppress(Conflict):  # it was founded before, by another worker or before a crash
            await self._found(table.next, "create", body, socket.address)
        if command.start and {seat.guest for seat in rotated} <= {None, *live.present()[0]}:
            await self.hub.do(await self.hub.live(table.next), _start_untouched, afresh=True)


def _seats(wanted: list[str], names: list[str], host: str, bots: tuple[str, ...]) -> list[dict[str, Any]]:
    """The seats of a new table. People who share the host's device may have names of their own."""
    if len(names) > len(wanted):
        raise BadOption("wrong-seats", WRONG_SEATS, players=len(wanted), seats=len(names))
    seats: list[dict[str, Any]] = []
    taken = [host]
    for want, given in zip_longest(wanted, names, fillvalue=""):
        if want not in ("me", "open", *bots):
            raise BadOption("bad-seat", BAD_SEAT, seat=want)
        seats.append({"guest": HOST if want == "me" else None, "rank": want if want in bots else None})
        if want == "me" and given:
            taken.append(distinct(ruling.nickname(given), taken))
            seats[-1]["name"] = taken[-1]
    return seats


def _start_untouched(table: Table) -> ruling.NewRow | None:
    """Return the start of a rematch that no one has changed yet, while everyone is moving there."""
    added = [guest for guest in sorted(table.owners()) if table.guests[guest].commitment]
    return ("start", {"by": HOST, **({"revealing": added} if added else {})}) if table.seq == 0 else None


def _fresh(seed: str = "") -> dict[str, Any]:
    """Return what every new table draws: secret dice, and the id and the dice of its rematch."""
    dice = Dice(seed) if seed else Dice.secret()
    after = {"next": new_table(), "rematch_seed": Dice.secret().seed}
    return {"seed": dice.seed, "commitment": dice.commitment, **after}
