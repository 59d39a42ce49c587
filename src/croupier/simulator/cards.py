"""Which cards each viewer may see at every position of a table's log: told from the log alone.

It shares nothing with the code that masks views and events. It reads the stored events in full and
knows only where cards are turned up and who has looked; everything else is hidden from everybody.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

PLAIN = re.compile(r'"(10|[2-9TJQKA])([cdhs])"')
"""A card as it is written in JSON."""
PRETTY = re.compile(r"[♣♦♥♠♧♢♡♤]")
"""A card as people read it inside a sentence has one of these behind its rank."""
SUITS = dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True))

FACE_UP = {
    "poker": {
        "flop dealt": "cards",
        "turn dealt": "cards",
        "river dealt": "cards",
        "community turned up": "cards",
        "hand shown": "cards",
        "button card dealt": "card",
        "street dealt again": "cards",
    },
    "banked": {
        "flop revealed": "cards",
        "turn revealed": "cards",
        "river revealed": "cards",
        "dealer revealed": "cards",
        "cards tabled": "cards",
        "claim recorded": "cards",
        "box settled": "shown",
        "street dealt again": "new",
    },
}
BEGINS = ("blinds called", "bets called")
DEALT = "hole cards dealt"


def cards_in(text: str) -> set[str]:
    """Every card that is named anywhere in a message."""
    found = {rank.replace("10", "T") + suit for rank, suit in PLAIN.findall(text)}
    if not text.isascii():
        for symbol in PRETTY.finditer(text):
            rank = text[max(0, symbol.start() - 1)]
            if rank in "023456789TJQKA":  # the last figure of 10 is a nought
                found.add(rank.replace("0", "T") + SUITS[symbol.group()])
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
        self._dealt = False
        self.looks = self.shown = 0
        self.rounds = 0
        """Those in which somebody was dealt cards."""

    def allowed(self, position: int, who: str | None) -> frozenset[str]:
        """What somebody may see after a position."""
        if position > self.position:
            self._read()
        return self._kept[position].to(who)

    def _read(self) -> None:
        for row in self._rows(self.position):
            before = self._kept[self.position]
            known = self._heard(json.loads(row.event))
            self.position = row.position
            if known:
                private = {who: frozenset(cards) for who, cards in self._private.items()}
                before = Allowed(frozenset(self._public), private)
            self._kept[row.position] = before
        while (old := next(iter(self._kept))) < self.position - 2_000:
            del self._kept[old]

    def _heard(self, event: dict[str, Any]) -> bool:
        """Take in one event; say whether it changed who may see what."""
        kind = event["event"]
        place = str(event.get("seat", event.get("box", "")))
        if kind in BEGINS:
            self._public, self._private = set(), {}
            self._dealt = False
        if kind == DEALT and not self._dealt:
            self._dealt = True
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
        if field is not None and event.get("up", True) and event.get("shown", True):
            cards = event[field] if isinstance(event[field], list) else [event[field]]
            self._public.update(cards)
            self.shown += len(cards)
            return True
        return kind in BEGINS or kind == "looked"


class Leak(AssertionError):
    """A card was in a message to somebody who may not see it."""


HASH = re.compile(r"[0-9a-f]{64}")


class Reader:
    """Reads every byte that one connection gets."""

    def __init__(self, oracle: Oracle, who: str | None) -> None:
        self.oracle = oracle
        self.who = who
        self.messages = self.bytes = self.cards = 0
        self.hashes: set[str] = set()
        """Whatever is as long as a secret, a salt or a seed."""

    def read(self, text: str) -> dict[str, Any]:
        """Check one message and return it."""
        message: dict[str, Any] = msgspec.json.decode(text)
        self.hashes.update(HASH.findall(text))
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
