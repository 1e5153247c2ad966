"""Gymnasium's own checks over every game and number of players, and what they don't check."""

import runpy
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from tribord import game_ids, load
from tribord.bots import seat_bot
from tribord.bots.lookahead import Lookahead
from tribord.bots.search import Search
from tribord.bots.uniform import Uniform
from tribord.core import memory
from tribord.core.batch import Batch, settle
from tribord.core.chance import bits
from tribord.core.match import legal_actions
from tribord.core.refusal import BadOption, Refusal
from tribord.games.faut_pas_pousser.view import PHASES
from tribord.research.gymnasium import SAME_STEP, Matches, SeatEnv, env_id
from tribord.research.opponents import LOOKAHEADS, Opponents, compiled_opponents, memory_of

TABLES = [(name, players) for name in game_ids() for players in range(load(name).players[0], load(name).players[1] + 1)]
FORMS = [
    ("ile-aux-pirates", 4, {"game": "strategic", "hard": True}),
    ("sauve-qui-peut", 3, {"boats": "players+1"}),
    ("faut-pas-pousser", 3, {"age": [2, 0, 1]}),
]
MODES = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED)
SIZE = {"faut-pas-pousser": 4, "ile-aux-pirates": 4, "sauve-qui-peut": 4, "walk-the-plank": 4}
EXAMPLES = Path(__file__).parents[2] / "examples"
# Gymnasium's checks try actions that need not be legal.
illegal_is_tried = pytest.mark.filterwarnings("ignore:.*The match ends here with -1:UserWarning")


def make(name, players, **more):
    return gymnasium.make(env_id(load(name)), players=players, **more)


def make_vec(name, players, matches, **more):
    return gymnasium.make_vec(env_id(load(name)), num_envs=matches, players=players, **more)


def finish(env, rng, observation):
    """Play to the end at random; what was seen, and how it ended."""
    seen = [observation]
    for _step in range(5000):
        mask = observation["action_mask"]
        observation, reward, over, cut, info = env.step(rng.choice(np.flatnonzero(mask)))
        seen.append(observation)
        assert not cut and (over or reward == 0)
        if over:
            return seen, reward, info
    raise AssertionError("the match does not end")


# -- one seat ----------------------------------------------------------------------------------------------------------


@illegal_is_tried
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_check_env(name, players):
    check_env(make(name, players, seat=players - 1).unwrapped, skip_render_check=True)


@illegal_is_tried
@pytest.mark.parametrize(("name", "players", "options"), FORMS)
def test_check_env_with_options(name, players, options):
    check_env(make(name, players, options=options, seat=None).unwrapped, skip_render_check=True)


@illegal_is_tried
@pytest.mark.parametrize("name", game_ids())
def test_check_env_with_pictures(name):
    check_env(make(name, SIZE[name]).unwrapped)


@pytest.mark.parametrize("name", game_ids())
def test_the_same_seed_is_the_same_match_whoever_the_opponents_are(name):
    for opponents in ("random", "mousse", ["mousse", "random", "mousse", "random"]):
        lines = []
        for _time in range(2):
            env = make(name, 4, seat=None, opponents=opponents)
            observation, info = env.reset(seed=11)
            seen, reward, end = finish(env, np.random.default_rng(1), observation)
            again, _info = env.reset()
            content = b"".join(o["observation"].tobytes() + o["action_mask"].tobytes() for o in [*seen, again])
            lines.append((content, reward, info["seat"], end["rewards"].tolist(), end["scores"].tolist()))
        assert lines[0] == lines[1]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_reward_is_the_share_of_the_victory_also_of_a_seat_that_is_out(name, players):
    env, rng, out_before_the_end = make(name, players), np.random.default_rng(2), 0
    observation, _info = env.reset(seed=3)
    game, state = load(name), env.unwrapped.matches.states[0]
    for _match in range(12):
        _seen, reward, info = finish(env, rng, observation)
        scores, wins = np.zeros(16, np.int64), np.zeros(16, np.int64)
        assert game.rules.outcome(state, scores, wins), "the match is not over"
        winners = 1 if game.cooperative else max(1, wins[:players].sum())
        assert info["rewards"] == pytest.approx(wins[:players] / winners) and reward == info["rewards"][0]
        assert info["scores"].tolist() == scores[:players].tolist()
        out_before_the_end += not wins[0]
        observation, _info = env.reset()
    assert out_before_the_end or game.cooperative


