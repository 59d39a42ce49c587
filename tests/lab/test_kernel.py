import ctypes
import itertools
import mmap
import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, Category, HandValue, rank_hand, read_cards
from croupier.lab import compiled, kernel
from croupier.lab.errors import BadAmount, BadHand, BatchError
from croupier.lab.kernel import card_masks, rank_masks, rank_rows

BY_INDEX = sorted(DECK, key=lambda card: card.index)

# How many hands of 5, 6 and 7 cards fall into each category: known totals, the best category first.
KNOWN = {
    5: (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540),
    6: (188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816, 9730740, 6612900),
    7: (4324, 37260, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460),
}


def random_rows(rng, hands, cards):
    return np.argsort(rng.random((hands, 52)), axis=1)[:, :cards].astype(np.uint8)


def masks_of(rows):
    return card_masks()[rows].sum(axis=1, dtype=np.uint64)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_it_gives_the_values_of_rank_hand(rng, cards):
    rows = random_rows(rng, 4_000, cards)
    expected = [int(rank_hand([BY_INDEX[index] for index in row])) for row in rows]
    assert rank_rows(rows).tolist() == expected
    assert rank_masks(masks_of(rows), cards=cards).tolist() == expected


@given(st.sets(st.sampled_from(DECK), min_size=5, max_size=7))
def test_any_hand_in_any_order(hand):
    hand = sorted(hand, key=str)
    row = np.array([[card.index for card in hand]], np.uint8)
    mask = np.array([sum(card.mask for card in hand)], np.uint64)
    value = int(rank_hand(hand))
    assert rank_rows(row).tolist() == [value]
    assert rank_rows(np.ascontiguousarray(row[:, ::-1])).tolist() == [value]
    assert rank_masks(mask, cards=len(hand)).tolist() == [value]


def test_all_five_card_hands_by_category():
    rows = np.fromiter(
        itertools.chain.from_iterable(itertools.combinations(range(52), 5)), np.uint8
    ).reshape(-1, 5)
    values = rank_rows(rows, threads=2)
    assert counts_by_category(np.bincount(values, minlength=7463)) == KNOWN[5]
    assert len(np.unique(values)) == 7462


def counts_by_category(by_value):
    counts = Counter()
    for value in np.flatnonzero(by_value):
        counts[HandValue(int(value)).category] += int(by_value[value])
    return tuple(counts[category] for category in reversed(Category))


@pytest.mark.slow
@pytest.mark.parametrize("cards", [6, 7])
def test_all_hands_by_category_and_a_thousandth_of_them_one_by_one(cards):
    """Every hand, block by block: the first two cards fixed, the others in all ways."""
    bits = card_masks()
    by_value = np.zeros(7463, np.int64)
    for first, second in itertools.combinations(range(52), 2):
        rest = np.array(
            list(itertools.combinations(range(second + 1, 52), cards - 2)), np.uint8
        ).reshape(-1, cards - 2)
        if not len(rest):
            continue
        masks = bits[rest].sum(axis=1, dtype=np.uint64) | bits[first] | bits[second]
        values = rank_masks(masks, cards=cards)
        by_value += np.bincount(values, minlength=7463)
        for place in range(0, len(rest), 1009):
            hand = [BY_INDEX[first], BY_INDEX[second], *(BY_INDEX[i] for i in rest[place])]
            assert rank_hand(hand) == values[place]
    assert counts_by_category(by_value) == KNOWN[cards]


PLAIN = """
import numpy as np
from croupier.lab.kernel import card_masks, rank_masks, rank_rows
rng = np.random.default_rng(7)
for cards in (5, 6, 7):
    rows = np.argsort(rng.random((5_000, 52)), axis=1)[:, :cards].astype(np.uint8)
    masks = card_masks()[rows].sum(axis=1, dtype=np.uint64)
    assert (rank_rows(rows) == rank_masks(masks, cards=cards)).all()
"""


@pytest.mark.slow
def test_a_processor_without_wide_registers_gives_the_same_values(tmp_path):
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": tmp_path}
    settings = os.environ | {name: str(value) for name, value in plain.items()}
    subprocess.run([sys.executable, "-c", PLAIN], check=True, env=settings)


@pytest.mark.parametrize("threads", [1, 2, 3, None])
def test_threads_change_nothing(rng, threads):
    rows = random_rows(rng, 5_003, 7)
    assert (rank_rows(rows, threads=threads) == rank_rows(rows)).all()
    masks = masks_of(rows)
    assert (rank_masks(masks, threads=threads) == rank_rows(rows)).all()


def test_no_hands_are_no_values():
    assert rank_rows(np.empty((0, 6), np.uint8)).shape == (0,)
    assert rank_masks(np.empty(0, np.uint64)).shape == (0,)


def test_rows_need_not_lie_together(rng):
    rows = random_rows(rng, 100, 7)
    assert (rank_rows(np.asfortranarray(rows)) == rank_rows(rows)).all()
    assert (rank_rows(rows[::2]) == rank_rows(rows)[::2]).all()
    assert (rank_masks(masks_of(rows)[::3]) == rank_rows(rows)[::3]).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_card_twice_is_named_with_its_row(rng, threads):
    rows = random_rows(rng, 1_000, 7)
    rows[700, 5] = rows[700, 1]
    rows[900, 5] = 52
    card = BY_INDEX[rows[700, 1]]
    with pytest.raises(BadHand, match=f"row 700: {card} .* twice, in places 2 and 6") as error:
        rank_rows(rows, threads=threads)
    assert error.value.row == 700


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_any_number_of_rows(rng, cards):
    """Whole blocks are ranked eight rows at a time, the last rows card by card: no seam shows."""
    rows = random_rows(rng, 3 * kernel._BLOCK, cards)
    values = rank_masks(masks_of(rows), cards=cards)
    for count in range(len(rows) + 1):
        assert (rank_rows(rows[:count]) == values[:count]).all(), count


