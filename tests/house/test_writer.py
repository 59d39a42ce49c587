"""The writer stores in groups, answers in order, and waits for nobody."""

import threading
import time
from collections import deque
from functools import partial

import pytest

from croupier.house.copy import LogCopy
from croupier.house.copy_reading import rows_of_copy
from croupier.house.errors import Conflict, DiskFull, LostConnection, StorageError
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.writer import GROUP_AT_MOST, Writer
from tests.house.contract import one, refused


class Apart(Store):
    """A store whose groups another process stores, as far as its writer can tell."""

    is_apart = True

    def append(self, bundles):
        self.meanwhile()
        return super().append(bundles)


class Ahead(Apart):
    """One that takes the next group while it stores one, however small that is."""

    next = None
    sent = 0

    def append(self, bundles):
        assert self.next is None or bundles is self.next, "what was sent ahead comes next"
        self.next = None
        return super().append(bundles)

    def send_ahead(self, bundles, *, behind):
        assert self.next is None, "one group at most is sent ahead"
        self.next = bundles
        self.sent += 1
        return True

    def forget_ahead(self):
        self.next = None


@pytest.fixture(params=[Store, Apart, Ahead], ids=["here", "apart", "ahead"])
def store(request, sqlite_url, monkeypatch):
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_LEAST", 1)
    made = request.param(open_database(sqlite_url))
    yield made
    made.close()
    assert made.next is None if isinstance(made, Ahead) else True


@pytest.fixture
def ahead(sqlite_url, monkeypatch):
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_LEAST", 1)
    made = Ahead(open_database(sqlite_url))
    yield made
    made.close()


@pytest.fixture
def apart(sqlite_url):
    made = Apart(open_database(sqlite_url))
    yield made
    made.close()


class Held:
    """Holds the writer back until everything has gathered."""

    def __init__(self, store: Store, monkeypatch) -> None:
        self.may, self.groups = threading.Event(), []
        real = store.append

        def append(bundles):
            self.may.wait()
            self.groups.append(len(bundles))
            return real(bundles)

        monkeypatch.setattr(store, "append", append)


def test_what_gathers_while_one_group_is_stored_is_the_next(store, monkeypatch):
    held = Held(store, monkeypatch)
    writer = Writer(store)
    futures = [writer.store(one(f"c{n}", "A", n)) for n in range(1, 2 * GROUP_AT_MOST)]
    held.may.set()
    writer.close()
    assert all(future.exception() is None for future in futures)
    assert max(held.groups) == GROUP_AT_MOST
    assert len(held.groups) <= 4
    assert writer.groups == len(held.groups)


def test_answers_come_in_the_order_of_the_bundles(store):
    writer, told = Writer(store), []
    for n in range(1, 301):
        future = writer.store(one(f"c{n}", "A", n))
        future.add_done_callback(lambda done, n=n: told.append(n))
    writer.close()
    assert told == list(range(1, 301))


def test_a_bundle_that_is_turned_away_stops_nobody(store):
    writer = Writer(store)
    futures = [writer.store(one("c1")), writer.store(one("c2")), writer.store(one("c3", "B"))]
    writer.close()
    assert [type(future.exception()) for future in futures] == [type(None), Conflict, type(None)]


def test_flush_waits_for_what_was_asked_and_for_no_answer(store):
    """Whoever is told may want a lock that the one who flushes holds."""
    writer, lock, told = Writer(store), threading.Lock(), []

    def tell(done) -> None:
        with lock:
            told.append(done)

    with lock:
        for n in range(1, 21):
            writer.store(one(f"c{n}", "A", n)).add_done_callback(tell)
            writer.flush()
            assert store.head("A").position == n
        assert told == []
    writer.close()
    assert len(told) == 20


def test_whoever_is_told_may_flush_and_ask_for_more(store):
    writer, done = Writer(store), threading.Event()

    def more(first) -> None:
        writer.flush()
        writer.store(one("c2", "A", 2)).add_done_callback(lambda second: done.set())
        writer.flush()

    writer.store(one("c1")).add_done_callback(more)
    assert done.wait(5)
    writer.close()
    assert store.head("A").position == 2


def test_when_the_disk_is_full_everybody_hears_it_and_the_next_group_is_stored(store, monkeypatch):
    writer = Writer(store)
    with monkeypatch.context() as patch:

        def full(bundles):
            raise DiskFull("there is no room left")

        patch.setattr(store, "append", full)
        with pytest.raises(DiskFull):
            writer.store(one("c1")).result()
    assert writer.store(one("c1")).result() is None
    writer.close()


def test_a_bundle_that_breaks_the_store_fails_alone(store, monkeypatch, caplog):
    real, may = store.append, threading.Event()

    def append(bundles):
        may.wait()
        if any(bundle.command_id == "bad" for bundle in bundles):
            raise ZeroDivisionError("nobody foresaw this")
        return real(bundles)

    monkeypatch.setattr(store, "append", append)
    writer = Writer(store)
    futures = [writer.store(one(name, name)) for name in ("c1", "c2", "bad", "c3")]
    may.set()
    writer.close()
    assert [future.exception() is None for future in futures] == [True, True, False, True]
    assert isinstance(futures[2].exception(), StorageError)
    assert "nobody foresaw this" in str(futures[2].exception())
    assert "could not be stored" in caplog.text


