"""What can be reported: the values of a field, and which of the candidates are listed."""

from typing import ClassVar

import pytest

from croupier.cards import Card
from croupier.table import Command
from croupier.table.reports import (
    SAID,
    Anything,
    BySeat,
    From,
    Moves,
    OneOf,
    Reportable,
    SomeOf,
    Words,
    possible,
)

ACE, KING, QUEEN, TWO = Card("As"), Card("Kd"), Card("Qh"), Card("2c")
UNKNOWN = Card.UNKNOWN


class ReportCards(Command, frozen=True, kw_only=True):
    players_may: ClassVar[bool] = False
    seat: int
    seen: bool | None = None
    cards: tuple[Card, ...] = ()
    lying: dict[int, tuple[Card, ...]] = {}
    says: str = ""


# -- the values of one field ----------------------------------------------------------------------


def test_one_value_is_of_its_own_type():
    values = OneOf((None, 1, False))
    assert [values.holds(v) for v in (None, 1, False)] == [True, True, True]
    assert [values.holds(v) for v in (True, 0, 2)] == [False, False, False]


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ((), False),
        ((ACE,), True),
        ((ACE, KING), True),
        ((ACE, ACE), False),
        ((ACE, KING, QUEEN), True),  # one of the three lies there unseen: it may be the Queen
        ((ACE, QUEEN, TWO), False),
        ((UNKNOWN,), False),
    ],
)
def test_named_cards_lie_there_each_once_and_an_unseen_one_may_be_any(said, fits):
    assert SomeOf((ACE, KING, UNKNOWN), least=1).holds(said) is fits


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ((UNKNOWN,), True),
        ((UNKNOWN, UNKNOWN), True),
        ((ACE, UNKNOWN), True),
        ((ACE, UNKNOWN, UNKNOWN), False),
        ((UNKNOWN, TWO), False),
    ],
)
def test_a_card_may_be_left_unnamed_as_long_as_as_many_lie_there(said, fits):
    assert SomeOf((ACE, KING), unnamed=True).holds(said) is fits


def test_the_same_unseen_card_is_not_named_twice():
    assert not SomeOf((UNKNOWN, UNKNOWN)).holds((ACE, ACE))


def test_some_values_are_tried_with_as_many_as_are_needed():
    values = SomeOf((1, 2, 3), least=2)
    assert values.trial() == (1, 2)
    assert values.trial(3) == (3, 1)
    assert SomeOf((1, 2)).trial() == ()
    assert SomeOf((1, 2)).trial(2) == (2,)
    assert SomeOf((UNKNOWN, ACE), least=2, unseen=TWO).trial() == (TWO, ACE)
    assert SomeOf((UNKNOWN,), least=1).trial() == (UNKNOWN,)


def test_of_some_values_those_are_kept_that_are_accepted_if_they_are_enough():
    values = SomeOf((1, 2, 3), least=1)
    assert values.only(lambda said: 2 not in said) == SomeOf((1, 3), least=1)
    assert values.only(lambda said: False) is None
    assert SomeOf((1, 2), least=2).only(lambda said: True) == SomeOf((1, 2), least=2)
    assert SomeOf((1, 2)).only(lambda said: False) == SomeOf(())


@pytest.mark.parametrize(
    ("said", "fits"),
    [
        ({}, False),
        ({1: (ACE,)}, False),
        ({1: (ACE, KING)}, True),
        ({1: (ACE,), 4: (QUEEN,)}, True),
        ({1: (ACE,), 4: (KING,)}, False),
        ({1: (ACE, KING), 5: (TWO,)}, False),
        ({1: (ACE,), 4: (UNKNOWN,)}, False),
    ],
)
def test_cards_by_place_lie_at_that_place_and_are_counted_together(said, fits):
    assert BySeat({1: (ACE, KING), 4: (QUEEN,)}, least=2).holds(said) is fits


def test_cards_by_place_may_be_left_unnamed_too():
    values = BySeat({4: (QUEEN,)}, unnamed=True)
    assert values.holds({4: (UNKNOWN,)})
    assert not values.holds({4: (UNKNOWN, UNKNOWN)})


