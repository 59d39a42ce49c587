"""Joining, leaving, missing Blinds: the tables of the readings (A-46 to A-53), row by row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.poker.commands import (
    Call,
    CallForBlinds,
    Fold,
    Leave,
    ReduceStake,
    Relocate,
    ReturnToSeat,
    Sit,
    SitOut,
    TopUp,
)
from croupier.poker.events import (
    BlindMissed,
    BlindPosted,
    BlindsCalled,
    CallWithdrawn,
    EntrySettled,
    LeftTable,
    WentAbsent,
)
from croupier.poker.irregularities.commands import (
    ReportInterruption,
    ReportIrregularity,
    UndoRuling,
)
from croupier.poker.positions import Plan, between, can_play, plan_round
from croupier.poker.state import PokerState, SeatState
from croupier.table import ActorRank, BadCommand, Decide, Refused
from tests.poker.conftest import V5, V8, Felt

SMALL, BIG = 500, 1000


def six(book: str = V8) -> Felt:
    """Six players, the first button at seat 1."""
    return Felt(book).sit(s1=500, s2=500, s3=500, s4=500, s5=500, s6=500).start(button=1)


def played(felt: Felt, rounds: int) -> Felt:
    for _ in range(rounds):
        felt.call().check_down()
    return felt


def entry(felt: Felt, seat: int) -> EntrySettled:
    """The last word on how somebody comes in."""
    return [e for e in felt.log if isinstance(e, EntrySettled) and e.seat == seat][-1]


def void(felt: Felt) -> None:
    """The power fails and the round is Void."""
    felt.must(ReportInterruption(), rank=ActorRank.PIT_MANAGER)
    number = felt.state.waiting[-1].decision
    felt.must(Decide(decision=number, option="confirm"), rank=ActorRank.SHIFT_MANAGER)
    assert felt.state.round.voided


def decide_to_wait(felt: Felt, seat: int) -> None:
    [asked] = felt.state.waiting
    assert (asked.question, asked.of) == ("join on the small blind", seat)
    felt.must(Decide(decision=asked.decision, option="wait"), who=felt.table.player_at(seat))


def positions(felt: Felt) -> tuple[int, int | None, int]:
    now = felt.state.round
    return now.button, now.small_blind, now.big_blind


# -- what was missed against where he returns ------------------------------------------

MATRIX = [
    # missed, position, plays, live, dead, paragraph
    ("small", "ordinary", True, 0, SMALL, "5.7.3.b"),
    ("small", "button", False, 0, 0, "5.7.3.a"),
    ("small", "small blind", True, BIG, SMALL, "5.7.3"),
    ("small", "big blind", True, BIG, 0, "5.7.3.c"),
    ("big", "ordinary", True, BIG, SMALL, "5.7.3"),
    ("big", "button", True, BIG, SMALL, "5.7.3"),
    ("big", "small blind", True, BIG, SMALL, "5.7.3"),
    ("big", "big blind", True, BIG, 0, "5.7.3.d"),
    ("both", "ordinary", True, BIG, SMALL, "5.7.3"),
    ("both", "button", True, BIG, SMALL, "5.7.3"),
    ("both", "small blind", True, BIG, SMALL, "5.7.3"),
    ("both", "big blind", True, BIG, 0, "5.7.3.d"),
]


@pytest.mark.parametrize(("missed", "position", "plays", "live", "dead", "paragraph"), MATRIX)
def test_what_a_returning_player_pays(missed, position, plays, live, dead, paragraph):
    felt = six()
    # The button of the round about to start is at seat 1; put the one who returns where he is.
    seat = {"ordinary": 5, "button": 1, "small blind": 2, "big blind": 3}[position]
    sitter = felt.state.seats[seat]
    sitter.missed_small = missed in ("small", "both")
    sitter.missed_big = missed in ("big", "both")
    felt.shadow = type(felt.table).restore(felt.book, felt.table.snapshot())
    felt.call()
    settled = entry(felt, seat)
    assert (settled.plays, settled.live, settled.dead) == (plays, live, dead)
    assert settled.cites[0] == paragraph
    assert (seat in felt.state.round.order) == plays
    if plays:
        assert felt.table.facts().missed == {}
        assert felt.state.round.players[seat].bet >= live
    # The dead part is in the Pot and counts towards no Call.
    assert sum(p.dead for p in felt.state.round.players.values()) == dead


def test_who_waited_for_the_button_to_pass_then_posts_the_small_blind_dead():
    felt = six()
    felt.state.seats[1].missed_small = True
    felt.shadow = type(felt.table).restore(felt.book, felt.table.snapshot())
    felt.call()
    assert felt.table.facts().waiting == [1]
    felt.check_down().call()
    settled = entry(felt, 1)
    assert (settled.plays, settled.live, settled.dead) == (True, 0, SMALL)


# -- 5.7, 5.7.1: newcomers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "live"),
    [(7, 0), (5, 0), (2, SMALL), (3, BIG)],
    ids=["button's right", "5", "SB", "BB"],
)
def test_in_the_first_orbit_a_newcomer_pays_the_blind_of_his_seat_or_nothing(seat, live):
    others = [n for n in (1, 2, 3, 4, 5, 6) if n != seat][:5]
    felt = Felt(V8).sit(**{f"s{n}": 500 for n in others}).start(button=1)
    felt.must(Sit(seat=seat, player="new", stake=50_000))
    felt.call()
    settled = entry(felt, seat)
    assert (settled.plays, settled.live, settled.dead) == (True, live, 0)
    assert settled.cites[0] == "5.7"


def after_the_first_orbit() -> Felt:
    """Seats 1, 3, 5, 7 have played four rounds; the button is at seat 1 again, in the 2nd Orbit."""
    felt = Felt(V8).sit(s1=500, s3=500, s5=500, s7=500).start(button=1)
    played(felt, 4)
    assert (felt.state.button, felt.state.orbit) == (1, 2)
    return felt


def test_after_the_first_orbit_a_newcomer_pays_a_big_blind_amount():
    felt = after_the_first_orbit()
    felt.must(Sit(seat=6, player="new", stake=50_000))
    felt.call()
    assert (entry(felt, 6).live, entry(felt, 6).dead) == (BIG, 0)
    assert positions(felt) == (1, 3, 5)
    assert "check" not in felt.options(7)


def test_a_newcomer_on_the_small_blind_pays_both_and_has_the_next_button():
    felt = after_the_first_orbit()
    felt.must(Sit(seat=2, player="new", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    assert felt.table.facts().decisions[0].question == "join on the small blind"
    felt.must(Decide(decision=felt.state.waiting[0].decision, option="both blinds"), who="new")
    felt.deal()
    assert positions(felt) == (1, 2, 3)
    me = felt.state.round.players[2]
    assert (me.bet, me.dead) == (BIG, SMALL)
    felt.check_down()
    assert felt.state.button == 2


def test_a_newcomer_on_the_small_blind_who_waits_comes_in_when_the_button_is_past():
    felt = after_the_first_orbit()
    felt.must(Sit(seat=2, player="new", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    felt.must(Decide(decision=felt.state.waiting[0].decision, option="wait"), who="new")
    felt.deal()
    assert positions(felt) == (1, 3, 5)
    assert 2 not in felt.state.round.order
    felt.check_down()
    assert felt.state.button == 3
    felt.call()
    assert (entry(felt, 2).plays, entry(felt, 2).live) == (True, BIG)


def test_a_newcomer_on_the_button_waits_until_it_has_passed():
    felt = after_the_first_orbit()
    felt.must(Leave(seat=1))
    felt.must(Sit(seat=1, player="new", stake=50_000))
    felt.call()
    assert entry(felt, 1).plays is False
    assert entry(felt, 1).cites[0] == "5.7.1.b"
    assert positions(felt) == (1, 3, 5)
    felt.check_down().call()
    assert (felt.state.round.button, entry(felt, 1).live) == (3, BIG)


def test_newcomers_who_wait_and_leave_one_player_are_passed_by_the_button_at_once():
    """Bob has the button, Dev is next to it: alone seat 5 could not play the round past them."""
    felt = after_the_first_orbit()
    for seat in (1, 3, 7):
        felt.must(Leave(seat=seat))
    felt.must(Sit(seat=1, player="Bob", stake=50_000))
    felt.must(Sit(seat=3, player="Dev", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    decide_to_wait(felt, 3)
    decide_to_wait(felt, 1)  # without Dev there are two, and the button is the Small Blind
    felt.deal()
    assert positions(felt) == (5, 1, 3)
    for seat in (1, 3):
        settled = entry(felt, seat)
        assert (settled.plays, settled.live, settled.dead) == (True, BIG, 0)
        assert settled.cites[0] == "5.7.1.a"
    felt.check_down()
    assert felt.state.button == 1


@pytest.mark.parametrize(
    ("back", "absent", "after", "live", "paragraph"),
    [
        (False, (3,), (7, 1, 5), BIG, "5.7.1.b"),
        (True, (3,), (7, 1, 5), SMALL, "5.7.3.a"),
        (True, (3, 9), (7, None, 1), BIG, "5.7.3.c"),
    ],
    ids=["new", "back, on the small blind", "back, on the big blind"],
)
def test_who_must_wait_on_the_button_is_passed_too(back, absent, after, live, paragraph):
    """Seat 3 is away when the Small Blind is due. Seat 1 has the button and must wait, so that the
    button of two is Dev's at seat 5, who may wait and does: only seat 7 is left."""
    felt = Felt(V8).sit(s1=500, s3=500, s5=500, s7=500, s9=500).start(button=1)
    played(felt, 5)
    assert (felt.state.button, felt.state.orbit) == (1, 2)
    for seat in absent:
        felt.must(SitOut(seat=seat))
    if 9 not in absent:
        felt.must(Leave(seat=9))
    felt.must(Leave(seat=5))
    felt.must(Sit(seat=5, player="Dev", stake=50_000))
    if back:
        felt.state.seats[1].missed_small = True
        felt.shadow = type(felt.table).restore(felt.book, felt.table.snapshot())
    else:
        felt.must(Leave(seat=1))
        felt.must(Sit(seat=1, player="Bob", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    decide_to_wait(felt, 5)
    felt.deal()
    assert positions(felt) == after
    settled = entry(felt, 1)
    assert (settled.plays, settled.live, settled.dead) == (True, live, 0)
    assert settled.cites[0] == paragraph
    assert (entry(felt, 5).live, entry(felt, 5).dead) == (BIG, 0)


def test_who_waits_comes_in_though_a_void_leaves_the_button_and_one_player_behind():
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s3=500).start(button=1)
    played(felt, 2)
    assert (felt.state.button, felt.state.orbit) == (1, 2)
    felt.must(Sit(seat=2, player="new", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    decide_to_wait(felt, 2)
    felt.deal()
    assert positions(felt) == (1, 1, 3)
    void(felt)
    assert (felt.state.button, felt.table.facts().waiting) == (1, [2])
    felt.must(Leave(seat=3))
    felt.call()
    assert positions(felt) == (1, 1, 2)
    assert (entry(felt, 2).plays, entry(felt, 2).live, entry(felt, 2).dead) == (True, BIG, 0)


def test_a_blind_is_missed_but_once_where_a_void_leaves_the_button():
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s2=500, s3=500, s4=500, s5=500).start(button=1)
    felt.must(SitOut(seat=3))
    for _ in range(3):
        felt.call()
        assert (positions(felt), felt.state.seats[3].misses) == ((1, 2, 4), 1)
        void(felt)
        assert (felt.state.seats[3].misses, felt.table.facts().missed) == (0, {})
    felt.must(ReturnToSeat(seat=3))
    felt.call()
    assert positions(felt) == (1, 2, 3)
    assert felt.state.round.players[3].bet == BIG


def test_who_is_back_when_a_void_leaves_the_button_places_the_small_blind_that_is_due_again():
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s2=500, s3=500, s4=500).start(button=1)
    felt.must(SitOut(seat=2))
    felt.call()
    assert positions(felt) == (1, None, 3)
    felt.must(ReturnToSeat(seat=2))
    void(felt)
    felt.call()
    assert positions(felt) == (1, 2, 3)
    me = felt.state.round.players[2]
    assert (me.bet, me.dead) == (SMALL, 0)


def test_a_third_big_blind_missed_in_a_void_that_leaves_the_button_is_no_question():
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s2=500, s3=500, s4=500).start(button=1)
    felt.must(SitOut(seat=3))
    while felt.state.seats[3].misses < 2:
        felt.call().check_down()
    while felt.state.seats[3].misses < 3:
        felt.call()
        if felt.state.seats[3].misses < 3:
            felt.check_down()
    assert [need.question for need in felt.state.waiting] == ["three missed big blinds"]
    felt.must(ReportInterruption(), rank=ActorRank.PIT_MANAGER)
    number = felt.state.waiting[-1].decision
    felt.must(Decide(decision=number, option="confirm"), rank=ActorRank.SHIFT_MANAGER)
    assert (felt.state.seats[3].misses, felt.state.waiting) == (2, [])


