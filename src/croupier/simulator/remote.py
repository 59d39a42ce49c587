"""A session with a model database that is a server far away, shared by several processes: it does
not say what others changed, one question is cheaper than four, and its connection may be lost.

A connection that was lost is opened again by the next statement, as PostgreSQL's is
(`croupier.house.postgres`): another one, without the locks of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from croupier.house.database import ALL, KEEP, Database, Insertion
from croupier.house.errors import LostConnection, StorageError
from croupier.house.shared_database import Session, SharedDatabase
from croupier.simulator.backends import Backend
from croupier.simulator.database import Fate, ModelDatabase, ModelServer


class RemoteModel(ModelDatabase, SharedDatabase):
    """One connection after the other to a server far away."""

    in_one_step = True

    def __init__(self, server: ModelServer) -> None:
        super().__init__(server)
        self.session: Session | None = None
        self._backend: Backend | None = None
        self._heard_by: list[Callable[[], None]] = []

    # -- the connection ----------------------------------------------------------------------

    @property
    def backend(self) -> Backend | None:
        """The connection that it has now."""
        return self._backend

    def _step(self, step: str) -> None:
        try:
            super()._step(step)
        except LostConnection:
            self._lose()
            raise
        if self._backend is None or self._backend.has_ended:
            if self.server.owner is self:
                raise LostConnection(f"{self.name}: the connection was lost within a transaction")
            self._connect()

    def _connect(self) -> None:
        self.connections += 1
        self._backend = self.server.backends.new(self.process)
        if self.session is not None:
            try:
                self._mark(self.session)
            except BaseException:
                self.drop()
                raise
        for listener in self._heard_by:  # something may have been missed
            listener()

    def _lose(self) -> None:
        """Nothing gets through any more; the server may not know for a while."""
        backend, self._backend = self._backend, None
        if backend is not None and not backend.has_ended:
            self.server.on_lost(backend)

    def _be_cut_off(self, fate: Fate) -> None:
        try:
            super()._be_cut_off(fate)
        finally:
            self._lose()

    def drop(self) -> None:
        backend, self._backend = self._backend, None
        if backend is not None:
            self.server.backends.end(backend)

    def belong_to(self, session: Session) -> None:
        self.session = session
        if self._backend is not None and not self._backend.has_ended:
            self._mark(session)

    def _mark(self, session: Session) -> None:
        assert self._backend is not None
        self._backend.name = session.name
        if session.says_only:
            return
        sql = "SELECT ended FROM servers WHERE session = ?"
        found = self.server.committed_now().execute(sql, (session.name,)).fetchone()
        session.check(found[0] if found is not None else None)

    def listen(self, listener: Callable[[], None], *, but_not: Database | None = None) -> None:
        assert but_not is None or isinstance(but_not, ModelDatabase)
        self._heard_by.append(listener)

        def hear() -> None:
            if self._backend is not None and not self._backend.has_ended:
                listener()

        self.server.listen(hear, but_not)

    def again(self) -> RemoteModel:
        made = RemoteModel(self.server)
        made.process, made.session = self.process, self.session
        return made

    def close(self) -> None:
        super().close()
        self.drop()

    # -- storing -----------------------------------------------------------------------------

    def changes_by_others(self) -> int | None:
        return None

    def insert_if(
        self, known: int, added: int, insertions: Sequence[Insertion], *, quiet: bool = False
    ) -> bool:
        counted = "UPDATE length SET events = events + ? WHERE log = ? AND events = ? RETURNING log"
        before = self.connections
        with self.transaction():
            if self.connections != before:
                return False  # as PostgreSQL's: what is remembered is to be looked up again
            if not self.execute(counted, (added, ALL, known)):
                return False
            self.insert_all(
                [
                    each._replace(on_conflict="") if each.on_conflict == KEEP else each
                    for each in insertions
                ],
                quiet=quiet,
            )
        return True

    # -- what several processes share --------------------------------------------------------

    def _at_server(self) -> Backend:
        """The connection, at the next step."""
        self._step("read")
        assert self._backend is not None
        return self._backend

    def try_locks(self, keys: Sequence[int]) -> set[int]:
        backend = self._at_server()
        return {key for key in keys if self.server.backends.lock(backend, key)}

    def wait_for_lock(self, key: int) -> None:
        """Nobody can wait here for another process: whoever is late has waited too long."""
        if not self.try_locks([key]):
            raise StorageError(f"{self.name}: a lock was not to be had in time")

    def unlock(self, keys: Sequence[int]) -> set[int]:
        backend = self._at_server()
        return {key for key in keys if self.server.backends.unlock(backend, key)}

    def lock_holder(self, key: int) -> str:
        holder = self.server.backends.holder(key)
        return holder.name if holder is not None else ""

    def connection_id(self) -> Hashable:
        return self._at_server().number

    def end_connection(self, connection: Hashable) -> bool:
        self._step("write")
        return self.server.backends.end_numbered(connection)

    def sessions(self) -> set[str]:
        self._step("read")
        return self.server.backends.names()

    def end_connections(self, session: str) -> bool:
        self._step("write")
        self.server.deliver_commit()  # one on its way arrives before its connection has ended
        return self.server.backends.end_named(session)
