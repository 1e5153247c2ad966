"""The command line, run as people and machines run it: commands, exit statuses, sentences in both languages."""

import json
import os
import re
import subprocess
import sys
import unicodedata

import pytest

import tribord
from tribord.cli import main
from tribord.cli.speech import Speech, spoken_in
from tribord.core.chance import Dice
from tribord.core.journal import BAD_LINE, NO_FILE
from tribord.core.reason import reason
from tribord.core.refusal import BadFile
from tribord.core.signature import Signer, digest, fingerprint

ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TRIBORD_LANG")}
ENVIRONMENT |= {"TRIBORD_INTERPRETED": "1", "LC_ALL": "C.UTF-8", "TERM": "xterm"}


def run(*args, lang="", stdin=""):
    """Run `tribord` with these arguments: (exit status, stdout, stderr). No traceback, ever."""
    environment = ENVIRONMENT | ({"TRIBORD_LANG": lang} if lang else {})
    done = subprocess.run(
        [sys.executable, "-m", "tribord.cli", *map(str, args)],
        input=stdin, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def here(monkeypatch, capfd):
    """`run` within this process: the same interface, without starting another Python."""

    def run_here(*args, lang=""):
        monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
        monkeypatch.setenv("TRIBORD_LANG", lang or "en")
        status = main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        return status, out, err

    return run_here


@pytest.fixture
def finished(tmp_path):
    """A match file with throws and sealed choices, played to the end."""
    match = tribord.load("faut-pas-pousser").match(players=2, seed=11)
    match.play(0, "pick 2")
    match.play(1, "pick 5")
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[-1])
    path = tmp_path / "match.json"
    match.save(path)
    return path


# Commands for machines


def test_games_json_has_every_game():
    status, out, _err = run("games", "--json")
    listed = json.loads(out)
    assert status == 0
    assert [game["id"] for game in listed] == tribord.game_ids()
    for entry in listed:
        game = tribord.load(entry["id"])
        assert entry["players"] == list(game.players)
        assert entry["actions"] == game.actions
        assert entry["state_bytes"] == game.state_bytes
        assert entry["version"] == game.version
        assert [option["name"] for option in entry["options"]] == [option.name for option in game.options]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_games_for_people_name_every_option(lang, here):
    _status, out, _err = here("games", lang=lang)
    for name in tribord.game_ids():
        assert name in out
        for option in tribord.load(name).options:
            assert tribord.load(name).words(lang).say(option.meaning) in out


@pytest.mark.parametrize("name", tribord.game_ids())
def test_simulate_json_is_the_same_at_any_thread_count(name, here):
    players = tribord.load(name).players[1]
    if name == "ile-aux-pirates":
        players = 4
    arguments = ("simulate", name, "--players", players, "--matches", 5, "--seed", 3, "--json")
    one, two = (json.loads(here(*arguments, "--threads", threads)[1]) for threads in (1, 2))
    assert set(one) == {
        "game", "players", "options", "bots", "seed", "matches", "actions", "seconds", "actions_per_second",
        "score_mean", "win_share", "length_mean", "score_interval", "win_share_interval", "length", "shared",
        "without_winner", "reasons", "faults", "digest", "device",
    }  # fmt: skip
    assert one["matches"] == 5
    assert one["digest"] == two["digest"]
    assert one["score_mean"] == two["score_mean"]


def test_simulate_takes_options(here):
    _status, out, _err = here(
        "simulate", "faut-pas-pousser", "--players", 3, "--matches", 2, "--option", "age=2,0,1", "--json"
    )
    assert json.loads(out)["options"] == {"age": [2, 0, 1]}


def test_simulate_for_people_lists_every_seat(here):
    _status, out, _err = here("simulate", "faut-pas-pousser", "--players", 3, "--matches", 3, lang="fr")
    assert out.count("Place ") == 3


