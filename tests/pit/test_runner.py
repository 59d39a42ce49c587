"""The case runner, proved by a small game: what passes, what fails and how it says so."""

from pathlib import Path

import pytest

from croupier.pit import Pit, PitError, read_case, run_case, tell_case
from croupier.table import ActorRank, Event, GiveShuffle, OpenTable, Refused
from tests.pit.high_card import (
    BOOK,
    REGISTRY,
    BoxSettled,
    CloseBetting,
    HighCard,
    LinkedMeter,
    OpenMeter,
    PlaceStake,
    order,
    room,
)

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))

HEAD = """
title = "A round"
rulebook = "high-card"
paragraphs = ["3.1"]
[boxes]
1 = { player = "Ann", stake = 10, card = "Kd" }
2 = { player = "Ben", stake = 20, card = "2c" }
[dealer]
card = "Qh"
"""


def run(text: str):
    return run_case(read_case(text, "a.toml", REGISTRY), REGISTRY)


def failure(text: str) -> tuple[int, list[tuple[str, str, str]]]:
    """The step at which a case fails, and how."""
    result = run(text)
    assert not result.passed
    [failed] = result.failures
    return failed.step, [(d.what, d.expected, d.got) for d in failed.differences]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_of_the_small_game_passes_and_proves_its_paragraphs(path):
    case = read_case(path.read_text(), str(path), REGISTRY)
    result = run_case(case, REGISTRY)
    assert result.failures == []
    assert result.covered == case.paragraphs


def test_the_small_games_cases_prove_its_whole_book_but_dealing_looking_and_void():
    proved = set()
    for path in CASES:
        proved.update(run_case(read_case(path.read_text(), "", REGISTRY), REGISTRY).covered)
    assert set(BOOK.executable) - proved == {"2.1", "2.2", "3.2"}


# -- how a failure is told ----------------------------------------------------------------------


def test_a_wrong_amount_is_shown_as_it_is_written_on_the_table():
    step, found = failure(
        HEAD
        + """
[[step]]
do = "everybody stays"
[[step]]
do = "settle"
expect.paid = { 1 = 20, 2 = 2.50 }
"""
    )
    assert (step, found) == (2, [("paid.2", "2.50", "0")])


def test_options_turn_and_status_are_shown_as_a_difference():
    step, found = failure(
        HEAD
        + """
[[step]]
do = "close betting"
expect.options = ["stay"]
expect.turn = 2
expect.status = "betting"
"""
    )
    assert step == 1
    assert found == [
        ("options", "[stay]", "[stay, fold]"),
        ("turn", "2", "1"),
        ("status", "betting", "deciding"),
    ]


def test_an_unexpected_refusal_and_an_expected_one_that_does_not_come():
    stays = '\n[[step]]\ndo = "stay"\nbox = 2\nexpect.status = "deciding"\n'
    close = '\n[[step]]\ndo = "close betting"\n'
    step, [(what, wanted, got)] = failure(HEAD + close + stays)
    assert (step, what, wanted) == (2, "the answer", "accepted")
    assert got == "refused: It is box 1's turn. (2.3, 2.2)"
    step, [(what, wanted, got)] = failure(HEAD + close + 'expect.refused = "1.2"\n')
    assert (wanted, got) == ("refused (1.2)", "accepted")
    step, [(what, wanted, got)] = failure(HEAD + close + stays + 'expect.refused = "1.2"\n')
    assert (wanted, got) == ("refused (1.2)", "refused: It is box 1's turn. (2.3, 2.2)")


def test_an_error_is_expected_by_a_part_of_its_text():
    step = '\n[[step]]\ndo = "report exposed card"\nbox = 7\n'
    assert run(HEAD + step + 'expect.error = "no stake on box 7"\n').passed
    _, [(_what, _wanted, got)] = failure(HEAD + step + 'expect.error = "no such box"\n')
    assert got == "an error: there is no stake on box 7"


def test_events_are_expected_in_order_and_what_came_instead_is_shown():
    steps = HEAD + '\n[[step]]\ndo = "everybody stays"\n[[step]]\ndo = "settle"\n'
    wanted = '{ event = "box settled", box = 1, paid = 20 }, { event = "box settled", box = 2 }'
    assert run(steps + f"expect.events = [{wanted}]").passed
    wanted = '{ event = "box settled", box = 2 }, { event = "box settled", box = 1 }'
    _, [(what, expected, got)] = failure(steps + f"expect.events = [{wanted}]")
    assert (what, expected) == ("events", "box settled { box = 1 }")
    assert got == "box settled { box = 1, paid = 20 }, box settled { box = 2, paid = 0 }"
    _, [(what, expected, got)] = failure(steps + 'expect.events = ["voided"]')
    assert got == "box settled, box settled, lines held, round ended"


def test_announcements_are_expected_completely():
    steps = HEAD + '\n[[step]]\ndo = "close betting"\n'
    assert run(
        steps + 'expect.announced = [{ call = "closing call", says = "No more stakes." }]'
    ).passed
    _, [(what, expected, got)] = failure(steps + "expect.announced = []")
    assert (what, expected) == ("announced", "nothing")
    assert "closing call" in got


def test_an_empty_table_is_expected_to_be_empty():
    _, [(what, expected, got)] = failure(
        HEAD + '\n[[step]]\ndo = "close betting"\nexpect.stakes = {}\n'
    )
    assert (what, expected, got) == ("stakes", "nothing", "{ 1 = 10, 2 = 20 }")


