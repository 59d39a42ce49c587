"""A stored evening with its copy, on either database, for tests that spoil it and look.

Made once for each module that asks for it, and copied for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.house.audit import Difference, verify
from croupier.house.database import Database
from croupier.house.postgres import PostgresDatabase
from croupier.house.restore import COLUMNS
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import evening


class Night:
    """An evening that was stored, with its copy, on either database."""

    def __init__(self, url: str, copy: Path) -> None:
        self.url = url
        self.copy = copy

    @property
    def is_file(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def file(self) -> Path:
        return Path(self.url.removeprefix("sqlite:///"))

    def open(self) -> Database:
        return open_database(self.url)

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored, but for how far the copies go."""
        database = self.open()
        found = {
            table: sorted(database.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=str)
            for table, columns in COLUMNS.items()
            if table != "copies"
        }
        found["length"] = database.execute("SELECT log, events FROM length")
        database.close()
        return found

    def found(self, *, with_copy: bool) -> list[Difference]:
        """What an audit finds."""
        store = Store(self.open(), migrated=True)
        found = verify(store, self.copy if with_copy else None, limit=500).differences
        store.close()
        return found

    def differences(self) -> list[str]:
        return [str(each) for each in self.found(with_copy=True)]


@pytest.fixture(scope="module")
def sqlite_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    evening(f"sqlite:///{folder}/house.db", rounds=1)
    return folder


@pytest.fixture(scope="module")
def postgres_evening(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    from tests.house.conftest import named

    server = PostgresDatabase(postgres_server)
    server.script("CREATE DATABASE croupier_evening")
    copy = tmp_path_factory.mktemp("evening") / "copy"
    evening(named(postgres_server, "croupier_evening"), copy, rounds=1)
    yield "croupier_evening", copy
    server.script("DROP DATABASE croupier_evening WITH (FORCE)")
    server.close()


@pytest.fixture
def sqlite_night(sqlite_evening: Path, tmp_path: Path) -> Night:
    shutil.copytree(sqlite_evening, tmp_path, dirs_exist_ok=True)
    return Night(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.db.copy")


@pytest.fixture
def postgres_night(
    postgres_server: str, postgres_evening: tuple[str, Path], tmp_path: Path
) -> Iterator[Night]:
    from tests.house.conftest import named

    template, copy = postgres_evening
    server = PostgresDatabase(postgres_server)
    server.script(f"CREATE DATABASE croupier_spoiled TEMPLATE {template}")
    shutil.copytree(copy, tmp_path / "copy")
    yield Night(named(postgres_server, "croupier_spoiled"), tmp_path / "copy")
    server.script("DROP DATABASE croupier_spoiled WITH (FORCE)")
    server.close()


@pytest.fixture(params=["sqlite", "postgres"])
def night(request: pytest.FixtureRequest) -> Night:
    found: Night = request.getfixturevalue(f"{request.param}_night")
    return found


def cut(night: Night, place: str, after: int) -> None:
    """Cut the tail of a log off, with its head, its entries and its orders."""
    database = night.open()
    with database.transaction():
        execute = database.execute
        ids = [
            command_id
            for (command_id,) in execute(
                "SELECT DISTINCT command_id FROM log WHERE place = ? AND position > ?",
                (place, after),
            )
        ]
        for table in ("log", "entries", "snapshots"):
            execute(f"DELETE FROM {table} WHERE place = ? AND position > ?", (place, after))
        for command_id in ids:
            execute("DELETE FROM orders WHERE command_id = ?", (command_id,))
        [(last,)] = execute(
            "SELECT digest FROM log WHERE place = ? AND position = ?", (place, after)
        )
        execute("UPDATE heads SET position = ?, digest = ? WHERE place = ?", (after, last, place))
        execute("UPDATE length SET events = (SELECT COUNT(*) FROM log)")
    database.close()
