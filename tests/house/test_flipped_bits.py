"""A single flipped bit in any stored row or index entry of a file is found and named."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.errors import CorruptDatabase, StorageError
from croupier.house.quick_check import check_quickly
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.vault import beside
from tests.house.bits import cells
from tests.house.evening import evening

ALL = 100
FEW = 8


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("night") / "house.db"
    evening(f"sqlite:///{file}", rounds=1)
    return file


@pytest.fixture(scope="module")
def places(night: Path) -> list[tuple[str, int]]:
    """A hundred bits, by seed: a third of them in indexes, which are small beside the rows."""
    chance = random.Random(18)
    found = cells(night)
    rows = [cell for cell in found if "autoindex" not in cell.name and "_by_" not in cell.name]
    indexes = [cell for cell in found if cell not in set(rows)]
    picked = []
    for number in range(ALL):
        among = indexes if number % 3 == 0 else rows
        cell = chance.choices(among, [each.end - each.start for each in among])[0]
        picked.append((cell.name, chance.randrange(cell.start * 8, cell.end * 8)))
    return picked


def flipped(night: Path, bit: int, tmp_path: Path) -> str:
    """What an audit says of the file with one bit flipped; nothing if it finds nothing."""
    file = tmp_path / "house.db"
    whole = bytearray(night.read_bytes())
    whole[bit // 8] ^= 1 << bit % 8
    file.write_bytes(whole)
    shutil.copy(beside(night), beside(file))
    try:
        database = SqliteDatabase(file)
    except StorageError as error:
        return str(error)
    try:
        return str(verify(Store(database, migrated=True), limit=1).difference or "")
    except StorageError as error:
        return str(error)
    finally:
        database.close()


def test_every_row_and_index_entry_is_looked_for(night: Path):
    found = cells(night)
    assert sum(cell.end - cell.start for cell in found) > 0.6 * night.stat().st_size
    assert {"log", "orders", "entries", "log_by_command", "sqlite_autoindex_log_1"} <= {
        cell.name for cell in found
    }


@pytest.mark.parametrize("number", range(FEW))
def test_a_flipped_bit_is_found(night: Path, places, tmp_path: Path, number: int):
    name, bit = places[number]
    assert flipped(night, bit, tmp_path), f"bit {bit % 8} of byte {bit // 8}, in {name}"


@pytest.mark.slow
def test_every_flipped_bit_is_found(night: Path, places, tmp_path: Path):
    missed = [
        f"bit {bit % 8} of byte {bit // 8}, in {name}"
        for name, bit in places
        if not flipped(night, bit, tmp_path)
    ]
    assert not missed, f"{len(missed)} of {ALL}: {missed}"


def test_a_start_refuses_a_damaged_file(night: Path, tmp_path: Path):
    file = tmp_path / "house.db"
    shutil.copy(night, file)
    database = SqliteDatabase(file)
    check_quickly(database)
    database.close()
    cell = next(cell for cell in cells(night) if cell.name == "log")
    whole = bytearray(night.read_bytes())
    page = cell.start // 2048 * 2048
    whole[page : page + 8] = bytes(8)
    file.write_bytes(whole)
    database = SqliteDatabase(file)
    with pytest.raises(CorruptDatabase, match="croupier audit restore"):
        check_quickly(database)
    database.close()
