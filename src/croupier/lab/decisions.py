"""What to do with given cards, and what the other choice costs, exactly.

    >>> from croupier.cards import read_cards
    >>> from croupier.rulebooks import load
    >>> [turn] = decide(load("multi-link-progressive-v3"), read_cards("Ah Kd 2c 7s 9h"))[1:]
    >>> turn.best, round(float(turn.cost), 6)
    ('bet', 0.046183)

The solver is not asked here but for the first decision: with the flop known, every run-out and
every hand of the dealer is dealt one by one from real cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from croupier.cards import DECK, Card, write_cards
from croupier.lab.base import FOLD, solve
from croupier.lab.errors import StateError
from croupier.lab.game import BaseGame, Odds, base_game
from croupier.lab.hands import hand_of
from croupier.lab.kernel import Masks, rank_masks
from croupier.lab.solver import Progress, categories
from croupier.rulebooks import Rulebook

Choice = Literal["fold", "check", "bet"]
Window = Literal["flop", "turn", "river"]
_HAND_AND_BOARD = {2: "flop", 5: "turn", 6: "river"}


class Decision(Struct, frozen=True, kw_only=True):
    """One decision: the bet of that window, or not. Values are results of the round in Antes."""

    window: Window
    """Which bet is decided."""
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    without: Literal["fold", "check"]
    """What the player does who does not bet."""
    value_without: Fraction
    value_with: Fraction
    """Each with optimal play afterwards."""
    wins: Fraction
    ties: Fraction
    loses: Fraction
    """How the hand ends against the dealer's if it is played to the end."""
    turn_bet: bool | None = None
    """Of the River decision: whether its values count a Turn bet, as the best choice made it."""
    turn_otherwise: Fraction = Fraction(0)
    """Of the River decision: what to add to its values had the Turn been played the other way."""

    @property
    def best(self) -> Choice:
        """What to do; where both are worth the same, what puts down less."""
        return "bet" if self.value_with > self.value_without else self.without

    @property
    def value(self) -> Fraction:
        """What the round is worth with the best choice."""
        return max(self.value_with, self.value_without)

    @property
    def cost(self) -> Fraction:
        """What the other choice costs, in Antes."""
        return abs(self.value_with - self.value_without)

    @property
    def even(self) -> bool:
        """Whether both are worth exactly the same."""
        return self.value_with == self.value_without


def decide(
    game: BaseGame | Rulebook, cards: Sequence[Card], *, progress: Progress | None = None
) -> tuple[Decision, ...]:
    """Every decision that these cards lead through: hole cards first, then flop, then Turn Card.

    Two cards are one decision, five are two, six are three. The value of the River decision takes
    the Turn bet as the best choice made it. Raises ``StateError``.
    """
    if isinstance(game, Rulebook):
        game = base_game(game)
    cards = tuple(cards)
    check_cards(cards)
    hole, board = cards[:2], cards[2:]
    decisions = [_first(game, hole, progress)]
    if board:
        turn, turns = _second(game, hole, board[:3])
        decisions.append(turn)
        if len(board) == 4:
            decisions.append(_third(game, hole, board, turns[board[3]], turn.best == "bet"))
    return tuple(decisions)


def check_cards(cards: Sequence[Card]) -> None:
    """Refuse what is no state of a decision, and say which card it is."""
    shown = write_cards(cards) or "nothing"
    for place, card in enumerate(cards, 1):
        if card is Card.UNKNOWN:
            raise StateError(f"card {place} of {shown} is unknown: a decision needs known cards")
        if card in cards[: place - 1]:
            first = cards.index(card) + 1
            raise StateError(f"{card} twice, as cards {first} and {place} of {shown}")
    if len(cards) == 7:
        raise StateError(f"{shown}: with the River Card on the board nothing is left to decide")
    if len(cards) not in _HAND_AND_BOARD:
        raise StateError(
            f"{len(cards)} cards ({shown}): give the two Hole Cards, or these and the three Flop "
            "Cards, or these and the Turn Card"
        )


