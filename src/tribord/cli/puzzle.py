"""`tribord puzzle`: find the one clearly best choice, as the seat sees it; `tribord puzzles`: list or make them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Annotated

import typer

from tribord.bots import puzzle as shipped
from tribord.bots.advice import Suggestion, say_percent, say_suggestion
from tribord.bots.puzzle import LEVELS, NO_PUZZLES, Outlook, Puzzle, daily, today
from tribord.cli.arguments import GAME, Json, Language, Matches, Name, Plain, StreamSeed
from tribord.cli.json_text import json_text
from tribord.cli.machine import chosen
from tribord.cli.progress import progress_bar
from tribord.cli.screen import Quit, Screen
from tribord.cli.seating import written
from tribord.cli.speech import Speech
from tribord.cli.terminal import TerminalTable
from tribord.core.event import Event
from tribord.core.game import games, load
from tribord.core.reason import reason
from tribord.core.refusal import BadOption
from tribord.core.words import Message, _, _n

OfGame = Annotated[
    str | None, typer.Argument(metavar=GAME, help=_("A game, by its id. Without it: the puzzle of the day."))
]
Daily = Annotated[bool, typer.Option("--daily", help=_("The puzzle of the day, the same for everyone."))]
Level = Annotated[str | None, typer.Option("--level", metavar="|".join(LEVELS), help=_("Only puzzles of this level."))]
Number = Annotated[int | None, typer.Option("--number", help=_("The puzzle with this number; any by default."))]
Count = Annotated[
    int, typer.Option("--count", help=_("How many puzzles to make. Without it: list those that come with the game."))
]

Explain = Annotated[
    bool,
    typer.Option("--explain", help=_("Rewrite the game’s own puzzles, with what their choices lead to.")),
]

NO_SUCH_LEVEL = _("There’s no level “{level}”. Choose one of: {known}.")
NONE_OF_LEVEL = _("{title} has no puzzle of the level “{level}”. Choose another level.")
WHICH_GAME = _("Each game has its own puzzles. Name the game: tribord puzzle GAME --number {number}")
ONE_OF_THEM = _("Which puzzle? Use either “{one}” or “{other}”.")

LEVEL_NAMES = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
HEADING = _("{title}, puzzle {number} ({level})")
DAY = _("{title}, the puzzle of the day, {date} ({level})")
TASK = _("You are {who}. One choice is clearly the best: which one?")
HELP = (
    _("Type the number of an answer, or a whole action in notation, such as “{example}”."),
    _("b           go back one question"),
    _("?           read the rules; “? {letter}3” shows one rule"),
    _("l           show the log of the game"),
    _("v           show the board again"),
    _("q           leave without an answer"),
)
RIGHT = _("Right! That’s the best choice.")
WRONG = _("There’s a better choice.")
BEST, YOURS = _("The best choice:"), _("Your choice:")
FOUND = _("How often the bots find it: {found}.")
RANK_FOUND = _("{rank} {share}")
AT_ONCE = _("At once:")
BY_NEXT_TURN = _("Until your next turn:")
LIKELY = _("{share}: {event}")
COMPARED = _("{share} instead of {otherwise}: {event}")
METHOD = _(
    "“Instead of” compares the best choice with the others, and yours with the best. Deckhand bots played on from each"
    " choice many times."
)
LINE = _("{number}. {level}, {players} players")
MADE = _n("{count} puzzle made from {title}.", "{count} puzzles made from {title}.", "count")


def puzzle(
    ctx: typer.Context,
    game: OfGame = None,
    day: Daily = False,
    level: Level = None,
    number: Number = None,
    plain: Plain = False,
    lang: Language = None,
) -> int:
    """Solve a puzzle."""
    speech: Speech = ctx.obj
    for one, other in (("--daily", level and "--level"), ("--daily", number is not None and "--number")):
        if day and other:
            raise BadOption("one-of-them", ONE_OF_THEM, one=one, other=other)
    if level and number is not None:
        raise BadOption("one-of-them", ONE_OF_THEM, one="--level", other="--number")
    if number is not None and not game:
        raise BadOption("which-game", WHICH_GAME, number=number)
    if level and level not in LEVELS:
        raise BadOption("no-such-level", NO_SUCH_LEVEL, level=level, known=", ".join(LEVELS))
    wanted = pick(game, day, level, number)
    screen = Screen(plain)
    table = PuzzleTable(wanted, speech, screen)
    heading = DAY if day or not (game or level or number) else HEADING
    screen.heading(
        speech.say(
            heading, title=wanted.game.title, number=wanted.number, date=today(),
            level=table.words.translate(LEVEL_NAMES[wanted.level]),
        )
    )  # fmt: skip
    try:
        table.solve()
    except (Quit, EOFError):
        pass
    except KeyboardInterrupt:
        screen.show()
        return 130
    return 0


def pick(name: str | None, day: bool, level: str | None, number: int | None) -> Puzzle:
    """The requested puzzle: by its number, any of a level, or that of the day."""
    game = load(name) if name else None
    if day or not (game or level):
        return daily(today(), game)
    if game and number is not None:
        return shipped.puzzle(game, number)
    those = [each for one in ([game] if game else games()) for each in shipped.puzzles(one)]
    if game and not those:
        raise BadOption("no-puzzles", NO_PUZZLES, title=game.title)
    found = [each for each in those if level in (None, each.level)]
    if not found:
        raise BadOption("none-of-level", NONE_OF_LEVEL, title=game.title if game else "Tribord", level=level)
    return secrets.choice(found)


class PuzzleTable(TerminalTable):
    """A puzzle in a terminal: one decision of one seat. No match goes on, and there are no hints."""

    def __init__(self, puzzle: Puzzle, speech: Speech, screen: Screen):
        super().__init__(puzzle.match.fork(), {}, {}, speech, screen)
        self.puzzle = puzzle
        self.seat, self.alone = puzzle.seat, True
        self.reasons: set[str] = set()  # that were given

    def solve(self) -> None:
        """Ask for the best choice, and say what it is and why."""
        seat = self.puzzle.seat
        usual = self.game.options_of(self.game.settings(self.puzzle.players))
        for option in self.game.options:
            if (value := self.puzzle.options[option.name]) != usual[option.name]:
                self.screen.show(f"{option.name}={written(value)}   {self.speech.say(option.meaning)} ({option.rule})")
        self.board(seat)
        self.say(TASK, who=self.who(seat))
        action = self.choose(seat)
        right = self.puzzle.solved_by(action)
        self.screen.show(self.speech.say(RIGHT if right else WRONG), "bold")
        self.weigh(BEST, self.puzzle.chosen(action) if right else self.puzzle.best)
        if not right:
            self.weigh(YOURS, self.puzzle.chosen(action))
        self.say(METHOD)
        ranks = [
            self.speech.say(RANK_FOUND, rank=rank, share=say_percent(share, self.words))
            for rank, share in self.puzzle.ranks.items()
        ]
        self.say(FOUND, found=", ".join(ranks))

    def weigh(self, whose: Message, choice: Suggestion) -> None:
        """What a choice is worth, what it leads to and why, and what would probably follow."""
        self.say(whose)
        worth, *follows = say_suggestion(self.game, choice, self.puzzle.exact, self.words)
        for line in (worth, *self.leads_to(self.puzzle.outlook(choice.action)), *follows):
            self.screen.show(f"  {line}")

    def leads_to(self, outlook: Outlook) -> Iterator[str]:
        """What a choice leads to, event by event, each kind with its reason where it first comes up."""
        if outlook.at_once:
            yield f"   {self.words.say(AT_ONCE)}"
            yield from (f"      {self.with_reason(event)}" for event in outlook.at_once)
        if likely := (*outlook.likely, *outlook.spared):
            yield f"   {self.words.say(BY_NEXT_TURN)}"
        for each in likely:
            share, otherwise = (say_percent(part, self.words) for part in (each.share, each.otherwise))
            message = LIKELY if share == otherwise else COMPARED
            said = self.words.say(message, share=share, otherwise=otherwise, event=self.with_reason(each.event))
            yield f"      {said}"

    def with_reason(self, event: Event) -> str:
        """An event, and why it happens, once."""
        said = self.game.say_event(event, self.words)
        because = reason(self.game, event, self.words.language)
        if not because or because in self.reasons:
            return f"{said} ({event.rule})"
        self.reasons.add(because)
        return f"{said} {because} ({event.rule})"

    def ask(self, prompt: str) -> str:
        """An answer; commands are carried out on the way."""
        while True:
            answer = self.screen.ask(prompt)
            word = answer[:1].lower()
            if word == "?":
                self.rules(answer[1:].strip())
            elif answer.lower() == "h":
                self.help()
            elif answer.lower() == "l":
                self.log()
            elif answer.lower() == "v":
                self.look()
            elif answer.lower() == "q":
                raise Quit
            else:
                return answer

    def help(self) -> None:
        """The commands."""
        example = self.game.notation(self.puzzle.legal[0])
        for line in HELP:
            self.screen.show(self.words.translate(line).format(letter=self.game.letter, example=example))


def puzzles(
    ctx: typer.Context,
    name: Name,
    count: Count = 0,
    seed: StreamSeed = 1,
    matches: Matches = 1000,
    explain: Explain = False,
    as_json: Json = False,
    lang: Language = None,
) -> int:
    """The puzzles of a game."""
    if count and explain:
        raise BadOption("one-of-them", ONE_OF_THEM, one="--count", other="--explain")
    game, speech = chosen(name, ctx)
    if explain and not shipped.puzzles(game):
        raise BadOption("no-puzzles", NO_PUZZLES, title=game.title)
    if count or explain:
        from tribord.lab.puzzles import build, dumps, explained_again

        try:
            with progress_bar(game.title) as progress:
                made = explained_again(game, progress) if explain else build(game, count, seed, matches, progress)
        except KeyboardInterrupt:
            return 130
        print(dumps(made) if as_json else speech.say(MADE, count=len(made["puzzles"]), title=game.title))
        return 0
    found = shipped.puzzles(game)
    if not found:
        raise BadOption("no-puzzles", NO_PUZZLES, title=game.title)
    if as_json:
        rows = [{"number": p.number, "level": p.level, "players": p.players, "options": p.options} for p in found]
        print(json_text(rows))
        return 0
    for each in found:
        level = speech.words.translate(LEVEL_NAMES[each.level])
        print(speech.say(LINE, number=each.number, level=level, players=each.players))
    return 0