def test_an_observation_is_what_the_seat_sees():
    game = load("sauve-qui-peut")
    env = make("sauve-qui-peut", 5, seat=3, opponents="mousse")
    observation, _info = env.reset(seed=5)
    for _step in range(10):
        state = env.unwrapped.matches.states[0]
        assert observation["observation"] == pytest.approx(game.observe(game.view_of(state, 3), 3))
        out = np.zeros(game.actions, np.int64)
        legal = out[: game.rules.legal(state, 3, out)]
        assert np.flatnonzero(observation["action_mask"]).tolist() == legal.tolist()
        assert (env.unwrapped.action_masks() == observation["action_mask"]).all()
        observation, _reward, over, _cut, _info = env.step(legal[0])
        assert not over


def test_seats_are_drawn_where_none_is_chosen():
    env = make("walk-the-plank", 5, seat=None)
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _match in range(60)} == set(range(5))


class Careful:
    """A bot that takes the first legal action and keeps a record of what it was asked."""

    def __init__(self, game):
        self.game, self.asked = game, []

    def decide(self, view, legal, clock=None):
        assert legal == legal_actions(self.game, view, legal.seat)
        self.asked.append((legal.seat, clock))
        return legal[0]


def test_opponents_are_bots_of_choice_and_the_own_seat_is_never_asked():
    game = load("faut-pas-pousser")
    bots = [Careful(game) for _seat in range(3)]
    env = make(game.id, 4, seat=1, opponents=[bots[0], "capitaine", bots[1], bots[2]], clock=0.25)
    observation, _info = env.reset(seed=1)
    finish(env, np.random.default_rng(1), observation)
    for bot, seat in zip(bots, (0, 2, 3), strict=True):
        assert bot.asked == [(seat, 0.25)] * 7


def test_ranks_with_a_search_decide_the_same_for_the_same_seed():
    game = load("walk-the-plank")
    ends = []
    for _time in range(2):
        quick = Search(game, seed=4, iterations=20)
        env = make(game.id, 3, opponents=["random", "bosco", quick])
        observation, _info = env.reset(seed=8)
        for _step in range(4):
            observation, _reward, over, _cut, _info = env.step(int(np.argmax(observation["action_mask"])))
            if over:
                break
        ends.append(observation["observation"].tolist())
    assert ends[0] == ends[1]


class Drawn(Uniform):
    def __init__(self, _game, seed):
        super().__init__(seed)


@pytest.mark.parametrize("opponents", ["bosco@0.02", "py:tests.research.test_gymnasium:Drawn"])
def test_the_same_seed_is_the_same_match_in_the_same_environment_too(opponents):
    def line(env, **how):
        seen, _info = env.reset(seed=8, **how)
        lines = []
        for _step in range(5):
            seen, *_rest = env.step(seen["action_mask"].argmax(axis=-1))
            lines.append(seen["observation"].tolist())
        return lines

    for env in (make("walk-the-plank", 3, opponents=opponents), make_vec("walk-the-plank", 3, 2, opponents=opponents)):
        first = line(env)
        assert [line(env) for _time in range(2)] == [first, first]
    begun = np.array([True, False])
    assert [one[0] for one in line(env, options={"reset_mask": begun})] == [one[0] for one in first]


@pytest.mark.parametrize("mode", MODES[:2])
def test_a_masked_reset_leaves_the_bots_of_other_places_alone(mode):
    """Those of the matches that follow there too."""

    def line(again):
        env = make_vec("faut-pas-pousser", 3, 2, opponents=Drawn, autoreset_mode=mode)
        seen, _info = env.reset(seed=8)
        lines = []
        for step in range(24):
            if step == 3 and again:
                seen, _info = env.reset(seed=99, options={"reset_mask": np.array([True, False])})
            seen, *_rest = env.step(seen["action_mask"].argmax(axis=1))
            lines.append(seen["observation"].tolist())
        return lines

    plain, masked = line(False), line(True)
    assert [one[1] for one in masked] == [one[1] for one in plain]
    assert masked[-1][0] != plain[-1][0]


