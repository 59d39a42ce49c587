"""Why an early act does not bind: the paragraph that is so, and no other beside it."""

from __future__ import annotations

from croupier.poker.commands import Bet, Call, Check, DealFlop, Fold, Raise
from croupier.poker.irregularities.events import EarlyActFell
from croupier.poker.wagers import ReportWager
from croupier.rulebooks import Topic
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
