"""What a player's own limits forbid, and what he has played: his statement (S-43).

Asked before a table or the cage hears of new money. Nothing here keeps anybody from leaving, from
finishing a round, or from taking money out.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from croupier.house.moved import MovedLately
from croupier.house.office.commands import CashIn, Transfer
from croupier.house.office.duty import REST
from croupier.house.office.duty import SESSION as SESSION
from croupier.house.office.own_limits import limit_at, told_limit
from croupier.house.office.standards import OWN_LIMITS
from croupier.house.office.state import OfficeState
from croupier.house.permissions import whose_act
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Command, Order, Refused, Table
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.house.house import House


def stays_away(state: OfficeState, player: str, now: datetime) -> str:
    """Why a player does not play now, by his own wish, if so."""
    person = state.people.get(player)
    if person is None or person.away_until is None or person.away_until <= now:
        return ""
    what = "is excluded" if person.excluded else "takes a break"
    return f"{player} {what} until {person.away_until:%d %b %Y %H:%M} UTC, by their own wish."


def over_session(state: OfficeState, player: str, now: datetime) -> str:
    """Why the session of a player is over by his own limit, if so."""
    person = state.people.get(player)
    most = limit_at(person.own_limits, "session", now) if person is not None else None
    here = any(s.name == player and s.until > now for s in state.sessions.values())
    began = person.played_from if person is not None and here else None
    if most is None or began is None or now - began < timedelta(minutes=most):
        return ""
    return (
        f"Your session limit of {told_limit('session', most)} is over: log out, and rest for "
        f"{REST // timedelta(minutes=1)} minutes."
    )


def at_the_cage(moved: MovedLately, state: OfficeState, order: Order[Command]) -> Refused | None:
    """Whether a player has limited what he pays in on a day to less than this; what somebody else
    passes on to him counts too."""
    match order.command:
        case CashIn(player=player, amount=amount) | Transfer(payee=player, amount=amount):
            why = stays_away(state, player, order.when)
            if why:
                return Refused((OWN_LIMITS,), why)
            return _deposit(moved, state, player, amount, order.when)
        case _:
            return None


def _deposit(
    moved: MovedLately, state: OfficeState, player: str, amount: int, now: datetime
) -> Refused | None:
    """Whether a player has limited what he pays in on a day to less than this."""
    person = state.people.get(player)
    most = limit_at(person.own_limits, "deposit", now) if person is not None else None
    if most is None:
        return None
    paid = moved.of(player, now, state.places).paid_in
    return _within("deposit", most, paid, amount)


def at_a_table(
    house: House,
    moved: MovedLately,
    state: OfficeState,
    table: Table[Any],
    order: Order[Command],
) -> Refused | None:
    """Whether a player has limited himself to less than what he is about to do."""
    if order.rank is ActorRank.HOUSE:
        return None  # as where the office relocates a player: no new money comes
    command, port = order.command, GAMES.port_of(table)
    buying = table.buying(command)
    enters = isinstance(command, (*port.enters, *port.sits))
    who = (buying[0],) if buying is not None else whose_act(table, order) if enters else ()
    for player in who:
        why = stays_away(state, player, order.when) or over_session(state, player, order.when)
        if why:
            return Refused((OWN_LIMITS,), why)
    if buying is None:
        return None
    player = buying[0]
    if house.behalf is not None and house.behalf.word == "cash":  # paid in at the table
        refused = _deposit(moved, state, player, buying[1], order.when)
        if refused is not None:
            return refused
    person = state.people.get(player)
    most = limit_at(person.own_limits, "loss", order.when) if person is not None else None
    if most is None:
        return None
    return _within("loss", most, moved.of(player, order.when, state.places).lost, buying[1])


def _within(limit: str, most: int, so_far: int, more: int) -> Refused | None:
    """What lies on a table counts as lost until it comes back: it may be."""
    if so_far + more <= most:
        return None
    left = write_money(max(0, most - so_far))
    says = f"Your {limit} limit is {told_limit(limit, most)}; {left} of it is left now."
    return Refused((OWN_LIMITS,), says)
