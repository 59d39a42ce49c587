"""What a player's own limits are reckoned from, and which of several wishes counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from croupier.house.casino import Casino
from croupier.house.moved import movements
from croupier.house.office.own_limits import LimitName, SetOwnLimit, StayAway, limit_at
from croupier.house.own_limits import over_session
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.archiving import FIRST_DAY, Clock, archived, opened, two_days
from tests.house.evening import furnish

EVENING = datetime(2026, 11, 16, 20, tzinfo=UTC)


def test_what_was_archived_this_morning_was_played_last_night(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    two_days(url, tmp_path, rounds=1)
    store = Store(open_database(url))
    before = movements(store, "Ann", EVENING - timedelta(hours=1))
    assert len(before) > 2
    later = movements(store, "Ann", datetime.fromisoformat(before[-1].at))
    assert later == before[-1:]
    store.close()
    archived(url, tmp_path, FIRST_DAY)
    store = Store(open_database(url))
    assert movements(store, "Ann", EVENING - timedelta(hours=1)) == before
    assert movements(store, "Ann", datetime.fromisoformat(before[-1].at)) == later
    assert movements(store, "Ann", EVENING + timedelta(days=1)) == []
    store.close()


def founded(folder: Path) -> Casino:
    casino = opened(f"sqlite:///{folder / 'house.db'}", folder / "copy", EVENING)
    furnish(casino)
    return casino


def test_a_later_wish_takes_the_place_of_one_that_does_not_count_yet(tmp_path: Path):
    casino = founded(tmp_path)
    clock = casino.house.clock
    assert isinstance(clock, Clock)
    limit: LimitName = "loss"
    for to, hours in ((100_00, 0), (None, 1), (200_00, 10)):
        clock.now = EVENING + timedelta(hours=1 + hours)
        answer = casino.tell(SetOwnLimit(player="Ann", limit=limit, to=to), who="Ann")
        assert answer.refused is None, answer.refused
    limits = casino.office.state.people["Ann"].own_limits
    a_day_later = [limit_at(limits, limit, EVENING + timedelta(hours=h)) for h in (12, 27, 36)]
    assert a_day_later == [100_00, 100_00, 200_00]
    casino.stop()


def test_a_limit_that_is_set_again_and_again_is_kept_once(tmp_path: Path):
    """Nothing is kept for ever of somebody who sets it a thousand times a minute."""
    casino = founded(tmp_path)
    clock = casino.house.clock
    assert isinstance(clock, Clock)
    wished: list[tuple[LimitName, int | None]] = [("loss", 100_00)] * 20
    wished += [("deposit", 50_00), ("loss", 90_00), ("deposit", 50_00), ("loss", None)]
    for second, (limit, to) in enumerate(wished):
        clock.now = EVENING + timedelta(seconds=second)
        answer = casino.tell(SetOwnLimit(player="Ann", limit=limit, to=to), who="Ann")
        assert answer.refused is None, answer.refused
    limits = casino.office.state.people["Ann"].own_limits
    assert len(limits) == 4, "of each what counts, and what counted or will count beside it"
    for hours, loss in ((1, 90_00), (25, None)):
        then = EVENING + timedelta(hours=hours)
        found = [limit_at(limits, "loss", then), limit_at(limits, "deposit", then)]
        assert found == [loss, 50_00]
    casino.stop()


def test_a_session_that_has_run_out_is_no_session_any_more(tmp_path: Path):
    casino = founded(tmp_path)
    clock = casino.house.clock
    assert isinstance(clock, Clock)
    assert casino.tell(SetOwnLimit(player="Ann", limit="session", to=60), who="Ann").refused is None
    casino.log_in("Ann", "Ann's password")
    state = casino.office.state
    assert over_session(state, "Ann", EVENING + timedelta(minutes=30)) == ""
    assert "session limit" in over_session(state, "Ann", EVENING + timedelta(hours=3))
    clock.now = EVENING + timedelta(days=2)
    casino.log_in("Ann", "Ann's password")
    assert over_session(state, "Ann", EVENING + timedelta(days=2, minutes=5)) == ""
    casino.stop()


def test_a_break_after_an_exclusion_that_has_ended_is_a_break(tmp_path: Path):
    casino = founded(tmp_path)
    clock = casino.house.clock
    assert isinstance(clock, Clock)
    for days, exclusion, later in ((180, True, 0), (200, True, 10), (7, False, 400)):
        clock.now = EVENING + timedelta(days=later, hours=1)
        order = StayAway(player="Ann", days=days, exclusion=exclusion)
        assert casino.tell(order, who="Ann").refused is None
        assert casino.office.state.people["Ann"].excluded is exclusion
    casino.stop()
