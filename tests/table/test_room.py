"""Rooms put together: one function for each record, and a game's own above the shared ones."""

from typing import ClassVar

import pytest

from croupier.table import Announced, BadCommand, Command, Look, Looked, Refused, Room
from croupier.table.reports import From
from croupier.table.room import ReportKind, above, join
from croupier.table.table import Table, TableState
from tests.pit.high_card import BOOK, SOME_EVENING, ActorRank, Fold, Stay, order


def nothing(*given: object) -> None:
    """A function to register."""


REGISTER = {
    "a command": lambda room: room.decides(Stay)(nothing),
    "an event": lambda room: room.applies(Announced)(nothing),
    "an answer": lambda room: room.answered("withdraw")(nothing),
    "a check": lambda room: room.checked("withdraw")(nothing),
    "a report": lambda room: room.report(Look, "look")(nothing),
}


@pytest.mark.parametrize("what", REGISTER)
def test_nothing_has_two_functions(what):
    one, two, alone = Room("one"), Room("two"), Room("alone")
    for room in (one, two, alone):
        REGISTER[what](room)
    with pytest.raises(TypeError, match="two handlers in room alone"):
        REGISTER[what](alone)
    with pytest.raises(TypeError, match="two handlers in room two"):
        join((one, two))
    if what != "an event":
        with pytest.raises(TypeError, match="two handlers in room game"):
            above(one, two)


def test_a_whole_game_has_what_its_rooms_have():
    one, two = Room("one"), Room("two")
    one.decides(Stay)(nothing)
    two.decides(Fold, while_waiting=True)(nothing)
    for register in [*REGISTER.values()][1:]:
        register(two)
    for whole in (join((one, two)), above(one, two), above(two, one)):
        assert set(whole.commands) == {Stay, Fold}
        assert whole.while_waiting == {Fold}
        assert [*whole.events] == [Announced]
        assert [*whole.answers] == [*whole.checks] == ["withdraw"]
        assert whole.reports == {Look: ReportKind(("look",), nothing)}


def test_for_a_shared_event_the_games_function_runs_after_the_shared_one():
    done = []
    shared, game = Room("shared"), Room("game")
    shared.applies(Announced, Looked)(lambda table, event: done.append("shared"))
    game.applies(Announced)(lambda table, event: done.append("game"))
    whole = above(shared, game)
    whole.events[Announced](None, None)
    assert done == ["shared", "game"]
    whole.events[Looked](None, None)
    assert done == ["shared", "game", "shared"]


class ReportCount(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False
    count: int


class ReportQuietly(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = True
    usually_by = ActorRank.PLAYER
    count: int


counting = Room("counting")
"""Nobody counts to three, and only the dealer counts aloud."""


@counting.decides(ReportCount, ReportQuietly)
def count(table, given):
    aloud = isinstance(given.command, ReportCount)
    if aloud is (given.rank is ActorRank.PLAYER):
        raise BadCommand("somebody else counts")
    if given.command.count == 3:
        raise BadCommand("there are not three.")
    table.emit(Announced(call="notice", says="counted"))


@counting.report(ReportCount, "no such topic", "two-cards")
@counting.report(ReportQuietly, "look")
def counted(table):
    yield {"count": From(1, 2)}
    yield {"count": From(1, 3)}


class Counting(Table[TableState]):
    rooms = (counting,)
    closed = False


def test_what_can_be_reported_is_tried_and_nothing_happens():
    table = Counting(BOOK)
    listed = table.reports(when=SOME_EVENING)
    found = {"count": From(1, 2)}
    assert [(each.do, each.fields) for each in listed] == [
        ("report quietly", found),
        ("report count", found),
    ]
    by_the_dealer = table.reports(when=SOME_EVENING, rank=ActorRank.DEALER)
    assert [each.do for each in by_the_dealer] == ["report count"]
    assert len(table.handle(order(ReportCount(count=2), "Dee", ActorRank.DEALER))) == 1


def test_a_report_that_cannot_be_true_is_refused_with_what_it_is_about():
    refused = Counting(BOOK).handle(order(ReportCount(count=3), "Dee", ActorRank.DEALER))
    assert refused == Refused(BOOK.cite("two-cards"), "There are not three.")
