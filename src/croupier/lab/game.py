"""The base game of a banked book as the solver sees it: what is bet, and what it pays.

Everything comes from the rulebook's parameters and its pay table. What the solver cannot represent
it refuses by name, rather than solve another game.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.cards import Category
from croupier.lab.errors import UnsolvableGame
from croupier.rulebooks import (
    BetWins,
    Figure,
    Rulebook,
    RulebookError,
    ToOne,
    category_of,
    number_of,
)

Odds: TypeAlias = int | Fraction
"""`X to 1`; of `3 to 2` a fraction."""
LARGEST_ODDS = 1000
"""In either part of `A to B`: what the sums of a sweep have room for."""
Bet = Literal["flop", "turn", "river"]
RAISES: tuple[Bet, ...] = ("flop", "turn", "river")

# What the sweeps take for granted: they deal these cards and open these windows.
_TAKEN_FOR_GRANTED = {
    number_of("deck-cards"): 52,
    number_of("hole-cards"): 2,
    number_of("flop-cards"): 3,
    number_of("community-cards"): 5,
    number_of("dealer-cards"): 2,
    number_of("hand-cards"): 5,
    number_of("betting-windows"): 3,
}
SIZES: dict[Bet, Figure[int]] = {
    "flop": number_of("flop-bet"),
    "turn": number_of("turn-bet"),
    "river": number_of("river-bet"),
}
"""The bets in Antes."""
ANTE_PAYS_FROM = category_of("ante-pays-from")


class BaseGame(Struct, frozen=True, kw_only=True):
    """Ante; fold or Flop bet; Turn bet or check; River bet or check. Amounts are in Antes."""

    book: str
    flop: int
    turn: int
    river: int
    flop_odds: Odds
    """`X to 1`: what a winning Flop bet wins for each unit."""
    turn_odds: Odds
    river_odds: Odds
    ante_odds: tuple[Odds, ...]
    """By category of the winning hand, Five Odd Cards first; 0 where the Ante only comes back."""

    @property
    def ante_pays_from(self) -> Category | None:
        """The lowest category with which a winning Ante is paid; None if it never is."""
        return next((c for c in Category if self.ante_odds[c.order]), None)


def base_game(book: Rulebook) -> BaseGame:
    """The base game of `book`. Raises ``UnsolvableGame`` for what the solver cannot represent."""
    if book.family != "banked":
        raise UnsolvableGame(
            book.id,
            "family",
            f"a {book.family} game has no dealer to play against and no edge; "
            "of poker the lab knows odds and Rake (`croupier lab equity`, `croupier lab rake`)",
        )
    for figure, value in _TAKEN_FOR_GRANTED.items():
        found = _read(book, figure)
        if found != value:
            raise UnsolvableGame(book.id, figure.name, f"the solver deals {value}, not {found}")
    sizes = {bet: _read(book, size) for bet, size in SIZES.items()}
    for bet, size in sizes.items():
        if size < 1:
            raise UnsolvableGame(book.id, f"{bet}-bet", f"a bet of {size} Antes is no bet")
    table = book.pay("main")
    for line in table.lines:
        if not isinstance(line.when, BetWins):
            raise UnsolvableGame(book.id, line.id, "a line of the main bets that no bet wins")
        if not isinstance(line.pays, ToOne):
            raise UnsolvableGame(
                book.id, line.id, f"main bets are solved at odds of X to 1, not at {line.pays}"
            )
        if line.when.bet != "ante" and line.when.at_least is not None:
            raise UnsolvableGame(
                book.id, line.id, f"a {line.when.bet.title()} bet that only some hands are paid on"
            )

    def odds(bet: Literal["ante", "flop", "turn", "river"], category: Category) -> Odds:
        line = table.bet_line(bet, category)
        return line.pays.times if line is not None and isinstance(line.pays, ToOne) else 0

    raises = {bet: odds(bet, Category.FIVE_ODD_CARDS) for bet in RAISES}
    for bet, times in raises.items():
        if times == 0:
            raise UnsolvableGame(book.id, "pay table main", f"no line pays the {bet.title()} bet")
        if max(Fraction(times).as_integer_ratio()) > LARGEST_ODDS:
            says = f"{bet.title()} odds with a part over {LARGEST_ODDS:,}: the sums have no room"
            raise UnsolvableGame(book.id, "pay table main", says)
    game = BaseGame(
        book=book.id,
        flop=sizes["flop"],
        turn=sizes["turn"],
        river=sizes["river"],
        flop_odds=raises["flop"],
        turn_odds=raises["turn"],
        river_odds=raises["river"],
        ante_odds=tuple(odds("ante", category) for category in Category),
    )
    stated = ANTE_PAYS_FROM.of(book)
    if game.ante_pays_from is not stated:
        raise UnsolvableGame(
            book.id,
            ANTE_PAYS_FROM.name,
            f"the parameter says {stated}, the pay table pays the Ante from {game.ante_pays_from}",
        )
    return game


def _read(book: Rulebook, figure: Figure[int]) -> int:
    try:
        return figure.of(book)
    except RulebookError as error:
        says = f"the solver needs this number: {error}"
        raise UnsolvableGame(book.id, figure.name, says) from error
