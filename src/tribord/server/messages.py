"""The protocol in types: what a client may send, and what the server answers. docs/protocol.md has examples. Everything
is JSON; the field "t" is a message's type. The schemas in docs/ are made from these types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL = 2

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Nickname = Annotated[str, Meta(min_length=1, max_length=24)]
ChatLine = Annotated[str, Meta(min_length=1, max_length=280)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Small = Annotated[int, Meta(ge=0, le=1_000_000)]
ContributionValue = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
RandomId = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]  # only the client that drew it knows it
Meaning = int | str | dict[str, Any]
Word = Annotated[str, Meta(min_length=1, max_length=32)]
Part = Annotated[int, Meta(ge=-1_000, le=1_000)] | Word


# -- HTTP -----------------------------------------------------------------------------------------------------------


class ClockSetting(Struct, forbid_unknown_fields=True):
    """Time to think: `seconds` for each decision, or for the whole match; then a bot of this rank plays on."""

    per: Literal["decision", "match"]
    seconds: Annotated[int, Meta(ge=5, le=86_400)]
    rank: str = "matelot"


class NewTable(Struct, forbid_unknown_fields=True):
    """A table to create. Seats: "me" (on this device), "open", or the rank of a bot; by default, me and open seats.

    `names`: by seat, who else plays at this device; "" for the host, an open seat, or a bot.
    `guide`: a guided match of the game, which sets the players, the options and the dice.
    `hints`: whether players may ask for hints. `id`: random; repeating it gets the same table.
    """

    game: Annotated[str, Meta(max_length=64)]
    nickname: Nickname
    players: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = {}
    seats: Annotated[list[str], Meta(max_length=16)] = []
    names: Annotated[list[Annotated[str, Meta(max_length=24)]], Meta(max_length=16)] = []
    public: bool = False
    clock: ClockSetting | None = None
    hints: bool = True
    guide: Annotated[str, Meta(max_length=64)] | None = None
    id: RandomId | None = None


class NewBranch(Struct, forbid_unknown_fields=True):
    """A table to create that plays on, against bots, from a moment of a finished match.

    `place`: how many lines of its journal come before. `seats`: "me" once, and the ranks of bots. `redealt`: what the
    player in that seat didn't know then is dealt again; by default it's as it was. `id`: as for a new table.
    """

    nickname: Nickname
    place: Small
    seats: Annotated[list[str], Meta(max_length=16)]
    redealt: bool = False
    id: RandomId | None = None


class Join(Struct, forbid_unknown_fields=True):
    """A guest who joins a table, takes the first open seat and is ready; with `watch`, without a seat.

    With a `transfer` code, the same guest on another device. `id`: random; repeating it is the same guest.
    """

    nickname: Nickname | UnsetType = UNSET
    watch: bool = False
    transfer: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    id: RandomId | None = None


class Solve(Struct, forbid_unknown_fields=True):
    """An answer to a puzzle: an action, by its number or in the game's notation."""

    action: Small | Annotated[str, Meta(max_length=64)]


class Credentials(Struct):
    """What a guest needs to come back: only this device knows the secret. `seat`: where they sit, if they do.

    `home`: the address of the table's worker, a URL reference; None: this address.
    """

    table: str
    code: str
    guest: int
    secret: str
    seat: int | None = None
    home: str | None = None


# -- what a client sends on the socket ------------------------------------------------------------------------------


