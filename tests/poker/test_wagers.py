"""`report wager`: who may report, what cannot be true, and what is held."""

from __future__ import annotations

from typing import Any

from croupier.poker import PokerTable
from croupier.poker.commands import AllIn, Fold
from croupier.poker.irregularities.commands import ReportShown
from croupier.poker.wagers import ReportWager
from croupier.table import ActorRank
from tests.poker.seated import Seated


def first(table: Seated) -> int:
    seat = table.table.turn()
    assert seat is not None
    return seat


def test_a_player_does_not_report_what_he_was_seen_to_do() -> None:
    table = Seated().dealt()
    seat = first(table)
    wager = ReportWager(seat=seat, words="call")
    table.refused(wager, "1.34", rank=ActorRank.PLAYER, who=table.table.player_at(seat))


def test_chips_must_be_those_of_the_table_and_his() -> None:
    table = Seated().dealt()
    seat = first(table)
    assert "no chip of 7" in table.wrong(ReportWager(seat=seat, chips=(700,)))
    assert "it has 500 left" in table.wrong(ReportWager(seat=seat, chips=(50000, 100)))
    assert "follows a first" in table.wrong(ReportWager(seat=seat, later=(500,)))


def test_an_amount_goes_with_bet_raise_or_nothing_and_can_be_made_with_chips() -> None:
    table = Seated().dealt()
    seat = first(table)
    assert "names no amount" in table.wrong(ReportWager(seat=seat, words="call", figure=1000))
    assert "chips of 1" in table.wrong(ReportWager(seat=seat, words="raise", figure=2050))
    assert "cannot be made" in table.wrong(ReportWager(seat=seat, words="raise", figure=0))


def test_there_must_be_a_betting_round_and_a_live_hand() -> None:
    before = Seated().to_the_call()
    before.refused(ReportWager(seat=1, words="call"), "1.6")
    table = Seated(4).dealt()
    seat = first(table)
    table.must(Fold(seat=seat))
    table.refused(ReportWager(seat=seat, words="call"), "1.21")
    assert "not in the round" in table.wrong(ReportWager(seat=9, words="call"))


def test_an_act_out_of_turn_is_held_once() -> None:
    table = Seated(4).dealt()
    early = table.table.state.round.betting.to_act[1]  # type: ignore[union-attr]
    table.must(ReportWager(seat=early, words="call"))
    table.refused(ReportWager(seat=early, words="raise", figure=4000), "5.13")


def test_who_has_no_turn_to_come_cannot_act_early() -> None:
    table = Seated(4).dealt()
    seat = first(table)
    table.must(ReportWager(seat=seat, words="call"))
    table.refused(ReportWager(seat=seat, words="raise", figure=4000), "5.13")


def test_who_has_no_turn_to_come_folds_before_everybody_or_not_at_all() -> None:
    """A Fold that nobody noticed passes nobody over: there is no turn that it could have taken."""
    table = Seated(4).dealt()
    seat = first(table)
    table.must(ReportWager(seat=seat, words="call"))
    table.refused(ReportWager(seat=seat, words="fold", unnoticed=True), "5.13")
    table.must(ReportWager(seat=seat, words="fold"))


def test_who_is_all_in_has_nothing_left_to_give_up() -> None:
    table = Seated(4).dealt()
    seat = first(table)
    table.must(AllIn(seat=seat))
    table.refused(ReportWager(seat=seat, words="fold"), "5.13")


def test_nobody_is_passed_over_by_an_act_in_turn_or_by_no_act() -> None:
    table = Seated(4).dealt()
    seat, second = table.table.state.round.betting.to_act[:2]  # type: ignore[union-attr]
    assert "it is the turn of seat" in table.wrong(
        ReportWager(seat=seat, words="call", unnoticed=True)
    )
    assert "no Action" in table.wrong(ReportWager(seat=second, words="check", unnoticed=True))


def test_every_event_of_a_report_is_told_as_a_sentence() -> None:
    table = Seated(4).dealt()
    seat = first(table)
    for event in table.must(ReportWager(seat=seat, chips=(2500, 500))):
        told = event.tell(lambda s: f"seat {s}")
        assert told.endswith(".")
        assert str(seat) in told


# -- Raise said without an amount (1.37) ---------------------------------------------------------


def offered(table: Seated, seat: int) -> list[str]:
    return [offer.do for offer in table.table.offers(seat)]


def bound(players: int = 4, **settings: Any) -> tuple[Seated, int]:
    """A table whose first to act has said raise, and no more."""
    table = Seated(players, **settings).dealt()
    seat = first(table)
    table.must(ReportWager(seat=seat, words="raise"))
    return table, seat


def test_what_binds_is_kept_in_the_snapshot() -> None:
    table, seat = bound()
    again = PokerTable.restore(table.table.book, table.table.snapshot())
    assert again.state == table.table.state
    assert [offer.do for offer in again.offers(seat)] == ["raise", "all in"]


def test_the_word_said_twice_binds_once() -> None:
    table, seat = bound()
    events = table.must(ReportWager(seat=seat, words="raise"))
    assert [type(event).__name__ for event in events] == ["WagerRead"]


def test_a_raise_closed_after_the_word_is_held_to_be_a_call() -> None:
    """3.18.2.b: he says raise, and then shows both cards."""
    table, seat = bound()
    cards = tuple(table.table.state.round.players[seat].cards)  # type: ignore[union-attr]
    table.must(ReportShown(seat=seat, cards=cards))
    assert offered(table, seat) == ["call"]
    table.refused(Fold(seat=seat), "1.10")
    table.must(ReportWager(seat=seat, chips=(10000,)))
    assert table.table.state.round.players[seat].bet == 1000  # type: ignore[union-attr]


def test_a_word_that_was_held_binds_nobody_by_an_act_that_nobody_noticed() -> None:
    table = Seated(4).dealt()
    early = table.table.state.round.betting.to_act[1]  # type: ignore[union-attr]
    table.must(ReportWager(seat=early, words="raise"))
    table.refused(ReportWager(seat=early, chips=(10000,), unnoticed=True), "5.13")


def test_a_turn_passed_over_takes_the_word_with_it() -> None:
    """He does not speak up; when a raise comes round to him he is free."""
    table, seat = bound()
    second = table.table.state.round.betting.to_act[1]  # type: ignore[union-attr]
    table.must(ReportWager(seat=second, words="raise", figure=4000, unnoticed=True))
    while (turn := first(table)) != seat:
        table.must(Fold(seat=turn))
    assert offered(table, seat) == ["call", "raise", "all in", "fold"]


def test_the_dealer_of_a_table_where_players_are_seen_enters_no_fold_for_the_bound() -> None:
    table, seat = bound(dealing="by-hand", acting="seen")
    table.refused(Fold(seat=seat), "1.37", "3.5.4", rank=ActorRank.DEALER)
    assert table.table.turn() == seat