@pytest.mark.skipif(sys.platform != "linux", reason="forbids a page of memory as Linux does")
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_nothing_is_read_beyond_the_last_row(rng, cards):
    """The rows end where memory that may not be read begins: reading on would end the process."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * page)
    whole = np.frombuffer(memory, np.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    forbidden = ctypes.c_void_p(whole.ctypes.data + 2 * page)
    assert libc.mprotect(forbidden, page, 0) == 0
    try:
        for count in [*range(1, 30), *range(60, 80), kernel._BLOCK * 3, kernel._BLOCK * 4]:
            rows = whole[2 * page - count * cards : 2 * page].reshape(count, cards)
            rows[:] = random_rows(rng, count, cards)
            assert (rank_rows(rows) == rank_masks(masks_of(rows), cards=cards)).all()
    finally:
        assert libc.mprotect(forbidden, page, mmap.PROT_READ | mmap.PROT_WRITE) == 0


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_an_index_beyond_the_deck_is_found_in_every_place_of_eight_rows(rng, cards):
    for index in range(52, 256):
        rows = random_rows(rng, 2 * kernel._BLOCK, cards)
        row, place = rng.integers(kernel._BLOCK), rng.integers(cards)
        rows[row, place] = index
        with pytest.raises(BadHand, match=f"row {row}: {index} in place {place + 1} is no card"):
            rank_rows(rows)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_a_card_twice_is_found_in_every_place_of_eight_rows(rng, cards):
    for row, place in itertools.product(range(8), range(1, cards)):
        rows = random_rows(rng, 2 * kernel._BLOCK, cards)
        rows[row, place] = rows[row, 0]
        with pytest.raises(BadHand, match=f"row {row}: .* twice, in places 1 and {place + 1}"):
            rank_rows(rows)


@pytest.mark.parametrize("index", [52, 63, 64, 115, 200, 255])
def test_an_index_beyond_the_deck_is_named(rng, index):
    rows = random_rows(rng, 10, 5)
    rows[3, 2] = index
    with pytest.raises(BadHand, match=f"row 3: {index} in place 3 is no card index"):
        rank_rows(rows)


@pytest.mark.parametrize("text", ["As Ks Qs Js Ts 2c", "As Ks Qs Js Ts 2c 3d 4h", ""])
def test_a_mask_of_another_number_of_cards_is_named(text):
    good = sum(card.mask for card in read_cards("As Ks Qs Js Ts 2c 3d"))
    bad = sum(card.mask for card in read_cards(text))
    with pytest.raises(BadHand, match=r"row 1: 7 cards are asked for, and the mask \w+ holds "):
        rank_masks(np.array([good, bad, good], np.uint64))


def test_many_cards_in_a_mask_do_not_wrap_round_to_seven():
    deck = sum(card.mask for card in DECK)
    for mask in (deck, deck ^ (1 << 3), (1 << 13) - 1 | ((1 << 13) - 1) << 16):
        with pytest.raises(BadHand):
            rank_masks(np.array([mask], np.uint64))


@pytest.mark.parametrize("bit", [13, 14, 15, 29, 31, 47, 61, 63])
def test_a_bit_that_is_no_card_is_named(bit):
    six = sum(card.mask for card in read_cards("As Ks Qs Js Ts 2c"))
    with pytest.raises(BadHand, match=rf"row 0: bit {bit} of the mask \w+ is no card's"):
        rank_masks(np.array([six | 1 << bit], np.uint64))
    seven = six | read_cards("3d")[0].mask
    with pytest.raises(BadHand, match=f"bit {bit}"):
        rank_masks(np.array([seven | 1 << bit], np.uint64))


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: rank_masks([1, 2]), "uint64, not list"),
        (lambda: rank_masks(np.zeros(3, np.int64)), "uint64, not 1 dimensions of int64"),
        (lambda: rank_masks(np.zeros((3, 2), np.uint64)), "not 2 dimensions"),
        (lambda: rank_masks(np.zeros(3, np.uint64), cards=4), "5, 6 or 7 cards, not from 4"),
        (lambda: rank_rows(np.zeros((3, 7), np.int64)), "uint8, not 2 dimensions of int64"),
        (lambda: rank_rows(np.zeros(7, np.uint8)), "two-dimensional"),
        (lambda: rank_rows(np.zeros((3, 8), np.uint8)), "5, 6 or 7 cards, not from 8"),
    ],
)
def test_another_shape_or_type_is_refused(call, problem):
    with pytest.raises(BatchError, match=problem):
        call()


def test_no_threads_do_no_work():
    with pytest.raises(BadAmount, match="0 threads"):
        rank_rows(np.array([[0, 1, 2, 3, 4]], np.uint8), threads=0)


def test_machine_code_is_kept_only_while_all_its_sources_stay():
    """Numba looks at a kernel's own file; ours are made of several. This must not go unnoticed."""
    stamp = kernel._rank_rows._cache._cache_file._source_stamp
    assert stamp[1] == compiled._sources()
