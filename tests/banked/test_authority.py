"""Who may do what at a banked table: players for themselves, the dealer and above for the rest."""

from __future__ import annotations

import pytest

from croupier.banked.commands import (
    AddChips,
    CallForBets,
    CloseBets,
    CollectCards,
    DealCommunity,
    DealDealer,
    DealFlop,
    DealHoleCards,
    DealRiver,
    DealTurn,
    FlopBet,
    HandOver,
    Leave,
    PlaceAnte,
    RevealDealer,
    RevealFlop,
    RevealRiver,
    RevealTurn,
    Settle,
    Sit,
)
from croupier.banked.events import HandedOver
from croupier.banked.findings import PaymentCorrected
from croupier.table import ActorRank, BadCommand, Command, Order, Refused
from tests.banked.two_tables import TwoTables

BOOKS = ("multi-link-progressive-v3", "multi-link-progressive-v2", "progressive-texas-holdem-v6")
DEALERS: tuple[Command, ...] = (
    CallForBets(),
    CloseBets(),
    DealCommunity(),
    DealHoleCards(),
    DealFlop(),
    DealTurn(),
    DealRiver(),
    DealDealer(),
    RevealFlop(),
    RevealTurn(),
    RevealRiver(),
    RevealDealer(),
    CollectCards(box=1),
    Settle(),
    HandOver(player="Ann"),
)


def table(book: str = BOOKS[0]) -> TwoTables:
    return TwoTables(book, 7)


@pytest.mark.parametrize("command", DEALERS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("book", BOOKS)
def test_a_player_does_nothing_that_is_the_dealers(book: str, command: Command) -> None:
    refused = table(book).give("A", command, ActorRank.PLAYER, who="Ann")
    assert isinstance(refused, Refused)
    assert refused.says.startswith("Only the dealer or above ")


@pytest.mark.parametrize(
    "command",
    [AddChips(player="Ben", chips=100), Leave(player="Ben"), Sit(box=6, player="Ben")],
    ids=lambda command: type(command).__name__,
)
def test_a_player_sits_buys_and_leaves_for_himself(command: Command) -> None:
    two = table()
    before = two.tables["A"].snapshot()
    refused = two.give("A", command, ActorRank.PLAYER, who="Ann")
    assert isinstance(refused, Refused)
    assert two.tables["A"].snapshot() == before


def test_a_box_is_decided_by_its_player_or_by_staff_who_enter_it_and_by_no_software() -> None:
    two = table()
    two.give("A", CallForBets())
    two.give("A", PlaceAnte(box=1, amount=2500), who="Ann")
    for who, rank in (("Ben", ActorRank.PLAYER), ("house", ActorRank.HOUSE)):
        assert isinstance(two.give("A", FlopBet(box=1), rank, who=who), Refused)


def test_a_payment_by_ruling_is_told_by_its_direction() -> None:
    paid = PaymentCorrected(player="Ann", amount=1)
    taken = PaymentCorrected(player="Ann", amount=-100)
    gone = PaymentCorrected(player="Ann", amount=-100, gone=True)
    assert paid.tell(str) == "The House pays Ann 0.01."
    assert taken.tell(str) == "The House collects from Ann 1."
    assert gone.tell(str) == "The House bears 1 that Ann does not have here any more."


def test_who_has_bet_nothing_leaves_with_what_he_brought() -> None:
    two = table()
    two.give("A", Sit(box=6, player="Dev", chips=3000), who="Dev")
    told = []
    for player in ("Dev", "Ben"):  # Ben's chips are not counted.
        answer = two.give("A", Leave(player=player), who=player)
        assert isinstance(answer, list)
        told += [said.event.tell(str) for said in answer]
    assert told == ["Dev leaves the table with 30.", "Ben leaves the table."]
    assert two.tables["A"].state.gone == 0


@pytest.mark.parametrize(("who", "sits"), [("Ann", "You sit"), (None, "Ann sits")])
def test_nobody_sits_at_two_boxes(who: str | None, sits: str) -> None:
    refused = table().give(
        "A", Sit(box=6, player="Ann"), ActorRank.DEALER if not who else None, who
    )
    assert isinstance(refused, Refused)
    assert refused.says == f"{sits} at box 1 already."


@pytest.mark.parametrize(("paid_out", "leaves"), [(True, (("Ann", -100),)), (False, ())])
def test_what_is_kept_safe_leaves_the_table_only_if_it_is_paid_out(
    paid_out: bool, leaves: tuple[tuple[str, int], ...]
) -> None:
    assert HandedOver(player="Ann", amount=100, paid_out=paid_out).crossings() == leaves


def test_nobody_bets_chips_that_he_does_not_have() -> None:
    """To the last chip he may; whoever's chips are not counted is asked nothing."""
    two = table()
    two.give("B", Leave(player="Ann"), who="Ann")
    two.give("B", Sit(box=1, player="Ann", chips=3000), who="Ann")
    two.give("B", CallForBets())
    for who, says in (("Ann", "you have 30 in chips"), ("the dealer", "Ann has 30 in chips")):
        rank = ActorRank.PLAYER if who == "Ann" else ActorRank.DEALER
        bet = PlaceAnte(box=1, amount=3100, player="Ann")
        with pytest.raises(BadCommand, match=f"^{says}, 31 is needed"):
            two.tables["B"].handle(Order(command=bet, who=who, rank=rank, when=two.now))
    assert two.give("B", PlaceAnte(box=1, amount=3000), who="Ann")
    assert two.give("B", PlaceAnte(box=3, amount=50000), who="Ben")
