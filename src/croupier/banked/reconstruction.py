"""Reconstruction: cards back in the order in which they were meant to fall (1.22).

The table knows the order in which the cards left the device, so it knows what a correct deal of
these cards gives. Whether it can be done is for the House to say; how, is worked out here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from croupier.banked.came_to_lie import (
    Went,
    examined_goes_with_real_hands,
    open_but_not_named,
    stays_open_with_its_hand,
)
from croupier.banked.fell import DEALER, as_they_lie, gone_back, moved_falls, right_falls
from croupier.banked.figures import COMMUNITY_CARDS, DEALER_CARDS, FLOP_CARDS, HOLE_CARDS
from croupier.banked.findings import CardsRestored
from croupier.banked.phases import bonus_turns_on_the_dealer, onward
from croupier.banked.state import BankedState
from croupier.cards import Card
from croupier.table import BadCommand, Room
from croupier.table.reports import Moves

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

reconstruction = Room("reconstruction")


def possible(table: BankedTable) -> bool:
    """Whether the order of the deal is still whole: nothing replaced, and enough cards left."""
    state = table.state
    if not _order_is_known(state):
        return False
    assert state.shoe is not None
    return _needed(table) <= len(state.sequence) + state.shoe.left


def _order_is_known(state: BankedState) -> bool:
    """Of real cards the order is known only as far as they were said where they lay, and not any
    more once the dealer's own packet was moved."""
    if state.thrown or state.shoe is None:
        return False
    if Card.UNKNOWN in state.sequence and as_they_lie(state) is None:
        return False
    out = [*state.shoe.drawn, *state.shoe.burnt]
    return sorted(map(str, out)) == sorted(map(str, state.sequence))


def same_as_lies(table: BankedTable) -> bool:
    """Whether a correct deal of these cards gives what lies there, or nobody can say otherwise."""
    if not possible(table):
        return True
    state, right = table.state, restored(table, ())
    hands = {n: list(hand) for n, hand in right.hands.items()}
    return (
        all(box.cards == hands.get(n, []) for n, box in state.boxes.items())
        and state.board == list(right.board)
        and state.dealer == list(right.dealer)
    )


def community_due(table: BankedTable) -> int:
    """How many Community Cards should lie there: those of each street that was dealt."""
    state = table.state
    if state.laid and state.settings.device == "shuffler":
        return table.by_book[COMMUNITY_CARDS]
    return sum(streets_due(table))


def streets_due(table: BankedTable) -> list[int]:
    """How many Community Cards each deal should have laid, of those that there were."""
    return [table.by_book[FLOP_CARDS], 1, 1][: len(table.state.laid)]


def _dealt_in(state: BankedState) -> list[int]:
    """The boxes that a correct deal gives Hole Cards; a hand cancelled before it gets none."""
    return [n for n, box in sorted(state.boxes.items()) if box.dealt is not None]


def _needed(table: BankedTable) -> int:
    """How many cards a correct deal would have used by now."""
    state = table.state
    boxes = len(_dealt_in(state))
    holes = table.by_book[HOLE_CARDS] * boxes if state.holes_out() else 0
    dealer = table.by_book[DEALER_CARDS] if dealer_has_had_his(state) else 0
    if state.settings.device == "shuffler":
        return (table.by_book[COMMUNITY_CARDS] if state.laid else 0) + holes + dealer
    streets = streets_due(table)
    return (1 if holes else 0) + holes + sum(streets) + len(streets) + dealer


def dealer_has_had_his(state: BankedState) -> bool:
    """Whether the dealer's own deal is over, though his hand may lie at a box."""
    return bool(state.dealer) or state.dealer_dealt