def test_of_bundles_that_break_the_store_together_only_one_fails(store, monkeypatch):
    """Those that are answered on top of it fail with it, whoever stands elsewhere is stored."""
    real, may = store._write, threading.Event()

    def write(group):
        may.wait()
        if "bad" in group.ids:
            raise ZeroDivisionError("nobody foresaw this")
        return real(group)

    monkeypatch.setattr(store, "_write", write)
    writer = Writer(store)
    bundles = [
        one("c1", "A", generations={"A": 1}),
        one("bad", "B", generations={"B": 2}),
        one("on top", "B", generations={"B": 2}),
        one("c2", "C", generations={"C": 3}),
    ]
    futures = [writer.store(each) for each in bundles]
    may.set()
    writer.close()
    errors = [type(future.exception()) for future in futures]
    assert errors == [type(None), StorageError, Conflict, type(None)]
    assert store.turned_away({"A": 1, "B": 2, "C": 3}) == {"B": 2}


def busy_telling(writer: Writer) -> threading.Event:
    """Keep the writer's thread at telling until this is set: whoever flushes stores himself."""
    inside, may = threading.Event(), threading.Event()

    def tell(answer) -> None:
        inside.set()
        may.wait(10)

    writer.put(one("busy", "busy"), tell)
    assert inside.wait(10)
    return may


def test_whoever_is_interrupted_while_he_flushes_leaves_nobody_waiting(store, monkeypatch):
    writer = Writer(store)
    may = busy_telling(writer)

    def interrupted(bundles):
        raise KeyboardInterrupt

    future = writer.store(one("c1"))
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", interrupted)
        with pytest.raises(KeyboardInterrupt):
            writer.flush()
    may.set()
    with pytest.raises(StorageError, match="interrupted"):
        future.result(10)
    assert writer.store(one("c1")).result(10) is None
    writer.close()


def test_a_copy_that_breaks_stops_neither_the_answers_nor_the_writer(store, tmp_path, monkeypatch):
    copy = LogCopy(tmp_path / "copy")
    writer = Writer(store, copy)

    def broken(rows):
        raise ValueError("nobody foresaw this")

    with monkeypatch.context() as patch:
        patch.setattr(copy, "write_bundles", broken)
        assert writer.store(one("c1")).result(10) is None
    assert "nobody foresaw this" in str(writer.trouble)
    assert writer.store(one("c2", "A", 2)).result(10) is None
    writer.close()


def test_what_was_stored_although_nobody_could_say_so_comes_into_the_copy(
    store, tmp_path, monkeypatch
):
    """Sent again it is found in the log and acknowledged: then the copy must have it too."""
    real, folder = store.append, tmp_path / "copy"
    writer = Writer(store, LogCopy(folder))
    assert writer.store(one("c1")).result(10) is None

    def lost(bundles):
        real(bundles)
        raise LostConnection("nobody knows what became of it")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", lost)
        with pytest.raises(LostConnection):
            writer.store(one("c2", "A", 2)).result(10)
    assert writer.store(one("c3", "B")).result(10) is None
    assert {row.command_id for row in rows_of_copy(folder)} == {"c1", "c2", "c3"}
    assert writer.store(one("c4", "B", 2)).result(10) is None
    writer.close()
    assert [row.command_id for row in rows_of_copy(folder)].count("c2") == 1
    assert writer.trouble is None


def test_nobody_writes_the_copy_while_the_writer_looks_when_it_is_due(store, tmp_path):
    """Between two looks at the same copy, one who flushes might have ended its file."""
    looked: list[bool] = []

    class Watched(LogCopy):
        looking = False

        def due(self):
            self.looking = True
            time.sleep(0.002)
            found = super().due()
            self.looking = False
            return found

        def write_bundles(self, bundles):
            looked.append(self.looking)
            super().write_bundles(bundles)

    writer = Writer(store, Watched(tmp_path / "copy"))
    for n in range(1, 31):
        writer.store(one(f"c{n}", "A", n))
        writer.flush()
    writer.close()
    assert looked
    assert not any(looked)


def test_a_closed_writer_stores_nothing_and_says_so(store):
    writer = Writer(store)
    last = writer.store(one("c1"))
    writer.close()
    writer.close()
    assert last.result() is None
    with pytest.raises(StorageError, match="closed"):
        writer.store(one("c2")).result()
    writer.flush()


def test_nobody_waits_any_longer_for_a_cancelled_answer(store):
    writer = Writer(store)
    first, second = writer.store(one("c1")), None
    first.cancel()
    second = writer.store(one("c2", "A", 2))
    assert second.result() is None
    writer.close()
    assert store.head("A").position == 2


def test_whoever_fails_to_listen_does_not_deafen_the_others(store, caplog):
    writer, told = Writer(store), []

    def fail(answer) -> None:
        raise ZeroDivisionError

    writer.put(one("c1"), fail)
    writer.put(one("c2", "A", 2), told.append)
    writer.put(one("c2", "A", 3), told.append)
    writer.close()
    assert told[0] is None
    assert isinstance(told[1], Conflict)
    assert "could not be told" in caplog.text
    writer.put(one("c4", "A", 4), told.append)
    assert isinstance(told[2], StorageError)