def test_arena_for_people_and_for_machines(here, tmp_path):
    arguments = ("arena", "faut-pas-pousser", "--bots", "mousse,uniform", "--players", 2, "--matches", 4, "--jobs", 1)
    _status, out, _err = here(*arguments, "--to", tmp_path / "a.jsonl", "--plot", tmp_path / "a.svg", lang="fr")
    assert "4 parties en 2 tours de 2" in out and "mousse" in out
    assert (tmp_path / "a.svg").stat().st_size > 0
    status, out, err = here(*arguments, "--to", tmp_path / "a.jsonl", "--json")
    assert (status, err) == (0, "") and json.loads(out)["matches"] == 4
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write('{"number": 4, "rou')
    _status, _out, err = here(*arguments, "--to", tmp_path / "a.jsonl")
    assert "cut short" in err


def test_perft_json(here):
    status, out, _err = here("perft", "faut-pas-pousser", "--players", 4, "--depth", 3, "--json")
    assert status == 0
    assert json.loads(out) == {
        "game": "faut-pas-pousser", "players": 4, "options": {"age": [0, 1, 2, 3]}, "depth": 3, "nodes": 216,
    }  # fmt: skip


def test_version_and_help():
    assert run("--version") == (0, f"{tribord.__version__}\n", "")
    status, out, _err = run("--help", lang="fr")
    assert status == 0
    for command in ("play", "replay", "verify", "games", "simulate", "arena", "bench", "perft"):
        assert command in out
    assert "règles exactes" in out
    assert "personne" in run("play", "--help", "--lang", "fr")[1]


@pytest.mark.parametrize("command", ["", "play", "arena", "serve", "audit"])
def test_help_in_french_has_no_english_left(command):
    status, out, _err = run(*filter(None, [command]), "--help", lang="fr")
    assert status == 0 and "Afficher cette" in out
    words = set(re.findall(r"[A-Za-z]{4,}", re.sub(r"--[a-z-]+|<[^>]*>|^ *│ [a-z]+ ", "", out, flags=re.M)))
    assert not words & {"Show", "this", "message", "default", "required", "Commands", "FILE", "GAME", "RANK", "SEAT"}


# Match files


def test_verify_an_honest_file(finished):
    status, out, err = run("verify", finished)
    assert (status, err) == (0, "")
    assert "checks out" in out
    assert json.loads(run("verify", finished, "--json")[1]) == {
        "file": str(finished), "ok": True, "problems": [], "signer": None, "contributions": [],
        "digest": digest(json.loads(finished.read_text(encoding="utf-8"))),
    }  # fmt: skip


def tampered(path, **changes):
    """The file with these fields changed."""
    content = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "code", "french"),
    [
        ({"seed": "12"}, "bad-seed", "graine"),
        ({"tribord": 99}, "later-format", "plus récente"),
        ({"game_version": 99}, "newer-rules", "version 99"),
        ({"game": "scrabble"}, "not-installed", "scrabble"),
        ({"players": 9}, "bad-players", "de 2 à 4 joueurs"),
        ({"options": {"wind": 3}}, "unknown-option", "wind"),
        ({"outcome": None}, "bad-outcome", "issue"),
        ({"state": "0" * 64}, "bad-state", "empreinte de l’état"),
        ({"journal": [{"seat": 0, "action": "pick 9"}]}, "bad-line", "Ligne 1\u00a0: «\u00a0pick 9\u00a0»"),
        ({"journal": [{"chance": "card 4"}]}, "bad-line", "Ligne 1"),
        ({"journal": [7]}, "bad-field", "journal[0]"),
        ({"seed": 11}, "bad-field", "seed"),
    ],
)
def test_verify_says_what_is_wrong(finished, change, code, french, here):
    tampered(finished, **change)
    status, out, _err = here("verify", finished, "--json", "--lang", "fr")
    found = json.loads(out)
    assert status == 2
    assert not found["ok"]
    assert code in [problem["code"] for problem in found["problems"]]
    status, out, err = here("verify", finished, lang="fr")
    assert status == 2 and "cohérent" not in out
    assert french in err


SIGNER = Signer(bytes(range(32)))


def signed(path):
    """The file with a server's signature."""
    content = SIGNER.sign(json.loads(path.read_text(encoding="utf-8")))
    path.write_text(json.dumps(content), encoding="utf-8")
    return content


