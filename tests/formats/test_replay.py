"""Hands on record played again by the book: what agrees, differs, is refused, is left out."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from croupier.cards import Card
from croupier.formats.hand import Post, Pot
from croupier.formats.outcome import (
    CONTRADICTION,
    ENDS_EARLY,
    LESS_PAID,
    MORE_PAID,
    NEITHER,
    Outcome,
)
from croupier.formats.phh import hand_of
from croupier.formats.phh_quick import Quick, read_quick
from croupier.formats.phh_write import write_phh
from croupier.formats.replay import Replayer
from croupier.formats.script import WHEN, Script, script_of
from croupier.formats.staging import ReplayTable, Stage
from croupier.poker import PokerTable, effects
from croupier.poker.commands import (
    CallForBlinds,
    Cut,
    DealForButton,
    DealHoleCards,
    PostBlinds,
    Shuffle,
    Sit,
    StartGame,
)
from croupier.rulebooks import load
from croupier.table import ActorRank, Command, OpenTable, Order
from tests.formats.records import HEADS_UP, SHOWDOWN, WALK


def hand(text: str, **changes: Any) -> Any:
    fields = tomllib.loads(text, parse_float=Decimal)
    for name, value in changes.items():
        if value is None:
            del fields[name]
        else:
            fields[name] = value
    return hand_of(fields)


def check(text: str, replayer: Replayer | None = None, **changes: Any) -> Outcome:
    return (replayer or Replayer()).check(hand(text, **changes))


def table_of(players: int, **changes: Any) -> dict[str, Any]:
    """The fields of a hand for so many players with 1,000 each, Blinds 5 and 10."""
    return {
        "variant": "NT",
        "antes": [0] * players,
        "blinds_or_straddles": [5, 10, *[0] * (players - 2)],
        "min_bet": 10,
        "starting_stacks": [1000] * players,
        **changes,
    }


# -- what agrees -------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "rake"), [(WALK, 0), (SHOWDOWN, 1000), (HEADS_UP, 0)])
def test_a_hand_played_by_the_book_agrees(text: str, rake: int):
    outcome = check(text)
    assert (outcome.verdict, outcome.rake) == ("agrees", rake)


def test_winnings_may_hold_an_uncalled_bet_or_not():
    assert check(WALK, finishing_stacks=None, winnings=[0, 10, 0]).verdict == "agrees"
    assert check(WALK, finishing_stacks=None, winnings=[0, 15, 0]).verdict == "agrees"
    assert check(WALK, finishing_stacks=None, winnings=[0, 12, 0]).verdict == "differs"


def test_unknown_stacks_are_deep_enough():
    unknown = [Decimal("inf")] * 3
    assert check(WALK, starting_stacks=unknown).verdict == "agrees"
    nothing = check(WALK, starting_stacks=unknown, winnings=None)
    assert nothing.verdict == "legal"


def test_side_pots_of_three_all_ins():
    # A has 100, B 300, C 1000: pots of 300 and 400; C gets 700 back. A wins the first, B the other.
    fields = table_of(
        3,
        starting_stacks=[100, 300, 1000],
        actions=[
            *("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd"),
            *("p3 cbr 1000", "p1 cc", "p2 cc"),
            *("d db 2c7d9h", "d db 3s", "d db 4c"),
        ],
        finishing_stacks=[300, 400, 700],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"
    pots = (Pot(amount=30000), Pot(amount=40000))
    stated = structs.replace(hand_of(fields), pots=pots)
    assert Replayer().check(stated).verdict == "agrees"
    wrong = structs.replace(hand_of(fields), pots=(Pot(amount=70000),))
    outcome = Replayer().check(wrong)
    assert outcome.says == "pots: 300, 400 by the book, 700 on record"


SPLIT = table_of(
    3,
    actions=[
        *("d dh p1 AsKd", "d dh p2 AdKs", "d dh p3 2s2d"),
        *("p3 cbr 25", "p1 cc", "p2 cc", "d db QcJdTh", "p1 cbr 10", "p2 cc", "p3 f"),
        *("d db 3s", "p1 cc", "p2 cc", "d db 4c", "p1 cc", "p2 cc"),
    ],
)
"""A pot of 95 for two straights."""


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ((Decimal("47.50"), Decimal("47.50")), "agrees"),
        ((48, 47), "agrees"),  # in whole chips the odd one goes to the first left of the button
        ((50, 45), "agrees"),  # and so in chips of 5
        ((Decimal("46.25"), Decimal("46.25")), "agrees"),  # the room kept 2.50
        ((46, 46), "agrees"),
        ((40, 55), "differs"),
        ((95, 0), "differs"),
    ],
)
def test_a_pot_is_shared_in_the_chips_that_the_record_shows(shares: Any, verdict: str):
    first, second = shares
    ends = [965 + first, 965 + second, 975]
    outcome = Replayer().check(hand_of(SPLIT | {"finishing_stacks": ends}))
    assert outcome.verdict == verdict, outcome


def test_with_a_chip_of_the_table_the_pot_is_shared_in_it():
    halves = [Decimal("1012.50"), Decimal("1012.50"), 975]
    odd = [1013, 1012, 975]
    by_one = Replayer(chip=100)
    assert by_one.check(hand_of(SPLIT | {"finishing_stacks": odd})).verdict == "agrees"
    assert (
        Replayer(chip=50).check(hand_of(SPLIT | {"finishing_stacks": halves})).verdict == "agrees"
    )


def test_a_check_that_decides_nothing_is_not_given_to_the_table():
    # p1 is All-in with his Small Blind; the Big Blind has nobody left to bet against.
    fields = table_of(
        3,
        blinds_or_straddles=[2, 10, 0],
        starting_stacks=[2, 1000, 1000],
        actions=[
            *("d dh p1 AsAd", "d dh p2 KsKd", "p3 f", "p2 cc"),
            *("d db 2c7d9h", "p2 cc", "d db 3s", "d db 4c"),
        ],
        finishing_stacks=[4, 998, 1000],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_a_stated_rake_must_be_what_was_kept():
    stated = hand(SHOWDOWN, _rulebook="no-limit-holdem-v8", _rake=10)
    assert Replayer().check(stated).verdict == "agrees"
    assert Replayer().check(structs.replace(stated, rake=2000)).verdict == "differs"


# -- what the record shows before the deal -----------------------------------------------------


def test_a_straddle():
    fields = table_of(
        4,
        blinds_or_straddles=[5, 10, 20, 0],
        actions=["p4 cc", "p1 f", "p2 f", "p3 cbr 100", "p4 f"],
        finishing_stacks=[995, 990, 1035, 980],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_a_straddle_of_another_size_is_refused():
    fields = table_of(
        4, blinds_or_straddles=[5, 10, 30, 0], actions=["p4 f"], finishing_stacks=[1000] * 4
    )
    outcome = Replayer().check(hand_of(fields))
    assert (outcome.verdict, outcome.place) == ("refused", "before the deal")
    assert outcome.cites[0] == "1.47"


def test_a_new_player_posts_a_big_blind_that_is_live():
    fields = table_of(
        4,
        blinds_or_straddles=[5, 10, 10, 0],
        actions=["p3 cc", "p4 f", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cbr 10", "p3 f"],
        finishing_stacks=[995, 1015, 990, 1000],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_a_missed_small_blind_is_dead():
    # The pot has 5 + 10 + 5 dead; p3 raises, nobody calls: he wins 10 + 5 and his own 5 + 10.
    fields = table_of(
        4,
        blinds_or_straddles=[5, 10, 5, 0],
        actions=["p3 cbr 40", "p4 f", "p1 f", "p2 f"],
        winnings=[0, 0, 30, 0],
        finishing_stacks=[995, 990, 1015, 1000],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_both_missed_blinds_are_one_live_and_one_dead():
    fields = table_of(
        4,
        blinds_or_straddles=[5, 10, 15, 0],
        actions=["p3 cc", "p4 f", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cbr 10", "p3 f"],
        finishing_stacks=[995, 1020, 985, 1000],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_nobody_at_the_small_blind():
    fields = table_of(
        4,
        blinds_or_straddles=[10, 0, 0, 0],
        actions=["p2 cbr 30", "p3 f", "p4 f", "p1 f"],
        finishing_stacks=[990, 1010, 1000, 1000],
    )
    assert Replayer().check(hand_of(fields)).verdict == "agrees"


def test_a_straddle_of_somebody_who_has_come_in_is_what_is_added():
    """v8 3.10: with a Big Blind of 10 before them the straddle of 20 takes another 10."""
    fields = table_of(4, actions=["p4 f", "p1 f", "p2 f"], finishing_stacks=[995, 990, 1015, 1000])
    posts = (
        Post(seat=1, kind="small blind", amount=500),
        Post(seat=2, kind="big blind", amount=1000),
        Post(seat=3, kind="post", amount=1000),
        Post(seat=3, kind="straddle", amount=1000),
    )
    stated = structs.replace(hand_of(fields), posts=posts)
    assert Replayer().check(stated).verdict == "agrees"


def test_whoever_comes_in_before_an_empty_seat_with_the_button_is_not_on_it():
    """v8 5.8, 5.7.3.b: seat 4 has the button and nobody sits there."""
    fields = table_of(
        3, seats=[1, 2, 3], actions=["p3 f", "p1 f"], finishing_stacks=[995, 1010, 995]
    )
    posts = (
        Post(seat=1, kind="small blind", amount=500),
        Post(seat=2, kind="big blind", amount=1000),
        Post(seat=3, kind="post", amount=500, dead=True),
    )
    stated = structs.replace(hand_of(fields), posts=posts, button=4)
    assert Replayer().check(stated).verdict == "agrees"
    on_it = Replayer().check(structs.replace(stated, button=3))
    assert (on_it.verdict, on_it.cites[0]) == ("refused", "5.7.3.a")


def test_nobody_at_the_button_nor_at_the_small_blind():
    """v8 5.8 twice: p1 is the Big Blind, p3 is back for a Small Blind and not on the button."""
    fields = table_of(3, actions=["p2 f", "p3 f"], finishing_stacks=[1005, 1000, 995])
    posts = (
        Post(seat=1, kind="big blind", amount=1000),
        Post(seat=3, kind="post", amount=500, dead=True),
    )
    stated = structs.replace(hand_of(fields), posts=posts, button=5)
    assert Replayer().check(stated).verdict == "agrees"


def test_who_is_back_at_the_small_blind_with_less_than_a_big_blind_is_all_in_with_it():
    """v8 5.7.3, A-45: of both Blinds the Big Blind is posted first, as far as it goes."""
    fields = table_of(
        3,
        starting_stacks=[4, 1000, 1000],
        actions=[
            "d dh p1 2c3d",
            "d dh p2 AsKs",
            "d dh p3 7h2h",
            "p3 f",
            "d db 4h5s9d",
            "d db Jc",
            "d db Qd",
            "p2 sm AsKs",
            "p1 sm 2c3d",
        ],
        finishing_stacks=[0, 1004, 1000],
    )
    posts = (
        Post(seat=1, kind="post", amount=400, all_in=True),
        Post(seat=2, kind="big blind", amount=1000),
    )
    stated = structs.replace(hand_of(fields), posts=posts)
    assert Replayer().check(stated).verdict == "agrees"


@pytest.mark.parametrize(("live", "dead"), [(10, 0), (10, 5)])
def test_under_v5_the_record_tells_what_the_house_had_decided_about_coming_in(live: int, dead: int):
    """P-28: nothing, a Big Blind or both."""
    fields = table_of(
        4,
        blinds_or_straddles=[5, 10, live + dead, 0],
        actions=["p3 cc", "p4 f", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cbr 10", "p3 f"],
        finishing_stacks=[995, 1015 + dead, 990 - dead, 1000],
    )
    stated = hand_of(fields)
    assert Replayer("poker-v5").check(stated).verdict == "agrees"


@pytest.mark.parametrize(
    ("players", "actions", "ends"),
    [(4, ["p3 f", "p4 f", "p1 f"], [1000] * 4), (2, ["p2 f"], [1000] * 2)],
)
def test_who_was_brought_to_the_small_blind_of_a_table_of_ours_pays_nothing(
    players: int, actions: list[str], ends: list[int]
):
    """v8 5.7.2 (A-48): a record of another room is held to 3.9."""
    fields = table_of(players, actions=actions, finishing_stacks=ends)
    big = 2 if players > 2 else 1
    posts = (Post(seat=big, kind="big blind", amount=1000),)
    stated = structs.replace(hand_of(fields), posts=posts)
    outcome = Replayer().check(stated)
    assert (outcome.verdict, outcome.cites[0]) == ("refused", "3.9")
    ours = structs.replace(stated, rulebook="no-limit-holdem-v8")
    assert Replayer().check(ours).verdict == "agrees"


def test_under_v5_a_dead_small_blind_alone_is_no_decision_of_the_house():
    fields = table_of(4, blinds_or_straddles=[5, 10, 5, 0], actions=["p3 f"])
    outcome = Replayer("poker-v5").check(hand_of(fields | {"finishing_stacks": [1000] * 4}))
    assert (outcome.verdict, outcome.cites[0]) == ("refused", "3.7")


@pytest.mark.parametrize(
    ("policy", "winnings", "rake"),
    [
        ("charged", 45, 0),  # the 20 that nobody called with it, as the table pays it
        ("charged", 25, 0),  # or gone back first, as trackers have it
        ("charged", 24, 1),
        ("left-out", 25, 0),
    ],
)
def test_an_uncalled_raise_that_stays_in_the_pot_may_have_gone_back_on_record(
    policy: str, winnings: int, rake: int
):
    """v5 4.3 (P-15): 5 and 10 from the Blinds, and a raise to 30 that nobody called."""
    fields = table_of(3, actions=["p3 cbr 30", "p1 f", "p2 f"], winnings=[0, 0, winnings])
    stated = structs.replace(hand_of(fields), rake=rake * 100)
    replayer = Replayer("poker-v5", {"rake-uncalled-raise": policy})
    assert replayer.check(stated).verdict == "agrees"
    with_pots = structs.replace(stated, pots=(Pot(amount=(winnings + rake) * 100),))
    assert replayer.check(with_pots).verdict == "agrees"
    wrong = structs.replace(stated, pots=(Pot(amount=3500),))
    assert replayer.check(wrong).verdict == "differs"


@pytest.mark.parametrize(
    ("blinds", "paragraph"),
    [([0, 10, 0, 0], "3.9"), ([5, 10, 7, 0], "3.9"), ([4, 10, 0, 0], "1.8")],
)
def test_posts_that_the_book_does_not_know_are_refused(blinds: list[int], paragraph: str):
    fields = table_of(4, blinds_or_straddles=blinds, actions=["p3 f"], finishing_stacks=[1000] * 4)
    outcome = Replayer().check(hand_of(fields))
    assert outcome.verdict == "refused"
    assert outcome.cites[0] == paragraph


def test_heads_up_the_button_is_the_small_blind_and_acts_last_after_the_flop():
    fields = table_of(
        2,
        blinds_or_straddles=[10, 5],  # so p1 has the Small Blind
        actions=["p1 cc", "p2 cc", "d db 2c7d9h", "p1 cc", "p2 cbr 10", "p1 f"],
        finishing_stacks=[990, 1010],
    )
    outcome = Replayer().check(hand_of(fields))
    assert (outcome.verdict, outcome.place) == ("refused", "step 4")
    before = fields | {"actions": ["p1 f"], "finishing_stacks": [995, 1005]}
    assert Replayer().check(hand_of(before)).verdict == "agrees"


# -- what the book refuses, and what differs ---------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "paragraph", "place"),
    [
        (["p1 f"], "5.13", "step 1"),
        (["p3 cbr 19"], "1.28", "step 1"),
        (["p3 cbr 1001"], "1.49", "step 1"),
        (["p3 cc", "p1 cc", "d db 2c7d9h"], "3.13", "step 3"),
        (["p3 cc", "p1 cc", "p2 cc", "d db 2c7d9h", "p1 cbr 9"], "1.5", "step 5"),
    ],
)
def test_an_action_that_the_book_does_not_allow_is_refused(
    actions: list[str], paragraph: str, place: str
):
    fields = table_of(3, actions=actions, finishing_stacks=[1000] * 3)
    outcome = Replayer().check(hand_of(fields))
    assert outcome.verdict == "refused"
    assert paragraph in outcome.cites
    assert outcome.place == place


BARRED = table_of(
    4,
    starting_stacks=[1000, 1000, 150, 1000],
    actions=[
        *("p3 cc", "p4 cbr 40", "p1 cbr 110", "p2 f", "p3 cbr 150", "p4 cbr 500", "p1 f"),
        *("d db 2c7d9h", "d db 3s", "d db 4c", "p4 sm AsAd", "p3 sm KsKd"),
    ],
    finishing_stacks=[890, 990, 0, 1270],
)
"""p4 has bet, and has not answered p1's full raise when p3 goes All-in for less than another."""


