"""Storage in a process of its own: it keeps the contract of a store, and its end loses nothing."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from croupier.house import errors, storage_process
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.casino import Casino
from croupier.house.copies import kept_openings, kept_secrets
from croupier.house.copy import LogCopy
from croupier.house.copy_reading import rows_of_copy
from croupier.house.errors import (
    Conflict,
    Malformed,
    OwnedElsewhere,
    StorageError,
    Unbalanced,
)
from croupier.house.office.commands import OpenAccount
from croupier.house.ownership import lock_storage
from croupier.house.records import Opening, Secret, Snapshot
from croupier.house.sqlite import SqliteDatabase
from croupier.house.storage_process import Failure, StorageProcess
from croupier.house.store import Store
from croupier.house.vault import NoKey
from croupier.house.writer import Writer
from tests.house.contract import (
    StoreContract,
    chain_is_whole,
    moving,
    one,
    ordered,
    row,
)
from tests.house.crash_child import Job
from tests.house.kills import Nursery, Remains
from tests.house.storage_model import Both, send_ahead

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "house.db"


@pytest.fixture
def store(file):
    made = StorageProcess(SqliteDatabase(file))
    yield made
    made.close()


@pytest.mark.slow
class TestContract(StoreContract):
    """The whole contract, each test with a process of its own."""

    @pytest.fixture
    def url(self, sqlite_url):
        return sqlite_url

    @pytest.fixture
    def store(self, url):
        made = StorageProcess(SqliteDatabase(url.removeprefix("sqlite:///")))
        yield made
        made.close()

    # Of a server's connection, in this process; a file has none.
    test_a_commit_that_was_lost_with_the_connection_never_happened = None


def test_a_bundle_is_given_what_it_was_stored_with(store, file):
    given = ordered("c1", row("A", 1, "c1"), row("A", 2, "c1"), row("B", 1, "c1"))
    given.secrets = [Secret(name="Ann", kind="password", secret="hash")]
    given.openings = [Opening(shuffle="s1", stream="A", seed=b"seed")]
    assert store.append([one("c0", "C"), given]) == [None, None]
    assert given.order.number == 1
    assert list(store.rows("A")) == given.rows[:2]
    assert given.rows[0].order
    assert chain_is_whole(store, "A")
    assert given.secrets[0].secret.startswith("sealed1:")
    assert given.openings[0].seed.startswith(b"sealed1")
    beside = Store(SqliteDatabase(file))
    assert [each.secret for each in beside.secrets()] == ["hash"]
    beside.close()


def test_what_is_turned_away_has_its_own_error_and_the_others_are_stored(store):
    poor = moving("c2", 1, "player/Ann", "player/Bob", 1)
    answers = store.append([one("c1", "C"), poor, one("c3", "B", 5), one("c4", "D")])
    assert [type(each) for each in answers] == [type(None), Unbalanced, Conflict, type(None)]
    assert "player/Ann" in str(answers[1])
    assert store.streams() == ["C", "D"]


def test_generations_that_were_turned_away_are_known_on_both_sides(store):
    lost = one("c1", "A", 7, generations={"A": 3})
    store.append([lost])
    assert store.turned_away({"A": 3, "B": 1}) == {"A": 3}
    [again] = store.append([one("c2", "A", 1, generations={"A": 3})])
    assert isinstance(again, Conflict)
    os.kill(store.process_id, signal.SIGKILL)
    [after] = store.append([one("c3", "A", 1, generations={"A": 3})])
    assert isinstance(after, Conflict), "the next process must know it too"
    assert store.append([one("c4", "A", 1, generations={"A": 4})]) == [None]


def test_bundles_that_are_stored_here_and_there_by_turns_are_one_log(store):
    """As whoever gives a command alone stores it, between groups of the other process."""
    for n in range(1, 21):
        append = store.append_here if n % 3 else store.append
        assert append([one(f"c{n}", "A", n)]) == [None]
        if n == 10:
            os.kill(store.process_id, signal.SIGKILL)
    assert chain_is_whole(store, "A")
    assert store.head("A").position == 20
    assert store.restarts == 1
    [again] = store.append_here([one("c7", "A", 21)])
    assert isinstance(again, Conflict)


def test_money_that_is_moved_here_and_there_is_counted_once(store):
    store.append([moving("c1", 1, "cash", "player/Ann", 5)])
    assert store.append_here([moving("c2", 2, "player/Ann", "player/Bob", 3)]) == [None]
    [poor] = store.append([moving("c3", 3, "player/Ann", "player/Bob", 3)])
    assert isinstance(poor, Unbalanced)
    [poor] = store.append_here([moving("c4", 3, "player/Ann", "player/Bob", 3)])
    assert isinstance(poor, Unbalanced)
    assert (store.balance("player/Ann"), store.balance("player/Bob")) == (2, 3)


def test_what_was_turned_away_here_is_known_to_the_other_process(store):
    assert isinstance(store.append_here([one("c1", "A", 7, generations={"A": 3})])[0], Conflict)
    [after] = store.append([one("c2", "A", 1, generations={"A": 3})])
    assert isinstance(after, Conflict)
    assert isinstance(store.append([one("c3", "B", 7, generations={"B": 4})])[0], Conflict)
    [after] = store.append_here([one("c4", "B", 1, generations={"B": 4})])
    assert isinstance(after, Conflict)


def test_the_interpreter_is_had_back_soon_when_the_other_process_has_answered(file):
    before = sys.getswitchinterval()
    try:
        for usual, then in ((0.005, storage_process.SWITCH_SECONDS), (0.0002, 0.0002)):
            sys.setswitchinterval(usual)
            StorageProcess(SqliteDatabase(file)).close()
            assert sys.getswitchinterval() == pytest.approx(then, rel=0.01)
    finally:
        sys.setswitchinterval(before)


def test_nothing_is_stored_here_after_the_end(file):
    store = StorageProcess(SqliteDatabase(file))
    store.close()
    with pytest.raises(StorageError, match="closed"):
        store.append_here([one("c1")])


def test_what_is_stored_here_does_not_make_the_write_ahead_log_grow_for_ever(store, file):
    for n in range(1, 40):
        bundle = one(f"c{n}", "A", n)
        bundle.rows[0].event = b'"%s"' % (b"x" * 600_000)
        store.append_here([bundle])
    assert file.with_name(f"{file.name}-wal").stat().st_size < 16 * 2**20


def test_what_was_turned_away_before_it_was_given_is_known_on_both_sides(store):
    """What no message can hold, and what the other process cannot read."""
    for place, spoil in (("A", "\ud800"), ("B", 7)):
        bad = one(f"bad {place}", place, generations={place: 3})
        bad.rows[0].who = spoil
        assert isinstance(store.append([bad])[0], Malformed)
    assert isinstance(store.append([one("late", "C", 7, generations={"C": 3})])[0], Conflict)
    assert store.turned_away({"A": 3, "B": 3, "C": 3}) == {"A": 3, "B": 3, "C": 3}
    for place in ("A", "B"):
        [on_top] = store.append([one(f"on {place}", place, generations={place: 3})])
        assert isinstance(on_top, Conflict)


def test_a_new_process_knows_what_was_turned_away_though_it_cannot_read_its_first_group(store):
    store.append([one("c1", "A", 7, generations={"A": 3})])
    os.kill(store.process_id, signal.SIGKILL)
    bad = one("bad", "B")
    bad.rows[0].who = 7
    assert isinstance(store.append([bad])[0], Malformed)
    [on_top] = store.append([one("c2", "A", 1, generations={"A": 3})])
    assert isinstance(on_top, Conflict)


@pytest.mark.parametrize("spoil", ["\ud800", 7])
def test_a_new_process_knows_what_was_turned_away_though_its_first_group_is_given_in_parts(
    store, spoil
):
    """What came with a group that nobody could write or read was not heard."""
    store.append([one("c1", "A", 7, generations={"A": 3})])
    os.kill(store.process_id, signal.SIGKILL)
    bad = one("bad", "B")
    bad.rows[0].who = spoil
    on_top, wrong = store.append([one("c2", "A", 1, generations={"A": 3}), bad])
    assert isinstance(on_top, Conflict)
    assert isinstance(wrong, Malformed)


def test_what_cannot_be_written_at_all_is_turned_away_alone(store):
    bad, fine = store.append([one("c1", "\ud800"), one("c2")])
    assert isinstance(bad, Malformed)
    assert "cannot be written" in str(bad)
    assert fine is None


def test_a_process_that_is_killed_is_started_again_and_nothing_is_lost(store, caplog):
    assert store.append([one("c1")]) == [None]
    before = store.process_id
    os.kill(before, signal.SIGKILL)
    assert store.append([one("c2", "A", 2)]) == [None]
    assert store.process_id != before
    assert store.restarts == 1
    assert "another one is started" in caplog.text
    assert [each.command_id for each in store.rows("A")] == ["c1", "c2"]


def test_a_group_that_waits_while_the_process_is_killed_is_stored_by_the_next(store):
    os.kill(store.process_id, signal.SIGSTOP)
    answers = []
    waiting = threading.Thread(target=lambda: answers.extend(store.append([one("c1")])))
    waiting.start()
    time.sleep(0.1)
    assert not answers
    os.kill(store.process_id, signal.SIGKILL)
    waiting.join(30)
    assert answers == [None]
    assert [each.command_id for each in store.rows("A")] == ["c1"]


def _children_but(store):
    """How to find the processes of this one, and those that have nothing to do with the store."""

    def children():
        return set(psutil.Process().children())

    return children, {each for each in children() if each.pid != store.process_id}


def test_a_process_that_ends_again_and_again_is_an_error(store, monkeypatch):
    def unwilling(stream, told=storage_process.receive):
        found = told(stream)
        if found == storage_process.READY:  # it was there: before it is given anything, it is gone
            for child in children() - others:
                child.kill()
                child.wait()
        return found

    children, others = _children_but(store)
    os.kill(store.process_id, signal.SIGKILL)
    monkeypatch.setattr(storage_process, "receive", unwilling)
    with pytest.raises(StorageError, match="again and again"):
        store.append([one("c1", generations={"A": 1})])
    assert store.turned_away({"A": 1}) == {"A": 1}
    monkeypatch.undo()
    assert store.append([one("c1", generations={"A": 2})]) == [None]


def test_a_process_that_could_not_be_started_is_started_with_the_next_group(
    store, monkeypatch, caplog
):
    os.kill(store.process_id, signal.SIGKILL)
    with monkeypatch.context() as patch:

        def no_room(*command, **how):
            raise OSError(24, "Too many open files")

        patch.setattr(subprocess, "Popen", no_room)
        for _ in range(2):
            with pytest.raises(StorageError, match="Too many open files"):
                store.append([one("c1")])
    assert caplog.text.count("Too many open files") == 1, "the operator is told, once"
    assert store.append([one("c1")]) == [None]


def test_whoever_is_interrupted_leaves_no_reply_for_the_next_group(store, monkeypatch):
    """Else the next group would be acknowledged by what became of this one."""

    def interrupted(stream):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(storage_process, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append([one("c1")])
    length = store.count_rows()
    assert isinstance(store.append([one("c2", "B", 9)])[0], Conflict)
    assert store.streams() == ["A"] * length
    time.sleep(0.1)
    assert store.count_rows() == length, "nothing comes behind whoever was interrupted"


# -- a reply that was lost with its process ------------------------------------------------------


@pytest.fixture
def lose_reply(monkeypatch):
    """Let the next group be stored, and its process end before the reply is heard."""

    def lose():
        lost = iter([True])

        def receive(stream, told=storage_process.receive):
            found = told(stream)
            return None if found and next(lost, False) else found

        monkeypatch.setattr(storage_process, "receive", receive)

    return lose


def test_an_answer_that_was_lost_with_its_process_is_found_in_the_log(file, lose_reply):
    """It was stored, then the process ended: the command has one effect, and its answer."""
    casino = Casino.open(f"sqlite:///{file}", storage_process=True)
    told = []
    casino.house.listen(lambda answer: told.append(answer.command_id))
    lose_reply()
    answer = casino.tell(OpenAccount(player="Ann"), command_id="open-Ann")
    assert casino.house.store.restarts == 1
    assert answer.refused is None
    assert told == ["open-Ann"], "whoever listens hears it too"
    assert "Ann" in casino.office.state.people
    events = [each for each in casino.house.reader.rows("office") if b'"Ann"' in each.event]
    assert len(events) == 1
    casino.close()


def test_a_group_whose_reply_was_lost_has_what_it_was_stored_with(store, lose_reply):
    lose_reply()
    given = ordered("c1", row("A", 1, "c1"), row("B", 1, "c1"), row("A", 2, "c1"))
    given.secrets = [Secret(name="Ann", kind="password", secret="hash")]
    given.openings = [Opening(shuffle="s1", stream="A", seed=b"seed")]
    to_nothing = ordered("c2")
    assert store.append([one("c0", "C"), given, to_nothing]) == [None] * 3
    assert store.restarts == 1
    assert [given.order.number, to_nothing.order.number] == [1, 4]
    stored = {(each.stream, each.position): each for each in store.answer_of("c1")}
    assert given.rows == [stored["A", 1], stored["B", 1], stored["A", 2]]
    assert given.rows[0].order
    assert given.rows[0].digest
    assert [each.secret for each in given.secrets] == [s for _, _, s in kept_secrets(store)]
    assert [(o.shuffle, o.stream, o.seed) for o in given.openings] == [*kept_openings(store)]
    assert given.openings[0].seed.startswith(b"sealed1")


def test_of_a_group_whose_reply_was_lost_nothing_is_stored_that_was_turned_away(store, lose_reply):
    """Also where it would be taken now: what came behind it in the group has paid for it."""
    lose_reply()
    poor = moving("c1", 1, "player/Ann", "player/Bob", 1)
    poor.generations = {"A": 1}
    pays = moving("c2", 1, "cash", "player/Ann", 1, place="B")
    answers = store.append([poor, pays])
    assert [type(each) for each in answers] == [Conflict, type(None)]
    assert store.streams() == ["B"]
    assert store.turned_away({"A": 1}) == {"A": 1}
    on_top = one("c3", generations={"A": 1})
    assert isinstance(store.append([on_top])[0], Conflict), "the next process knows it too"


def test_an_id_that_was_there_before_is_no_sign_that_a_group_was_stored(store, lose_reply):
    assert store.append([ordered("c1", row("A", 1, "c1"))]) == [None]
    lose_reply()
    again = ordered("c1", row("A", 2, "c1"))
    assert isinstance(store.append([again])[0], Conflict)
    assert store.head("A").position == 1


def test_the_copy_gets_what_was_stored_though_the_reply_was_lost(store, lose_reply, tmp_path):
    writer = Writer(store, LogCopy(tmp_path / "copy"))
    assert writer.store(ordered("c1", row("A", 1, "c1"))).result() is None
    lose_reply()
    assert writer.store(ordered("c2", row("A", 2, "c2"))).result() is None
    assert writer.store(ordered("c3", row("A", 3, "c3"))).result() is None
    assert store.restarts == 1
    copied = list(rows_of_copy(tmp_path / "copy"))
    writer.close()
    assert copied == list(store.rows("A"))


def test_however_often_it_is_killed_all_is_stored_once_and_copied(store, tmp_path):
    """At moments of chance, also while it starts."""
    chance, over = random.Random(8), threading.Event()
    children, others = _children_but(store)

    def kill():
        while not over.wait(chance.uniform(0.0, 1.5)):
            for child in children() - others:
                with suppress(psutil.NoSuchProcess):
                    child.kill()

    writer = Writer(store, LogCopy(tmp_path / "copy"))
    killing = threading.Thread(target=kill)
    killing.start()
    acknowledged, number = [], 0
    while store.restarts < 5:
        number += 1
        place = f"T{number % 7}"
        made = ordered(f"c{number}", row(place, store.head(place).position + 1, f"c{number}"))
        if writer.store(made).exception() is None:
            acknowledged.append(made.command_id)
    over.set()
    killing.join()
    writer.close()
    stored = [each for place in store.streams() for each in store.rows(place)]
    ids = [each.command_id for each in stored]
    assert len(ids) == len(set(ids))
    assert set(acknowledged) <= set(ids)
    assert all(chain_is_whole(store, place) for place in store.streams())
    copied = {each.digest for each in rows_of_copy(tmp_path / "copy")}
    LogCopy(tmp_path / "copy").catch_up(store)
    assert {each.digest for each in stored if each.command_id in acknowledged} <= copied


# -- how it is started, and how it ends ------------------------------------------------------------


def test_a_process_that_is_stopped_is_ended_and_another_one_stores(file, monkeypatch, caplog):
    """Nobody waits for ever."""
    monkeypatch.setattr(storage_process, "LOOK_SECONDS", 0.1)
    made = StorageProcess(SqliteDatabase(file))
    monkeypatch.setattr(storage_process, "ANSWERS_WITHIN", 0.2)
    os.kill(made.process_id, signal.SIGSTOP)

    def patient(*told, **how):  # the next one may take its time
        monkeypatch.setattr(storage_process, "ANSWERS_WITHIN", 60.0)
        return real(*told, **how)

    real = made._start
    monkeypatch.setattr(made, "_start", patient)
    assert made.append([one("c1")]) == [None]
    assert made.restarts == 1
    assert "has not answered" in caplog.text
    made.close()


def test_a_signal_for_the_server_that_comes_while_it_starts_does_not_end_it(file, monkeypatch):
    real = subprocess.Popen

    def signalled(*command, **how):
        process = real(*command, **how)
        for each in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(each)
        return process

    monkeypatch.setattr(subprocess, "Popen", signalled)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    made = StorageProcess(SqliteDatabase(file))
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert made.append([one("c1")]) == [None]
    made.close()


def test_a_file_where_the_server_was_started_stands_in_for_no_module(file, tmp_path, monkeypatch):
    (tmp_path / "msgspec.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    made = StorageProcess(SqliteDatabase(file))
    assert made.append([one("c1")]) == [None]
    made.close()


def test_a_process_of_another_version_stores_nothing(store, monkeypatch):
    monkeypatch.setattr(storage_process, "__version__", "0.1")
    os.kill(store.process_id, signal.SIGKILL)
    with pytest.raises(StorageError, match=r"installed under a server of 0\.1: start it anew"):
        store.append([one("c1")])


def test_by_a_link_the_key_is_the_one_beside_the_link_and_the_lock_is_the_files(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    Store(SqliteDatabase(tmp_path / "elsewhere" / "house.db")).close()
    file = tmp_path / "house.db"
    file.symlink_to(tmp_path / "elsewhere" / "house.db")
    made = StorageProcess(SqliteDatabase(file))
    made.check_key()
    given = one("c1", secrets=[Secret(name="Ann", kind="password", secret="hash")])
    assert made.append([given]) == [None]
    assert [each.secret for each in made.secrets()] == ["hash"]
    for name in (file, tmp_path / "elsewhere" / "house.db"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("croupier.house.ownership.STORAGE_WAIT", 0.0)
            with pytest.raises(OwnedElsewhere):
                lock_storage(name)
    made.close()


def test_its_lock_is_its_owners_alone(store, file):
    lock = file.with_name("house.db.storage-lock")
    assert lock.stat().st_mode & 0o777 == 0o600


ERRORS = [each for each in vars(errors).values() if isinstance(each, type)]


@pytest.mark.parametrize("kind", [*ERRORS, NoKey, ArchiveDamaged])
def test_every_error_keeps_its_class_and_its_sentence(kind):
    """Also those that are not in `croupier.house.errors`, such as a key that is not there."""
    told = Failure.of(kind("what it says")).error()
    assert type(told) is kind
    assert str(told) == "what it says"


def test_a_key_that_cannot_be_read_is_told_as_that(store, file):
    store.check_key()
    file.with_name("house.db.secrets-key").chmod(0o644)
    given = one("c1", secrets=[Secret(name="Ann", kind="password", secret="hash")])
    with pytest.raises(NoKey, match="can be read by others"):
        store.append([given])


def test_signals_for_the_server_do_not_end_it(store):
    for each in (signal.SIGINT, signal.SIGTERM):
        os.kill(store.process_id, each)
    time.sleep(0.1)
    before = store.process_id
    assert store.append([one("c1")]) == [None]
    assert store.process_id == before


def test_it_ends_with_its_house(file):
    store = StorageProcess(SqliteDatabase(file))
    process = psutil.Process(store.process_id)
    store.close()
    assert not process.is_running()


def _has_ended(process):
    """Whether a process is over, though nobody may have asked how it ended."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


