"""Who may do what: players for their own boxes, the dealer and above for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from croupier.banked.events import NOT_SHOWN, WALKED_AWAY
from croupier.banked.state import BoxState
from croupier.rulebooks import Topic
from croupier.table import ActorRank, BadCommand, Command, Order, Refused
from croupier.table.money import write_money
from croupier.table.refusal import Refusal

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

SHIFT_MANAGER = ActorRank.SHIFT_MANAGER
PLAYER = ActorRank.PLAYER
HOUSE = ActorRank.HOUSE


def staff_only(table: BankedTable, order: Order[Command], what: str) -> None:
    """A dealer, anybody above him, or the House at an automatic table."""
    if order.rank is PLAYER:
        table.refuse(Topic.PIT_EMPLOYEE, f"Only the dealer or above {what}.")


def people_only(table: BankedTable, order: Order[Command], what: str) -> None:
    """A person of the pit: the software rules on nothing."""
    if order.rank is PLAYER or order.rank is HOUSE:
        table.refuse(Topic.PIT_EMPLOYEE, f"Only a Pit Employee {what}.")


def at_least(table: BankedTable, order: Order[Command], rank: ActorRank, what: str) -> None:
    """A person of this rank or above."""
    if order.rank is HOUSE or not order.rank.is_at_least(rank):
        table.refuse(Topic.PIT_EMPLOYEE, f"Only a {rank.title} or above {what}.")


def own_box(table: BankedTable, order: Order[Command], box: int) -> BoxState:
    """The box, if this person decides for it: its player, or staff who enter what he said."""
    held = table.state.boxes.get(box)
    if held is None:
        check_box(table, box)
        table.refuse(Topic.PLAYER, f"There is no bet on box {box}.")
    if order.rank is PLAYER:
        if order.who != held.player:
            table.refuse(Topic.SEATED_PLAYERS_ONLY, f"Box {box} is {held.player}'s to decide.")
    elif order.rank is HOUSE:
        table.refuse(Topic.SEATED_PLAYERS_ONLY, "The software decides nothing for a player.")
    return held


def refuse_hand(table: BankedTable, number: int, box: BoxState) -> NoReturn:
    """Refuse what only a hand in play may do, by what took this one out of the round."""
    says = f"Box {number} is no longer in the round."
    if box.cancelled_by:
        raise Refusal(Refused(box.cancelled_by, says))
    if box.standing == "no hand":
        table.refuse(Topic.BOX_WITHOUT_ANTE, f"Box {number} has no Ante and no hand.")
    table.refuse(_COUNTS_AS_FOLDED.get(box.deemed, Topic.FOLD_ENDS_THE_HAND), says)


_COUNTS_AS_FOLDED = {
    WALKED_AWAY: Topic.WALK_AWAY_WITH_DECISIONS_LEFT,
    NOT_SHOWN: Topic.NOT_SHOWING,
}


def himself(order: Order[Command], player: str) -> bool:
    """Whether the player speaks himself: then he is told of himself as "you"."""
    return order.rank is PLAYER and order.who == player


def check_box(table: BankedTable, box: int) -> None:
    """A box that is drawn on the layout and in use (2.1.1.a)."""
    boxes = table.state.settings.boxes_in_use
    if box > boxes:
        table.refuse(Topic.BOX_LIMIT, f"This table has {boxes} boxes; there is no box {box}.")


def chips_of(table: BankedTable, player: str) -> int | None:
    """What is left of a player's rack, or None where his chips are not counted."""
    rack = table.state.racks.get(player)
    return None if rack is None else rack + table.state.net.get(player, 0)


def can_pay(table: BankedTable, order: Order[Command], player: str, more: int) -> None:
    """A bet cannot be made of chips that are not there; no paragraph speaks of it."""
    chips = chips_of(table, player)
    if chips is not None and more > chips:
        has = "you have" if himself(order, player) else f"{player} has"
        raise BadCommand(f"{has} {write_money(chips)} in chips, {write_money(more)} is needed")
