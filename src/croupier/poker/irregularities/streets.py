"""What can be asked about the streets: which lies there, was it burnt, is it early, who has acted.

Functions of the table as it stands; nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.poker.commands import STREETS, Street
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


def last_street(played: RoundState) -> Street | None:
    """The street that was dealt last."""
    if played.river:
        return "river"
    if played.turn:
        return "turn"
    return "flop" if played.flop else None


def street_with(
    played: RoundState, named: Street | None, fault: Callable[[Street], bool]
) -> Street | None:
    """The street of which a fault is true: the one that is named, or else the last one."""
    streets = (named,) if named is not None else tuple(reversed(STREETS))
    return next((s for s in streets if street_of(played, s) and fault(s)), None)


def was_burnt(played: RoundState, street: Street) -> bool:
    """Whether a card was burnt before a street."""
    return any(burnt.street == street for burnt in played.burns)


def round_after(street: Street) -> int:
    """The Betting Round that a street opens."""
    return STREETS.index(street) + 2


def is_early(table: PokerTable, played: RoundState, street: Street) -> bool:
    """Whether a street lies on the table before the Betting Round that precedes it is over."""
    return table.state.phase == "betting" and played.betting.number < round_after(street)


def acts_since(played: RoundState, street: Street, stopped: int) -> int:
    """Actions taken since a street opened its Betting Round, but for those that were stopped."""
    number = round_after(street)
    acts = sum(act.betting_round >= number for act in played.acts)
    now = sum(act.betting_round == played.betting.number for act in played.acts)
    if stopped > min(acts, now):
        raise BadCommand(
            f"{stopped} Actions cannot have been stopped; there were {min(acts, now)} in this "
            "Betting Round"
        )
    return acts - stopped
