"""The collector looks when enough connections have ended, and once a minute in any case."""

import gc

from tribord.server import collector as module
from tribord.server.collector import ENDED, OLDEST, SECONDS, Collector


def test_it_looks_when_enough_have_ended_and_once_a_minute(monkeypatch):
    looks, now = [], [1000.0]
    monkeypatch.setattr(gc, "collect", lambda generation=2: looks.append(generation))
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    collector = Collector()
    for _ended in range(2 * ENDED - 1):
        collector.count()
    assert looks == [0]
    collector.count()
    assert looks == [0, 0]
    looks.clear()
    for _minute in range(OLDEST):
        collector.tick()
        now[0] += SECONDS + 1
        collector.tick()
        collector.tick()
    assert looks == [1] * (OLDEST - 1) + [2]
