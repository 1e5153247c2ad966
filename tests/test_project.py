"""The files around the code agree with it: version, lock files, licences, citation, changelog, workflows."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.licenses import canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.stacks import STACKS

import tribord

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
HOME = PROJECT["urls"]["Homepage"]
PYTHONS = [
    named.rsplit(" ", 1)[1] for named in PROJECT["classifiers"] if re.fullmatch(r"Programming .* :: 3\.\d+", named)
]


# -- one version ----------------------------------------------------------------------------------------------------


def test_the_version_is_written_once_and_shown_everywhere() -> None:
    """The program and the server have tests of their own: tests/cli/test_app.py, tests/test_release.py."""
    assert "version" in PROJECT["dynamic"] and "version" not in PROJECT
    assert version("tribord") == CITATION["version"] == tribord.__version__
    written = [
        path.relative_to(ROOT).as_posix()
        for path in [*(ROOT / "src").rglob("*.py"), ROOT / "pyproject.toml", ROOT / "package.json"]
        if re.search(rf"version\w*\"? ?[=:] ?\"{re.escape(tribord.__version__)}\"", path.read_text(encoding="utf-8"))
    ]
    assert written == ["src/tribord/__init__.py"]


# -- lock files -----------------------------------------------------------------------------------------------------


def locked(name: str) -> dict[str, set[str]]:
    """Every package of a lock file, with its versions: one, or one for each range of Pythons."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "requirements" / name).read_text().splitlines():
        if line and line[0] not in "# ":
            wanted = Requirement(line.rstrip("\\"))
            found.setdefault(canonicalize_name(wanted.name), set()).add(str(wanted.specifier).removeprefix("=="))
    return found


