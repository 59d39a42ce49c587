"""Several processes on one server: each runs its own tables, all of them use the office."""

import threading
import time
from collections.abc import Callable

import pytest

from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import Conflict, HouseError, OwnedElsewhere, UnknownPlace
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.poker import commands as poker
from croupier.table import ActorRank
from tests.house.casino import settings_of

HOUSE, PLAYER = ActorRank.HOUSE, ActorRank.PLAYER


def add_table(casino: Casino, name: str) -> None:
    settings = settings_of("P8")
    command = orders.AddTable(table=name, rulebook="no-limit-holdem-v8", settings=settings)
    assert casino.add_table(command).refused is None


@pytest.fixture
def two(postgres_url):
    """Two processes; the first has founded the House."""
    first = Casino.open(postgres_url)
    second = Casino.open(postgres_url)
    yield first, second
    for casino in (first, second):
        casino.close()


def wait_until(so: Callable[[], object]) -> None:
    """News travels by the server: in milliseconds, but not at once."""
    deadline = time.monotonic() + 10
    while not so():
        assert time.monotonic() < deadline, "the news never came"
        time.sleep(0.005)


def sit(casino: Casino, table: str, seat: int, who: str, stake: int):
    command = poker.Sit(seat=seat, player=who, stake=stake)
    return casino.house.give(table, command, who=who, rank=PLAYER).result()


def test_what_was_said_on_top_of_what_failed_fails_too(two):
    """The second process is first: of two commands that the first one had given one on the other,
    neither may be stored, although the position of the second one fits."""
    first, second = two
    first.open_account("Xi")  # and so it has read the second one's start
    second.house.catch_up()
    gate, inside = threading.Event(), threading.Event()
    append = first.house.store.append

    def slowly(bundles):
        inside.set()
        gate.wait(10)
        return append(bundles)

    first.house.store.append = slowly

    def give(command):
        return first.house.give(OFFICE, command, who="house", rank=HOUSE)

    account = give(orders.OpenAccount(player="Zoe"))
    money = give(orders.CashIn(player="Zoe", amount=500))
    inside.wait(10)
    second.open_account("Yan")
    gate.set()
    with pytest.raises(Conflict):
        account.result()
    with pytest.raises(Conflict):
        money.result()
    assert first.house.balance("player/Zoe") == 0
    assert first.office.state.people.keys() == {"administrator", "Xi", "Yan"}
    assert verify(first.house.reader).difference is None


def test_no_state_is_kept_of_what_was_turned_away(two):
    """The second process is first, and the first one keeps its states before it hears that."""
    first, second = two
    first.open_account("Xi")
    second.house.catch_up()
    house = first.house
    with house.lock:  # whoever tells that something failed waits for it
        second.open_account("Yan")
        given = house.give(OFFICE, orders.OpenAccount(player="Zoe"), who="house", rank=HOUSE)
        house.keep_states()
    with pytest.raises(Conflict):
        given.result()
    assert house.reader.snapshot(OFFICE).position == house.reader.head(OFFICE).position
    assert verify(house.reader).difference is None
    assert first.office.state.people.keys() == {"administrator", "Xi", "Yan"}


def test_money_that_came_in_elsewhere_is_seen(two):
    first, second = two
    add_table(first, "A")
    first.open_account("Ann")
    assert sit(first, "A", 1, "Ann", 10_000).refused is not None
    second.cash_in("Ann", 50_000)
    assert sit(first, "A", 1, "Ann", 50_000).refused is None
    refused = second.cash_out("Ann", 1).refused
    assert refused is not None
    assert "S-27" in refused.cites


def test_money_that_went_out_elsewhere_is_no_longer_there(two):
    first, second = two
    add_table(first, "A")
    first.open_account("Ann")
    first.cash_in("Ann", 50_000)
    assert first.house.balance("player/Ann") == 50_000
    assert second.cash_out("Ann", 50_000).refused is None
    refused = sit(first, "A", 1, "Ann", 50_000).refused
    assert refused is not None
    assert "S-27" in refused.cites
    assert first.house.reader.balance("player/Ann") == 0