def test_solved_partners_play_by_the_solution():
    env = make("ile-aux-pirates", 4, opponents="matelot")
    observation, _info = env.reset(seed=8)
    bots = env.unwrapped.matches.opponents.bots
    while not bots:
        observation, _reward, over, _cut, _info = env.step(int(np.argmax(observation["action_mask"])))
        assert not over
    decided = {type(bot) for _number, bot in bots.values()}
    assert decided == {type(seat_bot("matelot", load("ile-aux-pirates")))}


def test_an_illegal_action_ends_the_match_and_says_why():
    env = make("faut-pas-pousser", 4)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match=r"\(F3\) The match ends here with -1"):
        observation, reward, over, cut, info = env.step(200)
    assert (reward, over, cut) == (-1.0, True, False) and info["refusal"].endswith("(F3)")
    assert observation in env.observation_space and not observation["action_mask"].any()
    with pytest.raises(ResetNeeded, match=r"The game is over\. Call reset\(\) first\."):
        env.step(0)
    env.reset()
    env.step(0)


def test_strict_an_illegal_action_raises_and_changes_nothing():
    env = make("faut-pas-pousser", 4, strict=True)
    env.reset(seed=1)
    before = env.unwrapped.matches.states.tobytes()
    with pytest.raises(InvalidAction, match=r"\(F3\)"):
        env.step(200)
    assert env.unwrapped.matches.states.tobytes() == before
    env.step(np.int64(3))


@pytest.mark.parametrize("action", [-1, 247, 1.5, "pass", None, np.zeros(2, np.int64)])
def test_what_is_no_action_at_all_raises(action):
    env = make("faut-pas-pousser", 4, disable_env_checker=True)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="isn’t an action in this game"):
        env.step(action)
    env.step(0)


