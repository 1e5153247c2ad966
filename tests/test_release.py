"""A release: the wheel, made from the source distribution and installed away from the source, plays, serves, simulates.

Nothing here needs a network: hatchling comes with the tools of `dev`, and the new environment borrows the libraries
that are installed here, but only those that the wheel asks for, and what they ask for. `TRIBORD_WHEEL` names a wheel to
test instead of a new one: the one to publish.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import urllib.request
import venv
import zipfile
from collections.abc import Iterable
from email.message import Message
from email.parser import HeaderParser
from importlib.metadata import distribution, distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.server.launcher import ServerProcess

import tribord
from tribord.client import Client

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked elsewhere."""
    folder = tmp_path_factory.mktemp("source")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder], cwd=ROOT, check=True)
    with tarfile.open(folder / f"tribord-{tribord.__version__}.tar.gz") as packed:
        packed.extractall(folder, filter="data")
    return folder / f"tribord-{tribord.__version__}"


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    """The wheel to publish, or else one built from nothing but the source distribution."""
    if published := os.environ.get("TRIBORD_WHEEL"):
        return ROOT / published
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", source.parent], cwd=source, check=True
    )
    return next(source.parent.glob("*.whl"))


def required(asked: Iterable[str]) -> set[str]:
    """The installed distributions that these requirements need here, and those that they need in turn."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [(Requirement(each), "") for each in asked]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        found.add(canonicalize_name(requirement.name))
        for each in distribution(requirement.name).requires or ():
            waiting += [(Requirement(each), wanted) for wanted in ("", *requirement.extras)]
    return found


def borrow(names: Iterable[str], folder: Path) -> None:
    """Link what these distributions have installed here, modules and metadata, into a folder of libraries."""
    here = Path(sysconfig.get_path("purelib"))
    for name in names:
        tops = {file.parts[0] for file in distribution(name).files or ()}
        for top in tops - {"..", "__pycache__"}:
            (folder / top).symlink_to(here / top)


def metadata(wheel: Path) -> Message:
    """What a wheel says about itself."""
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(packed.read(name).decode())


def asked_by(wheel: Path) -> list[str]:
    """The requirements of a wheel, without its extras."""
    return [each for each in metadata(wheel).get_all("Requires-Dist", []) if "extra ==" not in each]


class Installed:
    """Tribord in an environment and a folder of its own."""

    def __init__(self, wheel: Path, folder: Path):
        self.folder = folder / "elsewhere"
        self.folder.mkdir()
        venv.create(folder / "venv", with_pip=False)
        self.python = folder / "venv" / "bin" / "python"
        libraries = Path(sysconfig.get_path("purelib", vars={"base": folder / "venv", "platbase": folder / "venv"}))
        borrow(required(asked_by(wheel)), libraries)
        self.libraries = libraries
        install = ["-m", "pip", "--python", self.python, "install", "--quiet", "--no-deps", "--no-index", wheel]
        subprocess.run([sys.executable, *install], check=True)
        kept = ("PATH", "LANG", "LC_ALL", "TMPDIR")
        self.environment = {name: os.environ[name] for name in kept if name in os.environ}
        self.environment |= {"HOME": str(self.folder), "TRIBORD_CACHE": str(folder / "cache")}

    def run(self, *command: object, lang: str = "en", interpreted: bool = True, typed: str = "") -> str:
        """What a command of the new environment prints."""
        asked = {"TRIBORD_LANG": lang} | ({"TRIBORD_INTERPRETED": "1"} if interpreted else {})
        done = subprocess.run(
            [self.python, *map(str, command)], cwd=self.folder, env=self.environment | asked, capture_output=True,
            text=True, timeout=300, check=False, input=typed,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tribord(self, *args: object, **how: Any) -> str:
        """What the program prints."""
        return self.run(self.python.with_name("tribord"), *args, **how)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment that doesn't know the source tree."""
    return Installed(wheel, tmp_path_factory.mktemp("release"))


def test_the_source_distribution_has_what_a_developer_needs_and_no_more(source: Path) -> None:
    assert {"Makefile", "src", "tests", "docs", "requirements", "package-lock.json"} <= {
        f.name for f in source.iterdir()
    }
    assert not [f.name for f in source.iterdir() if f.name in (".venv", "node_modules", "site", "dist", "screenshots")]