SERVER = """
import sys, time
from croupier.house.sqlite import SqliteDatabase
from croupier.house.storage_process import StorageProcess
store = StorageProcess(SqliteDatabase(sys.argv[1]))
print(store.process_id, flush=True)
time.sleep(600)
"""


def test_it_ends_when_its_house_is_killed_and_whoever_comes_next_waits_for_that(file):
    house = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(file)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    assert house.stdout is not None
    process = psutil.Process(int(house.stdout.readline()))
    process.suspend()
    house.kill()
    house.wait()
    house.stdout.close()
    opened = []
    waiting = threading.Thread(target=lambda: opened.append(Casino.open(f"sqlite:///{file}")))
    waiting.start()
    time.sleep(0.3)
    assert not opened, "the last group of the one before may still come"
    process.resume()
    waiting.join(30)
    assert _has_ended(process)
    opened[0].close()


def test_whoever_waits_too_long_is_told(file, monkeypatch):
    monkeypatch.setattr("croupier.house.ownership.STORAGE_WAIT", 0.05)
    held = lock_storage(file)
    with pytest.raises(OwnedElsewhere, match="still stores to"):
        lock_storage(file)
    os.close(held)
    os.close(lock_storage(file))


@pytest.fixture(scope="module")
def nursery():
    made = Nursery()
    yield made
    made.close()


