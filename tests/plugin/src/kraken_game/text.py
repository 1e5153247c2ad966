"""The words of Kraken: what happened, what may be done, why not, and the board as text."""

from typing import Any

from kraken_game.state import BOAT_IDS
from tribord.core.record import State
from tribord.core.words import Phrase, Sentence, Words, _, _n

SENTENCES = {
    "fishes": Sentence(
        _n("{crew}: {die}. {boat} treasure in the boat.", "{crew}: {die}. {boat} treasures in the boat.", "boat"),
        named=_("{name} fishes up {die}."),
        you=_("You fish up {die}."),
    ),
    "wakes": Sentence(
        _("{crew}: {die}. The kraken wakes and takes the boat’s {lost}."),
        named=_("The kraken wakes and takes {lost} from {name}."),
        you=_("The kraken wakes and takes your {lost}."),
    ),
    "lands": Sentence(
        _("{crew} lands with {boat} and has {hold}."),
        named=_("{name} lands with {boat} and has {hold}."),
        you=_("You land with {boat} and have {hold}."),
    ),
    "wins": Sentence(_("{crew} wins with {hold}!"), named=_("{name} wins with {hold}!"), you=_("You win with {hold}!")),
}
PEOPLE = ("crew",)
PHRASES: dict[str, Phrase] = {}

_CREWS = (_("Blue"), _("Green"), _("Red"), _("Yellow"))
NAMES: dict[str, dict[Any, str]] = {
    "crew": dict(enumerate(_CREWS)) | dict(zip(BOAT_IDS, _CREWS)),
    "kind": {"row": _("row on"), "land": _("land")},
}
PART_ORDER = ("kind",)
LISTED: dict[str, str] = {}
ASK = {"kind": _("Row on, or land?")}
ENDINGS = {"won": _("The kraken goes back to sleep, and someone is rich.")}
REFUSALS = {"enough": (4, _("Your boat is full enough: land!"))}


def sentence(parts: dict[str, Any]) -> str:
    """The sentence of an action."""
    return _("Row on") if parts["kind"] == "row" else _("Land with what is in the boat")


def why_not(view: State, seat: int, action: int) -> tuple[str, dict[str, Any]]:
    """Why a seat that must decide may not play this action."""
    return "enough", {}


def board(view: dict[str, Any], words: Words, plain: bool = False) -> str:
    """The board as text."""
    lines = [words.say(_("{crew}: {hold} at home"), crew=crew["crew"], hold=crew["hold"]) for crew in view["crews"]]
    if not view["over"]:
        lines.append(words.say(_("{crew} is at sea with {boat} in the boat."), crew=view["turn"], boat=view["boat"]))
    return "\n".join(lines)
