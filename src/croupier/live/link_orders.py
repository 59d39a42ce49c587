"""The standing orders at jackpot links: a link has no scheduler, so it is answered at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.software import STANDING_ORDERS
from croupier.jackpot import JackpotLink
from croupier.table import ActorRank, DecisionNeeded

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino


class LinkOrders:
    """Gives links the answers that the House has decided beforehand."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._tried: set[tuple[str, int]] = set()
        """Questions that an order was tried on: once, then they are for people."""
        self.left_to_staff: dict[str, DecisionNeeded] = {}
        """At each link a question that is left to somebody who is there."""

    def look(self, place: str) -> None:
        """Something has happened at a link; called in the loop."""
        house = self._casino.house
        link = house.pit.links.get(place)
        self.left_to_staff.pop(place, None)
        if not isinstance(link, JackpotLink) or not link.state.waiting or self._casino.stopping:
            return
        cluster = self._casino.cluster
        if cluster is not None and not cluster.acts_for(place):
            return  # another server does
        with house.lock, self._casino.guarded(place):
            for need in tuple(link.state.waiting):
                if not isinstance(need, DecisionNeeded) or not isinstance(need.of, ActorRank):
                    continue
                if self._casino.staff_door.decides(place, need):
                    self.left_to_staff[place] = need
                    continue
                decide = self._casino.casino.orders.decide(link, need)
                key = (place, need.decision)
                if decide is not None and key not in self._tried:
                    self._tried.add(key)
                    house.give(place, decide, who=STANDING_ORDERS, rank=need.of)