def test_a_step_before_the_first_match_is_refused():
    with pytest.raises(ResetNeeded):
        make("walk-the-plank", 3).unwrapped.step(0)
    with pytest.raises(ResetNeeded):
        make_vec("walk-the-plank", 3, 2).step([0, 0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 7},
        {"seat": 4},
        {"seat": True},
        {"opponents": "admiral"},
        {"opponents": ["random"] * 3},
        {"opponents": 7},
        {"options": {"sails": 1}},
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(wrong):
    for make_it in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(Refusal, match=r"\.$"):
            make_it("tribord/WalkThePlank-v1", **({"players": 4} | wrong))


def test_a_seat_that_has_nothing_to_decide_is_refused():
    for opponents in ("random", ["mousse", "random", "mousse"]):
        env = make("ile-aux-pirates", 3, seat=2, options={"turns": 1}, opponents=opponents)
        with pytest.raises(BadOption, match="Seat 2"):
            env.reset(seed=1)


def test_what_is_rendered_is_the_view_of_the_seat():
    env = make("walk-the-plank", 3, seat=1, render_mode="ansi")
    observation, _info = env.reset(seed=1)
    env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    game, state = load("walk-the-plank"), env.unwrapped.matches.states[0]
    board = game.text.board(game.describe(game.view_of(state, 1)), game.words("en"))
    assert env.render() == board
    with pytest.raises(ValueError, match="postcard"):
        SeatEnv("walk-the-plank", render_mode="postcard")


# -- registering -------------------------------------------------------------------------------------------------------


def test_every_game_is_found_by_its_id_and_by_its_module():
    for name in game_ids():
        env = gymnasium.make(f"tribord.research.gymnasium:{env_id(load(name))}")
        assert env.unwrapped.game is load(name) and env.unwrapped.players == load(name).players[0]


def test_gymnasiums_own_vector_of_single_environments_works_too():
    envs = make_vec("faut-pas-pousser", 3, 2, vectorization_mode="sync")
    seen, _info = envs.reset(seed=1)
    for _step in range(12):
        actions = [int(np.argmax(mask)) for mask in seen["action_mask"]]
        seen, _rewards, _over, _cut, _info = envs.step(actions)
    envs.close()


# -- thousands ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_playing_all_seats_is_a_batch(name, players):
    """The driver of the environments and the one of `Batch` play the same matches."""
    batch = Batch(load(name), 16, players, seed=6, auto_reset=True)
    env = make_vec(name, players, 16, opponents="self").unwrapped
    env.reset(seed=1)
    told = env.matches.room()
    env.matches.begin(6, told)
    assert env.matches.states.tobytes() == batch.states.tobytes()
    for _step in range(150):
        actor = batch.seats.copy()
        actions = batch.sample()
        env.matches.work.rngs[:] = batch.rngs  # sampling took its luck from the same stream
        turns = batch.advance(actions)
        seen, reward, over, cut, info = env.step(actions)
        assert (seen["observation"] == turns.observation).all() and (seen["action_mask"] == turns.action_mask).all()
        assert (over == turns.over).all() and not cut.any()
        assert (info["rewards"] == turns.rewards).all() and (reward == turns.rewards[np.arange(16), actor]).all()
        assert (info["seat"] == np.where(over, info["seat"], turns.seats)).all()
    assert env.observation_space.contains(seen) and env.action_space.contains(env.sample())


@pytest.mark.parametrize("name", game_ids())
def test_one_seat_of_thousands_waits_for_nobody_else(name):
    players = SIZE[name]
    for opponents in ("random", "mousse"):
        env = make_vec(name, players, 64, seat=None, opponents=opponents)
        assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        seen, info = env.reset(seed=4)
        ended = np.zeros(64, int)
        for _step in range(60):
            assert seen["action_mask"].any(axis=1).all()
            assert (env.unwrapped.matches.work.seats == env.unwrapped.matches.work.mine).all()
            before = info["seat"].copy()
            seen, reward, over, _cut, info = env.step(env.unwrapped.sample())
            assert (reward[~over] == 0).all() and (reward == info["rewards"][np.arange(64), before]).all()
            assert (info["seat"][~over] == before[~over]).all()
            assert not over.any() or info["_final_obs"] is over
            ended += over
        assert ended.any()


def test_the_same_seed_is_the_same_thousand_matches():
    def line():
        env = make_vec("sauve-qui-peut", 4, 32, seat=None, opponents="mousse")
        seen, _info = env.reset(seed=9)
        content = [seen["observation"].tobytes()]
        for _step in range(30):
            seen, reward, *_rest = env.step(env.unwrapped.sample())
            content += [seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward.tobytes()]
        return content

    assert line() == line()


@pytest.mark.parametrize("name", game_ids())
def test_compiled_and_interpreted_steps_are_the_same_byte_for_byte(name, monkeypatch):
    def line(opponents):
        env = make_vec(name, max(2, load(name).players[0]), 2, opponents=opponents)
        env.reset(seed=1)
        content = b""
        for _step in range(4):
            seen, reward, _over, _cut, info = env.step(env.unwrapped.sample())
            content += b"".join(a.tobytes() for a in (*seen.values(), reward, info["seat"], info["rewards"]))
        return content

    compiled = {opponents: line(opponents) for opponents in ("self", "random", "mousse")}
    monkeypatch.setenv("TRIBORD_INTERPRETED", "1")
    assert compiled == {opponents: line(opponents) for opponents in compiled}


def phase(seen):
    """The phase of each match of Faut pas pousser, from what is seen of it."""
    names = [name for name, _length, _meaning in load("faut-pas-pousser").layout]
    lengths = [length for _name, length, _meaning in load("faut-pas-pousser").layout]
    start = sum(lengths[: names.index("phase")])
    return np.array(PHASES)[seen["observation"][:, start : start + len(PHASES)].argmax(axis=1)]


def test_in_the_next_step_a_match_restarts_whatever_the_action():
    env = make_vec("faut-pas-pousser", 4, 8, autoreset_mode="NextStep")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    opening, _info = env.reset(seed=1)
    for step in range(1, 17):  # a pick and six turns, then a step that begins
        seen, reward, over, _cut, info = env.step(env.unwrapped.sample())
        assert "final_obs" not in info
        if step % 8 == 7:
            assert over.all() and not seen["action_mask"].any() and (phase(seen) == "over").all()
        else:
            assert not over.any() and not reward.any() and seen["action_mask"].any(axis=1).all()
        if step % 8 == 0:
            assert (seen["action_mask"] == opening["action_mask"]).all() and (phase(seen) == "picking").all()


def test_the_last_observation_is_kept_where_a_match_restarts_at_once():
    env = make_vec("faut-pas-pousser", 4, 8)
    env.reset(seed=1)
    for _step in range(7):
        seen, _reward, over, _cut, info = env.step(env.unwrapped.sample())
    last, about = info["final_obs"], info["final_info"]
    assert last.dtype == object and info["_final_obs"].all() and info["_final_info"].all()
    seen_last = {key: np.stack([one[key] for one in last]) for key in seen}
    assert over.all() and (phase(seen_last) == "over").all() and (phase(seen) == "picking").all()
    assert not seen_last["action_mask"].any()
    assert about["rewards"].sum(axis=1) == pytest.approx(1) and about["scores"].any(axis=1).all()
    assert (about["seat"] == 0).all() and about["_seat"].all()


def test_the_last_observation_is_where_gymnasiums_own_vector_has_it():
    sync = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": AutoresetMode.SAME_STEP}}
    ends = []
    for more in ({}, sync):
        env = make_vec("faut-pas-pousser", 4, 3, **more)
        seen, _info = env.reset(seed=1)
        for _step in range(7):
            seen, _reward, over, _cut, info = env.step(seen["action_mask"].argmax(axis=1))
        assert over.all()
        ends.append(info)
    ours, theirs = ends
    assert ours["final_obs"].dtype == theirs["final_obs"].dtype
    assert ours["final_obs"][2].keys() == theirs["final_obs"][2].keys()
    assert ours["final_info"].keys() == theirs["final_info"].keys()
    for name, values in theirs["final_info"].items():
        assert ours["final_info"][name].shape == values.shape


def test_only_the_matches_in_the_mask_restart():
    env = make_vec("walk-the-plank", 4, 8, opponents="mousse")
    opening, _info = env.reset(seed=3)
    for _step in range(3):
        seen, *_rest = env.step(env.unwrapped.sample())
    before = env.unwrapped.matches.states.copy()
    mask = np.arange(8) % 3 == 0
    again, _info = env.reset(options={"reset_mask": mask})
    for key in seen:
        assert (again[key][~mask] == seen[key][~mask]).all()
        assert (again[key][mask] == opening[key][mask]).all() or key == "observation"
    assert (env.unwrapped.matches.states[~mask] == before[~mask]).all()
    assert (env.unwrapped.matches.states[mask] != before[mask]).all()
    seeded, _info = env.reset(seed=3, options={"reset_mask": mask})
    assert (seeded["observation"][mask] == opening["observation"][mask]).all()
    assert (seeded["observation"][~mask] == seen["observation"][~mask]).all()


@pytest.mark.parametrize("opponents", ["self", "random"])
def test_all_three_modes_of_autoreset_play_the_same_matches(opponents):
    def line(mode):
        env = make_vec("walk-the-plank", 3, 6, opponents=opponents, autoreset_mode=mode)
        assert env.metadata["autoreset_mode"] is mode
        seen, _info = env.reset(seed=2)
        lines = [[] for _match in range(6)]
        over = np.zeros(6, bool)
        for _step in range(150):
            if over.any() and mode is AutoresetMode.DISABLED:
                seen, _info = env.reset(options={"reset_mask": over})
            begins = over & (mode is AutoresetMode.NEXT_STEP)
            legal = [np.flatnonzero(mask) for mask in seen["action_mask"]]
            actions = np.array([of[7 * len(line) % len(of)] if len(of) else 0 for of, line in zip(legal, lines)])
            looked = seen["observation"].copy()
            seen, reward, over, _cut, info = env.step(actions)
            for i in np.flatnonzero(~begins):
                lines[i].append((looked[i].tobytes(), int(actions[i]), reward[i], info["scores"][i].tolist()))
        return lines

    same, following, disabled = (line(mode) for mode in MODES)
    assert same == disabled
    assert all(len(short) > 120 and long[: len(short)] == short for long, short in zip(same, following, strict=True))
    assert any(reward for line in same for _looked, _action, reward, _scores in line)


def test_without_autoreset_a_match_that_is_over_is_to_be_reset():
    env = make_vec("faut-pas-pousser", 4, 8, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    for _step in range(7):
        seen, _reward, over, _cut, info = env.step(env.unwrapped.sample())
    assert over.all() and (phase(seen) == "over").all() and info["scores"].any(axis=1).all()
    mask = np.arange(8) < 5
    seen, _info = env.reset(options={"reset_mask": mask})
    assert ((phase(seen) == "picking") == mask).all() and (seen["action_mask"].any(axis=1) == mask).all()
    with pytest.raises(ResetNeeded, match=r"Match 5 is over\. Reset it.*reset_mask"):
        env.step(np.zeros(8, int))
    env.reset(options={"reset_mask": ~mask})
    env.step(env.unwrapped.sample())


@pytest.mark.parametrize(
    "mask",
    [[True], np.zeros(2, bool), np.ones(2, int), "all", [True, None]],
    ids=["short", "none", "ints", "text", "gap"],
)
def test_a_mask_that_says_nothing_is_refused(mask):
    env = make_vec("faut-pas-pousser", 4, 2)
    with pytest.raises(ResetNeeded):
        env.reset(options={"reset_mask": np.ones(2, bool)})
    env.reset(seed=1)
    before = env.unwrapped.matches.states.tobytes()
    with pytest.raises(ValueError, match="“reset_mask” is an array of 2 bools"):
        env.reset(options={"reset_mask": mask})
    assert env.unwrapped.matches.states.tobytes() == before


def test_an_illegal_action_among_thousands_refuses_the_step_and_changes_nothing():
    env = make_vec("faut-pas-pousser", 4, 8)
    env.reset(seed=1)
    matches = env.unwrapped.matches
    before = matches.states.tobytes(), matches.work.rngs.tobytes(), matches.work.mask.tobytes()
    actions = env.unwrapped.sample()
    actions[5] = 200
    with pytest.raises(InvalidAction, match=r"Match 5 .*\(F3\)"):
        env.step(actions)
    with pytest.raises(InvalidAction, match="8 matches"):
        env.step(actions[:3])
    assert before == (matches.states.tobytes(), matches.work.rngs.tobytes(), matches.work.mask.tobytes())


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_where_it_is_not_strict_an_illegal_action_ends_its_match_alone(mode):
    strict, env = (make_vec("faut-pas-pousser", 4, 8, strict=strict, autoreset_mode=mode) for strict in (True, False))
    strict.reset(seed=1), env.reset(seed=1)
    legal = strict.unwrapped.sample()
    wrong = np.where(np.arange(8) == 5, 200, legal)
    expected = strict.step(legal)
    seen, reward, over, cut, info = env.step(wrong)
    others = np.arange(8) != 5
    assert (seen["observation"] == expected[0]["observation"])[others].all()
    assert over.tolist() == info["illegal"].tolist() == (~others).tolist() and not cut.any()
    assert reward.tolist() == [0, 0, 0, 0, 0, -1, 0, 0] and info["rewards"][5].tolist() == [-1, 0, 0, 0]
    assert seen["action_mask"][5].any() == (mode is AutoresetMode.SAME_STEP)
    if mode is AutoresetMode.SAME_STEP:
        assert info["final_info"]["illegal"][5] and not info["final_obs"][5]["action_mask"].any()
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="Match 0"):
        env.step(np.full(8, 247))


@pytest.mark.parametrize("flat", [False, True])
def test_what_comes_back_is_new_unless_it_may_be_reused(flat):
    for copy in (True, False):
        env = make_vec("walk-the-plank", 3, 4, copy=copy, flat=flat)
        first, _info = env.reset(seed=1)
        second, *_rest = env.step(env.unwrapped.sample())
        one, other = (seen if flat else seen["observation"] for seen in (first, second))
        assert np.shares_memory(one, other) is not copy
        if not flat:
            assert np.shares_memory(first["action_mask"], second["action_mask"]) is not copy


def test_one_vector_uses_memory_again_too():
    env = make_vec("walk-the-plank", 3, 4, flat=True)
    seen, _info = env.reset(seed=1)
    places = set()
    for _step in range(20):
        seen, *_rest = env.step(env.unwrapped.sample())
        places.add(seen.__array_interface__["data"][0])
        assert seen.dtype == np.float32 and env.observation_space.contains(seen)
    spare = env.unwrapped.matches.buffers._spare
    assert any(memory for size, memory in spare.items() if size == seen.nbytes) and len(places) < 6


def test_arrays_that_are_reused_say_what_new_ones_say():
    new, reused = (make_vec("walk-the-plank", 4, 20, copy=copy) for copy in (True, False))
    new.reset(seed=3), reused.reset(seed=3)
    for _step in range(80):
        actions = new.unwrapped.sample()
        one, other = new.step(actions), reused.step(actions)
        assert (one[0]["action_mask"] == other[0]["action_mask"]).all()
        assert (one[0]["observation"] == other[0]["observation"]).all()


@pytest.mark.parametrize("name", game_ids())
def test_compiled_opponents_decide_as_the_bots_of_their_rank(name):
    """The same matches, once by the driver, once by interpreted rules and the bots themselves."""
    game, players = load(name), SIZE[name]
    for rank in LOOKAHEADS.keys() & {*compiled_opponents(game)}:
        candidates, samples = LOOKAHEADS[rank]
        matches = Matches(game, players, None, 3, Opponents(game, players, rank), 1, SAME_STEP)
        told = matches.room()
        matches.begin(5, told)
        states, rngs = matches.states.copy(), matches.work.rngs.copy()
        scores, wins, out = (np.zeros(1000, np.int64) for _ in range(3))
        for _step in range(4):
            actions = told.action_mask.argmax(axis=1)
            matches.play(actions, told)
            assert not told.over.any()
            for i in range(3):
                seat, action = 1, int(actions[i])
                while True:
                    game.rules.apply(states[i], seat, action, None)
                    seat = settle(states[i], rngs[i], scores, wins, out)
                    if seat == 1:
                        break
                    bot = Lookahead(game, int(bits(rngs[i])), candidates=candidates, samples=samples)
                    bot.decisions = -1
                    view = game.view_of(states[i], seat)
                    action = bot.decide(view, legal_actions(game, view, seat))
            assert states.tobytes() == matches.states.tobytes()


class First:
    """A new bot for every match, which takes the first legal action."""

    def __init__(self, game, seed):
        self.decided = 0

    def decide(self, view, legal, clock=None):
        self.decided += 1
        return legal[0]


def first(observation, mask):
    """The same as a policy for many matches."""
    assert observation.shape[0] == mask.shape[0] and mask.any(axis=1).all()
    return mask.argmax(axis=1)


def line_of(name, opponents, mode=AutoresetMode.SAME_STEP, seat=None):
    env = make_vec(name, 4, 6, seat=seat, opponents=opponents, autoreset_mode=mode)
    seen, _info = env.reset(seed=5)
    line = [seen["observation"].tobytes()]
    for _step in range(40):
        actions = [of[-1] if len(of) else 0 for of in map(np.flatnonzero, seen["action_mask"])]
        seen, reward, over, _cut, info = env.step(actions)
        assert (env.unwrapped.matches.work.seats[~over] == env.unwrapped.matches.work.mine[~over]).all()
        line += [seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward.tolist(), info["scores"].tolist()]
    return line


@pytest.mark.parametrize("name", game_ids())
def test_policies_and_bots_in_python_play_the_same_matches_in_a_vector(name):
    lines = [line_of(name, who) for who in (first, First, [First(None, 0), first, First, first])]
    assert lines[0] == lines[1] == lines[2]
    assert line_of(name, first, AutoresetMode.NEXT_STEP) == line_of(name, First, AutoresetMode.NEXT_STEP)


def test_seats_of_a_vector_have_opponents_of_all_sorts(monkeypatch):
    monkeypatch.setattr("tribord.research.opponents.find_bot", lambda name: First)
    for crew in (["random", "mousse", "matelot", "random"], ["py:any:First", "mousse", first, "bosco@0.01"]):
        assert line_of("walk-the-plank", crew) == line_of("walk-the-plank", crew)
    line_of("ile-aux-pirates", ["matelot", "random", "matelot", "random"])


def test_one_match_and_a_vector_have_the_same_opponents():
    asked = []

    class Noting(First):
        def decide(self, view, legal, clock=None):
            asked.append((legal.seat, clock))
            return legal[0]

    env = make_vec("faut-pas-pousser", 4, 2, seat=1, opponents=[Noting, "random", Noting, "random"], clock=0.5)
    env.reset(seed=1)
    assert asked and {seat for seat, _clock in asked} <= {0, 2} and {clock for _seat, clock in asked} == {0.5}


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (lambda seen, mask: mask.argmin(axis=1), r"The opponent in seat \d chose \d+ in match \d"),
        (lambda seen, mask: mask.argmax(axis=1) + 1000, "which is illegal"),
        (lambda seen, mask: mask.argmax(), "must return . whole numbers, one for each row"),
        (lambda seen, mask: mask.argmax(axis=1) / 2, "must return . whole numbers"),
    ],
)
def test_an_opponent_that_answers_nonsense_is_named(policy, sentence):
    env = make_vec("walk-the-plank", 3, 4, seat=0, opponents=["random", "random", policy])
    env.reset(seed=1)
    with pytest.raises((InvalidAction, BadOption), match=sentence):
        for _step in range(30):
            env.step(env.unwrapped.sample())
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(4, int))
    env.reset(seed=1)


