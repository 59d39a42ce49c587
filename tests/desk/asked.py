"""Questions that the tests of the desk ask, and a desk whose clock they set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import structs

from croupier.desk import Desk, DeskLog
from croupier.desk.cases import shipped_question
from croupier.pit.incidents import catalogue_of
from croupier.pit.question import Question
from croupier.rulebooks import load

OPEN = Question(rulebook="no-limit-holdem-v8", incident="exposed-in-the-deal")
"""Something that matters is not known."""
EXPOSED = structs.replace(OPEN, facts={"exposed": "two", "acted": "none"})
DISCRETION = "no-limit-holdem-v8/5.16-an-action-taken-back.toml"
"""A case in which the book leaves it to the Shift Manager."""


def skipped() -> Question:
    """A question that is told in full."""
    return shipped_question("no-limit-holdem-v8/5.14-a-skipped-player-speaks-up").question


def left_to_discretion() -> Question:
    return structs.replace(shipped_question(DISCRETION).question, answers=())


def in_words(question: Question) -> dict[str, str]:
    """The facts of a question of the poker catalogue, as the catalogue has them."""
    book, catalogue = load(question.rulebook), catalogue_of("poker")
    facts = catalogue.facts_of(catalogue.find(question.incident, book), book)
    known = {fact.name: fact for fact in facts}
    return {known[name].ask: known[name].say(value) for name, value in question.facts.items()}


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 17, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


def a_desk(file: Path | None = None, clock: Clock | None = None) -> Desk:
    return Desk(DeskLog(file), clock=clock or Clock())
