"""An audit by several processes divides long logs, and finds the same as one that does not.

The other processes are this one, so that every way to spoil a log can be tried.
"""

from __future__ import annotations

import gc
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.house.audit import Difference, Verified, redecide, shares, sharing, verify
from croupier.house.audit.floor import Floor
from croupier.house.audit.redecide import Redecision, Share, collected_by_batches
from croupier.house.audit.shares import Group, Part
from croupier.house.audit.sharing import Helpers
from croupier.house.audit.walk import PlaceWalk, Standing
from croupier.house.rows import about_state
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import evening
from tests.house.gaming_day import TABLES, Day
from tests.house.test_redecide import chain_again, change


class Here(Helpers):
    """So many processes, all of them this one."""

    def __init__(self, workers: int) -> None:
        super().__init__(1)
        self.workers = workers
        self.copied = True
        self.pieces: list[Share] = []

    def walk(self, task: Any) -> Future[Any]:
        self.pieces += [share for share in task.shares if share.pieces]
        done: Future[Any] = Future()
        done.set_result(sharing._walk_shares(task))
        return done

    def events(self) -> int:
        return 0


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("day")
    played = Day(
        f"sqlite:///{folder}/house.db", 7, copy=folder / "house.db.copy", trouble=0.1, stacked=False
    )
    played.play(2)
    played.finish_rounds()
    played.close()
    return folder


@pytest.fixture
def store(day: Path, tmp_path: Path) -> Iterator[Store]:
    for file in day.glob("house.db*"):
        if file.is_file():
            shutil.copy(file, tmp_path)
    made = Store(SqliteDatabase(tmp_path / "house.db"))
    yield made
    made.close()


