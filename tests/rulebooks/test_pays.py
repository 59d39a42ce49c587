"""Pay tables: what is written on them, and to which cards each line belongs."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, Category, read_cards
from croupier.rulebooks import BOOKS, Fixed, ForOne, Made, ShareOfMeter, ToOne, hole_class, load
from croupier.rulebooks.pays import parse_odds, parse_pays
from croupier.rulebooks.paytable import hole_classes

V6 = load("progressive-texas-holdem-v6")
V2, V3 = load("multi-link-progressive-v2"), load("multi-link-progressive-v3")
BANKED = [load(book) for book in BOOKS if load(book).family == "banked"]


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("1 to 1", ToOne(1)),
        ("1000 to 1", ToOne(1000)),
        ("400 for 1", ForOne(400)),
        ("10%", ShareOfMeter(10)),
        ("100%", ShareOfMeter(100)),
        ("$300", Fixed(300_00)),
        ("$2,000", Fixed(2_000_00)),
        ("$10,000.50", Fixed(10_000_50)),
    ],
)
def test_a_payment_is_read_as_written_and_written_as_read(text, pays):
    assert parse_pays(text) == pays
    assert str(pays) == text


@pytest.mark.parametrize(
    "text",
    ["", "1:1", "0 to 1", "1 to 2", "01 to 1", "1 To 1", "0%", "101%", "2.5%", "$2000", "$0",
     "2,000", "$2,00", "$1.5", " 1 to 1", "1 to 1\n", "-5%", "1 for 1 to 1"],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="is not a payment"):
        parse_pays(text)


def test_odds_of_a_changed_table_need_not_be_whole():
    assert parse_odds("3 to 2") == ToOne(Fraction(3, 2))
    assert parse_odds("2.5 to 1") == ToOne(Fraction(5, 2))
    assert parse_odds("4 to 2") == ToOne(2) == parse_odds("2 to 1")
    assert str(parse_odds("7.5 for 1")) == "15 for 2"
    assert parse_odds("10%") == ShareOfMeter(10)
    for text in ("0 to 1", "1 to 0", "a to 1", "3:2", "2.5%", ""):
        with pytest.raises(ValueError, match="is not a payment; expected 'X to 1', 'X to Y'"):
            parse_odds(text)


def test_parts_of_a_cent_are_never_rounded():
    assert ToOne(Fraction(3, 2)).winnings(10_00) == 15_00
    assert ForOne(Fraction(5, 2)).handed_over(2) == 5
    with pytest.raises(ValueError, match=r"3 to 2 on a stake of 5\.01 is no whole number of cents"):
        ToOne(Fraction(3, 2)).winnings(5_01)


@given(st.one_of(
    st.integers(1, 10**6).map(ToOne),
    st.integers(1, 10**6).map(ForOne),
    st.integers(1, 100).map(ShareOfMeter),
    st.integers(100, 10**12).map(Fixed),
))  # fmt: skip
def test_every_payment_survives_being_written(pays):
    assert parse_pays(str(pays)) == pays


def test_to_one_comes_on_top_of_the_stake_and_for_one_does_not():
    assert ToOne(30).winnings(25_00) == 750_00
    assert ForOne(400).handed_over(5_00) == 2_000_00
    assert ShareOfMeter(25).share == Fraction(1, 4)


@pytest.mark.parametrize("book", BANKED, ids=lambda book: book.id)
def test_every_line_is_cited_by_its_own_topic(book):
    for table in book.pays.values():
        for line in table.lines:
            assert book.cite(line.topic)[0] == line.id
            assert table.line(line.id) is line


@pytest.mark.parametrize("book", BANKED, ids=lambda book: book.id)
def test_every_paragraph_of_a_pay_line_is_a_pay_line(book):
    lines = {line.id for table in book.pays.values() for line in table.lines}
    rows = {
        id
        for id in book.paragraphs
        if id.startswith(("4.1.bonus.", "4.2.major.", "4.2.minor.", "4.2.community."))
        or id in ("4.1.flop", "4.1.turn", "4.1.river", "4.1.ante")
    }
    assert lines == rows


# Of the 1,326 pairs of hole cards. The double line needs the dealer's cards too.
BONUS_COUNTS = {
    "4.1.bonus.aa-player": 6,
    "4.1.bonus.ak-suited": 4,
    "4.1.bonus.aq-aj-suited": 8,
    "4.1.bonus.ak-unsuited": 12,
    "4.1.bonus.high-pair": 18,
    "4.1.bonus.aq-aj-unsuited": 24,
    "4.1.bonus.low-pair": 54,
    None: 1200,
}


@pytest.mark.parametrize("book", BANKED, ids=lambda book: book.id)
def test_every_pair_of_hole_cards_has_its_bonus_line(book):
    table = book.pay("bonus")
    found = Counter(
        line.id if (line := table.hole_line(hole_class(a, b), None)) else None
        for a, b in combinations(DECK, 2)
    )
    assert found == BONUS_COUNTS


@pytest.mark.parametrize(
    ("player", "dealer", "pays"),
    [
        ("Ah Ad", "Ac As", "1000 to 1"),
        ("Ah Ad", "Ac Ks", "30 to 1"),
        ("Ah Ad", None, "30 to 1"),
        ("Kd As", None, "15 to 1"),
        ("Ks As", None, "25 to 1"),
        ("Jd Ad", None, "20 to 1"),
        ("Ac Qh", None, "5 to 1"),
        ("Jc Jh", None, "10 to 1"),
        ("Tc Th", None, "3 to 1"),
        ("2c 2d", None, "3 to 1"),
        ("Ks Qs", None, None),
        ("9c 4d", "Ac As", None),
    ],
)
def test_bonus_lines(player, dealer, pays):
    dealt = hole_class(*read_cards(dealer)) if dealer else None
    line = V3.pay("bonus").hole_line(hole_class(*read_cards(player)), dealt)
    assert (str(line.pays) if line else None) == pays


@pytest.mark.parametrize(
    ("text", "classes"),
    [("AA", ("AA",)), ("AKs", ("AKs",)), ("KK-JJ", ("KK", "QQ", "JJ")), ("33-22", ("33", "22"))],
)
def test_classes_of_hole_cards(text, classes):
    assert hole_classes(text) == classes


@pytest.mark.parametrize("text", ["AK", "AAs", "KAs", "JJ-KK", "AA-AA", "A", "AKx", "1As", "AK-QQ"])
def test_what_is_no_class_of_hole_cards(text):
    with pytest.raises(ValueError, match="not a class of hole cards"):
        hole_classes(text)


def test_the_ante_is_paid_from_a_straight_and_the_other_bets_always():
    table = V3.pay("main")
    assert table.bet_line("ante", Category.THREE_OF_A_KIND) is None
    assert table.bet_line("ante", Category.STRAIGHT).id == "4.1.ante"
    assert table.bet_line("ante", Category.ROYAL_FLUSH).id == "4.1.ante"
    for bet in ("flop", "turn", "river"):
        assert table.bet_line(bet, Category.FIVE_ODD_CARDS).id == f"4.1.{bet}"
        assert table.bet_line(bet, Category.FIVE_ODD_CARDS).pays == ToOne(1)


def held(book, **made):
    return [
        (line.id, str(line.pays)) for line in book.pay("progressive").jackpot_lines(Made(**made))
    ]


@pytest.mark.parametrize("folded", [False, True])
def test_v2_and_v3_judge_hole_cards_and_flop_of_live_and_folded_boxes(folded):
    def pays(book, category):
        found = held(book, hole_and_flop=category, folded=folded)
        return found[0][1] if found else None

    lines = {category: (pays(V2, category), pays(V3, category)) for category in Category}
    assert {category: pair for category, pair in lines.items() if pair != (None, None)} == {
        Category.ROYAL_FLUSH: ("100%", "100%"),
        Category.STRAIGHT_FLUSH: ("10%", "10%"),
        Category.FOUR_OF_A_KIND: ("$2,000", "400 for 1"),
        Category.FULL_HOUSE: ("$200", "80 for 1"),
        Category.FLUSH: ("$100", "40 for 1"),
        Category.STRAIGHT: (None, "20 for 1"),
    }
    assert held(V3, best_of_seven=Category.ROYAL_FLUSH, board=Category.ROYAL_FLUSH) == []


@pytest.mark.parametrize(("street", "share"), [("flop", "100%"), ("turn", "25%"), ("river", "5%")])
def test_v6_pays_a_royal_flush_by_the_street_on_which_it_is_first_complete(street, share):
    made = {"best_of_seven": Category.ROYAL_FLUSH, "first_complete": street, "hole_card": True}
    assert held(V6, **made) == [(f"4.2.major.royal-flush-{street}", share)]
    assert held(V6, **made, folded=True) == []


def test_v6_a_royal_flush_on_the_board_gets_the_community_line_only():
    made = {
        "best_of_seven": Category.ROYAL_FLUSH,
        "board": Category.ROYAL_FLUSH,
        "first_complete": "river",
    }
    community = [("4.2.community.royal-flush", "$10,000")]
    assert held(V6, **made) == community
    assert held(V6, **made, folded=True) == community


def test_v6_several_lines_may_be_held_by_one_stake():
    made = {
        "best_of_seven": Category.FOUR_OF_A_KIND,
        "board": Category.FOUR_OF_A_KIND,
        "first_complete": "river",
    }
    both = ["4.2.major.four-of-a-kind", "4.2.community.four-of-a-kind"]
    assert [id for id, _ in held(V6, **made)] == both
    assert [id for id, _ in held(V6, **made, folded=True)] == both[1:]


def test_major_awards_are_the_shares_of_the_meter():
    majors = {book.id: [x.id for x in book.pay("progressive").lines if x.major] for book in BANKED}
    assert majors == {
        V6.id: [f"4.2.major.royal-flush-{street}" for street in ("flop", "turn", "river")],
        V2.id: ["4.2.major.royal-flush", "4.2.major.straight-flush"],
        V3.id: ["4.2.major.royal-flush", "4.2.major.straight-flush"],
    }
