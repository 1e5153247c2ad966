"""History: an append-only list whose copies share their past, so that a copy costs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class History(Generic[T]):
    """An append-only list. A fork shares the common items, however many there are.

    With `most`, only the last `most` items are kept.

    >>> past = History("ab")
    >>> one, other = past.fork(), past.fork()
    >>> one.append("c")
    >>> other.append("d")
    >>> past[:], one[:], other[:]
    (['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'd'])
    """

    __slots__ = ("_end", "_items", "_most")

    def __init__(self, items: Iterable[T] = (), most: int | None = None):
        self._items = list(items)  # shared: it goes on beyond our end if a fork has appended more
        self._end = len(self._items)
        self._most = most

    @property
    def _start(self) -> int:
        return 0 if self._most is None else max(0, self._end - self._most)

    def append(self, item: T) -> None:
        """Add an item at the end."""
        if self._end != len(self._items) or (self._most is not None and self._end >= 2 * self._most):
            self._items = self[:]
        self._items.append(item)
        self._end = len(self._items)

    def fork(self) -> History[T]:
        """A copy with the same past. Items appended to one aren't seen by the other."""
        twin: History[T] = History.__new__(History)
        twin._items, twin._end, twin._most = self._items, self._end, self._most
        return twin

    def __len__(self) -> int:
        return self._end - self._start

    def __iter__(self) -> Iterator[T]:
        return iter(self[:])

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return self._items[self._start : self._end][place]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._items[place + (self._end if place < 0 else self._start)]
