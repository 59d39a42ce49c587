"""A refusal in the words of the record: its players by name or number, and the step on which it
falls.

A table that replays a hand seats the players from 1 in the order of the deal; the record may have
them at other seats, or at none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.formats.hand import Hand

_SEAT = re.compile(r"\b(S|s)eat (\d+)\b")


def by_player(says: str, players: Sequence[str] = ()) -> str:
    """A sentence of the table with its seats as players of the record: `player 2`, or his name."""

    def named(found: re.Match[str]) -> str:
        number = int(found[2])
        name = players[number - 1] if number <= len(players) else ""
        return name or f"{'P' if found[1] == 'S' else 'p'}layer {number}"

    return _SEAT.sub(named, says)


def names_of(hand: Hand) -> list[str]:
    """The players' names in the order of the deal; empty where the record names nobody."""
    return [player.name for player in hand.players]


def line_of_step(hand: Hand, place: str) -> tuple[int, int] | None:
    """Where the record's own story has a step (`step 7`): which chapter and which line of it.

    Cards that open a street are a step and so is each act, but for remarks; posts are none.
    """
    word, _, number = place.partition(" ")
    if word != "step" or not number.isdecimal():
        return None
    left = int(number)
    for chapter, street in enumerate(hand.streets):
        line = 0
        if street.cards:
            left -= 1
            if not left:
                return chapter, 0
            line += 1
        if street.name == "preflop":
            line += len(hand.posts)
        for act in street.acts:
            left -= act.do != "note"
            if not left:
                return chapter, line
            line += 1
    return None