@st.composite
def any_seats(draw: st.DrawFn) -> PokerState:
    """A table between two rounds after the first Orbit, with all sorts of people at it."""
    button = draw(st.integers(1, 9))
    seats = {}
    for number in draw(st.lists(st.integers(1, 9), min_size=2, max_size=5, unique=True)):
        entry = draw(st.sampled_from(("in", "new", "relocated")))
        here, stake = draw(st.sampled_from(((True, 50_000), (True, 0), (False, 50_000))))
        seat = SeatState(player=f"player {number}", stake=stake, here=here, entry=entry)
        if entry == "new":
            seat.decided = draw(st.sampled_from(("wait", "both blinds")))
        if entry == "in":
            seat.missed_small, seat.missed_big = draw(st.booleans()), draw(st.booleans())
            seat.rotates = can_play(seat) or not seat.missed_big
        if entry != "relocated":
            seat.waits_at = draw(st.sampled_from((None, button)))
        seats[number] = seat
    return PokerState(button=button, orbit=2, rounds=9, seats=dict(sorted(seats.items())))


@given(any_seats())
def test_two_who_can_play_have_a_round_whoever_waits(state):
    plan = plan_round(state, by_the_book=True)
    ready = {number for number, seat in state.seats.items() if can_play(seat)}
    if len(ready) < 2:
        assert plan is None
        return
    assert isinstance(plan, Plan)
    assert len(plan.players) >= 2
    assert set(plan.players) <= ready
    assert {plan.big_blind} | {plan.small_blind or plan.big_blind} <= set(plan.players)
    assert plan.small_blind != plan.big_blind
    waiting = {entry.seat for entry in plan.entries if not entry.plays}
    assert not waiting & set(plan.players)


