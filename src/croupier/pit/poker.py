"""How case files set a poker table: settings, seats, and the cards of the draw for the button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from croupier.cards import Card
from croupier.pit.game import Game, Phrase, Stage, stacked
from croupier.poker import PokerFacts, PokerSettings, PokerTable, Sit
from croupier.poker.button import FOR_THE_BUTTON
from croupier.table import Command, Money, OpenTable, Seat, ShuffleNeeded


class SeatSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player at his seat when the steps begin."""

    player: Annotated[str, Meta(min_length=1)]
    stake: Money
    draw: Card | None = None
    """His card in the draw for the button."""


class PokerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand at the top of a poker case."""

    table: PokerSettings = PokerSettings()
    seats: dict[Seat, SeatSetup] = {}


class PokerStage(Stage[PokerSetup]):
    """A poker table in a case."""

    phrases: ClassVar[dict[str, Phrase]] = {}

    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        settings = msgspec.to_builtins(self.setup.table)
        yield OpenTable(table=self.name, settings=settings, policies=policies)
        for seat, sitter in sorted(self.setup.seats.items()):
            yield Sit(seat=seat, player=sitter.player, stake=sitter.stake)

    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        """For the draw, each player's card in the order in which it is dealt."""
        wanted: list[Card | None] = []
        if need.purpose == FOR_THE_BUTTON:
            sitting = self.table.places()
            wanted = [
                self.setup.seats[seat].draw if seat in self.setup.seats else None
                for seat in sitting
            ]
        return stacked(wanted, need.cards, f"{self.seed}/{need.need}")


POKER = Game(
    name="poker",
    table_type=PokerTable,
    stage_type=PokerStage,
    setup_type=PokerSetup,
    facts_type=PokerFacts,
)
