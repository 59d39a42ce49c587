"""The log: what is acknowledged is kept, by one desk or two, and what is left is abandoned."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from croupier.desk import DeskLog
from croupier.desk.errors import AlreadyDecided, CannotAsk, DamagedRow, LogError, NotThere
from croupier.desk.log import ABANDONED_AFTER, BEFORE_AT_MOST, NOTES_AT_MOST, Span
from croupier.desk.log_file import APPLICATION, CHANGES, VERSION
from tests.desk.asked import (
    EXPOSED,
    OPEN,
    Clock,
    a_desk,
    in_words,
    left_to_discretion,
    skipped,
)

ROOT = Path(__file__).parents[2]


def started(file: Path, name: str, most: int) -> subprocess.Popen[str]:
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    return subprocess.Popen(
        [sys.executable, "-m", "tests.desk.writer", str(file), name, str(most)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
    )


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    with started(file, "Ann", 100_000) as writer:
        assert writer.stdout is not None
        told = [writer.stdout.readline().strip() for _ in range(20)]
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read().split()[:-1]  # the last may be half a line
    assert len(told) >= 20
    desk = a_desk(file)
    assert all(desk.entry(id).status == "ruled" for id in told)
    assert desk.ask(EXPOSED).status == "ruled"  # and it goes on


def test_two_desks_write_one_file(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"  # which neither of them finds there
    writers = [started(file, name, 20) for name in ("Ann", "Ben")]
    told = [writer.communicate(timeout=60)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    entries, more = a_desk(file).lines(Span())
    assert not more
    assert {entry.id for entry in entries} == {*told[0], *told[1]}
    assert [sum(e.who == name for e in entries) for name in ("Ann", "Ben")] == [20, 20]


def test_an_entry_is_kept_with_everything(tmp_path: Path):
    file, clock = tmp_path / "desk.sqlite3", Clock()
    asked = a_desk(file, clock).ask(EXPOSED, who="Ann", area="Pit 3")
    entry = a_desk(file, clock).entry(asked.id)
    assert (entry.who, entry.area, entry.when) == ("Ann", "Pit 3", clock.now)
    assert (entry.book, entry.incident) == (EXPOSED.rulebook, EXPOSED.incident)
    assert entry.question == EXPOSED
    assert entry.answer == asked.answer
    assert entry.told == in_words(EXPOSED)
    assert len(entry.told) == 2


def test_more_facts_go_on_with_the_same_entry():
    desk = a_desk()
    first = desk.ask(OPEN, who="Ann")
    assert first.status == "open"
    second = desk.ask(EXPOSED, id=first.id)
    assert (second.id, second.status) == (first.id, "ruled")
    assert desk.entry(first.id).who == "Ann"
    assert len(desk.lines(Span())[0]) == 1


def test_nobody_goes_on_under_the_name_of_another():
    desk = a_desk()
    first = desk.ask(OPEN, who="Ann")
    second = desk.ask(EXPOSED, id=first.id, who="Ben")
    assert second.id != first.id
    assert [desk.entry(id).who for id in (first.id, second.id)] == ["Ann", "Ben"]
    desk.decide(second.id, "", "", as_ruled=True, by="Dan")
    assert desk.entry(second.id).decided_by == "Dan"


def test_nothing_is_decided_as_ruled_before_it_is_ruled():
    desk = a_desk()
    first = desk.ask(OPEN, who="Ann")
    with pytest.raises(CannotAsk, match="nothing is ruled"):
        desk.decide(first.id, "whatever", "", as_ruled=True)


def test_an_id_that_the_log_does_not_know_is_opened_again():
    """So a page goes on where it was, on a desk whose log is new."""
    desk = a_desk()
    assert desk.ask(OPEN, id="feedfeed00").id == "feedfeed00"
    with pytest.raises(CannotAsk, match="id: an id is 8 to 32"):
        desk.ask(OPEN, id="../../etc")


# -- decided --------------------------------------------------------------------------------------


def test_what_was_decided_stands():
    desk = a_desk()
    asked = desk.ask(EXPOSED)
    entry = desk.decide(asked.id, "", "", as_ruled=True)
    assert (entry.status, entry.as_ruled) == ("decided", True)
    assert asked.answer.ruling is not None
    assert entry.decided == asked.answer.ruling.headline
    assert desk.decide(asked.id, "", "", as_ruled=True) == entry  # a page that sends it twice
    with pytest.raises(AlreadyDecided, match="decided already"):
        desk.decide(asked.id, "Play on", "it was late", as_ruled=False)
    again = desk.ask(EXPOSED, id=asked.id)
    assert again.id != asked.id
    assert desk.abandon(asked.id).status == "decided"


def test_a_decision_says_what_and_why():
    desk = a_desk()
    asked, unfinished = desk.ask(EXPOSED), desk.ask(OPEN)
    for id, decided, why, as_ruled, path in (
        (asked.id, "", "why", False, "decided"),
        (asked.id, "Play on", " ", False, "why"),
        (asked.id, "x" * 2_001, "why", False, "decided"),
        (unfinished.id, "", "", True, "decided"),
    ):
        with pytest.raises(CannotAsk) as error:
            desk.decide(id, decided, why, as_ruled=as_ruled)
        assert error.value.path == path
    with pytest.raises(NotThere):
        desk.decide("feedfeed00", "Play on", "why", as_ruled=False)


# -- abandoned ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "status"), [(-1, "open"), (0, "open"), (1, "abandoned")])
def test_a_question_left_open_is_abandoned_after_half_an_hour(seconds: int, status: str):
    clock = Clock()
    desk = a_desk(clock=clock)
    asked, ruled = desk.ask(OPEN), desk.ask(EXPOSED)
    clock.pass_(seconds=ABANDONED_AFTER.total_seconds() + seconds)
    assert desk.entry(asked.id).status == status
    assert desk.entry(ruled.id).status == "ruled"
    found, _ = desk.lines(Span(status=status))
    assert [line.id for line in found] == [asked.id]
    assert desk.figures(Span()).by_status[status] == 1


def test_a_question_is_abandoned_when_the_page_says_so_and_opened_again_by_going_on():
    desk = a_desk()
    asked, ruled = desk.ask(OPEN), desk.ask(EXPOSED)
    assert desk.abandon(asked.id).status == "abandoned"
    assert desk.abandon(ruled.id).status == "ruled"
    assert desk.ask(OPEN, id=asked.id).status == "open"
    assert desk.entry(asked.id).status == "open"
    with pytest.raises(NotThere):
        desk.abandon("feedfeed00")


# -- before ---------------------------------------------------------------------------------------


def test_like_cases_are_those_of_the_same_incident_in_the_same_book():
    clock = Clock()
    desk = a_desk(clock=clock)
    ids = []
    for n in range(BEFORE_AT_MOST + 2):
        clock.pass_(minutes=1)
        ids.append(desk.ask(EXPOSED, who=f"floor {n}").id)
        desk.decide(ids[-1], f"decision {n}", "so", as_ruled=False)
    desk.decide(desk.ask(skipped()).id, "another matter", "so", as_ruled=False)
    before = desk.ask(OPEN).before
    assert [one.id for one in before] == ids[: -BEFORE_AT_MOST - 1 : -1]  # the newest first
    assert before[0].decided == "decision 6"
    assert before[0].facts == in_words(EXPOSED)
    other = desk.ask(OPEN.__class__(rulebook="poker-v5", incident=OPEN.incident))
    assert other.before == ()


def test_like_cases_of_the_same_facts_come_first():
    clock = Clock()
    desk = a_desk(clock=clock)
    one = structs.replace(EXPOSED, facts={"exposed": "one", "acted": "none"})
    for question, decided in ((EXPOSED, "first"), (one, "second"), (one, "third")):
        clock.pass_(minutes=1)
        desk.decide(desk.ask(question).id, decided, "so", as_ruled=False)
    assert [like.decided for like in desk.ask(one).before] == ["third", "second", "first"]
    assert [like.decided for like in desk.ask(EXPOSED).before] == ["first", "third", "second"]


def test_like_cases_are_those_under_the_same_discretion():
    desk = a_desk()
    question = left_to_discretion()
    asked = desk.ask(question)
    assert asked.answer.ruling is not None
    assert asked.answer.ruling.kind == "discretion"
    desk.decide(asked.id, "The Call is taken back", "nobody had seen it", as_ruled=False)
    [before] = desk.ask(question).before
    assert (before.decided, before.why) == ("The Call is taken back", "nobody had seen it")
    assert desk.ask(skipped()).before == ()


# -- the file -------------------------------------------------------------------------------------


def test_a_file_that_is_no_log_is_not_touched(tmp_path: Path):
    other = tmp_path / "other.sqlite3"
    made = sqlite3.connect(other)
    made.execute("CREATE TABLE guests (name TEXT)")
    made.commit()
    made.close()
    with pytest.raises(LogError, match="another program's file"):
        DeskLog(other)
    text = tmp_path / "notes.txt"
    text.write_text("nothing for a database\n" * 100)
    with pytest.raises(LogError, match="cannot be"):
        DeskLog(text)
    assert text.read_text().startswith("nothing for a database")
    with pytest.raises(LogError, match="there is no folder"):
        DeskLog(tmp_path / "nowhere" / "desk.sqlite3")


def test_a_log_of_a_later_croupier_is_left_alone(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    DeskLog(file).close()
    made = sqlite3.connect(file)
    assert made.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    made.execute(f"PRAGMA user_version = {VERSION + 1}")
    made.close()
    with pytest.raises(LogError, match="later croupier"):
        DeskLog(file)


def test_a_log_of_an_earlier_croupier_is_brought_up_to_date_and_loses_its_key(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    made = sqlite3.connect(file)
    made.executescript(CHANGES[0])
    made.execute("INSERT INTO keys VALUES ('cookies', x'00')")
    made.execute("PRAGMA user_version = 1")
    made.execute(f"PRAGMA application_id = {APPLICATION}")
    made.commit()
    made.close()
    desk = a_desk(file)
    asked = desk.ask(EXPOSED)
    assert desk.note(asked.id, "seen", by="Dan").notes[0].says == "seen"
    tables = {name for (name,) in desk.log.file.read("SELECT name FROM sqlite_master")}
    assert "keys" not in tables


def test_a_log_that_is_deleted_under_way_is_noticed_and_saved(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    desk = a_desk(file)
    asked = desk.ask(EXPOSED)
    for found in tmp_path.iterdir():
        found.unlink()
    for use in (lambda: desk.ask(OPEN), lambda: desk.lines(Span()), lambda: desk.entry(asked.id)):
        with pytest.raises(LogError, match="moved or deleted while the desk was open"):
            use()
    [saved] = tmp_path.iterdir()
    assert saved.name == "desk-rescued.sqlite3"
    assert saved.stat().st_mode & 0o077 == 0
    assert a_desk(saved).entry(asked.id).status == "ruled"


def test_a_log_that_is_put_back_goes_on(tmp_path: Path):
    file, away = tmp_path / "desk.sqlite3", tmp_path / "away.sqlite3"
    desk = a_desk(file)
    first = desk.ask(EXPOSED)
    file.rename(away)
    with pytest.raises(LogError, match="saved as"):
        desk.ask(OPEN)
    away.rename(file)
    assert {line.id for line in desk.lines(Span())[0]} == {first.id}
    assert desk.ask(OPEN).status == "open"


def test_a_log_that_is_replaced_by_another_is_noticed(tmp_path: Path):
    file = tmp_path / "desk.sqlite3"
    desk = a_desk(file)
    for found in tmp_path.iterdir():
        found.unlink()
    a_desk(file).ask(EXPOSED)
    with pytest.raises(LogError, match="moved or deleted"):
        desk.ask(OPEN)


# -- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("told", "{no json"),
        ("told", '["a list"]'),
        ("told", b"\xff\xfe"),
        ("cites", "5.14"),
        ("asked", "last Tuesday"),
        ("status", "lost"),
        ("title", b"\x00"),
        ("headline", b"\xff"),
    ],
)
def test_a_damaged_row_is_shown_as_such_and_the_others_as_they_are(
    tmp_path: Path, column: str, value: object
):
    clock = Clock()
    desk = a_desk(tmp_path / "desk.sqlite3", clock)
    first, second = desk.ask(EXPOSED, who="Ann"), desk.ask(EXPOSED, who="Ben")
    desk.decide(first.id, "Play on", "so", as_ruled=False)
    with desk.log.file.changing() as change:
        change(f"UPDATE entries SET {column} = ? WHERE id = ?", (value, first.id))
    lines = {line.id: line for line in desk.lines(Span())[0]}
    damaged = lines[first.id]
    assert damaged.unreadable == f"row {damaged.number} of the log is damaged and cannot be read"
    assert damaged.number == 1
    assert not lines[second.id].unreadable
    assert damaged.unreadable in desk.csv(Span())
    figures = desk.figures(Span())
    assert (figures.entries, figures.unreadable) == (1, 1)
    assert desk.ask(EXPOSED).status == "ruled"  # like cases are looked for among what can be read


def test_an_entry_that_is_damaged_says_which_row_it_is(tmp_path: Path):
    desk = a_desk(tmp_path / "desk.sqlite3")
    asked = desk.ask(EXPOSED)
    with desk.log.file.changing() as change:
        change("UPDATE entries SET answer = '{}' WHERE id = ?", (asked.id,))
    with pytest.raises(DamagedRow, match="row 1 of the log is damaged"):
        desk.entry(asked.id)


# -- notes ----------------------------------------------------------------------------------------


def test_a_note_decides_nothing_and_stands_with_its_question():
    clock = Clock()
    desk = a_desk(clock=clock)
    asked, other = desk.ask(EXPOSED), desk.ask(EXPOSED)
    entry = desk.note(asked.id, " two players saw it ", by="Dan")
    assert entry.status == "ruled"
    [note] = entry.notes
    assert (note.who, note.says, note.when) == ("Dan", "two players saw it", clock.now)
    by_id = {line.id: line.notes for line in desk.lines(Span())[0]}
    assert (by_id[asked.id], by_id[other.id]) == ((note,), ())
    assert desk.ask(EXPOSED, id=asked.id).notes == (note,)
    for says in ("", "  ", "x" * 2_001):
        with pytest.raises(CannotAsk):
            desk.note(asked.id, says)
    with pytest.raises(NotThere):
        desk.note("feedfeed00", "nobody asked this")
    for _ in range(NOTES_AT_MOST - 1):
        desk.note(asked.id, "again")
    with pytest.raises(CannotAsk, match="at most"):
        desk.note(asked.id, "one too many")
