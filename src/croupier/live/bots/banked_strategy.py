"""The best play of the banked games' main bets, exactly.

What the Flop bet is worth with each starting hand the lab's solver has found, over all
55,627,620,048,000 deals. It is data here (`generate`), because a server that has just been set up
would compile for a minute before it knew; a test solves it again. Turn and River bets are decided
by counting every deal that may follow (`dealer_odds`). No decision is estimated.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.lab import BaseGame, UnsolvableGame, base_game
from croupier.live.bots.dealer_odds import Ending, endings
from croupier.rulebooks import Rulebook, hole_class

_SOLVED = BaseGame(
    book="",
    flop=2,
    turn=1,
    river=1,
    flop_odds=1,
    turn_odds=1,
    river_odds=1,
    ante_odds=(0, 0, 0, 0, 1, 1, 1, 1, 1, 1),
)
FOLDED = Fraction(-1)
"""What a hand is worth that is folded: the Ante is lost."""


@functools.cache
def flop_bets() -> dict[str, Fraction]:
    """By starting hand: what the round is worth with the Flop bet, in Antes, in the game of all
    three books, if Turn and River bets are made where they are right."""
    told = tomllib.loads((files(__package__) / "flop-bets.toml").read_text("utf-8"))
    return {name: Fraction(value) for name, value in told.items()}


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether to make the bet of a window, and what the better choice wins over the other."""

    bet: bool
    gain: Fraction
    """In Antes."""


class Strategy:
    """The best play under one book."""

    def __init__(self, book: Rulebook) -> None:
        self.game = base_game(book)
        if structs.replace(self.game, book="") != _SOLVED:
            raise UnsolvableGame(
                book.id,
                "main bets",
                "the bots' Flop bets were solved for other bets or odds; solve this game with "
                "croupier.lab.solve and add its hands to croupier.live.bots.banked_strategy",
            )

    def judge(self, hole: Sequence[Card], board: Sequence[Card]) -> Verdict:
        """The next decision with these cards: Flop bet, Turn bet or River bet, by the board."""
        if not board:
            value = flop_bets()[hole_class(hole[0], hole[1])]
            return Verdict(bet=value > FOLDED, gain=abs(value - FOLDED))
        ending = endings(hole, board)
        window = "turn" if len(board) == 3 else "river"
        size: int = getattr(self.game, window)
        won = size * ending.unit(getattr(self.game, f"{window}_odds"))
        # Where both are worth the same, the player puts down less.
        return Verdict(bet=won > 0, gain=abs(Fraction(won, ending.deals)))

    def main_bets(self, hole: Sequence[Card], board: Sequence[Card]) -> Fraction:
        """What Ante and Flop bet are worth from here, in Antes; the board has a flop."""
        ending: Ending = endings(hole, board)
        odds = self.game.ante_odds
        ante = sum(times * won for times, won in zip(odds, ending.won, strict=True)) - ending.lost
        return Fraction(ante + self.game.flop * ending.unit(self.game.flop_odds), ending.deals)
