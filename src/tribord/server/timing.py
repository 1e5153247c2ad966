"""Timing: how long commands, commits, broadcasts, bots and requests take, as histograms and, where wanted, as traces.

    with measured("commit_seconds"):
        await store.append(row, entry)

Refused and failed commands say nothing about speed, so they aren't counted. A trace shows a failure by its kind.

Traces are for an operator's own collector and off by default. They name what the server does, never who asked: no
table, guest, address or message, and only the kind of an exception.
"""

from __future__ import annotations

import os
from importlib import import_module
from time import perf_counter
from types import TracebackType
from typing import Any

from tribord.core.refusal import Refusal
from tribord.core.words import _
from tribord.server import metrics

NO_TELEMETRY = _("Traces need two packages: pip install “tribord[telemetry]”. To run without them, unset {variable}.")
WANTED = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER")

_tracer: Any = None  # None: there are no traces
_provider: Any = None


class measured:
    """Measures a block. `of`: what is carried out; a trace shows its kind."""

    __slots__ = ("_entered", "_span", "name", "of", "started")

    def __init__(self, name: str, of: object = None):
        self.name = name
        self.of = of
        self._span: Any = None

    def __enter__(self) -> measured:
        if _tracer is not None:
            self._begin_span()
        self.started = perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            metrics.observe(self.name, perf_counter() - self.started)
        if self._span is not None:
            self._end_span(kind)

    def describe(self, title: str, attributes: dict[str, str | int]) -> None:
        """Its name in a trace, if only known later."""
        if self._span is not None:
            self._span.update_name(title)
            self._span.set_attributes(attributes)

    def _begin_span(self) -> None:
        attributes = {} if self.of is None else {"tribord.kind": type(self.of).__name__.lower()}
        self._entered = _tracer.start_as_current_span(
            self.name.removesuffix("_seconds"), attributes=attributes, record_exception=False,
            set_status_on_exception=False,
        )  # fmt: skip
        self._span = self._entered.__enter__()

    def _end_span(self, kind: type[BaseException] | None) -> None:
        if kind is not None:
            self._span.set_attribute("error.type", kind.__name__)
        self._entered.__exit__(None, None, None)


def wanted() -> str | None:
    """The variable with which the operator asks for traces; None if traces are off."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none":
        return None
    return next((variable for variable in WANTED if os.environ.get(variable)), None)


def check() -> None:
    """Refuse if traces are wanted and their packages are missing."""
    variable = wanted()
    for package in ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http") if variable else ():
        try:
            import_module(package)
        except ImportError:
            raise Refusal("no-telemetry", NO_TELEMETRY, variable=variable) from None


def start() -> None:
    """Start tracing, if requested."""
    global _tracer, _provider
    check()
    if wanted() is None:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": "tribord"}
    _provider = TracerProvider(resource=Resource.create(named))
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _tracer = _provider.get_tracer("tribord")


def stop() -> None:
    """Send pending traces. It may take a while."""
    global _tracer, _provider
    if _provider is not None:
        provider, _tracer, _provider = _provider, None, None
        provider.shutdown()
