"""Guided matches: the data fits the rules, and the server leads a learner through them."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.launcher import ServerProcess

from tribord import game_ids, load
from tribord.client import Client
from tribord.client.refusal import Refused
from tribord.core.event import Event
from tribord.core.game import Game
from tribord.core.match import Match
from tribord.core.reason import reason
from tribord.core.words import LANGUAGES
from tribord.server import book, guide
from tribord.server.page import CLIENT

GAMES = [load(game) for game in game_ids()]
LESSONS = [(game, name) for game in GAMES for name in guide.lessons(game)]
named = pytest.mark.parametrize(("game", "name"), LESSONS, ids=[f"{game.id}-{name}" for game, name in LESSONS])


def begun(game: Game, lesson: guide.Lesson) -> Match:
    """The match of a lesson, before anyone has decided."""
    return game.match(lesson["players"], lesson["seed"], lesson["options"])


@named
def test_every_step_of_a_lesson_is_legal_and_the_match_reaches_its_end(game: Game, name: str) -> None:
    lesson = guide.lessons(game)[name]
    match = begun(game, lesson)
    for number, passage in enumerate(lesson["passages"], 1):
        where = f"{game.id}, lesson {name}, passage {number}"
        for written in passage["play"]:
            seat, _space, action = written.partition(" ")
            assert not match.over, f"{where}: the match is over before “{written}”"
            try:
                match.play(int(seat), action)
            except Exception as wrong:
                raise AssertionError(f"{where}: “{written}” can’t be played: {wrong}") from wrong
        if "fr" in passage and passage["play"]:
            assert passage["play"][0].startswith(f"{lesson['seat']} "), f"{where}: the learner decides first"
            assert all(not line.startswith(f"{lesson['seat']} ") for line in passage["play"][1:]), where
    assert match.over != lesson.get("alone", False), f"{game.id}, lesson {name}: does the learner go on alone?"
    for _decision in range(2000):  # and a learner who goes on alone reaches an end too
        if match.over:
            break
        seat = match.to_act[0]
        match.play(seat, match.legal(seat)[match.version * 7 % len(match.legal(seat))])
    assert match.over or lesson["options"].get("game") == "strategic", "I19: that game has no end of its own"
    assert not lesson["passages"][-1]["play"], "the last passage is what is said at the end"


@named
def test_every_sentence_is_there_in_both_languages_and_every_rule_exists(game: Game, name: str) -> None:
    passages = [passage for passage in guide.lessons(game)[name]["passages"] if "fr" in passage]
    for passage in passages:
        for language in LANGUAGES:
            assert passage[language]["title"] and passage[language]["text"]
            assert len(passage[language]["text"].split()) <= 50, passage[language]["text"]
            if rule := passage.get("rule"):
                assert rule in book.rules(game.id, language), rule
        assert passage["fr"] != passage["en"]
        assert {*passage["fr"].get("instead", {})} == {*passage["en"].get("instead", {})}
        for wrong in passage["fr"].get("instead", {}):
            part, _space, value = wrong.partition(" ")
            steps = [step for action in range(game.actions) for step in game.steps(action)]
            assert (part, value) in {(name.partition(".")[0], str(each)) for name, each in steps}, wrong
            wanted = game.steps(game.action(passage["play"][0].partition(" ")[2]))
            assert (part, value) not in {(name.partition(".")[0], str(each)) for name, each in wanted}, wrong
    rules = {passage.get("rule") for passage in passages}
    assert len(rules) >= 5, "a lesson shows the rules one by one"


@named
def test_every_event_of_a_lesson_is_taught_in_it_or_explained_when_it_first_happens(game: Game, name: str) -> None:
    lesson = guide.lessons(game)[name]
    match, taught = begun(game, lesson), {passage.get("rule") for passage in lesson["passages"]}
    for passage in lesson["passages"]:
        for written in passage["play"]:
            seat, _space, action = written.partition(" ")
            match.play(int(seat), action)
    assert match.events
    for event in match.events:
        for language in LANGUAGES:
            assert event.rule in taught or reason(game, event, language), event


STAGE = (CLIENT / "stage.js").read_text(encoding="utf-8")
LONGEST = 3.5  # minutes
READ = 150  # words a minute
WORD = re.compile(r"[^\W_]")


def constant(name: str) -> float:
    """A constant of the stage."""
    found = re.search(rf"const {name} = ([\d.]+);", STAGE)
    assert found, name
    return float(found[1])


def count(text: str) -> int:
    """The words of a text, as the stage counts them."""
    return sum(1 for word in text.split() if WORD.search(word))


def minutes(game: Game, lesson: guide.Lesson, language: str) -> float:
    """An estimate of a lesson at normal speed: the lines on the stage as it times them, and reading the passages."""
    words, match, known = game.words(language), begun(game, lesson), set[tuple[str, str]]()
    taught = {passage.get("rule") for passage in lesson["passages"]}
    board = (game.folder / "client" / "board.js").read_text(encoding="utf-8")
    brief = set(re.findall(r'"([\w-]+)"', found[1])) if (found := re.search(r"brief: \[(.*?)\]", board)) else set()
    people = getattr(game.text, "PEOPLE", ())

    def played(events: list[Event]) -> float:
        total, news = 0.0, False
        for event in events:
            kind = (event.kind, event.rule)
            said = "" if event.kind in brief else game.say_event(event, words)
            if kind not in known and event.rule not in taught:
                said += " " + reason(game, event, language)
            line = constant("LINE") + constant("WORD") * max(0, count(said) - constant("SHORT_LINE"))
            own = not game.cooperative and any(event.fields.get(who) == lesson["seat"] for who in people)
            total += line * (constant("FAMILIAR") if kind in known else constant("OWN") if own else 1)
            news = news or kind not in known
            known.add(kind)
        return total + constant("REST") * (1 if news else constant("FAMILIAR"))

    stage, text = played(match.events), 0
    for passage in lesson["passages"]:
        text += sum(count(passage[language][part]) for part in ("title", "text") if language in passage)
        for written in passage["play"]:
            seat, _space, action = written.partition(" ")
            stage += played(match.play(int(seat), action))
    return stage / 60_000 + text / READ


@named
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_takes_about_three_minutes(game: Game, name: str, language: str) -> None:
    assert minutes(game, guide.lessons(game)[name], language) <= LONGEST


@named
def test_what_is_suggested_can_be_touched(game: Game, name: str) -> None:
    """Every part that distinguishes the suggested action has a selector, or follows from the others."""
    lesson = guide.lessons(game)[name]
    match, steps = begun(game, lesson), 0
    for passage in lesson["passages"]:
        for written in passage["play"]:
            seat, _space, action = written.partition(" ")
            if int(seat) == lesson["seat"]:
                parts = game.parts(game.action(action))
                assert len(match.legal(int(seat))) == 1 or set(parts) & set(lesson["touch"]), parts
                steps += 1
            match.play(int(seat), action)
    assert 3 <= steps <= 40


def test_a_server_leads_a_client_through_the_whole_lesson(tmp_path: Path) -> None:
    async def follow(url: str, game: Game, name: str) -> dict[str, Any]:
        lesson = guide.lessons(game)[name]
        mine = guide.line(game, name)[lesson["seat"]]
        client = await Client.create(url, game.id, "Anne", lesson["players"], guide=name)
        async with client:
            await client.do("start")
            async for turn in client.turns():
                assert client.match is not None
                taken = client.match["guide"]
                if taken == len(mine):  # from here on the learner goes on alone
                    break
                await client.act(turn.seat, mine[taken], turn.version)
        assert client.match is not None and client.table is not None
        assert client.table["guide"] == name and client.match["guide"] == len(mine)
        return client.match

    with ServerProcess(tmp_path, "--limits", "0", "--pace", "0") as serving:
        for game, name in LESSONS:
            lesson = guide.lessons(game)[name]
            match = begun(game, lesson)
            for passage in lesson["passages"]:
                for written in passage["play"]:
                    match.play(int(written.partition(" ")[0]), written.partition(" ")[2])
            told = asyncio.run(asyncio.wait_for(follow(serving.url, game, name), 120))
            assert told["version"] == match.version
            assert (told["outcome"] is None) == lesson.get("alone", False)
            if match.outcome is not None:
                assert told["outcome"]["scores"] == match.outcome.scores
                assert told["seed"] == lesson["seed"]


@named
def test_the_last_words_stand_until_the_learner_goes_on(game: Game, name: str) -> None:
    """Bots that decide before the learner does, as in a vote, don't take the end of a lesson away."""
    lesson = guide.lessons(game)[name]
    if not lesson.get("alone"):
        return
    match, learner = begun(game, lesson), lesson["seat"]
    for passage in lesson["passages"]:
        for written in passage["play"]:
            match.play(int(written.partition(" ")[0]), written.partition(" ")[2])
    taken = guide.place(match, name)
    assert taken == [len(decided) for decided in guide.line(game, name)]
    for seat in [seat for seat in match.to_act if seat != learner]:
        match.play(seat, match.legal(seat)[0])
        assert guide.place(match, name) == taken
    assert learner in match.to_act
    match.play(learner, match.legal(learner)[0])
    assert guide.place(match, name) is None


