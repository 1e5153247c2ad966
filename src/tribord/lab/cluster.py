"""A cluster: spread work over the machines of a Ray cluster; results come back in order, the same for any number.

Only this module uses Ray; it needs the extra `cluster`.
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
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import tribord
from tribord.core.refusal import BadOption, Refusal
from tribord.core.words import _
from tribord.lab.cores import AHEAD, WORKER_DIED, Item, Result, Spread, all_cores

LOCAL = "local"  # instead of an address: a temporary Ray cluster of this machine's cores
ADDRESS = re.compile(r"(?:ray://)?(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(?P<port>[0-9]{1,5})")
RETRIES = 5  # how often work is given to another worker after one was lost
LONGEST = 300  # characters of Ray's error messages
PATIENCE = 5.0  # seconds for a cluster's machine to pick up

DISCREET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no usage statistics leave this machine
    "GRPC_ENABLE_FORK_SUPPORT": "0",  # otherwise processes started later may die before they begin
}
BY_ITSELF = {  # a local cluster is reachable from this machine only, with its token
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # Ray's name for a node that others can't reach, on any system
    "RAY_AUTH_MODE": "token",
}
NOT_FOR_LONG = {  # otherwise Ray keeps trying for minutes whether an open port is a cluster
    "RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S": "2",
    "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "2",
    "RAY_NUM_REDIS_GET_RETRIES": "1",
    "RAY_gcs_rpc_server_connect_timeout_s": "2",
    "RAY_py_gcs_connect_timeout_s": "2",
}

BAD_ADDRESS = _("“{cluster}” isn’t a cluster: write local, ray://HOST:PORT or HOST:PORT.")
JOBS_OR_CLUSTER = _("A cluster uses all its cores: use either “jobs” or “cluster”.")
LOG_OR_CLUSTER = _("On a cluster, programs write no log on this machine: use either “log” or “cluster”.")
NOT_INSTALLED = _("A cluster needs the package “ray”: install tribord[cluster].")
IN_USE = _("This program already uses Ray: call ray.shutdown() first.")
NO_CLUSTER = _("Can’t connect to a cluster at “{cluster}”: {reason}.")
LOST = _("The connection to the cluster was lost: {reason}.")
ELSEWHERE = _("On the machine “{machine}”: {why}")
OTHER_VERSION = _("Tribord is {theirs} there and {ours} here. A cluster needs one version everywhere.")
NOT_THERE = _("Every machine of a cluster needs the same version of Tribord: {reason}.")


def check_cluster(cluster: str | None, jobs: int | None = None, log: Path | None = None) -> None:
    """Refuse a bad address, or one that contradicts the other arguments."""
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
    """How to spread work: over this cluster while the context lasts, or over local cores without one."""
    if cluster is None:
        yield usual
        return
    check_cluster(cluster)
    ray = _ray(cluster)
    # A separate folder near the root: we remove what Ray leaves behind, and its sockets need short paths.
    near = "/tmp" if Path("/tmp").is_dir() else None
    heard = signal.getsignal(signal.SIGTERM)
    with tempfile.TemporaryDirectory(prefix="tribord-", dir=near, ignore_cleanup_errors=True) as folder:
        try:
            cores = _join(ray, cluster, f"{folder}/ray")  # inside, because Ray makes its folder accessible to all users
            yield ClusterSpread(ray, cores)
        finally:
            ray.shutdown()  # also stops matches still being played
            with suppress(ValueError):  # Ray has replaced our handler, in the main thread only
                signal.signal(signal.SIGTERM, heard or signal.SIG_DFL)


def _ray(cluster: str) -> Any:
    """Import Ray with our settings: some of them only take effect at import."""
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
    """Connect to a cluster or start one; returns its number of cores."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)  # errors are raised and reported in our words
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    found = ADDRESS.fullmatch(cluster)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about other versions, and about the resulting errors
            if found is None:
                ray.init(
                    "local", num_cpus=all_cores(), include_dashboard=False, _node_ip_address="127.0.0.1",
                    _temp_dir=folder, **quiet,
                )  # fmt: skip
            else:
                socket.create_connection((found["host"].strip("[]"), int(found["port"])), PATIENCE).close()
                ray.init(cluster, **quiet)
        return int(ray.cluster_resources().get("CPU", 0)) or 1  # zero for now, if machines join once there is work
    except Exception as error:  # of any kind: Ray's own, Python's and its transport's
        raise Refusal("no-cluster", NO_CLUSTER, cluster=cluster, reason=_reason(error)) from None


@dataclass(frozen=True)
class ClusterSpread:
    """Spread over the cores of a cluster."""

    ray: Any
    cores: int  # at least

    def __call__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Run the work on each item."""
        return _spread(self.ray, AHEAD * self.cores, work, items)


def _spread(ray: Any, ahead: int, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Yield all results in order, handing out only as much work as will soon be needed."""

    def there(version: str, task: bytes) -> bytes | str:
        """Runs on a worker. Ray pickles nested functions by value, so this works even if Tribord is missing there."""
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
        raise  # an error in the work itself
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError):
        raise Refusal("worker-died", WORKER_DIED) from None
    except (ray.exceptions.RayError, ConnectionError) as error:
        raise Refusal("cluster-lost", LOST, reason=_reason(error)) from None


def carry_out(version: str, task: bytes) -> bytes:
    """Run one item of work on a worker.

    We pickle both ways ourselves: objects that Ray can't unpickle there break its connection, and arrays from Ray keep
    its store alive and are read-only.
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
    """The reason on one line, without the final period; in Ray's own words for Ray's errors."""
    text = " ".join(str(getattr(error, "strerror", None) or error).split()) or type(error).__name__
    return text[:LONGEST].rstrip(".")
