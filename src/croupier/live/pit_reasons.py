"""Reasons to touch, where somebody of the staff decides: those that fit the question.

Where the book leaves it to somebody's discretion, "the book says so" would be no reason; and what
happened is known because somebody saw it, not because a book says so.
"""

from __future__ import annotations

from croupier.pit.ruling import CONFIRM
from croupier.table import ActorRank, DecisionNeeded

BY_THE_BOOK = (
    "the book says so",
    "the dealer erred",
    "a player erred",
    "the equipment failed",
)
DISCRETION = (
    "it is the fairest to everybody in the round",
    "the dealer erred",
    "a player erred",
    "the equipment failed",
    "it cannot be found out any more",
    "a like case was ruled so",
)
FACTS = (
    "it was seen at the table",
    "the recording shows it",
    "everybody there says so",
    "it cannot be found out any more",
)
CHOICE = (
    "it is usual here",
    "the player was asked",
    "it keeps the game going",
)

DISCRETIONARY = frozenset({"ruling"})
FACTUAL = frozenset({"looked on purpose", "the street as it lies", "order of the cards"})


def reasons_for(need: DecisionNeeded) -> tuple[str, ...]:
    """Reasons to choose from, the likeliest first; none where a player answers for himself."""
    if not isinstance(need.of, ActorRank):
        return ()
    options = {option.name for option in need.options}
    if need.question in DISCRETIONARY:
        return DISCRETION
    if need.question in FACTUAL or options <= {"yes", "no"}:
        return FACTS
    if need.question.startswith(CONFIRM) or CONFIRM in options or len(options) == 1:
        return BY_THE_BOOK
    return CHOICE
