"""What is asked of a server when its counters are read, for whoever watches it.

The dashboard and the alerts in `deploy/` name these; a test holds them to what is exported here.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

PAGES, DESCRIPTORS = Path("/proc/self/statm"), Path("/proc/self/fd")


def set_up(casino: LiveCasino) -> None:
    """Have everything asked that a counter does not tell."""
    gauge = casino.metrics.gauge
    gauge("croupier_tables", "Tables that this server runs", lambda: len(casino.schedulers))
    gauge("croupier_viewers", "Connections that watch a table", casino.watchers.connections)
    gauge("croupier_up_seconds", "Since the start", lambda: time.time() - casino.started)
    gauge("croupier_away", "Seated players without a connection", casino.away)
    gauge(
        "croupier_waiting_for_staff",
        "Tables that wait for a decision of staff",
        lambda: _asks(casino),
    )
    gauge(
        "croupier_works",
        "1 if the server can do its work: its database answers and stores",
        lambda: float(not casino.code),
    )
    gauge(
        "croupier_alarms",
        "What is wrong with the record: its copy, its archives, its seals",
        lambda: len(casino.database_look.alarms),
    )
    _storage(casino)
    _process(casino)


def _asks(casino: LiveCasino) -> int:
    with casino.house.lock:
        return sum(s.staff_awaited() is not None for s in tuple(casino.schedulers.values()))


def _storage(casino: LiveCasino) -> None:
    gauge, count, writer = casino.metrics.gauge, casino.metrics.count, casino.house.writer
    count(
        "croupier_groups_total", "Transactions that commands were stored by", lambda: writer.groups
    )
    count("croupier_group_seconds_total", "Time that these took", lambda: writer.seconds)
    gauge("croupier_storing_seconds", "For how long the one under way has taken", writer.storing)
    gauge("croupier_not_stored_yet", "Commands that wait for the next one", lambda: writer.waiting)
    if writer.copy is not None:
        says = "For how long the copy of the log could not be written; 0 if it can"
        gauge("croupier_copy_behind_seconds", says, writer.behind)
    sealer = casino.casino.sealer
    if sealer is not None:
        gauge("croupier_seal_age_seconds", "Since the record was last sealed", sealer.age)


def _process(casino: LiveCasino) -> None:
    """By the names that Prometheus has for any program."""
    gauge, count = casino.metrics.gauge, casino.metrics.count
    count("process_cpu_seconds_total", "Processor time", time.process_time)
    if PAGES.exists():
        size = os.sysconf("SC_PAGE_SIZE")
        says = "Memory"
        gauge(
            "process_resident_memory_bytes", says, lambda: int(PAGES.read_text().split()[1]) * size
        )
    if DESCRIPTORS.exists():
        gauge("process_open_fds", "Open descriptors", lambda: sum(1 for _ in DESCRIPTORS.iterdir()))
