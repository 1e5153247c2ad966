"""Compilation: the same rule source runs interpreted and compiled, and compiled code is kept on disk.

`@rule` marks a function as written in the compilable subset. It stays a plain Python function: a single match, the
debugger and coverage run it as it is. `@compiled` marks a driver, a loop over many states that calls the verbs of
`tribord.core.verbs`; it is compiled when first called, once per game, because its verbs resolve by record type. It
should call a single rule that does the rest: anything that both a driver and a rule call is compiled twice.

Numba is imported only when a driver first runs, so a match between people starts without it. Its disk cache doesn't
notice an edit in a callee, so the cache folder is named after a hash of the sources behind the code. Processes that
need the same code at the same time wait for the one that compiles it. With TRIBORD_INTERPRETED=1 drivers run
interpreted too.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from tribord.core.file_lock import locked
from tribord.core.record import PlainStates

F = TypeVar("F", bound=Callable[..., Any])

# Rules are only called by compiled code and allocate nothing: without entry points for Python and without reference
# counts they compile in two thirds of the time and run a fifth faster. A division by zero is a bug, not an exception.
_LEAN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy", "_nrt": False}

_CORE = Path(__file__).parent
_lock = threading.RLock()
_unknown_rules: list[Callable[..., Any]] = []  # marked, but not yet registered with Numba
_unknown_forms: list[tuple[Callable[..., Any], Callable[..., Any]]] = []  # a rule, and what it is compiled from
_unknown_verbs: list[Callable[..., Any]] = []
_rules_by_dtype: dict[np.dtype[Any], SimpleNamespace] = {}
_folder_by_dtype: dict[np.dtype[Any], Path] = {}
_rules_by_record_type: dict[Any, SimpleNamespace] = {}


def interpreted() -> bool:
    """Whether drivers run interpreted too (TRIBORD_INTERPRETED=1)."""
    return os.environ.get("TRIBORD_INTERPRETED", "") not in ("", "0")


def rule(function: F) -> F:
    """Mark a function as part of the rules: compilable, and called by other rules and by drivers."""
    _unknown_rules.append(function)
    return function


def compiled_as(source: F) -> Callable[[F], F]:
    """Mark a rule for which Python has a fast way of its own; it's compiled from `source`, which computes the same."""

    def mark(function: F) -> F:
        _unknown_forms.append((function, source))
        return function

    return mark


def verb(function: F) -> F:
    """Mark a generic verb: compiled code resolves it to the rules of the game whose record is its first argument."""
    _unknown_verbs.append(function)
    return function


def adopt(dtype: np.dtype[Any], rules: SimpleNamespace, folder: Path) -> None:
    """Make `rules`, whose sources are in `folder`, answer the verbs for records of this type."""
    _rules_by_dtype[dtype] = rules
    _folder_by_dtype[dtype] = folder


def rules_of(dtype: np.dtype[Any]) -> SimpleNamespace:
    """The rules for a record type."""
    return _rules_by_dtype[dtype]


