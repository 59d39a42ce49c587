"""The Progressive Jackpot bet, exactly: line by line, and its value for any meter and stake.

    >>> from croupier.rulebooks import load
    >>> bet = progressive(load("multi-link-progressive-v3"))
    >>> bet.break_even(stake=500)  # in cents: the meter at which a bet of 5 is even
    Fraction(2051900000, 19)

Amounts are cents, values exact fractions of the stake. The stake is always kept (B-22), so a bet
that is handed nothing has lost it. Shares of the meter count as they are, before they are rounded
to the cent (B-10), and with the whole meter still there: what other winners at the table change is
told by ``meter``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from croupier.cards import Category
from croupier.lab.base import FOLD, Solution
from croupier.lab.errors import BadAmount, UnsolvableGame
from croupier.lab.hands import COMBINATIONS, LISTED
from croupier.lab.outcomes import (
    BY_STREET,
    FIVE_CARDS,
    SEEN,
    every_street_outcome,
    five_card_outcomes,
    street_outcomes,
)
from croupier.rulebooks import (
    Fixed,
    ForOne,
    JackpotHand,
    Made,
    PayLine,
    Rulebook,
    ShareOfMeter,
    ToOne,
    Ways,
)

LINES_POLICY = "v6-lines"
"""B-15: one line for each stake, the most valuable, or all that the cards satisfy."""


class CountedLine(Struct, frozen=True, kw_only=True):
    """One line: its paragraph, what it pays, and how often."""

    id: str
    pays: str
    count: int
    """In how many deals of the universe this line is paid."""
    held: int
    """In how many the cards satisfy it, whether or not a better line is paid instead."""


class Progressive(Struct, frozen=True, kw_only=True):
    """The jackpot bet of one book, on a box that is played to the end."""

    book: str
    lines: tuple[PayLine, ...]
    universe: int
    """How many deals there are of the cards that count, all equally likely."""
    outcomes: tuple[tuple[Made, int], ...]
    """What the cards come to, as far as a line asks, and in how many deals of the universe."""
    by_street: bool
    """Judged street by street, and after a fold by the board alone (v6)."""
    best_only: bool
    """Of several lines that the cards satisfy, only the one worth most is paid."""

    # -- one outcome ------------------------------------------------------------------------

    def held(self, made: Made) -> tuple[PayLine, ...]:
        """The lines that these cards satisfy, in the order of the table."""
        return tuple(
            line
            for line in self.lines
            if isinstance(line.when, JackpotHand) and line.when.matches(made)
        )

    def paid(self, made: Made, *, stake: int, meter: Fraction | int | None) -> tuple[PayLine, ...]:
        """The lines that are paid.

        B-15, B-19: one, the one worth most in money at this meter; of equal ones the first in the
        table. A meter of None is one so high that any share of it is worth more than any amount.
        """
        lines = self.held(made)
        if not self.best_only or len(lines) < 2:
            return lines

        def worth(line: PayLine) -> tuple[Fraction, Fraction]:
            if meter is None and isinstance(line.pays, ShareOfMeter):
                return line.pays.share, Fraction(0)
            return Fraction(0), amount(line, stake=stake, meter=meter or 0)

        return (max(lines, key=worth),)  # the first of several that are worth the same

    # -- the bet ----------------------------------------------------------------------------

    def counted(self, *, stake: int, meter: Fraction | int | None = None) -> list[CountedLine]:
        """Each line with its counts; at a meter of None as in ``paid``."""
        _check(stake, meter)
        paid: Counter[str] = Counter()
        held: Counter[str] = Counter()
        for made, count in self.outcomes:
            for line in self.held(made):
                held[line.id] += count
            for line in self.paid(made, stake=stake, meter=meter):
                paid[line.id] += count
        return [
            CountedLine(id=x.id, pays=str(x.pays), count=paid[x.id], held=held[x.id])
            for x in self.lines
        ]

    def expected(self, *, stake: int, meter: Fraction | int) -> Fraction:
        """What a stake is handed on average, in cents."""
        _check(stake, meter)
        return self._expected(self.outcomes, stake, meter) / self.universe

    def ev(self, *, stake: int, meter: Fraction | int) -> Fraction:
        """The value to the player for each unit staked."""
        return (self.expected(stake=stake, meter=meter) - stake) / stake

    def break_even(self, *, stake: int, folded: Iterable[int] = ()) -> Fraction | None:
        """The lowest meter, in cents, at which the bet does not lose; None if there is none.

        ``folded``: starting hands that are folded, which in a book judged by street leaves them
        the community lines only. The value is a sum of the larger of amounts and shares, so
        between the meters at which a share overtakes an amount it is a straight line.
        """
        _check(stake, 0)
        hands = tuple(folded)

        def lacking(meter: Fraction) -> Fraction:
            return stake - self.expected_with_folds(hands, stake=stake, meter=meter)

        return lowest_meter(lacking, self.overtakings(stake))

    def overtakings(self, stake: int) -> set[Fraction]:
        """The meters at which a share of the meter overtakes an amount, in cents."""
        return set(self._overtakings(stake))

    def _overtakings(self, stake: int) -> Iterable[Fraction]:
        for line in self.lines:
            if isinstance(line.pays, ShareOfMeter):
                for other in self.lines:
                    if not isinstance(other.pays, ShareOfMeter):
                        yield amount(other, stake=stake, meter=0) / line.pays.share

    def _expected(
        self, outcomes: Iterable[tuple[Made, int]], stake: int, meter: Fraction | int
    ) -> Fraction:
        total = Fraction(0)
        for made, count in outcomes:
            for line in self.paid(made, stake=stake, meter=meter):
                total += count * amount(line, stake=stake, meter=meter)
        return total

    # -- by starting hand -------------------------------------------------------------------

    def live(self, hand: int, *, stake: int, meter: Fraction | int) -> Fraction:
        """What the stake of this starting hand is handed on average if it is played, in cents.

        Of a book judged by street only: elsewhere a fold changes nothing.
        """
        return self._of_hand(hand, stake, meter, folded=False)

    def after_fold(self, hand: int, *, stake: int, meter: Fraction | int) -> Fraction:
        """The same if it is folded: the lines that the board makes alone (3.11.2.a)."""
        return self._of_hand(hand, stake, meter, folded=True)

    def _of_hand(self, hand: int, stake: int, meter: Fraction | int, *, folded: bool) -> Fraction:
        _check(stake, meter)
        if not self.by_street:
            raise UnsolvableGame(
                self.book, "progressive", "the flop alone decides, so a fold changes nothing"
            )
        outcomes = street_outcomes()[hand]
        if folded:
            outcomes = _after_fold(outcomes)
        deals = sum(outcomes.values())
        return self._expected(outcomes.items(), stake, meter) / deals

    def expected_with_folds(
        self, folded: Iterable[int], *, stake: int, meter: Fraction | int
    ) -> Fraction:
        """What a stake is handed on average, in cents, if these starting hands are folded."""
        total = self.expected(stake=stake, meter=meter)
        if self.by_street:
            pairs = sum(COMBINATIONS)
            for hand in folded:
                share = Fraction(COMBINATIONS[hand], pairs)
                total -= share * self.live(hand, stake=stake, meter=meter)
                total += share * self.after_fold(hand, stake=stake, meter=meter)
        return total


def lowest_meter(
    lacking: Callable[[Fraction], Fraction], turns: Iterable[Fraction]
) -> Fraction | None:
    """The lowest meter at which nothing is lacking, if what is lacking bends at ``turns`` only."""
    bends = sorted({Fraction(0), *turns})
    if lacking(bends[0]) <= 0:
        return Fraction(0)
    for low, high in zip(bends, [*bends[1:], bends[-1] + 1], strict=True):
        last = low == bends[-1]
        gain = lacking(low) - lacking(high)
        if gain > 0 and (last or lacking(high) <= 0):
            return low + (high - low) * lacking(low) / gain
    return None


class FoldFrom(Struct, frozen=True, kw_only=True):
    """A starting hand that the base game folds, and from which Ante on that is still right."""

    hand: str
    ante: Fraction
    """In cents: below this the jackpot bet makes up for what playing costs."""
    jackpot: Fraction
    """In cents: what the jackpot stake is worth more if the hand is played."""


JACKPOT_BY_STREET = Ways("jackpot-hand", {"by-street": True, "hole-and-flop": False})


def progressive(book: Rulebook, *, policies: Mapping[str, str] | None = None) -> Progressive:
    """The jackpot bet of `book`, under its default policies but for those given."""
    if book.family != "banked":
        raise UnsolvableGame(book.id, "progressive", f"a {book.family} game has no jackpot bet")
    chosen = book.policies_with(policies or {})
    lines = book.pay("progressive").lines
    by_street = JACKPOT_BY_STREET.of(book)
    for line in lines:
        _check_line(book, line, by_street)
    outcomes = every_street_outcome() if by_street else five_card_outcomes()
    return Progressive(
        book=book.id,
        lines=lines,
        universe=BY_STREET if by_street else FIVE_CARDS,
        outcomes=tuple(outcomes.items()),
        by_street=by_street,
        best_only=chosen.get(LINES_POLICY, "best-single") == "best-single",
    )


def amount(line: PayLine, *, stake: int, meter: Fraction | int) -> Fraction:
    """What a line hands over, in cents."""
    pays = line.pays
    match pays:
        case ShareOfMeter():
            return pays.share * meter
        case Fixed():
            return Fraction(pays.cents)
        case ForOne():
            return Fraction(pays.times * stake)
        case ToOne():
            return Fraction(pays.times * stake + stake)


def fold_from(
    bet: Progressive, solution: Solution, *, stake: int, meter: Fraction | int
) -> list[FoldFrom]:
    """From which Ante on each hand is folded that the base game folds, with a jackpot stake down.

    A folded box keeps the community lines only, so a fold costs the others; a small Ante may not be
    worth that. Hands that the base game plays are played with a jackpot stake all the more.
    """
    found = []
    for number in reversed(LISTED):
        hand = solution.hands[number]
        if hand.play < FOLD:
            gain = Fraction(0)
            if bet.by_street:
                gain = bet.live(number, stake=stake, meter=meter)
                gain -= bet.after_fold(number, stake=stake, meter=meter)
            found.append(FoldFrom(hand=hand.name, ante=gain / (FOLD - hand.play), jackpot=gain))
    return found


def _after_fold(outcomes: Mapping[Made, int]) -> Counter[Made]:
    folded: Counter[Made] = Counter()
    for made, count in outcomes.items():
        folded[Made(board=made.board, folded=True)] += count
    return folded


def _check_line(book: Rulebook, line: PayLine, by_street: bool) -> None:
    when = line.when
    if not isinstance(when, JackpotHand):
        raise UnsolvableGame(book.id, line.id, "a jackpot line that no jackpot hand makes")
    if by_street == (when.cards == "hole-and-flop"):
        raise UnsolvableGame(
            book.id, line.id, f"lines on {when.cards} do not go with the others of this table"
        )
    if by_street and when.category not in SEEN:
        raise UnsolvableGame(
            book.id, line.id, f"the lab does not count {when.category} street by street"
        )
    royal = when.category is Category.ROYAL_FLUSH and when.cards == "best-of-seven"
    if (when.first_complete is not None or when.hole_card) and not royal:
        raise UnsolvableGame(
            book.id, line.id, "the lab follows street and Hole Card for a Royal Flush only"
        )
    if not by_street and not when.folded:
        raise UnsolvableGame(book.id, line.id, "a line on Hole Cards and flop that a fold loses")


def _check(stake: int, meter: Fraction | int | None) -> None:
    if stake <= 0:
        raise BadAmount(f"jackpot stake: {stake / 100:,.2f} is no stake; give more than nothing")
    if meter is not None and meter < 0:
        raise BadAmount(f"meter: {float(meter) / 100:,.2f} is less than nothing")
