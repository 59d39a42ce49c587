"""Reconstruction: cards back in the order in which they were meant to fall (1.22).

The table knows the order in which the cards left the device, so it knows what a correct deal of
these cards gives. Whether it can be done is for the House to say; how, is worked out here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.findings import CardsExchanged, CardsRestored
from croupier.banked.phases import onward
from croupier.banked.state import BankedState
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

reconstruction = Room("reconstruction")


def possible(table: BankedTable) -> bool:
    """Whether the order of the deal is still whole: nothing replaced, and enough cards left."""
    state = table.state
    if state.thrown or state.shoe is None:
        return False
    # Of real cards the order is known only as far as they were said where they lay.
    out = [*state.shoe.drawn, *state.shoe.burnt]
    if sorted(map(str, out)) != sorted(map(str, state.sequence)):
        return False
    return _needed(table) <= len(state.sequence) + state.shoe.left


def _dealt_in(state: BankedState) -> list[int]:
    """The boxes that a correct deal gives Hole Cards; a hand cancelled before it gets none."""
    return [n for n, box in sorted(state.boxes.items()) if box.dealt is not None]


def _needed(table: BankedTable) -> int:
    """How many cards a correct deal would have used by now."""
    state, book = table.state, table.book
    boxes = len(_dealt_in(state))
    holes = book.number("hole-cards") * boxes if _out(state) else 0
    dealer = book.number("dealer-cards") if state.dealer else 0
    if state.settings.device == "shuffler":
        return (book.number("community-cards") if state.laid else 0) + holes + dealer
    streets = [book.number("flop-cards"), 1, 1][: len(state.laid)]
    return (1 if holes else 0) + holes + sum(streets) + len(streets) + dealer


def _out(state: BankedState) -> bool:
    return any(box.cards for box in state.boxes.values())


def restored(table: BankedTable, cites: tuple[str, ...]) -> CardsRestored:
    """The layout that a correct deal of the same cards gives."""
    state, book = table.state, table.book
    assert state.shoe is not None
    needed, out = _needed(table), len(state.sequence)
    more = tuple(state.shoe.order[: max(needed - out, 0)])
    cards = [*state.sequence, *more]
    back = tuple(cards[needed:])
    fall = iter(cards[:needed])
    boxes = _dealt_in(state)
    each = book.number("hole-cards")
    hands: dict[int, list[Card]] = {n: [] for n in boxes}
    board: list[Card] = []
    burns: list[Card] = []
    if state.settings.device == "shuffler":
        if state.laid:
            board = [next(fall) for _ in range(book.number("community-cards"))]
        if _out(state):
            for number in boxes:
                hands[number] = [next(fall) for _ in range(each)]
    else:
        if _out(state):
            burns.append(next(fall))
            for number in boxes * each:
                hands[number].append(next(fall))
        for count in [book.number("flop-cards"), 1, 1][: len(state.laid)]:
            burns.append(next(fall))
            board += [next(fall) for _ in range(count)]
    return CardsRestored(
        hands={n: tuple(hand) for n, hand in hands.items()},
        board=tuple(board),
        dealer=tuple(fall),
        burns=tuple(burns),
        drawn=more,
        back=back,
        cites=cites,
    )


def whole_hands_moved(
    table: BankedTable, moves: dict[int, int], cites: tuple[str, ...]
) -> CardsRestored:
    """Complete hands shifted from one box to another, nothing else (5.8.6)."""
    state = table.state
    hands = {n: tuple(box.cards) for n, box in state.boxes.items() if box.cards}
    moved = {moves.get(n, n): hand for n, hand in hands.items()}
    return CardsRestored(
        hands=moved,
        board=tuple(state.board),
        dealer=tuple(state.dealer),
        burns=tuple(state.burns),
        cites=cites,
    )


def check_moves(table: BankedTable, moves: dict[int, int]) -> None:
    """Each named hand goes to a named box, and none goes to two."""
    hands = {n for n, box in table.state.boxes.items() if box.cards}
    if set(moves) != set(moves.values()) or not set(moves) <= hands:
        raise BadCommand("moves must send the hands of some boxes to those same boxes, each once")


def find_moves(table: BankedTable) -> dict[int, int]:
    """The shift of whole hands that puts a deal right, if there is one and cards are known."""
    state = table.state
    if not possible(table) or any(Card.UNKNOWN in box.cards for box in state.boxes.values()):
        return {}
    right = {n: frozenset(hand) for n, hand in restored(table, ()).hands.items()}
    now = {n: frozenset(box.cards) for n, box in state.boxes.items() if box.cards}
    homes = {hand: n for n, hand in right.items()}
    moves = {n: homes.get(hand, 0) for n, hand in now.items()}
    if 0 in moves.values() or moves == {n: n for n in now}:
        return {}
    return {n: home for n, home in moves.items() if n != home}


@reconstruction.when(CardsRestored)
def cards_restored(table: BankedTable, event: CardsRestored) -> None:
    state = table.state
    assert state.shoe is not None
    again = bool(event.drawn or event.back) or list(event.burns) != state.burns
    if again:
        _deal_again(state, event)
    for number, hand in event.hands.items():
        box = state.boxes[number]
        box.cards = list(hand)
        box.face_up = [card for card in box.face_up if card in hand]
    shown = state.board[: state.shown]
    state.board = list(event.board)
    state.dealer = list(event.dealer)
    state.burns = list(event.burns)
    state.missed = []
    if again and state.settings.device == "shoe":
        flop = table.book.number("flop-cards")
        state.laid = [flop, 1, 1][: len(state.laid)]
    if state.street:
        state.shown = sum(state.laid[: state.street])
        # A card that was turned up and now belongs to the board stays turned up.
        state.exposed_board += [c for c in shown if c not in state.board[: state.shown]]
    onward(table)


def _deal_again(state: BankedState, event: CardsRestored) -> None:
    """All cards back in front of the device, then out again in the right order."""
    shoe = state.shoe
    assert shoe is not None
    shoe.declare_drawn(tuple(shoe.burnt))
    shoe.put_back(tuple(state.sequence))
    sequence = [*state.sequence, *event.drawn]
    burns = list(event.burns)
    used = len(sequence) - len(event.back)
    state.sequence = sequence[:used]
    places = _burn_places(state, event)
    for place, card in enumerate(state.sequence):
        if place in places:
            shoe.burn(card)
        else:
            shoe.take([card])
    assert len(shoe.burnt) == len(burns)


def _burn_places(state: BankedState, event: CardsRestored) -> set[int]:
    """Where in a correct deal from a shoe the burns fall."""
    if state.settings.device == "shuffler" or not event.burns:
        return set()
    places, place = {0}, 1 + sum(len(hand) for hand in event.hands.values())
    for count in (3, 1, 1)[: len(event.burns) - 1]:
        places.add(place)
        place += 1 + count
    return places


def exchange(
    table: BankedTable, boxes: tuple[int, ...], community: tuple[int, ...], order: tuple[int, ...]
) -> None:
    """Lay cards that were drawn together in the order that was decided (5.14)."""
    table.emit(
        CardsExchanged(
            boxes=boxes,
            community=community,
            order=order,
            cites=table.cite(Topic.CARDS_DRAWN_TOGETHER),
        )
    )


@reconstruction.when(CardsExchanged)
def cards_exchanged(table: BankedTable, event: CardsExchanged) -> None:
    state = table.state
    if event.boxes:
        lying = [state.boxes[n].cards[-1] for n in event.boxes]
    else:
        lying = [state.board[p - 1] for p in event.community]
    received = [lying[source - 1] for source in event.order]
    for number, card in zip(event.boxes, received, strict=False):
        state.boxes[number].cards[-1] = card
    for position, card in zip(event.community, received, strict=False):
        state.board[position - 1] = card
    # From now on this is the order in which they fell.
    becomes = dict(zip(lying, received, strict=True))
    state.sequence = [becomes.get(card, card) for card in state.sequence]
