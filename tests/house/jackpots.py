"""Jackpots on order: a stacked deck, and rounds that end with a claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.banked import commands as banked
from croupier.cards import Card, read_cards
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.table import ActorRank, Command, Look
from tests.house.stacking import stack_decks

BOOK = "multi-link-progressive-v3"
STRAIGHT_FLUSH = "?? 9h 8h ?? 7h 6h 5h ?? 2c ?? 3d Ks Qd"
ROYAL_FLUSH = "?? Ah Kh ?? Qh Jh Th ?? 2c ?? 3d Ks Qd"
"""One box of a shoe: a burnt card, two to the box, the board with its burnt cards, the dealer."""
SETTINGS: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 1_000,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 500_000,
    "progressive": 500,
}
TERMS = {"reset_value": 1_000_000, "contribution": 100, "start": 2_000_000}


def set_up(casino: Casino, *tables: str, link: str = "Marina") -> None:
    """A link with its tables, and a player with money for each: Ann at M1, Bob at M2."""
    added = casino.add_link(orders.AddLink(link=link, rulebook=BOOK, settings=TERMS))
    assert added.refused is None, added.refused
    for table in tables:
        adding = orders.AddTable(table=table, rulebook=BOOK, settings=SETTINGS, link=link)
        added = casino.add_table(adding)
        assert added.refused is None, added.refused


def stacked(cards: Sequence[Card], top: str) -> tuple[Card, ...]:
    """A deck with these cards on top; `??` is any card that is not named."""
    named = [None if word == "??" else read_cards(word)[0] for word in top.split()]
    rest = [card for card in cards if card not in named]
    return (*(rest.pop() if card is None else card for card in named), *rest)


def stack(casino: Casino, top: str) -> None:
    """The next decks have these cards on top."""
    stack_decks(casino.dealer, lambda cards: stacked(cards, top))


def give(casino: Casino, table: str, command: Command, who: str) -> None:
    answer = casino.house.give(table, command, who=who, rank=ActorRank.PLAYER).result()
    assert answer.refused is None, answer.refused


def claim(casino: Casino, table: str, player: str, top: str = STRAIGHT_FLUSH) -> None:
    """A player alone at a table plays a round whose jackpot line waits to be paid."""
    stack(casino, top)
    if player not in casino.table(table).state.sitting.values():
        give(casino, table, banked.Sit(box=1, player=player, chips=50_000), player)
    deal(casino, table)
    give(casino, table, banked.PlaceAnte(box=1, amount=1_000), player)
    give(casino, table, banked.PlaceProgressive(box=1), player)
    deal(casino, table)
    give(casino, table, Look(seat=1), player)
    give(casino, table, banked.FlopBet(box=1), player)
    for _ in ("turn", "river"):
        casino.dealer.deal(table)
        give(casino, table, banked.Check(box=1), player)
    casino.dealer.deal(table)
    assert casino.table(table).status() == "jackpot", casino.table(table).facts()


def deal(casino: Casino, table: str) -> None:
    """The House deals what is due, and calls."""
    casino.dealer.deal(table)
    call = casino.dealer.call(table)
    assert call is not None
    assert call.result().refused is None
    casino.dealer.deal(table)
