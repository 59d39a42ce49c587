"""The base game solved: its value, its edge, its spread, and the 169 starting hands, exactly.

    >>> from croupier.lab import solve
    >>> from croupier.rulebooks import load
    >>> solution = solve(load("multi-link-progressive-v3"))
    >>> solution.ev
    Fraction(-578107733, 28381438800)
    >>> solution.fold_hands
    ('32o', '42o', '52o', '62o', '72o')

Amounts are in Antes. Where two decisions are worth exactly the same, the player puts down less: he
checks, and he folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct

from croupier.cards import Category
from croupier.lab.distribution import Distribution
from croupier.lab.game import BaseGame, Odds, base_game
from croupier.lab.hands import COMBINATIONS, LISTED, NAMES, hand_number
from croupier.lab.solver import (
    DEALS,
    DEALS_OF_A_HAND,
    FLOPS_DEALT,
    RIVER_CARDS,
    TURN_CARDS,
    Progress,
    tally,
)
from croupier.lab.streets import (
    BOTH_BETS,
    CATEGORIES,
    DEALER_HANDS,
    LOST,
    RIVER_BETS,
    RIVER_EVEN,
    TURN_BETS,
    TURN_EVEN,
    section,
)
from croupier.lab.tabular import Tabular
from croupier.rulebooks import Rulebook

FOLD = Fraction(-1)
"""What a fold is worth: the Ante (3.11.2.a)."""


class Played(Struct, frozen=True, kw_only=True):
    """Deals of one starting hand that is not folded, by which of Turn and River bet were made."""

    turn: bool
    river: bool
    won: tuple[int, ...]
    """By category of the player's hand, Five Odd Cards first."""
    lost: int
    tied: int

    @property
    def wins(self) -> int:
        return sum(self.won)

    @property
    def deals(self) -> int:
        return self.wins + self.lost + self.tied


class StartingHand(Struct, frozen=True, kw_only=True):
    """One of the 169. Frequencies are those of a round in which it is played."""

    name: str
    combinations: int
    play: Fraction
    """The value of the Flop bet and what follows, Ante included."""
    folded: bool
    wins: Fraction
    ties: Fraction
    loses: Fraction
    turn_bet_frequency: Fraction
    river_bet_frequency: Fraction
    square: Fraction
    """The mean square of the result if it is played."""
    played: tuple[Played, ...]
    """What becomes of all its deals if it is played."""

    @property
    def value(self) -> Fraction:
        """What it is worth under optimal play."""
        return FOLD if self.folded else self.play


class Blind(Struct, frozen=True, kw_only=True):
    """A hand that its player may not look at (3.7, B-38): he sees the board only.

    His cards and the dealer's are then alike, so at every point he wins as often as he loses. At
    even money the Flop, Turn and River bets are worth exactly nothing each, and only the Ante
    costs.
    """

    play: Fraction
    """The value of the Flop bet and what follows."""
    turn_bet: bool
    """Whether a blind Turn bet is worth more than nothing, and a blind River bet."""
    river_bet: bool

    @property
    def folded(self) -> bool:
        """Whether to fold it."""
        return self.play <= FOLD

    @property
    def value(self) -> Fraction:
        """What it is worth under optimal play."""
        return max(self.play, FOLD)


