"""PHH read and written: what the fields mean, and that nothing is lost on the way."""

from __future__ import annotations

import io
import random
import tomllib
from datetime import datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import read_cards
from croupier.formats.errors import FormatError
from croupier.formats.export_poker import poker_hands
from croupier.formats.hand import Act, Hand, Player, Post, Pot, Ruling, Street, Uncalled
from croupier.formats.phh import hand_of, read_hands, read_phh
from croupier.formats.phh_write import fields_of_hand, toml_value, write_phh, write_phhs
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand
from tests.formats.export_logs import evening
from tests.formats.records import COLLECTION, HEADS_UP, SHOWDOWN, WALK


def fields(text: str, **changes: Any) -> dict[str, Any]:
    return tomllib.loads(text, parse_float=Decimal) | changes


# -- what the fields mean ----------------------------------------------------------------------


def test_a_hand_with_everything_that_the_format_says_of_it():
    hand = read_phh(WALK.encode())
    assert (hand.number, hand.room, hand.table, hand.symbol) == (17, "The Room", "Felt 1", "$")
    assert hand.time == datetime(2024, 8, 1, 20, 15)  # noqa: DTZ001 (the record names no zone)
    assert [player.seat for player in hand.players] == [2, 5, 9]
    assert [player.name for player in hand.players] == ["Ann", "Bob", "Cyn"]
    assert [player.finishing for player in hand.players] == [99500, 100500, 100000]
    assert [player.winnings for player in hand.players] == [0, 1000, 0]
    assert hand.button == 9
    assert (hand.small_blind, hand.big_blind) == (500, 1000)
    assert hand.posts == (
        Post(seat=2, kind="small blind", amount=500),
        Post(seat=5, kind="big blind", amount=1000),
    )
    [preflop] = hand.streets
    assert [(act.seat, act.do) for act in preflop.acts] == [(9, "fold"), (2, "fold")]


def test_calls_and_wagers_have_exact_totals():
    hand = read_phh(SHOWDOWN.encode())
    preflop, flop, _, river = hand.streets
    assert preflop.acts[:2] == (
        Act(seat=3, do="raise", to=3000, by=3000),
        Act(seat=1, do="call", to=3000, by=2500),
    )
    assert flop.cards == read_cards("2c7dJh")
    assert flop.acts[1] == Act(seat=3, do="bet", to=4000, by=4000)
    assert river.acts[-2:] == (
        Act(seat=1, do="show", cards=read_cards("JcTc")),
        Act(seat=3, do="show", cards=read_cards("????")),
    )


def test_heads_up_the_blinds_stand_the_other_way_round():
    hand = read_phh(HEADS_UP.encode())
    assert hand.posts == (
        Post(seat=2, kind="small blind", amount=300),
        Post(seat=1, kind="big blind", amount=600),
    )
    assert hand.button == 2
    [raised, all_in, called] = hand.streets[0].acts
    assert raised == Act(seat=2, do="raise", to=1800, by=1500)
    assert all_in == Act(seat=1, do="raise", to=19925, by=19325, all_in=True)
    assert called == Act(seat=2, do="call", to=19925, by=18125)


