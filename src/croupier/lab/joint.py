"""All bets of a round together, exactly: in how many of all deals each outcome comes.

An outcome is numbered as in ``simulate_pay``: what became of the main bets, which line of the
Bonus, which lines of the jackpot stake. They hang together by the cards, so none of the three alone
tells what a round comes to. The deals are the solver's 55,627,620,048,000, each a whole number.

How they are counted:

* the main bets by starting hand, by the solver's own sweeps under the decisions of a strategy;
* the Bonus follows from the starting hand, but for the line that looks at the dealer's as well: its
  deals are dealt one by one;
* the jackpot, where Hole Cards and flop decide (v2, v3), by the same sweeps, once for each line
  with only those flops let through that make it; where it is judged by street (v6), by looking at
  every deal that holds a line (``street_lines``).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import DECK
from croupier.lab.base import split_by_bets
from croupier.lab.errors import UnsolvableGame
from croupier.lab.hands import COMBINATIONS, NAMES, hand_number
from croupier.lab.jackpot_bet import JACKPOT_BY_STREET
from croupier.lab.simulate import outcomes
from croupier.lab.simulate_pay import (
    FOLDED,
    LOST,
    MAINS,
    RESULTS,
    TIED,
    WON,
    Schedule,
    main_part,
)
from croupier.lab.simulate_strategy import Flags, Tabled, tabled
from croupier.lab.solver import DEALS, DEALS_OF_A_HAND, Progress, Sweeps, count
from croupier.lab.street_lines import street_lines
from croupier.lab.streets import BOTH_BETS, CATEGORIES, DEALER_HANDS, SECTION, TURN_BETS, section
from croupier.lab.tabulate import flop_categories
from croupier.rulebooks import HoleCards, JackpotHand, Rulebook, hole_class

Ints: TypeAlias = npt.NDArray[np.int64]
_AFTER_TURN = 46 * DEALER_HANDS
_DEALER_PAIRS = 24
"""More pairs of hands than this that a Bonus line tells apart by the dealer's are not dealt."""


class Decisions:
    """A strategy as the sweeps count it: what is folded, and where Turn and River are bet."""

    def __init__(self, name: str, fold: Iterable[str], turn: Flags, river: Flags) -> None:
        self.name, self.turn, self.river = name, turn, river
        self.fold = tuple(fold)
        self.folded = frozenset(hand_number(hand) for hand in self.fold)

    @property
    def tabled(self) -> Tabled:
        """The same for the simulation."""
        return tabled(self.name, fold=self.fold, turn=self.turn, river=self.river)


def main_counts(swept: Sweeps, decisions: Decisions, *, threads: int | None = None) -> Ints:
    """Deals by starting hand and main part."""
    tally, _ = count(swept, decisions.turn, decisions.river, threads=threads)
    found = np.zeros((len(NAMES), MAINS), np.int64)
    for hand in range(len(NAMES)):
        if hand in decisions.folded:
            found[hand, FOLDED] = COMBINATIONS[hand] * DEALS_OF_A_HAND
            continue
        for part in split_by_bets(hand, [int(n) for n in tally[:, hand]]):
            first = main_part(turn=part.turn, river=part.river, result=LOST)
            found[hand, first + LOST] = part.lost
            found[hand, first + TIED] = part.tied
            found[hand, first + WON : first + RESULTS] = part.won
    assert int(found.sum()) == DEALS
    return found


