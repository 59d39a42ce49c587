"""A player's own part in a past round: the cards that he was allowed to see, and its result.

It is noted by his name and given to nobody else.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.cards import Card
from croupier.live.audience import Roster
from croupier.pit.ports.port import GamePort
from croupier.table import Event, Table

CHIPS = "chips/"
"""How the chips of a player are called among a table's holdings."""


class OwnPart(Struct, kw_only=True):
    """What a round was for one player."""

    cards: dict[int, tuple[Card, ...]]
    """By seat or box: the cards that he looked at, or that were turned up for him."""
    net: int | None = None
    """What he won or lost in it, in cents; None where his chips are not counted, or not over."""


class OwnParts:
    """The parts of all players in one round."""

    def __init__(self, port: GamePort[Any]) -> None:
        self._port = port
        self._cards: dict[str, dict[int, tuple[Card, ...]]] = {}
        self._brought: dict[str, int] | None = None
        """His chips when the round began, and what he has brought since; None if nobody counted."""
        self._net: dict[str, int] = {}

    def began(self, chips: dict[str, int] | None) -> None:
        """The round begins; nobody has put in anything yet."""
        self._brought = None if chips is None else dict(chips)

    def ended(self, chips: dict[str, int] | None) -> None:
        """The round is over and paid."""
        if self._brought is not None and chips is not None:
            self._net = {who: chips.get(who, 0) - had for who, had in self._brought.items()}

    def note(self, event: Event, roster: Roster) -> None:
        """Take in what one event shows a player, and what chips it brings or takes away."""
        if self._brought is not None:
            for who, amount in event.crossings():
                self._brought[who] = self._brought.get(who, 0) + amount
        seen = self._port.cards_seen(event)
        if seen is None:
            return
        seat, cards = seen
        who_sat = roster.get(seat)
        if who_sat is not None:
            self._cards.setdefault(who_sat, {})[seat] = cards

    def of(self, who: str | None) -> OwnPart | None:
        """One player's part; None for who was not in the round."""
        if who is None or (who not in self._cards and not self._net.get(who)):
            return None
        return OwnPart(cards=self._cards.get(who, {}), net=self._net.get(who))


def chips_at(table: Table[Any]) -> dict[str, int]:
    """The chips of each player whose chips the table counts."""
    return {
        name.removeprefix(CHIPS): held
        for name, held in table.holdings().items()
        if name.startswith(CHIPS)
    }
