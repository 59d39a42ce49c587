"""What known cards are worth: how much boxes gain that show each other their hands.

The gain of a round has three parts, one for each decision: what is better folded or played, bet or
checked than the best play without that knowledge would. Each part is worked out from the cards that
are left, not from how a deal ends, so that a few thousand drawn deals are enough:

* Turn and River: a deal is drawn; the bet is worth so much given what is known; the gain is what is
  not lost, or won besides.
* The first decision: hands that are clearly good are played whatever is known. Of the others
  (worth less than ``CLEAR`` Antes) some are drawn, and each is played out to the end.

The figures are sampled and come with their intervals; what one hand is worth with given known cards
is exact (``known``).
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.cards import DECK
from croupier.lab.base import solve
from croupier.lab.compiled import kernel, spread
from croupier.lab.errors import BadAmount
from croupier.lab.game import base_game
from croupier.lab.kernel import card_masks, tables
from croupier.lab.known import decide_known
from croupier.lab.simulate_deal import deal
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN, PLAYS, value_of
from croupier.lab.simulate_optimal import optimal
from croupier.lab.simulate_pay import hand_of
from croupier.lab.solver import Progress
from croupier.rulebooks import Rulebook

Ints: TypeAlias = npt.NDArray[np.int64]
CLEAR = -0.5
"""In Antes: a starting hand worth more than this is played whatever other hands are known."""
LEAST_HANDS = 3
CHEAP = 150_000_000
"""Boards and hands of the dealer's that a hand may take to be played out: about a second."""
Z95 = 1.959963984540054
_BY_INDEX = tuple(sorted(DECK, key=lambda card: card.index))


class Part(Struct, frozen=True):
    """One part of the gain, in Antes a round of one box, with its standard error."""

    mean: float
    error: float


class Gain(Struct, frozen=True, kw_only=True):
    """What a box gains that knows so many cards, in Antes a round."""

    dead: int
    """Cards known to be gone."""
    dealer: int
    """Cards of the dealer's that are known."""
    samples: int
    hands: int
    """Starting hands that were played out for the first decision."""
    fold: Part
    turn: Part
    river: Part
    without: float
    """What a round is worth under the best play that knows nothing of them."""

    @property
    def gain(self) -> float:
        """All three parts."""
        return self.fold.mean + self.turn.mean + self.river.mean

    @property
    def error(self) -> float:
        """Its standard error."""
        return math.hypot(self.fold.error, self.turn.error, self.river.error)

    @property
    def interval(self) -> tuple[float, float]:
        """Of the gain, 95%."""
        return self.gain - Z95 * self.error, self.gain + Z95 * self.error

    @property
    def value(self) -> float:
        """What a round is worth with that knowledge."""
        return self.without + self.gain


