"""OpenSpiel's own players as a bot on standard input and output: its MCTS, or its information-set MCTS.

    tribord arena faut-pas-pousser --bots "capitaine,cmd:python examples/openspiel_bot.py mcts" \\
        --players 4 --clock 0.5 --matches 80
    tribord arena walk-the-plank --bots "capitaine,cmd:python examples/openspiel_bot.py ismcts" \\
        --players 3 --clock 0.5 --matches 60

It thinks as long as the clock says, on Tribord's compiled rules. Needs the extra `research`. docs/openspiel.md says how
strong it is; docs/arena.md describes the messages.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from tribord import load
from tribord.core.chance import stream
from tribord.core.record import State
from tribord.research.openspiel import OpenSpielGame, OpenSpielState, Rollouts, open_game

MARGIN = 0.004  # seconds of the clock that reading and answering take
EXPLORE = {"ismcts": 0.4, "mcts": 1.0}  # the constant of UCT: the best of those that were tried
MEMORY = 1000  # megabytes of OpenSpiel's tree


class OutOfTime(Exception):
    """The clock has run down. OpenSpiel's searches in Python count simulations; this ends them when it is time."""


class TimedMCTS(mcts.MCTSBot):
    """OpenSpiel's MCTS in Python, by the clock."""

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        self._moment = moment
        with suppress(OutOfTime):
            self.mcts_search(state)
        return self._root.best_child().action

    def _apply_tree_policy(self, root: mcts.SearchNode, state: OpenSpielState) -> tuple:
        self._root = root
        if root.explore_count > 1 and time.monotonic() >= self._moment:
            raise OutOfTime
        return super()._apply_tree_policy(root, state)


class Numbers(list):
    """A list of numbers, which OpenSpiel copies deeply: there is nothing below."""

    def __deepcopy__(self, memo: dict) -> list:
        return list(self)


class TimedISMCTS(ismcts.ISMCTSBot):
    """OpenSpiel's information-set MCTS in Python, by the clock. The one in C++ cannot guess in games in Python.

    Nodes are named by the bytes of a view and actions are copied as numbers: the same search, several times faster.
    """

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        self._moment = moment
        with suppress(OutOfTime):
            self.run_search(state)
        actions, odds = zip(*self.get_final_policy(state, self._root_node), strict=True)
        return int(self._random_state.choice(actions, p=odds))

    def sample_root_state(self, state: OpenSpielState) -> OpenSpielState:
        if self._root_node.total_visits > 0 and time.monotonic() >= self._moment:
            raise OutOfTime
        return super().sample_root_state(state)

    def get_state_key(self, state: OpenSpielState) -> tuple[int, bytes]:
        seat = state.current_player()
        return seat, state.seen(seat)

    def check_expand(self, node: ismcts.ISMCTSNode, legal_actions: list[int]) -> int:
        return super().check_expand(node, Numbers(legal_actions))


class FastMCTS:
    """OpenSpiel's MCTS in C++, with its own rollouts."""

    def __init__(self, game: OpenSpielGame, explore: float, seed: int):
        self.game, self.explore, self.seed = game, explore, seed

    def search_until(self, state: OpenSpielState, moment: float) -> int:
        rollouts = pyspiel.RandomRolloutEvaluator(1, self.seed)
        seconds, simulations = max(moment - time.monotonic(), 0.001), -1
        while simulations < 2:  # before the second there is nothing to choose from
            bot = pyspiel.MCTSBot(
                self.game, rollouts, self.explore, 2, MEMORY, solve=True, seed=self.seed, verbose=False,
                max_wall_clock_time=seconds,
            )  # fmt: skip
            root = bot.mcts_search(state)  # `step` lets go of Python's lock, and games in Python need it
            seconds, simulations = 2 * seconds, root.explore_count
        return root.best_child().action


def searcher(player: str, rollouts: str, game: OpenSpielGame, explore: float, seed: int) -> Any:
    """A player of OpenSpiel with fresh luck."""
    luck = np.random.RandomState(seed)
    if player == "mcts" and rollouts == "openspiel":
        return FastMCTS(game, explore, seed)
    evaluator = Rollouts(1, seed) if rollouts == "compiled" else mcts.RandomRolloutEvaluator(1, luck)
    if player == "mcts":
        return TimedMCTS(game, explore, sys.maxsize, evaluator, random_state=luck)
    bot = TimedISMCTS(game, evaluator, explore, sys.maxsize, random_state=luck)
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, luck.random_sample))
    return bot


