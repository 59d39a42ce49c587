"""Words and chips (v8 1.5, 3.5 to 3.6.1, 3.20) against the worked tables of the readings.

Each row is one line of those tables: the situation, what was seen, and what comes of it. Amounts
are whole dollars here; the reading itself counts in cents and does not care.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from croupier.poker.wager_exact import read_exact_total
from croupier.poker.wager_reading import Manner, read_words_and_chips
from croupier.poker.wager_seen import Reading, Seen, Situation
from croupier.rulebooks import load
from tests.poker.reading_table import read_again, rows

V8 = load("no-limit-holdem-v8")
MANNER = Manner(share=V8.share("silent-raise-share"))


def situation(price: int, minimum: int, *, full: int | None = None, **other: int) -> Situation:
    """Facing this price; without more, it is the last full wager and he has 500 and nothing in."""
    full = price if full is None else full
    values = {"bet": 0, "stake": 500, "big_blind": 10, "raise_to": full + minimum, **other}
    return Situation(price=price, minimum=minimum, full=full, **values)


FACING_BB = situation(10, 10)
RAISED_TO_30 = situation(30, 20)
FACING_100 = situation(100, 100)
FACING_60 = situation(60, 60)
SHORT_150 = situation(150, 100, full=100)
STRADDLE = situation(20, 20)
UNOPENED = situation(0, 10, raise_to=20)


def having(s: Situation, stake: int, bet: int = 0) -> Situation:
    return structs.replace(s, stake=stake, bet=bet)


def chips(*each: int) -> Seen:
    return Seen(chips=each)


def says(words: str, figure: int | None = None, **more: object) -> Seen:
    return Seen(words=words, figure=figure, **more)  # type: ignore[arg-type]


def cited(reading: Reading) -> set[str]:
    return {p for topic in reading.topics for p in V8.cite(topic)}


def read(s: Situation, seen: Seen) -> Reading:
    return read_words_and_chips(s, seen, MANNER)


SILENT = [
    # situation, chips, action, to, back, owed, paragraphs
    (FACING_BB, (25,), "call", 10, 15, 0, "3.6"),
    (FACING_BB, (1000,), "call", 10, 990, 0, "3.6"),
    (having(FACING_BB, 100), (100,), "call", 10, 90, 0, "3.6"),
    (having(FACING_BB, 500, 5), (25,), "call", 10, 20, 0, "3.6"),
    (having(RAISED_TO_30, 500, 10), (25,), "call", 30, 5, 0, "1.10"),
    (RAISED_TO_30, (25,), "call", 30, 0, 5, "1.10"),
    (having(RAISED_TO_30, 25), (25,), "all in", 25, 0, 0, "3.19.1"),
    (RAISED_TO_30, (25, 25), "call", 30, 20, 0, "3.5.2"),
    (RAISED_TO_30, (25, 10), "call", 30, 5, 0, "3.5.2"),
    (RAISED_TO_30, (10, 10), "call", 30, 0, 10, "3.5.2"),
    (having(RAISED_TO_30, 20), (10, 10), "all in", 20, 0, 0, "3.19.1"),
    (FACING_BB, (25, 5), "raise", 30, 0, 0, "3.5.3.c"),
    (FACING_BB, (10, 5), "raise", 20, 0, 5, "3.5.3.b"),
    (FACING_BB, (10, 1, 1, 1, 1), "call", 10, 4, 0, "3.5.3.a"),
    (FACING_BB, (10, 10), "raise", 20, 0, 0, "3.5.3.b"),
    (STRADDLE, (20, 10), "raise", 40, 0, 10, "3.5.3.b"),
    (FACING_100, (100, 25, 10, 5, 5, 1, 1, 1, 1), "call", 100, 49, 0, "3.5.3.a"),
    (FACING_100, (100, 25, 25), "raise", 200, 0, 50, "3.5.3.b"),
    (having(FACING_100, 170), (100, 25, 25), "all in", 170, 0, 20, "3.5.3.b 3.19.3"),
    (FACING_100, (100, 100, 25), "raise", 225, 0, 0, "3.5.3.c"),
    (having(FACING_100, 149), (100, 25, 10, 10, 1, 1, 1, 1), "all in", 149, 0, 0, "3.19.3"),
    (SHORT_150, (100, 50, 10), "call", 150, 10, 0, "3.5.3.a 3.19.3"),
    (SHORT_150, (100, 100), "call", 150, 50, 0, "3.5.2"),
    (SHORT_150, (100, 50, 50), "raise", 200, 0, 0, "3.5.3.b 3.19.3"),
    (UNOPENED, (100,), "bet", 100, 0, 0, "1.5 1.32"),
    (UNOPENED, (5, 1), "bet", 10, 0, 4, "1.5"),
    (having(UNOPENED, 6), (5, 1), "all in", 6, 0, 0, "1.5 3.19.2"),
    # -- rows of the decision table that its examples leave out
    (UNOPENED, (5, 5), "bet", 10, 0, 0, "1.5"),
    (having(UNOPENED, 10), (5, 1), "all in", 10, 0, 4, "1.5"),
    (having(UNOPENED, 8), (5, 1), "all in", 8, 0, 2, "1.5 3.19.2"),
    (FACING_BB, (10,), "call", 10, 0, 0, "1.10"),
    (having(RAISED_TO_30, 28), (25,), "all in", 28, 0, 3, "3.19.1"),
    (having(RAISED_TO_30, 25), (10, 10), "all in", 25, 0, 5, "3.5.2 3.19.1"),
    (having(RAISED_TO_30, 500, 10), (10, 10), "call", 30, 0, 0, "3.5.2"),
    (having(RAISED_TO_30, 500, 10), (10, 10, 10), "raise", 50, 0, 10, "3.5.3.b"),
    (having(FACING_BB, 100), (50, 50), "all in", 100, 0, 0, "3.19"),
    # an odd minimum of 25 over a price of 35; 12 over is a Call, 13 a raise
    (situation(35, 25), (25, 10, 10, 1, 1), "call", 35, 12, 0, "3.5.3.a"),
    (situation(35, 25), (25, 10, 10, 1, 1, 1), "raise", 60, 0, 12, "3.5.3.b"),
    # the Big Blind with his option: one chip is a Call of nothing
    (having(FACING_BB, 500, 10), (25,), "check", 10, 25, 0, "3.6"),
    (having(FACING_BB, 500, 10), (5, 5), "raise", 20, 0, 0, "3.5.3.b"),
    (having(FACING_BB, 500, 10), (1, 1), "check", 10, 2, 0, "3.5.3.a"),
]


@pytest.mark.parametrize(("s", "placed", "action", "to", "back", "owed", "rules"), SILENT)
def test_silent_chips(
    s: Situation, placed: tuple[int, ...], action: str, to: int, back: int, owed: int, rules: str
) -> None:
    got = read(structs.replace(s, stake=max(s.stake, sum(placed))), chips(*placed))
    assert (got.action, got.to, got.back, got.owed) == (action, to, back, owed), got.says
    assert set(rules.split()) <= cited(got), got.says


DECLARED = [
    (FACING_BB, says("raise", 15), "raise", 20, "3.5.1.a"),
    (FACING_BB, says("raise", 20), "raise", 20, "3.5.1"),
    (FACING_BB, says("raise", 85), "raise", 85, "3.5.1.b"),
    (having(FACING_BB, 500, 5), says("raise", 85), "raise", 85, "3.5.1.b"),
    (having(FACING_BB, 60), says("raise", 85), "all in", 60, "3.5.1.b 3.19"),
    (having(FACING_BB, 15), says("raise", 15), "all in", 15, "3.5.1.a 3.19.3"),
    (having(RAISED_TO_30, 25), says("raise", 60), "all in", 25, "3.5.1 3.19.2"),
    (RAISED_TO_30, says("raise", 40), "raise", 50, "3.5.1.a"),
    (STRADDLE, says("raise", 35), "raise", 40, "3.5.1.a"),
    (SHORT_150, says("raise", 180), "raise", 200, "3.5.1.a"),
    (FACING_BB, says("raise", 25), "raise", 25, "3.5.1.b"),
    # "raise by 50", "50 more": clear words add to the price
    (RAISED_TO_30, says("raise", 50, more=True), "raise", 80, "3.5.1.b"),
    (RAISED_TO_30, says("raise", 10, more=True), "raise", 50, "3.5.1.a"),
    (RAISED_TO_30, says("call"), "call", 30, "1.10"),
    (having(RAISED_TO_30, 30), says("call"), "all in", 30, "1.10 3.19.1"),
    (having(RAISED_TO_30, 20), says("call"), "all in", 20, "1.10 3.19.1"),
    (FACING_100, says("all in"), "all in", 500, "1.3 3.19"),
    (having(FACING_100, 199), says("all in"), "all in", 199, "1.3 3.19.3"),
    (having(FACING_100, 200), says("all in"), "all in", 200, "1.3 3.19"),
    (UNOPENED, says("check"), "check", 0, "1.12"),
    (UNOPENED, Seen(gesture="tap"), "check", 0, "1.12"),
    (having(FACING_BB, 500, 10), says("check"), "check", 10, "1.12"),
    (having(FACING_BB, 500, 10), says("call"), "check", 10, "1.12"),
    (FACING_BB, says("check"), "ask again", 0, "1.12 3.14.4"),
    (FACING_BB, says("fold"), "fold", 0, "1.21"),
    (FACING_BB, Seen(gesture="cards forward"), "fold", 0, "1.21"),
    (UNOPENED, says("bet", 60), "bet", 60, "1.5"),
    (UNOPENED, says("bet", 10), "bet", 10, "1.5"),
    (UNOPENED, says("bet", 6), "bet", 10, "1.5"),
    (UNOPENED, says("bet", 600), "all in", 500, "1.5 3.19"),
    (UNOPENED, says("raise", 60), "bet", 60, "1.5"),
    (FACING_100, says("", 60), "call", 100, "3.20 3.5.3.a"),
    (FACING_100, says("", 149), "call", 100, "3.20 3.5.3.a"),
    (FACING_100, says("", 150), "raise", 200, "3.20 3.5.3.b"),
    (FACING_100, says("", 260), "raise", 260, "3.20 3.5.3.c"),
    (FACING_100, says("", 700), "all in", 500, "3.20"),
    (FACING_100, says("raise"), "ask again", 0, "3.5"),
    (UNOPENED, says("call"), "ask again", 0, "1.10"),
    (FACING_BB, Seen(), "ask again", 0, "3.5"),
    (FACING_BB, says("raise", 60, clear=False), "ask again", 0, "3.5 3.20"),
]


@pytest.mark.parametrize(("s", "seen", "action", "to", "rules"), DECLARED)
def test_declarations(s: Situation, seen: Seen, action: str, to: int, rules: str) -> None:
    got = read(s, seen)
    assert (got.action, got.to) == (action, to), got.says
    assert got.owed == (to - s.bet), "what he declared he has still to put in"
    assert set(rules.split()) <= cited(got), got.says


WORD_AND_CHIPS = [
    # "raise" and no figure, then chips: situation, chips, action, to, owed
    (FACING_60, (500,), "raise", 500, 0, "3.6.1"),
    (having(FACING_60, 400), (100,), "raise", 120, 20, "3.6.1"),
    (having(FACING_60, 110), (100,), "all in", 110, 10, "3.6.1 3.19.3"),
    (having(FACING_60, 100), (100,), "all in", 100, 0, "3.6.1 3.19.3"),
    (having(FACING_BB, 500, 5), (100,), "raise", 105, 0, "3.6.1"),
    (FACING_BB, (25, 25), "raise", 50, 0, "3.5"),
    (FACING_60, (25, 25), "raise", 120, 70, "3.5"),
]


@pytest.mark.parametrize(("s", "placed", "action", "to", "owed", "rules"), WORD_AND_CHIPS)
def test_raise_declared_and_then_chips(
    s: Situation, placed: tuple[int, ...], action: str, to: int, owed: int, rules: str
) -> None:
    stake = s.stake if s.stake != 500 else 1000
    got = read(structs.replace(s, stake=stake), Seen(words="raise", chips=placed))
    assert (got.action, got.to, got.owed, got.back) == (action, to, owed, 0), got.says
    assert set(rules.split()) <= cited(got), got.says


def test_a_declared_chip_is_the_whole_raise_where_the_policy_says_so() -> None:
    s, seen = having(FACING_BB, 500, 5), Seen(words="raise", chips=(100,))
    assert read(s, seen).to == 105
    total = read_words_and_chips(s, seen, Manner(chip_is_total=True))
    assert (total.to, total.back) == (100, 5)


TOGETHER = [
    (500, Seen(words="raise", figure=60, chips=(100,)), "raise", 60, 40, "3.20 3.5.1.b"),
    (500, Seen(words="raise", figure=60, chips=(100,), first="chips"), "call", 10, 90, "3.20 3.6"),
    (
        500,
        Seen(words="raise", figure=100, chips=(25, 25), first="chips"),
        "raise",
        50,
        0,
        "3.20 3.5.3.c",
    ),
    (500, Seen(words="raise", figure=60, chips=(100,), first="together"), "raise", 60, 40, "3.20"),
    (
        300,
        Seen(words="raise", figure=700, chips=(100,), first="together"),
        "call",
        10,
        90,
        "3.20 3.6",
    ),
    (
        300,
        Seen(words="raise", figure=700, chips=(25, 25), first="together"),
        "raise",
        50,
        0,
        "3.20 3.5.3.c",
    ),
    (300, Seen(words="raise", figure=700, chips=(100,)), "all in", 300, 0, "3.5.1.b"),
    (
        300,
        Seen(words="raise", figure=60, chips=(10, 10), first="together", clear=False),
        "raise",
        20,
        0,
        "3.20",
    ),
    # at and above the stake: 300 is covered, 301 is not
    (
        300,
        Seen(words="raise", figure=300, chips=(100,), first="together"),
        "all in",
        300,
        0,
        "3.20",
    ),
    (300, Seen(words="raise", figure=301, chips=(100,), first="together"), "call", 10, 90, "3.20"),
    # the word alone declares the least raise, to 20: a stake of 20 covers it, one of 19 does not
    (20, Seen(words="raise", chips=(10,), first="together"), "all in", 20, 0, "3.20"),
    (19, Seen(words="raise", chips=(10,), first="together"), "call", 10, 0, "3.20"),
]


@pytest.mark.parametrize(("stake", "seen", "action", "to", "back", "rules"), TOGETHER)
def test_words_and_chips(
    stake: int, seen: Seen, action: str, to: int, back: int, rules: str
) -> None:
    got = read(having(FACING_BB, stake), seen)
    assert (got.action, got.to, got.back) == (action, to, back), got.says
    assert set(rules.split()) <= cited(got), got.says


def test_a_second_motion_is_refused_unless_an_amount_was_declared() -> None:
    silent = read(FACING_BB, Seen(chips=(10, 10), later=(25, 5)))
    assert (silent.action, silent.to, silent.back) == ("raise", 20, 30)
    assert {"3.20", "1.30"} <= cited(silent)
    string = read(FACING_100, Seen(chips=(25, 25), later=(100, 100)))
    assert (string.action, string.to, string.owed, string.back) == ("call", 100, 50, 200)
    declared = read(FACING_BB, Seen(words="raise", figure=60, chips=(25, 25), later=(10,)))
    assert (declared.action, declared.to, declared.back, declared.owed) == ("raise", 60, 0, 0)
    word_only = read(FACING_BB, Seen(words="raise", chips=(25,), later=(25,)))
    assert (word_only.to, word_only.back) == (25, 25)


@pytest.mark.parametrize(
    ("s", "seen", "action", "to", "back"),
    [
        # 20 towards a price of 30 stay; the price stays too
        (RAISED_TO_30, Seen(chips=(10, 10), then_folds=True), "fold", 20, 0),
        (RAISED_TO_30, Seen(chips=(10, 10), words="fold", first="chips"), "fold", 20, 0),
        # 3.20: words after the chips, and words that are not clear, fix nothing
        (
            RAISED_TO_30,
            Seen(chips=(10,), words="call", first="chips", then_folds=True),
            "fold",
            10,
            0,
        ),
        (
            RAISED_TO_30,
            Seen(chips=(10,), words="call", clear=False, then_folds=True),
            "fold",
            10,
            0,
        ),
        (
            RAISED_TO_30,
            Seen(chips=(10,), words="all in", first="chips", then_folds=True),
            "fold",
            10,
            0,
        ),
        # a word that is heard does
        (RAISED_TO_30, Seen(chips=(10,), words="call", then_folds=True), "call", 30, 0),
        # words that fixed a larger amount are paid first
        (RAISED_TO_30, Seen(words="raise", figure=90, then_folds=True), "raise", 90, 0),
        # chips that alone were a Raise or a BET leave their price for the others
        (FACING_BB, Seen(chips=(25, 5), then_folds=True), "raise", 30, 0),
        (UNOPENED, Seen(chips=(25,), then_folds=True), "bet", 25, 0),
        # one large chip was a Call: its change is his
        (FACING_BB, Seen(chips=(100,), then_folds=True), "fold", 10, 90),
    ],
)
def test_chips_stay_when_he_folds_on_the_same_turn(
    s: Situation, seen: Seen, action: str, to: int, back: int
) -> None:
    got = read(s, seen)
    assert (got.action, got.to, got.back, got.folds) == (action, to, back, True), got.says
    assert "3.5.4" in cited(got)
    assert got.confirm


def test_a_fold_before_the_chips_commits_none() -> None:
    got = read(RAISED_TO_30, Seen(words="fold", chips=(25,)))
    assert (got.action, got.to, got.back, got.folds) == ("fold", 0, 25, False)
    assert (read(RAISED_TO_30, Seen(then_folds=True)).action) == "fold"


def test_a_tap_or_cards_pushed_forward_count_though_the_words_with_them_are_not_clear() -> None:
    for words, figure in (("", None), ("raise", 60), ("call", None), ("", 60)):
        more = {"words": words, "figure": figure, "clear": False}
        assert read(UNOPENED, Seen(gesture="tap", **more)).action == "check"
        assert read(RAISED_TO_30, Seen(gesture="tap", **more)).impossible_check
        assert read(RAISED_TO_30, Seen(gesture="cards forward", **more)).action == "fold"
        # with chips it is they that count (3.20)
        assert read(UNOPENED, Seen(gesture="tap", chips=(25,), **more)).action == "bet"


BARRED = structs.replace(FACING_100, may_raise=False, bar=("3.19.3",))


@pytest.mark.parametrize(
    "seen",
    [
        chips(100, 25, 25),
        chips(100, 100),
        chips(500),
        chips(100, 100, 100, 100, 100),
        says("raise", 300),
        says("all in"),
        says("", 260),
        Seen(words="raise", chips=(500,)),
    ],
)
def test_who_may_not_raise_is_held_to_the_call(seen: Seen) -> None:
    got = read(BARRED, seen)
    assert (got.action, got.to) == ("call", 100), got.says
    placed = sum(seen.chips)
    assert (got.back, got.owed) == (max(0, placed - 100), max(0, 100 - placed))
    assert got.bar == ("3.19.3",) or seen.chips in ((500,), (100, 100))


def test_who_may_not_bet_is_asked_again_when_he_opens() -> None:
    barred = structs.replace(UNOPENED, may_raise=False, bar=("3.18.2.b",))
    for seen in (chips(25), says("bet", 60), says("all in")):
        got = read(barred, seen)
        assert (got.action, got.back, got.bar) == ("ask again", sum(seen.chips), ("3.18.2.b",))
    assert read(barred, says("check")).action == "check"


# -- properties ---------------------------------------------------------------------------------

# -- Raise or BET was said before, without an amount (1.37, 1.5) ----------------------------------

BOUND_60 = structs.replace(FACING_60, bound="raise")
BOUND_BET = structs.replace(UNOPENED, bound="bet")


@pytest.mark.parametrize(
    ("s", "seen", "action", "to", "back", "owed", "paragraphs"),
    [
        # rows 5 to 8 of table 3.3: chips in One Motion, one or several
        (BOUND_60, chips(500), "all in", 500, 0, 0, "3.6.1 3.19"),
        (BOUND_60, chips(100), "raise", 120, 0, 20, "3.6.1 1.28"),
        (BOUND_60, chips(25, 25), "raise", 120, 0, 70, "3.5 1.28"),
        (BOUND_60, chips(100, 25), "raise", 125, 0, 0, "3.5 1.28"),
        (having(BOUND_60, 110), chips(100), "all in", 110, 0, 10, "3.6.1 3.19.3"),
        (BOUND_60, Seen(chips=(100,), later=(100,)), "raise", 120, 100, 20, "1.30 3.20 3.6.1"),
        # rows 1 to 4: a figure, which needs no word any more
        (BOUND_60, Seen(figure=90), "raise", 120, 0, 120, "3.5.1.a"),
        (BOUND_60, Seen(figure=120), "raise", 120, 0, 120, "3.5.1"),
        (BOUND_60, Seen(figure=150), "raise", 150, 0, 150, "3.5.1.b"),
        (BOUND_60, Seen(figure=80, more=True), "raise", 140, 0, 140, "3.5.1.b"),
        (BOUND_60, Seen(figure=600), "all in", 500, 0, 500, "3.5.1.b 3.19"),
        (
            BOUND_60,
            Seen(figure=150, chips=(100,), first="chips"),
            "raise",
            120,
            0,
            20,
            "3.20 3.6.1",
        ),
        (BOUND_60, Seen(figure=150, chips=(100,), clear=False), "raise", 120, 0, 20, "3.6.1"),
        (BOUND_60, says("all in"), "all in", 500, 0, 500, "1.3 3.19"),
        # no later word and no tap undoes it
        (BOUND_60, says("call"), "ask again", 0, 0, 0, "1.37"),
        (BOUND_60, Seen(gesture="tap"), "ask again", 0, 0, 0, "1.37"),
        (BOUND_60, says("all in", clear=False), "ask again", 0, 0, 0, "1.37"),
        (BOUND_60, Seen(), "ask again", 0, 0, 0, "1.37"),
        (BOUND_60, Seen(words="call", chips=(100,)), "raise", 120, 0, 20, "3.6.1"),
        (BOUND_BET, says("check"), "ask again", 0, 0, 0, "1.5"),
        # row 15: the BET
        (BOUND_BET, chips(5), "bet", 10, 0, 5, "1.5"),
        (BOUND_BET, chips(100), "bet", 100, 0, 0, "1.5"),
        (BOUND_BET, Seen(figure=60), "bet", 60, 0, 60, "1.5"),
        (having(BOUND_BET, 6), chips(5), "all in", 6, 0, 1, "1.5 3.19"),
        # a Fold: the least is owed first (3.5.4, A-18)
        (BOUND_60, says("fold"), "raise", 120, 0, 120, "3.5.4 1.37 1.21"),
        (BOUND_60, Seen(gesture="cards forward"), "raise", 120, 0, 120, "3.5.4 1.37 1.21"),
        (BOUND_60, Seen(words="fold", chips=(25,)), "raise", 120, 0, 95, "3.5.4 1.37"),
        (BOUND_60, Seen(words="fold", chips=(500,)), "raise", 120, 380, 0, "3.5.4 1.37"),
        (
            BOUND_60,
            Seen(words="fold", chips=(100, 100), first="chips"),
            "raise",
            200,
            0,
            0,
            "3.5.4",
        ),
        (BOUND_60, Seen(figure=150, then_folds=True), "raise", 150, 0, 150, "3.5.4 3.5.1.b"),
        (having(BOUND_60, 50), says("fold"), "all in", 50, 0, 50, "3.5.4 1.37"),
        (BOUND_BET, says("fold"), "bet", 10, 0, 10, "3.5.4 1.5 1.21"),
    ],
)
def test_what_follows_the_word_alone_is_read_as_after_it(
    s: Situation, seen: Seen, action: str, to: int, back: int, owed: int, paragraphs: str
) -> None:
    got = read(s, seen)
    assert (got.action, got.to, got.back, got.owed) == (action, to, back, owed)
    assert set(paragraphs.split()) <= cited(got)
    assert got.binds == (s.bound if action == "ask again" else None)
    folds = seen.then_folds or seen.words == "fold" or seen.gesture == "cards forward"
    assert (got.folds, got.confirm) == (folds, folds)


def test_the_word_alone_binds_where_it_can() -> None:
    assert read(FACING_60, says("raise")).binds == "raise"
    assert read(UNOPENED, says("bet")).binds == "bet"
    assert read(UNOPENED, says("raise")).binds == "bet"
    assert read(FACING_60, says("bet")).binds is None
    assert read(FACING_60, says("raise", clear=False)).binds is None
    barred = structs.replace(FACING_60, may_raise=False, bar=("3.19.3",))
    held = read(barred, says("raise"))
    assert (held.action, held.to, held.binds) == ("call", 60, None)
    assert V8.cite(read(FACING_60, says("raise")).topics[0])[0] == "1.37"
    assert V8.cite(read(UNOPENED, says("bet")).topics[0])[0] == "1.5"


def test_who_is_bound_and_has_lost_the_raise_since_is_held_to_the_call() -> None:
    s = structs.replace(BOUND_60, may_raise=False, bar=("3.18.2.b",))
    for seen in (says("raise"), chips(100), Seen(figure=200), Seen()):
        assert (read(s, seen).action, read(s, seen).to) == ("call", 60)
    folds = read(s, says("fold"))
    assert (folds.action, folds.to, folds.owed, folds.folds) == ("call", 60, 60, True)


CHIPS = (1, 5, 10, 25, 100, 500)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    blind = draw(st.sampled_from((2, 10, 50)))
    if draw(st.booleans()):
        full = draw(st.integers(blind, 40 * blind))
        minimum = draw(st.integers(blind, full))
        price = draw(st.integers(full, full + minimum - 1))
        bet = draw(st.integers(0, price))
    else:
        full, minimum, price, bet = 0, blind, 0, 0
    raise_to = full + minimum if price else 2 * blind
    may = draw(st.booleans())
    return Situation(
        price=price,
        full=full,
        minimum=minimum,
        bet=bet,
        stake=draw(st.integers(1, 60 * blind)),
        big_blind=blind,
        raise_to=raise_to,
        may_raise=may,
        bar=() if may else ("3.19.3",),
        bound=draw(st.sampled_from((None, "raise" if price else "bet"))),
    )


@st.composite
def seens(draw: st.DrawFn, stake: int) -> Seen:
    placed = draw(st.lists(st.sampled_from(CHIPS), max_size=5))
    while sum(placed) > stake:
        placed.pop()
    left = stake - sum(placed)
    later = [c for c in draw(st.lists(st.sampled_from(CHIPS), max_size=2)) if c <= left // 2]
    words = draw(st.sampled_from(("", "check", "bet", "call", "raise", "all in", "fold")))
    return Seen(
        words=words,
        figure=draw(st.none() | st.integers(1, 3000)) if words in ("", "bet", "raise") else None,
        more=draw(st.booleans()),
        chips=tuple(placed),
        later=tuple(later) if placed else (),
        first=draw(st.sampled_from(("words", "chips", "together"))),
        clear=draw(st.booleans()),
        then_folds=draw(st.booleans()),
    )


@given(st.data())
def test_a_reading_is_always_a_legal_action_of_its_situation(data: st.DataObject) -> None:
    s = data.draw(situations())
    seen = data.draw(seens(s.stake))
    got = read(s, seen)
    placed = sum(seen.chips) + sum(seen.later)
    assert 0 <= got.to - s.bet <= s.stake, "never more than the stake"
    assert got.back >= 0
    assert got.owed >= 0
    assert got.says
    assert got.topics
    assert all(V8.has(topic) for topic in got.topics)
    match got.action:
        case "check":
            assert s.owed == 0
            assert got.to == s.bet
        case "call":
            assert got.to == s.price > s.bet
            assert s.all > s.price
        case "bet":
            assert s.unopened
            assert s.may_raise
            assert s.big_blind <= got.to < s.all
        case "raise":
            assert not s.unopened
            assert s.may_raise
            assert s.raise_to <= got.to < s.all
        case "all in":
            assert got.to == s.all
            assert s.may_raise or s.all <= s.price
        case "ask again":
            assert (got.to, got.back, got.owed) == (s.bet, placed, 0)
            assert got.binds is not None or s.bound is None or not s.may_raise
        case "fold":
            assert got.to <= max(s.price, s.bet)
    if s.bound is not None and s.may_raise:
        assert got.action in (s.bound, "all in", "ask again"), "nothing else is open"
    if got.action not in ("ask again", "fold") or got.folds:
        assert placed - got.back + got.owed == got.to - s.bet, "every chip is accounted for"


# -- Poker v5: chips over the line ---------------------------------------------------------------

V5_FACING_100 = Situation(
    price=100, full=100, minimum=10, bet=0, stake=500, big_blind=10, raise_to=110
)
V5_UNOPENED = Situation(price=0, full=0, minimum=10, bet=0, stake=500, big_blind=10, raise_to=10)


@pytest.mark.parametrize(
    ("s", "seen", "action", "to", "back"),
    [
        (V5_FACING_100, chips(100), "call", 100, 0),
        (V5_FACING_100, chips(100, 5), "ask again", 0, 105),
        (V5_FACING_100, chips(100, 10), "raise", 110, 0),
        # one large chip counts for its full value, whatever was said
        (having(V5_FACING_100, 600), Seen(chips=(500,), words="call"), "raise", 500, 0),
        (V5_FACING_100, chips(25), "ask again", 0, 25),
        (V5_FACING_100, chips(500), "all in", 500, 0),
        (V5_FACING_100, says("raise", 300), "ask again", 0, 0),
        (V5_FACING_100, says("fold"), "ask again", 0, 0),
        (V5_FACING_100, Seen(gesture="cards forward"), "fold", 0, 0),
        (V5_FACING_100, Seen(gesture="tap"), "ask again", 0, 0),
        (V5_UNOPENED, Seen(gesture="tap"), "check", 0, 0),
        (V5_UNOPENED, says("check"), "ask again", 0, 0),
        (V5_UNOPENED, chips(1, 1, 1, 1), "bet", 4, 0),
    ],
)
def test_over_the_line_only_chips_count(
    s: Situation, seen: Seen, action: str, to: int, back: int
) -> None:
    got = read_exact_total(s, seen, smallest_bet=1)
    assert (got.action, got.to, got.back) == (action, to, back), got.says
    book = load("poker-v5")
    assert all(book.has(topic) for topic in got.topics)


def test_a_raise_below_the_minimum_is_for_staff() -> None:
    assert not read_exact_total(V5_FACING_100, chips(100), 1).below_minimum
    assert read_exact_total(V5_FACING_100, chips(100, 5), 1).below_minimum
    assert not read_exact_total(V5_FACING_100, chips(100, 10), 1).below_minimum


def test_the_smallest_bet_over_the_line() -> None:
    assert read_exact_total(V5_UNOPENED, chips(5), smallest_bet=10).action == "ask again"
    assert read_exact_total(V5_UNOPENED, chips(10), smallest_bet=10).action == "bet"


def test_words_and_chips_are_read_as_in_the_table():
    for row in rows():
        assert read_again(row) == row.reading, f"{row.situation}, {row.seen}"
