"""The entries of the dealer school: each belongs to its digest, and follows the one before."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.house.audit.findings import Difference, contrast, reading
from croupier.house.chain import START
from croupier.house.school import SchoolBook, digest_of
from croupier.house.store import Store


def check_school(store: Store) -> Iterator[Difference]:
    """What was changed or taken out among the entries of the school."""
    last, before = START, 0
    with reading("school", "every entry"):
        for row in SchoolBook(store).rows():
            where = f"entry {row.number}"
            if row.number != before + 1:
                says = f"entry {before + 1} is gone"
                yield Difference(table="school", where=where, column="number", says=says)
            made = digest_of(row)
            if row.digest != made:
                both = contrast(row.digest, made)
                says = "it does not belong to its digest: it was changed"
                yield Difference(table="school", where=where, column="digest", **both, says=says)
            if row.follows != last:
                both = contrast(row.follows, last)
                says = f"it does not follow entry {before}"
                yield Difference(table="school", where=where, column="follows", **both, says=says)
            last, before = row.digest, row.number
