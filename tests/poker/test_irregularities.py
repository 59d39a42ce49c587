"""Reports: what cannot be true is an error, what the book does not allow is refused.

What each paragraph does is in the case files; here are the edges that no story is about.
"""

from __future__ import annotations

import contextlib

import pytest

from croupier.cards import Card
from croupier.poker.commands import Call, Check, DealFlop, DealTurn, Fold
from croupier.poker.irregularities import commands as reports
from croupier.poker.irregularities.events import (
    CardExchanged,
    CardsShown,
    CardsShuffledIn,
    EarlyActStands,
    ExposedCardReplaced,
    HandsReconstructed,
    MissingCardsDealt,
    RulingMade,
    SurplusPutBack,
)
from croupier.poker.irregularities.memory import irregular_of
from croupier.poker.irregularities.state import HeldAct
from croupier.poker.wagers import ReportWager
from croupier.table import ActorRank, BadCommand, Command, Decide, DecisionNeeded, Event, GiveDraw
from croupier.table.view import PUBLIC
from tests.poker.seated import Seated
from tests.shipped import answers_of, shipped_result

REPORTS: list[Command] = [
    reports.ReportInterruption(),
    reports.ReportForeignCard(),
    reports.ReportDeck(count=51),
    reports.ReportShoe(),
    reports.ReportExposed(),
    reports.ReportUnprepared(lacking="cut"),
    reports.ReportWrongDeal(),
    reports.ReportWrongCount(seat=1),
    reports.ReportMissingBurn(),
    reports.ReportEarlyCards(),
    reports.ReportSurplusCards(),
    reports.ReportShown(seat=1, cards=(Card("As"),)),
    reports.ReportIrregularity(says="Something odd"),
    reports.DealAgain(),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])
def test_a_player_tells_the_dealer_who_reports(report: Command, book: str) -> None:
    table = Seated(book=book).dealt()
    assert "Only the dealer" in table.refused(report, rank=ActorRank.PLAYER, who="Ann")


@pytest.mark.parametrize("report", REPORTS, ids=lambda r: type(r).__name__)
def test_a_report_without_a_round_changes_no_round(report: Command) -> None:
    table = Seated()
    before = table.table.state.seats
    with contextlib.suppress(BadCommand):
        table.give(report)
    assert table.table.state.round is None
    assert table.table.state.seats == before


def in_the_flop(**how: object) -> Seated:
    """Two players who have called and checked, and a flop dealt so."""
    table = Seated(2).dealt()
    to_act = table.table.state.round.betting.to_act  # type: ignore[union-attr]
    first, second = to_act
    table.must(Call(seat=first))
    table.must(Check(seat=second))
    table.must(DealFlop(**how))  # type: ignore[arg-type]
    return table


def test_what_is_not_so_cannot_be_reported() -> None:
    table = in_the_flop()
    assert "burnt before the flop" in table.wrong(reports.ReportMissingBurn())
    assert "too many" in table.wrong(reports.ReportSurplusCards())
    assert "before its time" in table.wrong(reports.ReportEarlyCards())
    assert "right number" in table.wrong(reports.ReportWrongCount(seat=1))
    assert "seat 1 has 2, not 3" in table.wrong(reports.ReportWrongCount(seat=1, count=3))
    assert "no card was exposed" in table.wrong(reports.ReportExposed())
    assert "went where they should" in table.wrong(reports.ReportWrongDeal())
    assert "was shuffled" in table.wrong(reports.ReportUnprepared(lacking="shuffle"))
    assert "that is enough" in table.wrong(reports.ReportShoe())
    assert "not 3" in table.wrong(reports.ReportShoe(left=3))
    assert "how many cards" in table.wrong(reports.ReportDeck())
    assert "no street" in table.refused(reports.DealAgain(), "1.13").lower()


def test_more_actions_cannot_have_been_stopped_than_there_were() -> None:
    table = Seated(3).dealt(exposed=(1, 2))
    assert "cannot have been stopped" in table.wrong(reports.ReportExposed(stopped=1))
    assert "cannot have been stopped" in in_the_flop(burn=False).wrong(
        reports.ReportMissingBurn(stopped=1)
    )


def test_while_the_table_waits_nothing_else_is_reported() -> None:
    table = Seated().dealt()
    table.must(reports.ReportForeignCard())
    table.refused(reports.ReportInterruption(), "5.2.1")


def test_a_second_report_of_an_early_card_is_noted_and_a_second_street_judged() -> None:
    """A-71: the same facts again change nothing; another street has its own."""
    table = Seated(3).dealt()
    table.must(DealFlop())
    table.must(reports.ReportEarlyCards())
    before = table.table.state.round
    assert before is not None
    assert before.irregular is not None
    assert len(before.irregular.held_early) == 1
    table.must(reports.ReportEarlyCards())
    assert len(before.irregular.held_early) == 1
    table.refused(DealFlop(), "3.13")
    table.must(DealTurn())
    table.must(reports.ReportEarlyCards())
    assert [early.street for early in before.irregular.held_early] == ["flop", "turn"]


