"""Claims: a second server on the same SQLite file refuses to start; reading is still possible."""

import asyncio
import subprocess
import sys

import pytest
from tests.server.aboard import Ship
from tests.server.launcher import ServerProcess

from tribord import Refusal
from tribord.core.words import Words
from tribord.server.store import connect


def run(*args):
    command = [sys.executable, "-m", "tribord.cli", *map(str, args), "--lang", "en"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_second_server_on_the_same_file_refuses_to_start_until_the_first_is_killed(tmp_path):
    path = tmp_path / "tables.sqlite3"
    other_name = tmp_path / "same.sqlite3"
    other_name.symlink_to(path)
    first, second = ServerProcess(tmp_path), ServerProcess(tmp_path)
    try:
        first.start()
        for name in (path, f"sqlite:///{path}", other_name):
            refused = run("serve", "--store", name, "--port", second.port)
            assert refused.returncode == 2 and refused.stdout == ""
            assert "Another server is using the store" in refused.stderr and "Traceback" not in refused.stderr
        asyncio.run(Ship(first.port, None).create())  # which goes on
        first.kill()  # -9
        second.start()
    finally:
        first.kill()
        second.kill()


def test_a_store_in_use_can_be_copied_and_checked(tmp_path):
    with ServerProcess(tmp_path) as server:
        asyncio.run(Ship(server.port, None).create())
        for command in (("backup", tmp_path / "copy.sqlite3"), ("check",)):
            done = run(*command, "--store", server.store)
            assert (done.returncode, done.stderr) == (0, "")
    assert "1 table," in run("check", "--store", tmp_path / "copy.sqlite3").stdout


def test_a_claim_ends_with_its_block(tmp_path):
    store = connect(str(tmp_path / "new" / "tables.sqlite3"))
    for _time in range(2):
        with store.claim():
            with pytest.raises(Refusal) as refused, store.claim():
                pass
            assert refused.value.code == "in-use" and refused.value.say(Words("fr"))
    (file,) = (tmp_path / "new").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_place_where_nothing_can_be_claimed_is_named(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Refusal) as refused, connect(str(tmp_path / "file" / "tables.sqlite3")).claim():
        pass
    assert refused.value.code == "not-opened"
