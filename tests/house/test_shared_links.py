"""A jackpot link whose tables two processes run: claims in true order, an exact meter."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from croupier.banked import commands as banked
from croupier.house.answers import Answer, Given
from croupier.house.audit import verify
from croupier.house.calls import Calls
from croupier.house.casino import Casino
from croupier.house.link_orders import link_of, order_at, order_of_payment
from croupier.house.office import Office
from croupier.house.office.record_events import ClockSetBack
from croupier.house.ownership import ownership_of
from croupier.house.promise import Promise
from croupier.house.shuffle_book import book_of
from croupier.jackpot.commands import PayClaims
from croupier.table import ActorRank, Order
from tests.house.jackpots import ROYAL_FLUSH, claim, deal, stack
from tests.house.quick import make_quick
from tests.house.test_link_orders import opened
from tests.house.test_processes import wait_until

LOST = "?? 2c 7d ?? 3s 4h 9c ?? Jd ?? Ks Kd Qd"
"""A box that wins nothing."""


@pytest.fixture
def two(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Casino, Casino]]:
    """Two processes: the first runs M1, the second M2."""
    make_quick(monkeypatch)
    opened(postgres_url).stop()
    both = (Casino.open(postgres_url, tables=["M1"]), Casino.open(postgres_url, tables=["M2"]))
    yield both
    for casino in both:
        casino.close()


def meter(casino: Casino) -> int:
    return link_of(casino, "Marina").state.meter


def test_claims_of_two_processes_are_paid_in_the_order_in_which_they_came(two):
    first, second = two
    claim(second, "M2", "Bob", ROYAL_FLUSH)
    wait_until(lambda: link_of(first, "Marina").state.claims)
    claim(first, "M1", "Ann", ROYAL_FLUSH)
    wait_until(lambda: len(link_of(second, "Marina").state.claims) == 2)
    assert [each.table for each in link_of(first, "Marina").state.claims] == ["M2", "M1"]
    paid = order_at(first, "Marina", PayClaims(), who="Max").result()
    assert paid.refused is None
    decided = order_at(
        first, "Marina", order_of_payment(link_of(first, "Marina")), who="Max"
    ).result()
    assert decided.refused is None
    assert first.table("M1").status() != "jackpot"
    wait_until(lambda: second.table("M2").status() != "jackpot")
    wait_until(lambda: meter(first) == meter(second))
    assert not first.house.pit.guests
    assert "M2" not in first.house.tables()
    found = verify(first.house.reader)
    assert found.difference is None, found


def test_the_meter_is_exact_however_often_two_processes_meet(two):
    first, second = two
    before = meter(first)
    rounds, failed = 4, []

    def play(casino: Casino, table: str, player: str) -> None:
        try:
            give(casino, table, banked.Sit(box=1, player=player, chips=50_000), player)
            for _ in range(rounds):
                stack(casino, LOST)
                deal(casino, table)
                give(casino, table, banked.PlaceAnte(box=1, amount=1_000), player)
                give(casino, table, banked.PlaceProgressive(box=1), player)
                deal(casino, table)
                give(casino, table, banked.FlopBet(box=1), player)
                for _ in ("turn", "river"):
                    casino.dealer.deal(table)
                    give(casino, table, banked.Check(box=1), player)
                casino.dealer.deal(table)
        except BaseException as error:
            failed.append(error)

    threads = [
        threading.Thread(target=play, args=(first, "M1", "Ann")),
        threading.Thread(target=play, args=(second, "M2", "Bob")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    wait_until(lambda: meter(first) == meter(second))
    assert meter(first) == before + 2 * rounds * 100
    assert verify(first.house.reader).difference is None


@pytest.mark.parametrize("behind", [0.5, 60.0], ids=["a little", "by a minute"])
def test_where_the_clocks_of_two_processes_differ_no_time_runs_backwards_unsaid(two, behind):
    """At the link, nor at a table that one process is told something for by the other."""
    first, second = two
    clock = first.house.clock
    first.house.clock = lambda: clock() - timedelta(seconds=behind)
    claim(second, "M2", "Bob", ROYAL_FLUSH)
    wait_until(lambda: link_of(first, "Marina").state.claims)
    order_at(first, "Marina", PayClaims(), who="Max").result()
    wait_until(lambda: second.table("M2").status() != "jackpot")
    assert not first.house.pit.guests
    found = verify(first.house.reader)
    assert found.difference is None, found
    events = [Office.read_event(row.event) for row in first.house.reader.rows("office")]
    assert any(isinstance(event, ClockSetBack) for event in events) is (behind > 2)


def test_a_table_that_was_told_something_later_is_told_once_the_clock_is_there(two):
    """The other server's clock is ahead, and only its table shows that as yet: the first one meets
    it in the middle of a command."""
    first, second = two
    claim(second, "M2", "Bob", ROYAL_FLUSH)
    wait_until(lambda: link_of(first, "Marina").state.claims)
    clock = second.house.clock
    second.house.clock = lambda: clock() + timedelta(seconds=1.5)
    give(second, "M2", banked.Sit(box=2, player="Ann", chips=50_000), "Ann")
    paid = order_at(first, "Marina", PayClaims(), who="Max").result()
    assert paid.refused is None
    assert {said.place for said in paid.said} == {"Marina", "M2"}
    assert not first.house.pit.guests
    found = verify(first.house.reader)
    assert found.difference is None, found


def give(casino: Casino, table: str, command, who: str) -> None:
    answer = casino.house.give(table, command, who=who, rank=ActorRank.PLAYER).result()
    assert answer.refused is None, answer.refused


def test_whoever_takes_a_table_over_has_its_shuffle_book_too(two):
    """A process that has lost the lock of a table keeps no lock of its shuffle book."""
    first, second = two
    first.dealer.binding.book("M1")
    other = ownership_of(second.house.store.database)
    other.take(book_of("M1"))
    other.close()


def test_a_command_is_given_again_by_a_thread_of_its_own(two, monkeypatch):
    """Whoever told that another process was first, such as the event loop, waits for nothing."""
    first, _ = two
    links, done, by = first.house.shared_links, Promise(), []

    def seen(**how) -> None:
        by.append(threading.current_thread().name)

    monkeypatch.setattr(links, "catch_up", seen)
    links.run_later = Calls(first.house.world).put  # as the live casino has it
    order = Order(command=PayClaims(), who="Max", rank=ActorRank.HOUSE, when=first.house.clock())
    given = Given(place="Marina", order=order, promise=Promise(), again=lambda: done)
    answer = Answer(command_id="c1")
    links.try_again(given)
    done.set_result(answer)
    assert given.promise.result(10) is answer
    assert "house-again" in by
    assert threading.current_thread().name not in by
