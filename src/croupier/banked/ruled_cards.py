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
    state.board[first : first + len(event.old)] = list(event.new)
    state.thrown += event.old
    state.exposed_board = _but(state.exposed_board, event.old)


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
    state.thrown.append(event.old)
    if event.box is not None:
        box = state.boxes[event.box]
        box.cards[event.position - 1] = event.new
        box.face_up = [card for card in box.face_up if card is not event.old]
        bonus_turns_on_the_dealer(table, box)
        onward(table)
    elif event.where == "community":
        state.board[event.position - 1] = event.new
        state.exposed_board = _but(state.exposed_board, (event.old,))
    else:
        state.dealer[event.position - 1] = event.new
        state.exposed_dealer = _but(state.exposed_dealer, (event.old,))


def _but(exposed: list[Card], thrown: tuple[Card, ...]) -> list[Card]:
    """A card that was thrown out lies open there no more."""
    return [card for card in exposed if card not in thrown]
