"""A Check that is not open is refused by the paragraph of its Betting Round, that one first."""

from __future__ import annotations

import pytest

from croupier.poker.commands import Bet, Call, Check, DealFlop
from croupier.rulebooks import Topic
from croupier.table import Refused
from tests.poker.seated import Seated


def first_paragraph(table: Seated, book: str) -> str:
    answer = table.give(Check(seat=table.table.facts().to_act[0]))
    assert isinstance(answer, Refused), book
    return answer.cites[0]


@pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])
def test_against_the_blind_it_is_the_check_and_later_the_bet(book: str) -> None:
    table = Seated(3, book).dealt()
    cite = table.table.book.cite
    assert first_paragraph(table, book) == cite(Topic.CHECK)[0]
    table.must(Call(seat=table.table.facts().to_act[0]))
    table.must(Call(seat=table.table.facts().to_act[0]))
    table.must(Check(seat=table.table.facts().to_act[0]))
    table.must(DealFlop())
    table.must(Bet(seat=table.table.facts().to_act[0], to=4000))
    assert first_paragraph(table, book) == cite(Topic.NO_CHECK_AFTER_BET)[0]
    assert cite(Topic.CHECK)[0] != cite(Topic.NO_CHECK_AFTER_BET)[0]
