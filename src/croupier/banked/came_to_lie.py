"""What has come to lie where once a deal is put right, and whose cards are others (B-54).

Known cards tell it themselves. Real cards that nobody has named look alike: of them it follows from
the order in which they fell, or from how whole hands were moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.banked.fell import DEALER, Fell, as_they_lie
from croupier.banked.state import BankedState
from croupier.cards import Card

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable


# -- whose cards are others -----------------------------------------------------------------------


class Lying(Struct, frozen=True, kw_only=True):
    """What lies where, and where it stands in the order of the deal."""

    hands: dict[int, list[Card]]
    board: list[Card]
    dealer: list[Card]
    fell: Fell | None

    def names_all(self) -> bool:
        return Card.UNKNOWN not in (*self.board, *self.dealer)


def lying(table: BankedTable) -> Lying:
    """What lies where now."""
    state = table.state
    return Lying(
        hands={number: list(box.cards) for number, box in sorted(state.boxes.items())},
        board=list(state.board),
        dealer=list(state.dealer),
        fell=as_they_lie(state),
    )


def other_hands(before: Lying, now: Lying) -> list[int]:
    """The boxes that have other cards now; unknown ones by the order in which they fell."""
    found = []
    for number, cards in now.hands.items():
        had = before.hands[number]
        known = Card.UNKNOWN not in (*had, *cards)
        same = set(had) == set(cards) if known else _same_places(before, now, number)
        if not same:
            found.append(number)
    return found


def _same_places(before: Lying, now: Lying, number: int) -> bool:
    if before.fell is None or now.fell is None:
        return True
    return before.fell.hands.get(number) == now.fell.hands.get(number)


def other_beside(before: Lying, now: Lying) -> bool:
    """Whether the board or the dealer's hand is another now."""
    was, is_ = before.fell, now.fell
    if (before.names_all() and now.names_all()) or was is None or is_ is None:
        return (before.board, before.dealer) != (now.board, now.dealer)
    return (was.board, was.dealer) != (is_.board, is_.dealer)


# -- where whole hands have come ------------------------------------------------------------------


class Went(Struct, frozen=True, kw_only=True):
    """Where whole hands of real cards have come, though nobody has named them: as they were moved,
    or by the order in which the cards fell and lie now."""

    fell: Fell | None
    now: Fell | None
    moves: dict[int, int]

    def home(self, place: int) -> int | None:
        """Where the hand of a place lies now; None where it is not together any more."""
        if self.moves:
            goes_back = place in self.moves.values()
            return self.moves.get(place, None if goes_back else place)
        if self.fell is None or self.now is None:
            return None
        hand = self.fell.dealer if place == DEALER else self.fell.hands.get(place)
        if hand == self.now.dealer:
            return DEALER
        return next((n for n, cards in self.now.hands.items() if cards == hand), None)

    def board_lies_as_before(self) -> bool:
        if self.moves:
            return True
        return self.fell is not None and self.now is not None and self.fell.board == self.now.board

    def burns_lie_as_before(self) -> bool:
        if self.moves:
            return True
        return self.fell is not None and self.now is not None and self.fell.burns == self.now.burns


def examined_goes_with_real_hands(state: BankedState, unnamed: list[int], went: Went) -> None:
    """3.7: the one Hand that a player of several boxes has examined, where it lies now."""
    for number in unnamed:
        box, home = state.boxes[number], went.home(number)
        other = state.boxes.get(home) if home is not None else None
        if other is not None and other.player == box.player and not other.examined:
            box.examined, other.examined = False, True


class NotNamed(Struct, frozen=True, kw_only=True):
    """Cards that lie open while nobody has said which of a place they are, of a real shoe."""

    hands: dict[int, list[Card]]
    board: list[Card]
    burns: list[Card]


def open_but_not_named(state: BankedState) -> NotNamed:
    hands = {n: _but(box.face_up, box.cards) for n, box in state.boxes.items()}
    hands[DEALER] = _but(state.exposed_dealer, state.dealer)
    if len(state.stray) == 1:
        ((number, cards),) = state.stray.items()
        hands[number] = _but(state.exposed_stray, cards)
    return NotNamed(
        hands=hands,
        board=_but(state.exposed_board, state.board),
        burns=_but(state.exposed_burns, state.burns),
    )


def _but(open_ones: list[Card], named: list[Card]) -> list[Card]:
    return [card for card in open_ones if card not in named]


def stays_open_with_its_hand(state: BankedState, not_named: NotNamed, went: Went) -> None:
    """5.12: a card that lies open does so wherever its whole hand has come."""
    for number, cards in not_named.hands.items():
        home = went.home(number) if cards else None
        if home == DEALER:
            state.exposed_dealer += cards
        elif home is not None:
            state.boxes[home].face_up += cards
    if went.board_lies_as_before():
        state.exposed_board += not_named.board
    if went.burns_lie_as_before():
        state.exposed_burns += not_named.burns
