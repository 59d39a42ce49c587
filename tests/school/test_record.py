"""A lesson: five exercises, what was wrong comes again, and the record says what somebody knows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.school.lesson import LessonOver, NothingAsked, answer, exercise_of, next_exercise
from croupier.school.record import (
    ANSWERS,
    LESSON,
    Begun,
    Kept,
    LessonSoFar,
    lessons_of,
    read_entry,
    standing_of,
    write_entry,
)
from tests.school.entries import BOOK, THEN, answered, some_entries


class Sitting:
    """Somebody who goes through a lesson."""

    def __init__(self, begun: Begun) -> None:
        self.now = THEN
        self.kept = [Kept(trainee="Ann", lesson="l", at=THEN, entry=begun)]

    @property
    def lesson(self) -> LessonSoFar:
        return lessons_of(self.kept)["l"]

    def put(self) -> None:
        standing = standing_of(BOOK, self.kept)
        put, _ = next_exercise(self.lesson, standing, self.now)
        self.keep(put)

    def keep(self, entry) -> None:
        self.kept.append(Kept(trainee="Ann", lesson="l", at=self.now, entry=entry))

    def answer(self, *, right: bool, after: float = 5.0, looked_up: bool = False) -> bool:
        put = self.lesson.pending
        assert put is not None
        exercise = exercise_of(self.lesson, put)
        turn = 0 if right else 1
        chosen = [(part.right + turn) % len(part.choices) for part in exercise.parts]
        self.now += timedelta(seconds=after)
        entry, marked = answer(self.lesson, chosen, self.now, looked_up=looked_up)
        self.keep(entry)
        return marked.right


def hands(**more) -> Begun:
    return Begun(rulebook=BOOK, seed="s", kinds=("hand",), **more)


def test_a_lesson_is_passed_when_everything_was_right_in_the_end():
    sitting = Sitting(hands())
    wrong_first = []
    while not sitting.lesson.over:
        sitting.put()
        put = sitting.lesson.pending
        assert put is not None
        right = put.again or len(wrong_first) >= 2
        if not right:
            wrong_first.append(put.item)
        assert sitting.answer(right=right) is right
    lesson = sitting.lesson
    assert lesson.passed
    assert len(lesson.first_answers) == LESSON
    assert lesson.score == LESSON - 2
    assert [one.item for _, one in lesson.answered[LESSON:]] == wrong_first
    with pytest.raises(LessonOver):
        sitting.put()


def test_a_kind_with_one_item_fills_a_lesson_with_other_figures():
    sitting = Sitting(Begun(rulebook=BOOK, seed="one item", kinds=("side pots",)))
    while not sitting.lesson.over:
        sitting.put()
        sitting.answer(right=len(sitting.lesson.put) != 2)
    lesson = sitting.lesson
    assert {one.item for one in lesson.first_answers} == {"side pots/1"}
    assert len({put.seed for _, put in lesson.put}) == LESSON + 1
    assert lesson.score == LESSON - 1
    assert lesson.answers_to_each() == [1, 2, 1, 1, 1]


def test_what_comes_again_has_other_figures():
    sitting = Sitting(hands())
    for _ in range(LESSON):
        sitting.put()
        sitting.answer(right=False)
    sitting.put()
    again = sitting.lesson.pending
    first = sitting.lesson.put[0][1]
    assert again is not None
    assert again.item == first.item
    assert again.seed != first.seed


def test_a_lesson_that_is_answered_wrong_for_ever_ends_all_the_same():
    sitting = Sitting(hands())
    for _ in range(ANSWERS):
        assert not sitting.lesson.over
        sitting.put()
        sitting.answer(right=False)
    assert sitting.lesson.over
    assert not sitting.lesson.passed
    with pytest.raises(LessonOver):
        sitting.put()


def test_an_examination_asks_each_once_and_is_passed_with_four_fifths(monkeypatch):
    for wrong, passed in ((2, True), (3, False)):
        sitting = Sitting(hands(examination=True, level=2))
        monkeypatch.setattr("croupier.school.record.EXAMINATION", 10)
        for number in range(10):
            sitting.put()
            sitting.answer(right=number >= wrong, looked_up=True)
        assert sitting.lesson.over
        assert sitting.lesson.passed is passed
        assert not any(one.looked_up for _, one in sitting.lesson.answered)


def test_against_the_clock_a_late_answer_is_wrong():
    late = Sitting(hands(clock=True))
    late.put()
    assert not late.answer(right=True, after=60)
    assert late.lesson.answered[-1][1].late
    in_time = Sitting(hands(clock=True))
    in_time.put()
    assert in_time.answer(right=True, after=15)
    at_leisure = Sitting(hands())
    at_leisure.put()
    assert at_leisure.answer(right=True, after=3_600)


def test_nothing_is_answered_twice():
    sitting = Sitting(hands())
    sitting.put()
    sitting.answer(right=True)
    with pytest.raises(NothingAsked):
        answer(sitting.lesson, [0], sitting.now, looked_up=False)


def test_entries_are_written_and_read_as_they_were():
    for one in some_entries("Ann"):
        assert read_entry(write_entry(one.entry)) == one.entry


def test_the_record_says_what_somebody_knows():
    standing = standing_of(BOOK, some_entries("Ann"))
    assert (standing.asked, standing.right, standing.streak, standing.best_streak) == (2, 1, 0, 1)
    assert standing.by_kind == {"hand": (1, 2)}
    assert standing.known["hand/flush"].days == 1
    assert standing.due(THEN + timedelta(minutes=1)) == 1
    assert standing.due(THEN + timedelta(days=2)) == 2
    assert standing_of("poker-v5", some_entries("Ann")).asked == 0


def test_the_streak_is_what_was_right_since_the_last_wrong_answer():
    kept = [
        Kept(trainee="Ann", lesson="l", at=THEN, entry=answered("hand/flush", right=right))
        for right in (True, True, True, False, True, True)
    ]
    standing = standing_of(BOOK, kept)
    assert (standing.streak, standing.best_streak) == (2, 3)
