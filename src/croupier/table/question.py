"""What a game may ask, stated beforehand: so that an answer can be decided before it is asked.

Each game states all its questions in one place, `asked`, beside its rooms. What a table asks in the
end is a `DecisionNeeded`; a test holds that nothing is asked which is not stated here.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.table.decision import DecisionNeeded


class Question(Struct, frozen=True, kw_only=True):
    """One question of a game, and everything that may ever be answered."""

    name: str
    options: tuple[str, ...] = ()
    """What can be answered without details; a table may offer fewer of them."""
    detailed: tuple[str, ...] = ()
    """What needs details that are not known before it is asked."""
    of: Literal["staff", "player"] = "staff"
    cases: tuple[str, ...] = ()
    """Occasions that are known by name (`about["case"]`) and may be answered otherwise."""

    @property
    def names(self) -> tuple[str, ...]:
        """What an order given beforehand may be for: the question, or one of its cases."""
        return (self.name, *(in_case(self.name, case) for case in self.cases))


def in_case(question: str, case: str) -> str:
    """A question on one occasion, such as `ruling: interruption`."""
    return f"{question}: {case}"


def names_of(need: DecisionNeeded) -> tuple[str, ...]:
    """What a table's question is called, the narrower name first."""
    case = need.about.get("case")
    return (in_case(need.question, case), need.question) if case else (need.question,)
