"""Chips as they lie: entered at a real table, and put right in time (5.1 to 5.4, 5.20).

A bet of the wrong size, or without an Ante, is acted on here when the dealer notices it while that
can still be done; otherwise settlement sees to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import can_pay, chips_of, own_box, people_only, refuse_hand
from croupier.banked.betting import (
    LATER,
    OPENING,
    bettor,
    check_jackpot_open,
    comes_back,
    is_further,
    is_gone,
    limits,
    more_chips,
    put,
    right_size,
    tell_of_one_hand,
    with_what_rests_on_it,
)
from croupier.banked.commands import BetName, ClaimMisplacedBet, NoticeBet, ReportChips
from croupier.banked.decisions import WINDOW_TOPICS
from croupier.banked.events import (
    BetMadeUp,
    BetReturned,
    BetWithdrawn,
    ChipsReported,
    SurplusRefused,
)
from croupier.banked.phases import onward
from croupier.banked.questions import ask_bonus_without_ante
from croupier.banked.state import BoxState
from croupier.rulebooks import Topic
from croupier.table import Announced, BadCommand, Call, DecisionNeeded, DecisionTaken, Order, Room
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

chips = Room("chips")

BELOW_THE_MINIMUM = "below the minimum"


# -- chips as they lie ----------------------------------------------------------------------------


@chips.decides(ReportChips)
def report_chips(table: BankedTable, order: Order[ReportChips]) -> None:
    """Whatever lies on the spot is entered; whether it counts is for 5.1 to 5.4."""
    command, state = order.command, table.state
    box, bet = command.box, command.bet
    people_only(table, order, "reports what lies on the layout")
    if command.amount <= 0:
        raise BadCommand("chips that lie on a spot are more than nothing")
    if bet in OPENING:
        player = bettor(table, order, box, command.player)
        if bet == "progressive":
            check_jackpot_open(table, box)
        held = state.boxes.get(box)
        topics: tuple[str, ...] = (Topic.CHIP_POSITION_GOVERNS,)
    else:
        held = own_box(table, order, box)
        player = held.player
        topics = (_later_window(table, held, box, bet),)
    can_pay(table, order, player, more_chips(held, bet, command.amount))
    further = bet == "ante" and is_further(table, box, player)
    if bet in OPENING:
        comes_back(table, player)
    table.emit(
        ChipsReported(
            box=box, player=player, bet=bet, amount=command.amount, cites=table.cite(*topics)
        )
    )
    if further:
        tell_of_one_hand(table, box, player)


def _later_window(table: BankedTable, held: BoxState, box: int, bet: BetName) -> str:
    """Flop, Turn and River chips lie down in their own window only."""
    state = table.state
    topic = WINDOW_TOPICS[bet]
    if state.window() != bet:
        table.refuse(topic, f"It is not the time for a {bet.capitalize()} bet.")
    live = held.standing == "in for the finish" or (bet == "flop" and held.standing == "in")
    if not live:
        refuse_hand(table, box, held)
    if held.chosen and held.window > _BEFORE[bet] and not getattr(held, bet):
        table.refuse(topic, f"Box {box} has decided already.")
    return topic


_BEFORE = {"flop": 0, "turn": 1, "river": 2}


@chips.applies(ChipsReported)
def chips_reported(table: BankedTable, event: ChipsReported) -> None:
    new = event.box not in table.state.boxes or not getattr(table.state.boxes[event.box], event.bet)
    put(table, event.box, event.player, event.bet, event.amount)
    if event.bet in LATER and new:
        held = table.state.boxes[event.box]
        held.window += 1
        held.chosen.append(f"{event.bet} bet")
        if event.bet == "flop":
            held.standing = "in for the finish"
        onward(table)


# -- noticing a wrong bet -------------------------------------------------------------------------


@chips.decides(NoticeBet)
def notice_bet(table: BankedTable, order: Order[NoticeBet]) -> None:
    command, state = order.command, table.state
    box, bet = command.box, command.bet
    people_only(table, order, "acts on a bet of the wrong size")
    held = state.boxes.get(box)
    amount = getattr(held, bet) if held is not None else 0
    if held is None or not amount:
        raise BadCommand(f"there is no {bet} on box {box}")
    if bet != "ante" and bet in OPENING and not held.ante:
        _without_ante(table, box, bet, amount)
        return
    if bet in OPENING:
        least, most = limits(table, bet)
        in_time = state.phase == "bets open"
        over, under = Topic.OVER_MAXIMUM_IN_TIME, Topic.UNDER_MINIMUM_IN_TIME
        if not in_time:
            over, under = Topic.OVER_MAXIMUM_LATE, Topic.UNDER_MINIMUM_LATE
    else:
        least = most = right_size(table, held, bet)
        # 1.3: a window shuts when the next Community Cards are turned up, not when all have bet.
        in_time = bet in (state.window(), state.phase)
        over, under = Topic.OVERSIZED_BET, Topic.UNDERSIZED_BET
    wrong = over if amount > most else under if amount < least else None
    if wrong is None:
        raise BadCommand(f"the {bet} of {write_money(amount)} on box {box} is as it should be")
    if not in_time and bet in OPENING:
        table.refuse(wrong, "Bets are closed: it counts as the book says at settlement.")
    if not in_time:
        table.refuse(Topic.WRONG_SIZE_AT_SETTLEMENT, "Its window has shut; settlement sees to it.")
    if wrong is under and bet != "progressive":
        _check_somebody_decides(table, held, box, bet)
    table.emit(
        Announced(
            call=Call.WARNING,
            says=f"The {bet} of {write_money(amount)} on box {box} is not as displayed.",
            seat=box,
            cites=table.cite(Topic.PLAYER_MINDS_BET_SIZE),
        )
    )
    if wrong is over:
        table.emit(SurplusRefused(box=box, bet=bet, surplus=amount - most, cites=table.cite(over)))
    elif bet == "progressive":
        # B-23: before close a stake of the wrong size is rejected.
        table.emit(
            BetReturned(
                box=box,
                bet=bet,
                amount=amount,
                cites=table.cite(Topic.PLAYER_MINDS_BET_SIZE),
            )
        )
    else:
        table.ask(
            BELOW_THE_MINIMUM,
            f"The {bet} on box {box} must be at least {write_money(least)}.",
            _ways_to_put_right(table, held, least - amount),
            box,
            table.cite(under),
            about={"bet": bet, "least": least},
        )


def _check_somebody_decides(table: BankedTable, held: BoxState, box: int, bet: BetName) -> None:
    """Whoever has folded, or is gone, raises no bet and takes none back: it counts as it lies."""
    if held.standing in ("in", "in for the finish") and not is_gone(table.state, held.player):
        return
    late = Topic.UNDER_MINIMUM_LATE if bet in OPENING else Topic.UNDERSIZED_BET
    table.refuse(late, f"Nobody decides for box {box} any more; the {bet} counts as it lies.")


def _ways_to_put_right(table: BankedTable, held: BoxState, more: int) -> tuple[str, ...]:
    """He may raise it or take it back; raising it takes chips that he has."""
    chips = chips_of(table, held.player)
    return ("increase", "withdraw") if chips is None or chips >= more else ("withdraw",)


def _without_ante(table: BankedTable, box: int, bet: BetName, amount: int) -> None:
    """A jackpot bet without an Ante goes back (5.4); a Bonus bet by ruling (B-44)."""
    if table.state.is_settled():
        table.refuse(Topic.ROUND_OF_PLAY, "The round has been settled.")
    if bet == "progressive":
        cites = table.cite(Topic.JACKPOT_BET_WITHOUT_ANTE)
        table.emit(BetReturned(box=box, bet=bet, amount=amount, cites=cites))
    else:
        ask_bonus_without_ante(table, box)


@chips.answered(BELOW_THE_MINIMUM)
def made_up_or_withdrawn(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    assert isinstance(asked.of, int)
    bet: BetName = asked.about["bet"]
    held = table.state.boxes[asked.of]
    if taken.option == "increase":
        table.emit(BetMadeUp(box=asked.of, bet=bet, amount=asked.about["least"], cites=asked.cites))
        return
    for each in with_what_rests_on_it(bet):
        amount = getattr(held, each)
        if amount:
            table.emit(BetWithdrawn(box=asked.of, bet=each, amount=amount, cites=asked.cites))


@chips.applies(SurplusRefused)
def surplus_refused(table: BankedTable, event: SurplusRefused) -> None:
    held = table.state.boxes[event.box]
    put(table, event.box, held.player, event.bet, getattr(held, event.bet) - event.surplus)


@chips.applies(BetMadeUp)
def bet_made_up(table: BankedTable, event: BetMadeUp) -> None:
    put(table, event.box, table.state.boxes[event.box].player, event.bet, event.amount)


# -- chips that were meant for another spot -----------------------------------------------------


@chips.decides(ClaimMisplacedBet, while_waiting=True)
def claim_misplaced_bet(table: BankedTable, order: Order[ClaimMisplacedBet]) -> None:
    """What was meant is not a fact that the table accepts (B-62)."""
    command = order.command
    own_box(table, order, command.box)
    if table.state.phase == "bets open":
        table.refuse(
            Topic.CHIP_POSITION_GOVERNS, "Bets are open: withdraw the bet and place it rightly."
        )
    table.refuse(
        Topic.CHIP_POSITION_GOVERNS,
        f"The chips lay on {command.lies} when bets closed and are settled there.",
    )
