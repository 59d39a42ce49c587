"""A strategy card: rules for Turn and River that a person can remember, found by machine.

A Turn or River bet wins or loses by itself, whatever else is bet, so what a rule is worth is a sum:
over all hands that it bets on, of what the bet wins there. Hands are told apart by what a person
sees in them (``card_features``). From a list of short rules the one is taken that wins most, then
the one that wins most besides, and so on; each comes with what the card still costs against the
best play when it ends there. All sums are exact.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.lab.base import Solution, solve
from croupier.lab.card_features import FEATURES, has, signatures
from croupier.lab.classes import FLOP_ENTRIES, TURN_ENTRIES
from croupier.lab.errors import BadAmount
from croupier.lab.game import base_game
from croupier.lab.joint import Decisions
from croupier.lab.simulate_pay import hand_of
from croupier.lab.simulate_strategy import Flags
from croupier.lab.solver import DEALS, Progress, Sweeps, parts_of, sweep
from croupier.lab.tabular import Tabular
from croupier.lab.tabulate import boards_of_four, flops, places_of, rows_of, times_of
from croupier.rulebooks import Rulebook

Ints: TypeAlias = npt.NDArray[np.int64]
MOST_RULES = 8
LEAST_GAIN = Fraction(3, 10_000)
"""In Antes a round: a rule that gains less is not worth remembering."""


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a card: bet with these features, and without those."""

    needs: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    gain: Fraction = Fraction(0)
    """What it adds to the rules before it, in Antes a round."""
    still_costs: Fraction = Fraction(0)
    """What this street still costs against the best play when the card ends here."""

    @property
    def text(self) -> str:
        """In words."""
        words = " and ".join(FEATURES[name] for name in self.needs)
        without = "".join(f", but not with {FEATURES[name]}" for name in self.lacks)
        return words + without

    @property
    def holds(self) -> Flags:
        """By signature: whether it bets."""
        found = np.ones(1 << len(FEATURES), np.bool_)
        for name in self.needs:
            found &= has(name)
        for name in self.lacks:
            found &= ~has(name)
        return found


class Card(Tabular, Struct, frozen=True, kw_only=True):
    """The card of a book."""

    book: str
    fold_hands: tuple[str, ...]
    turn: tuple[Rule, ...]
    river: tuple[Rule, ...]
    value: Fraction
    """What a round is worth that is played by the card, in Antes."""
    best: Fraction
    """What it is worth under the best play."""

    def rows(self) -> list[dict[str, Any]]:
        """Its rules."""
        return [
            {
                "bet": bet,
                "if you have": rule.text,
                "gain": rule.gain,
                "still costs": rule.still_costs,
            }
            for bet, rules in (("turn", self.turn), ("river", self.river))
            for rule in rules
        ]

    def heading(self) -> str:
        """Book and cost."""
        return f"{self.book}, costs {float(self.costs):.6f} Antes a round"

    @property
    def costs(self) -> Fraction:
        """What the card costs, in Antes a round."""
        return self.best - self.value


def strategy_card(book: Rulebook, *, rules: int = 4, progress: Progress | None = None) -> Card:
    """Find a card with at most so many rules for each of Turn and River."""
    if not 1 <= rules <= MOST_RULES:
        raise BadAmount(f"rules: {rules}; a card has 1 to {MOST_RULES} for each bet")
    tell = progress or (lambda _: None)
    game, solution = base_game(book), solve(book, progress=progress)
    swept = sweep(game.turn_odds, game.river_odds, progress=progress)
    tell("what people see on flops")
    turn = _found(*turn_sums(swept, solution), rules, game.turn)
    tell("what people see on boards of four")
    river = _found(*river_sums(swept, solution), rules, game.river)
    lost = turn[-1].still_costs + river[-1].still_costs
    return Card(
        book=book.id,
        fold_hands=solution.fold_hands,
        turn=turn,
        river=river,
        value=solution.ev - lost,
        best=solution.ev,
    )