def test_verify_says_who_signed_a_file_and_when_nobody_did(finished, here):
    assert "isn’t signed: names and times could have been changed" in here("verify", finished)[1]
    signed(finished)
    status, out, _err = here("verify", finished)
    assert status == 0 and f"with the key {fingerprint(SIGNER.public)}:" in out
    assert json.loads(here("verify", finished, "--json")[1])["signer"] == SIGNER.public
    tampered(finished, game_version=0)
    status, out, err = here("verify", finished)
    assert (status, out) == (2, "") and "signature doesn’t hold" in err


def test_verify_takes_only_the_server_that_was_pinned(finished, here):
    signed(finished)
    spaced = f" {SIGNER.public[:32].upper()} {SIGNER.public[32:]}"
    assert here("verify", finished, "--signer", spaced)[0] == 0
    assert here("verify", finished, "--key", spaced)[0] == 0  # its name in earlier versions
    status, out, err = here("verify", finished, "--signer", Signer(bytes(32)).public)
    assert (status, out) == (2, "") and SIGNER.public in err
    assert "64 digits" in here("verify", finished, "--signer", "abc")[2]


def test_a_renamed_player_is_not_the_match_that_was_noted(finished, here):
    content = json.loads(finished.read_text(encoding="utf-8"))
    noted = digest(content)
    assert "nothing in it has changed" in here("verify", finished, "--commitment", noted)[1]
    tampered(finished, names=["Mary", "Zoé"])
    status, out, err = here("verify", finished, "--commitment", noted)
    assert (status, out) == (2, "") and noted in err
    status, out, _err = here("verify", finished, "--commitment", content["commitment"])
    assert status == 0 and "the seed is the same" in out and "names and times could have been changed" in out


def test_verify_lists_who_added_to_the_dice(tmp_path, at_random, here):
    dice = Dice("11", ["a1" * 32, None, "b2" * 32])
    match = at_random(tribord.load("faut-pas-pousser").match(3, dice, names=["Anne\x1b", "Zoé"]), 3)
    match.save(tmp_path / "match.json")
    status, out, _err = here("verify", tmp_path / "match.json")
    assert status == 0
    assert f"Anne\\x1b added to the seed: {'a1' * 32}\nPlayer 3 added to the seed: {'b2' * 32}\n" in out
    assert "Zoé" not in out
    found = json.loads(here("verify", tmp_path / "match.json", "--json")[1])
    assert found["contributions"] == dice.contributions


def test_a_rule_broken_inside_a_file_is_reported_in_french(finished, here):
    journal = json.loads(finished.read_text(encoding="utf-8"))["journal"]
    first = next(k for k, line in enumerate(journal) if "@" in line.get("action", ""))
    journal[first + 1 :] = [{**journal[first], "action": "pick 1"}]
    journal[first] = journal[first + 1]
    tampered(finished, journal=journal)
    _status, _out, err = here("replay", finished, lang="fr")
    game = tribord.load("faut-pas-pousser")
    assert game.words("fr").say(game.text.REFUSALS["picked"][1]) in err
    assert "(F3)" in err


