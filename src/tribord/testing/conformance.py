"""The conformance kit: check on real matches that your game keeps its contract.

    from tribord import load
    from tribord.testing import check_game

    def test_conformance():
        check_game(load("my-game"))

Each check is a function of a `Setup` (a game, a number of players and options). `check_game` runs them all at every
player count and with every option in turn, and raises `AssertionError` with a sentence that says what is wrong.
docs/add-a-game.md explains each check.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tribord.core import event, option, verbs
from tribord.core.chance import below, draw, stream
from tribord.core.compiled import Driver
from tribord.core.engine import Engine, ask
from tribord.core.game import Game
from tribord.core.journal import audit_content, dumps
from tribord.core.match import Match, legal_actions
from tribord.core.record import CHANCE, PUBLIC, Ints, PlainStates, State, revive
from tribord.core.refusal import BadOption, IllegalAction
from tribord.core.sealed import HIDDEN, NOTHING
from tribord.core.words import LANGUAGES
from tribord.lab.simulate import play_out, playouts
from tribord.testing.narration import check_narration
from tribord.testing.reason import check_reasons
from tribord.testing.tip import check_tips

DRAWS = 40  # by `sample`, for each choice: the probability that a choice never comes up is e^−40


@dataclass(frozen=True)
class Setup:
    """A game, set up for a match."""

    game: Game
    players: int
    options: Mapping[str, Any]

    @property
    def settings(self) -> State:
        """The options record, with the limits that research uses so that every match ends."""
        return self.game.settings(self.players, self.options, research=True)

    @property
    def plain_options(self) -> dict[str, Any]:
        """Every option as a plain value."""
        return self.game.options_of(self.settings)

    def match(self, seed: int) -> Match:
        """A match with these players and options."""
        return self.game.match(self.players, seed, self.plain_options)

    def __str__(self) -> str:
        return f"{self.game.id}, {self.players} players, {dict(self.options) or 'default options'}"


def setups(game: Game) -> Iterator[Setup]:
    """Every player count with the default options, with each option at each other value, and under each named choice
    (which may open a whole other game) with each other option once more."""
    least, most = game.players
    for players in range(least, most + 1):
        for options in _combinations(game, players):
            try:
                game.settings(players, options, research=True)
            except BadOption as refused:
                if not options:
                    raise
                assert refused.rule, f"{game.id}: {options} is refused without a rule: {refused}"
                continue
            yield Setup(game, players, options)


def _combinations(game: Game, players: int) -> Iterator[dict[str, Any]]:
    single = [{o.name: value} for o in game.options for value in _values(o, players)]
    yield from ({}, *single)
    for chosen in (o for o in game.options if isinstance(o, option.Choice)):
        for value in _values(chosen, players):
            yield from ({chosen.name: value, **other} for other in single if chosen.name not in other)


def _values(o: option.Option, players: int) -> list[Any]:
    """Values of an option worth trying besides its default."""
    if isinstance(o, option.Flag):
        return [not o.default]
    if isinstance(o, option.Choice):
        return [value for value in o.values if value != o.default]
    if isinstance(o, option.Limit):
        return [3]
    if isinstance(o, option.Subset):
        return [[], list(o.values)]
    if isinstance(o, option.Order):
        return [list(range(players))[::-1]]
    return [players - 1]


def check_game(game: Game, matches: int = 2000) -> None:
    """Check a game against the whole contract, with `matches` in both modes, spread over the setups."""
    check_declarations(game)
    check_events(game)
    check_notation(game)
    check_rulebook(game)
    check_translations(game)
    check_narration(game)
    check_reasons(game)
    check_tips(game)
    seen: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an overflow in a rule would make the two modes differ
        found = list(setups(game))
        for setup in found:
            try:
                for check in CHECKS:
                    check(setup)
                check_engines(setup)
                check_parity(setup, -(-matches // len(found)))
                check_termination(setup, matches)
                seen |= check_words(setup)
            except AssertionError as wrong:
                raise AssertionError(f"{setup}: {wrong}") from wrong
    never = {kind.name for kind in game.events.KINDS} - seen - set(getattr(game.events, "RARE", ()))
    assert not never, f"{game.id}: no match ever emitted the events {sorted(never)} (name rare ones in events.RARE)"


# -- what a game declares -------------------------------------------------------------------------------------------


def check_declarations(game: Game) -> None:
    """The verbs exist, players and observation make sense, every field says what it means."""
    for verb in verbs.CONTRACT:
        assert callable(getattr(game.rules, verb.__name__, None)), f"{game.id}: rules lack `{verb.__name__}`"
    assert callable(getattr(game.rules, "evaluate", None)), f"{game.id}: bot.py lacks `evaluate`"
    least, most = game.players
    assert 1 <= least <= most <= 16, f"{game.id}: players {game.players}"
    assert game.actions > 0 and game.observation > 0, f"{game.id}: empty action space or observation"
    for field in game.fields:
        assert field.meaning, f"{game.id}: field {field.name} does not say what it means"
        assert not hasattr(np.record, field.name), f"{game.id}: NumPy's records have a {field.name} of their own"
    for o in game.options:
        assert o.rule.startswith(game.letter) and o.meaning, f"{game.id}: option {o.name} lacks a rule or a meaning"


def check_events(game: Game) -> None:
    """Every kind of event has a unique name and a sentence, and every sentence has a kind."""
    kinds = [kind.name for kind in game.events.KINDS]
    assert len(kinds) == len(set(kinds)), f"{game.id}: two kinds of event have the same name"
    without = set(kinds) ^ set(game.text.SENTENCES)
    assert not without, f"{game.id}: events.KINDS and text.SENTENCES differ in {sorted(without)}"
    for kind in game.events.KINDS:
        assert len(kind.fields) <= event.FIELDS, f"{game.id}: event {kind.name} has more than {event.FIELDS} fields"


def check_notation(game: Game) -> None:
    """Every action and chance outcome survives the round trip through its parts and its notation."""
    written = set()
    for action in range(game.actions):
        parts = game.parts(action)
        assert "kind" in parts, f"{game.id}: action {action} has no kind"
        assert game.action(json.loads(json.dumps(parts))) == action, (
            f"{game.id}: parts of action {action} do not come back"
        )
        text = game.notation(action)
        assert game.action(text) == action, f"{game.id}: notation “{text}” of action {action} does not come back"
        assert text not in written, f"{game.id}: notation “{text}” stands for two actions"
        written.add(text)
        for key, _value in game.steps(action):
            assert key in game.text.ASK or key.split(".")[0] in game.text.ASK, f"{game.id}: no question for part {key}"
    for outcome in range(game.chances):
        text = game.play.chance_notation(outcome)
        assert game.play.parse_chance(text) == outcome, f"{game.id}: chance notation “{text}” does not come back"
    for rubbish in ("", "rubbish", "1 2 3 4 5 6", -1, game.actions, {"kind": "rubbish"}, {}, None, 1.5, "\0"):
        try:
            game.action(rubbish)  # type: ignore[arg-type]
        except IllegalAction:
            continue
        raise AssertionError(f"{game.id}: {rubbish!r} was taken for an action")


def check_rulebook(game: Game) -> None:
    """Both rulebooks number the same rules without gaps, and every refusal cites one of them."""
    books = {language: rule_numbers(game, language) for language in LANGUAGES}
    first, *others = books.values()
    assert first == list(range(1, len(first) + 1)), f"{game.id}: rule numbers {first}"
    assert all(other == first for other in others), f"{game.id}: the rulebooks number their rules differently: {books}"
    for language in LANGUAGES:
        foreword = re.split(r"^## ", game.rulebook(language), maxsplit=1, flags=re.MULTILINE)[0]
        assert f"\n- {game.letter}" not in foreword, f"{game.id}: rules of RULES.{language}.md stand above its first ##"
    for code, (number, _message) in game.text.REFUSALS.items():
        assert number in first, f"{game.id}: refusal {code} cites {game.letter}{number}, which is not a rule"


def rule_numbers(game: Game, language: str) -> list[int]:
    """The numbers of the rules in a rulebook, in order."""
    return [int(n) for n in re.findall(rf"^- {game.letter}(\d+)\. ", game.rulebook(language), re.MULTILINE)]


def check_translations(game: Game) -> None:
    """No message is missing, unused or lacks a placeholder."""
    from tribord.testing.catalogue import problems, room

    wrong = problems(room(game.id))
    assert not wrong, f"{game.id}: " + "; ".join(wrong)


# -- what holds in every match --------------------------------------------------------------------------------------


def positions(setup: Setup, seed: int) -> Iterator[tuple[State, Ints]]:
    """The states of one random interpreted match, each before its next action, with a random generator."""
    game, rng = setup.game, stream(seed, 77)
    state = PlainStates(game.states(1))[0]
    game.rules.initial(state, setup.settings)
    weights = np.zeros(game.chances, np.int64)
    while True:
        yield state, rng
        seats = _seats(game, state)
        if seats:
            seat = seats[below(rng, len(seats))]
            choices = legal_actions(game, state, seat)
            game.rules.apply(state, seat, choices[below(rng, len(choices))], None)
        elif int(game.rules.chance(state, weights)):
            game.rules.apply(state, CHANCE, verbs.roll(state, rng, weights), None)
        else:
            return


def some_positions(setup: Setup, seed: int, most: int) -> Iterator[tuple[State, Ints]]:
    """A limited number of positions, spread evenly over one random match, for the slower checks."""
    found = [(_copy(setup.game, state), rng) for state, rng in positions(setup, seed)]
    stride = max(1, -(-len(found) // most))
    yield from found[seed % stride :: stride]


def _seats(game: Game, state: State) -> list[int]:
    mask = int(game.rules.to_act(state))
    return [seat for seat in range(game.players[1]) if mask >> seat & 1]


def _copy(game: Game, state: State) -> State:
    twin: State = PlainStates(revive(state.tobytes(), game.dtype))[0]
    return twin


def check_ranges(setup: Setup) -> None:
    """Every field stays in its declared range."""
    for state, _rng in positions(setup, 1):
        for field in setup.game.fields:
            values = np.asarray(getattr(state, field.name))
            assert field.low <= values.min() and values.max() <= field.high, (
                f"field {field.name} left its range: {values}"
            )


def check_legal(setup: Setup) -> None:
    """Acting seats have sorted, unique actions and others none; the end has an outcome; chance has weights."""
    game = setup.game
    weights = np.zeros(game.chances, np.int64)
    scores, wins = np.zeros(game.players[1], np.int64), np.zeros(game.players[1], np.int64)
    for state, _rng in positions(setup, 2):
        before = state.tobytes()
        seats = _seats(game, state)
        assert all(seat < setup.players for seat in seats), f"seats {seats} of {setup.players} are asked to act"
        pending = int(game.rules.chance(state, weights))
        over = int(game.rules.outcome(state, scores, wins))
        assert bool(seats) + bool(pending) + bool(over) == 1, f"seats {seats}, chance {pending}, outcome {over} at once"
        if pending:
            assert pending <= game.chances and weights[:pending].min() >= 0 and weights[:pending].sum() > 0, (
                "chance weights"
            )
        for seat in range(setup.players):
            choices = legal_actions(game, state, seat)
            assert choices == sorted(set(choices)), f"legal actions of seat {seat} are not sorted and unique: {choices}"
            assert bool(choices) == (seat in seats), f"seat {seat}: {len(choices)} actions, to act: {seats}"
            assert all(0 <= a < game.actions for a in choices), f"legal actions outside the action space: {choices}"
        assert state.tobytes() == before, "asking changed the state"
    assert 1 <= over <= len(game.text.ENDINGS), f"outcome {over} has no ending"


def check_refusals(setup: Setup) -> None:
    """Every illegal action is refused with a sentence and a rule in each language, and changes nothing."""
    game = setup.game
    match = setup.match(3)
    rng = stream(3)
    step = 0
    while not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        choices = match.legal(seat)
        if step % 5 == 0:
            before = match.state.tobytes()
            allowed = set(choices)
            for action in range(0, game.actions, 1 + below(rng, 7)):
                if action not in allowed:
                    _refused(match, seat, action)
            others = [s for s in range(setup.players) if s not in match.to_act]
            for other in others:
                _refused(match, other, choices[0])
            assert match.state.tobytes() == before, "a refused action changed the state"
        match.play(seat, choices[below(rng, len(choices))])
        step += 1
    _refused(match, 0, 0)


def _refused(match: Match, seat: int, action: int) -> None:
    try:
        match.play(seat, action)
    except IllegalAction as refused:
        assert refused.code != "not-legal", f"“{match.game.notation(action)}” is refused without a reason of the game"
        for language in LANGUAGES:
            assert refused.say(match.game.words(language)), "empty refusal"
        return
    raise AssertionError(f"seat {seat}: the illegal action “{match.game.notation(action)}” was played")


def check_determinism(setup: Setup) -> None:
    """The same state and action give the same bytes and events, event buffer or not; copies are separate."""
    game = setup.game
    for state, rng in positions(setup, 4):
        for seat in _seats(game, state):
            choices = legal_actions(game, state, seat)
            action = choices[below(rng, len(choices))]
            before = state.tobytes()
            one, two, three = (_copy(game, state) for _k in range(3))
            rows, again = event.buffer(), event.buffer()
            game.rules.apply(one, seat, action, rows)
            game.rules.apply(two, seat, action, again)
            game.rules.apply(three, seat, action, None)
            assert one.tobytes() == two.tobytes() == three.tobytes(), f"{game.notation(action)} is not deterministic"
            assert event.rows(rows) == event.rows(again), f"{game.notation(action)} gave different events"
            assert rows[0, 0] < event.CAPACITY - 1, "the event table is full"
            assert state.tobytes() == before, "a copy shares memory with its original"
            revived = np.frombuffer(before, game.dtype).view(np.recarray)[0]
            for field in game.fields:
                assert np.array_equal(getattr(revived, field.name), getattr(state, field.name)), (
                    f"bytes do not give field {field.name} back"
                )


def check_views(setup: Setup) -> None:
    """A view keeps the seat's own decisions; a guess is a full state with the same view and a finite observation."""
    game = setup.game
    for seed in (5, 6):
        for state, rng in some_positions(setup, seed, 30):
            for seat in (PUBLIC, *range(setup.players)):
                view = game.view_of(state, seat)
                assert game.view_of(view, seat).tobytes() == view.tobytes(), f"seat {seat}: a view of a view differs"
                assert int(game.rules.to_act(view)) == int(game.rules.to_act(state)), (
                    f"seat {seat}: the view hides who acts"
                )
                guess = _copy(game, view)
                game.rules.guess(guess, seat, rng, np.zeros(game.actions, np.int64))
                assert game.view_of(guess, seat).tobytes() == view.tobytes(), f"seat {seat}: a guess has another view"
                check_indistinguishable(setup, state, guess, seat)
                json.dumps(game.describe(view))
                assert np.isfinite(game.observe(view, seat)).all(), "the observation is not finite"


