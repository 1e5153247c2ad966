"""A game from another package: built and installed as its own distribution, and played wherever games are played.

The distribution is tribord-kraken, its package kraken_game, its entry point kraken: the last of these is the game's id.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.page.sailor import LAPTOP, aboard, chromium, moved_on, sit_down, version_of
from tests.server.launcher import ServerProcess

from tribord.client import Client

HOUSE = Path(__file__).parents[1]
PLUGIN = HOUSE / "tests" / "plugin"
PACKAGE = PLUGIN / "src" / "kraken_game"


class Place:
    """A folder of installed distributions beside Tribord, and processes that see them."""

    def __init__(self, folder: Path, cache: Path):
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(folder), str(HOUSE / "src"), os.environ.get("PYTHONPATH", "")]),
            "TRIBORD_CACHE": str(cache),
            "TRIBORD_LANG": "en",
        }

    def run(self, *arguments: object, status: int = 0, text: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(
            command, env=self.environment, cwd=self.folder, input=text, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout[-2000:] + done.stderr[-4000:]
        return done

    def tribord(self, *arguments: object, status: int = 0, text: str = "") -> str:
        return self.run("-m", "tribord.cli", *arguments, status=status, text=text).stdout

    def python(self, code: str) -> str:
        return self.run("-c", code).stdout


@pytest.fixture(scope="module")
def place(once: Callable[..., Path]) -> Place:
    """The plugin, built from a copy of its sources as a user would, and installed; compiled code is shared, too."""

    def install(folder: Path) -> None:
        source = folder / "source"
        shutil.copytree(PLUGIN, source, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=source, check=True)
        wheel = next((source / "dist").glob("*.whl"))
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
        subprocess.run([*pip, str(folder / "installed"), str(wheel)], check=True)

    folder = once("plugin", install)
    return Place(folder / "installed", folder / "cache")


@pytest.fixture(scope="module")
def server(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server"), "--limits", "0", environment=place.environment) as serving:
        yield serving


# -- everywhere -------------------------------------------------------------------------------------------------------


def test_its_id_is_the_name_of_its_entry_point(place):
    code = """
import tribord, kraken_game
game = tribord.load("kraken")
assert game is kraken_game.GAME and game.id == kraken_game.GAME.id == "kraken"
assert "kraken" in tribord.game_ids() and "kraken-game" not in tribord.game_ids()
print(game.words("fr").say(game.text.ASK["kind"]))
"""
    assert place.python(code) == "Ramer encore, ou rentrer\u202f?\n"
    assert "Kraken (kraken), 2 to 4 players" in place.tribord("games")
    assert [game["id"] for game in json.loads(place.tribord("games", "--json"))].count("kraken") == 1


def test_it_needs_no_puzzles(place, server):
    refused = place.run("-m", "tribord.cli", "puzzle", "kraken", status=2).stderr
    assert refused == "Kraken has no puzzles.\n"
    assert "the puzzle of the day" in place.tribord("puzzle", text="q\n")
    assert "kraken" not in [each["game"] for each in json.loads(fetch(f"{server.url}/api/puzzles"))["games"]]


def test_it_passes_the_kit(place):
    place.python("from tribord import load\nfrom tribord.testing import check_game\ncheck_game(load('kraken'), 400)")


def test_it_is_played_in_the_terminal_and_its_match_file_is_kept_and_checked(place, tmp_path):
    file = tmp_path / "match.json"
    answers = "".join(f"{random.Random(1).randint(1, 2)}\n" for _answer in range(400))
    shown = place.tribord(
        "play",
        "kraken",
        "--me",
        0,
        "--bot",
        "matelot",
        "--players",
        3,
        "--seed",
        4,
        "--plain",
        "--save",
        file,
        text=answers,
    )
    assert "Row on, or land?" in shown and re.search(r"\w+ wins with 2\d!", shown)
    code = f"""
