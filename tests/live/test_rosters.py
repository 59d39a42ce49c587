"""Who sat where, found from the last events of a log: as it was while they happened."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs

from croupier.banked.events import AntePlaced, BetsCalled, FlopRevealed, Left, SatDown
from croupier.live.audience import Roster, namer, roster_of
from croupier.live.rosters import rosters
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Event, Order, Refused
from tests.pit.kept import Evening, Given, Play, kept_evenings

KEPT = list(kept_evenings())
BOOKS = sorted({evening.book for evening in KEPT})
A_FEW = 40
"""Evenings of each book."""


def played(evening: Evening) -> tuple[Any, list[tuple[Event, Roster]]]:
    """An evening again, in which after every round somebody goes: its first table, and each event
    there with who sat where."""
    place = evening.tables[0]
    play = Play(evening.book, evening.tables)
    found: list[tuple[Event, Roster]] = []
    table = play.pit.tables[place]
    port, give = GAMES.port_of(table), play.pit.give

    def sitting() -> Roster:
        return roster_of(table, {}) if table.state.opened else {}

    def noted(at: str, order: Order) -> Any:
        before = sitting()
        answer = give(at, order)
        if not isinstance(answer, Refused):
            found.extend((each.event, before | sitting()) for each in answer if each.place == place)
        return answer

    play.pit.give = noted  # type: ignore[method-assign]
    for given in evening.given:
        length = len(found)
        play.give(given)
        if any(isinstance(event, port.round_ends) for event, _ in found[length:]) and sitting():
            seat, who = max(sitting().items())
            leaves = {"do": "leave", **({"seat": seat} if port.fewest > 1 else {"player": who})}
            play.give(Given(at=place, who=who, rank=ActorRank.PLAYER, do=leaves))
    return table, found


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_is_told_of_the_same_people(book: str):
    told = left = 0
    for evening in [each for each in KEPT if each.book == book][:A_FEW]:
        table, happened = played(evening)
        port = GAMES.port_of(table)
        now = roster_of(table, {}) if table.state.opened else {}
        for first in range(0, len(happened), 1 + len(happened) // 5):
            window = happened[first:]
            found = rosters(port, [event for event, _ in window], now)
            begun = False
            for (event, then), roster in zip(window, found, strict=True):
                begun = begun or isinstance(event, port.round_begins)
                if not begun:
                    continue  # a round that began before is not told
                told += 1
                left += isinstance(event, port.goes)
                assert event.tell(namer(roster)) == event.tell(namer(then))
                seat = event.private_to()
                if seat is not None:
                    assert roster.get(seat) == then.get(seat)
    assert told > 100
    if GAMES.load(book).family == "poker":  # at the others nobody had sat down
        assert left > 10


def test_a_box_that_was_left_is_known_by_who_bet_there():
    """Who leaves a banked table is named without boxes, and keeps them to the end of a round."""
    port = GAMES.games["multi-link-progressive-v3"].port
    called = BetsCalled(
        round=2,
        rulebook="multi-link-progressive-v3",
        version=3,
        approved_by="",
        knowingly=False,
        dealer="",
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    events = [
        called,
        AntePlaced(box=2, player="Ben", amount=500),
        AntePlaced(box=3, player="Ben", amount=500),
        Left(player="Ben"),
        FlopRevealed(cards=()),
        structs.replace(called, round=3),
        SatDown(box=2, player="Cho", chips=50_000),
        AntePlaced(box=2, player="Cho", amount=500),
    ]
    found = rosters(port, events, {1: "Ann", 2: "Cho"})
    with_ben = {1: "Ann", 2: "Ben", 3: "Ben"}
    assert found == [with_ben] * 5 + [{1: "Ann"}] + [{1: "Ann", 2: "Cho"}] * 2
    assert found[1] is found[2], "the same while nobody has come or gone"
