"""The filter of ids: what it calls new was never given; it may be wrong only the other way."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.house import known_ids
from croupier.house.archives.past import id_key
from croupier.house.casino import Casino
from croupier.house.errors import StorageError
from croupier.house.house import House
from croupier.house.known_ids import AT_ONCE, IdFilter, KnownIds
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.world import World
from croupier.table import ActorRank, OpenTable
from tests.pit.high_card import BOOK, HighCard, PlaceStake

DEALER, PLAYER = ActorRank.DEALER, ActorRank.PLAYER


@given(st.lists(st.integers(0, 2**63 - 1), max_size=300), st.integers(4, 10))
@settings(max_examples=60, deadline=None)
def test_what_was_put_in_is_found_however_often_it_has_grown(numbers, size):
    made = IdFilter(bits=1 << size)
    for number in numbers:
        made.add(number)
    assert all(made.may_hold(number) for number in numbers)


def test_of_a_hundred_that_were_not_put_in_about_one_is_taken_for_known():
    made = IdFilter(bits=1 << 12)
    for n in range(8_000):  # it grows five times
        made.add(id_key(f"given-{n}"))
    wrong = sum(made.may_hold(id_key(f"new-{n}")) for n in range(10_000))
    assert 0 < wrong < 200


def opened(path) -> House:
    house = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    house.add_table("A", lambda: HighCard(BOOK))
    return house


def stake(house, box, command_id, who="Ann"):
    command = PlaceStake(box=box, player=who, stake=1000)
    return house.give("A", command, who=who, rank=PLAYER, command_id=command_id)


def complete(house) -> KnownIds:
    known = house.known_ids = KnownIds(house.reader, house.lock)
    end = time.monotonic() + 10
    while not known.complete and time.monotonic() < end:
        time.sleep(0.001)
    assert known.complete
    return known


@pytest.fixture
def house(tmp_path):
    made = opened(tmp_path / "house.db")
    made.give("A", OpenTable(table="A", settings={}), who="Dee", rank=DEALER).result()
    yield made
    made.close()


def asked_of(house, monkeypatch) -> list[str]:
    """The ids that the database is asked for from now on."""
    asked, recall = [], house.reader.recall
    monkeypatch.setattr(house.reader, "recall", lambda id: asked.append(id) or recall(id))
    return asked


def test_the_database_is_not_asked_for_a_new_id_and_is_for_one_that_was_given(house, monkeypatch):
    stake(house, 1, "before").result()
    complete(house)
    asked = asked_of(house, monkeypatch)
    house._answered._done.clear()  # as after ten thousand others
    assert stake(house, 2, "new", "Ben").result().positions == (3,)
    assert asked == []
    house._answered._done.clear()
    assert stake(house, 1, "before").result().again
    assert stake(house, 2, "new", "Ben").result().again
    assert asked == ["before", "new"]


def test_until_all_earlier_ids_are_read_the_database_is_asked(house, monkeypatch):
    known = complete(house)
    known.complete = False
    asked = asked_of(house, monkeypatch)
    stake(house, 1, "first").result()
    assert asked == ["first"]


def test_more_ids_than_are_read_at_once_are_all_known_after_a_start(tmp_path):
    house = opened(tmp_path / "house.db")
    sql = "INSERT INTO orders (command_id, events) VALUES (?, 0)"
    ids = [f"Ann/{n:06d}" for n in range(2 * AT_ONCE + 1)]
    with house.store.database.transaction():
        for id in ids:
            house.store.database.execute(sql, (id,))
    known = complete(house)
    assert not any(known.is_new(id) for id in ids)
    assert sum(known.is_new(f"Ben/{n:06d}") for n in range(1_000)) > 900
    house.close()


def moved_to_an_archive(house, ids):
    """What the database does with them at the end of an archive, in one transaction."""
    database = house.store.database
    with database.transaction():
        for id in ids:
            sql = "INSERT INTO archived_ids (id, number) VALUES (?, 1)"
            database.execute(sql, (id_key(id),))
            database.execute("DELETE FROM orders WHERE command_id = ?", (id,))


def test_ids_of_archived_days_are_known(house):
    moved_to_an_archive(house, ["Ann/long-ago", "Ben/long-ago"])
    known = complete(house)
    assert not known.is_new("Ann/long-ago")
    assert not known.is_new("Ben/long-ago")
    assert known.is_new("Cho/today")
    assert known.is_new("\ud800")  # which no database can hold


class StepByStep(World):
    """Its only thread goes on when a test says so."""

    def start(self, name, turns):
        self.turns = turns
        return self


@pytest.mark.parametrize("read_before", range(6))
def test_ids_that_are_archived_while_they_are_read_are_known(house, monkeypatch, read_before):
    monkeypatch.setattr(known_ids, "AT_ONCE", 1)
    moved_to_an_archive(house, ["Zoe/before"])
    ids = ["Ann/1", "Ben/1", "Cho/1"]
    for box, id in enumerate(ids):
        stake(house, box + 1, id, who=id[:3]).result()
    world = StepByStep()
    known = KnownIds(house.reader, house.lock, world=world)
    for _ in range(read_before):
        next(world.turns)
    moved_to_an_archive(house, ids)
    for _ in world.turns:
        pass
    assert known.complete
    assert not any(known.is_new(id) for id in (*ids, "Zoe/before"))


def test_where_earlier_ids_cannot_be_read_the_database_is_asked_as_ever(house, monkeypatch, caplog):
    def fails(*which):
        raise StorageError("the disk is gone")

    monkeypatch.setattr(house.reader, "command_ids", fails)
    known = house.known_ids = KnownIds(house.reader, house.lock)
    known._thread.join(10)
    assert not known.complete
    assert "the disk is gone" in caplog.text
    asked = asked_of(house, monkeypatch)
    stake(house, 1, "first").result()
    assert asked == ["first"]


def test_an_order_of_the_office_reads_no_ids_and_a_whole_house_does(tmp_path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    for tables, reads in ((None, True), (lambda casino: (), False)):
        casino = Casino.open(url, tables=tables)
        assert (casino.house.known_ids is not None) == reads
        casino.close()
