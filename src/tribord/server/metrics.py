"""Metrics in Prometheus' text format: counters, gauges that are read when asked, and sums of seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

Labels = tuple[tuple[str, str], ...]

_counters: defaultdict[tuple[str, Labels], float] = defaultdict(float)
_gauges: dict[str, Callable[[], float]] = {}


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter."""
    _counters[name + "_total", tuple(labels.items())] += amount


def observe(name: str, seconds: float) -> None:
    """Add a duration to a summary: its sum and its count."""
    _counters[name + "_sum", ()] += seconds
    _counters[name + "_count", ()] += 1


def gauge(name: str, read: Callable[[], float]) -> None:
    """A value that is read when somebody asks."""
    _gauges[f"tribord_{name}"] = read


def exposition() -> str:
    """Everything, in Prometheus' text format."""
    lines = []
    for name, read in sorted(_gauges.items()):
        lines += [f"# TYPE {name} gauge", f"{name} {_number(read())}"]
    typed = set()
    for (name, labels), value in sorted(_counters.items()):
        if name not in typed:
            typed.add(name)
            lines.append(f"# TYPE tribord_{name} counter")
        lines.append(f"tribord_{name}{_labels(labels)} {_number(value)}")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _labels(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