def test_who_waits_alone_has_nobody_to_play_with():
    felt = after_the_first_orbit()
    for seat in (1, 3, 5, 7):
        felt.must(Leave(seat=seat))
    felt.must(Sit(seat=1, player="Bob", stake=50_000))
    felt.deal()
    assert isinstance(felt.give(CallForBlinds()), Refused)


@pytest.mark.parametrize(("seat", "live", "small"), [(6, 0, 3), (2, 0, None), (4, BIG, 3)])
def test_a_relocated_player_pays_only_on_the_big_blind(seat, live, small):
    felt = after_the_first_orbit()
    felt.must(Relocate(seat=seat, player="moved", stake=50_000))
    felt.call()
    settled = entry(felt, seat)
    assert (settled.plays, settled.live, settled.dead) == (True, live, 0)
    assert settled.cites[0] == "5.7.2"
    assert felt.state.round.small_blind == small


def test_only_a_pit_employee_relocates():
    felt = after_the_first_orbit()
    refused = felt.give(Relocate(seat=6, player="moved", stake=50_000), "moved", ActorRank.PLAYER)
    assert isinstance(refused, Refused)
    assert {"5.7.2", "1.34"} <= set(refused.cites)


# -- 5.8, 5.9: away when a Blind is due ------------------------------------------------------


def test_absent_small_blind():
    felt = six()
    felt.must(SitOut(seat=2))
    felt.call()
    assert positions(felt) == (1, None, 3)
    assert felt.table.facts().missed == {2: "small"}
    felt.check_down().call()
    assert positions(felt) == (2, 3, 4)


def test_absent_big_blind():
    felt = six()
    felt.must(SitOut(seat=3))
    felt.call()
    assert positions(felt) == (1, 2, 4)
    assert felt.table.facts().missed_markers == [3]
    felt.check_down().call()
    assert positions(felt) == (2, 4, 5)
    assert felt.table.facts().missed == {3: "both"}