def test_cards_by_place_are_tried_one_by_one():
    values = BySeat({1: (ACE, KING), 4: (UNKNOWN,)}, least=1, unseen=TWO)
    assert values.trial() == {1: (ACE,)}
    assert values.trial((4, UNKNOWN)) == {4: (TWO,)}
    assert BySeat({1: (ACE,), 4: (QUEEN,)}, least=2).trial() == {1: (ACE,), 4: (QUEEN,)}
    assert BySeat({1: (ACE,)}).trial() == {}
    kept = values.only(lambda said: said != {1: (ACE,)})
    assert kept == BySeat({1: (KING,), 4: (UNKNOWN,)}, least=1, unseen=TWO)
    assert values.only(lambda said: 1 in said) == BySeat({1: (ACE, KING)}, least=1, unseen=TWO)
    assert values.only(lambda said: False) is None
    assert BySeat({1: (ACE,)}).only(lambda said: False) == BySeat({})


def test_a_number_lies_within_its_limits():
    values = From(2, 4)
    assert [values.holds(n) for n in (1, 2, 4, 5, True)] == [False, True, True, False, False]
    assert values.trial() == 2
    assert values.only(lambda n: 2 <= n <= 4) == values
    assert values.only(lambda n: n != 2) is None
    assert values.only(lambda n: n != 4) is None


@pytest.mark.parametrize(
    ("said", "fits", "fits_if_one_goes_back"),
    [
        ({}, True, True),
        ({1: 2, 2: 1}, True, True),
        ({1: 2, 2: 3, 3: 1}, True, True),
        ({1: 1}, False, False),
        ({1: 2}, False, False),  # nothing would lie at 1
        ({1: 3, 2: 3}, False, False),
        ({1: 4, 4: 1}, False, False),
    ],
)
def test_hands_change_places_and_none_is_left_bare(said, fits, fits_if_one_goes_back):
    assert Moves((1, 2, 3)).holds(said) is fits
    assert Moves((1, 2, 3), goes_back=True).holds(said) is fits_if_one_goes_back


@pytest.mark.parametrize(
    ("said", "fits", "fits_if_one_goes_back"),
    [
        ({}, True, True),
        ({4: 3}, True, True),
        ({4: 1}, False, True),  # the hand of 1 loses its place
        ({4: 1, 1: 3}, True, True),
        ({1: 3}, False, False),
        ({2: 3}, False, False),
        ({4: 5}, False, False),
    ],
)
def test_a_hand_that_lies_nowhere_of_its_own_comes_home(said, fits, fits_if_one_goes_back):
    assert Moves((1, 2, 4), (1, 2, 3)).holds(said) is fits
    assert Moves((1, 2, 4), (1, 2, 3), goes_back=True).holds(said) is fits_if_one_goes_back


def test_a_hand_that_loses_its_place_goes_back_to_the_device_if_it_can():
    dealt_to_an_empty_box = Moves((1, 2, 3), (1, 2))
    assert not dealt_to_an_empty_box.holds({3: 2})
    assert not dealt_to_an_empty_box.holds({1: 2, 2: 1})
    with_a_device = Moves((1, 2, 3), (1, 2), goes_back=True)
    assert with_a_device.holds({3: 2})
    assert with_a_device.holds({1: 2, 2: 1})
    assert not with_a_device.holds({2: 1})  # nothing would lie at 2


def test_moves_are_tried_without_any():
    values = Moves((1, 2))
    assert values.trial() == {}
    assert values.only(lambda said: said == {}) == values
    assert values.only(lambda said: False) is None


def test_anything_is_tried_with_one_value():
    values = Anything(5)
    assert values.holds(7)
    assert values.trial() == 5
    assert values.only(lambda n: n == 5) == values
    assert values.only(lambda n: n != 5) is None


def test_words_are_needed_or_not():
    assert [Words().holds(said) for said in ("a card fell", " ", "")] == [True, False, False]
    assert Words(needed=False).holds("")
    assert (Words().trial(), Words(needed=False).trial()) == (SAID, "")
    assert Words().only(lambda said: False) == Words()


# -- which candidates are listed ------------------------------------------------------------------


