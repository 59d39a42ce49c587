"""When the jackpot is not fully functional (5.16, 5.17), and when its link is closed.

Before anybody has looked the round is void, also where that is noticed only later. After a fault
that comes later the round goes on and is paid on the amount that was registered last. For the
rounds to come the House closes the table, blocks boxes, or plays on without jackpot bets under a
notice that whoever joins later must accept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import HOUSE, at_least
from croupier.banked.commands import ReopenTable
from croupier.banked.events import BetReturned
from croupier.banked.findings import (
    JACKPOT_FAULT,
    BoxesBlocked,
    JackpotClosed,
    JackpotFailed,
    JackpotReopened,
    JackpotRepaired,
    NoticeDisplayed,
    RoundGoesOn,
    TableClosed,
    TableReopened,
)
from croupier.banked.reporting import named_once, of_this_round, report
from croupier.banked.reports import ReportJackpotFault, ReportJackpotRepaired
from croupier.banked.state import LINK, WHOLE_TABLE, BankedState
from croupier.banked.voiding import NEXT_ROUNDS, shown_jackpot_hands, void
from croupier.rulebooks import Topic
from croupier.table import (
    Announced,
    BadCommand,
    Call,
    Choice,
    Command,
    DecisionNeeded,
    DecisionTaken,
    DeviceFailed,
    HearFault,
    HearLinkClosed,
    HearLinkReopened,
    HearRepair,
    Order,
    Room,
    StakesReturned,
)

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

faults = Room("faults")

NO_JACKPOT_BETS = "No Progressive Jackpot bets are accepted or paid."


def _from_the_link(order: Order[Command]) -> None:
    if order.rank is not HOUSE:
        raise BadCommand("this comes from the link; at a table report the jackpot fault itself")


@faults.decides(HearFault, while_waiting=True)
def hear_fault(table: BankedTable, order: Order[HearFault]) -> None:
    """The shared system is down: every table of the link is hit (B-56)."""
    command = order.command
    _from_the_link(order)
    table.emit(
        JackpotFailed(
            link=command.link,
            registered=command.registered,
            cites=table.cite(Topic.JACKPOT_FAULT_LATER),
        )
    )
    _void_or_go_on(table, table.state.looked())
    _ask_next_rounds(table)


@faults.decides(ReportJackpotFault, while_waiting=True)
def report_jackpot_fault(table: BankedTable, order: Order[ReportJackpotFault]) -> None:
    command, state = order.command, table.state
    named_once(command)
    kind = "jackpot fault"
    of_a_round = table.playing() or command.round is not None
    if of_a_round and not of_this_round(table, order, kind, boxes=command.boxes):
        return
    _check_of_this_round(table, command)
    seen = state.looked() and not command.before_looking
    provided_for = _is_provided_for(state, command)
    if of_a_round:
        effect = "the round continues" if seen or provided_for else "the round is void"
        cites = _fault_cites(table, seen, provided_for)
        report(table, order, kind, effect, cites, boxes=command.boxes)
        if provided_for and not seen:
            table.emit(RoundGoesOn(why="the House has said how it is run", cites=cites))
            return
    if not (command.before_looking and _was_heard_of(state, command)):
        cites = table.cite(Topic.JACKPOT_FAULT_LATER)
        table.emit(JackpotFailed(boxes=command.boxes, cites=cites))
    _never_registered(table, command.unregistered, seen)
    if seen:
        _have_registered(table)
    _void_or_go_on(table, seen, reporter=order.who)
    if not state.void:  # It may still go on, where the shift manager is asked about the void.
        _have_registered(table)
    if state.jackpot_failed():
        _ask_next_rounds(table)


def _check_of_this_round(table: BankedTable, command: ReportJackpotFault) -> None:
    """What is said of the round under way must be true of it; of one that is over nothing is asked
    any more (5.19)."""
    state = table.state
    for number in (*command.boxes, *command.unregistered):
        if number > state.settings.boxes_in_use:
            raise BadCommand(f"this table has no box {number}")
    for number in command.unregistered:
        box = state.boxes.get(number)
        if box is not None and box.result is not None and "progressive" in box.payouts:
            raise BadCommand(f"the Progressive Jackpot bet of box {number} is settled already")
        if box is None or not box.progressive or box.result is not None:
            raise BadCommand(f"there is no Progressive Jackpot bet on box {number}")
    if command.before_looking and not (table.playing() and state.looked()):
        raise BadCommand("say so where somebody has looked: until then a fault voids the round")


def _was_heard_of(state: BankedState, command: ReportJackpotFault) -> bool:
    """Whether a fault that is there, or was in this round, is only said to be older: it is no
    further one, what ends it is its own repair, and that may have been made."""
    heard_of = {*state.failed_in_round, *state.jackpot_faults()}
    if command.boxes:
        return {f"box {number}" for number in command.boxes} <= heard_of
    return bool({LINK, WHOLE_TABLE} & heard_of)


def _is_provided_for(state: BankedState, command: ReportJackpotFault) -> bool:
    """Whether nothing new is reported: before this round the House had said how rounds are run in
    spite of this fault (5.17.2), and then it voids none of them (5.16)."""
    known = set(state.run_in_spite_of)
    devices = bool(command.boxes) and {f"box {number}" for number in command.boxes} <= known
    whole = WHOLE_TABLE in known or (LINK in known and not command.boxes)
    return (whole or devices) and not command.unregistered


def _never_registered(table: BankedTable, boxes: tuple[int, ...], seen: bool) -> None:
    """B-57: stakes that were not registered before the fault are no part of the amount that was,
    and go back; where the round is void by a fault before the first look, with all others (5.16).
    """
    state = table.state
    if state.is_settled():
        return
    told = tuple(sorted(number for number in boxes if state.boxes[number].registered))
    cites = _fault_cites(table, seen)
    if seen or shown_jackpot_hands(table):  # While a void is asked about the round may go on.
        for number in boxes:
            amount = state.boxes[number].progressive
            table.emit(BetReturned(box=number, bet="progressive", amount=amount, cites=cites))
    if told:
        table.emit(StakesReturned(round=state.round, boxes=told, unregistered=True, cites=cites))


def _have_registered(table: BankedTable) -> None:
    """5.17.1: the link keeps what it has registered by now (B-64)."""
    state = table.state
    played_for = any(box.registered for box in state.boxes.values())
    if table.playing() and played_for and not state.device_told:
        cites = table.cite(Topic.JACKPOT_FAULT_SEEN)
        table.emit(DeviceFailed(round=state.round, cites=cites))


@faults.applies(DeviceFailed)
def device_failed(table: BankedTable, event: DeviceFailed) -> None:
    table.state.device_told = True


def _fault_cites(table: BankedTable, seen: bool, provided_for: bool = False) -> tuple[str, ...]:
    """The paragraphs of a fault, by whether anybody had looked before it (`seen`)."""
    if provided_for and not seen:
        return table.cite(Topic.JACKPOT_FAULT_NEXT_ROUNDS, Topic.JACKPOT_FAULT_LATER)
    if seen:
        return table.cite(Topic.JACKPOT_FAULT_SEEN, Topic.JACKPOT_FAULT_LATER)
    return table.cite(Topic.JACKPOT_FAULT_UNSEEN)


@faults.applies(JackpotFailed)
def jackpot_failed(table: BankedTable, event: JackpotFailed) -> None:
    state = table.state
    if event.link is not None:
        state.link_failed = True
    elif event.boxes:
        state.failed_boxes = sorted({*state.failed_boxes, *event.boxes})
    else:
        state.whole_failed = True
    if table.playing():
        heard_of = state.failed_in_round
        heard_of += [fault for fault in state.jackpot_faults() if fault not in heard_of]


def _void_or_go_on(table: BankedTable, seen: bool, reporter: str = "") -> None:
    """5.16 holds until the round is over: where all have played blind and folded, also while only
    a jackpot hand waits that nobody has seen. `seen`: somebody had looked before the fault."""
    state = table.state
    if not table.playing():
        return
    cites = _fault_cites(table, seen)
    if not seen:
        void(table, cites, "the jackpot is not fully functional", reporter=reporter)
    elif not state.is_settled():
        table.emit(RoundGoesOn(why=JACKPOT_FAULT, cites=cites))


# -- the rounds to come ---------------------------------------------------------------------------


def _ask_next_rounds(table: BankedTable) -> None:
    """5.17.2: asked at once, answered before the next opening call; the round goes on meanwhile."""
    if table.state.next_rounds in ("asked", "close table"):
        return  # A table that the House has closed stays so until it is opened again.
    table.ask(
        NEXT_ROUNDS,
        "How are the rounds after this jackpot fault run?",
        (
            Choice(name="close table", says="close the affected table"),
            Choice(name="block boxes", says="no bets on these boxes", asks={"boxes": "seats"}),
            Choice(name="no progressive bets", says="play on without Progressive Jackpot bets"),
        ),
        table.state.settings.house_rank,
        table.cite(Topic.JACKPOT_FAULT_NEXT_ROUNDS),
        holds=False,
    )


@faults.applies(DecisionNeeded)
def next_rounds_asked(table: BankedTable, event: DecisionNeeded) -> None:
    if event.question == NEXT_ROUNDS:
        table.state.next_rounds = "asked"


def check_next_rounds(table: BankedTable, details: dict[str, object]) -> None:
    """The boxes to block must be boxes of this table."""
    boxes = details.get("boxes")
    most = table.state.settings.boxes_in_use
    if not isinstance(boxes, list | tuple) or not boxes:
        raise BadCommand("name the boxes that are blocked, such as [4]")
    if any(isinstance(b, bool) or not isinstance(b, int) or not 1 <= b <= most for b in boxes):
        raise BadCommand(f"boxes are numbered from 1 to {most}; got {boxes!r}")


@faults.answered(NEXT_ROUNDS)
def next_rounds(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    match taken.option:
        case "close table":
            table.emit(TableClosed(cites=table.cite(Topic.JACKPOT_FAULT_CLOSE_TABLES)))
        case "block boxes":
            boxes = tuple(sorted(set(taken.details["boxes"])))
            cites = table.cite(Topic.JACKPOT_FAULT_BLOCK_BOXES)
            table.emit(BoxesBlocked(boxes=boxes, cites=cites))
        case _:
            cites = table.cite(Topic.JACKPOT_FAULT_NO_JACKPOT)
            table.emit(NoticeDisplayed(says=NO_JACKPOT_BETS, cites=cites))
            table.emit(Announced(call=Call.NOTICE, says=NO_JACKPOT_BETS, cites=cites))


@faults.applies(TableClosed)
def table_closed(table: BankedTable, event: TableClosed) -> None:
    state = table.state
    state.next_rounds = "close table"
    if not table.playing():
        state.phase = "closed"


@faults.applies(BoxesBlocked)
def boxes_blocked(table: BankedTable, event: BoxesBlocked) -> None:
    table.state.next_rounds = "block boxes"
    table.state.blocked = sorted({*table.state.blocked, *event.boxes})


@faults.applies(NoticeDisplayed)
def notice_displayed(table: BankedTable, event: NoticeDisplayed) -> None:
    state = table.state
    state.next_rounds = "no progressive bets"
    state.notice = event.says
    # Those at the table are told by the notice; only who joins later must accept it.
    present = {*state.sitting.values(), *(box.player for box in state.boxes.values())}
    state.told, state.accepted = sorted(present), []


# -- repair ---------------------------------------------------------------------------------------


@faults.decides(HearRepair, while_waiting=True)
def hear_repair(table: BankedTable, order: Order[HearRepair]) -> None:
    _from_the_link(order)
    table.emit(
        JackpotRepaired(link=order.command.link, cites=table.cite(Topic.JACKPOT_FAULT_NEXT_ROUNDS))
    )


@faults.decides(ReportJackpotRepaired, while_waiting=True)
def report_jackpot_repaired(table: BankedTable, order: Order[ReportJackpotRepaired]) -> None:
    state = table.state
    at_least(table, order, state.settings.house_rank, "declares the jackpot functional again")
    if not (state.whole_failed or state.failed_boxes):
        raise BadCommand("no jackpot fault is reported at this table; a link is repaired itself")
    table.emit(JackpotRepaired(cites=table.cite(Topic.JACKPOT_FAULT_NEXT_ROUNDS)))


@faults.applies(JackpotRepaired)
def jackpot_repaired(table: BankedTable, event: JackpotRepaired) -> None:
    """Blocked boxes and the notice end with the fault; a closed table is reopened by hand."""
    state = table.state
    if event.link is not None:
        state.link_failed = False
        state.run_in_spite_of = [fault for fault in state.run_in_spite_of if fault != LINK]
    else:
        state.whole_failed = False
        state.failed_boxes = []
        state.run_in_spite_of = [fault for fault in state.run_in_spite_of if fault == LINK]
    if state.jackpot_failed():
        return  # The other fault is still there, and with it what was chosen for it.
    state.blocked = []
    state.notice = ""
    state.told, state.accepted = [], []
    if state.next_rounds != "close table":
        state.next_rounds = ""
    state.waiting = [
        need
        for need in state.waiting
        if not (isinstance(need, DecisionNeeded) and need.question == NEXT_ROUNDS)
    ]


@faults.decides(ReopenTable)
def reopen_table(table: BankedTable, order: Order[ReopenTable]) -> None:
    state = table.state
    at_least(table, order, state.settings.house_rank, "opens the table again")
    if state.next_rounds != "close table":
        raise BadCommand("the table is not closed")
    if state.jackpot_failed():
        table.refuse(Topic.JACKPOT_FAULT_CLOSE_TABLES, "The jackpot is still not fully functional.")
    table.emit(TableReopened(cites=table.cite(Topic.JACKPOT_FAULT_CLOSE_TABLES)))


@faults.applies(TableReopened)
def table_reopened(table: BankedTable, event: TableReopened) -> None:
    state = table.state
    state.next_rounds = ""
    if state.phase == "closed":
        state.phase = "between rounds"


# -- a link that is closed ------------------------------------------------------------------------


@faults.decides(HearLinkClosed, while_waiting=True)
def hear_link_closed(table: BankedTable, order: Order[HearLinkClosed]) -> None:
    _from_the_link(order)
    table.emit(JackpotClosed(link=order.command.link, cites=table.cite(Topic.JACKPOT_BET)))


@faults.decides(HearLinkReopened, while_waiting=True)
def hear_link_reopened(table: BankedTable, order: Order[HearLinkReopened]) -> None:
    _from_the_link(order)
    table.emit(JackpotReopened(link=order.command.link, cites=table.cite(Topic.JACKPOT_BET)))


@faults.applies(JackpotClosed)
def jackpot_closed(table: BankedTable, event: JackpotClosed) -> None:
    table.state.link_closed = True


@faults.applies(JackpotReopened)
def jackpot_reopened(table: BankedTable, event: JackpotReopened) -> None:
    table.state.link_closed = False
