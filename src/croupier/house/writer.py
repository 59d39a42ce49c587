"""The one writer: a thread that stores whatever has gathered, in one transaction at a time.

While one group is being synced the next one gathers, so the more tables there are, the more share
a sync. Nobody is told that a command was carried out before its group is durable.
"""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from croupier.house.errors import HouseError, StorageError
from croupier.house.records import Bundle
from croupier.house.store import Store

GROUP_AT_MOST = 512
"""Bundles in one transaction: a limit on everything."""


class Writer:
    """Stores bundles in groups; each future is done when its bundle is durable or turned away."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: queue.SimpleQueue[tuple[Bundle, Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="house-writer", daemon=True)
        self._thread.start()
        self.groups = 0
        """Transactions so far."""

    def store(self, bundle: Bundle) -> Future[None]:
        """Ask for a bundle to be stored."""
        future: Future[None] = Future()
        self._queue.put((bundle, future))
        return future

    def close(self) -> None:
        """Store what has gathered, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            group, last = self._gather()
            if group:
                self._write(group)
            if last:
                return

    def _gather(self) -> tuple[list[tuple[Bundle, Future[None]]], bool]:
        """Wait for one bundle, then take all that are there already."""
        first = self._queue.get()
        if first is None:
            return [], True
        group = [first]
        while len(group) < GROUP_AT_MOST:
            try:
                more = self._queue.get_nowait()
            except queue.Empty:
                break
            if more is None:
                return group, True
            group.append(more)
        return group, False

    def _write(self, group: list[tuple[Bundle, Future[None]]]) -> None:
        answers: list[HouseError | None]
        try:
            answers = self._store.append([bundle for bundle, _ in group])
        except StorageError as error:
            answers = [error] * len(group)
        except Exception as error:  # whatever it is, nobody may be left waiting
            answers = [StorageError(f"storing failed: {error!r}")] * len(group)
        self.groups += 1
        for (_, future), answer in zip(group, answers, strict=True):
            if answer is None:
                future.set_result(None)
            else:
                future.set_exception(answer)