class Driver:
    """A function over arrays of states, compiled on first use for each game it meets."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._dispatchers: dict[np.dtype[Any], Any] = {}

    def __call__(self, states: Any, *args: Any) -> Any:
        if interpreted():
            return self.interpret(states, *args)
        return self.dispatcher(states.dtype)(states, *args)

    def interpret(self, *args: Any) -> Any:
        """The same without a compiler, over plain states."""
        return self.function(*(PlainStates(a) if isinstance(a, np.ndarray) and a.dtype.names else a for a in args))

    def dispatcher(self, dtype: np.dtype[Any]) -> Any:
        """The compiled function for records of a type, for callers that use it very often."""
        found = self._dispatchers.get(dtype)
        if found is None:
            found = self._dispatchers[dtype] = self._compile(dtype)
        return found

    def is_loaded(self, dtype: np.dtype[Any]) -> bool:
        """Whether the driver can run at once for records of a type, with nothing left to compile or load."""
        found = self._dispatchers.get(dtype)
        return interpreted() or (found is not None and bool(found.signatures))

    def folder(self, dtype: np.dtype[Any]) -> Path:
        """Where the compiled code for records of a type is kept."""
        return cache_folder(dtype, Path(self.function.__code__.co_filename), self.__module__)

    def _compile(self, dtype: np.dtype[Any]) -> Any:
        with _lock:
            import numba

            from tribord.core.linking import Whole

            _teach_numba()
            before, folder = numba.config.CACHE_DIR, self.folder(dtype)
            numba.config.CACHE_DIR = str(folder)
            try:
                # A copy of the function, because each dispatcher writes its cache under its own folder.
                dispatcher = numba.njit(cache=True, nogil=True, pipeline_class=Whole)(_copy(self.function, folder))
            finally:
                numba.config.CACHE_DIR = before
            dispatcher.compile = _one_at_a_time(dispatcher.compile, folder / f"{self.__name__}.compiling")
            return dispatcher


def compiled(function: Callable[..., Any]) -> Driver:
    """Mark a driver: a loop over an array of states (its first argument) written in the compilable subset."""
    return Driver(function)


@cache
def machine() -> str:
    """The compiler and the processor: compiled code only works with these."""
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    return f"numba {version('numba')}, llvmlite {version('llvmlite')}, {binding.get_host_cpu_name()} {features}"


def cache_home() -> Path:
    """The folder for everything that took long to compute."""
    chosen = os.environ.get("TRIBORD_CACHE")
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tribord"


def cache_folder(dtype: np.dtype[Any], driver_file: Path, module: str = "") -> Path:
    """Where compiled code for a game and a driver is kept: named by a hash of the sources that go into it."""
    game_folder = _folder_by_dtype[dtype]
    of_game = [*sorted(game_folder.glob("*.py")), *game_folder.glob("net.npz")]
    sources = [*sorted(_CORE.glob("*.py")), *of_game, driver_file]
    digest = hashlib.sha256(f"{sys.version} {module}".encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return cache_home() / f"{game_folder.name}-{digest.hexdigest()[:16]}"


def _one_at_a_time(compile_now: Callable[[Any], Any], lock: Path) -> Callable[[Any], Any]:
    """Let other processes wait instead of compiling the same: afterwards they find it in the cache."""

    def compile_once(signature: Any) -> Any:
        with locked(lock):
            return compile_now(signature)

    return compile_once


def _copy(function: Any, folder: Path) -> Any:
    """The driver under a name of its own for each game.

    Numba names machine code after the function and a number for its types that starts over in every process. Code that
    two processes compiled for two games would have the same name, and a third that loads both would only find one.
    """
    twin = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    twin.__qualname__ = f"{function.__qualname__}_{folder.name.replace('-', '_')}"
    twin.__module__ = function.__module__
    return twin


def _teach_numba() -> None:
    """Register what was marked since the last time."""
    import numba
    from numba.extending import overload, register_jitable

    from tribord.core.linking import PartCompiler

    options = {**_LEAN, "pipeline_class": PartCompiler}
    for dtype, rules in _rules_by_dtype.items():
        _rules_by_record_type[numba.from_dtype(dtype)] = rules
    while _unknown_rules:
        register_jitable(**options)(_unknown_rules.pop())
    while _unknown_forms:
        function, source = _unknown_forms.pop()
        overload(function, strict=False, jit_options=options)(_always(source))
    while _unknown_verbs:
        generic = _unknown_verbs.pop()
        overload(generic, strict=False, jit_options=options)(_resolver(generic))


def _always(source: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_types: source


def _resolver(generic: Callable[..., Any]) -> Callable[..., Any]:
    default = getattr(generic, "default", None)

    def resolve(state: Any, *args: Any) -> Any:
        rules = _rules_by_record_type.get(state)
        return getattr(rules, generic.__name__, default) if rules else None

    return resolve
