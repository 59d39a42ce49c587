"""What a box's cards come to on the Bonus and jackpot pay tables; nothing here moves money."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct

from croupier.banked.figures import HOLE_CARDS
from croupier.cards import Card, Category, HandValue, rank_hand
from croupier.rulebooks import (
    Fixed,
    ForOne,
    HoleCards,
    JackpotHand,
    Made,
    PayLine,
    Rulebook,
    ShareOfMeter,
    Topic,
    Ways,
    hole_class,
    number_of,
)

Bet = Literal["ante", "flop", "turn", "river"]

_LIST_TOPICS = {
    Category.ROYAL_FLUSH: Topic.JACKPOT_LIST_ROYAL_FLUSH,
    Category.STRAIGHT_FLUSH: Topic.JACKPOT_LIST_STRAIGHT_FLUSH,
    Category.FOUR_OF_A_KIND: Topic.JACKPOT_LIST_FOUR_OF_A_KIND,
    Category.FULL_HOUSE: Topic.JACKPOT_LIST_FULL_HOUSE,
    Category.FLUSH: Topic.JACKPOT_LIST_FLUSH,
    Category.STRAIGHT: Topic.JACKPOT_LIST_STRAIGHT,
}
RANK_TOPICS = {category: Topic(f"rank-{category.value}") for category in Category}


class Held(Struct, frozen=True, kw_only=True):
    """One jackpot line that a stake holds, and the fixed line that may be worth more (B-19)."""

    line: PayLine
    instead: PayLine | None = None


ANY_LINE_AFTER_FOLD = Ways("jackpot-after-fold", {"any-line": True, "community-lines": False})
"""Whether a folded hand can still win every jackpot line; else only what the board makes alone."""

HAND_CARDS = number_of("hand-cards")
JACKPOT_CARDS = number_of("jackpot-cards")


class PayTables:
    """The pay tables of a book, asked again and again: each answer is found once and kept."""

    @classmethod
    def of(cls, book: Rulebook) -> PayTables:
        """Those of a book; its tables share them."""
        return cls(book)

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._main: dict[tuple[str, Category], PayLine | None] = {}
        self._bonus: dict[tuple[str, str | None], PayLine | None] = {}
        self._classes: dict[tuple[Card, ...], str] = {}
        self._topics: dict[Category | None, tuple[str, ...]] = {}
        self.jackpot_cards = WHAT_COUNTS.of(book)
        self._hand = HAND_CARDS.of(book)
        self._holes = HOLE_CARDS.of(book)
        self._hole_and_flop = JACKPOT_CARDS.of(book) if book.has(Topic.JACKPOT_HAND) else 0
        conditions = [line.when for line in book.pay("progressive").lines]
        self._jackpot = frozenset(
            when.category for when in conditions if isinstance(when, JackpotHand)
        )

    def main(self, bet: Bet, category: Category) -> PayLine | None:
        """The line on which a winning bet is paid; None if it only comes back (3.13)."""
        key = bet, category
        if key not in self._main:
            self._main[key] = self.book.pay("main").bet_line(bet, category)
        return self._main[key]

    def bonus(self, player: Sequence[Card], dealer: Sequence[Card] | None) -> PayLine | None:
        """The Bonus line of two Hole Cards; the dealer's count for one line only (B-30, B-31)."""
        theirs = self._class(dealer) if dealer is not None else None
        key = self._class(player), theirs
        if key not in self._bonus:
            self._bonus[key] = self.book.pay("bonus").hole_line(*key)
        return self._bonus[key]

    def bonus_by_dealer(self, player: Sequence[Card]) -> bool:
        """Whether the Bonus line of two Hole Cards turns on what the dealer holds; of cards that
        are no such hand, or not known, it does not."""
        if len(player) != self._holes or Card.UNKNOWN in player:
            return False
        own = self._class(player)
        conditions = [line.when for line in self.book.pay("bonus").lines]
        return any(
            isinstance(when, HoleCards) and bool(when.dealer) and own in when.player
            for when in conditions
        )

    def _class(self, cards: Sequence[Card]) -> str:
        key = tuple(cards)
        found = self._classes.get(key)
        if found is None:
            found = self._classes[key] = hole_class(*key)
        return found

    def made(self, cards: Sequence[Card] | None, board: Sequence[Card], *, folded: bool) -> Made:
        """What the cards of a box came to, as far as the jackpot lines of this book ask.

        Without `cards` only the board counts. By which street a hand was complete, and whether a
        Hole Card is in it, is found out only for a hand that has a line.
        """
        return self.jackpot_cards.made(self, cards, board, folded)

    def hole_and_flop(
        self, cards: Sequence[Card] | None, board: Sequence[Card], folded: bool
    ) -> Made:
        """Exactly the Hole Cards and the flop (1.21, 4.2.1)."""
        if cards is None:
            return Made(folded=folded)
        five = (*cards, *board)[: self._hole_and_flop]
        if len(five) < self._hole_and_flop:
            return Made(folded=folded)
        return Made(hole_and_flop=rank_hand(five).category, folded=folded)

    def by_street(self, cards: Sequence[Card] | None, board: Sequence[Card], folded: bool) -> Made:
        """The best of all cards that are out, with the street on which it was there (B-16)."""
        alone = rank_hand(board) if len(board) >= self._hand else None
        on_board = alone.category if alone is not None else None
        if cards is None or len(board) < 3:
            return Made(board=on_board, folded=folded)
        best = rank_hand((*cards, *board))
        if best.category not in self._jackpot:
            return Made(best_of_seven=best.category, board=on_board, folded=folded)
        return Made(
            best_of_seven=best.category,
            board=on_board,
            first_complete=_first_complete(cards, board, best.category),
            hole_card=alone is None or alone != best or _with_hole_card(cards, board, best),
            folded=folded,
        )

    def jackpot(self, made: Made) -> tuple[PayLine, ...]:
        """Every jackpot line that these cards hold; most hands hold none."""
        if self._jackpot.isdisjoint((made.hole_and_flop, made.best_of_seven, made.board)):
            return ()
        return self.book.pay("progressive").jackpot_lines(made)

    def jackpot_topics(self, made: Made) -> tuple[str, ...]:
        """What to cite for a jackpot hand: its place on the book's own list, where it has one."""
        category = made.hole_and_flop
        if category not in self._topics:
            self._topics[category] = _list_topics(self.book, category)
        return self._topics[category]


