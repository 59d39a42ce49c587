"""The hand and the board of a jackpot claim, followed through the events of its round.

What was put right or ruled on after a street had been shown changes the board: the slip of an award
has the cards that lay there in the end, not those that were turned up first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from croupier.banked.events import (
    BetsCalled,
    ClaimRecorded,
    FlopRevealed,
    OpeningBetPlaced,
    Revealed,
    RiverRevealed,
    TurnRevealed,
)
from croupier.banked.findings import (
    CardReplaced,
    CardsExchanged,
    CardsRestored,
    IrregularityReported,
    RulingUndone,
    StreetDealtAgain,
)
from croupier.cards import Card
from croupier.pit.ports.port import Claimed
from croupier.table import DecisionTaken, Event

Streets = tuple[tuple[Card, ...], ...]
"""The cards of each street that has been shown."""
_STREETS: tuple[type[Revealed], ...] = (FlopRevealed, TurnRevealed, RiverRevealed)
_BEGINS_A_RULING = (IrregularityReported, DecisionTaken)


def claimed_in(events: Iterable[Event], box: int) -> Claimed:
    """Whose hand was claimed last at a box, with its cards and the Community Cards."""
    found = Claimed()
    shown: Streets = ()
    before: Streets = ()
    for event in events:
        match event:
            case BetsCalled():
                found, shown = Claimed(), ()
            case OpeningBetPlaced() if event.box == box:
                found = structs.replace(found, player=event.player)
            case ClaimRecorded() if event.box == box:
                found = structs.replace(found, hand=event.cards)
            case RulingUndone():
                shown = before
            case _:
                if isinstance(event, _BEGINS_A_RULING):
                    before = shown
                shown = _after(shown, event)
    return structs.replace(found, board=tuple(card for street in shown for card in street))


def _after(shown: Streets, event: Event) -> Streets:
    """The streets after an event."""
    board = [card for street in shown for card in street]
    match event:
        case FlopRevealed() | TurnRevealed() | RiverRevealed():
            street = _STREETS.index(type(event))
            # One that is shown once more has not gone back.
            return (*shown[:street], event.cards, *shown[street + 1 :])
        case StreetDealtAgain(old=old, new=new):
            ends = range(len(board), len(old) - 1, -1)
            end = next((e for e in ends if tuple(board[e - len(old) : e]) == old), None)
            if end is not None:
                board[end - len(old) : end] = new
        case CardReplaced(where="community", position=position, new=new):
            if position <= len(board):
                board[position - 1] = new
        case CardsRestored(board=restored, laid=laid):
            counts = laid[: len(shown)] or tuple(map(len, shown))
            return _split(restored, counts)
        case CardsExchanged(community=places, order=order):
            # The first places are of hands; what came from there is not told.
            first = len(order) - len(places) - len(event.dealer)
            lying = dict(enumerate((board[p - 1 : p] for p in places), first + 1))
            for at, place in enumerate(places, first):
                if place <= len(board):
                    [board[place - 1]] = lying.get(order[at]) or [Card.UNKNOWN]
        case _:
            return shown
    return _split(board, tuple(map(len, shown)))


def _split(board: Sequence[Card], counts: Sequence[int]) -> Streets:
    ends = [sum(counts[: street + 1]) for street in range(len(counts))]
    return tuple(tuple(board[end - n : end]) for end, n in zip(ends, counts, strict=True))
