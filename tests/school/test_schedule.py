"""SM-2: what is answered well comes later and later, what is answered badly at once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.school import Memory, after, items_of, level_after, quality_of
from croupier.school.course import draw_item, weight_of
from croupier.school.schedule import EASIEST, FIRST, HARDEST, LONGEST, SECOND, WELL

BOOK = "no-limit-holdem-v8"
NOW = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)
qualities = st.lists(st.integers(0, 5), max_size=40)


def gone_through(answers: list[int]) -> Memory:
    memory, at = Memory(), NOW
    for quality in answers:
        memory = after(memory, quality, at)
        assert memory.due is not None
        at = max(at, memory.due)
    return memory


def test_the_intervals_are_one_day_six_days_and_then_the_last_times_the_easiness():
    first = after(Memory(), 4, NOW)
    second = after(first, 4, NOW)
    third = after(second, 4, NOW)
    assert (first.days, second.days, third.days) == (FIRST, SECOND, SECOND * EASIEST)
    assert first.due == NOW + timedelta(days=1)
    assert third.easiness == EASIEST, "a good answer, but not a perfect one, leaves it as it was"


@pytest.mark.parametrize(
    ("quality", "easiness"), [(5, 2.6), (4, 2.5), (3, 2.36), (2, 2.5), (0, 2.5)]
)
def test_the_easiness_changes_as_in_the_published_formula(quality: int, easiness: float):
    assert after(Memory(), quality, NOW).easiness == pytest.approx(easiness)


@given(qualities)
def test_the_easiness_never_falls_below_its_least(answers: list[int]):
    assert gone_through(answers).easiness >= HARDEST


@given(qualities)
def test_what_was_wrong_is_due_at_once_and_begins_anew(answers: list[int]):
    memory = after(gone_through(answers), 1, NOW)
    assert memory.is_due(NOW)
    assert (memory.repetitions, memory.days) == (0, 0)
    assert after(memory, 4, NOW).days == FIRST


@given(qualities)
def test_what_was_right_is_not_due_before_a_day_nor_after_a_year(answers: list[int]):
    memory = after(gone_through(answers), WELL, NOW)
    assert memory.due is not None
    assert timedelta(days=FIRST) <= memory.due - NOW <= timedelta(days=LONGEST)


@given(qualities)
def test_every_answer_is_counted(answers: list[int]):
    memory = gone_through(answers)
    assert memory.asked == len(answers)
    assert memory.right == sum(quality >= WELL for quality in answers)


@given(qualities, st.integers(WELL, 4))
def test_a_better_answer_never_comes_again_sooner(answers: list[int], quality: int):
    memory = gone_through(answers)
    worse, better = after(memory, quality, NOW), after(memory, quality + 1, NOW)
    assert worse.due is not None
    assert better.due is not None
    assert better.due >= worse.due


@pytest.mark.parametrize("quality", [-1, 6])
def test_there_is_no_other_quality(quality: int):
    with pytest.raises(ValueError, match="0 to 5"):
        after(Memory(), quality, NOW)


def test_how_well_something_was_answered():
    def quality(**said: object) -> int:
        usual = {"right": True, "looked_up": False, "seconds": 40.0, "limit": 60.0}
        return quality_of(**{**usual, **said})  # type: ignore[arg-type]

    assert quality() == 4
    assert quality(seconds=29.0) == 5
    assert quality(looked_up=True) == WELL
    assert quality(right=False) < WELL


# -- what is drawn ---------------------------------------------------------------------------------


def drawn(known: dict[str, Memory], count: int = 400, level: int = 1) -> list[str]:
    return [draw_item(BOOK, level, known, NOW, f"draw {n}").name for n in range(count)]


def test_what_was_wrong_comes_sooner_and_what_is_known_later():
    wrong = {"hand/flush": after(Memory(), 1, NOW)}
    known = {"hand/flush": after(after(Memory(), 5, NOW), 5, NOW)}
    often, usually, hardly = (drawn(each).count("hand/flush") for each in (wrong, {}, known))
    assert often > 2 * usually > 2 * hardly


def test_a_beginner_is_asked_nothing_of_a_higher_level():
    first = {item.name for item in items_of(BOOK) if item.level == 1}
    assert set(drawn({})) <= first
    assert set(drawn({}, level=3)) - first


def test_what_was_just_asked_is_left_out_unless_there_is_nothing_else():
    names = {item.name for item in items_of(BOOK) if item.kind == "side pots" and item.level == 1}
    assert names == {"side pots/1"}
    only = draw_item(BOOK, 1, {}, NOW, "s", kinds=["side pots"], not_now=names)
    assert only.name == "side pots/1"
    other = draw_item(BOOK, 2, {}, NOW, "s", kinds=["side pots"], not_now=names)
    assert other.name == "side pots/2"


def test_the_commonest_incidents_weigh_most():
    items = {item.name: item for item in items_of(BOOK)}
    common, rare = items["ruling/exposed-in-the-deal"], items["ruling/not-cut"]
    assert weight_of(common, {}, NOW) > weight_of(rare, {}, NOW)


def test_the_level_rises_with_eight_right_of_ten():
    assert level_after([(1, True)] * 7) == 1
    assert level_after([(1, True)] * 8) == 2
    assert level_after([(1, True), (1, False)] * 20) == 1
    assert level_after([(1, True)] * 8 + [(2, True)] * 8) == 3
    assert level_after([(1, True)] * 8 + [(2, True)] * 8 + [(3, True)] * 30) == 3
    assert level_after([(3, True)] * 30) == 1, "what was asked at another level does not count"
