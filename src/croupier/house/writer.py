"""The one writer: a thread that stores whatever has gathered, in one transaction at a time.

While one group is being synced the next one gathers, so the more tables there are, the more share
a sync. Nobody is told that a command was carried out before its group is durable; after that, and
before anybody is told, its rows go to the copy of the log.

A second thread tells the answers, in order. So the writer waits for nobody: whoever holds the
House's lock may wait for the writer.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from croupier.house.copy import LogCopy
from croupier.house.errors import HouseError, StorageError
from croupier.house.records import Bundle
from croupier.house.store import Store

GROUP_AT_MOST = 512
"""Bundles in one transaction: a limit on everything."""

TRY_AGAIN_SECONDS = 1.0
"""Between two attempts to mend a copy of the log that could not be written."""

Tell = Callable[[HouseError | None], None]
"""Hears that a bundle is durable (None), or why it was turned away."""
Task = tuple[Bundle, Tell]
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
        self._answers: queue.SimpleQueue[list[tuple[Tell, HouseError | None]] | None] = (
            queue.SimpleQueue()
        )
        self._turn = threading.Condition()
        self._closed = False
        self._asked = 0
        self._settled = 0
        self.groups = 0
        """Transactions so far."""
        self.trouble: StorageError | None = None
        """Why the copy of the log is behind, if it is. The log itself is whole: the House goes on
        and tries again, at most once in `TRY_AGAIN_SECONDS`."""
        self._tried = 0.0
        if copy is not None:
            copy.catch_up(store)
        self._threads = [
            threading.Thread(target=self._run, name="house-writer", daemon=True),
            threading.Thread(target=self._tell, name="house-answers", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def store(self, bundle: Bundle) -> Future[None]:
        """Ask for a bundle to be stored; the future is done when it is, or was turned away."""
        future: Future[None] = Future()
        self.put(bundle, partial(_settle, future))
        return future

    def put(self, bundle: Bundle, tell: Tell) -> None:
        """Ask for a bundle to be stored; `tell` is called, in the order of the bundles, then."""
        with self._turn:
            if not self._closed:
                self._asked += 1
                self._queue.put((bundle, tell))
                return
        tell(StorageError("the House is closed; nothing more is stored"))

    def flush(self) -> None:
        """Wait until everything asked for so far is durable or turned away (told or not)."""
        with self._turn:
            asked = self._asked
            self._turn.wait_for(lambda: self._settled >= asked)

    def close(self) -> None:
        """Store what has gathered, tell the answers, then stop."""
        with self._turn:
            first, self._closed = not self._closed, True
        if first:
            self._queue.put(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            group, last = self._gather()
            if group:
                self._write(group)
            self._sync(last)
        self._answers.put(None)

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
        tells = [tell for _, tell in group]
        self._answers.put(list(zip(tells, answers, strict=True)))
        with self._turn:
            self._settled += len(group)
            self._turn.notify_all()

    def _tell(self) -> None:
        while (answers := self._answers.get()) is not None:
            for tell, answer in answers:
                try:
                    tell(answer)
                except Exception:  # the others must hear theirs
                    logger.exception("somebody could not be told that his command was stored")
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
        if self.trouble is not None and time.monotonic() < self._tried + TRY_AGAIN_SECONDS:
            return
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
        self._tried = time.monotonic()


def _settle(future: Future[None], answer: HouseError | None) -> None:
    if not future.set_running_or_notify_cancel():
        return  # nobody waits for it any longer; what was stored stays stored
    if answer is None:
        future.set_result(None)
    else:
        future.set_exception(answer)
