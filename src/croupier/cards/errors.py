"""Everything that can be wrong with cards, by name.

The tree (each is also a ``ValueError``)::

    CardError
    ├── UnreadableCardError      text that is no card
    ├── UnknownCardError         ``??`` where a known card is needed
    ├── NotACardError            something that is no ``Card`` at all
    ├── CardTwiceError           the same card twice in one hand
    ├── CardCountError           too few or too many cards for a hand
    ├── WrongDeckError           a deck with cards missing, doubled or foreign
    └── ShoeError
        ├── CardAlreadyOutError      a card that has left the shoe already
        ├── CardNotOutError          a card that is not where it should be taken from
        ├── ForeignCardError         a card that is not of the shoe's deck
        ├── OrderMismatchError       not the card that lies next
        ├── TooFewCardsError         more cards asked for than are left
        ├── UnseenOrderError         a real shoe: only whoever sees the card can say it
        ├── ShuffleError             an order that is no permutation of what was shuffled
        ├── CutError                 a cut in a wrong place or at a wrong time
        └── CoverCardError           the cover card still in front, or not there
"""

from __future__ import annotations


class CardError(ValueError):
    """Something is wrong with cards; the message says what, where and what to do."""


class UnreadableCardError(CardError):
    """A text is no card."""


class UnknownCardError(CardError):
    """The unknown card ``??`` was met where a known card is needed."""


class NotACardError(CardError, TypeError):
    """Something that is no ``Card`` was met where a card is needed."""


class CardTwiceError(CardError):
    """The same card occurs twice."""


class CardCountError(CardError):
    """A hand has too few or too many cards."""


class WrongDeckError(CardError):
    """A deck is not the one it should be: cards are missing, doubled or foreign."""


class ShoeError(CardError):
    """A shoe was asked for something that it cannot do."""


class CardAlreadyOutError(ShoeError):
    """A card was reported that has left the shoe already (v8 5.2.2: an excess deck?)."""


class CardNotOutError(ShoeError):
    """A card is not in the pile from which it should be taken."""


class ForeignCardError(ShoeError):
    """A card is not of the deck that the shoe was loaded with (v8 5.2.1)."""


class OrderMismatchError(ShoeError):
    """A card was named that is not the next card of the shoe's known order."""


class TooFewCardsError(ShoeError):
    """More cards were asked for than the shoe holds (v8 5.2.3, banked 5.8.4)."""


class UnseenOrderError(ShoeError):
    """The next card of a reported shoe was asked for: only whoever sees it can say it."""


class ShuffleError(ShoeError):
    """A new order is no permutation of the cards that were shuffled."""


class CutError(ShoeError):
    """A cut in a place where there is none, or when it is too late."""


class CoverCardError(ShoeError):
    """The cover card is still in front of the shoe, or is not there (v8 1.14, 3.11)."""
