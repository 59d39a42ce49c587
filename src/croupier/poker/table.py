"""The poker table: its rooms put together, what a viewer sees of it, and its plain facts."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from croupier.cards import Card
from croupier.poker import button as the_button
from croupier.poker import seating as the_seating
from croupier.poker.settings import PokerSettings
from croupier.poker.state import PokerState
from croupier.table import Command, Facts, Money, Room, Table, Viewer
from croupier.table.conversation import State


class PokerFacts(Facts, kw_only=True):
    """What can be said of a poker table now."""

    players: dict[int, str] = {}
    stakes: dict[int, Money] = {}
    button: int | None = None
    button_cards: dict[int, Card] = {}
    cards_left: int = 0


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat as everybody sees it."""

    player: str
    stake: Money
    face_up: Card | None = None


class PokerView(Struct, frozen=True, kw_only=True):
    """A poker table as a viewer may see it."""

    table: str
    rulebook: str
    status: str
    seats: dict[int, SeatView]
    button: int | None


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
            return the_button.DealForButton()
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
            seats={
                seat: SeatView(player=s.player, stake=s.stake, face_up=s.button_card)
                for seat, s in sorted(state.seats.items())
            },
            button=state.button,
        )
