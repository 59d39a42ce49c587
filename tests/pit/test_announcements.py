"""What is read out at a table: in every book with its paragraphs, and with a step that there is."""

from __future__ import annotations

import pytest

from croupier.house.office.standards import IN_WORDS
from croupier.pit.registry import GAMES
from croupier.rulebooks import BOOKS, load
from croupier.rulebooks.announcements import all_announcements, announcements_of
from croupier.rulebooks.topics import Topic


def test_each_rests_on_a_topic_or_a_standard_and_is_a_sentence():
    for each in all_announcements():
        assert bool(each.topic) != bool(each.standard), each
        assert each.topic in {*Topic} or each.standard in IN_WORDS, each
        assert each.says[0].isupper(), each
        assert each.says.endswith("."), each
        assert "he " not in each.says.split(), each


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_its_calls_with_its_own_paragraphs(book: str):
    loaded = load(book)
    found = announcements_of(loaded)
    assert {each.call for each, _ in found} >= {"opening call", "notice"}
    for each, cites in found:
        assert cites, each
        assert set(cites) <= loaded.paragraphs.keys() or cites == (each.standard,)
    steps = {str(k.__struct_config__.tag) for k in GAMES.games[book].table_type.whole.commands}
    assert all(each.due in steps for each, _ in found if each.due), steps


def test_banked_games_have_a_closing_call_and_poker_has_none():
    calls = {book: {a.call for a, _ in announcements_of(load(book))} for book in BOOKS}
    assert "closing call" in calls["progressive-texas-holdem-v6"]
    assert "closing call" not in calls["no-limit-holdem-v8"]
