"""The log of the ruling desk: a small file of SQLite.

A change is on the disk before anybody is told of it, and two desks may write the same file. What is
left open for half an hour counts as abandoned; it is opened again if somebody goes on with it.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.desk.errors import AlreadyDecided, CannotAsk, DamagedRow, NotThere
from croupier.desk.log_file import LogFile
from croupier.desk.records import Before, Entry, EntryLine, EntryNote, Status, Told
from croupier.pit.question import Answer, Question

ABANDONED_AFTER = timedelta(minutes=30)
BEFORE_AT_MOST = 5
LIKE_CASES_READ = 50
"""Among the newest so many, those of the same facts come first."""
NOTES_AT_MOST = 50
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""When an entry was asked whose time cannot be read."""


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
    """The log of one desk, or of several that write the same file."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the log in a file, which is made if it is not there; without one, in memory."""
        self.file = LogFile(path)
        self.path = path

    @property
    def name(self) -> str:
        """Where it is kept, as one says it."""
        return self.file.name

    def close(self) -> None:
        self.file.close()

    # -- keeping ------------------------------------------------------------------------------

    def keep(self, id: str, asking: Asking, now: datetime) -> str:
        """Keep a question under its id. One that was decided stays, and so does somebody else's or
        one of another matter: this is then another entry."""
        with self.file.changing() as change:
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
        with self.file.changing() as change:
            found = change("SELECT status, decided, why, as_ruled FROM entries WHERE id = ?", (id,))
            if not found:
                raise NotThere(f"the log has no entry {id!r}")
            if found[0][0] == "decided":
                if found[0][1:] == (decided, why, int(as_ruled)):
                    return
                raise AlreadyDecided("this was decided already; ask anew if it is another matter")
            change(
                "UPDATE entries SET status = 'decided', decided = ?, why = ?, as_ruled = ?,"
                " decided_by = ?, changed = ? WHERE id = ?",
                (decided, why, int(as_ruled), by, _time(now), id),
            )

    def abandon(self, id: str, now: datetime) -> None:
        """Note that somebody has left a question unfinished; what was ruled stays ruled."""
        with self.file.changing() as change:
            if not change("SELECT 1 FROM entries WHERE id = ?", (id,)):
                raise NotThere(f"the log has no entry {id!r}")
            change(
                "UPDATE entries SET status = 'abandoned', changed = ?"
                " WHERE id = ? AND status = 'open'",
                (_time(now), id),
            )

    def note(self, id: str, says: str, *, by: str, now: datetime) -> None:
        """Write a note to an entry: it decides nothing, and stands beside what is decided."""
        with self.file.changing() as change:
            if not change("SELECT 1 FROM entries WHERE id = ?", (id,)):
                raise NotThere(f"the log has no entry {id!r}")
            [(count,)] = change("SELECT count(*) FROM notes WHERE entry = ?", (id,))
            if count >= NOTES_AT_MOST:
                raise CannotAsk(f"an entry has at most {NOTES_AT_MOST} notes", "says")
            change("INSERT INTO notes VALUES (?, ?, ?, ?)", (id, _time(now), by, says))

    # -- reading ------------------------------------------------------------------------------

    def entry(self, id: str, now: datetime) -> Entry:
        """One entry, with what was decided in like cases."""
        found = self.file.read(
            "SELECT rowid, asked, changed, who, area, book, incident, title, told, question,"
            " answer, status, decided, why, as_ruled, discretion, decided_by FROM entries"
            " WHERE id = ?",
            (id,),
        )
        if not found:
            raise NotThere(f"the log has no entry {id!r}")
        number, asked, changed, who, area, book, incident, title, *rest = found[0]
        told, question, answer, status, decided, why, as_ruled, discretion, by = rest
        try:
            entry = Entry(
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
                notes=self.notes(id),
            )
        except _DAMAGED as error:
            raise DamagedRow(f"row {number} of the log is damaged and cannot be read") from error
        before = self.before(id, book, incident, discretion, entry.told)
        return msgspec.structs.replace(entry, before=before)

    def before(
        self, id: str, book: str, incident: str, discretion: str, told: Told
    ) -> tuple[Before, ...]:
        """What was decided in like cases: of the same incident, or under the same discretion; those
        of which the same is known first, the newest first."""
        found = self.file.read(
            "SELECT id, asked, who, decided, why, as_ruled, told FROM entries"
            " WHERE status = 'decided' AND book = ? AND id != ?"
            " AND ((incident != '' AND incident = ?) OR (discretion != '' AND discretion = ?))"
            " ORDER BY asked DESC LIMIT ?",
            (book, id, incident, discretion, LIKE_CASES_READ),
        )
        like: list[Before] = []
        for other, asked, who, decided, why, as_ruled, facts in found:
            with suppress(*_DAMAGED):  # the log itself shows which row that is
                like.append(
                    Before(
                        id=other,
                        when=datetime.fromisoformat(asked),
                        who=who,
                        decided=decided,
                        why=why,
                        as_ruled=_flag(as_ruled),
                        facts=msgspec.json.decode(facts, type=Told),
                    )
                )
        return tuple(sorted(like, key=lambda one: one.facts != told)[:BEFORE_AT_MOST])

    def lines(self, span: Span, now: datetime, most: int | None = None) -> list[EntryLine]:
        """Entries as a list shows them, the newest first."""
        where, values = _where(span, now)
        found = self.file.read(
            "SELECT rowid, id, asked, changed, who, area, book, incident, title, told, status,"
            " kind, headline, cites, decided, why, as_ruled, decided_by"
            f" FROM entries {where} ORDER BY asked DESC, id LIMIT ?",
            (*values, -1 if most is None else most),
        )
        notes = self._notes(where, values)
        return [_line(row, now, notes) for row in found]

    def notes(self, id: str) -> tuple[EntryNote, ...]:
        """The notes to one entry."""
        return self._notes("WHERE id = ?", (id,))[id]

    def _notes(self, where: str, values: Iterable[Any]) -> Notes:
        """The notes to some entries, the oldest first."""
        found: Notes = defaultdict(tuple)
        for entry, at, who, says in self.file.read(
            "SELECT notes.entry, notes.at, notes.who, notes.says FROM notes"
            f" JOIN (SELECT id FROM entries {where}) ON id = notes.entry ORDER BY notes.rowid",
            tuple(values),
        ):
            found[entry] += (EntryNote(when=_moment(at), who=str(who), says=str(says)),)
        return found

    def discretions(self, span: Span, now: datetime) -> list[tuple[str, str]]:
        """Book and paragraph, once for each time that something was left to discretion."""
        where, values = _where(span, now)
        return [
            (book, paragraph)
            for book, paragraph in self.file.read(
                f"SELECT book, discretion FROM entries {where}", values
            )
            if paragraph
        ]


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


