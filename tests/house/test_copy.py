"""The copy of the log holds every stored row, is caught up on a start, and tells a cut tail."""

import json
import os

import pytest

from croupier.house import copy as copy_module
from croupier.house import copy_reading
from croupier.house.chain import START, digest
from croupier.house.copy import LogCopy
from croupier.house.copy_reading import files, rows_of_copy, runs_in_copy
from croupier.house.errors import CorruptDatabase, CutTail, StorageError
from croupier.house.store import Store
from croupier.house.urls import copy_folder, open_database
from croupier.house.writer import Writer
from tests.house.contract import bundle, one, row


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "house.db.copy"


@pytest.fixture
def store(database_url):
    made = Store(open_database(database_url))
    yield made
    made.close()


def fill(store: Store, *places: str, count: int = 5, start: int = 1) -> None:
    for place in places:
        for n in range(start, start + count):
            made = bundle(
                f"{place}{n}", row(place, n, f"{place}{n}", b'{"n":%d,"\xc3\xa9":[]}' % n)
            )
            assert store.append([made]) == [None]


def all_rows(store: Store) -> list:
    return [each for place in store.streams() for each in store.rows(place)]


def copied(folder) -> list:
    return sorted(rows_of_copy(folder), key=lambda each: (each.stream, each.position))


def caught_up(folder, store: Store, **options) -> int:
    copy = LogCopy(folder, **options)
    written = copy.catch_up(store)
    copy.close()
    return written


def killed(folder, store: Store):
    """The file of a process that copied all rows of A and never closed it."""
    copy = LogCopy(folder)
    copy.write(store.rows("A"))
    copy._stream.close()
    [file] = files(folder)
    return file


def test_the_copy_holds_what_the_writer_stored_and_nothing_that_was_turned_away(store, folder):
    writer = Writer(store, LogCopy(folder))
    futures = [writer.store(one(f"c{n}", "A", n)) for n in range(1, 21)]
    futures.append(writer.store(one("late", "A", 3)))
    writer.close()
    assert [future.exception() is None for future in futures] == [True] * 20 + [False]
    assert copied(folder) == all_rows(store)
    assert len(copied(folder)) == 20


def test_anybody_can_read_it_and_check_the_chain(store, folder):
    fill(store, "A")
    caught_up(folder, store)
    [file] = files(folder)
    *lines, last = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[2]["event"] == {"n": 3, "é": []}
    assert list(lines[0]) == [
        "place",
        "position",
        "command_id",
        "who",
        "rank",
        "at",
        "digest",
        "event",
    ]
    assert last == {"holds": {"A": [[1, 5, lines[-1]["digest"]]]}, "number": -1}
    before = START
    for each in rows_of_copy(folder):
        before = digest(before, each)
        assert each.digest == before


def test_a_start_catches_up_what_is_missing_and_nothing_else(store, folder):
    fill(store, "A", "B")
    assert caught_up(folder, store) == 10
    assert caught_up(folder, store) == 0
    fill(store, "C")
    fill(store, "A", start=6, count=2)
    assert caught_up(folder, store) == 7
    assert copied(folder) == all_rows(store)


def test_a_gap_in_the_middle_is_caught_up_too(store, folder):
    """As when one process was killed before its copy and another went on at the same place."""
    fill(store, "A", count=9)
    rows = list(store.rows("A"))
    for part in (rows[:2], rows[4:6], rows[7:8]):
        copy = LogCopy(folder)
        copy.write(part)
        copy.close()
    assert caught_up(folder, store) == 4
    assert copied(folder) == rows


def test_rows_that_two_processes_copied_do_no_harm(store, folder):
    fill(store, "A")
    for _ in range(2):
        copy = LogCopy(folder)
        copy.write(store.rows("A"))
        copy.close()
    assert len(files(folder)) == 2
    assert caught_up(folder, store) == 0


@pytest.mark.parametrize("cut", [1, 30, 300])
def test_a_line_that_a_crash_cut_off_is_written_again(store, folder, cut):
    fill(store, "A")
    file = killed(folder, store)
    os.truncate(file, file.stat().st_size - cut)
    lost = 5 - file.read_bytes().count(b"\n")
    assert lost == (1 if cut < 100 else 2)
    assert runs_in_copy(folder).held()["A"][0][1] == 5 - lost
    assert caught_up(folder, store) == lost
    assert copied(folder) == all_rows(store)


def test_a_copy_that_is_ahead_means_a_cut_tail(store, folder):
    fill(store, "A", "B")
    caught_up(folder, store)
    [before] = [each for each in store.rows("A") if each.position == 3]
    store.database.execute("DELETE FROM log WHERE place = 'A' AND position > 3")
    store.database.execute(
        "UPDATE heads SET position = 3, digest = ? WHERE place = 'A'", (before.digest,)
    )
    with pytest.raises(
        CutTail, match=r"log of A ends at event 3, its copy .* at event 5: the tail"
    ):
        LogCopy(folder).catch_up(store)
    with pytest.raises(CutTail):
        Writer(store, LogCopy(folder))
    assert len(files(folder)) == 1


