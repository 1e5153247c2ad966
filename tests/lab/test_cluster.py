"""The cluster: a real Ray of several processes plays what one process plays, even if some of them die."""

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from tests.server.port import free_port

from tribord import BadOption, Refusal, load
from tribord.bots.external import command_of
from tribord.lab import analysis
from tribord.lab import cluster as cluster_module
from tribord.lab.arena import arena
from tribord.lab.cluster import ClusterSpread, spreading
from tribord.lab.cores import AHEAD, spread
from tribord.lab.simulate import simulate
from tribord.lab.tally import Tally

pytestmark = pytest.mark.cluster
FPP = load("faut-pas-pousser")
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


class Head:
    """A Ray of two workers in its own folder, listening on this machine only."""

    def __init__(self, folder):
        self.direct, self.client = (f"127.0.0.1:{free_port()}" for _kind in range(2))
        ports = [f"--{kind}-port=0" for kind in ("dashboard-agent-listen", "dashboard-agent-grpc", "metrics-export")]
        ports += [f"--{kind}-worker-port=0" for kind in ("min", "max")]
        command = [
            sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus=2",
            "--node-ip-address=127.0.0.1", f"--port={self.direct.partition(':')[2]}", *ports,
            f"--ray-client-server-port={self.client.partition(':')[2]}", "--include-dashboard=false",
            "--disable-usage-stats", f"--temp-dir={folder}",
        ]  # fmt: skip
        self.log = Path(folder) / "log"
        with self.log.open("wb") as log:
            # It ends at once, even while matches are played, and waits for its own processes on a busy machine.
            more = {"RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "0", "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "90"}
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | more)
        until = time.monotonic() + 60
        for address in (self.direct, self.client):
            while not answers(address):
                assert time.monotonic() < until and self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)
        # A newly installed Ray may turn its first client away: the process that serves it has a fixed time to start.
        knock = [sys.executable, "-c", f"import ray; ray.init('ray://{self.client}'); ray.shutdown()"]
        tries = (subprocess.run(knock, capture_output=True, check=False).returncode for _try in range(4))
        assert 0 in tries, self.log.read_text()

    def stop(self):
        """End it; everything it has started must end with it."""
        crew = descendants(self.process.pid)
        self.process.terminate()
        try:
            self.process.wait(30)
        finally:
            left = [pid for pid in [self.process.pid, *crew] if not gone(pid)]
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        assert not left


def descendants(pid):
    """The processes that a process has started, and those that these have."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found = [pid]
    for one in found:
        found += [child for child, parent in parents if parent == one]
    return found[1:]


def gone(pid, patience=15):
    """Whether a process has ended, soon."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def name_of(pid):
    """What a process calls itself; nothing when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def listening(pids):
    """The addresses on which these processes listen, as the kernel writes them."""
    held = set()
    for pid in pids:
        with suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):
                    held.add(str(descriptor.readlink()))
    lines = [line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/net/{table}").read_text().splitlines()]
    return {line[1].partition(":")[0] for line in lines if line[3] == "0A" and f"socket:[{line[9]}]" in held}


def answers(address):
    host, _colon, port = address.partition(":")
    with socket.socket() as door:
        return door.connect_ex((host, int(port))) == 0


@pytest.fixture(scope="module")
def head():
    """One Ray for all tests. Its token is for these tests alone, so nothing is written to a home folder."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as folder:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # on loopback alone
        ray = Head(folder)
        try:
            yield ray
        finally:
            ray.stop()


def steady(result):
    """A result without what varies from run to run."""
    kept = json.loads(json.dumps(result))
    for standing in kept.get("standings", []):
        del standing["seconds_per_decision"]
    return {field: kept[field] for field in kept.keys() - {"seconds", "actions_per_second"}}


# -- the same results -------------------------------------------------------------------------------------------------


def test_an_arena_is_the_same_in_one_process_in_two_and_on_a_cluster(head):
    one, two = (steady(arena(FPP, ["mousse", "uniform"], 3, 30, 1, jobs=jobs)) for jobs in (1, 2))
    there = steady(arena(FPP, ["mousse", "uniform"], 3, 30, 1, cluster=head.direct))
    assert one == two == there
    assert steady(arena(FPP, ["mousse", "uniform"], 3, 30, 1, cluster=f"ray://{head.client}")) == one


