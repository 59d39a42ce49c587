"""Structured logs: one JSON object in a line, on standard error.

No card, no cookie, no token and no password is ever logged. A name can hide nothing in it: what
cannot be seen is escaped.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

import msgspec

from croupier.house.names import is_hidden

NAME, HOUSE = "croupier.live", "croupier.house"

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


class Bounded(logging.Filter):
    """Lets so many records of one kind through in a minute, and says later how many it left out.

    Whoever is refused again and again, or brings about the same fault again and again, fills no
    disk. Records are of one kind if they were written at the same place in the code for the same
    sort of error.
    """

    def __init__(self, most: int = 20, seconds: float = 60.0) -> None:
        super().__init__()
        self._most, self._seconds = most, seconds
        self._seen: dict[tuple[object, ...], list[float]] = {}
        """Of each kind: since when it is counted, and how many there were."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this one is written."""
        error = record.exc_info[0] if record.exc_info else None
        seen = self._seen.setdefault((record.name, record.pathname, record.lineno, error), [0, 0])
        if record.created >= seen[0] + self._seconds:
            if seen[1] > self._most:
                record.left_out = int(seen[1]) - self._most
            seen[:] = record.created, 0
        seen[1] += 1
        return seen[1] <= self._most


def set_up(stream: TextIO | None = None) -> None:
    """Send the logs of the House, of its tables and of the web server to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Bounded())
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
