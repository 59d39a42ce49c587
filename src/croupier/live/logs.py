"""Structured logs: one JSON object in a line, on standard error.

No card, no cookie, no token and no password is ever logged. A name can hide nothing in it: what
cannot be seen is escaped.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from typing import Any, TextIO

import msgspec
from msgspec import Struct

from croupier.house.names import is_hidden

NAME, HOUSE = "croupier.live", "croupier.house"

REMEMBERED = 4_096
"""Kinds of records that are counted at a time."""

_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """One record as one line of JSON, with whatever was given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "log": record.name,
            "says": record.getMessage(),
        }
        told |= {k: v for k, v in record.__dict__.items() if k not in _PLAIN}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return escaped(msgspec.json.encode(told, enc_hook=str).decode())


def escaped(text: str) -> str:
    """A line of JSON with everything escaped that cannot be seen in it, such as what turns the
    direction of writing: it still reads as the same JSON."""
    if text.isascii():
        return text
    return "".join(_escape(char) if is_hidden(char) else char for char in text)


def _escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[n : n + 2].hex()}" for n in range(0, len(units), 2))


class Kind(Struct, kw_only=True):
    """Records that are counted together: since when, how many, and what they say."""

    since: float
    count: int = 0
    says: str = ""


class Bounded(logging.Filter):
    """Lets so many records of one kind through in a minute, and says later how many it left out.

    Whoever is refused again and again, or brings about the same fault again and again, fills no
    disk. Records are of one kind if they were written at the same place in the code for the same
    sort of error of the same table. An alarm (`extra=ALARM`) is always let through. What was left
    out is said with the next record of its kind, or by a line of its own after the minute: for
    that, `write` has to be set.
    """

    def __init__(self, most: int = 20, seconds: float = 60.0) -> None:
        super().__init__()
        self._most, self._seconds = most, seconds
        self.write: Callable[[logging.LogRecord], None] | None = None
        self._lock = threading.Lock()
        self._kinds: dict[tuple[object, ...], Kind] = {}
        self._timer: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one is written."""
        if getattr(record, "alarm", False):
            return True
        error = record.exc_info[0] if record.exc_info else None
        table = getattr(record, "place", "") or getattr(record, "table", "")
        key = (record.name, record.pathname, record.lineno, error, table)
        with self._lock:
            kind = self._kinds.get(key)
            if kind is None or record.created >= kind.since + self._seconds:
                if kind is not None and kind.count > self._most:
                    record.left_out = kind.count - self._most
                if len(self._kinds) >= REMEMBERED:
                    self._kinds.pop(next(iter(self._kinds)))
                kind = self._kinds[key] = Kind(since=record.created, says=str(record.msg))
            kind.count += 1
            if kind.count > self._most and self._timer is None and self.write is not None:
                self._wait(self._seconds)
            return kind.count <= self._most

    def _wait(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._minute_over)
        self._timer.daemon = True
        self._timer.start()

    def _minute_over(self) -> None:
        """Say what was left out of the kinds that did not come again, and forget those kinds."""
        now, told = time.time(), []
        with self._lock:
            for key, kind in tuple(self._kinds.items()):
                if now >= kind.since + self._seconds:
                    del self._kinds[key]
                    if kind.count > self._most:
                        told.append(_left_out(key, kind, kind.count - self._most))
            ends = [k.since + self._seconds for k in self._kinds.values() if k.count > self._most]
            self._timer = None
            if ends:
                self._wait(max(0.01, min(ends) - now))
        for record in told:
            if self.write is not None:
                self.write(record)


def _left_out(key: tuple[object, ...], kind: Kind, count: int) -> logging.LogRecord:
    """The line that says how many like another one were not written."""
    name, path, line, _, table = key
    record = logging.LogRecord(
        str(name), logging.WARNING, str(path), int(str(line)), "lines were left out", (), None
    )
    record.left_out, record.like = count, kind.says
    if table:
        record.place = table
    return record


def _write(handler: logging.Handler, record: logging.LogRecord) -> None:
    """Write a record past the filter."""
    with handler.lock or nullcontext():
        handler.emit(record)


def handler_to(stream: TextIO, bounded: Bounded) -> logging.Handler:
    """Writes records as lines of JSON, of each kind only so many."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(bounded)
    bounded.write = partial(_write, handler)
    return handler


def set_up(stream: TextIO | None = None) -> None:
    """Send the logs of the House, of its tables and of the web server to standard error."""
    handler = handler_to(stream or sys.stderr, Bounded())
    levels = (
        (NAME, logging.INFO),
        (HOUSE, logging.INFO),
        ("uvicorn", logging.WARNING),
        ("asyncio", logging.WARNING),
    )
    for name, level in levels:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
