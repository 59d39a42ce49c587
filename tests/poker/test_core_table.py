"""Opening, dealing by hand, a real shoe, pots and payment, views, and the vocabulary's page."""

from __future__ import annotations

import inspect
import re
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from croupier.cards import Card, read_cards
from croupier.poker import PokerFacts, PokerTable, commands, events
from croupier.poker.commands import (
    AllIn,
    Burn,
    Call,
    CallForBlinds,
    Check,
    CollectTimedRake,
    Cut,
    DealFlop,
    DealHoleCards,
    DealTurn,
    DividePot,
    Fold,
    Muck,
    PlaceAllInButton,
    PlaceButton,
    PostBlinds,
    Raise,
    Settle,
    ShowHand,
    Shuffle,
    StartGame,
    TurnUp,
)
from croupier.poker.events import BlindPosted, FlopDealt, HandShown, PotWon
from croupier.poker.events.settlement import listed
from croupier.poker.facts import FACTS_OF_A_ROUND, FACTS_OF_THE_TABLE
from croupier.poker.irregularities.facts import FACTS_OF_IRREGULARITIES, IrregularFacts
from croupier.poker.remedies import dead_hand, misdeal, void_round
from croupier.rulebooks import load
from croupier.table import (
    AUDITOR,
    PUBLIC,
    ActorRank,
    BadCommand,
    Command,
    Event,
    GiveShuffle,
    Look,
    Looked,
    OpenTable,
    Order,
    Refused,
    player,
)
from tests.poker.conftest import EVENING, SINGAPORE, V5, V8, Felt

VOCABULARY = Path(__file__).resolve().parents[2] / "docs" / "poker-vocabulary.md"


# -- opening -----------------------------------------------------------------------------------

REFUSALS = [
    (V8, {"sign": False}, "4.1"),
    (V8, {"layout": ""}, "2.1.1"),
    (V8, {"layout": "D"}, "2.1.1"),
    (V5, {"layout": "B"}, "2.1.1"),
    (V8, {"rake": None}, "4.1"),
    (V8, {"rake": {}}, "4.1"),
    (V8, {"rake": {"percent": 5, "cap": 100, "timed": 500}}, "4.1"),
    (V8, {"rake": {"percent": 5}}, "4.1.1"),
    (V5, {"rake": {"timed": 500}}, "4.1"),
    (V5, {"rake": {"percent": 6, "cap": 100}}, "4.1"),
    (V5, {"rake": {"percent": "5.01", "cap": 100}}, "4.1"),
    (V8, {"blinds": (500, 1500)}, "1.8"),
    (V8, {"maximum_stake": None}, "3.7"),
    (V8, {"betting_limit": 10_000}, "3.4"),
    (V5, {"betting_limit": 10_000}, "3.2"),
]


@pytest.mark.parametrize(("book", "settings", "paragraph"), REFUSALS)
def test_a_table_that_the_book_does_not_allow_does_not_open(book, settings, paragraph):
    felt = Felt(book, **settings)
    assert isinstance(felt.opened, Refused)
    assert felt.opened.cites[0] == paragraph
    assert not felt.state.opened


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"minimum_stake": 150}, "whole number of the smallest chip"),
        ({"chips": (0,)}, "more than nothing"),
        ({"rake": {"percent": "a lot", "cap": 0}}, "not a percentage"),
        ({"rake": {"percent": "", "cap": 0}}, "'' is not a percentage"),
        ({"rake": {"percent": "1/0", "cap": 0}}, "'1/0' is not a percentage"),
        ({"rake": {"percent": "1e1", "cap": 0}}, "'1e1' is not a percentage"),
        ({"rake": {"timed": 600, "minutes": 527_041}}, "a year at most"),
        ({"house_rank": "dealer"}, "house_rank"),
        ({"maximum_stake": 50}, "whole number"),
        ({"straddles": True}, "unknown field"),
    ],
)
def test_settings_that_make_no_sense_are_errors(settings, says):
    with pytest.raises(BadCommand, match=says):
        Felt(V8, **settings)