def test_the_boundaries_come_in_order(store, tmp_path):
    passed = []
    writer = Writer(store, LogCopy(tmp_path / "copy"), boundary=passed.append)
    writer.store(one("c1")).result()
    writer.close()
    assert passed == ["before the group", "before the copy", "after the copy", "after the answers"]


def test_whoever_steps_aside_goes_on_when_all_is_told(store):
    writer, told = Writer(store), []
    for n in range(1, 51):
        writer.store(one(f"c{n}", "A", n)).add_done_callback(lambda _: told.append(1))
    writer.wait(30)
    assert len(told) == 50
    began = time.monotonic()
    writer.wait(30)  # nobody waits for anything
    assert time.monotonic() - began < 5
    writer.close()


def test_whoever_steps_aside_for_a_disk_that_stands_still_goes_on_after_a_moment(
    store, monkeypatch
):
    held = Held(store, monkeypatch)
    writer = Writer(store)
    future = writer.store(one("c1", "A", 1))
    writer.wait(0.02)
    assert not future.done()
    held.may.set()
    writer.close()
    assert future.exception() is None


# -- whoever waits stores and tells himself -------------------------------------------------------


def test_whoever_settles_stores_and_tells_in_his_own_thread(store):
    writer, told = Writer(store), []
    writer.put(one("c1"), lambda answer: told.append(threading.get_ident()), wake=False)
    writer.settle()
    assert told == [threading.get_ident()]
    assert store.head("A").position == 1
    writer.close()


def test_whoever_settles_leaves_nothing_untold_however_much_has_gathered(store):
    writer, told = Writer(store), []
    many = 2 * GROUP_AT_MOST + 1
    for n in range(1, many + 1):
        writer.put(one(f"c{n}", "A", n), lambda answer, n=n: told.append(n), wake=False)
    last = writer.store(one("last", "B"))
    writer.settle()
    assert last.result(10) is None
    assert told == list(range(1, many + 1))
    writer.close()


def test_while_somebody_else_stores_or_tells_whoever_settles_is_told_by_the_thread(store):
    writer, told = Writer(store), threading.Event()
    may = busy_telling(writer)
    writer.put(one("c1"), lambda answer: told.set(), wake=False)
    writer.settle()
    assert store.head("A").position == 1
    assert not told.is_set()
    may.set()
    assert told.wait(10)
    with writer._storing:
        late = threading.Event()
        writer.put(one("c2", "A", 2), lambda answer: late.set(), wake=False)
        settling = threading.Thread(target=writer.settle)
        settling.start()
        settling.join(10)
        assert not settling.is_alive()
    assert late.wait(10)
    writer.close()


def test_a_writer_that_is_closed_has_told_what_somebody_who_settles_is_telling(store):
    """What is told may need the House, which is taken apart after that."""
    writer, inside, may, told = Writer(store), threading.Event(), threading.Event(), []

    def tell(answer) -> None:
        inside.set()
        may.wait(10)
        told.append(answer)

    writer.put(one("c1"), tell, wake=False)
    settling = threading.Thread(target=writer.settle)
    settling.start()
    assert inside.wait(10)
    closing = threading.Thread(target=writer.close)
    closing.start()
    closing.join(0.3)
    assert closing.is_alive(), "it must not be closed before all is told"
    assert not writer._all_told.is_set()
    may.set()
    closing.join(10)
    settling.join(10)
    assert told == [None]
    assert writer._all_told.is_set()


def test_whoever_is_interrupted_while_he_tells_leaves_nobody_waiting(store):
    writer, told = Writer(store), []

    def tell(answer) -> None:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        told.append(answer)

    writer.put(one("c1"), tell, wake=False)
    last = threading.Event()
    writer.put(one("c2", "B"), lambda answer: last.set(), wake=False)
    with pytest.raises(KeyboardInterrupt):
        writer.settle()
    assert last.wait(10)
    assert told == [None]
    writer.close()


