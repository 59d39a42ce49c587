"""The one writer: a thread that stores whatever has gathered, in one transaction at a time.

While one group is being synced the next one gathers, so the more tables there are, the more share
a sync. Nobody is told that a command was carried out before its group is durable; after that, and
before anybody is told, its rows go to the copy of the log.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from croupier.house.copy import LogCopy
from croupier.house.errors import HouseError, StorageError
from croupier.house.records import Bundle
from croupier.house.store import Store

GROUP_AT_MOST = 512
"""Bundles in one transaction: a limit on everything."""

Task = tuple[Bundle, Future[None]]
logger = logging.getLogger("croupier.house")


class Writer:
    """Stores bundles in groups; each future is done when its bundle is durable or turned away.

    `boundary` is called with the name of each step that a crash could fall before or after:
    `before the group`, `before the copy`, `after the copy`, `after the answers`.
    """

    def __init__(
        self,
        store: Store,
        copy: LogCopy | None = None,
        *,
        boundary: Callable[[str], None] = lambda name: None,
    ) -> None:
        self._store = store
        self._copy = copy
        self._boundary = boundary
        self._queue: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._closed = False
        self._closing = threading.Lock()
        self.groups = 0
        """Transactions so far."""
        self.trouble: StorageError | None = None
        """Why the copy of the log is behind, if it is. The log itself is whole: the House goes on
        and tries again with every group."""
        if copy is not None:
            copy.catch_up(store)
        self._thread = threading.Thread(target=self._run, name="house-writer", daemon=True)
        self._thread.start()

    def store(self, bundle: Bundle) -> Future[None]:
        """Ask for a bundle to be stored."""
        future: Future[None] = Future()
        with self._closing:
            if self._closed:
                future.set_exception(StorageError("the House is closed; nothing more is stored"))
            else:
                self._queue.put((bundle, future))
        return future

    def close(self) -> None:
        """Store what has gathered, then stop."""
        with self._closing:
            first, self._closed = not self._closed, True
        if first:
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._gather()
            if group:
                self._write(group)
            self._sync(last)

    def _gather(self) -> tuple[list[Task], bool]:
        """Wait for one bundle, or for the next sync of the copy; then take all that are there."""
        wait = self._copy.due() if self._copy is not None else None
        group: list[Task] = []
        try:
            while len(group) < GROUP_AT_MOST:
                more = self._queue.get_nowait() if group else self._queue.get(timeout=wait)
                if more is None:
                    return group, True
                group.append(more)
        except queue.Empty:
            pass
        return group, False

    def _write(self, group: list[Task]) -> None:
        self._boundary("before the group")
        answers = self._stored([bundle for bundle, _ in group])
        self.groups += 1
        if self._copy is not None:
            self._boundary("before the copy")
            self._write_copy(self._copy, group, answers)
            self._boundary("after the copy")
        for (_, future), answer in zip(group, answers, strict=True):
            if answer is None:
                future.set_result(None)
            else:
                future.set_exception(answer)
        self._boundary("after the answers")

    def _stored(self, bundles: list[Bundle]) -> list[HouseError | None]:
        try:
            return self._store.append(bundles)
        except HouseError as error:
            return [error] * len(bundles)
        except Exception as error:
            # Whatever it is, nobody may be left waiting, and no one bundle may stop the others.
            logger.exception("a group could not be stored")
            if len(bundles) == 1:
                return [StorageError(f"storing failed: {error!r}")]
            return [answer for bundle in bundles for answer in self._stored([bundle])]

    # -- the copy of the log -----------------------------------------------------------------

    def _write_copy(
        self, copy: LogCopy, group: list[Task], answers: list[HouseError | None]
    ) -> None:
        """The rows are durable whatever happens here: they are acknowledged in any case."""
        try:
            if self.trouble is not None:
                copy.catch_up(self._store)
            else:
                stored = zip(group, answers, strict=True)
                copy.write(
                    row for (bundle, _), answer in stored if answer is None for row in bundle.rows
                )
            self.trouble = None
        except StorageError as error:
            self._report(error)

    def _sync(self, last: bool) -> None:
        if self._copy is None:
            return
        try:
            if last:
                self._copy.close()
            elif self._copy.due() == 0:
                self._copy.sync()
        except StorageError as error:
            self._report(error)

    def _report(self, error: StorageError) -> None:
        if self.trouble is None:
            logger.error("%s", error)
        self.trouble = error
