"""Viewers: who looks at a table, and so what may be in his view.

Face-down cards are for their player alone, after he has looked. Dealer, pit and spectators see
what lies face up. The auditor sees everything of finished rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.cards import Card, rank_hand
from croupier.table.actor import ActorRank
from croupier.table.decision import Choice, DecisionNeeded
from croupier.table.event import DrawNeeded, ShuffleNeeded

if TYPE_CHECKING:
    from croupier.table.table import Table


class Viewer(Struct, frozen=True, kw_only=True):
    """Somebody who looks: a player by name, the public (dealer, pit, spectators), the auditor."""

    who: str | None = None
    auditor: bool = False
    afterwards: bool = False
    """The round is over, and a table goes through it once more: what the auditor sees of finished
    rounds he sees at every step of it."""


PUBLIC = Viewer()
AUDITOR = Viewer(auditor=True)
AUDITOR_AFTERWARDS = Viewer(auditor=True, afterwards=True)


def player(who: str) -> Viewer:
    """The viewer who is this player."""
    return Viewer(who=who)


class QuestionView(Struct, frozen=True, kw_only=True):
    """A decision that the table waits for, as a viewer sees it."""

    decision: int
    question: str
    says: str
    of: int | ActorRank
    yours: bool
    """Whether this viewer is the one to answer."""
    options: tuple[Choice, ...]
    holds: bool
    cites: tuple[str, ...]


def questions_for(table: Table[Any], viewer: Viewer) -> tuple[QuestionView, ...]:
    """What the table asks people, with what this viewer may answer himself."""
    return tuple(
        QuestionView(
            decision=need.decision,
            question=need.question,
            says=need.says,
            of=need.of,
            yours=viewer.who is not None
            and isinstance(need.of, int)
            and table.player_at(need.of) == viewer.who,
            options=need.options,
            holds=need.holds,
            cites=need.cites,
        )
        for need in table.state.waiting
        if isinstance(need, DecisionNeeded)
    )


def held_by(table: Table[Any]) -> str:
    """A sentence on what holds the table, beside the turn of a player; empty if nothing does."""
    for need in table.state.waiting:
        match need:
            case DecisionNeeded(holds=True, of=of, says=says):
                whom = f"a {of.title}" if isinstance(of, ActorRank) else table.player_at(of)
                return f"The table waits for {whom or of}: {says}"
            case ShuffleNeeded(cards=cards):
                return f"{len(cards)} cards are being shuffled."
            case DrawNeeded(pick=pick, among=among):
                return f"{pick} of {among} cards are to be picked at random."
            case _:
                pass
    return ""


def hand_in_words(hole: Sequence[Card], board: Sequence[Card]) -> str:
    """What somebody's cards make with the board, in words; before the flop, the two themselves.

    >>> from croupier.cards import read_cards
    >>> hand_in_words(read_cards("Kc Ah"), ())
    'Ace and King, off suit'
    """
    cards = (*hole, *board)
    if len(hole) != 2 or Card.UNKNOWN in cards:
        return ""
    if 5 <= len(cards) <= 7:
        return rank_hand(cards).sentence
    high, low = sorted(hole, key=lambda card: -card.rank.order)
    if high.rank is low.rank:
        return f"Pair of {high.rank.plural}"
    suited = "suited" if high.suit is low.suit else "off suit"
    return f"{high.rank.title} and {low.rank.title}, {suited}"