def test_both_blinds_absent_together():
    felt = six()
    felt.must(SitOut(seat=2))
    felt.must(SitOut(seat=3))
    felt.call()
    assert positions(felt) == (1, None, 4)
    missed = {(e.seat, e.blind) for e in felt.log if isinstance(e, BlindMissed)}
    assert missed == {(2, "small"), (3, "big")}


def test_absence_that_leaves_two_makes_it_heads_up():
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=1)
    felt.must(SitOut(seat=2))
    felt.call()
    assert positions(felt) == (1, 1, 3)
    assert felt.table.turn() == 1


def test_going_away_between_the_call_and_the_first_blind_makes_the_call_anew():
    felt = six()
    felt.deal()
    felt.must(CallForBlinds())
    felt.must(SitOut(seat=3))
    assert felt.state.rounds == 1
    assert positions(felt) == (1, 2, 4)
    assert felt.table.facts().missed_in_a_row == {3: 1}


def test_chips_added_since_a_call_that_is_withdrawn_stay():
    felt = six(V5)
    felt.call().check_down()
    felt.must(SitOut(seat=5))
    felt.deal()
    felt.must(CallForBlinds())
    felt.must(TopUp(seat=5, amount=100_00))  # he is not in the round
    felt.must(SitOut(seat=4))  # the Big Blind was his: the House says who posts it (P-28)
    [asked] = felt.state.waiting
    felt.must(Decide(decision=asked.decision, option="pass over"), rank=ActorRank.PIT_MANAGER)
    assert felt.state.rounds == 2
    assert positions(felt) == (2, 3, 6)
    assert felt.state.seats[5].stake == 600_00
    assert felt.state.brought == 3100_00


def test_an_answer_about_somebody_who_has_left_since_is_about_nobody():
    felt = six(V5)
    felt.call().check_down()
    felt.must(Sit(seat=7, player="Gil", stake=500_00))
    felt.deal()
    felt.must(CallForBlinds())
    [asked] = felt.state.waiting
    assert (asked.question, asked.about["seat"]) == ("who posts", 7)
    felt.must(Leave(seat=7))
    felt.must(Decide(decision=asked.decision, option="big blind"), rank=ActorRank.PIT_MANAGER)
    assert 7 not in felt.state.seats
    assert felt.state.round.order == (3, 4, 5, 6, 1, 2)


def test_who_leaves_for_good_when_the_small_blind_is_his_leaves_the_button_an_empty_seat():
    felt = six()
    felt.call().check_down()  # button 1, Small Blind 2, Big Blind 3
    assert felt.state.button == 2
    felt.must(Leave(seat=3))
    felt.call()
    assert positions(felt) == (2, None, 4)
    felt.check_down().call()
    assert positions(felt) == (3, 4, 5)
    felt.check_down()
    assert felt.state.button == 4
    assert felt.state.vacated == []


def test_other_empty_seats_are_passed_over():
    felt = six()
    felt.call().check_down()
    felt.must(Leave(seat=2))  # the button was to be his
    felt.call()
    assert positions(felt) == (3, 4, 5)


def test_the_first_orbit_is_over_when_the_call_brings_the_button_back_to_where_it_began():
    """It began at seat 3. Seat 2 was to have it next and leaves: seat 3 has it again."""
    felt = Felt(V8).sit(s1=500, s2=500, s3=500, s4=500).start(button=3)
    played(felt, 3)
    assert (felt.state.button, felt.state.orbit) == (2, 1)
    felt.must(Leave(seat=2))
    felt.must(Relocate(seat=6, player="moved", stake=50_000))
    felt.must(Sit(seat=7, player="new", stake=50_000))
    felt.call()
    assert positions(felt) == (3, 4, 6)
    assert (entry(felt, 7).live, entry(felt, 7).cites[0]) == (BIG, "5.7.1")
    felt.check_down()
    assert (felt.state.button, felt.state.orbit) == (4, 2)


def test_the_button_goes_once_to_a_seat_that_was_left_also_if_two_are_there_then():
    """Seat 3 leaves with the Small Blind next. When the button is due there two are left, and one
    of them has it; a lap later nobody is due the Small Blind at that seat."""
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=2)
    felt.must(Leave(seat=3))
    felt.call()
    assert (positions(felt), felt.state.vacated) == ((2, 2, 1), [3])
    felt.check_down()
    assert felt.state.button == 3
    felt.call()
    assert (positions(felt), felt.state.vacated) == ((1, 1, 2), [])
    felt.must(Sit(seat=4, player="Dev", stake=50_000))
    felt.check_down().deal()
    felt.must(CallForBlinds())
    [asked] = felt.state.waiting
    felt.must(Decide(decision=asked.decision, option="both blinds"), who="Dev")
    assert positions(felt) == (2, 4, 1)


@pytest.mark.parametrize("later", [False, True], ids=["in that round", "after it"])
def test_who_was_away_for_the_small_blind_and_leaves_has_the_button_at_the_empty_seat(later):
    """5.8: on the next Round the button is at seat 2, and seats 3 and 4 post."""
    felt = six()
    felt.must(SitOut(seat=2))
    felt.call()
    assert positions(felt) == (1, None, 3)
    if later:
        felt.check_down()
    felt.must(Leave(seat=2))
    if not later:
        felt.check_down()
    felt.call()
    assert positions(felt) == (2, 3, 4)
    felt.check_down()
    assert (felt.state.button, felt.state.vacated) == (3, [])


