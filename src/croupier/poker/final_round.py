"""Which Betting Round is the final one, and what begins the showdown (v8 1.43, A-61; v5 P-26)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.poker.state import RoundState
from croupier.rulebooks import Ways, number_of

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

BETTING_ROUNDS = number_of("betting-rounds")
BETWEEN = ("flop due", "turn due", "river due", "face down")
"""Phases in which a Betting Round has closed and the next has not begun (A-33)."""


class Showdown(Struct, frozen=True, kw_only=True):
    """What begins the showdown."""

    after_an_early_round: bool
    """Whether a Betting Round before the last one can be final; else betting is merely over."""
    game_marker: bool
    """Whether the dealer flips the Game Marker first."""


SHOWDOWN_TRIGGER = Ways(
    "showdown-trigger",
    {
        "final-betting-round": Showdown(after_an_early_round=True, game_marker=False),
        "game-marker": Showdown(after_an_early_round=False, game_marker=True),
    },
)


def ends_early(table: PokerTable, round_: RoundState, *, without: int | None = None) -> bool:
    """Whether a Betting Round that is over, though not the last one, was the Final Betting Round:
    in v8 any after which fewer than two Active Players have chips left (A-61)."""
    early = table.by_book[SHOWDOWN_TRIGGER].after_an_early_round
    return early and not table.somebody_can_bet(round_, without=without)


def was_final_without(table: PokerTable, round_: RoundState, seat: int) -> bool:
    """Whether the Betting Round that is over turns out to have been the Final one when a hand goes:
    of those who are left fewer than two have chips (A-61)."""
    if table.state.phase not in BETWEEN or round_.final_round is not None:
        return False
    left = sum(player.active for n, player in round_.players.items() if n != seat)
    return left > 1 and ends_early(table, round_, without=seat)


def betting_goes_on(table: PokerTable, round_: RoundState) -> bool:
    """Whether the next street opens a Betting Round: in v8 unless the Final one is over, in v5,
    which knows the 4th alone as final, if two Players can still bet."""
    if round_.final_round is not None:
        return False
    return table.by_book[SHOWDOWN_TRIGGER].after_an_early_round or table.somebody_can_bet(round_)
