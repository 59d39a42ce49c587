"""Evenings that were played once are decided the same today, order by order."""

from __future__ import annotations

import pytest

from croupier.jackpot import JackpotLink
from croupier.poker import PokerTable
from croupier.poker.view import views_of
from croupier.table import Viewer
from tests.pit.any_orders import evening_by_chance
from tests.pit.kept import (
    Evening,
    Play,
    decided_again,
    kept_evenings,
    read_evenings,
    write_evenings,
)

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


@pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])
def test_views_for_many_are_those_for_each(book: str) -> None:
    for evening in [evening for evening in KEPT if evening.book == book][:8]:
        play = Play(evening.book, evening.tables)
        for given in evening.given:
            play.give(given)
            table = play.pit.at("A")
            assert isinstance(table, PokerTable)
            if table.state.opened:
                people = [seat.player for seat in table.state.seats.values()]
                names = [None, "nobody here", *people]
                views = views_of(table, names)
                for name in names:
                    assert views[name] == table.view(Viewer(who=name))


@pytest.mark.parametrize("book", sorted({evening.book for evening in KEPT}))
def test_tables_and_links_go_on_from_their_snapshots(book: str) -> None:
    evening = next(evening for evening in KEPT if evening.book == book)
    play = Play(evening.book, evening.tables)
    for then in evening.given:
        assert play.give(then) == then
        pit = play.pit
        for places in (pit.tables, pit.links):
            for name, here in places.items():
                again = type(here).restore(play.book, here.snapshot())
                assert again.state == here.state
                assert not isinstance(again, JackpotLink) or again.facts() == here.facts()
                places[name] = again
