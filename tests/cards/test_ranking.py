"""Ranking hands: the ledgers' examples, the sentence, the best five, errors, and a naive ranker."""

import copy
import pickle
import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.cards import (
    DECK,
    Card,
    CardCountError,
    CardError,
    CardTwiceError,
    Category,
    HandValue,
    NotACardError,
    Rank,
    UnknownCardError,
    best_five,
    rank_hand,
    read_cards,
    write_cards,
)
from tests.cards.naive import ORDER, naive_five, naive_rank

hands = st.integers(5, 7).flatmap(
    lambda count: st.lists(st.sampled_from(DECK), min_size=count, max_size=count, unique=True)
)


def rank(text: str) -> HandValue:
    return rank_hand(read_cards(text))


# ---- the paragraphs on ranking (v8 3.1.1 to 3.1.3; v5 3.5.1 to 3.5.3; banked 3.1.1 to 3.1.3) ----

EXAMPLES = [
    ("Ad Kd Qd Jd 10d", "royal-flush", "Royal Flush"),
    ("Qc Jc 10c 9c 8c", "straight-flush", "Straight Flush, Queen high"),
    ("5h 4h 3h 2h Ah", "straight-flush", "Straight Flush, Five high"),
    ("Kc Kh Kd Ks Jh", "four-of-a-kind", "Four of a Kind, Kings, Jack kicker"),
    ("Kc Kh Kd Js Jh", "full-house", "Full House, Kings over Jacks"),
    ("Kh Jh 9h 5h 2h", "flush", "Flush, King high, then Jack, Nine, Five and Two"),
    ("Ac Kd Qh Js 10c", "straight", "Straight, Ace high"),
    ("5c 4d 3c 2h As", "straight", "Straight, Five high"),
    ("Qs Qh Qd 8h 3d", "three-of-a-kind", "Three of a Kind, Queens, Eight and Three kickers"),
    ("7s 7h 4c 4h Jd", "two-pairs", "Two Pairs, Sevens and Fours, Jack kicker"),
    ("10c 10h Kd 6h 3s", "one-pair", "One Pair, Tens, King, Six and Three kickers"),
    (
        "Qc 10h 6d 4s 2h",
        "five-odd-cards",
        "Five Odd Cards, Queen high, then Ten, Six, Four and Two",
    ),
]


@pytest.mark.parametrize(("text", "slug", "sentence"), EXAMPLES)
def test_each_category_is_recognised_and_said(text, slug, sentence):
    value = rank(text)
    assert value.category.value == slug
    assert str(value) == f"{value}" == value.sentence == sentence


def test_the_ten_categories_stand_in_the_rulebooks_order():
    assert [category.value for category in sorted(Category)] == ORDER
    values = [rank(text) for text, *_ in EXAMPLES]
    assert values == sorted(values, reverse=True)
    assert [category.title for category in sorted(Category, reverse=True)] == [
        "Royal Flush",
        "Straight Flush",
        "Four of a Kind",
        "Full House",
        "Flush",
        "Straight",
        "Three of a Kind",
        "Two Pairs",
        "One Pair",
        "Five Odd Cards",
    ]