def test_a_changed_throw_is_found(finished):
    journal = json.loads(finished.read_text(encoding="utf-8"))["journal"]
    place = next(k for k, line in enumerate(journal) if "chance" in line)
    journal[place]["chance"] = "card 1" if journal[place]["chance"] != "card 1" else "card 2"
    tampered(finished, journal=journal)
    status, _out, err = run("verify", finished, lang="en")
    assert status == 2
    assert f"Line {place + 1}: the file says" in err


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_files_that_are_no_match_files(tmp_path, finished, command, here):
    cut = tmp_path / "cut.json"
    cut.write_bytes(finished.read_bytes()[:400])
    alien = tmp_path / "alien.json"
    alien.write_text('{"white": "e4"}', encoding="utf-8")
    noise = tmp_path / "noise.json"
    noise.write_bytes(bytes(range(256)))
    nowhere = tmp_path / "none.json"
    for path, sentence in ((cut, "abîmé"), (alien, "Tribord"), (noise, "abîmé"), (nowhere, "pas de fichier")):
        status, out, err = here(command, path, lang="fr")
        assert (status, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_replay_shows_every_event_in_order(finished, lang, plain, here):
    status, out, _err = here("replay", finished, "--lang", lang, *plain)
    assert status == 0
    match = tribord.Match.load(finished)
    words = match.game.words(lang)
    place = 0
    for event in match.events:
        place = out.index(match.game.say_event(event, words), place)
    assert words.say(match.game.text.ENDINGS[match.outcome.reason]) in out[place:]
    assert ("──" in out) == (not plain)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_replay_explains_every_event_if_asked_to(finished, lang, here):
    status, out, _err = here("replay", finished, "--lang", lang, "--explain")
    assert status == 0
    match = tribord.Match.load(finished)
    words = match.game.words(lang)
    place = 0
    for event in match.events:
        both = f"{match.game.say_event(event, words)}\n     {reason(match.game, event, lang)}\n"
        place = out.index(both, place)
    assert both not in here("replay", finished, "--lang", lang)[1]


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "A bot (bosco) played for "), ("fr", "Un robot (bosco) a joué pour ")]
)
def test_replay_says_which_bots_have_played(finished, lang, said, here):
    assert said not in here("replay", finished, "--lang", lang)[1]
    content = json.loads(finished.read_text(encoding="utf-8"))
    for line in content["journal"]:
        if line.get("seat") == 1:
            line["rank"] = "bosco"
    finished.write_text(json.dumps(content), encoding="utf-8")
    assert here("replay", finished, "--lang", lang)[1].count(said) == 1


def test_replay_shows_a_seat_its_own_sealed_choice_and_nobody_elses(finished, here):
    pick = tribord.Match.load(finished).journal[1]
    game = tribord.load("faut-pas-pousser")
    choice = game.say_action(pick.action, game.words("en"))
    assert choice in here("replay", finished, "--seat", pick.seat)[1]
    assert choice not in here("replay", finished, "--seat", 1 - pick.seat)[1]
    assert choice not in here("replay", finished)[1]


def test_replay_step_by_step(finished):
    assert run("replay", finished, "--step", "--lang", "en", stdin="\n\nq\n")[1].count("Step ") == 3
    assert run("replay", finished, "--step", "--lang", "en", stdin="\n")[1].count("Step ") == 2
    assert run("replay", finished, "--step", "--lang", "en", stdin="\n" * 999)[0] == 0


def test_replay_of_an_unfinished_match_says_who_is_next(tmp_path):
    match = tribord.load("faut-pas-pousser").match(players=3, seed=1)
    match.play(0, "pick 2")
    match.save(tmp_path / "half.json")
    assert "Green, Red" in run("replay", tmp_path / "half.json", "--lang", "en")[1]


@pytest.mark.parametrize(("lang", "said"), [("en", "played with older rules"), ("fr", "anciennes règles")])
def test_replay_of_older_rules_lists_what_was_decided(finished, lang, said, here):
    file = json.loads(finished.read_text(encoding="utf-8"))
    status, out, _err = here("replay", tampered(finished, game_version=0), "--lang", lang)
    assert status == 0
    first, *lines, last = out.splitlines()
    assert said in first and "version 0" in first and "version 1" in first
    assert [line.rpartition(": ")[2] for line in lines] == [
        entry.get("action", entry.get("chance")) for entry in file["journal"]
    ]
    assert ", ".join(map(str, file["outcome"]["scores"])) in last


STEERING = "\x1b]0;mine\x07\x1b[2J\u202e\u2066\x9b2J\r\n\u2028\ud83d"
HARMLESS = r"\x1b]0;mine\x07\x1b[2J\u202e\u2066\x9b2J\r\n\u2028\ud83d"


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"game": STEERING}, True),
        ({"game": "gone", "names": [STEERING, "Zoé"]}, "replay"),
        ({"game_version": 0, "names": [STEERING, "Zoé"]}, "replay"),
        ({"game_version": 0, "journal": [{"chance": STEERING}]}, "replay"),
        ({"journal": [{"seat": 0, "action": STEERING}]}, True),
        ({"options": {STEERING: 1}}, True),
        ({"names": [STEERING, "Zoé"]}, False),
    ],
)
def test_what_a_file_says_never_steers_the_terminal(finished, command, change, shown, here):
    _status, out, err = here(command, tampered(finished, **change))
    assert not [sign for sign in out + err if sign != "\n" and unicodedata.category(sign)[0] == "C"]
    assert "\u2028" not in out + err
    assert (HARMLESS in out + err) == (shown in (True, command))


