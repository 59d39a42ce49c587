"""Who may give which command for whom: the one place where that is decided.

A player speaks for himself alone. At a table where players act by their own devices nobody else
speaks for him either, whatever his rank: only the clock does, and what the book rules. At a table
where a person deals, the dealer enters what he saw players do. The ranks that the books ask for
are checked by the tables themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.house.office.standards import UNIQUE_ACCOUNTS
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


def for_a_player(table: Table[Any], order: Order[Command]) -> Refused | None:
    """Nobody of the staff acts for a player who has a device of his own."""
    if order.rank is PLAYER or order.rank is ActorRank.HOUSE or order.who in SOFTWARE:
        return None
    if not is_a_players(table, order.command) or not act_by_device(table):
        return None
    says = (
        f"Players act for themselves at this table: {order.who} cannot give "
        f"{order.command.tell()!r} for one of them."
    )
    return Refused((UNIQUE_ACCOUNTS,), says)


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
