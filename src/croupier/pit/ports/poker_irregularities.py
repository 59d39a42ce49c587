"""What counts as an irregularity at a poker table: something reported as gone wrong (35).

The table says what it makes of the report: it notes it, asks a question of its irregularities'
rooms, or carries out what the book provides for. The answer to such a question is no second
irregularity.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.poker.events import CardsTakenBack, ChipsReturned, HandDeclaredDead
from croupier.poker.irregularities.events import (
    CardsShown,
    DeckTakenBack,
    EarlyCardsHeld,
    EarlyCardsKept,
    ExposedCardReplaced,
    ExposedInDeal,
    IrregularityNoted,
    MissingCardsDealt,
    TurnGivenBack,
)
from croupier.poker.irregularities.rooms import ROOMS
from croupier.table import DecisionNeeded, DecisionTaken, Event

QUESTIONS = frozenset(question for room in ROOMS for question in room.answers)
BEGINS = (
    IrregularityNoted,
    CardsShown,
    DeckTakenBack,
    EarlyCardsHeld,
    EarlyCardsKept,
    ExposedCardReplaced,
    ExposedInDeal,
    HandDeclaredDead,
    MissingCardsDealt,
    TurnGivenBack,
)
"""With what a poker table begins to put right what was reported."""
BEFORE = (ChipsReturned, CardsTakenBack)
"""What it moves out of the way before."""


def is_irregularity(events: Sequence[Event]) -> bool:
    """Whether a command, by all that it caused at a table, has reported an irregularity."""
    if any(isinstance(event, DecisionTaken) for event in events):
        return False
    first = next((event for event in events if not isinstance(event, BEFORE)), None)
    if isinstance(first, DecisionNeeded):
        return first.question in QUESTIONS
    return isinstance(first, BEGINS)
