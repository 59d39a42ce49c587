"""`report wager`: who may report, what cannot be true, and what is held."""

from __future__ import annotations

from croupier.poker.commands import Fold
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
