"""What one connection has been offered: each offer may be taken up once, and only while it stands.

The newest offers are held back while a command of this connection is unanswered, for they may rest
on a table that the command is about to change. Once the answer is sent they are made; an offer of
an older message counts no more. So a program that simply answers every message of offers does
nothing twice, however the messages cross on the way.
"""

from __future__ import annotations

from typing import Any

from croupier.live import wire
from croupier.live.ready_made import Standing
from croupier.pit.ports.offers import READY, ReadyMade


class Offering:
    """The offers to one connection at one table."""

    def __init__(self, place: str, unique: str) -> None:
        self._place = place
        self._prefix = unique
        """Of the ids that are made here: another connection of the same visitor has another."""
        self._newest: Standing | None = None
        self._made: tuple[ReadyMade, ...] | None = None
        """The offers that stand; None once one of them was taken up."""
        self._made_at = -1
        self._number = 0
        self._unanswered = 0

    def stands(self, standing: Standing) -> wire.OffersMessage | None:
        """The table has changed: the offers to make now, if there are any that were not made."""
        self._newest = standing
        return self.again()

    def again(self) -> wire.OffersMessage | None:
        """Make the newest offers, unless they stand already or a command is unanswered."""
        standing = self._newest
        if self._unanswered or standing is None or not standing.offers:
            return None
        if standing.offers == self._made:
            return None
        self._made, self._made_at = standing.offers, standing.position
        self._number += 1
        return wire.OffersMessage(
            position=standing.position,
            round=standing.round,
            chips=standing.chips,
            offers=tuple(self._offer(n, each) for n, each in enumerate(standing.offers)),
        )

    def _offer(self, number: int, offer: ReadyMade) -> wire.Offered:
        send: dict[str, Any] = {"ready": True}
        if offer.do != READY:
            made = f"{self._prefix}-{self._number}-{number}"
            send = {"id": made, "place": self._place, "command": offer.command}
        return wire.Offered(
            do=offer.do,
            send=send,
            least=offer.least,
            most=offer.most,
            step=offer.step,
            says=offer.says,
        )

    def asks(self, id: str) -> bool:
        """A command comes in: whether it counts. One that takes up an offer must take up one that
        stands; any other does as it likes."""
        prefix, _, rest = id.partition("-")
        if prefix == self._prefix:
            number, _, _ = rest.partition("-")
            if self._made is None or number != str(self._number):
                return False
        self._made = None
        self._unanswered += 1
        return True

    def answered(self, *, done: bool) -> wire.OffersMessage | None:
        """A command that counted is answered: the offers to make now. After a refusal only if the
        table has changed since the last ones: the same again would be refused again."""
        self._unanswered -= 1
        changed = self._newest is not None and self._newest.position > self._made_at
        return self.again() if done or changed else None
