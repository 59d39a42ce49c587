"""What a visitor may do at a poker table, ready-made."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cards import Card
from croupier.pit.ports.offers import USUAL, ReadyMade, answers, with_amount
from croupier.poker import PokerTable
from croupier.poker.seating import is_asked_with_less
from croupier.poker.view import PokerView

BETWEEN = frozenset(
    ("open", "between rounds", "shuffling", "cutting", "ready", "drawing for the button")
)
"""When no Round of poker is under way, unless the deck is made ready after a Misdeal."""
AMOUNTS = {"bet": "to", "raise": "to"}
"""The word under which a poker command says its amount."""


def no_round(view: PokerView) -> bool:
    """Whether no Round of play is under way; one that had a Misdeal is (v8 5.3.6)."""
    return view.status in BETWEEN and view.betting_round is None


def poker_offers(table: PokerTable, view: PokerView, who: str) -> Iterator[ReadyMade]:
    """What he may do now; `view` is his own."""
    settings = table.state.settings
    most = settings.maximum_stake
    usual = max(settings.minimum_stake, min(USUAL * settings.big_blind, most or 1 << 53))
    least, step = settings.minimum_stake, settings.smallest_chip
    if not view.yours:
        free = [n for n in range(1, settings.seats + 1) if n not in view.seats]
        if free and not is_asked_with_less(table, who):
            command = {"do": "sit", "seat": free[0], "player": who, "stake": usual}
            yield ReadyMade(do="sit", command=command, least=least, most=most, step=step)
        return
    yield from answers(view.decisions)
    number = view.yours[0]
    seat = view.seats[number]
    if seat.cards and seat.active and not seat.looked:
        yield ReadyMade(do="look", command={"do": "look", "seat": number})
    for offer in view.offers.get(number, ()):
        command = {"do": offer.do, "seat": number}
        if offer.do == "show hand" and _must_be_named(table, number):
            continue
        if offer.do in AMOUNTS:
            yield with_amount(offer, AMOUNTS[offer.do], command)
        else:
            yield ReadyMade(do=offer.do, command=command)
    if not seat.here:
        yield ReadyMade(do="return to seat", command={"do": "return to seat", "seat": number})
    if no_round(view):
        if seat.stake == 0:  # the minimum counts on buying in again from nothing
            command = {"do": "top up", "seat": number, "amount": usual}
            yield ReadyMade(do="top up", command=command, least=least, most=most, step=step)
        yield ReadyMade(do="leave", command={"do": "leave", "seat": number})


def _must_be_named(table: PokerTable, seat: int) -> bool:
    """Whether a hand is of real cards that the table does not know: no command is ready for it,
    since whoever shows it says which they are."""
    return Card.UNKNOWN in table.current_round().players[seat].cards
