"""The log of the ruling desk: a small file of SQLite.

A change is on the disk before anybody is told of it, and two desks may write the same file. What is
left open for half an hour counts as abandoned; it is opened again if somebody goes on with it.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.desk.errors import LogError, NotThere, Settled
from croupier.desk.records import Before, Entry, EntryLine, Status, Told
from croupier.pit.question import Answer, Question

VERSION = 1
"""Of the tables below; a later one reads the earlier ones."""
APPLICATION = 0x63724465
"""How SQLite's file command, and we, tell the log of a desk from any other file."""

ABANDONED_AFTER = timedelta(minutes=30)
BEFORE_AT_MOST = 5
BUSY_SECONDS = 10

_TABLES = """
CREATE TABLE entries (
    id TEXT PRIMARY KEY, asked TEXT NOT NULL, changed TEXT NOT NULL,
    who TEXT NOT NULL, area TEXT NOT NULL, book TEXT NOT NULL, incident TEXT NOT NULL,
    title TEXT NOT NULL, told TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL,
    status TEXT NOT NULL, kind TEXT NOT NULL, headline TEXT NOT NULL, cites TEXT NOT NULL,
    discretion TEXT NOT NULL, decided TEXT NOT NULL, why TEXT NOT NULL, as_ruled INTEGER,
    decided_by TEXT NOT NULL);
CREATE INDEX entries_by_time ON entries (asked);
CREATE INDEX entries_alike ON entries (book, incident, status);
CREATE INDEX entries_of_discretion ON entries (book, discretion, status);
CREATE TABLE keys (purpose TEXT PRIMARY KEY, key BLOB NOT NULL);
"""


class Span(Struct, frozen=True, kw_only=True):
    """Which entries are meant: `since` included, `until` not."""

    since: datetime | None = None
    until: datetime | None = None
    book: str = ""
    area: str = ""
    status: str = ""


class Asking(Struct, frozen=True, kw_only=True):
    """A question with its answer, to be kept."""

    who: str
    area: str
    question: Question
    answer: Answer
    told: Told
    status: Status
    discretion: str
    """The paragraph that leaves it to somebody's discretion, if one does."""


