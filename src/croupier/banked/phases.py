"""Where the round goes next, found from what lies on the table alone.

With everybody folded and no jackpot bet alive nothing more is dealt. With one alive the flop is
shown, and where the book counts the whole board for it, all five cards; the dealer's own cards are
needed only against a box that is In For The Finish, or for a Bonus that turns on them (B-24, B-29).
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from croupier.banked.state import BETS, BankedState, BoxState, Phase
from croupier.table import DecisionNeeded

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

IN_PLAY = frozenset(
    (
        "first decision",
        "flop",
        "turn decision",
        "turn",
        "river decision",
        "river",
        "dealer",
        "settling",
    )
)


def onward(table: BankedTable) -> None:
    """Move the round on after a decision, a card turned up or a hand that left it."""
    state = table.state
    if state.phase in IN_PLAY:
        state.phase = next_phase(state, table.whole_board)
    elif state.phase == "dealing" and not any(box.ante for box in state.boxes.values()):
        state.phase = "settling"  # Every hand left before it had cards.


def next_phase(state: BankedState, whole_board: bool) -> Phase:
    """What is due now that the Hole Cards are out."""
    live = jackpot = undecided = False
    least = 3
    for box in state.boxes.values():
        if faces_the_dealer(box):
            live = True
            if box.window < least:
                least = box.window
        elif box.standing == "in":
            undecided = True
        elif box.standing == "folded" and jackpot_alive(box):
            jackpot = True
    street = state.street
    if street == 0:
        if undecided:
            return "first decision"
        return "flop" if live or jackpot else "settling"
    if street == 3:
        return "dealer" if live and not state.dealer_shown else "settling"
    if live:
        if street == 1:
            return "turn decision" if least < 2 else "turn"
        return "river decision" if least < 3 else "river"
    if jackpot and whole_board:
        return "turn" if street == 1 else "river"
    return "settling"


def faces_the_dealer(box: BoxState) -> bool:
    """Whether the dealer's hand is needed for a box."""
    return box.standing == "in for the finish" or (box.bonus_by_dealer and box.bonus > 0)


def bonus_established(table: BankedTable, box: BoxState) -> bool:
    """B-29: after a refusal the Bonus is the player's to establish, unless the policy takes it; not
    by cards that nobody can identify any more (B-26)."""
    return box.tabled and not box.is_unknown() and bonus_if_tabled(table)


def bonus_if_tabled(table: BankedTable) -> bool:
    """A book that counts no refusal as a fold has no such policy."""
    return table.state.policies.get("refusal-bonus", "if-tabled") == "if-tabled"


def may_still_establish(table: BankedTable, box: BoxState) -> bool:
    """4.3: whether a hand that was not shown may yet be laid open for its Bonus or jackpot bet."""
    if not box.refused or box.tabled:
        return False
    return jackpot_alive(box) or (box.bonus > 0 and bonus_if_tabled(table))


def bonus_turns_on_the_dealer(table: BankedTable, box: BoxState) -> None:
    """Note whether the Bonus of a hand that was not shown at first is for the dealer's cards to
    decide: once it lies open, and again when it has got other cards (4.1, 4.3)."""
    if box.refused and bonus_established(table, box):
        box.bonus_by_dealer = table.pays.bonus_by_dealer(box.cards)


def jackpot_alive(box: BoxState) -> bool:
    """Whether a jackpot bet of this box can still win something."""
    return box.progressive > 0 and bool(box.ante)


def no_choice_left(state: BankedState, box: int) -> None:
    """Where a hand is gone, or the only stake that it still had, nothing is left to choose after a
    dealing error (5.10)."""
    state.waiting = [need for need in state.waiting if not _chooses(need, box)]


def nothing_left_to_ask(state: BankedState, box: int) -> None:
    """Of a hand that is gone nothing is asked any more, unless it concerns others too."""
    state.waiting = [need for need in state.waiting if not _is_about(need, box)]


def no_bet_to_put_right(state: BankedState, box: int, bets: Container[str | None] = BETS) -> None:
    """Whoever has folded, or is gone, raises no bet and takes none back (5.2, 5.5, 5.6); nor is one
    asked about as it was once a ruling has changed it, or the Ante that it goes by."""
    state.waiting = [need for need in state.waiting if not _puts_right(need, box, bets)]


def _is_about(need: object, box: int) -> bool:
    if not isinstance(need, DecisionNeeded):
        return False
    return need.of == box or (need.about.get("box") == box and "boxes" not in need.about)


def _puts_right(need: object, box: int, bets: Container[str | None]) -> bool:
    if not isinstance(need, DecisionNeeded) or need.of != box:
        return False
    return "least" in need.about and need.about["bet"] in bets


def _chooses(need: object, box: int) -> bool:
    return isinstance(need, DecisionNeeded) and need.of == box and "restored" in need.about