from tribord import Match
match = Match.load({str(file)!r})
assert match.game.id == "kraken" and match.over
print(match.outcome.scores)
"""
    assert max(json.loads(place.python(code))) >= 20
    assert place.tribord("verify", file)
    assert "wins with" in place.tribord("replay", file)


def test_bots_play_it_in_the_arena_in_several_processes(place):
    arguments = ["arena", "kraken", "--bots", "uniform,matelot,capitaine", "--players", 3, "--matches", 6, "--json"]
    one, two = (json.loads(place.tribord(*arguments, "--jobs", jobs)) for jobs in (1, 2))
    assert one["digest"] == two["digest"] and one["game"] == "kraken"
    assert not any(sum(standing["faults"].values()) for standing in one["standings"])


def test_it_is_simulated_counted_and_reported(place, tmp_path):
    told = [json.loads(place.tribord("simulate", "kraken", "--matches", 5000, "--jobs", n, "--json")) for n in (1, 2)]
    assert told[0]["digest"] == told[1]["digest"]
    assert json.loads(place.tribord("perft", "kraken", "--depth", 3, "--json"))
    place.tribord("simulate", "kraken", "--matches", 200, "--report", tmp_path / "report")
    assert "Kraken" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_what_its_bots_need_is_compiled_by_other_processes(place):
    code = """
import time
from tribord.bots.preparation import Preparation, every_task, is_kept
ours = [task for task in every_task() if task[0] == "kraken"]
preparation = Preparation(everything=False)
preparation.want(ours)
preparation.start()
end = time.monotonic() + 120
while not all(map(is_kept, ours)) and time.monotonic() < end:
    time.sleep(0.1)
preparation.stop()
print(len(ours), all(map(is_kept, ours)))
"""
    assert place.python(code) == "3 True\n"


def test_it_is_an_environment_of_gymnasium_pettingzoo_and_openspiel(place):
    code = """
import gymnasium, numpy as np, pyspiel
import tribord.research.gymnasium, tribord.research.openspiel
from tribord.research import pettingzoo

def any_of(mask):
    return int(np.flatnonzero(mask)[0])

env = gymnasium.make("tribord/Kraken-v1", opponents="mousse")
seen, info = env.reset(seed=1)
done = False
while not done:
    seen, reward, over, cut, info = env.step(any_of(seen["action_mask"]))
    done = over or cut

many = gymnasium.make_vec("tribord/Kraken-v1", num_envs=3, vectorization_mode="vector_entry_point")
seen, info = many.reset(seed=1)
ended = 0
for _step in range(200):
    seen, rewards, over, cut, info = many.step(seen["action_mask"].argmax(axis=1))
    ended += int((over | cut).sum())
assert ended

together = pettingzoo.parallel_env("kraken", players=3)
seen, info = together.reset(seed=1)
while together.agents:
    masks = {agent: seen[agent]["action_mask"] for agent in together.agents}
    chosen = {agent: any_of(mask) for agent, mask in masks.items() if mask.any()}
    seen, rewards, over, cut, info = together.step(chosen)

aec = pettingzoo.env("kraken", players=3)
aec.reset(seed=1)
for agent in aec.agent_iter():
    seen, reward, over, cut, info = aec.last()
    aec.step(None if over or cut else any_of(seen["action_mask"]))

game = pyspiel.load_game("tribord_kraken(players=3)")
state = game.new_initial_state()
while not state.is_terminal():
    state.apply_action(state.chance_outcomes()[-1][0] if state.is_chance_node() else state.legal_actions()[-1])
