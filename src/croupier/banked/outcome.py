"""When an outcome is established: some bet has conclusively won or lost (5.7, B-48).

Judged by announced decisions, cards that lie face up, and Hole Cards that their player has looked
at. A bet is decided when these leave it only one result, whatever the unseen cards are.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from croupier.banked.figures import BETTING_WINDOWS, COMMUNITY_CARDS
from croupier.banked.settlement import countable, countable_board
from croupier.banked.state import BoxState
from croupier.cards import Card, rest_of_deck

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

AT_MOST_UNSEEN = 3
"""With four unseen cards some jackpot line can always still come, so nobody need try them all."""


def established(table: BankedTable) -> str:
    """Why an outcome is established, in a few words; empty if none is."""
    state = table.state
    if state.is_settled():
        return "bets have been settled"
    if state.dealer_shown:
        return "the dealer's hand is shown"
    for number, box in sorted(state.boxes.items()):
        if box.standing == "folded":
            return f"box {number} has folded"
        if box.standing in ("cancelled", "no hand") or not box.cards:
            continue
        if box.bonus and _bonus_decided(table, box):
            return f"the Bonus of box {number} is decided"
        if box.progressive and box.ante and _jackpot_decided(table, box):
            return f"the Progressive Jackpot bet of box {number} is decided"
    return ""


def _bonus_decided(table: BankedTable, box: BoxState) -> bool:
    """Looked at without a line it is lost; with one it is won once no decision is left."""
    if not box.examined or not countable(table, box.cards):
        return False
    if table.pays.bonus(box.cards, None) is None:
        return True
    return box.window == table.by_book[BETTING_WINDOWS]


def _jackpot_decided(table: BankedTable, box: BoxState) -> bool:
    street = table.state.street
    if street >= table.pays.jackpot_cards.complete:
        return True
    return street > 0 and _no_card_changes_it(table, box)


def _no_card_changes_it(table: BankedTable, box: BoxState) -> bool:
    """By street: the known cards give a line already, or no run-out can give one."""
    state = table.state
    board = state.board[: state.shown]
    known = known_cards(table)
    if not countable_board(table):
        return False
    own = tuple(box.cards) if box.examined and countable(table, box.cards) else None
    pays = table.pays
    if pays.jackpot(table.pays.made(own, board, folded=False)):
        return True
    missing = table.by_book[COMMUNITY_CARDS] - len(board)
    unseen = missing + (0 if own is not None else 2)
    if unseen > AT_MOST_UNSEEN:
        return False
    for cards in combinations(rest_of_deck(known), unseen):
        hand = own if own is not None else cards[missing:]
        if pays.jackpot(table.pays.made(hand, (*board, *cards[:missing]), folded=False)):
            return False
    return True


def known_cards(table: BankedTable) -> set[Card]:
    """Face-up cards and Hole Cards that their player has looked at."""
    state = table.state
    known = {*state.board[: state.shown], *state.exposed_board, *state.exposed_dealer}
    for box in state.boxes.values():
        known.update(box.cards if box.examined else box.face_up)
    return known