@pytest.mark.parametrize(
    ("matches", "more"),
    [(13, {"bots": ["mousse", "uniform"]}), (9000, {"best_of": 2}), (5000, {"tell": True})],
)
def test_a_simulation_is_the_same_in_one_process_in_two_and_on_a_cluster(head, tmp_path, matches, more):
    found, tallies, files = [], [], []
    counting = more.pop("tell", False)
    for number, where in enumerate(({"threads": 1}, {"threads": 2}, {"cluster": head.direct})):
        tallies.append(Tally(FPP, 2, counting=counting))
        files.append(tmp_path / f"{number}.csv")
        found.append(steady(simulate(FPP, 2, matches, 5, tally=tallies[-1], to=files[-1], **where, **more)))
    assert found[0] == found[1] == found[2]
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()
    if counting:
        for field in ("kinds", "values", "actions", "lost"):
            assert (getattr(tallies[0].event_counts, field) == getattr(tallies[2].event_counts, field)).all()


def test_an_analysis_by_the_clock_counts_on_the_cores_of_the_cluster(head, monkeypatch):
    """Not on those here: one core here or many, it takes as long there."""
    match = FPP.match(2, seed=1)
    for seat, pirate in ((0, "pick 2"), (1, "pick 5")):
        match.play(seat, pirate)
    asked = []

    def way(self, work, items):
        asked.append((self.cores, work.args[0]))
        return map(work, items)

    monkeypatch.setattr(ClusterSpread, "__call__", way)
    for cores_here in (1, 16):
        monkeypatch.setattr(analysis, "all_cores", lambda count=cores_here: count)
        assert len(list(analysis.study(match, 2.0, cluster=head.direct))) == match.version + 1
    (cores, effort), again = asked
    assert again == (cores, effort) and cores == 2 and effort.threads == 1
    monkeypatch.setattr(analysis, "spread", lambda work, items, jobs: asked.append((jobs, work.args[0])) or iter(()))
    assert not list(analysis.study(match, 2.0, jobs=1))
    assert asked[-1][0] == 1 and effort.seconds == pytest.approx(2 * asked[-1][1].seconds)


def test_an_analysis_is_the_same_on_a_cluster_as_in_one_process(head):
    match = FPP.match(2, seed=1)
    for seat, pirate in ((0, "pick 2"), (1, "pick 5")):
        match.play(seat, pirate)
    little = {"iterations": 8, "playouts": 12}
    assert analysis.analyse(match, cluster=head.direct, **little) == analysis.analyse(match, jobs=1, **little)


def test_work_comes_back_in_order_from_several_processes_and_none_is_done_long_before(head, tmp_path):
    def late(item):
        time.sleep(0.2 if item % 2 else 0.0)
        return item, os.getpid()

    def note(item):
        (tmp_path / str(item)).touch()
        return item

    heard = signal.getsignal(signal.SIGTERM)
    with spreading(head.direct, partial(spread, jobs=1)) as way:
        results = list(way(late, range(12)))
        assert [item for item, _pid in results] == list(range(12))
        assert len({pid for _item, pid in results} - {os.getpid()}) > 1
        begun = way(note, range(1000))
        assert next(begun) == 0
        time.sleep(0.5)
        assert len(list(tmp_path.iterdir())) <= 2 * AHEAD
    assert signal.getsignal(signal.SIGTERM) == heard


# -- what goes wrong --------------------------------------------------------------------------------------------------


def test_when_a_worker_is_killed_another_plays_its_match(head):
    alone = steady(arena(FPP, ["mousse", "matelot"], 4, 24, 1, jobs=1))
    killed = []

    def kill(done, all_of_them):
        """After a few matches, kill a process in the middle of one."""
        playing = [pid for pid in descendants(head.process.pid) if name_of(pid).startswith("ray::there")]
        if done in (2, 6) and playing:
            os.kill(playing[0], signal.SIGKILL)
            killed.append(playing[0])

    assert steady(arena(FPP, ["mousse", "matelot"], 4, 24, 1, cluster=head.direct, progress=kill)) == alone
    assert killed and all(gone(pid) for pid in killed)


def test_lost_work_is_done_again_and_nothing_else_is_until_it_is_given_up(head, tmp_path, monkeypatch):
    def once(item):
        with (tmp_path / str(item)).open("ab") as file:
            file.write(b".")
        if item == 3 and (tmp_path / "3").stat().st_size == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    with spreading(head.direct, partial(spread, jobs=1)) as way:
        assert list(way(once, range(8))) == list(range(8))
        assert [(tmp_path / str(item)).stat().st_size for item in range(8)] == [1, 1, 1, 2, 1, 1, 1, 1]
        monkeypatch.setattr(cluster_module, "RETRIES", 1)
        with pytest.raises(Refusal, match="was killed"):
            list(way(lambda item: os.kill(os.getpid(), signal.SIGKILL), [1]))


