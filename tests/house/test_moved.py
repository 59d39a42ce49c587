"""What limits ask of an account: told rightly however it is read, and each movement read once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.house.casino import Casino
from croupier.house.moved import LOOKED_BACK, Moved, MovedLately, Movement
from croupier.house.office import OFFICE
from croupier.house.records import written_time
from tests.house.archiving import FIRST_DAY, archived, opened, two_days
from tests.house.evening import furnish

EVENING = datetime(2026, 11, 16, 20, tzinfo=UTC)


def as_it_is_defined(moved: list[Movement], since: datetime) -> tuple[int, int]:
    """What was lost and paid in, from every movement, one after the other."""
    start, brought, total, paid = written_time(since), dict[str, int](), 0, 0
    for each in moved:
        if each.at < written_time(since - LOOKED_BACK):
            continue
        if each.place == OFFICE:
            paid += each.amount if each.amount > 0 and each.at >= start else 0
            continue
        old = brought.get(each.place, 0)
        if each.at < start:
            brought[each.place] = old - each.amount if each.amount < 0 else 0
        elif each.amount < 0:
            total += each.amount
        else:
            total += max(0, each.amount - old)
            brought[each.place] = max(0, old - each.amount)
    return max(0, -total), paid


@pytest.mark.parametrize("seed", range(40))
def test_an_account_that_is_read_on_is_as_one_that_is_read_anew(seed: int):
    """Days apart and within an hour; chips that lay somewhere for longer than is looked back."""
    chance = random.Random(seed)
    now, kept, every = EVENING, Moved(), list[Movement]()
    for _ in range(150):
        now += timedelta(hours=chance.choice((0, 0.01, 1, 9, 30, 800)))
        if chance.random() < 0.6:
            amount = chance.choice((-1, 1)) * chance.randrange(1, 300)
            place = chance.choice(("P1", "P2", OFFICE))
            every.append(Movement(place=place, at=written_time(now), amount=amount))
            kept.add(every[-1])
        else:
            since = now - timedelta(days=1)
            kept.begin(since)
            assert (kept.lost, kept.paid_in) == as_it_is_defined(every, since)


@pytest.fixture(params=["sqlite", "postgres"])
def casino(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Casino]:
    sqlite = f"sqlite:///{tmp_path / 'house.db'}"
    url = sqlite if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    made = opened(url, tmp_path / "copy", EVENING)
    furnish(made)
    yield made
    made.stop()


def told(casino: Casino, lately: MovedLately) -> tuple[int, int]:
    found = lately.of("Ann", casino.house.clock(), casino.office.state.places)
    return found.lost, found.paid_in


def test_each_movement_is_read_once(casino: Casino, monkeypatch: pytest.MonkeyPatch):
    """Or whoever comes and goes all day holds up every table longer with each time."""
    lately, database = MovedLately(casino.house), casino.house.reader.database
    for _ in range(30):
        assert casino.cash_in("Ann", 500, who="Cal").refused is None
    assert told(casino, lately) == told(casino, MovedLately(casino.house))
    execute, rows = database.execute, list[int]()

    def counted(*asked: Any) -> Any:
        found = list(execute(*asked))
        rows.append(len(found))
        return found

    before = told(casino, lately)[1]
    for number in range(1, 6):
        assert casino.cash_in("Ann", 700, who="Cal").refused is None
        casino.house.writer.flush()
        rows.clear()
        with monkeypatch.context() as patch:
            patch.setattr(database, "execute", counted)
            assert told(casino, lately)[1] == before + number * 700
        assert sum(rows) == 1, "of thirty and more"
        assert told(casino, lately) == told(casino, MovedLately(casino.house))


def test_what_is_archived_between_two_looks_is_read_there(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'house.db'}"
    two_days(url, tmp_path, rounds=1)
    casino = opened(url, tmp_path / "copy", EVENING + timedelta(days=2))
    lately = MovedLately(casino.house)
    evening = EVENING + timedelta(hours=6)
    places = casino.office.state.places
    assert lately.of("Ann", evening, places).paid_in
    before = lately.of("Ann", evening, places)
    had = before.lost, before.paid_in
    casino.stop()
    archived(url, tmp_path, FIRST_DAY)
    casino = opened(url, tmp_path / "copy", EVENING + timedelta(days=2))
    lately._house = casino.house
    again = lately.of("Ann", evening, places)
    assert again is not before, "it was read anew, with the archive"
    assert (again.lost, again.paid_in) == had
    casino.stop()