print(sum(state.returns()))
"""
    assert place.python(code) == "1.0\n"


def test_it_is_served_over_a_real_socket_against_a_bot(server):
    async def play() -> dict[str, object]:
        client = await Client.create(server.url, "kraken", "Anne", 2, seats=["me", "capitaine"])
        async with client:
            actions = await client.actions()
            assert actions[1]["fr"] == "Rentrer avec ce qui est dans la barque"
            await client.do("start")
            async for turn in client.turns():
                await client.act(turn.seat, turn.legal[-1], turn.version)
            return await client.match_file()

    assert asyncio.run(play())["game"] == "kraken"


def test_it_is_played_on_the_page_with_its_own_drawing(server):
    with chromium(drawn=False) as browser, aboard(browser, LAPTOP, "en", at=server.url) as page:
        card = page.locator(".game-card", has_text="Kraken")
        expect(card).to_contain_text("Fish up treasure")
        expect(card.locator("svg path").first).to_be_attached()  # its cover
        page.goto(f"{server.url}/#/rules/kraken")
        expect(page.get_by_text("A 1 wakes the kraken").first).to_be_visible()
        sit_down(page, server.url, "kraken", 2)
        expect(page.locator("[data-boat=blue] .hull")).to_be_visible()
        for _turn in range(40):
            page.locator(".act .primary, .result").first.wait_for()
            if page.locator(".result").count():
                break
            version = version_of(page)
            land = page.get_by_role("button", name="Land", exact=True)
            if land.count():  # where nothing else is possible, the page has chosen it already
                land.click()
            page.locator(".act .primary").click()
            moved_on(page, version)
        expect(page.locator(".result")).to_contain_text("someone is rich")


# -- what its author needs and reads -----------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, place: Place) -> Place:
    """The plugin as its author has it: an editable install."""
    source = tmp_path / "plugin"
    shutil.copytree(PLUGIN, source, ignore=shutil.ignore_patterns("__pycache__", "locale"))
    for noted in place.folder.glob("*.dist-info"):
        shutil.copytree(noted, source / "src" / noted.name)
    found = Place(source / "src", Path(place.environment["TRIBORD_CACHE"]))
    found.folder = source
    return found


def test_its_author_makes_catalogue_golden_data_and_page(own):
    told = own.run("-m", "tribord.testing.catalogue", "kraken").stdout
    assert f"kraken: 26 messages, 26 to translate in {own.folder}/src/kraken_game/locale/fr" in told
    own.run("-m", "tribord.testing.golden", "kraken", "--folder", "tests")
    assert (own.folder / "tests" / "kraken" / "perft.json").exists()
    checked = "from tribord.testing.golden import check_golden; check_golden(load('kraken'), Path('tests'))"
    own.python(f"from pathlib import Path; from tribord import load; {checked}")
    own.run("-m", "tribord.testing.page", "kraken", "--folder", "docs")
    assert (own.folder / "docs" / "kraken.md").read_text(encoding="utf-8").startswith("# Kraken\n")


def test_the_page_about_adding_a_game_shows_what_works():
    page = (HOUSE / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    shown = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.S)[1])["project"]
    built = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert shown == {name: built[name] for name in shown}
    folder = re.search(r"## The folder\n(.*?)\n\nIts tests", page, re.S)[1]
    missing = {name for name in re.findall(r"^\| `([\w.]+)", folder, re.M) if not (PACKAGE / name).exists()}
    assert missing == {"picture.py", "versions.py"}  # which may be missing


# -- plugins that fail ------------------------------------------------------------------------------------------------


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def distribution(folder: Path, name: str, entry: str) -> None:
    """What installing a distribution leaves behind, apart from its package."""
    noted = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (noted / "entry_points.txt").write_text(f"[tribord.games]\n{entry}\n")


@pytest.fixture
def harbour(tmp_path: Path, place: Place) -> Place:
    """The plugin beside others that must fail."""
    folder = tmp_path / "installed"
    shutil.copytree(place.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return Place(folder, Path(place.environment["TRIBORD_CACHE"]))


BROKEN = [
    ("squid = squid_game:GAME", {}, "“squid” can’t be loaded, the package “squid-box” fails: ModuleNotFoundError"),
    ("squid = squid_game:GAME", {"__init__.py": "1 / 0"}, "fails: ZeroDivisionError: division by zero."),
    ("squid = squid_game:GAME", {"__init__.py": "raise SystemExit"}, "the package “squid-box” fails: SystemExit"),
    ("squid = squid_game:GAME", {"__init__.py": "GAME = 7"}, "“GAME” in squid_game isn’t a Game."),
    ("squid = squid_game:OTHER", {"__init__.py": ""}, "has no attribute 'OTHER'."),
    ("squid = squid_game:GAME", {"__init__.py": "from kraken_game import GAME"}, "Write “kraken_game:GAME”."),
    ("Squid! = squid_game:GAME", {"__init__.py": ""}, "an id has small letters, digits and hyphens."),
]


@pytest.mark.parametrize(("entry", "files", "why"), BROKEN)
def test_a_plugin_that_fails_is_reported_and_takes_no_other_game_down(harbour, entry, files, why):
    distribution(harbour.folder, "squid-box", entry)
    for name, source in files.items():
        (harbour.folder / "squid_game").mkdir(exist_ok=True)
        (harbour.folder / "squid_game" / name).write_text(source)
    name = entry.partition(" =")[0]
    listed = harbour.run("-m", "tribord.cli", "games")
    assert why in listed.stderr and "Kraken (kraken)" in listed.stdout and "Faut pas pousser" in listed.stdout
    refused = harbour.run("-m", "tribord.cli", "perft", name, "--depth", 1, status=2)
    assert why in refused.stderr and "Traceback" not in refused.stderr
    told = harbour.run("-m", "tribord.cli", "perft", name, "--depth", 1, "--lang", "fr", status=2).stderr
    assert "ne peut pas être chargé" in told


def test_a_broken_plugin_leaves_server_and_environments_standing(harbour, tmp_path):
    distribution(harbour.folder, "squid-box", "squid = squid_game:GAME")
    code = """