def test_a_seat_left_for_the_button_that_the_big_blind_passes_is_passed_by_the_button_too():
    """Seat 5 leaves with the Small Blind next, and a relocated player has it at seat 4: the Big
    Blind of seat 6 has passed the empty seat, and the next Small Blind is seat 6."""
    felt = Felt(V8).sit(s1=500, s2=500, s5=500, s6=500, s7=500).start(button=1)
    felt.call()
    assert positions(felt) == (1, 2, 5)
    felt.check_down()
    felt.must(Leave(seat=5))
    felt.must(Relocate(seat=4, player="moved", stake=50_000))
    assert felt.state.vacated == [5]
    felt.call()
    assert positions(felt) == (2, None, 6)
    felt.check_down().call()
    assert positions(felt) == (4, 6, 7)


def test_a_seat_left_for_the_button_is_so_again_when_the_call_is_withdrawn():
    felt = Felt(V8).sit(s1=500, s2=500, s5=500, s6=500, s7=500).start(button=1)
    felt.call().check_down()
    felt.must(Leave(seat=5))
    felt.must(Relocate(seat=4, player="moved", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    assert (positions(felt), felt.state.vacated) == ((2, None, 6), [])
    felt.must(SitOut(seat=4))  # who had come to sit before it goes away
    assert (positions(felt), felt.state.vacated) == ((2, None, 6), [5])


def test_who_sits_down_and_leaves_before_the_call_leaves_an_empty_seat_as_it_was():
    """Seat 3 leaves with the Small Blind next; somebody sits there for a moment."""
    felt = six()
    felt.call().check_down()
    felt.must(Leave(seat=3))
    felt.must(Sit(seat=3, player="new", stake=50_000))
    felt.must(Leave(seat=3))
    felt.call()
    assert positions(felt) == (2, None, 4)
    felt.check_down().call()
    assert positions(felt) == (3, 4, 5)


def test_who_has_sat_down_where_a_seat_was_left_for_the_button_has_its_place():
    felt = six()
    felt.call().check_down()
    felt.must(Leave(seat=3))
    felt.must(Sit(seat=3, player="new", stake=50_000))
    felt.call()
    assert (positions(felt), felt.state.vacated) == ((2, 3, 4), [])
    felt.check_down()
    assert felt.state.button == 3


def test_who_is_back_and_leaves_without_having_come_in_leaves_no_empty_seat_for_the_button():
    """Seat 4 missed the Big Blind, is back where the Small Blind is due, and leaves: it is passed
    over as it was, and seat 5, which has placed the Big Blind, is the Small Blind."""
    felt = six()
    felt.call().check_down()
    felt.must(SitOut(seat=4))
    felt.call()
    assert positions(felt) == (2, 3, 5)
    felt.check_down()
    felt.must(ReturnToSeat(seat=4))
    felt.must(Leave(seat=4))
    felt.call()
    assert positions(felt) == (3, 5, 6)


@pytest.mark.parametrize("called", [False, True], ids=["before the call", "after it"])
def test_who_is_back_and_goes_away_again_is_passed_over_also_if_called(called):
    """Seat 4 missed the Big Blind and is back where the Small Blind is due."""
    felt = six()
    felt.call().check_down()
    felt.must(SitOut(seat=4))
    felt.call().check_down()
    felt.must(ReturnToSeat(seat=4))
    felt.deal()
    if called:
        felt.must(CallForBlinds())
        assert positions(felt) == (3, 4, 5)
    felt.must(SitOut(seat=4))
    if not called:
        felt.must(CallForBlinds())
    assert (positions(felt), felt.state.seats[4].rotates) == ((3, 5, 6), False)


@pytest.mark.parametrize("withdrawn", [False, True], ids=["called once", "called again"])
def test_who_is_back_without_chips_is_passed_over_still(withdrawn):
    """Seat 4 is away with nothing left, missed the Big Blind, and is back where the Small Blind is
    due; somebody else goes, for whom the Blinds are called anew."""
    felt = six()
    felt.call().check_down()
    for state in (felt.state, felt.shadow.state):
        state.brought -= state.seats[4].stake
        state.seats[4].stake = 0
    felt.must(SitOut(seat=4))
    felt.call().check_down()
    if not withdrawn:
        felt.must(ReturnToSeat(seat=4))
    felt.deal()
    felt.must(CallForBlinds())
    assert positions(felt) == (3, 5, 6)
    if withdrawn:
        felt.must(ReturnToSeat(seat=4))
        felt.must(SitOut(seat=2))
        assert positions(felt) == (3, 5, 6)
    assert not felt.state.seats[4].rotates
    felt.deal()
    felt.check_down()
    felt.must(TopUp(seat=4, amount=50_000))
    assert felt.state.seats[4].rotates


def test_a_call_that_is_withdrawn_leaves_the_button_where_it_was():
    """Seat 1 has the button and is away: with two left seat 2 has it, and then goes away too."""
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=1)
    felt.must(SitOut(seat=1))
    felt.deal()
    felt.must(CallForBlinds())
    assert positions(felt) == (2, 2, 3)
    felt.must(SitOut(seat=2))
    assert (felt.state.round, felt.state.button) == (None, 1)
    felt.must(ReturnToSeat(seat=1))
    felt.must(ReturnToSeat(seat=2))
    felt.call()
    assert positions(felt) == (1, 2, 3)


def test_three_missed_big_blinds_are_for_the_house_to_judge():
    felt = six()
    felt.must(SitOut(seat=3))
    while felt.state.seats[3].misses < 3:
        felt.call().check_down()
    [question] = felt.table.facts().decisions
    assert (question.question, question.of) == ("three missed big blinds", ActorRank.PIT_MANAGER)
    number = felt.state.waiting[0].decision
    low = felt.give(
        Decide(decision=number, option="release"), "the supervisor", ActorRank.PIT_SUPERVISOR
    )
    assert isinstance(low, Refused)
    felt.must(Decide(decision=number, option="release"), who="pm", rank=ActorRank.PIT_MANAGER)
    assert 3 not in felt.state.seats
    [left] = [event for event in felt.log if isinstance(event, LeftTable)]
    assert (left.seat, left.found, left.cites[0]) == (3, True, "5.7.3.tail")


def missed_three() -> Felt:
    """Seat 3 is away and has missed three Big Blinds; the House is asked, the round is over."""
    felt = six()
    felt.must(SitOut(seat=3))
    while felt.state.seats[3].misses < 3:
        felt.call().check_down()
    assert [need.about for need in felt.state.waiting] == [{"seat": 3}]
    return felt


def test_who_is_released_is_told_that_the_seat_is_given_up_and_why():
    felt = missed_three()
    number = felt.state.waiting[0].decision
    felt.must(Decide(decision=number, option="release"), rank=ActorRank.PIT_MANAGER)
    [left] = [event for event in felt.log if isinstance(event, LeftTable)]
    assert left.tell(lambda seat: "Cho") == (
        "Cho has missed 3 Big Blinds in a row and is taken to have left the game: "
        "seat 3 is given up. 500 in chips goes back."
    )
    plain = LeftTable(seat=3, player="Cho", stake=50_000, cites=())
    assert plain.tell(lambda seat: "Cho") == "Cho leaves the game with 500."


def test_the_house_is_asked_once_while_it_has_not_answered():
    felt = missed_three()
    while felt.state.seats[3].misses < 5:
        felt.call().check_down()
    assert len(felt.state.waiting) == 1


@pytest.mark.parametrize("come", [ReturnToSeat(seat=3), Leave(seat=3)], ids=["back", "gone"])
def test_nothing_is_asked_about_who_is_back_or_has_left(come):
    felt = missed_three()
    number = felt.state.waiting[0].decision
    felt.must(come)
    assert felt.state.waiting == []
    with pytest.raises(BadCommand, match=f"no DecisionNeeded {number}"):
        felt.give(Decide(decision=number, option="release"), "pm", ActorRank.PIT_MANAGER)


def test_chips_alone_do_not_bring_back_who_is_away():
    felt = missed_three()
    felt.must(TopUp(seat=3, amount=100_00))
    assert len(felt.state.waiting) == 1
    number = felt.state.waiting[0].decision
    felt.must(Decide(decision=number, option="release"), rank=ActorRank.PIT_MANAGER)
    assert 3 not in felt.state.seats


def test_a_third_big_blind_that_was_not_missed_after_all_is_no_question():
    """The call is withdrawn before anybody has posted, and too few are left to call anew."""
    felt = Felt(V8).sit(s1=500, s2=500, s3=500).start(button=1)
    felt.must(SitOut(seat=3))
    while felt.state.seats[3].misses < 2:
        felt.call().check_down()
    felt.call().check_down()
    felt.deal()
    felt.must(CallForBlinds())
    assert (felt.state.seats[3].misses, len(felt.state.waiting)) == (3, 1)
    felt.must(SitOut(seat=1))
    assert (felt.state.seats[3].misses, felt.state.waiting) == (2, [])


def test_a_seat_kept_for_a_call_that_is_withdrawn_stays_kept():
    felt = six()
    felt.must(SitOut(seat=3))
    while felt.state.seats[3].misses < 2:
        felt.call().check_down()
    while felt.state.seats[3].misses < 3:
        if felt.state.round.open:
            felt.deal()
            felt.check_down()
        felt.deal()
        felt.must(CallForBlinds())
    number = felt.state.waiting[0].decision
    felt.must(Decide(decision=number, option="keep"), rank=ActorRank.PIT_MANAGER)
    felt.must(SitOut(seat=felt.state.round.order[-1]))
    assert (felt.state.seats[3].misses, felt.state.waiting) == (3, [])


def test_notice_given_in_a_round_that_is_void_still_counts():
    felt = six()
    felt.must(SitOut(seat=3))
    felt.call().check_down()
    felt.must(ReturnToSeat(seat=3))
    felt.call()  # button 2: he pays both Blinds, which the Void revives
    while felt.table.turn() != 3:
        felt.must(Call(seat=felt.table.turn()))
    felt.must(Fold(seat=3))
    felt.must(SitOut(seat=3, returns=True))
    void(felt)
    assert felt.state.seats[3].missed_big
    assert (felt.state.seats[3].here, felt.state.seats[3].returns) == (False, True)


def test_who_goes_away_in_a_round_that_is_void_and_owes_again_is_passed_over():
    """Seat 4 pays for its missed Big Blind on the Small Blind, folds and goes away. The button
    stays at seat 3, and the Blinds are due from seats 5 and 6."""
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s2=500, s3=500, s4=500, s5=500, s6=500).start(button=1)
    felt.call().check_down()
    felt.must(SitOut(seat=4))
    felt.call().check_down()
    felt.must(ReturnToSeat(seat=4))
    felt.call()
    assert positions(felt) == (3, 4, 5)
    while felt.table.turn() != 4:
        felt.must(Call(seat=felt.table.turn()))
    felt.must(Fold(seat=4))
    felt.must(SitOut(seat=4))
    void(felt)
    now = felt.state.seats[4]
    assert (now.missed_big, now.rotates, felt.state.button) == (True, False, 3)
    felt.call()
    assert positions(felt) == (3, 5, 6)