def test_many_who_settle_at_once_are_told_in_the_order_in_which_they_were_stored(store, tmp_path):
    writer, told, gate = Writer(store, LogCopy(tmp_path / "copy")), [], threading.Lock()
    position, each = 0, 60

    def act(wakes: bool) -> None:
        nonlocal position
        for _ in range(each):
            done = threading.Event()
            with gate:  # as the House's lock: what is answered later is put later
                position += 1
                here = position

                def tell(answer, here=here, done=done) -> None:
                    told.append((here, answer))
                    done.set()

                writer.put(one(f"c{here}", "A", here), tell, wake=wakes)
            if not wakes:
                writer.settle()
            assert done.wait(30), "nobody waits for ever"

    threads = [threading.Thread(target=act, args=(n == 0,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    writer.close()
    assert told == [(n, None) for n in range(1, 4 * each + 1)]
    assert [row.position for row in rows_of_copy(tmp_path / "copy")] == list(range(1, 4 * each + 1))


def test_whoever_settles_while_another_is_telling_does_not_wait_and_is_told_after_him(store):
    writer, may, inside, order = Writer(store), threading.Event(), threading.Event(), []
    told = threading.Event()

    def slowly(answer) -> None:
        inside.set()
        may.wait(10)
        order.append("c1")

    writer.put(one("c1"), slowly)
    assert inside.wait(10)
    writer.put(one("c2", "A", 2), lambda answer: (order.append("c2"), told.set()), wake=False)
    writer.settle()
    assert store.head("A").position == 2
    assert order == []
    may.set()
    assert told.wait(10)
    assert order == ["c1", "c2"]
    writer.close()


def test_whoever_settles_while_another_is_storing_leaves_it_to_the_thread(store, monkeypatch):
    held = Held(store, monkeypatch)
    writer, told = Writer(store), []
    first = writer.store(one("c1"))
    while writer.waiting:
        time.sleep(0.001)
    writer.put(
        one("c2", "A", 2), lambda answer: told.append(threading.current_thread().name), wake=False
    )
    writer.settle()
    assert told == []
    held.may.set()
    assert first.result(10) is None
    writer.close()
    assert told == ["house-writer"]


def test_whoever_settles_hears_that_nothing_was_stored(store, monkeypatch):
    writer, told = Writer(store), []

    def full(bundles):
        raise DiskFull("there is no room left")

    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        writer.put(one("c1"), told.append, wake=False)
        writer.settle()
    assert [type(answer) for answer in told] == [DiskFull]
    writer.put(one("c1"), told.append, wake=False)
    writer.settle()
    assert told[1:] == [None]
    writer.close()


def test_what_was_settled_comes_to_the_disk_of_the_copy_in_time(store, tmp_path, monkeypatch):
    """The thread may be waiting without a clock: it must hear that there is something to sync."""
    copy = LogCopy(tmp_path / "copy", sync_seconds=0.05)
    synced, sync = threading.Event(), copy.sync
    monkeypatch.setattr(copy, "sync", lambda: (sync(), synced.set()))
    writer = Writer(store, copy)
    for n in (1, 2, 3):
        synced.clear()
        writer.put(one(f"c{n}", "A", n), lambda answer: None, wake=False)
        writer.settle()
        assert synced.wait(5)
    writer.close()


def test_many_who_settle_at_once_each_hear_their_answer(store):
    writer, threads, heard = Writer(store), [], []

    def play(place: str) -> None:
        for n in range(1, 31):
            told = threading.Event()
            writer.put(
                one(f"{place}{n}", place, n), lambda answer, told=told: told.set(), wake=False
            )
            writer.settle()
            assert told.wait(10)
        heard.append(place)

    for place in "ABCDE":
        threads.append(threading.Thread(target=play, args=(place,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == list("ABCDE")
    assert all(store.head(place).position == 30 for place in "ABCDE")
    writer.close()


class Steps:
    """What is done with groups of one bundle each, in its order; a group is answered when it may
    be."""

    def __init__(self, store: Store, monkeypatch) -> None:
        self.done: list[str] = []
        self.may = {}
        real = store.append

        def append(bundles):
            name = bundles[0].command_id
            self.done.append(f"{name} begun")
            answers = real(bundles)
            self.may.setdefault(name, threading.Event()).wait(5)
            self.done.append(f"{name} stored")
            return answers

        monkeypatch.setattr(store, "append", append)

    def wait_for(self, step: str) -> None:
        until = time.monotonic() + 5
        while step not in self.done:
            assert time.monotonic() < until, f"{step} did not come: {self.done}"
            time.sleep(0.001)


def give(writer, steps, name, place="A", position=1):
    """Have a bundle stored in a group of its own."""
    steps.may[name] = threading.Event()
    future = writer.store(one(name, place, position))
    future.add_done_callback(lambda done: steps.done.append(f"{name} told"))
    return future


def test_another_process_has_the_next_group_before_the_last_one_is_told(
    apart, tmp_path, monkeypatch
):
    """It is told, and in the copy, before the next one is stored: nobody waits for two groups."""
    copied = []
    steps = Steps(apart, monkeypatch)

    def boundary(name):
        if name == "after the copy":
            copied.append([row.command_id for row in rows_of_copy(tmp_path / "copy")])

    writer = Writer(apart, LogCopy(tmp_path / "copy"), boundary=boundary)
    give(writer, steps, "c1")
    steps.wait_for("c1 begun")
    give(writer, steps, "c2", "B")
    steps.may["c1"].set()
    steps.wait_for("c1 told")
    assert steps.done == ["c1 begun", "c1 stored", "c2 begun", "c1 told"]
    assert copied == [["c1"]]
    steps.may["c2"].set()
    steps.wait_for("c2 told")
    writer.close()
    assert copied == [["c1"], ["c1", "c2"]]


def test_where_no_next_group_waits_the_last_one_is_told_at_once(apart, monkeypatch):
    steps = Steps(apart, monkeypatch)
    writer = Writer(apart)
    give(writer, steps, "c1")
    steps.wait_for("c1 begun")
    steps.may["c1"].set()
    steps.wait_for("c1 told")
    writer.close()


def test_a_copy_that_is_behind_is_not_completed_while_another_process_stores(
    apart, tmp_path, monkeypatch
):
    """It is completed from the log, which may have the next group at any moment: that would come
    to stand in the copy twice."""
    copy = LogCopy(tmp_path / "copy")
    steps = Steps(apart, monkeypatch)
    writer = Writer(apart, copy)
    with monkeypatch.context() as patch:
        patch.setattr(copy, "write_bundles", lambda bundles: 1 / 0)
        give(writer, steps, "c0", "Z")
        steps.may["c0"].set()
        steps.wait_for("c0 told")
    assert writer.trouble is not None
    writer._tried -= 10
    give(writer, steps, "c1")
    steps.wait_for("c1 begun")
    give(writer, steps, "c2", "B")
    steps.may["c1"].set()
    steps.wait_for("c2 begun")
    assert steps.done.index("c2 begun") > steps.done.index("c1 stored")
    steps.may["c2"].set()
    writer.close()
    assert writer.trouble is None
    assert sorted(row.command_id for row in rows_of_copy(tmp_path / "copy")) == ["c0", "c1", "c2"]


def test_what_is_stored_is_told_although_the_next_group_could_not_be_given(
    apart, tmp_path, monkeypatch
):
    steps = Steps(apart, monkeypatch)
    writer = Writer(apart, LogCopy(tmp_path / "copy"))
    first = give(writer, steps, "c1")
    steps.wait_for("c1 begun")

    def broken(bundles):
        raise StorageError("no process can be started")

    second = give(writer, steps, "c2", "B")
    monkeypatch.setattr(apart, "append", broken)
    steps.may["c1"].set()
    assert first.result(5) is None
    with pytest.raises(StorageError):
        second.result(5)
    writer.close()
    assert [row.command_id for row in rows_of_copy(tmp_path / "copy")] == ["c1"]


def test_whoever_flushes_waits_neither_for_the_teller_nor_for_whom_it_tells(apart, monkeypatch):
    """The first is being told, which takes a lock that is held by whoever has all stored."""
    steps, lock = Steps(apart, monkeypatch), threading.Lock()
    writer = Writer(apart)

    def tell(done) -> None:
        steps.done.append("waits")
        with lock:
            steps.done.append("told")

    with lock:
        steps.may["c1"] = threading.Event()
        writer.store(one("c1")).add_done_callback(tell)
        steps.wait_for("c1 begun")
        steps.may["c2"] = threading.Event()
        writer.store(one("c2", "B")).add_done_callback(tell)
        steps.may["c1"].set()
        steps.wait_for("waits")  # by the teller, while the second is stored
        steps.may["c2"].set()
        steps.may["c3"] = threading.Event()
        steps.may["c3"].set()
        writer.store(one("c3", "C")).add_done_callback(tell)
        writer.flush()
        assert apart.head("C").position == 1
        assert "told" not in steps.done
    writer.close()
    assert steps.done.count("told") == 3


def test_under_load_all_are_told_in_order_and_are_in_the_copy_once(apart, tmp_path):
    writer = Writer(apart, LogCopy(tmp_path / "copy"))
    told: list[str] = []

    def play(place: str) -> None:
        for n in range(1, 101):
            future = writer.store(one(f"{place} {n}", place, n))
            future.add_done_callback(lambda done, n=n: told.append(f"{place} {n}"))
            if n % 3 == 0:
                future.result(5)
            elif n % 7 == 0:
                writer.flush()

    players = [threading.Thread(target=play, args=(f"T{n}",)) for n in range(8)]
    for each in players:
        each.start()
    for each in players:
        each.join()
    writer.close()
    for n in range(8):
        mine = [each for each in told if each.startswith(f"T{n} ")]
        assert mine == [f"T{n} {m}" for m in range(1, 101)]
    copied = [row.command_id for row in rows_of_copy(tmp_path / "copy")]
    assert len(copied) == len(set(copied)) == 800


def test_an_error_once_does_not_make_another_process_wait_ever_after(apart, monkeypatch):
    """Without a copy there is none to be completed."""
    steps = Steps(apart, monkeypatch)
    writer = Writer(apart)
    with monkeypatch.context() as patch:
        patch.setattr(apart, "append", lambda bundles: 1 / 0)
        assert isinstance(writer.store(one("c0")).exception(5), StorageError)
    give(writer, steps, "c1")
    steps.wait_for("c1 begun")
    give(writer, steps, "c2", "B")
    steps.may["c1"].set()
    steps.wait_for("c1 told")
    assert steps.done == ["c1 begun", "c1 stored", "c2 begun", "c1 told"]
    steps.may["c2"].set()
    writer.close()


def test_flush_waits_for_what_somebody_else_took_of_it(store, monkeypatch):
    """More than one group has gathered; the writer's thread takes the second one."""
    monkeypatch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
    begun, may = threading.Event(), threading.Event()
    second, flushed = threading.Event(), threading.Event()
    real = store.append

    def append(bundles):
        if bundles[0].command_id == "c1":
            begun.set()
            may.wait(5)
        else:
            second.set()
            time.sleep(0.2)
        return real(bundles)

    class Slow(deque):
        """Whoever flushes is slow to look whether anything is left."""

        def __bool__(self) -> bool:
            stores = writer._storing._is_owned()
            if threading.current_thread() is flushing and begun.is_set() and not stores:
                second.wait(2)
            return len(self) > 0

    monkeypatch.setattr(store, "append", append)
    writer = Writer(store)
    writer._tasks = Slow()

    def flush() -> None:
        writer.flush()
        heads.append(store.head("B").position)
        flushed.set()

    heads: list[int] = []
    flushing = threading.Thread(target=flush)
    writer.put(one("c1"), lambda answer: None, wake=False)
    writer.put(one("c2", "B"), lambda answer: None, wake=False)
    flushing.start()
    assert begun.wait(5)
    writer._wake()
    time.sleep(0.05)  # it waits to store
    may.set()
    assert flushed.wait(5)
    assert heads == [1]
    flushing.join()
    writer.close()


@pytest.mark.parametrize("written", [False, True], ids=["before", "after"])
def test_whoever_is_interrupted_in_the_copy_keeps_nothing_from_it(
    store, tmp_path, monkeypatch, written
):
    """Nobody is told before it is in the copy, and it is there once."""
    copy, told = LogCopy(tmp_path / "copy"), []
    writer = Writer(store, copy)
    real = copy.write_bundles

    def interrupted(bundles):
        monkeypatch.setattr(copy, "write_bundles", real)
        if written:
            real(bundles)
        raise KeyboardInterrupt

    monkeypatch.setattr(copy, "write_bundles", interrupted)

    def tell(answer) -> None:
        there = [row.command_id for row in rows_of_copy(tmp_path / "copy")]
        told.append((answer, there))

    writer.put(one("c1"), tell, wake=False)
    with pytest.raises(KeyboardInterrupt):
        writer.flush()
    until = time.monotonic() + 5
    while not told and time.monotonic() < until:
        time.sleep(0.001)
    assert told == [(None, ["c1"])]
    assert writer.store(one("c2", "B")).result(5) is None
    writer.close()
    assert [row.command_id for row in rows_of_copy(tmp_path / "copy")] == ["c1", "c2"]


def test_whoever_is_interrupted_in_the_copy_while_another_process_stores(
    apart, tmp_path, monkeypatch
):
    """What was stored before is told, once it is in the copy; of what was given, only the log
    knows."""
    copy, told = LogCopy(tmp_path / "copy"), []
    writer = Writer(apart, copy)
    real = copy.write_bundles

    def interrupted(bundles):
        monkeypatch.setattr(copy, "write_bundles", real)
        raise KeyboardInterrupt

    def tell(name, answer) -> None:
        there = [row.command_id for row in rows_of_copy(tmp_path / "copy")]
        told.append((name, type(answer), there))

    monkeypatch.setattr(copy, "write_bundles", interrupted)
    monkeypatch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
    for name, place in (("c1", "A"), ("c2", "B")):
        writer.put(one(name, place), partial(tell, name), wake=False)
    with pytest.raises(KeyboardInterrupt):
        writer.flush()  # the second is being stored while the first one comes into the copy
    writer.close()
    assert told == [("c1", type(None), ["c1"]), ("c2", StorageError, ["c1"])]


def test_under_permanent_load_the_copy_is_synced_and_what_was_refused_is_kept(
    store, tmp_path, monkeypatch
):
    """There is something more to store whenever something was told."""
    copy = LogCopy(tmp_path / "copy", sync_seconds=0.05)
    synced, over, told = threading.Event(), threading.Event(), []
    monkeypatch.setattr("croupier.house.refused.SECONDS", 0.05)
    real = copy.sync
    monkeypatch.setattr(copy, "sync", lambda: (real(), synced.set()))
    writer = Writer(store, copy)

    def tell(place, n, answer) -> None:
        told.append((answer, place))
        if not over.is_set():
            writer.put(one(f"{place}{n + 1}", place, n + 1), partial(tell, place, n + 1))

    for place in "ABC":
        writer.put(one(f"{place}1", place), partial(tell, place, 1))
    writer.put_refused(refused("r1"))
    was_synced = synced.wait(3)
    until = time.monotonic() + 3
    kept = list(store.refused())
    while not kept and time.monotonic() < until:
        time.sleep(0.01)
        kept = list(store.refused())
    over.set()
    writer.close()
    assert was_synced
    assert kept
    assert not any(answer for answer, _ in told)


def test_a_copy_that_is_made_anew_has_what_was_stored_and_not_told_once(
    apart, tmp_path, monkeypatch
):
    copy = LogCopy(tmp_path / "copy")
    monkeypatch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
    writer = Writer(apart, copy)
    for name, place in (("c1", "A"), ("c2", "B")):
        writer.put(one(name, place), lambda answer: None, wake=False)
    writer._write()  # the first one; the second one waits
    assert apart.head("A").position == 1
    assert list(rows_of_copy(tmp_path / "copy")) == []
    writer.renew_copy()
    writer.flush()
    writer.close()
    assert sorted(row.command_id for row in rows_of_copy(tmp_path / "copy")) == ["c1", "c2"]


@pytest.mark.parametrize("why", ["behind", "unsure"])
def test_a_copy_is_completed_from_the_log_while_nothing_is_stored(
    apart, tmp_path, monkeypatch, why
):
    """Before the next group is given, although that waits already."""
    copy = LogCopy(tmp_path / "copy")
    steps = Steps(apart, monkeypatch)
    writer = Writer(apart, copy)
    with monkeypatch.context() as patch:
        broken, name = (copy, "write_bundles") if why == "behind" else (apart, "append")
        patch.setattr(broken, name, lambda bundles: 1 / 0)
        steps.may["c0"] = threading.Event()
        steps.may["c0"].set()
        writer.store(one("c0", "Z")).exception(5)
    writer._tried -= 10
    real = copy.catch_up
    monkeypatch.setattr(copy, "catch_up", lambda store: (steps.done.append("whole"), real(store)))
    give(writer, steps, "c1")
    steps.wait_for("c1 begun")
    give(writer, steps, "c2", "B")
    steps.may["c1"].set()
    steps.may["c2"].set()
    steps.wait_for("c2 told")
    writer.close()
    assert steps.done.index("c1 stored") < steps.done.index("whole") < steps.done.index("c2 begun")


def test_a_copy_is_not_completed_while_bundles_are_stored_one_by_one(apart, tmp_path, monkeypatch):
    """The group broke the store, so that nobody knows what of it is in the log; the one before it
    is not in the copy yet."""
    copy, done = LogCopy(tmp_path / "copy"), []
    real, catch_up = apart.append, copy.catch_up

    def append(bundles):
        if len(bundles) > 1:
            raise RuntimeError("it breaks")
        done.append(f"{bundles[0].command_id} begun")
        answers = real(bundles)
        done.append(f"{bundles[0].command_id} stored")
        return answers

    writer = Writer(apart, copy)
    monkeypatch.setattr(apart, "append", append)
    monkeypatch.setattr(copy, "catch_up", lambda store: (done.append("whole"), catch_up(store)))
    with writer._storing:
        with monkeypatch.context() as patch:
            patch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
            for name, place in (("c1", "A"), ("c2", "B"), ("c3", "C")):
                writer.put(one(name, place), lambda answer: None, wake=False)
            writer._write()
        writer.flush()
    writer.close()
    first, *others = done
    assert (first, others[0]) == ("c1 begun", "c1 stored")
    assert others[1:] == ["c2 begun", "c2 stored", "c3 begun", "c3 stored", "whole"]
    assert sorted(row.command_id for row in rows_of_copy(tmp_path / "copy")) == ["c1", "c2", "c3"]


def test_what_is_stored_and_not_told_is_told_though_nothing_more_comes(apart, monkeypatch):
    """Whoever took what was left was interrupted before he could store it."""
    told: list[str] = []
    monkeypatch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
    writer = Writer(apart)
    with writer._storing:
        for name, place in (("c1", "A"), ("c2", "B")):
            tell = partial(lambda name, answer: told.append(name), name)
            writer.put(one(name, place), tell, wake=False)
        writer._write()
        assert not writer._answers
        writer._tasks.clear()
        writer.flush()
    writer.close()
    assert told == ["c1"]


def test_several_that_have_gathered_are_stored_apart_also_by_whoever_settles(apart, monkeypatch):
    """Storing many is work, and that is what the other process is for."""
    groups: list[tuple[str, int]] = []
    for way in ("append", "append_here"):

        def noted(bundles, way=way):
            groups.append((way, len(bundles)))
            return Store.append(apart, bundles)

        monkeypatch.setattr(apart, way, noted)
    writer = Writer(apart)
    for name, place in (("c1", "A"), ("c2", "B")):
        writer.put(one(name, place), lambda answer: None, wake=False)
    writer.settle()
    writer.put(one("c3", "C"), lambda answer: None, wake=False)
    writer.settle()
    writer.close()
    assert groups == [("append", 2), ("append_here", 1)]


def test_whoever_is_interrupted_while_he_settles_leaves_nobody_waiting(
    store, tmp_path, monkeypatch
):
    """The thread has nothing to do for a while, and is woken for what was stored."""
    copy = LogCopy(tmp_path / "copy", sync_seconds=60)
    writer = Writer(store, copy)
    assert writer.store(one("c1")).result(5) is None
    real, told = copy.write_bundles, threading.Event()

    def interrupted(bundles):
        monkeypatch.setattr(copy, "write_bundles", real)
        raise KeyboardInterrupt

    until = time.monotonic() + 5
    while writer._without_clock and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(0.05)  # the thread waits to be woken
    monkeypatch.setattr(copy, "write_bundles", interrupted)
    writer.put(one("c2", "B"), lambda answer: told.set(), wake=False)
    with pytest.raises(KeyboardInterrupt):
        writer.settle()
    assert told.wait(5)
    writer.close()


def test_under_permanent_load_nobody_looks_at_the_files_of_the_copy_after_every_group(
    store, tmp_path, monkeypatch
):
    """There is nothing to be synced where it cannot be written."""
    copy, looks, over = LogCopy(tmp_path / "copy"), [], threading.Event()
    monkeypatch.setattr(copy, "write_bundles", lambda bundles: 1 / 0)
    monkeypatch.setattr("croupier.house.writer.TRY_AGAIN_SECONDS", 60)
    real = copy.look
    monkeypatch.setattr(copy, "look", lambda: (looks.append(1), real())[1])
    writer = Writer(store, copy)

    def tell(n, answer) -> None:
        if n < 30:
            writer.put(one(f"c{n + 1}", "A", n + 1), partial(tell, n + 1))
        else:
            over.set()

    writer.put(one("c1"), partial(tell, 1))
    assert over.wait(5)
    writer.close()
    assert writer.groups == 30
    assert len(looks) < 10


# -- the next group, sent while one is stored ----------------------------------------------------


def test_what_gathers_while_a_group_is_stored_is_sent_behind_it_once_it_is_enough(
    ahead, monkeypatch
):
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_LEAST", 2)
    sent, stored, names = [], [], iter(range(1, 100))
    real, send = ahead.append, ahead.send_ahead

    def put(count: int) -> None:
        for n in range(count):
            writer.put(one(f"c{next(names)}", f"T{n}", heads[n]), lambda answer: None, wake=False)
            heads[n] += 1

    def append(bundles):
        stored.append([bundle.command_id for bundle in bundles])
        answers = real(bundles)
        if len(stored) == 1:  # of four: three are three quarters, the fourth is late
            put(4)
        return answers

    heads = [1] * 4
    writer = Writer(ahead)
    monkeypatch.setattr(ahead, "append", append)
    monkeypatch.setattr(
        ahead, "send_ahead", lambda b, **how: (sent.append(len(b)), send(b, **how))[1]
    )
    with writer._storing:
        put(4)
        writer._write(ahead=5)
    writer.flush()
    writer.close()
    assert sent == [3]
    assert stored == [["c1", "c2", "c3", "c4"], ["c5", "c6", "c7"], ["c8"]]


def test_whoever_flushes_does_not_wait_for_all_that_follows(ahead, monkeypatch):
    """Groups follow each other without end where there is always one more to be sent."""
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_MOST", 10**9)
    over, many, futures = threading.Event(), threading.Event(), []
    real = ahead.append

    def append(bundles):
        answers = real(bundles)
        if threading.current_thread().name == "house-writer" and not over.is_set():
            futures.append(writer.store(one(f"c{len(futures) + 1}", "A", len(futures) + 1)))
        if ahead.sent >= 20:
            many.set()
        return answers

    monkeypatch.setattr(ahead, "append", append)
    writer = Writer(ahead)
    writer.store(one("first", "B"))
    follow = many.wait(10)
    flushing = threading.Thread(target=writer.flush)
    flushing.start()
    flushing.join(5)
    has_ended = not flushing.is_alive()
    over.set()
    writer.close()
    assert (follow, has_ended) == (True, True)
    assert all(future.exception() is None for future in futures)


def test_whoever_is_interrupted_leaves_no_group_that_was_sent_ahead(ahead, monkeypatch):
    """Its bundles have an answer; another group is no answer to it."""
    told = {}

    def boundary(name: str) -> None:
        if name == "before the group" and ahead.next is not None:
            raise KeyboardInterrupt

    writer = Writer(ahead, boundary=boundary)
    with writer._storing, monkeypatch.context() as patch:
        patch.setattr("croupier.house.writer.GROUP_AT_MOST", 1)
        for name in "ABC":
            tell = partial(told.setdefault, name)
            writer.put(one(name, name), tell, wake=False)
        with pytest.raises(KeyboardInterrupt):
            writer._write(ahead=5)
        assert ahead.next is None
        writer.flush()
    writer.close()
    assert told["A"] is None
    assert isinstance(told["B"], StorageError), "only the log tells"
    assert told["C"] is None


def test_a_group_that_could_not_be_sent_ahead_waits_in_its_order(ahead, monkeypatch):
    monkeypatch.setattr("croupier.house.writer.GROUP_AT_MOST", 5)
    tried, told = [], []
    monkeypatch.setattr(
        ahead, "send_ahead", lambda bundles, behind: bool(tried.append(len(bundles)))
    )
    writer = Writer(ahead)
    with writer._storing:
        for n in range(1, 21):
            tell = partial(lambda n, answer: told.append((n, answer)), n)
            writer.put(one(f"c{n}", "A", n), tell, wake=False)
        writer._write(ahead=5)
    writer.flush()
    writer.close()
    assert tried[0] == 5
    assert told == [(n, None) for n in range(1, 21)]


def test_groups_follow_each_other_no_longer_than_the_copy_waits_to_be_synced(
    ahead, monkeypatch, tmp_path
):
    """However slow the disk is: a row of the copy is synced within a second."""
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_MOST", 10**9)
    numbers, real, over = iter(range(1, 10**9)), ahead.append, threading.Event()
    copy = LogCopy(tmp_path / "copy", sync_seconds=0.1)
    syncs, sync = threading.Semaphore(0), copy.sync

    def append(bundles):
        time.sleep(0.005)
        answers = real(bundles)
        if not over.is_set():
            number = next(numbers)
            writer.put(one(f"c{number}", "A", number), lambda answer: None)
        return answers

    monkeypatch.setattr(ahead, "append", append)
    monkeypatch.setattr(copy, "sync", lambda: (sync(), syncs.release())[0])
    writer = Writer(ahead, copy)
    writer.store(one("first", "B"))
    synced = [syncs.acquire(timeout=5) for _ in range(3)]
    over.set()
    writer.close()
    assert synced == [True] * 3
    assert ahead.sent > 20
