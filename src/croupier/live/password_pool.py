"""Where passwords and PINs are checked and hashed: in a few threads of their own, behind a queue
that has an end.

To check one takes a core for a good part of a second and 64 MiB of memory, on purpose. If that were
done where everything else is done beside the loop, a few hundred log-ins would hold up health
checks, play and even the stop of the server for a minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from croupier.live.errors import NotAllowed
from croupier.live.log_in_limits import From
from croupier.live.work_pool import Holders, WorkPool

P = ParamSpec("P")
T = TypeVar("T")

WAITING = 24
"""Passwords that wait at most, with those that are being checked."""
FOR_KNOWN = 8
"""Of these, so many are for whoever is known: a browser by which the same person has logged in
before, or somebody who is logged in. Strangers leave them free."""
OF_ONE = 3
"""Of one address, or of one known browser."""
ALL, STRANGERS = "all", "strangers"


class Busy(NotAllowed):
    """Too many passwords wait already."""

    def __init__(self) -> None:
        super().__init__("busy", "Too many people log in at once; try again in a moment.")


def _holders(place: From) -> Holders:
    """What a password takes a slot of, with how many there are.

    A known browser does not count with the strangers of its address. All known ones of an address
    together do not get everything: whoever has an account can have as many of them as they like.
    """
    if not place.device:
        return (
            (ALL, WAITING),
            (STRANGERS, WAITING - FOR_KNOWN),
            (("address", place.address), OF_ONE),
        )
    return (
        (ALL, WAITING),
        (("device", place.device), OF_ONE),
        (("known at", place.address), FOR_KNOWN - 2),
    )


class PasswordPool:
    """Used in one event loop."""

    def __init__(self) -> None:
        workers = max(1, min(4, (os.cpu_count() or 1) // 2))
        self._pool = WorkPool("passwords", workers, Busy)

    async def run(self, place: From, does: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something with a password that comes from this place; Busy where too many wait."""
        return await self._pool.run(_holders(place), does, *args, **kwargs)

    def close(self) -> None:
        """What waits is not begun any more."""
        self._pool.close()