@pytest.mark.parametrize("protocol", ["", "ray://"])
def test_what_a_worker_cannot_do_is_said_in_both_languages(head, protocol, monkeypatch):
    address = f"ray://{head.client}" if protocol else head.direct
    with spreading(address, partial(spread, jobs=1)) as way:
        with pytest.raises(Refusal, match=r"On the machine “.+”: .*“no-such-program-here” wasn’t found") as refused:
            list(way(lambda item: command_of("cmd:no-such-program-here"), [1]))
        assert refused.value.code == "no-program"
        assert "programme introuvable" in refused.value.say(FPP.words("fr"))
        with pytest.raises(ZeroDivisionError):
            list(way(lambda item: 1 // item, [0]))
        with pytest.raises(Refusal, match=r"ray\.shutdown"), spreading(head.direct, partial(spread, jobs=1)):
            pass
        here_alone = ModuleType("here_alone")  # like Tribord where it isn't installed
        exec("def work(item): return item", vars(here_alone))
        monkeypatch.setitem(sys.modules, "here_alone", here_alone)
        with pytest.raises(Refusal, match=r"needs the same version of Tribord.*No module named 'here_alone'"):
            list(way(here_alone.work, [1]))


def test_a_machine_with_another_tribord_is_refused():
    with pytest.raises(Refusal, match=r"and 0\.0\.0 here"):
        cluster_module._result(cluster_module.carry_out("0.0.0", b""))


def test_a_local_cluster_ends_with_the_command_and_an_interruption_loses_nothing(head, tmp_path):
    file = tmp_path / "arena.jsonl"
    arguments = ["arena", FPP.id, "--bots", "mousse,matelot", "--players", "2", "--seed", "1", "--to", str(file)]
    command = [sys.executable, "-m", "tribord.cli", *arguments, "--matches", "5000", "--cluster", "local", "--json"]
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored when tests run in the background
    try:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, heard)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (file.exists() and file.read_bytes().count(b"\n") > 3):
        time.sleep(0.05)
    crew = [running.pid, *descendants(running.pid)]
    folders = set(re.findall(r"/tmp/tribord-\w+", "".join(map(name_of, crew))))
    assert all(address in LOOPBACK for address in listening(crew)) and len(listening(crew)) > 0
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "") and err.count("\n") == 1 and str(file) in err
    assert len(crew) > 3 and all(gone(pid) for pid in crew)
    assert len(folders) == 1 and not Path(*folders).exists()
    bots = ["mousse", "matelot"]
    assert arena(FPP, bots, 2, 16, 1, jobs=1, to=file)["digest"] == arena(FPP, bots, 2, 16, 1, jobs=1)["digest"]


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"cluster": ""}, "isn’t a cluster"),
        ({"cluster": "here"}, "isn’t a cluster"),
        ({"cluster": "ray://here"}, "isn’t a cluster"),
        ({"cluster": "ray://here:port"}, "isn’t a cluster"),
        ({"cluster": "here:65536"}, "isn’t a cluster"),
        ({"cluster": "http://here:80"}, "isn’t a cluster"),
        ({"cluster": "local", "jobs": 2}, "“jobs”"),
        ({"cluster": "here:80", "log": Path("log")}, "“log”"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change, sentence):
    with pytest.raises(BadOption, match=sentence) as refused:
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, **change)
    assert refused.value.say(FPP.words("fr")) != str(refused.value)
    given = {"threads" if name == "jobs" else name: value for name, value in change.items()}
    with pytest.raises(BadOption, match=sentence):
        simulate(FPP, 2, 2, 1, **given)
    with pytest.raises(BadOption, match="GPU"):
        simulate(FPP, 2, 2, 1, device="cuda", cluster="local")


@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "ray://127.0.0.1:{port}", "ray://nowhere.invalid:{port}"])
def test_a_cluster_that_is_not_there_is_soon_a_sentence(address, tmp_path):
    start, cluster, file = time.monotonic(), address.format(port=free_port()), tmp_path / "arena.jsonl"
    with pytest.raises(Refusal, match=f"Can’t connect to a cluster at “{cluster}”: .+\\.$") as refused:
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, cluster=cluster, to=file)
    assert time.monotonic() - start < 10 and not file.exists()
    assert "Aucune grappe" in refused.value.say(FPP.words("fr"))


def test_a_port_with_something_else_behind_it_is_soon_a_sentence(head):
    with socket.create_server(("127.0.0.1", 0)) as other:
        start, cluster = time.monotonic(), f"ray://127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(Refusal, match="Can’t connect to a cluster at"):
            arena(FPP, ["mousse", "matelot"], 2, 2, 1, cluster=cluster)
    assert time.monotonic() - start < 15


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Refusal, match=r"“ray”.*tribord\[cluster\]"):
        arena(FPP, ["mousse", "matelot"], 2, 2, 1, cluster="local")
