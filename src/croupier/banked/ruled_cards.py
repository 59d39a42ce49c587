"""Cards that a ruling deals anew: one card, or the last Community Cards, by the next of the device.

Discretion of the shift manager (5.23).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.banked.findings import CardReplaced, StreetDealtAgain
from croupier.banked.phases import bonus_turns_on_the_dealer, onward
from croupier.banked.state import BankedState
from croupier.cards import Card
from croupier.table import Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

ruled_cards = Room("ruled cards")


def last_street(state: BankedState) -> tuple[int, int]:
    """From where to where on the board the Community Cards lie that were laid last; of the set of a
    shuffler those that were turned up last, or all while none is."""
    if state.settings.device == "shoe":
        return len(state.board) - state.laid[-1], len(state.board)
    if state.street:
        return sum(state.laid[: state.street - 1]), state.shown
    return 0, len(state.board)


@ruled_cards.applies(StreetDealtAgain)
def street_dealt_again(table: BankedTable, event: StreetDealtAgain) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take(event.new)
    first = _find(state.board, event.old)
    at = range(first, first + len(event.old))
    thrown, state.exposed_board = _thrown_out(state.board, at, state.exposed_board)
    state.board[first : first + len(event.old)] = list(event.new)
    state.thrown += thrown


def _find(board: list[Any], old: tuple[Any, ...]) -> int:
    """Where the cards lie that go: the last place at which they do, as unknown ones look alike."""
    starts = reversed(range(len(board)))
    return next(i for i in starts if tuple(board[i : i + len(old)]) == old)


def replaced(
    table: BankedTable, where: str, box: int | None, position: int, cites: tuple[str, ...]
) -> CardReplaced:
    """A card of a box, of the board or of the dealer, replaced by the next one of the device."""
    state = table.state
    assert state.shoe is not None
    cards = state.board if where == "community" else state.dealer
    if box is not None:
        cards = state.boxes[box].cards
    return CardReplaced(
        where=where,
        position=position,
        box=box,
        old=cards[position - 1],
        new=state.shoe.order[0],
        cites=cites,
    )


@ruled_cards.applies(CardReplaced)
def card_replaced(table: BankedTable, event: CardReplaced) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take([event.new])
    at = range(event.position - 1, event.position)
    if event.box is not None:
        box = state.boxes[event.box]
        thrown, box.face_up = _thrown_out(box.cards, at, box.face_up)
        box.cards[event.position - 1] = event.new
        bonus_turns_on_the_dealer(table, box)
        onward(table)
    elif event.where == "community":
        thrown, state.exposed_board = _thrown_out(state.board, at, state.exposed_board)
        state.board[event.position - 1] = event.new
    else:
        thrown, state.exposed_dealer = _thrown_out(state.dealer, at, state.exposed_dealer)
        state.dealer[event.position - 1] = event.new
    state.thrown += thrown


def _thrown_out(
    place: list[Card], at: range, lie_open: list[Card]
) -> tuple[list[Card], list[Card]]:
    """The cards that go, and which of those that lie open there stay.

    Of a real shoe an open card that nobody has named is one of the unknown ones: where all of these
    go, it goes with them.
    """
    gone = [place[position] for position in at]
    unnamed = iter([card for card in lie_open if card not in place])
    if all(i in at for i, card in enumerate(place) if card is Card.UNKNOWN):
        gone = [next(unnamed, card) if card is Card.UNKNOWN else card for card in gone]
    return gone, [card for card in lie_open if card not in gone]
