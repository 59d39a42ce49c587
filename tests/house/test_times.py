"""Time in a log never runs backwards unsaid."""

from datetime import UTC, datetime, timedelta

import pytest

from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import DiskFull
from croupier.house.office import Office
from croupier.house.office.commands import AddTable
from croupier.house.office.record_events import ClockSetBack
from croupier.house.store import Store
from croupier.house.times import SLACK, Times
from croupier.house.urls import open_database
from croupier.poker.commands import Leave, Sit
from croupier.table import ActorRank
from tests.house.casino import settings_of

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
TABLE = AddTable(table="P8", rulebook="no-limit-holdem-v8", settings=settings_of("P8"))


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def at_the_table(url: str, clock: Clock) -> Casino:
    """A casino with a table, and a player who has not sat down yet."""
    casino = Casino.open(url, clock=clock)
    casino.add_table(TABLE)
    casino.open_account("Ann")
    casino.cash_in("Ann", 100_000)
    return casino


def sit_down(casino: Casino) -> None:
    sits = Sit(seat=1, player="Ann", stake=50_000)
    answer = casino.house.carry_out("P8", sits, who="Ann", rank=ActorRank.PLAYER)
    assert answer.refused is None


def test_a_small_step_is_taken_up_and_a_large_one_is_said():
    said = []
    times = Times()
    times.on_set_back = lambda before, to, now: said.append((before, to))
    assert times.of(NOON) == NOON
    assert (times.of(NOON - SLACK), said) == (NOON, [])
    before = NOON - SLACK - timedelta(microseconds=1)
    assert (times.of(before), said) == (before, [(NOON, before)])
    assert (times.of(before), len(said)) == (before, 1)
    times.seen("2026-11-17T20:00:01+08:00", before)  # another process was there
    assert (times.of(before), len(said)) == (before, 2)
    times.seen("2026-11-17T12:00:01Z", before)  # that is said
    assert (times.of(before), len(said)) == (before, 2)
    times.seen(f"{before + SLACK:%Y-%m-%dT%H:%M:%S.%fZ}", before)  # that need not be
    assert (times.of(before), len(said)) == (before + SLACK, 2)
    times.seen("2026-11-17T12:00:01.000001Z", before)
    assert (times.of(before), len(said)) == (before, 3)


def test_a_clock_that_is_set_back_again_is_said_again_however_far_it_was_the_first_time():
    said = []
    times = Times()
    times.on_set_back = lambda before, to, now: said.append((before, to))
    minutes = [NOON + timedelta(minutes=n) for n in (0, -60, -30, -50)]
    assert [times.of(each) for each in minutes] == minutes
    assert said == [(minutes[0], minutes[1]), (minutes[2], minutes[3])]


def test_a_step_back_that_could_not_be_told_is_told_with_the_next_order():
    """The database is out of reach: what tells it raises, and the order with it."""
    said = []

    def tell(before: datetime, to: datetime, now: datetime) -> None:
        if to == now:
            raise DiskFull("nothing can be stored")
        said.append((before, to, now))

    times = Times()
    times.on_set_back = tell
    times.of(NOON)
    back = NOON - timedelta(seconds=30)
    with pytest.raises(DiskFull):
        times.of(back)
    later = back + timedelta(seconds=1)
    assert (times.of(later), said) == (later, [(NOON, back, later)])
    assert (times.of(later), len(said)) == (later, 1)


@pytest.mark.parametrize("restart", [False, True], ids=["while it runs", "before a start"])
def test_a_clock_that_was_set_back_is_on_record_and_the_audit_is_content(
    database_url, tmp_path, restart
):
    clock = Clock()
    casino = Casino.open(database_url, copy=tmp_path / "copy", clock=clock)
    casino.open_account("Ann")
    if restart:
        casino.stop()
    clock.now = NOON - timedelta(hours=1)
    if restart:
        casino = Casino.open(database_url, copy=tmp_path / "copy", clock=clock)
    casino.open_account("Ben")
    casino.stop()
    store = Store(open_database(database_url))
    events = [Office.read_event(row.event) for row in store.rows("office")]
    [said] = [event for event in events if isinstance(event, ClockSetBack)]
    assert (said.before, said.now) == (NOON, clock.now)
    assert verify(store).difference is None
    store.close()


