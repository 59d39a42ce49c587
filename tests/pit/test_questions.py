"""What the games say that they ask is what they ask: by every case that is shipped."""

from collections import defaultdict
from itertools import chain
from typing import Any

import pytest

from croupier.banked.calls import FOR_THE_ROUND as A_BANKED_SHUFFLE
from croupier.pit import GAMES
from croupier.poker.deck import FOR_THE_BUTTON, FOR_THE_ROUND
from croupier.poker.irregularities.community import PICK, SHUFFLE_IN
from croupier.table import ActorRank, Conversation, DecisionNeeded, Question
from tests.shipped import answers_of, shipped_results

CHANCE = {A_BANKED_SHUFFLE, FOR_THE_BUTTON, FOR_THE_ROUND, PICK, SHUFFLE_IN}
"""What is asked of chance, and of nobody."""

KINDS: dict[str, type[Conversation[Any]]] = {
    **{game.name: game.table_type for game in GAMES.games.values()},
    "jackpot": GAMES.link.link_type if GAMES.link is not None else Conversation,
}


@pytest.fixture(scope="module")
def raised() -> dict[str, list[DecisionNeeded]]:
    """Every question that any shipped case raises, by game."""
    found = defaultdict(list)
    for first in shipped_results().values():
        for result in first.in_each_book():
            for place, event in chain.from_iterable(answers_of(result)):
                if isinstance(event, DecisionNeeded):
                    game = "jackpot" if place in result.case.links else result.case.book.family
                    found[game].append(event)
    return found


def stated(game: str, name: str) -> Question:
    [question] = [each for each in GAMES.questions[game] if each.name == name]
    return question


def test_the_registry_knows_the_questions_of_every_game_and_of_links():
    assert set(GAMES.questions) == {"poker", "banked", "jackpot"}
    for game, kind in KINDS.items():
        assert GAMES.questions[game] == kind.may_ask


@pytest.mark.parametrize("game", GAMES.questions)
def test_every_question_that_a_case_raises_is_stated_with_its_options(game, raised):
    for need in raised[game]:
        question = stated(game, need.question)
        assert question.of == ("staff" if isinstance(need.of, ActorRank) else "player")
        assert {o.name for o in need.options if not o.asks} <= set(question.options), need
        assert {o.name for o in need.options if o.asks} <= set(question.detailed), need
        assert need.about.get("case", "") in ("", *question.cases)


@pytest.mark.parametrize("game", GAMES.questions)
def test_every_question_that_is_stated_is_raised_by_a_case_with_every_option(game, raised):
    for question in GAMES.questions[game]:
        asked = [need for need in raised[game] if need.question == question.name]
        offered = {option.name for need in asked for option in need.options}
        assert offered == {*question.options, *question.detailed}, question.name
        cases = {need.about["case"] for need in asked if "case" in need.about}
        assert cases == set(question.cases), question.name


@pytest.mark.parametrize("game", GAMES.questions)
def test_a_game_goes_on_after_every_question_that_it_states_and_no_other(game):
    names = [question.name for question in GAMES.questions[game]]
    assert len(set(names)) == len(names)
    assert set(KINDS[game].whole.answers) - CHANCE == set(names)
