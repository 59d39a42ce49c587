"""Who may give which command for whom: the one place where that is decided.

Staff act while they are on duty, with a licence that is good, at the tables that they are assigned
to. A player speaks for himself alone. At a table that deals by itself, or where players act by
their own devices, nobody else speaks for him, whatever his rank: only the clock does, and what the
book rules. At a table where a person deals and sees them act, the dealer enters what he saw; but to
seat a player or to take money from his account needs the player's own word, or cash. The ranks that
the books ask for are checked by the tables themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.house.behalf import Behalf
from croupier.house.office.holds import hold_at, told_hold
from croupier.house.office.roster import assignment_at, why_unlicensed
from croupier.house.office.standards import COMPLAINTS, LICENSED, UNIQUE_ACCOUNTS
from croupier.house.office.state import OfficeState
from croupier.house.software import SOFTWARE
from croupier.pit.registry import GAMES
from croupier.pit.ruling import Ruling
from croupier.table import ActorRank, Command, Decide, DecisionNeeded, Order, Refused, Table

PLAYER = ActorRank.PLAYER
NOT_HIS = "not a player's command"


class Objection(Struct, frozen=True, kw_only=True):
    """Why a player may not give a command; `code` is the protocol's."""

    code: str
    says: str


def players_own(name: str, command: Command) -> Objection | None:
    """A player speaks for himself alone; the table checks the rest."""
    if not command.players_may:
        return Objection(code=NOT_HIS, says=f"{command.tell()!r} is for the dealer or the House.")
    for_whom = getattr(command, "player", None)
    if for_whom is not None and for_whom != name:
        return Objection(code=NOT_HIS, says=f"You are {name} and cannot speak for {for_whom}.")
    if getattr(command, "cards", ()):
        # Whether a card named here is the right one would tell where cards lie face down.
        says = "The table knows the cards; leave them out."
        return Objection(code="bad command", says=says)
    if lacks := command.lacks():
        return Objection(code="bad command", says=lacks)
    return None


def acts_here(state: OfficeState, place: str, order: Order[Command]) -> Refused | None:
    """Staff act on duty, in the rank of their post or below, where they are assigned to."""
    who, rank = order.who, order.rank
    if rank is PLAYER or rank is ActorRank.HOUSE or who in SOFTWARE:
        return None
    person, duty = state.people.get(who), state.duty.get(who)
    if person is None or person.kind != "staff" or person.disabled:
        return Refused((UNIQUE_ACCOUNTS,), f"{who} is no member of staff who may act here.")
    if duty is None or not _RANKS.get(duty.post, PLAYER).is_at_least(rank):
        post = f"on duty as {duty.post} only" if duty is not None else "not on duty"
        return Refused((UNIQUE_ACCOUNTS,), f"{who} is {post}, and cannot act as {rank.value}.")
    unlicensed = why_unlicensed(state, person, who, order.when)
    if unlicensed:
        return Refused((LICENSED,), unlicensed)
    if not assignment_at(state, who, place, order.when):
        says = f"{who} is not assigned to table {place}; ask a pit supervisor or above."
        return Refused((UNIQUE_ACCOUNTS,), says)
    return None


def held_by_another(state: OfficeState, place: str, order: Order[Command]) -> Refused | None:
    """While somebody holds a table for a ruling, nobody else acts there; the software itself knows
    that it waits (`croupier.live.scheduler`)."""
    hold = hold_at(state, place, order.when)
    if hold is None or hold.by == order.who or order.who in SOFTWARE:
        return None
    if order.rank is PLAYER:
        return Refused((COMPLAINTS,), "A ruling is being made at this table; it goes on after it.")
    return Refused((COMPLAINTS,), told_hold(place, hold))


_RANKS = {rank.value: rank for rank in ActorRank}


