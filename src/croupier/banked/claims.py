"""Jackpot hands: claimed, recorded, and paid by the House or from the meter (3.16, 4.2 to 4.5).

The table finds every line itself and prompts the dealer (B-26). Fixed and for-1 lines are paid by
the House as soon as the claim is recorded; shares of the meter are named to the link when all
claims of the round are recorded, and the round waits for its answer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import structs

from croupier.banked.authority import HOUSE, at_least, staff_only
from croupier.banked.betting import give, is_gone
from croupier.banked.commands import RecordClaim
from croupier.banked.events import (
    AwardReceived,
    ClaimRecorded,
    JackpotHandsFound,
    JackpotPaid,
    RoundConcluded,
)
from croupier.banked.lines import percent, worth
from croupier.banked.state import BoxState, Phase
from croupier.rulebooks import JackpotHand, PayLine, Topic
from croupier.table import (
    BadCommand,
    Command,
    HeldLine,
    LinesHeld,
    Order,
    ReceiveAward,
    Room,
    TakeFixedLine,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

claims = Room("claims")


def claims_next(table: BankedTable) -> None:
    """All bets are settled: prompt for the jackpot hands, or end the round."""
    state = table.state
    holding = tuple(n for n, box in sorted(state.boxes.items()) if box.due)
    if holding:
        table.emit(JackpotHandsFound(boxes=holding, cites=table.cite(Topic.JACKPOT_CLAIM)))
    else:
        tell_the_link(table)
        _conclude(table)


@claims.applies(JackpotHandsFound)
def jackpot_hands_found(table: BankedTable, event: JackpotHandsFound) -> None:
    table.state.phase = "jackpot"


@claims.decides(RecordClaim)
def record_claim(table: BankedTable, order: Order[RecordClaim]) -> None:
    state = table.state
    number = order.command.box
    staff_only(table, order, "records a jackpot claim")
    box = state.boxes.get(number)
    if state.phase != "jackpot" or box is None or not box.due:
        table.refuse(Topic.JACKPOT_CLAIM, f"Box {number} holds no jackpot hand.")
    if box.claimed:
        table.refuse(Topic.JACKPOT_CLAIM, f"The jackpot hand of box {number} is recorded already.")
    lines = tuple(box.due)
    held = [_line(table, line) for line in lines]
    # A line that the board makes alone is paid without opening the hand (4.2.community); cards that
    # are gone cannot be opened.
    opened = any(_needs_hand(line) for line in held) and not box.gone
    table.emit(
        ClaimRecorded(
            box=number,
            lines=lines,
            cards=tuple(box.cards) if opened else (),
            cites=table.cite(Topic.JACKPOT_CLAIM),
        )
    )
    stake = min(box.payouts["progressive"].staked, state.settings.prescribed)
    for line in held:
        if not line.major:
            table.emit(_paid(table, number, line, worth(line, stake)))
    claims_go_on(table, told=False)


def claims_go_on(table: BankedTable, *, told: bool) -> None:
    """Once every jackpot hand is recorded the link hears of the shares, unless it has been `told`,
    and the round ends if nothing is left to be paid."""
    if all_claimed(table):
        if not told:
            tell_the_link(table)
        _conclude(table)


def all_claimed(table: BankedTable) -> bool:
    """Whether every jackpot hand that waits to be paid is recorded."""
    return all(box.claimed for box in table.state.boxes.values() if box.due)


def hand_waits(table: BankedTable, box: BoxState) -> bool:
    """Whether a jackpot hand waits to be paid whose cards lie open until then (4.4)."""
    return any(_needs_hand(_line(table, line)) for line in box.due)


def _needs_hand(line: PayLine) -> bool:
    return not (isinstance(line.when, JackpotHand) and line.when.cards == "board")


def _line(table: BankedTable, line: str) -> PayLine:
    found = table.book.pay("progressive").line(line)
    assert found is not None, f"{line} is no jackpot line of this book"
    return found


def _paid(
    table: BankedTable, number: int, line: PayLine, amount: int, replaces: str = ""
) -> JackpotPaid:
    return JackpotPaid(
        box=number, line=line.id, paid=amount, replaces=replaces, cites=_line_cites(table, line)
    )


def _line_cites(table: BankedTable, line: PayLine, *, registered: bool = False) -> tuple[str, ...]:
    topics: list[str] = [line.topic, Topic.JACKPOT_PAY_TABLE]
    if table.book.has(Topic.JACKPOT_WHATEVER_THE_DEALER_HOLDS):
        topics.append(Topic.JACKPOT_WHATEVER_THE_DEALER_HOLDS)
    if registered or table.state.jackpot_failed():
        topics.append(Topic.JACKPOT_FAULT_SEEN)
    return table.cite(*topics)


@claims.applies(ClaimRecorded)
def claim_recorded(table: BankedTable, event: ClaimRecorded) -> None:
    box = table.state.boxes[event.box]
    box.claimed = True
    if event.cards:
        box.face_up = list(event.cards)


@claims.applies(JackpotPaid)
def jackpot_paid(table: BankedTable, event: JackpotPaid) -> None:
    state = table.state
    box = state.boxes[event.box]
    state.house -= event.paid
    _book(table, box, event.replaces or event.line, event.line, event.paid)


def _book(table: BankedTable, box: BoxState, due: str, line: str, paid: int) -> None:
    give(table.state, box.player, paid)
    box.due.remove(due)
    box.paid_lines[line] = box.paid_lines.get(line, 0) + paid
    stake = box.payouts["progressive"]
    box.payouts["progressive"] = structs.replace(stake, won=stake.won + paid)


# -- the link -------------------------------------------------------------------------------------


def tell_the_link(table: BankedTable) -> None:
    """At the end of a round with jackpot stakes the link hears which shares are held, or none."""
    state = table.state
    if not any(box.registered for box in state.boxes.values()):
        return
    lines = []
    for number, box in sorted(state.boxes.items()):
        for due in box.due if not box.named else ():
            line = _line(table, due)
            instead = _line(table, box.instead) if box.instead else None
            stake = min(box.payouts["progressive"].staked, state.settings.prescribed)
            assert box.dealt is not None
            lines.append(
                HeldLine(
                    box=number,
                    line=line.id,
                    percent=percent(line),
                    dealt=box.dealt,
                    instead=instead.id if instead is not None else None,
                    instead_pays=worth(instead, stake) if instead is not None else 0,
                )
            )
    table.emit(
        LinesHeld(
            round=state.round,
            lines=tuple(lines),
            cites=table.cite(Topic.JACKPOT_PAY_TABLE) if lines else (),
        )
    )


@claims.applies(LinesHeld)
def lines_held(table: BankedTable, event: LinesHeld) -> None:
    """The link has been told; the table waits for its answers where lines are held."""
    for held in event.lines:
        table.state.boxes[held.box].named = True


@claims.decides(ReceiveAward, while_waiting=True)
def receive_award(table: BankedTable, order: Order[ReceiveAward]) -> None:
    command = order.command
    line = _answered(table, order, command.round, command.box, command.line)
    if command.paid < 0:
        raise BadCommand("an award is not negative")
    if order.rank is not HOUSE:
        _check_turn(table, command.box)
        _check_share(table, line, command)
    table.emit(
        AwardReceived(
            link=command.link,
            box=command.box,
            line=command.line,
            paid=command.paid,
            meter_before=command.meter_before,
            meter_after=command.meter_after,
            registered=command.registered,
            cites=_award_cites(table, line, command),
        )
    )
    _conclude(table)


def _check_turn(table: BankedTable, number: int) -> None:
    """4.5.1: of several at this table whoever was dealt first is paid first; a link sees to it
    itself."""
    if not table.book.has(Topic.MAJOR_ORDER_SAME_TABLE):
        return
    waiting = [
        (box.dealt, each)
        for each, box in table.state.boxes.items()
        if any(_line(table, due).major for due in box.due)
    ]
    _, first = min(waiting)
    if number != first:
        table.refuse(Topic.MAJOR_ORDER_SAME_TABLE, f"Box {first} is paid first.")


def _check_share(table: BankedTable, line: PayLine, award: ReceiveAward) -> None:
    """An award that staff enter is the share that the pay table gives, of the value that they enter
    with it; how another maker's controller rounds a part of a cent is its own (B-10)."""
    base = award.meter_before if award.registered is None else award.registered
    share = base * Fraction(percent(line)) / 100
    if abs(award.paid - share) >= 1:
        table.refuse(
            Topic.JACKPOT_PAY_TABLE,
            f"{percent(line)}% of {write_money(base)} is {write_money(round(share))}, "
            f"not {write_money(award.paid)}.",
        )


