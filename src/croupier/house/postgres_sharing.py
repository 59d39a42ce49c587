"""What several processes share a PostgreSQL server by: advisory locks, and connections that are
called by the session of a server (`croupier.house.shared_database`)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from croupier.house.shared_database import Connection, Session, SharedDatabase

OF_SESSION = "FROM pg_stat_activity WHERE application_name = ? AND datname = current_database()"
NUMBER = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"


class PostgresSharing(SharedDatabase):
    """By statements alone."""

    def try_locks(self, keys: Sequence[int]) -> set[int]:
        sql = "SELECT k FROM unnest(?::bigint[]) AS u (k) WHERE pg_try_advisory_lock(k)"
        return {key for (key,) in self.execute(sql, (list(keys),))}

    def wait_for_lock(self, key: int) -> None:
        self.execute("SELECT pg_advisory_lock(?)", (key,))

    def unlock(self, keys: Sequence[int]) -> set[int]:
        sql = "SELECT k FROM unnest(?::bigint[]) AS u (k) WHERE pg_advisory_unlock(k)"
        return {key for (key,) in self.execute(sql, (list(keys),))}

    def lock_holder(self, key: int) -> str:
        found = self.execute(
            "SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
            "WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 "
            "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
            "AND ((l.classid::bigint << 32) | l.objid::bigint) = ?",
            (key,),
        )
        return f"{found[0][0]}, server process {found[0][1]}" if found else ""

    def connection_id(self) -> Connection:
        [(pid, since)] = self.execute(NUMBER)
        return pid, since

    def end_connection(self, connection: Hashable) -> bool:
        assert isinstance(connection, tuple)
        sql = (
            "SELECT CASE WHEN wait_event_type IN ('Client', 'Lock') THEN pg_terminate_backend(pid) "
            "END FROM pg_stat_activity WHERE pid = ? AND backend_start = ?"
        )
        return bool(self.execute(sql, connection))

    def sessions(self) -> set[str]:
        found = self.execute(
            "SELECT DISTINCT application_name FROM pg_stat_activity "
            "WHERE datname = current_database()"
        )
        return {name for (name,) in found}

    def end_connections(self, session: str) -> bool:
        return bool(self.execute(f"SELECT pg_terminate_backend(pid) {OF_SESSION}", (session,)))


async def number_of(connection: Any) -> Connection:
    """Which connection it is."""
    found = await connection.fetchrow(NUMBER)
    return found["pid"], found["backend_start"]


async def mark(connection: Any, session: Session) -> None:
    """Call a connection by the name of the session, and see that it may still be used: in this
    order, so that whoever ends the session finds it."""
    await connection.execute(f"SET application_name = '{session.name}'")
    if session.says_only:
        return
    exists = await connection.fetchval("SELECT to_regclass('servers') IS NOT NULL")
    session.check(
        await connection.fetchval("SELECT ended FROM servers WHERE session = $1", session.name)
        if exists
        else None
    )
