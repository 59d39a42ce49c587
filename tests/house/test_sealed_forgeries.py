"""Database and copy are rewritten by somebody who knows the format: the seals that others keep find
each of it, and name the first head that does not hold."""

from __future__ import annotations

import shutil
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.vault import beside
from croupier.table import Look
from tests.house.evening import furnish, open_casino, play
from tests.house.forging import (
    FORGERIES,
    a_cut_tail,
    a_deposit,
    an_entry_with_balances,
    forge,
    read_deeds,
)

KEY = SigningKey(b"the key of the House in tests...")
BEGUN = datetime(2026, 11, 16, 20, tzinfo=UTC)


@dataclass
class Night:
    url: str
    copy: Path
    seals: Path
    """As a witness keeps them."""

    def store(self) -> Store:
        return Store(open_database(self.url))


def sealed_night(url: str, folder: Path, seals: int = 4) -> Night:
    """A night that was sealed four times, or so often."""
    night = Night(url, folder / "copy", folder / "seals")
    casino = open_casino(url, night.copy)
    kept = SealFolder(night.seals)
    for number, part in enumerate((furnish, *[None] * (seals - 1)), start=1):
        if part is not None:
            part(casino)
        else:
            play(casino, 1, seed=number)
            refused = casino.house.give(
                "P8", Look(seat=1), who="Ann", rank=casino.rank_of("Ann")
            ).result()
            assert refused.refused is not None
            casino.house.writer.refused.write()
        made = seal_now(casino.house.store, KEY, "time", BEGUN + timedelta(minutes=10 * number))
        assert made is not None
        kept.keep(number, made)
    casino.stop()
    return night


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    folder = tmp_path_factory.mktemp("night")
    return sealed_night(f"sqlite:///{folder}/house.db", folder)


def copied(night: Night, folder: Path) -> Night:
    file = Path(night.url.removeprefix("sqlite:///"))
    shutil.copy(file, folder / "house.db")
    shutil.copy(beside(file), beside(folder / "house.db"))
    return Night(f"sqlite:///{folder}/house.db", folder / "copy", night.seals)


def found_by_seals(store: Store, night: Night) -> str:
    found = verify(store, night.copy, apply_only=True, seals=night.seals, seal_keys=(KEY.public,))
    sealed = [each for each in found.differences if each.table == "seals"]
    return "\n".join(map(str, sealed))


def test_a_night_that_nobody_touched_holds(night: Night):
    store = night.store()
    for seals in (None, night.seals):
        found = verify(store, night.copy, seals=seals, seal_keys=(KEY.public,))
        assert found.difference is None
        assert (found.sealed.seals, found.sealed.key) == (4, KEY.public)
    store.close()


@pytest.mark.parametrize(
    ("forgery", "key"),
    [*((each, None) for each in FORGERIES), (a_deposit, KEY), (a_cut_tail, KEY)],
    ids=lambda each: getattr(each, "__name__", "with the House's key" if each else "alone"),
)
def test_whoever_makes_everything_again_is_found_by_the_seals(night, tmp_path, forgery, key):
    mine = copied(night, tmp_path)
    store = mine.store()
    forge(store, mine.copy, read_deeds(store), forgery, key)
    told = found_by_seals(store, mine)
    store.close()
    if forgery is an_entry_with_balances:
        assert "column entries: an entry of the ledger was changed" in told
        assert "column balances: what an account held then was changed" in told
    else:
        assert "column heads" in told
        assert "this sealed head" in told
    assert ("FORK" in told) == (key is not None)


def test_a_deposit_with_everything_made_again_is_found_by_nothing_but_the_seals(night, tmp_path):
    mine = copied(night, tmp_path)
    store = mine.store()
    forge(store, mine.copy, read_deeds(store), a_deposit)
    assert verify(store, mine.copy).difference is None
    found = verify(store, mine.copy, seals=mine.seals)
    store.close()
    assert found.difference is not None
    assert found.difference.where == f"seal 1 of 2026-11-16T20:10:00Z, office at {_office(mine)}"
    assert [each.table for each in found.differences[:2]] == ["seals", "seals"]


def _office(night: Night) -> int:
    return SealFolder(night.seals).seal(1).read().heads["office"][0]


@pytest.mark.parametrize(
    "forgeries",
    [(a_deposit,), pytest.param(FORGERIES, marks=pytest.mark.slow)],
    ids=["a deposit", "all"],
)
def test_on_postgresql_too(postgres_url: str, tmp_path: Path, forgeries):
    mine = sealed_night(postgres_url, tmp_path, seals=2 if len(forgeries) == 1 else 4)
    store = mine.store()
    as_it_was = read_deeds(store)
    for forgery in forgeries:
        forge(store, mine.copy, deepcopy(as_it_was), forgery)
        told = found_by_seals(store, mine)
        wanted = "column entries" if forgery is an_entry_with_balances else "column heads"
        assert wanted in told, forgery.__name__
    store.close()
