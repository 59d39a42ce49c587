"""The school over HTTP: lessons of each for themselves, the answer never before it was given, the
table of trainees for supervisors alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from croupier.house.audit.school import check_school
from croupier.live.school_records import LessonNow
from croupier.school.lesson import exercise_of
from croupier.school.record import lessons_of
from tests.live.accounts import log_in, money_house
from tests.live.conftest import Running, running
from tests.live.lessons import BOOK, LESSONS, answer, begin, refused, service


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("school"), tables=("Raffles",)) as house:
        yield house


def test_a_guest_goes_through_a_lesson_and_is_marked(school: Running):
    ann = school.enter("Ann")
    page = ann.get("/api/school")
    assert page["trainee"] == "Ann"
    assert not page["supervises"]
    assert {book["rulebook"] for book in page["books"]} >= {BOOK, "multi-link-progressive-v3"}
    now = begin(ann, kinds=["hand"])
    assert now["line"]["length"] == 5
    wrong = answer(school, ann, now, right=False)
    assert not wrong["marked"]["right"]
    assert wrong["marked"]["parts"][0]["chosen"] != wrong["marked"]["parts"][0]["right"]
    lesson = now["line"]["lesson"]
    for _ in range(5):
        now = ann.post(f"{LESSONS}/{lesson}/next", {})
        marked = answer(school, ann, now, right=True)
        assert marked["marked"]["right"]
        assert marked["marked"]["cites"]
    assert marked["line"]["over"]
    assert marked["line"]["passed"]
    assert marked["line"]["score"] == 4
    assert marked["book"]["streak"] == 5
    certificate = ann.get(f"{LESSONS}/{lesson}/certificate")
    assert certificate["trainee"] == "Ann"
    assert [line["answers"] for line in certificate["asked"]] == [2, 1, 1, 1, 1]
    [line] = [one for one in ann.get("/api/school")["lessons"] if one["lesson"] == lesson]
    assert line["passed"]
    assert list(check_school(school.casino.house.store)) == []


def test_the_answer_is_in_no_byte_before_it_is_given(school: Running):
    ben = school.enter("Ben")
    for kind in ("ruling", "wager", "hand", "side pots", "odd chip"):
        now = begin(ben, kinds=[kind])
        lesson = now["line"]["lesson"]
        put = lessons_of(service(school)._book.of_lesson(lesson))[lesson]
        assert put.pending is not None
        exercise = exercise_of(put, put.pending)
        again = ben.get(f"{LESSONS}/{lesson}")
        for sent in (json.dumps(now), json.dumps(again)):
            assert '"right"' not in sent
            assert '"ruling"' not in sent.replace('"kind": "ruling"', "")
            assert put.begun.seed not in sent
            assert put.pending.item not in sent
            for part in exercise.parts:
                for one in part.choices:
                    assert not one.because or one.because not in sent
        # The very same is sent, whichever of the choices is the right one.
        msgspec.convert(now, LessonNow)


def test_anothers_lesson_is_not_to_be_read_nor_answered(school: Running):
    cho, dev = school.enter("Cho"), school.enter("Dev")
    now = begin(cho, kinds=["hand"])
    lesson = now["line"]["lesson"]
    for does in (
        lambda: dev.get(f"{LESSONS}/{lesson}"),
        lambda: dev.get(f"{LESSONS}/{lesson}/certificate"),
        lambda: dev.post(f"{LESSONS}/{lesson}/next", {}),
        lambda: dev.post(f"{LESSONS}/{lesson}/answer", {"number": 1, "chosen": [0]}),
        lambda: dev.get(f"{LESSONS}/nothing"),
    ):
        assert refused(does) == (404, "You have no such lesson.")
    assert lesson not in json.dumps(dev.get("/api/school"))
    assert cho.get(f"{LESSONS}/{lesson}")["exercise"] == now["exercise"]


def test_the_table_of_trainees_needs_the_rank(school: Running):
    eve = school.enter("Eve")
    assert refused(lambda: eve.get("/api/school/trainees"))[0] == 403
    assert refused(lambda: school.enter().get("/api/school/trainees"))[0] == 403
    dealer = school.enter()
    dealer.post("/api/staff-door", {"name": "Dan", "post": "dealer"})
    assert refused(lambda: dealer.get("/api/school/trainees"))[0] == 403
    supervisor = school.enter()
    supervisor.post("/api/staff-door", {"name": "Sue", "post": "pit supervisor"})
    answer(school, eve, begin(eve, kinds=["hand"]), right=True)
    assert supervisor.get("/api/school")["supervises"]
    found = {one["trainee"]: one for one in supervisor.get("/api/school/trainees")["trainees"]}
    assert found["Eve"]["books"][0]["right"] == 1


def test_whoever_has_no_name_sees_what_there_is_and_begins_nothing(school: Running):
    nobody = school.enter()
    assert nobody.get("/api/school")["trainee"] is None
    status, says = refused(lambda: begin(nobody))
    assert status == 403
    assert "enter or log in first" in says


def test_what_cannot_be_is_said_in_a_sentence(school: Running):
    fay = school.enter("Fay")
    assert refused(lambda: fay.post(LESSONS, {"rulebook": "nothing"})) == (
        404,
        "There is no rulebook 'nothing'.",
    )
    status, says = refused(lambda: begin(fay, kinds=["payout"]))
    assert status == 404
    assert "there is ruling, wager" in says
    assert refused(lambda: begin(fay, kinds=["nonsense"]))[0] == 422
    now = begin(fay, kinds=["hand"])
    path = f"{LESSONS}/{now['line']['lesson']}"
    assert refused(lambda: fay.post(f"{path}/answer", {"number": 1, "chosen": [9]}))[0] == 422
    assert refused(lambda: fay.post(f"{path}/answer", {"number": 1, "chosen": []}))[0] == 422
    assert refused(lambda: fay.get(f"{path}/certificate"))[0] == 409
    answer(school, fay, now, right=True)
    again = {"number": 1, "chosen": [0]}
    assert refused(lambda: fay.post(f"{path}/answer", again)) == (
        409,
        "This exercise was answered already.",
    )


def test_the_same_exercise_waits_after_the_server_was_started_anew(school: Running):
    gus = school.enter("Gus")
    now = begin(gus, kinds=["side pots"])
    lesson = now["line"]["lesson"]
    later = service(school).lesson("Gus", lesson)
    assert json.loads(msgspec.json.encode(later.exercise)) == now["exercise"]
    assert later.number == now["number"]


def test_nobody_begins_lessons_without_end(school: Running, monkeypatch):
    monkeypatch.setattr("croupier.live.school.LESSONS_AN_HOUR", 2)
    ida = school.enter("Ida")
    for _ in range(2):
        begin(ida, kinds=["hand"])
    status, says = refused(lambda: begin(ida, kinds=["hand"]))
    assert status == 429
    assert "go on with one of them" in says


def test_an_examination_is_by_the_clock_and_without_the_book(school: Running):
    hal = school.enter("Hal")
    now = begin(hal, examination=True, kinds=["hand"])
    assert now["line"]["length"] == 20
    assert now["line"]["clock"]
    assert 0 < now["seconds_left"] <= now["exercise"]["seconds"]
    assert now["exercise"]["look_up"] == []
    open_book = begin(hal, kinds=["hand"])
    assert open_book["seconds_left"] is None
    assert open_book["exercise"]["look_up"]


@pytest.mark.slow
def test_where_money_is_real_it_is_for_accounts(tmp_path: Path):
    with money_house(tmp_path) as house:
        ann = log_in(house, "Ann")
        now = begin(ann, kinds=["hand"])
        answer(house, ann, now, right=True)
        sue = log_in(house, "Sue")
        assert [one["trainee"] for one in sue.get("/api/school/trainees")["trainees"]] == ["Ann"]
        assert refused(lambda: ann.get("/api/school/trainees"))[0] == 403
