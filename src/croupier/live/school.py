"""The dealer school of a server: lessons of people with a name, kept in the House's database.

An exercise is made again from its seed when it is answered, so that nothing is lost when the server
stops in between; the last ones are remembered, because making one takes a moment.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from croupier import __version__
from croupier.house.house import House
from croupier.house.school import ENTRIES_AT_MOST, SchoolBook
from croupier.live import school_records as records
from croupier.live.errors import NotAllowed
from croupier.live.trainees import name_of
from croupier.pit import GAMES
from croupier.school import (
    KINDS,
    LEVELS,
    SECONDS,
    Exercise,
    NoSuchItem,
    SchoolError,
    ask_of,
    item_named,
    items_of,
    kind_named,
    kinds_of,
    replay_of,
)
from croupier.school.lesson import LessonOver, answer, exercise_of, next_exercise
from croupier.school.record import (
    Begun,
    Entry,
    Kept,
    LessonSoFar,
    Put,
    Standing,
    by_trainee,
    lessons_of,
    standing_of,
)
from croupier.school.shipped import title_of

LESSONS_LISTED = 20
LESSONS_AN_HOUR = 60
EXERCISES_AN_HOUR = 240
"""Of one trainee: to make one takes the engine."""
REMEMBERED = 64
"""Exercises that were put lately."""


class NoSuchLesson(NotAllowed):
    """A lesson that there is not, or that is somebody else's: the answer is the same."""

    def __init__(self) -> None:
        super().__init__("not found", "You have no such lesson.")