Notes = defaultdict[str, tuple[EntryNote, ...]]
_DAMAGED = (msgspec.MsgspecError, TypeError, ValueError)
"""What reading a row raises in which something has been damaged."""


def _line(row: tuple[Any, ...], now: datetime, notes: Notes) -> EntryLine:
    """A row as a list shows it; one that is damaged with its number, and what can be read of it."""
    number, id, asked, changed, who, area, book, incident, title, told, status, *rest = row
    kind, headline, cites, decided, why, as_ruled, by = rest
    try:
        line = msgspec.convert(
            {
                "number": number,
                "id": id,
                "when": datetime.fromisoformat(asked),
                "who": who,
                "area": area,
                "book": book,
                "incident": incident,
                "title": title,
                "told": msgspec.json.decode(told),
                "status": _status(status, changed, now),
                "kind": kind,
                "headline": headline,
                "cites": msgspec.json.decode(cites),
                "decided": decided,
                "why": why,
                "as_ruled": _flag(as_ruled),
                "decided_by": by,
            },
            EntryLine,
        )
    except _DAMAGED:
        return _damaged(row)
    return msgspec.structs.replace(line, notes=notes[id])


def _damaged(row: tuple[Any, ...]) -> EntryLine:
    number, id, asked, _, who, area, book, incident, title, *_ = row
    return EntryLine(
        number=number,
        id=_text(id),
        when=_moment(asked),
        who=_text(who),
        area=_text(area),
        book=_text(book),
        incident=_text(incident),
        title=_text(title),
        told={},
        status="open",
        kind="",
        headline="",
        cites=(),
        decided="",
        why="",
        as_ruled=None,
        unreadable=f"row {number} of the log is damaged and cannot be read",
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _moment(text: Any) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return NEVER
    return found if found.tzinfo is not None else NEVER


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
