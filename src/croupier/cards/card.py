"""One card: its rank, its suit, its two texts, and the unknown card ``??``.

A ``Card`` is an enum member, so that there is exactly one object per card, ``is`` and ``==`` agree,
and records that hold cards are encoded, decoded and described by JSON Schema without help.
"""

from __future__ import annotations

import enum

from croupier.cards.errors import UnknownCardError, UnreadableCardError
from croupier.cards.keys import RANK_KEYS, card_key, card_mask


class Suit(enum.Enum):
    """A suit. All suits are equal in hands (3.1.1).

    They are ordered for one purpose only, the draw for the button (v8 3.8: Spades, Hearts,
    Diamonds, Clubs downwards), and only by asking for ``order``.
    """

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    order: int
    """0 for Clubs to 3 for Spades."""
    symbol: str
    """``♣``, ``♦``, ``♥`` or ``♠``."""
    title: str
    """``Clubs``, ``Diamonds``, ``Hearts`` or ``Spades``."""

    def __init__(self, letter: str) -> None:
        self.order = "cdhs".index(letter)
        self.symbol = "♣♦♥♠"[self.order]
        self.title = ("Clubs", "Diamonds", "Hearts", "Spades")[self.order]

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        return f"Suit.{self.name}"


_RANK_TITLES = "Two Three Four Five Six Seven Eight Nine Ten Jack Queen King Ace".split()


class Rank(enum.Enum):
    """A rank, Two to Ace. The Ace is high; it counts as one only in 5-4-3-2-A (3.1.1)."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"

    order: int
    """2 for Two to 14 for Ace."""
    text: str
    """As printed on the card: ``2`` to ``10``, ``J``, ``Q``, ``K``, ``A``."""
    title: str
    """As said: ``Two`` to ``Ace``."""
    plural: str
    """As said of several: ``Twos``, ``Sixes``, ``Aces``."""

    def __init__(self, letter: str) -> None:
        self.order = "23456789TJQKA".index(letter) + 2
        self.text = "10" if letter == "T" else letter
        self.title = _RANK_TITLES[self.order - 2]
        self.plural = self.title + ("es" if self.title.endswith("x") else "s")

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        return f"Rank.{self.name}"


class _OfAKnownCard:
    """What every known card has as a plain attribute, and ``??`` has not.

    A known card's own attribute goes before this (it is a non-data descriptor), so it costs nothing
    there; only the unknown card, which has no attribute of that name, ever gets here.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, card: object, owner: type) -> _OfAKnownCard:
        if card is None:
            return self
        raise UnknownCardError(
            f"the unknown card ?? has no {self.name}: "
            "first find out which card it is, or compare it with Card.UNKNOWN"
        )


