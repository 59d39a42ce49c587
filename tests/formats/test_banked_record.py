"""The record of a banked round: worked out by hand, from every shipped case, and from bad input."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.formats.banked_record import (
    LONGEST,
    BankedRecord,
    RecordError,
    check_record,
    read_record,
    read_records,
    record_schema,
    write_record,
)
from croupier.formats.banked_record_log import banked_records
from croupier.table import PUBLIC, Viewer, player
from tests.formats.export_logs import EVERY, log_of, shipped

TABLE = """
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
"""
FLUSH = f"""
title = "A flopped flush is paid although the dealer wins; the other box folds"
rulebook = "multi-link-progressive-v3"
paragraphs = ["3.16"]
{TABLE}
[boxes]
1 = {{ player = "Ann", ante = 50, progressive = true, cards = "Kh Jh" }}
2 = {{ player = "Ben", ante = 25, bonus = 10, cards = "7c 2d" }}
[board]
flop = "9h 5h 2h"
turn = "9c"
river = "5c"
[dealer]
cards = "9d 5d"
[[step]]
do = "deal to decisions"
[[step]]
do = "look"
seat = 2
[[step]]
do = "fold"
box = 2
[[step]]
do = "play to settlement"
expect.net.Ann = 45
"""


def only(text: str, viewer: Viewer | None = None) -> BankedRecord:
    log, book = log_of(text)
    [record] = banked_records(log, book) if viewer is None else banked_records(log, book, viewer)
    return record


def cards(found: Any) -> str:
    return " ".join(map(str, found))


def test_a_round_is_recorded_box_by_box():
    record = only(FLUSH)
    ann, ben = record.boxes
    # Ann loses 50 + 100 to the dealer's full house and 5 to the coin; the flush pays 40 for 1.
    bets = {
        name: (bet.staked, bet.won, bet.returned, bet.lost, bet.paid)
        for name, bet in ann.bets.items()
    }
    assert bets == {
        "ante": (5000, 0, 0, 5000, 0),
        "progressive": (500, 20000, 0, 500, 20000),
        "flop": (10000, 0, 0, 10000, 0),
    }
    assert [(d.window, d.choice) for d in ann.decisions] == [
        ("flop", "flop bet"),
        ("turn", "check"),
        ("river", "check"),
    ]
    assert (ann.result, ann.registered, cards(ann.shown)) == ("lost", True, "Kh Jh")
    [line] = ann.lines
    assert (line.line, line.paid, line.source) == ("4.2.minor.flush", 20000, "house")
    assert line.cites[0] == "4.2.minor.flush"
    # Ben looked, folded, and lost 25 + 10.
    assert (ben.result, ben.looked, ben.decisions[0].choice) == ("folded", True, "fold")
    assert ben.decisions[0].cites[0] == "3.11.2.a"
    assert (cards(record.community), cards(record.dealer)) == ("9h 5h 2h 9c 5c", "9d 5d")
    assert record.dealer_hand == "Full House, Nines over Fives"
    assert record.players == {"Ann": 4500, "Ben": -3500}
    totals = record.totals
    assert (totals.staked, totals.won, totals.returned, totals.lost) == (19000, 20000, 0, 19000)
    assert (totals.paid, totals.from_meter, totals.corrected, totals.house) == (20000, 0, 0, -1000)


def test_what_lies_face_down_is_for_its_player_and_the_auditor():
    everything, public = only(FLUSH), only(FLUSH, PUBLIC)
    ben = only(FLUSH, player("Ben"))
    assert cards(everything.boxes[1].cards) == "7c 2d"
    assert cards(public.boxes[1].cards) == "?? ??"
    assert cards(ben.boxes[1].cards) == "7c 2d"
    assert cards(public.boxes[0].cards) == "Kh Jh", "they were compared, so they lay open"
    assert set(cards(public.burns)) == {"?", " "}
    assert public.totals == everything.totals
    told = " ".join(told.says for told in public.history)
    assert "7♣" not in told
    assert "7♣" in " ".join(told.says for told in everything.history)
    assert read_record(write_record(public)) == public


def test_a_round_under_way_is_not_told():
    log, book = log_of(FLUSH)
    assert str(log[-1][1].__struct_config__.tag) == "round concluded"
    assert list(banked_records(log[:-1], book)) == []


def test_a_share_of_the_meter_is_not_paid_by_the_house():
    record = only(f"""