class JackpotCards(Struct, frozen=True, kw_only=True):
    """Which cards make a jackpot hand, and the street with which it is complete."""

    made: Callable[[PayTables, Sequence[Card] | None, Sequence[Card], bool], Made]
    complete: Literal[1, 3]

    @property
    def whole_board(self) -> bool:
        """Whether all Community Cards count, not the flop alone."""
        return self.complete == 3


WHAT_COUNTS = Ways(
    "jackpot-hand",
    {
        "hole-and-flop": JackpotCards(made=PayTables.hole_and_flop, complete=1),
        "by-street": JackpotCards(made=PayTables.by_street, complete=3),
    },
)


def _first_complete(
    cards: Sequence[Card], board: Sequence[Card], category: Category
) -> Literal["flop", "turn", "river"]:
    """The street on which this category was first there (B-16)."""
    if rank_hand((*cards, *board[:3])).category is category:
        return "flop"
    if len(board) == 4 or rank_hand((*cards, *board[:4])).category is category:
        return "turn"
    return "river"


def _with_hole_card(cards: Sequence[Card], board: Sequence[Card], best: HandValue) -> bool:
    """Whether a hand as good as the board's own can be made with a Hole Card in it."""
    fives = combinations((*cards, *board), 5)
    return any(rank_hand(five) == best and not set(five).isdisjoint(cards) for five in fives)


def found_lines(
    pays: PayTables, policies: Mapping[str, str], made: Made, stake: int
) -> tuple[Held, ...]:
    """The lines that a jackpot stake is paid on: one, the most valuable (B-15), unless the policy
    says that all of them are paid."""
    lines = pays.jackpot(made)
    if not lines:
        return ()
    if policies.get("v6-lines") == "all-lines":
        return tuple(Held(line=line) for line in lines)
    shares = [line for line in lines if line.major]
    fixed = [line for line in lines if not line.major]
    best_fixed = max(fixed, key=lambda line: worth(line, stake), default=None)
    if shares:
        best = max(shares, key=_share)
        return (Held(line=best, instead=best_fixed),)
    assert best_fixed is not None
    return (Held(line=best_fixed),)


def worth(line: PayLine, stake: int) -> int:
    """What a line that is no share of the meter pays for a stake that is kept (B-21, B-22)."""
    if isinstance(line.pays, Fixed):
        return line.pays.cents
    assert isinstance(line.pays, ForOne), "a share of the meter is the link's to work out"
    return line.pays.handed_over(stake)


def _share(line: PayLine) -> int:
    assert isinstance(line.pays, ShareOfMeter)
    return line.pays.percent


def percent(line: PayLine) -> str:
    """The share of a major line as it is written on the pay table."""
    assert isinstance(line.pays, ShareOfMeter)
    return str(line.pays.percent)


def _list_topics(book: Rulebook, category: Category | None) -> tuple[str, ...]:
    if not book.has(Topic.JACKPOT_HAND):
        return (Topic.JACKPOT_PAY_TABLE,)
    topic = _LIST_TOPICS.get(category) if category is not None else None
    if topic is None or not book.has(topic):
        return (Topic.JACKPOT_HAND, Topic.JACKPOT_HAND_LIST, Topic.JACKPOT_PAY_TABLE)
    return (Topic.JACKPOT_HAND, topic, Topic.JACKPOT_PAY_TABLE)
