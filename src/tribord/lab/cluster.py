"""A cluster: work that is spread over the machines of a Ray and comes back in order, the same whatever their number.

This module is all that knows of Ray; it needs the extra `cluster`.
"""

from __future__ import annotations

import logging
import os
import pickle
import platform
import re
import signal
import socket
import tempfile
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import tribord
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _
from tribord.lab.cores import AHEAD, WORKER_DIED, Item, Result, Spread, all_cores

LOCAL = "local"  # instead of an address: a Ray of this machine's cores, which ends with the work
ADDRESS = re.compile(r"(?:ray://)?(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(?P<port>[0-9]{1,5})")
RETRIES = 5  # times that work is given to somebody else after a worker was lost with it
LONGEST = 300  # characters of a reason that Ray gives
PATIENCE = 5.0  # seconds for a cluster's machine to pick up

DISCREET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nobody is told what is played here
    "GRPC_ENABLE_FORK_SUPPORT": "0",  # else whatever this process starts later may die before it begins
}
BY_ITSELF = {  # a Ray of this machine listens to this machine alone, and to nobody without its token
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # so Ray calls it: a node that others cannot reach, on any system
    "RAY_AUTH_MODE": "token",
}
NOT_FOR_LONG = {  # else Ray asks for minutes on end whether there is a cluster behind an open port
    "RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S": "2",
    "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "2",
    "RAY_NUM_REDIS_GET_RETRIES": "1",
    "RAY_gcs_rpc_server_connect_timeout_s": "2",
    "RAY_py_gcs_connect_timeout_s": "2",
}

BAD_ADDRESS = _("“{cluster}” is no cluster: write local, ray://HOST:PORT or HOST:PORT.")
JOBS_OR_CLUSTER = _("A cluster plays on all the cores it has: either “jobs” or “cluster”.")
LOG_OR_CLUSTER = _("Programs run on the machines of the cluster and leave no log here: either “log” or “cluster”.")
NOT_INSTALLED = _("A cluster needs the package “ray”: install Tribord as tribord[cluster].")
IN_USE = _("This program is already at work with Ray: end that with ray.shutdown() before.")
NO_CLUSTER = _("No cluster can be used at “{cluster}”: {reason}.")
LOST = _("The cluster was lost: {reason}.")
ELSEWHERE = _("On the machine “{machine}”: {why}")
OTHER_VERSION = _("Tribord is {theirs} there and {ours} here, and a cluster plays with one.")
NOT_THERE = _("The machines of a cluster need Tribord too, in one version: {reason}.")


def check_cluster(cluster: str | None, jobs: int | None = None, log: Path | None = None) -> None:
    """Refuse a cluster that cannot be, or that does not go with the other arguments."""
    if cluster is None:
        return
    found = ADDRESS.fullmatch(cluster)
    if cluster != LOCAL and not (found and 0 < int(found["port"]) < 1 << 16):
        raise BadOption("bad-cluster", BAD_ADDRESS, cluster=cluster)
    if jobs is not None:
        raise BadOption("jobs-or-cluster", JOBS_OR_CLUSTER)
    if log is not None and cluster != LOCAL:
        raise BadOption("log-or-cluster", LOG_OR_CLUSTER)


@contextmanager
def spreading(cluster: str | None, usual: Spread) -> Iterator[Spread]:
    """How work is spread: over this cluster, as long as it is needed; without one as usual."""
    if cluster is None:
        yield usual
        return
    check_cluster(cluster)
    ray = _ray(cluster)
    # A folder of its own, near the root: what Ray leaves behind is removed, and its sockets' names must be short.
    near = "/tmp" if Path("/tmp").is_dir() else None
    heard = signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix="tribord-", dir=near, ignore_cleanup_errors=True) as folder:
        try:
            cores = _join(ray, cluster, f"{folder}/ray")  # inside, because Ray opens its folder to everybody
            yield partial(_spread, ray, AHEAD * cores)
        finally:
            ray.shutdown()  # which also ends whatever is still being played
            with suppress(ValueError):  # Ray has put its own in this place, but in the main thread alone
                signal.signal(signal.SIGTERM, heard or signal.SIG_DFL)