title = "A royal flush takes the meter"
rulebook = "multi-link-progressive-v3"
paragraphs = ["4.2.major.royal-flush"]
link = "main"
[links.main]
reset_value = 50000
contribution = 1
meter = 99999
payment = "at once"
{TABLE}
[boxes]
1 = {{ player = "Ann", ante = 50, progressive = true, cards = "Ad Kd" }}
[board]
flop = "Qd Jd 10d"
turn = "2c"
river = "3h"
[dealer]
cards = "9c 9d"
[[step]]
do = "play to settlement"
expect.payouts.1.progressive.won = 100000
""")
    [line] = record.boxes[0].lines
    # Her own stake of 5 adds 1 to the meter before the hand is dealt.
    assert (line.source, line.link, line.paid) == ("meter", "main", 10_000_000)
    assert (line.meter_before, line.meter_after) == (10_000_000, 5_000_000)
    assert record.totals.from_meter == 10_000_000
    bets = record.boxes[0].bets
    # The House: her coin, less what Ante and Flop bet won; the meter pays the line.
    assert record.totals.house == 500 - bets["ante"].won - bets["flop"].won
    assert sum(record.players.values()) + record.totals.house == record.totals.from_meter


VOID = f"""
title = "A foreign card voids the round, and the shift manager is asked about it"
rulebook = "multi-link-progressive-v3"
paragraphs = ["5.8.1"]
{TABLE}
[boxes]
1 = {{ player = "Ann", ante = 50, bonus = 10, cards = "Kh Jh" }}
[[step]]
do = "deal to decisions"
[[step]]
do = "report foreign card"
says = "a card with another back"
expect.void = true
"""


def test_a_void_round_is_marked_and_everything_goes_back():
    record = only(VOID)
    assert record.status == "void"
    assert record.void is not None
    assert "5.8.1" in record.void.cites
    [reported] = record.irregularities
    assert (reported.says, reported.undone) == ("a card with another back", False)
    [ann] = record.boxes
    assert ann.result == "void"
    assert ann.bets["ante"].returned == 5000
    assert (record.players, record.totals.house) == ({"Ann": 0}, 0)


def test_what_is_taken_back_stays_on_record_as_undone():
    record = only(
        VOID
        + """
[[step]]
do = "undo ruling"
reason = "it was the cut card"
expect.void = false
[[step]]
do = "fold"
box = 1
expect.status = "between rounds"
"""
    )
    assert (record.status, record.void) == ("concluded", None)
    assert [r.undone for r in record.irregularities] == [True]
    assert record.boxes[0].result == "folded"
    assert record.players == {"Ann": -6000}


def test_a_correction_after_the_round_belongs_to_it():
    record = only(
        FLUSH
        + """
