"""The model of a database does for the House what the real ones do, and fails as they may."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from croupier.house.errors import DiskFull, LostConnection, StorageError
from croupier.house.store import Store
from croupier.simulator.database import ModelServer
from croupier.simulator.disk import SECTOR, Disk
from tests.house import contract
from tests.house.contract import StoreContract, chain_is_whole, full_bundle, one


class _Models:
    """Opens a model by its address, as `open_database` opens the real ones."""

    def __init__(self, *, remote: bool) -> None:
        self.remote = remote
        self.server = ModelServer()

    def open(self, url: str, **_: object):
        assert url == "model:"
        return self.server.connect(remote=self.remote)


class ModelContract(StoreContract):
    remote = False

    @pytest.fixture
    def url(self, monkeypatch):
        monkeypatch.setattr(contract, "open_database", _Models(remote=self.remote).open)
        return "model:"

    @pytest.mark.skip(reason="a model lives in one process")
    def test_two_writers_never_both_win_in_processes(self, url, store):
        """In threads they race as in processes, and that is tried."""


class TestModel(ModelContract):
    pass


@pytest.mark.slow
class TestRemoteModel(ModelContract):
    remote = True


@pytest.fixture
def server():
    return ModelServer(Disk(Random(1)))


def test_a_power_cut_keeps_what_was_synced(server):
    store = Store(server.connect())
    for number in range(1, 6):
        assert store.append([full_bundle(f"c{number}", number)]) == [None]
    before = contract.everything(store)
    server.restart(power_cut=True)
    assert contract.everything(Store(server.connect())) == before


@pytest.mark.parametrize("seed", range(12))
def test_whatever_a_power_cut_leaves_of_a_commit_it_is_there_or_not(seed, monkeypatch):
    """The power goes before the sync: sectors are kept, lost or torn."""
    server = ModelServer(Disk(Random(seed)))
    store = Store(server.connect())
    store.append([full_bundle("c1", 1)])
    monkeypatch.setattr(server.disk, "sync", lambda: None)
    assert store.append([full_bundle("c2", 2)]) == [None]
    server.restart(power_cut=True)
    store = Store(server.connect())
    assert chain_is_whole(store, "A")
    assert store.head("A").position in (1, 2)
    assert store.recall("c2")[0] == (store.head("A").position == 2)


def test_torn_sectors_are_seen(server):
    fates = set()
    for seed in range(60):
        disk = Disk(Random(seed))
        disk.write(0, b"a" * SECTOR)
        disk.sync()
        disk.write(0, b"b" * SECTOR)
        disk.cut_power()
        fates.add(len(set(disk.read())) + (disk.read()[0] == ord("b")))
    assert fates == {1, 2, 3}  # lost, kept, torn


def test_a_full_disk_is_an_error_and_leaves_nothing_behind(server):
    store = Store(server.connect())
    store.append([one("c1")])
    server.disk.most = len(server.disk.read()) + 100
    with pytest.raises(DiskFull):
        store.append([one("c2", "A", 2)])
    assert store.head("A").position == 1
    server.disk.most = None
    assert store.append([one("c3", "A", 2)]) == [None]
    server.restart(power_cut=True)
    assert [r.command_id for r in Store(server.connect()).rows("A")] == ["c1", "c3"]


def test_a_sync_that_fails_is_an_error_and_the_next_record_takes_its_place(server):
    store = Store(server.connect())
    store.append([one("c1")])
    server.disk.sync_fails = True
    with pytest.raises(StorageError):
        store.append([one("c2", "A", 2)])
    assert store.append([one("c3", "A", 2)]) == [None]
    server.restart(power_cut=True)
    assert [r.command_id for r in Store(server.connect()).rows("A")] == ["c1", "c3"]


@pytest.mark.parametrize(("fate", "is_there"), [("lost", False), ("unknown", True), ("late", True)])
@pytest.mark.parametrize("remote", [False, True], ids=["near", "remote"])
def test_a_commit_that_nobody_was_told_of(server, fate, is_there, remote):
    store = Store(server.connect(remote=remote))
    for position in (1, 2, 3):  # after that the remote one stores in one step
        store.append([one(f"b{position}", "B", position)])
    store.append([one("c1")])
    store.append([one("b4", "B", 4)])
    reader = Store(server.connect(remote=remote))
    fates = itertools.chain([fate], itertools.repeat("done"))
    server.fate_of = lambda session: next(fates)
    if is_there:
        assert store.append([one("c2", "A", 2)]) == [None]  # the store finds out by itself
    elif remote:
        assert store.append([one("c2", "A", 2)]) == [None]  # and tries again
        is_there = True
    else:
        with pytest.raises(LostConnection):
            store.append([one("c2", "A", 2)])
    assert reader.recall("c2")[0] == is_there


def test_a_late_commit_is_not_seen_until_somebody_writes(server):
    writer, reader = server.connect(), Store(server.connect())
    Store(writer).append([one("c1")])
    server.fate_of = lambda session: "late"
    with pytest.raises(LostConnection), writer.transaction():
        writer.execute("UPDATE heads SET position = 7")
    server.fate_of = lambda session: "done"
    assert reader.head("A").position == 1
    with server.connect().transaction():
        pass
    assert reader.head("A").position == 7


def test_who_is_in_no_transaction_sees_nothing_of_anothers(server):
    writer, other = server.connect(), Store(server.connect())
    Store(writer).append([one("c1")])
    with writer.transaction():
        writer.execute("UPDATE heads SET position = 7")
        assert other.head("A").position == 1
        with pytest.raises(StorageError, match="locked"):
            other.database.execute("UPDATE heads SET position = 8")
    assert other.head("A").position == 7