def test_who_goes_away_before_a_void_is_undone_is_due_the_small_blind_after_it():
    """A newcomer at seat 2 has the Big Blind, and the House voids the round for a while."""
    felt = Felt(V8).sit(s1=500, s3=500, s4=500, s6=500).start(button=6)
    felt.must(Sit(seat=2, player="new", stake=50_000))
    felt.call()
    assert positions(felt) == (6, 1, 2)
    while felt.table.turn() != 2:
        felt.must(Call(seat=felt.table.turn()))
    felt.must(Fold(seat=2))
    _void_for_a_while(felt, SitOut(seat=2))
    felt.deal()
    felt.check_down().call()
    assert positions(felt) == (1, None, 3)


def test_to_who_is_back_before_a_void_is_undone_the_button_goes_after_it():
    """Seat 2 misses the Big Blind, and is back while a later round is void."""
    felt = Felt(V8).sit(s1=500, s2=500, s3=500, s4=500).start(button=4)
    felt.must(SitOut(seat=2))
    felt.call()
    assert positions(felt) == (4, 1, 3)
    felt.check_down().call()
    assert positions(felt) == (1, 3, 4)
    felt.must(Call(seat=felt.table.turn()))
    _void_for_a_while(felt, ReturnToSeat(seat=2))
    felt.deal()
    felt.check_down()
    assert felt.state.button == 2


