"""Every order of a night, given to the engine again, comes to what is stored: and to nothing else.

Whoever changes an order or what came of it, and makes the whole chain again, is named all the same.
"""

from __future__ import annotations

import lzma
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from croupier.cli.audit import audit
from croupier.house.audit import Verified, floor, verify
from croupier.house.audit.findings import contrast
from croupier.house.audit.redecide import Redecision, Share
from croupier.house.audit.shares import shared_out
from croupier.house.casino import Casino
from croupier.house.chain import START, digest, order_digest
from croupier.house.critical_files import digests
from croupier.house.database import Database
from croupier.house.office import Office
from croupier.house.office.commands import CashIn
from croupier.house.office.events import CashedIn
from croupier.house.records import Decided
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.rulebooks import BOOKS, load
from tests.house.evening import evening
from tests.house.gaming_day import TABLES, Day


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short day of all five games with much that goes wrong, and a crash in it."""
    folder = tmp_path_factory.mktemp("day")
    played = Day(
        f"sqlite:///{folder}/house.db",
        5,
        copy=folder / "house.db.copy",
        trouble=0.15,
        stacked=False,
    )
    played.play(1)
    played.crash()
    played.play(3)
    played.finish_rounds()
    played.close()
    return folder


@pytest.fixture
def folder(day: Path, tmp_path: Path) -> Path:
    shutil.copytree(day, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    made = Store(SqliteDatabase(folder / "house.db"))
    yield made
    made.close()


def chain_again(store: Store) -> None:
    """Make all digests again: those of the orders, of all rows, and of the heads."""
    database = store.database
    bound = {}
    with database.transaction():
        for decided in store.decisions():
            mine = [row for row in decided.rows if row.stream == decided.order.place]
            if mine:
                bound[mine[0].stream, mine[0].position] = order_digest(decided.order)
        for place in store.streams():
            last, position = START, 0
            for row in list(store.rows(place)):
                row.order = bound.get((place, row.position), b"")
                last, position = digest(last, row), row.position
                sql = "UPDATE log SET digest = ?, order_digest = ? WHERE place = ? AND position = ?"
                database.execute(sql, (last, row.order, place, position))
            sql = "UPDATE heads SET position = ?, digest = ? WHERE place = ?"
            database.execute(sql, (position, last, place))


def change(database: Database, sql: str, *values: Any) -> None:
    with database.transaction():
        database.execute(sql, values)


def one_of(store: Store, words: bytes, *, more: Callable[[Any], bool] = lambda each: True) -> Any:
    """The last stored order whose command has these words."""
    found = [d for d in store.decisions() if words in d.order.command and more(d)]
    assert found, words
    return found[-1]


# -- as it was stored -----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_a_day_with_everything_that_goes_wrong_comes_to_the_same_again(
    store: Store, folder: Path, workers: int
):
    heard: list[int] = []
    found = verify(store, folder / "house.db.copy", heard.append, workers=workers)
    assert found.differences == []
    assert found.decided == found.orders == found.commands > 500
    assert (found.before_orders, found.orders_since) == (0, {})
    assert found.refused > 100
    assert heard[-1] == found.events == found.copied
    applied = verify(store, folder / "house.db.copy", apply_only=True)
    assert applied.differences == []
    assert (applied.decided, applied.heads) == (0, found.heads)
    for each in ("places", "events", "commands", "entries", "accounts", "orders"):
        assert getattr(found, each) == getattr(applied, each)


def test_what_one_place_alone_has_heard_is_decided_the_quick_way(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    slow: list[str] = []
    real = Redecision._decide_everywhere

    def counted(self: Redecision, decided: Decided) -> Any:
        slow.append(decided.order.command_id)
        return real(self, decided)

    monkeypatch.setattr(Redecision, "_decide_everywhere", counted)
    assert verify(store).differences == []
    alone = {
        each.order.command_id
        for each in store.decisions()
        if not each.order.also and len({row.stream for row in each.rows}) == 1
    }
    opened = len(store.heads())  # the first order of a place opens it
    assert len(alone.intersection(slow)) <= opened
    assert len(alone) > 500


@pytest.mark.parametrize("starting", [False, True])
def test_whoever_asks_walks_less_for_he_checks_the_pages_unless_the_others_still_start(
    store: Store, starting: bool
):
    heads = store.heads()
    ends = {place: head.position for place, head in heads.items()}
    whole = Share(heads=heads, linked=floor.Floor.read(store).linked)
    shares = [share for [share] in shared_out(store, whole, ends, 2, starting=starting)]
    assert sorted(place for share in shares for place in share.heads) == sorted(heads)
    mine, other = (sum((share.ends or {}).values()) for share in shares)
    assert mine > 0
    assert other > 0
    assert (mine >= other) is starting


COPIED = """
import sys
from croupier.house.audit import verify
from croupier.house.audit.sharing import Helpers
from croupier.house.store import Store
from croupier.house.urls import open_database

