"""Storage in a process of its own: it keeps the contract of a store, and its end loses nothing."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from croupier.house import storage_process
from croupier.house.casino import Casino
from croupier.house.errors import Conflict, Malformed, OwnedElsewhere, StorageError, Unbalanced
from croupier.house.office.commands import OpenAccount
from croupier.house.ownership import lock_storage
from croupier.house.records import Opening, Secret
from croupier.house.sqlite import SqliteDatabase
from croupier.house.storage_process import StorageProcess
from croupier.house.store import Store
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


def test_a_process_that_ends_again_and_again_is_an_error(store, monkeypatch):
    monkeypatch.setattr(storage_process, "receive", _none_but_at_the_start())
    with pytest.raises(StorageError, match="again and again"):
        store.append([one("c1")])
    monkeypatch.undo()
    assert store.turned_away({}) == {}
    assert isinstance(store.append([one("c1")])[0], Conflict), "it was stored, though nobody heard"


def _none_but_at_the_start(told=storage_process.receive):
    """Every reply is lost, but not the word that a process is there."""

    def receive(stream):
        found = told(stream)
        return found if found == b"" else None

    return receive


def test_an_answer_that_was_lost_with_its_process_is_found_in_the_log(file, monkeypatch):
    """It was stored, then the process ended: the command has one effect, and its answer."""
    casino = Casino.open(f"sqlite:///{file}", storage_process=True)
    lost = iter([True])

    def receive(stream, told=storage_process.receive):
        found = told(stream)
        return None if found and next(lost, False) else found

    monkeypatch.setattr(storage_process, "receive", receive)
    answer = casino.tell(OpenAccount(player="Ann"), command_id="open-Ann")
    assert casino.house.store.restarts == 1
    assert answer.refused is None
    assert answer.again
    assert "Ann" in casino.office.state.people
    events = [each for each in casino.house.reader.rows("office") if b'"Ann"' in each.event]
    assert len(events) == 1
    casino.close()


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
