"""The terminal table, played as people play it: through a pipe, through a dumb terminal, through a coloured one."""

import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time

import pytest

import tribord
from tribord.cli.rulebook import one_rule, readable
from tribord.core.journal import verify
from tribord.core.reason import reasons
from tribord.lab import advise

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TRIBORD_LANG")}
ENVIRONMENT |= {"TRIBORD_INTERPRETED": "1", "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
COMMAND = [sys.executable, "-m", "tribord.cli", "play"]
DRAWING = re.compile("[\u2500-\u25ff\x1b]")  # boxes, blocks, shapes, escapes
OUT_OF_SIGHT = {
    "fr": "Le secret n’est plus visible. Tout le monde peut regarder.",
    "en": "The secret is out of sight. Everyone can look again.",
}


def play(*args, answers=(), cwd=None):
    """Play with these answers typed one per line: (exit status, everything shown)."""
    done = subprocess.run(
        [*COMMAND, *map(str, args)],
        input="".join(f"{answer}\n" for answer in answers), cwd=cwd,
        env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, done.stdout


def numbers(seed, count=1500):
    """Numbers typed in a hurry; a number that isn't offered gets the question again."""
    luck = random.Random(seed)
    return [luck.randint(1, 7) for _k in range(count)]


# Whole matches

WAYS = [("fr", ["--plain"]), ("en", [])]


@pytest.mark.parametrize("name", tribord.game_ids())
@pytest.mark.parametrize(("lang", "plain"), WAYS)
def test_a_whole_match_against_bots(name, lang, plain, tmp_path):
    file = tmp_path / "match.json"
    status, shown = play(
        name, "--me", 1, "--bot", "mousse", "--seed", 5, "--lang", lang, "--save", file, *plain, answers=numbers(1)
    )
    match = tribord.Match.load(file)
    words = match.game.words(lang)
    assert status == 0
    assert match.over
    place = 0
    for event in match.events:
        place = shown.index(f"{event.rule:<4} {match.game.say_event(event, words)}", place)
    assert words.say(match.game.text.ENDINGS[match.outcome.reason]) in shown[place:]
    assert match.dice.commitment in shown.split("\n")[1]
    assert match.dice.seed in shown[place:]
    assert bool(DRAWING.search(shown)) == (not plain)
    assert match.names.count("mousse") == match.players - 1


@pytest.mark.parametrize("name", tribord.game_ids())
def test_a_whole_match_of_several_people(name, tmp_path):
    file = tmp_path / "match.json"
    least = tribord.load(name).players[0]
    seats = [word for seat in range(least) for word in ("--me", seat)]
    status, shown = play(name, "--players", least, *seats, "--lang", "en", "--save", file, answers=numbers(2, 3000))
    match = tribord.Match.load(file)
    assert status == 0
    assert match.over
    assert match.names == [""] * least
    # A hand-over for every sealed choice, and none without a secret.
    sealed, again = 0, match.journal
    match.restart()
    for entry in again:
        sealed += bool(int(getattr(match.state, "sealing", 0)))
        match.follow(entry)
    assert shown.count(OUT_OF_SIGHT["en"]) == (sealed if least > 1 else 0)


def test_the_same_seed_and_answers_make_the_same_match(tmp_path):
    states = []
    for name in ("a.json", "b.json"):
        play("walk-the-plank", "--bot", "mousse", "--seed", 9, "--save", tmp_path / name, answers=numbers(3, 40))
        states.append(json.loads((tmp_path / name).read_text(encoding="utf-8"))["state"])
    assert states[0] == states[1]


# Explanations


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_explain_says_why_from_the_first_event_or_from_when_it_is_asked_for(lang):
    game = tribord.load("walk-the-plank")
    why = reasons(game)["receives"][lang]
    args = (game.id, "--bot", "mousse", "--seed", 5, "--lang", lang)
    assert f"     {why}\n" in play(*args, "--explain", answers=["q", "n"])[1]
    assert why not in play(*args, answers=["q", "n"])[1]
    later = reasons(game)["chosen"][lang]
    assert later in play(*args, answers=["explain", "program run pull extend", "q", "n"])[1]
    assert later not in play(*args, answers=["explain", "explain", "program run pull extend", "q", "n"])[1]


# Sitting down


def test_enter_enter_enter_and_a_family_plays():
    status, shown = play("--lang", "fr", answers=["", "", "", "1", "", "2"])
    assert status == 0
    assert "Quel jeu\u202f?" in shown
    assert "F3   Les Bleus ont" in shown


def test_the_host_asks_again_until_it_understands():
    first, wrong = tribord.load(tribord.game_ids()[0]), ["zero", "99", "-1"]
    answers = [*wrong, 1, *wrong, first.players[1], "1 99", "1, 2", *wrong, 1, "wind=3", "age", "", "q"]
    status, shown = play("--lang", "en", answers=answers)
    assert status == 0
    assert "has no option “wind”" in shown
    assert "Write NAME=VALUE" in shown
    assert first.title in shown
    assert "Pass the keyboard to Blue" in shown


def test_the_host_does_not_ask_what_is_given():
    _status, shown = play("--players", 3, "--me", 0, "--bot", "mousse", "--lang", "en", answers=["1", "", "q"])
    assert "Which game?" in shown
    assert "How many players" not in shown
    assert "Your secret choice" in shown


@pytest.mark.parametrize("answers", [[], ["q"], ["1", "q"]])
def test_nothing_is_begun_when_the_host_is_left_alone(answers):
    status, shown = play("--lang", "en", answers=answers)
    assert status == 0
    assert shown.endswith("No game was started.\n")


# Choosing


def test_a_choice_goes_part_by_part_and_back():
    answers = ["3", "2", "1", "b", "b", "b", "1", "q", ""]
    _status, shown = play("faut-pas-pousser", "--bot", "mousse", "--seed", 2, "--lang", "en", answers=answers)
    order, pirate = "In which order?", "Which pirate?"
    asked = re.findall(r"(What do you play\?|In which order\?|Which pirate\?)", shown)
    assert asked[1:] == ["What do you play?", order, pirate, order, "What do you play?", order]
    assert "This is the first question" in shown
    assert "Blue says “Non merci !” and passes." in shown


def test_notation_is_understood_and_errors_cite_their_rule():
    answers = ["pass", "pick 3", "pick 2", "banana", "4 -2@3", "3 -1@1", "q", ""]
    _status, shown = play("faut-pas-pousser", "--bot", "mousse", "--seed", 2, "--lang", "en", answers=answers)
    game = tribord.load("faut-pas-pousser")
    for code in ("pick-first", "picked"):
        rule, sentence = game.text.REFUSALS[code]
        assert f"{game.words('en').say(sentence)} (F{rule})" in shown
    assert "“banana” isn’t an action in this game." in shown
    assert "Blue plays pirate 4: 4 − " in shown
    assert "You’ve already played pirate 3" in shown


def test_a_single_possibility_is_shown_and_waits_for_enter(tmp_path):
    game = tribord.load("walk-the-plank")
    match = game.match(players=3, seed=1, names=["", "mousse", "mousse"])
    while len(match.legal(0)) != 1:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[0])
    match.save(tmp_path / "match.json")
    _status, shown = play("--resume", tmp_path / "match.json", "--lang", "en", answers=["l"])
    assert "There’s only one choice:" in shown
    assert game.say_action(match.legal(0)[0], game.words("en")) in shown
    assert shown.count("Press Enter to take it:") == 2


# Commands at any prompt


def test_help_log_rules_and_board():
    answers = ["h", "l", "? F10", "? 3", "?f3", "? F99", "?", "v", "q", ""]
    _status, shown = play("faut-pas-pousser", "--bot", "mousse", "--lang", "fr", answers=answers)
    book = tribord.load("faut-pas-pousser").rulebook("fr")
    assert "s FICHIER   enregistrer la partie" in shown
    assert "Il ne s’est encore rien passé." in shown
    unwrapped = re.sub(r"\n {5}", " ", shown)
    assert unwrapped.count(one_rule(book, "F", "F10")) == 2
    assert unwrapped.count(one_rule(book, "F", "F3")) == 3
    assert "Il n’y a pas de règle «\u00a0F99\u00a0»" in shown
    assert shown.count("Votre choix\u00a0:") == 9


def test_a_rulebook_reads_without_marks():
    book = "# The rules\n\n- F1. **One** rule\n  on two lines.\n- F2. Another `one`.\n\n## End\n- F10. Last\u202f!\n"
    lines = ["The rules", "", "F1. One rule on two lines.", "F2. Another one.", "", "End", "F10. Last\u202f!"]
    assert readable(book) == lines
    assert one_rule(book, "F", "f1") == "F1. One rule on two lines."
    assert one_rule(book, "F", "10") == "F10. Last\u202f!"
    assert one_rule(book, "F", "F3") == ""


def test_undo_takes_an_open_decision_back(tmp_path):
    file = tmp_path / "match.json"
    answers = ["u", "pick 3", "u", "pass", "u", "4 -2@3", "q"]
    _status, shown = play(
        "faut-pas-pousser", "--bot", "mousse", "--seed", 2, "--lang", "en", "--save", file, answers=answers
    )
    assert "You have no choice to take back." in shown
    assert "can’t take that choice back" in shown
    assert shown.count("Your last choice is taken back.") == 1
    mine = [line["action"] for line in json.loads(file.read_text(encoding="utf-8"))["journal"] if line.get("seat") == 0]
    assert mine == ["pick 3", "4 -2@3"]


def test_undo_is_refused_while_cards_lie_hidden():
    answers = ["program extend retract run", *[""] * 3, "u", "q", ""]
    _status, shown = play(
        "walk-the-plank", "--players", 3, "--bot", "mousse", "--seed", 4, "--lang", "en", answers=answers
    )
    assert "can’t take that choice back" in shown
    assert "is taken back" not in shown.replace("can’t take that choice back", "")


def test_undo_after_the_end():
    answers = ["pick 1", *["1"] * 200, "u", "q", ""]
    status, shown = play("faut-pas-pousser", "--bot", "mousse", "--seed", 2, "--lang", "en", answers=answers)
    assert status == 0
    assert "Your turn" in shown.split("Save the game?")[-2].split("Your last choice is taken back.")[1]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_hint_says_what_a_captain_would_do(lang, tmp_path):
    game = tribord.load("ile-aux-pirates")
    match = game.match(players=2, seed=4, names=["", "mousse"])
    match.save(tmp_path / "match.json")
    _status, shown = play("--resume", tmp_path / "match.json", "--lang", lang, answers=["hint", "h", "q"])
    said = advise(match.view_state(0), match.legal(0)).say(game.words(lang))
    assert len(said) > 3 and "97" in said[0]
    place = 0
    for sentence in said:
        place = shown.index(sentence, place)
    assert "hint        " in shown[place:]


def test_there_is_no_hint_where_nothing_is_to_decide():
    _status, shown = play("faut-pas-pousser", "--bot", "mousse", "--lang", "en", answers=["q", "hint", "n"])
    assert "You have nothing to decide right now, so there’s no hint." in shown


# Keeping


def test_save_leave_and_come_back(tmp_path):
    base = ["--lang", "en"]
    options = ["--players", 3, "--bot", "mousse", "--option", "age=2,1,0", "--me", 2]
    status, shown = play("faut-pas-pousser", *options, *base, answers=["pick 2", "s mine.json", "q"], cwd=tmp_path)
    assert status == 0
    assert "tribord play --resume mine.json" in shown
    before = tribord.Match.load(tmp_path / "mine.json")
    assert before.options == {"age": [2, 1, 0]}
    assert before.names == ["mousse", "mousse", ""]
    status, shown = play("--resume", "mine.json", *base, answers=["pass", "q", "y"], cwd=tmp_path)
    after = tribord.Match.load(tmp_path / "mine.json")
    assert status == 0
    assert "Your turn: Red" in shown
    assert after.journal[: before.version] == before.journal
    assert after.version > before.version


@pytest.mark.parametrize("redeal", [[], ["--redeal", 1]])
def test_a_branch_is_played_to_its_end_and_compared_with_the_original(tmp_path, at_random, redeal):
    original = at_random(tribord.load("faut-pas-pousser").match(2, seed=3), 1)
    original.save(tmp_path / "original.json")
    options = ["--from", "original.json", *redeal, "--bot", "mousse", "--save", "branch.json", "--lang", "en"]
    status, shown = play(*options, "--at", 12, answers=["1"] * 200, cwd=tmp_path)
    assert status == 0
    told = shown[shown.index("The original match:") :]
    branch = tribord.Match.load(tmp_path / "branch.json")
    assert "Blue: 17 points" in told
    assert f"The two matches differ from step {original.parting(branch) + 1} on:\n  " in told
    assert branch.over and branch.branched == 12 and branch.journal[:12] == original.journal[:12]
    assert branch.names == (["mousse", ""] if redeal else ["", "mousse"])
    assert verify(tmp_path / "branch.json") == []
    done = subprocess.run(
        [sys.executable, "-m", "tribord.cli", "verify", "branch.json", "--lang", "en"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert f"up to step 12, it’s the match whose seed had the hash {original.dice.commitment}" in done.stdout
    assert ("was dealt again" in done.stdout) == bool(redeal)


def test_a_branch_is_refused_where_there_is_nothing_to_play_on(tmp_path, at_random):
    original = at_random(tribord.load("faut-pas-pousser").match(2, seed=3), 1)
    original.save(tmp_path / "original.json")
    end = original.version
    for given, said in (
        ([], f"Say with --at which step to play on from: 0 to {end}."),
        (["--at", str(end)], f"The game is over at step {end}: choose an earlier one to play on from."),
        (["--at", "999"], f"This game has no step 999: its steps go from 0 to {end}."),
        (["--at", "3", "--redeal", "2"], "There’s no seat 2. The seats here are 0 to 1."),
    ):
        done = subprocess.run(
            [*COMMAND, "--from", "original.json", *given, "--lang", "en"],
            cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "") and said in done.stderr


def test_saving_never_overwrites_another_file(tmp_path):
    (tmp_path / "treasure.txt").write_text("X", encoding="utf-8")
    answers = ["s treasure.txt", "s nowhere/x.json", "q", "treasure.txt", "n"]
    _status, shown = play("faut-pas-pousser", "--lang", "en", answers=answers, cwd=tmp_path)
    assert shown.count("“treasure.txt” already exists") == 2
    assert "couldn’t be written" in shown
    assert "Nothing was saved." in shown
    assert (tmp_path / "treasure.txt").read_text(encoding="utf-8") == "X"
    assert [path.name for path in tmp_path.iterdir()] == ["treasure.txt"]


def test_end_of_input_saves_nothing_silently(tmp_path):
    status, shown = play("faut-pas-pousser", "--bot", "mousse", "--lang", "en", answers=["pick 2"], cwd=tmp_path)
    assert status == 0
    assert shown.endswith("or start with --save FILE.\n")
    assert list(tmp_path.iterdir()) == []


def test_end_of_input_says_how_to_go_on(tmp_path):
    options = ["--bot", "mousse", "--lang", "en", "--save", "kept.json"]
    _status, shown = play("faut-pas-pousser", *options, answers=["pick 2"], cwd=tmp_path)
    assert shown.endswith("tribord play --resume kept.json\n")
    _status, shown = play("--resume", "kept.json", "--lang", "en", answers=["pass"], cwd=tmp_path)
    assert "Everything since the last save is lost." in shown


def test_input_that_is_no_text_is_asked_again():
    done = subprocess.run(
        [*COMMAND, "faut-pas-pousser", "--bot", "mousse", "--lang", "en"],
        input=b"\xff\xfe\x00\n\x1b[A\n" + b"9" * 5000 + b"\npick 2\nq\n\n",
        env=ENVIRONMENT, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Blue has" in done.stdout


def test_a_terminal_without_accents():
    done = subprocess.run(
        [*COMMAND, "faut-pas-pousser", "--lang", "fr"], input=b"q\n\n",
        env=ENVIRONMENT | {"PYTHONIOENCODING": "ascii"}, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


# Secrets around one keyboard


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("faut-pas-pousser", "pick 1", "pick 6"),
        ("walk-the-plank", "program run charge drag", "program extend pull retract"),
    ],
)
@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_the_next_person_sees_the_same_whatever_was_sealed(name, one, other, plain):
    people = ["--me", 0, "--me", 1]
    curious = ["", "l", "u", "h", "v"]  # what the second person types
    shown = [
        play(name, *people, "--seed", 3, "--lang", "fr", *plain, answers=["", choice, *curious])[1]
        for choice in (one, other)
    ]
    after = [text.split(OUT_OF_SIGHT["fr"], 1)[1] for text in shown]
    assert after[0] == after[1]
    assert "les Verts" in after[0]
    assert shown[0] != shown[1]


def test_in_the_open_the_public_board_is_shown_and_a_look_at_ones_own_cards_is_handed_over(tmp_path):
    match = tribord.load("walk-the-plank").match(players=3, seed=1)
    for seat in range(3):
        match.play(seat, "program shove-left run charge")
    while match.to_act != [0]:
        match.play(match.to_act[0], match.legal(match.to_act[0])[0])
    match.save(tmp_path / "match.json")
    options = ["--me", 0, "--me", 1, "--me", 2, "--lang", "en", "--plain"]
    _status, shown = play("--resume", tmp_path / "match.json", *options, answers=["v", "", ""])
    words = match.game.words("en")
    public, own = (match.game.text.board(match.view(seat), words, True) for seat in (tribord.PUBLIC, 0))
    assert public != own
    before, _handover, after = shown.partition("Pass the keyboard to Blue")
    assert public in before
    assert own not in before
    assert own in after.split(OUT_OF_SIGHT["en"])[0]
    assert own not in after.split(OUT_OF_SIGHT["en"])[1]


def test_a_hint_is_handed_over_too(tmp_path):
    """It contains what only one person knows."""
    match = tribord.load("walk-the-plank").match(players=3, seed=1)
    for seat in range(3):
        match.play(seat, "program shove-left run charge")
    while len(match.to_act) != 1 or len(match.legal(match.to_act[0])) == 1:
        match.play(match.to_act[0], match.legal(match.to_act[0])[0])
    match.save(tmp_path / "match.json")
    options = ["--me", 0, "--me", 1, "--me", 2, "--lang", "en", "--plain"]
    _status, shown = play("--resume", tmp_path / "match.json", *options, answers=["hint", "", ""])
    before, _handover, after = shown.partition("Pass the keyboard to")
    private, public = after.split(OUT_OF_SIGHT["en"], 1)
    assert "chance of winning (between" in private
    assert "chance of winning (between" not in before + public


# Real terminals


class Terminal:
    """`tribord play` on a pseudo-terminal."""

    def __init__(self, *args, **environment):
        self.master, slave = pty.openpty()
        # A shell that runs the tests in the background makes its children ignore Ctrl-C; a terminal doesn't.
        heard = signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, args)], stdin=slave, stdout=slave, stderr=slave, env=ENVIRONMENT | environment
        )
        signal.signal(signal.SIGINT, heard)
        os.close(slave)
        self.shown = ""

    def until(self, text, seconds=30):
        """Read until the text is shown; returns everything up to here since the last call."""
        start, end = len(self.shown), time.monotonic() + seconds
        while text not in self.shown[start:]:
            assert time.monotonic() < end, self.shown[start:]
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.master, 65536).decode(errors="replace")
                except OSError:  # the other end is closed
                    break
        return self.shown[start:]

    def type(self, text):
        """Type a line."""
        os.write(self.master, text.encode() + b"\n")

    def close(self):
        """Wait for the end: the exit status."""
        self.until("\0never\0") if self.process.poll() is None else None
        status = self.process.wait(30)
        os.close(self.master)
        assert "Traceback" not in self.shown
        return status


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]|\x1b\[[0-9;]*9[0-9]")


def test_a_colour_terminal():
    terminal = Terminal("faut-pas-pousser", "--bot", "mousse", "--lang", "en", TERM="xterm-256color")
    terminal.until("Your choice:")
    terminal.type("pick 2")
    assert COLOUR.search(terminal.until("Your choice:"))
    terminal.type("q")
    terminal.until("Save the game?")
    terminal.type("")
    assert terminal.close() == 0


def test_no_color_is_respected():
    terminal = Terminal("faut-pas-pousser", "--bot", "mousse", "--lang", "en", TERM="xterm-256color", NO_COLOR="1")
    terminal.until("Your choice:")
    terminal.type("q")
    terminal.until("Save the game?")
    terminal.type("")
    assert terminal.close() == 0
    assert not COLOUR.search(terminal.shown)


def test_a_dumb_terminal_gets_words_only():
    terminal = Terminal("faut-pas-pousser", "--bot", "mousse", "--lang", "en", TERM="dumb")
    terminal.until("Your choice:")
    terminal.type("pick 2")
    terminal.until("Your choice:")
    os.write(terminal.master, b"\x04")
    assert terminal.close() == 0
    assert not DRAWING.search(terminal.shown)


def test_a_secret_is_erased_from_the_terminal_with_its_scrollback():
    terminal = Terminal("faut-pas-pousser", "--me", 0, "--me", 1, "--lang", "en", TERM="xterm-256color")
    erased = "\x1b[H\x1b[2J\x1b[3J"
    assert erased in terminal.until("press Enter when you’re ready")
    terminal.type("")
    terminal.until("Your choice:")
    terminal.type("pick 6")
    shown = terminal.until("press Enter when you’re ready")
    assert "pick 6" in shown.split(erased)[0]
    assert "pick 6" not in shown.split(erased, 1)[1]
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130


def test_interrupted_says_how_to_go_on(tmp_path):
    file = tmp_path / "match.json"
    terminal = Terminal("faut-pas-pousser", "--bot", "mousse", "--lang", "fr", "--save", file, TERM="dumb")
    terminal.until("Votre choix")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert f"tribord play --resume {file}" in terminal.shown


def test_interrupted_while_sitting_down():
    terminal = Terminal("--lang", "en", TERM="dumb")
    terminal.until("Which game?")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130


def test_the_rules_are_paged_if_someone_can_turn_the_page():
    terminal = Terminal("faut-pas-pousser", "--lang", "en", TERM="xterm")
    terminal.until("Your choice:")
    terminal.type("?")
    page = terminal.until("Enter for more, q to stop:")
    assert page.count("\n") < 26
    terminal.type("")
    terminal.until("Enter for more, q to stop:")
    terminal.type("q")
    terminal.until("Your choice:")
    terminal.type("q")
    terminal.until("Save the game?")
    terminal.type("")
    assert terminal.close() == 0