def test_a_room_that_plays_otherwise_is_a_switch():
    outcome = Replayer().check(hand_of(BARRED))
    assert (outcome.verdict, outcome.cites[0]) == ("refused", "3.19.3")
    other = Replayer(policies={"short-all-in-bar": "answered-last-full-raise"})
    assert other.check(hand_of(BARRED)).verdict == "agrees"


@pytest.mark.parametrize("cut", [["p3 f"], []])
def test_a_room_that_leaves_the_last_folds_out_is_a_switch(cut: list[str]):
    assert check(WALK, actions=cut).cause == ENDS_EARLY
    assert check(WALK, Replayer(missing_folds=True), actions=cut).verdict == "agrees"
    other = check(WALK, Replayer(missing_folds=True), actions=["p3 cbr 30"])
    assert other.verdict == "differs"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"finishing_stacks": [995, 1006, 1000]}, "player 2 has 1,005 by the book"),
        ({"finishing_stacks": [996, 1005, 1000]}, "player 1 has 995 by the book, 996 on record"),
        ({"finishing_stacks": [995, 1003, 1000]}, "player 2 has 1,005"),
        ({"winnings": [10, 0, 0]}, "winnings: player 1 has 0 by the book, 10 on record"),
        ({"finishing_stacks": [1005, 995, 1000]}, "player 1 has 995"),
        ({"actions": ["p3 f"]}, "it is player 1's turn"),
    ],
)
def test_the_first_difference_is_named(changes: dict[str, Any], says: str):
    outcome = check(WALK, **changes)
    assert outcome.verdict == "differs"
    assert says in outcome.says


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"actions": ["p3 f"]}, ENDS_EARLY),
        ({"actions": ["p3 cc", "p1 cc", "p2 cc"]}, ENDS_EARLY),
        ({"winnings": [0, 16, 0], "finishing_stacks": None}, MORE_PAID),
        ({"finishing_stacks": [995, 1006, 1000]}, MORE_PAID),
        ({"finishing_stacks": [995, 900, 1000]}, LESS_PAID),
        ({"winnings": [0, 2, 0], "finishing_stacks": None}, LESS_PAID),
        ({"winnings": [0, 12, 0], "finishing_stacks": None}, NEITHER),
        ({"finishing_stacks": [1000, 1000, 1000]}, CONTRADICTION),
        ({"winnings": [10, 0, 0], "finishing_stacks": None}, ""),
    ],
)
def test_a_record_that_contradicts_itself_is_told_from_one_that_contradicts_the_book(
    changes: dict[str, Any], cause: str
):
    outcome = check(WALK, **changes)
    assert (outcome.verdict, outcome.cause) == ("differs", cause)