def check_indistinguishable(setup: Setup, state: State, other: State, seat: int) -> None:
    """Two states that differ only in what is hidden from a seat give it the same choices, words and refusals.

    Nothing of another seat's sealed choice shows before the reveal: the events and the seat's view stay the same.
    """
    game = setup.game
    if seat != PUBLIC:
        assert legal_actions(game, state, seat) == legal_actions(game, other, seat), (
            f"seat {seat}: choices betray a secret"
        )
        view = game.view_of(state, seat)
        assert legal_actions(game, view, seat) == legal_actions(game, state, seat), (
            f"seat {seat}: choices differ in view"
        )
    words = game.words("fr")
    one, two = game.view_of(state, seat), game.view_of(other, seat)
    assert game.describe(one) == game.describe(two), f"seat {seat}: the readable view betrays a secret"
    assert game.text.board(game.describe(one), words) == game.text.board(game.describe(two), words)
    sealing = int(getattr(state, "sealing", 0))
    if sealing & (sealing - 1):  # at least two seats still to choose: the next choice reveals nothing
        for chooser in _seats(game, state):
            if chooser == seat:
                continue
            choices = legal_actions(game, state, chooser)
            told = set()
            for action in (choices[0], choices[-1]):
                for world in (state, other):
                    after = _copy(game, world)
                    rows = event.buffer()
                    game.rules.apply(after, chooser, action, rows)
                    said = [(e.rule, game.say_event(e, words)) for e in game.read_events(rows)]
                    told.add((game.view_of(after, seat).tobytes(), str(said)))
            assert len(told) == 1, f"seat {seat} learns what seat {chooser} sealed"


