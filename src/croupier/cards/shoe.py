"""The shoe: what cards are drawn from, and where every card of its deck is.

A card is in the shoe (``order``), drawn or burnt; who holds a drawn card, and whether it lies face
up, is the table's business. The unknown card ``??`` stands for a card that nobody has seen, and
that is the whole difference between the two kinds of shoe: a *virtual* one was shuffled by the
House, so its order is known; a *reported* one is real, its order is ``??`` from end to end, and
whoever sees a card come out says which it is.

Nothing is shuffled here: a new order comes in as data and is checked.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from croupier.cards.card import Card
from croupier.cards.deck import DECK, deck_faults
from croupier.cards.errors import (
    CardAlreadyOutError,
    CardNotOutError,
    CoverCardError,
    CutError,
    ForeignCardError,
    NotACardError,
    OrderMismatchError,
    ShoeError,
    ShuffleError,
    TooFewCardsError,
    UnseenOrderError,
    WrongDeckError,
)
from croupier.cards.text import write_cards

_WHOLE = frozenset(DECK)


class Pile(enum.Enum):
    """Where a card is that has left the shoe."""

    DRAWN = "drawn"
    BURNT = "burnt"


class Shoe(msgspec.Struct, kw_only=True):
    """A deck in its shoe. Make one with ``Shoe.virtual`` or ``Shoe.reported``.

    A plain record: two shoes in the same state are equal, and JSON brings back the same shoe.
    Change it by its methods alone; each either does all it says or raises a ``ShoeError`` and
    changes nothing.
    """

    real: bool
    """Whether this is a real shoe, whose cards are reported as they appear."""
    order: list[Card]
    """What is left, the next card first; ``??`` for a card whose place nobody knows."""
    drawn: list[Card] = []
    """What was drawn and is still out, in the order of drawing."""
    burnt: list[Card] = []
    """The burnt cards, the first first."""
    deck: tuple[Card, ...] = DECK
    """The cards that this shoe was loaded with: 52, unless a fault was built in on purpose."""
    was_cut: bool = False
    """Whether the deck was cut since it was last shuffled whole (v8 5.3.2 asks)."""
    cover: bool = False
    """Whether the cover card is in front, so that nothing can be drawn (v8 1.14, 3.11)."""
    cut_card: int | None = None
    """How many cards lie behind the cut card near the back, if there is one."""

    @classmethod
    def virtual(
        cls,
        order: Iterable[Card],
        *,
        deck: Iterable[Card] = DECK,
        cover: bool = False,
        cut_card: int | None = None,
    ) -> Shoe:
        """A shoe of the House's: ``order`` is the shuffled deck, the next card first.

        ``deck`` is what it must be a permutation of; only a case about a faulty deck gives another
        than 52.
        """
        deck, order = tuple(deck), list(order)
        _check_shuffled(order, deck)
        return cls(real=False, order=order, deck=deck, cover=cover, cut_card=cut_card)

    @classmethod
    def reported(
        cls,
        *,
        deck: Iterable[Card] = DECK,
        cover: bool = False,
        cut_card: int | None = None,
    ) -> Shoe:
        """A real shoe, whose cards are reported as they appear."""
        deck = tuple(deck)
        order = [Card.UNKNOWN] * len(deck)
        return cls(real=True, order=order, deck=deck, cover=cover, cut_card=cut_card)

    def __post_init__(self) -> None:
        """Every card of the deck is in exactly one place; a decoded snapshot is checked as well."""
        deck = frozenset(self.deck)
        if len(deck) != len(self.deck) or Card.UNKNOWN in deck:
            raise WrongDeckError("the deck of a shoe must be known cards, each once")
        places = [*self.order, *self.drawn, *self.burnt]
        if len(places) != len(deck):
            raise WrongDeckError(
                f"a shoe of {len(deck)} cards cannot have {len(self.order)} in it, "
                f"{len(self.drawn)} drawn and {len(self.burnt)} burnt"
            )
        known = [card for card in places if card is not Card.UNKNOWN]
        if not self.real and len(known) < len(places):
            raise WrongDeckError("a virtual shoe knows all its cards, but there is ?? among them")
        if len(set(known)) < len(known) or not deck.issuperset(known):
            faults = [f for f in deck_faults(known, self.deck) if not f.startswith("missing")]
            raise WrongDeckError(f"the cards of this shoe are not its deck: {'; '.join(faults)}")
        if self.cut_card is not None:
            self.place_cut_card(self.cut_card)

    @property
    def left(self) -> int:
        """How many cards are left in the shoe."""
        return len(self.order)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards of the deck whose place nobody has seen, in the order of the deck.

        In a real shoe, what may still turn up; in a virtual one nothing is unseen.
        """
        seen = {*self.order, *self.drawn, *self.burnt}
        return tuple(card for card in self.deck if card not in seen)

    @property
    def cut_card_out(self) -> bool:
        """Whether the cut card has come to the front: only the cards behind it are left."""
        return self.cut_card is not None and self.left <= self.cut_card

    def require(self, count: int) -> None:
        """Raise ``TooFewCardsError`` unless that many cards are left (v8 5.2.3, banked 5.8.4)."""
        if count < 0:
            raise ShoeError(f"a number of cards cannot be {count}")
        if count > self.left:
            raise TooFewCardsError(
                f"{count} cards are needed, but {self.left} are left in the shoe"
            )

    def peek(self, count: int = 1) -> tuple[Card, ...]:
        """The next cards, without drawing them. A real shoe does not know them."""
        self._check_uncovered()
        self.require(count)
        cards = tuple(self.order[:count])
        if Card.UNKNOWN in cards:
            raise UnseenOrderError(
                "the shoe is real and nobody has seen its next card: "
                "take() what is reported, or ?? if nobody saw it"
            )
        return cards

    def draw(self, count: int = 1) -> tuple[Card, ...]:
        """Draw the next cards of a known order."""
        return self.take(self.peek(count))

    def take(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Draw these cards, the first first, and return what is now known of them.

        In a virtual shoe they must be the next ones. In a real shoe this is the report of what was
        seen, ``??`` for a card that nobody saw; a card whose place is known (it was put back) must
        agree.
        """
        taken = self._next(cards)
        del self.order[: len(taken)]
        self.drawn += taken
        return tuple(taken)

    def burn(self, card: Card | None = None) -> Card:
        """Discard the next card as a burnt card (v8 1.9, banked 1.4).

        ``card`` is what was seen of it. Without it, a virtual shoe burns its next card and a real
        one ``??``.
        """
        if card is None:
            self.require(1)
            card = self.order[0]
        [burnt] = self._next([card])
        del self.order[0]
        self.burnt.append(burnt)
        return burnt

    def deal_street(self, burnt: Card, cards: tuple[Card, ...]) -> None:
        """Burn the next card and draw those after it: a whole street, as `burn` and `take` do."""
        count = len(cards) + 1
        if not self.real and not self.cover and self.order[:count] == [burnt, *cards]:
            del self.order[:count]
            self.burnt.append(burnt)
            self.drawn += cards
            return
        self.burn(burnt)
        self.take(cards)

    def identify(self, card: Card, pile: Pile = Pile.DRAWN) -> None:
        """A card that was drawn or burnt unseen turns out to be this one (as at a showdown).

        It takes the place of the first ``??`` of its pile: which one it was is not the shoe's to
        know.
        """
        self._check_may_appear(card)
        cards = self._pile(pile)
        if Card.UNKNOWN not in cards:
            raise CardNotOutError(
                f"no {pile.value} card is unknown, so none can turn out to be {card}"
            )
        cards[cards.index(Card.UNKNOWN)] = card

    def forget(self, cards: Iterable[Card], pile: Pile = Pile.DRAWN) -> None:
        """Cards that were drawn or burnt lie where nobody can tell them from the others any more;
        a virtual shoe knows its cards always."""
        if not self.real:
            raise UnseenOrderError("a virtual shoe knows its cards always")
        known = self._pile(pile)
        for card in cards:
            if card not in known:
                raise CardNotOutError(f"{card} is not among the {pile.value} cards")
            known[known.index(card)] = Card.UNKNOWN

    def declare_burnt(self, cards: Iterable[Card]) -> None:
        """Drawn cards become burnt: v8 5.5 (exposed), 5.10 (a burn left out), 5.12 (surplus)."""
        moved = tuple(cards)
        self.drawn = self._without(Pile.DRAWN, moved)
        self.burnt += moved

    def declare_drawn(self, cards: Iterable[Card]) -> None:
        """Burnt cards become drawn: reconstruction after a burn too many or in a wrong place."""
        moved = tuple(cards)
        self.burnt = self._without(Pile.BURNT, moved)
        self.drawn += moved

    def put_back(self, cards: Iterable[Card], pile: Pile = Pile.DRAWN) -> None:
        """Put cards back in front, unshuffled, so that the first of them is the next card again.

        Reconstruction: a card dealt too early or too many goes where it came from.
        """
        moved = tuple(cards)
        rest = self._without(pile, moved)
        self._set_pile(pile, rest)
        self.order[:0] = moved

    def shuffle_in(self, cards: Iterable[Card], order: Iterable[Card] | None = None) -> None:
        """Take drawn cards back and shuffle them with what is left (v8 5.11, 5.12).

        Burnt cards stay burnt. ``order`` is the shuffled order of what was left and these cards
        together; a real shoe has none to give. With no cards it shuffles what is left.
        """
        moved = tuple(cards)
        rest = self._without(Pile.DRAWN, moved)
        self.order = self._shuffled([*self.order, *moved], order)
        self.drawn = rest
        if not self.drawn and not self.burnt:
            self.was_cut = False

    def collect(self, order: Iterable[Card] | None = None) -> None:
        """All cards come back and the whole deck is shuffled: ``order`` is how it lies now.

        A round is over, void or misdealt, or the button was drawn for (v8 3.8). A real shoe has no
        order to give. Then cut and cover the deck again.
        """
        self.order = self._shuffled(self.deck, order)
        self.drawn, self.burnt = [], []
        self.was_cut = self.cover = False

    def cut(self, *places: int) -> None:
        """Cut the deck (v8 1.14): separate it at these places and reverse the portions.

        One place, 20, lifts 20 cards off and puts them behind the others. A real shoe needs none.
        """
        if self.drawn or self.burnt:
            raise CutError("the deck is cut before the first card is drawn, but cards are out")
        if self.cover:
            raise CutError(
                "the deck is cut before it goes into the shoe, but the cover card is in front"
            )
        if not places and not self.real:
            raise CutError(
                "say where to cut: the order of this shoe is known, and a cut changes it"
            )
        if len(places) == 1 and 0 < places[0] < self.left:
            [place] = places
            self.order = self.order[place:] + self.order[:place]
            self.was_cut = True
            return
        bounds = list(pairwise([0, *places, self.left]))
        if places and any(low >= high for low, high in bounds):
            raise CutError(
                f"a cut at {', '.join(map(str, places))} does not separate {self.left} cards: "
                f"name rising places from 1 to {self.left - 1}"
            )
        portions = [self.order[low:high] for low, high in bounds]
        self.order = [card for portion in reversed(portions) for card in portion]
        self.was_cut = True

    def place_cover(self) -> None:
        """The cover card goes in front of the deck (v8 1.14)."""
        if self.cover:
            raise CoverCardError("the cover card is in front of the shoe already")
        self.cover = True

    def discard_cover(self) -> None:
        """The cover card is discarded, and cards can be drawn (v8 3.11)."""
        if not self.cover:
            raise CoverCardError("there is no cover card in front of the shoe to discard")
        self.cover = False

    def place_cut_card(self, behind: int) -> None:
        """The cut card goes into the deck so that ``behind`` cards lie behind it."""
        if not 0 <= behind <= len(self.deck):
            raise CutError(
                f"there cannot be {behind} of {len(self.deck)} cards behind the cut card"
            )
        self.cut_card = behind

    def _check_uncovered(self) -> None:
        if self.cover:
            raise CoverCardError("the cover card is in front of the shoe: discard_cover() it first")

    def _next(self, cards: Iterable[Card]) -> list[Card]:
        """These cards as the next ones of the shoe, checked against all that is known."""
        given = list(cards)
        if self.cover:
            self._check_uncovered()
        if not self.real and given == self.order[: len(given)]:
            return given  # Every card of a virtual shoe comes this way.
        self.require(len(given))
        taken: list[Card] = []
        for card, expected in zip(given, self.order, strict=False):
            if expected is Card.UNKNOWN:
                if card is not Card.UNKNOWN:
                    self._check_may_appear(card)
                    if card in taken:
                        raise CardAlreadyOutError(
                            f"{card} is reported twice in {write_cards(given)}"
                        )
                taken.append(card)
            elif card is expected or (self.real and card is Card.UNKNOWN):
                taken.append(expected)
            else:
                _check_is_card(card)
                raise OrderMismatchError(f"the next card of the shoe is {expected}, not {card}")
        return taken

    def _check_may_appear(self, card: Card) -> None:
        _check_is_card(card)
        if card is Card.UNKNOWN:
            raise UnseenOrderError("?? does not say which card was seen")
        if card not in self.deck:
            raise ForeignCardError(f"{card} is not of this shoe's deck of {len(self.deck)} cards")
        for pile in Pile:
            if card in self._pile(pile):
                raise CardAlreadyOutError(
                    f"{card} cannot come out of the shoe: it is {pile.value} already"
                )
        if card in self.order:
            place = self.order.index(card) + 1
            raise OrderMismatchError(
                f"{card} cannot be the card that was seen: it lies in place {place}"
            )

    def _pile(self, pile: Pile) -> list[Card]:
        return self.drawn if pile is Pile.DRAWN else self.burnt

    def _set_pile(self, pile: Pile, cards: list[Card]) -> None:
        if pile is Pile.DRAWN:
            self.drawn = cards
        else:
            self.burnt = cards

    def _without(self, pile: Pile, cards: tuple[Card, ...]) -> list[Card]:
        """A pile without these cards; of several ``??`` the last ones go."""
        rest = self._pile(pile)[::-1]
        for card in cards:
            _check_is_card(card)
            if card not in rest:
                raise CardNotOutError(
                    f"{card} is not among the {pile.value} cards"
                    f" ({write_cards(self._pile(pile)) or 'there are none'})"
                )
            rest.remove(card)
        return rest[::-1]

    def _shuffled(self, cards: Sequence[Card], order: Iterable[Card] | None) -> list[Card]:
        if self.real:
            if order is not None:
                raise ShuffleError("a real shoe is shuffled by hand: nobody knows its new order")
            return [Card.UNKNOWN] * len(cards)
        if order is None:
            raise ShuffleError("a virtual shoe needs the new order of the cards that are shuffled")
        new = list(order)
        _check_shuffled(new, cards)
        return new


def _check_is_card(card: Card) -> None:
    if not isinstance(card, Card):
        raise NotACardError(f"{card!r} is no Card: read text with read_cards")


def _check_shuffled(order: list[Card], cards: Iterable[Card]) -> None:
    cards = tuple(cards)
    found = set(order)
    if len(found) == len(order) == len(cards) and found == (
        _WHOLE if cards is DECK else set(cards)
    ):
        return  # Every round is shuffled: the plain case is told apart without listing faults.
    if faults := deck_faults(order, cards):
        raise ShuffleError(
            f"the new order is no order of the {len(cards)} cards that were shuffled: "
            f"{'; '.join(faults)}"
        )
