"""What is wrong with the record of a running House: copies, archives, seals.

None of it keeps anybody from playing. It is told to whoever watches the server (`/health`), in
sentences that name no folder, and with everything else to the log of the process.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from croupier.house.alarm_log import ALARM
from croupier.house.archives.state import Seen, archive_trouble
from croupier.house.copy_alarms import told_alarms
from croupier.house.errors import HouseError

if TYPE_CHECKING:
    from croupier.house.casino import Casino

logger = logging.getLogger("croupier.house")

LOOKS_EVERY = 60.0
"""Seconds between two looks at the files of archives."""
BEHIND = "the copy of the log cannot be written and is behind; the log of the server says why"
NOT_SEALED = "the record is not being sealed; the log of the server says why"
NO_KEY = "the record is not sealed: money is real, and there is no key to seal with"
ARCHIVES = (
    "an archive of closed days is missing or was changed; `croupier office archive show` says more"
)


class Alarms:
    """Looks at everything that may be wrong with the record of one House."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino
        self._lock = threading.Lock()
        self._archives: list[str] = []
        self._seen: Seen = {}
        self._looked: float | None = None

    def told(self) -> tuple[str, ...]:
        """What is wrong, for anybody."""
        casino = self._casino
        found = list(told_alarms(casino.office.state.copies))
        if casino.house.writer.trouble is not None:
            found.append(BEHIND)
        if casino.sealer is None:
            found += [NO_KEY] if casino.office.state.real_money else []
        elif casino.sealer.trouble is not None:
            found.append(NOT_SEALED)
        if self.look_at_archives():
            found.append(ARCHIVES)
        return tuple(found)

    def look_at_archives(self) -> list[str]:
        """What is wrong with archives, looked at now and then; what is new goes to the log."""
        with self._lock:
            now = time.monotonic()
            if self._looked is None or now - self._looked >= LOOKS_EVERY:
                self._looked = now
                try:
                    found = archive_trouble(self._casino.house.reader, self._seen)
                except HouseError as error:  # the database does not answer: that is told elsewhere
                    logger.error("the archives could not be looked at: %s", error)
                    return self._archives
                for says in found:
                    if says not in self._archives:
                        logger.error("%s", says, extra=ALARM)
                self._archives = found
            return self._archives