def test_v5_has_neither_straddle_nor_maximum_stake():
    with pytest.raises(BadCommand, match="no straddle"):
        Felt(V5, straddle=True)
    with pytest.raises(BadCommand, match="no maximum"):
        Felt(V5, maximum_stake=100_000)


def test_no_round_before_the_book_is_in_force():
    felt = Felt(V8)
    felt.now = datetime(2024, 7, 25, 7, 30, tzinfo=SINGAPORE)
    felt.sit(s1=500, s2=500).start(button=1)
    felt.now = datetime(2024, 7, 25, 7, 59, 59, tzinfo=SINGAPORE)
    early = felt.give(CallForBlinds())
    assert isinstance(early, Refused)
    assert early.cites[0] == "preamble"
    felt.now = datetime(2024, 7, 25, 8, tzinfo=SINGAPORE)
    felt.must(CallForBlinds())


def test_no_round_of_a_superseded_book_from_the_moment_on_at_which_the_next_one_is_in_force():
    felt = Felt(V5)
    felt.sit(s1=500, s2=500).start(button=1)
    until = felt.table.in_force[1]
    assert until is not None
    felt.now = until
    late = felt.give(CallForBlinds())
    assert isinstance(late, Refused)
    assert "superseded" in late.says
    felt.now = until - timedelta(seconds=1)
    felt.must(CallForBlinds())


def test_a_superseded_book_only_knowingly():
    table = PokerTable(load(V5))
    settings = {
        "layout": "A",
        "sign": True,
        "rake": {"percent": 5, "cap": 1000},
    }
    late = EVENING[V8]

    def opening(**more: object) -> object:
        command = OpenTable(table="t", settings={**settings, **more})
        return table.handle(Order(command=command, who="pm", rank=ActorRank.PIT_MANAGER, when=late))

    refused = opening()
    assert isinstance(refused, Refused)
    assert "superseded by no-limit-holdem-v8" in refused.says
    assert isinstance(opening(opened_knowingly=True), tuple)


# -- dealing by hand ---------------------------------------------------------------------------


def by_hand(**settings: object) -> Felt:
    """Three players, the button at seat 1, the deck cut and in the shoe."""
    felt = Felt(V8, dealing="by-hand", **settings)
    felt.stack("2c 3c 4c 2d 3d 4d 9s 5h 6h 7h 9d 8h 9c 9h")
    return felt.sit(s1=500, s2=500, s3=500).start(button=1)


def test_the_button_may_be_forgotten_and_put_out_later():
    felt = by_hand()
    felt.must(CallForBlinds(button_out=False))
    assert felt.table.facts().button_out is False
    felt.must(PostBlinds())
    felt.must(PlaceButton())
    assert felt.table.facts().button_out is True
    assert felt.state.phase == "dealing"


def test_a_flop_of_four_without_a_burn_lies_there_until_somebody_says_so():
    felt = by_hand()
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards())
    for seat in (1, 2):
        felt.must(Call(seat=seat))
    felt.must(Check(seat=3))
    felt.must(DealFlop(burn=False, count=4))
    facts = felt.table.facts()
    assert facts.board == list(read_cards("9s 5h 6h 7h"))
    assert facts.burns == []
    assert facts.deviations == ["no burn before the flop", "4 cards on the flop"]
    assert felt.table.turn() == 2


def test_cards_left_face_down_open_no_betting_round():
    felt = by_hand()
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards())
    for seat in (1, 2):
        felt.must(Call(seat=seat))
    felt.must(Check(seat=3))
    felt.must(Burn())
    felt.must(DealFlop(burn=False, turn_up=False))
    assert (felt.state.phase, felt.table.facts().board) == ("face down", [])
    assert isinstance(felt.give(Check(seat=2)), Refused)
    felt.must(TurnUp())
    assert felt.table.turn() == 2
    assert felt.table.facts().deviations == []
    assert felt.table.facts().burns == list(read_cards("9s"))


