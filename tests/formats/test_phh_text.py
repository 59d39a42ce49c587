"""The text of PHH: hands told apart, the plain reader beside the strict one, and bad input."""

from __future__ import annotations

import io
import tomllib
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.formats import phh_text
from croupier.formats.errors import FormatError
from croupier.formats.phh import hand_of, read_hands, read_phh
from croupier.formats.phh_quick import quick_script, read_quick
from croupier.formats.phh_text import (
    HAND_BYTES,
    BrokenHand,
    RawHand,
    fields_of,
    plain_fields,
    split_hands,
    strict_fields,
)
from croupier.formats.script import CALL, CHECK, CHECK_OR_CALL, script_of
from tests.formats.records import COLLECTION, HEADS_UP, SHOWDOWN, WALK


def split(text: bytes | str) -> list[RawHand | BrokenHand]:
    return list(split_hands(io.BytesIO(text.encode() if isinstance(text, str) else text)))


# -- telling hands apart -----------------------------------------------------------------------


def test_a_collection_is_told_apart_with_the_lines_of_its_hands():
    hands = split(COLLECTION)
    assert [hand.name for hand in hands] == ["1", "2", "3"]
    lines = COLLECTION.split("\n")
    assert [lines[hand.line - 2] for hand in hands] == ["[1]", "[2]", "[3]"]


def test_a_collection_is_the_same_however_it_comes_in_pieces(monkeypatch):
    whole = split(COLLECTION)
    for size in (1, 7, 100, 333):
        monkeypatch.setattr(phh_text, "CHUNK", size)
        assert split(COLLECTION) == whole


def test_what_the_collection_says_is_what_toml_says():
    by_toml = tomllib.loads(COLLECTION, parse_float=Decimal)
    assert {hand.name: fields_of(hand) for hand in split(COLLECTION)} == by_toml


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"# a remark\n\n{WALK}", [""]),
        (f"{WALK}\n[_notes]\nby = 'me'\n", [""]),
        (f"  [ 1 ] # first\n{WALK}\n\t['two']\n{WALK}", ["1", "two"]),
        (f'["a b"]\r\n{WALK}', ["a b"]),
        (f"[1]\n{WALK}[1._notes]\nby = 'me'\n[2]\n{WALK}", ["1", "2"]),
        ("", []),
        ("# nothing but a remark", []),
    ],
)
def test_headers_as_toml_allows_them(text: str, names: list[str]):
    hands = split(text)
    assert [hand.name for hand in hands] == names
    for hand in hands:
        assert fields_of(hand)["variant"] == "NT"


def test_a_table_below_a_hand_is_a_field_of_it():
    [hand, _] = split(f"[1]\n{WALK}[1._notes]\nby = 'me'\n[2]\n{WALK}")
    assert fields_of(hand)["_notes"] == {"by": "me"}


def test_a_second_hand_of_the_same_name_is_an_error_and_the_rest_goes_on():
    first, again, last = split(f"[1]\n{WALK}[1]\n{WALK}[2]\n{WALK}")
    assert isinstance(again, BrokenHand)
    assert "a second hand" in str(again.error)
    assert (first.name, last.name) == ("1", "2")


def test_a_hand_of_endless_length_is_an_error_and_the_rest_goes_on():
    endless = "x = 1\n" * HAND_BYTES
    first, broken, last = split(f"[1]\n{WALK}[2]\n{endless}[3]\n{WALK}")
    assert isinstance(broken, BrokenHand)
    assert broken.error.hand == "2"
    assert "longer than" in broken.error.says
    assert (first.name, last.name) == ("1", "3")
    assert last.line == 1 + WALK.count("\n") + 1 + HAND_BYTES + 1 + 1


def test_one_line_of_endless_length_is_not_held_in_memory():
    one_line = "x = '" + "y" * (5 * HAND_BYTES) + "'\n"
    broken, last = split(f"[1]\n{one_line}[2]\n{WALK}")
    assert isinstance(broken, BrokenHand)
    assert last.name == "2"


# -- fields ------------------------------------------------------------------------------------


PLAIN = (WALK, SHOWDOWN, HEADS_UP)


@pytest.mark.parametrize("text", PLAIN)
def test_the_plain_reader_reads_plain_hands(text: str):
    assert plain_fields(text) == tomllib.loads(text, parse_float=Decimal)
    assert plain_fields(text.replace("\n", "\r\n")) == plain_fields(text)


