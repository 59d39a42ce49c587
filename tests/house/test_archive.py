"""Closed days are moved to files: nothing is lost by it, and everything is told as before."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import astuple, replace

from croupier.cli.main import croupier
from croupier.house.alarms import ARCHIVES
from croupier.house.archives import making
from croupier.house.archives.making import NotArchived, archive, finish
from croupier.house.audit import alone, verify
from croupier.house.audit.export import export
from croupier.house.audit.rounds import tell_round
from croupier.house.audit.shuffles import check_shuffles
from croupier.house.casino import Casino
from croupier.house.errors import IdTaken, UnknownPlace
from croupier.house.moved import movements
from croupier.house.office import OFFICE
from croupier.house.office.commands import CashIn, CashOut
from croupier.house.office.disputes import OpenDispute, SettleDispute
from croupier.house.office.inventory import CloseDay
from croupier.house.office_acts import ArchiveDay, DayArchived, perform
from croupier.house.queries import (
    Wanted,
    account_lines,
    account_named,
    acts_of,
    log_lines,
    make_statement,
)
from croupier.house.reports import GamingDay, report_day, report_jackpots
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.taking import take_back
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import BadCommand
from croupier.table.refusal import Refusal
from tests.house.archiving import (
    FIRST_DAY,
    KEY,
    SECOND_DAY,
    archived,
    audited,
    office,
    opened,
    sealed,
    two_days,
)
from tests.house.evening import play
from tests.house.test_audit import Night, other

MORNING = datetime(2026, 11, 18, 8, tzinfo=UTC)
FILES = ("house.db", "house.db.secrets-key", "copy", "seals", "house.db.archive")


@pytest.fixture(scope="module")
def as_it_was(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days, nothing archived."""
    folder = tmp_path_factory.mktemp("days")
    two_days(f"sqlite:///{folder}/house.db", folder)
    return folder