def check_guesses_cover(setup: Setup) -> None:
    """Over many draws guesses vary in everything hidden, and every possible sealed choice gets guessed."""
    game = setup.game
    for state, rng in some_positions(setup, 8, 20):
        for seat in range(setup.players):
            view = game.view_of(state, seat)
            possible = _sealed_choices(game, view)
            if view.tobytes() == state.tobytes() or (possible and all(len(p) == 1 for p in possible.values())):
                continue
            draws = max((40 * len(p) for p in possible.values() if len(p) <= 12), default=60)
            guesses = [_copy(game, view) for _k in range(draws)]
            for guess in guesses:
                game.rules.guess(guess, seat, rng, np.zeros(game.actions, np.int64))
            assert len({g.tobytes() for g in guesses}) > 1, f"seat {seat}: something is hidden, and all guesses agree"
            for hidden, choices in possible.items():
                found = {int(g.sealed[hidden]) for g in guesses}
                assert found <= choices, f"seat {hidden} is guessed to have sealed the impossible {found - choices}"
                assert len(choices) > 12 or found == choices, (
                    f"seat {hidden} is never guessed to have sealed {choices - found}"
                )


def _sealed_choices(game: Game, view: State) -> dict[int, set[int]]:
    """The possible choices of every seat whose sealed choice is hidden in this view."""
    possible = {}
    for hidden in range(len(getattr(view, "sealed", ()))):
        if int(view.sealed[hidden]) == HIDDEN:
            reopened = _copy(game, view)
            reopened.sealed[hidden] = NOTHING
            reopened.sealing |= 1 << hidden
            possible[hidden] = set(legal_actions(game, reopened, hidden))
    return possible