def restored(table: BankedTable, cites: tuple[str, ...]) -> CardsRestored:
    """The layout that a correct deal of the same cards gives."""
    state = table.state
    assert state.shoe is not None
    needed, out = _needed(table), len(state.sequence)
    more = tuple(state.shoe.order[: max(needed - out, 0)])
    cards = [*state.sequence, *more]
    back = tuple(cards[needed:])
    fall = iter(cards[:needed])
    boxes = _dealt_in(state)
    each = table.by_book[HOLE_CARDS]
    hands: dict[int, list[Card]] = {n: [] for n in boxes}
    board: list[Card] = []
    burns: list[Card] = []
    if state.settings.device == "shuffler":
        if state.laid:
            board = [next(fall) for _ in range(table.by_book[COMMUNITY_CARDS])]
        if state.holes_out():
            for number in boxes:
                hands[number] = [next(fall) for _ in range(each)]
    else:
        if state.holes_out():
            burns.append(next(fall))
            for number in boxes * each:
                hands[number].append(next(fall))
        for count in streets_due(table):
            burns.append(next(fall))
            board += [next(fall) for _ in range(count)]
    laid = streets_due(table)
    return CardsRestored(
        hands={n: tuple(hand) for n, hand in hands.items()},
        board=tuple(board),
        dealer=tuple(fall),
        burns=tuple(burns),
        drawn=more,
        back=back,
        laid=tuple(laid) if laid != state.laid else (),
        cites=cites,
    )


def whole_hands_moved(
    table: BankedTable, moves: dict[int, int], cites: tuple[str, ...]
) -> CardsRestored:
    """Complete hands shifted from one place to another, nothing else (5.8.6).

    A hand whose place another takes, and one at a box without a hand in the round, goes back to the
    device.
    """
    state = table.state
    now, homes = _hands(state), {*_dealt_in(state), DEALER}
    moved = {home: now[place] for place, home in moves.items()}
    back: list[Card] = []
    for place, hand in now.items():
        if place in moves:
            continue
        if place in moved or place not in homes:
            back += hand
        else:
            moved[place] = hand
    dealer = moved.pop(DEALER, ())
    return CardsRestored(
        hands=moved,
        board=tuple(state.board),
        dealer=dealer,
        burns=tuple(state.burns),
        back=tuple(back),
        moves=moves,
        cites=cites,
    )


def _hands(state: BankedState) -> dict[int, tuple[Card, ...]]:
    """Where hands lie: before boxes, with a bet or without, and before the dealer."""
    hands = {n: tuple(box.cards) for n, box in sorted(state.boxes.items()) if box.cards}
    hands |= {n: tuple(cards) for n, cards in state.stray.items()}
    if state.dealer:
        hands[DEALER] = tuple(state.dealer)
    return hands


def check_moves(table: BankedTable, moves: dict[int, int]) -> None:
    """Each named hand goes to one place, none to two, and no place is left without its hand."""
    if any(place == home for place, home in moves.items()):
        raise BadCommand("a hand that stays where it lies is not moved")
    can_go_back = possible_moves(table, dealer=True)
    if not structs.replace(can_go_back, goes_back=True).holds(moves):
        raise BadCommand("moves must send the hands of some boxes to those same boxes, each once")
    if not can_go_back.holds(moves):
        raise BadCommand("a hand cannot go back to the device: the order of the cards is not known")


def possible_moves(table: BankedTable, *, dealer: bool = False) -> Moves:
    """Where hands lie and where they belong: a box that was dealt in is a right place also while
    its hand lies at another."""
    state = table.state
    lying = _hands(state).keys() - (set() if dealer else {DEALER})
    own = {DEALER} if dealer and dealer_has_had_his(state) else set()
    homes = {*_dealt_in(state), *own}
    known = not state.missed and _order_is_known(state)
    return Moves(tuple(sorted(lying)), tuple(sorted(homes)), goes_back=known)


def find_moves(table: BankedTable) -> dict[int, int]:
    """The shift of whole hands that puts a deal right, if there is one and cards are known."""
    now = _hands(table.state)
    if not possible(table) or any(Card.UNKNOWN in hand for hand in now.values()):
        return {}
    deal = restored(table, ())
    right = {n: frozenset(hand) for n, hand in deal.hands.items()}
    if deal.dealer:
        right[DEALER] = frozenset(deal.dealer)
    lies_at = {frozenset(hand): place for place, hand in now.items()}
    if not all(hand in lies_at for hand in right.values()):
        return {}
    return {lies_at[hand]: home for home, hand in right.items() if lies_at[hand] != home}


# -- putting it right ------------------------------------------------------------------------------


