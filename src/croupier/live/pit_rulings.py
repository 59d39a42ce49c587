"""Rulings from the console: what can be reported, the ruling before it is confirmed, the hold in
between, the confirmation, and decisions that wait.

A ruling is computed on a copy of the table (`croupier.pit.at_table`). From the report to the
confirmation the table is held. To confirm gives the report to the table and, in the same name, the
word that it wants, as far as that person may give it; the rest waits for whoever may.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.house.answers import Answer
from croupier.house.link_orders import order_at
from croupier.house.office import OFFICE
from croupier.house.office.holds import (
    HoldTable,
    KeepHold,
    ReleaseHold,
    TakeHold,
    hold_at,
    told_hold,
)
from croupier.house.office.standards import COMPLAINTS
from croupier.house.table_staff import order_at_table
from croupier.live import pit_records as records
from croupier.live.casino import full_id
from croupier.live.citing import cited
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.pit_floor import Floor
from croupier.live.pit_watch import PitWatch
from croupier.pit import report_words
from croupier.pit.at_table import AtTable, Standing, rule_without_hidden
from croupier.pit.face_down import hidden_cards_named
from croupier.pit.rehearsal import AS_ASKED
from croupier.pit.ruling import CONFIRM
from croupier.pit.situation import Contradiction
from croupier.rulebooks.announcements import announcements_of
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    Event,
    Order,
    Refused,
    Table,
)
from croupier.table.reports import OneOf, Reportable, Values

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

UNDO = "undo ruling"
SIGNED_AT_MOST = 20
"""Words that are given with one confirmation: a table that asks for more is broken."""


class NotNow(NotAllowed):
    """The book, or the House, says no; nothing has changed."""

    def __init__(self, place: str, refused: Refused) -> None:
        super().__init__("refused", refused.says)
        self.place = place
        self.refused = refused


class Rulings:
    """Reports and decisions of staff at the tables of one casino. Not used in the event loop:
    copies take time, and answers wait for the disk."""

    def __init__(self, casino: LiveCasino, floor: Floor, watch: PitWatch) -> None:
        self._casino = casino
        self._floor = floor
        self._watch = watch

    # -- what can be reported ----------------------------------------------------------------

    def reports(self, visitor: Visitor, place: str) -> records.PitReports:
        """What can be true now, with what is usual in every field."""
        standing, position = self._standing(place)
        table = standing.to_be_tried().table()
        when = self._casino.house.clock()
        found = table.reports(when=when, rank=visitor.rank)
        kinds = {str(kind.__struct_config__.tag): kind for kind in table.whole.commands}
        undo = kinds.get(UNDO)
        return records.PitReports(
            place=place,
            position=position,
            reports=tuple(_report(each.public(), kinds[each.do]) for each in found),
            undo=undo is not None
            and table.objection(self._order(visitor, undo(reason="tried"))) is None,
            calls=_calls(table),
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

    @staticmethod
    def _check_kind(standing: Standing, command: Command) -> None:
        """Only what is ruled on: a preview is no way to look at what lies face down."""
        known = standing.kind.whole.reports
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
            command = self._held_command(place)
        if hold is None or command is None:
            raise NotAllowed("not found", f"Nobody holds table {place} now.")
        return records.PitHeld(hold=hold, preview=self.preview(visitor, place, command))

    def _held_command(self, place: str) -> Command | None:
        casino = self._casino
        hold = hold_at(casino.casino.office.state, place, casino.house.clock())
        return casino.table(place).read_command(hold.report) if hold is not None else None

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

    # -- the confirmation --------------------------------------------------------------------

    def confirm(self, visitor: Visitor, place: str, body: records.ConfirmBody) -> records.PitAnswer:
        """Give the report that is held, and sign what it wants as far as he may."""
        assert visitor.name is not None
        casino = self._casino
        with casino.house.lock:
            state, now = casino.casino.office.state, casino.house.clock()
            hold = hold_at(state, place, now)
            command = self._held_command(place)
            asked_before = casino.table(place).state.last_need
        if hold is None or hold.number != body.hold or command is None:
            again = self._told_again(visitor, place, body.id)
            if again is not None:
                return again
            says = told_hold(place, hold) if hold is not None else f"Nobody holds table {place}."
            raise NotNow(OFFICE, Refused((COMPLAINTS,), f"Hold {body.hold} is over. {says}"))
        if hold.by != visitor.name:
            raise NotNow(OFFICE, Refused((COMPLAINTS,), told_hold(place, hold)))
        released = ReleaseHold(table=place, hold=hold.number, reason="confirmed")
        answer = order_at_table(
            casino.casino,
            place,
            command,
            who=visitor.name,
            rank=visitor.rank,
            command_id=full_id(visitor, body.id),
            session=visitor.session,
            also=[(OFFICE, released)],
        ).result()
        if answer.refused is not None:
            self.release(visitor, place, f"{body.id}-r", hold.number, "the table refused it")
            raise NotNow(place, answer.refused)
        told = list(self._told(place, (s.event for s in answer.said if s.place == place)))
        signed = self._sign(visitor, place, body, asked_before, told)
        return self._answered(visitor, place, body.id, told, signed)

    def _sign(
        self,
        visitor: Visitor,
        place: str,
        body: records.ConfirmBody,
        asked_before: int,
        told: list[str],
    ) -> list[str]:
        """Give the word that a report wants, in the same name; what he may not say is left."""
        assert visitor.name is not None
        signed: list[str] = []
        for number in range(1, SIGNED_AT_MOST + 1):
            with self._casino.house.lock:
                need = self._to_sign(visitor, place, asked_before)
            if need is None:
                break
            said = Decide(decision=need.decision, option=need.options[0].name, reason=body.reason)
            answer = order_at_table(
                self._casino.casino,
                place,
                said,
                who=visitor.name,
                rank=visitor.rank,
                command_id=full_id(visitor, f"{body.id}-{number}"),
                session=visitor.session,
            ).result()
            if answer.refused is not None:
                break
            signed.append(need.question)
            told += self._told(place, (s.event for s in answer.said if s.place == place))
        return signed

    def _to_sign(self, visitor: Visitor, place: str, asked_before: int) -> DecisionNeeded | None:
        for need in self._casino.table(place).state.waiting:
            if (
                isinstance(need, DecisionNeeded)
                and need.decision > asked_before
                and isinstance(need.of, ActorRank)
                and _only_a_word(need)
                and not self._floor.barred(visitor, place, need)
            ):
                return need
        return None

    def _told_again(self, visitor: Visitor, place: str, id: str) -> records.PitAnswer | None:
        """What came of a confirmation that was sent before."""
        house = self._casino.house
        house.writer.flush()
        rows = house.reader.answer_of(full_id(visitor, id))
        if not rows:
            return None
        read = self._casino.table(place).read_event
        told = self._told(place, (read(row.event) for row in rows if row.stream == place))
        return self._answered(visitor, place, id, list(told), [])

    # -- decisions ---------------------------------------------------------------------------

    def decision(self, visitor: Visitor, place: str, number: int) -> records.PitDecision:
        """A question with what follows from each answer that can be foretold."""
        with self._casino.house.lock:
            asker, need = self._open(place, number)
            told = self._floor.decision(visitor, place, asker, need)
        if not isinstance(asker, Table) or told.barred:
            return told
        options = tuple(self._foretold(visitor, place, number, one) for one in told.options)
        return msgspec.structs.replace(told, options=options)

    def _foretold(
        self, visitor: Visitor, place: str, number: int, option: records.PitOption
    ) -> records.PitOption:
        if option.asks:
            return option
        said = Decide(decision=number, option=option.name, reason=AS_ASKED)
        try:
            ruling = self.preview(visitor, place, said, foretell=False).ruling
        except BadCommand:
            return option  # it is offered, but not as things stand
        return msgspec.structs.replace(
            option,
            follows=ruling.headline,
            sentences=ruling.sentences,
            cards=ruling.cards,
            money=ruling.money,
            paragraphs=ruling.paragraphs,
        )

    def _open(self, place: str, number: int) -> tuple[Conversation[Any], DecisionNeeded]:
        asker = self._casino.house.pit.at(place)
        for need in asker.state.waiting:
            if isinstance(need, DecisionNeeded) and need.decision == number:
                return asker, need
        taken = self._watch.taken(place, number)
        if taken is not None:
            raise NotAllowed("taken", taken.says)
        raise NotAllowed("not found", f"{place} asks no question {number}.")

    def decide(
        self, visitor: Visitor, place: str, number: int, body: records.DecideBody
    ) -> records.PitAnswer:
        """Answer a question; whoever comes second is told who was first."""
        assert visitor.name is not None
        command = Decide(
            decision=number, option=body.option, details=body.details, reason=body.reason
        )
        id = full_id(visitor, body.id)
        how: dict[str, Any] = {
            "who": visitor.name,
            "command_id": id,
            "session": visitor.session,
        }
        casino = self._casino.casino
        try:
            if self._casino.is_link(place):
                answer = order_at(casino, place, command, **how).result()
            else:
                answer = order_at_table(casino, place, command, rank=visitor.rank, **how).result()
        except BadCommand:
            with self._casino.house.lock:
                self._open(place, number)  # somebody else may have been first
            raise
        if answer.refused is not None:
            raise NotNow(place, answer.refused)
        told = self._told(place, (s.event for s in answer.said if s.place == place))
        return self._answered(visitor, place, body.id, list(told), [])

    def pick(self, visitor: Visitor, place: str, id: str) -> records.PitAnswer:
        """Have the cards picked that a table waits for, by the House's source, in his name."""
        assert visitor.name is not None
        given = self._casino.dealer.pick(place, who=visitor.name, rank=visitor.rank)
        if given is None:
            raise NotAllowed("not found", f"Table {place} waits for no pick.")
        answer = given.result()
        if answer.refused is not None:
            raise NotNow(place, answer.refused)
        told = self._told(place, (s.event for s in answer.said if s.place == place))
        return self._answered(visitor, place, id, list(told), [])

    # -- telling -----------------------------------------------------------------------------

    def _answered(
        self, visitor: Visitor, place: str, id: str, told: Sequence[str], signed: Sequence[str]
    ) -> records.PitAnswer:
        with self._casino.house.lock:
            waits = self._floor.waits_at(visitor, place)
        return records.PitAnswer(id=id, told=tuple(told), signed=tuple(signed), waits=waits)

    def _told(self, place: str, events: Iterable[Event]) -> list[str]:
        """What happened, as everybody at the table may hear it."""
        asker = self._casino.house.pit.at(place)

        def name(seat: int) -> str:
            return asker.player_at(seat) or f"place {seat}"

        public = (event.public() for event in events)
        return [said for event in public if event is not None and (said := event.tell(name))]


