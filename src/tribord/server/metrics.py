"""Metrics in Prometheus' text format: counters, gauges that are read on request, and histograms of seconds. Events at
tables are counted without their kind, and shown in steps: a single decision, offer or table can't be distinguished from
the others of its step.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from itertools import accumulate

Labels = tuple[tuple[str, str], ...]

STEP = 10
EXACT = ("requests", "request_seconds", "sockets", "tables_damaged")  # about the server, not about what tables do
# Seconds, from a command without a commit to a bot that thinks for long.
BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Histogram:
    """A histogram of durations. Everything runs on one event loop, so it needs no lock."""

    __slots__ = ("counts", "exact", "shown", "times", "total")

    def __init__(self, exact: bool):
        self.counts = [0] * (len(BUCKETS) + 1)
        self.times = 0
        self.total = 0.0
        self.exact = exact
        self.shown: tuple[list[int], float] | None = None  # as of the last step

    def observe(self, seconds: float) -> None:
        """Add a duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.times += 1
        self.total += seconds
        if self.exact or not self.times % STEP:
            self.shown = self.counts.copy(), self.total

    def lines(self, name: str) -> list[str]:
        """Return its lines in the text format."""
        if self.shown is None:
            return []
        counts, total = self.shown
        *buckets, times = accumulate(counts)
        lines = [f"# TYPE tribord_{name} histogram"]
        lines += [f'tribord_{name}_bucket{{le="{le:g}"}} {count}' for le, count in zip(BUCKETS, buckets)]
        lines.append(f'tribord_{name}_bucket{{le="+Inf"}} {times}')
        return [*lines, f"tribord_{name}_sum {_number(total)}", f"tribord_{name}_count {times}"]


class _Histograms(dict[str, Histogram]):
    def __missing__(self, name: str) -> Histogram:
        self[name] = made = Histogram(name in EXACT)
        return made


_counters: defaultdict[tuple[str, Labels], float] = defaultdict(float)
_histograms = _Histograms()
_gauges: dict[str, Callable[[], float]] = {}


def count(name: str, amount: float = 1, **labels: str) -> None:
    """Add to a counter."""
    _counters[name, tuple(labels.items())] += amount


def observe(name: str, seconds: float) -> None:
    """Add a duration to a histogram."""
    _histograms[name].observe(seconds)


def gauge(name: str, read: Callable[[], float]) -> None:
    """Register a value that is read on request."""
    _gauges[name] = read


def exposition() -> str:
    """Return all metrics in Prometheus' text format."""
    lines = []
    for name, read in sorted(_gauges.items()):
        lines += [f"# TYPE tribord_{name} gauge", f"tribord_{name} {_number(_stepped(name, read()))}"]
    typed = set()
    for (name, labels), value in sorted(_counters.items()):
        shown = _stepped(name, value)
        if shown and name not in typed:
            typed.add(name)
            lines.append(f"# TYPE tribord_{name}_total counter")
        if shown:  # a line with 0 would reveal the first one
            lines.append(f"tribord_{name}_total{_labels(labels)} {_number(shown)}")
    for name, histogram in sorted(_histograms.items()):
        lines += histogram.lines(name)
    return "\n".join(lines) + "\n"


def _stepped(name: str, value: float) -> float:
    return value if name in EXACT else value // STEP * STEP


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _labels(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
