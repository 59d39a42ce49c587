"""A promise is kept once, and everybody who asked is told."""

import asyncio
import threading

import pytest

from croupier.house.promise import Promise
from tests.in_a_loop import in_a_loop


def test_whoever_asks_before_or_after_is_told_once():
    promise, told = Promise[int](), []
    promise.add_done_callback(lambda done: told.append(("before", done.result())))
    assert not promise.done()
    assert told == []
    promise.set_result(7)
    promise.add_done_callback(lambda done: told.append(("after", done.result())))
    assert promise.done()
    assert told == [("before", 7), ("after", 7)]
    assert promise.exception() is None


def test_an_error_is_raised_where_the_answer_is_asked_for():
    promise = Promise[int]()
    promise.set_exception(ValueError("no"))
    assert isinstance(promise.exception(), ValueError)
    with pytest.raises(ValueError, match="no"):
        promise.result()


def test_whoever_waits_gets_what_another_thread_brings():
    promise = Promise[str]()
    threading.Timer(0.02, promise.set_result, ("late",)).start()
    assert promise.result(10) == "late"


def test_whoever_waits_no_longer_is_told_so():
    with pytest.raises(TimeoutError, match=r"0\.01 s"):
        Promise[int]().result(0.01)


def test_nobody_answers_twice():
    promise = Promise[int]()
    promise.set_result(1)
    with pytest.raises(RuntimeError, match="twice"):
        promise.set_result(2)


def test_one_who_cannot_be_told_does_not_keep_it_from_the_others(caplog):
    promise, told = Promise[int](), []
    promise.add_done_callback(lambda done: 1 / 0)
    promise.add_done_callback(lambda done: told.append(done.result()))
    promise.set_result(3)
    assert told == [3]
    assert "could not be told" in caplog.text


def test_many_threads_ask_while_it_is_kept_and_none_is_forgotten():
    for _ in range(50):
        promise, told = Promise[int](), []
        start = threading.Barrier(5)

        def ask(promise=promise, told=told, start=start):
            start.wait()
            promise.add_done_callback(lambda done: told.append(done.result()))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        start.wait()
        promise.set_result(1)
        for thread in threads:
            thread.join()
        assert told == [1] * 4


def test_a_second_answer_changes_nothing():
    promise = Promise[int]()
    promise.set_result(1)
    with pytest.raises(RuntimeError, match="twice"):
        promise.set_exception(ValueError("too late"))
    with pytest.raises(RuntimeError, match="twice"):
        promise.set_result(2)
    assert promise.result() == 1


def test_a_loop_waits_for_it_as_for_any_future():
    async def wait(promise: Promise[int]) -> int:
        threading.Timer(0.02, promise.set_result, (5,)).start()
        return await asyncio.wrap_future(promise)

    assert in_a_loop(wait(Promise[int]())) == 5


def test_what_was_given_cannot_be_cancelled():
    promise = Promise[int]()
    assert promise.running()
    assert not promise.cancel()
    assert not promise.cancelled()
    assert "to be kept" in repr(promise)
    promise.set_result(1)
    assert not promise.running()
