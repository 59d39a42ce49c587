"""A ruling before it is confirmed: the engine on a copy of a live table; it keeps its secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK, Card
from croupier.pit.at_table import AtTable, Standing, cards_in, rule_at_table
from croupier.pit.moments import Staged, moments_of
from croupier.pit.pit import Pit
from croupier.pit.registry import GAMES
from croupier.pit.situation import Contradiction
from croupier.table import ActorRank, Command, Decide, DrawGiven, Order, ShuffleGiven
from croupier.table.reports import OneOf, Reportable
from croupier.table.view import PUBLIC
from tests.pit.in_moments import in_moment, ways_of

BOOKS = ("no-limit-holdem-v8", "poker-v5", "multi-link-progressive-v3")
EVERY = 7
"""Of the moments of a book; the matrix itself is tried elsewhere."""


def standing_of(staged: Staged) -> Standing:
    pit = Pit()
    pit.add_table("T", staged.table)
    return Standing.of(pit, "T")


def report_of(listed: Reportable, table: Any) -> Command:
    """A report as it is listed, with the first value of each field."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in table.whole.commands}
    said = {
        name: values.values[0] if isinstance(values, OneOf) else values.trial()
        for name, values in listed.fields.items()
    }
    return kinds[listed.do](**said)


def tried(book: str) -> Iterator[tuple[Staged, Order[Command]]]:
    moments = moments_of(GAMES.games[book].name).moment
    for moment in moments[::EVERY]:
        for how in ways_of(book, moment)[-1:]:
            staged, listed = in_moment(book, moment.name, how)
            yield from _orders(staged, listed)


def _orders(staged: Staged, listed: list[Reportable]) -> Iterator[tuple[Staged, Order[Command]]]:
    for report in listed:
        command = report_of(report, staged.table)
        rank = type(command).usually_by
        yield staged, Order(command=command, who="Sue", rank=rank, when=staged.now)


def unseen(staged: Staged, order: Order[Command]) -> set[Card]:
    """The cards that nobody at the table may know."""
    return set(DECK) - {*cards_in(staged.table.view(PUBLIC)), *cards_in(order.command)}


@pytest.mark.parametrize("book", BOOKS)
def test_every_report_is_ruled_on_a_copy_and_the_table_notices_nothing(book: str):
    count = 0
    for staged, order in tried(book):
        before = staged.table.snapshot()
        ruling = rule_at_table(standing_of(staged), order, foretell=False)
        assert staged.table.snapshot() == before
        assert ruling.kind != "refused", (staged.moment.name, order.command, ruling.headline)
        assert ruling.headline
        assert ruling.tables == {}
        told = json.dumps(msgspec.to_builtins(ruling), ensure_ascii=False)
        for card in unseen(staged, order):
            assert card.pretty not in told, (staged.moment.name, order.command, card)
            assert f'"{card}"' not in told, (staged.moment.name, order.command, card)
        count += 1
    assert count > 20


@pytest.mark.parametrize("book", BOOKS)
def test_a_copy_draws_no_card_and_picks_nothing_at_random(book: str):
    for staged, order in tried(book):
        tried_once = AtTable(standing_of(staged), order)
        assert not any(isinstance(e, ShuffleGiven | DrawGiven) for e in tried_once.events())
        again = AtTable(standing_of(staged), order)
        assert tried_once.said == again.said


def test_the_ruling_is_what_the_table_then_does():
    """The first events at the copy are those of the table itself."""
    for staged, order in tried("no-limit-holdem-v8"):
        standing = standing_of(staged)
        copied = AtTable(standing, order).events()
        answer = standing.table().handle(order)
        assert isinstance(answer, tuple)
        assert copied[: len(answer)] == list(answer)


def test_what_makes_no_sense_is_said(some_moment: Staged):
    order = Order(
        command=Decide(decision=99, option="x"),
        who="Sue",
        rank=ActorRank.SHIFT_MANAGER,
        when=datetime(2026, 11, 16, tzinfo=UTC),
    )
    with pytest.raises(Contradiction, match="waits for no DecisionNeeded 99"):
        rule_at_table(standing_of(some_moment), order)


@pytest.fixture
def some_moment() -> Staged:
    return next(tried("no-limit-holdem-v8"))[0]


def test_cards_are_found_wherever_they_stand():
    record = {"a": [Card("As"), (Card("Td"),)], "b": {3: Card.UNKNOWN, 4: "Kh"}}
    assert set(cards_in(record)) == {Card("As"), Card("Td")}
