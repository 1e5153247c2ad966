"""First names, for bots and as a suggestion to people. No two at a table have the same."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection

LONGEST = 24

# Bots at existing tables have these names by their place in this list's order of hashes: adding or removing a name may
# rename some of them. None is a boat's or a pawn's.
FIRST_NAMES = (
    "Anatole", "Apolline", "Balthazar", "Barnabé", "Bertille", "Célestin", "Corentine", "Cyprien", "Désirée", "Edmée",
    "Enora", "Erwan", "Eulalie", "Firmin", "Fulgence", "Gaspard", "Gédéon", "Gwenn", "Hector", "Honorine", "Hortense",
    "Ignace", "Isidore", "Ismène", "Jacotte", "Jonas", "Joséphine", "Lazare", "Léonce", "Loïc", "Maëlle", "Malo",
    "Marius", "Mathurin", "Mélusine", "Nanon", "Narcisse", "Nolwenn", "Octave", "Odilon", "Ombeline", "Perrine",
    "Philémon", "Prosper", "Ronan", "Rosalie", "Rosemonde", "Séraphin", "Sidonie", "Soizic", "Télémaque", "Tiphaine",
    "Urbain", "Ursule", "Victoire", "Virgile", "Wilfrid", "Yseult", "Zélie", "Zéphyrin",
)  # fmt: skip


def alike(name: str) -> str:
    """Reduce a name to a form in which names that look alike are equal.

    >>> alike("ZOÉ ") == alike("zoe")
    True
    """
    plain = (character for character in unicodedata.normalize("NFKD", name) if not unicodedata.combining(character))
    return "".join(plain).casefold().strip()


def fresh(taken: Collection[str], key: str) -> str:
    """Return a free first name; the same key and the same taken names always give the same one."""
    known = {alike(name) for name in taken}
    free = [name for name in FIRST_NAMES if alike(name) not in known]
    if not free:
        return distinct(FIRST_NAMES[0], taken)
    return min(free, key=lambda name: hashlib.sha256(f"{key} {name}".encode()).digest())


def distinct(wanted: str, taken: Collection[str]) -> str:
    """Return the wanted name, with a number if someone already has it.

    >>> distinct("Zoé", ["Anne", "zoe", "Zoé 2"])
    'Zoé 3'
    """
    known = {alike(name) for name in taken}
    name, number = wanted, 1
    while alike(name) in known:
        number += 1
        name = f"{wanted[: LONGEST - 1 - len(str(number))].rstrip()} {number}"
    return name