def listed(candidates, accepted):
    return [found.fields for found in possible(ReportCards, candidates, accepted)]


def test_single_values_that_go_together_are_drawn_together():
    candidates = {"seat": OneOf((1, 2, 3)), "seen": OneOf((None, True))}
    assert listed(candidates, lambda report: True) == [candidates]
    assert listed(candidates, lambda report: False) == []
    assert listed(candidates, lambda report: report.seat < 3 or not report.seen) == [
        {"seat": OneOf((1, 2)), "seen": OneOf((None, True))},
        {"seat": OneOf((3,)), "seen": OneOf((None,))},
    ]


def test_combinations_with_other_values_beside_them_stay_apart():
    candidates = {"cards": SomeOf((ACE, KING)), "seat": OneOf((1, 2, 3))}
    found = listed(candidates, lambda report: report.seat != 2 or ACE not in report.cards)
    assert found == [
        {"cards": SomeOf((ACE, KING)), "seat": OneOf((1, 3))},
        {"cards": SomeOf((KING,)), "seat": OneOf((2,))},
    ]
    assert [*found[0]] == ["cards", "seat"], "in the order of the candidates"


def test_what_must_be_named_is_tried_with_what_else_must_be():
    candidates = {
        "seat": OneOf((1,)),
        "cards": SomeOf((ACE, KING), least=1),
        "lying": BySeat({1: (QUEEN,), 2: (TWO,)}, least=1),
    }

    def both(report):
        return bool(report.cards and report.lying) and 2 not in report.lying

    assert listed(candidates, both) == [
        {
            "seat": OneOf((1,)),
            "cards": SomeOf((ACE, KING), least=1),
            "lying": BySeat({1: (QUEEN,)}, least=1),
        }
    ]
    assert listed(candidates, lambda report: not report.lying) == []


def test_where_nothing_more_need_be_said_the_plainest_report_stands_for_the_others():
    tried = []
    candidates = {"seat": OneOf((1,)), "cards": SomeOf((ACE, KING)), "says": Words()}
    assert listed(candidates, tried.append) == []
    assert tried == [ReportCards(seat=1, says=SAID)]


def test_the_whole_is_tried_once_more_with_what_was_kept():
    candidates = {"seat": OneOf((1,)), "cards": SomeOf((ACE, KING), least=1)}
    assert listed(candidates, lambda report: report.cards == (KING,)) == [
        {"seat": OneOf((1,)), "cards": SomeOf((KING,), least=1)}
    ]
    tried = []

    def each_card_once(report):
        tried.append(report.cards)
        return tried.count(report.cards) == 1

    assert listed(candidates, each_card_once) == []


def test_a_listed_report_is_recognised_by_its_fields():
    mine = Reportable(do="report cards", fields={"seat": OneOf((1,)), "cards": SomeOf((ACE,))})
    assert mine.holds(ReportCards(seat=1, cards=(ACE,)))
    assert not mine.holds(ReportCards(seat=2, cards=(ACE,)))
    assert not mine.holds(ReportCards(seat=1, cards=(KING,)))
    assert not mine.holds(ReportCards(seat=1, seen=True)), "a field that is not listed"
    assert not mine.holds(ReportCards(seat=1, lying={1: (ACE,)}))
    assert not Reportable(do="report deck", fields=mine.fields).holds(ReportCards(seat=1))


def test_people_at_the_table_are_told_how_many_cards_not_which():
    lying = {1: (ACE, KING), 4: (QUEEN,)}
    whole = Reportable(
        do="report cards",
        fields={
            "seat": OneOf((1, 2)),
            "cards": SomeOf((ACE, KING), least=1, unseen=TWO),
            "lying": BySeat(lying, unseen=TWO),
        },
    )
    assert whole.public().do == "report cards"
    assert whole.public().fields == {
        "seat": OneOf((1, 2)),
        "cards": SomeOf((UNKNOWN, UNKNOWN), least=1),
        "lying": BySeat({1: (UNKNOWN, UNKNOWN), 4: (UNKNOWN,)}),
    }
    assert SomeOf((1, 2)) == Reportable(do="x", fields={"to": SomeOf((1, 2))}).public().fields["to"]
