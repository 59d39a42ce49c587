"""Random play with dealing errors, reports, rulings and their undoing, at both books.

Chips and cards are conserved (the table asserts it after every event), refusals cite and change
nothing, the log replays to the identical table, and no view or masked event tells a card too many.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.poker.errant_table import ErrantTable, NobodyLeft


def _errs(
    data: st.DataObject, book: str, *, by_hand: bool, steps: int, real: bool = False
) -> ErrantTable:
    def pick(options: list[object]) -> object:
        return options[data.draw(st.integers(0, len(options) - 1))]

    errant = ErrantTable(pick, book, by_hand=by_hand, real=real)
    try:
        for _ in range(data.draw(st.integers(5, steps))):
            if data.draw(st.integers(0, 3)):
                errant.play()
            else:
                errant.go_wrong()
    except NobodyLeft:
        pass
    return errant


UNHURRIED = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
BOTH = pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])


@BOTH
@settings(UNHURRIED, max_examples=20)
@given(data=st.data())
def test_a_table_by_hand_survives_every_error(book: str, data: st.DataObject) -> None:
    """Some evenings; the slow set has ten times as many."""
    errant = _errs(data, book, by_hand=True, steps=60)
    assert errant.shadow.state == errant.table.state


@pytest.mark.slow
@BOTH
@settings(UNHURRIED, max_examples=200)
@given(data=st.data())
def test_a_table_by_hand_survives_every_error_in_many_evenings(
    book: str, data: st.DataObject
) -> None:
    errant = _errs(data, book, by_hand=True, steps=60)
    assert errant.shadow.state == errant.table.state


@settings(UNHURRIED, max_examples=15)
@given(data=st.data())
def test_an_automatic_table_survives_every_report(data: st.DataObject) -> None:
    errant = _errs(data, "no-limit-holdem-v8", by_hand=False, steps=60)
    assert errant.shadow.state == errant.table.state


@settings(UNHURRIED, max_examples=15)
@given(data=st.data())
def test_a_table_with_a_real_shoe_survives_every_error(data: st.DataObject) -> None:
    errant = _errs(data, "no-limit-holdem-v8", by_hand=True, steps=60, real=True)
    assert errant.shadow.state == errant.table.state