class DeskLog:
    """The log. One connection for all threads of a process, one at a time."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the log in a file, which is made if it is not there; without one, in memory."""
        self.path = path
        self._lock = threading.Lock()
        name = ":memory:" if path is None else str(path)
        if path is not None and not path.parent.is_dir():
            raise LogError(f"there is no folder {path.parent} to keep {path.name} in")
        if path is not None and not path.exists():
            path.touch(mode=0o600)  # it holds the key of the PIN's cookies
        try:
            self._connection = sqlite3.connect(
                name, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS
            )
        except sqlite3.Error as error:
            raise LogError(f"the log {name} cannot be opened: {error}") from error
        weakref.finalize(self, self._connection.close)  # for whoever forgets to
        try:
            self._set_up()
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    # -- keeping ------------------------------------------------------------------------------

    def keep(self, id: str, asking: Asking, now: datetime) -> str:
        """Keep a question under its id. One that was decided stays, and so does somebody else's or
        one of another matter: this is then another entry."""
        with self._changing() as change:
            found = change("SELECT status, who, book, incident FROM entries WHERE id = ?", (id,))
            if found and _goes_on(found[0], asking):
                self._asked_again(change, id, asking, now)
                return id
            if found or not id:
                id = new_id()
            self._asked_first(change, id, asking, now)
            return id

    def _asked_first(self, change: Any, id: str, asking: Asking, now: datetime) -> None:
        columns = {
            "id": id,
            "asked": _time(now),
            "who": asking.who,
            "decided": "",
            "why": "",
            "decided_by": "",
            "as_ruled": None,
            **_columns(asking, now),
        }
        marks = ", ".join("?" * len(columns))
        change(f"INSERT INTO entries ({', '.join(columns)}) VALUES ({marks})", [*columns.values()])

    def _asked_again(self, change: Any, id: str, asking: Asking, now: datetime) -> None:
        columns = _columns(asking, now)
        sets = ", ".join(f"{name} = ?" for name in columns)
        change(f"UPDATE entries SET {sets} WHERE id = ?", (*columns.values(), id))

    def decide(
        self, id: str, decided: str, why: str, *, as_ruled: bool, by: str, now: datetime
    ) -> None:
        """Note what was decided. Saying the same again is no other decision."""
        with self._changing() as change:
            found = change("SELECT status, decided, why, as_ruled FROM entries WHERE id = ?", (id,))
            if not found:
                raise NotThere(f"the log has no entry {id!r}")
            if found[0][0] == "decided":
                if found[0][1:] == (decided, why, int(as_ruled)):
                    return
                raise Settled("this was decided already; ask anew if it is another matter")
            change(
                "UPDATE entries SET status = 'decided', decided = ?, why = ?, as_ruled = ?,"
                " decided_by = ?, changed = ? WHERE id = ?",
                (decided, why, int(as_ruled), by, _time(now), id),
            )

    def abandon(self, id: str, now: datetime) -> None:
        """Note that somebody has left a question unfinished; what was ruled stays ruled."""
        with self._changing() as change:
            if not change("SELECT 1 FROM entries WHERE id = ?", (id,)):
                raise NotThere(f"the log has no entry {id!r}")
            change(
                "UPDATE entries SET status = 'abandoned', changed = ?"
                " WHERE id = ? AND status = 'open'",
                (_time(now), id),
            )

    # -- reading ------------------------------------------------------------------------------

    def entry(self, id: str, now: datetime) -> Entry:
        """One entry, with what was decided in like cases."""
        found = self._read(
            "SELECT asked, changed, who, area, book, incident, title, told, question, answer,"
            " status, decided, why, as_ruled, discretion, decided_by FROM entries WHERE id = ?",
            (id,),
        )
        if not found:
            raise NotThere(f"the log has no entry {id!r}")
        asked, changed, who, area, book, incident, title, *rest = found[0]
        told, question, answer, status, decided, why, as_ruled, discretion, by = rest
        return Entry(
            id=id,
            when=datetime.fromisoformat(asked),
            who=who,
            area=area,
            book=book,
            incident=incident,
            title=title,
            question=msgspec.json.decode(question, type=Question),
            answer=msgspec.json.decode(answer, type=Answer),
            told=msgspec.json.decode(told, type=Told),
            status=_status(status, changed, now),
            decided=decided,
            why=why,
            as_ruled=_flag(as_ruled),
            decided_by=by,
            before=self.before(id, book, incident, discretion),
        )

    def before(self, id: str, book: str, incident: str, discretion: str) -> tuple[Before, ...]:
        """What was decided in like cases: of the same incident, or under the same discretion."""
        found = self._read(
            "SELECT id, asked, who, decided, why, as_ruled, told FROM entries"
            " WHERE status = 'decided' AND book = ? AND id != ?"
            " AND ((incident != '' AND incident = ?) OR (discretion != '' AND discretion = ?))"
            " ORDER BY asked DESC LIMIT ?",
            (book, id, incident, discretion, BEFORE_AT_MOST),
        )
        return tuple(
            Before(
                id=other,
                when=datetime.fromisoformat(asked),
                who=who,
                decided=decided,
                why=why,
                as_ruled=_flag(as_ruled),
                facts=msgspec.json.decode(told, type=Told),
            )
            for other, asked, who, decided, why, as_ruled, told in found
        )

    def lines(self, span: Span, now: datetime, most: int | None = None) -> list[EntryLine]:
        """Entries as a list shows them, the newest first."""
        where, values = _where(span, now)
        found = self._read(
            "SELECT id, asked, changed, who, area, book, incident, title, told, status, kind,"
            f" headline, cites, decided, why, as_ruled, decided_by FROM entries {where}"
            " ORDER BY asked DESC, id LIMIT ?",
            (*values, -1 if most is None else most),
        )
        return [_line(row, now) for row in found]

    def discretions(self, span: Span, now: datetime) -> list[tuple[str, str]]:
        """Book and paragraph, once for each time that something was left to discretion."""
        where, values = _where(span, now)
        return [
            (book, paragraph)
            for book, paragraph in self._read(
                f"SELECT book, discretion FROM entries {where}", values
            )
            if paragraph
        ]

    # -- keys ---------------------------------------------------------------------------------

    def key(self, purpose: str) -> bytes:
        """A secret of this log's, made when it is first asked for."""
        with self._changing() as change:
            change(
                "INSERT INTO keys (purpose, key) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (purpose, secrets.token_bytes(32)),
            )
            [(key,)] = change("SELECT key FROM keys WHERE purpose = ?", (purpose,))
        return bytes(key)

    # -- the file -----------------------------------------------------------------------------

    def _set_up(self) -> None:
        try:
            self._write_ahead()
            self._connection.execute("PRAGMA synchronous = FULL")
            with self._changing() as change:
                self._make_or_check(change)
        except sqlite3.DatabaseError as error:
            raise LogError(f"the log {self.name} cannot be used: {error}") from error

    def _write_ahead(self) -> None:
        """Readers and a writer do not wait for each other. Another desk that opens the file in the
        same moment is waited for: SQLite itself does not, for this one change."""
        for again in range(50):
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if again == 49 or "locked" not in str(error):
                    raise
                time.sleep(0.05)

    def _make_or_check(self, change: Any) -> None:
        [(version,)] = change("PRAGMA user_version")
        [(application,)] = change("PRAGMA application_id")
        if version == 0 and not change("SELECT 1 FROM sqlite_master"):
            for statement in _TABLES.split(";"):
                if statement.strip():
                    change(statement)
            change(f"PRAGMA user_version = {VERSION}")
            change(f"PRAGMA application_id = {APPLICATION}")
            return
        if application != APPLICATION:
            raise LogError(f"{self.name} is another program's file; name a new one for the log")
        if version > VERSION:
            raise LogError(f"{self.name} is of a later croupier (log version {version}); use that")

    @property
    def name(self) -> str:
        return "in memory" if self.path is None else str(self.path)

    @contextmanager
    def _changing(self) -> Iterator[Any]:
        """A transaction that is on the disk once it is over."""
        with self._lock:
            try:
                self._execute("BEGIN IMMEDIATE")
                try:
                    yield self._execute
                    self._execute("COMMIT")
                finally:
                    if self._connection.in_transaction:
                        self._execute("ROLLBACK")
            except sqlite3.Error as error:
                raise LogError(f"the log {self.name} cannot be written: {error}") from error

    def _read(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._execute(sql, values)
            except sqlite3.Error as error:
                raise LogError(f"the log {self.name} cannot be read: {error}") from error

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()


def new_id() -> str:
    """The name of an entry, which nobody guesses."""
    return secrets.token_hex(8)


# -- rows -----------------------------------------------------------------------------------------


def _columns(asking: Asking, now: datetime) -> dict[str, Any]:
    """What changes whenever a question is asked again with more facts."""
    question, answer = asking.question, asking.answer
    ruling = answer.ruling
    return {
        "changed": _time(now),
        "area": asking.area,
        "book": answer.rulebook,
        "incident": answer.incident,
        "title": answer.title,
        "told": _json(asking.told),
        "question": _json(question),
        "answer": _json(answer),
        "status": asking.status,
        "kind": ruling.kind if ruling is not None else "",
        "headline": answer.impossible or (ruling.headline if ruling is not None else ""),
        "cites": _json(ruling.cites if ruling is not None else ()),
        "discretion": asking.discretion,
    }


def _goes_on(entry: tuple[str, str, str, str], asking: Asking) -> bool:
    """Whether a question goes on with what is kept: the same matter, by whoever began it."""
    status, who, book, incident = entry
    alike = (book, incident) == (asking.answer.rulebook, asking.question.incident)
    return status != "decided" and alike and (not asking.who or asking.who == who)


def _line(row: tuple[Any, ...], now: datetime) -> EntryLine:
    id, asked, changed, who, area, book, incident, title, told, status, *rest = row
    kind, headline, cites, decided, why, as_ruled, by = rest
    return EntryLine(
        id=id,
        when=datetime.fromisoformat(asked),
        who=who,
        area=area,
        book=book,
        incident=incident,
        title=title,
        told=msgspec.json.decode(told, type=Told),
        status=_status(status, changed, now),
        kind=kind,
        headline=headline,
        cites=msgspec.json.decode(cites, type=tuple[str, ...]),
        decided=decided,
        why=why,
        as_ruled=_flag(as_ruled),
        decided_by=by,
    )


def _where(span: Span, now: datetime) -> tuple[str, list[Any]]:
    tests: list[str] = []
    values: list[Any] = []
    if span.since is not None:
        tests.append("asked >= ?")
        values.append(_time(span.since))
    if span.until is not None:
        tests.append("asked < ?")
        values.append(_time(span.until))
    for name, wanted in (("book", span.book), ("area", span.area)):
        if wanted:
            tests.append(f"{name} = ?")
            values.append(wanted)
    if span.status:
        tests.append(
            "CASE WHEN status = 'open' AND changed < ? THEN 'abandoned' ELSE status END = ?"
        )
        values += [_time(now - ABANDONED_AFTER), span.status]
    return (f"WHERE {' AND '.join(tests)}" if tests else ""), values


def _status(status: Status, changed: str, now: datetime) -> Status:
    if status == "open" and datetime.fromisoformat(changed) < now - ABANDONED_AFTER:
        return "abandoned"
    return status


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _time(when: datetime) -> str:
    """A time as it is kept: in UTC and of one length, so that texts are in the order of time."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}+00:00"


def _json(record: Any) -> str:
    return msgspec.json.encode(record).decode()
