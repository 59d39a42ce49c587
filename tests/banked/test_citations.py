"""The operative paragraph comes first, in every shipped case of a banked game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.banked.events import BoxSettled
from croupier.banked.findings import CardsExposed, HandCancelled, RoundVoided
from croupier.jackpot.events import ContributionsReversed
from croupier.table import DecisionNeeded, Event, StakesReturned
from tests.shipped import answers_of, shipped_results

BOOKS = (
    "multi-link-progressive-v3",
    "multi-link-progressive-v2",
    "progressive-texas-holdem-v6",
)
CANCELS = {"5.10.3", "5.15", "5.18", "5.23", "5.23.a", "5.23.b"}
QUESTIONS = {
    "by moving whole hands": {"5.8.6"},
    "can it be reconstructed": {"5.8.7", "5.9", "5.10", "5.15"},
    "confirm report": {"5.8.7", "5.10", "5.14", "5.15"},
    "order of the cards": {"5.14"},
    "after a dealing error": {"5.8.6", "5.8.7", "5.9", "5.10", "5.12", "5.14.1", "5.15"},
}


def irregular_events(book: str) -> Iterator[list[Event]]:
    """The events of every step of the cases of section 5 and of the meter."""
    for first in shipped_results().values():
        if not first.case.paragraphs[0].startswith(("5.", "1.20")):
            continue
        for result in first.in_each_book():
            if result.case.book.id == book:
                for answer in answers_of(result):
                    yield [event for _, event in answer]


@pytest.mark.parametrize("book", BOOKS)
def test_the_operative_paragraph_is_cited_first(book: str) -> None:
    asked = set()
    for events in irregular_events(book):
        void = any(isinstance(event, RoundVoided) for event in events)
        cancelled = [event for event in events if isinstance(event, HandCancelled)]
        for event in events:
            match event:
                case DecisionNeeded(question=question) if question in QUESTIONS:
                    assert event.cites[0] in QUESTIONS[question], (question, event.cites)
                    asked.add(question)
                case HandCancelled():
                    assert event.cites[0] in CANCELS, event.cites
                case StakesReturned() | ContributionsReversed() if void:
                    assert event.cites[0] == "5.21", event.cites
                case StakesReturned() | ContributionsReversed() if cancelled:
                    assert event.cites[0] == cancelled[0].cites[0], event.cites
                case CardsExposed() if void:
                    assert event.cites[0] == "5.8.2", event.cites
                case _:
                    pass
    assert asked == set(QUESTIONS), "every one of these questions is asked in some case"


SIZES = {"5.1.1", "5.1", "5.2.1", "5.2", "5.3.1", "5.3.2", "5.3"}
"""What a bet of the wrong size is settled by, which comes before all."""
SETTLES = {"won": "3.13", "lost": "3.14", "stand off": "3.15", "no hand": "5.4"}


@pytest.mark.parametrize("book", BOOKS)
def test_a_box_is_settled_by_the_paragraph_that_says_how(book: str) -> None:
    seen = set()
    for first in shipped_results().values():
        for result in first.in_each_book():
            if result.case.book.id != book:
                continue
            events = [event for answer in answers_of(result) for _, event in answer]
            for event in events:
                if not isinstance(event, BoxSettled) or event.result not in SETTLES:
                    continue
                if event.result == "no hand" and "progressive" not in event.bets:
                    continue
                cites = [cite for cite in event.cites if cite not in SIZES]
                if event.result == "no hand":
                    cites = [cite for cite in cites if not cite.startswith("5.23")]
                assert cites[0] == SETTLES[event.result], event.cites
                seen.add(event.result)
    assert seen == set(SETTLES), "each of them comes about in some case"
