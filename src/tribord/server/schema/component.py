"""The schema of every type of the protocol, under its own name."""

from __future__ import annotations

from typing import Any

import msgspec

from tribord.server import messages
from tribord.server.schema import shape

HEARD = (
    messages.Welcome, messages.Sync, messages.Gap, messages.Update, messages.Ack, messages.Refused, messages.Presence,
    messages.Considered, messages.Pointed,
)  # fmt: skip
SAID = (messages.Hello, messages.Shown, *messages.Commands.__args__, *messages.Gestures.__args__)

# What fills the parts that a message leaves to the table and the game.
FILLED: dict[str, dict[str, Any]] = {
    "Update": {
        "events": list[shape.EventInfo],
        "said": shape.Said | None,
        "table": shape.TableInfo | None,
        "match": shape.MatchInfo | None,
    },
    "Considered": {"events": list[shape.EventInfo]},
    # Of several portions only the last has these two.
    "Sync": {"table": shape.TableInfo, "match": shape.MatchInfo | None, "log": list[shape.PastUpdate]},
    "Gap": {"table": shape.TableInfo, "match": shape.MatchInfo | None, "missed": list[shape.PastUpdate]},
}


def components(*types: Any) -> dict[str, Any]:
    """The schemas of these types and of all they consist of."""
    fillings = [kind for fields in FILLED.values() for kind in fields.values()]
    schemas, named = msgspec.json.schema_components([*fillings, *types], ref_template="#/components/schemas/{name}")
    filled = iter(schemas)
    for name, fields in FILLED.items():
        for field in fields:
            schema = next(filled)
            if name in named:
                was = named[name]["properties"][field]
                named[name]["properties"][field] = schema | {k: v for k, v in was.items() if k == "default"}
    wanted = reachable({reference(kind)["$ref"] for kind in types}, named)
    return {name: named[name] for name in sorted(wanted)}


def reference(kind: Any) -> dict[str, Any]:
    """A reference to the schema of a type."""
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def reachable(references: set[str], named: dict[str, Any]) -> set[str]:
    """The names of the schemas that these references lead to."""
    found: set[str] = set()
    waiting = [reference.rpartition("/")[2] for reference in references]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [reference.rpartition("/")[2] for reference in references_in(named[name])]
    return found


def references_in(schema: Any) -> list[str]:
    """Every reference in a schema."""
    if isinstance(schema, dict):
        own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
        return own + [found for part in schema.values() for found in references_in(part)]
    if isinstance(schema, list):
        return [found for part in schema for found in references_in(part)]
    return []
