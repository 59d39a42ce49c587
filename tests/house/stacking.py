"""Decks that a test has stacked, for jackpots that nobody waits for.

No House can stack a deck: secret and seeds make it. Here the last step, in which the players'
permutation is laid over the House's order, gives the stacked deck instead, for whoever shuffles
and for whoever audits alike; everything else is as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from croupier.cards import Card
from croupier.house import mixing
from croupier.house.dealer import Dealer

Deck = Callable[[tuple[Card, ...]], Sequence[Card]]

_honest = mixing.mixed
_stacked: dict[tuple[Any, ...], tuple[Card, ...]] = {}
_now: list[Deck] = []


def _mixed(order: Sequence[Card], places: Sequence[int]) -> tuple[Card, ...]:
    key = (tuple(order), tuple(places))
    if _now:
        _stacked[key] = tuple(_now[-1](_honest(order, places)))
    return _stacked.get(key) or _honest(order, places)


mixing.mixed = _mixed


@contextmanager
def all_stacked(deck: Deck) -> Iterator[None]:
    """Meanwhile every deck is stacked so; and one of another process is taken for it."""
    _now.append(deck)
    try:
        yield
    finally:
        _now.pop()


def stack_decks(dealer: Dealer, deck: Deck) -> None:
    """From now on the decks of this dealer are what `deck` makes of them."""
    outcome = type(dealer.binding).outcome

    def stacked(*asked: Any) -> Any:
        with all_stacked(deck):
            return outcome(dealer.binding, *asked)

    dealer.binding.outcome = stacked  # type: ignore[method-assign]
