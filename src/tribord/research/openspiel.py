"""OpenSpiel: load any Tribord game as an OpenSpiel game.

    import pyspiel
    import tribord.research.openspiel  # registers tribord_faut_pas_pousser and the others

    pyspiel.load_game("tribord_faut_pas_pousser(players=4)")

No game is named here: every game that `tribord.load` finds is registered, with its options as parameters.
docs/openspiel.md says what the parameters mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from tribord.core import refusal
from tribord.core.chance import stream
from tribord.core.game import Game, games
from tribord.core.option import Option
from tribord.core.record import PUBLIC, Floats, Ints, State, States, duplicate
from tribord.core.refusal import IllegalAction, Refusal
from tribord.research.node import BY_DICE, ENDED, NO_LUCK, Node, driver_of, finish, imagined, look_at

OURS = "tribord_"  # begins the names of our games
LONGEST = 1_000_000  # OpenSpiel requires a bound on the length of a match, and most rules have none

# For programmers, so only in English, like OpenSpiel.
TOO_LONG = "The match is longer than the {recall} steps that `recall` has room for."
NO_ROOM = "Information-state tensors need “recall”, room for every step of a match: load the game with recall=N."
IN_PYTHON_ONLY = (
    "{bot} in C++ can't search a game written in Python, not even OpenSpiel's own: it would crash Python. "
    "Use {instead}."
)


def _spoken(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Turn refusals into OpenSpiel errors with the same sentence."""

    def asked(*args: Any) -> Any:
        try:
            return ask(*args)
        except Refusal as refused:
            raise pyspiel.SpielError(str(refused)) from None

    return asked


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a match, with OpenSpiel's methods."""

    def __init__(self, game: OpenSpielGame, position: Node | None = None):
        super().__init__(game)
        self._position = position or game.opening

    def current_player(self) -> int:
        """The player to act."""
        return self._position.player

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self._position.player == ENDED

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The chance outcomes."""
        return self._position.chances()

    @_spoken
    def _apply_action(self, action: int) -> None:
        self._position = self._position.next(action)

    @_spoken
    def _apply_actions(self, actions: list[int]) -> None:
        self._position = self._position.together(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self._position.game
        return game.play.chance_notation(action) if player == BY_DICE else game.notation(action)

    def returns(self) -> list[float]:
        """Every seat's return once the match is over."""
        if not self.is_terminal():
            return [0.0] * self._position.players
        return self.get_game().worth(self._position)

    def seen(self, player: int) -> bytes:
        """A player's view as bytes: identifies a node like the observation string, in a tenth of the time."""
        return self._position.view(player).tobytes()

    def information_state_tensor(self, *player: int) -> Any:
        """What the player has seen and done, as floats; needs `recall`."""
        _must_recall(self.get_game().recall)
        return super().information_state_tensor(*player)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """Another state that the player can't distinguish from this one."""
        rng = stream(int(sampler() * (1 << 62)))
        return OpenSpielState(self.get_game(), self._position.guessed(player, rng))

    def __str__(self) -> str:
        return _text(self._position.game, self._position.states[0])


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options, which creates states. Every Tribord game has its own class."""

    tribord: Game

    def __init__(self, params: dict[str, Any]):
        game = self.tribord
        self.at_once = bool(params["simultaneous"]) and _seals(game)
        self.zero_sum = bool(params.get("zero_sum", False))
        self.recall = int(params["recall"])
        players = int(params["players"])
        self.opening = self._opening(players, params)
        fair = 1 / players if self.zero_sum else 0.0
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions, max_chance_outcomes=game.chances, num_players=players,
            min_utility=0.0 - fair, max_utility=1 - fair, utility_sum=0.0 if self.zero_sum else None,
            max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(game_type(game, self.at_once, self.zero_sum, self.recall), info, params)

    @_spoken
    def _opening(self, players: int, params: dict[str, Any]) -> Node:
        given = {option.name: _value(params[option.name]) for option in self.tribord.options}
        settings = self.tribord.settings(players, given)
        states = np.zeros(1, self.tribord.dtype)
        self.tribord.rules.initial(states[0], settings)
        position = Node(self.tribord, players, False, states)
        for action in filter(None, params["after"].split("/")):
            if not action.isdecimal():
                raise IllegalAction("not-an-action", refusal.NOT_AN_ACTION, action=action)
            position = position.next(int(action))
        return Node(self.tribord, players, self.at_once, position.states)

    def __reduce__(self) -> Any:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> OpenSpielState:
        """The match before its first decision or roll."""
        return OpenSpielState(self)

    def state_seen(self, view: State, seat: int, rng: Ints) -> OpenSpielState:
        """A full state consistent with a seat's view, for bots that have a view but no match."""
        players = self.opening.players
        return OpenSpielState(self, imagined(self.tribord, players, self.at_once, view, seat, rng))

    def worth(self, end: Node) -> list[float]:
        """Every seat's return at the end of a match."""
        shares = end.shares()
        if not self.zero_sum:
            return shares
        fair = 1 / len(shares)
        return [share - fair if any(shares) else 0.0 for share in shares]

    def information_state_tensor_shape(self) -> list[int]:
        """The shape of information-state tensors; needs `recall`."""
        _must_recall(self.recall)
        return super().information_state_tensor_shape()

    def information_state_tensor_size(self) -> int:
        """The length of information-state tensors; needs `recall`."""
        _must_recall(self.recall)
        return super().information_state_tensor_size()

    def max_chance_nodes_in_history(self) -> int:
        """At most the length of a match."""
        return LONGEST if self.tribord.chances else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Make an observer of states."""
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class Rollouts(mcts.RandomRolloutEvaluator):  # type: ignore[misc]
    """Compiled random rollouts for OpenSpiel's Python searches, with the same odds as OpenSpiel's own."""

    def __init__(self, n_rollouts: int = 1, seed: int = 0):
        super().__init__(n_rollouts)
        self._rng = stream(seed)

    def evaluate(self, state: OpenSpielState) -> Floats:
        """Every seat's mean return from here."""
        here, game = state._position, state.get_game()
        play, out = driver_of(here.game, finish), np.empty(here.game.engine.room, np.int64)
        total = np.zeros(here.players)
        for _ in range(self.n_rollouts):
            states = duplicate(here.states)
            play(states, self._rng, out)
            total += game.worth(Node(here.game, here.players, here.at_once, states))
        return total / self.n_rollouts


