"""What the server hands to the page: files, words, the board in words, previews."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.launcher import ServerProcess

from tribord import game_ids
from tribord.client import Client
from tribord.server.page import CLIENT, modules


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        ServerProcess(tmp_path_factory.mktemp("files"), "--limits", "0") as serving,
        httpx.Client(base_url=serving.url) as asking,
    ):
        yield asking


def table(client: httpx.Client) -> dict[str, Any]:
    """A table at which two of us sit, and its host's credentials."""
    wanted = {"game": "faut-pas-pousser", "nickname": "Anne", "players": 2, "seats": ["me", "open"]}
    return client.post("/api/tables", json=wanted).json()


def test_the_page_names_the_modules_it_needs_and_they_are_there(client: httpx.Client) -> None:
    index = client.get("/")
    assert index.headers["content-type"].startswith("text/html")
    named = re.findall(r'modulepreload" href="([^"]+)"', index.text)
    assert len(named) == len(set(named)) > len(modules()) > 20
    assert set(named) >= {f"/page/{name}" for name in [*modules(), *modules("screens/table.js")]}
    for address in named:
        assert client.get(address).headers["content-type"].startswith("text/javascript")


def test_a_file_that_has_not_changed_is_not_sent_again(client: httpx.Client) -> None:
    first = client.get("/page/main.js")
    assert first.headers["content-encoding"] == "gzip" and first.content == (CLIENT / "main.js").read_bytes()
    again = client.get("/page/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get("/page/main.js", headers={"accept-encoding": "identity"})
    assert plain.headers["etag"] != first.headers["etag"]  # another form, another tag


@pytest.mark.parametrize(
    "path", ["/page/../page.py", "/page/%2e%2e/page.py", "/page//main.js", "/page/locale/fr/LC_MESSAGES/tribord.mo",
             "/games/faut-pas-pousser/../rules.py", "/games/no-such-game/board.js", "/page/nope.js", "/page/"],
)  # fmt: skip
def test_nothing_else_is_served(client: httpx.Client, path: str) -> None:
    request = client.build_request("GET", "http://x/")
    request.url = client.base_url.copy_with(raw_path=path.encode())
    assert client.send(request).status_code == 404


def test_every_game_has_words_in_both_languages_and_its_rules_by_number(client: httpx.Client) -> None:
    for game in game_ids():
        french, english = (client.get(f"/games/{game}/words/{language}.json").json() for language in ("fr", "en"))
        assert french["messages"] and french["rules"].keys() == english["rules"].keys()
        assert french["ask"] != english["ask"]
        api = client.get(f"/api/games/{game}/actions").json()["actions"]
        assert client.get(f"/games/{game}/actions.json").json() == [
            {part: value for part, value in card.items() if part != "notation"} for card in api
        ]


def test_a_first_visit_is_light(client: httpx.Client) -> None:
    sent = [client.get(address) for address in ["/", "/page/house.json", "/page/words/fr.json", "/page/page.css"]]
    sent += [client.get(name) for name in re.findall(r'modulepreload" href="([^"]+)"', sent[0].text)]
    text = sum(len(gzip.compress(answer.content, 9)) for answer in sent)
    fonts = sum(font.stat().st_size for font in Path(CLIENT / "fonts").glob("*.woff2"))
    assert text + fonts < 200_000


def test_the_board_in_words_and_the_look_ahead_know_what_a_seat_knows(client: httpx.Client) -> None:
    asyncio.run(_two_at_a_table(client, str(client.base_url).rstrip("/")))


async def _two_at_a_table(client: httpx.Client, url: str) -> None:
    anne = await Client.create(url, "faut-pas-pousser", "Anne", players=2)
    zoe = await Client.join(url, anne.id, "Zoé")
    address = f"/api/tables/{anne.id}"

    def ask(what: str, secret: str | None) -> httpx.Response:
        return client.get(f"{address}/{what}", headers={"authorization": f"Bearer {secret}"} if secret else {})

    async with anne, zoe:
        await zoe.do("sit", seat=1)
        await zoe.do("ready")
        await anne.do("start")
        await anne.act(0, "pick 4")
        pick = "Blue has picked pirate 4."
        assert pick in ask("board/en?seat=0", anne.secret).text
        assert pick not in ask("board/en", None).text and "Blue has picked." in ask("board/en", None).text
        assert ask("board/en?seat=0", zoe.secret).json()["code"] == "not-your-seat"
        assert ask("board/en?seat=0", None).json()["code"] == "wrong-secret"
        assert ask("preview/2?seat=1", zoe.secret).json()["code"] == "sealed"
        await zoe.act(1, "pick 5")  # the higher of the two: she stands further right and plays first
        preview = ask("preview/6 -1@2?seat=1", zoe.secret).json()["events"]
        assert {event["kind"] for event in preview} >= {"falls", "enters"}
        heard = zoe.events()
        await zoe.act(1, "6 -1@2")
        async for happening in heard:
            if any(event["kind"] == "enters" for event in happening.events):
                assert happening.events[: len(preview)] == preview
                break


def test_what_is_not_begun_or_not_yours_is_refused(client: httpx.Client) -> None:
    mine, other = table(client), table(client)
    address = f"/api/tables/{mine['table']}"
    assert client.get(f"{address}/board/fr").json()["code"] == "not-started"
    assert client.get(f"{address}/preview/0").json()["code"] == "not-started"
    assert client.get(f"{address}/board/xx").status_code == 404
    stranger = {"authorization": f"Bearer {other['secret']}"}
    assert json.loads(client.get(f"{address}/board/fr?seat=0", headers=stranger).text)["code"] == "not-started"
