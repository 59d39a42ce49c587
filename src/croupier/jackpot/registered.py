"""The amount registered before a fault, on which a round is paid (5.17.1, B-57, B-64).

It is kept for each table from the fault on, of its own device or of the whole link, until that
table's round ends. What others add, win or take back meanwhile does not change it, nor does a
repair; awards on the same registered amount run it down, in their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.jackpot.events import AmountForgotten, AmountRegistered
from croupier.jackpot.meter import from_a_table
from croupier.jackpot.state import Claim, LinkState, Register, TableRound
from croupier.rulebooks import Topic
from croupier.table import ForgetAmount, Order, RegisterAmount, Room

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink

registered = Room("registered")


@registered.decides(RegisterAmount, while_waiting=True)
def register_amount(link: JackpotLink, order: Order[RegisterAmount]) -> None:
    """The first fault of the round counts: what was registered before a later one is less old."""
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    last = state.rounds.get(command.table)
    if last is None or last.round != command.round or last.register is not None:
        return
    link.emit(
        AmountRegistered(
            table=command.table,
            round=command.round,
            amount=state.meter - _never_taken(state),
            cites=link.cite(Topic.JACKPOT_FAULT_SEEN),
        )
    )


def _never_taken(state: LinkState) -> int:
    """What was entered for stakes that no device had taken, and comes off after the claims."""
    inside = state.epochs_in_the_meter()
    waits = [x.posting for x in state.later if x.unregistered]
    return sum(posting.inside(inside) for posting in waits)


@registered.applies(AmountRegistered)
def amount_registered(link: JackpotLink, event: AmountRegistered) -> None:
    state = link.state
    state.rounds[event.table].register = begin_register(state, event.amount, event.table)


def begin_register(state: LinkState, amount: int, table: str = "") -> int:
    """Keep an amount, and forget those that no round is paid on any more."""
    used = {last.register for last in state.rounds.values()} | {state.register}
    state.registers = {n: kept for n, kept in state.registers.items() if n in used}
    inside = state.revived = state.epochs_in_the_meter()
    state.marks += 1
    number = state.marks
    state.registers[number] = Register(
        amount=amount,
        epoch=state.epoch,
        table=table,
        inside=list(inside),
        resets=state.resets,
        came_in=state.came_in(),
    )
    return number


def register_for_all(state: LinkState, amount: int) -> None:
    """The whole link has failed: the same amount for every table with a round under way."""
    state.registered = amount
    number = state.register = begin_register(state, amount)
    for name, last in state.rounds.items():
        if last.register is None and under_way(state, name, last):
            last.register = number


def under_way(state: LinkState, table: str, last: TableRound) -> bool:
    """Whether the jackpot of a table's round is still to be played for or paid."""
    waits = any((c.table, c.round) == (table, last.round) for c in state.claims)
    return waits or (bool(last.boxes) and not last.over)


@registered.decides(ForgetAmount, while_waiting=True)
def forget_amount(link: JackpotLink, order: Order[ForgetAmount]) -> None:
    command, state = order.command, link.state
    from_a_table(link, order, command.table)
    last = state.rounds.get(command.table)
    if last is None or last.round != command.round or last.register is None:
        return
    if state.registers[last.register].table:  # The link's own fault is another matter.
        cites = link.cite(Topic.JACKPOT_FAULT_SEEN)
        link.emit(AmountForgotten(table=command.table, round=command.round, cites=cites))


@registered.applies(AmountForgotten)
def amount_forgotten(link: JackpotLink, event: AmountForgotten) -> None:
    link.state.rounds[event.table].register = None


# -- paying on it ---------------------------------------------------------------------------------


def register_of(state: LinkState, claim: Claim) -> int | None:
    """Which registered amount a claim is paid on, if it is."""
    last = state.rounds.get(claim.table)
    if last is not None and last.round == claim.round and last.register in state.registers:
        return last.register
    return state.register


def registered_for(state: LinkState, claim: Claim) -> int | None:
    """The amount registered for a claim, or none where the meter itself is paid from."""
    number = register_of(state, claim)
    return state.registers[number].amount if number is not None else state.registered


def came_in_since(state: LinkState, claim: Claim) -> int:
    """What has come in since an amount was registered for a claim and was not won meanwhile: not
    the seed of another jackpot, nor what the House topped the meter up by (1.20)."""
    number = register_of(state, claim)
    if number is None:
        return state.meter
    register = state.registers[number]
    if register.resets == state.resets:
        return max(state.came_in() - register.came_in, 0)
    stayed = state.at_last_reset - state.settings.reset_value
    return max(state.came_in() + stayed, 0)


def registered_tables(state: LinkState) -> dict[str, int]:
    """The amounts that rounds under way are paid on."""
    return {
        name: state.registers[last.register].amount
        for name, last in sorted(state.rounds.items())
        if last.register is not None
        and last.register in state.registers
        and under_way(state, name, last)
    }
