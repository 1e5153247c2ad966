"""Archived tables: what the store keeps so that a table can be read once its rules have changed.

A table is the fold of its rows, and folding takes the rules it was played by. Each row of a match therefore also keeps
how those rules resolved it: what was drawn, from where on decisions were undone, who played, how it ended. With these a
match file can be put together without any rules.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

import msgspec

from tribord.core.archive import Archive, OtherRules, other_rules
from tribord.core.journal import FORMAT, digest
from tribord.core.record import CHANCE
from tribord.core.refusal import IllegalAction
from tribord.core.words import _
from tribord.server.store import Row
from tribord.server.table import OVER, Table

# A match that isn't over may still be played by a worker of another release, and has secrets until nobody plays it.
ABANDONED_SECONDS = 86_400
STILL_PLAYED = _("This match was played with other rules and isn’t over. You can read it a day after its last turn.")


def resolution(table: Table) -> dict[str, Any]:
    """How the rules resolved the table's last row, for the store."""
    match, last = table.match, table.last
    if match is None or last.kind == "import":
        return {}
    found: dict[str, Any] = {}
    begins = last.kind == "start"
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
    """Refuse a table that was played by rules that aren't installed here; the refusal has what can be read of it."""
    if not rows:
        return
    first = msgspec.json.decode(rows[0].body)
    begun: dict[str, Any] = first["file"] if rows[0].kind == "import" else first
    refusal = other_rules(begun["game"], begun["game_version"])
    if refusal is None:
        return
    hosted = rows[0].kind != "import"
    archive = Archive(_match_file(first, rows) if hosted else begun, hosted)
    if archive.content["outcome"] is None and time.time() - rows[-1].at < ABANDONED_SECONDS:
        raise IllegalAction("still-played", STILL_PLAYED)
    raise OtherRules(refusal, archive)


def _match_file(created: dict[str, Any], rows: list[Row]) -> dict[str, Any]:
    """The match file of a table, from what its rows say of themselves."""
    file: dict[str, Any] = {"tribord": 1}
    file |= {name: created[name] for name in ("game", "game_version", "players", "options")}
    file |= {"names": [], "commitment": created["commitment"], "seed": created["seed"]}
    file |= {"journal": [], "state": "", "outcome": None}
    journal: list[dict[str, Any]] = file["journal"]
    for row in rows:
        body = msgspec.json.decode(row.body)
        at = {} if row.kind == "start" else {"at": round(row.at, 3)}
        if "undone" in body:
            del journal[body["undone"] :]
        if row.kind == "act":
            journal.append({"seat": body["seat"], "action": body["action"], **at})
        journal.extend({"chance": drawn, **at} for drawn in body.get("drawn", ()))
        file |= {name: body[name] for name in ("names", "state", "outcome") if name in body}
        if "contributions" in body:
            file |= {"tribord": FORMAT, "contributions": body["contributions"]}
    return file
