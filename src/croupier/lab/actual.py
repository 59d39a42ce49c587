"""What a House really won, beside what its bets come to in theory, with bands.

    >>> from croupier.lab.actual import Box, Rounds, compare
    >>> type(compare([], {})).__name__
    'Actual'

A round is told with the stakes of its boxes and what the House won on each bet. For every table,
game, dealer and day the sum of what was won stands beside the sum of the exact means for the same
stakes, and beside the band in which it lies 95 and 99% of the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct, field

from croupier.lab.actual_theory import BETS, BookTheory, deviation
from croupier.lab.distribution import LEVELS
from croupier.lab.tabular import Tabular

Mark = Literal["inside", "outside 95%", "outside 99%"]
By = Literal["house", "game", "table", "dealer", "day"]
GROUPS: tuple[By, ...] = ("house", "game", "table", "dealer", "day")
NEAR_NORMAL = 1 / 5
"""Cochran's rule, as in the PAR sheet: a sum is near enough to normal up to this skewness."""
AUTOMATIC = "automatic"
"""Who deals at a table that deals by itself."""


class Box(Struct, frozen=True, kw_only=True):
    """One box of a round. Stakes, and what the House won on them, in cents."""

    ante: int
    bonus: int = 0
    stake: int = 0
    """On the jackpot."""
    main_won: int = 0
    bonus_won: int = 0
    stake_won: int = 0
    """Shares of a meter are the jackpot's money: what it paid is not taken off."""
    folded: bool = False
    turn: bool = False
    river: bool = False
    main_staked: int = 0
    """On Ante, Flop, Turn and River."""


class Rounds(Struct, frozen=True, kw_only=True):
    """One round at a table of a banked game."""

    table: str
    book: str
    dealer: str
    day: str
    number: int
    boxes: tuple[Box, ...]
    house: int
    """What the House won by the ledger, corrections by ruling included."""
    policies: dict[str, str] = {}


class RakedRound(Struct, frozen=True, kw_only=True):
    """One round at a poker table: the Rake that was taken, and the one that the rules ask for."""

    table: str
    book: str
    dealer: str
    day: str
    number: int
    taken: int
    by_rules: int
    base: int


class BetActual(Struct, kw_only=True):
    """One bet over all rounds of a group, in cents."""

    staked: int = 0
    won: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def deviations(self) -> float:
        """How many standard deviations lie between what was won and what was expected."""
        spread = deviation(self.variance)
        return (self.won - self.expected) / spread if spread else 0.0


class Group(Struct, kw_only=True):
    """All rounds of a table, a game, a dealer or a day."""

    by: By
    name: str
    books: set[str] = set()
    rounds: int = 0
    boxes: int = 0
    bets: dict[str, BetActual] = {}
    total: BetActual = field(default_factory=BetActual)
    corrected: int = 0
    """What the bets came to and the ledger has not: paid to players by ruling, or gone."""
    third: float = 0.0
    largest: int = 0
    """The most that the House lost in one round."""
    decided: dict[str, int] = {}
    expected_decisions: dict[str, float] = {}
    expected_spread: dict[str, float] = {}

    @property
    def skewness(self) -> float:
        """Of the sum of all rounds; boxes are taken one by one."""
        variance = self.total.variance
        return self.third / variance**1.5 if variance > 0 else 0.0

    @property
    def normal(self) -> bool:
        """Whether it is near enough to normal for its band."""
        return abs(self.skewness) <= NEAR_NORMAL

    @property
    def mark(self) -> Mark:
        """Where it lies."""
        return mark_of(self.total.deviations)

    def band(self, level: str) -> tuple[float, float]:
        """Where it lies so much of the time, in cents."""
        width = LEVELS[level] * deviation(self.total.variance)
        return self.total.expected - width, self.total.expected + width


class RakedGroup(Struct, kw_only=True):
    """The Rake of a table, a game, a dealer or a day, in cents."""

    by: By
    name: str
    rounds: int = 0
    base: int = 0
    taken: int = 0
    by_rules: int = 0
    differ: list[tuple[str, int, int, int]] = []
    """Table, round, what was taken and what the rules ask for, where they are not the same."""


class Actual(Tabular, Struct, kw_only=True):
    """A House against theory."""

    groups: list[Group]
    raked: list[RakedGroup]

    def rows(self) -> list[dict[str, Any]]:
        """Every group of the banked games, money in units."""
        return [
            {
                "by": group.by,
                "name": group.name,
                "rounds": group.rounds,
                "won": group.total.won / 100,
                "expected": group.total.expected / 100,
                "low 95%": group.band("95%")[0] / 100,
                "high 95%": group.band("95%")[1] / 100,
                "deviations": group.total.deviations,
                "mark": group.mark,
            }
            for group in self.groups
        ]

    def heading(self) -> str:
        """How much was looked at."""
        rounds = sum(group.rounds for group in self.groups if group.by == "house")
        outside = sum(group.mark != "inside" for group in self.groups)
        return f"{rounds:,} rounds, {outside} of {len(self.groups)} groups outside 95%"


