"""Bots that are other programs, in real processes: good ones, and ones that crash, hang or send rubbish."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tribord import BadOption, load
from tribord.bots import seat_bot
from tribord.bots.external import _running, end_all
from tribord.bots.fallback import STRIKES, Fallback
from tribord.cli import main
from tribord.lab.arena import arena
from tribord.lab.contest import Fixture, play, terms
from tribord.lab.simulate import simulate

HOUSE = Path(__file__).parents[2]
FPP = load("faut-pas-pousser")
EXAMPLE = f"cmd:{sys.executable} {HOUSE / 'examples' / 'stdin_bot.py'}"

# Answers the hello, then does `{turn}` with the question `q`.
PROGRAM = """
import json, os, sys, time
def say(message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    q = json.loads(line)
    if q["t"] == "hello":
        say({"t": "ready"})
    else:
        act = {"t": "act", "id": q["id"], "action": q["legal"][0]["action"]}
        %s
"""


@pytest.fixture(autouse=True)
def nobody_is_left_behind():
    yield
    end_all()


@pytest.fixture
def program(tmp_path):
    """Write a program that does something at its turn; returns the name of the bot."""

    def write(turn, source=PROGRAM):
        file = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        file.write_text(source % turn if "%s" in source else source)
        return f"cmd:{sys.executable} {file}"

    return write


def one_match(bot, **more):
    """A match of the bot in seat 0 against a mousse, and how long it took."""
    agreed = terms(FPP, 2, None, 1, **more)
    play(agreed, Fixture(0, 0, ("mousse", "mousse")))  # everything is compiled
    start = time.monotonic()
    return play(agreed, Fixture(0, 0, (bot, "mousse"))), time.monotonic() - start


def test_the_example_plays_in_the_arena_the_same_on_any_number_of_processes():
    """With a name for the program that no log has, from different worker processes: only the seed counts."""
    results = [arena(FPP, ["mousse", EXAMPLE], 3, 6, 1, jobs=jobs) for jobs in (1, 2)]
    assert results[0]["digest"] == results[1]["digest"]
    assert [sum(s["faults"].values()) for s in results[0]["standings"]] == [0, 0]
    assert results[0]["standings"][1]["decisions"] > 0


@pytest.mark.parametrize("game", ["walk-the-plank", "sauve-qui-peut", "ile-aux-pirates"])
def test_the_example_plays_every_game(game):
    game = load(game)
    agreed = terms(game, game.players[0], None, 2)
    crew = (EXAMPLE, *["mousse"] * (game.players[0] - 1))
    assert play(agreed, Fixture(0, 0, crew)).faults == [{}] * len(crew)


def test_the_example_is_short_and_needs_nothing():
    text = (HOUSE / "examples" / "stdin_bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.M)) <= set(sys.stdlib_module_names)


def test_a_program_starts_once_for_many_matches_and_sees_view_and_texts(program, tmp_path):
    log = tmp_path / "log"
    bot = program('sys.stderr.write(f"{os.getpid()} {line}"); sys.stderr.flush(); say(act)')
    arena(FPP, [bot, "mousse"], 2, 4, 1, jobs=1, log=log)
    lines = [line.partition(" ") for line in log.read_text(encoding="utf-8").splitlines()]
    assert len({pid for pid, _space, _line in lines}) == 1
    question = json.loads(lines[0][2])
    assert question["view"]["phase"] == "picking"
    assert question["legal"][0] == {
        "action": 0, "notation": "pick 1", "parts": {"kind": "pick", "pirate": 1},
        "fr": "Choisir le Capitaine", "en": "Pick the Captain",
    }  # fmt: skip


@pytest.mark.parametrize("answer", ["act['action']", "q['legal'][0]['notation']", "q['legal'][0]['parts']"])
def test_an_answer_is_a_number_a_notation_or_parts(program, answer):
    match, _seconds = one_match(program(f"say(act | {{'action': {answer}}})"))
    assert match.faults == [{}, {}]


RUBBISH = [
    "print('ahoy', flush=True)",
    "say([])",
    "say({'t': 'act'} and 7)",
    "say({'t': 'ready'})",
    "say(act | {'action': 99999})",
    "say(act | {'action': 'walk home'})",
    "say(act | {'action': None})",
    "say(act | {'action': [1, 2]})",
    "say(act | {'action': True})",
    "print('[' * 60000, flush=True)",
    "print('x' * 300000, flush=True)",
    "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()",
]


@pytest.mark.parametrize("turn", RUBBISH)
def test_rubbish_loses_the_move_and_the_match_goes_on(program, turn):
    match, seconds = one_match(program(turn))
    assert match.faults == [{"rubbish": STRIKES}, {}]
    assert match.examples[0].startswith("rubbish: ")
    assert match.decisions[0] > STRIKES and seconds < 10


def test_a_program_that_crashes_loses_the_move_and_is_started_again(program):
    match, _seconds = one_match(program("say(act) if q['id'] % 2 else sys.exit(3)"))
    assert match.faults == [{"crash": STRIKES}, {}]
    assert "ended with status 3" in match.examples[0]
    assert len(_running) == 0


def test_a_program_that_cannot_even_start_loses_its_moves(program):
    match, _seconds = one_match(program("", source="import no_such_module_at_all"))
    assert match.faults == [{"crash": STRIKES}, {}]
    match, _seconds = one_match(program("", source="print('{}', flush=True)\ninput()\ninput()"))
    assert match.faults == [{"rubbish": STRIKES}, {}]


@pytest.mark.parametrize("turn", ["time.sleep(60)", "os.closerange(0, 1); time.sleep(60)"])
def test_a_silent_program_is_late_is_ended_and_holds_nobody_up(program, tmp_path, turn):
    pids = tmp_path / "pids"
    bot = program(f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n'); {turn}")
    match, seconds = one_match(bot, patience=0.5)  # enough to note a number on a busy machine
    assert match.faults == [{"late": STRIKES}, {}]
    assert "no answer within 0.5 s" in match.examples[0] and seconds < 10
    found = pids.read_text().split()
    assert len(found) == STRIKES
    assert not any(Path(f"/proc/{pid}").exists() for pid in found)


def test_a_program_that_never_reads_cannot_block_us(program):
    """The choices of Walk the Plank are more than a pipe holds."""
    game = load("walk-the-plank")
    bot = program("", source='import time\nprint(\'{"t": "ready"}\', flush=True)\ntime.sleep(60)')
    agreed = terms(game, 3, None, 1, patience=0.2)
    match = play(agreed, Fixture(0, 0, (bot, "mousse", "mousse")))
    assert match.faults[0] == {"late": STRIKES}


def test_a_late_answer_is_not_taken_for_the_next(program):
    bot = program("say(act | {'id': q['id'] - 1}); say(act)")
    match, _seconds = one_match(bot)
    assert match.faults == [{}, {}]


def test_the_arena_counts_faults_per_bot_and_quotes_the_first(program, capsys):
    bot = program("sys.exit(3)")
    found = arena(FPP, ["mousse", bot], 2, 4, 1, jobs=1)
    assert [s["faults"]["crash"] for s in found["standings"]] == [0, 4 * STRIKES]
    assert "status 3" in found["standings"][1]["fault"]
    assert (
        main(
            [
                "arena",
                FPP.id,
                "--bots",
                f"mousse,{bot}",
                "--players",
                "2",
                "--matches",
                "2",
                "--jobs",
                "1",
                "--lang",
                "fr",
            ]
        )
        == 0
    )
    assert f"{2 * STRIKES} décisions ratées, prises par le grade inférieur" in capsys.readouterr().out


def test_a_simulation_counts_faults_by_seat(program, capsys):
    found = simulate(FPP, 2, 2, 1, bots=["mousse", program("say(7)")])
    assert found["faults"] == [{"crash": 0, "late": 0, "rubbish": 0}, {"crash": 0, "late": 0, "rubbish": 2 * STRIKES}]
    bots = f"mousse,{program('say(7)')}"
    assert (
        main(["simulate", FPP.id, "--bots", bots, "--players", "2", "--matches", "1", "--jobs", "1", "--lang", "en"])
        == 0
    )
    assert f"{STRIKES} decisions failed" in capsys.readouterr().out


def test_the_clock_is_sent_and_is_the_limit(program):
    # Half a second and a quarter are allowed: a bot that doesn't sleep answers in time even on a busy machine.
    match, _seconds = one_match(program("time.sleep(1.5 if q['id'] == 1 else 0); say(act)"), clock=0.5)
    assert match.faults == [{"late": 1}, {}]


# -- in-process bots --------------------------------------------------------------------------------------------------


class Broken:
    """A bot with a bug of its own at every turn."""

    def __init__(self, turn):
        self.turn = turn

    def decide(self, view, legal, clock=None):
        return self.turn(view, legal)


def fails(_view, _legal):
    raise ZeroDivisionError("no wind")


def dawdles(view, legal):
    time.sleep(0.03)
    return seat_bot("mousse", FPP).decide(view, legal)


@pytest.mark.parametrize(
    ("turn", "kind", "what"),
    [(fails, "crash", "no wind"), (lambda view, legal: -1, "rubbish", "-1"),
     (lambda view, legal: None, "crash", "NoneType"), (dawdles, "late", "0.01 s are allowed")],
)  # fmt: skip
def test_a_rank_that_fails_loses_its_move_to_the_rank_below(turn, kind, what):
    match = FPP.match(2, seed=1)
    bot = Fallback("matelot", Broken(turn), FPP, 5, allowed=0.01)
    mousse = seat_bot("mousse", FPP, 5)
    told = []
    bot.notice = lambda name, sentence: told.append((name, sentence))
    for _k in range(STRIKES + 1):
        view = match.view_state(0)
        assert bot.decide(view, match.legal(0)) == mousse.decide(view, match.legal(0))
    assert bot.faults == {kind: STRIKES} and what in bot.example
    assert len(told) == STRIKES and told[0][0] == "matelot"


def test_below_the_mousse_there_is_chance():
    match = FPP.match(2, seed=1)
    bot = Fallback("mousse", Broken(fails), FPP, 5)
    chosen = {bot.decide(match.view_state(0), match.legal(0)) for _k in range(40)}
    assert chosen == set(match.legal(0))


def test_a_bot_cannot_change_the_match_through_its_view():
    match = FPP.match(2, seed=1)

    def scribbles(view, legal):
        legal.clear()
        view.fill(0) if hasattr(view, "fill") else None
        for name in view.dtype.names:
            view[name] = 0
        return 0

    view, legal = match.view_state(0), match.legal(0)
    before, choices = view.tobytes(), list(legal)
    assert Fallback("matelot", Broken(scribbles), FPP, 5).decide(view, legal) == 0
    assert view.tobytes() == before and legal == choices


# -- at the terminal --------------------------------------------------------------------------------------------------


def at_the_terminal(*args, stdin="\n" * 200):
    done = subprocess.run(
        [sys.executable, "-m", "tribord.cli", "play", *map(str, args), "--plain", "--lang", "en"],
        input=stdin, env=os.environ | {"TRIBORD_INTERPRETED": "1"}, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_a_program_plays_at_the_terminal(tmp_path):
    status, told = at_the_terminal(
        FPP.id, "--players", 2, "--bot", EXAMPLE, "--save", tmp_path / "m.json", stdin="1\n" * 3
    )
    assert status == 0 and "failed" not in told
    assert "Green has picked a pirate" in told


def test_a_program_that_fails_at_the_terminal_is_named_and_replaced(program):
    status, told = at_the_terminal(FPP.id, "--players", 2, "--bot", program("sys.exit(3)"), stdin="1\n" * 3)
    assert status == 0 and "failed: it ended with status 3. The rank below decides instead." in told
    assert "Green has picked a pirate" in told


def test_a_match_file_starts_no_program(tmp_path, capsys):
    file, trace = tmp_path / "m.json", tmp_path / "trace"
    FPP.match(2, seed=1, names=["", f"cmd:touch {trace}"]).save(file)
    assert main(["play", "--resume", str(file), "--lang", "en"]) == 2
    assert "a file can’t start a program" in capsys.readouterr().err
    assert not trace.exists()
    status, _told = at_the_terminal("--resume", file, "--bot", "mousse", stdin="1\n")
    assert status == 0 and not trace.exists()


def test_a_program_that_does_not_exist_is_refused():
    with pytest.raises(BadOption, match="can’t start"):
        arena(FPP, ["mousse", "cmd:no-such-program-here"], 2, 2)
    assert main(["play", FPP.id, "--bot", "cmd:no-such-program-here"]) == 2
