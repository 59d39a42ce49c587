"""Seats and Table Stakes: sitting down, adding, going away, coming back, leaving.

v8 1.42, 3.2, 3.3, 3.7 and 5.7.2; v5 3.4. What somebody pays to come in is settled when the Blinds
are called (`positions`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from croupier.poker.commands import Leave, ReduceStake, Relocate, ReturnToSeat, Sit, SitOut, TopUp
from croupier.poker.entries import SEATS_BY_THE_BOOK
from croupier.poker.events import (
    CameBack,
    LeftTable,
    Relocated,
    SatDown,
    StakeAdded,
    StakeReduced,
    WentAbsent,
)
from croupier.poker.positions import can_play, leaves_it_for_the_button
from croupier.poker.state import PokerState, SeatState
from croupier.poker.wording import said_to
from croupier.rulebooks import Topic, Ways
from croupier.table import (
    ActorRank,
    BadCommand,
    Choice,
    DecisionNeeded,
    DecisionTaken,
    Order,
    Room,
)
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

seating = Room("seating")

STAKES_ONLY_GROW = Ways("stake-between-rounds", {"add-only": True, "add-or-reduce": False})

PLAYER = ActorRank.PLAYER

LESS = "comes back with less"
THREE_MISSED = "three missed big blinds"
DEPARTED_AT_MOST = 64
"""How many of those who left are remembered with their stakes. A limit on everything."""


@seating.decides(Sit, while_waiting=True)
def sit(table: PokerTable, order: Order[Sit]) -> None:
    command, state = order.command, table.state
    _check_free(table, order)
    _check_stake(table, command.stake, command.stake)
    took = state.departed.get(command.player, 0)
    if table.by_book[STAKES_ONLY_GROW] and command.stake < took:
        if is_asked_with_less(table, command.player):
            table.refuse_with(
                (Topic.STAKE_REDUCED, Topic.DISCRETION_UNCOVERED),
                f"Whether {command.player} may come back with less is being asked.",
            )
        # nobody may take chips off the table, and whether leaving and coming back with less
        # is that, the text does not say.
        table.ask(
            LESS,
            f"{command.player} left with {write_money(took)} and wants to come back with "
            f"{write_money(command.stake)}. Is that accepted?",
            (
                Choice(name="accept", says="The player sits down with that."),
                Choice(name="refuse", says="The player does not sit down."),
            ),
            ActorRank.SHIFT_MANAGER,
            table.paragraphs(Topic.STAKE_REDUCED, Topic.DISCRETION_UNCOVERED),
            holds=False,
            about={"seat": command.seat, "player": command.player, "stake": command.stake},
        )
        return
    _sat(table, command.seat, command.player, command.stake)


def is_asked_with_less(table: PokerTable, player: str) -> bool:
    """Whether it is open if somebody may come back with less: it is asked once and not again."""
    return any(need.about["player"] == player for need in table.asking(LESS))


def _sat(table: PokerTable, seat: int, player: str, stake: int) -> None:
    topics = (Topic.TABLE_STAKE_ON_ENTRY, Topic.SEATED_PLAYER, Topic.SEATED_PLAYERS_ONLY)
    table.emit(SatDown(seat=seat, player=player, stake=stake, cites=table.paragraphs(*topics)))


@seating.answered(LESS)
def came_back_with_less(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    """The seat, or the player, may have been taken meanwhile: then there is nothing to accept."""
    about: dict[str, Any] = asked.about
    seats = table.state.seats
    sits = any(seat.player == about["player"] for seat in seats.values())
    if taken.option == "accept" and about["seat"] not in seats and not sits:
        _sat(table, about["seat"], about["player"], about["stake"])


@seating.decides(Relocate, while_waiting=True)
def relocate(table: PokerTable, order: Order[Relocate]) -> None:
    command = order.command
    if order.rank is PLAYER:
        table.only_the_dealer("brings a player from another table", Topic.RELOCATED_PLAYER)
    if not table.by_book[SEATS_BY_THE_BOOK]:
        # P-28: the text knows no relocation; he sits down like anybody, and the House decides.
        _check_free(table, order)
        _sat(table, command.seat, command.player, command.stake)
        return
    _check_free(table, order)
    _check_chips(table, command.stake)
    table.emit(
        Relocated(
            seat=command.seat,
            player=command.player,
            stake=command.stake,
            cites=table.paragraphs(Topic.RELOCATED_PLAYER, Topic.PIT_EMPLOYEE),
        )
    )


@seating.decides(TopUp, while_waiting=True)
def top_up(table: PokerTable, order: Order[TopUp]) -> None:
    command, state = order.command, table.state
    seat = table.own_seat(order, command.seat)
    _check_chips(table, command.amount)
    _not_in_round(table, order, Topic.STAKE_ADDED, "Chips are added between rounds")
    stake = seat.stake + command.amount
    # the minimum counts on entry and on buying in again from nothing.
    _check_stake(table, stake, command.amount if seat.stake == 0 else state.settings.minimum_stake)
    table.emit(
        StakeAdded(
            seat=command.seat,
            player=seat.player,
            amount=command.amount,
            cites=table.paragraphs(Topic.STAKE_ADDED, Topic.TABLE_STAKE),
        )
    )


@seating.decides(ReduceStake, while_waiting=True)
def reduce_stake(table: PokerTable, order: Order[ReduceStake]) -> None:
    command = order.command
    seat = table.own_seat(order, command.seat)
    _check_chips(table, command.amount)
    if table.by_book[STAKES_ONLY_GROW]:
        table.refuse(Topic.STAKE_REDUCED, "Chips stay on the table, also between rounds.")
    _not_in_round(table, order, Topic.STAKE_REDUCED, "Chips are taken away between games")
    if command.amount >= seat.stake:
        raise BadCommand(
            f"seat {command.seat} has {write_money(seat.stake)} on the table; "
            "to take it all is to leave"
        )
    table.emit(
        StakeReduced(
            seat=command.seat,
            player=seat.player,
            amount=command.amount,
            cites=table.paragraphs(Topic.STAKE_REDUCED),
        )
    )


@seating.decides(SitOut, while_waiting=True)
def sit_out(table: PokerTable, order: Order[SitOut]) -> None:
    command, state = order.command, table.state
    seat = table.own_seat(order, command.seat)
    if not seat.here and not (command.returns and not seat.returns):
        raise BadCommand(f"seat {command.seat} is away already")
    if not may_sit_out(state, command.seat):
        again = state.round is not None and state.round.restarts
        table.refuse_with(
            (Topic.MISDEAL_RESTART if again else Topic.ROUND_OF_PLAY, Topic.TABLE_STAKE),
            said_to(order, command.seat, "{You} {are} in the round and may fold, and go then."),
        )
    topics = (Topic.MISSED_BLINDS, Topic.WHO_POSTS_THE_BLINDS)
    table.emit(
        WentAbsent(seat=command.seat, returns=command.returns, cites=table.paragraphs(*topics))
    )
    if _is_called(state, command.seat) and _nothing_posted(state):
        # He was called upon for this round and is away: the Blinds are called anew.
        table.call_again()


@seating.decides(ReturnToSeat, while_waiting=True)
def return_to_seat(table: PokerTable, order: Order[ReturnToSeat]) -> None:
    seat = table.own_seat(order, order.command.seat)
    if seat.here:
        raise BadCommand(f"seat {order.command.seat} is not away")
    topics = (Topic.MISSED_BLINDS, Topic.WHO_POSTS_THE_BLINDS)
    table.emit(CameBack(seat=order.command.seat, cites=table.paragraphs(*topics)))


@seating.decides(Leave, while_waiting=True)
def leave(table: PokerTable, order: Order[Leave]) -> None:
    number = order.command.seat
    table.own_seat(order, number)
    says = said_to(order, number, "{You} {are} in this round and may leave when it is settled.")
    leave_seat(table, number, says)


def leave_seat(table: PokerTable, number: int, says: str, *, found: bool = False) -> None:
    """Let a player go with his chips; not while some of them are in a Round of play, which may
    give them back to him."""
    state = table.state
    if not may_leave(state, number):
        table.refuse_with((Topic.ROUND_OF_PLAY, Topic.TABLE_STAKE), says)
    topics = (Topic.BUTTON_MOVES, Topic.ABSENT_SMALL_BLIND)
    if found:
        topics = (Topic.THREE_MISSED_BIG_BLINDS, Topic.BUTTON_MOVES)
    table.emit(
        LeftTable(
            seat=number,
            player=state.seats[number].player,
            stake=state.seats[number].stake,
            found=found,
            missed=state.seats[number].misses if found else 0,
            cites=table.paragraphs(*topics),
        )
    )


# -- what is checked ---------------------------------------------------------------------------


def may_leave(state: PokerState, number: int) -> bool:
    """Whether no chips of a player are in a Round of play, which may give them back to him."""
    round_ = state.round
    if round_ is None or not round_.open or number not in round_.players:
        return True
    player = round_.players[number]
    posts = player.total or number in round_.posts
    return not (posts or state.phase in ("blinds", "dealing") or player.active)


def may_sit_out(state: PokerState, number: int) -> bool:
    """Whether a player may go away from his seat: he is not in the round, or it may do without."""
    round_ = state.round
    if round_ is None or not _is_called(state, number) or _nothing_posted(state):
        return True
    return not round_.players[number].active


def may_add_chips(table: PokerTable, number: int) -> bool:
    """Whether chips may be added to a stake now, as this book has it (`_not_in_round`)."""
    round_ = table.state.round
    if round_ is None or not round_.open:
        return True
    if table.by_book[STAKES_ONLY_GROW]:
        return False
    return number not in round_.players or not round_.players[number].active


def _is_called(state: PokerState, number: int) -> bool:
    round_ = state.round
    return round_ is not None and round_.open and number in round_.order


def _nothing_posted(state: PokerState) -> bool:
    """Whether the Blinds can still be called anew. After a Misdeal they cannot: the same Players
    post again, and nobody joins (v8 5.3.6, A-25)."""
    round_ = state.round
    return state.phase == "blinds" and round_ is not None and not (round_.placed or round_.restarts)


def _check_free(table: PokerTable, order: Order[Sit] | Order[Relocate]) -> None:
    command, state = order.command, table.state
    if command.seat > state.settings.seats:
        raise BadCommand(f"there is no seat {command.seat}; the table has {state.settings.seats}")
    _check_chips(table, command.stake)
    if order.rank is PLAYER and order.who != command.player:
        table.refuse_with(
            (Topic.NO_PROXY_DECISIONS, Topic.SEATED_PLAYER, Topic.TABLE_STAKE_ON_ENTRY),
            f"{order.who} cannot sit down for {command.player}.",
        )
    taken = state.seats.get(command.seat)
    if taken is not None:
        table.refuse_with(
            (Topic.SEATED_PLAYERS_ONLY, Topic.SEATED_PLAYER, Topic.TABLE_STAKE_ON_ENTRY),
            f"Seat {command.seat} is taken by {taken.player}.",
        )
    for number, sitter in state.seats.items():
        if sitter.player == command.player:
            table.refuse_with(
                (Topic.SEATED_PLAYERS_ONLY, Topic.SEATED_PLAYER, Topic.TABLE_STAKE_ON_ENTRY),
                f"{command.player} sits at seat {number} already.",
            )


def _check_chips(table: PokerTable, amount: int) -> None:
    """Chips are more than nothing and a whole number of the smallest one."""
    smallest = table.smallest_chip
    if amount <= 0 or amount % smallest:
        raise BadCommand(
            f"{write_money(amount)} cannot be chips here: an amount is more than nothing and a "
            f"whole number of the smallest chip, {write_money(smallest)}"
        )


def _check_stake(table: PokerTable, stake: int, brought: int) -> None:
    settings = table.state.settings
    if brought < settings.minimum_stake:
        least = write_money(settings.minimum_stake)
        table.refuse(Topic.TABLE_STAKE_ON_ENTRY, f"The least Table Stake is {least}.")
    if settings.maximum_stake is not None and stake > settings.maximum_stake:
        most = write_money(settings.maximum_stake)
        table.refuse(Topic.MAXIMUM_TABLE_STAKE, f"The most on the table is {most}.")


def _not_in_round(
    table: PokerTable, order: Order[TopUp] | Order[ReduceStake], topic: Topic, says: str
) -> None:
    """v8: nobody during a Round of play (3.7.1). v5: nobody who is active in it (3.4, P-13)."""
    seat = order.command.seat
    if may_add_chips(table, seat):
        return
    if table.by_book[STAKES_ONLY_GROW]:
        table.refuse(topic, f"{says} only.")
    table.refuse(topic, said_to(order, seat, f"{says}, or when {{you}} {{have}} folded."))


# -- what changes ------------------------------------------------------------------------------


@seating.applies(SatDown)
def sat_down(table: PokerTable, event: SatDown) -> None:
    _new_seat(table, event, "new")


@seating.applies(Relocated)
def relocated(table: PokerTable, event: Relocated) -> None:
    _new_seat(table, event, "relocated")


def _new_seat(table: PokerTable, event: SatDown | Relocated, entry: Any) -> None:
    state = table.state
    state.seats[event.seat] = SeatState(player=event.player, stake=event.stake, entry=entry)
    state.seats = dict(sorted(state.seats.items()))
    state.brought += event.stake
    state.departed.pop(event.player, None)


@seating.applies(StakeAdded)
def stake_added(table: PokerTable, event: StakeAdded) -> None:
    seat = table.state.seats[event.seat]
    seat.stake += event.amount
    table.state.brought += event.amount
    _is_there_again(seat)
    _nobody_asks(table, event.seat)


@seating.applies(StakeReduced)
def stake_reduced(table: PokerTable, event: StakeReduced) -> None:
    table.state.seats[event.seat].stake -= event.amount
    table.state.brought -= event.amount


@seating.applies(WentAbsent)
def went_absent(table: PokerTable, event: WentAbsent) -> None:
    """A-52: whoever owes for a missed Big Blind and goes again is passed over again. How somebody
    was to come in was for the Blinds about to be called, and what the House ruled on those who were
    away was not about whoever goes now (P-28)."""
    state = table.state
    seat = state.seats[event.seat]
    if seat.here:
        state.absent_ruling = state.absent_big_ruling = ""
    seat.here = False
    seat.decided = ""
    seat.returns = seat.returns or event.returns
    seat.rotates = seat.rotates and not seat.missed_big


@seating.applies(CameBack)
def came_back(table: PokerTable, event: CameBack) -> None:
    seat = table.state.seats[event.seat]
    seat.here = True
    seat.returns = False
    _is_there_again(seat)
    _nobody_asks(table, event.seat)


def _is_there_again(seat: SeatState) -> None:
    """A-52: a seat is passed over until its player returns, so from now on it is not. Whoever has
    no chips has nothing to play with, and has not (3.7)."""
    seat.rotates = seat.rotates or (seat.entry == "in" and can_play(seat))


@seating.applies(LeftTable)
def left_table(table: PokerTable, event: LeftTable) -> None:
    state = table.state
    seat = state.seats[event.seat]
    if table.by_book[SEATS_BY_THE_BOOK] and leaves_it_for_the_button(state, event.seat):
        state.vacated.append(event.seat)
    round_ = state.round
    if round_ is not None and event.seat in round_.players:
        round_.players[event.seat].left = True
    state.brought -= event.stake
    state.departed.pop(seat.player, None)
    state.departed[seat.player] = event.stake
    while len(state.departed) > DEPARTED_AT_MOST:
        del state.departed[next(iter(state.departed))]
    del state.seats[event.seat]
    _nobody_asks(table, event.seat)
    # what was asked of coming back was about what the player had left with before.
    _drop(table, LESS, lambda about: about["player"] == event.player)


def _nobody_asks(table: PokerTable, number: int) -> None:
    """Whether somebody returns is no question any more once he has, or has left."""
    state = table.state
    seat = state.seats.get(number)
    if state.waiting and (seat is None or can_play(seat)):
        drop_questions(table, {number})


def drop_questions(table: PokerTable, seats: Collection[int]) -> None:
    """Whether these return is not asked any more."""
    _drop(table, THREE_MISSED, lambda about: about["seat"] in seats)


def _drop(table: PokerTable, question: str, about: Callable[[dict[str, Any]], bool]) -> None:
    """A question is not asked any more of whom this is true."""
    state = table.state
    if state.waiting:
        state.waiting = [
            need
            for need in state.waiting
            if not (
                isinstance(need, DecisionNeeded) and need.question == question and about(need.about)
            )
        ]
