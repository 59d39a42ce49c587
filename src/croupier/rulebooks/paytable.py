"""Pay tables: lines, what they pay, and when they apply, as data that engine and lab both read.

A condition is plain data with a pure `matches`. It speaks of classes of Hole Cards ("AKs") and of
hand categories, never of single cards: whoever has ranked the cards asks here.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from croupier.cards import Card, Category
from croupier.rulebooks.pays import Pays, ShareOfMeter

Bet = Literal["ante", "flop", "turn", "river"]
Street = Literal["flop", "turn", "river"]
CardsThatCount = Literal["hole-and-flop", "best-of-seven", "board"]
RANKS = "AKQJT98765432"  # best first
_HOLE_CLASS = re.compile(rf"([{RANKS}])([{RANKS}])([so]?)")
_PAIR_RANGE = re.compile(rf"([{RANKS}])\1-([{RANKS}])\2")


def hole_class(first: Card, second: Card) -> str:
    """The class of two Hole Cards: `"AA"`, `"AKs"` (one suit) or `"AKo"` (two suits)."""
    high, low = sorted((first.rank, second.rank), key=lambda rank: -rank.order)
    if high is low:
        return f"{high.value}{low.value}"
    return f"{high.value}{low.value}{'s' if first.suit is second.suit else 'o'}"


def hole_classes(text: str) -> tuple[str, ...]:
    """The classes that a condition names: `"AKs"` is one, `"KK-JJ"` is three.

    Raises ValueError for anything else.
    """
    if found := _PAIR_RANGE.fullmatch(text):
        high, low = RANKS.index(found[1]), RANKS.index(found[2])
        if high < low:
            return tuple(rank * 2 for rank in RANKS[high : low + 1])
    if found := _HOLE_CLASS.fullmatch(text):
        high, low = RANKS.index(found[1]), RANKS.index(found[2])
        if (high == low and not found[3]) or (high < low and found[3]):
            return (text,)
    raise ValueError(
        f"{text!r} is not a class of hole cards; expected a pair 'AA', a range of pairs 'KK-JJ', "
        "or two ranks, higher first, with s or o: 'AKs', 'AQo'"
    )


class BetWins(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="bet-wins"
):
    """The bet won, and the winning hand is at least `at_least` where the line asks for one."""

    bet: Bet
    at_least: Category | None = None

    def matches(self, bet: Bet, category: Category) -> bool:
        """Whether `bet`, won with a hand of `category`, is paid on this line."""
        if bet != self.bet:
            return False
        return self.at_least is None or category >= self.at_least


class HoleCards(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="hole-cards",
):
    """The player's two cards are of one of these classes, and the dealer's too where named."""

    player: tuple[str, ...]
    dealer: tuple[str, ...] = ()

    def matches(self, player: str, dealer: str | None) -> bool:
        """Whether the player's class, and the dealer's (None: no cards), are on this line."""
        if player not in self.player:
            return False
        return not self.dealer or dealer in self.dealer


class JackpotHand(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="jackpot-hand",
):
    """The cards that count for the jackpot are a hand of `category`.

    `first_complete` asks for the street on which that category was first there; `hole_card` asks
    for at least one Hole Card in it; a folded box gets the line only if `folded`.
    """

    category: Category
    cards: CardsThatCount
    first_complete: Street | None = None
    hole_card: bool = False
    folded: bool = False

    def matches(self, made: Made) -> bool:
        """Whether a jackpot stake whose cards came to `made` holds this line."""
        if made.folded and not self.folded:
            return False
        held = made.of(self.cards)
        if held != self.category:
            return False
        if self.first_complete is not None and made.first_complete != self.first_complete:
            return False
        return made.hole_card or not self.hole_card


Condition = BetWins | HoleCards | JackpotHand


class Made(Struct, frozen=True, kw_only=True):
    """What the cards of one box came to, as far as any jackpot line asks.

    `hole_and_flop`, `best_of_seven` and `board` are the categories of those cards (None where not
    all of them are there). `first_complete` is the street on which the category of `best_of_seven`
    was first held, and `hole_card` says whether a Hole Card is, or can be, in that hand.
    """

    hole_and_flop: Category | None = None
    best_of_seven: Category | None = None
    board: Category | None = None
    first_complete: Street | None = None
    hole_card: bool = False
    folded: bool = False

    def of(self, cards: CardsThatCount) -> Category | None:
        """The category of the cards that count."""
        if cards == "hole-and-flop":
            return self.hole_and_flop
        return self.best_of_seven if cards == "best-of-seven" else self.board


class PayLine(Struct, frozen=True, kw_only=True):
    """One line: `id` is its paragraph, `topic` what to cite when it is paid."""

    id: str
    topic: str
    pays: Pays
    when: Condition

    @property
    def major(self) -> bool:
        """A major award is a share of the meter; only those queue for an order (B-11)."""
        return isinstance(self.pays, ShareOfMeter)


class PayTable(Struct, frozen=True, kw_only=True):
    """The lines of one kind of bet, in the order of the text."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    lines: tuple[PayLine, ...]

    def line(self, id: str) -> PayLine | None:
        """The line of that paragraph, or None."""
        return next((line for line in self.lines if line.id == id), None)

    def bet_line(self, bet: Bet, category: Category) -> PayLine | None:
        """The line on which a winning `bet` is paid; None if it only comes back."""
        for line in self.lines:
            if isinstance(line.when, BetWins) and line.when.matches(bet, category):
                return line
        return None

    def hole_line(self, player: str, dealer: str | None) -> PayLine | None:
        """The first line for these classes of hole cards; None if the bet is lost."""
        for line in self.lines:
            if isinstance(line.when, HoleCards) and line.when.matches(player, dealer):
                return line
        return None

    def jackpot_lines(self, made: Made) -> tuple[PayLine, ...]:
        """Every line that a jackpot stake holds. Which of several is paid is a policy (B-15)."""
        return tuple(
            line
            for line in self.lines
            if isinstance(line.when, JackpotHand) and line.when.matches(made)
        )
