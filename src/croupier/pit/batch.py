"""Many cases in a row: what lives long is kept out of the way of the garbage collector.

Five loaded rulebooks are a hundred thousand small records that never die. Without this the
collector walks them again and again while cases come and go, which costs a third of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from croupier.rulebooks import BOOKS, load

MANY = 1_000_000
"""Records that may gather before the collector looks at the young ones."""


@contextmanager
def many_cases() -> Iterator[None]:
    """Load the books, put them aside, and collect rarely until the cases are done."""
    for book in BOOKS:
        load(book)
    before, aside = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    gc.set_threshold(MANY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not aside:  # whoever has put something aside before has it stay there
            gc.unfreeze()
