"""The protocol's documents: up to date, valid, and true of a real server."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator, meta
from openapi_spec_validator import validate
from tests.server.launcher import ServerProcess
from websockets.asyncio.client import ClientConnection, connect

from tribord import game_ids
from tribord.bots import ranks
from tribord.client import Client, Refused
from tribord.server import limit, messages
from tribord.server.schema import asyncapi, openapi, shape
from tribord.server.schema.__main__ import documents
from tribord.server.schema.component import HEARD, SAID, references_in

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)```", PAGE, re.DOTALL)
EXCHANGE = re.search(r"```exchange\n(.*?)```", PAGE, re.DOTALL)
ANYTHING = "…"
MOVING = ("at", "commitment")  # what is different in every match


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server"), "--limits", "0") as serving:
        yield serving


def validator(name: str, document: dict[str, Any]) -> Draft202012Validator:
    """For a schema in a document; a field that the document lacks is an error."""
    strict = json.loads(json.dumps(document))
    for schema in strict["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": strict["components"]})


# -- the files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["openapi.json", "asyncapi.json"])
def test_the_documents_in_docs_are_those_of_the_types(name: str) -> None:
    written = (DOCS / "protocol" / name).read_text(encoding="utf-8")
    assert written == documents()[name], "run: python -m tribord.server.schema"


def test_the_http_document_is_openapi() -> None:
    validate(openapi())


def test_the_http_document_has_every_route() -> None:
    from starlette.routing import Route

    from tribord.server.app import build

    routes = {
        (route.path, method.lower())
        for route in build().routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes == {(path, method) for path, methods in openapi()["paths"].items() for method in methods}


def test_the_socket_document_holds_together() -> None:
    document = asyncapi()
    for reference in references_in(document):
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]  # a KeyError is a reference that leads nowhere
    for schema in document["components"]["schemas"].values():
        meta.validate(schema)
    spoken = {name for operation in document["operations"].values() for name in references_in(operation["messages"])}
    assert spoken == {f"#/channels/table/messages/{name}" for name in document["channels"]["table"]["messages"]}


def test_every_message_type_is_in_the_socket_document() -> None:
    types = {
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.tag
    }
    assert types - {messages.Command, messages.Gesture, messages.ServerMessage} == {*SAID, *HEARD}


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_page_has_an_example_of_every_kind() -> None:
    shown = {name for name, _text in EXAMPLES}
    assert shown >= {"NewTable", "Join", "Credentials", "Hello", "Welcome", "Sync", "Update", "Ack", "Refused"}
    for kind in SAID[1:]:
        assert f"`{kind.__struct_config__.tag}`" in PAGE


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_an_example_of_the_page_is_of_its_type(name: str, text: str) -> None:
    kind = getattr(messages, name, None) or getattr(shape, name)
    decoded = msgspec.json.decode(text, type=kind)
    assert msgspec.json.decode(msgspec.json.encode(decoded), type=kind) == decoded
    document = openapi() if name in openapi()["components"]["schemas"] else asyncapi()
    validator(name, document).validate(json.loads(text))


@pytest.mark.parametrize("kind", [kind for kind in SAID if issubclass(kind, messages.Command | messages.Gesture)])
def test_the_page_lists_the_fields_of_a_command_and_which_may_be_left_out(kind: type) -> None:
    tag = kind.__struct_config__.tag
    (listed,) = re.findall(rf"^\| `{tag}` \| ((?:`\w+\??`(?:, | or |)?)+) \|", PAGE, re.MULTILINE)
    fields = {field.name: field.required for field in msgspec.structs.fields(kind) if field.name != "id"}
    assert {name.rstrip("?"): not name.endswith("?") for name in re.findall(r"`([\w?]+)`", listed)} == fields


def test_the_page_states_the_limits() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+ \| [^|]+) \|$", PAGE, re.MULTILINE))
    limits = [value for value in vars(limit).values() if isinstance(value, limit.RateLimit)]
    assert rows == {each.name: f"{each.burst:g} | {round(each.per_second, 2):g}" for each in limits}


def test_the_page_states_the_phrases_and_the_numbers() -> None:
    from tribord.server import app, connection, http_protocol, live_table, ruling, table
    from tribord.server.phrase import PHRASES

    for name in PHRASES:
        assert f"`{name}`" in PAGE
    for rank in ranks():
        assert f'`"{rank}"`' in PAGE
    assert f"**{messages.PROTOCOL}**" in PAGE
    for number in (
        app.BODY_BYTES,
        app.FILE_BYTES,
        app.FILE_LINES,
        http_protocol.HEAD_BYTES,
        http_protocol.URL_BYTES,
        connection.MESSAGE_CHARACTERS,
    ):
        assert f"{number:,}" in PAGE
    assert f"up to {ruling.MOST_GUESTS} guests" in PAGE
    assert f"has {http_protocol.REQUEST_SECONDS:g} seconds to arrive" in PAGE
    assert f"up to {http_protocol.MOST_PIPELINED} requests" in PAGE
    assert f"up to {limit.CONNECTIONS} connections" in PAGE and f"{limit.SOCKETS} sockets" in PAGE
    assert f"the last {table.RESENT} ids" in PAGE
    assert f"more than {live_table.DEPTH} messages" in PAGE
    codes = {getattr(connection, name) for name in connection.__all__ if name.isupper()}
    assert {1009} | codes == {int(code) for code in re.findall(r"^\| (\d{4}) \|", PAGE, re.MULTILINE)}


# -- the exchange of the page, played -------------------------------------------------------------------------------


class Exchange:
    """Plays the lines of the exchange. Values the server chooses are bound to those on the page."""

    def __init__(self, url: str):
        self.url = url
        self.bound: dict[str, str] = {}  # as on the page, so in reality
        self.sockets: dict[str, ClientConnection] = {}
        self.answers: dict[str, tuple[int, Any]] = {}

    async def play(self, line: str) -> None:
        who, way, text = line[0], line[1], line[3:]
        if way == "!":
            self.sockets.pop(who).transport.abort()
        elif way == ">" and text.startswith("POST "):
            _post, path, body = text.split(" ", 2)
            self.answers[who] = await asyncio.to_thread(self.post, self.truth(path), self.truth(body))
        elif way == ">":
            if who not in self.sockets:
                self.sockets[who] = await connect(self.url.replace("http", "ws") + "/socket")
            await self.sockets[who].send(self.truth(text))
        elif text.startswith("201 "):
            status, content = self.answers.pop(who)
            assert status == 201
            self.compare(json.loads(text[4:]), content, line)
        else:
            heard = json.loads(await asyncio.wait_for(self.sockets[who].recv(), 10))
            self.compare(json.loads(text), heard, line)

    def post(self, path: str, body: str) -> tuple[int, Any]:
        request = urllib.request.Request(self.url + path, body.encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.load(answer)

    def truth(self, text: str) -> str:
        for written, true in self.bound.items():
            text = text.replace(written, true)
        return text

    def compare(self, written: Any, true: Any, line: str) -> None:
        if written == ANYTHING:
            return
        if isinstance(written, dict):
            assert isinstance(true, dict), line
            if ANYTHING not in written:
                assert set(written) == set(true), f"{line}\n{true}"
            for name, value in written.items():
                if name in ("table", "code", "secret") and isinstance(value, str):
                    assert self.bound.setdefault(value, true[name]) == true[name], line
                elif name != ANYTHING and name not in MOVING:
                    self.compare(value, true[name], line)
        elif isinstance(written, list):
            kept = written[:-1] if written and written[-1] == ANYTHING else written
            assert isinstance(true, list) and (len(kept) == len(true) or len(kept) < len(written)), line
            for one, other in zip(kept, true, strict=False):
                self.compare(one, other, line)
        else:
            assert written == true, f"{line}\n{true}"


def test_the_exchange_of_the_page_happens_as_written(server: ServerProcess) -> None:
    assert EXCHANGE is not None
    lines = [line for line in EXCHANGE[1].splitlines() if line]

    async def run() -> None:
        exchange = Exchange(server.url)
        for line in lines:
            await exchange.play(line)
        for socket in exchange.sockets.values():
            await socket.close()

    assert len(lines) > 30
    asyncio.run(run())


# -- the server against the documents -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", game_ids())
def test_every_message_of_a_match_is_as_documented(server: ServerProcess, game: str) -> None:
    document, seen = asyncapi(), set()
    names = {kind.__struct_config__.tag: kind.__name__ for kind in HEARD}
    validators = {tag: validator(name, document) for tag, name in names.items()}

    async def listen(table: str, secret: str | None, ready: asyncio.Event) -> None:
        async with connect(f"{server.url.replace('http', 'ws')}/socket", max_size=None) as socket:
            await socket.send(json.dumps({"t": "hello", "protocol": 2, "table": table, "secret": secret}))
            async for text in socket:
                message = json.loads(text)
                validators[message["t"]].validate(message)
                seen.add(message.get("kind", message["t"]))
                if message["t"] == "presence":
                    ready.set()
                if message["t"] == "update" and message.get("table", {}).get("status") == "over":
                    return

    async def run() -> None:
        host = await Client.create(
            server.url, game, "Anne", 4, seats=["me", "me", "mousse", "mousse"],
            clock={"per": "decision", "seconds": 3_600},
        )  # fmt: skip
        both = asyncio.Event(), asyncio.Event()
        watching = asyncio.gather(listen(host.id, None, both[0]), listen(host.id, host.secret, both[1]))
        async with host:
            await asyncio.gather(*(each.wait() for each in both))
            await host.do("chat", phrase="hello")
            await host.do("chat", line="Ohé !", to=[0])
            await host.do("rename", nickname="Anne B.")
            async with await Client.join(server.url, host.id, "Zoé") as guest:
                await host.do("remove", guest=guest.guest)
                with pytest.raises(Refused, match="removed"):
                    async for _event in guest.events():
                        pass
            await host.do("start")
            if game == "sauve-qui-peut":
                await host.do("offer", seat=0, offer={"kind": "ask", "vote": "leak", "lane": 3})
            await host.do("replace", seat=1, rank="mousse")
            await host.do("reclaim", seat=1)
            async for turn in host.turns():
                await host.act(turn.seat, turn.legal[-1], turn.version)
            await watching
            assert host.match is not None and host.match["outcome"]
            await host.do("rematch")
            file = await host.match_file()
            validator("MatchFile", openapi()).validate(file)

    asyncio.run(asyncio.wait_for(run(), 60))
    assert seen >= {"welcome", "sync", "presence", "chat", "remove", "start", "act", "replace", "reclaim"}


def test_a_rematch_carries_over_what_the_page_says(server: ServerProcess) -> None:
    section = PAGE.partition("## Rematches")[2].partition("\n## ")[0]
    rows = [re.findall(r"`(\w+)`", row) for row in re.findall(r"^\| (`.+?) \| ", section, re.MULTILINE)]
    assert sorted(name for row in rows for name in row) == sorted(shape.TableInfo.__struct_fields__)
    same, new, *_rest = rows

    async def run() -> None:
        seats = ["me", "me", "mousse", "open"]
        host = await Client.create(
            server.url, "ile-aux-pirates", "Anne", 4, seats=seats, names=["", "Bart"], public=True,
            clock={"per": "match", "seconds": 3_600},
        )  # fmt: skip
        zoe, gone = [await Client.join(server.url, host.id, name) for name in ("Zoé", "Jack")]
        async with host, zoe:
            await host.do("remove", guest=2)
            await host.do("start")
            await host.do("chat", line="Ahoy!")
            await zoe.do("replace", seat=3, rank="mousse")
            async for turn in host.turns():
                await host.act(turn.seat, turn.legal[-1], turn.version)
            await host.do("rematch")
            await host._until(lambda: host.table["rematch"] is not None)
            before = host.table
        late = await Client.join(server.url, host.id, "Edward")
        async with Client(server.url, before["rematch"], zoe.secret) as again:
            after = again.table
            assert again.version == 1 and again.match is None and again.seats == [0]
            assert {name: after[name] for name in same} == {name: before[name] for name in same}
            assert all(after[name] != before[name] for name in new)
            assert [(one["guest"], one["nickname"]) for one in after["guests"]] == [(0, "Anne"), (1, "Zoé")]
            assert after["guests"][0]["commitment"]  # when the match was over, before she asked for the rematch
            assert after["commitment"] == before["rematch_commitment"]
            assert (after["status"], after["rematch"], after["contributions"]) == ("open", None, [])
            for seat, held in enumerate(after["seats"]):
                was = before["seats"][seat - 1]
                assert (held["guest"], held["name"], held["ready"]) == (was["guest"], was["name"], True)
                assert held["rank"] == (was["rank"] if was["guest"] is None else None)
            assert before["seats"][3]["rank"] == "mousse"  # a bot played for Zoé
        for stranger in (gone, late):
            with pytest.raises(Refused, match="wrong-secret"):
                async with Client(server.url, before["rematch"], stranger.secret):
                    pass

    asyncio.run(asyncio.wait_for(run(), 60))


def test_what_can_be_read_is_as_documented(server: ServerProcess) -> None:
    def get(path: str) -> Any:
        with urllib.request.urlopen(server.url + path) as answer:
            return json.load(answer)

    table = asyncio.run(Client.create(server.url, "walk-the-plank", "Anne", 3, public=True)).id
    found = {"Games": get("/api/games"), "OpenTables": get("/api/tables"), "ShownTable": get(f"/api/tables/{table}")}
    found |= {"Actions": get("/api/games/walk-the-plank/actions"), "Health": get("/readyz")}
    for name, content in found.items():
        validator(name, openapi()).validate(content)
    assert found["OpenTables"]["tables"]


def schemathesis(url: str, document: dict[str, Any], folder: Path, *options: str) -> None:
    """Run it in a process of its own; it fails with what it has found."""
    path = folder / "openapi.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(path), "--url", url, "--seed", "7"]
    command += ["--generation-database", "none", "--warnings", "off", "--no-color", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]


CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,unsupported_method,ignored_auth"
)


def sensible() -> dict[str, Any]:
    """The document with existing ids, so that tables are created, joined and read."""
    document = openapi()
    properties = document["components"]["schemas"]["NewTable"]["properties"]
    properties["game"] = {"enum": game_ids()}
    properties["players"] = {"enum": [3, 4]}
    properties["nickname"] = document["components"]["schemas"]["Join"]["properties"]["nickname"] = {"enum": ["Anne"]}
    properties["options"] = {"const": {}}
    properties["seats"] = {"enum": [[], ["me", "open", "mousse"], ["me", "me", "open", "open"]]}
    properties["clock"] = {"enum": [None, {"per": "match", "seconds": 60, "rank": "mousse"}]}
    for operation in (operation for methods in document["paths"].values() for operation in methods.values()):
        for parameter in operation.get("parameters", []):
            parameter["schema"] |= {"game": {"enum": game_ids()}, "language": {"enum": ["fr", "en"]}}.get(
                parameter["name"], {}
            )
    return document


def examples(server: ServerProcess, folder: Path, number: int) -> None:
    rubbish = f"{CHECKS},negative_data_rejection"
    schemathesis(server.url, openapi(), folder, "--max-examples", str(number), "--checks", rubbish)
    options = ("--mode", "positive", "--max-examples", str(number), "--checks", CHECKS)
    schemathesis(server.url, sensible(), folder, *options)
    assert '"level": "error"' not in server.log.read_text()


def test_schemathesis_finds_nothing(server: ServerProcess, tmp_path: Path) -> None:
    examples(server, tmp_path, 25)


@pytest.mark.long
def test_schemathesis_finds_nothing_for_long(server: ServerProcess, tmp_path: Path) -> None:
    examples(server, tmp_path, 300)
