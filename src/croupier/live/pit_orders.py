"""Orders at the console: a ruling confirmed, a question answered, cards picked; what came of them.

To confirm gives the report to the table and, in the same name, the word that it wants, as far as
that person may give it; what the House has decided beforehand follows at once, and the rest waits
for whoever may. Where the table would go on by itself it is held for a moment more, if what was
ruled can be undone by whoever has ruled it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import structs

from croupier.house.answers import Answer
from croupier.house.link_orders import order_at
from croupier.house.office import OFFICE
from croupier.house.office.holds import (
    READ_OUT,
    HoldTable,
    ReadOutRuling,
    ReleaseHold,
    hold_at,
    told_hold,
)
from croupier.house.office.standards import COMPLAINTS
from croupier.house.office.state import Hold, OfficeState
from croupier.house.table_staff import order_at_table
from croupier.live import pit_records as records
from croupier.live.casino import full_id
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.pit_floor import Floor
from croupier.live.pit_rulings import NotNow, Rulings
from croupier.live.pit_told import Happened, of_rows, ruled, told
from croupier.live.pit_undo import undo_after
from croupier.live.pit_watch import PitWatch
from croupier.pit.registry import GAMES
from croupier.pit.rehearsal import AS_ASKED
from croupier.pit.ruling import CONFIRM
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    Refused,
    Table,
)

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

PAUSE = 10
"""Seconds for which a table is held after a ruling that can be undone."""
SIGNED_AT_MOST = 20
"""Words that are given with one confirmation: a table that asks for more is broken."""

Body = records.ConfirmBody | records.DecideBody
Given = list[Future[Answer]]
"""Orders that were given, one after another; each is answered once it is stored."""


class Orders:
    """What staff order at the tables and links of one casino. Not used in the event loop: answers
    wait for the disk."""

    def __init__(self, casino: LiveCasino, floor: Floor, watch: PitWatch, rulings: Rulings) -> None:
        self._casino = casino
        self._floor = floor
        self._watch = watch
        self._rulings = rulings

    # -- the confirmation --------------------------------------------------------------------

    def confirm(self, visitor: Visitor, place: str, body: records.ConfirmBody) -> records.PitAnswer:
        """Give the report that is held, and sign what it wants as far as he may."""
        with self._casino.house.lock:
            hold = hold_at(self._office, place, self._casino.house.clock())
            command = self._rulings.held_command(place)
        if hold is None or hold.number != body.hold or command is None:
            again = self._told_again(visitor, place, body.id)
            if again is not None:
                return again
            says = told_hold(place, hold) if hold is not None else f"Nobody holds table {place}."
            raise NotNow(OFFICE, Refused((COMPLAINTS,), f"Hold {body.hold} is over. {says}"))
        if hold.by != visitor.name:
            raise NotNow(OFFICE, Refused((COMPLAINTS,), told_hold(place, hold)))
        with self._casino.house.lock:  # nothing comes between the report and what follows from it
            asked_before = self._casino.table(place).state.last_need
            given = [self._report(visitor, place, body, hold, command)]
            signed: list[str] = []
            if not _is_refused(given[0]):
                self._follow(visitor, place, body, asked_before, given, signed)
        answer = given[0].result()
        if answer.refused is not None:
            self._rulings.release(
                visitor, place, f"{body.id}-r", hold.number, "the table refused it"
            )
            raise NotNow(place, answer.refused)
        return self._done(visitor, place, body, given, signed)

    def _report(
        self,
        visitor: Visitor,
        place: str,
        body: records.ConfirmBody,
        hold: Hold,
        command: Command,
    ) -> Future[Answer]:
        ended: Command = ReleaseHold(table=place, hold=hold.number, reason="confirmed")
        if self._pauses(place, body):
            ended = ReadOutRuling(table=place, hold=hold.number, seconds=PAUSE)
        return self._give(visitor, place, command, body.id, also=[(OFFICE, ended)])

    def _follow(
        self,
        visitor: Visitor,
        place: str,
        body: Body,
        asked_before: int,
        given: Given,
        signed: list[str],
    ) -> None:
        """Give the word that is wanted after it: his own, in the same name, and what the House has
        decided beforehand. What he may not say is left. Used under the House's lock."""
        for number in range(1, SIGNED_AT_MOST + 1):
            by_order = self._casino.schedulers[place].follow_orders(asked_before)
            given += by_order
            need = self._to_sign(visitor, place, asked_before)
            if need is None or not isinstance(body, records.ConfirmBody):
                if by_order:
                    continue
                break
            said = Decide(decision=need.decision, option=need.options[0].name, reason=body.reason)
            answered = self._give(visitor, place, said, f"{body.id}-{number}")
            if _is_refused(answered):
                break
            given.append(answered)
            signed.append(need.question)

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

    def _give(
        self,
        visitor: Visitor,
        place: str,
        command: Command,
        id: str,
        also: Sequence[tuple[str, Command]] = (),
    ) -> Future[Answer]:
        assert visitor.name is not None
        return order_at_table(
            self._casino.casino,
            place,
            command,
            who=visitor.name,
            rank=visitor.rank,
            command_id=full_id(visitor, id),
            session=visitor.session,
            also=also,
        )

    def _told_again(self, visitor: Visitor, place: str, id: str) -> records.PitAnswer | None:
        """What came of a confirmation that was sent before."""
        house = self._casino.house
        house.writer.flush()
        rows = house.reader.answer_of(full_id(visitor, id))
        if not rows:
            return None
        happened = of_rows(self._casino.table(place), (r for r in rows if r.stream == place))
        return self._answered(visitor, place, id, list(happened), [])

    # -- the moment after it -----------------------------------------------------------------

    def _done(
        self, visitor: Visitor, place: str, body: Body, given: Given, signed: Sequence[str] = ()
    ) -> records.PitAnswer:
        """What was ruled is held for a moment more only if whoever has ruled it may undo it."""
        happened = [each for one in given for each in _happened(place, one.result())]
        done = self._answered(visitor, place, body.id, happened, signed)
        hold = self._pausing(visitor, place, body)
        if hold is not None and done.undo.may:
            return structs.replace(done, hold=hold)
        self._let_go(visitor, place, body)
        return done

    def _pauses(self, place: str, body: Body) -> bool:
        """Whether the table is held after a ruling: it would go on by itself, before anybody could
        undo it."""
        casino = self._casino
        if not body.pause or casino.is_link(place):
            return False
        with casino.house.lock:
            table = casino.table(place)
            return GAMES.port_of(table).deals_itself(table) or casino.stand_in.deals(place)

    def _hold_for_ruling(self, visitor: Visitor, place: str, body: records.DecideBody) -> None:
        """Hold a table before a question is answered, so that it does not go on at once."""
        with self._casino.house.lock:
            held = hold_at(self._office, place, self._casino.house.clock())
        if held is not None or not self._pauses(place, body):
            return  # whoever holds it for a report keeps that
        position = self._casino.house.positions[place]
        told_ = HoldTable(table=place, report="", says=READ_OUT, position=position, seconds=PAUSE)
        self._rulings.tell_office(visitor, f"{body.id}-p", told_)

    def _pausing(self, visitor: Visitor, place: str, body: Body) -> records.PitHold | None:
        with self._casino.house.lock:
            hold = self._floor.hold(visitor, place) if body.pause else None
        return hold if hold is not None and hold.mine and hold.says == READ_OUT else None

    def _let_go(self, visitor: Visitor, place: str, body: Body) -> None:
        """Nothing is to be undone: the table goes on."""
        hold = self._pausing(visitor, place, body)
        if hold is not None:
            with suppress(NotNow):  # its time was over
                self._rulings.release(
                    visitor, place, f"{body.id}-r", hold.hold, "it cannot be undone"
                )

    # -- decisions ---------------------------------------------------------------------------

    def decision(self, visitor: Visitor, place: str, number: int) -> records.PitDecision:
        """A question with what follows from each answer that can be foretold."""
        with self._casino.house.lock:
            asker, need = self._open(place, number)
            told = self._floor.decision(visitor, place, asker, need)
        if not isinstance(asker, Table) or told.barred:
            return told
        options = tuple(self._foretold(visitor, place, number, one) for one in told.options)
        return structs.replace(told, options=options)

    def _foretold(
        self, visitor: Visitor, place: str, number: int, option: records.PitOption
    ) -> records.PitOption:
        if option.asks:
            return option
        said = Decide(decision=number, option=option.name, reason=AS_ASKED)
        try:
            ruling = self._rulings.preview(visitor, place, said, foretell=False).ruling
        except BadCommand:
            return option  # it is offered, but not as things stand
        return structs.replace(
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
        command = Decide(
            decision=number, option=body.option, details=body.details, reason=body.reason
        )
        if not self._was_given(visitor, body.id):
            with self._casino.house.lock:
                self._open(place, number)  # somebody else may have been first
        try:
            given = self._decided(visitor, place, command, body)
        except BadCommand:
            self._let_go(visitor, place, body)
            with self._casino.house.lock:
                self._open(place, number)  # somebody else may have been first
            raise
        refused = given[0].result().refused
        if refused is not None:
            self._let_go(visitor, place, body)
            raise NotNow(place, refused)
        return self._done(visitor, place, body, given)

    def _was_given(self, visitor: Visitor, id: str) -> bool:
        """Whether an order was given before, and is sent again."""
        house = self._casino.house
        house.writer.flush()
        return bool(house.reader.answer_of(full_id(visitor, id)))

    def _decided(
        self, visitor: Visitor, place: str, command: Decide, body: records.DecideBody
    ) -> Given:
        casino = self._casino
        if casino.is_link(place):
            assert visitor.name is not None
            how: dict[str, Any] = {"who": visitor.name, "session": visitor.session}
            how["command_id"] = full_id(visitor, body.id)
            return [order_at(casino.casino, place, command, **how)]
        self._hold_for_ruling(visitor, place, body)
        with casino.house.lock:
            asked_before = casino.table(place).state.last_need
            given = [self._give(visitor, place, command, body.id)]
            if not _is_refused(given[0]):
                self._follow(visitor, place, body, asked_before, given, [])
        return given

    def pick(self, visitor: Visitor, place: str, id: str) -> records.PitAnswer:
        """Have the cards picked that a table waits for, by the House's source, in his name."""
        assert visitor.name is not None
        given = self._casino.dealer.pick(
            place, who=visitor.name, rank=visitor.rank, session=visitor.session
        )
        if given is None:
            raise NotAllowed("not found", f"Table {place} waits for no pick.")
        answer = given.result()
        if answer.refused is not None:
            raise NotNow(place, answer.refused)
        return self._answered(visitor, place, id, _happened(place, answer), [])

    @property
    def _office(self) -> OfficeState:
        return self._casino.casino.office.state

    # -- telling -----------------------------------------------------------------------------

    def _answered(
        self,
        visitor: Visitor,
        place: str,
        id: str,
        happened: Sequence[Happened],
        signed: Sequence[str],
    ) -> records.PitAnswer:
        """What happened, as everybody at the table may hear it, and what was ruled."""
        with self._casino.house.lock:
            asker = self._casino.house.pit.at(place)
            waits = self._floor.waits_at(visitor, place)
            said = told(asker, happened)
            undo = records.PitUndo()
            if any(each.ruling for each in said) and isinstance(asker, Table):
                undo = undo_after(asker, self._rulings.orders_of(visitor), visitor.rank)
            return records.PitAnswer(
                id=id,
                told=tuple(each.says for each in said),
                happened=tuple(said),
                signed=tuple(signed),
                ruled=tuple(ruled(asker, happened)),
                waits=waits,
                undo=undo,
            )


def _is_refused(given: Future[Answer]) -> bool:
    """Whether the table has refused it: that is known at once."""
    return given.done() and given.exception() is None and given.result().refused is not None


def _happened(place: str, answer: Answer) -> list[Happened]:
    """What came of an order at one place."""
    id = answer.command_id
    return [Happened(command_id=id, event=s.event) for s in answer.said if s.place == place]


def _only_a_word(need: DecisionNeeded) -> bool:
    """Whether a question only wants somebody's word for what the book says."""
    first = need.options[0]
    return not first.asks and (first.name == CONFIRM or len(need.options) == 1)