def for_a_player(
    table: Table[Any], order: Order[Command], behalf: Behalf | None = None
) -> Refused | None:
    """Staff enter a player's act only where a person deals and sees it, and move his money only on
    his word; `behalf` is what was said with the order."""
    if order.rank is PLAYER or order.rank is ActorRank.HOUSE or order.who in SOFTWARE:
        return None
    command = order.command
    if not is_a_players(table, command):
        return None
    if not is_seen(table):
        says = (
            f"Players act for themselves at this table: {order.who} cannot give "
            f"{command.tell()!r} for one of them."
        )
        return Refused((UNIQUE_ACCOUNTS,), says)
    if needs_word(table, command) and (behalf is None or behalf.word not in ("pin", "cash")):
        whose = " and ".join(for_whom(table, command)) or "a player"
        says = (
            f"To seat {whose} or to take money from the account needs the player's own word: "
            "an order by the player's own device, the PIN, or cash."
        )
        return Refused((UNIQUE_ACCOUNTS,), says)
    return None


def is_seen(table: Table[Any]) -> bool:
    """Whether a person deals here and enters what he sees players do."""
    port = GAMES.port_of(table)
    return table.state.opened and not port.deals_itself(table) and not port.acts_by_device(table)


def needs_word(table: Table[Any], command: Command) -> bool:
    """Whether a command seats a player, or takes money from his account."""
    return table.buying(command) is not None or isinstance(command, GAMES.port_of(table).sits)


def for_whom(table: Table[Any], command: Command) -> tuple[str, ...]:
    """For which players a command of staff acts; none where it acts for nobody."""
    if not is_a_players(table, command):
        return ()
    named = getattr(command, "player", None)
    if named:
        return (named,)
    seat = getattr(command, "seat", None) or getattr(command, "box", None)
    if isinstance(command, Decide):
        asked = (n for n in table.state.waiting if isinstance(n, DecisionNeeded))
        seat = next((n.of for n in asked if n.decision == command.decision), None)
    if isinstance(seat, int):
        who = table.player_at(seat)
        return (who,) if who is not None else ()
    return tuple(sorted(GAMES.port_of(table).dealt_in(table)))  # such as `post blinds`


def whose_act(table: Table[Any], order: Order[Command]) -> tuple[str, ...]:
    """Which players an order acts for: whoever gives it, or those for whom staff enter it."""
    if order.rank is PLAYER:
        return (order.who,)
    by_staff = order.rank is not ActorRank.HOUSE and order.who not in SOFTWARE
    return for_whom(table, order.command) if by_staff else ()


def act_by_device(table: Table[Any]) -> bool:
    """Whether players act by their own devices here, and not before the eyes of a dealer."""
    return table.state.opened and GAMES.port_of(table).acts_by_device(table)


def is_a_players(table: Table[Any], command: Command) -> bool:
    """Whether a command is a player's own act: his seat, his chips, his cards, his decision."""
    if isinstance(command, Decide):
        return any(
            isinstance(need, DecisionNeeded)
            and need.decision == command.decision
            and not isinstance(need.of, ActorRank)
            for need in table.state.waiting
        )
    return command.players_may or isinstance(command, GAMES.port_of(table).seen)


# -- at the ruling desk ---------------------------------------------------------------------------


def decides_ruling(rank: ActorRank, ruling: Ruling | None) -> Objection | None:
    """Whoever writes down what was decided has the rank that the ruling asks for: of whoever must
    sign it, or to whom the book leaves it, and never less than a Pit Supervisor's. A dealer asks,
    and may leave a note."""
    needed = _rank_for(ruling)
    if rank.is_at_least(needed):
        return None
    says = (
        f"What was decided here is written down by a {needed.title} or above who is on duty; "
        "you may leave a note."
    )
    return Objection(code="not yours to decide", says=says)


def _rank_for(ruling: Ruling | None) -> ActorRank:
    highest = ActorRank.PIT_SUPERVISOR
    for rank in _ranks_in(ruling) if ruling is not None else ():
        if rank.is_at_least(highest):
            highest = rank
    return highest


def _ranks_in(ruling: Ruling) -> Iterator[ActorRank]:
    """Who must sign a ruling, and who of the staff has something to decide in it."""
    titles = {rank.title: rank for rank in ActorRank}
    yield from (titles[title] for title in ruling.signed_by)
    yield from (titles[one.of] for one in ruling.decisions if one.by == "staff")
