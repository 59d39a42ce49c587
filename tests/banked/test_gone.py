"""Nobody at a table waits for whoever is gone (5.5, 5.6)."""

from __future__ import annotations

import pytest

from croupier.banked import commands as c
from croupier.banked.reports import ReportWrongCount
from croupier.pit.ports.banked import BANKED_PORT
from croupier.table import ActorRank, Command, Decide, DecisionNeeded
from tests.banked.two_tables import TwoTables

BOOKS = ("multi-link-progressive-v3", "multi-link-progressive-v2", "progressive-texas-holdem-v6")


def give(two: TwoTables, command: Command, rank: ActorRank | None = None, who: str = "") -> None:
    given = two.give("A", command, rank, who or None)
    assert isinstance(given, list), f"{command}: {given}"


def asked(two: TwoTables) -> list[DecisionNeeded]:
    return [need for need in two.tables["A"].state.waiting if isinstance(need, DecisionNeeded)]


def answer(two: TwoTables, option: str, who: str) -> None:
    decide = Decide(decision=asked(two)[0].decision, option=option, reason="so")
    give(two, decide, ActorRank.SHIFT_MANAGER, who)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seat_is_kept", [True, False])
def test_a_line_drops_while_a_choice_after_the_settlement_waits(
    book: str, seat_is_kept: bool
) -> None:
    two = TwoTables(book, 3, dealing="by-hand")
    table = two.tables["A"]
    give(two, c.CallForBets())
    give(two, c.PlaceAnte(box=1, amount=2500), who="Ann")
    give(two, c.PlaceAnte(box=3, amount=2500), who="Ben")
    give(two, c.CloseBets())
    while table.playing():
        bet_or_check = c.FlopBet if table.state.window() == "flop" else c.Check
        if table.state.window() is not None:
            for box in (1, 3):
                give(two, bet_or_check(box=box), ActorRank.DEALER)
        else:
            due = table.next_act()
            assert due is not None
            give(two, due)
    settled = table.state.net["Ben"]
    give(two, ReportWrongCount(box=1, cards=3, affected=(3,)))
    answer(two, "confirm", "Pia")
    answer(two, "no", "Sue")
    assert [need.of for need in asked(two)] == [3]
    for done in BANKED_PORT.gone(table, "Ben", seat_is_kept=seat_is_kept):
        give(two, done.command, done.rank, "the clock")
    assert not asked(two)
    assert table.state.net["Ben"] == settled
    give(two, c.CallForBets())
