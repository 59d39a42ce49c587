"""Tables and links as the office has them on record: whether they may be set up, and put on the
floor as their logs have them.

A place that is put there for the first time is opened, and a table hung on its link.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from croupier.house.approval import approved_on_record, names
from croupier.house.errors import HouseError, OwnedElsewhere
from croupier.house.office import commands as orders
from croupier.house.office.standards import CRITICAL_FILES
from croupier.house.office.state import PlaceRecord
from croupier.house.software import HOUSE
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import JoinTable, OpenLink
from croupier.jackpot.events import TableRemoved
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    Command,
    Conversation,
    HearLinkClosed,
    OpenTable,
    Order,
    Refused,
    Table,
)

if TYPE_CHECKING:
    from croupier.house.casino import Casino

NOT_NAMED = (
    "The approved manifest does not name it like this: nothing may be played that is not approved. "
    "Have a manifest approved that names it, and start the server with that one."
)


class Places:
    """Puts the places of one casino on its floor."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino
        self.house = casino.house
        self._adding = threading.Lock()
        """Held by whoever puts a place on the floor, so that none is put there twice."""
        if self.shares_links:
            self.house.shared_links.make_guest = self.guest
            self.house.pit.fetch_guest = self.house.shared_links.fetch_guest

    @property
    def shares_links(self) -> bool:
        """Whether other processes may run tables of the links that are run here."""
        return self.house.ownership is not None and not self.house.ownership.whole

    def put_all(self, wanted: Collection[str]) -> list[str]:
        """Put places on the floor with the links that they hang on; which. A table that is there
        already was set up here a moment ago, and nothing was under way there."""
        found: list[str] = []
        with self._adding:
            places = self._casino.office.state.places
            wanted = {*wanted, *(places[name].link for name in wanted if places[name].link)}
            for kind in ("link", "table"):
                for name, record in tuple(places.items()):
                    if record.kind != kind or record.closed or name not in wanted:
                        continue
                    if name not in self.house.pit.tables:
                        self._put(name, record)
                        found.append(name)
        return found

    def put_new(self, name: str) -> None:
        """Put a place on the floor that was set up just now. Where that was sent twice, it may be
        there or on its way there."""
        with self._adding:
            record, pit = self._casino.office.state.places[name], self.house.pit
            if not (record.closed or name in pit.tables or name in pit.links):
                with suppress(OwnedElsewhere):  # another server was quicker to run it
                    self._put(name, record)

    def would_refuse(self, adding: orders.AddLink | orders.AddTable) -> Refused | None:
        """Whether the book would not let it open, asked of an empty table before it is set up; or
        whether it is not approved, where it would be played at."""
        casino = self._casino
        real = casino.office.state.real_money and not casino.setting_up
        held = casino.approved if real else None
        if held is not None and not names(held, adding):
            return Refused((CRITICAL_FILES,), NOT_NAMED)
        game = GAMES.games.get(adding.rulebook)
        if game is None:
            return None  # the office says so
        kind: type[Conversation[Any]]
        opening: Command
        if isinstance(adding, orders.AddLink):
            kind = JackpotLink
            opening = OpenLink(link=adding.link, settings=adding.settings, policies=adding.policies)
        else:
            kind = game.table_type
            opening = OpenTable(
                table=adding.table, settings=adding.settings, policies=adding.policies
            )
        rank = ActorRank.SHIFT_MANAGER
        order = Order(command=opening, who=HOUSE, rank=rank, when=self.house.clock())
        answer = kind(GAMES.load(adding.rulebook)).handle(order)
        return answer if isinstance(answer, Refused) else None

    def check_approved(self) -> None:
        """Where money is real, nothing is run to be played at but what is approved."""
        state = self._casino.office.state
        if state.real_money and self._casino.approved is None and not self._casino.setting_up:
            self._casino.approved = approved_on_record(state, self.house.store.database.name)

    def _put(self, name: str, record: PlaceRecord) -> None:
        """Put a place on the floor as its log has it; open it if that was not done yet."""
        self.check_approved()
        book = GAMES.load(record.rulebook)
        if record.kind == "link" and name in self.house.pit.links:
            return  # it is shared, and here already
        if record.kind == "link":
            self.house.add_link(name, lambda: JackpotLink(book), shared=self.shares_links)
        else:
            made = GAMES.games[record.rulebook].table_type
            self.house.add_table(name, lambda: made(book), record.link or None)
        for place, command, rank in self._opening(name, record):
            refused = self.house.carry_out(place, command, who=HOUSE, rank=rank).refused
            if refused is not None:
                raise HouseError(f"{name} cannot open: {refused}")

    def guest(self, name: str) -> Callable[[], Table[Any]] | None:
        """How to make a table that another process runs, to be told what its link says. One that
        is closed hears nothing, unless it waits for a claim to be paid."""
        record = self._casino.office.state.places.get(name)
        if record is None or record.kind != "table":
            return None
        link: Any = self.house.pit.links.get(record.link)
        claims = link is not None and any(claim.table == name for claim in link.state.claims)
        if record.closed and not claims:
            return None
        made, book = GAMES.games[record.rulebook].table_type, GAMES.load(record.rulebook)
        return lambda: made(book)

    def _opening(self, name: str, record: PlaceRecord) -> list[tuple[str, Command, ActorRank]]:
        """What is still to be said before a place is open."""
        conversation: Any = self.house.pit.at(name)
        said: list[tuple[str, Command, ActorRank]] = []
        opens = ActorRank.SHIFT_MANAGER
        if record.kind == "link":
            if not conversation.state.opened:
                opened = OpenLink(link=name, settings=record.settings, policies=record.policies)
                said.append((name, opened, opens))
            return said
        if not conversation.state.opened:
            port = GAMES.games[record.rulebook].port
            settings = port.opening_settings(record.settings)
            opening = OpenTable(table=name, settings=settings, policies=record.policies)
            said.append((name, opening, opens))
        link: Any = self.house.pit.links.get(record.link)
        if (
            link is not None
            and name not in link.state.tables
            and not self._was_removed(record.link, name)
        ):
            if link.state.takes_tables_of(record.rulebook):
                joined = JoinTable(table=name, rulebook=record.rulebook)
                said.append((record.link, joined, opens))
            elif not conversation.state.link_closed:
                # No table joins that link now; until one does, it takes no jackpot bets.
                said.append((name, HearLinkClosed(link=record.link), ActorRank.HOUSE))
        return said

    def _was_removed(self, link: str, table: str) -> bool:
        """Whether somebody has taken a table off its link: then a start does not hang it there."""
        at = self.house.pit.at(link)
        events = (at.read_event(row.event) for row in self.house.reader.rows(link))
        return any(isinstance(each, TableRemoved) and each.table == table for each in events)
