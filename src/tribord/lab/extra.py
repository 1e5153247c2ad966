"""The extra `lab`: what ratings, plots and Parquet need, and nobody else."""

from __future__ import annotations

import importlib
from types import ModuleType

from tribord.core.refusal import Refusal
from tribord.core.words import _

NOT_INSTALLED = _("This needs the package “{package}”: install Tribord as tribord[lab].")


def needed(module: str) -> ModuleType:
    """A module of the extra `lab`, or a sentence that says how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise Refusal("not-installed", NOT_INSTALLED, package=module.partition(".")[0]) from None