def test_a_turn_dealt_early_is_used_when_its_time_comes():
    felt = by_hand()
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards())
    for seat in (1, 2):
        felt.must(Call(seat=seat))
    felt.must(Check(seat=3))
    felt.must(DealFlop())
    felt.must(Check(seat=2))
    felt.must(DealTurn(turn_up=False))
    assert felt.table.turn() == 3
    felt.must(Check(seat=3))
    felt.must(Check(seat=1))
    assert felt.state.phase == "face down"
    felt.must(TurnUp())
    assert felt.state.round.betting.number == 3
    assert felt.table.facts().turn_card == list(read_cards("8h"))


def test_a_wrong_deal_is_what_it_is():
    felt = by_hand()
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards(to=(2, 3, 1, 2, 3, 4), exposed=(2,)))
    facts = felt.table.facts()
    assert facts.hole_cards == {
        2: list(read_cards("2c 2d")),
        3: list(read_cards("3c 3d")),
        1: list(read_cards("4c")),
    }
    assert facts.stray == {4: list(read_cards("4d"))}
    assert facts.exposed == {3: list(read_cards("3c"))}
    assert felt.table.view(PUBLIC).seats[3].cards == (Card("3c"), Card.UNKNOWN)


def test_an_automatic_table_does_not_err():
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1).call()
    felt.must(Call(seat=1))
    felt.must(Check(seat=2))
    with pytest.raises(BadCommand, match="deals rightly"):
        felt.give(DealFlop(count=4))
    with pytest.raises(BadCommand, match="burns by itself"):
        felt.give(Burn())


def test_no_player_settles_a_round():
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1).call()
    felt.must(Fold(seat=1))
    refused = felt.give(Settle(), who="player 2")
    assert isinstance(refused, Refused)
    assert refused.says == "Only the dealer settles the round."
    assert felt.state.phase == "settling"


def test_a_list_of_seats_is_told_as_a_sentence_says_it():
    told = [listed(range(1, n), lambda seat: f"seat {seat}") for n in range(1, 5)]
    assert told == ["nobody", "seat 1", "seat 1 and seat 2", "seat 1, seat 2 and seat 3"]


def test_blinds_may_be_called_without_shuffle_and_cut_by_hand_alone():
    felt = by_hand().call()
    felt.must(Fold(seat=1))
    felt.must(Fold(seat=2))
    felt.must(Settle())
    felt.must(CallForBlinds())
    assert felt.table.facts().deviations == ["deck not shuffled", "deck not cut"]
    assert felt.table.facts().cards_left == 52
    automatic = Felt(V8).sit(s1=500, s2=500).start(button=1).call()
    automatic.must(Fold(seat=1))
    automatic.must(Settle())
    refused = automatic.give(CallForBlinds())
    assert isinstance(refused, Refused)


def test_the_all_in_button_may_be_forgotten():
    felt = by_hand()
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards())
    felt.must(AllIn(seat=1))
    assert felt.table.facts().all_in_buttons == []
    felt.must(PlaceAllInButton(seat=1))
    assert felt.table.facts().all_in_buttons == [1]
    felt.must(Fold(seat=2))


# -- a real shoe -------------------------------------------------------------------------------


def test_a_card_that_was_put_back_comes_out_of_a_real_shoe_where_it_lies():
    """Whoever reports another one is told so; the table is not broken by it."""
    felt = Felt(V8, shoe="reported", dealing="by-hand").sit(s1=500, s2=500)
    felt.must(StartGame())
    felt.must(commands.DealForButton(cards=read_cards("As Kd")))
    for command in (Shuffle(), Cut(), CallForBlinds(), PostBlinds(), DealHoleCards()):
        felt.must(command)
    felt.must(Call(seat=1))
    felt.must(Check(seat=2))
    felt.state.shoe.order[2] = Card("8c")
    felt.shadow.state.shoe.order[2] = Card("8c")
    with pytest.raises(BadCommand, match="8♣ was put back and comes next, not A♠"):
        felt.give(DealFlop(faces=read_cards("2c As Jh")))
    with pytest.raises(BadCommand, match="8♣ was put back and does not come yet"):
        felt.give(DealFlop(faces=read_cards("8c As Jh")))
    felt.must(DealFlop(faces=read_cards("2c 8c Jh")))


