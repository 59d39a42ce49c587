"""What a dealer enters by hand where a street went back, or was dealt short (v8 5.11, 5.12)."""

from __future__ import annotations

import pytest

from croupier.cards import Card, read_cards
from croupier.pit.ports.dealer_acts import DealerAct, entries_now
from croupier.pit.ports.poker import POKER_PORT
from croupier.pit.ports.poker_dealer import dealer_acts
from croupier.poker.commands import (
    Call,
    Check,
    DealFlop,
    DealRiver,
    DealTurn,
    Raise,
    ShowHand,
    TopUp,
    TurnUp,
)
from croupier.poker.irregularities.commands import DealAgain, ReportEarlyCards, ReportSurplusCards
from croupier.table import ActorRank, Decide
from tests.poker.seated import Seated

SHOES = pytest.mark.parametrize("shoe", ["reported", "virtual"])


def on_the_flop(shoe: str, count: int, *, up: bool = True) -> Seated:
    table = Seated(3, shoe=shoe).dealt()
    for seat in table.table.facts().to_act[:-1]:
        table.must(Call(seat=seat))
    table.must(Check(seat=table.table.facts().to_act[0]))
    faces = tuple(read_cards("2h 7d Jh 4s 3s"))[:count] if up and shoe == "reported" else ()
    table.must(DealFlop(count=count, turn_up=up, faces=faces))
    return table


def steps(table: Seated) -> list[DealerAct]:
    """What the table would hear, but for what players do and what may go wrong."""
    acts = entries_now(table.table, dealer_acts(table.table), ActorRank.DEALER, table.when)
    return [act for act in acts if act.kind in ("step", "mend")]


def entered(act: DealerAct, table: Seated) -> None:
    table.must(act.tried())


@SHOES
def test_a_street_that_went_back_is_dealt_again(shoe: str) -> None:
    table = on_the_flop(shoe, 5)
    table.must(ReportSurplusCards())
    [asked] = table.table.state.waiting
    table.must(Decide(decision=asked.decision, option="no"))
    [step] = steps(table)
    assert isinstance(step.command, DealAgain)
    assert [field.count for field in step.fields] == ([3] if shoe == "reported" else [])
    everything = entries_now(table.table, dealer_acts(table.table), ActorRank.DEALER, table.when)
    assert not [act for act in everything if isinstance(act.command, DealFlop)]
    entered(step, table)
    assert table.table.facts().status == "betting"


@SHOES
def test_a_street_that_was_dealt_short_is_completed(shoe: str) -> None:
    table = on_the_flop(shoe, 2)
    [step] = steps(table)
    assert isinstance(step.command, DealAgain)
    assert [field.count for field in step.fields] == ([1] if shoe == "reported" else [])
    entered(step, table)
    assert len(table.table.board()) == 3
    assert steps(table) == []


@SHOES
def test_of_a_short_street_that_lies_face_down_no_card_is_said(shoe: str) -> None:
    table = on_the_flop(shoe, 2, up=False)
    turned, completed = steps(table)
    assert isinstance(turned.command, TurnUp)
    assert isinstance(completed.command, DealAgain)
    assert completed.fields == ()
    entered(completed, table)
    assert table.table.facts().face_down == 3


def test_a_card_that_was_put_back_is_the_next_one_to_be_said() -> None:
    """Of three turn cards in order the second is the next burn, the third the river (1.39)."""
    table = on_the_flop("reported", 3)
    for seat in table.table.facts().to_act:
        table.must(Check(seat=seat))
    table.must(DealTurn(count=3, faces=tuple(read_cards("9c Tc Qs"))))
    table.must(ReportSurplusCards())
    [asked] = table.table.state.waiting
    table.must(Decide(decision=asked.decision, option="yes"))
    [asked] = table.table.state.waiting
    table.must(Decide(decision=asked.decision, option="report", details={"cards": "9c"}))
    for seat in table.table.facts().to_act:
        table.must(Check(seat=seat))
    [step] = steps(table)
    assert isinstance(step.command, DealRiver)
    assert step.fields[0].trial == (Card("Qs"),)
    entered(step, table)
    assert table.table.facts().river == [Card("Qs")]


