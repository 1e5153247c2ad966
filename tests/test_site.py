"""The documentation site builds, and every link in it leads somewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import tribord

ROOT = Path(__file__).parent.parent
REPOSITORY = "https://github.com/tribord/tribord"


class Links(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, page: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif (name == "href" or name == "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(once: Callable[..., Path]) -> Path:
    """The site, built as `make site` builds it."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "docs", str(folder)]
        built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr

    return once("site", build)


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html")}
    assert len(pages) > 40
    broken = []
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                ours = re.match(rf"{REPOSITORY}/(?:blob|tree|edit)/main/([^#?]+)", link)
                if ours and not (ROOT / ours[1]).exists():
                    broken.append((page.name, link))
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.exists() or (
                parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
            ):
                broken.append((page.name, link))
    assert not broken


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img)[^>]+src="(?:https?:)?//|<link[^>]+rel="stylesheet"[^>]+href="http', text)


def test_the_reference_has_every_public_name(site: Path) -> None:
    anchors = Links(site / "api" / "tribord.html").anchors
    missing = [name for name in tribord.__all__ if f"tribord.{name}" not in anchors]
    assert not [name for name in missing if name not in ("CHANCE", "PUBLIC")]  # numbers have no docstring
    for package in ("core", "bots", "lab", "research", "client", "testing"):
        modules = (ROOT / "src" / "tribord" / package).glob("[a-z]*.py")
        anchors = Links(site / "api" / f"{package}.html").anchors
        for module in modules:
            assert f"module-tribord.{package}.{module.stem}" in anchors, module


def test_every_game_has_a_page_with_its_board(site: Path) -> None:
    for game in tribord.game_ids():
        page = (site / "games" / f"{game}.html").read_text(encoding="utf-8")
        assert re.search(rf'<img[^>]+src="[^"]*{game}[^"]*\.svg"', page)
        assert f"{game}.html" in (site / "games" / "index.html").read_text(encoding="utf-8")


def test_the_search_finds_a_rule(site: Path) -> None:
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    for rule, page in (("w4", "games/walk-the-plank"), ("s9", "games/sauve-qui-peut")):
        pages = found["terms"][rule]  # one, or several
        assert page in {found["docnames"][each] for each in (pages if isinstance(pages, list) else [pages])}
