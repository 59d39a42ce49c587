"""The interface of a database: statements with `?`, one transaction at a time.

SQLite is in `croupier.house.sqlite`, PostgreSQL in `croupier.house.postgres`, and
`croupier.house.urls` opens either by its address. The SQL of the House is written once, in
`croupier.house.store`, in the words that both understand; where they differ, `words` has the one.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, NamedTuple

from croupier.house.errors import StorageError
from croupier.house.vault import Vault

KEEP = "ON CONFLICT DO NOTHING"
"""What is there already stays; whoever inserts counts."""
ALL = "all"
"""The row of the table `length` that counts every event of every log."""


class Insertion(NamedTuple):
    """Rows for one table."""

    table: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    on_conflict: str = ""


class Database(ABC):
    """What the store needs of a database. Any thread may use it; they take turns."""

    words: ClassVar[dict[str, str]]
    """What stands for `{blob}` and the like in SQL: `blob` is the type of bytes, `keys` the
    condition that a column is one of many, whose value `keys()` makes, `key` a number of 63 bits
    by which rows are found."""
    in_one_step: ClassVar[bool] = False
    """Whether it has `insert_if`: for a server far away, one question is cheaper than four."""

    def __init__(self, name: str) -> None:
        self.name = name
        """How errors call it; no password is in it."""
        self.connections = 0
        """How often a connection was opened: after a new one, nothing that was remembered of the
        database is sure."""
        self.lock = threading.RLock()
        """Held through a transaction, so that no other thread slips into it."""
        self.vault = Vault(name)
        """What must stay hidden is written with its key."""

    @property
    @abstractmethod
    def url(self) -> str:
        """Its address, with everything that another process needs to open it: not to be shown."""

    def wait_for_standby(self) -> None:  # noqa: B027 (a file has no standby)
        """See that what can be read here stays, even if a standby takes this server's place."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""

    @abstractmethod
    def insert_all(self, insertions: Sequence[Insertion], *, quiet: bool = False) -> list[int]:
        """Insert into one table or several, and wake whoever listens once it is durable, unless
        it concerns nobody else (`quiet`).

        Returns for each how many rows were inserted or, on conflict, changed.
        """

    def insert_if(
        self, known: int, added: int, insertions: Sequence[Insertion], *, quiet: bool = False
    ) -> bool:
        """Insert all in a transaction of its own if the logs have as many events as is known, and
        count those that are added; whether it was so. What is there already is an error."""
        raise NotImplementedError

    @abstractmethod
    def keys(self, keys: Sequence[str]) -> Any:
        """The value for a `{keys}` in a statement."""

    @abstractmethod
    def script(self, sql: str) -> None:
        """Run several statements without values, inside the open transaction."""

    @abstractmethod
    def begin(self) -> None:
        """Open a transaction; only one writer at a time gets past this."""

    @abstractmethod
    def begin_reading(self) -> None:
        """See everything as it stands now, whatever others store, until this is closed."""

    def changes_by_others(self) -> int | None:
        """A number that stays the same as long as no other connection has changed anything; asked
        inside a transaction. None where the database does not say: the length of the logs does."""
        return None

    @abstractmethod
    def commit(self) -> None:
        """Make the transaction durable: after this returns, a crash cannot lose it."""

    @abstractmethod
    def roll_back(self) -> None:
        """Forget the transaction."""

    @abstractmethod
    def tables(self) -> set[str]:
        """The tables there are."""

    def servers_beside(self) -> list[str]:
        """The other servers that use it now, each as it is told; a file has none."""
        return []

    @abstractmethod
    def strangers(self) -> list[str]:
        """Triggers and views, by name: croupier makes none, and they act or deceive unseen."""

    @abstractmethod
    def damages(self, *, quick: bool) -> list[str]:
        """What is wrong with its pages and indexes, as far as it can tell; `quick`: whether the
        indexes hold what the tables hold is not looked at."""

    @property
    @abstractmethod
    def page_check(self) -> str:
        """By what it looks at its pages, and what is missing for that."""

    def give_back_room(self) -> None:  # noqa: B027 (a server does it by itself)
        """Give the room of what was deleted back to the disk, where that is to be asked for."""

    @abstractmethod
    def again(self) -> Database:
        """Another connection to the same database."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    def insert(
        self,
        table: str,
        columns: tuple[str, ...],
        rows: Sequence[Sequence[Any]],
        on_conflict: str = "",
    ) -> int:
        """Insert rows into one table."""
        return self.insert_all([Insertion(table, columns, rows, on_conflict)])[0]

    def listen(  # noqa: B027 (a file is one process's: nobody else writes)
        self, listener: Callable[[], None], *, but_not: Database | None = None
    ) -> None:
        """Be woken, on another thread, when another process has stored something.

        What the connection `but_not` stores is no news.
        """

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing of it."""
        with self.lock:
            self.begin()
            try:
                yield
                self.commit()
            except BaseException:
                with suppress(StorageError):  # the first error is the one that is raised
                    self.roll_back()
                raise
