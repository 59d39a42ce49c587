"""A question as a case file, and a case file as a question."""

from __future__ import annotations

from croupier.desk.errors import NotRuled, NotThere
from croupier.desk.records import CaseQuestion
from croupier.pit.question import Answer, Question


def case_text(question: Question, answer: Answer) -> str:
    """A case file that expects what was ruled."""
    raise NotRuled("not yet")


def shipped_question(source: str, book: str = "") -> CaseQuestion:
    """A shipped case as a question."""
    raise NotThere("not yet")
