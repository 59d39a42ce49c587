"""The database fails at any statement: the tables stand as their logs have them, nobody waits."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.house.dealer import Dealer
from croupier.house.errors import DiskFull, LostConnection
from croupier.house.house import House
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from tests.house.casino import Guests, add_places, open_places, stands_as_its_log
from tests.house.seeded import Seeded

TABLES = ("P8", "M3")
AT_ONCE = 10
"""Seconds within which everybody has an answer."""


class Failing(SqliteDatabase):
    """A database that fails once at the statement that is named by its number."""

    fails_at = -1
    """Counted down by every statement; at nothing it fails."""
    down = False
    """Whether nothing works at all."""

    def _count(self) -> None:
        if self.down:
            raise LostConnection("the server is down")
        self.fails_at -= 1
        if self.fails_at == 0:
            raise DiskFull("there is no room left")

    def execute(self, sql, values=()):
        if not sql.startswith(("PRAGMA", "ROLLBACK")):
            self._count()
        return super().execute(sql, values)

    def insert_all(self, insertions, *, quiet=False):
        self._count()
        return super().insert_all(insertions, quiet=quiet)


class Hears:
    """A watcher that notes what was told, and whether it ended."""

    def __init__(self) -> None:
        self.open: set[str] = set()
        self.lost_ones: list[str] = []

    def made(self, answer, order):
        assert answer.command_id not in self.open
        self.open.add(answer.command_id)

    def stored(self, answer):
        self.open.remove(answer.command_id)

    def lost(self, answer):
        self.open.remove(answer.command_id)
        self.lost_ones.append(answer.command_id)


@contextmanager
def running(path) -> Iterator[tuple[House, Failing, Failing]]:
    writing, reading = Failing(path), Failing(path)
    house = House(Store(writing), reader=Store(reading))
    add_places(house, TABLES)
    open_places(house, TABLES)
    yield house, writing, reading
    house.close()


@pytest.mark.parametrize("part", ["writing", "reading"])
def test_a_failure_at_any_statement_undoes_what_was_not_stored(tmp_path, part):
    with running(tmp_path / "house.db") as (house, writing, reading):
        hears = Hears()
        house.watch(hears)
        dealer = Dealer(house, Seeded(3))
        guests = [Guests(house, dealer, place, seed=5) for place in TABLES]
        failed = 0
        for number in range(160):
            failing = writing if part == "writing" else reading
            failing.fails_at = 1 + number % 11
            for one in guests:
                try:
                    one.step()
                except DiskFull:
                    failed += 1
            failing.fails_at = -1
            house.writer.flush()
            stands_as_its_log(house)
        assert failed > 10 or part == "reading"
        assert not hears.open, "whoever was told of a command was told what became of it"
        assert failed == 0 or part == "reading" or hears.lost_ones
        balances = house.reader.balances()
        assert sum(balances.values()) == 0


def test_while_nothing_can_be_read_nobody_waits_and_then_all_is_as_it_was(tmp_path):
    with running(tmp_path / "house.db") as (house, writing, reading):
        hears = Hears()
        house.watch(hears)
        dealer = Dealer(house, Seeded(3))
        heads = house.reader.heads()
        writing.down = reading.down = True
        with house.lock:  # nobody hears of the first before the second is given
            given = [dealer.call(place) for place in TABLES]
        for future in given:
            with pytest.raises(LostConnection):
                future.result(AT_ONCE)
        for place in TABLES:
            with pytest.raises(LostConnection):
                dealer.call(place)
        writing.down = reading.down = False
        for place in TABLES:
            Guests(house, dealer, place, seed=1).play(rounds=1)
        assert not hears.open
        assert len(hears.lost_ones) == len(TABLES)
        stands_as_its_log(house)
        assert all(house.reader.head(p).position > heads[p].position for p in TABLES)