def test_the_rake_has_a_limit_and_the_limit_is_a_switch():
    # 35 of a pot of 350 is a tenth.
    at, over = [665 - 20, 852.5, 830], [665 - 21, 852.5, 830]
    stacks = {"at": [Decimal(str(v)) for v in at], "over": [Decimal(str(v)) for v in over]}
    assert check(SHOWDOWN, winnings=None, finishing_stacks=stacks["at"]).verdict == "agrees"
    assert check(SHOWDOWN, winnings=None, finishing_stacks=stacks["over"]).verdict == "differs"
    strict = Replayer(rake_percent=2)
    assert check(SHOWDOWN, strict).verdict == "differs"


# -- what is left out --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"antes": [1, 1, 1]}, "antes"),
        ({"blinds_or_straddles": [5, 10, -10]}, "negative posts"),
    ],
)
def test_hands_that_are_not_replayed(changes: dict[str, Any], reason: str):
    outcome = check(WALK, **changes)
    assert (outcome.verdict, outcome.says) == ("skipped", reason)


@pytest.mark.parametrize("winnings", [None, [0, 0, 0]])
def test_a_hand_without_a_result_is_checked_for_what_the_book_allows(winnings: Any):
    assert check(WALK, finishing_stacks=None, winnings=winnings).verdict == "legal"
    out_of_turn = WALK.replace("'p3 f'", "'p1 f'", 1)
    assert out_of_turn != WALK
    refused = check(out_of_turn, finishing_stacks=None, winnings=winnings)
    assert refused.verdict == "refused"
    assert refused.cites[0] == "5.13"


