"""Metrics in Prometheus' text format: counters, gauges that are read when asked, and sums of seconds.

What happens at tables is counted without saying what, and shown in steps: one decision, offer or table moves nothing
that could be told apart from the others of its step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

Labels = tuple[tuple[str, str], ...]

STEP = 10
EXACT = ("requests", "request_seconds", "sockets", "tables_damaged")  # about the server, not about what tables do

_counters: defaultdict[tuple[str, Labels], float] = defaultdict(float)
_seconds: defaultdict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
_shown: dict[str, tuple[float, int]] = {}  # of the seconds, as of the last step
_gauges: dict[str, Callable[[], float]] = {}


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter."""
    _counters[name, tuple(labels.items())] += amount


def observe(name: str, seconds: float) -> None:
    """Add a duration to a summary: its sum and its count."""
    total, times = _seconds[name]
    _seconds[name] = total + seconds, times + 1
    if name in EXACT or _seconds[name][1] % STEP == 0:
        _shown[name] = _seconds[name]


def gauge(name: str, read: Callable[[], float]) -> None:
    """A value that is read when somebody asks."""
    _gauges[name] = read


def exposition() -> str:
    """Everything, in Prometheus' text format."""
    lines = []
    for name, read in sorted(_gauges.items()):
        lines += [f"# TYPE tribord_{name} gauge", f"tribord_{name} {_number(_stepped(name, read()))}"]
    typed = set()
    for (name, labels), value in sorted(_counters.items()):
        shown = _stepped(name, value)
        if shown and name not in typed:
            typed.add(name)
            lines.append(f"# TYPE tribord_{name}_total counter")
        if shown:  # a line with 0 would tell of the first one
            lines.append(f"tribord_{name}_total{_labels(labels)} {_number(shown)}")
    for name, (total, times) in sorted(_shown.items()):
        lines += [f"# TYPE tribord_{name} summary", f"tribord_{name}_sum {_number(total)}"]
        lines.append(f"tribord_{name}_count {times}")
    return "\n".join(lines) + "\n"


def _stepped(name: str, value: float) -> float:
    return value if name in EXACT else value // STEP * STEP


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _labels(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
