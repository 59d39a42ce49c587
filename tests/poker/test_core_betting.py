"""The ladders of the readings file, line by line, and who may raise after a short All-in."""

from __future__ import annotations

import pytest

from croupier.poker.commands import AllIn, Bet, Call, Check, Fold, Raise
from croupier.table import Refused
from tests.poker.conftest import V5, V8, Felt

# Line of play, then price, smallest raise, least total of the next raise (readings, 3.5).
LADDER = [
    (V8, 1, [], 10, 10, 20),
    (V8, 1, ["raise 20"], 20, 10, 30),
    (V8, 1, ["raise 35"], 35, 25, 60),
    (V8, 1, ["raise 35", "call", "call"], 35, 25, 60),
    (V8, 1, ["raise 30", "all in 40"], 40, 20, 50),
    (V8, 2, ["bet 30"], 30, 30, 60),
    (V8, 2, ["bet 30", "raise 80"], 80, 50, 130),
    (V8, 2, ["bet 100", "all in 60"], 100, 100, 200),
    (V8, 2, ["bet 100", "all in 150"], 150, 100, 200),
    (V8, 2, ["bet 100", "all in 150", "raise 200"], 200, 100, 300),
    (V8, 2, ["bet 100", "all in 150", "all in 190", "all in 210"], 210, 110, 320),
    (V8, 2, ["all in 6"], 10, 10, 20),
    (V5, 2, ["bet 100"], 100, 10, 110),
    (V5, 2, ["bet 100", "raise 150"], 150, 50, 200),
    (V5, 2, ["bet 100", "all in 104"], 104, 10, 114),
    (V5, 2, ["bet 100", "raise 140", "all in 160"], 160, 20, 180),
    (V5, 2, ["bet 4"], 4, 10, 14),
]


@pytest.mark.parametrize(("book", "betting_round", "line", "price", "minimum", "least"), LADDER)
def test_the_ladder_of_minimum_raises(book, betting_round, line, price, minimum, least):
    # Six players; in round 1 the first to act is seat 4, later seat 2. Whoever goes All-in in the
    # line has exactly that, with the 10 of the first round on top where the line is a later one.
    first = 4 if betting_round == 1 else 2
    seats = [1 + (first - 1 + i) % 6 for i in range(6)]
    stakes = dict.fromkeys(seats, 2000)
    for seat, act in zip(seats, line, strict=False):
        word, _, amount = act.rpartition(" ")
        if word == "all in":
            stakes[seat] = int(amount) + (10 if betting_round > 1 else 0)
    felt = Felt(book).sit(**{f"s{seat}": stakes[seat] for seat in sorted(stakes)})
    felt.start(button=1).call()
    if betting_round == 2:
        while felt.state.round.betting.number == 1:
            seat = felt.table.turn()
            may = {offer.do for offer in felt.table.offers(seat)}
            felt.must(Check(seat=seat) if "check" in may else Call(seat=seat))
            felt.deal()
    for act in line:
        seat = felt.table.turn()
        word, _, amount = act.rpartition(" ")
        match word:
            case "bet":
                felt.must(Bet(seat=seat, to=int(amount) * 100))
            case "raise":
                felt.must(Raise(seat=seat, to=int(amount) * 100))
            case "all in":
                felt.must(AllIn(seat=seat))
            case _:
                felt.must(Call(seat=seat))
    facts = felt.table.facts()
    assert (facts.price, facts.minimum_raise, facts.minimum_raise_to) == (
        price * 100,
        minimum * 100,
        least * 100,
    )
    # Below and at the limit.
    seat = felt.table.turn()
    below = felt.give(Raise(seat=seat, to=(least - 1) * 100))
    assert isinstance(below, Refused)
    felt.must(Raise(seat=seat, to=least * 100))


def short_all_in_after_a_full_raise(policies: dict[str, str]) -> Felt:
    """Flop: 2 bets 100, 3 raises to 200, 4 is All-in to 250; 5 and 1 call; 2 is next."""
    felt = Felt(V8, policies).sit(s1=2000, s2=2000, s3=2000, s4=260, s5=2000)
    felt.start(button=1).call()
    while felt.state.round.betting.number == 1:
        seat = felt.table.turn()
        may = {offer.do for offer in felt.table.offers(seat)}
        felt.must(Check(seat=seat) if "check" in may else Call(seat=seat))
        felt.deal()
    felt.must(Bet(seat=2, to=100_00))
    felt.must(Raise(seat=3, to=200_00))
    felt.must(AllIn(seat=4))
    felt.must(Call(seat=5))
    felt.must(Call(seat=1))
    return felt


def test_who_has_bet_may_not_raise_over_a_short_all_in_by_the_letter():
    felt = short_all_in_after_a_full_raise({})
    assert felt.options(2) == ["call to 250", "fold"]
    # He has not answered the last full raise: that is on screen as a question, and holds nobody up.
    assert [d.question for d in felt.table.facts().decisions] == ["who may raise"]
    refused = felt.give(Raise(seat=2, to=400_00))
    assert isinstance(refused, Refused)
    assert "3.19.3" in refused.cites
    felt.must(Call(seat=2))


def test_by_the_other_policy_only_who_has_answered_the_last_full_raise_is_barred():
    felt = short_all_in_after_a_full_raise({"short-all-in-bar": "answered-last-full-raise"})
    assert felt.options(2) == ["call to 250", "raise to 300..1,990", "all in to 1,990", "fold"]
    felt.must(Call(seat=2))
    assert felt.table.turn() == 3
    assert felt.options(3) == ["call to 250", "fold"]


def test_the_last_player_has_no_turn_when_all_others_are_all_in_for_no_more_than_he_has_in():
    felt = Felt(V8).sit(s1=10, s2=5, s3=500).start(button=1).call()
    felt.must(Call(seat=1))
    felt.deal()
    # Seat 2 was All-in with its Small Blind, seat 1 with its Call; the Big Blind owes nothing.
    assert not felt.table.playing()
    assert felt.state.round.final_round == 1


def test_a_big_blind_who_is_short_leaves_the_price_at_the_nominal_blind():
    felt = Felt(V8).sit(s1=500, s2=500, s3=7, s4=500).start(button=1).call()
    assert felt.options(4)[0] == "call to 10"
    assert "raise to 20..500" in felt.options(4)


def test_folding_out_of_turn_and_for_another_are_refused():
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=1).call()
    assert felt.table.turn() == 1
    early = felt.give(Fold(seat=2))
    assert isinstance(early, Refused)
    assert {"5.13", "1.1"} <= set(early.cites)
    other = felt.give(Fold(seat=1), who="player 2")
    assert isinstance(other, Refused)
    assert other.cites[0] == "3.3"
