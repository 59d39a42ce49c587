"""A bad case file gets an error with the file, the line or step, and what was expected."""

import pytest

from croupier.pit import CaseError, read_case, run_case
from tests.pit.high_card import REGISTRY

GOOD = """title = "A round"
rulebook = "high-card"
paragraphs = ["3.1"]

[boxes]
1 = { player = "Ann", stake = 10, card = "Kd" }

[[step]]
do = "close betting"
[[step]]
do = "stay"
box = 1
expect.turn = "none"
"""


def error(text: str) -> CaseError:
    with pytest.raises(CaseError) as caught:
        run_case(read_case(text, "a.toml", REGISTRY), REGISTRY)
    return caught.value


def test_the_good_file_is_good():
    assert run_case(read_case(GOOD, "a.toml", REGISTRY), REGISTRY).passed


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A round"\n', "", "a.toml: a case needs a title"),
        ('"A round"', "7", "a.toml:1: title is text, not 7"),
        ('"high-card"', '"whist"', "a.toml:2: no game here plays rulebook 'whist'; known: high-c"),
        ('["3.1"]', "[]", 'a.toml:3: paragraphs is a list such as ["3.8"]'),
        ('["3.1"]', '["9.9"]', "a.toml:3: high-card has no paragraph '9.9'"),
        (
            '["3.1"]',
            '["1.1", "1.2", "2.1", "2.2", "2.3", "3.1"]',
            "a.toml:3: a case names at most 5 paragraphs, this one 6",
        ),
        ("[boxes]", "abuot = 3\n[boxes]", "a.toml:5: abuot: unknown key; known here: table, bo"),
        ("[boxes]", "[boxen]", "a.toml:5: boxen: unknown key; known here: table, boxes, dealer"),
        ("stake = 10,", "stake = 10, colour = 3,", "boxes.1.colour: unknown key; known here: pl"),
        ("stake = 10", "stake = 2.505", "boxes.1.stake: '2.505' is not an amount"),
        ("stake = 10", 'stake = "ten"', "boxes.1.stake: 'ten' is not an amount"),
        ('card = "Kd"', 'card = "Kx"', "boxes.1.card: "),
        ("stake = 10, ", "", "missing required field `stake`"),
        ("\n1 = {", "\n0 = {", ">= 1"),
        ('do = "stay"', 'do = "stey"', "a.toml:10 (step 2): nothing is called 'stey' here; did y"),
        ('do = "stay"\n', "", 'a.toml:10 (step 2): a step needs do = "…"'),
        ("box = 1\nexpect", "bux = 1\nexpect", "a.toml:10 (step 2): stay: bux: unknown key; kno"),
        ("box = 1\nexpect", 'box = 1\nrank = "king"\nexpect', "rank is one of player, dealer,"),
        ("box = 1\nexpect", 'box = 1\nat = "noon"\nexpect', "at is a time such as 20:00:10.1"),
        (
            "box = 1\nexpect",
            'box = 1\ntable = "B"\nexpect',
            "there is no table 'B'; there is table",
        ),
        ("expect.turn", "expect.tern", "a.toml:10 (step 2): expect: tern: is no fact of this tab"),
        ('expect.turn = "none"', "expect.turn = [1]", "expect: turn: [1] does not fit"),
        ('expect.turn = "none"', "expect = 3", "expect: is a table, not 3"),
        ('expect.turn = "none"', "expect = {}", "expect: is empty; say what must come out"),
        ('expect.turn = "none"', "expect.refused = []", "refused: names the paragraph that refus"),
        ('expect.turn = "none"', 'expect.events = ["sung"]', "no event is called 'sung'; known:"),
        (
            'expect.turn = "none"',
            'expect.events = [{ event = "stayed", bix = 1 }]',
            "expect: events[1].bix: unknown key; known here: cites, box",
        ),
        ('expect.turn = "none"', 'expect.announced = ["shout"]', "announced[1]: is one of openin"),
        ('expect.turn = "none"', 'expect.paid = { 1 = "x" }', "paid.1: 'x' is not an amount"),
        ('expect.turn = "none"', "expect.links.main.meter = 1", "there is no 'main'; there is non"),
        ('expect.turn = "none"\n', "", "the case expects nothing"),
        ("[boxes]", "policies = { tea = 'two' }\n[boxes]", "a.toml:5: policies:"),
        ("[boxes]", "starts = 2024-01-01\n[boxes]", "starts is a date and time with its zone"),
        ("[boxes]", "link = 'main'\n[boxes]", "hangs on link 'main'; links here: none"),
        ("[boxes]", "tables = 3\n[boxes]", "tables is a table such as [tables.A]"),
        ("title =", "title", "a.toml: not TOML:"),
    ],
)
def test_what_is_wrong_and_where(old, new, message):
    assert old in GOOD
    told = str(error(GOOD.replace(old, new, 1)))
    assert message in told


def test_a_missing_value_of_a_command_is_told_at_its_step():
    result = run_case(read_case(GOOD.replace("box = 1\n", ""), "a.toml", REGISTRY), REGISTRY)
    [failure] = result.failures
    assert (failure.step, failure.line) == (2, 10)
    assert "missing required field `box`" in failure.differences[0].got


def test_cards_that_a_case_places_twice_cannot_be_stacked():
    told = error(GOOD.replace("[[step]]", '[dealer]\ncard = "Kd"\n[[step]]', 1))
    assert str(told) == "a.toml:10 (step 1): the deck cannot be stacked: the case places K♦ twice"


def test_with_several_tables_a_step_says_which():
    text = """title = "Two"
rulebook = "high-card"
paragraphs = ["3.1"]
tables.A.boxes.1 = { player = "Ann", stake = 10 }
tables.B.boxes.1 = { player = "Ben", stake = 10 }
[[step]]
do = "close betting"
"""
    assert "(step 1): say at which table: A, B" in str(error(text))
    told = str(error(text + 'table = "A"\n[expect]\nturn = 1\n'))
    assert "turn: with several tables, say which one" in told
    told = str(error(text.replace("[[step]]", 'dealer.card = "Kd"\n[[step]]') + 'table = "A"\n'))
    assert "unknown key 'dealer'; with [tables.NAME] it belongs under a table" in told
