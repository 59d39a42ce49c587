"""When an item comes again: SM-2, the schedule of Piotr Woźniak's SuperMemo (1987).

An item that was answered well comes again after one day, then after six, then each time after its
last interval times its easiness. One that was answered badly begins anew, and is asked again on the
same day until it is answered well. Easiness falls with every poor answer, and never below 1.3.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

WELL = 3
"""An answer of this quality or above was right."""
EASIEST = 2.5
HARDEST = 1.3
FIRST, SECOND = 1.0, 6.0
"""The first two intervals, in days."""
LONGEST = 365.0
"""A limit on everything: what is never asked again is forgotten."""


class Memory(Struct, frozen=True, kw_only=True):
    """What is known of one item and one trainee."""

    easiness: float = EASIEST
    repetitions: int = 0
    """Times that it was answered well, one after the other."""
    days: float = 0.0
    """The interval that it is in now; none after a wrong answer."""
    due: datetime | None = None
    """When it comes again; None if it was never asked."""
    asked: int = 0
    right: int = 0

    def is_due(self, now: datetime) -> bool:
        """Whether it is to be asked again by now."""
        return self.due is not None and self.due <= now


def quality_of(*, right: bool, looked_up: bool, seconds: float, limit: float) -> int:
    """How well something was answered, from 0 to 5, as SM-2 counts: 3 with the book open, 5 in less
    than half the time that one has against the clock."""
    if not right:
        return 1
    if looked_up:
        return WELL
    return 5 if seconds < limit / 2 else 4


def after(memory: Memory, quality: int, at: datetime) -> Memory:
    """What is known after an answer of this quality."""
    if not 0 <= quality <= 5:
        raise ValueError(f"a quality is 0 to 5, not {quality}")
    if quality < WELL:
        return Memory(
            easiness=memory.easiness,
            due=at,
            asked=memory.asked + 1,
            right=memory.right,
        )
    missed = 5 - quality
    easiness = max(HARDEST, memory.easiness + 0.1 - missed * (0.08 + missed * 0.02))
    days = _interval(memory, easiness)
    return Memory(
        easiness=easiness,
        repetitions=memory.repetitions + 1,
        days=days,
        due=at + timedelta(days=days),
        asked=memory.asked + 1,
        right=memory.right + 1,
    )


def _interval(memory: Memory, easiness: float) -> float:
    if memory.repetitions == 0:
        return FIRST
    if memory.repetitions == 1:
        return SECOND
    return min(LONGEST, memory.days * easiness)