@pytest.mark.parametrize(
    "changed",
    [
        ("'p1 sm JcTc', 'p3 sm ????'", "'p1 sm ????', 'p3 sm ????'"),
        ("'p1 sm JcTc', 'p3 sm ????'", "'p1 sm ????', 'p3 sm 9c9s'"),
        (", 'p1 sm JcTc', 'p3 sm ????'", ""),
    ],
)
def test_a_showdown_without_the_winners_cards_is_incomplete(changed: tuple[str, str]):
    outcome = check(SHOWDOWN.replace(*changed))
    assert (outcome.verdict, outcome.says) == ("skipped", "incomplete showdown")


def test_all_in_without_the_board_is_incomplete():
    cut = HEADS_UP.replace(", 'd db 5s', 'd db Qc'", "")
    outcome = check(cut)
    assert (outcome.verdict, outcome.says) == ("skipped", "incomplete showdown")


def test_a_loser_who_mucks_is_no_incomplete_showdown():
    assert check(SHOWDOWN.replace("'p3 sm ????'", "'p3 sm'")).verdict == "agrees"
    wrong = check(
        SHOWDOWN.replace("'p3 sm ????'", "'p3 sm 7c7s'"),
    )
    assert wrong.verdict == "differs"


# -- the table that is set for it --------------------------------------------------------------


