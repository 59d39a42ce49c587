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

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from croupier.house.database import Database
from croupier.house.errors import DeclaredGone, StorageError
from croupier.house.migrations import migrations

CUT_OFF_WITHIN = 5.0
"""Seconds that PostgreSQL has to end the connections of a server that has gone."""
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


class Session:
    """The connections of one server. Whoever is marked as ended gets none, but for the one by which
    it says that it is there, and learns that it is ended."""

    def __init__(self, name: str, *, says_only: bool = False) -> None:
        self.name = name
        self._says_only = says_only

    async def opened(self, connection: Any) -> None:
        """Call a connection by the name of the session, and see that it may still be used: in this
        order, so that whoever ends the session finds it."""
        await connection.execute(f"SET application_name = '{self.name}'")
        if self._says_only:
            return
        exists = await connection.fetchval("SELECT to_regclass('servers') IS NOT NULL")
        ended = exists and await connection.fetchval(
            "SELECT ended FROM servers WHERE session = $1 AND ended <> ''", self.name
        )
        if ended:
            raise DeclaredGone(f"this server runs nothing any more: {ended}")


class Servers:
    """The table of the servers, over a connection that is there for nothing else."""

    def __init__(self, database: Database, session: str) -> None:
        self._database = database
        self._session = session

    def register(self, me: ServerRecord) -> None:
        """Note a server, also after it was ended: it begins anew and runs nothing yet."""
        columns = "name, session, address, version, schema_number, may_run, beat, heard, ended"
        values = (
            *(me.name, me.session, me.address, me.version, me.schema),
            *("\n".join(me.may_run), 1, _now(), ""),
        )
        self._change(
            f"INSERT INTO servers ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET session = excluded.session, "
            "address = excluded.address, version = excluded.version, "
            "schema_number = excluded.schema_number, may_run = excluded.may_run, "
            "beat = servers.beat + 1, heard = excluded.heard, ended = '' RETURNING name",
            values,
        )
        self._change(
            "UPDATE server_places SET server = '' WHERE server = ? RETURNING place", (me.name,)
        )

    def beat(self) -> bool:
        """Say that this server is there; whether it counts still."""
        sql = (
            "UPDATE servers SET beat = beat + 1, heard = ? WHERE session = ? AND ended = '' "
            "RETURNING name"
        )
        return bool(self._change(sql, (_now(), self._session)))

    def all(self) -> list[ServerRecord]:
        """The servers there are, with those that have ended."""
        found = self._database.execute(
            "SELECT name, session, address, version, schema_number, may_run, beat, heard, ended, "
            "EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.application_name = s.session "
            "AND a.datname = current_database()) FROM servers s ORDER BY name"
        )
        return [
            ServerRecord(
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
            for name, session, address, version, schema, may_run, beat, heard, ended, connected in (
                found
            )
        ]

    def places(self) -> dict[str, tuple[str, str]]:
        """Of each place the server that runs it and the one that is to, as far as is known."""
        found = self._database.execute("SELECT place, server, wanted FROM server_places")
        return {place: (server, wanted) for place, server, wanted in found}

    def note_running(self, server: str, places: Iterable[str]) -> None:
        """Note that a server runs places from now on."""
        self._change(
            "INSERT INTO server_places (place, server, wanted) "
            "SELECT place, ?, '' FROM unnest(?::text[]) AS u (place) "
            "ON CONFLICT (place) DO UPDATE SET server = excluded.server RETURNING place",
            (server, sorted(places)),
        )

    def note_released(self, server: str, places: Iterable[str]) -> None:
        """Note that a server runs places no more."""
        self._change(
            "UPDATE server_places SET server = '' WHERE server = ? AND place = ANY(?::text[]) "
            "RETURNING place",
            (server, sorted(places)),
        )

    def want(self, place: str, server: str) -> None:
        """Have a place run by a server; with none, wherever there is room."""
        self._change(
            "INSERT INTO server_places (place, server, wanted) VALUES (?, '', ?) "
            "ON CONFLICT (place) DO UPDATE SET wanted = excluded.wanted RETURNING place",
            (place, server),
        )

    def end(self, session: str, why: str) -> bool:
        """Mark a server as ended; whether this call did it."""
        sql = "UPDATE servers SET ended = ? WHERE session = ? AND ended = '' RETURNING name"
        return bool(self._change(sql, (why, session)))

    def cut_off(self, session: str) -> None:
        """End every connection of a server that is marked as ended, and see that none is left."""
        there = "FROM pg_stat_activity WHERE application_name = ? AND datname = current_database()"
        deadline = time.monotonic() + CUT_OFF_WITHIN
        while self._database.execute(f"SELECT pg_terminate_backend(pid) {there}", (session,)):
            if time.monotonic() > deadline:
                raise StorageError(
                    f"{self._database.name} does not end the connections of {session!r}; its "
                    "tables stay away until they are gone"
                )
            time.sleep(0.01)

    def close(self) -> None:
        """Use the connection no more."""
        self._database.close()

    def _change(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Change something, in a statement that is durable by itself."""
        return self._database.execute(sql, values)


def newest_schema() -> int:
    """The schema that this version writes."""
    return migrations()[-1][0]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
