"""A lesson as it goes: what is put next, and what becomes of an answer.

Pure: whoever keeps the entries gives them in and stores what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from croupier.school.course import draw_item, make_exercise
from croupier.school.errors import NotMade, SchoolError
from croupier.school.exercise import SECONDS, Exercise, Marked, mark
from croupier.school.record import Answered, LessonSoFar, Put, Standing

DRAWS = 20
"""Items that are drawn until one makes an exercise."""
GRACE = 3.0
"""Seconds beyond the clock that the way to the server may take."""


class LessonOver(SchoolError):
    """A lesson in which nothing more is asked."""


class NothingAsked(SchoolError):
    """An answer where no exercise waits for one."""


def next_exercise(lesson: LessonSoFar, standing: Standing, now: datetime) -> tuple[Put, Exercise]:
    """What is asked next: something new, or what was wrong before once all else was asked."""
    if lesson.over:
        raise LessonOver("this lesson is over")
    begun = lesson.begun
    seed = f"{begun.seed}/{len(lesson.put)}"
    if len(lesson.first_answers) >= begun.length:
        wrong = lesson.still_wrong[0]
        put = Put(item=wrong.item, kind=wrong.kind, level=wrong.level, seed=seed, again=True)
        return put, exercise_of(lesson, put)
    asked = {one.item for one in lesson.first_answers}
    for draw in range(DRAWS):
        item = draw_item(
            begun.rulebook,
            begun.level,
            standing.known,
            now,
            f"{seed}/{draw}",
            kinds=begun.kinds,
            not_now=asked,
        )
        put = Put(item=item.name, kind=item.kind, level=begun.level, seed=seed)
        try:
            return put, exercise_of(lesson, put)
        except NotMade:
            continue
    raise LessonOver("there is nothing more to ask of this kind at this level")


def exercise_of(lesson: LessonSoFar, put: Put) -> Exercise:
    """The exercise that was put, made once more."""
    return make_exercise(lesson.begun.rulebook, put.item, put.level, put.seed)


def answer(
    lesson: LessonSoFar,
    chosen: Sequence[int | None],
    now: datetime,
    *,
    looked_up: bool,
    exercise: Exercise | None = None,
) -> tuple[Answered, Marked]:
    """Mark an answer to the exercise that waits; by the clock, it may be too late.

    Whoever still has the `exercise` gives it in: to make it once more takes the engine.
    """
    put = lesson.pending
    if put is None:
        raise NothingAsked("no exercise waits for an answer in this lesson")
    since = lesson.put[-1][0]
    seconds = max(0.0, (now - since).total_seconds())
    late = lesson.begun.clock and seconds > SECONDS[put.kind] + GRACE
    exercise = exercise or exercise_of(lesson, put)
    marked = mark(exercise, chosen, late=late)
    answered = Answered(
        item=put.item,
        kind=put.kind,
        level=put.level,
        rulebook=lesson.begun.rulebook,
        title=exercise.title,
        chosen=tuple(chosen),
        right=marked.right,
        seconds=round(seconds, 1),
        looked_up=looked_up and not lesson.begun.examination,
        late=late,
        again=put.again,
        says="; ".join(part.choices[part.right].says for part in exercise.parts),
        cites=exercise.cites[:3],
        case=exercise.case,
    )
    return answered, marked
