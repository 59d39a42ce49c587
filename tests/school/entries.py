"""Entries of a lesson, for tests of what keeps and shows them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from croupier.school.record import Answered, Begun, Kept, Put

BOOK = "no-limit-holdem-v8"
THEN = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)


def answered(item: str, *, right: bool = True, level: int = 1, seconds: float = 20) -> Answered:
    """An answer to an item."""
    return Answered(
        item=item,
        kind="hand",
        level=level,
        rulebook=BOOK,
        title="Name the hand",
        chosen=(0,),
        right=right,
        seconds=seconds,
        says="Flush",
        cites=("3.1.2.flush",),
    )


def some_entries(trainee: str, lesson: str = "lesson-1") -> list[Kept]:
    """A lesson that was begun, one exercise of it answered right and one wrong."""
    put = Put(item="hand/flush", kind="hand", level=1, seed="s/0")
    entries = [
        Begun(rulebook=BOOK, seed="s"),
        put,
        answered("hand/flush"),
        Put(item="hand/one-pair", kind="hand", level=1, seed="s/1"),
        answered("hand/one-pair", right=False),
    ]
    return [
        Kept(trainee=trainee, lesson=lesson, at=THEN + timedelta(seconds=n), entry=entry)
        for n, entry in enumerate(entries)
    ]