NEITHER = st.sampled_from(
    (
        "a = 1",
        "a = 01",
        "a = 1.50",
        "a = .5",
        "a = 1_000",
        "a = 1e3",
        "a = inf",
        "a = [inf, inf]",
        "a = [1, inf]",
        "a = nan",
        "a = -0",
        "a = [-0]",
        "a = -1.5",
        "a = +1",
        "a = 99999999999999999999",
        "a = [99999999999999999999]",
        "a = 0x10",
        "a = 'it'",
        "a = 'it''s'",
        "a = '''it'''",
        'a = "it"',
        "a = 'tab\there'",
        "a = 'zero\x00'",
        "a = 'del\x7f'",
        "a = '\\'",
        "a = ['x', 'y']",
        "a = ['x' , 'y']",
        "a = ['x', 'y',]",
        "a = ['x\\', 'y']",
        "a = ['x\"', 'y']",
        'a = ["x", "y"]',
        'a = ["x\\n", "y"]',
        "a = ['x', \"y\"]",
        "a = ['x', 1]",
        "a = []",
        "a = [[1], [2]]",
        "a = [1, 2.50, 3]",
        "a = [1 , 2]",
        "a = 12:30:00",
        "a = 25:30:00",
        "a = 12:30:00.5",
        "a = true",
        "a = True",
        "a = { b = 1 }",
        "a=1",
        "a  =  1",
        "a = 1 # one",
        "a.b = 1",
        "'a' = 1",
        "ä = 1",
        "a = 'ä'",
        "a = ['ä']",
        "a = 1 2",
        "a =",
        "a",
        "[a]",
        "# a = 1",
        " a = 1",
        "b = 2",
        "",
    )
)


@given(st.lists(NEITHER | st.text(max_size=12), max_size=5).map("\n".join))
def test_where_the_plain_reader_says_anything_it_says_what_toml_says(text: str):
    plain = plain_fields(text)
    if plain is not None:
        found = tomllib.loads(text, parse_float=Decimal)
        assert plain == found
        assert repr(plain) == repr(found)  # 1 is 1 and not 1.0


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("[1]\nantes = [0, 0", "at its end", "not TOML"),
        ("[1]\n\n\nvariant = NT\n", "line 4", "not TOML"),
        ("[1]\nvariant = 'NT'\nvariant = 'NT'\n", "line 3", "Cannot overwrite"),
        ("[1]\na = " + "[" * 100_000, "", "nested too deeply"),
        # tomllib would take seconds and gigabytes for these:
        ("[1]\na = 1\na" + ".a" * 20_000 + " = 1", "line 3", "nested too deeply"),
        ("[1]\n[1" + " . a" * 20_000 + "]", "line 2", "nested too deeply"),
        ('[1]\n"\\""' + '."\\""' * 20_000 + " = 1", "line 2", "nested too deeply"),
        ("[1]\na = {'b'" + ".'b'" * 20_000 + " = 1}", "line 2", "nested too deeply"),
        ("[1]\na = " + "9" * 5_000, "", "cannot be read"),
        (b"[1]\nvariant = '\xff'\n", "line 2", "not UTF-8"),
    ],
)
def test_a_text_that_cannot_be_read_says_where(text: bytes | str, place: str, says: str):
    [raw] = split(text)
    with pytest.raises(FormatError, match=says) as caught:
        fields_of(raw)
    assert caught.value.hand == "1"
    assert place in caught.value.place


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [
        ("variant", "'PO'", "variant"),
        ("min_bet", "0", "min_bet"),
        ("min_bet", "'ten'", ""),
        ("starting_stacks", "[1e999999999, 1, 1]", ""),
        ("starting_stacks", "[1000, 1000.005, 1000]", ""),
        ("starting_stacks", "[1000]", "starting_stacks"),
        ("starting_stacks", "[1000, 0, 1000]", "starting_stacks"),
        ("starting_stacks", "[1000, nan, 1000]", ""),
        ("blinds_or_straddles", "[5, 10]", "blinds_or_straddles"),
        ("players", "['a', 'b']", "players"),
        ("seats", "[1, 1, 2]", "seats"),
        ("seats", "[1, 2.5, 3]", "seats"),
        ("finishing_stacks", "[1, 2]", "finishing_stacks"),
        ("winnings", "'all'", "winnings"),
        ("actions", "'p1 f'", "actions"),
        ("actions", "['p4 f']", "action 1"),
        ("actions", "['p3 f', 'p1 folds']", "action 2"),
        ("actions", "['p3 f', 'p1 cbr ten']", "action 2"),
        ("actions", "['p3 cbr 1e99999']", "action 1"),
        ("actions", "['p3 cbr -5']", "action 1"),
        ("actions", "['p3 cbr NaN']", "action 1"),
        ("actions", "['d db AsKs']", "actions"),
        ("actions", "['d db AsKsQsJsTs9s']", "action 1"),
        ("actions", "['d dh p1 AsKsQs']", "action 1"),
        ("actions", "['d dh p1 AsXx']", "action 1"),
        ("actions", "[1]", "action 1"),
    ],
)
def test_a_contradictory_field_is_named(field: str, value: str, place: str):
    fields = tomllib.loads(WALK, parse_float=Decimal)
    fields |= tomllib.loads(f"{field} = {value}", parse_float=Decimal)
    with pytest.raises(FormatError) as caught:
        hand_of(fields)
    assert place in caught.value.place
    assert field.split("_")[0] in f"{caught.value.place} {caught.value.says}" or place


