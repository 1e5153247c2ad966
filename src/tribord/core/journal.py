"""Match files: a match as JSON that anyone can read, replay byte for byte, and verify.

The format::

    {
      "tribord": 1,                      version of this format
      "game": "faut-pas-pousser", "game_version": 1,
      "players": 4, "options": {…}, "names": […],
      "commitment": "sha256 of the seed", "seed": "…",
      "contributions": ["…", null, …],   by seat, what players added to the dice: then this format is version 2
      "branchings": [{"place": 12, "redealt": 1, "commitment": "…", "seed": "…"}],  of a branch: then it is version 3
      "journal": [{"seat": 0, "action": "pick 3"}, {"chance": "card 4", …}],
      "offers": [{"seat": 0, "offer": {…}, "version": 12}],  what players offered, and how long the journal was then
      "state": "sha256 of the state the journal leads to",
      "outcome": {"scores": […], "winners": […], "reason": "…"} or null,
      "signature": {"signer": "public key", "value": "…"}     in files that a server gave out
    }

Actions are in the game's notation. A line may carry "at", the time it was played, and "rank", the bot that decided.
docs/match-file.md has an example.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tribord.core import signature
from tribord.core.archive import Archive, OtherRules, other_rules
from tribord.core.chance import Dice
from tribord.core.game import Game, load
from tribord.core.match import Branching, Entry, Match
from tribord.core.record import CHANCE
from tribord.core.refusal import BadFile, IllegalAction, Refusal
from tribord.core.words import _

FORMAT = 3  # the latest, of branches; without branchings it's 2, and without contributions 1, which 0.1.0 reads
MOST_PLAYERS = 16
MOST_OFFERS = 5_000  # many times what a table takes
OFFER = ("seat", "offer", "version")  # the fields of one
PARTING = ("place", "redealt", "commitment")  # what a file says of each match it parts from, beside that match's dice
MOST_BRANCHINGS = 64
LONGEST_RANK = 24

NO_FILE = _("There’s no file “{path}”.")
NOT_JSON = _("“{path}” isn’t a match file: it’s damaged or cut short at line {line}.")
NOT_OURS = _("“{path}” isn’t a match file of Tribord: the field “{field}” is missing.")
LATER = _("“{path}” was written by a later version (format {format}, this is {ours}). Update Tribord.")
BAD_FIELD = _("The field “{field}” of “{path}” doesn’t hold what it should.")
BAD_SEED = _("The seed doesn’t match the hash that was published at the start: one of them was changed.")
BAD_DRAW = _("Line {line}: the file says “{found}”, but the seed gives “{right}”.")
BAD_LINE = _("Line {line}: {reason}")
NOT_NOW = _("the journal has a seat’s action where chance decides, or the other way round.")
BAD_STATE = _("The journal doesn’t lead to the state that the file claims: the state hash differs.")
BAD_OUTCOME = _("The outcome in the file isn’t the outcome of its journal.")
BAD_SIGNATURE = _("The signature doesn’t hold: the file was changed after the server signed it.")
NOT_SIGNED = _("This file isn’t signed. Ask the server for it again.")
OTHER_SIGNER = _("This file was signed by another server: its key is {found}.")
NOT_NOTED = _("This isn’t the match you noted: neither the hash at its start nor the digest of its file is “{noted}”.")


def digest(match: Match) -> str:
    """Return the hash of a match's current state."""
    return hashlib.sha256(match.state.tobytes()).hexdigest()


