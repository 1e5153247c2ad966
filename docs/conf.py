"""The documentation site: `make site` builds it into site/. A broken link or anchor is an error.

The pages are the Markdown that the forge shows and pytest runs; links that only the forge understands are turned here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT / "src"))

import tribord  # noqa: E402

project = "Tribord"
author = "The Tribord developers"
project_copyright = "The Tribord developers, MIT licence"
version = release = tribord.__version__
repository = "https://github.com/tribord/tribord"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
suppress_warnings = [
    "misc.highlighting_failure",  # a block may show what a shell or a server answers
    "ref.python",  # `Match` is tribord.Match and tribord.core.match.Match, and both are right
]

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_type_aliases = {"State": "State"}
autodoc_preserve_defaults = True
default_role = "code"  # `names` in docstrings are code
python_maximum_signature_line_length = 100
add_module_names = False
toc_object_entries = False

html_theme = "furo"
html_title = f"Tribord {release}"
html_baseurl = "https://tribord.github.io/tribord/"
html_theme_options = {
    "source_repository": repository,
    "source_branch": "main",
    "source_directory": "docs/",
    "light_css_variables": {"color-brand-primary": "#1f5f6b", "color-brand-content": "#1f5f6b"},
    "dark_css_variables": {"color-brand-primary": "#7fc4c9", "color-brand-content": "#7fc4c9"},
}

_LINK = re.compile(r"(?<=\]\()([^)\s#:]+)")
_CODE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def turn_links(app: Sphinx, name: str, source: list[str]) -> None:
    """A link to a folder leads to its start page, one to a file outside docs/ leads to the forge."""
    here = (DOCS / name).parent

    def turned(found: re.Match[str]) -> str:
        path = (here / found[0]).resolve()
        if path.is_dir() and path.is_relative_to(DOCS):
            return f"{found[0].rstrip('/')}/index.md"
        if path.exists() and not path.is_relative_to(DOCS):
            return f"{repository}/{'tree' if path.is_dir() else 'blob'}/main/{path.relative_to(ROOT).as_posix()}"
        return found[0]  # Sphinx knows it, or says what is wrong with it

    pieces = _CODE.split(source[0])  # every other one is a block of code
    source[0] = "".join(piece if k % 2 else _LINK.sub(turned, piece) for k, piece in enumerate(pieces))


def list_modules(app: Sphinx, name: str, source: list[str]) -> None:
    """A page of the reference gets every module of its package, so that none can be forgotten."""
    if not name.startswith("api/") or name == "api/tribord":
        return
    package = f"tribord.{name.removeprefix('api/')}"
    folder = ROOT / "src" / package.replace(".", "/")
    modules = [f"{package}.{path.stem}" for path in sorted(folder.glob("*.py")) if path.stem[0] != "_"]
    for module in [package, *modules]:
        heading = f"\n## {module.removeprefix('tribord.')}\n" if module != package else ""
        source[0] += f"{heading}\n```{{eval-rst}}\n.. automodule:: {module}\n```\n"


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", turn_links)
    app.connect("source-read", list_modules)
