"""What people at a table read: their names, “you” to you, in grammatical English and French."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from tests.page.narrator import Case, tell

from tribord import game_ids, load
from tribord.core.event import Kind
from tribord.core.game import Game
from tribord.core.words import LANGUAGES

GAMES = [load(game) for game in game_ids()]
FAUT_PAS_POUSSER = load("faut-pas-pousser")
NAMES = ("Lison", "Anne", "Hugo", "Élise", "Yves", "Œdipe")  # all but the first take « d’ »
ELIDED = "|".join(NAMES[1:])
BROKEN = {
    "a hole": r"[{}]",
    "two spaces": r"\s\s",
    "a stray space": r"^\s|\s$|\s[.,]",
    "no elision": rf"\b(?:de|que|jusque|lorsque|puisque) (?:{ELIDED})\b",
    "no contraction": r"\b(?:à|de) les?\b",
    "an article twice": r"\b(?:le|la|les|the|a|an) (?:le|la|les|the|votre|your|son|their)\b",
    "a verb for someone else": r"^You (?:\w*[^s\W]s|has|is|was)\b|^Vous (?!\w+(?:ez|tes)\b|vous \w+ez\b|n)",
}


def values(game: Game, field: str) -> list[int]:
    """Values of a field worth saying: those with a word, otherwise a few numbers."""
    forms = [known for sort, known in game.names.items() if sort == field or sort.startswith(f"{field}_")]
    named = sorted({value for known in forms for value in known if isinstance(value, int)})
    return named or [0, 1, 2, 5]


def cases(game: Game, kind: Kind) -> Iterator[Case]:
    """The event with every value of every field, everyone in every role, for each of them and for the others."""
    people = [field for field in kind.fields if field in game.text.PEOPLE]
    usual = {field: values(game, field)[0] for field in kind.fields}
    others = [usual | {field: value} for field in kind.fields if field not in people for value in values(game, field)]
    seats = range(game.players[1])
    for fields, who in product(others or [usual], product(seats, repeat=len(people))):
        for you in (None, *seats):
            for played in {game.players[1], max(2, game.players[0])}:
                yield Case(
                    kind.name, fields | dict(zip(people, who)), NAMES[:played], you if (you or 0) < played else None
                )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_event_is_grammatical_for_everyone(game: Game, language: str) -> None:
    if not hasattr(game.text, "PEOPLE"):
        pytest.skip("this game tells of crews only")
    told = [case for kind in game.events.KINDS if game.text.SENTENCES[kind.name].named for case in cases(game, kind)]
    for case, said in zip(told, tell(game, language, told)):
        if said is None:  # a neutral crew acts, and the event itself says it
            actor = next(seat for field, seat in case.fields.items() if field in game.text.PEOPLE)
            assert case.people[actor:][:1] == (), case
            continue
        said = said[:1].upper() + said[1:]
        for fault, pattern in BROKEN.items():
            assert not re.search(pattern, said), f"{fault}: “{said}” ({case})"


def plainly(language: str, *told: Case) -> list[str | None]:
    """What Faut pas pousser says, with plain spaces."""
    return [said and said.replace("\u00a0", " ") for said in tell(FAUT_PAS_POUSSER, language, list(told))]


@pytest.mark.parametrize(
    ("you", "language", "said"),
    [
        (None, "en", "Lison plays −3: Anne’s pirate 4 goes from slot 3 to slot 2."),
        (0, "en", "You play −3: Anne’s pirate 4 goes from slot 3 to slot 2."),
        (1, "en", "Lison plays −3: your pirate 4 goes from slot 3 to slot 2."),
        (None, "fr", "Lison joue −3 : le pirate 4 d’Anne va de l’emplacement 3 au 2."),
        (0, "fr", "Vous jouez −3 : le pirate 4 d’Anne va de l’emplacement 3 au 2."),
        (1, "fr", "Lison joue −3 : votre pirate 4 va de l’emplacement 3 au 2."),
    ],
)
def test_you_are_you_and_the_others_have_names(you: int | None, language: str, said: str) -> None:
    fields = {"crew": 0, "card": -3, "owner": 1, "pirate": 4, "slot": 3, "goal": 2}
    assert plainly(language, Case("moves", fields, NAMES, you)) == [said]


def test_the_acting_player_has_their_own_pirate() -> None:
    fields = {"crew": 1, "card": 1, "owner": 1, "pirate": 1, "slot": 4}
    told = [Case("stays", fields, NAMES, you) for you in (None, 1)]
    assert plainly("en", *told) == [
        "Anne plays +1: no effect, their own Captain is already at the end of the plank.",
        "You play +1: no effect, your Captain is already at the end of the plank.",
    ]
    assert plainly("fr", *told) == [
        "Anne joue +1 : sans effet, son propre Capitaine est déjà au bout de la planche.",
        "Vous jouez +1 : sans effet, votre Capitaine est déjà au bout de la planche.",
    ]


def test_a_crew_that_nobody_plays_keeps_its_name() -> None:
    held = Case("scores", {"crew": 2, "pirate": 5, "slot": 1, "points": 9}, NAMES[:2], 0)
    fell = Case("falls", {"crew": 2, "pirate": 5, "pile": 1}, NAMES[:2], 0)  # the event says it, without points
    assert plainly("en", held, fell) == ["Red’s pirate 5 still holds slot 1: 9 points.", None]
    assert plainly("fr", held) == ["le pirate 5 des Rouges tient encore l’emplacement 1 : 9 points."]


def test_a_name_is_never_read_as_a_placeholder() -> None:
    case = Case("passes", {"crew": 0}, ["{card} $& ${name}"])
    assert plainly("en", case) == ["{card} $& ${name} says “Non merci !” and passes."]


def test_all_that_people_do_at_faut_pas_pousser_is_said_with_their_names() -> None:
    crews_only = [kind for kind, sentence in FAUT_PAS_POUSSER.text.SENTENCES.items() if not sentence.named]
    assert crews_only == ["neutral-back", "neutral-card", "neutral-pass", "lots", "last-round", "counting"]
