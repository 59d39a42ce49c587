"""What visitors have computed beside the tables: rounds played again, what hands were worth, the
guide's advice, pages of the rulebooks, statements.

Each takes the engine, from some milliseconds to many seconds. Anybody may ask, so each kind has one
thread of its own and a queue that has an end, of which one address gets a part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.requests import Request

from croupier.live.errors import NotAllowed
from croupier.live.senders import sender
from croupier.live.work_pool import WorkPool

P = ParamSpec("P")
T = TypeVar("T")

WAITING = 32
"""Requests of one kind that are done or wait at most."""
OF_SENDER = 8
"""Of these, of one address."""
ALL = "all"


class Busy(NotAllowed):
    """Too many requests wait already."""

    def __init__(self) -> None:
        super().__init__("busy", "Too much is being computed here at once; try again in a moment.")


class Queue:
    """One kind of work. Used in one event loop."""

    def __init__(self, name: str) -> None:
        self._pool = WorkPool(name, 1, Busy)

    async def run(
        self, request: Request, does: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something for whoever asks; raises Busy."""
        holders = ((ALL, WAITING), (sender(request), OF_SENDER))
        return await self._pool.run(holders, does, *args, **kwargs)

    def close(self) -> None:
        """What waits is not begun any more."""
        self._pool.close()


class SideWork:
    """The queues of one server, each of its own: who waits for one does not wait for another."""

    def __init__(self) -> None:
        self.replays = Queue("replays")
        self.equities = Queue("equities")
        self.guide = Queue("guide")
        self.pages = Queue("pages")
        """Of the rulebooks."""
        self.computed = Queue("computed")
        """Those of them that take seconds when they are first asked for."""
        self.statements = Queue("statements")

    def close(self) -> None:
        """What waits is not begun any more."""
        for queue in vars(self).values():
            queue.close()


def side_work_of(request: Request) -> SideWork:
    """The queues of this server."""
    found: SideWork = request.app.state.side_work
    return found
