"""The information on a table: what a player reads before he plays."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from croupier.pit.ports.pay_tables import pay_tables
from croupier.pit.ports.table_info import book_info
from croupier.rulebooks import BOOKS, load

WHEN = datetime(2026, 11, 16, 20, tzinfo=UTC)
BANKED = [book for book in BOOKS if load(book).pays]


@pytest.mark.parametrize("book", BANKED)
def test_a_pay_table_names_the_hand_and_tells_the_pay_once(book: str):
    for table in pay_tables(load(book)):
        for line in table.lines:
            assert not re.search(r"percent|\d{2,}$|fixed|pays \d|even money", line.title), line
            assert re.fullmatch(r"\d{1,3}(,\d{3})*( (to|for) 1|%)?", line.pays), line


def test_lines_of_each_kind_read_as_on_a_layout():
    lines = {
        line.line: (line.title, line.pays)
        for table in pay_tables(load("multi-link-progressive-v3"))
        for line in table.lines
    }
    assert lines["4.2.major.royal-flush"] == ("Major: Royal Flush", "100%")
    assert lines["4.2.minor.four-of-a-kind"] == ("Minor: Four of a Kind", "400 for 1")
    assert lines["4.1.bonus.aa-both"] == ("Bonus both hands A-A", "1,000 to 1")
    assert lines["4.1.bonus.low-pair"] == ("Bonus low pairs 10-2", "3 to 1")
    fixed = pay_tables(load("progressive-texas-holdem-v6"))[-1].lines
    assert ("Community Royal Flush", "10,000") in [(line.title, line.pays) for line in fixed]


@pytest.mark.parametrize(
    ("book", "cites"),
    [
        ("no-limit-holdem-v8", ("1.51",)),
        ("poker-v5", ("5.1",)),
        ("progressive-texas-holdem-v6", ("5.21", "1.30")),
        ("multi-link-progressive-v2", ("5.21", "1.31")),
        ("multi-link-progressive-v3", ("5.21", "1.31")),
    ],
)
def test_the_sign_says_when_winnings_are_recovered(book: str, cites: tuple[str, ...]):
    """S-38: players read it before they play."""
    void = book_info(load(book), WHEN, WHEN)["void"]
    assert "what the round has paid already is taken back" in void.says
    assert void.cites == cites
