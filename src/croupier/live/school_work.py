"""Where the school works: in threads of its own, with a limit on what waits there.

To make an exercise takes the engine for up to half a second, and to read a record the disk. Neither
may hold up the casino, however many ask at once; and nobody may hold up everybody else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import ParamSpec, TypeVar

from croupier.live.errors import NotAllowed
from croupier.live.limits import Buckets
from croupier.live.work_pool import Holders, WorkPool

P = ParamSpec("P")
T = TypeVar("T")

WAITING = 24
"""Requests that are done or wait at most, of learning and of looking each."""
OF_SENDER = 12
"""Of one address: a class may sit behind it."""
OF_ONE = 2
"""Of one person."""
EXERCISES_OF_SENDER = 1_200
"""Exercises that one address may have put in an hour."""
AT_ONCE = 120
"""Of these, one after the other without a pause."""
ALL, EVERYBODY = "all", "everybody"
EVERYBODYS: Holders = ((EVERYBODY, 1),)
"""To read what everybody knows takes long: one at a time, so that the other thread is free."""


class Busy(NotAllowed):
    """Too many requests wait already."""

    def __init__(self) -> None:
        super().__init__("busy", "Too many people are at school at once; try again in a moment.")


class SchoolWork:
    """Used in one event loop."""

    def __init__(self) -> None:
        self.learning = WorkPool("school", 1, Busy)
        """One thread: more would not make exercises faster, and a lesson goes on step by step."""
        self.looking = WorkPool("school-looks", 2, Busy)
        self._exercises = Buckets(EXERCISES_OF_SENDER / 3_600, AT_ONCE)

    def one_more(self, sender: str) -> None:
        """Somebody asks for an exercise: not too many from one address, under whatever names."""
        if self._exercises.take(sender):
            says = "Your address has had too many exercises within an hour; wait a bit."
            raise NotAllowed("too fast", says)

    async def learn(
        self,
        person: Hashable,
        sender: str,
        does: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Go on with a lesson."""
        return await self.learning.run(_holders(person, sender), does, *args, **kwargs)

    async def look(
        self,
        person: Hashable,
        sender: str,
        more: Holders,
        does: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Look something up."""
        return await self.looking.run((*_holders(person, sender), *more), does, *args, **kwargs)

    def close(self) -> None:
        """What waits is not begun any more."""
        self.learning.close()
        self.looking.close()


def _holders(person: Hashable, sender: str) -> Holders:
    return ((ALL, WAITING), (("sender", sender), OF_SENDER), (("person", person), OF_ONE))