def known_gain(
    book: Rulebook,
    *,
    dead: int = 0,
    dealer: int = 0,
    samples: int = 4000,
    hands: int = 40,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Gain:
    """What knowing ``dead`` cards that are gone and ``dealer`` of the dealer's gains a box."""
    if not 0 <= dead <= 30 or not 0 <= dealer <= 2:
        raise BadAmount(f"known cards: {dead} dead and {dealer} of the dealer's; at most 30 and 2")
    if samples < 2 or hands < 2:
        raise BadAmount(f"samples: {samples} deals and {hands} hands; draw at least 2 of each")
    tell = progress or (lambda _: None)
    game, solution = base_game(book), solve(book)
    boxes = 1 + -(-dead // 2)
    rows = np.empty((samples, 7 + 2 * boxes), np.uint8)
    deal(np.uint64(seed), np.uint64(0), 0, samples, boxes, rows)
    tell(f"{dead} cards gone, {dealer} of the dealer's: Turn and River")
    decided = optimal(book).decide(rows, boxes)[:, 0]
    plays = decided & PLAYS != 0
    parts = []
    for street, bit, size, odds in (
        (3, BETS_TURN, game.turn, game.turn_odds),
        (4, BETS_RIVER, game.river, game.river_odds),
    ):
        won, lost, deals = _worths(rows, street, dead, dealer, threads)
        worth = float(size) * (float(odds) * won - lost) / deals
        bets = decided & bit != 0
        parts.append(_part(plays * (np.maximum(worth, 0) - np.where(bets, worth, 0))))
    tell(f"{dead} cards gone, {dealer} of the dealer's: first decision")
    # With few cards known there are many boards, so fewer hands are played out.
    boards = math.comb(50 - dead - dealer, 5) * math.comb(45 - dead - dealer, 2 - dealer)
    hands = min(hands, max(LEAST_HANDS, hands * CHEAP // boards))
    fold = _fold_gain(book, rows, dead, dealer, hands, threads)
    return Gain(
        dead=dead,
        dealer=dealer,
        samples=samples,
        hands=hands,
        fold=fold,
        turn=parts[0],
        river=parts[1],
        without=float(solution.ev),
    )


def _part(values: npt.NDArray[np.float64], share: float = 1.0) -> Part:
    """The mean of the values, which are those of this share of all rounds."""
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Part(share * float(values.mean()), share * error)


def _fold_gain(
    book: Rulebook,
    rows: npt.NDArray[np.uint8],
    dead: int,
    dealer: int,
    hands: int,
    threads: int | None,
) -> Part:
    solution = solve(book)
    if dead == 0 and dealer == 0:
        return Part(0.0, 0.0)
    clear = CLEAR if dealer == 0 else math.inf  # a dealer's card may change any hand
    weak = np.array([float(hand.play) < clear for hand in solution.hands])
    share = sum(h.combinations for h, w in zip(solution.hands, weak, strict=True) if w) / 1326
    numbers = hand_of()[rows[:, 7], rows[:, 8]]
    chosen = rows[weak[numbers]][:hands]
    gains = []
    for row in chosen:
        hole = [_BY_INDEX[i] for i in row[7:9]]
        [first] = decide_known(
            book,
            hole,
            dead=[_BY_INDEX[i] for i in row[9 : 9 + dead]],
            dealer=[_BY_INDEX[i] for i in row[5 : 5 + dealer]],
            threads=threads,
        )
        folded = solution.hands[hand_of()[row[7], row[8]]].folded
        usual = first.value_without if folded else first.value_with
        gains.append(float(first.value - usual))
    return _part(np.array(gains), share)


def _worths(
    rows: npt.NDArray[np.uint8], street: int, dead: int, dealer: int, threads: int | None
) -> tuple[Ints, Ints, int]:
    """By drawn deal: of all that may follow the board, how many are won and lost; and how many."""
    won, lost = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)

    def work(start: int, stop: int) -> None:
        _count(start, stop, rows, street, dead, dealer, won, lost, card_masks(), tables(7))

    spread(work, len(rows), threads=threads)
    left = 52 - 2 - street - dead - dealer
    missing = 5 - street
    return won, lost, math.comb(left, missing) * math.comb(left - missing, 2 - dealer)


@kernel
def _count(  # type: ignore[no-untyped-def]
    start, stop, rows, street, dead, dealer, won, lost, bits, seven
):
    rest = np.zeros(52, np.int64)
    for i in range(start, stop):
        row = rows[i]
        hole = bits[row[7]] | bits[row[8]]
        table, theirs, used = np.uint64(0), np.uint64(0), hole
        for place in range(street):
            table |= bits[row[place]]
        for place in range(dealer):
            theirs |= bits[row[5 + place]]
        used |= table | theirs
        for place in range(dead):
            used |= bits[row[9 + place]]
        size = 0
        for card in range(52):
            if not bits[card] & used:
                rest[size] = card
                size += 1
        wins, losses = 0, 0
        for a in range(size):
            # With the River Card alone to come, the second card of the board is no card at all.
            stop_at = a if street == 3 else 1
            for b in range(stop_at):
                last = bits[rest[a]]
                if street == 3:
                    last |= bits[rest[b]]
                board = table | last
                mine = value_of(hole | board, seven)
                if dealer == 2:
                    value = value_of(theirs | board, seven)
                    wins += value < mine
                    losses += value > mine
                    continue
                for c in range(size):
                    if bits[rest[c]] & last:
                        continue
                    with_one = board | theirs | bits[rest[c]]
                    if dealer == 1:
                        value = value_of(with_one, seven)
                        wins += value < mine
                        losses += value > mine
                        continue
                    for d in range(c):
                        if not bits[rest[d]] & last:
                            value = value_of(with_one | bits[rest[d]], seven)
                            wins += value < mine
                            losses += value > mine
        won[i], lost[i] = wins, losses
