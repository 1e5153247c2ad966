"""The vocabulary of docs/design.md: public names keep to it, and no class name means two things."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

from tribord.server import messages
from tribord.server.schema.openapi import openapi

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tribord"

THEIRS = ("connection_made",)  # what a library calls its own

WIRE = ("server/messages.py", "server/schema/shape.py")
# Types of the wire that are named after what they carry, and where that is. All others have names of their own.
CARRIED = {
    "Branches": "server/store/branches.py",
    "Effect": "server/moment.py",
    "Likely": "bots/puzzle.py",
    "Offer": "lab/analysis.py",
    "Outlook": "bots/puzzle.py",
    "Refused": "client/refusal.py",
    "Suggestion": "bots/advice.py",
    "Update": "server/table.py",
}


def retired() -> list[tuple[str, str, str]]:
    """Every retired word of docs/design.md, where it is retired, and the word to use instead."""
    table = (
        (ROOT / "docs" / "design.md")
        .read_text(encoding="utf-8")
        .partition("| word | meaning | instead of | where |")[2]
    )
    found = []
    for line in table.partition("\n\n")[0].splitlines()[2:]:
        word, _meaning, instead_of, where = (cell.strip() for cell in line.strip("|").split("|"))
        found += [(old.strip(), where, word) for old in instead_of.split(",") if old.strip() != "–"]
    return found


def parts(name: str) -> list[str]:
    """The words in a name, whatever its style: `take_back`, `take-back` and `TakeBack` are the same two.

    >>> parts("TakeBack"), parts("GET /api/tables/{name}/take-backs")
    (['take', 'back'], ['get', 'api', 'tables', 'name', 'take', 'backs'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def says(name: str, old: str) -> bool:
    """Whether a name has a retired word in it, also as a plural."""
    words, wanted = parts(name), parts(old)
    last = {wanted[-1], wanted[-1] + "s"}
    return any(
        words[at : at + len(wanted) - 1] == wanted[:-1] and words[at + len(wanted) - 1] in last
        for at in range(len(words) - len(wanted) + 1)
    )


@cache
def names() -> dict[str, tuple[str, ...]]:
    """The public names of the project, by where they are."""
    sources = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    server = [path for path in sources if path.parts[0] in ("server", "client")]
    modules = [".".join(path.with_suffix("").parts) for path in sources]
    page = [*SOURCE.glob("server/client/**/*.*"), *SOURCE.glob("games/*/client/**/*.*")]
    files = [path.name for path in page if path.suffix in (".js", ".css", ".html")]
    protocol = tuple(spoken())
    return {
        "protocol": protocol,
        "server modules": tuple(module for module in modules if module.startswith("server.")),
        "server": (*protocol, *[f"{path}: {name}" for path in server for name in defined(path)]),
        "everywhere": (
            *protocol,
            *modules,
            *files,
            *[f"{path}: {name}" for path in sources for name in defined(path)],
            *[f"{path.relative_to(SOURCE)}: {name}" for path in page for name in declared(path)],
        ),
    }


def declared(path: Path) -> set[str]:
    """What a file of the page names: classes, functions, methods, fields, parameters, constants; style classes too.

    It's read by patterns, not by a parser, which is enough for code in one style (and the types are checked elsewhere).
    """
    if "vendor" in path.parts or path.suffix not in (".js", ".css"):
        return set()
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    if path.suffix == ".css":
        return set(re.findall(r"(?:\.|--)([a-z][\w-]*)", text))
    lists = [
        *re.findall(r"\b(?:const|let)\s+(\{[^}=]*\}|\[[^\]=]*\]|\w+)", text),
        *re.findall(r"\bimport\s+(.*?)\s+from\b", text, flags=re.DOTALL),
        *re.findall(r"\(([^()]*)\)\s*=>", text),
        *re.findall(r"\b\w+\(([^()]*)\)\s*\{$", text, flags=re.MULTILINE),
    ]
    return {
        *re.findall(r"\b(?:class|function)\s+(\w+)", text),
        *re.findall(r"^\s+(?:static |async |get |set )*(\w+)\(.*\{$", text, flags=re.MULTILINE),
        *re.findall(r"\b(\w+)\s*=>", text),
        *re.findall(r"\b(\w+): ", text),
        *re.findall(r"^\s+(?:this\.)?(\w+)\s*=[^=]", text, flags=re.MULTILINE),
        *(name for several in lists for name in re.findall(r"\w+", several)),
    }


def defined(path: Path) -> Iterator[str]:
    """The public names that a module defines, classes with their members."""
    yield path.stem
    for node in ast.parse((SOURCE / path).read_text(encoding="utf-8")).body:
        for name in _named(node):
            yield name
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for member in node.body:
                for name in _named(member):
                    yield f"{node.name}.{name}"


def _named(node: ast.stmt) -> list[str]:
    named: list[str] = []
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        named = [node.name]
    elif isinstance(node, ast.Assign):
        named = [target.id for target in node.targets if isinstance(target, ast.Name)]
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        named = [node.target.id]
    return [name for name in named if not name.startswith("_") and name not in THEIRS]


def spoken() -> Iterator[str]:
    """The tags and fields of messages, and the addresses and their operations over HTTP."""
    for kind in vars(messages).values():
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == messages.__name__:
            yield str(kind.__struct_config__.tag)
            yield from (f"{kind.__name__}.{field}" for field in kind.__struct_fields__)
    for address, operations in openapi()["paths"].items():
        yield address
        yield from (operation["operationId"] for operation in operations.values())


@pytest.mark.parametrize(("old", "where", "word"), retired())
def test_no_public_name_says_a_retired_word(old: str, where: str, word: str) -> None:
    found = [name for name in names()[where] if says(name.rpartition(": ")[2], old)]
    assert not found, f"“{old}” is retired, the word is “{word}”: {', '.join(found)}"


def test_the_vocabulary_is_read_and_would_find_what_it_looks_for() -> None:
    assert {"muster", "take back", "harbour", "hopes"} <= {old for old, _where, _word in retired()}
    assert says("TakeBack.seat", "take back") and says("POST /take-backs", "take back") and says("chairs", "chair")
    assert (
        not says("describe", "scribe") and not says("back_take", "take back") and not says("stake_backs", "take back")
    )
    assert {"update", "reclaim", "Join.transfer", "/api/tables/{name}/preview/{action}"} <= set(names()["protocol"])
    assert "hub.py" in str(names()["server"]) and "credentials.js" in names()["everywhere"]


def test_the_names_of_the_page_are_read(tmp_path: Path) -> None:
    page = {name.partition(": ")[2] for name in names()["everywhere"] if ".js: " in name or ".css: " in name}
    assert {"Gestures", "narrated", "lookAhead", "partByPart", "tv-controls", "pointed", "unseen"} <= page
    script = tmp_path / "screen.js"
    script.write_text(
        "/** A knob. */\nimport { telling, other as lean } from './chair.js';\n"
        "export class Berth {\n  trail = [];\n  constructor(whim) {\n    this.hopes = whim;\n  }\n"
        "  async judge({ scribe }) {\n    const [muster, { chronicle }] = [1, 2];\n    let horizon = 1;\n"
        "    return muster.map((knobs) => knobs + horizon).filter(foresee => foresee);\n  }\n}\n"
    )
    said = {
        "telling",
        "lean",
        "Berth",
        "trail",
        "whim",
        "hopes",
        "judge",
        "scribe",
        "muster",
        "horizon",
        "knobs",
        "foresee",
    }
    assert said <= declared(script) and "knob" not in declared(script)


def test_no_class_name_has_two_meanings() -> None:
    """Classes, nested ones too, and the names of types. Games are apart: none imports another's Pirate or Drawing."""
    where: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py")):
        for name, meaning in kinds(path):
            if path.parts[0] == "games" and path.parts[2:]:  # what a game calls so
                meaning = f"of a game: {meaning}" if meaning.startswith("class ") else meaning
                where[name].setdefault("games", meaning)
            elif not (path.as_posix() in WIRE and name in CARRIED):
                where[name][f"{path}: {meaning}"] = meaning
    doubles = {name: sorted(found) for name, found in where.items() if len(set(found.values())) > 1}
    assert not doubles


def test_every_type_of_the_wire_that_shares_a_name_has_what_it_carries() -> None:
    named = {
        path.as_posix(): {name for name, _meaning in kinds(path)} for path in map(Path, (*WIRE, *CARRIED.values()))
    }
    for name, path in CARRIED.items():
        assert name in named[path], f"{path} has no {name} any more"
        assert any(name in named[wire] for wire in WIRE), f"nothing on the wire is called {name} any more"


def kinds(path: Path) -> Iterator[tuple[str, str]]:
    """The classes of a module and the types it names, each with what sets it apart: its place, or what it stands for.

    Options of the command line are named after what they set, so they may share its name.
    """
    tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name, f"class in {path}:{node.lineno}"
    for name, value in filter(None, map(_alias, tree.body)):
        written = ast.unparse(value)
        if not (path.parts[0] == "cli" and written.startswith("Annotated[")):
            yield name, written


def _alias(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name of a type (`Row = tuple[int, str]`, `Row: TypeAlias = …`, `type Row = …`) and what it stands for."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name, value = node.targets[0].id, node.value
    elif isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation) and node.value:
        assert isinstance(node.target, ast.Name)
        return node.target.id, node.value
    elif type(node).__name__ == "TypeAlias":  # since Python 3.12
        return node.name.id, node.value  # type: ignore[attr-defined]
    else:
        return None
    is_type = isinstance(value, ast.Subscript | ast.BinOp | ast.Name | ast.Attribute)
    return (name, value) if is_type and name[0].isupper() and not name.isupper() else None


def test_names_of_types_and_nested_classes_are_read() -> None:
    named = {name for path in SOURCE.rglob("*.py") for name, _meaning in kinds(path.relative_to(SOURCE))}
    assert {"Opponent", "RowType", "Commands", "ValueTable", "Progress", "CurvePoint"} <= named
    assert _alias(ast.parse("Row = tuple[int, str] | None").body[0]) and not _alias(ast.parse("ROW = x[0]").body[0])
    assert _alias(ast.parse("Row: TypeAlias = Any").body[0]) and not _alias(ast.parse("Row: int = 1").body[0])
