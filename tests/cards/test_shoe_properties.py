"""Whatever is done to a shoe, every card is in one place, and what is refused changes nothing."""

import copy

import msgspec
import pytest
from hypothesis import settings as how
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from croupier.cards import DECK, Card, Pile, Shoe, ShoeError


class Dealing(RuleBasedStateMachine):
    """Random operations on a shoe with a hidden true order, which a real shoe is not told."""

    @initialize(real=st.booleans(), order=st.permutations(DECK), cover=st.booleans())
    def load(self, real, order, cover):
        self.real = real
        self.truth = list(order)  # what really lies in the shoe
        self.out = {Pile.DRAWN: [], Pile.BURNT: []}  # what really is out, and whether it was seen
        self.shoe = Shoe.reported(cover=cover) if real else Shoe.virtual(order, cover=cover)

    def attempt(self, act):
        """Do it, or be refused and find the shoe unchanged."""
        before = copy.deepcopy(self.shoe)
        try:
            act()
        except ShoeError:
            assert self.shoe == before
            return False
        return True

    @rule(count=st.integers(0, 6), seen=st.booleans())
    def take(self, count, seen):
        cards = self.truth[:count]
        told = cards if seen or not self.real else [Card.UNKNOWN] * len(cards)
        if self.attempt(lambda: self.shoe.take(told)):
            assert not self.shoe.cover
            self.out[Pile.DRAWN] += cards
            del self.truth[:count]

    @rule(seen=st.booleans())
    def burn(self, seen):
        told = self.truth[0] if seen and self.truth else None
        if self.attempt(lambda: self.shoe.burn(told)):
            assert not self.shoe.cover
            self.out[Pile.BURNT].append(self.truth.pop(0))

    @rule()
    def discard_cover(self):
        self.attempt(self.shoe.discard_cover)

    @rule(place=st.integers(-1, 53))
    def cut(self, place):
        if self.attempt(lambda: self.shoe.cut(place)):
            self.truth = self.truth[place:] + self.truth[:place]

    @rule(data=st.data(), order=st.randoms(use_true_random=False))
    def shuffle_in(self, data, order):
        cards = self.some_known(data, Pile.DRAWN)
        new = [*self.truth, *cards]
        order.shuffle(new)
        if self.attempt(lambda: self.shoe.shuffle_in(cards, None if self.real else new)):
            self.truth = new
            self.remove(Pile.DRAWN, cards)

    @rule(data=st.data())
    def put_back(self, data):
        cards = self.some_known(data, Pile.DRAWN)
        if self.attempt(lambda: self.shoe.put_back(cards)):
            self.truth[:0] = cards
            self.remove(Pile.DRAWN, cards)

    @rule(data=st.data())
    def declare_burnt(self, data):
        cards = self.some_known(data, Pile.DRAWN)
        if self.attempt(lambda: self.shoe.declare_burnt(cards)):
            self.remove(Pile.DRAWN, cards)
            self.out[Pile.BURNT] += cards

    @rule(data=st.data(), pile=st.sampled_from(Pile))
    def identify(self, data, pile):
        unseen = [card for card in self.out[pile] if card not in self.shoe_pile(pile)]
        if unseen:
            card = data.draw(st.sampled_from(unseen))
            self.shoe.identify(card, pile)
            assert card in self.shoe_pile(pile)

    @rule(card=st.sampled_from(list(Card)))
    def report_any_card(self, card):
        """A report that cannot be true is refused: a card that is out and was seen."""
        seen_out = card.is_known and card in [*self.shoe.drawn, *self.shoe.burnt]
        trial = copy.deepcopy(self.shoe)
        try:
            trial.take([card])
        except ShoeError:
            return
        assert not seen_out

    @rule(order=st.permutations(DECK))
    def collect(self, order):
        self.shoe.collect(None if self.real else order)
        self.truth = list(order)
        self.out = {Pile.DRAWN: [], Pile.BURNT: []}

    def shoe_pile(self, pile):
        return self.shoe.drawn if pile is Pile.DRAWN else self.shoe.burnt

    def some_known(self, data, pile):
        known = [card for card in self.shoe_pile(pile) if card.is_known]
        return data.draw(st.lists(st.sampled_from(known), unique=True)) if known else []

    def remove(self, pile, cards):
        self.out[pile] = [card for card in self.out[pile] if card not in cards]

    @invariant()
    def every_card_is_in_one_place(self):
        places = [*self.shoe.order, *self.shoe.drawn, *self.shoe.burnt]
        known = [card for card in places if card.is_known]
        assert len(places) == 52
        assert len(set(known)) == len(known)
        assert len(known) == 52 or self.real
        assert len(self.shoe.unseen) == 52 - len(known)

    @invariant()
    def the_shoe_agrees_with_the_truth(self):
        for told, true in (
            (self.shoe.order, self.truth),
            (self.shoe.drawn, self.out[Pile.DRAWN]),
            (self.shoe.burnt, self.out[Pile.BURNT]),
        ):
            assert len(told) == len(true)
            assert {card for card in told if card.is_known} <= set(true)
        for told, true in zip(self.shoe.order, self.truth, strict=True):
            assert told in (true, Card.UNKNOWN)

    @invariant()
    def a_snapshot_is_the_same_shoe(self):
        assert msgspec.json.decode(msgspec.json.encode(self.shoe), type=Shoe) == self.shoe


class TestDealing(Dealing.TestCase):
    """Some shoes; the slow set has ten times as many."""

    settings = how(max_examples=30)


@pytest.mark.slow
class TestDealingOften(Dealing.TestCase):
    """The same, thorough by number."""

    settings = how(max_examples=300)
