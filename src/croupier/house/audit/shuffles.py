"""The shuffles of one finished round, opened card by card for the auditor."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.commitment import open_card, verify_opening
from croupier.house.errors import UnknownPlace
from croupier.house.openings import Openings
from croupier.house.store import Store
from croupier.table import Table


class OpenedCard(Struct, kw_only=True):
    """One card of a shuffle with its salt."""

    place: int
    card: str
    salt: str
    holds: bool
    """Whether card and salt give the leaf that was told before the deal."""


class ShuffleReport(Struct, kw_only=True):
    """One shuffle, opened."""

    shuffle: str
    purpose: str
    root: str
    holds: bool
    cards: list[OpenedCard]


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
        committed = openings.committed(shuffled.shuffle)
        kept = store.opening(shuffled.shuffle)
        seed = kept.seed if kept is not None else bytes(32)
        cards = []
        for index in range(len(shuffled.cards)):
            opened = open_card(shuffled.shuffle, shuffled.cards, seed, index)
            cards.append(
                OpenedCard(
                    place=index,
                    card=str(shuffled.cards[index]),
                    salt=opened.salt.hex(),
                    holds=verify_opening(committed.commitment, opened),
                )
            )
        whole = committed.commitment.is_whole and all(card.holds for card in cards)
        reports.append(
            ShuffleReport(
                shuffle=shuffled.shuffle,
                purpose=shuffled.purpose,
                root=committed.root,
                holds=whole and (committed.table, committed.need) == (place, shuffled.need),
                cards=cards,
            )
        )
    return reports