@pytest.mark.parametrize("command", [["analyse", "--iterations", "2", "--playouts", "2"], ["verify"]])
def test_json_never_steers_the_terminal_and_says_the_same(finished, command, here):
    names = [STEERING + "\x7f\U000e0001", "Zoé"]
    path = tampered(finished, names=names)
    status, out, _err = here(*command, path, "--json")
    assert status == 0 and not [sign for sign in out if sign != "\n" and unicodedata.category(sign)[0] == "C"]
    assert "\u2028" not in out
    if command == ["verify"]:
        return
    assert "Zoé" in out and json.loads(out)["names"] == names
    assert r"\u009b2J" in out and r"\u007f" in out


def test_a_file_name_never_steers_the_terminal(tmp_path, here):
    _status, out, err = here("verify", tmp_path / "\x1b[2J.json")
    assert out == "" and r"“\x1b[2J.json”" in err


def test_a_reader_that_stops_reading_is_no_trouble(finished):
    command = f"{sys.executable} -m tribord.cli replay {finished} | head -1"
    done = subprocess.run(command, shell=True, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.stderr == ""


# Bad input


@pytest.mark.parametrize(
    ("args", "french", "english"),
    [
        (["play", "scrabble"], "pas de jeu «\u00a0scrabble\u00a0»", "no game “scrabble”"),
        (["play", "faut-pas-pousser", "--players", "7"], "de 2 à 4 joueurs", "2 to 4 players"),
        (["play", "faut-pas-pousser", "--players", "0"], "pas à 0", "not 0"),
        (["play", "faut-pas-pousser", "--players", "two"], "--players", "--players"),
        (["play", "faut-pas-pousser", "--me", "4"], "place 4", "seat 4"),
        (["play", "faut-pas-pousser", "--me", "-1"], "place -1", "seat -1"),
        (["play", "faut-pas-pousser", "--bot", "amiral"], "grade", "rank"),
        (["play", "faut-pas-pousser", "--option", "wind=3"], "wind", "wind"),
        (["play", "faut-pas-pousser", "--option", "age=0,0,1,2"], "(F4)", "(F4)"),
        (["play", "faut-pas-pousser", "--option", "age"], "NOM=VALEUR", "NAME=VALUE"),
        (["play", "faut-pas-pousser", "--resume", "x.json"], "JEU", "GAME"),
        (["play", "--resume", "nowhere.json"], "nowhere.json", "nowhere.json"),
        (["play", "--from", "nowhere.json", "--at", "3"], "nowhere.json", "nowhere.json"),
        (["play", "--at", "3"], "--from", "--from"),
        (["play", "--redeal", "1"], "--from", "--from"),
        (["play", "faut-pas-pousser", "--from", "x.json"], "JEU", "GAME"),
        (["play", "--resume", "x.json", "--from", "y.json"], "--resume", "--resume"),
        (["play", "faut-pas-pousser", "--save", "/nowhere/at/all.json"], "all.json", "all.json"),
        (["play", "--sedd", "4"], "--sedd", "--sedd"),
        (["play", "--seed"], "--seed", "--seed"),
        (["play", "faut-pas-pousser", "walk-the-plank"], "ne comprend pas", "understands"),
        (["simulate"], "JEU", "GAME"),
        (["simulate", "chess"], "chess", "chess"),
        (["simulate", "faut-pas-pousser", "--matches", "0"], "au moins 1", "at least 1"),
        (["simulate", "faut-pas-pousser", "--threads", "0"], "au moins 1", "at least 1"),
        (["simulate", "faut-pas-pousser", "--bots", "mousse,mousse"], "4 places", "4 seats"),
        (["simulate", "faut-pas-pousser", "--to", "matches.xlsx"], ".parquet", ".parquet"),
        (["arena"], "JEU", "GAME"),
        (["arena", "faut-pas-pousser"], "--bots", "--bots"),
        (["arena", "faut-pas-pousser", "--bots", "mousse"], "deux robots", "two bots"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,mousse"], "deux fois", "twice"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,amiral"], "amiral", "amiral"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,cmd:nobody-has-this"], "nobody-has-this", "nobody-has-this"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,matelot", "--players", "7"], "pas à 7", "not 7"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,matelot", "--clock", "0"], "horloge", "clock"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,matelot", "--clock", "soon"], "--clock", "--clock"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,matelot", "--matches", "0"], "au moins 1", "at least 1"),
        (["arena", "faut-pas-pousser", "--bots", "mousse,matelot", "--plot", "a.gif"], ".png", ".png"),
        (["perft", "faut-pas-pousser"], "--depth", "--depth"),
        (["perft", "faut-pas-pousser", "--depth", "-1"], "au moins 0", "at least 0"),
        (["sail"], "commande «\u00a0sail\u00a0»", "command “sail”"),
        (["games", "--lang", "breton"], "breton", "breton"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(args, french, english, here):
    for lang, sentence in (("fr", french), ("en", english)):
        status, out, err = here(*args, lang=lang)
        assert (status, out) == (2, "")
        assert sentence in err
        assert err.count("\n") == 1


def test_bad_input_in_a_process_of_its_own():
    status, out, err = run("play", "scrabble", lang="fr")
    assert (status, out) == (2, "")
    assert "scrabble" in err


def test_bad_input_about_a_file_seat(finished, here):
    assert here("replay", finished, "--seat", 5)[0] == 2


def test_resume_does_not_touch_a_tampered_file(finished, here):
    tampered(finished, seed="12")
    before = finished.read_bytes()
    assert here("play", "--resume", finished)[0] == 2
    assert finished.read_bytes() == before


def test_save_never_overwrites(tmp_path, here):
    treasure = tmp_path / "treasure.txt"
    treasure.write_text("X marks the spot", encoding="utf-8")
    status, _out, err = here("play", "faut-pas-pousser", "--save", treasure, lang="en")
    assert status == 2
    assert "treasure.txt" in err
    assert treasure.read_text(encoding="utf-8") == "X marks the spot"


# Language


def test_the_language_is_found_in_the_command_line_or_the_locale(monkeypatch):
    monkeypatch.setenv("TRIBORD_LANG", "en")
    assert spoken_in(["play", "--lang", "fr"]) == "fr"
    assert spoken_in(["play", "--lang=fr"]) == "fr"
    assert spoken_in(["play", "--lang"]) == "en"
    monkeypatch.setenv("TRIBORD_LANG", "fr")
    assert spoken_in(["play"]) == "fr"


def test_a_reason_inside_a_reason_is_in_the_same_language():
    inner = BadFile("no-file", NO_FILE, path="x.json")
    outer = BadFile("bad-line", BAD_LINE, line=3, reason=inner)
    assert Speech("fr").refusal(outer) == "Ligne 3\u00a0: Il n’y a pas de fichier «\u00a0x.json\u00a0»."


@pytest.mark.parametrize(("lang", "card"), [("en", "Pull to Ship"), ("fr", "Tirer vers le navire")])
def test_statistics_show_tips_first_and_what_goes_with_winning(here, lang, card):
    status, shown, _ = here("statistics", "walk-the-plank", lang=lang)
    assert status == 0 and shown.index("%") < shown.index("10000")  # the tips
    line = next(line for line in shown.splitlines() if "reveals.card" in line)
    assert f"{card} 38.1% [37.1, 39.0]" in line and line.count(" · ") == 9
    assert shown.count("reveals.card") == 12  # each number of players and rank
    _, shown, _ = here("statistics", "faut-pas-pousser", lang=lang)
    assert "moves.card" in shown and "−3 25.1%" in shown