def test_who_was_disabled_elsewhere_is_disabled_here(two):
    first, second = two
    add_table(first, "A")
    first.open_account("Ann")
    first.cash_in("Ann", 50_000)
    second.tell(orders.DisablePerson(name="Ann", reason="banned"), who="administrator")
    wait_until(lambda: first.office.state.people["Ann"].disabled)
    refused = sit(first, "A", 1, "Ann", 50_000).refused
    assert refused is not None
    assert refused.cites == ("S-29",)


def test_what_the_office_refused_before_it_had_the_news_is_tried_again(two, monkeypatch):
    """The news may be read between the refusal and the question whether there is any."""
    first, second = two
    second.follower.close()
    first.open_account("Ann")
    give = second.house.give

    def give_then_read_news(*arguments, **named):
        given = give(*arguments, **named)
        second.house.catch_up()
        return given

    monkeypatch.setattr(second.house, "give", give_then_read_news)
    order = orders.DisablePerson(name="Ann", reason="banned")
    assert second.tell(order, who="administrator").refused is None
    again = second.tell(order, who="administrator").refused
    assert again is not None


def test_a_session_is_known_everywhere_and_over_everywhere(two):
    first, second = two
    first.open_account("Ann", "a password of Ann's")
    login = second.log_in("Ann", "a password of Ann's")
    assert first.who_is(login.token) == "Ann"
    first.log_out(login.token)
    wait_until(lambda: not second.office.state.sessions)
    with pytest.raises(HouseError, match="over"):
        second.who_is(login.token)


def test_a_table_is_run_by_one_process(two, postgres_url):
    first, _ = two
    add_table(first, "A")
    with pytest.raises(OwnedElsewhere, match="A is run by another process"):
        Casino.open(postgres_url, tables=["A"])
    with pytest.raises(UnknownPlace, match="'B'"):
        Casino.open(postgres_url, tables=["B"])
    without = Casino.open(postgres_url, tables=[])
    assert not without.house.pit.tables
    without.close()


def end_sessions_of_ownership(casino: Casino) -> None:
    """The server ends the connection that holds the locks of a process."""
    held = casino.house.ownership._database
    [(pid,)] = held.execute("SELECT pg_backend_pid()")
    casino.house.reader.database.execute("SELECT pg_terminate_backend(?::integer)", (pid,))


def test_a_table_that_was_taken_over_is_not_run_here_any_more(two, postgres_url):
    first, second = two
    add_table(first, "A")
    add_table(first, "B")
    first.open_account("Ann")
    first.cash_in("Ann", 100_000)
    end_sessions_of_ownership(first)
    wait_until(lambda: _free(second, "A"))
    third = Casino.open(postgres_url, tables=["A"])
    assert sit(third, "A", 1, "Ann", 10_000).refused is None
    with pytest.raises(HouseError):  # a conflict, or it knows already
        sit(first, "A", 2, "Ann", 10_000)
    with pytest.raises(OwnedElsewhere, match="taken over A"):
        sit(first, "A", 2, "Ann", 10_000)
    assert sit(first, "B", 2, "Ann", 10_000).refused is None
    third.close()
    assert verify(first.house.reader).difference is None


def _free(casino: Casino, place: str) -> bool:
    ownership = casino.house.ownership
    try:
        ownership.take(place)
    except OwnedElsewhere:
        return False
    ownership.give_up(place)
    return True


def test_another_process_takes_over_the_tables_of_one_that_died(two, postgres_url):
    first, second = two
    add_table(first, "A")
    first.open_account("Ann")
    first.open_account("Ben")
    for who, seat in (("Ann", 1), ("Ben", 2)):
        first.cash_in(who, 50_000)
        assert sit(first, "A", seat, who, 50_000).refused is None
    for _ in range(2):
        first.dealer.call("A").result()
        for given in first.dealer.deal("A"):
            given.result()
    assert first.table("A").playing()
    first.close()  # without a word
    third = Casino.open(postgres_url, tables=["A"])
    assert [made.place for made in third.recovered] == ["A"]
    assert third.recovered[0].outcome != "goes on" or third.table("A").playing()
    assert verify(third.house.reader).difference is None
    assert "A" not in second.house.pit.tables
    third.close()