def test_opponents_that_are_none_are_refused():
    assert "matelot" in compiled_opponents(load("walk-the-plank"))
    assert "matelot" not in compiled_opponents(load("ile-aux-pirates"))
    for wrong in ("admiral", 7, ["random"] * 3, ["self"] * 4, "mousse@2", ["random", None, "random", "random"]):
        with pytest.raises(BadOption):
            make_vec("walk-the-plank", 4, 2, opponents=wrong)
    with pytest.raises(BadOption, match="self, random, mousse, matelot, bosco, capitaine, py:module:Class"):
        make_vec("walk-the-plank", 4, 2, opponents="admiral")
    with pytest.raises(ValueError, match="Sometimes"):
        make_vec("walk-the-plank", 4, 2, autoreset_mode="Sometimes")


def test_better_opponents_leave_less_to_a_random_learner():
    shares = {}
    for opponents in ("random", "mousse"):
        env = make_vec("faut-pas-pousser", 4, 500, opponents=opponents, copy=False)
        env.reset(seed=2)
        for _step in range(7):
            _seen, reward, over, _cut, _info = env.step(env.unwrapped.sample())
        assert over.all()
        shares[opponents] = reward.mean()
    assert shares["random"] == pytest.approx(0.25, abs=0.07) and shares["mousse"] < 0.17