def to_dict(match: Match, offers: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """A match as the dict in its file; with these offers, or its own."""
    made = [{name: each[name] for name in OFFER} for each in (match.offers if offers is None else offers)]
    lines: list[dict[str, Any]] = []
    for entry in match.journal:
        if entry.seat == CHANCE:
            line: dict[str, Any] = {"chance": match.game.play.chance_notation(entry.action)}
        else:
            line = {"seat": entry.seat, "action": match.game.notation(entry.action)}
            line |= {"rank": entry.rank} if entry.rank else {}
        lines.append(line | ({"at": entry.at} if entry.at is not None else {}))
    ended = match.outcome
    return {
        "tribord": FORMAT if match.branchings else 2 if match.dice.contributions else 1,
        "game": match.game.id,
        "game_version": match.game.version,
        "players": match.players,
        "options": match.options,
        "names": match.names,
        "commitment": match.dice.commitment,
        "seed": match.dice.seed,
        **({"contributions": match.dice.contributions} if match.dice.contributions else {}),
        **({"branchings": [_parting(each) for each in match.branchings]} if match.branchings else {}),
        "journal": lines,
        **({"offers": made} if made else {}),
        "state": digest(match),
        "outcome": asdict(ended) if ended else None,
    }


def _parting(branching: Branching) -> dict[str, Any]:
    """Where a branch parts, as in its file."""
    dice = branching.dice
    return {
        "place": branching.place,
        "redealt": branching.redealt,
        "commitment": dice.commitment,
        "seed": dice.seed,
        **({"contributions": dice.contributions} if dice.contributions else {}),
    }


def dumps(match: Match) -> str:
    """A match file as text: one journal line per line, so that people and diffs can read it."""
    content = to_dict(match)
    lines = content.pop("journal")
    head = json.dumps({**content, "journal": []}, ensure_ascii=False, indent=1)
    body = ",\n".join("  " + json.dumps(line, ensure_ascii=False) for line in lines)
    return head.replace('"journal": []', f'"journal": [\n{body}\n ]' if lines else '"journal": []') + "\n"


def line_of(game: Game, entry: Entry) -> str:
    """A journal entry as a line of a story: `2 pick 3` is seat 2's decision, `chance card 4` what the dice give."""
    if entry.seat == CHANCE:
        return f"chance {game.play.chance_notation(entry.action)}"
    return f"{entry.seat} {game.notation(entry.action)}"


def follow(match: Match, line: str) -> None:
    """Carry out a line of a story (`line_of`), if it's possible now."""
    who, _space, what = line.partition(" ")
    if who != "chance":
        seat = int(who)
        match.follow(Entry(seat, match.check(seat, what)))
        return
    outcome = match.game.play.parse_chance(what)
    weights = match.weights()
    if not (outcome < len(weights) and weights[outcome]):
        raise ValueError(f"“{line}”: chance cannot give that now")
    match.follow(Entry(CHANCE, outcome))


def write(match: Match, path: Path) -> None:
    """Write a match file; a crash in between leaves the old file whole."""
    draft = path.with_name(path.name + ".part")
    draft.write_text(dumps(match), encoding="utf-8")
    draft.replace(path)


def read(path: Path) -> Match:
    """Read a match file; refuses an inconsistent one, naming the first error."""
    match, problems = audit(path)
    if problems:
        raise problems[0]
    return match


@dataclass(frozen=True)
class Provenance:
    """The identity of a match file: the hash of its seed, the digest of its content, and who signed it, if anyone.

    `contributions` has by seat what players added to the dice; it's empty without any. `branchings` says of a
    branch which matches it parted from: where (`place`), what was dealt again (`redealt`), and their hash.
    """

    commitment: str
    digest: str
    signer: str | None
    contributions: list[str | None]
    names: list[str]
    branchings: list[dict[str, Any]]


def provenance(path: Path) -> Provenance:
    """Return where a match file says it comes from; `verify` checks whether that's true."""
    content = _checked(_parse(path), path)
    signer = content[signature.FIELD]["signer"] if signature.FIELD in content else None
    added = content.get("contributions", [])
    try:
        digest_of_all = signature.digest(content)
        partings = [{name: each[name] for name in PARTING} for each in content.get("branchings", [])]
        return Provenance(content["commitment"], digest_of_all, signer, added, content["names"], partings)
    except RecursionError:
        raise _bad("damaged", NOT_JSON, path, line=1) from None


def verify(path: Path, noted: str | None = None, signer: str | None = None) -> list[Refusal]:
    """Everything that is wrong with a match file: hash, draws, actions, state, outcome, signature. Empty if honest.

    `noted` is the commitment from before the match or the file's digest from after it, `signer` the public key of the
    server that must have signed it.
    """
    problems: list[Refusal] = []
    try:
        known = provenance(path)
        problems += audit(path)[1]
    except OtherRules as refused:
        problems.append(refused)
    except Refusal as refused:
        return [refused]
    if noted is not None and noted not in (known.commitment, known.digest):
        problems.append(_bad("not-noted", NOT_NOTED, path, noted=noted))
    if signer is not None and known.signer is None:
        problems.append(_bad("not-signed", NOT_SIGNED, path))
    elif signer is not None and known.signer != signer:
        problems.append(_bad("other-signer", OTHER_SIGNER, path, found=known.signer))
    return problems


def audit(path: Path) -> tuple[Match, list[Refusal]]:
    """Replay a match file and collect what is wrong with it; raises if it can't be replayed at all."""
    try:
        return audit_content(_parse(path), path)
    except RecursionError:
        raise _bad("damaged", NOT_JSON, path, line=1) from None


def audit_content(content: Any, path: Path) -> tuple[Match, list[Refusal]]:
    """The same for the content of a match file from elsewhere; `path` is only its name."""
    content = _checked(content, path)
    problems: list[Refusal] = []
    if signature.FIELD in content and not signature.holds(content):
        problems.append(_bad("bad-signature", BAD_SIGNATURE, path))
    if refusal := other_rules(content["game"], content["game_version"]):
        raise problems[0] if problems else OtherRules(refusal, Archive(_readable(content, path)))
    game = load(content["game"])
    dice, partings = _dice(content), content.get("branchings", ())
    if any(_dice(each).commitment != each["commitment"] for each in (content, *partings)):
        problems.append(_bad("bad-seed", BAD_SEED, path))
    branchings = [Branching(each["place"], _dice(each), each["redealt"]) for each in partings]
    match = Match(game, content["players"], dice, content["options"], content["names"], branchings).beginning()
    match.offers = _possible_offers(match, content, path)
    for number, line in enumerate(content["journal"], 1):
        entry = _entry(match, line, number, path)
        if entry.seat == CHANCE:
            weights = match.weights()
            right = match.draw(weights)
            if right != entry.action:
                should = game.play.chance_notation(right)
                problems.append(_bad("bad-draw", BAD_DRAW, path, line=number, found=line["chance"], right=should))
            if not weights[entry.action]:  # an impossible line can't be replayed either
                return match, problems
        match.follow(entry)
        if match.over and match.version <= match.branched:
            raise _bad("bad-field", BAD_FIELD, path, field="branchings")
    if content["state"] != digest(match):
        problems.append(_bad("bad-state", BAD_STATE, path))
    ended = match.outcome
    if content["outcome"] != (asdict(ended) if ended else None):
        problems.append(_bad("bad-outcome", BAD_OUTCOME, path))
    return match, problems


_SHAPE: dict[str, Any] = {
    "tribord": int,
    "game": str,
    "game_version": int,
    "players": int,
    "options": dict,
    "names": list,
    "commitment": str,
    "seed": str,
    "journal": list,
    "state": str,
    "outcome": dict | None,
}


def _parse(path: Path) -> Any:
    """Read a file's content, if it's JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        raise _bad("no-file", NO_FILE, path) from None
    except json.JSONDecodeError as error:
        raise _bad("damaged", NOT_JSON, path, line=error.lineno) from None
    except (ValueError, RecursionError):  # not text, nested too deeply, or a number of thousands of digits
        raise _bad("damaged", NOT_JSON, path, line=1) from None


def _checked(content: Any, path: Path) -> dict[str, Any]:
    """The content of a match file, with every field there and of its type."""
    if not isinstance(content, dict) or "tribord" not in content:
        raise _bad("not-ours", NOT_OURS, path, field="tribord")
    if isinstance(content["tribord"], int) and content["tribord"] > FORMAT:
        raise _bad("later-format", LATER, path, format=content["tribord"], ours=FORMAT)
    for name, kind in _SHAPE.items():
        if name not in content:
            raise _bad("not-ours", NOT_OURS, path, field=name)
        if not isinstance(content[name], kind) or isinstance(content[name], bool):
            raise _bad("bad-field", BAD_FIELD, path, field=name)
    if not all(isinstance(name, str) for name in content["names"]):
        raise _bad("bad-field", BAD_FIELD, path, field="names")
    if "contributions" in content and not _contributed(content["contributions"], content["players"]):
        raise _bad("bad-field", BAD_FIELD, path, field="contributions")
    if "branchings" in content and not _branched(content["branchings"], content["players"], len(content["journal"])):
        raise _bad("bad-field", BAD_FIELD, path, field="branchings")
    if "offers" in content and not _offered(content["offers"], content["players"], len(content["journal"])):
        raise _bad("bad-field", BAD_FIELD, path, field="offers")
    if signature.FIELD in content and not signature.well_formed(content[signature.FIELD]):
        raise _bad("bad-field", BAD_FIELD, path, field=signature.FIELD)
    return content


def _readable(content: dict[str, Any], path: Path) -> dict[str, Any]:
    """The content of a match file whose rules aren't here, if every line and the outcome can at least be read."""
    players = content["players"]
    if not 0 < players <= MOST_PLAYERS:
        raise _bad("bad-field", BAD_FIELD, path, field="players")

    def is_seat(value: Any) -> bool:
        return type(value) is int and 0 <= value < players

    for number, line in enumerate(content["journal"]):
        drawn = isinstance(line, dict) and isinstance(line.get("chance"), str)
        decided = isinstance(line, dict) and is_seat(line.get("seat")) and isinstance(line.get("action"), str)
        if drawn == decided:
            raise _bad("bad-field", BAD_FIELD, path, field=f"journal[{number}]")
    ended = content["outcome"]
    if ended is not None:
        scores, winners = ended.get("scores"), ended.get("winners")
        numbers = isinstance(scores, list) and all(type(score) is int for score in scores)
        if not numbers or not isinstance(winners, list) or not all(map(is_seat, winners)):
            raise _bad("bad-field", BAD_FIELD, path, field="outcome")
    names = (*_SHAPE, "contributions", "branchings", "offers", signature.FIELD)
    return {name: content[name] for name in names if name in content}


def _dice(content: Mapping[str, Any]) -> Dice:
    """The dice of a match, or of one that it parts from."""
    return Dice(content["seed"], content.get("contributions", ()))


def _branched(values: Any, players: int, lines: int) -> bool:
    """Whether a branch's partings are possible: each from a match, at a place not before the previous one."""
    if not isinstance(values, list) or not 0 < len(values) <= MOST_BRANCHINGS:
        return False
    before = 0
    for parting in values:
        if not isinstance(parting, dict) or set(parting) - {"contributions"} != {*PARTING, "seed"}:
            return False
        place, seat = parting["place"], parting["redealt"]
        if type(place) is not int or not before <= place <= lines:
            return False
        if seat is not None and (type(seat) is not int or not 0 <= seat < players):
            return False
        if not isinstance(parting["seed"], str) or not isinstance(parting["commitment"], str):
            return False
        if "contributions" in parting and not _contributed(parting["contributions"], players):
            return False
        before = place
    return True


def _offered(values: Any, players: int, lines: int) -> bool:
    """Whether these can be offers: each of a seat, at some length of the journal."""
    if not isinstance(values, list) or not 0 < len(values) <= MOST_OFFERS:
        return False
    for made in values:
        if not isinstance(made, dict) or set(made) != set(OFFER) or not isinstance(made["offer"], dict):
            return False
        if type(made["seat"]) is not int or type(made["version"]) is not int:
            return False
        if not 0 <= made["seat"] < players or not 0 <= made["version"] <= lines:
            return False
    return True


def _possible_offers(match: Match, content: dict[str, Any], path: Path) -> list[dict[str, Any]]:
    """The offers in a file, if the game knows such offers."""
    offers: list[dict[str, Any]] = content.get("offers", [])
    try:
        for made in offers:
            if match.game.offers is None:
                raise _bad("bad-field", BAD_FIELD, path, field="offers")
            match.game.offers.check(match, made["seat"], made["offer"])
    except IllegalAction:
        raise _bad("bad-field", BAD_FIELD, path, field="offers") from None
    return offers


def _contributed(values: Any, players: int) -> bool:
    """Whether these can be contributions: by seat, 64 hexadecimal digits or nothing, and not nothing alone."""
    if not isinstance(values, list) or len(values) != players or not any(values):
        return False
    return all(value is None or signature.is_hex(value, 64) for value in values)


def _entry(match: Match, line: Any, number: int, path: Path) -> Entry:
    """A journal line as an entry, if it's possible at this point of the match."""
    try:
        at = line.get("at")
        if at is not None and type(at) not in (int, float):
            raise ValueError(at)
        dice_to_decide = not match.to_act and bool(match.weights())
        if ("chance" in line) != dice_to_decide:
            raise BadFile("bad-line", NOT_NOW)
        if dice_to_decide:
            return Entry(CHANCE, match.game.play.parse_chance(line["chance"]), at)
        return Entry(line["seat"], match.check(line["seat"], line["action"]), at, _rank(line))
    except Refusal as refused:
        raise BadFile("bad-line", BAD_LINE, line=number, reason=refused) from None
    except (KeyError, ValueError, TypeError, IndexError, AttributeError):
        raise _bad("bad-field", BAD_FIELD, path, field=f"journal[{number - 1}]") from None


def _rank(line: dict[str, Any]) -> str:
    """The bot that decided a line, if it says so."""
    rank = line.get("rank", "")
    if not isinstance(rank, str) or len(rank) > LONGEST_RANK or not rank.isprintable():
        raise ValueError(rank)
    return rank


def _bad(code: str, message: str, path: Path, **fields: Any) -> BadFile:
    return BadFile(code, message, path=path.name, **fields)
