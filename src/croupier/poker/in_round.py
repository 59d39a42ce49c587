"""What an event of a Round of play changes: the function that applies it gets the round it is for.

Nearly every event of a table is one of a round. So the table hands the round to every applier, and
those that have no use for it are wrapped, not the others: one call less for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.poker.state import RoundState
from croupier.table import Event, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

E = TypeVar("E", bound=Event)
Applies = Callable[["PokerTable", RoundState, E], None]


class InRound:
    """An applier that gets the round, as a room keeps it beside those that do not."""

    def __init__(self, function: Applies[Any]) -> None:
        self.function = function

    def __call__(self, table: PokerTable, event: Event) -> None:
        self.function(table, table.current_round(), event)


def in_round(room: Room, *events: type[Event]) -> Callable[[Applies[E]], Applies[E]]:
    """As `room.applies`, for events that there are only in a Round of play.

    @in_round(pots, OnePlayerLeft)
    def one_player_left(table: PokerTable, round_: RoundState, event: OnePlayerLeft) -> None: ...
    """

    def register(function: Applies[E]) -> Applies[E]:
        room.applies(*events)(InRound(function))
        return function

    return register


def with_round(
    appliers: Mapping[type[Event], Callable[..., None]],
) -> dict[type[Event], Callable[..., None]]:
    """The appliers of a game, all of them to be called with the round."""
    return {
        kind: function.function if isinstance(function, InRound) else _ignoring_it(function)
        for kind, function in appliers.items()
    }


def _ignoring_it(function: Callable[..., None]) -> Callable[..., None]:
    def apply(table: PokerTable, round_: RoundState | None, event: Event) -> None:
        function(table, event)

    return apply
