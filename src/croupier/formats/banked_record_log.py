"""The rounds of a banked table from its log: each finished one as a `BankedRecord`.

The log is replayed through a table, which knows what its events mean; this room notes what the
table itself does not remember: where and on which paragraphs each thing was decided. A round lasts
until the next call for bets, because a ruling may still correct it, void it, or take that back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from croupier.banked import BankedTable, BoxState
from croupier.banked.events import (
    AwardReceived,
    BetsCalled,
    BoxSettled,
    JackpotPaid,
    RoundConcluded,
)
from croupier.banked.findings import (
    ContinueChosen,
    HandCancelled,
    IrregularityReported,
    LinesRuled,
    PaymentCorrected,
    PolicyChanged,
    RoundGoesOn,
    RoundVoided,
    RulingMade,
    RulingUndone,
    SettledBetReturned,
)
from croupier.cards import Card
from croupier.formats.banked_record import (
    BankedRecord,
    BetSettled,
    BoxPlayed,
    Cites,
    Corrected,
    Decision,
    PaidLine,
    RecordError,
    Reported,
    Ruled,
    Told,
    Voided,
    check_record,
    in_order,
    players_of,
    totals_of,
)
from croupier.rulebooks import Rulebook
from croupier.table import (
    AUDITOR,
    AwardsPaidAgain,
    AwardsReturned,
    DecisionNeeded,
    DecisionTaken,
    Event,
    LinesHeld,
    StakesAccepted,
    StakesReturned,
    Viewer,
)

_AFTERWARDS = (
    AwardReceived,
    AwardsPaidAgain,
    AwardsReturned,
    ContinueChosen,
    DecisionNeeded,
    DecisionTaken,
    HandCancelled,
    IrregularityReported,
    JackpotPaid,
    LinesHeld,
    LinesRuled,
    PaymentCorrected,
    PolicyChanged,
    RoundConcluded,
    RoundGoesOn,
    RoundVoided,
    RulingMade,
    RulingUndone,
    SettledBetReturned,
    StakesAccepted,
    StakesReturned,
)
"""What still belongs to a round that is over; people who come and go do not."""

R = TypeVar("R", Reported, Ruled)

_WINDOWS: tuple[str, ...] = ("flop", "turn", "river")


def banked_records(
    log: Iterable[tuple[int, Event]], book: Rulebook, viewer: Viewer = AUDITOR
) -> Iterator[BankedRecord]:
    """The finished rounds in the log of a banked table, as this viewer may see them.

    `log` holds every event of the table from its opening, with its position. A round under way is
    left out: nobody may see its cards.
    """
    table = BankedTable(book)
    noted: _Noted | None = None
    for position, event in log:
        if isinstance(event, BetsCalled):
            if noted is not None and (record := noted.finished(table, viewer)) is not None:
                yield record
            noted = _Noted(table, position, event)
        elif noted is not None:
            noted.before(table, position, event, viewer)
        table.apply(event)
        if noted is not None:
            noted.after(table, position, event)
    if noted is not None and (record := noted.finished(table, viewer)) is not None:
        yield record


class _Undoable(Struct, kw_only=True):
    """What a ruling that is taken back takes back with it."""

    decisions: dict[int, list[Decision]] = {}
    cites: dict[int, Cites] = {}
    corrections: list[Corrected] = []
    void: Voided | None = None


class _Noted:
    """What is noted of a round while its events go by."""

    def __init__(self, table: BankedTable, position: int, called: BetsCalled) -> None:
        state = table.state
        self.called = called
        self.first = self.last = position
        self.house, self.from_meter = state.house, state.from_meter
        self.policies = dict(state.policies)
        self.kept = _Undoable()
        self.before_ruling, self.ruled_from = b"", position
        self.lines: dict[int, list[PaidLine]] = {}
        self.irregularities: list[Reported] = []
        self.rulings: list[Ruled] = []
        self.history: list[Told] = [_told(table, position, called)]

    # -- while it is played ------------------------------------------------------------------

    def before(self, table: BankedTable, position: int, event: Event, viewer: Viewer) -> None:
        """Take down an event in words, and what it may undo."""
        if table.playing() or isinstance(event, _AFTERWARDS):
            seen = _seen(table, event, viewer)
            if seen is not None:
                self.history.append(_told(table, position, seen))
            self.last = position
        if isinstance(event, IrregularityReported | DecisionTaken):
            self.before_ruling, self.ruled_from = msgspec.msgpack.encode(self.kept), position

    def after(self, table: BankedTable, position: int, event: Event) -> None:
        """Note what the event decided."""
        kept = self.kept
        match event:
            case IrregularityReported():
                self.irregularities.append(_reported(position, event))
            case RulingMade():
                self.rulings.append(_ruled(position, event))
            case RulingUndone():
                self._undo()
                return
            case PaymentCorrected(player=player, amount=amount, cites=cites):
                correction = Corrected(position=position, player=player, amount=amount, cites=cites)
                kept.corrections.append(correction)
            case RoundVoided(cause=cause, cites=cites, returned=returned):
                kept.void = Voided(cause=cause, position=position, cites=cites)
                kept.cites.update(dict.fromkeys(returned, cites))
            case BoxSettled(box=box, cites=cites) | HandCancelled(box=box, cites=cites):
                kept.cites[box] = cites
            case JackpotPaid(box=box) | AwardReceived(box=box):
                self.lines.setdefault(box, []).append(_line(position, event))
            case _:
                pass
        self._note_decisions(table, position, event)

    def _note_decisions(self, table: BankedTable, position: int, event: Event) -> None:
        """The table remembers what each box chose; where and why is noted beside it."""
        found = self.kept.decisions
        for number, box in table.state.boxes.items():
            chosen, decided = box.chosen, found.setdefault(number, [])
            if len(decided) > len(chosen):
                del decided[len(chosen) :]
            for choice in chosen[len(decided) :]:
                decided.append(
                    msgspec.convert(
                        {
                            "window": _WINDOWS[len(decided)],
                            "choice": choice,
                            "position": position,
                            "cites": event.cites,
                        },
                        Decision,
                    )
                )

    def _undo(self) -> None:
        """The last ruling is taken back; the record keeps it, marked."""
        self.kept = msgspec.msgpack.decode(self.before_ruling, type=_Undoable)
        since = self.ruled_from
        self.irregularities = [
            _undone(r) if r.position >= since else r for r in self.irregularities
        ]
        self.rulings = [_undone(r) if r.position >= since else r for r in self.rulings]

    # -- when it is over ---------------------------------------------------------------------

    def finished(self, table: BankedTable, viewer: Viewer) -> BankedRecord | None:
        """The record of the round; none while it is under way."""
        if table.playing():
            return None
        state, called, kept = table.state, self.called, self.kept
        boxes = tuple(self._box(n, box, viewer) for n, box in sorted(state.boxes.items()))
        corrections = tuple(kept.corrections)
        from_meter = state.from_meter - self.from_meter
        totals = totals_of(boxes, corrections, from_meter)
        if totals.house != state.house - self.house:
            raise RecordError(
                f"the House made {state.house - self.house} at the table, "
                f"but {totals.house} by its bets",
                hand=str(called.round),
            )
        opened = [*state.exposed_board, *state.board[: state.shown]]
        dealer = state.dealer if state.dealer_shown else state.exposed_dealer
        record = BankedRecord(
            table=state.name,
            round=called.round,
            rulebook=called.rulebook,
            book_version=called.version,
            approved_by=called.approved_by,
            knowingly=called.knowingly,
            policies=self.policies,
            settings=state.settings,
            at=called.at,
            dealer_name=called.dealer,
            first=self.first,
            last=self.last,
            status="void" if state.void else "concluded",
            void=kept.void,
            boxes=boxes,
            community=_masked(state.board, opened, viewer),
            community_shown=state.shown,
            dealer=_masked(state.dealer, dealer, viewer),
            dealer_shown=state.dealer_shown,
            dealer_hand=state.dealer_hand,
            burns=_masked(state.burns, (), viewer),
            thrown=_masked(state.thrown, (), viewer),
            irregularities=tuple(self.irregularities),
            rulings=tuple(self.rulings),
            corrections=corrections,
            players=players_of(boxes, corrections),
            totals=totals,
            history=tuple(self.history),
        )
        check_record(record)
        return record

    def _box(self, number: int, box: BoxState, viewer: Viewer) -> BoxPlayed:
        assert box.result is not None, f"box {number} of a finished round has no result"
        own = box.cards if box.examined and box.player == viewer.who else box.face_up
        standing = dict(box.paid_lines)
        lines = []
        for line in self.lines.get(number, ()):
            stands = line.line in standing and standing[line.line] >= line.paid
            if stands:
                standing[line.line] -= line.paid
            lines.append(structs.replace(line, taken_back=not stands))
        return BoxPlayed(
            box=number,
            player=box.player,
            bets=in_order(
                {
                    bet: BetSettled(
                        staked=p.staked, won=p.won, returned=p.returned, lost=p.lost, paid=p.paid
                    )
                    for bet, p in box.payouts.items()
                }
            ),
            cards=_masked(box.cards, own, viewer),
            shown=tuple(card for card in box.cards if card in box.face_up),
            looked=box.examined,
            decisions=tuple(self.kept.decisions.get(number, ())),
            deemed=box.deemed,
            result=box.result,
            hand=box.hand,
            bonus_line=box.bonus_line,
            lines=tuple(lines),
            registered=box.registered,
            dealt=box.dealt,
            cites=self.kept.cites.get(number, ()),
        )


def _masked(cards: Iterable[Card], seen: Iterable[Card], viewer: Viewer) -> tuple[Card, ...]:
    """The auditor sees every card of a finished round, others those that they may."""
    if viewer.auditor:
        return tuple(cards)
    open_to_him = set(seen)
    return tuple(card if card in open_to_him else Card.UNKNOWN for card in cards)


def _seen(table: BankedTable, event: Event, viewer: Viewer) -> Event | None:
    """An event as it may be told once the round is over."""
    if viewer.auditor:
        return event
    return table.show(event, viewer)


def _told(table: BankedTable, position: int, event: Event) -> Told:
    def name(box: int) -> str:
        player = table.player_at(box)
        return f"{player} (box {box})" if player is not None else f"Box {box}"

    return Told(
        position=position,
        event=str(event.__struct_config__.tag),
        says=event.tell(name),
        cites=event.cites,
    )


def _reported(position: int, event: IrregularityReported) -> Reported:
    return Reported(
        position=position,
        kind=event.kind,
        effect=event.effect,
        round=event.round,
        boxes=event.boxes,
        says=event.says,
        by=event.by,
        cites=event.cites,
    )


def _ruled(position: int, event: RulingMade) -> Ruled:
    return Ruled(
        position=position,
        question=event.question,
        remedy=event.remedy,
        reason=event.reason,
        who=event.who,
        box=event.box,
        cites=event.cites,
    )


def _undone(entry: R) -> R:
    return structs.replace(entry, undone=True)


def _line(position: int, event: JackpotPaid | AwardReceived) -> PaidLine:
    if isinstance(event, JackpotPaid):
        return PaidLine(
            line=event.line,
            paid=event.paid,
            source="house",
            position=position,
            replaces=event.replaces or None,
            cites=event.cites,
        )
    return PaidLine(
        line=event.line,
        paid=event.paid,
        source="meter",
        position=position,
        link=event.link,
        meter_before=event.meter_before,
        meter_after=event.meter_after,
        cites=event.cites,
    )
