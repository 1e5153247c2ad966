"""Options: what a table may choose before a match. Each kind of option reads text and values, and stores an integer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tribord.core.refusal import BadOption
from tribord.core.words import _

LONGEST_SHOWN = 60  # characters of a value that a refusal quotes
BAD_VALUE = _("Option “{option}” can’t be “{value}”. It takes {takes}.")


@dataclass(frozen=True)
class Option:
    """One option: its name, the rule it belongs to, its meaning for people, and its default.

    `research` is the default for bots and experiments where it differs (a bound on the length of a match).
    """

    name: str
    rule: str
    meaning: str
    default: Any
    research: Any = None

    def encode(self, value: Any, players: int) -> int:
        """The integer for a value in the options record; refuses anything else."""
        raise NotImplementedError

    def decode(self, number: int, players: int) -> Any:
        """The value of an integer."""
        raise NotImplementedError

    def takes(self) -> str:
        """What values there are, for people."""
        raise NotImplementedError

    def refuse(self, value: Any) -> BadOption:
        """The refusal of a value."""
        try:
            shown = str(value)
        except ValueError:  # Python writes no number of thousands of digits
            shown = "…"
        shown = shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "…"
        return BadOption("bad-option", BAD_VALUE, self.rule, option=self.name, value=shown, takes=self.takes())


def whole_number(value: Any) -> int | None:
    """A value, or text that is one, as a whole number; nothing we take has more than nine digits."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class Flag(Option):
    """On or off."""

    default: bool = False

    def encode(self, value: Any, players: int) -> int:
        if isinstance(value, str):
            value = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}.get(
                value.lower()
            )
        if not isinstance(value, bool):
            raise self.refuse(value)
        return int(value)

    def decode(self, number: int, players: int) -> bool:
        return bool(number)

    def takes(self) -> str:
        return "on, off"


@dataclass(frozen=True)
class Choice(Option):
    """One of a few names."""

    values: tuple[str, ...] = ()

    def encode(self, value: Any, players: int) -> int:
        if value not in self.values:
            raise self.refuse(value)
        return self.values.index(value)

    def decode(self, number: int, players: int) -> str:
        return self.values[number]

    def takes(self) -> str:
        return ", ".join(self.values)


@dataclass(frozen=True)
class Limit(Option):
    """A whole number, or off (0)."""

    default: int = 0
    most: int = 10_000

    def encode(self, value: Any, players: int) -> int:
        number = 0 if value == "off" else whole_number(value)
        if number is None or not 0 <= number <= self.most:
            raise self.refuse(value)
        return number

    def decode(self, number: int, players: int) -> int:
        return number

    def takes(self) -> str:
        return f"0 (off) – {self.most}"


@dataclass(frozen=True)
class Subset(Option):
    """Any of a set of names: a list, or text with commas (“none” for the empty list)."""

    values: tuple[str, ...] = ()

    def encode(self, value: Any, players: int) -> int:
        if isinstance(value, str):
            value = [] if value in ("", "none") else [part.strip() for part in value.split(",")]
        if not isinstance(value, list | tuple) or any(v not in self.values for v in value):
            raise self.refuse(value)
        return sum(1 << self.values.index(v) for v in set(value))

    def decode(self, number: int, players: int) -> list[str]:
        return [v for i, v in enumerate(self.values) if number >> i & 1]

    def takes(self) -> str:
        return "none | " + ", ".join(self.values)


@dataclass(frozen=True)
class Order(Option):
    """An order of all seats: a list, or text with commas. Left empty, it is the seat order."""

    default: tuple[int, ...] = ()

    def encode(self, value: Any, players: int) -> int:
        given: Any = [] if value == "" else value
        if isinstance(given, str):
            given = [whole_number(part) for part in given.split(",")]
        if not isinstance(given, list | tuple) or any(type(seat) is not int for seat in given):
            raise self.refuse(value)
        seats = given or range(players)
        if sorted(seats) != list(range(players)):
            raise self.refuse(value)
        return sum(seat * 10**i for i, seat in enumerate(seats))

    def decode(self, number: int, players: int) -> list[int]:
        return [number // 10**i % 10 for i in range(players)]

    def takes(self) -> str:
        return "0,1,2,… "


@dataclass(frozen=True)
class SeatOrChance(Option):
    """A seat chosen by the host, or “random”."""

    default: Any = "random"

    def encode(self, value: Any, players: int) -> int:
        if value == "random":
            return players
        number = whole_number(value)
        if number is None or not 0 <= number < players:
            raise self.refuse(value)
        return number

    def decode(self, number: int, players: int) -> Any:
        return "random" if number == players else number

    def takes(self) -> str:
        return "random, 0, 1, …"