@pytest.mark.parametrize("name", ["variant", "min_bet", "starting_stacks", "actions"])
def test_a_missing_field_is_named(name: str):
    fields = tomllib.loads(WALK, parse_float=Decimal)
    del fields[name]
    with pytest.raises(FormatError, match="missing") as caught:
        hand_of(fields)
    assert caught.value.place == name


def test_every_cut_of_a_collection_gives_hands_and_errors_and_no_exception():
    data = COLLECTION.encode()
    for end in range(0, len(data), 7):
        for found in read_hands(io.BytesIO(data[:end]), "cut.phhs"):
            if isinstance(found, FormatError):
                assert str(found).startswith("cut.phhs")


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, len(COLLECTION) - 1), st.binary(min_size=1, max_size=3)),
        min_size=1,
        max_size=8,
    )
)
def test_a_damaged_collection_gives_hands_and_errors_and_no_exception(
    damage: list[tuple[int, bytes]],
):
    data = bytearray(COLLECTION.encode())
    for place, junk in damage:
        data[place : place + len(junk)] = junk
    for raw in split_hands(io.BytesIO(bytes(data))):
        if isinstance(raw, BrokenHand):
            continue
        try:
            strict = strict_fields(raw.text.decode(), raw)
        except (FormatError, UnicodeDecodeError):
            strict = None
        try:
            found = fields_of(raw)
        except FormatError:
            found = None
        assert found == strict
        if found is not None:
            try:
                hand = hand_of(found)
            except FormatError:
                hand = None
            quick = read_quick(raw.text.decode())
            script = None if quick is None else quick_script(quick)
            if script is not None:
                assert hand is not None, "the quick reader took what the careful one refuses"


# -- the quick reader --------------------------------------------------------------------------


@pytest.mark.parametrize("text", PLAIN)
def test_the_quick_script_is_the_careful_one(text: str):
    quick = read_quick(text)
    assert quick is not None
    script = quick_script(quick)
    assert script is not None
    careful = script_of(read_phh(text.encode()))
    for name in ("count", "small", "big", "stacks", "cards", "posts", "button"):
        assert getattr(script, name) == getattr(careful, name), name
    assert script.finishing == careful.finishing
    assert script.winnings == careful.winnings
    assert len(script.steps) == len(careful.steps)
    for ours, theirs in zip(script.steps, careful.steps, strict=True):
        if ours.code == CHECK_OR_CALL:
            assert theirs.code in (CHECK, CALL)
            assert theirs.order in (ours.order, ours.other)
        else:
            assert ours == theirs


@pytest.mark.parametrize(
    "change",
    [
        ("antes = [0, 0, 0]", "antes = [1, 1, 1]"),
        ("blinds_or_straddles = [5, 10, 0]", "blinds_or_straddles = [5, 10, -10]"),
        ("blinds_or_straddles = [5, 10, 0]", "blinds_or_straddles = [5, 10, 20]"),
        ("blinds_or_straddles = [5, 10, 0]", "blinds_or_straddles = [10, 0, 0]"),
        ("starting_stacks = [1000, 1000, 1000]", "starting_stacks = [1000, 10, 1000]"),
        ("starting_stacks = [1000, 1000, 1000]", "starting_stacks = [inf, 1000, 1000]"),
        ("variant = 'NT'", "variant = 'PO'"),
        ("min_bet = 10", "min_bet = 20"),
        ("players = ['Ann', 'Bob', 'Cyn']", "players = ['Ann', 'Bob']"),
        ("min_bet = 10", "min_bet = 10\n_mine = 1"),
        ("min_bet = 10", "min_bet = 10\nmin_bet = 10"),
    ],
)
def test_what_is_not_plain_is_left_to_the_careful_reader(change: tuple[str, str]):
    assert read_quick(WALK) is not None
    assert change[0] in WALK
    assert read_quick(WALK.replace(*change)) is None


@pytest.mark.parametrize(
    "actions",
    [
        "['d db AsKsQs', 'd db As']",
        "['d dh p1 AsKs', 'd dh p2 AsQs']",
        "['d dh p1 AsKs', 'p1 sm AsQs']",
        "['d db AsKs']",
        "['# a remark']",
        "['p9 f']",
        "['p3 x']",
    ],
)
def test_actions_that_are_not_plain_are_left_to_the_careful_reader(actions: str):
    fields = plain_fields(WALK)
    assert fields is not None
    [line] = [line for line in WALK.split("\n") if line.startswith("actions")]
    quick = read_quick(WALK.replace(line, f"actions = {actions}"))
    assert quick is not None
    assert quick_script(quick) is None
