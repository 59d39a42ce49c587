"""The Blinds and entry posts as they are placed, and the straddle.

v8 1.7, 1.8, 1.45, 1.47, 3.9 to 3.10.1; v5 3.7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from croupier.poker.commands import (
    DeclineStraddle,
    PostBlind,
    PostBlinds,
    Straddle,
)
from croupier.poker.events import (
    BlindPosted,
    StraddleDeclined,
    StraddlePlaced,
)
from croupier.poker.in_round import in_round
from croupier.poker.state import RoundState
from croupier.poker.wording import said_to
from croupier.rulebooks import Cites, Topic, Ways, number_of
from croupier.table import (
    ActorRank,
    Order,
    Room,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

blinds = Room("blinds")

PLAYER = ActorRank.PLAYER


# -- placing them ------------------------------------------------------------------------------


@blinds.decides(PostBlinds)
def post_blinds(table: PokerTable, order: Order[PostBlinds]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("collects the Blinds", Topic.BLIND)
    round_ = table.state.round
    if round_ is None or table.state.phase != "blinds":
        table.refuse(Topic.BLIND, "No Blinds are due.")
    for seat in tuple(round_.owes):
        _post(table, round_, seat)


@blinds.decides(PostBlind)
def post_blind(table: PokerTable, order: Order[PostBlind]) -> None:
    number = order.command.seat
    table.own_seat(order, number)
    round_ = table.state.round
    if round_ is None or table.state.phase != "blinds" or number not in round_.owes:
        table.refuse(Topic.WHO_POSTS_THE_BLINDS, f"Seat {number} owes no Blind.")
    _post(table, round_, number)


SMALL_BLIND = (
    Cites(Topic.SMALL_BLIND, Topic.TABLE_STAKE),
    Cites(Topic.SMALL_BLIND, Topic.ALL_IN, Topic.TABLE_STAKE),
)
BIG_BLIND = (
    Cites(Topic.BIG_BLIND, Topic.TABLE_STAKE),
    Cites(Topic.BIG_BLIND, Topic.ALL_IN, Topic.TABLE_STAKE),
)
ENTRY_POST = (
    Cites(Topic.BLIND, Topic.TABLE_STAKE),
    Cites(Topic.BLIND, Topic.ALL_IN, Topic.TABLE_STAKE),
)
"""Each with enough chips, and All-in."""


def _post(table: PokerTable, round_: RoundState, number: int) -> None:
    """A-09, A-45: with too few chips he posts what he has, the live part first."""
    live, dead = round_.owes[number]
    stake = table.state.seats[number].stake
    all_in = stake <= live + dead
    if all_in:
        live = min(live, stake)
        dead = stake - live
    kind = ENTRY_POST
    if number == round_.big_blind:
        kind = BIG_BLIND
    elif number == round_.small_blind:
        kind = SMALL_BLIND
    cites = table.by_book[kind[all_in]]
    table.emit(BlindPosted(seat=number, live=live, dead=dead, all_in=all_in, cites=cites))


@in_round(blinds, BlindPosted)
def blind_posted(table: PokerTable, round_: RoundState, event: BlindPosted) -> None:
    state = table.state
    seat, live, dead = event.seat, event.live, event.dead
    player = round_.players[seat]
    put = live + dead
    state.seats[seat].stake -= put
    player.bet += live
    if dead:
        player.dead += dead
        player.posted_dead += dead
    player.total += put
    player.blinds += put
    if event.all_in:
        player.all_in = True
        player.all_in_button = table.places_all_in_buttons
    round_.placed = True
    owes = round_.owes
    del owes[seat]
    if not owes:
        state.phase = "dealing"
        offer_straddle(table)


# -- the straddle ------------------------------------------------------------------------------


STRADDLE_PLAYERS = number_of("straddle-players")
STRADDLE_MULTIPLE = number_of("straddle")


def straddle_amount(table: PokerTable) -> int:
    """What a straddle is, exactly (v8 3.10)."""
    return table.by_book[STRADDLE_MULTIPLE] * table.state.settings.big_blind


class StraddleSeats(NamedTuple):
    """Who may straddle, in the order in which they are asked; and what anybody else is told."""

    of: Callable[[PokerTable, RoundState], tuple[int, ...]]
    refusal: str


def _left_of_big_blind(table: PokerTable, round_: RoundState) -> tuple[int, ...]:
    """A-10: the first Player dealt in left of whoever posts the Big Blind."""
    return (table.left_of(round_.big_blind),)


STRADDLE_SEATS = Ways(
    "straddle-seat",
    {
        "left-of-big-blind": StraddleSeats(
            of=_left_of_big_blind, refusal="Only seat {seat}, left of the Big Blind, may straddle."
        )
    },
)


def straddler(table: PokerTable) -> int | None:
    """Who is asked for a straddle before the deal: the first who may, has the chips, and has not
    declined."""
    state = table.state
    round_ = state.round
    if (
        not state.settings.straddle
        or round_ is None
        or state.phase != "dealing"
        or round_.straddle is not None
        or len(round_.order) < table.by_book[STRADDLE_PLAYERS]
    ):
        return None
    to = straddle_amount(table)
    for seat in table.by_book[STRADDLE_SEATS].of(table, round_):
        has = state.seats[seat].stake + round_.players[seat].bet
        if has >= to and seat not in round_.no_straddle_by:
            return seat
    return None


def offer_straddle(table: PokerTable) -> None:
    """Whoever may straddle is asked, as the chips lie now; else nobody is waited for."""
    if table.state.phase == "dealing":
        table.current_round().straddle_open = straddler(table) is not None


STRADDLED = Cites(Topic.STRADDLE, Topic.STRADDLE_AMOUNT, Topic.STRADDLER_ACTS_LAST)


@blinds.decides(Straddle)
def straddle(table: PokerTable, order: Order[Straddle]) -> None:
    command, state = order.command, table.state
    if not table.book.has(Topic.STRADDLE):
        table.refuse(Topic.BLIND, "This game has two Blinds and no straddle.")
    table.own_seat(order, command.seat)
    round_ = state.round
    if not state.settings.straddle:
        table.refuse(Topic.STRADDLE, "No straddle is taken at this table.")
    if round_ is None or not round_.open or state.phase not in ("blinds", "dealing"):
        table.refuse(Topic.STRADDLE_AMOUNT, "A straddle is placed before the Initial Deal only.")
    if state.phase == "blinds":
        table.refuse(Topic.STRADDLE, "The Blinds come first.")
    if len(round_.order) < table.by_book[STRADDLE_PLAYERS]:
        table.refuse(
            Topic.STRADDLE_MINIMUM_PLAYERS, "A straddle needs three or more Active Players."
        )
    if round_.straddle is not None:
        table.refuse(Topic.STRADDLE_AMOUNT, "There is one straddle and no more.")
    seats = table.by_book[STRADDLE_SEATS]
    seat, may = command.seat, seats.of(table, round_)
    first = straddler(table) if round_.straddle_open else None
    if seat not in may or first not in (None, seat):
        table.refuse_with(
            (Topic.STRADDLE, Topic.STRADDLE_AMOUNT),
            seats.refusal.format(seat=may[0] if first is None else first),
        )
    to = straddle_amount(table)
    if command.to is not None and command.to != to:
        table.refuse(Topic.STRADDLE_AMOUNT, f"A straddle is exactly {write_money(to)}.")
    stake = state.seats[seat].stake + round_.players[seat].bet
    if stake < to:
        says = (
            said_to(order, seat, "{You} {have} ") + f"{write_money(stake)}, not {write_money(to)}."
        )
        table.refuse(Topic.STRADDLE_AMOUNT, says)
    table.emit(StraddlePlaced(seat=seat, to=to, all_in=stake == to, cites=table.by_book[STRADDLED]))


@in_round(blinds, StraddlePlaced)
def straddle_placed(table: PokerTable, round_: RoundState, event: StraddlePlaced) -> None:
    state = table.state
    player = round_.players[event.seat]
    put = event.to - player.bet
    state.seats[event.seat].stake -= put
    player.bet = event.to
    player.total += put
    player.blinds += put
    player.all_in = event.all_in
    player.all_in_button = event.all_in and table.places_all_in_buttons
    round_.straddle = event.seat
    round_.straddle_open = False


NOT_STRADDLED = Cites(Topic.STRADDLE)


@blinds.decides(DeclineStraddle)
def decline_straddle(table: PokerTable, order: Order[DeclineStraddle]) -> None:
    if not table.book.has(Topic.STRADDLE):
        table.refuse(Topic.BLIND, "This game has two Blinds and no straddle.")
    table.own_seat(order, order.command.seat)
    round_ = table.state.round
    if round_ is None or not round_.straddle_open or straddler(table) != order.command.seat:
        says = said_to(order, order.command.seat, "{You} {are} not offered a straddle.")
        table.refuse(Topic.STRADDLE, says)
    table.emit(StraddleDeclined(seat=order.command.seat, cites=table.by_book[NOT_STRADDLED]))


@in_round(blinds, StraddleDeclined)
def straddle_declined(table: PokerTable, round_: RoundState, event: StraddleDeclined) -> None:
    round_.no_straddle_by.append(event.seat)
    offer_straddle(table)