def test_who_leaves_before_a_void_is_undone_leaves_the_seat_for_the_button_after_that_round():
    """Seat 7 is away and is due the Small Blind after the round; a void would leave the button."""
    felt = Felt(V8, policies={"button-after-void": "stays"})
    felt.sit(s1=500, s2=500, s3=500, s4=500, s7=500).start(button=7)
    for seat in (1, 2, 7):
        felt.must(SitOut(seat=seat))
    felt.call()
    assert positions(felt) == (3, 3, 4)
    felt.must(Call(seat=felt.table.turn()))
    _void_for_a_while(felt, Leave(seat=7))
    felt.deal()
    felt.check_down()
    felt.must(ReturnToSeat(seat=1))
    felt.call()
    assert positions(felt) == (4, None, 1)


def test_a_void_is_not_undone_once_somebody_who_owed_a_blind_in_the_round_has_left():
    felt = Felt(V8, dealing="by-hand").sit(s1=500, s2=500, s3=500).start(button=1)
    felt.must(CallForBlinds())
    _void_by_ruling(felt)
    felt.must(Leave(seat=3))
    refused = felt.give(UndoRuling(reason="they agree"), rank=ActorRank.SHIFT_MANAGER)
    assert isinstance(refused, Refused)
    assert "has left since, and would be in the round again" in refused.says
    assert not felt.table.playing()


def _void_by_ruling(felt: Felt) -> None:
    felt.must(ReportIrregularity(says="a quarrel"), rank=ActorRank.PIT_MANAGER)
    number = felt.state.waiting[-1].decision
    ruling = Decide(decision=number, option="void", reason="so ruled")
    felt.must(ruling, rank=ActorRank.SHIFT_MANAGER)


def _void_for_a_while(felt: Felt, meanwhile: SitOut | ReturnToSeat | Leave) -> None:
    """The House voids the round, and takes that back once this has happened."""
    _void_by_ruling(felt)
    felt.must(meanwhile)
    felt.must(UndoRuling(reason="they agree"), rank=ActorRank.SHIFT_MANAGER)
    number = felt.state.waiting[-1].decision
    ruling = Decide(decision=number, option="continue", reason="so ruled")
    felt.must(ruling, rank=ActorRank.SHIFT_MANAGER)


def test_who_gave_notice_is_not_asked_about():
    felt = six()
    felt.must(SitOut(seat=3, returns=True))
    while felt.state.seats[3].misses < 4:
        felt.call().check_down()
    assert felt.table.facts().decisions == []


# -- stakes ------------------------------------------------------------------------------------


def test_stakes_grow_between_rounds_and_never_shrink_in_v8():
    felt = Felt(V8, maximum_stake=100_000).sit(s1=500, s2=500).start(button=1)
    felt.must(TopUp(seat=1, amount=50_000))
    over = felt.give(TopUp(seat=1, amount=100))
    assert isinstance(over, Refused)
    assert over.cites[0] == "3.7"
    less = felt.give(ReduceStake(seat=1, amount=100))
    assert isinstance(less, Refused)
    assert less.cites[0] == "3.7.2"
    felt.call()
    now = felt.give(TopUp(seat=2, amount=100))
    assert isinstance(now, Refused)
    assert now.cites[0] == "3.7.1"


def test_stakes_may_shrink_between_games_in_v5():
    felt = Felt(V5).sit(s1=500, s2=500).start().call()
    assert isinstance(felt.give(ReduceStake(seat=1, amount=100)), Refused)
    felt.check_down()
    stake = felt.state.seats[1].stake
    felt.must(ReduceStake(seat=1, amount=100))
    assert felt.state.seats[1].stake == stake - 100
    with pytest.raises(BadCommand, match="to take it all is to leave"):
        felt.give(ReduceStake(seat=1, amount=stake - 100))


def test_coming_back_with_less_is_for_the_shift_manager():
    felt = six()
    felt.must(Leave(seat=6))
    felt.must(Sit(seat=6, player="player 6", stake=20_000))
    assert 6 not in felt.state.seats
    [question] = felt.table.facts().decisions
    assert (question.question, question.of) == ("comes back with less", ActorRank.SHIFT_MANAGER)
    number = felt.state.waiting[0].decision
    felt.must(Decide(decision=number, option="accept"), who="tgsm", rank=ActorRank.SHIFT_MANAGER)
    assert felt.state.seats[6].stake == 20_000


