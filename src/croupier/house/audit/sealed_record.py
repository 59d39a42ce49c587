"""What the office has on record about seals: keys that two people have approved, witnesses, and
that the clock was set back.

A seal that names another key, or an earlier time than the one before it, is signed and holds; but
whoever has the old key alone could have made it. The record says whether it was done as it must be.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

import msgspec

from croupier.house.audit.findings import Difference
from croupier.house.office import OFFICE
from croupier.house.office.events import ApprovalGiven, SettingChanged
from croupier.house.office.office import Office
from croupier.house.office.record_events import ClockSetBack
from croupier.house.seals.records import Seal
from croupier.house.store import Store
from croupier.house.times import SLACK

WITNESSES = "seals.witnesses."


class SealRecord:
    """What the office's log says of seals, read once."""

    def __init__(self, store: Store) -> None:
        self._keys: list[tuple[int, str]] = []
        """Keys that two people have approved, and at which event."""
        self._set_back: list[ClockSetBack] = []
        self.witnesses: set[tuple[str, str]] = set()
        """Everybody who was a witness once, with the key."""
        with suppress(Exception):  # what is wrong with the office's log, the walk says
            for row in store.rows(OFFICE):
                if any(word in row.event for word in _WORDS):
                    self._hear(row.position, Office.read_event(row.event))

    def _hear(self, position: int, event: object) -> None:
        match event:
            case ApprovalGiven(what="seal key"):
                self._keys.append((position, event.digest))
            case ClockSetBack():
                self._set_back.append(event)
            case SettingChanged() if event.setting.startswith(WITNESSES) and event.after:
                name = event.setting.removeprefix(WITNESSES)
                self.witnesses.add((name, str(msgspec.json.decode(event.after))))
            case _:
                return

    def wrong_with(self, seal: Seal, before: Seal | None, office: int) -> Iterator[Difference]:
        """What the record does not bear out of a seal that was made when the office's log went to
        this event."""
        where = f"seal {seal.number} of {seal.at}"
        if seal.next_key:
            newest = [key for position, key in self._keys if position <= office][-1:]
            if newest != [seal.next_key]:
                says = f"key {seal.next_key} is to follow, and no two people have approved it"
                yield Difference(table="seals", where=where, column="next_key", says=says)
        if before is not None:
            now, last = datetime.fromisoformat(seal.at), datetime.fromisoformat(before.at)
            said = any(
                each.now <= now + SLACK and last - SLACK <= each.before for each in self._set_back
            )
            if now < last - SLACK and not said:
                says = (
                    f"it was made before seal {before.number} of {before.at}, and nothing on "
                    "record says that the clock was set back"
                )
                yield Difference(table="seals", where=where, column="at", says=says)


_WORDS = (b'"approval given"', b'"clock set back"', b'"setting changed"')
