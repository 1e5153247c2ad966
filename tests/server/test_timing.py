"""Traces: off by default; when on, what the server does, in order, and never who asked."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.server.aboard import Ship
from tests.server.launcher import ServerProcess, serving

from tribord.cli import main
from tribord.server import metrics, timing


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regardless of the tests' environment."""
    for variable in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(variable)


def test_without_a_variable_nothing_is_traced():
    timing.start()
    assert timing._tracer is None
    with timing.measured("request_seconds") as timed:
        timed.describe("GET /", {})
    assert timed._span is None


@pytest.mark.parametrize("off", [{"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}])
def test_the_standard_variables_turn_it_off(monkeypatch, off):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    assert timing.wanted() == "OTEL_EXPORTER_OTLP_ENDPOINT"
    for variable, value in off.items():
        monkeypatch.setenv(variable, value)
    assert timing.wanted() is None


def test_what_fails_is_not_counted(monkeypatch):
    monkeypatch.setattr(metrics, "_histograms", type(metrics._histograms)())
    with pytest.raises(KeyError), timing.measured("commit_seconds"):
        raise KeyError
    assert not metrics._histograms["commit_seconds"].times


def test_a_server_without_the_packages_says_what_to_install(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    assert main(["serve", "--lang", "en", "--store", str(tmp_path / "tables.sqlite3")]) == 2
    assert "tribord[telemetry]" in capsys.readouterr().err
    assert main(["serve", "--lang", "fr", "--store", str(tmp_path / "tables.sqlite3")]) == 2
    assert "OTEL_EXPORTER_OTLP_ENDPOINT" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector of traces, as OTLP over HTTP: its address, and what it got."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_said: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", received
    finally:
        server.shutdown()
        server.server_close()


def spans_of(received: list[bytes]) -> list[Any]:
    """The spans in what a collector got."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    requests = [ExportTraceServiceRequest.FromString(body) for body in received]
    return [
        span for request in requests for resource in request.resource_spans for scope in resource.scope_spans
        for span in scope.spans
    ]  # fmt: skip


def test_a_command_is_traced_from_receipt_to_broadcast_without_naming_anyone(tmp_path):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the extra “telemetry”")
    secrets: list[str] = []
    with collector() as (address, received):
        environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_SERVICE_NAME": "our-tables"}
        server = ServerProcess(tmp_path, "--limits", 0, environment=environment)

        async def play() -> None:
            async with serving(server):
                ship = Ship(server.port, None)
                host = await ship.create("faut-pas-pousser", "me mousse")
                async with ship.mate(host) as anne:
                    await anne.must("chat", line="Ohé du bateau")
                    await anne.must("start")
                    await anne.play()
                    assert (await anne.do("remove", guest=7))["t"] == "refused"
                await ship.ask("GET", f"/api/tables/{host['table']}")
                secrets.extend([host["table"], host["code"], host["secret"], "Anne", "Ohé"])
                await asyncio.to_thread(server.stop)  # which sends what is not sent yet

        asyncio.run(play())
    assert not server.failures()
    spans = spans_of(received)
    by_id = {span.span_id: span for span in spans}

    def of(name: str) -> list[Any]:
        return [span for span in spans if span.name == name]

    def kind(span: Any) -> dict[str, str]:
        return {pair.key: pair.value.string_value for pair in span.attributes}

    assert {"POST /api/tables", "GET /api/tables/{name}", "bot"} <= {span.name for span in spans}
    acts = {span.span_id for span in of("command") if kind(span) == {"tribord.kind": "act"}}
    assert acts
    for name in ("commit", "broadcast"):
        assert acts <= {span.parent_span_id for span in of(name)}
        for span in of(name):
            if span.parent_span_id in by_id:
                around = by_id[span.parent_span_id]
                assert around.start_time_unix_nano <= span.start_time_unix_nano
                assert span.end_time_unix_nano <= around.end_time_unix_nano
    refused = [kind(span) for span in of("command") if kind(span)["tribord.kind"] == "remove"]
    assert refused == [{"tribord.kind": "remove", "error.type": "IllegalAction"}]
    everything = b"".join(received)
    assert b"our-tables" in everything
    assert not [secret for secret in secrets if secret.encode() in everything]