@pytest.fixture
def all_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group is cut into as many pieces as there are processes, so far as it can be."""

    def cut(groups: Sequence[Group], before: Sequence[int]) -> list[list[Part]]:
        parts: list[list[Part]] = [[] for _ in before]
        for first, group in enumerate(groups):
            ends = [group.size * n // len(before) for n in range(len(before) + 1)]
            if not group.may_be_cut:
                ends = [0, group.size]
            for n, (begin, end) in enumerate(pairwise(ends)):
                parts[(first + n) % len(before)].append(Part(group=group, begin=begin, end=end))
        return parts

    monkeypatch.setattr(shares, "LEAST", 5)
    monkeypatch.setattr(shares, "_dealt_out", cut)


def again(store: Store, workers: int) -> tuple[Verified, list[Share]]:
    """What so many processes find, and the pieces that all but the first of them walked."""
    helpers = Here(workers)
    found = verify(store, helpers=helpers, limit=500)
    return found, helpers.pieces


@pytest.mark.usefixtures("all_divided")
@pytest.mark.parametrize("workers", [2, 3, 5])
def test_a_day_in_pieces_is_the_same_day(store: Store, workers: int):
    whole, (pieces, parts) = verify(store), again(store, workers)
    assert whole.differences == pieces.differences == []
    assert parts, "nothing was divided"
    for each in ("places", "events", "entries", "orders", "decided", "accounts", "heads"):
        assert getattr(whole, each) == getattr(pieces, each)


@pytest.mark.usefixtures("all_divided")
def test_so_it_is_on_a_server(postgres_url: str):
    evening(postgres_url, rounds=2)
    store = Store(open_database(postgres_url, create=False))
    whole, (pieces, parts) = verify(store), again(store, 3)
    assert whole.differences == pieces.differences == []
    assert parts, "nothing was divided"
    assert (whole.decided, whole.heads) == (pieces.decided, pieces.heads)
    store.database.execute(
        "UPDATE orders SET who = 'Mallory' WHERE number = "
        "(SELECT min(number) FROM orders WHERE number > (SELECT max(number) / 2 FROM orders))"
    )
    found = told(verify(store, limit=500))
    assert found
    assert told(again(store, 3)[0]) == found
    store.close()


@pytest.mark.parametrize("workers", [2, 3, 8])
@pytest.mark.parametrize("sizes", [[8000] * 5, [50_000], [30_000, 9000, 500]])
def test_all_have_about_as_much_to_do(sizes: list[int], workers: int):
    groups = [Group(name=f"{n}", places=[], size=n, may_be_cut=True) for n in sizes]
    before = [sum(sizes) // 12] + [0] * (workers - 1)
    parts = shares._dealt_out(groups, before)
    loads = [n + sum(part.size for part in some) for n, some in zip(before, parts, strict=True)]
    assert max(loads) < 1.15 * sum(loads) / workers
    assert sum(part.end - part.begin for some in parts for part in some) == sum(sizes)


@pytest.mark.parametrize(("size", "tables", "why"), [(100, 5, "short"), (8000, 100, "many")])
def test_what_brings_little_is_not_divided(size: int, tables: int, why: str):
    groups = [Group(name=f"{n}", places=[], size=size, may_be_cut=True) for n in range(tables)]
    parts = shares._dealt_out(groups, [size * tables // shares.PAGES, 0, 0])
    assert {part.end - part.begin for some in parts for part in some} == {size}, why


@pytest.mark.usefixtures("all_divided")
def test_pieces_meet_without_a_gap(store: Store):
    heads = store.heads()
    ends = {place: head.position for place, head in heads.items()}
    whole = Share(heads=heads, linked=Floor.read(store).linked)
    found = shares.shared_out(store, whole, ends, 4, divided=True)
    for place in heads:
        mine = [
            (share.since, share.pieces[place].after if share.pieces else 0, share.ends[place])
            for some in found
            for share in some
            if place in share.heads and share.ends is not None
        ]
        mine.sort()
        assert [after for _, after, _ in mine] == [0, *(end for *_, end in mine[:-1])]
        assert mine[-1][-1] == ends[place]


# -- whatever is amiss is found, in the same words ------------------------------------------------

CHANGES = [
    ("log", "event", "CAST(REPLACE(CAST(event AS TEXT), ':1', ':2') AS BLOB)"),
    ("log", "event", "CAST(CAST(event AS TEXT) || ' ' AS BLOB)"),
    ("log", "digest", "zeroblob(32)"),
    ("log", "order_digest", "zeroblob(32)"),
    ("log", "who", "who || 'x'"),
    ("log", "at", "'2020-01-01T00:00:00Z'"),
    ("log", "command_id", "command_id || 'x'"),
    ("log", "position", "position + 100000"),
    ("orders", "command", "CAST(REPLACE(CAST(command AS TEXT), ':1', ':2') AS BLOB)"),
    ("orders", "command", "CAST('{}' AS BLOB)"),
    ("orders", "who", "who || 'x'"),
    ("orders", "place", "'office'"),
    ("orders", "number", "number + 1"),
    ("orders", "events", "events + 1"),
    ("entries", "amount", "amount + 1"),
    ("entries", "position", "position + 5000"),
    ("openings", "seed", "zeroblob(32)"),
    ("openings", "shuffle", "shuffle || 'x'"),
    ("openings", "place", "'elsewhere'"),
    ("snapshots", "position", "position - 1"),
    ("snapshots", "state", "CAST('{}' AS BLOB)"),
]


def spoil(store: Store, table: str, column: str, value: str, chance: random.Random) -> None:
    """Change one row of a table, wherever."""
    rows = [
        row
        for (row,) in store.database.execute(
            f"SELECT rowid FROM {table} WHERE {column} IS NOT NULL"
        )
    ]
    sql = f"UPDATE {table} SET {column} = {value} WHERE rowid = ?"
    change(store.database, sql, chance.choice(rows))


SOME = [
    pytest.param(*each, chained, marks=() if (number + chained) % 5 == 0 else pytest.mark.slow)
    for chained in (False, True)
    for number, each in enumerate(CHANGES)
]
"""Every fifth of them, and all in the slow set; with the chain made again and without."""


@pytest.mark.parametrize(("table", "column", "value", "chained"), SOME)
@pytest.mark.usefixtures("all_divided")
def test_what_was_changed_is_told_in_the_same_words(
    store: Store, table: str, column: str, value: str, chained: bool
):
    chance = random.Random(f"{table} {column} {value}")
    spoil(store, table, column, value, chance)
    if chained and table in ("log", "orders") and column != "position":
        try:
            chain_again(store)
        except Exception:
            pytest.skip("nobody could make a chain of that")
    whole = told(verify(store, limit=500))
    assert told(again(store, chance.choice([2, 3, 4]))[0]) == whole


@pytest.mark.usefixtures("all_divided")
def test_a_forged_state_hides_nothing(store: Store):
    """Pieces do not begin with it: the state of the end, kept as if it were that of the middle."""
    kept = store.snapshot("P8")
    assert kept is not None
    middle = next(
        each.rows[-1].position
        for each in store.decisions(["P8"])
        if each.rows and each.rows[-1].position >= kept.position // 2
    )
    state = store.database.vault.seal(kept.state, about_state("P8", middle))
    sql = "UPDATE snapshots SET position = ?, state = ? WHERE place = 'P8'"
    change(store.database, sql, middle, state)
    whole = told(verify(store, limit=500))
    assert whole == [
        f"snapshots, P8 at {middle}, column state: the state is not the one that the events lead to"
    ]
    for workers in (2, 3):
        assert told(again(store, workers)[0]) == whole


def told(found: Verified) -> list[str]:
    return [str(each) for each in found.differences]


# -- where two pieces do not meet -----------------------------------------------------------------


@pytest.fixture
def in_one(monkeypatch: pytest.MonkeyPatch) -> list[Share]:
    """What was walked by one process, as if there were no others."""
    walked: list[Share] = []
    real = Redecision.differences

    def noted(walk: Redecision) -> Iterator[Difference]:
        if walk.share.until is None:
            walked.append(walk.share)
        return real(walk)

    monkeypatch.setattr(Redecision, "differences", noted)
    return walked


@pytest.mark.usefixtures("all_divided")
def test_one_walks_everything_if_a_piece_begins_otherwise_than_the_one_before_ended(
    store: Store, monkeypatch: pytest.MonkeyPatch, in_one: list[Share]
):
    """Nothing else would tell: what the later piece decides does not hang on it."""
    assert again(store, 3)[1]
    assert in_one == []
    real = PlaceWalk.standing

    def otherwise(walk: PlaceWalk) -> Standing:
        stands = real(walk)
        began = walk.place == "P8" and walk.piece.after == stands.position
        return structs.replace(stands, state=bytes(32)) if began else stands

    monkeypatch.setattr(PlaceWalk, "standing", otherwise)
    found, _ = again(store, 3)
    assert len(in_one) == 1
    assert found.differences == []
    assert found.decided == found.orders


@pytest.mark.usefixtures("all_divided")
def test_one_walks_everything_if_a_piece_cannot_be_begun(
    store: Store, monkeypatch: pytest.MonkeyPatch, in_one: list[Share]
):
    def broken(walk: PlaceWalk, position: int) -> None:
        raise ValueError("this event cannot have happened")

    monkeypatch.setattr(PlaceWalk, "_begin_after", broken)
    found, _ = again(store, 3)
    assert len(in_one) == 1
    assert found.differences == []
    assert found.decided == found.orders


@pytest.mark.usefixtures("all_divided")
def test_what_orders_come_to_is_told_by_the_pieces_themselves(store: Store, in_one: list[Share]):
    """As when an update is tried on last year's nights: that would take twice as long."""
    looks = [
        each.order
        for each in store.decisions()
        if each.order.place in TABLES and b'"do":"look"' in each.order.command
    ]
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    for order in looks[::3]:
        change(store.database, sql, b'{"do":"fold","seat":1}', order.command_id)
    chain_again(store)
    whole = told(verify(store, limit=500))
    assert len(whole) > 3
    in_one.clear()
    for workers in (2, 3):
        assert told(again(store, workers)[0]) == whole
    assert in_one == []


