"""What a player may do with a seat after a jackpot fault (5.17.2)."""

from __future__ import annotations

import pytest

from croupier.banked.commands import (
    AddChips,
    CallForBets,
    CallForRuling,
    CloseBets,
    Leave,
    PlaceAnte,
    Sit,
)
from croupier.banked.reports import ReportJackpotFault
from croupier.banked.voiding import NEXT_ROUNDS
from croupier.pit.ports.banked import BANKED_PORT
from croupier.pit.ports.wishes import Wish
from croupier.table import ActorRank, Decide, DecisionNeeded
from tests.banked.two_tables import TwoTables


@pytest.fixture
def two() -> TwoTables:
    """Dev has counted chips; the jackpot has failed, and the House is asked how to go on."""
    two = TwoTables("multi-link-progressive-v3", 7)
    two.give("A", Sit(box=6, player="Dev", chips=10000), who="Dev")
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    two.give("A", CloseBets())
    two.give("A", ReportJackpotFault(), ActorRank.DEALER)
    assert two.tables["A"].status() == "between rounds"
    return two


def asked(two: TwoTables) -> DecisionNeeded:
    [need] = two.tables["A"].state.waiting
    assert isinstance(need, DecisionNeeded)
    return need


def test_nobody_waits_for_how_the_next_rounds_are_run(two: TwoTables) -> None:
    """The question holds nobody: whoever wishes to leave, or to add chips, may do so."""
    table = two.tables["A"]
    assert asked(two).question == NEXT_ROUNDS
    wished = (
        (Wish(leave=True), Leave(player="Dev")),
        (Wish(add=500), AddChips(player="Dev", chips=500)),
    )
    for wish, command in wished:
        assert BANKED_PORT.wished(table, "Dev", wish) == command
        assert isinstance(two.give("A", command, who="Dev"), list)
        two.give("A", Sit(box=6, player="Dev", chips=10000), who="Dev")


def test_a_question_that_holds_the_table_is_answered_first(two: TwoTables) -> None:
    two.give(
        "A",
        Decide(decision=asked(two).decision, option="no progressive bets"),
        ActorRank.PIT_MANAGER,
    )
    two.give("A", CallForRuling(about="uncovered", says="?"))
    assert BANKED_PORT.wished(two.tables["A"], "Dev", Wish(leave=True)) is None


def test_a_table_that_the_house_has_closed_can_be_left(two: TwoTables) -> None:
    """5.17.2.a; chips for another round are not asked for there."""
    table = two.tables["A"]
    two.give("A", Sit(box=2, player="Eve", chips=100), who="Eve")
    two.give("A", Decide(decision=asked(two).decision, option="close table"), ActorRank.PIT_MANAGER)
    assert table.status() == "closed"
    for who in ("Dev", "Eve"):
        [leave] = BANKED_PORT.stands(table, who, said_ready=False).offers
        assert leave.command == {"do": "leave", "player": who}
        assert isinstance(two.give("A", Leave(player=who), who=who), list)
