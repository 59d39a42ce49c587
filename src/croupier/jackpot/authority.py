"""Who may work the controller: a rank of the pit, never a player and never the software alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.rulebooks import Topic
from croupier.table import ActorRank, Order

if TYPE_CHECKING:
    from croupier.jackpot.link import JackpotLink


def manager(link: JackpotLink, order: Order[Any], what: str) -> None:
    """The rank that exercises what is the House's to decide, or above."""
    needed = link.state.settings.house_rank
    if order.rank is ActorRank.HOUSE or not order.rank.is_at_least(needed):
        link.refuse(Topic.PIT_EMPLOYEE, f"Only a {needed.title} or above {what}.")