for url in sys.argv[1:]:
    with Helpers(2, nothing_open=True) as helpers:
        store = Store(open_database(url, create=False))
        found = verify(store, helpers=helpers)
        store.close()
    print(helpers.copied, found.decided == found.orders, len(found.differences))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process is copied")
def test_processes_that_were_copied_before_anything_was_opened_find_the_same(folder: Path):
    """In a process of its own: this one may have threads, and has databases open."""
    as_it_was, changed = folder / "house.db", folder / "changed.db"
    shutil.copy(as_it_was, changed)
    shutil.copy(f"{as_it_was}.secrets-key", f"{changed}.secrets-key")
    with sqlite3.connect(changed) as database:
        for place in TABLES:
            sql = "UPDATE log SET who = who || 'x' WHERE place = ? AND position = 5"
            database.execute(sql, (place,))
    database.close()
    command = [sys.executable, "-c", COPIED, f"sqlite:///{as_it_was}", f"sqlite:///{changed}"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    first, second = said.splitlines()
    assert first == "True True 0"
    assert second.startswith("True")
    assert int(second.split()[-1]) >= len(TABLES)


def test_only_the_floors_that_decide_are_read():
    every = digests()
    assert digests(only=floor.DECIDING) == {name: every[name] for name in floor.DECIDING}


def test_on_a_server_too(postgres_url: str, tmp_path: Path):
    evening(postgres_url, tmp_path / "copy", rounds=1)
    store = Store(open_database(postgres_url))
    try:
        for workers in (1, 2):
            found = verify(store, tmp_path / "copy", workers=workers)
            assert (found.differences, found.decided) == ([], found.commands)
        cashed = one_of(store, b'"do":"cash out"')
        name = cashed.order.command.replace(b'"amount":', b'"amount":1')
        change(
            store.database,
            "UPDATE orders SET command = ? WHERE command_id = ?",
            name,
            cashed.order.command_id,
        )
        chain_again(store)
        named(verify(store, workers=2), cashed.order)
    finally:
        store.close()


# -- changed by somebody who knows the format -----------------------------------------------------


def named(found: Verified, order: Any, kind: str = "decided") -> None:
    """The order is named, and by what it comes to."""
    [first] = [each for each in found.differences if each.number == order.number]
    assert (first.table, first.kind) == ("orders", kind)
    assert first.found != first.expected


def test_another_command_under_the_same_events(store: Store, folder: Path):
    cashed = one_of(store, b'"do":"cash in"')
    command = cashed.order.command.replace(b'"amount":', b'"amount":9')
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    change(store.database, sql, command, cashed.order.command_id)
    without = verify(store)
    assert "not the one that its event was stored with" in without.differences[0].says
    chain_again(store)
    assert verify(store, apply_only=True).differences == []
    named(verify(store), cashed.order)
    by_copy = verify(store, folder / "house.db.copy", apply_only=True).differences
    assert ("copy", "command") in {(each.table, each.column) for each in by_copy}


def test_a_deposit_with_entries_balances_and_the_whole_chain(store: Store):
    """Ten times as much came in, by every table of the database: only the order says otherwise."""
    cashed = one_of(store, b'"do":"cash in"')
    [row] = cashed.rows
    event = Office.read_event(row.event)
    assert isinstance(event, CashedIn)
    more = 9 * event.amount
    forged = row.event.replace(b'"amount":%d' % event.amount, b'"amount":%d' % (10 * event.amount))
    database = store.database
    with database.transaction():
        where = "WHERE place = ? AND position = ?"
        database.execute(f"UPDATE log SET event = ? {where}", (forged, row.stream, row.position))
        for account, sign in (("cash", -1), (f"player/{event.player}", 1)):
            database.execute(
                f"UPDATE entries SET amount = amount + ? {where} AND account = ?",
                (sign * more, row.stream, row.position, account),
            )
            database.execute(
                "UPDATE balances SET balance = balance + ? WHERE account = ?",
                (sign * more, account),
            )
        database.execute("DELETE FROM snapshots WHERE place = 'office'")
    chain_again(store)
    assert verify(store, apply_only=True).differences == []
    found = verify(store)
    named(found, cashed.order)
    assert len(found.differences) == 1, "what follows from it is not another difference"


def test_an_event_that_is_bound_to_no_order_any_more(store: Store):
    """Whoever makes the chain again after that could put any order in its place."""
    cashed = one_of(store, b'"do":"cash in"')
    [row] = cashed.rows
    last = b""
    with store.database.transaction():
        for each in list(store.rows(row.stream, after=row.position - 2)):
            if each.position >= row.position:
                each.order = b"" if each.position == row.position else each.order
                last = digest(last, each)
                store.database.execute(
                    "UPDATE log SET digest = ?, order_digest = ? WHERE place = ? AND position = ?",
                    (last, each.order or None, each.stream, each.position),
                )
            else:
                last = each.digest
        sql = "UPDATE heads SET digest = ? WHERE place = ?"
        store.database.execute(sql, (last, row.stream))
    [first, *others] = verify(store).differences
    assert (first.table, first.column) == ("orders", "digest")
    assert "was stored without this order" in first.says
    assert others == []


def test_somebody_else_who_is_said_to_have_given_it(store: Store):
    theirs = one_of(store, b'"do":"cash in"', more=lambda d: d.order.who == "Cal")
    change(
        store.database,
        "UPDATE orders SET who = 'Dan' WHERE command_id = ?",
        theirs.order.command_id,
    )
    [first, *_] = verify(store).differences
    assert (first.table, first.column, first.found, first.expected) == (
        "orders",
        "who",
        "Dan",
        "Cal",
    )
    change(
        store.database, "UPDATE log SET who = 'Dan' WHERE command_id = ?", theirs.order.command_id
    )
    chain_again(store)
    assert verify(store, apply_only=True).differences == []
    named(verify(store), theirs.order)


@pytest.mark.parametrize("column", ["authority", "software"])
def test_another_authority_or_software_is_named_by_the_log_and_by_the_copy(
    store: Store, folder: Path, column: str
):
    """Nothing is decided by them: when the whole chain was made again, the copy tells."""
    order = one_of(store, b'"do":', more=lambda d: "duty" in d.order.authority).order
    change(
        store.database,
        f"UPDATE orders SET {column} = ? WHERE command_id = ?",
        '{"duty":"pit manager"}',
        order.command_id,
    )
    assert "not the one that its event was stored with" in verify(store).differences[0].says
    chain_again(store)
    found = verify(store, folder / "house.db.copy").differences
    assert {each.table for each in found} == {"copy"}
    assert any(each.column == column for each in found)


def test_two_orders_that_changed_places(store: Store):
    first, second = [d for d in store.decisions() if b'"do":"cash in"' in d.order.command][-2:]
    assert first.order.command != second.order.command
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    change(store.database, sql, first.order.command, second.order.command_id)
    change(store.database, sql, second.order.command, first.order.command_id)
    chain_again(store)
    assert verify(store, apply_only=True).differences == []
    found = verify(store)
    for each in (first, second):
        named(found, each.order)
    change(store.database, sql, first.order.command, first.order.command_id)
    change(store.database, sql, second.order.command, second.order.command_id)
    numbers = "UPDATE orders SET number = ? WHERE command_id = ?"
    change(store.database, numbers, first.order.number, second.order.command_id)
    change(store.database, numbers, second.order.number, first.order.command_id)
    chain_again(store)
    says = {(each.table, each.column) for each in verify(store).differences}
    assert ("orders", "command_id") in says, "events of an order that was not given by then"


def test_an_order_that_is_gone(store: Store):
    gone = one_of(store, b'"do":"cash in"').order
    change(store.database, "DELETE FROM orders WHERE command_id = ?", gone.command_id)
    chain_again(store)
    found = verify(store).differences
    columns = {(each.table, each.column) for each in found}
    assert {("orders", "number"), ("orders", "command_id")} <= columns
    assert any("an order is missing" in each.says for each in found)


def test_a_round_played_otherwise_at_a_table(store: Store):
    """A player is said to have folded who called; the chain is made again over it."""
    call = one_of(store, b'"do":"call"', more=lambda d: len(d.rows) == 1)
    folded = b'{"do":"fold","seat":%d}' % _seat(call.order.command)
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    change(store.database, sql, folded, call.order.command_id)
    chain_again(store)
    assert verify(store, apply_only=True).differences == []
    named(verify(store), call.order)


def _seat(command: bytes) -> int:
    return int(command.partition(b'"seat":')[2].partition(b"}")[0].partition(b",")[0])


def test_an_order_that_the_engine_refuses(store: Store):
    """An accepted order that no table accepts is named with what the table says."""
    call = one_of(store, b'"do":"call"', more=lambda d: len(d.rows) == 1)
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    change(store.database, sql, b'{"do":"raise","seat":1,"to":1}', call.order.command_id)
    chain_again(store)
    [first] = [d for d in verify(store).differences if d.number == call.order.number]
    assert first.expected == "nothing"
    assert "refused" in first.says or "makes no sense" in first.says


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_first_decision_that_comes_out_otherwise_is_named_first(store: Store, workers: int):
    """Wherever it was: orders at every table were changed, and one of the office before them."""
    alone = [d.order for d in store.decisions() if len(d.rows) == 1]
    first = next(order for order in alone if b'"do":"cash in"' in order.command)
    later = [order for order in alone if order.place in TABLES and b"look" not in order.command]
    sql = "UPDATE orders SET command = ? WHERE command_id = ?"
    for order in (first, *later[-60:]):
        change(store.database, sql, b'{"do":"look","seat":1}', order.command_id)
    chain_again(store)
    found = verify(store, limit=1, workers=workers)
    assert found.more
    assert [each.number for each in found.differences] == [first.number]


# -- another version, another book, another policy ------------------------------------------------


def test_what_another_version_decides_otherwise_is_told_apart_from_what_was_changed(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    """Here the office of the newer version writes another note; its software has other digests."""
    decide = Office.whole.commands[CashIn]

    def otherwise(office: Office, order: Any) -> None:
        emit = office.emit
        office.emit = lambda event: emit(  # type: ignore[method-assign]
            CashedIn(player=event.player, amount=event.amount, note="newer", cites=event.cites)
        )
        try:
            decide(office, order)
        finally:
            del office.emit

    monkeypatch.setitem(Office.whole.commands, CashIn, otherwise)
    same = verify(store, limit=3)
    assert {each.kind for each in same.differences} == {"decided"}
    real = floor.digests()
    monkeypatch.setattr(floor, "digests", lambda **_: {**real, "house": "0" * 64})
    newer = verify(store, limit=3)
    assert {each.kind for each in newer.differences} == {"otherwise"}
    assert newer.more
    numbers = [each.number for each in newer.differences]
    assert numbers == sorted(numbers)
    assert numbers[0] == min(
        d.order.number for d in store.decisions() if b'"do":"cash in"' in d.order.command
    )
    assert "decided so, this croupier" in newer.differences[0].says
    told = CliRunner().invoke(audit, ["verify", f"sqlite:///{folder}/house.db", "--limit", "3"])
    assert told.exit_code == 1
    assert "First decision that comes out otherwise" in told.output


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_under_another_policy_the_first_decisions_that_come_out_otherwise_are_listed(
    store: Store, folder: Path, every: int
):
    """Each fifth value that a policy of any book can have, in the slow set all of them."""
    url = f"sqlite:///{folder}/house.db"
    others = {
        (name, value)
        for book in BOOKS
        for name, policy in load(book).policies.items()
        for value in policy.values
        if value != policy.default
    }
    differing, same = [], []
    for name, value in sorted(others)[::every]:
        found = verify(store, instead=(f"{name}={value}",), limit=2)
        assert {each.kind for each in found.differences} <= {"with"}
        (differing if found.differences else same).append((name, value, found))
    assert differing
    assert same
    name, value, found = differing[0]
    told = CliRunner().invoke(audit, ["verify", url, "--with", f"{name}={value}"])
    assert told.exit_code == 1
    assert "First decision that comes out otherwise" in told.output
    name, value, _ = same[0]
    told = CliRunner().invoke(audit, ["verify", url, "--with", f"{name}={value}"])
    assert (told.exit_code, "Nothing comes out otherwise" in told.output) == (0, True)
    assert verify(store).differences == []


def test_under_another_book_numbers_of_paragraphs_are_no_difference(store: Store, folder: Path):
    found = verify(store, instead=("multi-link-progressive-v2=multi-link-progressive-v3",))
    assert all(each.kind == "with" for each in found.differences)
    assert all(each.where.startswith(("M2", "L2")) for each in found.differences)
    assert all('"bets called"' not in each.found for each in found.differences)


@pytest.mark.parametrize("word", ["nothing=1", "v99", "no such.toml"])
def test_what_is_neither_a_book_nor_a_policy_is_an_error(folder: Path, word: str):
    words = ["verify", f"sqlite:///{folder}/house.db", "--with", word]
    told = CliRunner().invoke(audit, words)
    assert told.exit_code != 0
    assert "is no policy, and no rulebook" in str(told.exception)


# -- what is listed -------------------------------------------------------------------------------


def test_all_differences_are_listed_up_to_a_limit(store: Store):
    rows = [row for row in store.rows("office") if row.position % 7 == 3][:5]
    for row in rows:
        sql = "UPDATE log SET at = '2020-01-01T00:00:00Z' WHERE place = ? AND position = ?"
        change(store.database, sql, row.stream, row.position)
    found = verify(store, apply_only=True)
    changed = [each for each in found.differences if (each.table, each.column) == ("log", "digest")]
    assert [each.where for each in changed] == [f"office at {row.position}" for row in rows]
    for each in found.differences:
        assert each.found != each.expected
    few = verify(store, apply_only=True, limit=3)
    assert (len(few.differences), few.more) == (3, True)


def test_two_values_that_differ_are_never_shown_alike():
    long = "7" * 500
    for one, other in (
        (long, long[:400] + "8" + long[401:]),
        (long, long + "7"),
        (long.encode(), long[:-1].encode()),
        (bytes(200), bytes(199) + b"\x01"),
        ("ab", b"\xab"),
        (1, "1"),
        (b'{"a":1}', '{"a":1}'),
        (None, "x" * 500),
    ):
        both = contrast(one, other)
        assert both["found"] != both["expected"], (one, other)
        assert max(map(len, both.values())) < 150


# -- logs of the release before -------------------------------------------------------------------


def test_a_log_of_the_release_before_opens_and_says_from_where_on_there_are_orders(tmp_path: Path):
    """0.9.0 kept no orders, and no copy is on its record."""
    kept = Path(__file__).parents[1] / "releases" / "0.9.0" / "house.db.xz"
    file = tmp_path / "house.db"
    file.write_bytes(lzma.decompress(kept.read_bytes()))
    connection = sqlite3.connect(file)
    [(rows,)] = connection.execute("SELECT count(*) FROM log")
    [(before,)] = connection.execute("SELECT count(*) FROM log WHERE place = 'office'")
    connection.close()
    told = CliRunner().invoke(audit, ["verify", f"sqlite:///{file}"])
    assert told.exit_code == 0, told.output
    assert "Orders are nowhere: all of it was stored before" in told.output
    casino = Casino.open(f"sqlite:///{file}")
    casino.open_account("Late")
    casino.stop()
    store = Store(SqliteDatabase(file))
    found = verify(store, tmp_path / "house.db.copy")
    assert found.differences == []
    assert found.before_orders == rows
    assert found.orders_since["office"] == before + 1
    assert 0 < found.decided == found.orders < 60
    store.close()
    told = CliRunner().invoke(audit, ["verify", f"sqlite:///{file}"])
    assert f"office from event {before + 1}" in told.output
