"""A command id belongs to one command: sent twice it has one effect, and nothing else bears it."""

import threading

import pytest

from croupier.house.errors import IdTaken, Malformed
from croupier.house.house import House
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.table import ActorRank, OpenTable
from tests.pit.high_card import BOOK, HighCard, LinkedMeter, OpenMeter, PlaceStake

DEALER, PLAYER = ActorRank.DEALER, ActorRank.PLAYER


def open_house(path) -> House:
    house = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    house.add_link("main", lambda: LinkedMeter(BOOK))
    for name in ("A", "B"):
        house.add_table(name, lambda: HighCard(BOOK), link="main")
    return house


@pytest.fixture
def house(tmp_path):
    made = open_house(tmp_path / "house.db")
    made.give("main", OpenMeter(name="main", meter=1000), who="Dee", rank=DEALER).result()
    for name in ("A", "B"):
        made.give(name, OpenTable(table=name, settings={}), who="Dee", rank=DEALER).result()
    yield made
    made.close()


def again(house: House, tmp_path) -> House:
    house.close()
    return open_house(tmp_path / "house.db")


def stake(house: House, table: str, box: int, command_id: str, who: str = "Ann", amount=1000):
    command = PlaceStake(box=box, player=who, stake=amount)
    return house.give(table, command, who=who, rank=PLAYER, command_id=command_id)


def test_sent_at_once_from_many_threads_it_has_one_effect(house):
    answers, begin = [], threading.Barrier(16)

    def send() -> None:
        begin.wait()
        answers.append(stake(house, "A", 1, "c1").result())

    threads = [threading.Thread(target=send) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.positions for answer in answers}) == 1
    assert house.reader.head("A").position == 2


def test_another_command_under_the_same_id_is_an_error(house):
    stake(house, "A", 1, "c1").result()
    for place, box, who, amount in (
        ("A", 2, "Ann", 1000),
        ("A", 1, "Ann", 2000),
        ("B", 1, "Ann", 1000),
        ("A", 1, "Ben", 1000),
    ):
        with pytest.raises(IdTaken, match="'c1'"):
            stake(house, place, box, "c1", who, amount)
    assert [house.reader.head(place).position for place in "AB"] == [2, 1]


@pytest.mark.parametrize(("place", "box", "who"), [("B", 1, "Ann"), ("A", 2, "Ben")])
def test_after_a_restart_too_an_id_of_somebody_else_or_elsewhere_is_an_error(
    house, tmp_path, place, box, who
):
    stake(house, "A", 1, "c1").result()
    later = again(house, tmp_path)
    with pytest.raises(IdTaken):
        stake(later, place, box, "c1", who).result()
    assert later.pit.tables[place].state.boxes.keys() <= {1}
    assert [later.reader.head(p).position for p in "AB"] == [2, 1]
    assert stake(later, "A", 1, "c1").result().again
    later.close()


def test_what_cannot_be_written_never_happened(house):
    with pytest.raises(Malformed):
        stake(house, "A", 1, "c1", who="\ud800")
    assert house.pit.tables["A"].state.boxes == {}
    assert stake(house, "A", 1, "c1").result().positions == (2,)


def test_a_watcher_that_fails_leaves_nobody_waiting(house):
    class Fails:
        def made(self, answer, order):
            raise RuntimeError("I cannot look")

        stored = lost = lambda self, answer: 1 / 0

    house.watch(Fails())
    assert stake(house, "A", 1, "c1").result(10).positions == (2,)


def test_whoever_stops_waiting_takes_nothing_back(house, monkeypatch):
    may, append = threading.Event(), house.store.append
    monkeypatch.setattr(house.store, "append", lambda bundles: may.wait(10) and append(bundles))
    with pytest.raises(TimeoutError):
        stake(house, "A", 1, "c1").result(0.01)
    may.set()
    assert stake(house, "A", 1, "c1").result(10).positions == (2,)