def check_match_files(setup: Setup) -> None:
    """A match replays from its journal to the same bytes, halfway and at the end, and undo goes back exactly."""
    match = setup.match(9)
    rng = stream(9)
    while not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        choices = match.legal(seat)
        before = match.state.tobytes()
        if match.version % 7 == 0:
            match.play(seat, choices[0])
            match.undo()
            assert match.state.tobytes() == before, "undo did not lead back"
        match.play(seat, choices[below(rng, len(choices))])
    text, state, events = dumps(match), match.state.tobytes(), match.events
    match.replay(match.journal)
    assert (dumps(match), match.state.tobytes(), match.events) == (text, state, events), "the replay differs"


def check_branches(setup: Setup) -> None:
    """A branch goes on to the same bytes; redealt, it's the same whatever was hidden; its file verifies."""
    match = setup.match(10)
    rng = stream(10)
    while not match.over:
        seat = match.to_act[below(rng, len(match.to_act))]
        choices = match.legal(seat)
        match.play(seat, choices[below(rng, len(choices))])
    for place in range(0, match.version, max(1, match.version // 4)):
        again = match.branch(place, seed=match.dice)
        while again.version < match.version:
            entry = match.journal[again.version]
            again.play(entry.seat, entry.action)
        assert again.state.tobytes() == match.state.tobytes(), f"a branch at step {place} doesn't lead to the same end"
        seat = below(rng, setup.players)  # one will do: every branch replays the match
        dealt = match.branch(place, redeal=seat, seed="10")
        other = match.branch(place, redeal=seat, seed="11")  # another truth, as far as the seat can know
        same = other.branch(place, redeal=seat, seed="10")
        assert same.state.tobytes() == dealt.state.tobytes(), f"step {place}: what is dealt betrays what was hidden"
        content = json.loads(dumps(dealt))
        read_back, problems = audit_content(content, Path("branch"))
        assert not problems and read_back.state.tobytes() == dealt.state.tobytes(), "a branch's file doesn't hold"


def check_sampling(setup: Setup) -> None:
    """`sample` and `roll` only return possible results, and eventually all of them; `sample` as often each."""
    game = setup.game
    largest: tuple[list[int], State, int] = ([], game.states(1)[0], 0)
    out, weights = np.zeros(game.actions, np.int64), np.zeros(game.chances, np.int64)
    for state, rng in some_positions(setup, 10, 30):
        before = state.tobytes()
        for seat in _seats(game, state):
            choices = set(legal_actions(game, state, seat))
            if len(choices) > len(largest[0]):
                largest = sorted(choices), _copy(game, state), seat
            few = len(choices) < 9
            # 40 draws per choice: the probability that one of eight never comes up is about 10^-16.
            found = {int(verbs.sample(state, seat, rng, out)) for _k in range(40 * len(choices) if few else 40)}
            assert found <= choices, f"sample gave an illegal action: {found - choices}"
            assert found == choices or not few, f"sample never gives {choices - found}"
        if not _seats(game, state):
            n = int(game.rules.chance(state, weights))
            possible = {k for k in range(n) if weights[k]}
            rolled = {int(verbs.roll(state, rng, weights)) for _k in range(12 if possible else 0)}
            assert rolled <= possible, f"roll gave an impossible outcome: {rolled - possible}"
        assert state.tobytes() == before, "sampling changed the state"
    if len(largest[0]) > 1:
        check_uniform(game, *largest)


def check_uniform(game: Game, choices: Sequence[int], state: State, seat: int) -> None:
    """`sample` draws every choice of a position equally often: with forty draws per choice, each about forty times.

    The bounds are wide: with other random numbers, a uniform `sample` would fail once in millions of positions.
    """
    rng, out = stream(9, len(choices)), np.zeros(game.actions, np.int64)
    counted = Counter(int(verbs.sample(state, seat, rng, out)) for _draw in range(DRAWS * len(choices)))
    illegal, never = counted.keys() - {*choices}, set(choices) - counted.keys()
    assert not illegal, f"sample gave an illegal action: {illegal}"
    assert not never, f"sample never gives {never}"
    unlike = sum((counted[action] - DRAWS) ** 2 for action in choices) / DRAWS  # Pearson's chi-square
    free, sure = len(choices) - 1, 16  # P(chi-square ≥ d + 2√(d·x) + 2x) ≤ e^−x (Laurent and Massart)
    limit = free + 2 * (free * sure) ** 0.5 + 2 * sure
    often, seldom = max(counted, key=counted.__getitem__), min(counted, key=counted.__getitem__)
    assert unlike < limit, (
        f"sample isn't uniform: of {DRAWS * len(choices)} draws from {len(choices)} choices, {counted[often]} were "
        f"{often} and {counted[seldom]} were {seldom}; chi-square {unlike:.0f}, at most {limit:.0f} is expected"
    )


CHECKS: tuple[Callable[[Setup], None], ...] = (
    check_ranges, check_legal, check_refusals, check_determinism, check_views, check_guesses_cover, check_match_files,
    check_branches, check_sampling,
)  # fmt: skip


# -- what holds over many matches -----------------------------------------------------------------------------------


def check_parity(setup: Setup, matches: int) -> None:
    """Interpreted and compiled matches end in the same bytes, scores and lengths; a twentieth runs on bare records."""
    game, seats = setup.game, setup.game.players[1]
    fast = play_out(game, setup.settings, matches, 11)
    assert isinstance(playouts, Driver)
    for play, n in ((playouts.interpret, matches), (playouts.function, -(-matches // 20))):
        states = game.states(n)
        scores, wins, lengths = np.zeros((n, seats), np.int64), np.zeros((n, seats), np.int64), np.zeros(n, np.int64)
        play(
            states, setup.settings, 11, 0, np.zeros(4, np.int64), np.zeros(game.actions, np.int64),
            np.zeros(game.chances, np.int64), scores, wins, lengths,
        )  # fmt: skip
        assert states.tobytes() == fast.states[:n].tobytes(), "interpreted and compiled matches end in different states"
        assert (scores == fast.scores[:n]).all() and (wins == fast.wins[:n]).all(), (
            "interpreted and compiled outcomes differ"
        )
        assert (lengths == fast.lengths[:n]).all(), "interpreted and compiled matches differ in length"


def check_engines(setup: Setup) -> None:
    """Called one by one, compiled and interpreted rules agree on choices, views, weights and events."""
    game = setup.game
    room = max(game.actions, game.chances)
    slow, fast = Engine(room), Engine(room, ask)
    states, twins, rng = game.states(1), game.states(1), stream(13)
    game.rules.initial(states[0], setup.settings)
    twins[0] = states[0]
    while True:
        mask = slow.to_act(states)
        assert fast.to_act(twins) == mask, "the engines disagree about who acts"
        for seat in (PUBLIC, *range(setup.players)):
            seen = [states.copy(), twins.copy()]
            for engine, view in zip((slow, fast), seen):
                engine.view(view, seat)
            assert seen[0].tobytes() == seen[1].tobytes(), f"the engines disagree about the view of seat {seat}"
        weights = slow.weights(states)
        assert fast.weights(twins) == weights, "the engines disagree about chance"
        assert fast.outcome(twins) == slow.outcome(states), "the engines disagree about the outcome"
        if mask:
            seat = next(s for s in range(setup.players) if mask >> s & 1)
            choices = slow.legal(states, seat)
            assert fast.legal(twins, seat) == choices, f"the engines disagree about the choices of seat {seat}"
            action = choices[below(rng, len(choices))]
        elif weights:
            seat, action = CHANCE, draw(rng, np.array(weights), len(weights))
        else:
            return
        rows, again = event.buffer(), event.buffer()
        slow.apply(states, seat, action, rows)
        fast.apply(twins, seat, action, again)
        assert states.tobytes() == twins.tobytes(), "the engines disagree about what follows"
        assert event.rows(rows) == event.rows(again), "the engines disagree about what happened"


def check_termination(setup: Setup, matches: int) -> None:
    """Every match ends; seats beyond the players never score."""
    sample = play_out(setup.game, setup.settings, matches, 12)
    assert (sample.lengths > 0).all(), "a match ended before anybody acted"
    assert not sample.scores[:, setup.players :].any(), "an empty seat scored"
    assert not sample.wins[:, setup.players :].any(), "an empty seat won"


def check_words(setup: Setup) -> set[str]:
    """Every event, action, refusal and board has words in each language, and cites a rule of the book."""
    game = setup.game
    rules = {f"{game.letter}{n}" for n in rule_numbers(game, "en")}
    seen = set()
    for seed in range(3):
        match = setup.match(20 + seed)
        rng = stream(20 + seed)
        while not match.over:
            seat = match.to_act[below(rng, len(match.to_act))]
            choices = match.legal(seat)
            match.play(seat, choices[below(rng, len(choices))])
            if match.version % 11 == 0:
                for language in LANGUAGES:
                    words = game.words(language)
                    assert game.say_action(choices[-1], words), "an action without a sentence"
                    for plain in (False, True):
                        drawn = game.text.board(match.view(seat), words, plain)
                        assert max(map(len, drawn.splitlines())) <= 100 or plain, "the board is too wide for a terminal"
        for happened in match.events:
            seen.add(happened.kind)
            assert happened.rule in rules, f"event {happened.kind} cites {happened.rule}, which is not a rule"
            for language in LANGUAGES:
                assert game.say_event(happened, game.words(language)), f"event {happened.kind} has no sentence"
    return seen
