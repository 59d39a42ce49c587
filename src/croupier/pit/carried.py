"""The cases of an earlier book under a later one: the same play, paragraphs by their new numbers.

A case that comes out as before proves the later book too. One that does not is a difference in
outcome: what a table does otherwise from the day on which the later book is in force.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from msgspec import Struct

from croupier.pit.batch import many_cases
from croupier.pit.case import case_of
from croupier.pit.case_records import CaseError
from croupier.pit.game import Registry
from croupier.pit.runner import CaseResult, run_case
from croupier.rulebooks import Rulebook
from croupier.rulebooks.compare import match_paragraphs
from croupier.rulebooks.several import books_named, in_book


class Outcome(Struct, frozen=True, kw_only=True):
    """What comes of one earlier case under the later book."""

    source: str
    title: str
    otherwise: str = ""
    """What came out otherwise, in one line; nothing if it came out the same."""
    covered: tuple[str, ...] = ()
    """Paragraphs of the later book that it proves."""


def outcomes(
    old: Rulebook,
    new: Rulebook,
    cases: Iterable[tuple[str, str]],
    registry: Registry,
    progress: Callable[[str], None] = lambda source: None,
) -> Iterator[Outcome]:
    """Play the cases of `old`, given as (source, text), under `new`; others are left out."""
    carrying = _Carrying(old, new)
    with many_cases():
        for source, text in cases:
            progress(source)
            if old.id in books_named(text):
                yield _outcome(carrying, source, text, registry)


class _Carrying:
    """How a case of one book reads in a later one: the paragraphs by their numbers there, and as
    long after that book came into force as it was before."""

    def __init__(self, old: Rulebook, new: Rulebook) -> None:
        self.old, self.new = old, new
        self.numbers = new.carried if new.based_on == old.id else match_paragraphs(old, new)
        self.later = timedelta()
        if old.effective is not None and new.effective is not None:
            self.later = new.effective - old.effective

    def case(self, raw: Mapping[str, Any], source: str) -> dict[str, Any]:
        case: dict[str, Any] = self._read(raw) | {"rulebook": self.new.id}
        # What is shown may have fallen away; what is expected of it is then told as a difference.
        case["paragraphs"] = [p for p in case["paragraphs"] if p in self.new.paragraphs]
        if not case["paragraphs"]:
            raise CaseError(source, f"{self.new.id} has none of the paragraphs that it shows")
        return case

    def _read(self, raw: Any, *, named: bool = False) -> Any:
        """`named` says that texts are paragraphs here."""
        if isinstance(raw, dict):
            return {
                key: self._read(value, named=named or key in _NAMING) for key, value in raw.items()
            }
        if isinstance(raw, list):
            return [self._read(value, named=named) for value in raw]
        if isinstance(raw, datetime):
            return raw + self.later
        if not named or not isinstance(raw, str):
            return raw
        # The same number may be another paragraph there, so one that has gone is named as it was.
        return self.numbers.get(raw, f"{self.old.id} {raw}")


_NAMING = frozenset(("paragraphs", "refused", "cites", "barred"))
"""Keys of a case under which paragraphs are named."""


def _outcome(carrying: _Carrying, source: str, text: str, registry: Registry) -> Outcome:
    raw = in_book(tomllib.loads(text, parse_float=Decimal), carrying.old.id)
    title = raw["title"]
    try:
        result = run_case(case_of(carrying.case(raw, source), source, registry), registry)
    except CaseError as error:
        return Outcome(source=source, title=title, otherwise=str(error))
    if result.failures:
        return Outcome(source=source, title=title, otherwise=_first_difference(result))
    return Outcome(source=source, title=title, covered=result.covered)


def _first_difference(result: CaseResult) -> str:
    """Where it first came out otherwise, in facts; in events only if the facts are the same."""
    failure = result.failures[0]
    facts = [found for found in failure.differences if found.what != "events"]
    told = (f"{d.what} {d.got}, not {d.expected}" for d in facts or failure.differences)
    return f"step {failure.step}, {failure.did}: {'; '.join(told)}"
