"""Health: a database that hangs holds up one thread, however many ask, and never the stop."""

from __future__ import annotations

import asyncio
import threading
import time
import urllib.error
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.house.errors import StorageError
from croupier.live import health
from croupier.live.health import DatabaseLook
from tests.in_a_loop import in_a_loop
from tests.live.conftest import Running, running, until


class Database:
    """One that answers, hangs or fails, and counts who looks."""

    def __init__(self) -> None:
        self.looks = 0
        self.free = threading.Event()
        self.free.set()
        self.fails = False

    def __call__(self, *_: object) -> None:
        self.looks += 1
        self.free.wait(10)
        if self.fails:
            raise StorageError("it is gone")


def test_many_who_ask_at_once_are_one_look():
    async def asked() -> None:
        look = DatabaseLook(database := Database(), lambda: ("an alarm",))
        found = await asyncio.gather(*(look.found() for _ in range(50)))
        assert set(found) == {(True, ("an alarm",))}
        assert database.looks == 1
        await look.found()
        assert database.looks == 1, "it is shared for a second"
        look._began -= health.SHARED
        database.fails = True
        assert await look.found() == (False, ("an alarm",))
        assert database.looks == 2
        look.close()

    in_a_loop(asked())


def test_while_a_look_hangs_nobody_looks_again_and_nobody_waits_longer(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(health, "WITHIN", 0.1)
    monkeypatch.setattr(health, "SHARED", 0.0)

    async def asked() -> None:
        look = DatabaseLook(database := Database(), lambda: ("an alarm",))
        assert await look.found() == (True, ("an alarm",))
        database.free.clear()
        assert await look.found() == (False, ("an alarm",)), "an alarm stands"
        began = time.monotonic()
        for _ in range(20):
            assert not (await look.found())[0]
        assert time.monotonic() - began < 0.1, "it is known by then"
        assert database.looks == 2
        database.free.set()
        while not (await look.found())[0]:
            await asyncio.sleep(0.01)
        look.close()

    in_a_loop(asked())


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Callable[[Running], Database]:
    """Makes the database hang for whoever reads."""
    monkeypatch.setattr(health, "WITHIN", 0.2)

    def hang(house: Running) -> Database:
        database = Database()
        database.free.clear()
        monkeypatch.setattr(house.casino.house.reader, "head", database)
        return database

    return hang


def test_a_stop_does_not_wait_for_health(
    tmp_path: Path, hanging: Callable[[Running], Database], monkeypatch: pytest.MonkeyPatch
):
    with running(tmp_path, tables=("Raffles",)) as house:
        database = hanging(house)
        saved = threading.Event()
        stop = house.casino.casino.stop
        monkeypatch.setattr(house.casino.casino, "stop", lambda: (stop(), saved.set()))
        asker = house.enter()
        for _ in range(3):
            with pytest.raises(urllib.error.HTTPError, match="503") as error:
                asker.get("/health")
            error.value.close()
        until(lambda: database.looks > 0)
        loop = house.casino.loop
        loop.call_soon_threadsafe(lambda: loop.create_task(house.casino.stop()))
        try:
            assert saved.wait(4)
            assert database.looks == 1
        finally:
            database.free.set()