@pytest.mark.parametrize("boundary", ["before the copy", "after the answers", "at random"])
def test_a_house_that_is_killed_beside_it_keeps_what_it_acknowledged(nursery, tmp_path, boundary):
    """At the steps of the writer that are left in the House, and at moments of chance."""
    chance = random.Random(boundary)
    url = f"sqlite:///{tmp_path / 'house.db'}"
    for life in (1, 2):
        at_a_step = {"boundary": boundary, "times": chance.randint(1, 12)}
        at_random = {"seconds": chance.uniform(0.01, 0.2)}
        how = at_random if boundary == "at random" else at_a_step
        job = Job(url=url, folder=str(tmp_path), life=life, apart=True, **how)
        assert nursery.live(job) == signal.SIGKILL
        os.close(lock_storage(tmp_path / "house.db"))
        Remains(url, tmp_path).check()


# -- what is done in both processes ----------------------------------------------------------------


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_whatever_is_stored_here_and_there_in_whatever_order_is_one_log(store, seed):
    """Neither process knows a head, a balance or what was turned away as it was before."""
    both = Both(store, seed)
    for _ in range(200):
        both.group()
        if both.chance.random() < 0.2:
            both.beside()
    both.compare()
    assert len(both.ids) > 80
    assert both.sent > 20
    assert store.restarts > 0


