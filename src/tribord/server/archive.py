"""Archived tables: what the store keeps so that a table can be read once its rules have changed.

A table is the fold of its rows, and folding needs the rules it was played by. So each row of a match also keeps how
those rules resolved it: what was drawn, which decisions were undone, who played, how it ended. From these a match file
can be assembled without any rules.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import msgspec

from tribord.core.archive import Archive, OtherRules, other_rules
from tribord.core.journal import digest
from tribord.core.record import CHANCE
from tribord.core.refusal import IllegalAction
from tribord.core.words import _
from tribord.server.store import Row
from tribord.server.table import OVER, Table

# A match that isn't over may still be played by a worker of another release, and has secrets until no one plays it.
ABANDONED_SECONDS = 86_400
STILL_PLAYED = _("This game was played with other rules and isn’t over. You can read it a day after its last turn.")


def resolution(table: Table) -> dict[str, Any]:
    """Return how the rules resolved the table's last row, for the store."""
    match, last = table.match, table.last
    if match is None or last.kind == "import":
        return {}
    if last.kind == "branch":  # it has the file of the match before
        return {"names": match.names}
    found: dict[str, Any] = {}
    begins = last.kind in ("start", "reveal")
    if begins or last.kind == "rename":
        found["names"] = match.names
    if not last.match:
        return found
    if begins and match.dice.contributions:
        found["contributions"] = match.dice.contributions
    if begins or last.place is not None:
        drawn = [step.entry.action for step in match.steps[last.place or 0 :] if step.entry.seat == CHANCE]
        if drawn:
            found["drawn"] = [table.game.play.chance_notation(number) for number in drawn]
    if last.undone is not None:
        found["undone"] = last.undone
    if table.status == OVER and (ended := match.outcome) and last.place is not None:
        found |= {"outcome": asdict(ended), "state": digest(match)}
    return found


def check_rules(rows: list[Row]) -> None:
    """Refuse a table played with rules that aren't installed here; the refusal contains what can be read."""
    if not rows:
        return
    first = msgspec.json.decode(rows[0].body)
    begun: dict[str, Any] = first["file"] if rows[0].kind == "import" else first
    refusal = other_rules(begun["game"], begun["game_version"])
    if refusal is None:
        return
    kind = rows[0].kind
    hosted = kind == "create" or (kind == "branch" and first.get("hosted", False))
    archive = Archive(begun if kind == "import" else _match_file(first, rows), hosted)
    if archive.content["outcome"] is None and time.time() - rows[-1].at < ABANDONED_SECONDS:
        raise IllegalAction("still-played", STILL_PLAYED)
    raise OtherRules(refusal, archive)


def _match_file(created: dict[str, Any], rows: list[Row]) -> dict[str, Any]:
    """Build a table's match file from its rows alone, without the rules."""
    file: dict[str, Any] = {"tribord": 1}
    file |= {name: created[name] for name in ("game", "game_version", "players", "options")}
    file |= {"names": [], "commitment": created["commitment"], "seed": created["seed"]}
    file |= {"journal": [], "state": "", "outcome": None}
    if "file" in created:
        file = {**created["file"], "journal": [*created["file"]["journal"]]}
    journal: list[dict[str, Any]] = file["journal"]
    offers: list[dict[str, Any]] = []
    for row in rows:
        body = msgspec.json.decode(row.body)
        at = {} if row.kind in ("start", "reveal") else {"at": round(row.at, 3)}
        if "undone" in body:
            del journal[body["undone"] :]
            offers = [{**made, "version": min(made["version"], len(journal))} for made in offers]
        if row.kind == "offer":
            offers.append({"seat": body["seat"], "offer": body["offer"], "version": len(journal)})
        if row.kind == "act":
            rank = {"rank": body["rank"]} if "rank" in body else {}
            journal.append({"seat": body["seat"], "action": body["action"], **rank, **at})
        journal.extend({"chance": drawn, **at} for drawn in body.get("drawn", ()))
        file |= {name: body[name] for name in ("names", "state", "outcome") if name in body}
        if "contributions" in body:
            file |= {"tribord": max(2, file["tribord"]), "contributions": body["contributions"]}
    return file | ({"offers": offers} if offers else {})
