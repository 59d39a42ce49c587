"""Rulings from the console: what can be reported, the ruling before it is confirmed, the hold in
between.

A ruling is computed on a copy of the table (`croupier.pit.at_table`). From the look for what to
report to the confirmation (`croupier.live.pit_orders`) the table is held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from croupier.house.answers import Answer
from croupier.house.office import OFFICE
from croupier.house.office.holds import (
    HoldTable,
    KeepHold,
    ReleaseHold,
    TakeHold,
    hold_at,
)
from croupier.house.office.standards import COMPLAINTS
from croupier.live import pit_records as records
from croupier.live.casino import full_id
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.pit_floor import Floor
from croupier.live.pit_reports import calls_of, reports_of
from croupier.live.pit_undo import UNDO, undo_now
from croupier.pit.at_table import AtTable, Standing, rule_without_hidden
from croupier.pit.face_down import hidden_cards_named
from croupier.pit.registry import GAMES
from croupier.pit.situation import Contradiction
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Decide,
    DecisionNeeded,
    Order,
    Refused,
)

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

LOOKS = "looking for what to report"
"""What a table is held for before something is reported."""


class NotNow(NotAllowed):
    """The book, or the House, says no; nothing has changed."""

    def __init__(self, place: str, refused: Refused) -> None:
        super().__init__("refused", refused.says)
        self.place = place
        self.refused = refused


class Rulings:
    """Reports and decisions of staff at the tables of one casino. Not used in the event loop:
    copies take time, and answers wait for the disk."""

    def __init__(self, casino: LiveCasino, floor: Floor) -> None:
        self._casino = casino
        self._floor = floor

    # -- what can be reported ----------------------------------------------------------------

    def reports(self, visitor: Visitor, place: str) -> records.PitReports:
        """What can be true now, with what is usual in every field."""
        standing, position = self._standing(place)
        table = standing.to_be_tried().table()
        undo = undo_now(table, self.orders_of(visitor), visitor.rank)
        return records.PitReports(
            place=place,
            position=position,
            reports=reports_of(table, self._casino.house.clock(), visitor.rank),
            undo=undo.may,
            undo_says=undo.says,
            calls=calls_of(table),
        )

    # -- the ruling before it is confirmed ---------------------------------------------------

    def preview(
        self, visitor: Visitor, place: str, command: Command, *, foretell: bool = True
    ) -> records.PitRuling:
        """What a report, an answer or the undoing of a ruling would come to, on a copy."""
        standing, position = self._standing(place)
        self._check_kind(standing, command)
        self._check_hidden(place, standing, command)
        order = self._order(visitor, command)
        try:
            ruling = rule_without_hidden(standing, order, foretell=foretell)
            copy = standing.to_be_tried(command)
            asked = [e for e in AtTable(copy, order).events() if isinstance(e, DecisionNeeded)]
        except Contradiction as error:
            raise BadCommand(str(error)) from error
        ranks = {rank.title: rank for rank in ActorRank}
        yours = all(visitor.rank.is_at_least(ranks[title]) for title in ruling.signed_by)
        return records.PitRuling(
            place=place,
            position=position,
            ruling=ruling,
            signs=ruling.signed_by,
            yours=yours and not any(need.not_by == visitor.name for need in asked),
        )

    def _standing(self, place: str) -> tuple[Standing, int]:
        house = self._casino.house
        with house.lock:
            house.reread_stale()
            return Standing.of(house.pit, place), house.positions[place]

    def _order(self, visitor: Visitor, command: Command) -> Order[Command]:
        assert visitor.name is not None
        when = self._casino.house.clock()
        return Order(command=command, who=visitor.name, rank=visitor.rank, when=when)

    def orders_of(self, visitor: Visitor) -> Callable[[Command, ActorRank], Order[Command]]:
        """How somebody would order something, in whichever rank."""
        return lambda command, rank: structs.replace(self._order(visitor, command), rank=rank)

    @staticmethod
    def _check_kind(standing: Standing, command: Command) -> None:
        """Only what is ruled on: a preview is no way to look at what lies face down."""
        table = standing.table()
        known = {*table.whole.reports, type(GAMES.port_of(table).uncovered(""))}
        tag = command.__struct_config__.tag
        if type(command) not in known and not isinstance(command, Decide) and tag != UNDO:
            raise BadCommand(f"{command.tell()!r} is no report and no answer")

    def _check_hidden(self, place: str, standing: Standing, command: Command) -> None:
        """Where a card lies that nobody may see is not foretold, nor guessed at for long."""
        if not hidden_cards_named(standing.table(), command):
            return
        if isinstance(command, Decide):
            raise BadCommand("it names a card that lies face down: what follows is seen then")
        with self._casino.house.lock:
            objection = self._casino.casino.untrue_reports.objection(place)
        if objection is not None:
            raise NotNow(place, objection)

    # -- the hold ----------------------------------------------------------------------------

    def look(self, visitor: Visitor, place: str, id: str) -> records.PitLooked:
        """Hold a table while somebody looks for what to report: it does not go on meanwhile."""
        position = self._casino.house.positions[place]
        self.tell_office(
            visitor, id, HoldTable(table=place, report="", says=LOOKS, position=position)
        )
        with self._casino.house.lock:
            hold = self._floor.hold(visitor, place)
        if hold is None:
            raise NotNow(place, Refused((COMPLAINTS,), f"Table {place} is not held any more."))
        return records.PitLooked(hold=hold, reports=self.reports(visitor, place))

    def hold(self, visitor: Visitor, place: str, id: str, command: Command) -> records.PitHeld:
        """Hold a table for a report, and show the ruling that waits to be confirmed."""
        preview = self._possible(visitor, place, command)
        told = HoldTable(
            table=place,
            report=msgspec.json.encode(command).decode(),
            says=command.tell(),
            position=preview.position,
        )
        self.tell_office(visitor, id, told)
        with self._casino.house.lock:
            stands = self._casino.house.positions[place] == preview.position
            hold = self._floor.hold(visitor, place)
        if hold is None:
            raise NotNow(place, Refused((COMPLAINTS,), f"Table {place} is not held any more."))
        if not stands:  # something has happened between the look and the hold
            try:
                preview = self._possible(visitor, place, command)
            except (NotNow, BadCommand):
                self.release(visitor, place, f"{id}-r", hold.hold, "it cannot be true any more")
                raise
        return records.PitHeld(hold=hold, preview=preview)

    def _possible(self, visitor: Visitor, place: str, command: Command) -> records.PitRuling:
        preview = self.preview(visitor, place, command)
        if preview.ruling.kind == "refused":
            refused = Refused(preview.ruling.cites, preview.ruling.headline)
            raise NotNow(place, refused)
        return preview

    def held(self, visitor: Visitor, place: str) -> records.PitHeld:
        """The hold at a table with its ruling: for whoever comes next, too."""
        with self._casino.house.lock:
            hold = self._floor.hold(visitor, place)
            command = self.held_command(place)
        if hold is None:
            raise NotAllowed("not found", f"Nobody holds table {place} now.")
        preview = self.preview(visitor, place, command) if command is not None else None
        return records.PitHeld(hold=hold, preview=preview)

    def held_command(self, place: str) -> Command | None:
        """What is to be confirmed at a table; nothing while it is sought."""
        casino = self._casino
        hold = hold_at(casino.casino.office.state, place, casino.house.clock())
        if hold is None or not hold.report:
            return None
        return casino.table(place).read_command(hold.report)

    def keep(self, visitor: Visitor, place: str, id: str, hold: int) -> records.PitHeld:
        """Hold it for longer."""
        self.tell_office(visitor, id, KeepHold(table=place, hold=hold))
        return self.held(visitor, place)

    def take(self, visitor: Visitor, place: str, id: str, hold: int) -> records.PitHeld:
        """Take a hold over."""
        self.tell_office(visitor, id, TakeHold(table=place, hold=hold))
        return self.held(visitor, place)

    def release(self, visitor: Visitor, place: str, id: str, hold: int, reason: str) -> None:
        """Give it up: nothing is reported."""
        self.tell_office(visitor, id, ReleaseHold(table=place, hold=hold, reason=reason))

    def tell_office(self, visitor: Visitor, id: str, command: Command) -> Answer:
        """Give an order of the office in somebody's name."""
        assert visitor.name is not None
        answer = self._casino.casino.tell(
            command,
            who=visitor.name,
            command_id=full_id(visitor, id),
            session=visitor.session,
        )
        if answer.refused is not None:
            raise NotNow(OFFICE, answer.refused)
        return answer