def test_a_step_back_that_nobody_noted_is_a_difference(sqlite_url):
    clock = Clock()
    casino = Casino.open(sqlite_url, clock=clock)
    casino.house.times.on_set_back = lambda before, to, now: None
    casino.open_account("Ann")
    clock.now = NOON - timedelta(minutes=5)
    casino.open_account("Ben")
    casino.stop()
    store = Store(open_database(sqlite_url))
    found = verify(store).difference
    store.close()
    assert found is not None
    assert (found.table, found.column) == ("log", "at")
    assert "time runs backwards by 300.000 s" in found.says


def test_a_place_that_was_silent_through_two_steps_back_is_no_difference(sqlite_url):
    """Each step is on record; the log of a place shows both of them as one."""
    clock = Clock()
    casino = at_the_table(sqlite_url, clock)
    for minutes in (5, 10):
        clock.now = NOON - timedelta(minutes=minutes)
        casino.open_account(f"Ben {minutes}")
    sit_down(casino)
    casino.stop()
    store = Store(open_database(sqlite_url))
    assert verify(store).difference is None
    store.close()


def test_a_step_back_is_said_again_as_it_was_though_the_clock_goes_on():
    said = []
    times = Times()
    times.on_set_back = lambda before, to, now: said.append((before, to, now))
    back, later = NOON - timedelta(minutes=1), NOON + timedelta(minutes=1)
    times.of(NOON)
    times.of(back)
    times.not_noted(NOON, back)
    assert times.of(later) == later
    assert said == [(NOON, back, back), (NOON, back, later)]


def test_what_was_stored_behind_a_lost_note_is_no_difference(sqlite_url, monkeypatch):
    """The note alone is lost; the order behind it is stored, and the clock goes on before the next
    one can say that it was set back."""
    clock = Clock()
    casino = at_the_table(sqlite_url, clock)
    sit_down(casino)
    clock.now = NOON - timedelta(minutes=5)
    append = casino.house.store.append

    def without_the_office(bundles):
        lost = [any(row.stream == "office" for row in bundle.rows) for bundle in bundles]
        rest = [bundle for bundle, gone in zip(bundles, lost, strict=True) if not gone]
        stored = iter(append(rest))
        return [DiskFull("there is no room left") if gone else next(stored) for gone in lost]

    with monkeypatch.context() as patch:
        patch.setattr(casino.house.store, "append", without_the_office)
        leave = Leave(seat=1)
        answer = casino.house.carry_out("P8", leave, who="Ann", rank=ActorRank.PLAYER)
    assert answer.refused is None
    clock.now += timedelta(seconds=1)
    casino.open_account("Ben")
    casino.stop()
    store = Store(open_database(sqlite_url))
    assert verify(store).difference is None
    store.close()


def test_a_step_back_whose_note_was_lost_is_said_again(sqlite_url, monkeypatch):
    clock = Clock()
    casino = at_the_table(sqlite_url, clock)

    def full(bundles):
        raise DiskFull("there is no room left to write")

    clock.now = NOON + timedelta(minutes=10)
    sit_down(casino)
    clock.now = NOON + timedelta(minutes=5)  # the office has not heard anything since noon
    with monkeypatch.context() as patch:
        patch.setattr(casino.house.store, "append", full)
        with pytest.raises(DiskFull):
            casino.open_account("Ben")
    leave = Leave(seat=1)
    answer = casino.house.carry_out("P8", leave, who="Ann", rank=ActorRank.PLAYER)
    assert answer.refused is None
    casino.stop()
    store = Store(open_database(sqlite_url))
    assert verify(store).difference is None
    store.close()
