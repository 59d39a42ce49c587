"""The filter of ids: what it calls new was never given; it may be wrong only the other way."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.house.errors import StorageError
from croupier.house.house import House
from croupier.house.known_ids import AT_ONCE, IdFilter, KnownIds
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.table import ActorRank, OpenTable
from tests.pit.high_card import BOOK, HighCard, PlaceStake

DEALER, PLAYER = ActorRank.DEALER, ActorRank.PLAYER


@given(st.lists(st.integers(0, 2**64 - 1), max_size=300), st.integers(1, 64))
@settings(max_examples=60, deadline=None)
def test_what_was_put_in_is_found_however_often_it_has_grown(numbers, room):
    made = IdFilter(room)
    for number in numbers:
        made.add(number)
    assert all(made.may_hold(number) for number in numbers)


def test_of_a_hundred_that_were_not_put_in_few_are_taken_for_known():
    made = IdFilter(room=5_000)
    for n in range(5_000):
        made.add(hash(f"given-{n}") & (2**64 - 1))
    wrong = sum(made.may_hold(hash(f"new-{n}") & (2**64 - 1)) for n in range(5_000))
    assert wrong < 250  # one in a hundred is expected


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


def test_ids_of_archived_days_are_known(house, monkeypatch):
    from croupier.house.archives.past import id_key

    past = house.reader.past
    monkeypatch.setattr(past, "known", lambda: ["an archive"])
    database = house.store.database
    with database.transaction():
        for id in ("Ann/long-ago", "Ben/long-ago"):
            sql = "INSERT INTO archived_ids (id, number) VALUES (?, 1)"
            database.execute(sql, (id_key(id),))
    known = complete(house)
    assert not known.is_new("Ann/long-ago")
    assert not known.is_new("Ben/long-ago")
    assert known.is_new("Cho/today")
    assert known.is_new("\ud800")  # which no database can hold


def test_where_earlier_ids_cannot_be_read_the_database_is_asked_as_ever(house, monkeypatch, caplog):
    def fails(**which):
        raise StorageError("the disk is gone")

    monkeypatch.setattr(house.reader, "command_ids", fails)
    known = house.known_ids = KnownIds(house.reader, house.lock)
    known._thread.join(10)
    assert not known.complete
    assert "the disk is gone" in caplog.text
    asked = asked_of(house, monkeypatch)
    stake(house, 1, "first").result()
    assert asked == ["first"]