def test_the_wheel_has_no_tests_and_every_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    about = metadata(wheel)
    assert not [name for name in names if re.search(r"tests/|test_|perft\.json|playthroughs|__pycache__", name)]
    assert not [name for name in names if not name.startswith("tribord")]
    licences = {f.relative_to(ROOT).as_posix() for f in (ROOT / "src").rglob("LICENSE*")} | {"LICENSE"}
    assert set(about.get_all("License-File", [])) == licences
    assert {name.split("/licenses/")[1] for name in names if ".dist-info/licenses/" in name} == licences
    assert about["Version"] == tribord.__version__


def test_it_is_found_away_from_the_source(installed: Installed) -> None:
    where, version = installed.run("-c", "import tribord; print(tribord.__file__, tribord.__version__)").split()
    assert Path(where).is_relative_to(installed.python.parents[1])
    assert version == tribord.__version__ == installed.tribord("--version").strip()
    path = installed.run("-c", "import sys; print(sys.path)")
    assert str(ROOT) not in path and sysconfig.get_path("purelib") not in path


def test_it_has_the_libraries_it_asks_for_and_no_others(installed: Installed, wheel: Path) -> None:
    listed = (ROOT / "requirements" / "play.txt").read_text()
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", listed, re.MULTILINE)}
    asked = required(asked_by(wheel))
    assert asked <= locked, "`make lock` hasn't been run"
    there = {canonicalize_name(each.name) for each in distributions(path=[str(installed.libraries)])}
    assert there == asked | {"tribord"} and "pytest" not in there and {"segno", "llvmlite"} <= there


@pytest.mark.parametrize("game", tribord.game_ids())
def test_it_plays(installed: Installed, game: str) -> None:
    saved = f"{game}.json"
    limits = [f"--option={o.name}={o.research}" for o in tribord.load(game).options if o.research is not None]
    arguments = ("play", game, "--players", 3, "--bot", "mousse", "--seed", 7, "--save", saved, "--plain", *limits)
    told = installed.tribord(
        *arguments, lang="fr", typed="1\n2\n3\n4\n5\n6\n" * 500
    )  # what isn't on the list is asked again
    assert "Votre choix" in told
    assert installed.tribord("verify", saved)
    assert tribord.Match.load(installed.folder / saved).over


def test_it_simulates_compiled(installed: Installed) -> None:
    arguments = ("simulate", "faut-pas-pousser", "--players", 3, "--matches", 50, "--seed", 3, "--json")
    fast, slow = (json.loads(installed.tribord(*arguments, interpreted=how)) for how in (False, True))
    assert fast["matches"] == 50 and fast["digest"] == slow["digest"]
    assert any((installed.python.parents[2] / "cache").iterdir())


def test_it_serves_people_the_page_and_the_french_words(installed: Installed, tmp_path: Path) -> None:
    async def play(url: str) -> None:
        host = await Client.create(url, "faut-pas-pousser", "Anne", 3, seats=["me", "mousse", "mousse"])
        async with host:
            await host.do("start")
            async for turn in host.turns():
                await host.act(turn.seat, turn.legal[0], turn.version)
            assert host.match is not None and host.match["outcome"]

    def get(url: str) -> bytes:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return bytes(answer.read())

    server = ServerProcess(tmp_path, python=installed.python, environment=installed.environment)
    with server:
        assert json.loads(get(f"{server.url}/healthz"))["version"] == tribord.__version__
        page = get(f"{server.url}/").decode()
        parts = set(re.findall(r'(?:src|href)="(/[^"#]+)"', page))
        assert parts and all(get(server.url + part) for part in parts)
        assert "lit" in get(f"{server.url}/page/vendor/lit-html/lit-html.js").decode()
        assert "Ouvrir une table" in get(f"{server.url}/page/words/fr.json").decode()
        for game in tribord.game_ids():
            assert get(f"{server.url}/games/{game}/board.js")
        asyncio.run(asyncio.wait_for(play(server.url), 60))


def test_another_project_can_check_its_game_with_it(installed: Installed) -> None:
    """The kit is part of the release: it needs Babel, and no file that only the source has."""
    borrow({"babel"}, installed.libraries)
    installed.run("-c", "import tribord.testing, tribord.testing.golden, tribord.testing.catalogue")
