"""Lessons over HTTP, for tests: to begin one, and to answer right or wrong."""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError

import pytest

from croupier.live.school import School
from croupier.school.lesson import exercise_of
from croupier.school.record import lessons_of
from tests.live.conftest import Client, Running

BOOK = "no-limit-holdem-v8"
LESSONS = "/api/school/lessons"


def begin(client: Client, **body: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.post(LESSONS, {"rulebook": BOOK, **body})
    return found


def right_answer(house: Running, lesson: str) -> list[int]:
    """What is right in the exercise that waits, as only the server knows it."""
    entries = service(house)._book.of_lesson(lesson)
    found = lessons_of(entries)[lesson]
    assert found.pending is not None
    return [part.right for part in exercise_of(found, found.pending).parts]


def service(house: Running) -> Any:
    """The school of a server under test."""
    return School(house.casino.house)


def answer(house: Running, client: Client, now: dict[str, Any], *, right: bool) -> dict[str, Any]:
    lesson = now["line"]["lesson"]
    chosen = right_answer(house, lesson)
    if not right:
        first = now["exercise"]["parts"][0]
        chosen[0] = (chosen[0] + 1) % len(first["choices"])
    body = {"number": now["number"], "chosen": chosen}
    found: dict[str, Any] = client.post(f"{LESSONS}/{lesson}/answer", body)
    return found


def refused(does: Any) -> tuple[int, str]:
    with pytest.raises(HTTPError) as caught:
        does()
    return caught.value.code, json.load(caught.value)["says"]
