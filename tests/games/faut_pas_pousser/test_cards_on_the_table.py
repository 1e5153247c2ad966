"""Random matches played once more with cards on a table: lists instead of records, and no shared line of code."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tribord import CHANCE, load

GAME = load("faut-pas-pousser")
CREWS = ["blue", "green", "red", "yellow"]


def on_the_table(match, age):
    """The plank, the fallen and the order of play at the end of a journal."""
    lines = [
        (e.seat, GAME.play.chance_notation(e.action) if e.seat == CHANCE else GAME.notation(e.action))
        for e in match.journal
    ]
    players, revealed, first_lot = match.players, {}, None
    while len(revealed) < 4 or (first_lot is None and lines[0][1].startswith("left")):
        seat, said = lines.pop(0)
        if said.startswith("pick"):
            revealed[seat] = int(said[-1])
        elif said.startswith("left"):
            first_lot = CREWS.index(said.split()[1])
        elif said != "card pass":
            revealed[min(set(range(players, 4)) - set(revealed))] = int(said[-1])
    ages = [*age, *([first_lot] if first_lot else []), *range(4)]  # on equal values, who lies left comes first
    plank = [(crew, revealed[crew]) for crew in sorted(revealed, key=lambda crew: (revealed[crew], ages.index(crew)))]
    from_the_right = [crew for crew, _value in reversed(plank)]
    first = next(crew for crew in from_the_right if crew < players)
    order = [(first + k) % players for k in range(players)] + [crew for crew in from_the_right if crew >= players]
    sea = []

    def enters(crew, value):
        sea.append(plank.pop())
        reference = plank[0][1]
        plank.insert(min(3, max(0, value - reference)), (crew, value))

    def moves(said):
        card, slot = map(int, said.split("@"))
        pirate = plank.pop(slot - 1)
        plank.insert(min(3, max(0, slot - 1 + card)), pirate)

    for turn, (seat, said) in enumerate(lines):
        crew = order[turn % 4]
        assert seat == (crew if crew < players else CHANCE)
        for word in said.removeprefix("card ").split():
            if "@" in word:
                moves(word)
            elif word != "pass":
                enters(crew, int(word))
    return plank, sea, order


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_records_and_cards_agree(data):
    players = data.draw(st.integers(2, 4))
    age = data.draw(st.permutations(range(players)))
    match = GAME.match(players, data.draw(st.integers(0, 10**6)), {"age": age})
    rng = data.draw(st.randoms(use_true_random=False))
    while not match.over:
        seat = rng.choice(match.to_act)
        match.play(seat, rng.choice(match.legal(seat)))
    plank, sea, order = on_the_table(match, age)
    truth = match.truth()
    named = [{"crew": CREWS[crew], "pirate": value} for crew, value in plank]
    assert truth["plank"] == named
    assert [pirate for pile in truth["piles"] for pirate in pile] == [
        {"crew": CREWS[crew], "pirate": value} for crew, value in sea
    ]
    assert truth["order"] == [CREWS[crew] for crew in order]
    scores = [0] * 4
    for k, (crew, _value) in enumerate(sea):
        scores[crew] += 1 + k // 4
    for worth, (crew, value) in zip((9, 8, 7, 6), plank):
        scores[crew] += worth + 2 * (value == 1)
    assert match.outcome.scores == scores[:players]
    assert match.outcome.winners == [seat for seat in range(players) if scores[seat] == max(scores[:players])]
