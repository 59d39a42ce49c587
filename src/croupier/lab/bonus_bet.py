"""The Bonus bet, exactly: how often each line comes, and what the bet is worth, with its cap.

    >>> from croupier.rulebooks import load
    >>> bonus(load("multi-link-progressive-v3")).house_edge
    Fraction(13873, 162435)

The universe is the player's two cards and the dealer's two: 1,624,350 pairs of hands, all equally
likely. A folded box loses its Bonus whatever it held (3.11.2.a), so the figures are those of a
player who plays every hand that has a line, as the best play of the base game does.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.lab.errors import BadAmount, UnsolvableGame
from croupier.lab.hands import COMBINATIONS, NAMES
from croupier.rulebooks import HoleCards, PayLine, Rulebook, ToOne, hole_class, number_of

DEALER_PAIRS = 1225
"""Two of the 50 cards that the player does not hold."""
UNIVERSE = sum(COMBINATIONS) * DEALER_PAIRS


class BonusLine(Struct, frozen=True, kw_only=True):
    """One line: its paragraph, what it pays, in how many pairs of hands it is the one that pays."""

    id: str
    pays: ToOne
    count: int
    winnings: Fraction
    """What it wins for each unit staked, the cap considered."""

    @property
    def probability(self) -> Fraction:
        """How often it comes."""
        return Fraction(self.count, UNIVERSE)

    @property
    def capped(self) -> bool:
        """Whether the cap cuts what it would win."""
        return self.winnings < self.pays.times


class Bonus(Struct, frozen=True, kw_only=True):
    """The Bonus bet, for each unit staked."""

    book: str
    stake: int | None
    """In cents; None for a stake too small to meet the cap."""
    cap: int
    """The most that one box wins, in cents (4.1.1)."""
    lines: tuple[BonusLine, ...]

    @property
    def universe(self) -> int:
        """Of how many pairs of hands the counts are."""
        return UNIVERSE

    @property
    def losing(self) -> int:
        """In how many pairs of hands no line pays."""
        return UNIVERSE - sum(line.count for line in self.lines)

    @property
    def ev(self) -> Fraction:
        """The value to the player."""
        won = sum((line.count * line.winnings for line in self.lines), Fraction(0))
        return (won - self.losing) / UNIVERSE

    @property
    def house_edge(self) -> Fraction:
        """What the House wins."""
        return -self.ev

    @property
    def variance(self) -> Fraction:
        """Of the result."""
        squares = sum((line.count * line.winnings**2 for line in self.lines), Fraction(0))
        return (squares + self.losing) / UNIVERSE - self.ev**2


BONUS_CAP = number_of("bonus-cap")


def bonus(book: Rulebook, *, stake: int | None = None) -> Bonus:
    """The Bonus bet of `book`; with a `stake` in cents, winnings are cut at the cap (B-32)."""
    if stake is not None and stake <= 0:
        raise BadAmount(f"Bonus stake: {_money(stake)} is no stake; give more than nothing")
    if book.family != "banked":
        raise UnsolvableGame(book.id, "bonus", f"a {book.family} game has no Bonus bet")
    table = book.pay("bonus")
    cap = BONUS_CAP.of(book)
    counts = dict.fromkeys((line.id for line in table.lines), 0)
    named: set[str] = set()
    for line in table.lines:
        if not isinstance(line.when, HoleCards) or not isinstance(line.pays, ToOne):
            raise UnsolvableGame(
                book.id, line.id, f"a Bonus line pays X to 1 on Hole Cards, not {line.pays}"
            )
        named |= set(line.when.dealer)
    for hand, (first, second) in _examples().items():
        rest = DEALER_PAIRS
        weight = COMBINATIONS[NAMES.index(hand)]
        # Suits are alike, so one pair of cards speaks for its hand; the dealer's hands that no
        # line names are all one.
        for dealer in named:
            ways = sum(
                hole_class(*pair) == dealer
                for pair in combinations(_of_ranks(dealer), 2)
                if first not in pair and second not in pair
            )
            rest -= ways
            _count(counts, table.hole_line(hand, dealer), weight * ways)
        _count(counts, table.hole_line(hand, None), weight * rest)
    lines = []
    for line in table.lines:
        assert isinstance(line.pays, ToOne)
        winnings = Fraction(line.pays.times)
        if stake is not None:
            winnings = min(winnings, Fraction(cap, stake))
        lines.append(
            BonusLine(id=line.id, pays=line.pays, count=counts[line.id], winnings=winnings)
        )
    return Bonus(book=book.id, stake=stake, cap=cap, lines=tuple(lines))


def _count(counts: dict[str, int], line: PayLine | None, ways: int) -> None:
    if line is not None:
        counts[line.id] += ways


def _examples() -> dict[str, tuple[Card, Card]]:
    """Two cards for each of the 169 hands."""
    found: dict[str, tuple[Card, Card]] = {}
    for first, second in combinations(DECK, 2):
        found.setdefault(hole_class(first, second), (first, second))
    return found


def _of_ranks(hand: str) -> list[Card]:
    return [card for card in DECK if card.rank.value in hand[:2]]


def _money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100:,}.{abs(cents) % 100:02d}"
