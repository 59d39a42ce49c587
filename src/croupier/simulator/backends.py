"""The connections of a model database as the server has them: each with its locks, and called by
the session of a server.

A connection that its process has lost may stay on the server for a while, with its locks: nobody
has told the server. It ends by itself later, or when somebody ends it.
"""

from __future__ import annotations

import itertools
from typing import Any

from croupier.house.errors import LostConnection


class Backend:
    """One connection, as the server has it."""

    def __init__(self, number: int, process: Any) -> None:
        self.number = number
        self.process = process
        """Whose it is, where that matters to faults."""
        self.name = ""
        self.has_ended = False


class Backends:
    """All connections to one server."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._all: list[Backend] = []
        self._locks: dict[int, tuple[Backend, int]] = {}
        """Who has locked which key, and how often."""

    def new(self, process: Any) -> Backend:
        """Somebody connects."""
        made = Backend(next(self._numbers), process)
        self._all.append(made)
        return made

    def end(self, backend: Backend) -> None:
        """A connection ends, and frees its locks."""
        backend.has_ended = True
        if backend in self._all:
            self._all.remove(backend)
        for key in [key for key, (holder, _) in self._locks.items() if holder is backend]:
            del self._locks[key]

    def end_of_process(self, process: Any) -> None:
        """A process ends, and all its connections with it."""
        for each in [each for each in self._all if each.process is process]:
            self.end(each)

    def end_all(self) -> None:
        """The server stops."""
        for each in tuple(self._all):
            self.end(each)

    def names(self) -> set[str]:
        """What the connections are called."""
        return {each.name for each in self._all}

    def end_named(self, name: str) -> bool:
        """End all connections of a name; whether there was one."""
        return self._end_all_of([each for each in self._all if each.name == name])

    def end_numbered(self, number: object) -> bool:
        """End the connection of a number; whether there was one."""
        return self._end_all_of([each for each in self._all if each.number == number])

    def _end_all_of(self, found: list[Backend]) -> bool:
        for each in found:
            self.end(each)
        return bool(found)

    # -- locks -------------------------------------------------------------------------------

    def holder(self, key: int) -> Backend | None:
        """Who has locked a key."""
        return self._locks[key][0] if key in self._locks else None

    def lock(self, backend: Backend, key: int) -> bool:
        """Lock a key, once more if it is this one's; whether it was to be had."""
        if backend.has_ended:
            raise LostConnection("the connection has ended")
        holder, times = self._locks.get(key, (backend, 0))
        if holder is backend:
            self._locks[key] = (backend, times + 1)
        return holder is backend

    def unlock(self, backend: Backend, key: int) -> bool:
        """Free a key once; whether this one had locked it."""
        holder, times = self._locks.get(key, (None, 0))
        if holder is not backend:
            return False
        if times > 1:
            self._locks[key] = (backend, times - 1)
        else:
            del self._locks[key]
        return True