@reconstruction.applies(CardsRestored)
def cards_restored(table: BankedTable, event: CardsRestored) -> None:
    state = table.state
    assert state.shoe is not None
    again = bool(event.drawn or event.back) or list(event.burns) != state.burns
    fell = as_they_lie(state)
    if again:
        gone = gone_back(table, fell, event.moves) if fell is not None and event.moves else set()
        _deal_again(state, event, gone)
    open_cards = {*state.lying_open(), *state.board[: state.shown]}
    if state.dealer_shown:
        open_cards |= {*state.dealer}
    open_cards -= {Card.UNKNOWN}
    seen = {n: set(box.cards) for n, box in state.boxes.items() if box.examined}
    unnamed = [n for n, hand in seen.items() if Card.UNKNOWN in hand]
    not_named = open_but_not_named(state)
    for box in state.boxes.values():
        if box.dealt is None:  # Cards that it had got without an Ante, or after it was cancelled.
            box.cards = []
    for number, hand in event.hands.items():
        state.boxes[number].cards = list(hand)
        bonus_turns_on_the_dealer(table, state.boxes[number])
    _examined_goes_with_the_hand(state, seen)
    state.board = list(event.board)
    state.dealer = list(event.dealer)
    if len(event.burns) != len(state.burns):  # Whole hands that move bring no burn back.
        state.missed = []
    state.burns = list(event.burns)
    state.stray = {}
    if event.laid:
        state.laid = list(event.laid)
    elif again and state.settings.device == "shoe":  # As it was told before `laid` was.
        state.laid = streets_due(table)
    if state.street:
        state.shown = sum(state.laid[: state.street])
    state.falls = moved_falls(table, event.moves) if event.moves else right_falls(table)
    went = Went(fell=fell, now=as_they_lie(state), moves=event.moves)
    examined_goes_with_real_hands(state, unnamed, went)
    state.turn_up(open_cards)
    stays_open_with_its_hand(state, not_named, went)
    onward(table)


def _examined_goes_with_the_hand(state: BankedState, seen: dict[int, set[Card]]) -> None:
    """3.7: a player of several boxes examines one Hand. Where the one that he has seen comes to lie
    at another box of his, he has seen that one, and the box where it lay is played blind."""
    for number, hand in seen.items():
        box = state.boxes[number]
        for other in state.boxes.values():
            his = other.player == box.player and not other.examined
            if his and {*other.cards} == hand and Card.UNKNOWN not in hand:
                box.examined, other.examined = False, True


def _deal_again(state: BankedState, event: CardsRestored, gone: set[int]) -> None:
    """All cards back in front of the device, then out again in the right order; `gone` are the
    places in that order from which whole hands went back, where it is known."""
    shoe = state.shoe
    assert shoe is not None
    shoe.declare_drawn(tuple(shoe.burnt))
    stays = [card for card in state.sequence if card not in event.back]
    if gone:
        stays = [card for place, card in enumerate(state.sequence) if place not in gone]
    elif Card.UNKNOWN in event.back:  # Of a real shoe nobody knows which: the last ones.
        end = _last_that_goes_back(state, event)
        first = end - len(event.back)
        stays = [*state.sequence[:first], *state.sequence[end:]]
    shoe.put_back((*stays, *event.back))
    state.sequence = [*stays, *event.drawn]
    burns = list(event.burns)
    places = _burn_places(state, event)
    for place, card in enumerate(state.sequence):
        if place in places:
            shoe.burn(card)
        else:
            shoe.take([card])
    assert len(shoe.burnt) == len(burns)


def _last_that_goes_back(state: BankedState, event: CardsRestored) -> int:
    """Up to where in the deal the cards fell that go back: of whole hands, among the Hole Cards,
    whatever was dealt after them; else at its end."""
    beside = list(event.board), list(event.dealer), list(event.burns)
    if beside != (state.board, state.dealer, state.burns):
        return len(state.sequence)
    hands = sum(len(box.cards) for box in state.boxes.values())
    ahead = len(state.board) if state.settings.device == "shuffler" else 1
    return ahead + hands + sum(map(len, state.stray.values()))


def _burn_places(state: BankedState, event: CardsRestored) -> set[int]:
    """Where in a correct deal from a shoe the burns fall."""
    if state.settings.device == "shuffler" or not event.burns:
        return set()
    places, place = {0}, 1 + sum(len(hand) for hand in event.hands.values())
    for count in (3, 1, 1)[: len(event.burns) - 1]:
        places.add(place)
        place += 1 + count
    return places
