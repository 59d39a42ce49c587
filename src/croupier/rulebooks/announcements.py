"""What staff read out at a table: opening and closing calls, warnings, notices, in our words.

They stand in `announcements.toml` beside the books, each by its topic, so that every book cites its
own paragraphs for them. What a table itself announces is an event of the table.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from croupier.rulebooks.model import Rulebook


class Announcement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something to be read out."""

    call: Literal["opening call", "closing call", "warning", "notice"]
    says: str
    topic: str = ""
    standard: str = ""
    """Of casino practice, where no book speaks of it."""
    due: str = ""
    """The dealer's step that it goes with, by the tag of the command."""


class _Announcements(Struct, frozen=True, forbid_unknown_fields=True):
    announcement: tuple[Announcement, ...]


@cache
def all_announcements() -> tuple[Announcement, ...]:
    """All of them, as the file has them."""
    text = files("croupier.rulebooks").joinpath("announcements.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Announcements).announcement


def announcements_of(book: Rulebook) -> tuple[tuple[Announcement, tuple[str, ...]], ...]:
    """Those of one book, each with its paragraphs, or the standard that it keeps."""
    return tuple(
        (each, book.cite(each.topic) if each.topic else (each.standard,))
        for each in all_announcements()
        if not each.topic or book.has(each.topic)
    )