class Observer:
    """Observes states as a seat or as the public, with or without perfect recall.

    With perfect recall the text is a digest of the past plus the current view. The tensor has a row for every past
    step of any player: the view at that time, and the observer's own action that led to it.
    """

    def __init__(self, game: OpenSpielGame, sort: Any):
        self._game = game.tribord
        self._sort = sort
        self._recall = game.recall
        self.tensor: Floats | None = None
        if sort.public_info and (game.recall or not sort.perfect_recall):
            width = self._game.observation
            self._rows = np.zeros((game.recall + 1, width + 1) if sort.perfect_recall else (1, width), np.float32)
            self.tensor = self._rows.reshape(-1)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def _seen(self, position: Node, player: int) -> States:
        """What this observer can see."""
        if self._sort.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return position.states
        return position.view(self._as(player))

    def _as(self, player: int) -> int:
        return PUBLIC if self._sort.private_info == pyspiel.PrivateInfoType.NONE else player

    @_spoken
    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Observe a state."""
        if self._sort.public_info and self._sort.perfect_recall:
            _must_recall(self._recall)  # OpenSpiel's wrappers get here without asking our states
        if self.tensor is None:
            return
        position, seat = state._position, self._as(player)
        line = list(position.line()) if self._sort.perfect_recall else [position]
        if len(line) > len(self._rows):
            raise IllegalAction("too-long", TOO_LONG, recall=self._recall)
        self._rows[:] = 0
        width = self._game.observation
        for row, step in zip(self._rows, line):
            look_at(self._game, self._seen(step, player), seat, NO_LUCK, row[:width])
            if self._sort.perfect_recall and step.seat == seat:
                row[width] = (step.action + 1) / self._game.actions

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The observation as text."""
        position = state._position
        seen = self._seen(position, player)[0]
        if not self._sort.public_info:
            known = position.view(PUBLIC)[0]
            private = {name: seen[name].tolist() for name in seen.dtype.names if _differ(seen[name], known[name])}
            return json.dumps(private) if private else ""
        text = _text(self._game, seen)
        if not self._sort.perfect_recall:
            return text
        seat = self._as(player)
        return f"seat {seat} {position.info_digest(seat).hex()} {text}"


def _must_recall(recall: int) -> None:
    """Refuse information states without memory: OpenSpiel would return nothing, and learners would learn from that."""
    if not recall:
        raise pyspiel.SpielError(NO_ROOM)


def _differ(this: Any, that: Any) -> bool:
    return this.tobytes() != that.tobytes()


def _text(game: Game, state: State) -> str:
    return json.dumps(game.describe(state), ensure_ascii=False, separators=(",", ":"))


# -- OpenSpiel's bots in C++ ------------------------------------------------------------------------------------------

INSTEAD = {
    pyspiel.ISMCTSBot: "open_spiel.python.algorithms.ismcts.ISMCTSBot",
    pyspiel.MCTSBot: "bot.mcts_search(state).best_child().action, or open_spiel.python.algorithms.mcts.MCTSBot",
}


