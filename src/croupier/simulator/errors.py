"""What goes wrong in a simulation: on purpose, and not."""

from __future__ import annotations

import traceback


class Died(BaseException):
    """The process ends here, whatever it is at. Nothing of it catches this."""


class Broken(AssertionError):
    """Something that must hold does not."""


class Deadlock(Broken):
    """A thread waits for what can never come."""


DEEPEST = 9
"""Calls that are named of an error."""


def where_of(error: BaseException) -> str:
    """Where an error came from: the functions of croupier on its way, the last one first."""
    calls = [
        call
        for call in traceback.extract_tb(error.__traceback__)
        if "croupier" in call[0] and "simulator" not in call[0]
    ]
    named = [f"{call.name} in {call.filename.rpartition('croupier/')[2]}" for call in calls]
    return ", from ".join(reversed(named[-DEEPEST:]))