class School:
    """Lessons, answers and records. Everything here takes the engine or the disk: call it beside
    the loop."""

    def __init__(self, house: House, clock: Callable[[], datetime] | None = None) -> None:
        self._book = SchoolBook(house.store, house.reader)
        self._clock = clock or house.clock
        self._lock = threading.Lock()
        """One at a time: a lesson is read, gone on with and stored."""
        self._made: OrderedDict[tuple[str, str], Exercise] = OrderedDict()

    # -- looking ------------------------------------------------------------------------------

    def page(self, trainee: str | None, *, supervises: bool) -> records.SchoolPage:
        """What somebody finds at school; without a name, what there is to learn."""
        kept = self._book.of_trainee(trainee) if trainee else []
        lessons = list(lessons_of(kept).values())[-LESSONS_LISTED:]
        return records.SchoolPage(
            trainee=name_of(trainee) if trainee else None,
            books=tuple(self._standing_line(standing_of(book, kept)) for book in GAMES.games),
            lessons=tuple(_lesson_line(lesson) for lesson in reversed(lessons)),
            supervises=supervises,
        )

    def lesson(self, trainee: str, lesson: str) -> records.LessonNow:
        """A lesson of somebody's as it stands."""
        with self._lock:
            return self._now(self._own(trainee, lesson))

    def certificate(self, trainee: str, lesson: str, *, supervises: bool) -> records.Certificate:
        """What was asked in a lesson that is over: one's own, or anybody's for a supervisor."""
        found = self._found(lesson)
        if found.trainee != trainee and not supervises:
            raise NoSuchLesson
        if not found.over:
            raise NotAllowed("not over", "A certificate is made when the lesson is over.")
        return records.Certificate(
            trainee=name_of(found.trainee),
            line=_lesson_line(found),
            ended=found.answered[-1][0],
            asked=tuple(_asked_lines(found)),
            version=__version__,
        )

    def trainees(self, called: Callable[[str], str]) -> records.Trainees:
        """Who knows what; `called` says how a trainee is listed."""
        lines = []
        for trainee, kept in sorted(by_trainee(self._book.everybody()).items()):
            standings = [standing_of(book, kept) for book in GAMES.games]
            over = [one for one in lessons_of(kept).values() if one.over and one.begun.examination]
            lines.append(
                records.TraineeLine(
                    trainee=called(trainee),
                    books=tuple(self._standing_line(one) for one in standings if one.asked),
                    examinations=tuple(_lesson_line(one) for one in reversed(over)),
                )
            )
        return records.Trainees(trainees=tuple(lines))

    # -- learning -----------------------------------------------------------------------------

    def begin(self, trainee: str, body: records.BeginBody) -> records.LessonNow:
        """Begin a lesson, and put its first exercise."""
        if body.rulebook not in GAMES.games:
            raise NotAllowed("not found", f"There is no rulebook {body.rulebook!r}.")
        try:
            kinds = tuple(kind_named(body.rulebook, kind) for kind in body.kinds)
        except NoSuchItem as error:
            raise NotAllowed("not found", f"{error}.") from error
        with self._lock:
            kept = self._book.of_trainee(trainee)
            _not_too_many(kept, self._clock())
            _not_too_many_exercises(kept, self._clock())
            standing = standing_of(body.rulebook, kept)
            begun = Begun(
                rulebook=body.rulebook,
                seed=secrets.token_hex(16),
                examination=body.examination,
                clock=body.clock or body.examination,
                kinds=kinds,
                level=max(standing.level, 2) if body.examination else standing.level,
            )
            lesson = secrets.token_urlsafe(9)
            kept.append(self._keep(trainee, lesson, begun))
            return self._put(kept, lesson)

    def go_on(self, trainee: str, lesson: str) -> records.LessonNow:
        """Put the next exercise, unless one waits already or the lesson is over."""
        with self._lock:
            return self._put(self._book.of_trainee(trainee), lesson)

    def answer(
        self, trainee: str, lesson: str, body: records.SchoolAnswerBody
    ) -> records.SchoolMarked:
        """Mark an answer and keep it."""
        with self._lock:
            kept = self._book.of_trainee(trainee)
            found = _lesson_in(kept, lesson)
            put = found.pending
            if body.number != len(found.put) or put is None:
                raise NotAllowed("answered", "This exercise was answered already.")
            now = self._clock()
            exercise = self._exercise(found, put)
            try:
                entry, marked = answer(
                    found, body.chosen, now, looked_up=body.looked_up, exercise=exercise
                )
            except SchoolError as error:
                raise NotAllowed("bad answer", f"{error}") from error
            before = standing_of(found.begun.rulebook, kept)
            kept.append(self._keep(trainee, lesson, entry, now))
            found.answered.append((now, entry))
            self._made.pop((lesson, put.seed), None)
            standing = standing_of(found.begun.rulebook, kept)
        return records.SchoolMarked(
            marked=marked,
            case_title=title_of(marked.case) if marked.case else "",
            line=_lesson_line(found),
            book=self._standing_line(standing),
            level_up=standing.level > before.level,
        )

    # -- lessons ------------------------------------------------------------------------------

    def _found(self, lesson: str) -> LessonSoFar:
        found = lessons_of(self._book.of_lesson(lesson)).get(lesson)
        if found is None:
            raise NoSuchLesson
        return found

    def _own(self, trainee: str, lesson: str) -> LessonSoFar:
        found = self._found(lesson)
        if found.trainee != trainee:
            raise NoSuchLesson
        return found

    def _put(self, kept: list[Kept], name: str) -> records.LessonNow:
        """Go on with a lesson of a trainee of whom this is kept."""
        lesson = _lesson_in(kept, name)
        if lesson.pending is None and not lesson.over:
            now = self._clock()
            _not_too_many_exercises(kept, now)
            self._room_for_one(lesson.trainee)  # before the engine is asked
            known = standing_of(lesson.begun.rulebook, kept)
            try:
                put, exercise = next_exercise(lesson, known, now)
            except LessonOver as error:
                raise NotAllowed("over", f"{error}"[:1].upper() + f"{error}"[1:] + ".") from error
            self._keep(lesson.trainee, lesson.lesson, put, now)
            self._remember(lesson, put, exercise)
            lesson.put.append((now, put))
        return self._now(lesson)

    def _now(self, lesson: LessonSoFar) -> records.LessonNow:
        put = lesson.pending
        exercise = self._exercise(lesson, put) if put is not None else None
        return records.LessonNow(
            line=_lesson_line(lesson),
            number=len(lesson.put),
            again=put is not None and put.again,
            exercise=ask_of(exercise, open_book=not lesson.begun.examination)
            if exercise is not None
            else None,
            table=replay_of(exercise) if exercise is not None else None,
            seconds_left=self._left(lesson, put),
        )

    def _left(self, lesson: LessonSoFar, put: Put | None) -> float | None:
        if put is None or not lesson.begun.clock:
            return None
        gone = (self._clock() - lesson.put[-1][0]).total_seconds()
        return max(0.0, SECONDS[put.kind] - gone)

    def _exercise(self, lesson: LessonSoFar, put: Put) -> Exercise:
        found = self._made.get((lesson.lesson, put.seed))
        return found if found is not None else self._remember(lesson, put)

    def _remember(
        self, lesson: LessonSoFar, put: Put, exercise: Exercise | None = None
    ) -> Exercise:
        made = exercise or exercise_of(lesson, put)
        self._made[lesson.lesson, put.seed] = made
        if len(self._made) > REMEMBERED:
            self._made.popitem(last=False)
        return made

    def _keep(self, trainee: str, lesson: str, entry: Entry, at: datetime | None = None) -> Kept:
        self._room_for_one(trainee)
        kept = Kept(trainee=trainee, lesson=lesson, at=at or self._clock(), entry=entry)
        self._book.append([kept])
        return kept

    def _room_for_one(self, trainee: str) -> None:
        if self._book.count(trainee) >= ENTRIES_AT_MOST:
            raise NotAllowed("full", "Your record is full; nothing more is kept of it.")

    def _standing_line(self, standing: Standing) -> records.SchoolBookLine:
        book = GAMES.load(standing.rulebook)
        now = self._clock()
        return records.SchoolBookLine(
            rulebook=book.id,
            title=book.short,
            level=standing.level,
            levels=LEVELS[-1],
            asked=standing.asked,
            right=standing.right,
            streak=standing.streak,
            best_streak=standing.best_streak,
            known=sum(one.repetitions > 0 for one in standing.known.values()),
            items=len(items_of(book.id)),
            due=standing.due(now),
            kinds=tuple(
                records.KindLine(
                    kind=kind,
                    called=KINDS[kind],
                    right=standing.by_kind.get(kind, (0, 0))[0],
                    asked=standing.by_kind.get(kind, (0, 0))[1],
                )
                for kind in kinds_of(book.id)
            ),
            last=standing.last,
        )