def test_a_log_that_is_gone_altogether_is_a_cut_tail_too(store, folder):
    fill(store, "A")
    caught_up(folder, store)
    store.database.execute("DELETE FROM log")
    store.database.execute("DELETE FROM heads")
    with pytest.raises(CutTail, match=r"log of A ends at event 0"):
        LogCopy(folder).catch_up(store)


def test_a_tail_that_was_written_anew_is_found_by_its_digest(store, folder):
    fill(store, "A")
    caught_up(folder, store)
    store.database.execute("UPDATE log SET digest = ? WHERE position = 5", (bytes(32),))
    with pytest.raises(CorruptDatabase, match="event 5 of A has another digest in the copy"):
        LogCopy(folder).catch_up(store)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        (b'"position":3', b'"position":"3"'),
        (b'"digest":"', b'"digest":"x'),
        (b'"place":"A",', b""),
        (b'"event":{', b'"event":{{'),
    ],
)
def test_a_damaged_line_is_named(store, folder, text, instead):
    fill(store, "A")
    file = killed(folder, store)
    lines = file.read_bytes().splitlines(keepends=True)
    assert text in lines[2]
    lines[2] = lines[2].replace(text, instead)
    file.write_bytes(b"".join(lines))
    with pytest.raises(CorruptDatabase, match=r"jsonl, line 3, is damaged"):
        LogCopy(folder).catch_up(store)
    with pytest.raises(CorruptDatabase, match=r"jsonl, line 3, is damaged"):
        copied(folder)


def test_a_full_file_is_closed_and_the_next_one_begun(store, folder, monkeypatch):
    fill(store, "A", "B", count=20)
    assert caught_up(folder, store, file_bytes=1500) == 40
    assert len(files(folder)) > 4
    assert all(file.read_bytes().splitlines()[-1].startswith(b'{"holds"') for file in files(folder))
    assert copied(folder) == all_rows(store)
    # A start reads the last lines only.
    monkeypatch.setattr(copy_reading, "_lines", None)
    assert caught_up(folder, store) == 0


def test_a_last_line_longer_than_a_block_is_found(store, folder):
    places = [f"table with a rather long name {n}" for n in range(200)]
    store.append([one(place, place) for place in places])
    assert caught_up(folder, store) == 200
    assert len(files(folder)[0].read_bytes().splitlines()[-1]) > 3 * 4096
    assert caught_up(folder, store) == 0


def test_the_copy_is_flushed_with_every_group_and_synced_within_a_second(
    store, folder, monkeypatch
):
    synced = []
    monkeypatch.setattr(copy_module.os, "fsync", synced.append)
    monkeypatch.setattr(copy_module, "_sync_folder", lambda folder: None)
    copy = LogCopy(folder, sync_seconds=3600)
    assert copy.due() is None
    writer = Writer(store, copy)
    writer.store(one("c1")).result()
    assert len(copied(folder)) == 1  # flushed before the answer
    assert 0 < copy.due() <= 3600
    assert synced == []
    writer.close()
    assert len(synced) == 1
    copy = LogCopy(folder, sync_seconds=0.05)
    writer = Writer(store, copy)
    writer.store(one("c2", "A", 2)).result()
    end = copy_module.time.monotonic() + 5
    while len(synced) < 2 and copy_module.time.monotonic() < end:
        copy_module.time.sleep(0.005)
    assert len(synced) == 2  # although nothing came after it
    assert copy.due() is None
    writer.close()


class FullDisk:
    """A stream of a disk without room."""

    def write(self, text: bytes) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_copy_that_cannot_be_written_stops_nobody_and_is_mended(
    store, folder, monkeypatch, caplog
):
    monkeypatch.setattr("croupier.house.writer.TRY_AGAIN_SECONDS", 0)
    copy = LogCopy(folder)
    writer = Writer(store, copy)
    writer.store(one("c1")).result()
    with monkeypatch.context() as patch:
        patch.setattr(copy, "_stream", FullDisk())
        patch.setattr(copy, "_begin", FullDisk)
        for n in (2, 3):
            writer.store(one(f"c{n}", "A", n)).result()
            assert isinstance(writer.trouble, StorageError)
            assert "No space left" in str(writer.trouble)
    assert caplog.text.count("cannot be written") == 1
    writer.store(one("c4", "A", 4)).result()
    assert writer.trouble is None
    writer.close()
    assert {each.position for each in copied(folder)} == {1, 2, 3, 4}
    assert caught_up(folder, store) == 0


def test_a_folder_that_cannot_be_made_is_named(store, tmp_path):
    (tmp_path / "file").write_text("")
    fill(store, "A")
    with pytest.raises(StorageError, match=r"copy of the log in .* cannot be written"):
        LogCopy(tmp_path / "file" / "copy").catch_up(store)


def test_it_lies_beside_the_file_unless_somebody_says_otherwise(tmp_path):
    assert copy_folder(f"sqlite:///{tmp_path}/house.db") == tmp_path / "house.db.copy"
    assert copy_folder("postgresql://localhost/house") is None