def test_a_card_that_is_known_already_is_no_other_when_it_is_turned_up():
    felt = Felt(V8, shoe="reported", dealing="by-hand").sit(s1=500, s2=500)
    felt.must(StartGame())
    felt.must(commands.DealForButton(cards=read_cards("As Kd")))
    for command in (Shuffle(), Cut(), CallForBlinds(), PostBlinds(), DealHoleCards()):
        felt.must(command)
    lying = (Card("Kd"), Card.UNKNOWN)
    with pytest.raises(BadCommand, match="the card is K♦, not Q♠"):
        felt.table.identified(lying, (Card("Qs"), Card("Qd")))
    assert felt.table.identified(lying, (Card("Kd"), Card("Qd"))) == (Card("Kd"), Card("Qd"))


def test_a_real_shoe_is_reported_card_by_card():
    felt = Felt(V8, shoe="reported", dealing="by-hand").sit(s1=500, s2=500)
    felt.must(StartGame())
    felt.must(commands.DealForButton(cards=read_cards("As Kd")))
    assert felt.state.button == 1
    felt.must(Shuffle())
    felt.must(Cut())
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(DealHoleCards())
    assert felt.table.facts().hole_cards == {2: [Card.UNKNOWN] * 2, 1: [Card.UNKNOWN] * 2}
    felt.must(Call(seat=1))
    felt.must(Check(seat=2))
    with pytest.raises(BadCommand, match="report 3 cards"):
        felt.give(DealFlop())
    with pytest.raises(BadCommand, match="twice"):
        felt.give(DealFlop(faces=read_cards("2c 2c 3c")))
    felt.must(DealFlop(faces=read_cards("2c 7d Jh")))
    felt.must(Check(seat=2))
    felt.must(Check(seat=1))
    with pytest.raises(BadCommand, match="out already"):
        felt.give(DealTurn(faces=read_cards("7d")))
    felt.must(DealTurn(faces=read_cards("8s")))
    felt.must(Check(seat=2))
    felt.must(Check(seat=1))
    felt.must(commands.DealRiver(faces=read_cards("9s")))
    felt.must(Check(seat=2))
    felt.must(Check(seat=1))
    assert felt.table.due() is None
    with pytest.raises(BadCommand, match="report which cards"):
        felt.give(ShowHand(seat=2))
    felt.must(ShowHand(seat=2, cards=read_cards("Ah Ad")))
    felt.must(Muck(seat=1))
    felt.must(Settle())
    assert felt.state.round.payouts == {2: 2000}


# -- showing and paying --------------------------------------------------------------------------


def test_whoever_must_show_is_asked_once_more_and_then_has_surrendered():
    felt = Felt(V8)
    felt.stack("Ah 2c Ad 7d Ts 3h 8s 9c Tc Kh Td 4s")
    felt.sit(s1=500, s2=500).start(button=1).call()
    felt.must(Call(seat=1))
    while felt.state.phase != "showdown":
        seat = felt.table.turn()
        if seat is not None:
            felt.must(Check(seat=seat))
        if felt.state.phase != "showdown":
            due = felt.table.due()
            if due is not None:
                felt.must(due)
    assert felt.table.turn() == 2
    assert felt.options(2) == ["show hand"]
    refused = felt.give(Muck(seat=2))
    assert isinstance(refused, Refused)
    assert "3.18.2.f" in refused.cites
    felt.must(Muck(seat=2), who="Dee", rank=ActorRank.DEALER)
    assert felt.state.phase == "showdown"
    felt.must(Muck(seat=2), who="Dee", rank=ActorRank.DEALER)
    assert felt.state.phase == "settling"
    felt.must(Settle())
    assert felt.state.round.payouts == {1: 2000}
    assert felt.table.facts().dead_hands == [2]


