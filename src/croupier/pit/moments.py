"""Moments: the moments of a round at which something can be reported, played by real commands.

They stand in `croupier/moments`, a file for each family of games, in the words of case files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.pit.case import case_of
from croupier.pit.game import Registry
from croupier.pit.runner import stage_case
from croupier.rulebooks import Rulebook
from croupier.table import Table

DEALT = {"automatic": "dealt by the House", "by-hand": "dealt by hand"}
ACTED = {"device": "players act by device", "seen": "acts seen and entered"}


class How(Struct, frozen=True, kw_only=True):
    """How a table is dealt and how its players act."""

    dealing: Literal["automatic", "by-hand"]
    acting: Literal["device", "seen"]

    def __str__(self) -> str:
        return f"{DEALT[self.dealing]}, {ACTED[self.acting]}"


WAYS = tuple(
    How(dealing=dealing, acting=acting)
    for dealing in ("automatic", "by-hand")
    for acting in ("device", "seen")
)


class Moment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One moment: the steps that lead to it from the set-up, and how one sees that it is there."""

    name: str
    expect: dict[str, Any]
    step: tuple[dict[str, Any], ...] = ()
    table: dict[str, Any] = {}
    """Settings that differ from the set-up's."""
    dealing: Literal["automatic", "by-hand"] | None = None
    """How the table must be dealt for this to come about."""
    acting: Literal["device", "seen"] | None = None
    """How players must act for this to come about."""
    topic: str | None = None
    """What the book must have."""

    def fits(self, how: How, book: Rulebook) -> bool:
        return (
            self.dealing in (None, how.dealing)
            and self.acting in (None, how.acting)
            and (self.topic is None or book.has(self.topic))
        )


class Moments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The moments of one family, with the set-up from which all of them begin."""

    setup: dict[str, Any]
    moment: tuple[Moment, ...]


class Staged(Struct, frozen=True, kw_only=True):
    """A table that stands in a moment."""

    moment: Moment
    how: How
    table: Table[Any]
    now: datetime
    seat_word: str = "seat"
    """What a player's seat is called there."""


@cache
def moments_of(family: str) -> Moments:
    """The moments of a family of games."""
    text = (files("croupier") / "moments" / f"{family}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Moments)


def staged(book: Rulebook, registry: Registry, words: str = "") -> Iterator[Staged]:
    """Every moment of a book whose name has these words, in every way in which it comes about."""
    family = moments_of(registry.games[book.id].name)
    for moment in family.moment:
        if words.lower() not in moment.name.lower():
            continue
        for how in WAYS:
            if moment.fits(how, book):
                yield play_moment(moment, how, family.setup, book, registry)


def play_moment(
    moment: Moment, how: How, setup: dict[str, Any], book: Rulebook, registry: Registry
) -> Staged:
    """A table brought into a moment from this set-up."""
    raw = raw_moment(moment, how, setup, book)
    case = case_of(raw, f"moment {moment.name!r}, {how}", registry)
    pit, now = stage_case(case, registry)
    [table] = pit.tables.values()
    word = registry.games[book.id].seat_word
    return Staged(moment=moment, how=how, table=table, now=now, seat_word=word)


def raw_moment(moment: Moment, how: How, setup: dict[str, Any], book: Rulebook) -> dict[str, Any]:
    """A moment in the words of case files."""
    settings = {**setup["table"], **moment.table, "dealing": how.dealing, "acting": how.acting}
    return {
        **setup,
        "title": moment.name,
        "rulebook": book.id,
        "paragraphs": [next(iter(book.paragraphs))],
        "table": settings,
        "step": list(moment.step),
        "expect": moment.expect,
    }