def test_categories_compare_with_each_other_and_with_nothing_else():
    assert Category.STRAIGHT >= Category.STRAIGHT
    assert Category.STRAIGHT <= Category.STRAIGHT
    assert Category.FLUSH > Category.STRAIGHT > Category.THREE_OF_A_KIND
    assert Category.ONE_PAIR < Category.TWO_PAIRS
    assert not Category.STRAIGHT > Category.STRAIGHT
    assert not Category.STRAIGHT < Category.STRAIGHT
    assert (str(Category.FLUSH), repr(Category.FLUSH)) == ("Flush", "Category.FLUSH")
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(Category.FLUSH, compare)(5) is NotImplemented
    with pytest.raises(TypeError):
        Category.FLUSH < "straight"  # noqa: B015


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Kc Qd Jh 10s 9c", "Jc 10d 9h 8s 7c"),  # 3.1.3.a
        ("5c 5d Kh 10s 2c", "5h 5s Qh Jd 10c"),  # 3.1.3.b
        ("Ac Kd Jh 5s 2c", "Ah Ks 10h 6d 4c"),  # 3.1.3.c
        ("9c 9d Ah 5s 2c", "9h 9s Kh Qd Jc"),
        ("Js Jh 9c 9d 3h", "Js Jh 9c 9d 2h"),
        ("6c 5d 4h 3s 2c", "5c 4d 3h 2s Ac"),  # 3.1.1: the Ace is low in 5-4-3-2-A
        ("6h 5h 4h 3h 2h", "5s 4s 3s 2s As"),
        ("Ad Kd Qd Jd 10d", "Kc Qc Jc 10c 9c"),
        ("2c 3d 4h 5s 6c", "Ac Ad Ah Ks Qc"),  # the lowest straights beat three Aces
        ("2c 2d 2h 3s 3c", "Ah Kh Qh Jh 9h"),
        ("Ac Ad Kh 3s 2c", "Kc Kd Ah Qs Jc"),
        ("Kc Kd 2h 2s 3c", "Qc Qd Jh Js Ac"),  # the higher pair counts first
        ("3c 3d 3h 2s 2c", "2c 2d 2h As Ac"),  # the three count first
    ],
)
def test_ties_within_a_category_and_between_neighbours(better, worse):
    assert rank(better) > rank(worse)


def test_queen_king_ace_two_three_is_no_straight():
    assert rank("Qc Kd Ah 2s 3c").category is Category.FIVE_ODD_CARDS
    assert rank("Qc Kc Ac 2c 3c").category is Category.FLUSH
    assert rank("Kc Ad 2h 3s 4c 4d 9h").category is Category.ONE_PAIR


def test_suits_are_equal():
    assert rank("As Ks Qs Js 9s") == rank("Ah Kh Qh Jh 9h")
    assert rank("As Ks Qs Js 9s") is rank("Ah Kh Qh Jh 9h")


def test_a_board_plays_for_everybody():
    board = "Ad Kd Qd Jd 10d"
    assert rank(f"{board} 2c 3c") == rank(f"{board} 9d 8d") == rank(board)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Kc Kh Kd Js Jh Jd 2c", "Full House, Kings over Jacks"),  # two threes
        ("Kc Kh Kd Js Jh 2d 2c", "Full House, Kings over Jacks"),  # three and two pairs
        ("Kc Kh Jd Js 7h 7d Ac", "Two Pairs, Kings and Jacks, Ace kicker"),  # three pairs
        ("Kc Kh Jd Js 7h 7d 2c", "Two Pairs, Kings and Jacks, Seven kicker"),
        ("Kc Kh 7d 7s 2h Ad", "Two Pairs, Kings and Sevens, Ace kicker"),
        ("Kc Kh Kd Ks Jh Jd Js", "Four of a Kind, Kings, Jack kicker"),
        ("6c 6h 6d 6s Ah Ad As", "Four of a Kind, Sixes, Ace kicker"),
        ("Ac 2d 3h 4s 5c 6d 7h", "Straight, Seven high"),
        ("Ac 2d 3h 4s 5c Kd Kh", "Straight, Five high"),
        ("2h 4h 6h 8h 10h Qh Ah", "Flush, Ace high, then Queen, Ten, Eight and Six"),
        ("2h 3h 4h 5h 6h 7h Ah", "Straight Flush, Seven high"),
        ("As 2s 3s 4s 5s Ad Ac", "Straight Flush, Five high"),
        ("9h 10h Jh Qh Kd As 2h", "Flush, Queen high, then Jack, Ten, Nine and Two"),
        ("8c 8d 7h 7s 6c 5d 4h", "Straight, Eight high"),
    ],
)
def test_the_best_five_of_more(text, sentence):
    assert str(rank(text)) == sentence


# ---- values ----------------------------------------------------------------------------------