def test_pots_of_three_all_ins_and_the_order_of_rake_and_payment():
    """All-ins of 100, 250 and 500 and a call of 500: pots 400, 450, 500; 5% with a cap of 50."""
    felt = Felt(V8, rake={"percent": 5, "cap": 5000})
    # Dealt to 2, 3, 4, 1: seat 3, All-in for 250, gets the aces, seat 2 the kings.
    felt.stack("Kc Ac Qc Jc Kd Ad Qd Jd 2c 3h 5s 8h 2d 9c 2h 6d")
    felt.sit(s1=500, s2=100, s3=250, s4=500).start(button=1).call()
    felt.must(Raise(seat=4, to=50_000))
    felt.must(Call(seat=1))
    felt.must(AllIn(seat=2))
    felt.must(AllIn(seat=3))
    felt.deal()
    played = felt.state.round
    assert [pot.amount for pot in played.pots] == [40_000, 45_000, 50_000]
    assert played.rakes == (2000, 2200, 800)
    order = [event.pot for event in felt.log if isinstance(event, PotWon)]
    assert order == [2, 1, 0]
    assert played.payouts == {3: 38_000 + 42_800, 4: 49_200}
    # 3.18.2.e: seat 4 was the first to bet the most; Side Pots are shown for first.
    assert played.show_order == (4, 1, 3, 2)
    assert played.final_round == 1


@pytest.mark.parametrize(
    ("chips", "shares"),
    [((), {2: 3800, 3: 3700}), ((500,), {2: 4000, 3: 3500}), ((2500,), {2: 5000, 3: 2500})],
)
def test_a_split_pot_and_its_odd_chip(chips, shares):
    """A pot of 75: A-40, down to the smallest chip in it; A-41, the odd one left of the button."""
    felt = Felt(V8, blinds=(500, 1000))
    felt.stack("Kc Kd 2d 8c Qd Qc 7c 9c 2s 5s Jh Ah 3s 4d 3h 6d")
    felt.sit(s1=500, s2=500, s3=500, s4=500).start(button=1).call()
    felt.must(Call(seat=4))
    felt.must(Fold(seat=1))
    felt.must(Raise(seat=2, to=25_00))
    felt.must(Call(seat=3))
    felt.must(Call(seat=4))
    while felt.state.phase != "settling":
        seat = felt.table.turn()
        if felt.state.phase == "betting":
            assert seat is not None
            felt.must(Fold(seat=4) if seat == 4 else Check(seat=seat))
        else:
            felt.must(felt.table.due())
    felt.must(Settle(smallest_chips=chips))
    assert felt.state.round.payouts == shares


def test_a_smallest_chip_that_cannot_be_in_the_pot_is_an_error():
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1).call()
    felt.must(Fold(seat=1))
    with pytest.raises(BadCommand, match="cannot be the smallest chip"):
        felt.give(Settle(smallest_chips=(2500,)))
    with pytest.raises(BadCommand, match="there is no chip of 2 here; there are 1, 5, 25"):
        felt.give(Settle(smallest_chips=(200,)))
    with pytest.raises(BadCommand, match="there is 1 pot; give"):
        felt.give(Settle(smallest_chips=(100, 100)))


def test_the_longest_period_of_a_timed_charge():
    felt = Felt(V8, rake={"timed": 600, "minutes": 527_040})
    felt.sit(s1=500, s2=500).start(button=1).call().check_down().call()
    assert felt.state.seats[1].rake_due == 0


def test_a_timed_charge_is_due_by_the_hour_and_taken_between_rounds():
    felt = Felt(V8, rake={"timed": 600, "minutes": 30})
    felt.sit(s1=500, s2=500).start(button=1)
    felt.call().check_down()
    assert felt.state.round.rake == 0
    felt.now = felt.now.replace(hour=21, minute=5)
    felt.deal()
    felt.must(CallForBlinds())
    assert felt.table.facts().timed_rake_due == {1: 1200, 2: 1200}
    refused = felt.give(CollectTimedRake(seat=1))
    assert isinstance(refused, Refused)
    felt.deal()
    felt.check_down()
    felt.must(CollectTimedRake(seat=1))
    assert felt.table.facts().timed_rake_due == {2: 1200}
    assert felt.state.house == 1200


def test_no_pot_is_divided_by_agreement():
    felt = Felt(V5).sit(s1=500, s2=500).start().call()
    refused = felt.give(DividePot(seat=1))
    assert isinstance(refused, Refused)
    assert refused.cites == ("4.2",)


# -- rulings that section 1 defines ------------------------------------------------------------


