"""Tables and jackpot links together: carries what one must tell the other.

What one command causes at a table and at its link is one answer, so that the House can store it
in one transaction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Event,
    Order,
    Refused,
    Table,
)
from croupier.table.link import ToLink, ToTables

ROUTED_AT_MOST = 10_000
"""Events carried for one command at most: a table and a link that cause more are broken."""

_ADDRESSED = (ToLink, ToTables)


class PitError(Exception):
    """Tables and links do not fit together."""


class Said(Struct, frozen=True, kw_only=True, gc=False):
    """One event, with the table or link that said it."""

    place: str
    event: Event


class Pit:
    """Some tables, some links, and which table hangs on which link."""

    def __init__(self) -> None:
        self.tables: dict[str, Table[Any]] = {}
        self.links: dict[str, Conversation[Any]] = {}
        self.linked: dict[str, str] = {}
        self.guests: dict[str, Table[Any]] = {}
        """Tables that stand elsewhere and are here only for one command, to hear what their link
        or the office tells them."""
        self.fetch_guest: Callable[[str], Table[Any] | None] | None = None
        """Brings such a table; None where there are none."""

    def add_table(self, name: str, table: Table[Any], link: str | None = None) -> None:
        """Put a table into the pit, on a link that is there already or on none."""
        self._check_name(name)
        if link is not None and link not in self.links:
            raise PitError(f"table {name!r} asks for link {link!r}; there is {self._known()}")
        self.tables[name] = table
        if link is not None:
            self.linked[name] = link

    def add_link(self, name: str, link: Conversation[Any]) -> None:
        """Put a jackpot link into the pit."""
        self._check_name(name)
        self.links[name] = link

    def remove(self, name: str) -> None:
        """Take a table, or a link on which no table hangs, out of the pit."""
        self.tables.pop(name, None)
        self.links.pop(name, None)
        self.linked.pop(name, None)

    def at(self, place: str) -> Conversation[Any]:
        """The table or link of this name."""
        found = self.tables.get(place) or self.links.get(place) or self.guests.get(place)
        if found is None:
            raise PitError(f"there is no table or link {place!r}; there is {self._known()}")
        return found

    def give(self, place: str, order: Order[Command]) -> list[Said] | Refused:
        """Give a command to a table or link; return everything that it caused, in order."""
        answer = self.at(place).handle(order)
        if isinstance(answer, Refused):
            return answer
        said = []
        for event in answer:
            if isinstance(event, _ADDRESSED):
                return self._carry(place, order, answer)
            said.append(Said(place=place, event=event))
        return said

    def _carry(self, place: str, order: Order[Command], answer: tuple[Event, ...]) -> list[Said]:
        """Tell the others what concerns them, and what they answer in turn."""
        said: list[Said] = []
        heard = deque((place, event) for event in answer)
        while heard:
            source, event = heard.popleft()
            said.append(Said(place=source, event=event))
            if len(said) > ROUTED_AT_MOST:
                raise PitError(f"{place!r} and its link talk without end")
            if isinstance(event, _ADDRESSED):
                for target, command in self._addressed(source, event).items():
                    heard.extend((target, e) for e in self._tell(target, command, order))
        return said

    def _addressed(self, source: str, event: ToLink | ToTables) -> dict[str, Command]:
        if isinstance(event, ToTables):
            heard = event.to_tables().items()
            return {table: command for table, command in heard if self.hears(table)}
        link = self.linked.get(source)
        return {link: event.to_link(source)} if link is not None else {}

    def hears(self, table: str) -> bool:
        """Whether a table can be told something here. A link may reach further than this pit."""
        if table in self.tables or table in self.guests:
            return True
        guest = self.fetch_guest(table) if self.fetch_guest is not None else None
        if guest is not None:
            self.guests[table] = guest
        return guest is not None

    def _tell(self, place: str, command: Command, cause: Order[Command]) -> tuple[Event, ...]:
        order = Order(command=command, who="house", rank=ActorRank.HOUSE, when=cause.when)
        try:
            answer = self.at(place).handle(order)
        except BadCommand as error:
            # The other side has acted already: this is no mere error of whoever gave the command.
            says = f"{place!r} rejects what it must hear ({command.tell()}): {error}"
            raise PitError(says) from error
        if isinstance(answer, Refused):
            raise PitError(f"{place!r} refused what it must hear ({command.tell()}): {answer}")
        return answer

    def _check_name(self, name: str) -> None:
        if name in self.tables or name in self.links:
            raise PitError(f"there are two tables or links named {name!r}")

    def _known(self) -> str:
        return ", ".join([*self.tables, *self.links]) or "nothing"
