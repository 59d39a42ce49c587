"""After a start: rounds that were cut off, and what the rulebook says of them.

What was acknowledged is in the logs; the tables were rebuilt from them and stand where they stood.
A planned stop is no interruption: a round that was under way goes on. After anything else (a crash,
a power failure) the interruption is reported at every table with a round under way, and the book of
that table decides: v8 5.1 and banked 5.7 conclude the round or make it void, and v5, which has no
such paragraph, waits for a decision of the House. What is asked of staff meanwhile the standing
orders answer, where the House has given them; else it waits.

Nothing of a jackpot link is ever cut off: what a command causes at a table and at its link is
stored in one transaction or not at all.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.dealer import Dealer
from croupier.house.house import House
from croupier.house.openings import round_of
from croupier.house.software import HOUSE, STANDING_ORDERS
from croupier.house.standing import StandingOrders
from croupier.pit.ports.port import GamePort
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    BadCommand,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    ShuffleNeeded,
    Table,
)

Outcome = Literal["goes on", "concluded", "void", "waits"]
"""`goes on`: a planned stop, or the book lets play continue and somebody is to act. `concluded`:
the round was played to its end. `void`: every stake went back. `waits`: somebody must decide."""

ORDERS_AT_MOST = 100
"""Answers to one table at most: one that asks for more is broken, and would never end."""
SAYS = "The House's software stopped and was started again."


class Recovered(Struct, frozen=True, kw_only=True):
    """What became of one round that was under way."""

    place: str
    round: int
    outcome: Outcome
    says: str
    """Why, or what is waited for, in a sentence for the pit."""
    cites: tuple[str, ...] = ()


def interrupted(house: House) -> list[str]:
    """The tables with a round under way, by name."""
    with house.lock:
        return sorted(
            name
            for name, table in house.pit.tables.items()
            if table.state.opened and table.playing()
        )


def recover(
    house: House,
    *,
    planned: bool | Collection[str],
    dealer: Dealer | None = None,
    who: str = HOUSE,
    rank: ActorRank = ActorRank.DEALER,
    orders: StandingOrders | None = None,
    places: Collection[str] | None = None,
) -> list[Recovered]:
    """Let the rulebooks decide on every round that was cut off; durable when this returns.

    `planned` says whether the last stop was a planned one, or names the tables of which that is so,
    where several processes run the tables of one House. An interruption is reported in the rank of
    a dealer, as the books want it of a person of the pit: by whoever starts the House, if he is
    named, else in the name of the House. `places` are those that are looked at, where it is not all
    of them.
    """
    dealer, orders = dealer or Dealer(house), orders or StandingOrders()
    found = []
    for place in interrupted(house):
        if places is not None and place not in places:
            continue
        table = house.pit.tables[place]
        number = round_of(table)
        if planned is True or (planned is not False and place in planned):
            says = "The House was stopped on purpose; the round goes on where it stood."
            made = Recovered(place=place, round=number, outcome="goes on", says=says)
        else:
            made = _Report(house, dealer, orders, place).made(number, who, rank)
        found.append(made)
    return found


class _Report:
    """The report of an interruption at one table, and what follows from it without judgement."""

    def __init__(self, house: House, dealer: Dealer, orders: StandingOrders, place: str) -> None:
        self.house = house
        self.dealer = dealer
        self.orders = orders
        self.place = place

    @property
    def table(self) -> Table[Any]:
        return self.house.pit.tables[self.place]

    @property
    def port(self) -> GamePort[Any]:
        return GAMES.port_of(self.table)

    def made(self, number: int, who: str, rank: ActorRank) -> Recovered:
        """Report it, and carry out what the book and the standing orders make of it."""
        place = self.place
        self._answer_chance()
        before = self._follow_orders()
        if not self.table.playing():
            return _outcome(self.table, place, number, before)  # what was asked has ended it
        try:
            answer = self.house.carry_out(place, self.port.interruption(SAYS), who=who, rank=rank)
        except BadCommand as error:
            return Recovered(place=place, round=number, outcome="waits", says=str(error))
        if answer.refused is not None:
            # A question is open that holds the table; the report comes after its answer.
            says, cites = answer.refused.says, answer.refused.cites
            return Recovered(place=place, round=number, outcome="waits", says=says, cites=cites)
        after = self._follow_orders()
        self._conclude()
        return _outcome(self.table, place, number, [*before, answer, *after])

    def _follow_orders(self) -> list[Answer]:
        """Answer what staff are asked and the House has decided beforehand."""
        given: list[Answer] = []
        while len(given) < ORDERS_AT_MOST and (order := self._next_order()) is not None:
            decide, rank = order
            try:
                answer = self.house.carry_out(self.place, decide, who=STANDING_ORDERS, rank=rank)
            except BadCommand:
                break  # it cannot be carried out as the table stands: people decide
            if answer.refused is not None:
                break
            given.append(answer)
        return given

    def _next_order(self) -> tuple[Decide, ActorRank] | None:
        for need in self.table.state.waiting:
            if isinstance(need, DecisionNeeded) and isinstance(need.of, ActorRank):
                decide = self.orders.decide(self.table, need)
                if decide is not None:
                    return decide, need.of
        return None

    def _conclude(self) -> None:
        """Deal what is due to the end of the round, or until somebody is to act."""
        while self.table.playing():
            given = self.dealer.act(self.place)
            if given is None:
                return
            given.result()

    def _answer_chance(self) -> None:
        """Where a table that waits for a shuffle hears nothing else, it comes first."""
        while self.port.chance_first and any(
            isinstance(need, ShuffleNeeded | DrawNeeded) for need in self.table.state.waiting
        ):
            given = self.dealer.act(self.place)
            if given is None:
                return  # a pick that is made by hand
            given.result()


def _outcome(table: Table[Any], place: str, number: int, answers: list[Answer]) -> Recovered:
    said = (said for answer in answers for said in answer.said)
    cites = tuple(dict.fromkeys(cite for each in said for cite in each.event.cites))
    asked = [
        need for need in table.state.waiting if isinstance(need, DecisionNeeded) and need.holds
    ]
    outcome: Outcome
    if asked:
        outcome, says = "waits", asked[0].says
    elif table.playing():
        outcome, says = "goes on", "The book lets the round go on; somebody is to act."
    elif GAMES.port_of(table).was_void(table):
        outcome, says = "void", "The round is void; every stake went back."
    else:
        outcome, says = "concluded", "The round was concluded."
    return Recovered(place=place, round=number, outcome=outcome, says=says, cites=cites)
