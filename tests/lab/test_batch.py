"""Tables by the million play as a table does: hand by hand, Action by Action, to the cent."""

import numpy as np
import pytest
from msgspec import structs

from croupier.lab import ACTIONS, Amounts, BatchError, PokerBatch, UnknownWay
from croupier.lab.batch_columns import CALL, CHECK, FOLD, GO_ALL_IN, RAISE
from croupier.lab.batch_rules import rules_of
from croupier.lab.errors import BadAmount
from croupier.rulebooks import load
from tests.lab.batch_engine import played_alike

V8, V5 = "no-limit-holdem-v8", "poker-v5"
RAKED = Amounts(percent=5, cap=3000)
FINE = Amounts(blinds=(500, 1000), chip=100, percent="2.5", cap=500, rake_chip=100, straddle=True)
HIGH = Amounts(blinds=(5_000, 10_000), percent="2.5", cap=3000, straddle=True)
ODD = Amounts(blinds=(300, 600), chip=300, percent=4, cap=900, rake_chip=300)

# Book, players, amounts, policies, and of so many hands how many are played so.
TERMS = [
    (V8, 2, RAKED, {}, 35),
    (V8, 3, FINE, {}, 30),
    (V8, 4, ODD, {"short-all-in-bar": "answered-last-full-raise"}, 12),
    (V8, 6, RAKED, {"opening-all-in-below-big-blind": "all-in-amount"}, 9),
    (V8, 6, HIGH, {"uncallable-raise": "not-offered", "rake-base-of-a-walk": "small-blind"}, 9),
    (V8, 9, FINE, {}, 5),
    (V5, 2, RAKED, {}, 35),
    (V5, 3, RAKED, {"rake-uncalled-raise": "small-blind"}, 30),
    (V5, 4, ODD, {"min-bet": "big-blind"}, 12),
    (V5, 6, RAKED, {"rake-uncalled-raise": "left-out"}, 9),
    (V5, 6, ODD, {"uncallable-raise": "not-offered"}, 9),
    (V5, 9, RAKED, {}, 5),
]
NAMES = [f"{book}-{players}-{number}" for number, (book, players, *_) in enumerate(TERMS)]


@pytest.mark.parametrize(
    "hands", [4_000, pytest.param(1_000_000, marks=pytest.mark.slow)], ids=["some", "a-million"]
)
@pytest.mark.parametrize(("book", "players", "amounts", "policies", "percent"), TERMS, ids=NAMES)
def test_the_batch_plays_as_the_table_does(book, players, amounts, policies, percent, hands):
    """Four thousand hands of each book, in the slow set a million: what is open, what is seen, who
    is paid."""
    taken = played_alike(
        book,
        hands * percent // 100,
        players=players,
        amounts=amounts,
        policies=policies,
        seed=players,
        seen_every=3 if hands < 1_000_000 else 1,
    )
    assert taken > hands * percent // 100


def test_a_hand_by_hand():
    """Three players, a short All-in, a Side Pot: the figures are worked out on paper."""
    batch = PokerBatch(V8, tables=1, players=3, amounts=RAKED, stakes=[20_000, 50_000, 3_000])
    batch.reset(board="2c 7d 9h Jc 3s", hands={0: "As Ah", 1: "Kd Kc", 2: "Qs Qh"})
    assert batch.turn[0] == 2  # the button acts first, left of the Big Blind
    assert [ACTIONS[k] for k in np.flatnonzero(batch.masks[0])] == [
        "fold", "call", "raise", "all in",
    ]  # fmt: skip
    assert (batch.least[0], batch.most[0]) == (2_000, 3_000)
    batch.step([GO_ALL_IN])  # to 30: a raise by 20
    assert (batch.least[0], batch.most[0]) == (5_000, 20_000)
    batch.step([RAISE], [10_000])
    batch.step([CALL])
    assert batch.street[0] == 2
    assert batch.named["pot_amount"][0].tolist()[:2] == [9_000, 14_000]
    while batch.playing:
        batch.step(batch.check_or_call())
    # 5% of 90 is 4.50, so 4; of 140 it is 7. The aces win both pots.
    assert batch.rake[0] == 1_100
    assert batch.net[0].tolist() == [11_900, -10_000, -3_000]
    assert batch.rewards[0].tolist() == [11.9, -10, -3]


