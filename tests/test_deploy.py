"""The files in deploy/: the unit verifies, matches are played through the proxies, the images fit the program."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.server.launcher import ServerProcess
from tests.server.port import free_port
from tests.server.postgres import Postgres, database_of_its_own, server_of_its_own  # noqa: F401
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tribord.client import Client

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
SERVER_PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def program(name: str) -> str:
    """A program of the system, or there is nothing to test."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


# -- systemd --------------------------------------------------------------------------------------------------------


def test_the_unit_is_valid_and_shut_in(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    unit = tmp_path / "tribord.service"
    tribord = Path(sys.executable).with_name("tribord")
    unit.write_text((DEPLOY / "tribord.service").read_text().replace("/opt/tribord/bin/tribord", str(tribord)))
    verified = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    exposed = [analyze, "security", "--offline=true", "--threshold=20", str(unit)]  # of 100: 20 is "OK"
    judged = subprocess.run(exposed, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout


# -- proxies --------------------------------------------------------------------------------------------------------


def homes(server: int) -> str:
    """The workers' own ports, where the files have those behind 8420."""
    return "|".join(str(server + k) for k in range(1, 9))


def nginx(folder: Path, server: int, port: int) -> list[str]:
    """nginx with the site's file, without its certificate and on other ports."""
    site = (DEPLOY / "nginx.conf").read_text()
    site = site.replace("127.0.0.1:8420", f"127.0.0.1:{server}").replace("/var/log/nginx", str(folder))
    site = site.replace("842[1-8]", homes(server)).replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    site = re.sub(r"^\s*(listen \[::\]|ssl_).*\n", "", site, flags=re.MULTILINE)
    kept = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    whole = f"{user} daemon off; pid {folder}/pid; events {{}} http {{ {kept} {site} }}"
    (folder / "nginx.conf").write_text(whole)
    return [program("nginx"), "-p", str(folder), "-e", str(folder / "start.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, server: int, port: int) -> list[str]:
    """Caddy with its file, on other ports."""
    (folder / "Caddyfile").write_text((DEPLOY / "Caddyfile").read_text().replace("842[1-8]", homes(server)))
    where = [f"TRIBORD_SITE=http://127.0.0.1:{port}", f"TRIBORD_UPSTREAM=127.0.0.1:{server}", f"HOME={folder}"]
    return ["env", *where, program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def proxied(command: list[str], url: str, log: Path) -> Iterator[None]:
    """Run a proxy for the length of a block."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
    try:
        for _attempt in range(200):
            assert process.poll() is None, log.read_text()
            try:
                get(f"{url}/api/games")
                break
            except OSError:
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(10)


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


def status(url: str, body: Any = None, **headers: str) -> int:
    content = None if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, content, named), timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "caddy"])
def test_a_match_is_played_through_the_proxy(tmp_path: Path, proxy: Callable[[Path, int, int], list[str]]) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"

    async def play() -> str:
        host = await Client.create(url, "faut-pas-pousser", "Anne", 3, seats=["me", "mousse", "mousse"])
        async with host:
            await host.do("start")
            async for turn in host.turns():
                await host.act(turn.seat, turn.legal[0], turn.version)
            assert host.match is not None and host.match["outcome"]
            assert len((await host.match_file())["journal"]) > 10
            return host.id

    async def page(origin: str) -> None:
        async with connect(url.replace("http", "ws") + "/socket", origin=origin):  # type: ignore[arg-type]
            pass

    with ServerProcess(tmp_path, "--proxy", "127.0.0.1") as server:
        command = proxy(tmp_path, server.port, port)
        with proxied(command, url, tmp_path / "proxy.log"):
            table = asyncio.run(asyncio.wait_for(play(), 60))
            asyncio.run(page(url))
            with pytest.raises(InvalidStatus):
                asyncio.run(page("https://elsewhere.example"))
            assert {status(f"{url}/{inside}") for inside in ("metrics", "healthz", "readyz")} == {404}
            new = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2}
            assert status(f"{url}/api/tables", {**new, "options": {"age": "x" * 100_000}}) == 413
            # A client that lies about its address is counted all the same.
            lies = [status(f"{url}/api/tables", new, x_forwarded_for=f"10.0.0.{k}") for k in range(14)]
            assert (lies[0], lies[-1]) == (201, 429)
        written = b"".join(path.read_bytes() for path in tmp_path.glob("*log"))
        assert table.encode() not in written


@pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "caddy"])
def test_through_the_proxy_a_table_is_reached_at_its_home(
    tmp_path: Path, postgres_url: str, proxy: Callable[[Path, int, int], list[str]]
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"

    async def visit(first: int) -> None:
        found: dict[str, Client] = {}
        for own in range(first + 1, first + 5):  # two of these are the workers' own ports
            with suppress(urllib.error.URLError):
                host = await Client.create(f"http://127.0.0.1:{own}", "faut-pas-pousser", "Anne", 2)
                found[str(host.home)] = host
        assert set(found) < {f"/home/{first + k}/" for k in range(1, 5)} and len(found) == 2
        for home, host in found.items():
            async with connect(f"ws://127.0.0.1:{port}{home}socket") as socket:
                hello = {"t": "hello", "protocol": 2, "table": host.id, "secret": host.secret}
                await socket.send(json.dumps(hello))
                assert json.loads(await socket.recv())["home"] == home

    with ServerProcess(
        tmp_path, "--workers", 2, "--homes", "/home/{port}/", "--proxy", "127.0.0.1", "--limits", 0, store=postgres_url
    ) as server:
        command = proxy(tmp_path, server.port, port)
        with proxied(command, url, tmp_path / "proxy.log"):
            asyncio.run(asyncio.wait_for(visit(server.port), 60))


# -- containers -----------------------------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each on one line."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1].strip()) for line in lines]


def known_options() -> set[str]:
    """The options of `tribord serve`."""
    import typer

    from tribord.cli.app import app

    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for parameter in command.params for name in parameter.opts} | {"--help"}


def test_the_image_runs_as_nobody_in_particular_and_says_whether_it_is_well() -> None:
    steps = instructions()
    names = [name for name, _rest in steps]
    last = len(names) - 1 - names[::-1].index("FROM")
    assert names.index("USER", last) > max(k for k, name in enumerate(names) if name in ("RUN", "COPY"))
    assert dict(steps)["USER"] not in ("root", "0")
    assert "HEALTHCHECK" in names and "STOPSIGNAL" in names
    command = json.loads(dict(steps)["CMD"])
    assert command[:2] == ["tribord", "serve"]
    assert {word for word in command if word.startswith("--")} <= known_options()


def test_the_image_gets_what_it_copies_and_nothing_else() -> None:
    rules = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    assert rules[0] == "*"
    allowed = {rule[1:] for rule in rules if rule.startswith("!")}
    copied = {path for name, rest in instructions() if name == "COPY" and "--from" not in rest for path in rest.split()}
    copied -= {"./"}
    assert copied == allowed
    assert all((ROOT / path).exists() for path in copied)
    project = (ROOT / "pyproject.toml").read_text()
    assert all(fnmatch(name, "README.md") or name in copied for name in re.findall(r'"(LICENSE|README\.md)"', project))


def test_the_composition_shows_only_the_proxy() -> None:
    whole = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = whole["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert "front" not in services["db"]["networks"] and whole["networks"]["inside"]["internal"]
    for service in services.values():
        assert set(service.get("secrets", [])) <= set(whole["secrets"])
        named = {volume.split(":")[0] for volume in service.get("volumes", []) if volume[0] not in "./"}
        assert named <= set(whole["volumes"])
    command = services["tables"]["command"][-1]
    assert set(re.findall(r"--[a-z-]+", command)) <= known_options()
    assert "postgresql://tribord@db/" in command  # no password where everyone can read it


# -- backup ---------------------------------------------------------------------------------------------------------


async def halfway(url: str) -> Client:
    """A table in the middle of its match."""
    host = await Client.create(url, "faut-pas-pousser", "Anne", 2, seats=["me", "me"])
    async with host:
        await host.do("start")
        await host.act(0, "pick 3")
    return host


async def finish(url: str, begun: Client) -> None:
    """Play a match to its end that another server has begun."""
    async with Client(url, begun.id, begun.secret) as host:
        assert host.version == begun.version
        async for turn in host.turns():
            await host.act(turn.seat, turn.legal[-1], turn.version)
        assert host.over


def run(*command: object) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_backup_of_sqlite_made_while_running_is_a_store(tmp_path: Path) -> None:
    sqlite3 = program("sqlite3")
    assert """sqlite3 /var/lib/tribord/tables.sqlite3 ".backup '/backup/tables.sqlite3'\"""" in SERVER_PAGE
    with ServerProcess(tmp_path) as server:
        begun = asyncio.run(halfway(server.url))
        run(sqlite3, tmp_path / "tables.sqlite3", f".backup '{tmp_path}/backup.sqlite3'")
    with ServerProcess(tmp_path, store=str(tmp_path / "backup.sqlite3")) as server:
        asyncio.run(asyncio.wait_for(finish(server.url, begun), 60))


def test_a_dump_of_postgresql_made_while_running_is_a_store(
    tmp_path: Path, postgres: Postgres, postgres_url: str
) -> None:
    assert (
        "pg_dump --format=custom --file=" in SERVER_PAGE and "pg_restore --clean --if-exists --dbname=" in SERVER_PAGE
    )
    if not (postgres.programs / "pg_dump").exists():
        pytest.skip("pg_dump is not installed")
    with ServerProcess(tmp_path, "--workers", "2", store=postgres_url) as server:
        begun = asyncio.run(halfway(server.url))
        run(postgres.programs / "pg_dump", "--format=custom", f"--file={tmp_path}/dump", postgres_url)
        asyncio.run(asyncio.wait_for(finish(server.url, begun), 60))
    run(
        postgres.programs / "pg_restore", "--clean", "--if-exists", f"--dbname={postgres_url}", tmp_path / "dump"
    )  # the match is in its middle again
    with ServerProcess(tmp_path, "--workers", "2", store=postgres_url) as server:
        asyncio.run(asyncio.wait_for(finish(server.url, begun), 60))


# -- the page -------------------------------------------------------------------------------------------------------


def test_the_page_names_every_option_and_no_other() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", "\n".join(re.findall(r"tribord serve[^\n]*", SERVER_PAGE))))
    listed = set(re.findall(r"^\| `(--[a-z-]+)", SERVER_PAGE, re.MULTILINE))
    assert listed == known_options() - {"--help"}
    assert named <= known_options()


def test_the_page_names_every_metric() -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "src/tribord/server").rglob("*.py"))
    counted = set(re.findall(r'metrics\.count\("(\w+)"', source))
    measured = set(re.findall(r'metrics\.(?:observe|gauge)\("(\w+)"', source))
    assert counted and measured
    for name in counted:
        assert f"`tribord_{name}_total" in SERVER_PAGE, name
    for name in measured:
        assert f"`tribord_{name}" in SERVER_PAGE, name


THREATS = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")


CITED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize(("file", "name"), sorted(set(CITED.findall(THREATS))))
def test_a_test_that_the_threat_model_names_is_there(file: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE)


def test_the_threat_model_names_tests_and_files_only_in_ways_that_are_checked() -> None:
    assert set(re.findall(r"\btest_\w+(?!\w*\.py)", re.sub(r"[\w/]+\.py", "", THREATS))) == {
        name for _file, name in CITED.findall(THREATS)
    }
    for script in re.findall(r"`([\w/]+\.js)`", THREATS):
        assert (ROOT / "src" / "tribord" / script).is_file(), script


TOPICS = re.findall(
    r"^### (.+?)\n(.+?)(?=^##)", THREATS[THREATS.index("## Topic by topic") :], re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("topic", "text"), TOPICS)
def test_a_topic_of_the_threat_model_says_what_is_tried_what_holds_its_proof_and_what_remains(
    topic: str, text: str
) -> None:
    tries, holds, tests, remains = (text.find(f"**{part}") for part in ("Tries", "Holds.", "Tests.", "Remains."))
    assert -1 < tries < holds < tests < remains, topic
    assert re.search(r"`[\w/]+\.py: \w+`", text[holds:tests]) and len(CITED.findall(text[tests:remains])) > 3


def test_the_threat_model_has_its_topics() -> None:
    assert {topic for topic, _text in TOPICS} >= {
        "The host as an adversary", "Stalling and unplugging", "Lost responses", "Exhausting the event loop",
        "Before a request is whole", "Time", "Corruption", "Shared households", "Quotas", "Upgrades during a match",
    }  # fmt: skip


@pytest.mark.parametrize(("file", "name"), sorted(set(re.findall(r"`([\w/]+\.py): (\w+)`", THREATS))))
def test_the_code_that_the_threat_model_names_is_there(file: str, name: str) -> None:
    source = (ROOT / "src" / "tribord" / file).read_text()
    assert re.search(rf"^\s*(async def|def|class) {name}\b|^{name} = ", source, re.MULTILINE)