def asked(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for, extras of our own resolved."""
    named = [*PROJECT["dependencies"], *(line for extra in extras for line in PROJECT["optional-dependencies"][extra])]
    wanted = [Requirement(line) for line in named]
    inside = [each.extras for each in wanted if each.name == "tribord"]
    more = asked(*sorted(set().union(*inside))) if inside else []
    return [each for each in wanted if each.name != "tribord"] + more


@pytest.mark.parametrize(("file", "extras"), [("play.txt", ()), ("dev.txt", ("dev",))])
def test_the_lock_files_fit_what_the_project_asks_for(file: str, extras: tuple[str, ...]) -> None:
    found = locked(file)
    for wanted in asked(*extras):
        versions = found.get(canonicalize_name(wanted.name), set())
        assert versions, f"{wanted.name} is missing: make lock"
        assert all(wanted.specifier.contains(each) for each in versions), f"{wanted} has {versions}: make lock"


def test_playing_and_developing_use_the_same_versions_and_only_known_files() -> None:
    developing = locked("dev.txt")
    assert all(developing[name] == versions for name, versions in locked("play.txt").items())
    for file in ("play.txt", "dev.txt"):
        text = (ROOT / "requirements" / file).read_text()
        assert len(re.findall(r"^\S.*==.*\\\n    --hash=sha256:", text, re.MULTILINE)) == len(
            re.findall(r"^\S.*==", text, re.MULTILINE)
        )
        assert "index-url" not in text and "file:" not in text


def test_the_lock_file_of_npm_fits_its_package() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())
    assert lock["packages"][""]["devDependencies"] == package["devDependencies"]
    for name, pinned in package["devDependencies"].items():
        entry = lock["packages"][f"node_modules/{name}"]
        assert entry["version"] == pinned and entry["integrity"].startswith("sha512-")


# -- licences -------------------------------------------------------------------------------------------------------

TEXTS = {  # a licence by words that only it has
    "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software",
    "BSD-3-Clause": "BSD 3-Clause License",
    "OFL-1.1": "SIL OPEN FONT LICENSE Version 1.1",
    "Bitstream-Vera": "Bitstream Vera Fonts Copyright",
}


def test_every_licence_in_the_package_is_declared() -> None:
    declared = PROJECT["license"]
    assert canonicalize_license_expression(declared) == declared
    files = {path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)}
    assert files == {ROOT / "LICENSE", *(ROOT / "src").rglob("LICENSE*")}
    held = {name for name, words in TEXTS.items() if any(words in path.read_text("utf-8") for path in files)}
    assert held == set(declared.split(" AND "))
    for path in files:
        assert any(words in path.read_text(encoding="utf-8") for words in TEXTS.values()), path


def test_every_vendored_part_has_its_licence_beside_it() -> None:
    fonts = {path for kind in ("woff2", "ttf") for path in (ROOT / "src").rglob(f"*.{kind}")}
    assert fonts
    for font in fonts:
        assert (font.parent / f"LICENSE.{re.sub(r'-[0-9]+$', '', font.stem)}").exists(), font
    for folder in (ROOT / "src/tribord/server/client/vendor").iterdir():
        assert (folder / "LICENSE").exists(), folder


# -- citation -------------------------------------------------------------------------------------------------------

SHAPE = {  # of CITATION.cff 1.2.0, as far as we use it
    "cff-version": str, "message": str, "type": str, "title": str, "abstract": str, "authors": list, "version": str,
    "license": str, "repository-code": str, "url": str, "keywords": list, "date-released": date,
}  # fmt: skip


def test_the_citation_is_valid() -> None:
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys() <= SHAPE.keys()
    for name, value in CITATION.items():
        assert isinstance(value, SHAPE[name]), name
    assert CITATION["cff-version"] == "1.2.0" and CITATION["type"] == "software"
    for author in CITATION["authors"]:
        assert author.keys() & {"name", "family-names"}
    assert len(CITATION["keywords"]) == len(set(CITATION["keywords"]))
    assert CITATION["repository-code"] == HOME and CITATION["url"] == PROJECT["urls"]["Documentation"]


# -- changelog ------------------------------------------------------------------------------------------------------

SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def test_the_changelog_keeps_a_changelog() -> None:
    assert "https://keepachangelog.com/en/1.1.0/" in CHANGELOG
    heads = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert heads[0] == "[Unreleased]"
    for head in heads[1:]:
        assert re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", head), head
    names = re.findall(r"^## \[(.*?)\]", CHANGELOG, re.MULTILINE)
    assert tribord.__version__ in names
    for name in names:
        assert re.search(
            rf"^\[{re.escape(name.lower())}\]: {re.escape(HOME)}/", CHANGELOG, re.MULTILINE | re.IGNORECASE
        )
    for release in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        sections = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert sections == sorted(sections, key=SECTIONS.index), release.splitlines()[0]
        assert len(sections) == len(set(sections)), release.splitlines()[0]


# -- the forge ------------------------------------------------------------------------------------------------------

FORGE = sorted((ROOT / ".github").rglob("*.yml"))


def workflow(name: str) -> Any:
    """A workflow, as it is written."""
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FORGE, ids=lambda path: path.name)
def test_the_files_of_the_forge_call_targets_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    yaml.safe_load(text)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = set(re.findall(r"\bmake ([a-z-]+)", text))
    assert called <= targets, called - targets
    for action in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w./-]+@(v\d+|release/v\d+)", action), action


def test_every_supported_python_is_tested() -> None:
    assert workflow("ci.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"


def test_a_release_is_tested_before_it_is_published() -> None:
    jobs = workflow("release.yml")["jobs"]
    assert jobs["publish"]["needs"] == ["build"] and jobs["publish"]["permissions"] == {"id-token": "write"}
    steps = [step.get("run", "") for step in jobs["build"]["steps"]]
    tested = next(k for k, step in enumerate(steps) if "TRIBORD_WHEEL" in step and "test_release" in step)
    assert steps.index("make test") < steps.index("make dist") < tested  # the wheel that is uploaded


def test_how_to_install_it_stands_where_people_begin() -> None:
    for page in ("README.md", "docs/index.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert re.search(r"^pip install tribord\b", text, re.MULTILINE), page
        assert re.search(r"^uvx tribord\b", text, re.MULTILINE), page


def test_the_hooks_run_tools_of_the_environment() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    entries = [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]
    lint = (ROOT / "Makefile").read_text().split("\nlint:")[1].split("\n\n")[0].replace("$(BIN)", ".venv/bin")
    assert entries and all(entry.split()[0] in lint for entry in entries if entry.startswith(".venv/bin"))
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md")]
    assert "pre-commit install" in pages[1]


# -- recipes ----------------------------------------------------------------------------------------------------------


def test_every_recipe_has_a_stack_that_runs_it_with_packages_of_one_version_and_a_row_in_the_docs() -> None:
    recipes = {path.stem for path in (ROOT / "examples" / "recipes").glob("*.py")}
    run = [recipe for stack in STACKS.values() for recipe in stack.recipes]
    assert sorted(run) == sorted(recipes)
    assert {"learn", "rllib", "agilerl", "tianshou", "torchrl", "sb3", "supersuit", "openspiel"} <= {*STACKS}
    page = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
    for recipe in recipes:
        assert f"(../examples/recipes/{recipe}.py)" in page, recipe
    loose = [name for stack in STACKS.values() for name in stack.packages if "==" not in name]
    assert loose == []
