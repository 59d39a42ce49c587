"""The servers of one House that share a PostgreSQL database: who they are, and who runs what.

Each server is a row with a beat that it raises twice a second. That another one has gone is seen by
its beat alone, as measured by whoever looks: no two clocks are compared. A server that has gone is
*ended*, in this order:

1. it is marked as ended in its row;
2. every connection that it has is cut off by PostgreSQL;
3. its tables are taken over, by the locks that are free then (`croupier.house.ownership`).

A connection that it opens later finds the mark and is not used. So a server that only slept (it was
stopped, or cut off from the network) cannot write once its tables are somebody else's: what it had
under way was stored before step 2 and is read in step 3, or never.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct

from croupier.house.database import Insertion
from croupier.house.errors import DeclaredGone, StorageError
from croupier.house.migrations import migrations
from croupier.house.shared_database import SharedDatabase
from croupier.house.world import REAL, World

CUT_OFF_WITHIN = 5.0
"""Seconds that the database has to end the connections of a server that has gone."""
LOOKS_AGAIN = 0.01
"""Seconds until it is looked whether they are gone."""
LONGEST_NAME = 40
"""PostgreSQL keeps 63 bytes of what a connection is called."""


class ServerRecord(Struct, frozen=True, kw_only=True):
    """One server, as the others find it."""

    name: str
    session: str
    """What its connections are called: another one for each start."""
    address: str
    """Where the other servers reach it."""
    version: str
    schema: int
    may_run: tuple[str, ...] = ()
    """Patterns of the tables and links that it may run; all where there is none."""
    beat: int = 0
    heard: str = ""
    ended: str = ""
    """Why it runs nothing any more; empty while it does."""
    connected: bool = False
    """Whether it has a connection to the database."""

    def may(self, place: str) -> bool:
        """Whether it may run a place."""
        return not self.may_run or any(fnmatchcase(place, each) for each in self.may_run)


COLUMNS = (
    "name",
    "session",
    "address",
    "version",
    "schema_number",
    "may_run",
    "beat",
    "heard",
    "ended",
)
NOW_RUN_BY = "ON CONFLICT (place) DO UPDATE SET server = excluded.server"
PLACES = ("place", "server", "wanted")


class Servers:
    """The table of the servers, over a connection that is there for nothing else."""

    def __init__(self, database: SharedDatabase, session: str, world: World = REAL) -> None:
        self._database = database
        self._session = session
        self._world = world

    def register(self, me: ServerRecord) -> None:
        """Note a server, also after it was ended: it begins anew and runs nothing yet. An error if
        another one has its name by now."""
        values = (
            *(me.name, me.session, me.address, me.version, me.schema),
            *("\n".join(me.may_run), 1, self._now(), ""),
        )
        noted = self._change(
            f"INSERT INTO servers ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET session = excluded.session, "
            "address = excluded.address, version = excluded.version, "
            "schema_number = excluded.schema_number, may_run = excluded.may_run, "
            "beat = servers.beat + 1, heard = excluded.heard, ended = '' "
            "WHERE servers.ended <> '' OR servers.session = excluded.session RETURNING name",
            values,
        )
        if not noted:
            raise DeclaredGone(f"another server is called {me.name} by now")
        self._change(
            "UPDATE server_places SET server = '' WHERE server = ? RETURNING place", (me.name,)
        )

    def beat(self) -> bool:
        """Say that this server is there; whether it counts still."""
        sql = (
            "UPDATE servers SET beat = beat + 1, heard = ? WHERE session = ? AND ended = '' "
            "RETURNING name"
        )
        return bool(self._change(sql, (self._now(), self._session)))

    def all(self) -> list[ServerRecord]:
        """The servers there are, with those that have ended."""
        found = self._database.execute(f"SELECT {', '.join(COLUMNS)} FROM servers ORDER BY name")
        connected = self._database.sessions()
        return [_record(row, row[1] in connected) for row in found]

    def places(self) -> dict[str, str]:
        """Of each place the server that runs it, as far as is known; empty where none does. Where
        it is to be run is the office's to say (`croupier.house.office.server_moves`)."""
        found = self._database.execute("SELECT place, server FROM server_places")
        return dict(found)

    def note_running(self, server: str, places: Iterable[str]) -> None:
        """Note that a server runs places from now on."""
        rows = [(place, server, "") for place in sorted(places)]
        self._database.insert_all(
            [Insertion("server_places", PLACES, rows, NOW_RUN_BY)], quiet=True
        )

    def note_released(self, server: str, places: Iterable[str]) -> None:
        """Note that a server runs places no more."""
        database = self._database
        self._change(
            "UPDATE server_places SET server = '' WHERE server = ? "
            f"AND place {database.words['keys']} RETURNING place",
            (server, database.keys(sorted(places))),
        )

    def end(self, session: str, why: str) -> bool:
        """Mark a server as ended; whether this call did it."""
        sql = "UPDATE servers SET ended = ? WHERE session = ? AND ended = '' RETURNING name"
        return bool(self._change(sql, (why, session)))

    def cut_off(self, session: str) -> None:
        """End every connection of a server that is marked as ended, and see that none is left."""
        deadline = self._world.monotonic() + CUT_OFF_WITHIN
        try:
            while self._database.end_connections(session):
                if self._world.monotonic() > deadline:
                    raise StorageError(
                        f"{self._database.name} does not end the connections of {session!r}; its "
                        "tables stay away until they are gone"
                    )
                self._world.wait(threading.Event(), LOOKS_AGAIN)
        finally:
            self._database.note_loss()  # what it was committing can be read now, standby or not

    def close(self) -> None:
        """Use the connection no more."""
        self._database.close()

    def _change(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Change something, in a statement that is durable by itself."""
        return self._database.execute(sql, values)

    def _now(self) -> str:
        return self._world.now().isoformat(timespec="milliseconds")


def _record(row: tuple[Any, ...], connected: bool) -> ServerRecord:
    """A row of the table of servers."""
    name, session, address, version, schema, may_run, beat, heard, ended = row
    return ServerRecord(
        name=name,
        session=session,
        address=address,
        version=version,
        schema=schema,
        may_run=tuple(may_run.split("\n")) if may_run else (),
        beat=beat,
        heard=heard,
        ended=ended,
        connected=connected,
    )


def newest_schema() -> int:
    """The schema that this version writes."""
    return migrations()[-1][0]