def test_the_pick_is_for_a_pit_manager_or_the_house() -> None:
    table = in_the_flop(count=4)
    table.must(reports.ReportSurplusCards())
    number = table.table.state.last_need
    table.must(Decide(decision=number, option="no"))
    pick = GiveDraw(need=number + 1, picks=(0, 1, 2))
    table.refused(pick, "5.12", rank=ActorRank.PIT_SUPERVISOR)
    assert isinstance(table.give(pick, ActorRank.PIT_MANAGER), tuple)


def test_a_shown_card_must_be_his_and_known() -> None:
    table = Seated().dealt()
    played = table.table.state.round
    assert played is not None
    own, other = played.players[1].cards[0], played.players[2].cards[0]
    assert "say which" in table.wrong(reports.ReportShown(seat=1, cards=()))
    assert "not in the hand" in table.wrong(reports.ReportShown(seat=1, cards=(other,)))
    assert "cannot have been" in table.wrong(reports.ReportShown(seat=1, cards=(own,), to=(1,)))
    assert "no cards" in table.wrong(reports.ReportShown(seat=8, cards=(own,)))


def test_only_who_was_passed_over_says_so_and_only_for_himself() -> None:
    table = Seated(4).dealt()
    seat, second = table.table.state.round.betting.to_act[:2]  # type: ignore[union-attr]
    table.must(ReportWager(seat=second, words="call", unnoticed=True))
    name = table.table.player_at(second)
    table.refused(reports.ReportSkipped(seat=seat), "3.3", rank=ActorRank.PLAYER, who=name)
    assert "was not passed over" in table.wrong(reports.ReportSkipped(seat=second))
    own = table.table.player_at(seat)
    assert own is not None
    assert isinstance(table.give(reports.ReportSkipped(seat=seat), ActorRank.PLAYER, own), tuple)


def test_the_last_player_left_need_not_defend_a_turn() -> None:
    table = Seated(3).dealt()
    seat, second, third = table.table.state.round.betting.to_act  # type: ignore[union-attr]
    table.must(ReportWager(seat=second, words="fold", unnoticed=True))
    table.must(Fold(seat=third))
    assert "has won" in table.refused(reports.ReportSkipped(seat=seat), "5.14")


CARDS = (Card("As"), Card("Kd"))


@pytest.mark.parametrize(
    "event",
    [
        ExposedCardReplaced(seat=1, card=CARDS[0], new=CARDS[1]),
        MissingCardsDealt(seat=1, cards=CARDS[1:]),
        HandsReconstructed(hands={1: CARDS[1:]}, drawn=CARDS[1:], back=CARDS[1:]),
        CardsShuffledIn(street="flop", cards=CARDS[1:], order=CARDS[1:]),
        SurplusPutBack(street="flop", cards=CARDS[1:]),
        CardsShown(seat=1, cards=CARDS[1:], to=(2,), due=""),
        CardExchanged(card=CARDS[1], new=CARDS[1], seat=1, down=True),
        RulingMade(
            ruling="replace card",
            details={"card": "Kd", "new": "Kd"},
            who="Sam",
            rank=ActorRank.SHIFT_MANAGER,
        ),
    ],
    ids=lambda e: type(e).__name__,
)
def test_what_lies_face_down_is_masked(event: Event) -> None:
    assert "Kd" not in str(event.public())


def test_a_ruling_that_names_a_hole_card_tells_nobody_which() -> None:
    table = Seated(3).dealt()
    played = table.table.state.round
    assert played is not None
    card = str(played.players[1].cards[0])
    table.must(reports.ReportIrregularity(says="a card of seat 1 is torn"))
    [asked] = table.table.state.waiting
    assert isinstance(asked, DecisionNeeded)
    answer = Decide(
        decision=asked.decision, option="replace card", details={"card": card}, reason="torn"
    )
    events = table.give(answer, ActorRank.SHIFT_MANAGER)
    assert isinstance(events, tuple)
    assert events
    for event in events:
        assert card not in str(table.table.show(event, PUBLIC))


def test_of_what_was_done_later_out_of_turn_his_own_act_is_held_next() -> None:
    table = in_the_flop().table
    irregular = irregular_of(table)
    first = HeldAct(seat=1, action="check", to=0, price=0)
    later = HeldAct(seat=1, action="call", to=2000, price=2000)
    of_another = HeldAct(seat=3, action="call", to=2000, price=2000)
    irregular.held = {1: first, 3: first}
    irregular.held_later = [of_another, later]
    table.apply(EarlyActStands(seat=1, action="check", to=0))
    assert (irregular.held, irregular.held_later) == ({1: later, 3: first}, [of_another])


def test_where_a_book_has_no_paragraph_on_putting_right_it_rests_on_what_went_wrong():
    result = shipped_result("poker-v5/5.1.5.a-hand-left-out-reconstructed.toml")
    events = [event for answer in answers_of(result) for _, event in answer]
    [put_right] = [event for event in events if isinstance(event, HandsReconstructed)]
    assert put_right.cites[0] == "5.1.5"