def _only_a_word(need: DecisionNeeded) -> bool:
    """Whether a question only wants somebody's word for what the book says."""
    first = need.options[0]
    return not first.asks and (first.name == CONFIRM or len(need.options) == 1)


def _calls(table: Table[Any]) -> tuple[records.PitCall, ...]:
    """What is read out under the book of a table, what is due now first."""
    next_ = table.due() or table.next_call()
    due = str(next_.__struct_config__.tag) if next_ is not None else ""
    found = [
        records.PitCall(
            call=each.call,
            says=each.says,
            cites=cited(table.book, cites),
            due=bool(each.due) and each.due == due,
        )
        for each, cites in announcements_of(table.book)
    ]
    return tuple(sorted(found, key=lambda call: not call.due))


def _report(report: Reportable, kind: type[Command]) -> records.PitReport:
    fields = tuple(
        records.PitField(
            name=name,
            ask=report_words.ask(report.do, name),
            values=values,
            usual=_usual(report.do, name, values),
        )
        for name, values in report.fields.items()
    )
    return records.PitReport(
        do=report.do,
        title=report_words.title(report.do, report.fields),
        says=report_words.plain((inspect.getdoc(kind) or "").partition("\n")[0]),
        fields=fields,
        command={"do": report.do, **{field.name: field.usual for field in fields}},
    )


def _usual(do: str, name: str, values: Values) -> Any:
    """What stands in a field before anybody has said anything."""
    usual = report_words.USUAL.get((do, name))
    if isinstance(values, OneOf):
        found = usual if usual is not None and values.holds(usual) else values.values[0]
    else:
        found = values.trial()
    return msgspec.to_builtins(found, str_keys=True)
