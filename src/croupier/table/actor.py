"""Who speaks: a player, one of the four ranks of the pit, or the House's own software."""

from __future__ import annotations

from enum import Enum

from croupier.table.errors import BadCommand


class ActorRank(Enum):
    """The rank in which a command is given.

    `HOUSE` is the software that runs the tables. It may do what a dealer does at an automatic
    table and answer when a table asks for chance; it never rules.
    """

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit supervisor"
    PIT_MANAGER = "pit manager"
    SHIFT_MANAGER = "shift manager"
    HOUSE = "house"

    __hash__ = object.__hash__

    def is_at_least(self, needed: ActorRank) -> bool:
        """True if this rank is the needed one or above; the software counts as a dealer."""
        return _HEIGHT[self] >= _HEIGHT[needed]

    @property
    def title(self) -> str:
        """The rank as a person would read it, such as `Pit Manager`."""
        return self.value.title()


def check_house_rank(rank: ActorRank) -> None:
    """By whom the House decides what a book leaves to it, as a table or link is set up."""
    if not rank.is_at_least(ActorRank.PIT_SUPERVISOR):
        raise BadCommand("house_rank: the House decides by a pit supervisor or above")


_HEIGHT = {
    ActorRank.PLAYER: 0,
    ActorRank.DEALER: 1,
    ActorRank.HOUSE: 1,
    ActorRank.PIT_SUPERVISOR: 2,
    ActorRank.PIT_MANAGER: 3,
    ActorRank.SHIFT_MANAGER: 4,
}