def opened(script: Script) -> PokerTable:
    """A table brought to the deal of this hand by commands alone, every one of them."""
    table = PokerTable(load("no-limit-holdem-v8"))
    stage = Stage(table.book, {})
    copied = stage.table(script.small, script.big)
    assert isinstance(copied, ReplayTable)
    settings = copied.state.settings
    told = structs.asdict(settings) | {"rake": structs.asdict(settings.rake)}

    def give(command: Command, rank: ActorRank = ActorRank.HOUSE) -> None:
        answer = table.handle(Order(command=command, who="replay", rank=rank, when=WHEN))
        assert isinstance(answer, tuple), answer

    told["house_rank"] = told["house_rank"].value
    give(OpenTable(table="replay", settings=told), ActorRank.PIT_MANAGER)
    for seat, stack in enumerate(script.stacks, 1):
        give(Sit(seat=seat, player=f"p{seat}", stake=stack))
    give(StartGame())
    ranks = "23456789TJQKA"
    give(DealForButton(cards=tuple(Card(f"{ranks[i]}s") for i in range(script.count))))
    give(Shuffle())
    give(Cut())
    give(CallForBlinds())
    give(PostBlinds())
    give(DealHoleCards())
    return table


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_table_that_is_set_is_the_one_that_commands_would_reach(data: st.DataObject):
    count = data.draw(st.integers(2, 9))
    stacks = data.draw(st.lists(st.integers(11, 5000), min_size=count, max_size=count))
    fields = table_of(count, starting_stacks=stacks, actions=[])
    script = script_of(hand_of(fields))
    assert script.posts is None
    stage = Stage(load("no-limit-holdem-v8"), {})
    stage.set(script)  # the first is made by commands, the second is a copy
    table = stage.set(script)
    table.check()
    by_commands = opened(script)
    ours, theirs = table.state, by_commands.state
    assert ours.round == theirs.round
    assert ours.phase == theirs.phase == "betting"
    assert ours.brought == theirs.brought
    assert ours.policies == theirs.policies
    for seat, sitter in theirs.seats.items():
        mine = ours.seats[seat]
        for name in ("player", "stake", "here", "entry", "rotates", "missed_small", "misses"):
            assert getattr(mine, name) == getattr(sitter, name), name
    assert ours.shoe is not None
    assert theirs.shoe is not None
    for name in ("order", "drawn", "burnt", "was_cut", "cover"):
        assert getattr(ours.shoe, name) == getattr(theirs.shoe, name), name