@pytest.fixture(scope="module")
def kept(as_it_was: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days, the first archived."""
    folder = tmp_path_factory.mktemp("archived")
    _copy(as_it_was, folder)
    archived(_url(folder), folder)
    return folder


def _copy(source: Path, target: Path) -> None:
    for name in FILES:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        elif (source / name).exists():
            shutil.copy(source / name, target / name)


def _url(folder: Path) -> str:
    return f"sqlite:///{folder}/house.db"


@pytest.fixture
def mine(as_it_was: Path, tmp_path: Path) -> Path:
    """Nothing archived, to be changed by one test."""
    _copy(as_it_was, tmp_path)
    return tmp_path


@pytest.fixture
def spoilt(kept: Path, tmp_path: Path) -> Path:
    """The first day archived, to be changed by one test."""
    _copy(kept, tmp_path)
    return tmp_path


def read(url: str) -> Iterator[object]:
    """Everything that a store tells, by every way in which it is asked for it."""
    store = Store(open_database(url))
    streams = [place for place in store.streams() if place != OFFICE]
    yield {place: [astuple(row) for row in store.rows(place)] for place in streams}
    for at_once in (1, 7, 250):
        yield [astuple(row) for row in store.rows("P8", at_once=at_once)]
    yield [astuple(row) for row in store.rows("P8", after=11, until=300)]
    yield {place: store.row(place, 3) for place in streams}
    # The office goes on with every order for an archive: what it had before is the same.
    decisions = [d for d in store.decisions() if d.order.place != OFFICE]
    yield decisions
    ids = [d.order.command_id for d in decisions[::7]]
    yield list(store.decisions_of(ids))
    yield store.orders_of(ids)
    yield [store.recall(each) for each in (*ids[:20], "no such id")]
    yield [store.answer_of(each) for each in ids[:20]]
    yield list(store.orders(["P8", "M3"]))
    yield {place: list(store.entries(place)) for place in streams}
    yield list(store.entries("P8", after=40))
    yield store.entries_of("player/Ann")
    yield store.balance_and_sum("player/Ann")
    yield sorted(map(astuple, store.openings()))
    yield [store.openings(place) for place in streams]
    yield [store.opening(each.shuffle) for each in store.openings()]
    yield {place: store.ordered_from(place) for place in streams}
    yield tell_round(store, "P8", 1)
    yield [check_shuffles(store, place, 1) for place in ("P8", "M3")]
    store.close()


def asked(url: str) -> Iterator[object]:
    """What whoever asks the record is told."""
    store = Store(open_database(url))
    until = SECOND_DAY.end
    yield list(log_lines(store, Wanted(until=until, refused=True)))
    yield list(log_lines(store, Wanted(player="Ann", place="P8", until=until)))
    yield [account_named(store, each) for each in ("Ann", "player/Ann", "cash", "table/P8/rake")]
    for nobody in ("Nobody", "player/Nobody"):
        with pytest.raises(UnknownPlace):
            account_named(store, nobody)
    yield list(account_lines(store, "player/Ann", until=until))
    yield list(account_lines(store, "table/P8/chips/Ben", until=until))
    statement = make_statement(store, "Ann", until=until)
    yield statement.tables
    yield list(statement.lines)
    yield list(acts_of(store, "Cal", until=until).lines)
    for day in (FIRST_DAY, SECOND_DAY):
        yield report_day(store, day)
    yield report_jackpots(store)
    store.close()


def test_whoever_asks_the_record_is_told_the_same(as_it_was: Path, kept: Path):
    for before, after in zip(asked(_url(as_it_was)), asked(_url(kept)), strict=True):
        assert before == after


def test_an_export_has_what_is_archived(kept: Path, tmp_path: Path):
    store = Store(open_database(_url(kept)))
    file = tmp_path / "night.jsonl"
    export(store, file)
    store.close()
    read = alone.Night(file)
    read.check_money()
    read.check_shuffles()
    read.check_seals(read.kept["seal"], KEY.public)
    told = CliRunner().invoke(croupier, ["audit", "verify", str(file)])
    assert told.exit_code == 0, told.output


def test_a_restore_from_the_copy_has_everything_in_the_database_again(spoilt: Path):
    url = _url(spoilt)
    only_file(spoilt).unlink()
    told = CliRunner().invoke(
        croupier,
        f"audit restore {url} --copy {spoilt / 'copy'} --as administrator --reason lost".split(),
        env={"CROUPIER_PASSWORD": "the first password"},
    )
    assert told.exit_code == 0, told.output
    store = Store(open_database(url))
    assert store.past.known() == []
    assert store.database.execute("SELECT COUNT(*) FROM log WHERE place = 'P8'")[0][0] > 40
    assert take_back(store, SealFolder(spoilt / "seals")) == 3
    store.close()
    made = archived(url, spoilt, now=datetime(2027, 11, 18, tzinfo=UTC))
    assert made.number == 1
    assert audited(url, spoilt) == []


def test_logs_of_the_release_before_are_archived_too(tmp_path: Path):
    """0.9.0 kept no orders: what was stored before the first one goes with it."""
    released = Path(__file__).parents[1] / "releases" / "0.9.0" / "house.db.xz"
    (tmp_path / "house.db").write_bytes(lzma.decompress(released.read_bytes()))
    url = _url(tmp_path)
    store = Store(open_database(url))
    old = {place: [astuple(row) for row in store.rows(place)] for place in store.streams()}
    ids = {row[2] for rows in old.values() for row in rows}
    before = {each: [astuple(row) for row in store.answer_of(each)] for each in ids}
    store.close()
    casino = Casino.open(url, copy=tmp_path / "copy")
    assert casino.open_account("Late").refused is None
    sealed(casino, tmp_path / "seals")
    casino.stop()
    [administrator, *_] = [
        name for name, each in casino.office.state.people.items() if each.role == "administrator"
    ]
    now = datetime.now(UTC) + timedelta(days=2)
    casino = office(url, tmp_path, now)
    sealed(casino, tmp_path / "seals")
    today = GamingDay.of(datetime.now(UTC))
    _, made = archive(
        casino, today, who=administrator, reason="closed", folder=tmp_path / "house.db.archive"
    )
    casino.stop()
    assert made is not None
    store = Store(open_database(url))
    assert store.database.execute("SELECT COUNT(*) FROM orders WHERE number IS NULL") == [(0,)]
    for place, rows in old.items():
        assert [astuple(row) for row in store.rows(place, until=len(rows))] == rows
    for each in ids:
        assert store.recall(each) == (True, None)
        assert [astuple(row) for row in store.answer_of(each)] == before[each]
    found = verify(store, tmp_path / "copy", seals=tmp_path / "seals")
    assert found.differences == []
    assert found.before_orders == sum(map(len, old.values()))
    store.close()


def test_a_house_whose_archive_is_missing_plays_on_and_says_so(spoilt: Path, caplog):
    only_file(spoilt).unlink()
    casino = opened(_url(spoilt), spoilt / "copy", MORNING, seed=3)
    assert casino.alarms.told() == (ARCHIVES,)
    assert "000001-" in caplog.text
    assert casino.tell(CashOut(player="Ann", amount=100), who="Cal").refused is None
    play(casino, 1, seed=3)
    casino.stop()


def test_the_office_orders_and_lists_archives(mine: Path, monkeypatch):
    monkeypatch.setattr("croupier.house.archives.making._check_sealed", lambda *given: None)
    run = CliRunner()
    who = {"CROUPIER_PASSWORD": "the first password", "CROUPIER_COPY": str(mine / "copy")}
    make = f"office archive make {_url(mine)} --as administrator --reason closed --day".split()
    early = run.invoke(croupier, [*make, "2999-12-31"], env=who)
    assert "the gaming day 2999-12-31 is not over" in str(early.exception)
    show = f"office archive show {_url(mine)}".split()
    assert "Nothing was archived yet." in run.invoke(croupier, show).output
    monkeypatch.setattr("croupier.house.archives.making._check_day", lambda *given: None)
    made = run.invoke(croupier, [*make, "2026-11-16"], env=who)
    assert made.exit_code == 0, made.output
    assert "Archive 1: " in made.output
    again = run.invoke(croupier, [*make, "2026-11-16"], env=who)
    assert "nothing is stored before 2026-11-17 06:00 UTC" in str(again.exception)
    file = next((mine / "house.db.archive").iterdir())
    assert file.stat().st_mode & 0o077 == 0
    assert str(file) in run.invoke(croupier, show).output
    file.unlink()
    gone = run.invoke(croupier, show)
    assert gone.exit_code == 1
    assert f"{file} is missing" in gone.output


def test_what_is_archived_is_told_as_before(as_it_was: Path, kept: Path):
    for before, after in zip(read(_url(as_it_was)), read(_url(kept)), strict=True):
        assert before == after


def test_what_is_archived_is_audited_with_the_rest(kept: Path):
    store = Store(open_database(_url(kept)))
    live = store.database.execute("SELECT COUNT(*) FROM log")[0][0]
    found = verify(store, kept / "copy", seals=kept / "seals")
    assert found.differences == []
    assert found.archives == 1
    assert found.archived + live == found.events
    assert found.archived > live > 0
    assert found.decided == found.orders == found.commands
    assert verify(store, kept / "copy", apply_only=True).differences == []
    store.close()


@pytest.mark.slow
def test_several_processes_audit_what_is_archived(kept: Path):
    store = Store(open_database(_url(kept)))
    found = verify(store, kept / "copy", seals=kept / "seals", workers=2)
    store.close()
    assert found.differences == []
    assert found.decided == found.orders


def test_the_next_day_follows_and_the_house_goes_on(mine: Path):
    url = _url(mine)
    archived(url, mine)
    made = archived(url, mine, SECOND_DAY)
    assert made.number == 2
    casino = opened(url, mine / "copy", MORNING, seed=3)
    known = casino.house.reader.orders(["P8"])
    order = next(each for each in known if each.who == "Ann")
    command = casino.table("P8").read_command(order.command)
    how = {"who": "Ann", "rank": casino.rank_of("Ann"), "command_id": order.command_id}
    again = casino.house.give("P8", command, **how).result()
    assert again.again
    assert again.said
    with pytest.raises(IdTaken):
        casino.tell(CashIn(player="Ann", amount=100), who="Cal", command_id=order.command_id)
    assert casino.tell(CashOut(player="Ann", amount=100), who="Cal").refused is None
    sealed(casino, mine / "seals")
    casino.stop()
    assert audited(url, mine) == []


def test_a_house_that_runs_archives_a_day_and_plays_on(mine: Path):
    """As its server does it: another thread archives while the tables are played at."""
    url = _url(mine)
    before = list(read(url))
    casino = opened(url, mine / "copy", MORNING, seed=3)
    sealed(casino, mine / "seals")
    act = ArchiveDay(
        day=FIRST_DAY.day, begins=FIRST_DAY.begins, zone="Etc/UTC", reason="the day is closed"
    )
    with ThreadPoolExecutor(1) as beside:
        done = beside.submit(perform, casino, act, who="Sam")
        play(casino, 1, seed=3)
        made = done.result()
    assert isinstance(made, DayArchived)
    assert "events up to the gaming day 2026-11-16 are moved to" in made.told[0]
    play(casino, 1, seed=4)
    sealed(casino, mine / "seals")
    casino.stop()
    store = Store(open_database(url))
    assert store.database.execute("SELECT MIN(position) FROM log WHERE place = 'P8'")[0][0] > 1
    assert store.row("P8", 1) is not None
    store.close()
    assert before[0] != next(iter(read(url))), "two more rounds were played"
    assert audited(url, mine) == []


def test_while_a_house_runs_whatever_writes_takes_turns(mine: Path, monkeypatch):
    """Two connections to a file of SQLite that write at once can lose pages."""
    casino = opened(_url(mine), mine / "copy", MORNING, seed=3)
    sealed(casino, mine / "seals")
    writing: dict[int, bool] = {}
    real, ours = SqliteDatabase.begin, casino.house.store.database

    def begin(database: SqliteDatabase) -> None:
        writing[id(database)] = database.lock is ours.lock
        real(database)

    monkeypatch.setattr(SqliteDatabase, "begin", begin)
    _, made = archive(casino, FIRST_DAY, who="Sam", reason="closed", running=True)
    assert made is not None
    assert len(writing) == 2, "the House's connection, and that of the archive"
    assert all(writing.values())
    casino.stop()


def test_only_whoever_may_has_a_day_written(mine: Path):
    casino = opened(_url(mine), mine / "copy", MORNING, seed=3)
    sealed(casino, mine / "seals")
    act = ArchiveDay(day=FIRST_DAY.day, begins=FIRST_DAY.begins, zone="UTC", reason="closed")
    with pytest.raises(Refusal):
        perform(casino, act, who="Cal")
    assert not (mine / "house.db.archive").exists(), "nothing was written for nobody"
    with pytest.raises(BadCommand, match="'Singapore City' is no time zone"):
        perform(casino, replace(act, zone="Singapore City"), who="Sam")
    casino.stop()


def test_two_archives_are_not_made_at_once(mine: Path):
    casino = office(_url(mine), mine)
    with making._one_at_a_time, pytest.raises(NotArchived, match="another archive is being made"):
        archive(casino, FIRST_DAY, who="Sam", reason="closed")
    casino.stop()


def test_on_postgresql_too(postgres_url: str, tmp_path: Path):
    two_days(postgres_url, tmp_path, rounds=1)
    before = list(read(postgres_url))
    running = opened(postgres_url, tmp_path / "copy", MORNING, seed=3)
    archived(postgres_url, tmp_path)
    assert running.house.reader.row("P8", 1) is not None  # a server that runs meanwhile reads on
    assert next(iter(running.house.reader.rows("P8"))).position == 1
    running.stop()
    store = Store(open_database(postgres_url))
    assert store.database.execute("SELECT MIN(position) FROM log WHERE place = 'P8'")[0][0] > 1
    store.close()
    after = list(read(postgres_url))
    assert before[4:6] == after[4:6]
    assert audited(postgres_url, tmp_path) == []


# -- when it may not be ----------------------------------------------------------------------------


def refused(folder: Path, day=FIRST_DAY, now: datetime | None = None) -> str:
    casino = office(_url(folder), folder, now)
    with pytest.raises(NotArchived) as told:
        archive(casino, day, who="Sam", reason="closed", folder=folder / "house.db.archive")
    casino.stop()
    assert not list((folder / "house.db.archive").glob("*"))
    return str(told.value)


def test_a_day_that_is_not_over_is_not_archived(mine: Path):
    now = datetime(2026, 11, 18, 5, tzinfo=UTC)
    assert "is not over before 2026-11-18 06:00 UTC" in refused(mine, SECOND_DAY, now)


def test_a_day_that_is_not_sealed_is_not_archived(mine: Path):
    store = Store(open_database(_url(mine)))
    store.database.execute("DELETE FROM seals WHERE number = 2")
    store.close()
    assert "seal it first" in refused(mine, SECOND_DAY)


def test_only_who_answers_for_the_record_archives(mine: Path):
    casino = office(_url(mine), mine)
    for who in ("Max", "Cal", "Ann"):
        answer, made = archive(
            casino, FIRST_DAY, who=who, reason="closed", folder=mine / "house.db.archive"
        )
        assert (answer.refused is not None, made) == (True, None)
    casino.stop()
    assert not (mine / "house.db.archive").exists(), "nothing was written for nobody"


def test_where_trays_are_counted_a_day_is_closed_by_name_before(mine: Path):
    """A House that closes its days archives none that is still open; one that never counts may."""
    folder = mine / "house.db.archive"
    casino = office(_url(mine), mine)
    assert casino.tell(CloseDay(day=date(2026, 11, 15)), who="Sam").refused is None
    with pytest.raises(NotArchived, match="2026-11-16 is not closed by name"):
        archive(casino, FIRST_DAY, who="Sam", reason="closed", folder=folder)
    assert casino.tell(CloseDay(day=date(2026, 11, 16)), who="Sam").refused is None
    _, made = archive(casino, FIRST_DAY, who="Sam", reason="closed", folder=folder)
    casino.stop()
    assert made is not None


def test_what_is_in_dispute_stays(mine: Path):
    casino = office(_url(mine), mine)
    raised = OpenDispute(
        place="P8", round=1, began=FIRST_DAY.start, patron="Ann", claim="wrong", days=30
    )
    assert casino.tell(raised, who="Sam").refused is None
    with pytest.raises(NotArchived, match="dispute 1 about P8 is not settled"):
        archive(casino, FIRST_DAY, who="Sam", reason="closed", folder=mine / "house.db.archive")
    settled = SettleDispute(dispute=1, outcome="paid", in_favour_of="patron")
    assert casino.tell(settled, who="Sam").refused is None
    _, made = archive(
        casino, FIRST_DAY, who="Sam", reason="closed", folder=mine / "house.db.archive"
    )
    casino.stop()
    assert made is not None


# -- interrupted -----------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


STEPS = {
    "before the header": "croupier.house.archives.file.Writing.finish",
    "before it is on record": "croupier.house.casino.Casino.tell",
    "before the rows are let go": "croupier.house.archives.making._let_go",
    "while they are let go": "croupier.house.archives.making._delete",
    "after they are let go": "croupier.house.sqlite.SqliteDatabase.give_back_room",
}


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(step, marks=[] if step.startswith("before the rows") else pytest.mark.slow)
        for step in STEPS
    ],
)
def test_killed_half_way_nothing_is_lost(mine: Path, monkeypatch, step: str):
    before = list(read(_url(mine)))
    casino = office(_url(mine), mine)

    def killed(*args, **how):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(STEPS[step], killed)
        with pytest.raises(Killed):
            archive(casino, FIRST_DAY, who="Sam", reason="closed", folder=mine / "house.db.archive")
    casino.close()
    assert list(read(_url(mine))) == before
    assert audited(_url(mine), mine, apply_only=True) == []
    casino = office(_url(mine), mine)
    on_record = casino.office.state.archives
    if on_record:
        assert finish(casino) == (step != "after they are let go")
    else:
        _, made = archive(
            casino, FIRST_DAY, who="Sam", reason="closed", folder=mine / "house.db.archive"
        )
        assert made is not None
    casino.stop()
    assert list(read(_url(mine))) == before
    assert audited(_url(mine), mine) == []
    assert len(list((mine / "house.db.archive").iterdir())) == 1


# -- tampered with ---------------------------------------------------------------------------------


def only_file(folder: Path) -> Path:
    [file] = (folder / "house.db.archive").iterdir()
    return file


def test_a_missing_archive_is_found_and_named(spoilt: Path):
    file = only_file(spoilt)
    file.unlink()
    assert any(f"archive {file} is missing" in each for each in audited(_url(spoilt), spoilt))


@pytest.mark.parametrize("part", [0.0, 0.3, 0.999])
def test_a_flipped_bit_in_an_archive_is_found_and_named(spoilt: Path, part: float):
    file = only_file(spoilt)
    content = bytearray(file.read_bytes())
    content[int(part * (len(content) - 1))] ^= 4
    file.write_bytes(content)
    assert any(str(file) in each for each in audited(_url(spoilt), spoilt))


def test_a_longer_and_a_shorter_archive_are_found(spoilt: Path):
    file = only_file(spoilt)
    whole = file.read_bytes()
    for content in (whole + b"\0", whole[:-1], whole[:100], b""):
        file.write_bytes(content)
        assert any(str(file) in each for each in audited(_url(spoilt), spoilt))
    file.write_bytes(whole)
    assert audited(_url(spoilt), spoilt) == []


def test_an_archive_that_is_made_again_is_not_the_one_on_record(spoilt: Path, monkeypatch):
    """Somebody who knows the format writes another file, and its digest into the database."""
    url, file = _url(spoilt), only_file(spoilt)
    whole = making.ArchiveFile(file, _digest(url))
    writing = making.Writing(spoilt / "house.db.archive")
    for block in whole.header.blocks:
        lines = whole.lines(block)
        if block.kind == "entries":
            lines[0].entry = (lines[0].entry[0], lines[0].entry[1], lines[0].entry[2] * 2)
        writing.block(block.kind, block.place, block.first, block.last, lines)
    header = making.msgspec.structs.replace(whole.header, blocks=writing.blocks)
    other, digest = writing.finish(header)
    file.unlink()
    store = Store(open_database(url))
    store.database.execute(
        "UPDATE archives SET digest = ?, file = ?", (bytes.fromhex(digest), other.name)
    )
    store.close()
    told = audited(url, spoilt)
    assert any("archive 1, column digest" in each for each in told)


def _digest(url: str) -> str:
    store = Store(open_database(url))
    [known] = store.past.known()
    store.close()
    return known.digest


@pytest.mark.parametrize("table", ["archives", "archived_ids", "carried"])
def test_one_changed_value_in_any_column_that_is_kept_of_archives_is_named(
    spoilt: Path, table: str
):
    night = Night(_url(spoilt), spoilt / "copy")
    change_every_column(night, table)
    night.store.close()


@pytest.mark.parametrize("wrong", ["g", "-", " ", ""])
def test_a_digest_that_is_none_is_named_and_not_a_traceback(spoilt: Path, wrong: str):
    store = Store(open_database(_url(spoilt)))
    [(logs,)] = store.database.execute("SELECT logs FROM archives")
    first = store.past.known()[0].logs["V6"].digest
    changed = bytes(logs).replace(first.encode(), wrong.encode() + first[1:].encode())
    assert changed != logs
    store.database.execute("UPDATE archives SET logs = ?", (changed,))
    store.close()
    told = audited(_url(spoilt), spoilt, apply_only=True)
    assert any(each.startswith("archives") for each in told), told


@pytest.mark.slow
def test_so_it_is_on_a_server(postgres_url: str, tmp_path: Path):
    two_days(postgres_url, tmp_path, rounds=1)
    archived(postgres_url, tmp_path)
    night = Night(postgres_url, tmp_path / "copy")
    for table in ("archives", "archived_ids", "carried"):
        change_every_column(night, table)
    night.store.close()


def change_every_column(night: Night, table: str) -> None:
    columns, rows = list(night.columns(table)), night.rows(table)
    for index in sorted({0, len(rows) - 1}):
        row = dict(zip(columns, rows[index], strict=True))
        for column in columns:
            night.write(table, row, column, other(row[column]))
            found = verify(night.store, apply_only=True, limit=1).difference
            assert found is not None, f"{table}.{column} was changed unnoticed: {row}"
            assert found.table == table, f"{table}.{column}: {found}"
            night.write(table, row | {column: other(row[column])}, column, row[column])


@pytest.mark.parametrize(
    ("sql", "table"),
    [
        ("DELETE FROM archives", "archives"),
        ("DELETE FROM archived_ids WHERE id = (SELECT MIN(id) FROM archived_ids)", "archived_ids"),
        ("INSERT INTO archived_ids VALUES (1, 1)", "archived_ids"),
        ("DELETE FROM carried", "carried"),
        ("INSERT INTO carried VALUES ('player/Eve', 100)", "carried"),
    ],
)
def test_what_is_deleted_or_added_there_is_named(spoilt: Path, sql: str, table: str):
    store = Store(open_database(_url(spoilt)))
    store.database.execute(sql)
    store.close()
    told = audited(_url(spoilt), spoilt, apply_only=True)
    assert any(each.startswith(table) for each in told), told


def test_a_live_row_that_does_not_follow_the_archive_is_found(spoilt: Path):
    """The first row after the boundary is bound to the last one before it."""
    store = Store(open_database(_url(spoilt)))
    [known] = store.past.known()
    first = known.logs["P8"].last + 1
    store.database.execute(
        "UPDATE log SET position = position - 1 WHERE place = 'P8' AND position = ?", (first,)
    )
    store.close()
    assert any("P8 at" in each for each in audited(_url(spoilt), spoilt))


def test_own_limits_count_what_was_moved_to_an_archive(as_it_was: Path, tmp_path: Path):
    """A day that is archived in the morning is not forgotten: its losses were a few hours ago."""
    _copy(as_it_was, tmp_path)
    url = _url(tmp_path)
    evening = datetime(2026, 11, 16, 20, tzinfo=UTC)
    some = evening + timedelta(seconds=2.5)
    found = {}
    for when in ("before", "first", "both"):
        if when != "before":
            archived(url, tmp_path, FIRST_DAY if when == "first" else SECOND_DAY)
        casino = office(url, tmp_path)
        try:
            found[when] = [
                movements(casino.house.reader, "Ann", since) for since in (evening, some)
            ]
        finally:
            casino.stop()
    whole, rest = found["before"]
    assert whole[-len(rest) :] == rest
    assert 0 < len(rest) < len(whole)
    assert found["first"] == found["before"]
    assert found["both"] == found["before"]
