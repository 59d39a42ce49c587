"""The House answers when it is durable, once for each command, and forgets nothing."""

import threading

import pytest

from croupier.house.errors import Conflict, DiskFull, UnknownPlace
from croupier.house.house import House
from croupier.house.records import Bundle, Snapshot
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.table import ActorRank, BadCommand, OpenTable
from tests.pit.high_card import (
    BOOK,
    CloseBetting,
    HighCard,
    LinkedMeter,
    OpenMeter,
    PlaceStake,
)

DEALER, PLAYER = ActorRank.DEALER, ActorRank.PLAYER


def open_house(path) -> House:
    house = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    house.add_link("main", lambda: LinkedMeter(BOOK))
    house.add_table("A", lambda: HighCard(BOOK), link="main")
    return house


@pytest.fixture
def path(tmp_path):
    return tmp_path / "house.db"


@pytest.fixture
def house(path):
    made = open_house(path)
    made.give("main", OpenMeter(name="main", meter=1000), who="Dee", rank=DEALER).result()
    made.give("A", OpenTable(table="A", settings={}), who="Dee", rank=DEALER).result()
    yield made
    made.close()


def stake(house: House, box: int, command_id: str | None = None):
    command = PlaceStake(box=box, player=f"P{box}", stake=1000)
    return house.give("A", command, who=f"P{box}", rank=PLAYER, command_id=command_id)


def test_an_answer_is_durable_when_it_comes(house, path):
    answer = stake(house, 1).result()
    assert answer.positions == (2,)
    with_others_eyes = Store(SqliteDatabase(path))
    assert [row.position for row in with_others_eyes.rows("A")] == [1, 2]


def test_whoever_carries_a_command_out_stores_and_hears_it_in_his_own_thread(house, path):
    """Nobody is woken for it; it is durable when the answer comes, and told to who listens."""
    heard = []
    house.listen(lambda answer: heard.append((threading.current_thread(), answer.command_id)))
    command = PlaceStake(box=1, player="P1", stake=1000)
    answer = house.carry_out("A", command, who="P1", rank=PLAYER, command_id="c1")
    assert heard == [(threading.current_thread(), "c1")]
    assert answer.positions == (2,)
    assert Store(SqliteDatabase(path)).head("A").position == 2
    assert house.carry_out("A", command, who="P1", rank=PLAYER, command_id="c1") == answer


def test_a_refusal_stores_nothing_and_is_not_remembered(house):
    refused = house.give("A", CloseBetting(), who="Dee", rank=DEALER, command_id="c1").result()
    assert refused.refused.cites == ("1.2",)
    stake(house, 1).result()
    accepted = house.give("A", CloseBetting(), who="Dee", rank=DEALER, command_id="c1").result()
    assert accepted.refused is None


def test_an_impossible_command_raises_and_stores_nothing(house):
    stake(house, 1).result()
    with pytest.raises(BadCommand):
        stake(house, 1)
    assert house.reader.head("A").position == 2


def test_sent_twice_a_command_has_one_effect_and_the_same_answer(house, path):
    first = stake(house, 1, "c1").result()
    assert stake(house, 1, "c1").result() == first
    house.close()
    later = open_house(path)
    again = stake(later, 1, "c1").result()
    assert again.again
    assert (again.said, again.positions) == (first.said, first.positions)
    assert len(later.pit.tables["A"].state.boxes) == 1
    later.close()


def test_what_a_command_causes_at_table_and_link_is_stored_together(house):
    stake(house, 1).result()
    answer = house.give("A", CloseBetting(), who="Dee", rank=DEALER).result()
    assert {said.place for said in answer.said} == {"A", "main"}
    rows = house.reader.answer_of(answer.command_id)
    assert len(rows) == len(answer.said)


def test_a_restart_finds_the_tables_as_they_were(house, path):
    for box in range(1, 6):
        stake(house, box)
    house.give("A", CloseBetting(), who="Dee", rank=DEALER).result()
    states = [house.pit.at(place).state for place in ("A", "main")]
    house.close()
    later = open_house(path)
    assert [later.pit.at(place).state for place in ("A", "main")] == states
    later.close()


def test_a_restart_from_a_snapshot_reads_only_what_came_since(house, path):
    stake(house, 1).result()
    table = house.pit.tables["A"]
    house.store.save_snapshot(Snapshot(stream="A", position=2, state=table.snapshot()))
    stake(house, 2).result()
    house.close()
    later = open_house(path)
    assert later.pit.tables["A"].state == table.state
    later.close()


def test_a_table_that_another_process_moved_on_is_rebuilt(house, path):
    other = open_house(path)
    stake(other, 1).result()
    with pytest.raises(Conflict):
        stake(house, 2).result()
    assert list(house.pit.tables["A"].state.boxes) == [1]
    assert stake(house, 2).result().positions == (3,)
    other.close()


def test_what_could_not_be_stored_never_happened(house, monkeypatch):
    def full(bundles: list[Bundle]):
        raise DiskFull("there is no room left to write")

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        with pytest.raises(DiskFull):
            stake(house, 1).result()
    assert house.pit.tables["A"].state.boxes == {}
    assert stake(house, 1).result().positions == (2,)


def test_listeners_are_told_only_of_what_is_durable(house):
    told = []

    def listen(answer):
        told.append([row.position for row in house.reader.answer_of(answer.command_id)])

    house.listen(listen)
    stake(house, 1).result()
    assert told == [[2]]


def test_many_hands_at_once_lose_nothing(house):
    def bet(first: int) -> None:
        for box in range(first, first + 20):
            stake(house, box).result()

    threads = [threading.Thread(target=bet, args=(1 + 20 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(house.pit.tables["A"].state.boxes) == list(range(1, 81))
    assert house.reader.head("A").position == 81


def test_an_unknown_table_is_named(house):
    with pytest.raises(UnknownPlace, match="'Z'"):
        house.give("Z", CloseBetting(), who="Dee", rank=DEALER)