def test_there_are_7462_values_each_with_its_own_sentence():
    values = [HandValue(number) for number in range(1, 7463)]
    assert [int(value) for value in values] == list(range(1, 7463))
    assert len({str(value) for value in values}) == 7462
    for worse, better in pairwise(values):
        assert better.category >= worse.category
        if better.category is worse.category:
            # The wheel's ranks run 5-4-3-2-A: its first rank tells it from the six-high straight.
            assert [r.order for r in better.ranks] > [r.order for r in worse.ranks]


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("Kc Jh Kd Js Kh", "KKKJJ"),
        ("Ac 7h Kd 7s Kh", "KK77A"),
        ("As 2d 4h 3s 5c", "5432A"),
        ("3c 9d 9h 9s 9c", "99993"),
        ("2c 9d Ah 5s 9c", "99A52"),
        ("Th Ah Kh Jh Qh", "AKQJT"),
    ],
)
def test_the_ranks_stand_in_the_order_in_which_they_count(text, ranks):
    assert rank(text).ranks == tuple(Rank(letter) for letter in ranks)


def test_a_value_is_one_object_and_stays_it():
    value = rank("Kc Kh Kd Js Jh")
    assert HandValue(int(value)) is value
    assert pickle.loads(pickle.dumps(value)) is value
    assert copy.copy(value) is value
    assert copy.deepcopy([value])[0] is value
    assert isinstance(value, int)
    assert repr(value) == f"<HandValue {int(value)}: Full House, Kings over Jacks>"
    assert f"{value:d}" == str(int(value))
    assert f"{value:>30}" == "Full House, Kings over Jacks".rjust(30)


@pytest.mark.parametrize("number", [0, 7463, -1])
def test_there_is_no_value_outside(number):
    with pytest.raises(CardError, match=rf"no hand value {number}: they run from 1 to 7462"):
        HandValue(number)


# ---- errors ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "kind", "message"),
    [
        ("", CardCountError, "a hand is ranked from 5, 6 or 7 cards, not from 0: nothing"),
        (
            "As Kd 2h 3c",
            CardCountError,
            "a hand is ranked from 5, 6 or 7 cards, not from 4: As Kd 2h 3c",
        ),
        (
            "As Kd 2h 3c 4c 5c 6c 7c",
            CardCountError,
            "a hand is ranked from 5, 6 or 7 cards, not from 8: As Kd 2h 3c 4c 5c 6c 7c",
        ),
        (
            "As Kd 2h As 4c",
            CardTwiceError,
            "As occurs twice, in places 1 and 4, in the hand As Kd 2h As 4c",
        ),
        (
            "As Kd ?? 3c 4c",
            UnknownCardError,
            "only known cards can be ranked: there is ?? in place 3 in the hand As Kd ?? 3c 4c",
        ),
    ],
)
def test_a_wrong_hand_is_refused_with_the_reason(cards, kind, message):
    for function in (rank_hand, best_five):
        with pytest.raises(kind) as caught:
            function(read_cards(cards))
        assert str(caught.value) == message


@given(hands, st.data())
def test_no_card_may_occur_twice_wherever_it_stands(hand, data):
    if len(hand) == 7:
        hand.pop()
    hand.insert(data.draw(st.integers(0, len(hand))), data.draw(st.sampled_from(hand)))
    with pytest.raises(CardTwiceError):
        rank_hand(hand)


def test_the_same_card_seven_times_overflows_nothing():
    for card in DECK:
        for count in (5, 6, 7):
            with pytest.raises(CardTwiceError):
                rank_hand([card] * count)


@given(hands, st.data())
def test_no_card_may_be_unknown_wherever_it_stands(hand, data):
    for _ in range(data.draw(st.integers(1, 3))):
        hand[data.draw(st.integers(0, len(hand) - 1))] = Card.UNKNOWN
    with pytest.raises(UnknownCardError):
        rank_hand(hand)


@pytest.mark.parametrize(
    "hand", ["As Kd", ["As", "Kd", "Qh", "Js", "Tc"], [1, 2, 3, 4, 5, 6, 7], [None] * 5]
)
def test_what_are_no_cards_is_said(hand):
    with pytest.raises(NotACardError, match="in place 1 of the hand is no Card: read text with"):
        rank_hand(hand)
    with pytest.raises(TypeError):
        rank_hand(hand)


def test_any_collection_will_do():
    hand = read_cards("Kc Kh Kd Js Jh 2c 3c")
    expected = rank_hand(hand)
    for other in (list(hand), set(hand), frozenset(hand), dict.fromkeys(hand), iter(hand)):
        assert rank_hand(other) is expected
    with pytest.raises(TypeError):
        rank_hand(5)


