"""The trainer: one net plays all seats of a game against itself and its past selves, and learns by PPO.

    tribord train sauve-qui-peut --minutes 10 --checkpoint run

The net learns the game with every number of players, or with those that are named.

Matches, observations and net stay on one device. On a GPU the matches are those of `lab.cuda_batch`; on the CPU, for
small runs, those of `core.batch`. Nothing here is imported before it's needed: torch is the extra `learn`.
docs/training.md says more.
"""

from __future__ import annotations

import csv
import importlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tribord.core.batch import Batch
from tribord.core.game import Game
from tribord.core.memory import free_memory
from tribord.core.net import Policy, write_policy
from tribord.core.refusal import BadFile, BadOption, Refusal
from tribord.core.words import _
from tribord.lab.cuda_batch import ran_out

NOT_INSTALLED = _("Training needs the package “torch”: install tribord[learn].")
NO_DEVICE = _("There’s no device “{device}”. Train on “cpu” or “cuda”.")
NO_CARD = _("torch can’t use a GPU here ({reason}). Install the NVIDIA driver and a torch for CUDA, or use “cpu”.")
OLD_DRIVER = _("The NVIDIA driver is too old for this torch ({reason}). Update the driver, or use “cpu”.")
NO_MEMORY = _("{matches} matches take about {needed} MB on this device, and {free} MB are free. Ask for fewer.")
RAN_OUT = _("{matches} matches were too many for this device’s memory. Ask for fewer, with --resume if it had begun.")
NO_TIME = _("Training takes more than 0 minutes, not {minutes}.")
NO_BATCH = _("Training takes at least {least} matches, not {matches}.")
BEGUN = _("There’s training in “{folder}” already. Go on with --resume, or choose another folder.")
NOT_BEGUN = _("There’s no training in “{folder}”. Leave out --resume to begin.")
BROKEN = _("The checkpoint in “{folder}” can’t be read. Begin again in another folder.")
OTHER_RUN = _("The checkpoint in “{folder}” is for another {what}: {theirs}, not {ours}. Choose another folder.")
NO_FOLDER = _("“{folder}” can’t be written: {reason}.")

CHECKPOINT, CURVE, NET = "checkpoint.pt", "curve.csv", "net.npz"
HIDDEN = (512, 256)  # units
ROLLOUT = 64  # steps of every match between two updates
MINIBATCHES = 16
EPOCHS = 2
CLIP = 0.2
ENTROPY = 0.01  # at first; it falls to a tenth
VALUE = 1.0  # weight of the value's error
DECAY = 0.97  # of advantages, from one decision of a seat to its next (λ of GAE)
RATE = 5e-4  # learning rate, at first; it falls to a tenth
NORM = 1.0  # of a gradient, at most
LEAGUE = 24  # past selves, at most
GUESTS = 0.2  # of all matches have a past self at some seats
EVERY = 10  # updates between two past selves
MEASURED = 2000  # matches for a point of the curve
MATCHES = {"cpu": 128, "cuda": 16384}
LEAST = 20  # matches


def library() -> Any:
    """torch, or a sentence that says how to get it."""
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError:
        raise Refusal("not-installed", NOT_INSTALLED) from None


@dataclass
class Run:
    """What is trained, and its progress."""

    game: str
    version: int
    players: list[int]
    options: dict[str, Any]
    seed: int
    updates: int = 0
    decisions: int = 0
    seconds: float = 0.0
    curve: list[dict[str, float]] = field(default_factory=list)