# -- examples ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_the_examples_run(name, monkeypatch, capsys):
    small = {"gymnasium_random.py": "--matches 2 --envs 20 --steps 30", "batch_random.py": "--matches 20 --steps 60"}
    for example, sizes in small.items():
        monkeypatch.setattr("sys.argv", [example, name, *sizes.split()])
        runpy.run_path(str(EXAMPLES / example), run_name="__main__")
    said = capsys.readouterr().out
    assert "20 at once: mean reward" in said and "steps a second" in said


def test_more_matches_than_the_memory_holds_are_refused_with_figures(tmp_path, monkeypatch):
    told = tmp_path / "meminfo"
    told.write_text("MemAvailable: 204800 kB\n")
    monkeypatch.setattr(memory, "MEMORY", told)
    with pytest.raises(
        BadOption, match=r"^1000000 matches take about \d{4} MB .* and 200 MB are free\. Ask for fewer\.$"
    ):
        gymnasium.make_vec("tribord/WalkThePlank-v1", num_envs=1_000_000, players=4)
    assert gymnasium.make_vec("tribord/WalkThePlank-v1", num_envs=1000, players=4).num_envs == 1000


def test_trees_of_opponents_count_as_memory(tmp_path, monkeypatch):
    told = tmp_path / "meminfo"
    told.write_text("MemAvailable: 204800 kB\n")
    monkeypatch.setattr(memory, "MEMORY", told)
    game = load("walk-the-plank")
    tree = memory_of(seat_bot("capitaine", game))
    used = seat_bot("capitaine", game).workers[0].tree
    assert tree == sum(part.nbytes for part in used) // 2 > 10_000_000
    for more in ({"seat": 1}, {"seat": None}, {"opponents": ["capitaine", "random", "capitaine"]}):
        with pytest.raises(BadOption, match=rf"^9 matches take about {9 * 2 * tree >> 20} MB .* Ask for fewer\.$"):
            make_vec(game.id, 3, 9, **{"seat": 1, "opponents": "capitaine"} | more)
    assert make_vec(game.id, 3, 1, opponents="capitaine").num_envs == 1
    assert make_vec(game.id, 3, 9, opponents="matelot").num_envs == 9