def test_once_the_learner_decides_something_else_the_bots_are_bots_like_any_others(tmp_path: Path) -> None:
    async def stray(url: str) -> None:
        client = await Client.create(url, "walk-the-plank", "Anne", 3, guide="first")
        async with client:
            await client.do("start")
            async for turn in client.turns():
                assert client.match is not None
                if turn.version > 8:
                    assert client.match["guide"] is None
                    break
                await client.act(turn.seat, turn.legal[0], turn.version)

    with ServerProcess(tmp_path, "--limits", "0", "--pace", "0") as serving:
        asyncio.run(asyncio.wait_for(stray(serving.url), 60))


def test_a_guide_that_is_not_there_is_refused_and_a_rematch_has_none(tmp_path: Path) -> None:
    async def ask(url: str) -> None:
        wanted = {"game": "walk-the-plank", "nickname": "Anne", "players": 3, "guide": "nowhere"}
        async with httpx.AsyncClient(base_url=url) as http:
            answer = await http.post("/api/tables", json=wanted)
            assert answer.status_code == 422 and answer.json()["code"] == "no-such-guide"
            plain = (await http.post("/api/tables", json=wanted | {"guide": None})).json()
            assert (await http.get(f"/api/tables/{plain['table']}")).json()["guide"] is None
        client = await Client.create(
            url, "walk-the-plank", "Anne", 5, guide="first", options={"rounds": 1}, public=True
        )
        async with client:
            assert client.table is not None
            assert (client.table["players"], client.table["public"]) == (3, False)  # the lesson covers all of it
            assert [seat["rank"] for seat in client.table["seats"]] == [None, "mousse", "mousse"]
            with pytest.raises(Refused, match="dice-fixed"):
                await client.do("contribute", commitment="ab" * 32)

    with ServerProcess(tmp_path, "--limits", "0", "--pace", "0") as serving:
        asyncio.run(asyncio.wait_for(ask(serving.url), 60))
