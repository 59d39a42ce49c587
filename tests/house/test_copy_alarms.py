"""A copy of the log that is deleted or shortened is an alarm, on record, until a person ends it."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.house import writer as writer_module
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.copies import known_copies
from croupier.house.copy import LogCopy
from croupier.house.copy_reading import files, records_in, rows_of_copy
from croupier.house.errors import CopyLost
from croupier.house.office import Office
from croupier.house.office.record_commands import NoteCopyAlarm
from croupier.house.office.record_events import CopyAlarmed, CopyBegun, CopyRenewed
from croupier.house.records import Opening, OrderRecord
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.contract import one
from tests.house.evening import evening, open_casino

PASSWORD = "a long password"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def opened(url: str, folder: Path, **how) -> Casino:
    return Casino.open(url, administrator="Ada", password=PASSWORD, copy=folder, **how)


def stopped(url: str, folder: Path, *guests: str, **how) -> None:
    casino = opened(url, folder, **how)
    for guest in guests:
        casino.open_account(guest, f"{guest}'s password")
    casino.stop()


def record_of(url: str, *kinds: type) -> list:
    """What the office has on record, of some kinds."""
    store = Store(open_database(url))
    read = [Office.read_event(row.event) for row in store.rows("office")]
    store.close()
    return [event for event in read if isinstance(event, kinds)]


def audited(url: str, folder: Path | None) -> list[str]:
    store = Store(open_database(url))
    found = verify(store, folder).differences
    store.close()
    return [str(each) for each in found]


def lose_everything(folder: Path) -> None:
    shutil.rmtree(folder)


def lose_a_file(folder: Path) -> None:
    files(folder)[0].unlink()


def lose_the_end(folder: Path) -> None:
    [file] = files(folder)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-4]))


@pytest.mark.parametrize(
    ("lose", "says"),
    [
        (lose_everything, "is gone"),
        (lose_a_file, "is gone"),
        (lose_the_end, "was shortened"),
    ],
)
def test_what_was_lost_is_an_alarm_on_record_and_is_not_made_anew(database_url, folder, lose, says):
    stopped(database_url, folder, "Ann", "Ben")
    lose(folder)
    casino = opened(database_url, folder)
    casino.open_account("Cho", "Cho's password")
    casino.stop()
    [alarm] = record_of(database_url, CopyAlarmed)
    assert says in alarm.says
    # What is new is in it, and what is old is not.
    there = {row.position for row in rows_of_copy(folder) if row.stream == "office"}
    store = Store(open_database(database_url))
    last = store.head("office").position
    [mark] = known_copies(store).values()
    store.close()
    assert last in there
    assert len(there) < last
    assert mark.alarm == alarm.says
    assert any(says in each for each in audited(database_url, None)), "the database alone tells it"
    lacks = [each for each in audited(database_url, folder) if "the copy lacks" in each]
    assert lacks
    assert all("`croupier office copy renew` catches it up" in each for each in lacks)
    stopped(database_url, folder)
    assert len(record_of(database_url, CopyAlarmed)) == 1, "one alarm is told once"


def test_only_a_person_has_it_made_anew_and_that_is_on_record(database_url, folder):
    stopped(database_url, folder, "Ann")
    lose_everything(folder)
    stopped(database_url, folder)
    env = {"CROUPIER_PASSWORD": PASSWORD}
    words = ["office", "copy", "renew", database_url, "--copy", str(folder), "--as", "Ada"]
    shown = CliRunner().invoke(croupier, ["office", "copy", "show", database_url])
    assert (shown.exit_code, "Alarm" in shown.output) == (1, True)
    refused = CliRunner().invoke(
        croupier,
        [*words[:-1], "Ann", "--reason", "no"],
        env={"CROUPIER_PASSWORD": "Ann's password"},
    )
    assert refused.exit_code == 1, refused.output
    assert record_of(database_url, CopyRenewed) == []
    done = CliRunner().invoke(croupier, [*words, "--reason", "the disk was replaced"], env=env)
    assert done.exit_code == 0, done.output
    assert "is made anew: the disk was replaced." in done.output
    [renewed] = record_of(database_url, CopyRenewed)
    assert "is gone" in renewed.alarm
    assert audited(database_url, folder) == []
    shown = CliRunner().invoke(croupier, ["office", "copy", "show", database_url, "--json"])
    [mark] = json.loads(shown.stdout)
    assert (shown.exit_code, mark["alarm"]) == (0, "")
    stopped(database_url, folder)
    assert len(record_of(database_url, CopyAlarmed)) == 1


def test_where_money_is_real_nothing_opens_without_its_copy(database_url, folder):
    stopped(database_url, folder, real_money=True)
    lose_everything(folder)
    with pytest.raises(CopyLost, match="does not open without its copy"):
        opened(database_url, folder)
    assert len(record_of(database_url, CopyAlarmed)) == 1
    with pytest.raises(CopyLost):
        opened(database_url, folder)
    assert len(record_of(database_url, CopyAlarmed)) == 1
    opened(database_url, folder, tables=()).stop()  # the office can, to have it made anew


def test_on_a_server_real_money_needs_a_folder_and_who_works_beside_uses_it(postgres_url, folder):
    with pytest.raises(CopyLost, match=r"set server\.copy in the configuration, or CROUPIER_COPY"):
        Casino.open(postgres_url, administrator="Ada", password=PASSWORD, real_money=True)
    stopped(postgres_url, folder)
    beside = Casino.open(postgres_url, tables=())
    beside.open_account("Ann")
    beside.stop()
    assert audited(postgres_url, folder) == []


def test_another_folder_is_no_copy_before_a_person_says_so(database_url, folder, tmp_path):
    stopped(database_url, folder)
    stopped(database_url, tmp_path / "other")
    [alarm] = record_of(database_url, CopyAlarmed)
    assert "holds no copy of the log that is on record; there is one in" in alarm.says
    assert len(record_of(database_url, CopyBegun)) == 1


def test_a_copy_that_was_moved_with_all_its_files_is_the_same_one(sqlite_url, folder, tmp_path):
    stopped(sqlite_url, folder)
    folder.rename(tmp_path / "moved")
    stopped(sqlite_url, tmp_path / "moved")
    assert record_of(sqlite_url, CopyAlarmed) == []


def until(condition) -> None:
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


@pytest.mark.parametrize("lose", [lose_everything, lose_a_file])
def test_what_is_deleted_under_a_running_house_is_noticed(
    database_url, folder, lose, monkeypatch, caplog
):
    monkeypatch.setattr(writer_module, "LOOK_SECONDS", 0.05)
    casino = opened(database_url, folder)
    until(lambda: casino.house.writer.copy.due() is None)
    lose(folder)
    until(lambda: any(each.alarm for each in casino.office.state.copies.values()))
    casino.open_account("Ann")
    casino.stop()
    assert "of the copy of the log in" in caplog.text
    [alarm] = record_of(database_url, CopyAlarmed)
    assert "is gone" in alarm.says


def test_the_tail_that_a_crash_kept_from_the_copy_is_no_alarm(sqlite_url, folder):
    store = Store(open_database(sqlite_url))
    copy = LogCopy(folder)
    copy.catch_up(store)
    store.append([one("c1")])
    copy.close()
    again = LogCopy(folder)
    assert (again.catch_up(store), again.alarm) == (1, "")
    again.close()
    store.close()


def test_it_holds_orders_openings_and_secrets_as_they_are_stored(sqlite_url, tmp_path):
    folder = tmp_path / "copy"
    evening(sqlite_url, folder, rounds=1)
    found = [record for file in files(folder) for record in records_in(file)]
    seeds = {each.shuffle: each.seed for each in found if isinstance(each, Opening)}
    store = Store(open_database(sqlite_url))
    kept = store.database.execute("SELECT shuffle, seed FROM openings")
    assert seeds == dict(kept)
    assert all(seed.startswith(b"sealed1\0") for seed in seeds.values())
    orders = {each.command_id for each in found if isinstance(each, OrderRecord)}
    assert orders == {order.command_id for order in store.orders()}
    text = b"".join(file.read_bytes() for file in files(folder))
    assert b"$argon2" not in text
    assert b'{"secret":{"name":"Ann","kind":"password","secret":"sealed1:' in text
    # A changed one is found.
    file = files(folder)[0]
    whole = file.read_bytes()
    for part in (b'{"opening":', b'{"secret":'):
        at = whole.index(b"\n", whole.index(part)) - 20
        digit = b"0" if whole[at : at + 1] != b"0" else b"1"
        file.write_bytes(whole[:at] + digit + whole[at + 1 :])
        found = verify(store, folder).difference
        assert found is not None, part
        assert found.table == "copy"
    file.write_bytes(whole)
    assert verify(store, folder).difference is None
    store.close()


def test_nobody_enters_an_alarm_himself(sqlite_url, folder):
    casino = opened(sqlite_url, folder)
    refused = casino.tell(NoteCopyAlarm(copy="x", folder="y", says="z"), who="Ada").refused
    casino.stop()
    assert refused is not None


def test_the_report_of_the_day_has_it(sqlite_url, folder):
    stopped(sqlite_url, folder)
    lose_everything(folder)
    stopped(sqlite_url, folder)
    told = CliRunner().invoke(croupier, ["office", "report", "day", sqlite_url, "--json"])
    [alarm] = json.loads(told.stdout)["alarms"]
    assert "is gone" in alarm["says"]
    told = CliRunner().invoke(croupier, ["office", "report", "day", sqlite_url])
    assert "Alarms" in told.output


def test_packed_files_are_a_fifth_and_read_as_before(sqlite_night, monkeypatch):
    monkeypatch.setattr(writer_module, "LOOK_SECONDS", 0.05)
    night = sqlite_night
    before = sorted(map(str, rows_of_copy(night.copy)))
    casino = open_casino(night.url, night.copy, seed=3)  # also while a House runs
    told = CliRunner().invoke(croupier, ["office", "copy", "pack", night.url, "--json"])
    packed = json.loads(told.stdout)
    time.sleep(0.3)
    casino.stop()
    assert packed["files"] >= 1
    assert packed["after"] < packed["before"] / 3
    assert record_of(night.url, CopyAlarmed) == []
    assert set(before) <= set(map(str, rows_of_copy(night.copy)))
    assert night.differences() == []
    stopped_again = open_casino(night.url, night.copy, seed=4)
    assert stopped_again.house.writer.copy.alarm == ""
    stopped_again.stop()
    file = next(file for file in files(night.copy) if file.name.endswith(".gz"))
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 4
    file.write_bytes(whole)
    assert any("is damaged" in each for each in night.differences())