[[step]]
do = "call for ruling"
about = "uncovered"
says = "Ben was promised his Bonus back"
[[step]]
do = "decide"
decision = 2
option = "pay player"
details = { player = "Ben", amount = 10 }
reason = "a mistake of the dealer"
"""
    )
    [correction] = record.corrections
    assert (correction.player, correction.amount) == ("Ben", 1000)
    [ruling] = record.rulings
    assert (ruling.remedy, ruling.reason) == ("pay player", "a mistake of the dealer")
    assert record.players == {"Ann": 4500, "Ben": -2500}
    assert (record.totals.corrected, record.totals.house) == (1000, -2000)


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_case_gives_records_that_add_up(every: int):
    validator = jsonschema.Draft202012Validator(record_schema())
    rounds = void = lines = 0
    for source, book, log in shipped("banked", every):
        for record in banked_records(log, book):
            text = write_record(record)
            assert read_record(text) == record, source
            rounds += 1
            void += record.status == "void"
            lines += any(box.lines for box in record.boxes)
            if rounds % 10 == 0:
                validator.validate(json.loads(text))
        for record in banked_records(log, book, PUBLIC):
            check_record(record)
    assert rounds > 300 // every
    assert void > 10 // every
    assert lines > 10 // every


def test_a_record_of_version_1_stays_readable_to_the_letter():
    """Written once and kept. If this fails, what is written has changed: give it a new version, and
    keep a record of each."""
    kept = (Path(__file__).parent / "test_banked_record_v1.json").read_bytes()
    record = read_record(kept)
    assert (record.version, record.table, record.round) == (1, "table", 1)
    assert write_record(record) == kept.rstrip()


# -- bad input ------------------------------------------------------------------------------------


def changed(path: str, value: Any) -> bytes:
    """A good record with one value changed."""
    whole = json.loads(write_record(only(FLUSH)))
    *places, last = path.split(".")
    part: Any = whole
    for place in places:
        part = part[int(place) if place.isdigit() else place]
    part[int(last) if last.isdigit() else last] = value
    return json.dumps(whole).encode()


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("format", "something else", "format: 'something else' is not"),
        ("version", 2, "version: 2 is unknown; this reader knows version 1"),
        ("boxes.0.bets.ante.lost", 4999, "boxes[0].bets.ante: staked 5000 is not returned 0"),
        ("boxes.0.bets.flop.paid", 1, "boxes[0].bets.flop: paid 1 is not won 0 + returned 0"),
        ("boxes.0.lines.0.paid", 19999, "boxes[0].lines: jackpot lines paid 19999"),
        ("boxes.0.lines.0.source", "meter", "boxes[0].lines[0]: link, meter_before"),
        ("boxes.0.cards.0", "Zz", "$.boxes[0].cards[0]"),
        ("boxes.0.box", 2, "boxes: [2, 2] is not a list of different boxes"),
        ("boxes.1.cards", ["Kh", "2d"], "boxes[1].cards: Kh is in boxes[0].cards already"),
        ("boxes.0.shown", ["2c"], "boxes[0].shown: not all of them"),
        ("community_shown", 6, "community_shown: 6 of 5 cards"),
        ("totals.house", 0, "totals.house: the record says 0, its bets add up to -1000"),
        ("totals.from_meter", 5, "totals.from_meter: the record says 5"),
        ("players.Ann", 0, "players.Ann: the record says 0, its bets add up to 4500"),
        ("status", "void", "void: it is given for a void round"),
        ("at", "yesterday", "$.at"),
        ("settings.device", "hat", "$.settings.device"),
        ("last", 3, "last: the round ends at 3, before it begins"),
        ("surprise", 1, "unknown field `surprise`"),
        ("totals.staked", 1.5, "$.totals.staked"),
        ("round", 0, "$.round"),
    ],
)
def test_a_record_that_is_wrong_is_refused_with_the_place(path: str, value: Any, says: str):
    with pytest.raises(RecordError) as caught:
        read_record(changed(path, value))
    assert says in str(caught.value)


def test_a_void_round_has_no_result():
    text = json.loads(write_record(only(VOID)))
    text["boxes"][0]["result"] = "won"
    with pytest.raises(RecordError, match=r"boxes\[0\].result: 'won' in a void round"):
        read_record(json.dumps(text))


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{", b"\xff\xfe{}", b'{"format": "croupier banked round", "version": 1}', "{]"],
)
def test_what_is_no_record_is_refused(text: bytes | str):
    with pytest.raises(RecordError):
        read_record(text)


def test_hostile_input_is_refused():
    with pytest.raises(RecordError, match="at most"):
        read_record(b" " * (LONGEST + 1))
    deep = b'{"format": "croupier banked round", "version": 1, "x": ' + b"[" * 100_000
    with pytest.raises(RecordError):
        read_record(deep)


def test_a_bad_line_does_not_stop_the_others():
    good = write_record(only(FLUSH))
    first, second, third = read_records([good, b"\n", good[:-1], good])
    assert isinstance(first, BankedRecord)
    assert first == third
    assert isinstance(second, RecordError)
    assert str(second).startswith("line 3: unreadable record")


@cache
def good_record() -> bytes:
    return write_record(only(FLUSH))


@given(place=st.integers(0, 4000), junk=st.binary(min_size=1, max_size=6), cut=st.booleans())
def test_damaged_records_are_errors_and_nothing_else(place: int, junk: bytes, cut: bool):
    good = good_record()
    text = good[:place] if cut else good[:place] + junk + good[place + len(junk) :]
    try:
        record = read_record(text)
    except RecordError:
        return
    check_record(record)
    assert msgspec.json.decode(write_record(record)) == msgspec.json.decode(text)
