"""What staff decide is told in plain sentences, every answer of every question."""

from __future__ import annotations

import pytest

from croupier.pit.decided import decided_words, told_decision
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, DecisionTaken
from croupier.table.decision import by_whom

ANSWERS = [
    (question.name, option)
    for questions in GAMES.questions.values()
    for question in questions
    if question.of == "staff"
    for option in (*question.options, *question.detailed)
]


@pytest.mark.parametrize(("question", "option"), ANSWERS)
def test_every_answer_of_staff_has_its_words(question: str, option: str):
    words = decided_words(question, option)
    assert not words.startswith("decides")
    assert "“" not in words
    if question != "ruling":
        assert words.split()[0].endswith("s"), words


def taken(who: str, question: str = "confirm misdeal", option: str = "confirm") -> DecisionTaken:
    return DecisionTaken(
        decision=1,
        question=question,
        option=option,
        who=who,
        rank=ActorRank.PIT_SUPERVISOR,
        reason="the book says so",
    )


def test_a_person_with_the_rank_and_why():
    told = told_decision(taken("Sue"))
    assert told == "Sue (pit supervisor) confirms the Misdeal, because the book says so."


def test_who_is_known_by_the_rank_is_named_once():
    assert by_whom("the pit supervisor", ActorRank.PIT_SUPERVISOR) == "The pit supervisor"
    assert "(pit supervisor)" not in taken("the pit supervisor").tell(str)
    assert taken("the pit supervisor").tell(str).startswith("The pit supervisor decides")
