"""What the office's log says of the others: which table hangs on which link, and what decided.

Where no office has added a table, the links say themselves which tables hang on them.

It is read before anything is walked, and nothing is proven by it: office and links are walked like
any other place, and what is wrong with them is found there.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import structs

from croupier import __version__
from croupier.house.audit.findings import Difference
from croupier.house.critical_files import digests, reference
from croupier.house.office import OFFICE, Office
from croupier.house.office.events import Started, TableAdded, TableClosed
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.store import Store
from croupier.jackpot import JackpotLink
from croupier.jackpot.events import LinkOpened, TableJoined
from croupier.table import Event

DECIDING = ("cards", "rulebooks", "table", "poker", "banked", "jackpot", "pit", "house")
"""The floors that decide: software that has the same of them decides alike."""


def _words(*kinds: type[Event]) -> tuple[bytes, ...]:
    """How events of these kinds begin, as they are stored."""
    return tuple(f'{{"event":"{kind.__struct_config__.tag}"'.encode() for kind in kinds)


_TOLD = _words(Started, TableAdded, TableClosed)
_OPENED = _words(LinkOpened)
_JOINED = _words(LinkOpened, TableJoined)


class Floor:
    """The floor, as the office has it."""

    def __init__(self) -> None:
        self.linked: dict[str, str] = {}
        """The link of each table."""
        self.must_hear: set[str] = set()
        """Tables that were run whenever their link was, and were never closed."""
        self.versions: dict[str, str] = {}
        """What has run here, by the reference that orders have: the version of croupier."""
        self.ours: set[str] = set()
        """Those of them that decide as this croupier does."""

    @classmethod
    def read(cls, store: Store) -> Floor:
        """Read the office's log, as far as it can be read."""
        floor, now = cls(), digests(only=DECIDING)
        mine = {name: now.get(name) for name in DECIDING}
        with suppress(Exception):  # what is wrong with it, the walk says
            for row in store.rows(OFFICE):
                if row.event.startswith(_TOLD):
                    floor._hear(Office.read_event(row.event), mine)
        if not floor.linked:
            with suppress(Exception):
                floor._ask_links(store)
        return floor

    def _ask_links(self, store: Store) -> None:
        """Tables that no office has added: their links know them."""
        for place in store.streams():
            first = None if is_shuffle_book(place) else store.row(place, 1)
            if first is None or not first.event.startswith(_OPENED):
                continue
            for row in store.rows(place):
                if row.event.startswith(_JOINED):
                    match JackpotLink.read_event(row.event):
                        case LinkOpened(tables=tables):
                            self.linked |= dict.fromkeys(tables, place)
                        case TableJoined(table=table):
                            self.linked[table] = place
                        case _:
                            continue

    def _hear(self, event: object, mine: dict[str, str | None]) -> None:
        match event:
            case Started():
                name = reference(event.digests)
                self.versions[name] = event.version
                if {each: event.digests.get(each) for each in DECIDING} == mine:
                    self.ours.add(name)
                run = set(event.places)
                self.must_hear -= {
                    table for table in self.must_hear - run if self.linked[table] in run
                }
            case TableAdded() if event.link:
                self.linked[event.table] = event.link
                self.must_hear.add(event.table)
            case TableClosed():
                self.must_hear.discard(event.table)
            case _:
                return

    def classified(self, difference: Difference) -> Difference:
        """What it means that an order comes to something else: it was changed, or another version
        of croupier has decided it."""
        if difference.kind != "decided":
            return difference
        software, says = difference.software, difference.says
        if software in self.ours or software not in self.versions:
            why = "this is not what the order comes to: it, or its events, were changed"
            if software and software not in self.versions:
                why += f" (no start has noted the software {software} that is said to have decided)"
            return structs.replace(difference, says=f"{why}; {says}")
        version = self.versions[software]
        why = (
            f"croupier {version} (software {software}) decided so, this croupier {__version__} "
            f"decides otherwise"
        )
        return structs.replace(difference, kind="otherwise", says=f"{why}; {says}")
