"""Whom a table waits for now, and what is done for him when his time is over.

Pure functions of a table: nothing here looks at a clock. Decisions are the same in every game; of
acts its port knows (`croupier.pit.ports`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from croupier.house.dealer import is_automatic
from croupier.house.permissions import act_by_device
from croupier.jackpot import JackpotLink
from croupier.pit.ports.waits import Instead, Wait, by_dealer
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Conversation,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Table,
)

AVOIDS = (
    "wait",
    "withdraw",
    "take bets back",
    "muck",
    "no",
    "refuse",
)
"""Options that keep a player out of what he was asked, for one who does not answer in time."""


class Question(Struct, frozen=True, kw_only=True):
    """A decision that is for the House's staff."""

    need: DecisionNeeded
    rank: ActorRank


def waits_for(table: Table[Any]) -> Wait | None:
    """The players whom the table waits for, if it does: only where they act by their own devices.
    Elsewhere the dealer sees to it, and no clock runs."""
    if not act_by_device(table):
        return None
    for need in table.state.waiting:
        if isinstance(need, DecisionNeeded) and need.holds:
            if isinstance(need.of, ActorRank):
                return None
            return Wait(why="decision", seats=(need.of,), key=("decision", need.decision))
    return GAMES.port_of(table).waits_for(table)


def questions_of_staff(table: Table[Any]) -> list[Question]:
    """What the table asks of the House's staff, whether it holds the table or not."""
    return [
        Question(need=need, rank=need.of)
        for need in table.state.waiting
        if isinstance(need, DecisionNeeded) and isinstance(need.of, ActorRank)
    ]


class Awaited(Struct, frozen=True, kw_only=True):
    """Somebody of the House's staff without whom a table does not go on, and why not."""

    rank: ActorRank
    does: str

    @property
    def whom(self) -> str:
        """For whom: the rank in words."""
        return f"a {self.rank.title} or above"

    @property
    def says(self) -> str:
        """For whom and for what, in a sentence."""
        return f"This table waits for {self.whom} to {self.does}"

    def says_to(self, *, sees_now: bool) -> str:
        """The same, and not for what to who only watches, and is told later what happened there."""
        return self.says if sees_now else f"This table waits for {self.whom}."


def staff_awaited(
    table: Table[Any],
    link: Conversation[Any] | None,
    is_for_people: Callable[[DecisionNeeded], bool],
) -> Awaited | None:
    """Whom of the staff a table waits for, if nothing goes on there before he has acted.

    `is_for_people` says of a question of staff whether nobody has decided it beforehand.
    """
    for need in table.state.waiting:
        match need:
            case DecisionNeeded(of=ActorRank() as rank, says=says) if _stands_still(
                table, need
            ) and is_for_people(need):
                return Awaited(rank=rank, does=f"decide: {says}")
            case DrawNeeded(of=rank, pick=pick, among=among) if not is_automatic(table):
                return Awaited(rank=rank, does=f"pick {pick} of {among} cards.")
            case _:
                continue
    if isinstance(link, JackpotLink) and _has_claim(table, link):
        for need in link.state.waiting:
            if isinstance(need, DecisionNeeded) and isinstance(need.of, ActorRank):
                return Awaited(rank=need.of, does=f"decide: {need.says}")
        rank = link.state.settings.house_rank
        return Awaited(rank=rank, does="pay the Progressive Jackpot that is claimed.")
    return None


def _stands_still(table: Table[Any], need: DecisionNeeded) -> bool:
    return GAMES.port_of(table).stands_still(table, need)


def _has_claim(table: Table[Any], link: JackpotLink) -> bool:
    """Whether the round of a table ends only with the payment of its link."""
    return any(claim.table == table.state.name for claim in link.state.claims)


def instead(table: Table[Any], seat: int) -> Instead | None:
    """What is done for the player at a seat or box whose time is over."""
    for need in table.state.waiting:
        if isinstance(need, DecisionNeeded) and need.of == seat and need.holds:
            return _answered(need)
    return GAMES.port_of(table).instead(table, seat)


def _answered(need: DecisionNeeded) -> Instead:
    names = [option.name for option in need.options if not option.asks]
    chosen = next((name for name in AVOIDS if name in names), names[-1] if names else "")
    reason = "no answer in time"
    return by_dealer(Decide(decision=need.decision, option=chosen, reason=reason))
