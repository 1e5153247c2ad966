"""The shapes of what the server sends: the parts that its messages leave open, and the answers over HTTP. An answer may
have more fields than these: ignore those you don't know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tribord.server.messages import ClockSetting

Status = Literal["open", "playing", "over"]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class GuestInfo(Struct):
    """Someone at the table. `commitment`: to their contribution to the dice of the next match.

    `muted`: the host has stopped them from chatting.
    """

    guest: int
    nickname: str
    commitment: Hash | None
    muted: bool


class SeatInfo(Struct):
    """A seat: open (neither guest nor rank), a guest's, a bot's (rank), or a guest's with a bot that plays for it
    (both).

    `name` is the player: the guest, someone else at the guest's device, or the bot; "" if the seat is open.
    """

    seat: int
    guest: int | None
    rank: str | None
    ready: bool
    name: str


class BranchInfo(Struct):
    """The table with the original match, the number of journal lines taken from it, and whether it was redealt."""

    original: str
    place: int
    redealt: bool


class TableInfo(Struct):
    """What everyone may know of a table. Guest 0 is the host; `rematch` is the id of the table that followed.

    `revealing`: the match is started, and begins when these guests have revealed their contributions to the dice.
    `contributions`, once it has begun: the players' contributions by seat; empty without any. `guide` is the guided
    match, if it is one. `branch`: the match goes on from a moment of another. `rematch_commitment` is the commitment of
    the rematch, if there will be one (null: not fixed yet).
    """

    id: str
    code: str
    game: str
    game_version: int
    players: int
    options: dict[str, Any]
    public: bool
    hints: bool
    guide: str | None
    branch: BranchInfo | None
    status: Status
    clock: ClockSetting | None
    commitment: Hash
    contributions: list[Hash | None]
    revealing: list[int]
    rematch: str | None
    rematch_commitment: Hash | None
    guests: list[GuestInfo]
    seats: list[SeatInfo]


class ShownTable(TableInfo):
    """A table as anyone with its name sees it: also the seats that must decide now, and the address of its home."""

    to_act: list[int]
    home: str | None


class UndoInfo(Struct):
    """A guest's request to take back their last decision and all since, from `place` on; and who agrees."""

    by: int
    place: int
    agreed: list[int]


class OutcomeInfo(Struct):
    """How a match ended: points by seat, the winning seats, and why."""

    scores: list[int]
    winners: list[int]
    reason: str


class OfferInfo(Struct):
    """An offer with its outcome, shown when the match is over.

    `kept`: whether it was kept (null: it wasn't possible any more), or for a request the seats that granted it.
    """

    seat: int
    offer: dict[str, Any]
    to: list[int] | None
    version: int
    kept: bool | list[int] | None


class RemovalInfo(Struct):
    """Who is to be removed, who asks, and who agrees."""

    by: int
    guest: int
    agreed: list[int]


class MatchInfo(Struct):
    """The match as its recipient may know it. Keys of `views`, `legal` and `deadlines` are seats; view "-1" is public.

    `version` is the length of the match's journal, `legal` has the actions of those of the recipient's seats that must
    decide, `deadlines` are Unix seconds. `private` is there for who holds several seats: those of them that must decide
    while the others look away. `guide` is there in a guided match: how many of
    its decisions the learner has taken, null once someone has decided something else.
    `removal` is there while everyone else with a seat is asked whether the host may remove a guest.
    `seed`, `digest` (of the match file) and `offers` come with the outcome.
    """

    version: int
    to_act: list[int]
    views: dict[str, dict[str, Any]]
    legal: dict[str, list[int]]
    deadlines: dict[str, float]
    undo: UndoInfo | None
    outcome: OutcomeInfo | None
    private: list[int] | UnsetType = UNSET
    guide: int | UnsetType | None = UNSET
    removal: RemovalInfo | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    digest: Hash | UnsetType = UNSET
    offers: list[OfferInfo] | UnsetType = UNSET


class EventInfo(Struct):
    """An event of the match, as everyone saw it: its rule, and a sentence in each language."""

    kind: str
    rule: str
    fields: dict[str, Any]
    fr: str
    en: str


