"""Names of authority: what no guest is called, for players would do as they are told by one.

Whole names only: `Floor` is one, `Floortje` is not. Whoever the office takes on may have any name,
and who had one of these before keeps it.
"""

from __future__ import annotations

from typing import get_args

from croupier.house.names import blurred
from croupier.house.office import Role

OTHERS = (
    "admin",
    "bot",
    "cage",
    "casino",
    "croupier",
    "director",
    "floor",
    "floor manager",
    "floor supervisor",
    "floorman",
    "help desk",
    "host",
    "inspector",
    "management",
    "manager",
    "mod",
    "moderator",
    "official",
    "owner",
    "pit",
    "pit boss",
    "regulator",
    "root",
    "security",
    "server",
    "shift supervisor",
    "staff",
    "supervisor",
    "support",
    "surveillance",
    "system",
    "tournament director",
)
"""Beside the posts that the office knows."""

_AS_LETTERS = str.maketrans("3457", "east")
_BETWEEN = str.maketrans("", "", " '-._")


def _read(name: str) -> str:
    """As somebody reads it who does not look twice."""
    return blurred(name.translate(_AS_LETTERS)).translate(_BETWEEN)


_POSTS = frozenset(map(_read, (*get_args(Role), *OTHERS)))


def is_a_post(name: str) -> bool:
    """Whether a name is that of a post of the House, or is read as one."""
    return _read(name) in _POSTS