def test_an_action_that_is_not_open_changes_nothing_anywhere():
    batch = PokerBatch(V8, tables=3, players=2, seed=3)
    before = batch.state.copy()
    with pytest.raises(BatchError, match=r"table 1: raise to 15 is not open; open are: fold, call"):
        batch.step([CALL, RAISE, CALL], [0, 1_500, 0])
    with pytest.raises(BatchError, match="table 0: check is not open"):
        batch.step([CHECK, CALL, CALL])
    with pytest.raises(BatchError, match="table 2: Action 9 is not open"):
        batch.step([CALL, CALL, 9])
    with pytest.raises(BatchError, match="one Action for each of the 3 tables"):
        batch.step([CALL])
    with pytest.raises(BatchError, match="kinds: from 0 to 255 there is room"):
        batch.step(np.array([CALL, CALL, 256]))
    with pytest.raises(BatchError, match="amounts: give whole numbers, not float64"):
        batch.step([RAISE, CALL, CALL], [2_000.5, 0, 0])
    with pytest.raises(BatchError, match="amounts: from -2147483648 to 2147483647"):
        batch.step([RAISE, CALL, CALL], np.array([(1 << 32) + 2_000, 0, 0]))
    assert np.array_equal(batch.state, before)


def test_what_is_seen_holds_no_card_that_is_not():
    """Only own cards and dealt streets: another's cards change nothing of what is seen."""
    one = PokerBatch(V8, tables=50, players=4, seed=5)
    other = one.clone()
    hidden = one.cards.copy()
    for t in range(50):  # the cards of whoever is not to act, and of streets to come, are swapped
        seen = {5 + 2 * int(one.turn[t]), 6 + 2 * int(one.turn[t])}
        places = [place for place in range(13) if place not in seen]
        hidden[t, places] = hidden[t, places[::-1]]
    other.cards[:] = hidden
    assert np.array_equal(one.observations, other.observations)
    assert not np.array_equal(one.state, other.state)


def test_states_are_cloned_saved_set_and_compared():
    batch = PokerBatch(V5, tables=20, players=3, seed=11, amounts=RAKED)
    batch.step(batch.check_or_call())
    saved, again = batch.save(), batch.clone()
    assert again == batch
    again.step(again.check_or_call())
    assert again != batch
    fresh = PokerBatch(V5, tables=20, players=3, seed=0, amounts=RAKED)
    fresh.restore(saved)
    assert fresh == batch
    chance = np.random.default_rng(1)
    kept = batch.state[:5].copy(), batch.masks[:5].copy()
    while batch.playing:
        batch.step(*batch.random_actions(chance))
    batch.set_rows(np.arange(5), *kept)
    assert batch.playing == 5
    while fresh.playing:
        fresh.step(fresh.check_or_call())
    while batch.playing:
        batch.step(batch.check_or_call())
    assert np.array_equal(batch.net[:5], fresh.net[:5])
    with pytest.raises(BatchError, match="no saved tables"):
        fresh.restore(b"nonsense")
    with pytest.raises(BatchError, match="the saved tables are"):
        PokerBatch(V8, tables=20, players=3).restore(saved)


def test_a_seed_deals_the_same_hands_again_and_another_others():
    one, two = (PokerBatch(V8, tables=100, players=6, seed=9) for _ in range(2))
    assert one == two
    first = one.cards.copy()
    for batch in (one, two):
        while batch.playing:
            batch.step(batch.check_or_call())
        assert batch.deal() == 100
    assert one == two
    assert not np.array_equal(one.cards, first)
    assert not np.array_equal(PokerBatch(V8, tables=100, seed=10).cards, first)


def test_cards_are_dealt_evenly_and_none_twice():
    batch = PokerBatch(V8, tables=40_000, players=9, seed=2)
    ordered = np.sort(batch.cards, axis=1)
    assert (ordered[:, 1:] != ordered[:, :-1]).all()
    for place in (0, 4, 5, 13, 22):
        counts = np.bincount(batch.cards[:, place], minlength=52)
        assert abs(counts - 40_000 / 52).max() < 6 * (40_000 / 52) ** 0.5
    batch.reset(hands={8: "As Ks"}, board="Qs Js")
    assert (batch.cards[:, :2] == batch.cards[0, :2]).all()
    ordered = np.sort(batch.cards, axis=1)
    assert (ordered[:, 1:] != ordered[:, :-1]).all()
    counts = np.bincount(batch.cards[:, 4], minlength=52)
    assert (counts > 0).sum() == 48


