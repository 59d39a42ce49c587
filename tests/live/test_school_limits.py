"""The school never holds up the casino nor fills its database, and nobody holds up the school."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from croupier.live import school as live_school
from croupier.live import school_work
from croupier.live.errors import NotAllowed, Stopping
from croupier.school import lesson as lesson_module
from tests.in_a_loop import in_a_loop
from tests.live.conftest import Running, running, until
from tests.live.lessons import LESSONS, answer, begin, refused

SECONDS = 8


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("school"), tables=("Raffles",)) as opened:
        yield opened


class Held:
    """Exercises that are not made before somebody says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._free = threading.Event()
        self.under_way: list[str] = []
        makes = lesson_module.next_exercise

        def waits(*args: Any) -> Any:
            self.under_way.append(threading.current_thread().name)
            assert self._free.wait(60)
            return makes(*args)

        monkeypatch.setattr(live_school, "next_exercise", waits)
        self._threads = ThreadPoolExecutor(40)

    def asks(self, does: Callable[[], Any]) -> Future[Any]:
        return self._threads.submit(does)

    def end(self) -> None:
        self._free.set()
        self._threads.shutdown()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    made = Held(monkeypatch)
    yield made
    made.end()


def test_many_lessons_at_once_hold_up_nothing_else(house: Running, held: Held):
    names = [f"Many{n}" for n in range(8)]
    guests = [house.enter(name) for name in names]
    asked = [held.asks(lambda guest=guest: begin(guest, kinds=["hand"])) for guest in guests]
    until(lambda: held.under_way)
    # What is done beside the loop for others is done, and so is looking at the school.
    assert held.asks(lambda: guests[0].get("/api/my-hands")).result(SECONDS)["rounds"] == []
    assert held.asks(lambda: guests[0].get("/api/school")).result(SECONDS)["trainee"] == names[0]
    assert len(held.under_way) == 1, "one exercise after the other"
    held.end()
    assert all(each.result(SECONDS)["exercise"] for each in asked)


def test_whoever_asks_again_and_again_is_told_to_wait(house: Running, held: Held):
    ann = house.enter("Busy")
    more = 3
    asked = [
        held.asks(lambda: begin(ann, kinds=["hand"])) for _ in range(school_work.OF_ONE + more)
    ]
    until(lambda: sum(each.done() for each in asked) == more, SECONDS)
    for each in asked:
        if each.done():
            status, says = refused(each.result)
            assert status == 503
            assert "try again in a moment" in says
    held.end()
    assert sum(each.exception(SECONDS) is None for each in asked) == school_work.OF_ONE


def test_an_answer_does_not_make_the_exercise_once_more(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    ben = house.enter("Ben")
    now = begin(ben, kinds=["hand"])
    made: list[str] = []
    makes = lesson_module.make_exercise

    def counted(book: str, item: str, level: int, seed: str) -> Any:
        made.append(threading.current_thread().name)
        return makes(book, item, level, seed)

    monkeypatch.setattr(lesson_module, "make_exercise", counted)
    answer(house, ben, now, right=True)
    assert [name for name in made if name != threading.current_thread().name] == []


def test_the_limit_holds_within_a_lesson_too(house: Running, monkeypatch: pytest.MonkeyPatch):
    cho = house.enter("Cho")
    now = begin(cho, kinds=["hand"])
    monkeypatch.setattr(live_school, "ENTRIES_AT_MOST", 3)
    answer(house, cho, now, right=False)
    says = "Your record is full; nothing more is kept of it."
    path = f"{LESSONS}/{now['line']['lesson']}/next"
    assert refused(lambda: cho.post(path, {})) == (503, says)
    assert refused(lambda: begin(cho)) == (503, says)


def test_all_records_together_leave_the_disk_to_the_casino(
    house: Running, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("croupier.house.school.ENTRIES_IN_ALL", 0)
    status, says = refused(lambda: begin(house.enter("Dev"), kinds=["hand"]))
    assert status == 503
    assert "there is room for no more" in says


def test_nobody_has_exercises_put_without_end(house: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live_school, "EXERCISES_AN_HOUR", 2)
    eve = house.enter("Eve")
    now = begin(eve, kinds=["hand"])
    path = f"{LESSONS}/{now['line']['lesson']}/next"
    answer(house, eve, now, right=False)
    answer(house, eve, eve.post(path, {}), right=False)
    for does in (lambda: eve.post(path, {}), lambda: begin(eve)):
        status, says = refused(does)
        assert status == 429
        assert "take a rest" in says


def test_who_reads_a_record_does_not_wait_for_whoever_writes_the_log(house: Running):
    fay = house.enter("Fay")
    begin(fay, kinds=["hand"])
    with ThreadPoolExecutor(1) as threads, house.casino.house.store.database.lock:
        found = threads.submit(lambda: fay.get("/api/school")).result(SECONDS)
    assert len(found["lessons"]) == 1


def test_where_the_server_stops_nothing_more_is_begun():
    async def asks() -> None:
        work = school_work.SchoolWork()
        work.close()
        with pytest.raises(Stopping):
            await work.learn("Ann", "here", lambda: None)

    in_a_loop(asks())


def test_an_address_has_no_end_of_exercises_under_no_name():
    work = school_work.SchoolWork()
    for _ in range(school_work.AT_ONCE):
        work.one_more("here")
    with pytest.raises(NotAllowed, match="wait a bit"):
        work.one_more("here")
    work.one_more("elsewhere")
