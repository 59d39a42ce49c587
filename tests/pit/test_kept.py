"""Evenings that were played once are decided the same today, order by order."""

from __future__ import annotations

import pytest

from tests.pit.any_orders import evening_by_chance
from tests.pit.kept import Evening, decided_again, kept_evenings, read_evenings, write_evenings

KEPT = list(kept_evenings())


@pytest.mark.parametrize("evening", KEPT, ids=[evening.evening for evening in KEPT])
def test_an_evening_is_decided_as_it_was(evening: Evening) -> None:
    for number, (then, now) in enumerate(decided_again(evening), 1):
        assert now.answer == then.answer, f"order {number}: {then.do}"
        assert now.seen == then.seen, f"order {number}, what was seen after it: {then.do}"


@pytest.mark.parametrize("book", sorted({evening.book for evening in KEPT}))
def test_an_evening_by_chance_breaks_nothing_and_is_decided_twice_alike(book: str) -> None:
    evening = evening_by_chance(book, seed=1, orders=60)
    assert all(then == now for then, now in decided_again(evening))


def test_an_evening_is_read_as_it_was_written() -> None:
    evenings = [evening_by_chance("poker-v5", seed=seed, orders=20) for seed in (1, 2)]
    assert read_evenings(write_evenings(evenings)) == evenings
