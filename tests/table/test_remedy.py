"""Remedies: what is offered, what may be answered, how details are read, what is done."""

from typing import Any

import pytest

from croupier.cards import Card
from croupier.table import BadCommand
from croupier.table.remedy import Remedies, Remedy, Ruling, asks, go_on, known_policy
from tests.pit.high_card import BOOK, HighCard

DONE: list[Ruling] = []


def _note(table: Any, ruling: Ruling) -> None:
    DONE.append(ruling)


def _not_the_first(table: Any, details: Any) -> None:
    if details["seat"] == 1:
        raise BadCommand("not the first")


REMEDIES: Remedies[Any] = Remedies(
    Remedy(name="go on", do=go_on),
    Remedy(name="pay", do=_note, asks=asks(seat="seat", amount="money"), check=_not_the_first),
    Remedy(name="void", do=_note, says="Nothing counts.", possible=lambda table: table != "quiet"),
    Remedy(name="burn", do=_note, asks=asks(card="card"), asks_always=False),
)
KINDS: Remedies[Any] = Remedies(
    *(
        Remedy(name=kind, do=_note, asks=asks(it=kind))
        for kind in ("seat", "box", "seats", "money", "card", "cards", "number", "text")
    )
)


def read(kind: str, value: Any) -> Any:
    """A detail of this kind as the remedy gets it."""
    DONE.clear()
    KINDS.carry_out(None, kind, {"it": value}, what="x", cites=())
    [ruling] = DONE
    return ruling.details["it"]


def test_what_is_possible_is_offered_in_its_order_but_for_what_comes_first():
    assert [choice.name for choice in REMEDIES.offered("any")] == ["go on", "pay", "void", "burn"]
    assert [choice.name for choice in REMEDIES.offered("quiet")] == ["go on", "pay", "burn"]
    first, *others = REMEDIES.offered("any", first="void")
    assert (first.name, first.says) == ("void", "Nothing counts.")
    assert [choice.name for choice in others] == ["go on", "pay", "burn"]
    assert others[1].asks == {"seat": "seat", "amount": "money"}


def test_the_question_states_what_may_be_answered_with_and_without_details():
    question = REMEDIES.question("ruling", cases=("interruption",))
    assert question.options == ("go on", "void", "burn")
    assert question.detailed == ("pay", "burn")
    assert question.names == ("ruling", "ruling: interruption")


def test_two_remedies_cannot_have_the_same_name():
    with pytest.raises(TypeError, match="same name"):
        Remedies(Remedy(name="void", do=go_on), Remedy(name="void", do=_note))


def test_details_are_checked_before_and_read_for_what_is_done():
    with pytest.raises(BadCommand, match="not the first"):
        REMEDIES.check(None, "pay", {"seat": 1, "amount": 500})
    REMEDIES.check(None, "pay", {"seat": 2, "amount": 500})
    DONE.clear()
    REMEDIES.carry_out(None, "burn", {"card": "As"}, what="a card fell", cites=("5.16",))
    assert [Ruling(details={"card": Card("As")}, what="a card fell", cites=("5.16",))] == DONE


@pytest.mark.parametrize(
    ("kind", "said", "is_read"),
    [
        ("seat", 3, 3),
        ("box", 3, 3),
        ("number", 0, 0),
        ("seats", [1, 2], (1, 2)),
        ("seats", (), ()),
        ("money", 1, 1),
        ("card", "As", Card("As")),
        ("cards", "As Kd", (Card("As"), Card("Kd"))),
        ("cards", "", ()),
        ("text", "one", "one"),
    ],
)
def test_a_detail_is_read_by_its_kind(kind, said, is_read):
    assert read(kind, said) == is_read


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        ("seat", "3", "no whole number"),
        ("seat", True, "no whole number"),
        ("number", 1.5, "no whole number"),
        ("seats", 1, "a list"),
        ("seats", [1, True], "no whole number"),
        ("money", 0, "above nothing"),
        ("money", True, "above nothing"),
        ("money", "5", "above nothing"),
        ("card", "As Kd", "not one card"),
        ("card", "Zz", "not one card"),
        ("cards", "Zz", "Zz"),
        ("text", 1, "no text"),
    ],
)
def test_a_detail_of_another_kind_is_an_error(kind, said, why):
    with pytest.raises(BadCommand, match=why):
        read(kind, said)


def test_a_policy_that_is_ruled_must_be_the_books():
    table = HighCard(BOOK)
    known_policy(table, {"policy": "fold-costs", "value": "half"})
    for policy, value in (("fold-costs", "double"), ("rake", "half")):
        with pytest.raises(BadCommand, match=value if policy == "fold-costs" else policy):
            known_policy(table, {"policy": policy, "value": value})
