"""Which executable paragraphs of each rulebook the shipped cases prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from croupier.pit.batch import many_cases
from croupier.pit.carried import outcomes
from croupier.pit.case import read_case
from croupier.pit.game import Registry
from croupier.pit.runner import CaseResult, run_case
from croupier.rulebooks import Rulebook


class BookCoverage(Struct, kw_only=True):
    """How far one rulebook is proved."""

    paragraphs: int
    executable: int
    covered: int
    missing: list[str]


class Coverage(Struct, kw_only=True):
    """How far all rulebooks are proved, and the cases that failed on the way."""

    rulebooks: dict[str, BookCoverage]
    failed: list[CaseResult] = []


def coverage(
    cases: Iterable[tuple[str, str]],
    registry: Registry,
    progress: Callable[[str], None] = lambda source: None,
) -> Coverage:
    """Run the cases, given as (source, text), and count what they prove.

    A case that fails proves nothing; it is returned so that nobody overlooks it. A book that is
    based on another is proved by the cases of that one too, where they come out the same.
    """
    cases = list(cases)
    proved: dict[str, set[str]] = {book: set() for book in registry.games}
    failed = []
    with many_cases():
        for source, text in cases:
            progress(source)
            result = run_case(read_case(text, source, registry), registry)
            for in_book in result.in_each_book():
                if in_book.failures:
                    failed.append(in_book)
                else:
                    proved[in_book.case.book.id].update(in_book.covered)
    for book in map(registry.load, proved):
        if book.based_on in registry.games:
            for outcome in outcomes(registry.load(book.based_on), book, cases, registry, progress):
                proved[book.id].update(outcome.covered)
    return Coverage(
        rulebooks={
            book: _count(registry.load(book), paragraphs) for book, paragraphs in proved.items()
        },
        failed=failed,
    )


def _count(book: Rulebook, proved: set[str]) -> BookCoverage:
    executable = list(book.executable)
    missing = [paragraph for paragraph in executable if paragraph not in proved]
    return BookCoverage(
        paragraphs=len(book.paragraphs),
        executable=len(executable),
        covered=len(executable) - len(missing),
        missing=missing,
    )
