"""Linking: rules are translated one by one, then linked and optimized once, in the driver that calls them.

Numba makes a library of every function: it links all callees into it, optimizes everything and emits machine code. A
rule five calls deep is optimized five times, though compiled code is only ever entered through a driver. Here a rule is
a part: translated and optimized by itself, no more. The driver is the whole: it links every part it reaches. That takes
little more than half the time, and the code computes the same at the same speed.

This builds on the insides of Numba's libraries, so `pyproject.toml` names the versions it is known to work with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's names of environments begin


class _NoMachineCode:
    """The code generator of a part: without machine code there's no address for an environment."""

    def set_env(self, name: str, environment: Any) -> None:
        """The whole does it."""


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A rule without its callees, as LLVM's language."""

    codegen = _NoMachineCode()

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # `finalize` optimizes enough

    def finalize(self) -> None:
        """Optimize the rule by itself: loops are easier to vectorize before they are copied into others."""
        self._raise_if_finalized()
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: only compiled code calls a part."""
        self._ensure_finalized()
        return 0


class WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A driver and every rule that it reaches, as machine code."""

    def finalize(self) -> None:
        """Link, optimize, emit, and give the parts their environments."""
        self._linking_libraries = list(_reached(self))
        super().finalize()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)

    def _optimize_final_module(self) -> None:
        """Keep the linked rules to this library before it's optimized: two games have rules of the same name."""
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _reached(whole: WholeLibrary) -> Iterator[Any]:
    """Every library that a driver calls, directly or through its parts. Numba's own come with their callees."""
    seen: set[Any] = set()
    waiting: list[Any] = [whole]
    while waiting:
        for library in waiting.pop()._linking_libraries:
            if library not in seen:
                seen.add(library)
                yield library
                if isinstance(library, PartLibrary):
                    waiting.append(library)


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a rule."""

    library: type[JITCodeLibrary] = PartLibrary

    def compile_extra(self, function: Any) -> Any:
        """Compile into a library of this kind."""
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class Whole(PartCompiler):
    """Compiles a driver."""

    library = WholeLibrary