def joint_counts(
    book: Rulebook,
    paid: Schedule,
    swept: Sweeps,
    decisions: Decisions,
    *,
    mains: Ints | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Ints:
    """Deals by main part, bonus part and jackpot part, as ``paid`` numbers them."""
    tell = progress or (lambda _: None)
    if mains is None:
        mains = main_counts(swept, decisions, threads=threads)
    by_hand = np.zeros((len(NAMES), MAINS, len(paid.sets)), np.int64)
    by_hand[:, :, 0] = mains
    if len(paid.sets) > 1:
        tell("jackpot lines")
        if JACKPOT_BY_STREET.of(book):
            _by_street(by_hand, paid, decisions, threads)
        else:
            _by_flop(by_hand, book, paid, swept, decisions, threads, tell)
    tell("Bonus lines")
    found = _with_bonus(by_hand, book, paid, decisions)
    assert int(found.sum()) == DEALS
    assert int(found.min()) >= 0
    return found


def _move(by_hand: Ints, hand: int, part: int, held: int, deals: int) -> None:
    """From the deals without a line to those with these lines."""
    by_hand[hand, part, 0] -= deals
    by_hand[hand, part, held] += deals


def _by_street(by_hand: Ints, paid: Schedule, decisions: Decisions, threads: int | None) -> None:
    played, folded = street_lines(
        paid.lookup, len(paid.sets), decisions.turn, decisions.river, threads=threads
    )
    for hand, times in enumerate(COMBINATIONS):
        for held in range(1, len(paid.sets)):
            if hand in decisions.folded:
                _move(by_hand, hand, FOLDED, held, times * int(folded[hand, held]))
                continue
            for bets in range(4):
                first = main_part(turn=bool(bets & 1), river=bool(bets & 2), result=0)
                for result in range(RESULTS):
                    deals = times * int(played[hand, held, bets, result])
                    _move(by_hand, hand, first + result, held, deals)


def _by_flop(
    by_hand: Ints,
    book: Rulebook,
    paid: Schedule,
    swept: Sweeps,
    decisions: Decisions,
    threads: int | None,
    tell: Progress,
) -> None:
    """One line at a time: the sweeps count the rounds whose flop makes it as if those were bets."""
    categories = flop_categories()
    for line in book.pay("progressive").lines:
        assert isinstance(line.when, JackpotHand)
        if not line.when.folded:
            raise UnsolvableGame(
                book.id, line.id, "a line on Hole Cards and flop that a fold loses"
            )
        tell(f"jackpot line {line.id}")
        [held] = [
            number
            for number, lines in enumerate(paid.sets)
            if [award.line for award in lines] == [line.id]
        ]
        makes = categories == line.when.category.order
        for bet in (False, True):
            flops = makes & (decisions.turn == bet)
            if not flops.any():
                continue
            tally, _ = count(swept, flops, decisions.river, threads=threads)
            for hand in range(len(NAMES)):
                counts = [int(n) for n in tally[:, hand]]
                for part, deals in _let_through(counts, bet=bet):
                    into = FOLDED if hand in decisions.folded else part
                    _move(by_hand, hand, into, held, deals)


def _let_through(counts: list[int], *, bet: bool) -> list[tuple[int, int]]:
    """Main parts with their deals, of the rounds that a sweep counted as Turn bets.

    ``bet`` says whether the Turn bet was really made in them.
    """
    found = []
    both = counts[BOTH_BETS]
    for river, made in ((False, counts[TURN_BETS] * 47 - both), (True, both)):
        first = section(turn=True, river=river)
        won, lost = counts[first : first + CATEGORIES], counts[first + SECTION - 1]
        part = main_part(turn=bet, river=river, result=0)
        found += [(part + LOST, lost), (part + TIED, made * _AFTER_TURN - sum(won) - lost)]
        found += [(part + WON + order, deals) for order, deals in enumerate(won)]
    return found


def _with_bonus(by_hand: Ints, book: Rulebook, paid: Schedule, decisions: Decisions) -> Ints:
    table = book.pay("bonus")
    found = np.zeros(paid.outcomes, np.int64)
    number = {line: 1 + place for place, line in enumerate(paid.bonus_lines)}
    named = {d for line in table.lines for d in _dealers(line.when)}
    for hand, name in enumerate(NAMES):
        if hand in decisions.folded:
            found[:, 0] += by_hand[hand]  # 3.11.2.a: the Bonus goes with the fold
            continue
        usual = table.hole_line(name, None)
        into = 0 if usual is None else number[usual.id]
        found[:, into] += by_hand[hand]
        for dealer in sorted(named):
            line = table.hole_line(name, dealer)
            if line is not None and line != usual:
                special = _given_dealer(book, paid, decisions, name, dealer)
                found[:, into] -= special
                found[:, number[line.id]] += special
    return found


def _dealers(when: object) -> tuple[str, ...]:
    return tuple(when.dealer) if isinstance(when, HoleCards) else ()


def _given_dealer(
    book: Rulebook, paid: Schedule, decisions: Decisions, player: str, dealer: str
) -> Ints:
    """Deals by main part and jackpot part where both hands are these, dealt card by card.

    Suits are alike, so one pair of the player's cards speaks for all.
    """
    pairs: dict[str, list[tuple[int, int]]] = {}
    for one, other in combinations(DECK, 2):
        pairs.setdefault(hole_class(one, other), []).append((one.index, other.index))
    mine = pairs[player][0]
    theirs = [pair for pair in pairs[dealer] if not set(pair) & set(mine)]
    if len(theirs) > _DEALER_PAIRS:
        raise UnsolvableGame(
            book.id, "bonus", f"a line on {player} against {dealer}: too many hands to deal"
        )
    strategy = decisions.tabled
    counts = np.zeros((MAINS, len(paid.sets)), np.int64)
    for pair in theirs:
        rest = [card for card in range(52) if card not in (*mine, *pair)]
        for flop in _in_blocks(rest):
            for cards in _run_outs(flop, rest, pair, mine):
                codes = outcomes(paid, cards, strategy.decide(cards, 1))[:, 0]
                bonus_parts, sets = paid.outcomes[1:]
                main, held = codes // (bonus_parts * sets), codes % sets
                counts += np.bincount(main * sets + held, minlength=MAINS * sets).reshape(
                    MAINS, sets
                )
    assert int(counts.sum()) == len(theirs) * 17_296 * 45 * 44
    return counts * len(pairs[player])


def _in_blocks(rest: list[int], size: int = 400) -> Iterable[npt.NDArray[np.uint8]]:
    flops = np.array(list(combinations(rest, 3)), np.uint8)
    for start in range(0, len(flops), size):
        yield flops[start : start + size]


def _run_outs(
    flops: npt.NDArray[np.uint8], rest: list[int], dealer: tuple[int, int], player: tuple[int, int]
) -> Iterable[npt.NDArray[np.uint8]]:
    """Every Turn and River Card that may follow these flops, as rows of the simulation."""
    free = np.zeros((len(flops), 52), np.bool_)
    free[:, rest] = True
    np.put_along_axis(free, flops.astype(np.int64), False, axis=1)
    left = np.nonzero(free)[1].reshape(len(flops), 45).astype(np.uint8)
    orders = np.array([(i, j) for i in range(45) for j in range(45) if i != j])
    cards = np.empty((len(flops), len(orders), 9), np.uint8)
    cards[:, :, :3] = flops[:, None]
    cards[:, :, 3:5] = left[:, orders]
    cards[:, :, 5:7] = dealer
    cards[:, :, 7:9] = player
    yield cards.reshape(-1, 9)
