"""What a bot is: it hears what everybody hears, sees what its seat sees, and says what it does.

`decide` is given the view of the bot's own seat (`Table.view` for its player), what that seat is
offered, and a source of chance. Nothing else reaches it: it cannot know what a player in its place
could not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from msgspec import Struct

from croupier.live.bots.temperaments import Temperament
from croupier.table import Command, Decide, Event, Offer
from croupier.table.view import QuestionView

V = TypeVar("V", bound=Struct)


class Thought(Struct, frozen=True, kw_only=True):
    """What a bot wants to do, and how hard that is to decide: 0 needs no thought, 1 much. That is
    said of what everybody sees, never of the bot's own cards: it takes as long with any."""

    command: Command
    hard: float = 0.0
    at_once: bool = False
    """Whether it cannot wait: the time between two rounds may be short."""


class Bot(ABC, Generic[V]):
    """A player of one family of games."""

    def __init__(self, name: str, temperament: Temperament) -> None:
        self.name = name
        self.temperament = temperament

    @abstractmethod
    def think(self, view: V, offers: Sequence[Offer], chance: Random) -> Thought | None:
        """What it does now at its seat; None to wait."""

    def decide(self, view: V, offers: Sequence[Offer], chance: Random) -> Command | None:
        """The command that it gives now; None to wait."""
        thought = self.think(view, offers, chance)
        return None if thought is None else thought.command

    def hear(self, event: Event) -> None:
        """An event as everybody at the table sees it; a bot without a memory lets it pass."""

    # -- its seat, as its game has it (`poker_seat`, `banked_seat`) ----------------------------

    @abstractmethod
    def offers(self, view: V) -> Sequence[Offer]:
        """What it is offered at its seat."""

    @abstractmethod
    def taken(self, view: V) -> Collection[int]:
        """Where somebody sits."""

    @abstractmethod
    def sits(self, view: V, seat: int, chips: int) -> Command | None:
        """Sit down with so many chips; None while that cannot be."""

    @abstractmethod
    def is_free(self, view: V) -> bool:
        """Whether it could buy chips now, or go."""

    @abstractmethod
    def chips(self, view: V) -> int | None:
        """The chips before it; None where they are not counted."""

    @abstractmethod
    def buys(self, view: V, chips: int) -> Command:
        """Buy chips."""

    @abstractmethod
    def goes(self, view: V) -> Command:
        """Leave the table."""

    @abstractmethod
    def rests_on(self, view: V) -> tuple[Any, ...]:
        """What its decision at its seat rests on: the same again leads to the same decision."""

    def is_betting(self, view: V) -> bool:
        """Whether bets are open that a call closes."""
        return False

    def has_bet(self, view: V) -> bool:
        """Whether it is done with its opening stakes: nobody need wait for it."""
        return False

    def has_stake(self, view: V) -> bool:
        """Whether a bet of it lies there."""
        return True


def own_question(questions: Sequence[QuestionView]) -> QuestionView | None:
    """The first question that is asked of this viewer."""
    return next((question for question in questions if question.yours), None)


def answer(question: QuestionView, likes: Sequence[str]) -> Thought | None:
    """Answer with the option liked best of those that ask for nothing more.

    None where every option wants details that a bot cannot know: then the House's clock answers.
    """
    names = [option.name for option in question.options if not option.asks]
    if not names:
        return None
    chosen = next((name for name in likes if name in names), names[0])
    return Thought(command=Decide(decision=question.decision, option=chosen), hard=0.3)
