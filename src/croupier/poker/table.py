"""The poker table: its rooms put together, what a viewer sees of it, and its plain facts."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from croupier.poker import button as the_button
from croupier.poker import seating as the_seating
from croupier.poker.commands import DealForButton
from croupier.poker.facts import PokerFacts
from croupier.poker.settings import PokerSettings
from croupier.poker.state import PokerState
from croupier.poker.view import PokerView, SeatView
from croupier.table import Command, Room, Table, Viewer
from croupier.table.conversation import State


class PokerTable(Table[PokerState]):
    """One poker table under No Limit Hold'em v8 or Poker v5."""

    rooms: ClassVar[tuple[Room, ...]] = (the_seating.seating, the_button.button)
    state_type: ClassVar[type[State]] = PokerState
    settings_type: ClassVar[type[Struct]] = PokerSettings

    def begin(self, settings: Struct) -> None:
        assert isinstance(settings, PokerSettings)
        self.state.settings = settings

    def player_at(self, seat: int) -> str | None:
        sitter = self.state.seats.get(seat)
        return sitter.player if sitter is not None else None

    def places(self) -> list[int]:
        return sorted(self.state.seats)

    def status(self) -> str:
        return self.state.phase

    def playing(self) -> bool:
        return self.state.phase != "open"

    def due(self) -> Command | None:
        """Dealing for the button needs no judgement; where to cut does, so the cut is given."""
        if self.state.waiting:
            return None
        if self.state.phase == "drawing for the button":
            return DealForButton()
        return None

    def facts(self) -> PokerFacts:
        state = self.state
        return PokerFacts(
            **self.shared_facts(),
            players={seat: sitter.player for seat, sitter in state.seats.items()},
            stakes={seat: sitter.stake for seat, sitter in state.seats.items()},
            button=state.button,
            button_cards={
                seat: sitter.button_card
                for seat, sitter in state.seats.items()
                if sitter.button_card is not None
            },
            cards_left=state.shoe.left if state.shoe is not None else 0,
        )

    def view(self, viewer: Viewer) -> PokerView:
        """Everything on the table so far lies face up, so everybody sees the same."""
        state = self.state
        return PokerView(
            table=state.name,
            rulebook=state.rulebook,
            status=state.phase,
            round=0,
            seats={
                seat: SeatView(player=s.player, stake=s.stake, face_up=s.button_card)
                for seat, s in sorted(state.seats.items())
            },
            button=state.button,
        )
