"""The same hands under two versions: what differs is counted, and holds at a real table."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from croupier.cli.main import croupier
from croupier.cli.rules_versions import position_name
from croupier.cli.versions_case import case_files
from croupier.lab import Amounts, BatchError, PokerBatch, compare_versions
from croupier.lab.batch_columns import CALL, GO_ALL_IN, RAISE
from croupier.lab.versions import Wishes, nearest
from croupier.pit import GAMES, read_case, run_case
from croupier.rulebooks import load

V8, V5 = "no-limit-holdem-v8", "poker-v5"
RAKED = Amounts(percent=5, cap=3000)


@pytest.fixture(scope="module")
def found():
    return compare_versions(load(V5), load(V8), hands=6_000, players=4, examples=12, seed=2)


def test_the_examples_come_out_so_at_a_real_table(found):
    """Each hand is a case file for either book, and the table pays what the comparison says."""
    files = case_files(found, (load(V5), load(V8)), RAKED)
    assert len(files) == 24
    for name, text in files.items():
        assert run_case(read_case(text, name, GAMES), GAMES).failures == [], name


def test_what_differs_is_counted_to_the_cent(found):
    assert 0 < found.same_acts < found.differently < found.hands == 6_000
    more = sum(more for _, more, _ in found.by_position)
    less = sum(less for _, _, less in found.by_position)
    # What is not moved between players went to, or came from, the House.
    assert more - less == found.rake[0] - found.rake[1]
    assert found.moved == more
    assert min(found.adjusted) > 0
    assert f"{found.differently / 6_000:.3%} of 6,000 hands" in repr(found)
    assert found.to_numpy()["hands"].sum() >= found.differently


def test_a_book_against_itself_pays_the_same():
    for book in (V5, V8):
        same = compare_versions(load(book), load(book), hands=3_000, players=3)
        assert (same.differently, same.filled, same.moved) == (0, 0, 0)
        assert same.adjusted[0] == same.adjusted[1]


def test_the_same_seed_plays_the_same_hands():
    whole = compare_versions(load(V5), load(V8), hands=50, players=2)
    again = compare_versions(load(V5), load(V8), hands=50, players=2)
    assert whole == again
    assert len(whole.by_position) == 2


def test_a_wish_becomes_the_nearest_that_is_open():
    """Heads-up before the flop, Blinds 5 and 10, 50 each: a raise goes from 20 to 50."""
    batch = PokerBatch(V8, tables=4, players=2, stakes=[5_000, 5_000])
    wishes = Wishes(np.array([2, 2, 2, 3], np.uint8), np.array([1_100, 2_500, 9_900, 0], np.int32))
    kinds, totals, adjusted = nearest(batch, wishes)
    assert kinds.tolist() == [RAISE, RAISE, RAISE, GO_ALL_IN]
    assert totals.tolist() == [2_000, 2_500, 5_000, 0]
    assert adjusted.tolist() == [True, False, True, False]
    short = PokerBatch(V8, tables=1, players=2, stakes=[5_000, 1_500])
    kinds, _, adjusted = nearest(short, Wishes(np.array([2], np.uint8), np.array([3_000])))
    assert (kinds.tolist(), adjusted.tolist()) == ([GO_ALL_IN], [True])
    kinds, _, adjusted = nearest(short, Wishes(np.array([1], np.uint8), np.array([0])))
    assert (kinds.tolist(), adjusted.tolist()) == ([CALL], [False])


def run(*words):
    return CliRunner().invoke(croupier, ["rules", "outcomes", *words])


def test_the_command_tells_writes_and_is_json(tmp_path):
    told = run("poker-v5", "v8", "--hands", "2000", "--into", str(tmp_path / "examples"))
    assert told.exit_code == 0, told.output
    assert "of 2,000 hands" in told.output
    assert "Rake of all hands" in told.output
    assert len(list((tmp_path / "examples").iterdir())) == 6
    printed = run("poker-v5", "v8", "--hands", "500", "--players", "2", "--json")
    answer = json.loads(printed.stdout)
    assert (answer["version"], answer["hands"], len(answer["positions"])) == (1, 500, 2)
    assert answer["files"] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("v2", "v3"), "is played against the House"),
        (("poker-v5", "v8", "--big-blind", "5"), "give an even number"),
        (("poker-v5", "v8", "--stakes", "9", "3"), "the first is the smaller number"),
        (("poker-v5", "v8", "--percent", "9"), "over the 5% allowed"),
        (("poker-v5", "v8", "--percent", "x"), "is no percentage"),
        (("poker-v5", "v88"), "v88"),
    ],
)
def test_what_cannot_be_is_said(words, says):
    told = run(*words)
    assert told.exit_code == 2
    assert says in " ".join(told.output.replace("│", " ").split())


def test_a_comparison_needs_hands():
    with pytest.raises(BatchError, match="hands: 0; give 1 or more"):
        compare_versions(load(V5), load(V8), hands=0)
    with pytest.raises(BatchError, match="from 9 to 3 Big Blinds"):
        compare_versions(load(V5), load(V8), hands=1, big_blinds=(9, 3))


def test_positions_have_names():
    assert [position_name(p, 4) for p in range(4)] == [
        "Small Blind",
        "Big Blind",
        "1 before the button",
        "button",
    ]
    assert position_name(1, 2) == "button, Small Blind"
