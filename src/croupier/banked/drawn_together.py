"""Cards that left the shoe together: where they lie, and in which order they are received (5.14).

Any cards that follow one another in a deal may come out together: first or last cards of boxes,
Community Cards, the dealer's own, and a burn with the card after it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.banked.fell import Fell, as_they_lie
from croupier.banked.findings import CardsExchanged
from croupier.banked.phases import bonus_turns_on_the_dealer, onward
from croupier.banked.reports import Street
from croupier.banked.state import BankedState
from croupier.cards import Card
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Room
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

drawn_together = Room("drawn together")

_DEALS: tuple[Street, ...] = ("hole cards", "flop", "turn", "river")


class Places(Struct, frozen=True, kw_only=True):
    """Where the cards lie, in the order of a deal: the burn ahead of the Hole Cards, first and last
    cards of boxes, the other burns, the board, the dealer."""

    boxes: tuple[int, ...] = ()
    community: tuple[int, ...] = ()
    first_cards: tuple[int, ...] = ()
    burns: tuple[Street, ...] = ()
    dealer: tuple[int, ...] = ()

    def count(self) -> int:
        return sum(
            map(len, (self.boxes, self.community, self.first_cards, self.burns, self.dealer))
        )

    def told(self) -> list[str]:
        """Each place in words, in their order."""
        return [
            *(f"the burn before {deal}" for deal in self.burns if deal == "hole cards"),
            *(f"box {box} (first card)" for box in self.first_cards),
            *(f"box {box}" for box in self.boxes),
            *(f"the burn before the {deal}" for deal in self.burns if deal != "hole cards"),
            *(f"place {place} of the board" for place in self.community),
            *(f"place {place} of the dealer" for place in self.dealer),
        ]


def check_places(state: BankedState, places: Places) -> None:
    """Two places or more, and a card at each of them."""
    if places.count() < 2:
        raise BadCommand("name two or more places at which the cards lie")
    for number in (*places.first_cards, *places.boxes):
        box = state.boxes.get(number)
        if box is None or not box.cards:
            raise BadCommand(f"no card lies at box {number}")
        if len(box.cards) == 1 and number in places.boxes:
            raise BadCommand(f"one card lies at box {number}, not two: name it as its first")
    for deal in places.burns:
        if _DEALS.index(deal) > len(state.laid) or deal in state.missed:
            raise BadCommand(f"no card was burnt before the {deal}")
    _check_positions(places.community, len(state.board), "on the board")
    _check_positions(places.dealer, len(state.dealer), "before the dealer")


def _check_positions(positions: tuple[int, ...], lying: int, where: str) -> None:
    if any(position > lying for position in positions):
        raise BadCommand(f"{counted(lying, 'card lies', 'cards lie')} {where}")


def exchange(table: BankedTable, places: Places, order: tuple[int, ...]) -> None:
    """Lay cards that were drawn together in the order that was decided."""
    table.emit(
        CardsExchanged(
            boxes=places.boxes,
            community=places.community,
            first_cards=places.first_cards,
            burns=places.burns,
            dealer=places.dealer,
            order=order,
            cites=table.cite(Topic.CARDS_DRAWN_TOGETHER),
        )
    )


@drawn_together.applies(CardsExchanged)
def cards_exchanged(table: BankedTable, event: CardsExchanged) -> None:
    state = table.state
    lists = _where(state, event)
    lying = [cards[place] for cards, place in lists]
    received = [lying[source - 1] for source in event.order]
    burnt = list(state.burns)
    face_up = {*state.lying_open(), *state.board[: state.shown]}
    if state.dealer_shown:
        face_up |= {*state.dealer}
    face_up -= {Card.UNKNOWN}
    for (cards, place), card in zip(lists, received, strict=True):
        cards[place] = card
    _keep_the_shoe(state, burnt)
    others = [
        cards
        for at, ((cards, _), source) in enumerate(zip(lists, event.order, strict=True), 1)
        if source != at
    ]
    if others:
        _turn_up(state, event, others, face_up)
        state.nobody_knows_where()
    for number in {*event.boxes, *event.first_cards}:
        bonus_turns_on_the_dealer(table, state.boxes[number])
    onward(table)
    state.sequence = _in_another_order(state, event, lying, received)


def _in_another_order(
    state: BankedState, event: CardsExchanged, lying: list[Card], received: list[Card]
) -> list[Card]:
    """The order in which the cards of the round left the device, now that these have another.

    Unknown cards of a real shoe look alike, so they are found by the places at which they fell.
    """
    if Card.UNKNOWN not in lying:
        becomes = dict(zip(lying, received, strict=True))
        return [becomes.get(card, card) for card in state.sequence]
    sequence, fell = list(state.sequence), as_they_lie(state)
    if fell is not None:
        for place, card in zip(_fell_at(fell, event), received, strict=True):
            sequence[place] = card
    return sequence


def _fell_at(fell: Fell, event: CardsExchanged) -> list[int]:
    """Where in the order of the deal the cards of an event fell, in the order of `Places`."""
    return [
        *(fell.burns[deal] for deal in event.burns if deal == "hole cards"),
        *(fell.hands[box][0] for box in event.first_cards),
        *(fell.hands[box][-1] for box in event.boxes),
        *(fell.burns[deal] for deal in event.burns if deal != "hole cards"),
        *(fell.board[place - 1] for place in event.community),
        *(fell.dealer[place - 1] for place in event.dealer),
    ]


def _where(state: BankedState, event: CardsExchanged) -> list[tuple[list[Card], int]]:
    """The places of an event as lists and positions, in the order of `Places`."""
    burns = {deal: (state.burns, place) for place, deal in enumerate(_burnt_before(state))}
    return [
        *(burns[deal] for deal in event.burns if deal == "hole cards"),
        *((state.boxes[box].cards, 0) for box in event.first_cards),
        *((state.boxes[box].cards, -1) for box in event.boxes),
        *(burns[deal] for deal in event.burns if deal != "hole cards"),
        *((state.board, place - 1) for place in event.community),
        *((state.dealer, place - 1) for place in event.dealer),
    ]


def _burnt_before(state: BankedState) -> list[str]:
    """The deals ahead of which the burns were burnt, in their order."""
    return [deal for deal in _DEALS if deal not in state.missed]


def _keep_the_shoe(state: BankedState, burnt: list[Card]) -> None:
    """A burn that was exchanged for a card in play is no burn any more, and the other way round.

    Counted, since of a real shoe several cards may be unknown.
    """
    assert state.shoe is not None
    before, now = Counter(burnt), Counter(state.burns)
    state.shoe.declare_drawn((before - now).elements())
    state.shoe.declare_burnt((now - before).elements())


def _turn_up(
    state: BankedState, event: CardsExchanged, others: list[list[Card]], face_up: set[Card]
) -> None:
    """An open card stays open where it lies now. Of a real shoe that is known only of the places
    that have got no `others`."""

    def are_others(cards: list[Card]) -> bool:
        return any(each is cards for each in others)

    for number in {*event.boxes, *event.first_cards}:
        box = state.boxes[number]
        if are_others(box.cards):
            box.face_up = [card for card in box.cards if card in face_up]
    if are_others(state.board):
        state.exposed_board = [card for card in state.board if card in face_up]
    if are_others(state.dealer):
        state.exposed_dealer = [card for card in state.dealer if card in face_up]
    if are_others(state.burns):
        state.exposed_burns = [card for card in state.burns if card in face_up]
