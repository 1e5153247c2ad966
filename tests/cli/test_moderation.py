"""The operator's commands about people: reports, bans, the audit log. Bad input gets a sentence and changes nothing."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from tribord.cli import main
from tribord.server.store import AuditEntry, IndexEntry, Row, chained, connect

TABLE = "y4yZ4St2wf5eGUgR"


async def _fill(path: str, *entries: AuditEntry) -> None:
    place = connect(path)
    await place.open()
    row = chained(Row(TABLE, 0, "create", b"{}", 1.0), b"")
    await place.append(row, IndexEntry(TABLE, "8HBXEV", "ile-aux-pirates", False, "open", None, 1.0, b"{}"))
    for entry in entries:
        await place.note(entry)
    await place.close()


def _run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a table, and a report about someone who tries to control a terminal."""
    path = str(tmp_path / "tables.sqlite3")
    details = {
        "reason": "talk", "guest": 1, "nickname": "Zoé\x1b[2J", "seats": [1], "address": "203.0.113.6",
        "said": ["You fools\x1b[2J"],
    }  # fmt: skip
    _run(_fill(path, AuditEntry(time.time(), "report", "guest 0", TABLE, "203.0.113.5", details)))
    return path


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], store: str) -> Any:
    """Run a command on the store: its status, output and errors."""

    def run(*words: str, lang: str = "en") -> tuple[int, str, str]:
        status = main([*words, "--store", store, "--lang", lang])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def test_a_report_is_shown_with_address_and_words_and_steers_no_terminal(told):
    status, out, _err = told("reports")
    assert status == 0
    for part in ("Zoé\\x1b[2J (203.0.113.6): Chat.", "guest 0 (203.0.113.5)", TABLE, "said: You fools\\x1b[2J"):
        assert part in out
    assert "\x1b" not in out
    assert "Signalement" in told("reports", lang="fr")[1]
    (line,) = told("reports", "--json")[1].splitlines()
    assert json.loads(line)["details"]["address"] == "203.0.113.6"


def test_an_address_is_banned_listed_lifted_and_all_of_it_is_in_the_log(told):
    assert told("bans") == (0, "Nothing is banned.\n", "")
    assert "203.0.113.6" in told("ban", "203.0.113.6", "--for", "7d", "--reason", "insults")[1]
    assert told("ban", "2001:db8:1:2::7")[0] == told("ban", "8hbxev", "--for", "30m")[0] == 0
    bans = [json.loads(line) for line in told("bans", "--json")[1].splitlines()]
    assert [ban["target"] for ban in bans] == ["203.0.113.6", "2001:db8:1:2::/64", TABLE]
    assert bans[0]["until"] == pytest.approx(time.time() + 7 * 86_400, abs=600)
    assert (bans[0]["reason"], bans[1]["until"]) == ("insults", None)
    assert "Until you lift it" in told("bans")[1]
    for target in ("203.0.113.6", "2001:db8:1:2::/64", TABLE):
        assert told("unban", target)[0] == 0
    assert told("bans", lang="fr")[1] == "Aucun bannissement.\n"
    log = [json.loads(line) for line in told("audit", "--json")[1].splitlines()]
    assert [(entry["what"], entry["actor"], entry["table"]) for entry in log] == [
        ("report", "guest 0", TABLE),
        *[("ban", "operator", table) for table in ("", "", TABLE)],
        *[("unban", "operator", table) for table in ("", "", TABLE)],
    ]
    assert "insults" in told("audit", "--what", "ban")[1] and "unban" not in told("audit", "--what", "ban")[1]
    assert len(told("audit", "--last", "2")[1].splitlines()) == 2


@pytest.mark.parametrize(
    ("words", "french", "english"),
    [
        (["ban", "the-neighbour"], "ni une adresse ni une table", "neither an address nor a table"),
        (["ban", "ZZZZZZ"], "ni une adresse ni une table", "neither an address nor a table"),
        (["ban", "203.0.113.0/24"], "ni une adresse ni une table", "neither an address nor a table"),
        (["ban", "203.0.113.6/64"], "ni une adresse ni une table", "neither an address nor a table"),
        (["ban", "127.0.0.1"], "--proxy", "--proxy"),
        (["ban", "::1"], "--proxy", "--proxy"),
        (["ban", "203.0.113.6", "--for", "ever"], "n’est pas une durée", "isn’t a duration"),
        (["unban", "203.0.113.6"], "Aucun bannissement", "isn’t banned"),
    ],
)
def test_bad_input_is_one_sentence_and_changes_nothing(told, words, french, english):
    for lang, sentence in (("fr", french), ("en", english)):
        status, out, err = told(*words, lang=lang)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert sentence in err
    assert told("bans", "--json")[1] == ""
    assert len(told("audit", "--json")[1].splitlines()) == 1


def test_a_store_that_is_not_there_is_not_made(tmp_path, capsys):
    for words in (["reports"], ["ban", "203.0.113.6"], ["bans"], ["audit"]):
        assert main([*words, "--store", str(tmp_path / "none.sqlite3")]) == 2
        assert "none.sqlite3" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_backup_is_noted(told, tmp_path):
    assert told("backup", str(tmp_path / "copy.sqlite3"))[0] == 0
    (line,) = told("audit", "--what", "backup", "--json")[1].splitlines()
    assert json.loads(line)["details"] == {"file": str(tmp_path / "copy.sqlite3")}
