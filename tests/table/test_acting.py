"""Acts by the players' own devices, or seen and entered by the dealer; and known questions."""

import pytest

from croupier.table import ActorRank, DecisionNeeded, Refused
from croupier.table.acting import NOT_BY_DEVICE, NOT_SEEN, heard, usual_acting
from croupier.table.question import Question, names_of
from croupier.table.refusal import Refusal
from tests.pit.high_card import BOOK, Fold, HighCard, Stay, order

DONE: list[object] = []
DECIDERS = {Stay: lambda table, given: DONE.append(given), Fold: lambda table, given: None}
TOPICS = ("no such topic", "stay-or-fold", "stay-or-fold", "look")


def answer(acting, who, rank):
    """What a table says to Stay where players act so, and how often it was decided."""
    DONE.clear()
    deciders = heard(DECIDERS, acting, seen={Stay: TOPICS}, own={Stay: TOPICS})
    assert deciders[Fold] is DECIDERS[Fold]
    try:
        deciders[Stay](HighCard(BOOK), order(Stay(box=1), who, rank))
    except Refusal as refusal:
        return refusal.refused, len(DONE)
    return None, len(DONE)


@pytest.mark.parametrize("rank", [ActorRank.PLAYER, ActorRank.DEALER])
def test_where_players_act_by_device_nobody_enters_what_was_seen(rank):
    refused, decided = answer("device", "x", rank)
    assert (refused.says, decided) == (NOT_SEEN, 0)


def test_where_the_dealer_enters_it_a_player_does_not():
    refused, decided = answer("seen", "Ann", ActorRank.PLAYER)
    assert (refused.says, decided) == (NOT_BY_DEVICE, 0)
    assert answer("seen", "Dee", ActorRank.DEALER) == (None, 1)


def test_a_table_that_says_neither_takes_both():
    assert answer(None, "Ann", ActorRank.PLAYER) == (None, 1)
    assert answer(None, "Dee", ActorRank.DEALER) == (None, 1)


def test_the_refusal_cites_each_paragraph_once_of_the_topics_that_the_book_has():
    refused, _ = answer("device", "x", ActorRank.DEALER)
    both = (*BOOK.cite("stay-or-fold"), *BOOK.cite("look"))
    assert refused == Refused(tuple(dict.fromkeys(both)), NOT_SEEN)


def test_a_live_table_that_does_not_say_goes_by_its_dealing():
    assert (usual_acting("automatic"), usual_acting("by-hand")) == ("device", "seen")


# -- questions ------------------------------------------------------------------------------------


def test_a_question_is_known_by_its_name_and_in_its_cases():
    assert Question(name="withdraw").names == ("withdraw",)
    ruling = Question(name="ruling", cases=("interruption", "deck"))
    assert ruling.names == ("ruling", "ruling: interruption", "ruling: deck")


def test_what_is_asked_goes_by_the_narrower_name_first():
    asked = DecisionNeeded(decision=1, question="ruling", says="?", options=(), of=3)
    assert names_of(asked) == ("ruling",)
    narrow = DecisionNeeded(
        decision=1, question="ruling", says="?", options=(), of=3, about={"case": "deck"}
    )
    assert names_of(narrow) == ("ruling: deck", "ruling")
