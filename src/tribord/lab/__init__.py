"""The lab: simulate many matches at once, or analyse a single one."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tribord.bots.advice import advise
    from tribord.lab.analysis import analyse

__all__ = ["advise", "analyse"]

_LATER = {
    "advise": "tribord.bots.advice",
    "analyse": "tribord.lab.analysis",
}  # loaded on first use: a simulation needs no search


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found