def decisions_of(card: Card) -> Decisions:
    """The card as a strategy whose deals can be counted."""
    turn: Flags = np.zeros(FLOP_ENTRIES, np.bool_)
    river: Flags = np.zeros(TURN_ENTRIES, np.bool_)
    bets_turn = np.logical_or.reduce([rule.holds for rule in card.turn])
    bets_river = np.logical_or.reduce([rule.holds for rule in card.river])
    for cards in rows_of(flops(), 3):
        turn[places_of(cards)[0]] = bets_turn[signatures(cards, 3)]
    for cards in rows_of(boards_of_four(), 4):
        river[places_of(cards)[1]] = bets_river[signatures(cards, 4)]
    return Decisions("card", card.fold_hands, turn, river)


def turn_sums(swept: Sweeps, solution: Solution) -> tuple[Ints, int, int]:
    """By signature: what a Turn bet wins in all deals; what all right ones win; and the scale."""
    return _sums(swept, solution, board=3)


def river_sums(swept: Sweeps, solution: Solution) -> tuple[Ints, int, int]:
    """The same of the River bet."""
    return _sums(swept, solution, board=4)


def _sums(swept: Sweeps, solution: Solution, *, board: int) -> tuple[Ints, int, int]:
    played = np.array([not hand.folded for hand in solution.hands])
    boards = flops() if board == 3 else boards_of_four()
    times = times_of(boards, board)
    sums: Ints = np.zeros(1 << len(FEATURES), np.int64)
    best = 0
    done = 0
    won, lost = parts_of(swept.river_odds)
    for cards in rows_of(boards, board):
        here = len(cards) // (1176 if board == 3 else 1128)
        weights = np.repeat(times[done : done + here], len(cards) // here)
        done += here
        weights = weights * played[hand_of()[cards[:, 7], cards[:, 8]]]
        at = places_of(cards)[board - 3]
        if board == 3:
            worth = swept.flop_worth[at]
        else:
            # Any of the four may have been the Turn Card.
            worth = 4 * (won * swept.turn_won[at].astype(np.int64) - lost * swept.turn_lost[at])
        worth = worth * weights
        np.add.at(sums, signatures(cards, board), worth)
        best += int(worth[worth > 0].sum())
    per = parts_of(swept.turn_odds if board == 3 else swept.river_odds)[1]
    return sums, best, per


def _found(sums: Ints, best: int, per: int, most: int, size: int) -> tuple[Rule, ...]:
    """Take the rule that wins most besides those taken, until there are enough or none wins."""
    scale = Fraction(size, DEALS * per)
    open_ = np.ones(len(sums), np.bool_)
    taken: list[Rule] = []
    total = 0
    candidates = [(rule, rule.holds) for rule in _library()]
    while len(taken) < most:
        gains = [int(sums[open_ & holds].sum()) for _, holds in candidates]
        place = max(range(len(gains)), key=lambda i: (gains[i], -_length(candidates[i][0])))
        if gains[place] * scale < LEAST_GAIN:
            break
        rule, holds = candidates[place]
        total += gains[place]
        open_ &= ~holds
        taken.append(
            Rule(
                needs=rule.needs,
                lacks=rule.lacks,
                gain=gains[place] * scale,
                still_costs=(best - total) * scale,
            )
        )
    return tuple(taken)


def _length(rule: Rule) -> int:
    return len(rule.needs) + 2 * len(rule.lacks)


def _library() -> list[Rule]:
    """Every rule of one feature or two, and with one exception."""
    names = [name for name in FEATURES if name not in ("paired", "suited-board")]
    dangers = ("paired", "suited-board")
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    boards = [(a, "paired") for a in names]
    needs = [(name,) for name in names] + pairs + boards
    rules = [Rule(needs=need) for need in needs]
    rules += [Rule(needs=need, lacks=(d,)) for need in needs for d in dangers if d not in need]
    return rules