# -- reading views: the description of a view, back into the record that the rules work on ----------------------------


def mask(members: Iterable[str], names: tuple[str, ...]) -> int:
    return sum(1 << names.index(member) for member in members)


def read_faut_pas_pousser(view: dict, state: State) -> None:
    from tribord.games.faut_pas_pousser.actions import CARDS, PASS_CARD
    from tribord.games.faut_pas_pousser.state import CREW_IDS, PICKING
    from tribord.games.faut_pas_pousser.view import PHASES

    def code(pirate: dict) -> int:
        return CREW_IDS.index(pirate["crew"]) << 3 | pirate["pirate"]

    state.phase = PHASES.index(view["phase"])
    state.turn = view["turn"]
    fallen = [pirate for pile in view["piles"] for pirate in pile]
    state.falls = len(fallen)
    for place, pirates in ((state.fallen, fallen), (state.plank, view["plank"])):
        place[: len(pirates)] = [code(pirate) for pirate in pirates]
    for k, crew in enumerate(view["crews"]):
        state.pirates[k] = sum(1 << value - 1 for value in crew["pirates"])
        state.cards[k] = sum(1 << CARDS.index(card) for card in crew["cards"]) | crew["pass"] << PASS_CARD
        state.pass_in[k] = crew.get("pass_in", 0)
        state.installed[k] = view["revealed"].get(crew["crew"], 0)
    for place, name in enumerate(view["order"]):
        state.order[place] = CREW_IDS.index(name)
    picking = CREW_IDS[: view["players"]] if view["phase"] == PHASES[PICKING] else ()
    read_sealed(state, CREW_IDS, view["picked"], {crew: value - 1 for crew, value in view["picks"].items()})
    state.sealing = mask(set(picking) - set(view["picked"]), CREW_IDS)


def read_walk_the_plank(view: dict, state: State) -> None:
    from tribord.games.walk_the_plank.actions import CARDS, CREW_IDS, program_number
    from tribord.games.walk_the_plank.state import CHOOSING, HIDDEN, NONE
    from tribord.games.walk_the_plank.view import PHASES

    state.phase = PHASES.index(view["phase"])
    state.plank = view["plank"]
    state.round_number = view["round"]
    state.favour = CREW_IDS.index(view["favour"]) if view["favour"] else 0
    state.seat = CREW_IDS.index(view["to_play"]) if view["to_play"] else 0
    state.slot = view["slot"] - 1 if view["slot"] else 0
    chosen = {}
    for k, crew in enumerate(view["crews"]):
        state.pirates[k] = sum(count << 2 * space for space, count in enumerate(crew["pirates"]))
        state.aside[k] = mask(crew["aside"], CARDS)
        cards = {card["slot"] - 1: CARDS.index(card["card"]) if "card" in card else HIDDEN for card in crew["cards"]}
        if crew["crew"] not in view["chosen"]:
            state.program[k] = [cards.get(slot, NONE) for slot in range(3)]
        elif HIDDEN not in cards.values():
            chosen[crew["crew"]] = program_number(cards[0], cards[1], cards[2])
    choosing = {c["crew"] for c in view["crews"] if c["dead"] < 3} if view["phase"] == PHASES[CHOOSING] else set()
    read_sealed(state, CREW_IDS, view["chosen"], chosen)
    state.sealing = mask(choosing - set(view["chosen"]), CREW_IDS)


def read_sauve_qui_peut(view: dict, state: State) -> None:
    from tribord.games.sauve_qui_peut.actions import CREW_IDS, PERSONS, parse
    from tribord.games.sauve_qui_peut.view import PHASES

    def people(group: dict) -> int:
        return group["sailors"] + 8 * group["helmsmen"]

    state.phase = PHASES.index(view["phase"])
    for boat in view["boats"]:
        lane = boat["lane"] - 1
        state.rows[lane], state.leaks[lane] = boat["row"], boat["leaks"]
        for crew, group in boat["people"].items():
            state.people[lane, CREW_IDS.index(crew)] = people(group)
    for k, crew in enumerate(view["crews"]):
        state.waiting[k], state.drowned[k] = people(crew["waiting"]), people(crew["drowned"])
        state.tokens[k] = crew["tokens"]
        between = crew.get("between")
        state.between[k] = (between["lane"] - 1) * 2 + PERSONS.index(between["person"]) + 1 if between else 0
    state.baton = CREW_IDS.index(view["baton"]) if view["baton"] else 0
    state.turn = CREW_IDS.index(view["turn"]) if view["turn"] else -1
    state.boat = view["full_boat"] - 1 if view["full_boat"] else -1
    targets = [CREW_IDS.index(t) if isinstance(t, str) else t - 1 for t in view["targets"]]
    state.targets = sum(1 << target for target in targets)
    read_sealed(state, CREW_IDS, view["voted"], {crew: parse(vote) for crew, vote in view["votes"].items()})
    state.sealing = mask(view["voting"], CREW_IDS)


