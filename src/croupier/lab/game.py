"""The base game of a banked book as the solver sees it: what is bet, and what it pays.

Everything comes from the rulebook's parameters and its pay table. What the solver cannot represent
it refuses by name, rather than solve another game.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.cards import Category
from croupier.lab.errors import UnsolvableGame
from croupier.rulebooks import BetWins, Rulebook, RulebookError, ToOne

Bet = Literal["flop", "turn", "river"]
RAISES: tuple[Bet, ...] = ("flop", "turn", "river")

# What the sweeps take for granted: they deal these cards and open these windows.
_TAKEN_FOR_GRANTED = {
    "deck-cards": 52,
    "hole-cards": 2,
    "flop-cards": 3,
    "community-cards": 5,
    "dealer-cards": 2,
    "hand-cards": 5,
    "betting-windows": 3,
}


class BaseGame(Struct, frozen=True, kw_only=True):
    """Ante; fold or Flop bet; Turn bet or check; River bet or check. Amounts are in Antes."""

    book: str
    flop: int
    turn: int
    river: int
    flop_odds: int
    """`X to 1`: what a winning Flop bet wins for each unit."""
    turn_odds: int
    river_odds: int
    ante_odds: tuple[int, ...]
    """By category of the winning hand, Five Odd Cards first; 0 where the Ante only comes back."""

    @property
    def ante_pays_from(self) -> Category | None:
        """The lowest category with which a winning Ante is paid; None if it never is."""
        return next((c for c in Category if self.ante_odds[c.order]), None)


def base_game(book: Rulebook) -> BaseGame:
    """The base game of `book`. Raises ``UnsolvableGame`` for what the solver cannot represent."""
    if book.family != "banked":
        raise UnsolvableGame(
            book.id, "family", f"a {book.family} game has no dealer to play against and no edge"
        )
    for name, value in _TAKEN_FOR_GRANTED.items():
        found = _parameter(book, name)
        if found != value:
            raise UnsolvableGame(book.id, name, f"the solver deals {value}, not {found}")
    sizes = {bet: _parameter(book, f"{bet}-bet") for bet in RAISES}
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

    def odds(bet: Literal["ante", "flop", "turn", "river"], category: Category) -> int:
        line = table.bet_line(bet, category)
        return line.pays.times if line is not None and isinstance(line.pays, ToOne) else 0

    raises = {bet: odds(bet, Category.FIVE_ODD_CARDS) for bet in RAISES}
    for bet, times in raises.items():
        if times == 0:
            raise UnsolvableGame(book.id, "pay table main", f"no line pays the {bet.title()} bet")
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
    stated = book.parameter("ante-pays-from")
    if game.ante_pays_from is not stated:
        raise UnsolvableGame(
            book.id,
            "ante-pays-from",
            f"the parameter says {stated}, the pay table pays the Ante from {game.ante_pays_from}",
        )
    return game


def _parameter(book: Rulebook, name: str) -> int:
    try:
        return book.number(name)
    except RulebookError as error:
        raise UnsolvableGame(book.id, name, f"the solver needs this number: {error}") from error
