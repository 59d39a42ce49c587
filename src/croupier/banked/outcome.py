"""When an outcome is established: some bet has conclusively won or lost (5.7, B-48).

Judged by announced decisions, cards that lie face up, and Hole Cards that their player has looked
at or that lie open for everybody. A bet is decided when these leave it only one result, whatever
the unseen cards are.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from croupier.banked.figures import BETTING_WINDOWS, COMMUNITY_CARDS, DEALER_CARDS, FLOP_CARDS
from croupier.banked.questions import TREAT_AS_FOLDED
from croupier.banked.settlement import countable, countable_board
from croupier.banked.state import BoxState
from croupier.cards import Card, rest_of_deck

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

AT_MOST_UNSEEN = 3
"""With four unseen cards a jackpot line may always come or not, so nobody need try them all."""


def established(table: BankedTable) -> str:
    """Why an outcome is established, in a few words; empty if none is."""
    state = table.state
    if state.is_settled():
        return "bets have been settled"
    if state.dealer_shown:
        return "the dealer's hand is shown"
    if _whole_deal_lies_open(table):
        return "the board and the dealer's hand lie open"
    for number, box in sorted(state.boxes.items()):
        if box.standing == "folded":
            return f"box {number} has folded"
        if box.ruled == TREAT_AS_FOLDED:
            return f"the bets of box {number}, which is not shown, are lost by ruling"
        if box.standing in ("cancelled", "no hand") or not box.cards:
            continue
        if box.bonus and _bonus_decided(table, box):
            return f"the Bonus of box {number} is decided"
        if box.progressive and box.ante and _jackpot_decided(table, box):
            return f"the Progressive Jackpot bet of box {number} is decided"
    return ""


def _bonus_decided(table: BankedTable, box: BoxState) -> bool:
    """Known without a line it is lost; with one it is won once no decision is left."""
    hand = box.cards_known()
    if not box.is_known() or not countable(table, hand):
        return False
    if table.pays.bonus(hand, None) is None:
        return True
    return box.window == table.by_book[BETTING_WINDOWS]


def _whole_deal_lies_open(table: BankedTable) -> bool:
    """Whether the dealer has exposed his own hand, all Community Cards are up, and a player in the
    round knows his cards: then his bets have won or lost."""
    state = table.state
    if len(_face_up(table)) != table.by_book[COMMUNITY_CARDS] or not state.dealer:
        return False
    if len(state.exposed_dealer) < len(state.dealer):
        return False
    return len(state.dealer) == table.by_book[DEALER_CARDS] and any(
        box.is_known() and countable(table, box.cards_known())
        for box in state.boxes.values()
        if box.standing == "in for the finish"
    )


def _face_up(table: BankedTable) -> list[Card]:
    """The Community Cards that lie open from the first on, street by street: shown, or exposed.

    A street with a card too many or too few is not there yet: which cards it has is not known until
    it is put right, and if it cannot be the round is void (5.8.7).
    """
    state = table.state
    board = list(state.board)
    real = [card for card in state.exposed_board if card not in board]
    if real and len(real) == board.count(Card.UNKNOWN):  # Not named yet, but they lie open.
        names = iter(real)
        board = [next(names) if card is Card.UNKNOWN else card for card in board]
    end = 0
    streets = zip(state.laid, (table.by_book[FLOP_CARDS], 1, 1), strict=False)
    for street, (count, right) in enumerate(streets):
        laid = board[end : end + count]
        covered = street >= state.street and any(c not in state.exposed_board for c in laid)
        if count != right or covered:
            break
        end += count
    return board[:end]


def _jackpot_decided(table: BankedTable, box: BoxState) -> bool:
    board = _face_up(table)
    complete = table.by_book[FLOP_CARDS] + table.pays.jackpot_cards.complete - 1
    if len(board) >= complete:
        return True
    return len(board) >= table.by_book[FLOP_CARDS] and _no_card_changes_it(table, box, board)


def _no_card_changes_it(table: BankedTable, box: BoxState, board: list[Card]) -> bool:
    """By street: every run-out gives a line, as where the known cards have one, or none does."""
    known = known_cards(table)
    if not countable_board(table) or Card.UNKNOWN in board:
        return False
    # At a shuffler a later card may lie open before an earlier one: it comes all the same.
    board = [*board, *(card for card in table.state.exposed_board if card not in board)]
    if len(board) > table.by_book[COMMUNITY_CARDS]:
        return False
    hand = tuple(box.cards_known())
    own = hand if box.is_known() and countable(table, hand) else None
    pays = table.pays
    if pays.jackpot(table.pays.made(own, board, folded=False)):
        return True
    missing = table.by_book[COMMUNITY_CARDS] - len(board)
    unseen = missing + (0 if own is not None else 2)
    if unseen > AT_MOST_UNSEEN:
        return False
    found: set[bool] = set()
    for cards in combinations(rest_of_deck(known), unseen):
        hand = own if own is not None else cards[missing:]
        made = table.pays.made(hand, (*board, *cards[:missing]), folded=False)
        found.add(bool(pays.jackpot(made)))
        if len(found) > 1:
            return False
    return True


def known_cards(table: BankedTable) -> set[Card]:
    """Face-up cards, wherever they lie, and Hole Cards that their player has looked at."""
    state = table.state
    known = {*state.board[: state.shown], *state.lying_open()}
    for box in state.boxes.values():
        known.update(box.cards if box.examined else box.face_up)
    return known
