"""How case files set a banked table: settings, boxes with their stakes and cards, the board."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from croupier.banked.settings import BankedSettings
from croupier.cards import Card
from croupier.table import Box, Money

Cards = tuple[Card, ...]


class BoxSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A box when the steps begin: who plays it, what he will stake, and the cards it will get."""

    player: Annotated[str, Meta(min_length=1)]
    ante: Money | None = None
    bonus: Money | None = None
    progressive: Money | bool | None = None
    """An amount, or true for the prescribed one."""
    cards: Cards = ()
    chips: Money | None = None
    """His rack, where the table counts it."""
    looks: bool | None = None
    """Whether `everybody looks` looks at this box; of several boxes of a player the first one."""


class BoardSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Community Cards that will come; what is left out is filled in."""

    flop: Cards = ()
    turn: Card | None = None
    river: Card | None = None


class DealerSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer's two cards."""

    cards: Cards = ()


class BurnsSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card burnt ahead of each deal from a shoe."""

    hole: Card | None = None
    flop: Card | None = None
    turn: Card | None = None
    river: Card | None = None


class ShoeSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The top cards of the shuffled deck, in order; it overrides boxes, board and dealer."""

    cards: Cards


class RoundSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of a later round."""

    boxes: dict[Box, Cards] = {}
    board: BoardSetup = BoardSetup()
    dealer: Cards = ()
    burns: BurnsSetup = BurnsSetup()


class BankedSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand at the top of a banked case."""

    table: BankedSettings = BankedSettings()
    boxes: dict[Box, BoxSetup] = {}
    board: BoardSetup = BoardSetup()
    dealer: DealerSetup = DealerSetup()
    burns: BurnsSetup = BurnsSetup()
    shoe: ShoeSetup | None = None
    rounds: dict[int, RoundSetup] = {}
    opened: bool = True
    """False leaves the table unopened; the phrase `open the table` opens it."""