class Hello(Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first message. `seen` is the last version this client has; without a secret you only watch.

    Sent again later, it switches to another table, on the same connection.
    """

    protocol: int
    table: Annotated[str, Meta(max_length=64)]
    secret: Annotated[str, Meta(max_length=128)] | None = None
    seen: Small | None = None


class Shown(Struct, tag_field="t", tag="shown", forbid_unknown_fields=True):
    """A viewer's progress: everything up to this version was shown on its screen. Bots wait for viewers.

    It changes nothing, has no answer, and may come from spectators too. A client that never sends it isn't waited for.
    """

    v: Small


class Command(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    """Anything that changes the table. The client chooses the id: a command sent again is carried out once."""

    id: Id


class Sit(Command, tag="sit"):
    """Take an open seat instead of your own and be ready; with `name`, one more seat for someone at this device."""

    seat: SeatNumber
    name: Nickname | None = None


class Stand(Command, tag="stand"):
    """Leave a seat before the match."""

    seat: SeatNumber


class Ready(Command, tag="ready"):
    """Say whether you're ready. Sitting down makes you ready; the match waits for guests who aren't."""

    ready: bool = True


class Contribute(Command, tag="contribute"):
    """Commit to random digits for the match's dice before it starts; afterwards, for its rematch. The last one counts.

    `commitment` is SHA-256 of "tribord:" and the digits, in hexadecimal.
    """

    commitment: ContributionValue


class Reveal(Command, tag="reveal"):
    """Once the host has started the match: the digits you committed to. It begins when everyone has revealed theirs."""

    value: ContributionValue


class Arrange(Command, tag="arrange"):
    """Host, before the match: make a seat "open", "me" (with `name` for someone else here), or a bot of a rank."""

    seat: SeatNumber
    to: Annotated[str, Meta(max_length=32)]
    name: Nickname | None = None


class Swap(Command, tag="swap"):
    """Before the match, swap two seats: as host any two; as guest your own with an open one."""

    seat: SeatNumber
    other: SeatNumber


class Rename(Command, tag="rename"):
    """Change your nickname, or as host anyone's; with `seat`, that of the person in that seat at the guest's device."""

    nickname: Nickname
    guest: Small | None = None
    seat: SeatNumber | None = None


class Remove(Command, tag="remove"):
    """Host: send a guest away. Their secret becomes invalid; their seats are open, or a bot's during the match."""

    guest: Small
    rank: Annotated[str, Meta(max_length=32)] = "matelot"


class Mute(Command, tag="mute"):
    """Host: stop a guest from chatting, pointing and renaming themselves, or allow it again. They play on."""

    guest: Small
    muted: bool = True


class Report(Command, tag="report"):
    """Report a guest to the server's operator: their nickname, what they say, or what they do. Once per guest."""

    guest: Small
    reason: Literal["nickname", "talk", "behaviour"]


class Start(Command, tag="start"):
    """Host: start the match. Every seat is taken, or a bot of `rank` takes it; no one has said they aren't ready."""

    rank: Annotated[str, Meta(max_length=32)] | None = None


class Act(Command, tag="act"):
    """Play an action for a seat: its number, notation or parts. `version` is the match version it's meant for."""

    seat: SeatNumber
    action: Meaning
    version: Small | None = None


class Reclaim(Command, tag="reclaim"):
    """Reclaim your seat from the bot that plays for it."""

    seat: SeatNumber


class Replace(Command, tag="replace"):
    """Let a bot play for your seat, or as host for a player who is away. The player can reclaim it."""

    seat: SeatNumber
    rank: Annotated[str, Meta(max_length=32)] = "matelot"


class Undo(Command, tag="undo"):
    """Ask to take your last decision back, or answer such a request. Everyone who owns a seat must agree."""

    agree: bool = True


class Chat(Command, tag="chat"):
    """Say something: a line, or a quick phrase by its name; to everyone, or to some guests."""

    line: ChatLine | None = None
    phrase: Annotated[str, Meta(max_length=32)] | None = None
    to: Annotated[list[int], Meta(max_length=16)] | None = None


class Offer(Command, tag="offer"):
    """A typed offer of the game (promise a vote, ask for one, propose an alliance), never binding."""

    seat: SeatNumber
    offer: dict[str, Any]
    to: Annotated[list[int], Meta(max_length=16)] | None = None


class Rematch(Command, tag="rematch"):
    """Host, after the match: the same table again, with the seats moved round by one.

    With `start` the match begins at once if all players are here; otherwise the table waits for the host.
    """

    start: bool = False


Commands = (
    Sit | Stand | Ready | Contribute | Reveal | Arrange | Swap | Rename | Remove | Mute | Report | Start
    | Act | Reclaim | Replace | Undo | Chat | Offer | Rematch
)  # fmt: skip


class Gesture(Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    """Something to show the others for a moment, in a cooperative game. It isn't stored; only a refusal answers."""

    id: Id


class Consider(Gesture, tag="consider"):
    """The parts of an action that a player considers for their seat; none to stop."""

    seat: SeatNumber
    parts: Annotated[dict[Word, Part], Meta(max_length=8)] = {}


class Point(Gesture, tag="point"):
    """Point at something that the game has a name for: a pawn, a place."""

    sort: Word
    value: Part


Gestures = Consider | Point


# -- what the server sends on the socket ----------------------------------------------------------------------------


class ServerMessage(Struct, tag_field="t"):
    """Anything the server sends."""


class Welcome(ServerMessage, tag="welcome"):
    """Answer to hello: the protocol, and who you are (None: a spectator). `home`: the address of the table's worker for
    next time, a URL reference; None: this address.
    """

    protocol: int
    guest: int | None
    seats: list[int]
    home: str | None = None


class Update(ServerMessage, tag="update", omit_defaults=True):
    """The next version: what happened, and the recipient's changed state. With an `id` it answers that command of the
    recipient's: carried out, forever. A decision has its `place` in the match's journal; with `undone`, the decisions
    from that place on were taken back: forget their events.
    """

    v: int
    kind: str
    at: float
    by: int | None = None
    id: str | None = None
    events: Sequence[Any] = ()
    said: Any = None
    table: Any = None
    match: Any = None
    place: int | None = None
    undone: int | None = None


class Sync(ServerMessage, tag="sync"):
    """Everything the recipient may know, as of a version. Sent if the gap is too large, or nothing was seen yet. A long
    log continues in gaps: then table and match come with the last one.
    """

    v: int
    log: list[Any]
    table: Any = UNSET
    match: Any = UNSET


class Gap(ServerMessage, tag="gap"):
    """What was missed since the client's version, and the current state.

    A long gap comes in portions, each with the version it reaches: a client that is cut off continues from there. Only
    the last has table and match.
    """

    v: int
    missed: list[Any]
    table: Any = UNSET
    match: Any = UNSET


class Ack(ServerMessage, tag="ack"):
    """A repeated command had already been carried out, and led to this version."""

    id: str
    v: int


class Refused(ServerMessage, tag="refused", omit_defaults=True):
    """Why a command wasn't carried out, in both languages; nothing has changed.

    `detail` is for programs: what was wrong with a message that wasn't understood.
    """

    code: str
    fr: str
    en: str
    id: str | None = None
    rule: str = ""
    limit: str = ""
    seconds: float = 0
    detail: str = ""


class Presence(ServerMessage, tag="presence", omit_defaults=True):
    """Who is here right now: the guests with an open socket, and the number of spectators. It has no version.

    `preparing`: bots are still being prepared, and play below their strength for some seconds.
    """

    guests: list[int]
    watching: int
    preparing: bool = False


class Considered(ServerMessage, tag="considered", omit_defaults=True):
    """What someone considers for a seat at this version of the match, and the events of a complete action."""

    guest: int
    seat: int
    version: int
    parts: dict[str, int | str] = {}
    events: Sequence[Any] = ()


class Pointed(ServerMessage, tag="pointed"):
    """Someone points at something."""

    guest: int
    sort: str
    value: int | str


decode_hello = msgspec.json.Decoder(Hello).decode
decode_command = msgspec.json.Decoder(Commands | Gestures | Shown | Hello).decode
encode = msgspec.json.Encoder().encode
