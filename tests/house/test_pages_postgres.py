"""Damaged pages on Debian's PostgreSQL: what amcheck, checksums and the audit find together."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.errors import LostConnection, StorageError
from croupier.house.postgres import PostgresDatabase
from croupier.house.restore import restore
from croupier.house.store import Store
from tests.house import debian
from tests.house.evening import evening

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not debian.PROGRAMS, reason="there is no PostgreSQL of Debian here"),
]

BITS = 30


class Night:
    """An evening on a server of its own. A damaged page may end a process of the server, which then
    restarts: that is found too."""

    def connected(self, database: str) -> PostgresDatabase:
        for _ in range(100):
            try:
                return PostgresDatabase(self.server.url(database))
            except LostConnection:
                time.sleep(0.1)
        raise AssertionError("the server does not come back")

    def __init__(self, folder: Path, checksums: bool) -> None:
        self.server = debian.Server(checksums=checksums)
        self.copy = folder / "copy"
        self.keeper = PostgresDatabase(self.server.url("postgres"))
        self.keeper.script("CREATE DATABASE night")
        evening(self.server.url("night"), self.copy, rounds=1)
        made = PostgresDatabase(self.server.url("night"))
        made.script("CREATE EXTENSION amcheck")
        made.close()
        self.keeper.close()

    def again(self, count: int) -> list[str]:
        """Copies of the database, all on the disk."""
        keeper = PostgresDatabase(self.server.url("postgres"))
        for number in range(count):
            keeper.script(f"DROP DATABASE IF EXISTS night{number} WITH (FORCE)")
            keeper.script(f"CREATE DATABASE night{number} TEMPLATE night")
        keeper.close()
        return [f"night{number}" for number in range(count)]

    def files(self, database: str) -> dict[str, Path]:
        """The file of each table and index."""
        opened = PostgresDatabase(self.server.url(database))
        found = opened.execute(
            "SELECT c.relname::text, c.relkind::text, pg_relation_filepath(c.oid) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema() "
            "AND c.relkind IN ('r', 'i') ORDER BY 1"
        )
        opened.close()
        return {f"{kind} {name}": self.server.data / path for name, kind, path in found}

    def audit(self, database: str) -> str:
        opened = self.connected(database)
        try:
            return str(verify(Store(opened, migrated=True), limit=1).difference or "")
        except StorageError as error:
            return str(error)
        finally:
            opened.close()


@pytest.fixture(scope="module", params=[False, True], ids=["no checksums", "checksums"])
def night(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Night]:
    made = Night(tmp_path_factory.mktemp("debian"), request.param)
    made.checksums = request.param  # type: ignore[attr-defined]
    yield made
    made.server.close()


def test_amcheck_is_used_where_the_server_has_it(night: Night):
    opened = PostgresDatabase(night.server.url("night"))
    found = verify(Store(opened), night.copy)
    opened.close()
    assert found.pages.startswith("amcheck")
    assert found.pages.endswith("amcheck" if night.checksums else "keeps no data checksums")  # type: ignore[attr-defined]
    assert found.difference is None


def flip(night: Night, names: list[str]) -> dict[str, str]:
    """One bit in each database, in rows and index entries in turn: where."""
    chance = random.Random(18)
    files = {name: night.files(name) for name in names}
    night.server.stop()
    told = {}
    for number, name in enumerate(names):
        there = []
        for what, file in files[name].items():
            data = file.read_bytes()
            if number % 2 and what.startswith("i "):
                there += [(what, file, item) for item in debian.entries(data)]
            elif not number % 2 and what.startswith("r "):
                whole = night.checksums  # type: ignore[attr-defined]
                there += [(what, file, item) for item in debian.rows(data, header=whole)]
        sizes = [item.end - item.start for _, _, item in there]
        what, file, item = chance.choices(there, sizes)[0]
        damaged = bytearray(file.read_bytes())
        # Only checksums tell that a hint in a row's header, or padding (zeroes), is not as it was.
        told_by_all = [at for at in range(item.start, item.end) if damaged[at]]
        whole = range(item.start, item.end)
        bit = chance.choice(whole if night.checksums else told_by_all) * 8 + chance.randrange(8)  # type: ignore[attr-defined]
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        told[name] = f"bit {bit % 8} of byte {bit // 8 - item.start} of {item} in {what}"
    night.server.start()
    return told


def test_every_flipped_bit_in_a_row_or_index_entry_is_found(night: Night):
    told = flip(night, night.again(BITS))
    missed = [where for name, where in told.items() if not night.audit(name)]
    assert not missed, f"{len(missed)} of {BITS}: {missed}"


def test_a_damaged_page_is_restored_from_the_copy(night: Night):
    [name] = night.again(1)
    before = PostgresDatabase(night.server.url(name))
    log = sorted(before.execute("SELECT place, position, event, digest FROM log"), key=str)
    before.close()
    file = night.files(name)["r log"]
    night.server.stop()
    damaged = bytearray(file.read_bytes())
    damaged[8192:16384] = random.Random(1).randbytes(8192)
    file.write_bytes(damaged)
    night.server.start()
    assert night.audit(name)
    url = night.server.url(name)
    found = restore(url, night.copy)
    assert found.aside.startswith("schema croupier_before_")
    assert found.unreadable
    assert found.by_place("lost") == {}
    after = PostgresDatabase(url)
    assert sorted(after.execute("SELECT place, position, event, digest FROM log"), key=str) == log
    after.close()
    assert night.audit(name) == ""