class SideBySide:
    """Matches side by side on a device, as tensors: `core.batch.Batch`, or `lab.cuda_batch.CudaBatch`.

    Matches with the same number of players are neighbours. Everything by seat has `most` columns.
    """

    def __init__(
        self,
        game: Game,
        matches: int,
        players: Sequence[int],
        seed: int,
        options: Mapping[str, Any],
        device: str,
        auto_reset: bool,
    ):
        self._torch = torch = library()
        self._device = device
        self.most = game.players[1]
        parts = np.array_split(np.arange(matches), len(players))
        counts = [one for one, part in zip(players, parts, strict=True) for _match in part]
        self.players = torch.tensor(counts, device=device)
        self._sizes = [len(part) for part in parts]
        self._batches = [
            self._batch(game, len(part), one, seed + 1_000 * one, options, auto_reset)
            for one, part in zip(players, parts, strict=True)
        ]
        self._turns = [batch.turns() for batch in self._batches]

    def _batch(
        self, game: Game, matches: int, players: int, seed: int, options: Mapping[str, Any], auto_reset: bool
    ) -> Any:
        if self._device == "cuda":
            from tribord.lab.cuda_batch import CudaBatch

            return CudaBatch(game, matches, players, seed, options, auto_reset, observation="uint8", check=False)
        return Batch(game, matches, players, seed, options, auto_reset)

    def _tensor(self, name: str) -> Any:
        arrays = [getattr(turns, name) for turns in self._turns]
        return self._torch.cat([self._torch.as_tensor(array, device=self._device) for array in arrays])

    @property
    def seats(self) -> Any:
        """Who decides."""
        return self._tensor("seats").to(self._torch.int64)

    @property
    def observation(self) -> Any:
        """What they see, in bytes."""
        seen = self._tensor("observation")
        return (seen if self._device == "cuda" else (seen.double() * 255 + 0.5).byte()).contiguous()

    @property
    def mask(self) -> Any:
        """What they may do."""
        return self._tensor("action_mask").bool().contiguous()

    def play(self, actions: Any) -> tuple[Any, Any]:
        """One action in every match: the rewards by seat, and which matches ended."""
        torch = self._torch
        rewards = torch.zeros((len(actions), self.most), device=self._device)
        first = 0
        for k, (batch, chosen) in enumerate(zip(self._batches, actions.split(self._sizes), strict=True)):
            if self._device == "cuda":
                self._turns[k] = batch.advance(chosen)
            else:
                self._turns[k] = batch.advance(chosen.numpy(), out=self._turns[k])
            earned = torch.as_tensor(self._turns[k].rewards, device=self._device)
            rewards[first : first + len(chosen), : earned.shape[1]] = earned
            first += len(chosen)
        return rewards, self._tensor("over").bool()


