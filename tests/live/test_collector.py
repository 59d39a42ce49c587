"""The collector of a server: seldom in the way, and no cycle stays for ever."""

import asyncio
import gc
import weakref

import pytest

from croupier.live import collector
from croupier.live.collector import collect_seldom
from tests.in_a_loop import in_a_loop


class Knot:
    """Refers to itself: only the collector finds it."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture(scope="module", autouse=True)
def set_aside_again():
    """At the end, as `tests/conftest.py` has it."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def as_it_was():
    before = gc.get_threshold()
    yield
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def knot() -> weakref.ref[Knot]:
    return weakref.ref(Knot())


async def under_way(stored=lambda: 0, **how) -> asyncio.Task[None]:
    task = asyncio.create_task(collect_seldom(stored, **how))
    await asyncio.sleep(0)
    return task


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def gone(found: weakref.ref[Knot]) -> None:
    for _ in range(400):
        await asyncio.sleep(0.05)
        if found() is None:
            return
    raise AssertionError("it is still there")


def test_what_lives_is_set_aside_and_python_walks_through_it_no_more():
    async def main():
        task = await under_way()
        assert gc.get_freeze_count() > 10_000
        assert gc.get_threshold()[2] == collector.NEVER
        await ended(task)

    in_a_loop(main())


def test_a_cycle_that_came_since_goes_with_the_next_walk():
    async def main():
        task = await under_way(every=0.01, whole=1_000)
        found = knot()
        await gone(found)
        await ended(task)

    in_a_loop(main())


def test_a_cycle_that_was_set_aside_goes_when_everything_is_walked_through(monkeypatch):
    monkeypatch.setattr(collector, "QUIET", 0.001)

    async def main():
        kept = Knot()
        found = weakref.ref(kept)
        task = await under_way(every=0.05, whole=2)
        del kept  # it is among what was set aside
        await asyncio.sleep(0.06)
        assert found() is not None
        await gone(found)
        await ended(task)

    in_a_loop(main())


def test_cycles_that_pile_up_among_what_was_set_aside_go_before_the_hour_is_over(monkeypatch):
    monkeypatch.setattr(collector, "QUIET", 0.001)

    async def main():
        task = await under_way(every=0.05, whole=1_000_000)
        before = gc.get_freeze_count()
        piled = [Knot() for _ in range(before)]
        found = weakref.ref(piled[0])
        while gc.get_freeze_count() <= 2 * before:
            await asyncio.sleep(0.001)
        piled.clear()  # they were set aside
        await gone(found)
        await ended(task)

    in_a_loop(main())


def test_the_whole_walk_waits_while_something_is_stored_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(collector, "QUIET", 0.005)
    monkeypatch.setattr(collector, "WAITS_AT_MOST", 0.1)
    walked = []
    monkeypatch.setattr(collector.gc, "unfreeze", lambda: walked.append(True))
    count = iter(range(1_000_000))

    async def main():
        loop = asyncio.get_running_loop()
        began = loop.time()
        task = await under_way(lambda: next(count), every=0.01, whole=1)
        while not walked:
            await asyncio.sleep(0.005)
        assert loop.time() - began >= 0.1
        await ended(task)

    in_a_loop(main())
    monkeypatch.undo()
    gc.unfreeze()
