"""Registering what an event of a Round of play changes: the function gets the round it is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from croupier.poker.state import RoundState
from croupier.table import Event, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

E = TypeVar("E", bound=Event)
Applies = Callable[["PokerTable", RoundState, E], None]


def in_round(room: Room, *events: type[Event]) -> Callable[[Applies[E]], Applies[E]]:
    """As `room.applies`, for events that there are only in a Round of play.

    @in_round(pots, OnePlayerLeft)
    def one_player_left(table: PokerTable, round_: RoundState, event: OnePlayerLeft) -> None: ...
    """

    def register(function: Applies[E]) -> Applies[E]:
        def apply(table: PokerTable, event: E) -> None:
            # Not `table.current_round()`: every event of a round comes this way.
            function(table, table.state.round, event)  # type: ignore[arg-type]

        room.applies(*events)(apply)
        return function

    return register
