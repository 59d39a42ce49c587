"""The shuffles of one finished round, opened card by card for the auditor."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.errors import UnknownPlace
from croupier.house.openings import Openings, is_open, open_cards, wrong_with
from croupier.house.proof import Mixed
from croupier.house.store import Store
from croupier.table import Table


class OpenedCard(Struct, kw_only=True):
    """One card of a shuffle with its salt."""

    place: int
    card: str
    salt: str
    holds: bool
    """Whether card and salt give the leaf that was told before the deal."""
    house_place: int | None = None
    """Where it lay in the House's own order, before the players' seeds moved it."""


class ShuffleReport(Struct, kw_only=True):
    """One shuffle, opened."""

    shuffle: str
    purpose: str
    root: str
    holds: bool
    cards: list[OpenedCard]
    seeds: list[str] = []
    """Whose seeds are part of it."""
    unopened: list[str] = []
    """Who had sent a hash and did not open his seed."""
    says: str = ""
    """What does not hold, if anything does not."""


class _Reading:
    """As much of a House as opening cards needs: the logs, and which tables there are."""

    def __init__(self, store: Store, tables: dict[str, Table[Any]]) -> None:
        self.reader = store
        self.pit = self
        self.tables = tables


def check_shuffles(store: Store, place: str, number: int) -> list[ShuffleReport]:
    """Open every card of the shuffles of a finished round and check each commitment."""
    first = next(store.rows(place), None)
    table = conversation_of(place, first.event) if first is not None else None
    if not isinstance(table, Table):
        raise UnknownPlace(f"there is no table {place!r}")
    openings = Openings(_Reading(store, {place: table}))
    reports = []
    for shuffled in openings.cards_of(place, number).shuffles:
        told = openings.committed(shuffled.shuffle)
        kept = store.opening(told.committed.secret if isinstance(told, Mixed) else shuffled.shuffle)
        seed = kept.seed if kept is not None else bytes(32)
        cards = [
            OpenedCard(
                place=opened.index,
                card=str(opened.card),
                salt=opened.salt.hex(),
                holds=is_open(told, opened),
                house_place=opened.place,
            )
            for opened in open_cards(told, shuffled, seed, range(len(shuffled.cards)))
        ]
        wrong = wrong_with(told, shuffled.cards, seed)
        book = told.mixed if isinstance(told, Mixed) else told
        if (book.table, book.need) != (place, shuffled.need):
            wrong = wrong or "it was committed to for another table or need"
        mixed = told.mixed if isinstance(told, Mixed) else None
        reports.append(
            ShuffleReport(
                shuffle=shuffled.shuffle,
                purpose=shuffled.purpose,
                root=book.root,
                holds=not wrong and all(card.holds for card in cards),
                cards=cards,
                seeds=[each.player for each in mixed.seeds] if mixed is not None else [],
                unopened=list(mixed.unopened) if mixed is not None else [],
                says=wrong,
            )
        )
    return reports
