"""Money is whole cents inside and written as on the table outside; nothing is rounded."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.table import UnreadableMoney, read_money, write_money


@pytest.mark.parametrize(
    ("written", "cents"),
    [
        ("60", 6000),
        (60, 6000),
        ("2.50", 250),
        ("2.5", 250),
        (Decimal("2.5"), 250),
        ("0.01", 1),
        ("100,000", 10_000_000),
        ("99,999.90", 9_999_990),
        ("-3", -300),
        (" 7 ", 700),
    ],
)
def test_an_amount_is_read_as_it_is_written_on_the_table(written, cents):
    assert read_money(written) == cents


@pytest.mark.parametrize(
    "written", ["", "2.505", "1,00", "10,0000", "1e3", "$5", "five", "--5", ".5", True, 2.5, None]
)
def test_what_is_not_a_whole_number_of_cents_is_an_error(written):
    with pytest.raises(UnreadableMoney, match="amount"):
        read_money(written)


@pytest.mark.parametrize(
    "written",
    ["\uff11\uff12", "\u0663", "1\uff12", "9" * 19, "9" * 5_000, "1,000,000,000,000,000,000,000"],
)
def test_neither_are_other_digits_nor_more_than_any_account_can_hold(written):
    with pytest.raises(UnreadableMoney, match="is not an amount"):
        read_money(written)


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_reading_what_was_written_gives_the_same_cents(cents):
    assert read_money(write_money(cents)) == cents


@pytest.mark.parametrize(
    ("cents", "written"),
    [(0, "0"), (5, "0.05"), (250, "2.50"), (6000, "60"), (10_000_000, "100,000"), (-250, "-2.50")],
)
def test_money_is_written_without_needless_decimals(cents, written):
    assert write_money(cents) == written