class Trainer:
    """PPO by self-play."""

    def __init__(self, game: Game, run: Run, device: str, matches: int):
        self.torch = torch = library()
        self.game, self.run, self.device, self.matches = game, run, device, matches
        torch.manual_seed(run.seed)
        self.net = self.new_net()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=RATE, eps=1e-5)
        self.league: list[dict[str, Any]] = []
        self.table = SideBySide(
            game, matches, run.players, run.seed + run.updates, run.options, device, auto_reset=True
        )
        torch.set_float32_matmul_precision("high")

    def new_net(self) -> Any:
        """A net with random weights: the logits of all actions, then the values of the seats, clockwise."""
        nn, game = self.torch.nn, self.game
        net = nn.Sequential(
            nn.Linear(inputs_of(game), HIDDEN[0]), nn.ReLU(),
            nn.Linear(HIDDEN[0], HIDDEN[1]), nn.ReLU(),
            nn.Linear(HIDDEN[1], game.actions + game.players[1]),
        )  # fmt: skip
        with self.torch.no_grad():
            net[-1].weight.mul_(0.1)
            net[-1].bias.zero_()
        return net.to(self.device)

    def think(self, net: Any, seen: Any, seats: Any, players: Any, mask: Any) -> tuple[Any, Any]:
        """The log odds of all actions, and the values of the seats from this one on."""
        torch, most = self.torch, self.table.most
        whose = torch.nn.functional.one_hot(seats.clamp(min=0), most)
        among = torch.nn.functional.one_hot(players - 1, most)
        out = net(torch.cat([seen.float() / 255, whose.float(), among.float()], 1))
        return out[:, :-most].masked_fill(~mask, -1e9).log_softmax(1), out[:, -most:]

    def turned(self, values: Any, seats: Any, players: Any, back: bool = False) -> Any:
        """Values by place, clockwise from a seat, as values by seat; or `back`. Only those of players count."""
        place = self.torch.arange(self.table.most, device=self.device)
        shift = seats.clamp(min=0)[:, None]
        return values.gather(1, (place + (shift if back else -shift)) % players[:, None])

    def draw(self, logits: Any) -> Any:
        """An action by these odds: the best after adding Gumbel noise."""
        noise = self.torch.empty_like(logits).exponential_().clamp_(min=1e-20)
        return (logits - noise.log()).argmax(1)

    def update(self, gone: float) -> dict[str, float]:
        """Play, and learn from it; `gone` is the part of the time that is over."""
        with self.torch.no_grad():
            batch = self._play()
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * (1 - 0.9 * gone)
        losses = self._learn(batch, ENTROPY * (1 - 0.9 * gone))
        self.run.updates += 1
        self.run.decisions += self.matches * ROLLOUT
        if self.run.updates % EVERY == 0:
            self._remember()
        return losses

    def _remember(self) -> None:
        """Keep this self for the league; later ones take the places of random earlier ones."""
        past = {name: part.half().cpu() for name, part in self.net.state_dict().items()}
        if len(self.league) < LEAGUE:
            self.league.append(past)
        else:
            self.league[int(self.torch.randint(LEAGUE, (1,)))] = past

    def _guests(self) -> tuple[Any, Any]:
        """A past self, and at which seats of which matches it plays in this rollout."""
        torch = self.torch
        where = torch.zeros((self.matches, self.table.most), dtype=torch.bool, device=self.device)
        if not self.league or max(self.run.players) == 1 or self.game.cooperative:
            return None, where
        visited = torch.rand(self.matches, device=self.device) < GUESTS
        where |= visited[:, None] & (torch.rand(where.shape, device=self.device) < 0.5)
        past = self.new_net()
        past.load_state_dict(self.league[int(torch.randint(len(self.league), (1,)))])
        return past, where

    def _play(self) -> list[Any]:
        """A rollout: by decision, what was seen, done and expected, and what to learn from it."""
        torch, table = self.torch, self.table
        past, where = self._guests()
        visited = where.any(1).nonzero()[:, 0]
        kept: list[list[Any]] = [[] for _part in range(9)]
        for _step in range(ROLLOUT):
            seats, seen, mask = table.seats, table.observation, table.mask
            logits, values = self.think(self.net, seen, seats, table.players, mask)
            odds = logits
            guest = where.gather(1, seats.clamp(min=0)[:, None])[:, 0]
            if past is not None:
                odds = logits.clone()
                few = (seen[visited], seats[visited], table.players[visited], mask[visited])
                theirs = self.think(past, *few)[0]
                odds[visited] = torch.where(guest[visited][:, None], theirs, logits[visited])
            actions = self.draw(odds)
            chosen = logits.gather(1, actions[:, None])[:, 0]
            rewards, over = table.play(actions)
            for part, one in zip(kept, (seats, seen, mask, actions, chosen, values, rewards, over, guest), strict=True):
                part.append(one)
        seats, seen, mask, actions, chosen, values, rewards, over, guest = kept
        own = [one[:, 0] for one in values]
        advantage, target, known = self._advantages(seats, own, rewards, over)
        learned = [now.gather(1, s[:, None])[:, 0] & ~g for now, s, g in zip(known, seats, guest, strict=True)]
        turn = [self.turned(one, s, table.players, back=True) for one, s in zip(target, seats, strict=True)]
        there = table.players[:, None] > torch.arange(table.most, device=self.device)
        weigh = [self.turned(one, s, table.players, back=True) & there for one, s in zip(known, seats, strict=True)]
        players = table.players.repeat(ROLLOUT)
        flat = [torch.cat(part) for part in (seats, seen, mask, actions, chosen, turn, weigh, advantage, learned)]
        return [players, *flat[:-1], flat[-1].nonzero()[:, 0]]

    def _advantages(self, seats: Any, own: Any, rewards: Any, over: Any) -> tuple[list[Any], list[Any], list[Any]]:
        """GAE for each seat by itself: from one decision of a seat to its next, or to the end of the match.

        Also what the values of all seats should have been at each decision, and whether that is known: before a seat's
        last decision in the rollout, but not after it.
        """
        torch = self.torch
        following = torch.zeros((len(seats[0]), self.table.most), device=self.device)
        ahead, there = torch.zeros_like(following), torch.zeros_like(following, dtype=torch.bool)
        advantage, target, known = [], [], []
        for t in range(len(seats) - 1, -1, -1):
            ended = over[t][:, None]
            following = torch.where(ended, rewards[t], following)
            ahead = ahead.masked_fill(ended, 0.0)
            there = there | ended
            seat = seats[t][:, None]
            known.append(there)
            target.append(following + DECAY * ahead)
            error = (target[-1].gather(1, seat)[:, 0] - own[t]) * there.gather(1, seat)[:, 0]
            advantage.append(error)
            following = following.scatter(1, seat, own[t][:, None])
            ahead = ahead.scatter(1, seat, error[:, None])
            there = there.scatter(1, seat, True)
        return advantage[::-1], target[::-1], known[::-1]

    def _learn(self, batch: list[Any], entropy_bonus: float) -> dict[str, float]:
        torch = self.torch
        players, seats, seen, mask, actions, chosen, target, weigh, advantage, rows = batch
        spread = advantage[rows].std() + 1e-6
        mean = advantage[rows].mean()
        losses = torch.zeros(3, device=self.device)
        for _epoch in range(EPOCHS):
            order = rows[torch.randperm(len(rows), device=self.device)]
            for part in order.chunk(MINIBATCHES):
                logits, values = self.think(self.net, seen[part], seats[part], players[part], mask[part])
                ratio = (logits.gather(1, actions[part][:, None])[:, 0] - chosen[part]).exp()
                gain = (advantage[part] - mean) / spread
                policy = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                error = ((values - target[part]).square() * weigh[part]).sum() / len(part)
                entropy = -(logits.exp() * logits.masked_fill(~mask[part], 0.0)).sum(1).mean()
                loss = policy + VALUE * error - entropy_bonus * entropy
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), NORM)
                self.optimizer.step()
                losses += torch.stack([policy.detach(), error.detach(), entropy.detach()])
        policy, error, entropy = (losses / (EPOCHS * MINIBATCHES)).tolist()
        return {"policy_loss": policy, "value_error": error, "entropy": entropy}

    def measure(self, other: Any = None, matches: int = MEASURED) -> float:
        """The share of the victories of one seat that plays this net, among uniform seats, or those of a past self.

        Each seat is measured as often. In a cooperative game all seats play the net.
        """
        torch, run = self.torch, self.run
        matches = max(matches, sum(run.players))
        table = SideBySide(self.game, matches, run.players, run.seed + 1, run.options, self.device, auto_reset=False)
        mine = torch.arange(matches, device=self.device) % table.players
        share = torch.zeros(matches, device=self.device)
        with torch.no_grad():
            while bool(((seats := table.seats) >= 0).any()):
                seen, mask = table.observation, table.mask
                logits, _values = self.think(self.net, seen, seats, table.players, mask)
                if not self.game.cooperative:
                    theirs = torch.zeros_like(logits).masked_fill(~mask, -1e9)
                    if other is not None:
                        theirs = self.think(other, seen, seats, table.players, mask)[0]
                    logits = torch.where((seats == mine)[:, None], logits, theirs)
                rewards, _over = table.play(self.draw(logits))
                share += rewards.gather(1, mine[:, None])[:, 0]
        return float(share.mean())

    def policy(self) -> Policy:
        """The net, as the CPU plays it."""
        parts: list[Any] = []
        for layer in (self.net[0], self.net[2], self.net[4]):
            parts += [layer.weight.detach().T, layer.bias.detach()]
        learned = np.zeros(self.game.players[1], np.int8)
        learned[np.array(self.run.players) - 1] = 1
        weights = [part.float().cpu().numpy() for part in parts]
        return Policy(*(np.ascontiguousarray(part) for part in (*weights, learned)))

    def save(self, folder: Path) -> None:
        """Write checkpoint, curve and net."""
        kept = {
            "run": asdict(self.run), "net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(),
            "league": self.league,
        }  # fmt: skip
        new = folder / f"{CHECKPOINT}.new"
        self.torch.save(kept, new)
        new.replace(folder / CHECKPOINT)
        write_policy(folder / NET, self.policy(), self.game, self.run.options)
        with (folder / CURVE).open("w", newline="", encoding="utf-8") as file:
            rows = csv.DictWriter(file, list(self.run.curve[0]) if self.run.curve else ["seconds"])
            rows.writeheader()
            rows.writerows(self.run.curve)

    def load(self, kept: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.net.load_state_dict(kept["net"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.league = list(kept["league"])


def check_card(torch: Any) -> None:
    """Refuse a GPU that torch or numba-cuda can't use."""
    if not torch.cuda.is_available():
        reason = "torch finds none"
        try:
            torch.cuda.init()
        except Exception as error:  # of the driver, or of a torch without CUDA
            reason = " ".join(str(error).split()).split(". ")[0].rstrip(".")[:200]
        old = "too old" in reason
        raise Refusal("old-driver" if old else "no-card", OLD_DRIVER if old else NO_CARD, reason=reason)
    from tribord.lab import cuda

    cuda.toolkit()


def inputs_of(game: Game) -> int:
    """The inputs of a net: the observation, the seat and the number of players, one-hot."""
    return game.observation + 2 * game.players[1]


def check_memory(torch: Any, game: Game, matches: int, device: str) -> None:
    """Refuse more matches than fit: a rollout is kept whole, and a step of learning needs a part of it as floats."""
    steps = matches * ROLLOUT
    row = game.observation + game.actions + 4 * (4 * game.players[1] + 8)
    needed = steps * row + steps // MINIBATCHES * 4 * (game.observation + 6 * game.actions + 4 * sum(HIDDEN))
    free = int(torch.cuda.mem_get_info()[0]) if device == "cuda" else free_memory()
    if free is not None and needed > free:
        raise BadOption("no-memory", NO_MEMORY, matches=matches, needed=needed >> 20, free=free >> 20)


def read_checkpoint(folder: Path, wanted: Run) -> dict[str, Any]:
    """A checkpoint of this game, version, player count and options; anything else is refused."""
    if not (folder / CHECKPOINT).exists():
        raise BadFile("not-begun", NOT_BEGUN, folder=folder)
    try:
        kept: dict[str, Any] = library().load(folder / CHECKPOINT, map_location="cpu", weights_only=True)
        before = kept["run"]
        theirs = {name: before[name] for name in ("game", "version", "players", "options")}
    except Exception:  # torch raises whatever its unpickler ran into
        raise BadFile("broken-checkpoint", BROKEN, folder=folder) from None
    for what, found in theirs.items():
        if found != getattr(wanted, what):
            raise BadFile(
                "other-checkpoint", OTHER_RUN, folder=folder, what=what, theirs=found, ours=getattr(wanted, what)
            )
    return kept


def player_counts(game: Game, options: Mapping[str, Any] | None) -> list[int]:
    """The numbers of players that the game takes with these options."""
    found = []
    for players in range(game.players[0], game.players[1] + 1):
        with suppress(BadOption):
            game.settings(players, options, research=True)
            found.append(players)
    return found


def train(
    game: Game,
    players: int | Sequence[int] | None,
    minutes: float,
    folder: Path,
    options: Mapping[str, Any] | None = None,
    device: str = "cpu",
    matches: int | None = None,
    seed: int = 0,
    resume: bool = False,
    updates: int | None = None,
    progress: Callable[[dict[str, float]], None] | None = None,
) -> Run:
    """Train for this many minutes or updates, and keep checkpoints, the curve and the net in a folder.

    The matches are shared out among the numbers of players; None stands for all that the game takes.
    """
    if device not in MATCHES:
        raise BadOption("no-device", NO_DEVICE, device=device)
    if not minutes > 0:
        raise BadOption("no-time", NO_TIME, minutes=minutes)
    matches = MATCHES[device] if matches is None else matches
    if matches < LEAST:
        raise BadOption("no-batch", NO_BATCH, least=LEAST, matches=matches)
    counts = player_counts(game, options) if players is None else [players] if isinstance(players, int) else [*players]
    for one in counts or [game.usual_players]:
        game.settings(one, options, research=True)
    torch = library()
    run = Run(game.id, game.version, counts, dict(options or {}), seed)
    if not resume and (folder / CHECKPOINT).exists():
        raise BadFile("begun", BEGUN, folder=folder)
    kept = read_checkpoint(folder, run) if resume else None
    if device == "cuda":
        check_card(torch)
    check_memory(torch, game, matches, device)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile("no-folder", NO_FOLDER, folder=folder, reason=error.strerror) from None
    if kept:
        run = Run(**kept["run"])
    try:
        return _train(game, run, kept, minutes, folder, device, matches, updates, progress)
    except Exception as error:
        if isinstance(error, torch.OutOfMemoryError) or ran_out(error):
            raise BadOption("ran-out", RAN_OUT, matches=matches) from None
        raise


def _train(
    game: Game, run: Run, kept: Mapping[str, Any] | None, minutes: float, folder: Path, device: str, matches: int,
    updates: int | None, progress: Callable[[dict[str, float]], None] | None,
) -> Run:  # fmt: skip
    trainer = Trainer(game, run, device, matches)
    if kept:
        trainer.load(kept)
    begun, before = time.perf_counter(), run.seconds
    wanted, saved = 0.0, before
    last = run.updates + updates if updates else None
    while (spent := time.perf_counter() - begun) < 60 * minutes and run.updates != last:
        losses = trainer.update(spent / (60 * minutes))
        run.seconds = before + time.perf_counter() - begun
        if run.seconds - before >= wanted:  # twelve points of a curve, and one at the end
            _measure(trainer, losses, progress)
            wanted += 60 * minutes / 12
        if run.seconds - saved > 60:
            trainer.save(folder)
            saved = run.seconds
    _measure(trainer, losses, progress)
    trainer.save(folder)
    return run


def _measure(trainer: Trainer, losses: dict[str, float], progress: Callable[[dict[str, float]], None] | None) -> None:
    run = trainer.run
    point = {"seconds": round(run.seconds, 1), "decisions": float(run.decisions), **losses}
    point["among_uniform"] = trainer.measure()
    if trainer.league and not trainer.game.cooperative:
        past = trainer.new_net()
        past.load_state_dict(trainer.league[0])
        point["among_first"] = trainer.measure(past)
    else:
        point["among_first"] = float("nan")
    run.curve.append(point)
    if progress:
        progress(point)
