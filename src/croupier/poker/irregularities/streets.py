"""What can be asked about the streets: which lies there, was it burnt, is it early, who has acted.

Functions of the table as it stands; nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.poker.commands import STREETS, Street
from croupier.poker.final_round import BETWEEN
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import BadCommand

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

EARLY_TOPIC: dict[Street, Topic] = {
    "flop": Topic.EARLY_FLOP_CARD,
    "turn": Topic.EARLY_TURN_CARD,
    "river": Topic.EARLY_RIVER_CARD,
}
DEALT: dict[Street, Topic] = {
    "flop": Topic.FLOP_DEALT,
    "turn": Topic.TURN_DEALT,
    "river": Topic.RIVER_DEALT,
}


def last_street(round_: RoundState) -> Street | None:
    """The street that was dealt last."""
    if round_.river:
        return "river"
    if round_.turn:
        return "turn"
    return "flop" if round_.flop else None


def street_with(
    round_: RoundState, named: Street | None, fault: Callable[[Street], bool]
) -> Street | None:
    """The street of which a fault is true: the one that is named, or else the last one."""
    streets = (named,) if named is not None else tuple(reversed(STREETS))
    return next((s for s in streets if street_of(round_, s) and fault(s)), None)


def was_burnt(round_: RoundState, street: Street) -> bool:
    """Whether a card was burnt before a street."""
    return any(burnt.street == street for burnt in round_.burns)


def round_after(street: Street) -> int:
    """The Betting Round that a street opens."""
    return STREETS.index(street) + 2


def is_early(table: PokerTable, round_: RoundState, street: Street) -> bool:
    """Whether a street lies on the table before the Betting Round that precedes it is over, or has
    begun: the street before it may have gone back. In a run-out there is none."""
    number, phase = round_.betting.number, table.state.phase
    if phase == "betting":
        return number < round_after(street)
    between = phase in BETWEEN and round_.final_round is None
    return between and number < round_after(street) - 1 and table.somebody_can_bet(round_)


def acts_since(round_: RoundState, street: Street, stopped: int) -> int:
    """Actions taken since a street opened its Betting Round, but for those that were stopped."""
    number = round_after(street)
    actions = round_.actions()
    acts = sum(act.betting_round >= number for act in actions)
    now = sum(act.betting_round == round_.betting.number for act in actions)
    if stopped > min(acts, now):
        many = "1 Action" if stopped == 1 else f"{stopped} Actions"
        were = "was 1" if min(acts, now) == 1 else f"were {min(acts, now)}"
        raise BadCommand(f"{many} cannot have been stopped; there {were} in this Betting Round")
    return acts - stopped


def is_won(round_: RoundState, stopped: int = 0) -> bool:
    """Whether one hand is left and has won the Pot (v8 3.18.1): the board is no matter any more. A
    Fold that was stopped gives its hand back."""
    if not round_.won_by_folds:
        return False
    actions = round_.actions()
    back = (round_.players[act.seat] for act in actions[len(actions) - stopped :])
    return not any(player.folded and not player.left for player in back)


def later_book_on(table: PokerTable, round_: RoundState, street: Street) -> str:
    """What v8 says of any fault of a street that is won, or lies there too early, as information
    for a House whose book says nothing of it; nothing if it is neither."""
    if is_won(round_):
        return "one hand has won the Pot, and the cards stay as they lie (3.18.1)"
    if is_early(table, round_, street):
        return f"the {street} was dealt early, which is ruled on first (5.11)"
    return ""


IS_WON = "One hand is left and has won the Pot: the cards stay as they lie."