class Solution(Tabular, Struct, frozen=True, kw_only=True):
    """The base game under optimal play, in Antes for each round dealt."""

    game: BaseGame
    hands: tuple[StartingHand, ...]
    """By number (see ``hands``)."""
    ev: Fraction
    """The value of a round to the player."""
    average_bet: Fraction
    """Everything that is staked on the main bets."""
    variance: Fraction
    """Of the whole result of a round, folds included."""
    turn_bet_frequency: Fraction
    river_bet_frequency: Fraction
    blind: Blind
    turn_even: int
    """In how many of the 25,989,600 Turn decisions betting and checking are worth the same."""
    river_even: int
    """The same, of the 1,221,511,200 River decisions."""

    @property
    def deals(self) -> int:
        """How many deals there are, all equally likely."""
        return DEALS

    @property
    def house_edge(self) -> Fraction:
        """What the House wins for each Ante."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """What the House wins for each unit staked."""
        return -self.ev / self.average_bet

    @property
    def standard_deviation(self) -> Decimal:
        """The root of the variance, to 30 digits."""
        with localcontext() as context:
            context.prec = 30
            return (Decimal(self.variance.numerator) / Decimal(self.variance.denominator)).sqrt()

    @property
    def fold_hands(self) -> tuple[str, ...]:
        """The hands to fold, from low to high."""
        return tuple(self.hands[n].name for n in reversed(LISTED) if self.hands[n].folded)

    @property
    def fold_frequency(self) -> Fraction:
        """How often a round is folded."""
        folded = sum(hand.combinations for hand in self.hands if hand.folded)
        return Fraction(folded, sum(COMBINATIONS))

    def rows(self) -> list[dict[str, Any]]:
        """The 169 starting hands, from high to low."""
        return [
            {
                "hand": hand.name,
                "combinations": hand.combinations,
                "folded": hand.folded,
                "play": hand.play,
                "wins": hand.wins,
                "ties": hand.ties,
                "loses": hand.loses,
                "turn_bet": hand.turn_bet_frequency,
                "river_bet": hand.river_bet_frequency,
            }
            for hand in (self.hands[number] for number in LISTED)
        ]

    def heading(self) -> str:
        """Book, edge and folds."""
        folds = " ".join(self.fold_hands) or "nothing"
        return f"{self.game.book}, house edge {float(self.house_edge):.6%}, folds {folds}"

    def hand(self, name: str) -> StartingHand:
        """The starting hand of that name, such as ``AKs``; raises ``UnknownHand``."""
        return self.hands[hand_number(name)]


def solve(
    game: BaseGame | Rulebook, *, threads: int | None = None, progress: Progress | None = None
) -> Solution:
    """Solve the base game of a book (or a game made up by hand).

    A second game at the same Turn and River odds is not swept again: another Ante threshold,
    another bet size or other Flop odds are read off what was counted.
    """
    if isinstance(game, Rulebook):
        game = base_game(game)
    counts = tally(game.turn_odds, game.river_odds, threads=threads, progress=progress)
    hands = []
    for number in range(len(NAMES)):
        hands.append(_starting_hand(game, number, [int(count) for count in counts[:, number]]))
    played = [hand for hand in hands if not hand.folded]
    pairs = sum(COMBINATIONS)

    def per_round(of_hand: str) -> Fraction:
        return _mean([(getattr(hand, of_hand), hand.combinations) for hand in played], pairs)

    turn, river = per_round("turn_bet_frequency"), per_round("river_bet_frequency")
    share = Fraction(sum(hand.combinations for hand in played), pairs)
    ev = per_round("play") + (1 - share) * FOLD
    square = per_round("square") + (1 - share) * FOLD**2
    return Solution(
        game=game,
        hands=tuple(hands),
        ev=ev,
        average_bet=1 + game.flop * share + game.turn * turn + game.river * river,
        variance=square - ev**2,
        turn_bet_frequency=turn,
        river_bet_frequency=river,
        blind=_blind(game, hands),
        turn_even=int(counts[TURN_EVEN].sum()),
        river_even=int(counts[RIVER_EVEN].sum()),
    )


def result_of(solution: Solution) -> Distribution:
    """The distribution of the result of a round under the best play, in Antes."""

    def results() -> Iterator[tuple[Odds, int, int]]:
        for hand in solution.hands:
            if hand.folded:
                yield -1, 1, hand.combinations * DEALS_OF_A_HAND
                continue
            for part in hand.played:
                game = solution.game
                staked = 1 + game.flop + game.turn * part.turn + game.river * part.river
                for result, deals in results_of(game, part):
                    yield result, staked, deals

    return Distribution.of_results(results())


def ante_thresholds(game: BaseGame) -> dict[Category, BaseGame]:
    """The same game for each category from which the Ante could be paid, Pair to Royal Flush.

    It keeps what the Ante pays now; where that depends on the hand, the odds of the lowest paid.
    """
    now = game.ante_pays_from
    odds = 1 if now is None else game.ante_odds[now.order]
    games: dict[Category, BaseGame] = {}
    for category in Category:
        if category is not Category.FIVE_ODD_CARDS:
            paid = tuple(odds if c >= category else 0 for c in Category)
            games[category] = _with_ante(game, paid)
    return games


def _with_ante(game: BaseGame, ante_odds: tuple[Odds, ...]) -> BaseGame:
    return BaseGame(
        book=game.book,
        flop=game.flop,
        turn=game.turn,
        river=game.river,
        flop_odds=game.flop_odds,
        turn_odds=game.turn_odds,
        river_odds=game.river_odds,
        ante_odds=ante_odds,
    )


def split_by_bets(number: int, counts: list[int]) -> tuple[Played, ...]:
    """The deals of a starting hand by bets made, from what the sweeps count for it.

    What is neither won nor lost is a Stand Off.
    """
    decisions = COMBINATIONS[number] * FLOPS_DEALT * TURN_CARDS
    both, river = counts[BOTH_BETS], counts[RIVER_BETS]
    turn = counts[TURN_BETS] * TURN_CARDS
    found = []
    for turn_bet, river_bet, made in (
        (False, False, decisions - turn - river + both),
        (True, False, turn - both),
        (False, True, river - both),
        (True, True, both),
    ):
        first = section(turn=turn_bet, river=river_bet)
        won, lost = tuple(counts[first : first + CATEGORIES]), counts[first + LOST]
        tied = made * RIVER_CARDS * DEALER_HANDS - sum(won) - lost
        found.append(Played(turn=turn_bet, river=river_bet, won=won, lost=lost, tied=tied))
    return tuple(found)


def results_of(game: BaseGame, played: Played) -> list[tuple[Odds, int]]:
    """What these deals come to, in Antes, each with how many they are; a Stand Off comes to 0."""
    win = game.flop * game.flop_odds
    lose = 1 + game.flop
    if played.turn:
        win, lose = win + game.turn * game.turn_odds, lose + game.turn
    if played.river:
        win, lose = win + game.river * game.river_odds, lose + game.river
    paid = [(win + odds, won) for odds, won in zip(game.ante_odds, played.won, strict=True)]
    return [*paid, (-lose, played.lost), (0, played.tied)]


def _starting_hand(game: BaseGame, number: int, counts: list[int]) -> StartingHand:
    played = split_by_bets(number, counts)
    holes = COMBINATIONS[number]
    deals = holes * DEALS_OF_A_HAND
    results = [pair for part in played for pair in results_of(game, part)]
    wins, lost = sum(part.wins for part in played), sum(part.lost for part in played)
    play = Fraction(sum(result * times for result, times in results), deals)
    return StartingHand(
        name=NAMES[number],
        combinations=holes,
        play=play,
        folded=play <= FOLD,
        wins=Fraction(wins, deals),
        ties=Fraction(deals - wins - lost, deals),
        loses=Fraction(lost, deals),
        turn_bet_frequency=Fraction(counts[TURN_BETS], holes * FLOPS_DEALT),
        river_bet_frequency=Fraction(counts[RIVER_BETS], holes * FLOPS_DEALT * TURN_CARDS),
        square=Fraction(sum(result * result * times for result, times in results), deals),
        played=played,
    )


def _blind(game: BaseGame, hands: list[StartingHand]) -> Blind:
    every = [part for hand in hands for part in hand.played]
    won = [sum(column) for column in zip(*(part.won for part in every), strict=True)]
    wins, lost = sum(won), sum(part.lost for part in every)
    assert wins == lost, "two unseen hands win equally often against each other"
    ante = sum(odds * count for odds, count in zip(game.ante_odds, won, strict=True))
    # A unit at X to 1 wins X - 1 for each deal that is won, whatever the board.
    turn, river = game.turn_odds - 1, game.river_odds - 1
    units = game.flop * (game.flop_odds - 1) + game.turn * turn + game.river * river
    return Blind(
        play=Fraction(ante - lost + units * wins, DEALS),
        turn_bet=turn > 0,
        river_bet=river > 0,
    )


def _mean(weighted: list[tuple[Fraction, int]], of: int) -> Fraction:
    """The weighted sum over ``of``; over one denominator, which is much quicker than one by one."""
    common = lcm(*(value.denominator for value, _ in weighted)) if weighted else 1
    total = sum(value.numerator * (common // value.denominator) * n for value, n in weighted)
    return Fraction(total, common * of)
