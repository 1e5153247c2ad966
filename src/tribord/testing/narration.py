"""Check a game's narration: its sentences for people at a table, with names and with "you"."""

from __future__ import annotations

from dataclasses import asdict

from tribord.core.game import Game
from tribord.core.words import LANGUAGES, Message, Phrase, placeholders


def check_narration(game: Game) -> None:
    """Every placeholder in a sentence can be filled: with a field, a form of its name, or a phrase about one."""
    text = game.text
    people, phrases = getattr(text, "PEOPLE", ()), getattr(text, "PHRASES", {})
    for kind in game.events.KINDS:
        sentence = text.SENTENCES[kind.name]
        assert sentence.named or not sentence.you, f"{game.id}: event {kind.name} says “you” but names nobody"
        subject = next((field for field in kind.fields if field in people), "")
        for form in ("named", "you"):
            # "of you" is wrong: a phrase such as "your pirate" replaces it, in its own word order.
            bends = {"", "to", "of"} if form == "named" and sentence.you else {"", "to"}
            for said in _said(game, getattr(sentence, form)):
                for key in placeholders(said):
                    wrong = f"{game.id}: event {kind.name}, {form}: {{{key}}} in “{said}”"
                    field, bend = _field(
                        key.replace("name", subject, 1) if key.startswith("name") else key, kind.fields
                    )
                    assert field, f"{wrong} isn’t one of its fields"
                    if field not in people:
                        assert not bend or key in game.names, f"{wrong} has no such form in NAMES"
                    elif bend in phrases:
                        _check_phrase(game, phrases[bend], kind.fields, wrong)
                    else:
                        assert bend in (bends if field == subject else {"", "to"}), f"{wrong} isn’t a phrase in PHRASES"


def _check_phrase(game: Game, phrase: Phrase, fields: tuple[str, ...], wrong: str) -> None:
    """A phrase in a sentence uses only the fields of that event, and its person only as `name`."""
    for form, message in asdict(phrase).items():
        for said in _said(game, message):
            for key in placeholders(said):
                if key.partition("_")[0] == "name":
                    bends = ("name", "name_of", "name_to") if form in ("theirs", "crews") else ("name", "name_to")
                    assert key in bends, f"{wrong}: “{said}” cannot be said ({form})"
                else:
                    field, bend = _field(key, fields)
                    assert field and (not bend or key in game.names), f"{wrong}: {{{key}}} in “{said}” means nothing"


def _field(key: str, fields: tuple[str, ...]) -> tuple[str, str]:
    """The field a placeholder stands for and its form; no field if it stands for none."""
    if key in fields:
        return key, ""
    field, _bar, form = key.rpartition("_")
    return (field, form) if field in fields else ("", form)


def _said(game: Game, message: Message | None) -> list[str]:
    """All templates of a message, in every language."""
    found: list[str] = []
    for language in LANGUAGES if message else ():
        forms = game.words(language).forms(message or "")
        found += [forms] if isinstance(forms, str) else [said for form, said in forms.items() if form != "count"]
    return found
