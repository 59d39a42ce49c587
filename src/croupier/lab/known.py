"""Known cards: what is worth playing when more is known than one's own hand and the board.

Boxes that show each other their cards know which are gone; a dealer who flashes a card tells what
he may hold. Neither is allowed to matter by the rules, and both do: the odds of every decision are
those of the cards that are left.

    >>> from croupier.cards import read_cards
    >>> from croupier.rulebooks import load
    >>> book = load("multi-link-progressive-v3")
    >>> [first] = decide_known(book, read_cards("7c 2d"), dealer=read_cards("As Ah"))
    >>> first.best
    'fold'

Every deal that may still follow is counted: boards of five once each, against each hand that the
dealer may hold. What a flop or a board of four is worth is the sum over the boards that it leads
to.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.cards import DECK, Card, write_cards
from croupier.lab.base import FOLD
from croupier.lab.compiled import kernel, spread
from croupier.lab.decisions import Decision, check_cards
from croupier.lab.errors import StateError
from croupier.lab.game import BaseGame, base_game
from croupier.lab.kernel import card_masks, tables
from croupier.lab.simulate_kernel import value_of
from croupier.lab.simulate_pay import category_of
from croupier.rulebooks import Rulebook

Ints: TypeAlias = npt.NDArray[np.int64]
MOST_DEAD = 34
"""Known cards that are gone: so many are the hands of 17 other boxes."""


class RunOut(Struct, frozen=True):
    """Of the deals that may follow: how many, how many are won by category, how many lost."""

    deals: int
    won: tuple[int, ...]
    lost: int
    turn_units: Fraction
    """What the Turn bet wins in all of them if it is made where it is right, for each Ante."""
    river_units: Fraction
    """The same of the River bet."""

    def unit(self, odds: int | Fraction) -> Fraction:
        """What a unit at these odds wins in all of them."""
        return Fraction(odds * sum(self.won) - self.lost)

    def main(self, game: BaseGame) -> Fraction:
        """What Ante and Flop bet win in all of them."""
        ante = sum(odds * won for odds, won in zip(game.ante_odds, self.won, strict=True))
        return Fraction(ante - self.lost) + game.flop * self.unit(game.flop_odds)


def decide_known(
    game: BaseGame | Rulebook,
    cards: Sequence[Card],
    *,
    dead: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    threads: int | None = None,
) -> tuple[Decision, ...]:
    """Every decision that these cards lead through, with cards known to be gone or the dealer's.

    As ``decisions.decide``: two cards are one decision, five are two, six are three. What is known
    is known from the start.
    """
    if isinstance(game, Rulebook):
        game = base_game(game)
    cards, dead, dealer = tuple(cards), tuple(dead), tuple(dealer)
    check_cards(cards)
    _check_known(cards, dead, dealer)
    hole, board = cards[:2], cards[2:]
    found = [_first(game, hole, (), dead, dealer, threads)]
    turn_bet = None
    if board:
        turn = _first(game, hole, board[:3], dead, dealer, threads)
        turn_bet = turn.best == "bet"
        found.append(turn)
    if len(board) == 4:
        found.append(_first(game, hole, board, dead, dealer, threads, turn_bet=turn_bet))
    return tuple(found)


def _check_known(cards: tuple[Card, ...], dead: tuple[Card, ...], dealer: tuple[Card, ...]) -> None:
    seen: dict[Card, str] = dict.fromkeys(cards, "the hand and board")
    for name, given in (("dead", dead), ("dealer", dealer)):
        for card in given:
            if card is Card.UNKNOWN:
                raise StateError(f"{name}: ?? is no known card; leave it out")
            if card in seen:
                raise StateError(f"{name}: {card} is in {seen[card]} already")
            seen[card] = f"{name} cards ({write_cards(given)})"
    if len(dealer) > 2:
        raise StateError(f"dealer: {len(dealer)} cards; the dealer has two Hole Cards")
    if len(dead) > MOST_DEAD:
        raise StateError(f"dead: {len(dead)} cards; at most {MOST_DEAD} can be known")


def _first(
    game: BaseGame,
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    dead: tuple[Card, ...],
    dealer: tuple[Card, ...],
    threads: int | None,
    turn_bet: bool | None = None,
) -> Decision:
    """The decision that comes next on this board: Flop bet, Turn bet or River bet."""
    found = run_out(game, hole, board, dead=dead, dealer=dealer, threads=threads)
    main, turn = found.main(game), game.turn * found.unit(game.turn_odds)
    river = game.river * found.unit(game.river_odds)
    won, lost, deals = sum(found.won), found.lost, found.deals
    otherwise = Fraction(0)
    if not board:
        without = FOLD * deals
        with_bet = main + game.turn * found.turn_units + game.river * found.river_units
    elif len(board) == 3:
        without = main + game.river * found.river_units
        with_bet = without + turn
    else:
        without = main + (turn if turn_bet else 0)
        with_bet = without + river
        otherwise = (-turn if turn_bet else turn) / deals
    return Decision(
        window=("flop", "turn", "river")[max(0, len(board) - 2)],
        hole=hole,
        board=board,
        without="check" if board else "fold",
        value_without=Fraction(without, deals),
        value_with=Fraction(with_bet, deals),
        wins=Fraction(won, deals),
        ties=Fraction(deals - won - lost, deals),
        loses=Fraction(lost, deals),
        turn_bet=turn_bet if len(board) == 4 else None,
        turn_otherwise=otherwise,
    )


def run_out(
    game: BaseGame,
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    *,
    dead: Sequence[Card] = (),
    dealer: Sequence[Card] = (),
    threads: int | None = None,
) -> RunOut:
    """Everything that may follow, each order of flop, Turn and River Card a deal of its own.

    The Turn and River bets that are still to come are decided by what is known here.
    """
    used = {*hole, *board, *dead, *dealer}
    rest = np.array(sorted(card.index for card in DECK if card not in used), np.int64)
    n, missing = len(rest), 5 - len(board)
    open_cards = 2 - len(dealer)
    if n < missing + open_cards:
        raise StateError(f"{len(used)} known cards leave too few to deal")
    boards = np.empty((comb(n, missing), missing), np.int64)
    _list(n, boards)
    own = np.uint64(sum(card.mask for card in hole))
    begun = np.uint64(sum(card.mask for card in board))
    theirs = np.uint64(sum(card.mask for card in dealer))
    won = np.zeros(len(boards), np.int64)
    lost = np.zeros(len(boards), np.int64)
    category = np.zeros(len(boards), np.int64)

    def work(start: int, stop: int) -> None:
        _compare(
            start,
            stop,
            boards,
            rest,
            own,
            begun,
            theirs,
            open_cards,
            won,
            lost,
            category,
            card_masks(),
            category_of(),
            tables(7),
        )

    spread(work, len(boards), threads=threads)
    orders = {5: 20, 2: 2, 1: 1}[missing]
    by_category = np.zeros(10, np.int64)
    np.add.at(by_category, category, won)
    turn_units, river_units = _bets(game, boards, won, lost, n, missing)
    return RunOut(
        deals=orders * len(boards) * comb(n - missing, open_cards),
        won=tuple(orders * int(count) for count in by_category),
        lost=orders * int(lost.sum()),
        turn_units=turn_units,
        river_units=river_units,
    )


def _bets(
    game: BaseGame, boards: Ints, won: Ints, lost: Ints, n: int, missing: int
) -> tuple[Fraction, Fraction]:
    """What Turn and River bets win where they are right, summed over all deals."""
    turn_units = river_units = Fraction(0)
    if missing == 5:
        worth = _worth(game.turn_odds, won, lost)
        # A flop leads to the boards that hold it, with the other two in either order.
        sums, scale = _sums(boards, worth, 3, n), Fraction(1, Fraction(game.turn_odds).denominator)
        turn_units = 2 * scale * int(sums[sums > 0].sum())
    if missing >= 2:
        # Known cards of a board of four: one less than are missing; any of them was the last.
        size = missing - 1
        worth = _worth(game.river_odds, won, lost)
        sums, scale = (
            _sums(boards, worth, size, n),
            Fraction(1, Fraction(game.river_odds).denominator),
        )
        ways = {4: 4, 1: 1}[size]
        river_units = ways * scale * int(sums[sums > 0].sum())
    return turn_units, river_units


def _worth(odds: int | Fraction, won: Ints, lost: Ints) -> Ints:
    exact = Fraction(odds)
    return exact.numerator * won - exact.denominator * lost


def _sums(boards: Ints, worth: Ints, size: int, n: int) -> Ints:
    """By choice of ``size`` of the cards that are left: the worth of all boards that hold them."""
    steps = [[comb(card, place + 1) for card in range(n)] for place in range(size)]
    choose = np.array(steps, np.int64)
    sums = np.zeros(comb(n, size), np.int64)
    for places in combinations(range(boards.shape[1]), size):
        number = sum(choose[i][boards[:, place]] for i, place in enumerate(places))
        np.add.at(sums, number, worth)
    return sums


@kernel
def _list(n, out):  # type: ignore[no-untyped-def]
    """Every choice of so many of ``n``, each in rising order."""
    size = out.shape[1]
    chosen = np.arange(size)
    for row in range(len(out)):
        out[row] = chosen
        place = size - 1
        while place >= 0 and chosen[place] == n - size + place:
            place -= 1
        if place >= 0:
            chosen[place] += 1
            for after in range(place + 1, size):
                chosen[after] = chosen[after - 1] + 1


@kernel
def _compare(  # type: ignore[no-untyped-def]
    start,
    stop,
    boards,
    rest,
    own,
    begun,
    theirs,
    open_cards,
    won,
    lost,
    category,
    bits,
    categories,
    seven,
):
    """By board: the dealer's hands that lose and that win, and the category of one's own."""
    left = np.zeros(len(rest), np.int64)
    for i in range(start, stop):
        table = begun
        for place in range(boards.shape[1]):
            table |= bits[rest[boards[i, place]]]
        mine = value_of(own | table, seven)
        category[i] = categories[mine]
        size = 0
        for k in range(len(rest)):
            if not bits[rest[k]] & table:
                left[size] = rest[k]
                size += 1
        wins, losses = 0, 0
        if open_cards == 0:
            value = value_of(theirs | table, seven)
            wins += value < mine
            losses += value > mine
        elif open_cards == 1:
            for k in range(size):
                value = value_of(theirs | table | bits[left[k]], seven)
                wins += value < mine
                losses += value > mine
        else:
            for k in range(size):
                with_one = table | bits[left[k]]
                for m in range(k):
                    value = value_of(with_one | bits[left[m]], seven)
                    wins += value < mine
                    losses += value > mine
        won[i], lost[i] = wins, losses