@pytest.mark.usefixtures("all_divided")
def test_an_export_and_another_book_are_not_divided(store: Store):
    assert again(store, 3)[1]
    helpers = Here(3)
    verify(store, helpers=helpers, instead=("void-contribution=keep",))
    assert helpers.pieces == []


@pytest.mark.parametrize("by_others", [True, False])
def test_an_audit_leaves_the_collector_as_it_was(monkeypatch: pytest.MonkeyPatch, by_others: bool):
    monkeypatch.setattr(redecide, "gc", gc)  # as it is at work
    if by_others:
        gc.freeze()
    else:
        gc.unfreeze()
    with collected_by_batches():
        assert not gc.isenabled()
        assert gc.get_freeze_count() > 0
    assert gc.isenabled()
    assert (gc.get_freeze_count() > 0) == by_others
    gc.freeze()  # as the tests have it


def test_copies_have_read_what_every_walk_needs():
    """In a process that has read nothing yet, which is copied before it opens a database."""
    code = (
        "from croupier.house.audit.sharing import Helpers\n"
        "from croupier.rulebooks import loader\n"
        "from croupier.table.conversation import _of_commands, _of_events\n"
        "assert loader.load.cache_info().currsize == 0 and not _of_commands\n"
        "with Helpers(2, nothing_open=True) as helpers:\n"
        "    assert helpers.copied\n"
        "    assert loader.load.cache_info().currsize == len(loader.BOOKS)\n"
        "    assert len(_of_commands) == len(_of_events) == 5\n"
    )
    if sys.platform == "linux":
        subprocess.run([sys.executable, "-c", code], check=True)
