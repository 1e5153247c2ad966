"""Words: both languages complete, placeholders filled, French plurals French."""

import re

import pytest

from tribord.core.words import Words, preferred_language
from tribord.testing.catalogue import Room, problems, refresh, rooms


@pytest.mark.parametrize("room", rooms(), ids=lambda room: room.name)
def test_every_message_is_translated_and_none_is_unused(room):
    assert problems(room) == []


@pytest.mark.parametrize("room", rooms(), ids=lambda room: room.name)
def test_french_signs_never_begin_a_line(room):
    texts = [text for message in room.translations() for text in _texts(message.string)]
    assert not [text for text in texts if re.search(r"\S [:;!»](?!\w)|[^,] \?|« ", text)]


def _texts(translation):
    return [translation] if isinstance(translation, str) else translation


def test_a_form_of_a_field_is_looked_up_by_its_name():
    words = Words("en", names={"crew": {0: "Blue"}, "crew_of": {0: "Blue’s"}})
    assert words.say("{crew} wins: {crew_of} victory, with {points}.", crew=0, points=3) == (
        "Blue wins: Blue’s victory, with 3."
    )
    with pytest.raises(KeyError):
        words.say("{boat} sinks.", crew=0)


@pytest.mark.parametrize(
    ("language", "count", "said"), [("en", 0, "0 points"), ("en", 1, "1 point"), ("fr", 0, "0 point")]
)
def test_plurals_follow_the_language(language, count, said):
    assert Words(language).say(("{n} point", "{n} points", "n"), n=count) == said


@pytest.mark.parametrize(
    ("environment", "language"),
    [({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LC_ALL": "en_GB.UTF-8", "LANG": "fr_FR"}, "en"), ({"LANG": "de_DE"}, "en"),
     ({"TRIBORD_LANG": "fr", "LANG": "C"}, "fr")],
)  # fmt: skip
def test_the_language_is_that_of_the_locale(environment, language, monkeypatch):
    for variable in ("TRIBORD_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    assert preferred_language() == language


def test_the_check_finds_what_is_wrong(tmp_path):
    code = tmp_path / "code"
    code.mkdir()
    (code / "a.py").write_text("_('Hello {name}')\n_n('{n} hat', '{n} hats', 'n')\n")
    room = Room("trial", (code,), tmp_path)
    assert any("missing" in p for p in problems(room))
    refresh(room)
    assert any("not translated" in p for p in problems(room))
    po = room.po.read_text(encoding="utf-8")
    po = po.replace('msgid "Hello {name}"\nmsgstr ""', 'msgid "Hello {name}"\nmsgstr "Bonjour {nom}"')
    po = po.replace('msgstr[0] ""\nmsgstr[1] ""', 'msgstr[0] "{n} chapeau"\nmsgstr[1] "{n} chapeaux"')
    room.po.write_text(po, encoding="utf-8")
    assert any("other placeholders" in p for p in problems(room)) and any("stale" in p for p in problems(room))
    room.po.write_text(po.replace("{nom}", "{name}"), encoding="utf-8")
    refresh(room)
    assert problems(room) == []
    (code / "a.py").write_text("_('Hello {name}')\n")
    assert any("unused" in p for p in problems(room))