def test_a_void_round_gives_everything_back_and_the_button_moves():
    felt = Felt(V8, rake={"percent": 5, "cap": 5000}).sit(s1=500, s2=500, s3=500)
    felt.start(button=1).call()
    felt.must(Raise(seat=1, to=10_000))
    felt.must(Call(seat=2))
    void_round(felt.table, "the lights went out", ("5.1.2",))
    assert [seat.stake for seat in felt.state.seats.values()] == [50_000] * 3
    assert (felt.state.house, felt.state.button) == (0, 2)
    assert felt.table.facts().voided == "the lights went out"


def test_after_a_void_round_a_newcomer_owes_his_entry_again():
    felt = Felt(V8).sit(s1=500, s3=500, s5=500, s7=500).start(button=1)
    for _ in range(4):
        felt.call().check_down()
    felt.must(commands.Sit(seat=6, player="new", stake=50_000))
    felt.call()
    assert felt.state.round.players[6].bet == 1000
    void_round(felt.table, "a foreign card", ("5.2.1",))
    assert felt.table.facts().entering == {6: "new"}


def test_a_misdeal_is_dealt_again_with_the_same_button_and_blinds():
    felt = Felt(V8, straddle=True).sit(s1=500, s2=500, s3=500, s4=500).start(button=1)
    felt.must(CallForBlinds())
    felt.must(PostBlinds())
    felt.must(commands.Straddle(seat=4))
    felt.must(DealHoleCards())
    misdeal(felt.table, "two cards were exposed", ("5.3.3",))
    felt.shadow = PokerTable.restore(felt.book, felt.table.snapshot())
    assert felt.state.round.restarts == 1
    assert [seat.stake for seat in felt.state.seats.values()] == [50_000] * 4
    need = felt.state.waiting[0]
    shuffle = GiveShuffle(need=need.need, cards=need.cards)
    felt.must(shuffle, who="house", rank=ActorRank.HOUSE)
    felt.must(Cut())
    assert felt.table.facts().posts_due == {2: 500, 3: 1000}
    felt.must(PostBlinds())
    assert felt.options(4) == ["straddle to 20", "decline straddle"]
    assert felt.state.rounds == 1


def test_a_dead_hand_has_no_turn_and_no_claim():
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=1).call()
    felt.must(Raise(seat=1, to=10_000))
    dead_hand(felt.table, 1, "he has three cards", ("5.6.2",))
    felt.shadow = PokerTable.restore(felt.book, felt.table.snapshot())
    assert felt.table.turn() == 2
    felt.must(Fold(seat=2))
    felt.deal()
    assert felt.state.round.payouts == {3: 11_500}


# -- views -------------------------------------------------------------------------------------


def test_who_sees_what():
    felt = Felt(V8)
    felt.stack("Ah 2c Ad 7d Ts 3h 8s 9c Tc Kh Td 4s")
    felt.sit(s1=500, s2=500).start(button=1).call()
    unseen = (Card.UNKNOWN, Card.UNKNOWN)
    mine = player("player 2")
    assert felt.table.view(mine).seats[2].cards == unseen
    felt.must(Look(seat=2))
    assert felt.table.view(mine).seats[2].cards == (Card("Ah"), Card("Ad"))
    for viewer in (PUBLIC, AUDITOR, player("player 1")):
        assert felt.table.view(viewer).seats[2].cards == unseen
    felt.must(Call(seat=1))
    felt.check_down()
    assert felt.table.view(PUBLIC).seats[2].cards == (Card("Ah"), Card("Ad"))
    assert felt.table.view(PUBLIC).seats[1].cards == unseen
    assert felt.table.view(AUDITOR).seats[1].cards == (Card("2c"), Card("7d"))
    assert [type(e) for e in felt.log if isinstance(e, HandShown)] == [HandShown]


def test_events_hide_what_lies_face_down():
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1).call()
    felt.must(Call(seat=1))
    felt.must(Check(seat=2))
    felt.deal()
    for event in felt.log:
        if isinstance(event, FlopDealt):
            assert event.burnt is not None
            assert event.public().burnt is Card.UNKNOWN
            assert event.public().cards == event.cards
        if type(event).__name__ in ("HoleCardsDealt", "ShuffleGiven", "ShuffleNeeded"):
            assert set(event.public().cards) == {Card.UNKNOWN}


