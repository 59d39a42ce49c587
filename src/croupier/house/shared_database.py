"""What a database does for several processes that share it: locks that end with the connection that
holds them, and connections that are called by the session of a server and ended by others.

PostgreSQL does it by advisory locks and `pg_stat_activity` (`croupier.house.postgres_sharing`), the
model of the simulator by its own books.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Sequence
from datetime import datetime

from croupier.house.database import Database
from croupier.house.errors import DeclaredGone


class Session:
    """The connections of one server. Whoever is marked as ended gets none, but for the one by which
    it says that it is there, and learns that it is ended."""

    def __init__(self, name: str, *, says_only: bool = False) -> None:
        self.name = name
        self.says_only = says_only
        self.registered = False
        """Whether it is in the table of servers: then it must be found there."""

    def check(self, ended: str | None) -> None:
        """See that a new connection may be used, by what the table of servers says of the session:
        why it has ended, nothing where it has not, None where it is not there."""
        if self.registered and ended is None:
            ended = "another one has its name by now"
        if ended:
            raise DeclaredGone(f"this server runs nothing any more: {ended}")


Connection = tuple[int, datetime]
"""Which connection it is, for every process: the number that the server has for it, and since
when."""


class SharedDatabase(Database):
    """A database that several processes use at the same time."""

    session: Session | None = None
    """The server of the House whose connection this is, where there are several."""
    signature: str = ""
    """Stands in the notice of what it has stored, by which its own is known from that of others. A
    process that stores for it has the same."""
    writers: tuple[Connection, ...] = ()
    """The connections of another process that stores for this one, those that it has lost before
    the one that it has."""
    on_connection: Callable[[Connection], None] | None = None
    """Told of each connection that is opened from now on, before anything is done by it."""

    @abstractmethod
    def try_locks(self, keys: Sequence[int]) -> set[int]:
        """Lock those of some keys that no other connection has locked; which. What this one has
        locked already is locked once more."""

    @abstractmethod
    def wait_for_lock(self, key: int) -> None:
        """Lock a key once nobody else has it; an error if that takes too long."""

    @abstractmethod
    def unlock(self, keys: Sequence[int]) -> set[int]:
        """Free keys, each once; those of them that this connection had locked."""

    @abstractmethod
    def lock_holder(self, key: int) -> str:
        """Who has locked a key, in words; empty where nobody has."""

    def note_loss(self) -> None:
        """A connection of the same House was lost: what is read must be confirmed first where a
        standby must confirm it."""

    def timelines(self) -> dict[str, int]:
        """The newest timeline that has been seen of each database system."""
        return {}

    def note_timelines(self, seen: dict[str, int]) -> None:
        """Use no server on an older one, whoever has seen these."""

    @abstractmethod
    def connection_id(self) -> Hashable:
        """Which connection this is: another one after each loss, with none of the locks before."""

    @abstractmethod
    def end_connection(self, connection: Hashable) -> bool:
        """End one connection, by its `connection_id`: one that was lost and that the server has
        still, with its locks. One that is at work goes on, and is asked again: its commit may wait
        for a standby, and would be valid without it. Whether there was one still."""

    @abstractmethod
    def belong_to(self, session: Session) -> None:
        """Be a connection of one server among several, also when it is opened again."""

    @abstractmethod
    def sessions(self) -> Collection[str]:
        """The names of the sessions that have a connection now."""

    @abstractmethod
    def end_connections(self, session: str) -> bool:
        """End every connection of a session; whether there was one still."""

    @abstractmethod
    def drop(self) -> None:
        """Cut the connection off; the next statement opens another one."""

    @abstractmethod
    def again(self) -> SharedDatabase:
        """Another connection to the same database."""
