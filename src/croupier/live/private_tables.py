"""Private tables of the demonstration: a guest makes one, sends its link, and friends sit down.

Its name cannot be guessed and stands in no list of others; whoever has the link may come. A table
that nobody looks at any more is given up after a while: its bots leave, then it is closed.
"""

from __future__ import annotations

import secrets
import threading
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from msgspec import Meta, Struct

from croupier.house.errors import HouseError
from croupier.house.office import OFFICE
from croupier.house.office.commands import AddTable, CloseTable
from croupier.house.office.state import NamePast
from croupier.house.software import HOUSE
from croupier.live.errors import NotAllowed
from croupier.live.guest_codes import LETTERS
from croupier.live.identity import Visitor
from croupier.live.limits import Bucket, Buckets
from croupier.pit import GAMES
from croupier.table import ActorRank, Money, Table
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

AREA = "private tables"
LENGTH = 10
OF_ONE = 3
"""Private tables that one guest has open at most."""
OF_ONE_SENDER = 6
"""Of one address."""
OF_ALL = 100
DAY = 86_400
A_DAY = 20
"""Private tables that are made from one address in a day: each is on record for good."""
A_DAY_IN_ALL = 300
FORGOTTEN_AFTER = 60.0
"""Seconds after which nothing of a closed one is kept in memory."""
IDLE = 600.0
"""Seconds without a person at it after which a private table is given up."""
EVERY = 10.0
"""Seconds between two looks at them."""
PRIVATE = (
    "This names every table, and a private one is open: "
    "ask again once it is closed, or log in as staff with a password."
)
BLIND_AT_MOST = 50_000
CHIP = 100


class PrivateTableBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made: its rulebook, its Small Blind in cents (the Big Blind is twice that), and
    how many bots sit there."""

    rulebook: str
    small_blind: Money
    bots: Annotated[int, Meta(ge=0, le=5)] = 0


class PrivateTable(Struct, frozen=True, kw_only=True):
    """A private table, and the path that is sent to friends."""

    place: str
    path: str


class SeatsBots(Protocol):
    """Who lets bots come to a table and go."""

    def join(self, place: str, bots: int) -> None:
        """Let so many bots sit there from now on; 0 lets all of them leave."""

    def forget(self, place: str) -> None:
        """Nobody plays there any more."""

    def spare(self) -> int:
        """How many bots are wanted nowhere else."""


class PrivateTables:
    """The private tables of a live casino."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self.bots: SeatsBots | None = None
        """Nothing where no bots play."""
        self._makers: dict[str, tuple[str, NamePast | None]] = {}
        """Who made each, as far as this process knows: the name, and who had it before."""
        self._senders: dict[str, str] = {}
        """From which address each was made."""
        self._by_day = Buckets(A_DAY / DAY, A_DAY)
        self._all_by_day = Bucket(A_DAY_IN_ALL / DAY, A_DAY_IN_ALL)
        self._closed: dict[str, float] = {}
        """Since when each is closed."""
        self._seen: dict[str, float] = {}
        """When a person was last there."""
        self._looked = 0.0
        self._one_at_a_time = threading.Lock()

    # -- which there are -----------------------------------------------------------------------

    def is_private(self, place: str) -> bool:
        """Whether a table stands in no list of others."""
        record = self._casino.casino.office.state.places.get(place)
        return record is not None and record.area == AREA

    def listed_places(self, who: str | None) -> dict[str, Table[Any]]:
        """The tables that somebody knows of: every list of tables that people are shown is made of
        these."""
        tables = self._casino.tables()
        return {place: table for place, table in tables.items() if self.is_listed_for(place, who)}

    def is_listed_for(self, place: str, who: str | None) -> bool:
        """Whether somebody knows of a table: of a private one who made it or sits there, and staff
        who log in with a password. By the staff door anybody may come."""
        if not self.is_private(place):
            return True
        if who is None or self._is_closed(place):
            return False
        made = self._makers.get(place) == self._maker(who)
        return made or self.sees_all(who) or who in self._seated(place)

    def sees_all(self, who: str | None) -> bool:
        """Whether somebody knows of all private tables: staff who have proved who they are."""
        person = self._casino.casino.office.state.people.get(who or "")
        known = person is not None and person.kind == "staff" and not person.disabled
        return known and self._casino.staff_door.has_password(who or "")

    def check_all_known(self, who: str | None) -> None:
        """For what names every table and cannot leave one out, such as a seal; raises NotAllowed
        while a private table is open that somebody does not know of."""
        if not all(self.is_listed_for(place, who) for place in self.open_now()):
            raise NotAllowed("private tables", PRIVATE)

    def hidden_from(self, who: str | None) -> frozenset[str]:
        """The names of the private tables that somebody does not know of, closed ones too."""
        if self.sees_all(who):
            return frozenset()
        places = self._casino.casino.office.state.places
        private = [place for place, record in tuple(places.items()) if record.area == AREA]
        return frozenset(place for place in private if not self.is_listed_for(place, who))

    def label(self, place: str) -> str:
        """The name of a table where anybody may read it."""
        return AREA if self.is_private(place) else place

    def open_now(self) -> list[str]:
        """Those that are not closed."""
        return [
            place
            for place in tuple(self._casino.hubs)
            if self.is_private(place) and not self._is_closed(place)
        ]

    def _maker(self, who: str) -> tuple[str, NamePast | None]:
        """Somebody, told from whoever has the name after them."""
        person = self._casino.casino.office.state.people.get(who)
        return who, person.past if person is not None else None

    def _is_closed(self, place: str) -> bool:
        return self._casino.casino.office.state.places[place].closed

    def _seated(self, place: str) -> set[str]:
        table = self._casino.house.pit.tables.get(place)
        if table is None:
            return set()
        return {who for n in table.taken_seats() if (who := table.player_at(n)) is not None}

    # -- making one ----------------------------------------------------------------------------

    def make(self, visitor: Visitor, body: PrivateTableBody, sender: str) -> PrivateTable:
        """Make a table; raises NotAllowed. Not for the loop: it waits until that is stored."""
        with self._one_at_a_time:
            return self._make(visitor, body, sender)

    def _make(self, visitor: Visitor, body: PrivateTableBody, sender: str) -> PrivateTable:
        casino = self._casino
        if not casino.config.demonstration:
            raise NotAllowed("no guests", "Private tables are for play money only.")
        if visitor.name is None:
            raise NotAllowed("not entered", "Enter under a name first.")
        maker = self._maker(visitor.name)
        self._check_bots(body.bots)
        self._check_open(maker, sender)
        settings = self._settings(body)
        self._check_day(sender)
        place = "Private " + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        adding = AddTable(
            table=place,
            rulebook=body.rulebook,
            settings=settings,
            area=AREA,
            reason=f"a private table of {visitor.name}",
            bots=body.bots,
        )
        try:
            refused = casino.casino.add_table(adding).refused
        except HouseError as error:
            raise NotAllowed("stopping", str(error)) from error
        if refused is not None:
            raise NotAllowed("settings", refused.says)
        self._makers[place], self._senders[place] = maker, sender
        self._seen[place] = casino.now()
        return PrivateTable(place=place, path=f"/table/{place.replace(' ', '%20')}")

    def _check_bots(self, wanted: int) -> None:
        if wanted and self.bots is None:
            raise NotAllowed("no bots", "No bots play here; make the table without them.")
        spare = self.bots.spare() if self.bots is not None else 0
        if wanted > spare:
            left = f"{spare} bots are" if spare != 1 else "1 bot is"
            raise NotAllowed("no bots", f"Only {left} free now; make the table with no more.")

    def _check_open(self, maker: tuple[str, NamePast | None], sender: str) -> None:
        opened = self.open_now()
        if sum(self._makers.get(place) == maker for place in opened) >= OF_ONE:
            raise NotAllowed(
                "enough", f"You have {OF_ONE} private tables already; use one of them."
            )
        if sum(self._senders.get(place) == sender for place in opened) >= OF_ONE_SENDER:
            says = f"{OF_ONE_SENDER} private tables of your address are open; use one of them."
            raise NotAllowed("enough", says)
        if len(opened) >= OF_ALL:
            raise NotAllowed("full", "There are as many private tables as there can be; try later.")

    def _check_day(self, sender: str) -> None:
        if self._by_day.take(sender):
            says = f"{A_DAY} private tables a day are the most for your address; wait for a while."
            raise NotAllowed("too fast", says)
        if self._all_by_day.take():
            self._by_day.give_back(sender)
            says = "No more private tables can be made today; try again later."
            raise NotAllowed("full", says)

    def _settings(self, body: PrivateTableBody) -> dict[str, Any]:
        """As the House's own table of that game has them, with these blinds."""
        like = self.templates().get(body.rulebook)
        if like is None:
            known = ", ".join(GAMES.load(each).short for each in self.templates())
            raise NotAllowed("settings", f"Private tables are of {known}.")
        small, big = body.small_blind, 2 * body.small_blind
        if small % CHIP or not CHIP <= small <= BLIND_AT_MOST:
            most = write_money(BLIND_AT_MOST)
            raise NotAllowed("settings", f"A Small Blind is a whole amount from 1 to {most}.")
        settings = {**like, "blinds": [small, big], "minimum_stake": 20 * big}
        if settings.get("maximum_stake"):
            settings["maximum_stake"] = 100 * big
        if isinstance(settings.get("rake"), dict) and "cap" in settings["rake"]:
            settings["rake"] = {**settings["rake"], "cap": 3 * big}
        return settings

    def templates(self) -> dict[str, dict[str, Any]]:
        """The settings of the first table of each game with blinds that the House deals."""
        found: dict[str, dict[str, Any]] = {}
        for table in self._casino.config.tables.values():
            if "blinds" in table.settings and table.settings.get("dealing") != "by-hand":
                found.setdefault(table.rulebook, table.settings)
        return found

    # -- giving one up -------------------------------------------------------------------------

    def look(self, now: float) -> None:
        """Give up tables at which no person was for a while; called in the loop."""
        if now < self._looked + EVERY:
            return
        self._looked = now
        for place in self.open_now():
            seated = self._seated(place)
            people = [who for who in seated if not self._casino.identity.is_bot(who)]
            if people or self._casino.watchers.is_watched(place):
                self._seen[place] = now
            elif now - self._seen.setdefault(place, now) >= IDLE:
                if seated and self.bots is not None:
                    self.bots.join(place, 0)
                elif not seated:
                    self._close(place)
        self._forget_closed(now)

    def _forget_closed(self, now: float) -> None:
        """Nothing in memory is left of one that is closed; its log stays, and with it the hands of
        who played there."""
        for place in tuple(self._casino.hubs):
            if not self.is_private(place) or not self._is_closed(place):
                continue
            over = now - self._closed.setdefault(place, now) >= FORGOTTEN_AFTER
            if over and not self._casino.watchers.is_watched(place):
                if self.bots is not None:
                    self.bots.forget(place)
                self._casino.forget(place)
                for kept in (self._makers, self._senders, self._seen, self._closed):
                    kept.pop(place, None)

    def _close(self, place: str) -> None:
        over = CloseTable(table=place, reason="nobody was there any more")
        with self._casino.guarded(OFFICE):
            self._casino.house.give(OFFICE, over, who=HOUSE, rank=ActorRank.HOUSE)
