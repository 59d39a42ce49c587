"""The demonstration's staff door: a visitor tries a post of the pit, with play money.

He is taken on under a name of his own, on duty and assigned to the floor, so that the console
works for him as for anybody. While he is there, what he may decide is left to him: standing orders
wait. When he has been away for a while they answer again, so that nobody has to wait for staff who
are not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from croupier.house.office import OFFICE
from croupier.house.office.commands import GoOffDuty, GoOnDuty
from croupier.house.office.roster import assignment_at
from croupier.house.office.roster_commands import AssignStaff
from croupier.house.software import HOUSE
from croupier.live.errors import NotAllowed
from croupier.live.identity import GuestIdentityProvider, Visitor
from croupier.table import ActorRank, DecisionNeeded

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

Post = Literal["dealer", "pit supervisor", "pit manager", "shift manager"]
AWAY_AFTER = 20.0
"""Seconds without a word from a member of staff after which nothing is left to him."""
GONE_AFTER = 1800.0
"""Seconds without a word after which somebody is off duty: nobody stays on the list for ever."""
WHY = "the demonstration's staff door"
GONE = "nothing was heard for half an hour"


class StaffDoor:
    """Who has come in by it, and who is there."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._seen: dict[str, float] = {}
        """When each was last heard of, on the loop's clock."""
        self._looked: dict[str, float] = {}
        """Since when this process knows of somebody on duty whom it has not heard of."""

    def enter(self, visitor: Visitor, name: str, post: Post) -> tuple[Visitor, str]:
        """Take a post under a name that is free; raises NotAllowed. Waits for the disk."""
        identity, office = self._casino.identity, self._casino.casino
        if not isinstance(identity, GuestIdentityProvider):
            raise NotAllowed("no guests", "This casino has accounts: log in.")
        entered, cookie = identity.employ(visitor, name, post)
        assert entered.name is not None
        administrator = next(
            name for name, one in office.office.state.people.items() if one.role == "administrator"
        )
        for answer in (
            office.tell(GoOnDuty(name=entered.name, post=post), who=entered.name),
            office.tell(AssignStaff(name=entered.name, reason=WHY), who=administrator),
        ):
            if answer.refused is not None:
                raise NotAllowed("refused", answer.refused.says)
        self.saw(entered.name)
        return identity.now(entered), cookie

    def has_password(self, name: str) -> bool:
        """Whether somebody of the staff logs in, also in the demonstration: its administrator, and
        whoever the office has taken on with a password."""
        person = self._casino.casino.office.state.people.get(name)
        return person is not None and person.kind == "staff" and bool(person.digest)

    def leave(self, name: str) -> None:
        """He gives his post up; who has a password keeps it, as everywhere, until he says so."""
        self._seen.pop(name, None)
        if self.has_password(name):
            return
        if name in self._casino.casino.office.state.duty:
            self._casino.casino.tell(GoOffDuty(name=name), who=name)

    def saw(self, name: str) -> None:
        """Somebody of the staff was heard of."""
        if self._casino.config.demonstration:
            self._seen[name] = self._casino.loop.time()

    def look(self) -> None:
        """Whoever came by the door and has gone goes off duty; so does whoever was on duty when the
        server stopped, and did not come back."""
        casino, now = self._casino, self._casino.loop.time()
        if not casino.config.demonstration:
            return
        for name in tuple(casino.casino.office.state.duty):
            if self.has_password(name):
                continue
            last = self._seen.get(name) or self._looked.setdefault(name, now)
            if now - last > GONE_AFTER:
                off = GoOffDuty(name=name, reason=GONE)
                with casino.guarded(OFFICE):
                    casino.house.give(OFFICE, off, who=HOUSE, rank=ActorRank.HOUSE)

    def here(self) -> frozenset[str]:
        """Who is there now."""
        now = self._casino.loop.time()
        return frozenset(name for name, at in self._seen.items() if now - at < AWAY_AFTER)

    def decides(self, place: str, need: DecisionNeeded) -> bool:
        """Whether somebody is there who may answer a question: then it is left to him."""
        return isinstance(need.of, ActorRank) and self.has(place, need.of, need.not_by)

    def has(self, place: str, rank: ActorRank, not_by: str | None = None) -> bool:
        """Whether somebody of this rank or above is there, and assigned where that counts."""
        if not self._seen:
            return False
        casino = self._casino.casino
        state, when = casino.office.state, casino.house.clock()
        at_a_table = place in casino.house.pit.tables
        private = self._casino.private
        return any(
            casino.rank_of(name).is_at_least(rank)
            and name != not_by
            and (not at_a_table or assignment_at(state, name, place, when))
            and private.is_listed_for(place, name)
            for name in self.here()
        )