def read_ile_aux_pirates(view: dict, state: State) -> None:
    from tribord.games.ile_aux_pirates.actions import COLOUR_IDS, PAWN_IDS
    from tribord.games.ile_aux_pirates.state import CHILDREN, OUT
    from tribord.games.ile_aux_pirates.view import PHASES

    state.phase = PHASES.index(view["phase"])
    state.turn = COLOUR_IDS.index(view["turn"]) if view["game"] == "strategic" else view["turn"]
    for pawn, name in enumerate(PAWN_IDS):
        state.at[pawn] = view["pawns"].get(name, OUT)
        if pawn >= CHILDREN:
            state.force[pawn - CHILDREN] = view["forces"].get(name, 0)
    state.dice = (view["dice"] + [0] * 3)[:3]
    state.pirate_dice, state.child_dice = view["pirate_dice"], view["child_dice"]
    state.spent = mask(view["spent"], PAWN_IDS)
    state.turns_left = view.get("turns_left", 0)


def read_sealed(state: State, crews: tuple[str, ...], chosen: list[str], known: dict[str, int]) -> None:
    for seat, crew in enumerate(crews):
        state.sealed[seat] = known.get(crew, -2 if crew in chosen else -1)


READ = {
    "faut-pas-pousser": read_faut_pas_pousser,
    "walk-the-plank": read_walk_the_plank,
    "sauve-qui-peut": read_sauve_qui_peut,
    "ile-aux-pirates": read_ile_aux_pirates,
}


# -- playing ----------------------------------------------------------------------------------------------------------


class Player:
    """One seat in one match."""

    def __init__(self, hello: dict, player: str, rollouts: str, explore: float, seconds: float):
        game = load(hello["game"])
        game.speed_up()
        self.game = open_game(game, hello["players"], hello["options"], simultaneous=False)
        if player == "ismcts" and self.game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
            sys.exit(f"{game.title} hides nothing: OpenSpiel's information-set MCTS does not play it, mcts does.")
        self.search = partial(searcher, player, rollouts, self.game, explore)
        self.seconds = hello["clock"] or seconds
        self.luck = stream(hello["seed"])
        self.seed = hello["seed"] & 0x7FFFFFFF
        match = game.match(hello["players"], 0, hello["options"])
        self.settings = match.settings
        trial = self.game.state_seen(match.view_state(match.to_act[0]), match.to_act[0], stream(0))
        self.search(0).search_until(trial, time.monotonic())  # compiling is not thinking

    def view(self, described: dict) -> State:
        """The view as a record: what does not change in a match is there from the start."""
        game = self.game.tribord
        state = game.states(1)[0]
        game.rules.initial(state, self.settings)
        READ[game.id](described, state)
        return state

    def act(self, question: dict, came: float) -> int:
        legal = [action["action"] for action in question["legal"]]
        if len(legal) == 1:
            return legal[0]
        self.seed = (self.seed * 1103515245 + 12345) & 0x7FFFFFFF  # another one for every decision
        state = self.game.state_seen(self.view(question["view"]), question["seat"], self.luck)
        return self.search(self.seed).search_until(state, came + self.seconds - MARGIN)


def main() -> None:
    arguments = argparse.ArgumentParser(description="A player of OpenSpiel as a bot of Tribord.")
    arguments.add_argument("player", choices=sorted(EXPLORE))
    arguments.add_argument("--rollouts", choices=["compiled", "openspiel"], default="compiled", help="whose code")
    arguments.add_argument("--explore", type=float, help="the constant of UCT")
    arguments.add_argument("--seconds", type=float, default=1.0, help="for a decision, where there is no clock")
    given = arguments.parse_args()
    explore = EXPLORE[given.player] if given.explore is None else given.explore
    player = None
    for line in sys.stdin:
        came = time.monotonic()
        message = json.loads(line)
        if message["t"] == "hello":
            player = Player(message, given.player, given.rollouts, explore, given.seconds)
            answer = {"t": "ready"}
        elif message["t"] == "decide" and player:
            answer = {"t": "act", "id": message["id"], "action": player.act(message, came)}
        else:
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
