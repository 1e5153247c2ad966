"""Grammar: every text of every room reads well in both languages, with every value inserted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from tests.page.narrator import bent
from tests.texts import ROOMS, Message, messages, texts

from tribord import game_ids, load
from tribord.core.game import Game
from tribord.core.words import LANGUAGES, Phrase, placeholders

PEOPLE = ("Lison", "Anne", "Œdipe", "Yves", "Yann", "Hector")
FORMS = ("", "of", "to")  # of a name: « Anne », « d’Anne », « à Anne »
# Where the page and the terminal name a crew, or someone with their crew.
CREWS = ("who", "seat", "crew", "names", "name", "best", "worst")

# Numbers that are never 0, by room: at 0 there's another sentence, or none. Or 0 is fine, because nothing is counted:
# “step 0”, “force 0”, “0 s”.
FROM_ONE = {
    "house": ("count", "decisions", "depth", "matches", "players", "rounds", "ways"),
    "page": ("count", "most", "players", "seconds", "step"),
    "faut-pas-pousser": ("pile", "place", "points", "slot"),  # at the end; every pirate is worth a point
    "walk-the-plank": ("dead", "hidden", "pirates", "plank", "round"),
    "sauve-qui-peut": ("caps", "count", "helmsmen", "leaks", "points", "sailors", "votes"),
    "ile-aux-pirates": ("all", "children", "count", "die", "force", "one", "three", "turns", "two"),
}
# Numbers that are never 1 either: their sentences need no singular.
FROM_TWO = {
    "house": ("bots", "least", "matches", "matches_per_second", "most", "players", "points", "score", "upper"),
    "page": ("count",),  # the decisions that go when one is taken back, if there are several
    "faut-pas-pousser": ("points",),  # of slots
    "walk-the-plank": ("plank",),  # once it's longer
    "sauve-qui-peut": ("caps", "points"),  # of someone ashore
    "ile-aux-pirates": ("children",),  # they outnumber pirates, or are all there are
}
# These placeholders hold a number.
NUMBERS = (
    "all", "before", "caps", "children", "clock", "count", "dead", "decisions", "depth", "die", "fair", "force",
    "free", "helmsmen", "hidden", "high", "iterations", "last", "lead", "leaks", "least", "left", "low", "lower",
    "match", "matches", "minutes", "most", "needed", "number", "pile", "pirate_value", "place", "plank", "players",
    "points", "port", "round", "rounds", "row", "sailors", "score", "seconds", "size", "slot", "square", "states",
    "step", "steps", "theirs", "threads", "three", "times", "tokens", "turns", "two", "upper", "value", "votes",
    "ways",
)  # fmt: skip

VOWEL = "(?:[aeiouàâäéèêëîïôöùûœ]|y(?![aeiou])|hector)"
PERSON = r"\{(?:name|nickname|who|host|seat)\}"
COMMAND = re.compile(r"^(?:\S+(?: [A-Z]+)?)?[ ]{3,}(?=\S)")  # a line of a table: “b           one question back”
BROKEN = {
    "en": {
        "a straight quote": r"['\"]",
        "an article twice": r"(?i)\b(?:the|a|an) (?:the|a|an|your|their|its)\b",
        "“a” before a vowel": r"\b[aA] (?:[aeio]|un[^i]|u[^ns])",
        "“an” before a consonant": r"\b[aA]n [bcdfgjklmnpqrstvwyz]",
    },
    "fr": {
        "a straight quote": r"['\"]",
        "an article twice": r"(?i)\b(?:le|la|les) (?:le|la|les|un|une|votre|vos|son)\b",
        "no contraction": r"(?i)\b(?:à|de) les? (?!\w+(?:er|ir|re|oir)\b)",
        "no elision": rf"(?i)(?<!-)\b(?:de|que|jusque|lorsque|puisque|je|ne|se|le|la) (?!onz|oui\b|une?\b|\w\b){VOWEL}",
        "no space that holds before ; : ! ? »": r"[^\s!?][;!?»]|[^\s]:(?=\s|$)|[ ][;:!»]|[^,][ ]\?",
        "no space that holds after «": r"«[^\u00a0\u202f]",
        "a wide space before ; ! ?": r"\u00a0[;!?]",
        "no space that holds before %": r"(?:[ ]|\d)%",
        "si il": r"(?i)\bsi ils?\b",
        "a participle that agrees with a person": (
            rf"{PERSON} (?:n’|s’)?(?:est|était|sera|reste|semble|a été)(?: pas| plus)?(?: \w+)?"
            r" (?!ici\b)(?:\w*(?:é|i|u|ert)|prêt|seul|absent|assis|mort)\b"
        ),
    },
}
ANYWHERE = {
    "two spaces": r"\S\s\s|^\s\s\S",
    "three dots": r"\.\.\.",
    "a hyphen for a minus": r"(?<![\w\-–/.:\]])-\d",
}
BARE_ZERO = re.compile(r"(?<![\w.,:=/−–+({@-])0[ \u00a0](?!(?:à|et|of|sur|to|votes? contre)\b)(?=[^\W\d])")


def faults(text: str, language: str) -> list[str]:
    """What is wrong with a text that people read."""
    plain = COMMAND.sub("", text.replace("cmd:", "cmd"))
    patterns = BROKEN[language] | ANYWHERE
    return [fault for fault, pattern in patterns.items() if re.search(pattern, plain)]


def filled(room: str, message: Message, language: str) -> Iterator[str]:
    """A message with every value of every placeholder, one at a time, the others at their first."""
    for k, form in enumerate(message.forms[language]):
        values = {key: tuple(inserted(room, key, language, message, k)) for key in sorted(placeholders(form))}
        usual = {key: found[0] for key, found in values.items()}
        for key, found in values.items():
            yield from (form.format_map(usual | {key: value}) for value in found)
        if not values:
            yield form


def inserted(room: str, key: str, language: str, message: Message, form: int) -> Iterator[str]:
    """The possible values of a placeholder in one form of a message."""
    if message.counted and key == message.counted.field:
        none = not message.counted.has_none and key not in FROM_ONE.get(room, ())
        several = ("2", "21")
        if language == "fr":
            yield from several if form else ("1", "0")[: 1 + none]
        else:
            yield from (*several, "0")[: 2 + none] if form else ("1",)
    elif room not in ("page", "house") and (known := list(said(load(room), key, language))):
        yield from known
    elif key in NUMBERS:
        never = (*(("0",) if key in FROM_ONE.get(room, ()) else ()), *(("1",) if key in FROM_TWO.get(room, ()) else ()))
        yield from (number for number in ("2", "21", "1", "0") if number not in never)
    else:
        yield from PEOPLE
        if room in ("page", "house") and key in CREWS:
            yield from crews(language)
            yield from (f"{PEOPLE[0]} ({crew})" for crew in crews(language))


@cache
def crews(language: str) -> tuple[str, ...]:
    """The crews and colours of all games."""
    found = [
        game.words(language).translate(name)
        for game in map(load, game_ids())
        for sort in ("crew", "colour", "player")
        for name in game.names.get(sort, {}).values()
    ]
    return tuple(dict.fromkeys(found))


def without_singular(room: str, message: Message, language: str) -> list[str]:
    """Numbers before a noun in the plural, in a message that has no other form: “1 points”."""
    if message.counted:
        return []
    found = re.findall(r"\{(\w+)\}[ \u00a0](\w+)", message.forms[language][0])
    words = ("name", *FROM_TWO.get(room, ()), *(() if room in ("page", "house") else load(room).names))
    return [f"{{{key}}} {noun}" for key, noun in found if noun in plurals(language) and key not in words]


@cache
def plurals(language: str) -> set[str]:
    """Nouns in the plural: what stands behind a number in the second form of messages, and not in the first."""
    found = set()
    for message in (message for room in ROOMS for message in messages(room) if message.counted):
        behind = rf"\{{{message.counted.field}\}}[ \u00a0](\w+)"  # type: ignore[union-attr]
        one, many = (set(re.findall(behind, form)) for form in message.forms[language])
        found |= many - one
    return found


def said(game: Game, key: str, language: str) -> Iterator[str]:
    """What a game says for a placeholder: its own words for values, a person, or a phrase about one."""
    words = game.words(language)
    field, _bar, form = key.rpartition("_")
    if key in game.names:
        yield from dict.fromkeys(words.translate(name) for name in game.names[key].values())
    elif form in (phrases := getattr(game.text, "PHRASES", {})):
        yield from spoken(game, phrases[form], language)
    elif (field or key) in ("name", *getattr(game.text, "PEOPLE", ())) and (form if field else "") in FORMS:
        yield from bent(language, PEOPLE, form) if field else PEOPLE


def spoken(game: Game, phrase: Phrase, language: str) -> Iterator[str]:
    """All forms of a phrase about a person."""
    words = game.words(language)
    for form in filter(None, (phrase.yours, phrase.theirs, phrase.own, phrase.your_own)):
        text = words.translate(form)
        values = {key: list(said(game, key, language)) for key in placeholders(text)}
        for k in range(max(map(len, values.values()), default=1)):
            yield text.format_map({key: found[k % len(found)] for key, found in values.items()})


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_grammatical(room: str, language: str) -> None:
    found = [f"{fault}: {text}" for text in texts(room, language) for fault in faults(text.said, language)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_grammatical_with_every_value(room: str, language: str) -> None:
    found = []
    for message in messages(room):
        for text in dict.fromkeys(filled(room, message, language)):
            wrong = faults(text, language) + ["a bare 0"] * bare_zero(room, message, text)
            found += [f"{fault}: “{text}” ({message})" for fault in wrong]
        found += [f"no singular: “{noun}” ({message})" for noun in without_singular(room, message, language)]
    assert not found, "\n".join(found)


def bare_zero(room: str, message: Message, text: str) -> bool:
    """Whether a number inserted into a sentence says 0 of something."""
    return bool((message.counted or room != "house") and BARE_ZERO.search(text))


@pytest.mark.parametrize(
    ("language", "text", "fault"),
    [
        ("fr", "Les Bleus proposent à les Verts.", "no contraction"),
        ("fr", "C’est le tour de Anne.", "no elision"),
        ("fr", "On attend que Œdipe joue.", "no elision"),
        ("fr", "L'équipage gagne.", "a straight quote"),
        ("fr", "Qui joue ?", "no space that holds before ; : ! ? »"),
        ("fr", "Gagné!", "no space that holds before ; : ! ? »"),
        ("fr", "« Plouf\u00a0»", "no space that holds after «"),
        ("fr", "Gagné\u00a0!", "a wide space before ; ! ?"),
        ("fr", "Les  Bleus", "two spaces"),
        ("fr", "On joue chez de Hector.", "no elision"),
        ("fr", "C’est à de Yves.", "no elision"),
        ("fr", "Dans 95 % des parties.", "no space that holds before %"),
        ("fr", "Dans 95% des parties.", "no space that holds before %"),
        ("fr", "Si il gagne.", "si il"),
        ("fr", "{name} n’est pas encore prêt.", "a participle that agrees with a person"),
        ("fr", "{nickname} a été retiré.", "a participle that agrees with a person"),
        ("fr", "Vous jouez -3.", "a hyphen for a minus"),
        ("en", "Wait...", "three dots"),
        ("en", "It's a Red pirate.", "a straight quote"),
        ("en", "a orange", "“a” before a vowel"),
        ("en", "the the Blues", "an article twice"),
    ],
)
def test_faults_are_found(language: str, text: str, fault: str) -> None:
    assert faults(text, language) == [fault]


def test_what_is_right_passes() -> None:
    assert faults("Anne\u00a0: «\u00a0À la mer\u202f!\u00a0» Mettez-la à bord, ou essayez de la sauver.", "fr") == []
    assert faults("b           une question en arrière", "fr") == []
    assert faults("{name} est déjà à bord, chez de Yann\u00a0: 95\u00a0% de −3 à 2.", "fr") == []
    assert BARE_ZERO.search("Il reste 0 trou.") and not BARE_ZERO.search("10 trous, de 0,5 à 4 − 4 = 0.")
