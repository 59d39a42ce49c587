"""Puts on record what becomes of the copy of the log, and keeps a House of real money from opening
without one.

The writer notices that files are gone, the database remembers it (`croupier.house.copies`), the
office has it on record, and only a person ends it.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from croupier.house.alarm_log import ALARM
from croupier.house.errors import CopyLost, HouseError
from croupier.house.office import record_commands as orders
from croupier.house.office.state import CopyRecord

if TYPE_CHECKING:
    from croupier.house.answers import Answer
    from croupier.house.casino import Casino

logger = logging.getLogger("croupier.house")

COPY = "CROUPIER_COPY"
"""Names the folder of the copy of the log, for whatever opens a House."""
RENEW = "croupier office copy renew"


def put_on_record(casino: Casino, *, runs_tables: bool) -> None:
    """Put on record what is known of the copy at a start; where money is real and tables are to be
    run, there must be one that has lost nothing."""
    copy = casino.house.writer.copy
    real = casino.office.state.real_money and runs_tables
    if copy is None:
        if real:
            raise CopyLost(
                f"a House of real money keeps a copy of its log, and no folder is named for it: "
                f"set server.copy in the configuration, or {COPY}"
            )
        return
    folder = str(copy.folder.resolve())
    if copy.id not in casino.office.state.copies and not copy.alarm:
        casino.tell(orders.NoteCopyBegun(copy=copy.id, folder=folder))
    if copy.alarm:
        logger.error("%s; to have it made anew: %s", copy.alarm, RENEW, extra=ALARM)
        _note_alarm(casino, copy.id, folder, copy.alarm)
        if real:
            raise CopyLost(
                f"{copy.alarm}. A House of real money does not open without its copy: find it and "
                f"put it back, or have it made anew with `{RENEW}`"
            )
    casino.house.writer.on_alarm = lambda alarm: _later(casino, copy.id, folder, alarm)


def _later(casino: Casino, copy: str, folder: str, alarm: str) -> None:
    """Not in the writer's thread: that one has to store what is told here."""

    def note() -> None:
        try:
            _note_alarm(casino, copy, folder, alarm)
        except HouseError as error:  # the database has it, and the next start puts it on record
            logger.error("an alarm could not be put on record: %s", error, extra=ALARM)

    threading.Thread(target=note, name="house-alarm", daemon=True).start()


def _note_alarm(casino: Casino, copy: str, folder: str, alarm: str) -> None:
    known = casino.office.state.copies.get(copy)
    if known is None or known.alarm != alarm:
        casino.tell(orders.NoteCopyAlarm(copy=copy, folder=folder, says=alarm))


def told_alarms(copies: dict[str, CopyRecord]) -> tuple[str, ...]:
    """That something is wrong with a copy, for anybody; where it lies is not his affair."""
    says = "the copy of the log is missing or was shortened; `croupier office copy show` says more"
    return tuple(says for record in copies.values() if record.alarm)


def renew(casino: Casino, *, who: str, reason: str, session: str = "") -> tuple[Answer, int]:
    """Have the copy made anew, by somebody who answers for it; how many events were written."""
    copy = casino.house.writer.copy
    if copy is None:
        raise CopyLost(f"no folder is named for a copy of the log: give --copy, or set {COPY}")
    folder = str(copy.folder.resolve())
    command = orders.RenewCopy(copy=copy.id, folder=folder, reason=reason)
    answer = casino.tell(command, who=who, session=session)
    if answer.refused is not None:
        return answer, 0
    return answer, casino.house.writer.renew_copy()
