"""Lists of the office for staff of the demonstration who came by the staff door: without the
private tables that they do not know of.

Anybody may come by that door, and a private table is for those who were sent its link.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

LEFT_OUT = object()


def without(found: Any, hidden: Set[str]) -> Any:
    """What a list is made of, without every entry that names one of these tables."""
    left = _without(found, hidden)
    return None if left is LEFT_OUT else left


def _without(found: Any, hidden: Set[str]) -> Any:
    if isinstance(found, str):
        return LEFT_OUT if found in hidden else found
    if isinstance(found, dict):
        if any(isinstance(each, str) and each in hidden for each in found.values()):
            return LEFT_OUT
        kept = {key: _without(each, hidden) for key, each in found.items() if key not in hidden}
        return {key: each for key, each in kept.items() if each is not LEFT_OUT}
    if isinstance(found, list | tuple):
        return [left for each in found if (left := _without(each, hidden)) is not LEFT_OUT]
    return found
