"""Seating: which game, how many players, who is a person, which rank the bots have, which options."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tribord.bots import Bot, is_rank, net, python, ranks, seat_bot
from tribord.bots.external import PREFIX, External
from tribord.bots.fallback import Fallback
from tribord.bots.preparation import Preparation, tasks_of
from tribord.cli.screen import Quit, Screen
from tribord.cli.speech import Speech
from tribord.core.game import Game, games
from tribord.core.match import Match
from tribord.core.refusal import NO_SUCH_SEAT, BadOption, Refusal
from tribord.core.words import _
from tribord.lab.contest import check_bot

USUAL_RANK = "matelot"
OUTSIDE = (PREFIX, python.PREFIX, net.PREFIX)  # bots that aren't ours

NOT_AN_OPTION = _("“{text}” isn’t an option. Write NAME=VALUE.")
NAME_IT_AGAIN = _("“{bot}” played here, and a file can’t start a program. Name it, or a rank, with --bot.")
WHICH_GAME = _("Which game?")
HOW_MANY = _("How many players, {least} to {most}?")
WHICH_PEOPLE = _("Where do people sit? Type their seat numbers. Bots take the other seats.")
WHICH_RANK = _("How strong are the bots?")
OPTIONS_ARE = _("Options:")
CHANGE_OPTION = _("NAME=VALUE to change one, Enter to start:")
ANSWER = _("Enter for {default}:")
ONE_OF = _("Type a number from the list, or Enter for {default}.")
RANK_NAMES = {
    "mousse": _("mousse, the ship’s boy: knows the rules and makes silly moves"),
    "matelot": _("matelot, the deckhand: looks one step ahead"),
    "bosco": _("bosco, the boatswain: thinks ahead"),
    "capitaine": _("capitaine, the captain: thinks further ahead, and gives nothing away"),
}


@dataclass
class Seating:
    """A match and who sits where: the seats with a rank are bots, the others people."""

    match: Match
    ranks: dict[int, str]

    wait: bool = True  # whether bots wait for the compiler, so that the same seed gives the same match

    def bots(
        self, log: Path | None = None, notice: Callable[[str, str], None] = lambda name, what: None
    ) -> dict[int, Bot]:
        """The bots, each with luck that reveals nothing about the dice; a mousse is the fallback of guests."""
        return {seat: self._bot(seat, rank, log, notice) for seat, rank in self.ranks.items()}

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Compile what the bots need in the background, unless they wait for it."""
        ranked = [rank for rank in self.ranks.values() if not rank.startswith(OUTSIDE)]
        if self.wait or not ranked:
            yield
            return
        preparation = Preparation(everything=False)
        preparation.want(tasks_of(self.match.game, ranked, self.match.settings))
        preparation.start()
        try:
            yield
        finally:
            preparation.stop()

    def _bot(self, seat: int, rank: str, log: Path | None, notice: Callable[[str, str], None]) -> Bot:
        match, luck = self.match, _luck(f"{self.match.dice.seed}:{seat}")
        bot: Bot
        if rank.startswith(PREFIX):
            bot = External(rank, match.game, luck, match.players, match.options, log=log)
        elif rank.startswith(python.PREFIX):
            bot = python.PythonBot(python.find_bot(rank), match.game, luck, rank)
        elif rank.startswith(net.PREFIX):
            bot = net.bot_of(rank, match.game, match.players, match.options)
        else:
            return seat_bot(rank, match.game, luck, self.wait)
        return Fallback(rank, bot, match.game, luck, notice=notice)


