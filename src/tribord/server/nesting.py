"""Nesting: refuse deeply nested JSON. None of our messages is nested deeply."""

from __future__ import annotations

import re

DEEPEST = 32

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def too_deep(text: str) -> bool:
    """Whether JSON is nested deeper than any message. Brackets in text don't count.

    >>> too_deep("[" * 33), too_deep('{"line": "' + "[" * 33 + '"}'), too_deep("[]" * 33)
    (True, False, False)
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            return True
    return False