def test_a_book_that_does_something_else_is_refused_with_a_sentence():
    book = load(V8)
    way = structs.replace(book.procedures["odd-chips"], value="best-position")
    changed = structs.replace(book, procedures={**book.procedures, "odd-chips": way})
    with pytest.raises(UnknownWay, match="odd-chips as left-of-button-first, not as best-position"):
        rules_of(changed, Amounts())
    cards = structs.replace(book.parameters["hole-cards"], value=4)
    changed = structs.replace(book, parameters={**book.parameters, "hole-cards": cards})
    with pytest.raises(UnknownWay, match="hole-cards as 2, not as 4"):
        rules_of(changed, Amounts())


@pytest.mark.parametrize(
    ("book", "rule", "value"),
    [
        (V8, "from_price", 1),
        (V8, "never_below_big", 1),
        (V8, "half_is_raise", 1),
        (V8, "bars", 0),
        (V8, "bars", 2),
        (V8, "all_in_below_bet", 0),
        (V8, "below_bet_price", 1),
        (V8, "uncallable", 1),
        (V8, "walk_small", 1),
        (V8, "rake_cap", 2900),
        (V8, "straddle_players", 4),
        (V8, "chip", 1000),
        (V5, "from_price", 0),
        (V5, "never_below_big", 0),
        (V5, "half_is_raise", 0),
        (V5, "least_bet", 1000),
        (V5, "keeps_uncalled", 0),
    ],
)
def test_the_comparison_finds_every_rule_that_is_broken(book, rule, value):
    amounts = structs.replace(HIGH if book == V8 else RAKED, percent=5)
    with pytest.raises((AssertionError, BatchError)):
        played_alike(book, 1_500, players=3, amounts=amounts, broken={rule: value}, seed=4)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"players": 1}, "players: 1; a table has 2 to 10"),
        ({"players": 11}, "players: 11; a table has 2 to 10"),
        ({"tables": 0}, "tables: 0; give 1 or more"),
        ({"seed": -1}, "seed: -1"),
        ({"stakes": 150}, "stakes: 1.50 is no whole number of chips of 1"),
        ({"stakes": [100, 100, 100]}, "stakes: one for all, 2 by position"),
        ({"stakes": 2_000_000_000}, "room for"),
        ({"amounts": Amounts(blinds=(500, 900))}, "the Big Blind is 10, not 9"),
        ({"amounts": Amounts(percent="five")}, "percent: 'five' is no percentage"),
        ({"amounts": Amounts(percent=5, cap=100, rake_chip=50)}, "the smallest is 1, not in 0.50"),
        ({"amounts": Amounts(percent=5, cap=150)}, "cap: 1.50; it is a whole number of the chips"),
    ],
)
def test_what_cannot_be_is_refused(given, says):
    with pytest.raises((BatchError, BadAmount), match=says):
        PokerBatch(V8, **{"tables": 1, "players": 2} | given)


def test_a_book_s_own_limits_are_kept():
    with pytest.raises(ValueError, match="over the 5% allowed"):
        PokerBatch(V5, tables=1, amounts=Amounts(percent=6, cap=100))
    with pytest.raises(BatchError, match="poker-v5 has no straddle"):
        PokerBatch(V5, tables=1, amounts=Amounts(straddle=True))
    with pytest.raises(BatchError, match="is a banked game"):
        PokerBatch("multi-link-progressive-v3", tables=1)


def test_cards_that_cannot_be_are_refused():
    batch = PokerBatch(V8, tables=2, players=2)
    with pytest.raises(BatchError, match="row 0 has a card twice"):
        batch.reset(board="As", hands={0: "As Kd"})
    with pytest.raises(BatchError, match="there is no position 2"):
        batch.reset(hands={2: "As Kd"})
    with pytest.raises(BatchError, match="board: 6 cards, at most 5"):
        batch.reset(board="As Kd Qc Jh Ts 9s")
    with pytest.raises(BatchError, match="2 rows of 9"):
        batch.reset(cards=np.zeros((2, 8), np.int8))
    with pytest.raises(BatchError, match="run from 0 to 51"):
        batch.reset(cards=np.full((2, 9), 52, np.int8))
    with pytest.raises(BatchError, match="table by table, or as board and hands"):
        batch.reset(board="As", cards=np.full((2, 9), -1, np.int8))


def test_it_is_told_in_a_line_and_a_table():
    batch = PokerBatch(V8, tables=40, players=2, seed=1)
    assert repr(batch) == "<PokerBatch: no-limit-holdem-v8, 2 players, 40 tables, 0 over>"
    assert batch.rows()[0]["stakes"] == "1,990 1,995"
    assert "10 rows more" in batch._repr_html_()
    assert batch.to_numpy()["price"][0] == 1_000
    batch.step(np.full(40, FOLD))
    assert batch.playing == 0
    assert batch.net[0].tolist() == [500, -500]
