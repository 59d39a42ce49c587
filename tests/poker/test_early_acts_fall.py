"""Why an early act does not bind: the paragraph that is so, and no other beside it."""

from __future__ import annotations

from croupier.poker.commands import AllIn, Bet, Call, Check, DealFlop, Fold, Raise
from croupier.poker.irregularities.commands import ReportSkipped, ReportSurplusCards
from croupier.poker.irregularities.events import EarlyActFell
from croupier.poker.wagers import ReportWager
from croupier.rulebooks import Topic
from croupier.table import ActorRank, Decide
from tests.poker.conftest import Felt
from tests.poker.seated import Seated


def test_an_early_call_falls_for_the_price_alone_though_a_raise_is_barred() -> None:
    table = Seated(4, policies={"out-of-turn-check-bar": "betting-round"}).dealt()
    first, second, third, last = table.table.facts().to_act
    for seat in (first, second, third):
        table.must(Call(seat=seat))
    table.must(Check(seat=last))
    table.must(DealFlop())
    first, second, third, last = table.table.facts().to_act
    table.must(ReportWager(seat=second, words="check"))
    fell = table.must(Bet(seat=first, to=2000))  # second is at turn: the Check has fallen
    assert [event.action for event in fell if isinstance(event, EarlyActFell)] == ["check"]
    table.must(Call(seat=second))
    table.must(Raise(seat=third, to=6000))
    table.must(ReportWager(seat=second, words="call"))
    table.must(Raise(seat=last, to=20000))
    [early] = [e for e in table.must(Fold(seat=first)) if isinstance(e, EarlyActFell)]
    barred = table.table.book.cite(Topic.OUT_OF_TURN_CHECK)
    assert early.seat == second
    assert early.cites[0] == table.table.book.cite(Topic.OUT_OF_TURN_BINDS)[0]
    assert barred[0] not in early.cites
    assert table.table.state.round.players[second].may_not_raise == barred


def flop_goes_back() -> Seated:
    """Seat 3 has said BET to 40 before seat 2, and all five flop cards go back (v8 5.12)."""
    table = Seated(3).dealt()
    for seat in table.table.facts().to_act[:-1]:
        table.must(Call(seat=seat))
    table.must(Check(seat=table.table.facts().to_act[0]))
    table.must(DealFlop(count=5))
    second = table.table.facts().to_act[1]
    table.must(ReportWager(seat=second, words="bet", figure=4000))
    table.must(ReportSurplusCards())
    [asked] = table.table.state.waiting
    table.must(Decide(decision=asked.decision, option="no"))
    assert table.table.facts().held == {second: "bet to 40"}
    return table


def test_while_its_street_is_due_again_an_early_bet_falls_with_the_hand() -> None:
    table = flop_goes_back()
    [seat] = table.table.facts().held
    table.must(ReportWager(seat=seat, words="fold"))
    assert table.table.facts().held == {}


def test_while_its_street_is_due_again_an_early_bet_falls_if_nobody_will_bet_on_it() -> None:
    """Seat 1 is All-in, and seat 2 throws its cards away: what is left is a run-out (A-61)."""
    felt = Felt(dealing="by-hand").sit(s1=100, s2=500, s3=500).start(button=1).call()
    felt.must(AllIn(seat=1))
    felt.must(Call(seat=2))
    felt.must(Call(seat=3))
    felt.must(DealFlop(count=5))
    felt.must(ReportWager(seat=3, words="bet", figure=4000))
    felt.must(ReportSurplusCards())
    [asked] = felt.state.waiting
    felt.must(Decide(decision=asked.decision, option="no"), rank=ActorRank.PIT_MANAGER)
    assert felt.table.facts().held == {3: "bet to 40"}
    felt.must(ReportWager(seat=2, words="fold"))
    assert felt.table.facts().held == {}
    assert felt.table.facts().status == "flop due"


def test_what_stood_before_a_turn_is_given_back_is_held_once() -> None:
    """v8 5.14: the Check of the last one stood and is held again; it was one Check, not two."""
    table = Seated(4).dealt()
    for seat in table.table.facts().to_act[:-1]:
        table.must(Call(seat=seat))
    table.must(Check(seat=table.table.facts().to_act[0]))
    table.must(DealFlop())
    first, second, third, last = table.table.facts().to_act
    table.must(Fold(seat=first))
    table.must(ReportWager(seat=last, words="check"))
    table.must(ReportWager(seat=third, words="check", unnoticed=True))
    table.must(ReportSkipped(seat=second))
    assert table.table.facts().held == {third: "check", last: "check"}
    assert not [e for e in table.must(Check(seat=second)) if isinstance(e, EarlyActFell)]
