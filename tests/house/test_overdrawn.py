"""Whoever stakes what is paid in only afterwards is found, although every balance is right."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from croupier.house.audit import alone, verify
from croupier.house.audit.export import export
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.archiving import archived, two_days
from tests.house.forging import Deeds, forge, read_deeds
from tests.house.test_sealed_forgeries import sealed_night

SAYS = "player/Cho, column amount: the account is overdrawn: it would hold -500 after this"


def a_late_deposit(deeds: Deeds) -> None:
    """Cho sits down, and pays in then."""
    gives = (
        n
        for n, deed in enumerate(deeds)
        if any(entry.account == "player/Cho" for entry in deed.entries)
    )
    deposit, sits = next(gives), next(gives)
    assert deeds[deposit].order.place == "office"
    assert deeds[sits].order.place == "P8"
    deeds.insert(sits, deeds.pop(deposit))


def found(store: Store) -> list[str]:
    return [str(each) for each in verify(store).differences]


def check(url: str, folder: Path) -> None:
    night = sealed_night(url, folder, seals=2)
    store = night.store()
    assert found(store) == []
    forge(store, night.copy, read_deeds(store), a_late_deposit)
    [told] = found(store)
    assert told.endswith(SAYS)
    export(store, folder / "night.jsonl", with_open_rounds=True)
    store.close()
    with pytest.raises(ValueError, match="player/Cho is overdrawn at P8"):
        alone.Night(folder / "night.jsonl").check_money()


def test_it_is_found(tmp_path: Path):
    check(f"sqlite:///{tmp_path}/house.db", tmp_path)


def test_on_postgresql_too(postgres_url: str, tmp_path: Path):
    check(postgres_url, tmp_path)


def test_in_an_archive_too(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/house.db"
    two_days(url, tmp_path)
    store = Store(open_database(url))
    forge(store, tmp_path / "copy", read_deeds(store), a_late_deposit)
    store.close()
    shutil.rmtree(tmp_path / "seals")
    archived(url, tmp_path)
    store = Store(open_database(url))
    assert store.past.holds("P8", 4)
    [told] = found(store)
    store.close()
    assert told.endswith(SAYS)
