"""OpenSpiel's golden text of the last steps of a match of every game; whole matches would be a megabyte.

python -m tests.research.playthrough  # rewrite them, then read the diff
"""

from pathlib import Path

import pyspiel
from tests.research.history import late

FOLDER = Path(__file__).parent / "playthroughs"
MATCHES = {
    "tribord_faut_pas_pousser": {"players": 2},
    "tribord_ile_aux_pirates": {"players": 3, "game": "strategic", "turns": 20},
    "tribord_sauve_qui_peut": {"players": 3},
    "tribord_walk_the_plank": {"players": 3, "rounds": 2, "simultaneous": False},
}


def write() -> None:
    """Write all of them."""
    from open_spiel.python.algorithms import generate_playthrough  # brings all of SciPy's statistics: a second

    FOLDER.mkdir(exist_ok=True)
    for name, parameters in MATCHES.items():
        game = str(pyspiel.load_game(name, late(name, parameters, left=8)))
        told = generate_playthrough.playthrough(game, None, seed=1)
        (FOLDER / f"{name}.txt").write_text(told, encoding="utf-8")


if __name__ == "__main__":
    write()
