"""In the demonstration the House deals at a hand-dealt table while nobody is there to do it.

Whoever opens the dealer's page of a table takes the House's place there, and the table waits for
every step. When nothing was heard of that page for a while the House goes on, so that nobody waits
for somebody who has left. A casino that plays for money has no such thing: its dealers deal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.software import STANDING_ORDERS
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Decide, DecisionNeeded, DrawNeeded

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

AWAY_AFTER = 20.0
"""Seconds without a word from a dealer's page after which the House deals on."""
STILL_HERE = 90.0
"""The same for somebody who is still about, at the console: it may be to report what went wrong."""
GONE = "the dealer has gone and left it in disorder"


class StandIn:
    """Where a visitor deals, and where the House does. Used in the event loop, but for `deals`."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._heard: dict[tuple[str, str], float] = {}
        """When somebody was last heard of at the dealer's page of a table, on the loop's clock."""
        self._ended: dict[str, int] = {}
        """The round that was ended last for want of its dealer, by table."""

    def deals(self, place: str) -> bool:
        """Whether the House deals at this hand-dealt table."""
        heard = tuple(self._heard.items())  # asked in other threads too
        return self._may(place) and not any(
            self._is_there(who, at) for (where, who), at in heard if where == place
        )

    def picks(self, place: str, need: DrawNeeded) -> bool:
        """Whether the House picks cards there: nobody is about who may."""
        return self._may(place) and not self._casino.staff_door.has(place, need.of)

    def _may(self, place: str) -> bool:
        """Real cards, and what players are seen to do, the House cannot know."""
        casino = self._casino
        if not casino.config.demonstration or place not in casino.hubs:
            return False
        table = casino.table(place)
        port = GAMES.port_of(table)
        known = port.acts_by_device(table) and port.shuffled_by_house(table)
        return known and not port.deals_itself(table)

    def _is_there(self, who: str, at: float) -> bool:
        gone = self._casino.now() - at
        return gone < AWAY_AFTER or (gone < STILL_HERE and who in self._casino.staff_door.here())

    def saw(self, place: str, name: str) -> None:
        """Somebody is at the dealer's page of a table."""
        if not self._casino.config.demonstration:
            return
        stood_in = self.deals(place)
        self._heard[place, name] = self._casino.now()
        if stood_in:
            self._casino.schedulers[place].again()

    def left(self, name: str) -> None:
        """Somebody has given up the post: the House deals on at once."""
        for place, who in [key for key in self._heard if key[1] == name]:
            del self._heard[place, who]
            self._casino.schedulers[place].again()

    def look(self) -> None:
        """Deal on where the dealer has gone."""
        for place, who in [k for k, at in self._heard.items() if not self._is_there(k[1], at)]:
            del self._heard[place, who]
            self._casino.schedulers[place].again()

    def is_stuck(self, place: str) -> bool:
        """Whether a round cannot go on as its dealer left it: with an error that the table was not
        told of. Asked where nothing is due, nobody to act and nothing asked."""
        table = self._casino.table(place)
        if not self.deals(place) or not table.playing() or table.state.waiting:
            return False
        return self._ended.get(place) != GAMES.port_of(table).round_number(table)

    def end_round(self, place: str) -> None:
        """End a round that its dealer left in disorder: the book leaves that to discretion, and the
        House has it void. Once for a round: if that does not end it, it is for people."""
        casino, table = self._casino, self._casino.table(place)
        port = GAMES.port_of(table)
        self._ended[place] = port.round_number(table)
        report = port.uncovered(GONE)
        casino.house.give(place, report, who=STANDING_ORDERS, rank=ActorRank.DEALER)
        for need in tuple(table.state.waiting):
            if isinstance(need, DecisionNeeded) and isinstance(need.of, ActorRank):
                ruled = Decide(decision=need.decision, option="void", reason=GONE)
                casino.house.give(place, ruled, who=STANDING_ORDERS, rank=need.of)
