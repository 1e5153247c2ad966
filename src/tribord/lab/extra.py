"""The extra `lab`: packages only needed for ratings, plots and Parquet."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

from tribord.core.refusal import Refusal
from tribord.core.words import _

NOT_INSTALLED = _("This needs the package “{package}”: install tribord[lab].")


def installed(package: str) -> bool:
    """Whether a package of the extra `lab` is there, for what works without it too."""
    return importlib.util.find_spec(package) is not None


def needed(module: str) -> ModuleType:
    """Import a module of the extra `lab`, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise Refusal("not-installed", NOT_INSTALLED, package=module.partition(".")[0]) from None