def _lesson_in(kept: Iterable[Kept], lesson: str) -> LessonSoFar:
    """A lesson among what is kept of a trainee: another's is not there."""
    found = lessons_of(kept).get(lesson)
    if found is None:
        raise NoSuchLesson
    return found


def _not_too_many(kept: Iterable[Kept], now: datetime) -> None:
    """To make an exercise takes the engine: nobody begins lessons for the sake of it."""
    begun = _within_an_hour(kept, Begun, now)
    if begun >= LESSONS_AN_HOUR:
        says = f"You have begun {begun} lessons within an hour; go on with one of them."
        raise NotAllowed("too fast", says)


def _not_too_many_exercises(kept: Iterable[Kept], now: datetime) -> None:
    put = _within_an_hour(kept, Put, now)
    if put >= EXERCISES_AN_HOUR:
        says = f"You have had {put} exercises within an hour; take a rest, and go on later."
        raise NotAllowed("too fast", says)


def _within_an_hour(kept: Iterable[Kept], kind: type[Entry], now: datetime) -> int:
    since = now - timedelta(hours=1)
    return sum(one.at >= since for one in kept if isinstance(one.entry, kind))


def _lesson_line(lesson: LessonSoFar) -> records.LessonLine:
    begun = lesson.begun
    return records.LessonLine(
        lesson=lesson.lesson,
        rulebook=begun.rulebook,
        title=GAMES.load(begun.rulebook).short,
        at=lesson.at,
        examination=begun.examination,
        clock=begun.clock,
        asked=len(lesson.first_answers),
        length=begun.length,
        score=lesson.score,
        over=lesson.over,
        passed=lesson.passed,
    )


def _asked_lines(lesson: LessonSoFar) -> Iterable[records.AskedLine]:
    for first, count in zip(lesson.first_answers, lesson.answers_to_each(), strict=True):
        yield records.AskedLine(
            called=KINDS[first.kind],
            title=item_named(lesson.begun.rulebook, first.item).title,
            says=first.says,
            cites=first.cites,
            right=first.right,
            answers=count,
            seconds=first.seconds,
            looked_up=first.looked_up,
        )