@pytest.mark.parametrize(
    ("blinds", "posts"),
    [
        ([5, 10, 20, 0], [(1, "small blind", 5), (2, "big blind", 10), (3, "straddle", 20)]),
        ([10, 0, 0, 0], [(1, "big blind", 10)]),
        ([5, 10, 0, 10], [(1, "small blind", 5), (2, "big blind", 10), (4, "post", 10)]),
        ([0, 10, 0, 0], [(2, "big blind", 10)]),
    ],
)
def test_who_posted_what(blinds: list[int], posts: list[tuple[int, str, int]]):
    four = fields(
        WALK, antes=[0] * 4, blinds_or_straddles=blinds, starting_stacks=[1000] * 4, actions=[]
    )
    for name in ("seats", "players", "finishing_stacks", "winnings"):
        del four[name]
    hand = hand_of(four)
    assert [(p.seat, p.kind, p.amount // 100) for p in hand.posts] == posts
    assert not any(post.dead for post in hand.posts)
    assert (hand.small_blind, hand.big_blind) == (500, 1000)


@pytest.mark.parametrize(("posted", "live", "dead"), [(5, 0, 500), (15, 1000, 500), (10, 1000, 0)])
def test_posts_to_come_in_are_live_or_dead(posted: int, live: int, dead: int):
    three = fields(WALK, blinds_or_straddles=[5, 10, posted])
    hand = hand_of(three)
    of_third = [post for post in hand.posts if post.seat == 9]
    assert sum(post.amount for post in of_third if not post.dead) == live
    assert sum(post.amount for post in of_third if post.dead) == dead
    assert fields_of_hand(hand) == three


def test_a_short_blind_does_not_make_the_blinds_smaller():
    short = fields(WALK, blinds_or_straddles=[Decimal("0.90"), 10, 0], actions=["p3 cc"])
    short["starting_stacks"] = [Decimal("0.90"), 1000, 1000]
    hand = hand_of(short)
    assert (hand.small_blind, hand.big_blind) == (500, 1000)
    assert hand.posts[0] == Post(seat=2, kind="small blind", amount=90, all_in=True)
    assert hand.streets[0].acts[0].to == 1000


def test_stacks_that_nobody_noted():
    hand = hand_of(fields(WALK, starting_stacks=[Decimal("inf"), 1000, Decimal("inf")]))
    assert [player.stack for player in hand.players] == [None, 100000, None]


def test_a_board_in_one_piece_or_card_by_card_is_three_streets():
    whole = hand_of(fields(HEADS_UP))
    for board in (["d db 4d6h3c5sQc"], ["d db 4d6h", "d db 3c", "d db 5s", "d db Qc"]):
        actions = fields(HEADS_UP)["actions"]
        actions[5:8] = board
        stated = fields(HEADS_UP, actions=actions)
        again = hand_of(stated)
        assert fields_of_hand(again) == stated
        assert [street.cards for street in again.streets] == [s.cards for s in whole.streets]


# -- nothing is lost ---------------------------------------------------------------------------


COMMENTED = """\
# The hand that everybody speaks of.
variant = "NT"
ante_trimming_status = true
antes = [0, 3, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [110.5, inf, 220]
actions = [
  "# before the deal",
  "d dh p1 Ac2d # strong",
  "d dh p2 ????",
  "d dh p3 7h6h",
  "p3 cbr 7 # quickly",  # and so on
  "p1 cc",
  "p2 f",
  "d db Jc3d5c # wet",
  "p1 cc",
  "p3 cc",
  "d db 4h",
  "p1 cbr 40.25",
  "p3 cc",
  "p1 sm -",
  "p3 sm",
  "d db Jh",
]
author = "Somebody"
event = "It's \\"the\\" event\\nof the year"
level = 3
time_limit = 30
time_banks = [60, 60.5, 0]
time = 22:30:15.250
time_zone = "Asia/Singapore"
day = 2
month = 9
year = 2024
table = 12
seat_count = 9
currency = "SGD"
_mine = { a = [1, 2.5, [true]], "b c" = 1979-05-27T07:32:00Z, d = 2024-01-01 }
odd-field = 0.10
"""


@pytest.mark.parametrize("text", [WALK, SHOWDOWN, HEADS_UP, COMMENTED])
def test_read_and_written_again_a_hand_has_the_same_fields(text: str):
    stated = fields(text)
    hand = hand_of(stated)
    assert fields_of_hand(hand) == stated
    again = tomllib.loads(write_phh(hand), parse_float=Decimal)
    assert again == stated
    assert hand_of(again) == hand


@pytest.mark.parametrize("text", [WALK, SHOWDOWN, HEADS_UP])
def test_read_replayed_and_written_again_nothing_is_lost(text: str):
    hand = read_phh(text.encode())
    replayed = replayed_hand(hand, Replayer())
    assert replayed.rulebook == "no-limit-holdem-v8"
    assert replayed.pots
    written = write_phh(replayed)
    assert read_phh(written.encode()) == replayed
    found = fields(written)
    for name, value in fields(text).items():
        assert found[name] == value, name
    assert len(found["_citations"]) == len(found["actions"])
    assert all(act.cites for act in replayed.streets[0].acts if act.do not in ("show", "muck"))


def test_the_replay_says_what_the_record_leaves_open():
    hand = read_phh(SHOWDOWN.encode())
    replayed = replayed_hand(hand, Replayer())
    assert replayed.pots == (Pot(amount=35000, seats=(1, 3), wins={1: 35000}),)
    assert replayed.uncalled == ()
    walked = replayed_hand(read_phh(WALK.encode()), Replayer())
    assert walked.uncalled == (Uncalled(seat=5, amount=500, street="preflop"),)
    assert walked.pots == (Pot(amount=1000, seats=(5,), wins={5: 1000}),)


def test_a_collection_is_written_and_read_again():
    hands = list(read_hands(io.BytesIO(COLLECTION.encode())))
    assert all(isinstance(hand, Hand) for hand in hands)
    text = "".join(write_phhs(hands))  # type: ignore[arg-type]
    assert text.startswith("[1]\n")
    assert list(read_hands(io.BytesIO(text.encode()))) == hands


def test_our_own_fields_come_back():
    hand = Hand(
        number=3,
        players=(
            Player(seat=4, name="A", stack=10000, finishing=9450, cards=read_cards("AsKs")),
            Player(seat=7, name="B", stack=10000, finishing=10500, cards=read_cards("????")),
        ),
        button=7,
        small_blind=50,
        big_blind=100,
        posts=(
            Post(seat=7, kind="small blind", amount=50),
            Post(seat=4, kind="big blind", amount=100),
        ),
        streets=(
            Street(
                name="preflop",
                acts=(
                    Act(seat=7, do="raise", to=600, by=550, cites=("1.37", "1.28")),
                    Act(seat=4, do="fold", to=100, cites=("1.21",)),
                ),
            ),
        ),
        time=datetime(2024, 9, 1, 21, 0, 0, tzinfo=timezone(timedelta(hours=8), "SGT")),
        pots=(Pot(amount=200, rake=50, seats=(7,), wins={7: 150}),),
        uncalled=(Uncalled(seat=7, amount=500, street="preflop"),),
        rake=50,
        rulebook="no-limit-holdem-v8",
        policies={"short-all-in-bar": "any-bet"},
        cites=("3.18.1",),
        rulings=(Ruling(question="q", option="o", reason="it's so", street="preflop"),),
        restarts=1,
    )
    again = read_phh(write_phh(hand).encode())
    assert again.time == datetime(2024, 9, 1, 21)  # noqa: DTZ001 (an offset has no name in PHH)
    assert again.extra["time_zone_abbreviation"] == "SGT"
    for name in hand.__struct_fields__:
        if name not in ("time", "extra"):
            assert getattr(again, name) == getattr(hand, name), name


def test_a_time_zone_with_a_name_comes_back():
    hand = hand_of(fields(COMMENTED))
    assert hand.time == datetime(2024, 9, 2, 22, 30, 15, 250000, tzinfo=ZoneInfo("Asia/Singapore"))


def test_somebody_elses_fields_with_our_names_stay_as_they_are():
    stated = fields(WALK, _rake="five percent", _pots=[1, 2])
    assert fields_of_hand(hand_of(stated)) == stated


@pytest.mark.parametrize(
    "own",
    [
        {"_rake": "much"},
        {"_pots": [{"amount": "x"}]},
        {"_citations": [["1.1"]]},
        {"_uncalled": [{"seat": 1}]},
        {"_restarts": "one"},
    ],
)
def test_our_own_fields_when_they_are_wrong_are_named(own: dict[str, Any]):
    with pytest.raises(FormatError) as caught:
        hand_of(fields(WALK, _rulebook="no-limit-holdem-v8", **own))
    assert caught.value.place == next(iter(own))


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
    | st.decimals(allow_nan=False, allow_infinity=True, places=3)
    | st.times()
    | st.datetimes()
    | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",)), max_size=8), inner)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_any_value_of_toml_is_written_so_that_it_is_read_again(value: Any):
    found = tomllib.loads(f"x = {toml_value(value)}", parse_float=Decimal)
    assert found["x"] == value


def test_a_value_that_toml_has_no_word_for_is_an_error():
    with pytest.raises(FormatError, match="complex"):
        toml_value(1j)
    assert toml_value(time(1, 2, 3)) == "01:02:03"


def test_who_posted_what_comes_back_from_a_hand_of_ours():
    """Entry posts, dead posts and straddles, which the format itself cannot tell apart."""
    kinds: set[tuple[str, bool]] = set()
    for seed in range(40):
        felt = evening(random.Random(seed))
        for hand in poker_hands(enumerate(felt.log, 1), felt.book):
            again = read_phh(write_phh(hand).encode())
            assert again.posts == hand.posts, (seed, hand.number)
            kinds |= {(post.kind, post.dead) for post in hand.posts}
    assert {("post", False), ("post", True), ("straddle", False)} <= kinds


def test_posts_that_contradict_the_blinds_are_refused():
    felt = evening(random.Random(1))
    hands = poker_hands(enumerate(felt.log, 1), felt.book)
    hand = next(hand for hand in hands if "_posts" not in write_phh(hand))
    text, first = write_phh(hand), hand.players[0].seat
    wrong = f'{text}_posts = [{{seat = {first}, kind = "post", amount = 1, dead = true}}]\n'
    with pytest.raises(FormatError, match="the posts are not those"):
        read_phh(wrong.encode())