class _Outcome(Struct, frozen=True):
    """Of the deals that may follow: how many the hand wins, by category, and loses."""

    deals: int
    won: tuple[int, ...]
    lost: int

    def unit(self, odds: Odds) -> Odds:
        """What a unit at these odds wins in all of them."""
        return odds * sum(self.won) - self.lost

    def main(self, game: BaseGame) -> Odds:
        """What Ante and Flop bet win in all of them."""
        ante = sum(odds * won for odds, won in zip(game.ante_odds, self.won, strict=True))
        return ante - self.lost + game.flop * self.unit(game.flop_odds)


def _add(outcomes: Sequence[_Outcome]) -> _Outcome:
    won = tuple(sum(column) for column in zip(*(o.won for o in outcomes), strict=True))
    return _Outcome(sum(o.deals for o in outcomes), won, sum(o.lost for o in outcomes))


def _first(game: BaseGame, hole: tuple[Card, ...], progress: Progress | None) -> Decision:
    hand = solve(game, progress=progress).hands[hand_of(hole[0], hole[1])]
    return Decision(
        window="flop",
        hole=hole,
        board=(),
        without="fold",
        value_without=FOLD,
        value_with=hand.play,
        wins=hand.wins,
        ties=hand.ties,
        loses=hand.loses,
    )


def _second(
    game: BaseGame, hole: tuple[Card, ...], flop: tuple[Card, ...]
) -> tuple[Decision, dict[Card, _Outcome]]:
    rest = [card for card in DECK if card not in hole and card not in flop]
    turns = {card: _run_out(hole, (*flop, card)) for card in rest}
    every = _add(list(turns.values()))
    river = sum(max(0, turn.unit(game.river_odds)) for turn in turns.values())
    checked = every.main(game) + game.river * river
    bet = checked + game.turn * every.unit(game.turn_odds)
    return _decision("turn", hole, flop, every, checked, bet), turns


def _third(
    game: BaseGame,
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    outcome: _Outcome,
    turn_bet: bool,
) -> Decision:
    checked = outcome.main(game)
    if turn_bet:
        checked += game.turn * outcome.unit(game.turn_odds)
    bet = checked + game.river * outcome.unit(game.river_odds)
    turn = Fraction(game.turn * outcome.unit(game.turn_odds), outcome.deals)
    return msgspec.structs.replace(
        _decision("river", hole, board, outcome, checked, bet),
        turn_bet=turn_bet,
        turn_otherwise=-turn if turn_bet else turn,
    )


def _decision(
    window: Window,
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    outcome: _Outcome,
    checked: Odds,
    bet: Odds,
) -> Decision:
    won, lost, deals = sum(outcome.won), outcome.lost, outcome.deals
    return Decision(
        window=window,
        hole=hole,
        board=board,
        without="check",
        value_without=Fraction(checked, deals),
        value_with=Fraction(bet, deals),
        wins=Fraction(won, deals),
        ties=Fraction(deals - won - lost, deals),
        loses=Fraction(lost, deals),
    )


def _run_out(hole: tuple[Card, ...], board: tuple[Card, ...]) -> _Outcome:
    """Every River Card and every hand of the dealer after a board of four."""
    own = sum(card.mask for card in hole)
    table = sum(card.mask for card in board)
    rest: Masks = np.array([c.mask for c in DECK if c not in hole and c not in board], np.uint64)
    one, other = np.array(list(combinations(range(len(rest)), 2))).T
    pairs = rest[one] | rest[other]
    mine = rank_masks(rest | np.uint64(own | table))
    # By River Card and pair of the dealer's; where he would hold the River Card, it is no deal.
    river = rest[:, None]
    dealt = (river & pairs) == 0
    theirs = rank_masks((river | pairs | np.uint64(table))[dealt])
    deals = dealt.sum(axis=1)
    ours = np.repeat(mine, deals)
    category = np.repeat(categories()[mine], deals)
    won = np.bincount(category[theirs < ours], minlength=10)
    return _Outcome(
        len(theirs), tuple(int(count) for count in won), int(np.count_nonzero(theirs > ours))
    )
