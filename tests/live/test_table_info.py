"""The information on a table: what a player reads before he plays."""

from __future__ import annotations

import re

import pytest

from croupier.pit.ports.pay_tables import pay_tables
from croupier.rulebooks import BOOKS, load

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
