from fractions import Fraction

import pytest

from croupier.cards import Category
from croupier.lab.errors import WhatIfError
from croupier.lab.whatif import what_if
from croupier.rulebooks import Fixed, ForOne, ShareOfMeter, ToOne, load


@pytest.fixture
def book():
    return load("multi-link-progressive-v3")


@pytest.mark.parametrize(
    ("part", "value", "pays"),
    [
        ("4.2.minor.flush", "50 for 1", ForOne(50)),
        ("4.2.minor.flush", "$1,250.50", Fixed(125050)),
        ("4.2.major.straight-flush", "20%", ShareOfMeter(20)),
        ("4.1.bonus.low-pair", "4 to 1", ToOne(4)),
        ("4.1.turn", "2 to 1", ToOne(2)),
        ("4.1.turn", "3 to 2", ToOne(Fraction(3, 2))),
        ("4.1.turn", "2.5 to 1", ToOne(Fraction(5, 2))),
        ("4.1.turn", "6 to 2", ToOne(3)),
        ("4.2.minor.flush", "37.5 for 1", ForOne(Fraction(75, 2))),
    ],
)
def test_a_pay_line_is_replaced_and_the_book_stays(book, part, value, pays):
    changed, [change] = what_if(book, {part: value})
    table = next(table for table in changed.pays.values() if table.line(part))
    assert table.line(part).pays == pays
    before = book.pays[table.id].line(part)
    assert (change.part, change.old, change.new) == (part, str(before.pays), value)
    assert before.pays != pays
    others = [line for line in table.lines if line.id != part]
    assert others == [line for line in book.pays[table.id].lines if line.id != part]


def test_a_line_can_be_struck_out(book):
    changed, [change] = what_if(book, ["4.2.minor.straight=nothing"])
    assert changed.pay("progressive").line("4.2.minor.straight") is None
    assert (change.old, change.new) == ("20 for 1", "nothing")


@pytest.mark.parametrize(
    ("setting", "name", "value"),
    [
        ("flop-bet=3", "flop-bet", 3),
        ("bonus-cap=50,000", "bonus-cap", 50_000_00),
        ("bonus-cap=$50000.50", "bonus-cap", 50_000_50),
        ("ante-pays-from=flush", "ante-pays-from", Category.FLUSH),
        (" ante-pays-from = 'two-pairs' ", "ante-pays-from", Category.TWO_PAIRS),
    ],
)
def test_a_parameter_is_replaced(book, setting, name, value):
    changed, _ = what_if(book, [setting])
    assert changed.parameter(name) == value


def test_the_ante_threshold_changes_the_pay_line_as_well(book):
    changed, _ = what_if(book, ["ante-pays-from=flush"])
    assert changed.pay("main").line("4.1.ante").when.at_least is Category.FLUSH
    assert changed.pay("main").bet_line("ante", Category.STRAIGHT) is None


def test_a_policy_is_replaced():
    changed, [change] = what_if(load("progressive-texas-holdem-v6"), ["v6-lines=all-lines"])
    assert changed.policies_with({})["v6-lines"] == "all-lines"
    assert (change.old, change.new) == ("best-single", "all-lines")


def test_several_changes_at_once(book):
    changed, changes = what_if(book, ["turn-bet=2", "4.1.turn=3 to 1", "4.1.river=3 to 1"])
    assert [change.part for change in changes] == ["turn-bet", "4.1.turn", "4.1.river"]
    assert changed.number("turn-bet") == 2
    assert what_if(book, []) == (book, ())


@pytest.mark.parametrize(
    ("setting", "part", "problem"),
    [
        ("4.2.minor.flsh=50 for 1", "4.2.minor.flsh", "Did you mean '4.2.minor.flush'"),
        ("nonsense=1", "nonsense", "no pay line, parameter or policy"),
        ("4.2.minor.flush=50 fo 1", "4.2.minor.flush", "'50 fo 1' is not a payment"),
        ("4.2.minor.flush=", "4.2.minor.flush", "'' is not a payment"),
        ("4.2.minor.flush=101%", "4.2.minor.flush", "is not a payment"),
        ("4.2.minor.flush=-5 to 1", "4.2.minor.flush", "is not a payment"),
        ("flop-bet=two", "flop-bet", "'two' does not read as a whole number"),
        ("flop-bet=-1", "flop-bet", "does not read"),
        ("bonus-cap=lots", "bonus-cap", "does not read as a sum"),
        ("ante-pays-from=strait", "ante-pays-from", "Did you mean 'straight'"),
        ("layouts=A", "layouts", "does not read"),
        ("partial-award=rset", "partial-award", "Did you mean 'reset'"),
        ("4.2.minor.flush", "4.2.minor.flush", "written part=value"),
        ("=3", "=3", "written part=value"),
    ],
)
def test_what_cannot_be_set_is_refused_with_its_part(book, setting, part, problem):
    with pytest.raises(WhatIfError) as error:
        what_if(book, [setting])
    assert error.value.part == part
    assert problem in str(error.value)


def test_a_part_set_twice_is_refused(book):
    with pytest.raises(WhatIfError, match="flop-bet: it is set twice"):
        what_if(book, ["flop-bet=3", "flop-bet=4"])