# ---- the best five ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "shown"),
    [
        ("Jh Kc 2c Kh Kd Js Jd", "Kh Kd Kc Js Jh"),
        ("2c As 5d 4h 3s Kd Kh", "5d 4h 3s 2c As"),
        ("3c 9d 9h 2c 9s 9c", "9s 9h 9d 9c 3c"),
        ("7c 7s Ad Kc Kh 2d 3d", "Kh Kc 7s 7c Ad"),
        ("6h 5s 5c 7d 8c 9h 9s", "9s 8c 7d 6h 5s"),  # Spades first where suits leave a choice
        ("Ah 2h 9h 3h 4h As Ad", "Ah 9h 4h 3h 2h"),
        ("Th Ah Kh Jh Qh As Ks", "Ah Kh Qh Jh Th"),
        ("2h 9c Jd 5s Kh 3c 7c", "Kh Jd 9c 7c 5s"),
    ],
)
def test_the_best_five_in_the_order_of_showing(cards, shown):
    assert write_cards(best_five(read_cards(cards))) == shown


@given(hands, st.randoms(use_true_random=False))
def test_the_best_five_alone_are_worth_the_same_in_whatever_order(hand, chance):
    five = best_five(hand)
    assert len(set(five)) == 5
    assert set(five) <= set(hand)
    assert rank_hand(five) is rank_hand(hand)
    assert tuple(card.rank for card in five) == rank_hand(hand).ranks
    chance.shuffle(hand)
    assert best_five(hand) == five
    assert best_five(five) == five


# ---- beside a naive ranker -------------------------------------------------------------------


def as_naive(value: HandValue) -> tuple[int, tuple[int, ...]]:
    ranks = [rank.order for rank in value.ranks]
    if value.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH) and ranks[4] == 14:
        ranks[4] = 1
    return ORDER.index(value.category.value), tuple(ranks)


@given(hands)
@example(list(read_cards("As Ks Qs Js Ts 9s 8s")))
def test_any_hand_ranks_as_the_naive_ranker_says(hand):
    assert as_naive(rank_hand(hand)) == naive_rank(hand)


@pytest.mark.parametrize(("count", "hands"), [(5, 40_000), (6, 6_000), (7, 2_500)])
def test_many_random_hands_rank_as_the_naive_ranker_says(count, hands):
    chance = random.Random(count)
    for _ in range(hands):
        hand = chance.sample(DECK, count)
        assert as_naive(rank_hand(hand)) == naive_rank(hand), write_cards(hand)


def test_many_hands_with_a_flush_or_few_ranks_rank_as_the_naive_ranker_says():
    """Random hands seldom are flushes, houses or fours: deal from half a suit or from few ranks."""
    chance = random.Random(8)
    for _ in range(1_500):
        suit = chance.choice("cdhs")
        suited = [card for card in DECK if card.value[1] == suit]
        hand = chance.sample(suited, 5)
        hand += chance.sample([card for card in DECK if card not in hand], chance.choice([0, 1, 2]))
        assert as_naive(rank_hand(hand)) == naive_rank(hand), write_cards(hand)
        ranks = chance.sample("23456789TJQKA", chance.choice([2, 3, 4]))
        few = [card for card in DECK if card.value[0] in ranks]
        hand = chance.sample(few, chance.choice([5, 6, 7]))
        assert as_naive(rank_hand(hand)) == naive_rank(hand), write_cards(hand)


@given(hands, hands)
def test_two_hands_compare_as_the_naive_ranker_says(one, other):
    ours, naive = (rank_hand(one), rank_hand(other)), (naive_rank(one), naive_rank(other))
    assert (ours[0] < ours[1], ours[0] == ours[1]) == (naive[0] < naive[1], naive[0] == naive[1])


@given(hands, st.permutations("cdhs"))
def test_changing_all_suits_about_changes_nothing(hand, suits):
    turned = dict(zip("cdhs", suits, strict=True))
    other = [Card(card.value[0] + turned[card.value[1]]) for card in hand]
    assert rank_hand(other) is rank_hand(hand)


def test_the_naive_ranker_itself_knows_the_examples():
    for text, slug, _ in EXAMPLES:
        assert ORDER[naive_five(read_cards(text))[0]] == slug