class Card(enum.Enum):
    """One of the 52 cards, or ``Card.UNKNOWN``.

    ``Card("Td")`` reads any usual spelling: ``Td``, ``td``, ``10d``, ``10♦``, ``T♦``; ``??`` is the
    unknown card. ``str(card)`` is the machine's text ``Td`` and ``card.pretty`` the people's,
    ``10♦``.
    """

    TWO_OF_CLUBS = "2c"
    THREE_OF_CLUBS = "3c"
    FOUR_OF_CLUBS = "4c"
    FIVE_OF_CLUBS = "5c"
    SIX_OF_CLUBS = "6c"
    SEVEN_OF_CLUBS = "7c"
    EIGHT_OF_CLUBS = "8c"
    NINE_OF_CLUBS = "9c"
    TEN_OF_CLUBS = "Tc"
    JACK_OF_CLUBS = "Jc"
    QUEEN_OF_CLUBS = "Qc"
    KING_OF_CLUBS = "Kc"
    ACE_OF_CLUBS = "Ac"
    TWO_OF_DIAMONDS = "2d"
    THREE_OF_DIAMONDS = "3d"
    FOUR_OF_DIAMONDS = "4d"
    FIVE_OF_DIAMONDS = "5d"
    SIX_OF_DIAMONDS = "6d"
    SEVEN_OF_DIAMONDS = "7d"
    EIGHT_OF_DIAMONDS = "8d"
    NINE_OF_DIAMONDS = "9d"
    TEN_OF_DIAMONDS = "Td"
    JACK_OF_DIAMONDS = "Jd"
    QUEEN_OF_DIAMONDS = "Qd"
    KING_OF_DIAMONDS = "Kd"
    ACE_OF_DIAMONDS = "Ad"
    TWO_OF_HEARTS = "2h"
    THREE_OF_HEARTS = "3h"
    FOUR_OF_HEARTS = "4h"
    FIVE_OF_HEARTS = "5h"
    SIX_OF_HEARTS = "6h"
    SEVEN_OF_HEARTS = "7h"
    EIGHT_OF_HEARTS = "8h"
    NINE_OF_HEARTS = "9h"
    TEN_OF_HEARTS = "Th"
    JACK_OF_HEARTS = "Jh"
    QUEEN_OF_HEARTS = "Qh"
    KING_OF_HEARTS = "Kh"
    ACE_OF_HEARTS = "Ah"
    TWO_OF_SPADES = "2s"
    THREE_OF_SPADES = "3s"
    FOUR_OF_SPADES = "4s"
    FIVE_OF_SPADES = "5s"
    SIX_OF_SPADES = "6s"
    SEVEN_OF_SPADES = "7s"
    EIGHT_OF_SPADES = "8s"
    NINE_OF_SPADES = "9s"
    TEN_OF_SPADES = "Ts"
    JACK_OF_SPADES = "Js"
    QUEEN_OF_SPADES = "Qs"
    KING_OF_SPADES = "Ks"
    ACE_OF_SPADES = "As"
    UNKNOWN = "??"

    index: int
    """0 to 51: 13 times the suit's order plus the rank's order from Two, 0, to Ace, 12."""
    mask: int
    """One bit of 64: a lane of 16 bits per suit, Clubs lowest, in it a bit per rank, Two lowest."""
    key: int
    """What the evaluator adds up (see ``keys``); 0 for the unknown card."""
    pretty: str
    """The people's text: ``10♦``, ``A♠``, ``??``."""
    title: str
    """As said: ``Ten of Diamonds``; ``unknown card``."""

    def __init__(self, text: str) -> None:
        if text == "??":
            self.key, self.pretty, self.title = 0, text, "unknown card"
            return
        rank, suit = Rank(text[0]), Suit(text[1])
        place = rank.order - 2
        self.key = card_key(place, suit.order)
        self.pretty = rank.text + suit.symbol
        self.title = f"{rank.title} of {suit.title}"
        self.rank: Rank = rank
        """The rank; the unknown card has none and says so."""
        self.suit: Suit = suit
        """The suit; the unknown card has none and says so."""
        self.index = 13 * suit.order + place
        self.mask = card_mask(place, suit.order)

    @classmethod
    def _missing_(cls, value: object) -> Card:
        card = None
        if isinstance(value, str):
            # U+FE0F only asks for a coloured picture of the symbol before it.
            card = _SPELLINGS.get(value.strip().replace("\ufe0f", ""))
        if card is None:
            raise UnreadableCardError(
                f"{value!r} is no card: write a rank (2 to 9, 10 or T, J, Q, K, A) "
                "and a suit (c, d, h, s or ♣, ♦, ♥, ♠), as in As, Td or 10♦, or ?? if unknown"
            )
        return card

    # Identity is equality here. Enum's own hash is a Python function over the name; this one is C,
    # and hot code keeps cards in dicts. It differs from run to run: never let the order of a set
    # of cards reach a result.
    __hash__ = object.__hash__

    @property
    def is_known(self) -> bool:
        """Whether this is one of the 52."""
        return self.key != 0

    def __str__(self) -> str:
        text: str = self.value
        return text

    def __repr__(self) -> str:
        return f"Card('{self.value}')"


for _name in ("rank", "suit", "index", "mask"):
    setattr(Card, _name, _OfAKnownCard(_name))


def _spellings() -> dict[str, Card]:
    """Every text that means a card, beside the machine's own."""
    spellings: dict[str, Card] = {}
    for card in Card:
        if card.is_known:
            rank, suit = card.rank, card.suit
            ranks = {rank.value, rank.value.lower(), rank.text}
            suits = {suit.value, suit.value.upper(), suit.symbol, "♧♢♡♤"[suit.order]}
            spellings |= {r + s: card for r in ranks for s in suits}
    spellings["??"] = Card.UNKNOWN  # needed for " ?? "
    return spellings


_SPELLINGS = _spellings()

assert len(Card) == 53, "52 cards and the unknown one"
assert len(RANK_KEYS) == len(Rank), "a key for each rank"