def _luck(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def read_options(texts: Sequence[str]) -> dict[str, str]:
    """Options written as NAME=VALUE."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption("not-an-option", NOT_AN_OPTION, text=text)
        found[name.strip()] = value.strip()
    return found


def seat_people(match: Match, people: Sequence[int], rank: str) -> Seating:
    """People in these seats, bots in the others. The match remembers the bots by their rank."""
    for seat in people:
        if not 0 <= seat < match.players:
            raise BadOption("no-such-seat", NO_SUCH_SEAT, seat=seat, last=match.players - 1)
    check_bot(rank, match.game, match.players, match.options)  # refuses an unknown rank, even if no seat is left for it
    taken = {seat: rank for seat in range(match.players) if seat not in people}
    match.names = [taken.get(seat, "") for seat in range(match.players)]
    return Seating(match, taken)


def seat_again(file: Path, people: Sequence[int], rank: str | None) -> Seating:
    """A match from a file, with people and bots where they sat by default."""
    match = Match.load(file)
    named = dict(enumerate(match.names[: match.players]))
    bots = {seat: name for seat, name in named.items() if is_rank(name) or name.startswith(OUTSIDE)}
    if people or not bots:
        return seat_people(match, people or [0], rank or USUAL_RANK)
    seating = seat_people(match, [seat for seat in range(match.players) if seat not in bots], rank or USUAL_RANK)
    for name in bots.values():
        if rank is None and name.startswith(OUTSIDE):  # a file's author mustn't decide what runs here
            raise BadOption("name-it-again", NAME_IT_AGAIN, bot=name)
    return seating if rank else Seating(match, bots)


class Host:
    """Asks for everything a match needs; Enter takes the default."""

    def __init__(self, screen: Screen, speech: Speech):
        self.screen = screen
        self.speech = speech

    def seat(
        self,
        players: int | None,
        people: Sequence[int] | None,
        rank: str | None,
        seed: str | None,
        given: dict[str, str],
    ) -> Seating:
        """A match and who sits where; given answers aren't asked for again."""
        game = self.game()
        words = self.speech.about(game)
        if players is None:
            least, most = game.players
            players = self.number(self.speech.say(HOW_MANY, least=least, most=most), least, most, game.usual_players)
        game.settings(players, given)  # refuses before asking on
        if people is None:
            people = self.people([game.say_seat(seat, words) for seat in range(players)])
        if rank is None:
            rank = self.rank() if len(people) < players else USUAL_RANK
        return seat_people(game.match(players, seed, given or self.options(game, players)), people, rank)

    def game(self) -> Game:
        """Which game."""
        found = games()
        return found[self.one_of(self.speech.say(WHICH_GAME), [game.title for game in found], 1)]

    def people(self, names: list[str]) -> list[int]:
        """Which seats are people."""
        offers = [(str(number), name[:1].upper() + name[1:]) for number, name in enumerate(names, 1)]
        self.screen.menu(self.speech.say(WHICH_PEOPLE), offers)
        while True:
            answer = self.ask(1).replace(",", " ").split() or ["1"]
            if all(word.isdecimal() and 1 <= int(word) <= len(names) for word in answer):
                return sorted({int(word) - 1 for word in answer})
            self.screen.show(self.speech.say(ONE_OF, default=1))

    def rank(self) -> str:
        """Which rank the bots have."""
        known = ranks()
        labels = [self.speech.say(RANK_NAMES.get(rank, rank)) for rank in known]
        return known[self.one_of(self.speech.say(WHICH_RANK), labels, known.index(USUAL_RANK) + 1)]

    def options(self, game: Game, players: int) -> dict[str, Any]:
        """The options, changed one by one."""
        given: dict[str, Any] = {}
        while game.options:
            now = game.options_of(game.settings(players, given))
            self.screen.show(self.speech.say(OPTIONS_ARE), "bold")
            for option in game.options:
                meaning = self.speech.say(option.meaning)
                self.screen.show(f"    {option.name}={written(now[option.name])}   {meaning} ({option.rule})")
            answer = self.screen.ask(self.speech.say(CHANGE_OPTION))
            if not answer:
                break
            try:
                changed = given | read_options([answer])
                game.settings(players, changed)
                given = changed
            except Refusal as refused:
                self.screen.show(self.speech.refusal(refused))
        return given

    def one_of(self, question: str, labels: list[str], default: int) -> int:
        """Ask for one of these labels; return its place."""
        self.screen.menu(question, [(str(number), label) for number, label in enumerate(labels, 1)])
        return self.number("", 1, len(labels), default) - 1

    def number(self, question: str, least: int, most: int, default: int) -> int:
        """Ask for a number within bounds."""
        if question:
            self.screen.show(question, "bold")
        while True:
            answer = self.ask(default)
            if not answer:
                return default
            if answer.isdecimal() and least <= int(answer) <= most:
                return int(answer)
            self.screen.show(self.speech.say(ONE_OF, default=default))

    def ask(self, default: int) -> str:
        """Read an answer; "" for the default."""
        answer = self.screen.ask(self.speech.say(ANSWER, default=default))
        if answer.lower() == "q":
            raise Quit
        return answer


def written(value: Any) -> str:
    """A value of an option as it is written on the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)
