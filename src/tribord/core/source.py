"""Sources of games: the folders of `tribord.games`, and other packages with an entry point. A game's id is the name
under which it's found here: for Tribord's own games the folder with hyphens, for any other the name of the entry point.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

HOME = "tribord.games"  # of Tribord's own games, and the group of the others' entry points
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # ids are parts of addresses, file names and commands


@dataclass(frozen=True)
class Source:
    """Where a game is found: `attribute` in `package`, from `distribution` (none for Tribord's own)."""

    package: str
    attribute: str = "GAME"
    distribution: str = ""

    def __str__(self) -> str:
        return self.distribution or "tribord"


def slug(name: str) -> str:
    """A name as an id: my_game and my-game are the same."""
    return name.replace("_", "-")


@cache
def sources() -> dict[str, tuple[Source, ...]]:
    """Return the sources by the id they claim. Tribord's own games come first and can't be replaced."""
    home = importlib.import_module(HOME)  # by name: core knows no game
    own = sorted(module.name for module in pkgutil.iter_modules(home.__path__) if module.ispkg)
    found: dict[str, tuple[Source, ...]] = {slug(name): (Source(f"{HOME}.{name}"),) for name in own}
    for entry in sorted(entry_points(group=HOME), key=lambda entry: (entry.name, entry.value)):
        source = Source(entry.module, entry.attr, entry.dist.name if entry.dist else entry.module)
        known = found.get(slug(entry.name), ())
        if source not in known:
            found[slug(entry.name)] = (*known, source)
    return found


def own_ids() -> list[str]:
    """The ids of Tribord's own games."""
    return sorted(name for name, claims in sources().items() if not claims[0].distribution)


def id_of(package: str) -> str:
    """The id of a package's game; the id it would have, if it isn't installed."""
    ids = (name for name, claims in sources().items() if package in [source.package for source in claims])
    return next(ids, slug(package.rpartition(".")[2]))