def test_nobody_leaves_with_chips_in_the_round():
    felt = six().call()
    assert isinstance(felt.give(Leave(seat=3)), Refused)
    felt.check_down()
    felt.must(Leave(seat=3))


def test_in_v5_staff_say_what_a_newcomer_posts():
    felt = Felt(V5).sit(s1=500, s2=500, s3=500, s4=500).start()
    played(felt, 1)
    felt.must(Sit(seat=6, player="new", stake=50_000))
    felt.deal()
    felt.must(CallForBlinds())
    [question] = felt.table.facts().decisions
    assert question.question == "who posts"
    number = felt.state.waiting[0].decision
    felt.must(Decide(decision=number, option="big blind"), who="pm", rank=ActorRank.PIT_MANAGER)
    felt.deal()
    assert felt.state.round.players[6].bet == BIG


def test_a_seat_that_does_not_exist_and_chips_that_cannot_be_are_errors():
    felt = six()
    with pytest.raises(BadCommand, match="no seat 10"):
        felt.give(Sit(seat=10, player="x", stake=50_000))
    with pytest.raises(BadCommand, match="whole number of the smallest chip"):
        felt.give(Sit(seat=7, player="x", stake=50_050))
    with pytest.raises(BadCommand, match="nobody sits at seat 7"):
        felt.give(ReturnToSeat(seat=7))


@pytest.mark.parametrize(
    ("after", "before", "inside"),
    [(2, 5, [3, 4]), (5, 2, [1, 6]), (6, 1, []), (3, 3, [1, 2, 4, 5, 6])],
)
def test_between_two_seats_lie_those_that_come_after_the_one_and_before_the_other(
    after: int, before: int, inside: list[int]
) -> None:
    assert [seat for seat in range(1, 7) if between(seat, after, before)] == inside


def test_whoever_comes_back_has_given_no_notice_for_the_next_time() -> None:
    felt = six()
    felt.must(SitOut(seat=4, returns=True))
    assert felt.state.seats[4].returns
    felt.must(ReturnToSeat(seat=4))
    felt.must(SitOut(seat=4))
    assert not felt.state.seats[4].returns


def test_who_buys_chips_and_for_how_much() -> None:
    felt = six()
    felt.must(Leave(seat=6))
    buying = felt.table.buying
    less = Sit(seat=6, player="player 6", stake=20_000)
    assert buying(less) == ("player 6", 20_000)
    assert buying(TopUp(seat=2, amount=5_000)) == ("player 2", 5_000)
    assert buying(TopUp(seat=6, amount=5_000)) is None
    felt.must(less)  # he left with more: it is asked (3.7)
    [asked] = felt.state.waiting
    assert buying(Decide(decision=asked.decision, option="accept")) == ("player 6", 20_000)
    assert buying(Decide(decision=asked.decision, option="refuse")) is None
    assert buying(Decide(decision=asked.decision + 1, option="accept")) is None


@pytest.mark.parametrize(
    ("away", "seat", "paragraph"),
    [((2,), 7, "5.8"), ((), 2, "3.9")],
    ids=["the small blind is away, and somebody is brought to another seat", "brought to it"],
)
def test_a_call_without_a_small_blind_cites_the_absent_one_only_where_there_is_one(
    away, seat, paragraph
):
    felt = Felt(V8).sit(**{f"s{n}": 500 for n in (1, 3, 4, 5, *away)}).start(button=1)
    for number in away:
        felt.must(SitOut(seat=number))
    felt.must(Relocate(seat=seat, player="Dan", stake=50_000), rank=ActorRank.DEALER)
    felt.call()
    assert positions(felt) == (1, None, 3)
    called = [event for event in felt.log if isinstance(event, BlindsCalled)][-1]
    assert called.cites[0] == paragraph


def told(felt: Felt, kind: type) -> list[str]:
    """What is said of every event of a kind."""
    return [event.tell(felt.table.player_at) for event in felt.log if isinstance(event, kind)]


def test_whoever_sits_there_without_chips_is_not_said_to_be_away():
    felt = six()
    felt.must(SitOut(seat=2))
    felt.state.seats[3].stake = 0
    felt.state.brought -= 50_000
    felt.shadow = type(felt.table).restore(felt.book, felt.table.snapshot())
    felt.call()
    assert told(felt, BlindMissed) == [
        "player 2 is away and misses the Small Blind.",
        "player 3 has no chips and misses the Big Blind; a missed Blind button is put there.",
    ]


def test_a_post_that_is_dead_alone_is_not_said_to_be_of_nothing():
    felt = six()
    felt.state.seats[5].missed_small = True
    felt.shadow = type(felt.table).restore(felt.book, felt.table.snapshot())
    felt.call()
    assert told(felt, BlindPosted)[-1] == "player 5 posts 5 dead."


def test_a_call_that_is_withdrawn_is_not_said_to_be_made_anew_where_one_is_left():
    felt = Felt(V8).sit(s1=500, s2=500).start(button=1)
    felt.deal()
    felt.must(CallForBlinds())
    felt.must(SitOut(seat=2))
    assert felt.state.phase == "ready"
    assert told(felt, CallWithdrawn) == ["The call for Blinds is withdrawn."]


def test_whoever_is_away_already_is_not_said_to_leave_the_seat_once_more():
    felt = six()
    felt.must(SitOut(seat=2))
    felt.must(SitOut(seat=2, returns=True))
    assert told(felt, WentAbsent) == [
        "player 2 leaves the seat for a while.",
        "player 2 is away for a while and will be back.",
    ]
