"""The office: the House's own conversation, with a log like a table's."""

from __future__ import annotations

from typing import ClassVar

from msgspec import structs

from croupier.house.names import TakenNames
from croupier.house.office import (
    approvals,
    cage,
    dealing,
    disputes,
    duty,
    floor,
    holds,
    inventory,
    last_rounds,
    moves,
    name_reuse,
    own_limits,
    people,
    pins,
    record,
    roster,
    running,
    second_factor,
    server_moves,
    talk,
    waiting,
    witnesses,
)
from croupier.house.office.commands import FoundHouse
from croupier.house.office.state import OfficeState
from croupier.house.office.who_may import check_authority, check_complete
from croupier.house.shuffle_book import NO_GAME
from croupier.house.software import SOFTWARE
from croupier.rulebooks import Rulebook
from croupier.table import BadCommand, Command, Conversation, Event, Order, Refused, Room
from croupier.table.conversation import State
from croupier.table.refusal import Refusal

OFFICE = "office"
"""The place of the office's log."""


NO_BOOK = structs.replace(NO_GAME, id="office", title="The office", short="The office")
"""A conversation has a rulebook; this one plays no game and cites standards by their numbers."""


class Office(Conversation[OfficeState]):
    """People, duty, roster, the cage, players' money at tables, the floor, starts and stops, the
    record, approvals by two, the trays of tables, waiting lists."""

    rooms: ClassVar[tuple[Room, ...]] = (
        people.people,
        second_factor.second_factor,
        name_reuse.passing,
        duty.duty,
        roster.roster,
        dealing.dealing,
        pins.pins,
        own_limits.own_limits,
        holds.holds,
        cage.cage,
        moves.moves,
        floor.floor,
        last_rounds.last_rounds,
        server_moves.server_moves,
        running.running,
        record.record,
        approvals.approvals,
        disputes.disputes,
        inventory.inventory,
        waiting.waiting,
        witnesses.witnesses,
        talk.talk,
    )
    state_type: ClassVar[type[State]] = OfficeState

    def __init__(self, book: Rulebook | None = None) -> None:
        super().__init__(book or NO_BOOK)
        self.names_of_people = TakenNames(SOFTWARE)
        self.names_of_places = TakenNames(floor.RESERVED)

    def handle(self, order: Order[Command]) -> tuple[Event, ...] | Refused:
        if not self.state.founded and type(order.command) is not FoundHouse:
            raise BadCommand("the House is not founded yet; it begins with 'found house'")
        try:
            check_authority(self, order)
        except Refusal as refusal:
            return refusal.refused
        return super().handle(order)


check_complete(Office.whole.commands)