import gymnasium, pyspiel
import tribord.research.gymnasium, tribord.research.openspiel
assert "tribord/Kraken-v1" in gymnasium.registry and "tribord_kraken" in pyspiel.registered_names()
"""
    harbour.python(code)
    with ServerProcess(tmp_path, "--limits", "0", environment=harbour.environment) as serving:
        house = json.loads(fetch(f"{serving.url}/page/house.json"))
        assert "kraken" in [game["id"] for game in house["games"]]
        assert "squid" not in [game["id"] for game in house["games"]]
        assert fetch(f"{serving.url}/games/kraken/board.css").startswith(".kraken")
        for path in ("games/squid/board.css", "games/squid/actions.json", "api/games/squid/actions"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                fetch(f"{serving.url}/{path}")


def test_two_distributions_with_one_id_are_reported_and_neither_is_guessed(harbour):
    distribution(harbour.folder, "other-kraken", "kraken = kraken_too:GAME")
    told = harbour.run("-m", "tribord.cli", "perft", "kraken", "--depth", 1, status=2).stderr
    assert "several packages bring one: tribord-kraken, other-kraken. Keep one of them." in told


def test_no_plugin_takes_the_place_of_a_game_of_ours(harbour):
    distribution(harbour.folder, "squid-box", "walk_the_plank = kraken_game:GAME")
    assert harbour.python("import tribord; print(tribord.load('walk-the-plank').title)") == "Walk the Plank\n"
    told = harbour.run("-m", "tribord.cli", "games").stderr
    assert "Tribord has a game “walk-the-plank” of its own" in told and "squid-box" in told


def test_a_copy_of_one_of_our_games_keeps_its_own_rules(harbour):
    """You start a game by copying one: the same fields mustn't make it answer for the other."""
    copied = harbour.folder / "shove"
    shutil.copytree(HOUSE / "src" / "tribord" / "games" / "faut_pas_pousser", copied)
    for file in copied.glob("*.py"):
        file.write_text(file.read_text(encoding="utf-8").replace("tribord.games.faut_pas_pousser", "shove"))
    rules = (copied / "rules.py").read_text(encoding="utf-8")
    (copied / "rules.py").write_text(rules.replace("TURNS = 24", "TURNS = 12") + "\n")
    distribution(harbour.folder, "shove", "shove = shove:GAME")
    code = """
import tribord
from tribord.lab.simulate import simulate
ours, copy = tribord.load("faut-pas-pousser"), tribord.load("shove")
print(ours.dtype == copy.dtype, *(simulate(game, 2, 50)["digest"][:8] for game in (ours, copy, ours)))
"""
    same, *digests = harbour.python(code).split()
    assert same == "False" and digests[0] == digests[2] != digests[1]
