"""What the guide says of a table, to the player whose view it is.

In the banked games the better decision and what the other one costs, counted exactly as the bots
do; in poker the strength of the hand against hands at random, and the odds of the pot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from croupier.banked.view import BankedView, BoxView
from croupier.cards import Card
from croupier.live.bots.banked_strategy import Strategy
from croupier.live.bots.equity import draw, mean_share
from croupier.live.bots.poker_bot import BOARDS
from croupier.live.bots.quick import live_pairs, mask_of
from croupier.pit import GAMES
from croupier.poker.view import PokerView, SeatView
from croupier.table import Offer, write_money

DRAWS = 600
"""Deals that are tried for the strength of a poker hand."""


def advice(view: object) -> tuple[str, ...]:
    """What there is to say to a player about the table as he sees it."""
    advises = _ADVISES.get(type(view))
    return tuple(advises(view)) if advises is not None else ()


def _boxes(view: BankedView) -> Iterator[str]:
    for number in view.yours:
        yield from _banked(view, number)


def _own_seat(view: PokerView) -> Iterator[str]:
    for number in view.yours[:1]:
        yield from _poker(view, view.seats[number], view.offers.get(number, []))


_ADVISES: dict[type, Callable[[Any], Iterator[str]]] = {BankedView: _boxes, PokerView: _own_seat}
"""Who advises at which kind of table; at others nobody does."""


def _allowed(offers: list[Offer]) -> str:
    return f"The book allows now: {', '.join(map(_words, offers))}."


def _words(offer: Offer) -> str:
    """An offer as one says it; the others' amounts stand on their buttons."""
    if offer.least is None or offer.most is None or offer.least == offer.most:
        return offer.do
    to = " to" if offer.word == "to" and offer.do == "raise" else ""
    least, most = write_money(offer.least), write_money(offer.most)
    return f"{offer.do}{to} anything from {least} to {most}"


# -- banked ---------------------------------------------------------------------------------------


@cache
def _strategy(book: str) -> Strategy:
    return Strategy(GAMES.load(book))


def _banked(view: BankedView, number: int) -> Iterator[str]:
    box = view.boxes[number]
    bets = [offer for offer in box.may if offer.do.endswith(" bet")]
    if not bets:
        return
    where = f"Box {number}: " if len(view.yours) > 1 else ""
    if Card.UNKNOWN in box.cards:
        yield f"{where}You have not looked at these cards."
        return
    yield where + _better(view, box, bets[0])


def _better(view: BankedView, box: BoxView, bet: Offer) -> str:
    board = [card for card in view.board if card is not Card.UNKNOWN]
    verdict = _strategy(view.rulebook).judge(box.cards, board)
    costs = _money(verdict.gain * box.stakes.get("ante", 0))
    name = f"{bet.do.split()[0].capitalize()} bet"
    without = "Check" if board else "Fold"
    better, other = (name, without) if verdict.bet else (without, name)
    said = f"{better} is better: {other} would cost {costs} on average."
    if not board and any(box.stakes.get(side) for side in ("bonus", "progressive")):
        # What a fold does to them depends on the book; the solver knows the main bets alone.
        said += " Bonus and jackpot bets are not counted."
    return said


def _money(cents: Fraction) -> str:
    return write_money(round(cents))


# -- poker ----------------------------------------------------------------------------------------


def _poker(view: PokerView, mine: SeatView, offers: list[Offer]) -> Iterator[str]:
    if not offers or view.status != "betting":
        return
    others = [s for s in view.seats.values() if s.active and s.player != mine.player]
    known = len(mine.cards) == 2 and Card.UNKNOWN not in mine.cards
    if known and others and len(view.board) in BOARDS:
        wins = round(100 * _strength(mine.cards, view.board, len(others)))
        against = "one hand" if len(others) == 1 else f"{len(others)} hands"
        yield f"You have {mine.makes}. Against {against} at random it wins {wins}% of the pot."
    call = next((offer for offer in offers if offer.do == "call"), None)
    if call is not None and call.least is not None:
        more = min(call.least - mine.bet, mine.stake)
        need = round(100 * more / (view.pot + more))
        yield (
            f"To call costs {write_money(more)} for a pot of {write_money(view.pot)}: it pays "
            f"from {need}% on."
        )
    yield _allowed(offers)


def _strength(cards: tuple[Card, ...], board: tuple[Card, ...], others: int) -> float:
    pairs = live_pairs(mask_of((*cards, *board)))
    even = [1.0] * len(pairs)
    strength = [0] * (max(pairs) + 1)
    samples = draw(cards, board, pairs, [even] * others, strength, DRAWS, Random(DRAWS))
    return mean_share(samples)
