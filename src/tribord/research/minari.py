"""Minari: the simulated matches as a dataset for offline learning, an episode for every seat's view of a match.

    from tribord.lab.simulate import simulate
    from tribord.research.minari import Episodes

    game = tribord.load("sauve-qui-peut")
    simulate(game, 4, 500, seed=1, bots=["bosco"], recorder=Episodes("sauve-qui-peut/bosco-v0", game, 4))

The command is `tribord simulate … --minari sauve-qui-peut/bosco-v0`. docs/simulate.md says what fits into an episode
and what doesn't.
"""

from __future__ import annotations

import copy
import importlib
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from tribord import __version__
from tribord.core.batch import reward_seats
from tribord.core.game import Game
from tribord.core.refusal import BadFile, BadOption, Refusal
from tribord.core.words import _
from tribord.research.reward import SHARE, reward_of

NOT_INSTALLED = _("Minari datasets need the package “{package}”: install tribord[minari].")
BAD_NAME = _("“{name}” can’t name a Minari dataset. Write it like walk-the-plank/bosco-v0.")
EXISTS = _("There’s already a Minari dataset “{name}”. Choose another name or version.")
UNWRITABLE = _("“{folder}” can’t be written: {reason}.")


def needed(module: str) -> Any:
    """Import a module of the extra `minari`, or say how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:  # Minari's own for what it lacks has no name
        package = (error.name or "h5py").partition(".")[0]
        raise Refusal("not-installed", NOT_INSTALLED, package=package) from None


class Episodes:
    """A local Minari dataset that grows by matches, and appears once it's whole."""

    def __init__(
        self,
        name: str,
        game: Game,
        players: int,
        options: Mapping[str, Any] | None = None,
        bots: Sequence[str] = (),
        reward: str = SHARE,
    ):
        self.name = name
        self.game = game
        self.players = players
        self._options = game.options_of(game.settings(players, options, research=True))
        self._bots = list(bots)
        self._reward = reward_of(reward, game)
        self._count = 0
        self._draft: Path | None = None
        minari = needed("minari")
        for module in ("gymnasium", "h5py", "PIL"):
            needed(module)
        try:
            self._namespace = minari.dataset.minari_dataset.parse_dataset_id(name)[0]
        except (TypeError, ValueError):
            raise BadOption("bad-dataset", BAD_NAME, name=name) from None
        self.folder: Path = needed("minari.storage.datasets_root_dir").get_dataset_path(name)
        """Where Minari looks for it."""
        if self.folder.exists():
            raise BadOption("dataset-exists", EXISTS, name=name)

    def __enter__(self) -> Self:
        namespace = needed("minari.namespace")
        try:
            if self._namespace and self._namespace not in namespace.list_local_namespaces():
                namespace.create_namespace(self._namespace)
            self._draft = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-", dir=self.folder.parent))
        except OSError as error:
            raise BadFile("unwritable", UNWRITABLE, folder=self.folder.parent, reason=error.strerror) from None
        try:
            self._storage = self._new_storage(self._draft / "data")
        except BaseException:
            self._discard()
            raise
        return self

    def _new_storage(self, folder: Path) -> Any:
        """An empty dataset for the table, which Gymnasium can make again from it."""
        gymnasium, minari = needed("gymnasium"), needed("minari")
        from tribord.research.form import Form
        from tribord.research.gymnasium import env_id

        spec = copy.deepcopy(gymnasium.spec(env_id(self.game)))  # Gymnasium lends its own, which everyone makes from
        spec.kwargs = {**spec.kwargs, "players": self.players, "options": self._options, "seat": None}
        storage = needed("minari.dataset.minari_storage").MinariStorage.new(
            folder, Form().space(self.game), gymnasium.spaces.Discrete(self.game.actions), spec, "hdf5"
        )
        about = {
            "dataset_id": self.name, "minari_version": minari.__version__, "requirements": [f"tribord=={__version__}"],
            "algorithm_name": ", ".join(self._bots) or "uniform",
            "description": f"{self.game.title}: an episode is what one seat of {self.players} saw and did in a match.",
        }  # fmt: skip
        storage.update_metadata(about)
        return storage

    def add(self, sample: Any, first: int) -> None:
        """Add the decisions of matches number `first` and following, of a sample that has them."""
        rows, endings = sample.decisions, [*self.game.text.ENDINGS]
        buffer = needed("minari").data_collector.episode_buffer.EpisodeBuffer
        episodes: list[Any] = []
        about: list[dict[str, Any]] = []
        ends = np.cumsum(sample.lengths)
        shares = np.zeros((len(ends), self.players), np.float32)
        for share, wins in zip(shares, sample.wins):
            reward_seats(wins, self.game.cooperative, share)
        scores = sample.scores[:, : self.players]
        worth = self._reward(shares, scores)
        for i, (end, why) in enumerate(zip(ends.tolist(), sample.reasons().tolist())):
            decided = np.arange(end - int(sample.lengths[i]), end)
            for seat in range(self.players):
                mine = decided[rows.seats[decided] == seat]
                if not len(mine):
                    continue
                last = self.game.observe(self.game.view_of(sample.states[i], seat), seat)
                over = np.arange(len(mine)) == len(mine) - 1
                seen = {
                    "observation": np.concatenate([rows.observation[mine], last[None]]),
                    "action_mask": np.concatenate([rows.mask[mine], np.zeros_like(rows.mask[:1])]),
                }
                episodes.append(
                    buffer(
                        id=self._count + len(episodes), observations=seen, actions=rows.actions[mine],
                        rewards=np.where(over, worth[i, seat], 0.0), terminations=over,
                        truncations=np.zeros(len(mine), np.bool_),
                    )
                )  # fmt: skip
                told = {"match": first + i, "seat": seat, "score": int(scores[i, seat]), "reason": endings[why - 1]}
                about.append(told)
        numbers = range(self._count, self._count + len(episodes))
        try:
            self._storage.update_episodes(episodes)
            self._storage.update_episode_metadata(about, numbers)
        except OSError as error:
            reason = error.strerror or " ".join(str(error).split())
            raise BadFile("unwritable", UNWRITABLE, folder=self._draft, reason=reason) from None
        self._count += len(episodes)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._draft
        if kind is not None:
            self._discard()
            return
        self._draft.chmod(0o777 & ~_umask())
        try:
            self._draft.replace(self.folder)
        except OSError:  # someone else was faster
            self._discard()
            raise BadOption("dataset-exists", EXISTS, name=self.name) from None

    def _discard(self) -> None:
        if self._draft:
            shutil.rmtree(self._draft, ignore_errors=True)


def _umask() -> int:
    """What new folders are denied here; a temporary one is for its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