def runs_ours(state: Any) -> bool:
    """Whether a state is ours, or that of a game of OpenSpiel's around ours, such as `convert_to_turn_based` makes."""
    if isinstance(state, OpenSpielState):
        return True
    return isinstance(state, pyspiel.State) and OURS in str(state.get_game())


def guard(bot: Any, method: str, instead: str) -> None:
    """Let a method of a bot refuse our states. It would release Python's lock and then call Python."""
    plain = getattr(bot, method)

    @wraps(plain)
    def guarded(self: Any, state: Any, *more: Any) -> Any:
        if runs_ours(state):
            raise pyspiel.SpielError(IN_PYTHON_ONLY.format(bot=bot.__name__, instead=instead))
        return plain(self, state, *more)

    setattr(bot, method, guarded)


for _bot, _instead in INSTEAD.items():
    for _method in ("step", "step_verbose", "step_with_policy", "get_policy"):
        guard(_bot, _method, _instead)


# -- registering ------------------------------------------------------------------------------------------------------


def short_name(game: Game) -> str:
    """The OpenSpiel name of a game.

    >>> from tribord import load
    >>> short_name(load("faut-pas-pousser"))
    'tribord_faut_pas_pousser'
    """
    return OURS + game.id.replace("-", "_")


def _seals(game: Game) -> bool:
    return any(field.name == "sealing" for field in game.fields)


def game_type(game: Game, at_once: bool, zero_sum: bool = False, recall: int = 0) -> Any:
    """OpenSpiel's description of a game."""
    # Choices sealed and revealed within one step aren't secret.
    secrets = [field for field in game.fields if field.seen != "all" and not (at_once and field.name == "sealed")]
    sort = pyspiel.GameType
    rewards = sort.Utility.ZERO_SUM if zero_sum else sort.Utility.GENERAL_SUM
    return sort(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=sort.Dynamics.SIMULTANEOUS if at_once else sort.Dynamics.SEQUENTIAL,
        chance_mode=sort.ChanceMode.EXPLICIT_STOCHASTIC if game.chances else sort.ChanceMode.DETERMINISTIC,
        information=sort.Information.IMPERFECT_INFORMATION if secrets else sort.Information.PERFECT_INFORMATION,
        utility=sort.Utility.IDENTICAL if game.cooperative else rewards,
        reward_model=sort.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=bool(recall),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


def parameters(game: Game) -> dict[str, Any]:
    """A game's parameters with defaults: the players, ours, and the game's own options."""
    found: dict[str, Any] = {"players": game.players[0], "simultaneous": True, "after": "", "recall": 0}
    if not game.cooperative:
        found["zero_sum"] = False
    return found | {option.name: parameter(option, _default(option)) for option in game.options}


def _default(option: Option) -> Any:
    return option.default if option.research is None else option.research


def parameter(option: Option, value: Any) -> bool | int | str:
    """An option's value as a parameter. OpenSpiel splits parameters at commas and parses whatever looks like a number.

    >>> from tribord import load
    >>> age, first = load("faut-pas-pousser").options[0], load("sauve-qui-peut").options[1]
    >>> parameter(age, [2, 0, 1]), parameter(first, "random"), parameter(first, 1)
    ('2/0/1', 'random', 'seat1')
    """
    if isinstance(value, list | tuple):
        return "/".join(map(str, value))
    return f"seat{value}" if isinstance(_default(option), str) and isinstance(value, int) else value


def _value(given: bool | int | str) -> Any:
    """The option's value from a parameter."""
    if not isinstance(given, str):
        return given
    seat = given.removeprefix("seat")
    return int(seat) if seat != given and seat.isdecimal() else given.replace("/", ",")


def register() -> None:
    """Register every game with OpenSpiel, once."""
    known = set(pyspiel.registered_names())
    for game in games():
        if short_name(game) not in known:
            # A class, not a partial: OpenSpiel releases it after Python has shut down, which only classes survive.
            of_game = type(short_name(game), (OpenSpielGame,), {"tribord": game})
            pyspiel.register_game(game_type(game, _seals(game)), of_game)


register()


def open_game(
    game: Game, players: int, options: Mapping[str, Any] | None = None, **ours: bool | int | str
) -> OpenSpielGame:
    """Load a game in OpenSpiel, with the options of a match.

    >>> from tribord import load
    >>> print(open_game(load("faut-pas-pousser"), 4, {"age": [3, 0, 1, 2]}, simultaneous=False))
    tribord_faut_pas_pousser(after=,age=3/0/1/2,players=4,recall=0,simultaneous=False,zero_sum=False)
    """
    given = {o.name: parameter(o, options[o.name]) for o in game.options if o.name in options} if options else {}
    return pyspiel.load_game(short_name(game), {"players": players} | given | ours)
