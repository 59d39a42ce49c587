"""The pay tables of a book, as they are shown at a table."""

from __future__ import annotations

import re

from msgspec import Struct

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


PAY_IN_TITLE = re.compile(r" (?:(?:pays|fixed) )?[\d,]+(?: percent)?$| pays even money$")
"""What some titles of lines end with: the pay, which stands beside them already."""
WHOLE = re.compile(r"\d{4,}")


def _hand(title: str) -> str:
    """What a line pays for, without what it pays."""
    return PAY_IN_TITLE.sub("", title).replace("Four of Kind", "Four of a Kind")


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
                    title=_hand(book.paragraph(line.id).title),
                    pays=_pays(str(line.pays)),
                )
                for line in table.lines
            ),
        )
        for table in book.pays.values()
    )