def mark_of(deviations: float) -> Mark:
    """Inside the bands, or outside which of them."""
    if abs(deviations) > LEVELS["99%"]:
        return "outside 99%"
    return "outside 95%" if abs(deviations) > LEVELS["95%"] else "inside"


def compare(rounds: Iterable[Rounds | RakedRound], theories: Mapping[str, BookTheory]) -> Actual:
    """Put every round beside its theory. `theories` are by the id of the book."""
    groups: dict[tuple[By, str], Group] = {}
    raked: dict[tuple[By, str], RakedGroup] = {}
    for round_ in rounds:
        names: dict[By, str] = {
            "house": "all tables",
            "game": round_.book,
            "table": round_.table,
            "dealer": round_.dealer or AUTOMATIC,
            "day": round_.day,
        }
        if isinstance(round_, RakedRound):
            for by, name in names.items():
                _rake(raked.setdefault((by, name), RakedGroup(by=by, name=name)), round_)
            continue
        told = _Told(round_, theories[round_.book])
        for by, name in names.items():
            told.add_to(groups.setdefault((by, name), _new(by, name)))
    order: Callable[[Any], Any] = lambda group: (GROUPS.index(group.by), group.name)  # noqa: E731
    return Actual(
        groups=sorted(groups.values(), key=order), raked=sorted(raked.values(), key=order)
    )


def _new(by: By, name: str) -> Group:
    return Group(by=by, name=name, bets={bet: BetActual() for bet in BETS})


def _rake(group: RakedGroup, round_: RakedRound) -> None:
    group.rounds += 1
    group.base += round_.base
    group.taken += round_.taken
    group.by_rules += round_.by_rules
    if round_.taken != round_.by_rules:
        group.differ.append((round_.table, round_.number, round_.taken, round_.by_rules))


class _Told:
    """One round with its theory."""

    def __init__(self, round_: Rounds, theory: BookTheory) -> None:
        self.round = round_
        self.theory = theory
        self.moments = [
            theory.figures(box.ante, box.bonus, box.stake, round_.policies) for box in round_.boxes
        ]
        self.variances = [self._variance(place) for place in range(len(BETS))]
        # What the bets of each box have in common is exact; what boxes have in common, estimated.
        shared = [whole - alone for whole, alone in self.variances]
        self.whole = sum(each.whole for each in self.moments) + sum(shared)

    def _variance(self, bet: int) -> tuple[float, float]:
        """Of one bet of all boxes together, and as if the boxes had nothing in common."""
        tie = self.theory.ties[bet]
        spreads = [each.spread[bet] for each in self.moments]
        alone = sum(spread**2 for spread in spreads)
        together = sum(spreads) ** 2
        return max(0.0, (1 - tie) * alone + tie * together), alone

    def add_to(self, group: Group) -> None:
        """Count it in a group."""
        round_, boxes = self.round, self.round.boxes
        group.books.add(round_.book)
        group.rounds += 1
        group.boxes += len(boxes)
        staked = (
            [b.main_staked for b in boxes],
            [b.bonus for b in boxes],
            [b.stake for b in boxes],
        )
        won = (
            [b.main_won for b in boxes],
            [b.bonus_won for b in boxes],
            [b.stake_won for b in boxes],
        )
        for place, bet in enumerate(BETS):
            counted = group.bets[bet]
            counted.staked += sum(staked[place])
            counted.won += sum(won[place])
            counted.expected += sum(each.mean[place] for each in self.moments)
            counted.variance += self.variances[place][0]
        total = group.total
        total.staked += sum(map(sum, staked))
        total.won += round_.house
        total.expected += sum(sum(each.mean) for each in self.moments)
        total.variance += self.whole
        group.corrected += sum(map(sum, won)) - round_.house
        group.third += sum(each.third for each in self.moments)
        group.largest = min(group.largest, round_.house)
        self._decisions(group)

    def _decisions(self, group: Group) -> None:
        best = self.theory.decided
        for name in ("fold", "turn", "river"):
            share = float(getattr(best, name))
            made = sum(_made(box, name) for box in self.round.boxes)
            group.decided[name] = group.decided.get(name, 0) + made
            boxes = len(self.round.boxes)
            group.expected_decisions[name] = group.expected_decisions.get(name, 0) + share * boxes
            # The boxes of a round share the flop: taken as one, which is the wider of the two.
            spread = share * (1 - share) * boxes**2
            group.expected_spread[name] = group.expected_spread.get(name, 0.0) + spread


def _made(box: Box, name: str) -> bool:
    return {"fold": box.folded, "turn": box.turn, "river": box.river}[name]


def chance(deviations: float) -> float:
    """How often a sum lies so far off, or farther, by chance alone; on either side."""
    return math.erfc(abs(deviations) / math.sqrt(2))