class Said(Struct):
    """What was said: a line; or, with a sentence in each language, a quick phrase, an offer, a removal or a mute."""

    line: str | UnsetType = UNSET
    phrase: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    offer: dict[str, Any] | UnsetType = UNSET
    guest: int | UnsetType = UNSET
    nickname: str | UnsetType = UNSET
    muted: bool | UnsetType = UNSET
    to: list[int] | UnsetType = UNSET
    fr: str | UnsetType = UNSET
    en: str | UnsetType = UNSET


class PastUpdate(Struct):
    """An update that was missed, without the state it led to."""

    kind: str
    at: float
    by: int | None
    events: list[EventInfo] | UnsetType = UNSET
    said: Said | UnsetType = UNSET
    place: int | UnsetType = UNSET
    undone: int | UnsetType = UNSET


class OpenTable(Struct):
    """A public table that waits for players."""

    id: str
    code: str
    game: str
    players: int
    host: str
    free: int


class OpenTables(Struct):
    """The public tables that wait for players."""

    tables: list[OpenTable]


class Preview(Struct):
    """What an action would lead to, event by event; if it certainly loses, the events that can end the match."""

    events: list[EventInfo]
    fate: list[EventInfo]


class Chance(Struct):
    """A chance of winning between 0 and 1, and its interval; null if there was nothing to compare."""

    mean: float | None
    low: float | None
    high: float | None


class Expected(Struct):
    """A decision that would probably follow."""

    seat: int
    action: int


class Suggestion(Struct):
    """A choice: its number, its value for the seat, and what would probably follow."""

    action: int
    value: Chance
    line: list[Expected]


class Hint(Struct):
    """The best choices of a seat at a version of the match, the best first. `exact`: the chances aren't estimates."""

    version: int
    seat: int
    exact: bool
    suggestions: list[Suggestion]


Level = Literal["easy", "medium", "hard"]


class DailyPuzzle(Struct):
    """The puzzle of a day, which begins at midnight UTC: the same everywhere."""

    date: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")]
    game: str
    number: int
    level: Level


class PuzzleEntry(Struct):
    """A puzzle in a list."""

    number: int
    level: Level
    players: int


class GamePuzzles(Struct):
    """The puzzles of a game."""

    game: str
    puzzles: list[PuzzleEntry]


class Puzzles(Struct):
    """The puzzle of the day, null if there are no puzzles, and those of every game that has some."""

    daily: DailyPuzzle | None
    games: list[GamePuzzles]


class PuzzleInfo(Struct):
    """A puzzle: what the seat sees and may do, what happened last, and the board in words."""

    game: str
    number: int
    level: Level
    players: int
    options: dict[str, Any]
    seat: int
    view: dict[str, Any]
    legal: list[int]
    events: list[EventInfo]
    words: dict[Literal["fr", "en"], str]


class Likely(Struct):
    """An event that may come before the seat's next turn: how often after a choice, and how often otherwise."""

    share: float
    otherwise: float
    event: EventInfo


class Outlook(Struct):
    """What a choice leads to: certainly and at once, more often than otherwise, and less often.

    The best choice is compared with the others, on average, and each of them with the best one.
    """

    at_once: list[EventInfo]
    likely: list[Likely]
    spared: list[Likely]


class PuzzleChoice(Struct):
    """A choice in a puzzle: its number, what it is worth to the seat, what would probably follow, what it leads to."""

    action: int
    value: Chance
    line: list[Expected]
    outlook: Outlook


class Solved(Struct):
    """Whether an answer was the best choice, the values of both, and how often each rank finds the best.

    `exact`: the chances aren't estimates.
    """

    right: bool
    exact: bool
    best: PuzzleChoice
    chosen: PuzzleChoice
    ranks: dict[str, float]


class Reason(Struct):
    """Why something can't be done: a stable code, the number of the rule (or ""), a sentence in each language."""

    code: str
    rule: str
    fr: str
    en: str


class Undoable(Struct):
    """What an undo would take back: everything from a place of the journal on, with the seats that decided."""

    place: int
    seats: list[int]


class Explained(Struct):
    """Why a seat can't play an action now; null: it can."""

    refused: Reason | None


class Position(Struct):
    """A position of a finished match: who decided what to get there, what happened, and how it then looked.

    `seat` is null at the start and −2 for the dice; `rank` is the bot that decided, if one did; `action` is absent if
    the view couldn't show it, `chance` is the result of the dice, only with `truth` (the events have it too); `words`
    is the board in words, if a language was requested.
    """

    seat: int | None
    events: list[EventInfo]
    to_act: list[int]
    view: dict[str, Any]
    rank: str | UnsetType = UNSET
    action: int | UnsetType = UNSET
    chance: str | UnsetType = UNSET
    words: str | UnsetType = UNSET