def _award_cites(table: BankedTable, line: PayLine, award: ReceiveAward) -> tuple[str, ...]:
    """With 5.6 where the winner is not here: it is settled all the same, and kept for him."""
    cites = _line_cites(table, line, registered=award.registered is not None)
    if is_gone(table.state, table.state.boxes[award.box].player):
        return (*cites, *table.cite(Topic.WALK_AWAY_WITH_NONE_LEFT))
    return cites


@claims.decides(TakeFixedLine, while_waiting=True)
def take_fixed_line(table: BankedTable, order: Order[TakeFixedLine]) -> None:
    """B-19: the fixed line of this stake is worth more than its share of the meter."""
    command, state = order.command, table.state
    _answered(table, order, command.round, command.box, command.line)
    box = state.boxes[command.box]
    if command.instead != box.instead:
        raise BadCommand(f"box {command.box} does not hold line {command.instead!r} instead")
    stake = min(box.payouts["progressive"].staked, state.settings.prescribed)
    line = _line(table, command.instead)
    table.emit(_paid(table, command.box, line, worth(line, stake), replaces=command.line))
    _conclude(table)


def _answered(
    table: BankedTable, order: Order[Command], round: int, number: int, line: str
) -> PayLine:
    """The claim that an answer of the link is for."""
    state = table.state
    if order.rank is not HOUSE:
        if state.settings.controller != "external":
            table.refuse(Topic.PIT_EMPLOYEE, "The link pays; nobody enters its awards by hand.")
        at_least(table, order, state.settings.house_rank, "enters an award of the controller")
    box = state.boxes.get(number)
    if round != state.round or state.phase != "jackpot" or box is None or line not in box.due:
        raise BadCommand(f"box {number} waits for no award on line {line!r} in round {round}")
    if not box.claimed:
        table.refuse(Topic.JACKPOT_CLAIM, f"The claim of box {number} is not recorded yet.")
    return _line(table, line)


@claims.applies(AwardReceived)
def award_received(table: BankedTable, event: AwardReceived) -> None:
    state = table.state
    box = state.boxes[event.box]
    state.from_meter += event.paid
    box.awarded[event.line] = box.awarded.get(event.line, 0) + event.paid
    _book(table, box, event.line, event.line, event.paid)


# -- the end of the round -------------------------------------------------------------------------


def _conclude(table: BankedTable) -> None:
    """1.25: the round ends when everybody has been settled."""
    state = table.state
    if not any(box.due for box in state.boxes.values()):
        table.emit(RoundConcluded(round=state.round, cites=table.cite(Topic.ROUND_OF_PLAY)))


@claims.applies(RoundConcluded)
def round_concluded(table: BankedTable, event: RoundConcluded) -> None:
    table.state.phase = phase_between(table)


def phase_between(table: BankedTable) -> Phase:
    """Between rounds, unless the House has closed the table."""
    return "closed" if table.state.next_rounds == "close table" else "between rounds"