def test_of_two_streets_face_down_the_first_is_said_alone() -> None:
    table = Seated(3, shoe="reported").dealt()
    table.must(DealFlop(turn_up=False))
    table.must(DealTurn(turn_up=False))
    for seat in table.table.facts().to_act[:-1]:
        table.must(Call(seat=seat))
    table.must(Check(seat=table.table.facts().to_act[0]))
    [step] = steps(table)
    assert isinstance(step.command, TurnUp)
    assert step.fields[0].count == 3
    entered(step, table)
    assert len(table.table.facts().flop) == 3


def test_what_stayed_face_down_of_a_street_is_said_before_the_rest_is_dealt() -> None:
    """One card of an early flop was seen and went back (5.11.2); the others lie there unseen."""
    table = Seated(3, shoe="reported").dealt()
    table.must(DealFlop(turn_up=False))
    table.must(TurnUp(count=1, faces=(Card("2c"),)))
    table.must(ReportEarlyCards())
    for seat in table.table.facts().to_act[:-1]:
        table.must(Call(seat=seat))
    table.must(Check(seat=table.table.facts().to_act[0]))
    [step] = steps(table)
    assert isinstance(step.command, TurnUp)
    assert step.fields[0].count == 2
    entered(step, table)
    [step] = steps(table)
    assert isinstance(step.command, DealAgain)
    assert step.fields[0].count == 1
    entered(step, table)
    assert len(table.table.facts().flop) == 3
    assert table.table.state.phase == "betting"


def chips_brought(table: Seated, seat: int) -> DealerAct | None:
    """What the dealer may enter where somebody brings more chips."""
    acts = entries_now(table.table, dealer_acts(table.table), ActorRank.DEALER, table.when)
    found = [act for act in acts if isinstance(act.command, TopUp) and act.seat == seat]
    return found[0] if found else None


@pytest.mark.parametrize(("most", "room"), [(1000_00, 500_00), (600_00, 100_00), (501_00, 1_00)])
def test_chips_are_brought_up_to_the_most_of_a_stake(most: int, room: int) -> None:
    table = Seated(3, maximum_stake=most)
    act = chips_brought(table, 1)
    assert act is not None
    [field] = act.fields
    assert (field.least, field.most) == (1_00, room)
    table.refused(TopUp(seat=1, amount=room + 1_00), "3.7")
    table.must(TopUp(seat=1, amount=room))
    assert chips_brought(table, 1) is None


def test_an_early_raise_is_of_all_that_is_in_front_and_behind() -> None:
    """It is a total (A-16): 200 in front, 300 behind."""
    table = Seated(3).dealt()
    first, second, third = table.table.facts().to_act
    table.must(Raise(seat=first, to=200_00))
    table.must(Raise(seat=second, to=390_00))
    assert table.table.facts().to_act == [third, first]
    acts = dealer_acts(table.table)
    [early] = [act for act in acts if act.seat == first and act.says == "Raise, out of turn"]
    [field] = early.fields
    assert (field.least, field.most) == (10_00, 500_00)


def ready_to_show(table: Seated, seat: int) -> bool:
    offers = POKER_PORT.stands(table.table, table.table.player_at(seat) or "", said_ready=False)
    return any(offer.do == "show hand" for offer in offers.offers)


@pytest.mark.parametrize(("shoe", "ready"), [("virtual", True), ("reported", False)])
def test_no_command_is_ready_that_shows_real_cards_which_nobody_has_named(shoe: str, ready: bool):
    """A program sends it back as it is, and would be told to say which cards they are."""
    table = Seated(2, shoe=shoe).dealt()
    faces = iter(read_cards("2h 7d Jh 4s 3s")) if shoe == "reported" else None
    table.must(Call(seat=table.table.facts().to_act[0]))
    table.must(Check(seat=table.table.facts().to_act[0]))
    for street in (DealFlop, DealTurn, DealRiver):
        cards = tuple(next(faces) for _ in range(street().count)) if faces is not None else ()
        table.must(street(faces=cards))
        for seat in table.table.facts().to_act:
            table.must(Check(seat=seat))
    first, second = table.table.facts().show_order
    assert ready_to_show(table, first) is ready
    hand = tuple(read_cards("Ah Ad")) if faces is not None else ()
    table.must(ShowHand(seat=first, cards=hand))
    assert ready_to_show(table, second) is ready
