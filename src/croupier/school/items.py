"""What can be learned under a book: every item, with its kind, its first level and its weight."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from croupier.pit import GAMES, report_words
from croupier.pit.incidents import catalogue_of
from croupier.rulebooks import Rulebook
from croupier.school.errors import NoSuchItem
from croupier.school.exercise import Kind
from croupier.school.hands import CATEGORIES
from croupier.school.payouts import WANTED
from croupier.school.reports import reports_of
from croupier.school.shipped import cases_by_report
from croupier.school.wagers import PATTERNS

LEVELS = (1, 2, 3)
FIRST_WAGERS = ("one chip", "chips alone", "declared with chips")
LATE_CATEGORIES = ("four-of-a-kind", "five-odd-cards", "straight")


class Item(Struct, frozen=True, kw_only=True):
    """One thing to be learned."""

    name: str
    kind: Kind
    title: str
    level: int
    """The first level at which it is asked."""
    weight: int = 1
    """How often it is drawn, beside the others of its kind."""

    @property
    def about(self) -> str:
        """Its name without the family of items that it belongs to."""
        return self.name.partition("/")[2]


@lru_cache(maxsize=8)
def items_of(rulebook: str) -> tuple[Item, ...]:
    """Everything that can be learned under a book."""
    book = GAMES.load(rulebook)
    family = GAMES.games[book.id].name
    found = [*_rulings(book), *_hands()]
    return (*found, *(_of_poker() if family == "poker" else _of_banked()))


def item_named(rulebook: str, name: str) -> Item:
    """The item of a book by its name; NoSuchItem says what there is."""
    for item in items_of(rulebook):
        if item.name == name:
            return item
    raise NoSuchItem(f"{rulebook} has no item {name!r}; `croupier school --list` names them")


def _rulings(book: Rulebook) -> Iterator[Item]:
    """The commonest incidents first; then the others and the cases; last whatever a table can be
    told in mid-round."""
    for incident in catalogue_of(GAMES.games[book.id].name).incident:
        if incident.fits(book):
            yield Item(
                name=f"ruling/{incident.name}",
                kind="ruling",
                title=incident.title,
                level=1 if incident.common else 2,
                weight=6 if incident.common else 3,
            )
    for do in cases_by_report(book.id):
        yield Item(name=f"case/{do}", kind="ruling", title=_title(do), level=2, weight=2)
    for do in reports_of(book):
        yield Item(name=f"report/{do}", kind="ruling", title=_title(do), level=3, weight=4)


def _title(do: str) -> str:
    return report_words.TITLES.get(do, do.capitalize())


def _hands() -> Iterator[Item]:
    for category in CATEGORIES:
        late = category.value in LATE_CATEGORIES
        yield Item(
            name=f"hand/{category.value}",
            kind="hand",
            title=f"Name the hand: {category.title}",
            level=2 if late else 1,
        )


def _of_poker() -> Iterator[Item]:
    for pattern in PATTERNS:
        first = pattern in FIRST_WAGERS
        title = f"Read the wager: {pattern}"
        yield Item(name=f"wager/{pattern}", kind="wager", title=title, level=1 if first else 2)
    for all_in in LEVELS:
        title = f"Make the side pots: {all_in} All-in"
        yield Item(name=f"side pots/{all_in}", kind="side pots", title=title, level=all_in)
    for winners in (2, 3, 4):
        title = f"Count the odd chip: {winners} hands tie"
        level = winners - 1
        yield Item(name=f"odd chip/{winners}", kind="odd chip", title=title, level=level)


def _of_banked() -> Iterator[Item]:
    for wanted in WANTED:
        title = f"Pay the round: {wanted}"
        level = 1 if wanted == "win" else 2
        yield Item(name=f"payout/{wanted}", kind="payout", title=title, level=level)
