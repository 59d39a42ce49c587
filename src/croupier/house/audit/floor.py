"""What the office's log says of the others: which table hangs on which link, and what decided.

It is read before anything is walked, and nothing is proven by it: the office is walked like any
other place, and what is wrong with it is found there.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import structs

from croupier import __version__
from croupier.house.audit.findings import Difference
from croupier.house.critical_files import digests, reference
from croupier.house.office import OFFICE, Office
from croupier.house.office.events import Started, TableAdded, TableClosed
from croupier.house.store import Store

DECIDING = ("cards", "rulebooks", "table", "poker", "banked", "jackpot", "pit", "house")
"""The floors that decide: software that has the same of them decides alike."""

_TOLD = tuple(
    f'"event":"{kind.__struct_config__.tag}"'.encode()
    for kind in (Started, TableAdded, TableClosed)
)


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
    def read(cls, store: Store, exported: bool = False) -> Floor:
        """Read the office's log, as far as it can be read."""
        floor, now = cls(), digests()
        mine = {name: now.get(name) for name in DECIDING}
        with suppress(Exception):  # what is wrong with it, the walk says
            for row in store.rows(OFFICE):
                if any(told in row.event for told in _TOLD):
                    floor._hear(Office.read_event(row.event), mine)
        return floor

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