class Replay(Struct):
    """Positions of a finished match: the `total`, the names by seat, and the positions from `from` on."""

    total: int
    names: list[str]
    positions: list[Position]


class Effect(Struct):
    """What a moment meant for a seat (null: for everyone): the event, and its chances of winning before and after."""

    seat: int | None
    event: EventInfo
    before: float
    after: float


class Moment(Struct):
    """A turn that decided the match: at which position it ended, what led to it, and what it meant for each player."""

    place: int
    events: list[EventInfo]
    effects: list[Effect]


class Branch(Struct):
    """A table that goes on from a match: where it parts, the person's seat, who plays, and how it ended."""

    table: str
    place: int
    redealt: bool
    seat: int | None
    names: list[str]
    status: Status
    outcome: OutcomeInfo | None


class Branches(Struct):
    """The branches of a match, and whether it has an analysis to compare them by."""

    branches: list[Branch]
    analysed: bool


class Sayings(Struct):
    """The sentences of an analysis in one language; each has a `text`, and its `place` in the journal if it has one."""

    moments: list[dict[str, Any]]
    errors: dict[Literal["knew", "hindsight"], list[dict[str, Any]]]
    promises: list[dict[str, Any]]


class Analysis(Struct):
    """The analysis of a match, as docs/analysis.md describes it, without main lines but with words."""

    game: str
    game_version: int
    players: int
    options: dict[str, Any]
    names: list[str]
    outcome: dict[str, Any]
    exact: bool
    series: list[dict[str, Any]]
    decisions: list[dict[str, Any]]
    moments: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    promises: list[dict[str, Any]]
    words: dict[Literal["fr", "en"], Sayings]


class Moments(Struct):
    """The moments that decided a match, in order."""

    moments: list[Moment]


class TransferCode(Struct):
    """A code with which the same guest can come in from another device, once, within this many seconds."""

    transfer: str
    seconds: int


class Imported(Struct):
    """The table made from a match file."""

    table: str
    code: str


class OptionCard(Struct):
    """An option of a game: its rule, default, what it takes, and its meaning in each language."""

    name: str
    rule: str
    default: Any
    takes: str
    fr: str
    en: str


class GameCard(Struct):
    """A game: fewest and most players, how many actions it has, its options."""

    id: str
    title: str
    version: int
    players: tuple[int, int]
    cooperative: bool
    actions: int
    options: list[OptionCard]


class Games(Struct):
    """The games."""

    games: list[GameCard]


class ActionCard(Struct):
    """An action: its parts, its notation, and a sentence in each language."""

    parts: dict[str, Any]
    notation: str
    fr: str
    en: str


class Actions(Struct):
    """Every action of a game; its place in the list is its number."""

    game: str
    version: int
    actions: list[ActionCard]


class SignatureInfo(Struct):
    """A server's Ed25519 signature: its public key, and the signature, in hexadecimal."""

    signer: Hash
    value: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class Parting(Struct):
    """A match that a branch parts from, after `place` lines of the journal: its dice, and the seat that was redealt."""

    place: int
    redealt: int | None
    commitment: Hash
    seed: str
    contributions: list[Hash | None] | UnsetType = UNSET


class MatchFile(Struct):
    """A match file; docs/match-file.md describes it."""

    tribord: int
    game: str
    game_version: int
    players: int
    options: dict[str, Any]
    names: list[str]
    commitment: Hash
    seed: str
    journal: list[dict[str, Any]]
    state: Hash
    outcome: OutcomeInfo | None
    contributions: list[Hash | None] | UnsetType = UNSET
    branchings: list[Parting] | UnsetType = UNSET
    offers: list[dict[str, Any]] | UnsetType = UNSET
    signature: SignatureInfo | UnsetType = UNSET


class SignerInfo(Struct):
    """The public key with which a server signs match files, and its fingerprint for people to compare."""

    signer: Hash
    fingerprint: str


class Bots(Struct):
    """How far the bots are prepared; done once `prepared` equals `of`. `ranks` are the bots that can take a seat."""

    prepared: int
    of: int
    ranks: list[str]


class Health(Struct):
    """The server is well."""

    status: Literal["ok"]
    version: str
    protocol: int