def test_what_could_not_be_stored_here_is_turned_away_with_all_that_was_told_after_it(
    store, monkeypatch
):
    """Whoever is interrupted while he waits for the other process to end."""

    def interrupted():
        raise KeyboardInterrupt

    store._in_step = False
    with monkeypatch.context() as patch:
        patch.setattr(store, "_give_up", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append_here([one("c1", generations={"A": 3})])
    [after] = store.append_here([one("c2", generations={"A": 3})])
    assert isinstance(after, Conflict)
    [after] = store.append([one("c3", generations={"A": 3})])
    assert isinstance(after, Conflict)


def test_nothing_is_stored_here_beside_a_process_that_may_still_be_storing(store, monkeypatch):
    """Whoever was interrupted twice has left it out of step."""

    def interrupted(*told):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(storage_process, "receive", interrupted)
        patch.setattr(store, "_give_up", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.append([one("c1")])
    process = store._process
    assert process.poll() is None
    assert store.append_here([one("c2", "B")]) == [None]
    assert process.poll() is not None
    assert store.restarts == 1


def test_what_is_stored_is_told_while_another_process_is_started(store, monkeypatch):
    """That takes a while, and the group before it has nothing to do with it."""
    done: list[str] = []
    store.append([one("c1")])
    store.meanwhile = lambda: done.append("told")
    start = store._start
    monkeypatch.setattr(store, "_start", lambda: (done.append("started"), start())[1])
    store._process.kill()
    store._process.wait()
    assert store.append([one("c2", "B")]) == [None]
    assert done == ["told", "started", "told"]


def test_what_is_stored_is_told_while_the_process_stands_still(store, tmp_path):
    """It was stopped, or hangs, with the next group."""
    told: dict[str, threading.Event] = {name: threading.Event() for name in ("c1", "c2")}
    groups = iter(["c1", "c2"])

    def boundary(name: str) -> None:
        if name == "before the group" and next(groups) == "c2":
            os.kill(process, signal.SIGSTOP)

    def append(bundles, real=store.append):
        answers = real(bundles)
        if bundles[0].command_id == "c1":  # there is more to store when it is stored
            writer.put(one("c2", "B"), lambda answer: told["c2"].set())
        return answers

    process = store.process_id
    store.append = append
    writer = Writer(store, LogCopy(tmp_path / "copy"), boundary=boundary)
    writer.put(one("c1"), lambda answer: told["c1"].set())
    was_told = told["c1"].wait(5), told["c2"].is_set()
    os.kill(process, signal.SIGCONT)
    assert was_told == (True, False)
    assert told["c2"].wait(5)
    assert store.restarts == 0
    writer.close()


def test_a_process_is_not_ended_for_what_takes_long_here(file, monkeypatch):
    """The disk of the copy may stand still; the other process has answered long ago."""
    monkeypatch.setattr(storage_process, "LOOK_SECONDS", 0.05)
    made = StorageProcess(SqliteDatabase(file))
    monkeypatch.setattr(storage_process, "ANSWERS_WITHIN", 0.5)
    made.meanwhile = lambda: time.sleep(1.0)
    assert made.append([one("c1")]) == [None]
    assert made._process.poll() is None
    made.meanwhile = lambda: None
    monkeypatch.setattr(storage_process, "ANSWERS_WITHIN", 60.0)
    assert made.append([one("c2", "B")]) == [None]
    assert made.restarts == 0
    made.close()


def test_what_is_to_be_done_meanwhile_is_done_while_the_other_process_stores(store, file):
    """It has the group by then: it does not wait for it to be done."""
    beside, found = Store(SqliteDatabase(file)), []

    def meanwhile() -> None:
        until = time.monotonic() + 5
        while not beside.head("A").position and time.monotonic() < until:
            time.sleep(0.001)
        found.append(beside.head("A").position)

    store.meanwhile = meanwhile
    assert store.append([one("c1")]) == [None]
    assert found == [1]
    beside.close()


def test_whoever_is_interrupted_meanwhile_leaves_no_reply_for_the_next_group(store):
    def interrupted() -> None:
        store.meanwhile = lambda: None
        raise KeyboardInterrupt

    process = store._process
    store.meanwhile = interrupted
    with pytest.raises(KeyboardInterrupt):
        store.append([one("c1")])
    assert process.poll() is not None, "nothing comes behind whoever was interrupted"
    assert isinstance(store.append_here([one("c2", "B", 9)])[0], Conflict)
    assert isinstance(store.append([one("c3", "C", 9)])[0], Conflict)
    assert store.append([one("c4", "D")]) == [None]


# -- the next group, sent while one is stored ----------------------------------------------------


def _sends(store, group, *, then=lambda: None):
    """Has a group sent while the one before it is stored."""
    sent = []

    def meanwhile() -> None:
        if not sent:
            sent.append(send_ahead(store, group))
            then()

    store.meanwhile = meanwhile
    return sent


def test_a_group_that_was_sent_ahead_is_stored_before_the_answer_to_the_one_before_is_heard(
    store, file
):
    """The other process need not wait for this one, whose interpreter may be busy."""
    beside, following, found = Store(SqliteDatabase(file)), [one("c2", "B")], []

    def look() -> None:
        until = time.monotonic() + 5
        while not beside.head("B").position and time.monotonic() < until:
            time.sleep(0.001)
        found.append((beside.head("A").position, beside.head("B").position))

    sent = _sends(store, following, then=look)
    assert store.append([one("c1")]) == [None]
    assert (sent, found) == ([True], [(1, 1)])
    assert following[0].rows[0].digest == b"", "it has its answer when it is appended"
    assert store.append(following) == [None]
    assert following[0].rows[0].digest == beside.row("B", 1).digest
    assert store.append([one("c3", "A", 2)]) == [None]
    assert store.restarts == 0
    beside.close()


def test_nothing_is_sent_ahead_unless_a_group_is_being_stored(store):
    first, following = [one("c1")], [one("c2", "B")]
    assert not store.send_ahead(following, behind=first)
    sent = _sends(store, following, then=lambda: sent.append(send_ahead(store, [one("c3", "C")])))
    store.append(first)
    assert sent == [True, False], "one group, no more"
    assert not store.send_ahead([one("c4", "D")], behind=first)
    assert store.append(following) == [None]


def test_nobody_else_writes_here_before_what_was_sent_ahead_is_stored(store):
    """Two connections that write at once could lose pages of a file."""
    following, written = [one("c2", "B")], threading.Event()

    def write() -> None:
        store.save_snapshots([Snapshot(stream="A", position=1, state=b"{}")])
        written.set()

    _sends(store, following)
    store.append([one("c1")])
    writing = threading.Thread(target=write)
    writing.start()
    assert not written.wait(0.2)
    assert store.append(following) == [None]
    assert written.wait(5)
    writing.join()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can tell what a pipe holds")
def test_groups_that_do_not_fit_into_the_pipe_together_go_one_after_the_other(store):
    """Whoever sends would wait for a process that reads nothing while it stores, nor goes on where
    nobody reads its answer."""

    def large(name, place, count):
        bundle = one(name, place)
        bundle.rows[0].event = b'"%s"' % (b"x" * count)
        return bundle

    room = store._room
    assert room >= 2**15, "a pipe of the usual size holds some commands beside each other"
    following = [large("c2", "B", room // 2)]
    sent = _sends(store, following)
    assert store.append([large("c1", "A", room // 2 + 1)]) == [None]
    assert store.append(following) == [None]
    assert sent == [False]
    many = [one(f"m{n}", f"M{n}") for n in range(400)]
    others = [one(f"o{n}", f"O{n}") for n in range(400)]
    sent = _sends(store, others)
    assert store.append(many) == [None] * 400
    assert store.append(others) == [None] * 400
    assert sent == [room > 2**17]
    assert store.restarts == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is asked")
def test_where_nobody_can_tell_what_a_pipe_holds_nothing_is_sent_ahead(file, monkeypatch):
    def nobody(*told):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr("fcntl.fcntl", nobody)
    store = StorageProcess(SqliteDatabase(file))
    following = [one("c2", "B")]
    sent = _sends(store, following)
    assert store.append([one("c1")]) == [None]
    assert sent == [False]
    assert store.append(following) == [None]
    store.close()


def test_what_cannot_be_written_is_not_sent_ahead_and_turned_away_in_its_turn(store):
    following = [one("bad", "\ud800"), one("c2", "B")]
    sent = _sends(store, following)
    assert store.append([one("c1")]) == [None]
    bad, fine = store.append(following)
    assert sent == [False]
    assert isinstance(bad, Malformed)
    assert fine is None


def test_nothing_is_sent_between_the_parts_of_a_group_that_is_given_one_by_one(store):
    """Else the next part would be told what became of that."""
    group = [one("c1"), one("bad", "\ud800"), one("late", "C", 7), one("c3", "D")]
    following, sent = [one("c4", "E")], []
    store.meanwhile = lambda: sent.append(store.send_ahead(following, behind=group))
    answers = store.append(group)
    assert [type(each) for each in answers] == [type(None), Malformed, Conflict, type(None)]
    assert not any(sent)
    assert store.append(following) == [None]
    assert store.restarts == 0


def test_whoever_gives_another_group_than_the_one_that_was_sent_is_not_told_of_that(store):
    following = [one("c2", "B")]
    _sends(store, following)
    assert store.append([one("c1")]) == [None]
    assert isinstance(store.append([one("late", "C", 7)])[0], Conflict)
    assert store.append(following) == [None]
    assert [store.streams(), store.restarts] == [["A", "B"], 1]


@pytest.mark.parametrize("first", ["c1", "alone"])
def test_a_group_that_cannot_be_read_has_its_own_answers_not_those_of_the_next_one(store, first):
    """Its bundles are given one by one, behind a group that has its answer already."""
    bad = one("bad", "Z", generations={"Z": 1})
    bad.rows[0].who = 7
    group = [bad] if first == "alone" else [one("c1"), bad, one("c3", "C")]
    following = [one("c2", "B"), one("late", "B", 7, generations={"B": 1})]
    _sends(store, following)
    answers = store.append(group)
    assert [type(each) for each in answers if each is not None] == [Malformed]
    good, late = store.append(following)
    assert (good, type(late)) == (None, Conflict)
    assert store.turned_away({"Z": 1, "B": 1}) == {"Z": 1, "B": 1}, "all that was turned away"
    [on_top] = store.append([one("c5", "B", 2, generations={"B": 1})])
    assert isinstance(on_top, Conflict), "the other process knows it too"
    assert store.append([one("c6", "B", 2, generations={"B": 2})]) == [None]
    assert store.restarts == 0


def test_an_error_of_one_group_is_not_that_of_the_next(store, file):
    store.check_key()
    key = file.with_name("house.db.secrets-key")
    key.chmod(0o644)
    given = one("c1", secrets=[Secret(name="Ann", kind="password", secret="hash")])
    given.generations = {"A": 1}
    following = [one("c2", "B"), one("late", "B", 7, generations={"B": 1})]
    _sends(store, following)
    with pytest.raises(NoKey):
        store.append([given])
    good, late = store.append(following)
    assert (good, type(late)) == (None, Conflict)
    assert store.streams() == ["B"]
    assert store.turned_away({"A": 1, "B": 1}) == {"A": 1, "B": 1}, "all that was turned away"


@pytest.mark.parametrize("when", ["before it is stored", "before it is heard", "after it is heard"])
def test_a_group_that_was_sent_to_a_process_that_ended_is_stored_once(store, file, when):
    beside, following = Store(SqliteDatabase(file)), [one("c2", "B")]

    def kill() -> None:
        until = time.monotonic() + 5
        while when == "before it is heard" and beside.head("B").position == 0:
            assert time.monotonic() < until
            time.sleep(0.001)
        os.kill(store.process_id, signal.SIGKILL)

    if when == "before it is stored":
        os.kill(store.process_id, signal.SIGSTOP)
    sent = _sends(store, following, then=kill if when != "after it is heard" else lambda: None)
    assert store.append([one("c1")]) == [None]
    if when == "after it is heard":
        kill()
    assert store.append(following) == [None]
    assert sent == [True]
    assert store.restarts >= (when == "before it is stored"), "else its answer may lie in the pipe"
    assert [each.command_id for each in beside.rows("B")] == ["c2"]
    assert following[0].rows[0].digest == beside.row("B", 1).digest
    beside.close()


def test_two_groups_whose_answers_are_lost_are_both_found_in_the_log(store, file):
    beside, following = Store(SqliteDatabase(file)), [one("c2", "B"), one("late", "B", 7)]

    def wait() -> None:
        until = time.monotonic() + 5
        while beside.head("B").position == 0 and time.monotonic() < until:
            time.sleep(0.001)

    _sends(store, following, then=wait)
    with pytest.MonkeyPatch.context() as patch:
        lost, real = iter([None]), storage_process.receive
        patch.setattr(storage_process, "receive", lambda stream: next(lost, 1) and real(stream))
        assert store.append([one("c1")]) == [None]
    good, late = store.append(following)
    assert (good, type(late)) == (None, Conflict)
    assert following[0].rows[0].digest == beside.row("B", 1).digest
    assert store.restarts == 1
    beside.close()


def test_where_the_next_group_is_stored_the_one_before_was_turned_away(store, file):
    """Though its answer is lost, and it would be taken now: what followed it has paid for it."""
    beside = Store(SqliteDatabase(file))
    poor = moving("c1", 1, "player/Ann", "player/Bob", 1)
    poor.generations = {"A": 1}
    following = [moving("c2", 1, "cash", "player/Ann", 1, place="B")]

    def kill() -> None:
        until = time.monotonic() + 5
        while beside.head("B").position == 0 and time.monotonic() < until:
            time.sleep(0.001)
        os.kill(store.process_id, signal.SIGKILL)

    _sends(store, following, then=kill)
    lost = iter([None])
    with pytest.MonkeyPatch.context() as patch:
        real = storage_process.receive
        patch.setattr(storage_process, "receive", lambda stream: next(lost, 1) and real(stream))
        [answer] = store.append([poor])
    assert isinstance(answer, Conflict)
    assert store.append(following) == [None]
    assert store.streams() == ["B"]
    assert store.turned_away({"A": 1}) == {"A": 1}
    beside.close()


@pytest.mark.parametrize("error", [OSError(12, "Cannot allocate memory"), MemoryError()])
def test_a_message_that_was_written_in_part_is_no_part_of_the_next_one(store, monkeypatch, error):
    """Nor is it an error of whoever gave the last bundle of that group."""

    def send(process, message, real=storage_process._send):
        if b"c2" not in message:
            real(process, message)
            return
        os.write(process.stdin.fileno(), message[: len(message) // 2])
        monkeypatch.undo()
        raise error

    following = [one("c2", "B")]
    _sends(store, following)
    monkeypatch.setattr(storage_process, "_send", send)
    assert store.append([one("c1")]) == [None]
    assert store.append(following) == [None]
    assert isinstance(store.append([one("late", "C", 7)])[0], Conflict)
    assert [each.command_id for each in store.rows("B")] == ["c2"]


def test_that_no_message_can_be_made_of_the_next_group_is_no_error_of_whoever_sends_it(
    store, monkeypatch
):
    def encode(request, real=storage_process.encode):
        if request.bundles[0].command_id == "c2":
            monkeypatch.undo()
            raise MemoryError
        return real(request)

    following = [one("c2", "B")]
    sent = _sends(store, following)
    monkeypatch.setattr(storage_process, "encode", encode)
    assert store.append([one("c1")]) == [None]
    assert sent == [False]
    assert store.append(following) == [None]


def test_whoever_is_interrupted_in_forgetting_keeps_no_lock_and_leaves_no_reply(store, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    _sends(store, [one("c2", "B")])
    store.append([one("c1")])
    with monkeypatch.context() as patch:
        patch.setattr(store, "_give_up", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.forget_ahead()
    answers = []
    other = threading.Thread(target=lambda: answers.extend(store.append([one("late", "C", 7)])))
    other.start()
    other.join(20)
    assert [type(each) for each in answers] == [Conflict]


def test_whoever_is_interrupted_forgets_what_was_sent_ahead_and_others_store(store):
    following = [one("c2", "B")]
    _sends(store, following)
    store.append([one("c1")])
    store.forget_ahead()
    answers = []
    other = threading.Thread(target=lambda: answers.extend(store.append([one("c3", "C")])))
    other.start()
    other.join(20)
    assert answers == [None]
    was_stored = store.head("B").position == 1
    [again] = store.append([one("c2", "B", 2 if was_stored else 1)])
    assert isinstance(again, Conflict) == was_stored


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_however_often_it_is_killed_what_follows_closely_is_stored_once_and_copied(
    store, tmp_path, monkeypatch, seed
):
    """Many at once, so that groups are sent ahead, and the process killed at moments of chance."""
    monkeypatch.setattr("croupier.house.writer.AHEAD_AT_LEAST", 1)
    chance, _over, sent = random.Random(seed), threading.Event(), []
    send = store.send_ahead

    def send_ahead(group, behind):
        sent.append(send(group, behind=behind))
        return sent[-1]

    monkeypatch.setattr(store, "send_ahead", send_ahead)
    writer = Writer(store, LogCopy(tmp_path / "copy"))
    answers, given = [], 0
    until = time.monotonic() + 60
    kill_at = time.monotonic() + 0.1
    while (store.restarts < 4 or sum(sent) <= 20) and time.monotonic() < until:
        given += 1
        place, number = "ABCDEFGH"[given % 8], (given + 7) // 8
        made = ordered(f"c{given}", row(place, number, f"c{given}"))
        writer.put(made, answers.append)
        while writer.waiting > 30:
            time.sleep(0)
        if time.monotonic() > kill_at:
            kill_at = time.monotonic() + chance.uniform(0.02, 0.4)
            with suppress(ProcessLookupError, TypeError):
                os.kill(store.process_id, signal.SIGKILL)
    writer.close()
    assert answers == [None] * given
    stored = [each for place in store.streams() for each in store.rows(place)]
    ids = [each.command_id for each in stored]
    assert store.restarts >= 4
    assert sum(sent) > 20
    assert sorted(ids) == sorted(f"c{n}" for n in range(1, given + 1))
    assert all(chain_is_whole(store, place) for place in store.streams())
    LogCopy(tmp_path / "copy").catch_up(store)
    copied = [each.digest for each in rows_of_copy(tmp_path / "copy")]
    assert sorted(copied) == sorted(each.digest for each in stored)


def test_whoever_gives_way_goes_on_when_the_other_process_has_it_and_when_its_answer_is_told(store):
    """A busy thread; what is stored meanwhile holds it up no longer than that."""
    writer, told = Writer(store), []
    os.kill(store.process_id, signal.SIGSTOP)
    writer.put(one("c1"), told.append)
    began = time.monotonic()
    writer.give_way(10)
    assert writer.storing() > 0
    assert time.monotonic() - began < 5
    assert not store.has_answered()
    os.kill(store.process_id, signal.SIGCONT)
    until = time.monotonic() + 5
    while not (store.has_answered() or told):
        assert time.monotonic() < until
    writer.give_way(10)
    assert told == [None]
    assert not store.has_answered()
    assert time.monotonic() - began < 10
    writer.close()


def test_whoever_gives_way_to_a_process_that_stands_still_goes_on(store, tmp_path):
    writer = Writer(store, LogCopy(tmp_path / "copy"))
    os.kill(store.process_id, signal.SIGSTOP)
    done = writer.store(one("c1"))
    began = time.monotonic()
    for _ in range(20):
        writer.give_way(0.01)
    assert time.monotonic() - began < 2
    os.kill(store.process_id, signal.SIGCONT)
    assert done.result(5) is None
    writer.close()