# -- courses that are remembered ---------------------------------------------------------------


@st.composite
def records(draw: st.DrawFn) -> str:
    """Plain hands with a random course, legal or not, and a random result."""
    count = draw(st.integers(2, 5))
    stacks = draw(st.lists(st.sampled_from((12, 40, 100, 1000)), min_size=count, max_size=count))
    acts = st.sampled_from(("f", "f", "cc", "cc", "cbr 20", "cbr 30", "cbr 40", "cbr 100"))
    actions = [f"d dh p{i} ????" for i in range(1, count + 1)]
    turn = 2 if count > 2 else 1
    for _ in range(draw(st.integers(0, 8))):
        actions.append(f"p{turn % count + 1} {draw(acts)}")
        turn += 1
    ends = [stack + draw(st.sampled_from((0, 0, -5, -10, -20, 5, 10, 15, 30))) for stack in stacks]
    fields = table_of(
        count,
        starting_stacks=stacks,
        actions=actions,
        finishing_stacks=[max(end, 0) for end in ends],
    )
    return write_phh(hand_of(fields))


@settings(max_examples=60, deadline=None)
@given(st.lists(records(), min_size=2, max_size=12))
def test_a_course_that_is_remembered_gives_what_playing_it_gives(texts: list[str]):
    remembers, plays = Replayer(), Replayer(courses=0)
    for text in [*texts, *texts]:
        quick = read_quick(text)
        careful = plays.check(hand_of(tomllib.loads(text, parse_float=Decimal)))
        if quick is not None:
            assert remembers.quick(quick) == plays.quick(quick) == careful


def test_a_course_is_remembered_only_for_those_who_have_more_chips_than_it_took():
    replayer = Replayer()
    quick = read_quick(WALK)
    assert isinstance(quick, Quick)
    assert replayer.quick(quick) == replayer.quick(quick)
    # With 12 a Big Blind has enough for this; what comes out is counted from his own stack.
    poorer = structs.replace(quick, stacks=[1200, 1200, 1200], finishing=[700, 1700, 1200])
    assert replayer.quick(poorer) is not None
    outcome = replayer.quick(poorer)
    assert outcome is not None
    assert outcome.verdict == "agrees"


def test_a_chip_that_the_table_loses_is_missed_while_the_hand_is_replayed(monkeypatch):
    put = effects._put

    def lose_one(table: Any, round_: Any, player: Any, seat: int, to: int) -> None:
        put(table, round_, player, seat, to)
        table.state.seats[seat].stake -= 1

    monkeypatch.setattr(effects, "_put", lose_one)
    found = check(SHOWDOWN)
    assert found.verdict == "differs"
    assert "were brought" in found.says
    assert found.place != "before the deal"
