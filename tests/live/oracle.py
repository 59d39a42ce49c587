"""Which cards each viewer may see at every position of a table's log: told from the log alone.

It shares nothing with the code that masks views and events. It reads the stored events in full and
knows only where cards are turned up and who has looked; everything else is hidden from everybody.
"""

from __future__ import annotations

import json
import re
from typing import Any

CARD = re.compile(r'"((?:10|[2-9TJQKA])[cdhs])"|((?:10|[2-9TJQKA])[♣♦♥♠♧♢♡♤])')
"""A card as it is written in JSON, or as people read it inside a sentence."""
SUITS = dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True))

FACE_UP = {
    "poker": {
        "flop dealt": "cards",
        "turn dealt": "cards",
        "river dealt": "cards",
        "community turned up": "cards",
        "hand shown": "cards",
        "button card dealt": "card",
    },
    "banked": {
        "flop revealed": "cards",
        "turn revealed": "cards",
        "river revealed": "cards",
        "dealer revealed": "cards",
        "cards tabled": "cards",
        "claim recorded": "cards",
        "box settled": "shown",
    },
}
BEGINS = ("blinds called", "bets called")


def cards_in(text: str) -> set[str]:
    """Every card that is named anywhere in a message."""
    found = set()
    for plain, pretty in CARD.findall(text):
        card = plain or pretty[:-1] + SUITS[pretty[-1]]
        found.add(card.replace("10", "T"))
    return found


class Allowed:
    """What may be seen after one position."""

    def __init__(self, public: frozenset[str], private: dict[str, frozenset[str]]) -> None:
        self.public = public
        self.private = private

    def to(self, who: str | None) -> frozenset[str]:
        return self.public | self.private.get(who or "", frozenset())


class Oracle:
    """Follows the log of one table."""

    def __init__(self, game: str, rows: Any) -> None:
        self._game = game
        self._rows = rows
        self.position = 0
        self._at: dict[str, str] = {}
        """Who has which seat or box."""
        self._public: set[str] = set()
        self._private: dict[str, set[str]] = {}
        self._kept: dict[int, Allowed] = {0: Allowed(frozenset(), {})}
        self.looks = self.shown = self.rounds = 0

    def allowed(self, position: int, who: str | None) -> frozenset[str]:
        """What somebody may see after a position."""
        if position > self.position:
            self._read()
        return self._kept[position].to(who)

    def _read(self) -> None:
        for row in self._rows(self.position):
            self._heard(json.loads(row.event))
            self.position = row.position
            private = {who: frozenset(cards) for who, cards in self._private.items()}
            self._kept[row.position] = Allowed(frozenset(self._public), private)
        for old in [p for p in self._kept if p < self.position - 2_000]:
            del self._kept[old]

    def _heard(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        place = str(event.get("seat", event.get("box", "")))
        if kind in BEGINS:
            self._public, self._private = set(), {}
            self.rounds += 1
        if kind in ("sat down", "ante placed", "relocated"):
            self._at[place] = event["player"]
        elif kind == "left table":
            del self._at[place]
        elif kind == "left":
            self._at = {p: who for p, who in self._at.items() if who != event["player"]}
        elif kind == "looked":
            self._private.setdefault(self._at[place], set()).update(event["cards"])
            self.looks += 1
        field = FACE_UP[self._game].get(kind)
        if field is not None and event.get("up", True):
            cards = event[field] if isinstance(event[field], list) else [event[field]]
            self._public.update(cards)
            self.shown += len(cards)


class Leak(AssertionError):
    """A card was in a message to somebody who may not see it."""


class Reader:
    """Reads every byte that one connection gets."""

    def __init__(self, oracle: Oracle, who: str | None) -> None:
        self.oracle = oracle
        self.who = who
        self.messages = self.bytes = self.cards = 0

    def read(self, text: str) -> dict[str, Any]:
        """Check one message and return it."""
        message: dict[str, Any] = json.loads(text)
        self.messages += 1
        self.bytes += len(text.encode())
        named = cards_in(text)
        self.cards += len(named)
        if not named:
            return message
        positions = [event["position"] for event in message.get("events", ())]
        positions.append(message.get("position", self.oracle.position))
        may = frozenset().union(*(self.oracle.allowed(p, self.who) for p in positions))
        if not named <= may:
            raise Leak(
                f"{self.who or 'a spectator'} was sent {sorted(named - may)} "
                f"and may see {sorted(may)}: {text[:3000]}"
            )
        return message