def test_a_set_up_that_is_refused_fails_the_case_before_its_first_step():
    step, [(what, _expected, got)] = failure(
        HEAD.replace("stake = 20", "stake = 200") + '\n[[step]]\ndo = "settle"\nexpect.turn = 1\n'
    )
    assert step == 0
    assert what == "set-up, place stake"
    assert got == "The stake is outside the limits. (1.1)"


def test_expectations_at_the_end_hold_after_the_last_step():
    text = HEAD + '\n[[step]]\ndo = "close betting"\n[expect]\nstatus = "settled"\n'
    _, found = failure(text)
    assert found == [("status", "settled", "deciding")]


def test_a_table_whose_log_does_not_replay_fails_every_case(monkeypatch):
    kept = []

    def forgetful(table: HighCard, event: BoxSettled) -> None:
        kept.append(event)
        if len(kept) != 3:  # the third is the shadow's first
            table.state.boxes[event.box].paid += event.paid

    monkeypatch.setitem(HighCard.whole.events, BoxSettled, forgetful)
    steps = (
        HEAD
        + '\n[[step]]\ndo = "everybody stays"\n[[step]]\ndo = "settle"\n[expect]\nturn = "none"\n'
    )
    step, [(what, _expected, _got)] = failure(steps)
    assert (step, what) == (2, "replay of table")


def test_a_defect_of_the_engine_is_told_and_not_thrown(monkeypatch):
    def broken(table: HighCard, event: Event) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setitem(HighCard.whole.events, BoxSettled, broken)
    steps = (
        HEAD
        + '\n[[step]]\ndo = "everybody stays"\n[[step]]\ndo = "settle"\n[expect]\nturn = "none"\n'
    )
    step, [(what, _expected, got)] = failure(steps)
    assert (step, what) == (2, "the table")
    assert got.startswith("a defect of croupier, please report it with this file (test_runner.py")
    assert got.endswith("in broken): by nought")


# -- filling in ---------------------------------------------------------------------------------


def test_the_cards_that_a_case_leaves_open_are_always_the_same():
    text = (
        HEAD.replace(', card = "2c"', "") + '\n[[step]]\ndo = "close betting"\n[expect]\nturn = 1\n'
    )
    first, second = run(text), run(text)
    assert first.played == second.played
    other = run(text.replace('title = "A round"', 'title = "Another round"'))
    assert first.played[1].spoken[1].order.command != other.played[1].spoken[1].order.command


def test_each_step_is_a_second_later_and_at_is_exact():
    result = run(
        HEAD
        + """
[[step]]
do = "close betting"
at = 20:00:10.5
[[step]]
do = "stay"
box = 1
expect.turn = 2
"""
    )
    first = result.played[1].spoken[0].order.when
    second = result.played[2].spoken[0].order.when
    assert (first.hour, first.minute, first.second, first.microsecond) == (20, 0, 10, 500_000)
    assert (second.second, second.microsecond) == (11, 0)


# -- the story ----------------------------------------------------------------------------------


def test_a_case_is_told_step_by_step_with_names_and_paragraphs():
    path = next(path for path in CASES if path.stem.startswith("2.3"))
    story = tell_case(run_case(read_case(path.read_text(), "", REGISTRY), REGISTRY))
    assert [chapter.number for chapter in story.chapters] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert story.chapters[3].heading == "Ben (box 3): fold"
    [line] = story.chapters[3].lines
    assert (line.text, line.cites) == ("Refused. It is box 1's turn.", ("2.3", "2.2"))
    assert story.cited == ["1.1", "1.2", "2.1", "2.2", "2.3", "3.1", "5.1", "5.2"]


# -- the pit ------------------------------------------------------------------------------------


def test_what_one_command_causes_at_table_and_link_is_one_answer():
    pit = Pit()
    pit.add_link("main", LinkedMeter(BOOK))
    pit.add_table("A", HighCard(BOOK), link="main")
    pit.give("main", order(OpenMeter(name="main", meter=100), "Dee", ActorRank.DEALER))
    pit.give("A", order(OpenTable(table="A", settings={}), "Dee", ActorRank.DEALER))
    pit.give("A", order(PlaceStake(box=1, player="Ann", stake=1000)))
    said = pit.give("A", order(CloseBetting(), "Dee", ActorRank.DEALER))
    assert [(s.place, s.event.__struct_config__.tag) for s in said] == [
        ("A", "announced"),
        ("A", "betting closed"),
        ("A", "stakes accepted"),
        ("A", "shuffle needed"),
        ("main", "contributed"),
    ]
    assert pit.links["main"].state.meter == 200


def test_names_in_a_pit_are_unique_and_known():
    pit = Pit()
    pit.add_table("A", HighCard(BOOK))
    with pytest.raises(PitError, match="two tables or links named 'A'"):
        pit.add_link("A", LinkedMeter(BOOK))
    with pytest.raises(PitError, match="asks for link 'main'; there is A"):
        pit.add_table("B", HighCard(BOOK), link="main")
    with pytest.raises(PitError, match="no table or link 'C'"):
        pit.give("C", order(CloseBetting()))


def test_a_refusal_at_the_table_reaches_nobody_else():
    pit = Pit()
    pit.add_table("A", HighCard(BOOK))
    pit.give("A", order(OpenTable(table="A", settings={}), "Dee", ActorRank.DEALER))
    assert isinstance(pit.give("A", order(CloseBetting(), "Dee", ActorRank.DEALER)), Refused)


def test_the_rooms_of_the_small_game_answer_every_command_that_cases_may_use():
    assert set(room.commands) <= set(HighCard.whole.commands)
    assert GiveShuffle in HighCard.whole.commands
