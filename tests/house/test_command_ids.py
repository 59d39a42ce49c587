"""A command id belongs to one command: sent twice it has one effect, and nothing else bears it."""

import threading

import pytest

from benchmarks._house_tables import Hand, funds, make_table, player
from croupier.house.errors import IdTaken, Malformed
from croupier.house.house import House
from croupier.house.known_ids import KnownIds
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import ActorRank, Look, OpenTable
from tests.pit.high_card import BOOK, HighCard, LinkedMeter, OpenMeter, PlaceStake

DEALER, PLAYER = ActorRank.DEALER, ActorRank.PLAYER


def open_house(path, *, filtered: bool = False) -> House:
    house = House(Store(SqliteDatabase(path)), reader=Store(SqliteDatabase(path)))
    if filtered:  # as in a House whose database is one process's as a whole
        house.known_ids = KnownIds(house.reader, house.lock)
    house.add_link("main", lambda: LinkedMeter(BOOK))
    for name in ("A", "B"):
        house.add_table(name, lambda: HighCard(BOOK), link="main")
    return house


@pytest.fixture(params=[False, True], ids=["asked", "filtered"])
def house(request, tmp_path):
    made = open_house(tmp_path / "house.db", filtered=request.param)
    made.give("main", OpenMeter(name="main", meter=1000), who="Dee", rank=DEALER).result()
    for name in ("A", "B"):
        made.give(name, OpenTable(table=name, settings={}), who="Dee", rank=DEALER).result()
    yield made
    made.close()


def again(house: House, tmp_path) -> House:
    house.close()
    return open_house(tmp_path / "house.db", filtered=house.known_ids is not None)


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


@pytest.fixture
def at_a_table(database_url):
    """A House that was started again, with one player's ten old commands in its log."""

    def opened() -> House:
        made = House(Store(open_database(database_url)), reader=Store(open_database(database_url)))
        made.add_table("A", lambda: HighCard(BOOK))
        return made

    house = opened()
    house.give("A", OpenTable(table="A", settings={}), who="Dee", rank=DEALER).result()
    for number in range(1, 11):
        stake(house, "A", number, f"old-{number}").result()
    house.close()
    house.store.close()
    house.reader.close()
    again = opened()
    yield again
    again.close()
    again.store.close()
    again.reader.close()


def test_no_neighbour_is_turned_away_by_an_id_that_was_used_before(at_a_table):
    """One player sends old ids again, with the same command and with others, while his neighbours
    play: the table hears nothing of him, so nothing of theirs stands on what never happened."""
    house, given, taken = at_a_table, [], 0
    for number in range(1, 11):
        for box in (number, 100 + number):
            try:
                given.append(stake(house, "A", box, f"old-{number}"))
            except IdTaken:
                taken += 1
        for neighbour in ("Ben", "Cho", "Dev"):
            box = 200 + 10 * len(given) + len(neighbour)
            given.append(stake(house, "A", box, f"{neighbour}-{number}", neighbour))
    answers = [promise.result(10) for promise in given]
    assert (taken, len(answers)) == (10, 40)
    assert sum(answer.again for answer in answers) == 10
    assert all(answer.refused is None for answer in answers)
    assert house.reader.head("A").position == 1 + 10 + 30


def test_after_a_restart_another_command_under_an_old_id_is_an_error(at_a_table):
    """By the stored order: the same player, at the same table, says something else."""
    house = at_a_table
    before = house.pit.tables["A"].snapshot()
    for box, amount in ((1, 2000), (77, 1000)):
        with pytest.raises(IdTaken):
            stake(house, "A", box, "old-1", amount=amount)
    assert house.pit.tables["A"].snapshot() == before
    assert stake(house, "A", 1, "old-1").result().positions == (2,)


def test_an_id_that_the_house_made_is_not_looked_up(at_a_table, monkeypatch):
    house, asked = at_a_table, []
    recall = house.reader.recall
    monkeypatch.setattr(house.reader, "recall", lambda id: asked.append(id) or recall(id))
    house.give("A", PlaceStake(box=50, player="Ann", stake=100), who="Ann", rank=PLAYER).result()
    command = PlaceStake(box=51, player="Ann", stake=100)
    new = house.give("A", command, who="Ann", rank=PLAYER, command_id="made", new_id=True)
    new.result()
    assert asked == []
    stake(house, "A", 52, "hers").result()
    assert asked == ["hers"]


def test_what_came_to_nothing_has_its_one_effect_too(tmp_path):
    """A second look changes nothing; sent again in the next round, it is not that round's first."""
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    store.append([funds([player("A", 1), player("A", 2)])])
    house = House(store, reader=Store(SqliteDatabase(tmp_path / "house.db")))
    house.add_table("A", make_table)
    hand = Hand("A")

    def bet_in_round(number: int) -> None:
        while True:
            state = house.pit.tables["A"].state
            if state.phase == "betting" and state.round.number == number:
                return
            command = hand.next(house.pit.tables["A"])
            house.carry_out("A", command, who="house", rank=ActorRank.HOUSE)

    bet_in_round(1)
    how = {"who": player("A", 1), "rank": PLAYER}
    assert house.carry_out("A", Look(seat=1), **how).said
    nothing = house.carry_out("A", Look(seat=1), command_id="second", **how)
    assert (nothing.refused, nothing.said) == (None, ())
    _, order = house.reader.recall("second")
    assert order is not None
    assert order.number == sum(head.position for head in house.reader.heads().values())
    bet_in_round(2)
    house.close()
    later = House(store, reader=house.reader)
    later.add_table("A", make_table)
    again = later.carry_out("A", Look(seat=1), command_id="second", **how)
    assert (again.said, again.again) == ((), True)
    assert not later.pit.tables["A"].state.round.players[1].looked
    later.close()
