"""The terminal table: one match, people at one keyboard, bots in the other seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tribord.bots import Bot
from tribord.cli.choice import StepwiseChoice
from tribord.cli.rulebook import one_rule, readable, why
from tribord.cli.screen import Quit, Screen
from tribord.cli.speech import Speech
from tribord.core import secrecy
from tribord.core.event import Event
from tribord.core.match import Match, Outcome
from tribord.core.record import PUBLIC
from tribord.core.refusal import Refusal
from tribord.core.words import Message, _, _n

WELCOME = _("{title}. Commands at any prompt: h for help, ? for the rules, q to leave.")
PUBLISHED = _("Hash of the secret seed: {commitment}")
BOTS_ABOARD = _("The bots come aboard…")
BOTS_PREPARING = _("The bots are still getting ready. They’ll play better in a few seconds.")
TO_PLAY = _("{who} to play")
YOUR_TURN = _("your turn: {who}")
YOUR_SECRET = _("your secret choice: {who}")
YOU_CHOOSE = _("Your choice:")
ONLY_THING = _("There’s only one choice:")
PRESS_ENTER = _("Press Enter to take it:")
NOT_OFFERED = _("“{answer}” isn’t on the list. Type a number from the list, or h for help.")
FIRST_QUESTION = _("This is the first question. You can’t go back further.")
HAND_OVER = _("Pass the keyboard to {who}. What comes now is secret: everyone else, look away!")
READY = _("{who}, press Enter when you’re ready:")
SEEN = _("Press Enter when you’ve seen it:")
OUT_OF_SIGHT = _("The secret is out of sight. Everyone can look again.")
THINKING = _("A captain is having a look…")
NO_HINT = _("You have nothing to decide right now, so there’s no hint.")
HINT_SECONDS = 2.0
TAKEN_BACK = _("Your last choice is taken back.")
EXPLAINED = _("From now on, Tribord explains everything that happens. Type “explain” to stop.")
NOT_EXPLAINED = _("No more explanations from now on.")
NO_SUCH_RULE = _("There’s no rule “{rule}” in this game.")
NOTHING_YET = _("Nothing has happened yet.")
FILE_EXISTS = _("“{file}” already exists: choose another name.")
NOT_WRITTEN = _("“{file}” couldn’t be written. Check the folder and the free space, or choose another name.")
SAVED = _("Saved in “{file}”. The file holds the whole game, hidden choices and seed included.")
SAVE_OFFER = _("Save the game? Enter: no; y: yes, in {usual}; or type another file name:")
YES, NO = ("y", "yes", "o", "oui"), ("", "n", "no", "non")
GO_ON = _("To resume the game: tribord play --resume {file}")
NOT_SAVED = _("Nothing was saved. Next time, type “s FILE” at any prompt, or start with --save FILE.")
SAVED_EARLIER = _("Everything since the last save is lost.")
MATCH_ENDS = _("the game is over")
SCORE = _n("{who}: {points} point", "{who}: {points} points", "points", _("{who}: no points"))
WINNER = _("The winner: {who}.")
WINNERS = _("The winners, together: {who}.")
NO_WINNER = _("No one wins.")
ALL_WIN = _("You won, all together!")
ALL_LOSE = _("You lost, all together.")
SEED_SHOWN = _("Seed: {seed}")
CHECK_IT = _("Its hash was published at the start: {commitment}. “tribord verify FILE” checks every roll.")
CHECK_REPLAY = _("“tribord verify {file}” checks every roll. “tribord replay {file}” shows the game again.")

HELP = (
    _("Type the number of an answer, or a whole action in notation, such as “{example}”."),
    _("b           go back one question"),
    _("?           read the rules; “? {letter}3” shows one rule"),
    _("u           take back your last choice, if no secret has come out since"),
    _("l           show the log of the game"),
    _("v           show the board again, with what only you may see"),
    _("hint        see what a captain would do, with your chances"),
    _("explain     turn explanations of everything that happens on or off"),
    _("s FILE      save the game"),
    _("q           leave (you may save)"),
)


class Undone(Exception):
    """Something was taken back: drop the open question."""


class TerminalTable:
    """A match played in one terminal. The person at the keyboard only sees their own view."""

    def __init__(
        self, match: Match, bots: Mapping[int, Bot], ranks: Mapping[int, str], speech: Speech, screen: Screen,
        file: Path | None = None, keep: bool = False, explain: bool = False,
    ):  # fmt: skip
        self.match = match
        self.game = match.game
        self.bots = bots
        self.ranks = ranks
        self.people = [seat for seat in range(match.players) if seat not in bots]
        self.speech = speech
        self.words = speech.about(match.game)
        self.screen = screen
        self.file = file  # where the match was last saved, or came from
        self.explained = explain  # whether every event comes with its reason
        self.keep = keep  # save after every decision
        self.saved = file is not None  # whether the file has the current match
        self.seat: int | None = None  # who is deciding
        self.preparing = False  # whether we've said that bots play lighter for now
        self.alone = len(self.people) == 1  # whether the person deciding is the only one looking
        screen.dress(match.game, self.words)

    # -- playing ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play to the end."""
        self.say(WELCOME, title=self.game.title)
        self.say(PUBLISHED, commitment=self.match.dice.commitment)
        if self.bots:
            self.say(BOTS_ABOARD)
        self.narrate(self.match.events)
        self.autosave()
        while True:
            try:
                while not self.match.over:
                    self.turn()
                return self.finish()
            except Undone:
                self.say(TAKEN_BACK)
                self.autosave()

    def turn(self) -> None:
        """One decision, by a person if one must decide (bots can wait), otherwise by a bot."""
        waiting = self.match.to_act
        seat = next((seat for seat in waiting if seat in self.people), waiting[0])
        if seat in self.people:
            action = self.decide(seat)
        else:
            action = self.bots[seat].decide(self.match.view_state(seat), self.match.legal(seat))
            if getattr(self.bots[seat], "light", False) and not self.preparing:
                self.preparing = True
                self.say(BOTS_PREPARING)
        self.saved = False
        self.narrate(self.match.play(seat, action, at=round(time.time(), 1)))
        self.autosave()

    def decide(self, seat: int) -> int:
        """A person's decision: in private if necessary, with a hand-over before and an empty screen after."""
        secret = len(self.people) > 1 and secrecy.private(self.match, seat)
        if secret:
            self.hand_over(seat)
        self.seat, self.alone = seat, secret or len(self.people) == 1
        turn = YOUR_SECRET if secrecy.sealing(self.match) else YOUR_TURN if len(self.people) == 1 else TO_PLAY
        self.screen.heading(self.speech.say(turn, who=self.who(seat)))
        self.board(seat if self.alone else PUBLIC)
        try:
            return self.choose(seat)
        finally:
            self.seat = None
            if secret:
                self.put_out_of_sight()

    def choose(self, seat: int) -> int:
        """One of the legal actions, by its parts or by its notation."""
        legal = self.match.legal(seat)
        if len(legal) == 1:
            self.screen.menu(self.speech.say(ONLY_THING), [("1", self.game.say_action(legal[0], self.words))])
            while (answer := self.ask(self.speech.say(PRESS_ENTER))) not in ("", "1"):
                self.say(NOT_OFFERED, answer=answer)
            return legal[0]
        choice = StepwiseChoice(self.game, legal)
        self.put(choice)
        while choice.action is None:
            answer = self.ask(self.speech.say(YOU_CHOOSE))
            if choice.take(answer) or (answer == "b" and choice.back()):
                self.put(choice)
            elif answer == "b":
                self.say(FIRST_QUESTION)
            elif answer.isdecimal():
                self.say(NOT_OFFERED, answer=answer)
            elif answer:
                try:
                    return self.match.check(seat, answer)
                except Refusal as refused:
                    self.screen.show(self.speech.refusal(refused))
        return choice.action

    def put(self, choice: StepwiseChoice) -> None:
        """Put the next question of a choice, if there is one."""
        if choice.action is None:
            self.screen.menu(choice.question(self.words), choice.offers(self.words))

    def hand_over(self, seat: int) -> None:
        """Make sure that only the right person is looking."""
        self.screen.wipe(self.words)
        self.say(HAND_OVER, who=self.who(seat))
        self.ask(self.speech.say(READY, who=self.who(seat)))

    def put_out_of_sight(self) -> None:
        """Clear a secret off the screen."""
        self.screen.wipe(self.words)
        self.say(OUT_OF_SIGHT)

    def finish(self) -> None:
        """How it ended, with the data to check the dice, and an offer to save a file."""
        ended = self.match.outcome
        assert ended is not None
        self.screen.heading(self.speech.say(MATCH_ENDS))
        self.board(PUBLIC)
        for sentence in say_outcome(self.match, ended, self.speech):
            self.screen.show(sentence)
        self.say(SEED_SHOWN, seed=self.match.dice.seed)
        self.say(CHECK_IT, commitment=self.match.dice.commitment)
        if not self.saved:
            self.offer_to_save()
        if self.saved:
            self.say(CHECK_REPLAY, file=self.file)

    # -- showing ----------------------------------------------------------------------------------------------------

    def say(self, message: Message, **fields: object) -> None:
        """A message as a line."""
        self.screen.show(self.speech.say(message, **fields))

    def who(self, seat: int) -> str:
        """A seat by name, with the rank of its bot."""
        name = self.game.say_seat(seat, self.words)
        return f"{name} ({self.ranks[seat]})" if seat in self.ranks else name

    def narrate(self, events: list[Event]) -> None:
        """The events as lines of the log."""
        for event in events:
            self.screen.show_event(event.rule, self.game.say_event(event, self.words))
            if self.explained:
                self.screen.show_event("", why(self.game, event, self.speech.language))

    def board(self, seat: int) -> None:
        """The board as a seat sees it."""
        self.screen.show(self.game.text.board(self.match.view(seat), self.words, self.screen.plain))

    # -- commands at any prompt -------------------------------------------------------------------------------------

    def ask(self, prompt: str) -> str:
        """An answer; commands are carried out on the way."""
        while True:
            answer = self.screen.ask(prompt)
            word, rest = answer[:1].lower(), answer[1:].strip()
            if word == "?":
                self.rules(rest)
            elif answer.lower() == "h":
                self.help()
            elif answer.lower() == "l":
                self.log()
            elif answer.lower() == "v":
                self.look()
            elif answer.lower() == "hint":
                self.hint()
            elif answer.lower() == "explain":
                self.explain()
            elif answer.lower() == "u":
                self.undo()
            elif answer.lower() == "q":
                raise Quit
            elif answer.lower() == "s" or answer[:2].lower() == "s ":
                self.save(rest)
            else:
                return answer

    def rules(self, wanted: str) -> None:
        """The rulebook, or one rule of it."""
        book = self.game.rulebook(self.speech.language)
        if not wanted:
            self.screen.page(readable(book), self.words)
        elif found := one_rule(book, self.game.letter, wanted):
            self.screen.page([found], self.words)
        else:
            self.say(NO_SUCH_RULE, rule=wanted)

    def help(self) -> None:
        """The commands."""
        for line in HELP:
            self.screen.show(self.words.translate(line).format(letter=self.game.letter, example=self.game.notation(0)))

    def log(self) -> None:
        """Everything that has happened."""
        lines = [f"{event.rule:<4} {self.game.say_event(event, self.words)}" for event in self.match.events]
        self.screen.page(lines or [self.speech.say(NOTHING_YET)], self.words)

    def look(self) -> None:
        """The board again, as the deciding person sees it; the others look away first."""
        if self.seat is None:
            self.board(PUBLIC)
        else:
            self.in_private(self.seat, self.board)

    def hint(self) -> None:
        """What a captain would do in this seat, from what its player may know."""
        if self.seat is None:
            self.say(NO_HINT)
        else:
            self.in_private(self.seat, self.advise)

    def explain(self) -> None:
        """Turn reasons for every event on, or off again."""
        self.explained = not self.explained
        self.say(EXPLAINED if self.explained else NOT_EXPLAINED)

    def advise(self, seat: int) -> None:
        """The best choices of a seat, in words."""
        from tribord.bots.advice import advise

        self.say(THINKING)
        for sentence in advise(self.match.view_state(seat), self.match.legal(seat), HINT_SECONDS).say(self.words):
            self.screen.show(sentence)

    def in_private(self, seat: int, show: Callable[[int], None]) -> None:
        """Show a seat something that only its owner may see; anyone else looks away first."""
        if self.alone:
            show(seat)
            return
        self.screen.wipe(self.words)
        self.say(HAND_OVER, who=self.who(seat))
        self.screen.ask(self.speech.say(READY, who=self.who(seat)))
        show(seat)
        self.screen.ask(self.speech.say(SEEN))
        self.put_out_of_sight()
        self.board(PUBLIC)

    def undo(self) -> None:
        """Take back a person's last decision and its consequences."""
        try:
            place = secrecy.last_decision(self.match, self.people)
        except Refusal as refused:
            self.screen.show(self.speech.refusal(refused))
            return
        self.match.rewind(place)
        self.saved = False
        raise Undone

    # -- keeping ----------------------------------------------------------------------------------------------------

    def save(self, name: str = "") -> None:
        """Write the match file; never over another match's file."""
        file = Path(name).expanduser() if name else self.usual_file
        if file != self.file and occupied(file):
            self.say(FILE_EXISTS, file=file)
            return
        if self.write(file):
            self.say(SAVED, file=file)

    @property
    def usual_file(self) -> Path:
        """Where the match is saved by default."""
        return self.file or Path(f"{self.game.id}-{self.match.dice.commitment[:8]}.json")

    def autosave(self) -> None:
        """Save the match after each decision, if asked to."""
        if self.keep and self.file:
            self.write(self.file)

    def write(self, file: Path) -> bool:
        """Write the match file; say why and return False if that fails."""
        try:
            self.match.save(file)
        except OSError:
            self.say(NOT_WRITTEN, file=file)
            return False
        self.file, self.saved = file, True
        return True

    def offer_to_save(self) -> None:
        """Ask for a file until one is written or none is wanted. A number alone is a slip, not a name."""
        while not self.saved:
            answer = self.ask(self.speech.say(SAVE_OFFER, usual=self.usual_file))
            if answer.lower() in NO:
                return
            if not answer.isdecimal():
                self.save("" if answer.lower() in YES else answer)

    def leave(self) -> None:
        """Someone leaves: offer to save, then say how to resume."""
        if not self.saved:
            with suppress(Quit, Undone, EOFError):  # leaving here too just leaves
                self.offer_to_save()
        self.part()

    def part(self) -> None:
        """Say what is saved and how to resume."""
        if self.file is None:
            self.say(NOT_SAVED)
            return
        if not self.saved:
            self.say(SAVED_EARLIER)
        self.say(GO_ON, file=self.file)


def occupied(file: Path) -> bool:
    """Whether saving there would destroy something."""
    return file.is_dir() or (file.exists() and file.stat().st_size > 0)


def say_outcome(match: Match, ended: Outcome, speech: Speech) -> list[str]:
    """How a match ended, in sentences: why, the points, the winners."""
    words = speech.about(match.game)

    def name(seat: int) -> str:
        return match.game.say_seat(seat, words)

    lines = [speech.say(match.game.text.ENDINGS[ended.reason])]
    if match.game.cooperative:
        return [*lines, speech.say(ALL_WIN if ended.winners else ALL_LOSE)]
    lines += [speech.say(SCORE, who=name(seat), points=points) for seat, points in enumerate(ended.scores)]
    if not ended.winners:
        return [*lines, speech.say(NO_WINNER)]
    return [*lines, speech.say(WINNER if len(ended.winners) == 1 else WINNERS, who=", ".join(map(name, ended.winners)))]