# -- the vocabulary ----------------------------------------------------------------------------


def named(module: object, kind: type) -> list[str]:
    """The text forms of the commands or events that a module defines."""
    return [
        str(found.__struct_config__.tag)
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, kind)
        and found is not kind
        and found.__module__.startswith(module.__name__)
        and found is not events.CommunityDealt
    ]


def test_the_page_names_every_command_event_and_fact():
    page = set(re.findall(r"`([^`\n]+)`", VOCABULARY.read_text(encoding="utf-8")))
    names = {*named(commands, Command), *named(events, Event)}
    names |= set(PokerFacts.__struct_fields__) - set(IrregularFacts.__struct_fields__)
    assert sorted(names - page) == []


def test_every_command_has_one_text_form_that_reads_back():
    for text in (
        b'{"do":"raise","seat":3,"to":6000}',
        b'{"do":"deal flop"}',
        b'{"do":"deal hole cards","to":[1,2],"exposed":[1]}',
    ):
        command = PokerTable.read_command(text)
        assert PokerTable.read_command(msgspec.json.encode(command)) == command
    with pytest.raises(BadCommand, match="unreadable command"):
        PokerTable.read_command(b'{"do":"rise","seat":3}')


def test_blinds_are_posted_small_then_big():
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=3).call()
    assert [e.seat for e in felt.log if isinstance(e, BlindPosted)] == [1, 2]


# -- what must hold after every event ----------------------------------------------------------


def at_the_flop() -> Felt:
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1)
    felt.call()
    felt.must(Call(seat=1))
    felt.must(Check(seat=2))
    felt.deal()
    assert felt.state.phase == "betting"
    return felt


@pytest.mark.parametrize("command", [Check(seat=2), Look(seat=2)], ids=["check", "look"])
def test_a_chip_too_many_is_found_after_an_event_that_moves_none(command):
    felt = at_the_flop()
    felt.state.seats[1].stake += 1_00
    with pytest.raises(AssertionError, match="1,001 on the table, 1,000 were brought"):
        felt.table.handle(Order(command=command, who="d", rank=ActorRank.DEALER, when=felt.now))


def test_a_lost_chip_is_found_before_a_round_as_well():
    felt = Felt(V8).sit(s1=500, s2=500)
    felt.state.seats[2].stake -= 1_00
    with pytest.raises(AssertionError, match="999 on the table, 1,000 were brought"):
        felt.table.handle(Order(command=StartGame(), who="d", rank=ActorRank.DEALER, when=felt.now))


def test_a_negative_stake_is_found_although_the_sum_is_right():
    felt = at_the_flop()
    felt.state.seats[1].stake += felt.state.seats[2].stake + 1_00
    felt.state.seats[2].stake = -1_00
    with pytest.raises(AssertionError, match="player 2 has -1"):
        felt.table.handle(
            Order(command=Check(seat=2), who="d", rank=ActorRank.DEALER, when=felt.now)
        )


def test_replaying_a_log_counts_the_chips_too():
    felt = at_the_flop()
    felt.must(Check(seat=2))
    felt.shadow.state.seats[1].stake += 1_00
    with pytest.raises(AssertionError, match="1,001 on the table"):
        felt.shadow.apply(Looked(seat=2, cards=()))


# -- facts -------------------------------------------------------------------------------------


def test_every_fact_is_told_in_exactly_one_place():
    told = [*FACTS_OF_THE_TABLE, *FACTS_OF_A_ROUND, *FACTS_OF_IRREGULARITIES]
    assert sorted(told) == sorted(PokerFacts.__struct_fields__)


@pytest.mark.parametrize("dealt", [False, True])
def test_facts_asked_for_by_name_are_those_of_the_whole(dealt: bool):
    felt = by_hand()
    if dealt:
        for command in (CallForBlinds(), PostBlinds(), DealHoleCards()):
            felt.must(command)
    facts, table = felt.table.facts(), felt.table
    for name in PokerFacts.__struct_fields__:
        assert table.named_facts([name]) == {name: getattr(facts, name)}
