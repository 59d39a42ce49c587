"""This server among the others: it says that it is there, and finds out who is not any more.

A server has gone when its beat stands still: for `SILENT` seconds, or for `UNCONNECTED` where it
has no connection to the database either, as one that was killed has none. Only what this server
has seen itself counts, and only while it saw the database all the time: after an outage of the
database everybody is given time to come back.

A server that could not say that it is there for `LEASE` seconds takes no command and shows no table
until it can: the others may run its tables by then. That is less than `SILENT`.
"""

from __future__ import annotations

import logging
import os
import re
import socket

from croupier import __version__
from croupier.house.errors import OwnedElsewhere, StorageError
from croupier.house.ownership import Ownership
from croupier.house.servers import LONGEST_NAME, ServerRecord, Servers, newest_schema
from croupier.house.world import World
from croupier.live.config import ServersConfig
from croupier.live.errors import BadConfig
from croupier.live.logs import NAME

BEAT = 0.5
"""Seconds between two beats."""
LEASE = 2.5
"""Seconds after its last beat for which a server runs its tables."""
SILENT = 4.0
"""Seconds without a beat after which a server has gone."""
UNCONNECTED = 1.0
"""The same of a server without a connection to the database."""
BREAK = 1.5
"""Seconds between two looks after which the looking begins anew."""

log = logging.getLogger(NAME)


class LeaseOver(StorageError):
    """This server cannot say that it is there: others may run its tables by now."""


def name_of(config: ServersConfig) -> str:
    """What this server is called among the others: as configured, or by machine and process."""
    if config.name:
        return config.name
    machine = re.sub(r"[^A-Za-z0-9._-]", "-", socket.gethostname())
    return f"{machine[: LONGEST_NAME - 12]}-{os.getpid()}"


class Membership:
    """What this server knows of the others. Used in one thread, but for `check_lease`."""

    def __init__(self, config: ServersConfig, address: str, world: World) -> None:
        self.name = name_of(config)
        self.session = f"croupier {self.name} {world.unique()[:8]}"
        self._may_run = config.tables
        self._address = address
        self._monotonic = world.monotonic
        self._servers: Servers
        self._seen: dict[str, tuple[int, float]] = {}
        """The last beat of each other server, and since when it is that one."""
        self._looked = 0.0
        self._beaten = 0.0
        self.others: dict[str, ServerRecord] = {}
        """The servers beside this one that count, by name."""

    def join(self, servers: Servers, ownership: Ownership) -> None:
        """Be one of the servers from now on, under a name that no other one has."""
        self._servers = servers
        try:
            ownership.take(f"server {self.name}")
        except OwnedElsewhere as error:
            raise BadConfig(
                f"servers.name: there is a server {self.name!r} already; give this one another "
                "name with --name"
            ) from error
        for other in servers.all():
            if not other.ended and (other.name == self.name or not other.connected):
                self._end(other)  # it ended without a word, before this one began
        self._register()

    def rejoin(self, ownership: Ownership) -> None:
        """Be one of them again, after the others have given this one up."""
        self._register()
        ownership.take(f"server {self.name}")

    @property
    def me(self) -> ServerRecord:
        """This server, as the others find it."""
        return ServerRecord(
            name=self.name,
            session=self.session,
            address=self._address,
            version=__version__,
            schema=newest_schema(),
            may_run=self._may_run,
        )

    def _register(self) -> None:
        began = self._monotonic()
        self._servers.register(self.me)
        self._beaten = self._looked = began
        self._seen.clear()

    def beat(self) -> bool:
        """Say that this server is there; False if the others have given it up."""
        began = self._monotonic()
        if not self._servers.beat():
            return False
        self._beaten = began
        return True

    def check_lease(self) -> None:
        """Raises where the others may have given this server up by now."""
        if self.others and self.lease_is_over:
            raise LeaseOver(
                "this server has not reached the database for some seconds, and another one may "
                "run its tables by now"
            )

    @property
    def lease_is_over(self) -> bool:
        """Whether it is too long ago that this server said that it is there."""
        return self._monotonic() - self._beaten > LEASE

    def look(self) -> None:
        """Find out who is there, and end who has gone."""
        found = self._servers.all()
        now = self._monotonic()
        if now - self._looked > BREAK:
            self._seen.clear()
        self._looked = now
        others = {}
        for other in found:
            if other.name == self.name or other.ended:
                continue
            beat, since = self._seen.get(other.session, (-1, now))
            if beat != other.beat:
                since = now
                self._seen[other.session] = (other.beat, now)
            if now - since > (SILENT if other.connected else UNCONNECTED):
                self._end(other)
            else:
                others[other.name] = other
        self.others = others

    def _end(self, other: ServerRecord) -> None:
        """Let another server run nothing any more."""
        why = f"{self.name} has not heard of it since {other.heard}"
        if self._servers.end(other.session, why):
            log.error("a server has gone", extra={"server": other.name, "says": why})
        self._servers.cut_off(other.session)

    def candidates(self) -> list[ServerRecord]:
        """Who may run something."""
        return [self.me, *self.others.values()]

    def end(self) -> None:
        """This server stops as planned."""
        self._servers.end(self.session, "it was stopped")
