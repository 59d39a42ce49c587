"""The pay tables of a book, as they are shown at a table."""

from __future__ import annotations

import re

from msgspec import Struct

from croupier.banked.lines import WHAT_COUNTS
from croupier.banked.reasons import line_title
from croupier.rulebooks import Rulebook


class PayLineInfo(Struct, frozen=True, kw_only=True):
    """One line of a pay table."""

    line: str
    title: str
    pays: str


class PayTableInfo(Struct, frozen=True, kw_only=True):
    """One pay table, in the order of the text."""

    table: str
    title: str
    lines: tuple[PayLineInfo, ...]
    about: str
    """Which cards it is about, in a sentence."""


WHOLE = re.compile(r"\d{4,}")
ABOUT = {
    "main": "Your best five of your two Hole Cards and the five Community Cards, against the "
    "dealer's best five.",
    "bonus": "Your two Hole Cards, whatever lies on the board; the first line asks for the "
    "dealer's two as well.",
}
HOLE_AND_FLOP = (
    "Your two Hole Cards and the three cards of the Flop alone. Turn and River do not count."
)
WHOLE_BOARD = (
    "Your two Hole Cards and the Community Cards, as far as they are out; the lines called "
    "Community are about the board alone."
)


def _about(book: Rulebook, table: str) -> str:
    if table in ABOUT:
        return ABOUT[table]
    return WHOLE_BOARD if WHAT_COUNTS.of(book).whole_board else HOLE_AND_FLOP


def _pays(pays: str) -> str:
    """What a line pays, as money and odds are written at the table."""
    return WHOLE.sub(lambda found: f"{int(found[0]):,}", pays.removeprefix("$"))


def pay_tables(book: Rulebook) -> tuple[PayTableInfo, ...]:
    """The pay tables of a book as they stand on the layout."""
    return tuple(
        PayTableInfo(
            table=table.id,
            title=table.title,
            lines=tuple(
                PayLineInfo(
                    line=line.id,
                    title=line_title(book, line.id),
                    pays=_pays(str(line.pays)),
                )
                for line in table.lines
            ),
            about=_about(book, table.id),
        )
        for table in book.pays.values()
    )
