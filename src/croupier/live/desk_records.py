"""The records of the ruling desk's HTTP API, beside those of `croupier.desk.records`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from croupier.desk.records import EntryLine, SearchHit
from croupier.pit.question import Question

Words = Annotated[str, Meta(max_length=2_000)]
Name = Annotated[str, Meta(max_length=100)]
EntryId = Annotated[str, Meta(pattern="^([a-z0-9]{8,32})?$")]


class DeskHello(Struct, frozen=True, kw_only=True):
    """What a page must know first. `token` goes with every change as X-Croupier-Token."""

    token: str
    who: str | None
    house: str
    area: str
    mode: str
    log: bool
    """Whether the log is kept in a file."""
    approved: tuple[str, ...]
    """The books whose approved text the operator has loaded."""
    ready: bool = True
    """Whether the desk has prepared itself; before that some answers take longer."""


class AskBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question; `id` goes on with one that was asked before."""

    question: Question
    id: EntryId = ""
    who: Name = ""
    area: Name = ""


class DecidedBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was decided, and why if it was not as ruled."""

    decided: Words = ""
    why: Words = ""
    as_ruled: bool
    who: Name = ""
    """Who says so, where the desk knows nobody by name."""


class NoteBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody notes to a question."""

    says: Words
    who: Name = ""


class SearchHits(Struct, frozen=True, kw_only=True):
    """What the words point to, best first."""

    hits: tuple[SearchHit, ...]


class LogPage(Struct, frozen=True, kw_only=True):
    """The newest entries of the log, and whether there are more."""

    entries: tuple[EntryLine, ...]
    more: bool
