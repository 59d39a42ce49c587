"""A bad case file gets an error with the file, the line or step, and what was expected."""

import pytest

from croupier.pit import GAMES, CaseError, read_case, run_case
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
        ("[boxes]", "[boxen]", "a.toml:5: boxen: unknown key; did you mean 'boxes'? known here"),
        (
            "stake = 10,",
            "stake = 10, hat = 3,",
            "a.toml:6: boxes.1.hat: unknown key; known here: p",
        ),
        (
            "stake = 10,",
            "steak = 10,",
            "a.toml:6: boxes.1.steak: unknown key; did you mean 'stake'",
        ),
        ("stake = 10", "stake = 2.505", "a.toml:6: boxes.1.stake: '2.505' is not an amount"),
        ("stake = 10", 'stake = "ten"', "a.toml:6: boxes.1.stake: 'ten' is not an amount"),
        ('card = "Kd"', 'card = "Kx"', "a.toml:6: boxes.1.card: "),
        ("stake = 10, ", "", "a.toml:6: boxes.1: stake must be given"),
        ("\n1 = {", "\n0 = {", "a.toml:6: boxes.0: 0 is too low; at least 1"),
        ("\n1 = {", "\nfirst = {", "a.toml:6: boxes.first: expected a whole number, got 'first'"),
        ('"Ann"', "7", "a.toml:6: boxes.1.player: expected text, got 7"),
        (
            "[boxes]",
            "table.least = true\n[boxes]",
            "a.toml:5: table.least: an amount is a number such as 60",
        ),
        ('do = "stay"', 'do = "stey"', "a.toml:11 (step 2): nothing is called 'stey' here; did y"),
        ('do = "stay"\n', "", 'a.toml:10 (step 2): a step needs do = "…"'),
        ("box = 1\nexpect", "bux = 1\nexpect", "a.toml:12 (step 2): stay: bux: unknown key; did"),
        ("box = 1\nexpect", 'box = 1\nrank = "king"\nexpect', "rank is one of player, dealer,"),
        ("box = 1\nexpect", 'box = 1\nrank = ["dealer"]\nexpect', "rank is one of player, dealer,"),
        ("box = 1\nexpect", 'box = 1\nat = "noon"\nexpect', "at is a time such as 20:00:10.1"),
        (
            "box = 1\nexpect",
            'box = 1\ntable = "B"\nexpect',
            "there is no table 'B'; there is table",
        ),
        ("expect.turn", "expect.tern", "a.toml:13 (step 2): expect: tern: is no fact of this tab"),
        ('expect.turn = "none"', "expect.turn = [1]", "expect: turn: [1] does not fit"),
        ('expect.turn = "none"', "expect = 3", "expect: is a table, not 3"),
        ('expect.turn = "none"', "expect = {}", "expect: is empty; say what must come out"),
        ('expect.turn = "none"', "expect.refused = []", "refused: names the paragraph that refus"),
        ('expect.turn = "none"', 'expect.events = ["sung"]', "no event is called 'sung'; known:"),
        (
            'expect.turn = "none"',
            'expect.events = ["stayd"]',
            "no event is called 'stayd'; did you mean 'stayed'? known:",
        ),
        ("expect.turn", "expect.trun", "trun: is no fact of this table; did you mean 'turn'? know"),
        ('expect.turn = "none"', 'expect.refused = "9.9"', "refused: high-card has no paragraph"),
        ('expect.turn = "none"', 'expect.cites = ["3.1", "9.9"]', "cites: high-card has no paragr"),
        ("box = 1\nexpect", 'box = "one"\nexpect', "stay: box: expected a whole number, got 'one'"),
        ("box = 1\nexpect", "box = 0\nexpect", "stay: box: 0 is too low; at least 1"),
        (
            'expect.turn = "none"',
            'expect.events = [{ event = "stayed", bix = 1 }]',
            "expect: events[1].bix: unknown key; did you mean 'box'? known here: cites",
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


def test_a_missing_value_of_a_command_is_an_error_of_the_file_at_its_step():
    told = error(GOOD.replace("box = 1\n", ""))
    assert str(told) == "a.toml:10 (step 2): stay: box must be given"
    assert (told.line, told.step) == (10, 2)


def test_cards_that_a_case_places_twice_cannot_be_stacked():
    told = error(GOOD.replace("[[step]]", '[dealer]\ncard = "Kd"\n[[step]]', 1))
    assert str(told) == (
        "a.toml:9: the deck of step 1 cannot be stacked: "
        "the case places K♦ twice (line 6 and line 9)"
    )


@pytest.mark.parametrize(
    ("named", "hint"),
    [
        ("v8", "write its whole id, 'no-limit-holdem-v8'; known: "),
        ("no-limit-holdem-8", "did you mean 'no-limit-holdem-v8'? known: "),
        ("multi-link", "'multi-link' could be "),
        ("whist", "no game here plays rulebook 'whist'; known: "),
    ],
)
def test_a_rulebook_that_is_named_in_part_is_told_its_whole_id(named, hint):
    text = f'title = "t"\nrulebook = "{named}"\nparagraphs = ["3.8"]\n'
    with pytest.raises(CaseError, match=r"^a\.toml:2: ") as caught:
        read_case(text, "a.toml", GAMES)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ('[seats]\n2 = { player = "Ann", stake = 5, cards = "9c 9d 9h" }', "5: seats.2.cards: 3 c"),
        ("[seats]\n2.player = 'Ann'\n2.stake = 5\n2.steak = 6", "7: seats.2.steak: unknown key"),
        ("[table]\nblinds = [5, 10]\nrake = { percnt = 5 }", "6: table.rake.percnt: unknown key"),
        ("[table]\nbegin = 'later'", "5: table.begin: 'later' is unknown; known: blinds, ca"),
        ("[seats]\n2 = { player = '', stake = 5 }", "5: seats.2.player: 0 letters are too few; at"),
        ("[table]\nsign = 1", "5: table.sign: expected true or false, got 1"),
        ("[[later]]\n[[later]]\nboard = { flop = '9x' }", "6: later[2].board.flop: "),
        ("[board]\n# the flop:\nflop = [\n  '9c',\n]\nturn = '9x'", "9: board.turn: "),
        ('about = """\n[seats]\n2 = 3\n"""\n[seats]\n2 = 4', "9: seats.2: expected a table, go"),
    ],
)
def test_a_mistake_deep_in_the_set_up_is_found_on_its_line(setup, message):
    text = f'title = "t"\nrulebook = "no-limit-holdem-v8"\nparagraphs = ["3.8"]\n{setup}\n'
    with pytest.raises(CaseError) as caught:
        read_case(text + '[[step]]\ndo = "start game"\nexpect.turn = 1\n', "a.toml", GAMES)
    assert str(caught.value).startswith(f"a.toml:{message}")


def test_the_rulebook_of_one_of_several_tables_is_found_on_its_line():
    text = """title = "Two"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.8"]
[tables.A]
seats.1 = { player = "Ann", stake = 10 }
[tables.B]
rulebook = "v5"
"""
    with pytest.raises(CaseError, match=r"^a\.toml:7: .* write its whole id, 'poker-v5'"):
        read_case(text, "a.toml", GAMES)


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