def _ray(cluster: str) -> Any:
    """The package, told how to behave: some of that it hears only when it is imported."""
    for name, value in (DISCREET | (BY_ITSELF if cluster == LOCAL else NOT_FOR_LONG)).items():
        os.environ.setdefault(name, value)
    try:
        ray = import_module("ray")
    except ModuleNotFoundError:
        raise Refusal("not-installed", NOT_INSTALLED) from None
    if ray.is_initialized():
        raise Refusal("ray-in-use", IN_USE)
    return ray


def _join(ray: Any, cluster: str, folder: str) -> int:
    """Become part of a cluster, or start one; returns how many cores it has."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)  # what goes wrong is raised, and said in our words
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    found = ADDRESS.fullmatch(cluster)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of other versions, and of what is then raised
            if found is None:
                ray.init(
                    "local", num_cpus=all_cores(), include_dashboard=False, _node_ip_address="127.0.0.1",
                    _temp_dir=folder, **quiet,
                )  # fmt: skip
            else:
                socket.create_connection((found["host"].strip("[]"), int(found["port"])), PATIENCE).close()
                ray.init(cluster, **quiet)
        return int(ray.cluster_resources().get("CPU", 0)) or 1  # none yet, where machines come when there is work
    except Exception as error:  # of any kind: Ray's own, Python's and those of its transport
        raise Refusal("no-cluster", NO_CLUSTER, cluster=cluster, reason=_reason(error)) from None


def _spread(ray: Any, ahead: int, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """The results of all the work, in order; no more of it is handed out than will soon be needed."""

    def there(version: str, task: bytes) -> bytes | str:
        """Goes there as it is written, being inside: so it can still speak where Tribord is missing."""
        try:
            from tribord.lab.cluster import carry_out
        except ImportError as error:
            return str(error)
        return carry_out(version, task)

    hand_out = ray.remote(max_retries=RETRIES)(there).remote
    waiting: deque[Any] = deque()
    try:
        for item in items:
            waiting.append(hand_out(tribord.__version__, ray.cloudpickle.dumps((work, item))))
            if len(waiting) >= ahead:
                yield _result(ray.get(waiting.popleft()))
        while waiting:
            yield _result(ray.get(waiting.popleft()))
    except ray.exceptions.RayTaskError:
        raise  # a mistake in the work itself
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
        raise Refusal("worker-died", WORKER_DIED) from None
    except (ray.exceptions.RayError, ConnectionError) as error:
        raise Refusal("cluster-lost", LOST, reason=_reason(error)) from None


def carry_out(version: str, task: bytes) -> bytes:
    """What a worker does.

    Pickled by us both ways: what Ray cannot read there breaks its connection, and the arrays it brings back hold on to
    its store and cannot be written to.
    """
    try:
        if version != tribord.__version__:
            raise Refusal("other-version", OTHER_VERSION, theirs=tribord.__version__, ours=version)
        try:
            work, item = pickle.loads(task)
        except ImportError as error:
            raise Refusal("not-there", NOT_THERE, reason=_reason(error)) from None
        return pickle.dumps((work(item), None))
    except Refusal as refused:
        why = (type(refused), refused.code, refused.message, refused.rule, refused.fields)
        return pickle.dumps((None, (platform.node(), why)))


def _result(content: bytes | str) -> Any:
    if isinstance(content, str):
        raise Refusal("not-there", NOT_THERE, reason=content)
    result, refused = pickle.loads(content)
    if refused:
        machine, (sort, code, message, rule, fields) = refused
        raise Refusal(code, ELSEWHERE, machine=machine, why=sort(code, message, rule, **fields))
    return result


def _reason(error: BaseException) -> str:
    """Why, on one line and without the dot; Ray's own words, where they are its."""
    text = " ".join(str(getattr(error, "strerror", None) or error).split()) or type(error).__name__
    return text[:LONGEST].rstrip(".")
