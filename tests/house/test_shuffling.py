"""Chance: every outcome equally likely, every byte used in order, and biased shuffles found out."""

import ast
import io
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import croupier
from croupier.cards import DECK, read_cards
from croupier.house.randomness_dump import dump
from croupier.house.shuffling import SYSTEM, Shuffler, SystemSource, draw, shuffle
from tests.house import fairness
from tests.house.seeded import Seeded

CARDS = tuple(range(52))
SOURCE = Path(croupier.__file__).parent
SAMPLE = 14_000


class Given:
    """A source that gives these bytes and no others."""

    def __init__(self, given: bytes) -> None:
        self.given = given

    def take(self, count: int) -> bytes:
        assert count <= len(self.given), "more bytes are asked for than there are"
        taken, self.given = self.given[:count], self.given[count:]
        return taken


class Counting(Seeded):
    """Remembers every byte that was taken."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.taken = b""

    def take(self, count: int) -> bytes:
        given = super().take(count)
        self.taken += given
        return given


def test_a_shuffle_gives_back_the_same_cards():
    assert sorted(shuffle(DECK), key=DECK.index) == list(DECK)
    assert shuffle(()) == ()
    assert shuffle(DECK[:1]) == DECK[:1]


@pytest.mark.parametrize("among", [1, 2, 3, 5, 51, 52, 255, 256])
def test_every_number_comes_from_equally_many_bytes(among):
    size = 1 if among > 1 else 0
    seen = Counter()
    for byte in range(256):
        source = Given(bytes([byte, 0]))
        number = Shuffler(source).below(among)
        if len(source.given) == 2 - size:
            seen[number] += 1
    assert set(seen) == set(range(among))
    assert len(set(seen.values())) == 1


def test_a_draw_among_many_takes_as_many_bytes_as_it_needs():
    assert Shuffler(Given(b"\x01\x02")).below(1000) == 0x0102
    # 65535 is among the last 536 of 65536, which would make some numbers likelier.
    assert Shuffler(Given(b"\xff\xff\x00\x07")).below(1000) == 7


@pytest.mark.parametrize("among", [0, -1, (1 << 32) + 1])
def test_a_draw_among_nothing_or_too_many_is_an_error(among):
    with pytest.raises(ValueError, match="a draw is among 1 to"):
        Shuffler().below(among)


def test_every_order_of_three_comes_from_equally_many_byte_strings():
    orders, rejected = Counter(), 0
    for first, second in product(range(256), repeat=2):
        source = Given(bytes([first, second, 0, 0]))
        order = Shuffler(source).shuffle("abc")
        if len(source.given) == 2:
            orders["".join(order)] += 1
        else:
            rejected += 1
    assert orders == dict.fromkeys(("abc", "acb", "bac", "bca", "cab", "cba"), 255 * 256 // 6)
    assert rejected == 256  # the byte 255, at the place of three


def test_every_byte_is_used_in_order_and_none_is_left_over():
    source = Counting(1)
    for _ in range(200):
        before = len(source.taken)
        order = Shuffler(source).shuffle(CARDS)
        used = source.taken[before:]
        # The same bytes one at a time, by the definition.
        again, left = list(CARDS), 52
        for byte in used:
            assert left > 1, "a byte was taken and not used"
            if byte < 256 - 256 % left:
                left -= 1
                again[left], again[byte % (left + 1)] = again[byte % (left + 1)], again[left]
        assert left == 1
        assert tuple(again) == order


def test_a_draw_picks_different_ones():
    for among in range(1, 8):
        for pick in range(among + 1):
            picked = draw(pick, among)
            assert len(set(picked)) == pick
            assert set(picked) <= set(range(among))
    with pytest.raises(ValueError, match="4 cannot be picked among 3"):
        draw(4, 3)


def test_every_draw_of_two_among_four_is_equally_likely():
    seen = Counter()
    for first, second in product(range(256), range(255)):
        seen[Shuffler(Given(bytes([first, second]))).draw(2, 4)] += 1
    assert len(seen) == 12
    assert set(seen.values()) == {256 * 255 // 12}


def test_too_many_cards_for_one_byte_are_an_error():
    with pytest.raises(ValueError, match="at most 256 cards"):
        shuffle(range(257))


def test_the_source_is_the_operating_systems():
    assert isinstance(SYSTEM, SystemSource)
    assert Shuffler().source is SYSTEM
    assert len(SYSTEM.take(32)) == 32
    assert SYSTEM.take(32) != SYSTEM.take(32)
    assert vars(SYSTEM) == {}, "the source keeps nothing that could be shared or repeated"


def test_the_house_has_no_other_source_of_chance():
    """Every random selection comes from here; tokens and ids are no selections."""
    for file in sorted((SOURCE / "house").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            name
            for node in ast.walk(tree)
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }
        assert not imported & {"random", "numpy", "numpy.random"}, file.name
        if file.name != "shuffling.py":
            assert "urandom" not in file.read_text(encoding="utf-8"), file.name


# -- statistics of whole permutations -----------------------------------------------------------


def fair(size, source=SYSTEM):
    shuffler = Shuffler(source)
    return [shuffler.shuffle(CARDS) for _ in range(size)]


def test_a_fair_shuffle_passes_every_test():
    """The shuffle itself, from a source that can be repeated."""
    source = Seeded(1)
    assert fairness.failures(lambda size: fair(size, source), SAMPLE) == {}


def test_the_shuffle_of_the_house_is_beyond_doubt():
    """From the system's source; only what cannot be chance fails here, one run in 80,000."""
    sample = fair(SAMPLE)
    assert not any(finds_out(test, sample) for test in fairness.TESTS)


@pytest.mark.slow
def test_the_shuffle_of_the_house_passes_every_test_on_a_large_sample():
    assert fairness.failures(fair, 200_000) == {}


def modulo(source):
    """The remainder of a byte without rejection."""
    order = list(CARDS)
    for left, byte in zip(range(52, 1, -1), source.take(51), strict=True):
        order[left - 1], order[byte % left] = order[byte % left], order[left - 1]
    return tuple(order)


def naive_swap(source):
    """Every place is swapped with any place."""
    order, shuffler = list(CARDS), Shuffler(source)
    for i in range(52):
        j = shuffler.below(52)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def off_by_one(source):
    """No card stays where the shuffle finds it."""
    order, shuffler = list(CARDS), Shuffler(source)
    for left in range(52, 1, -1):
        j = shuffler.below(left - 1)
        order[left - 1], order[j] = order[j], order[left - 1]
    return tuple(order)


def top_card_not_shuffled(source):
    return (0, *Shuffler(source).shuffle(CARDS[1:]))


def riffle(source):
    """Six riffles of a new deck: almost good enough for people."""
    order = list(CARDS)
    for _ in range(6):
        bits = int.from_bytes(source.take(7), "big")
        cut = sum(bits >> i & 1 for i in range(52))
        low, high = iter(order[:cut]), iter(order[cut:])
        order = [next(low) if bits >> i & 1 else next(high) for i in range(52)]
    return tuple(order)


def finds_out(test, sample):
    """Whether a sample fails a test beyond any doubt."""
    return not 1e-6 < fairness.TESTS[test](sample) < 1 - 1e-6


@pytest.mark.parametrize("biased", [modulo, naive_swap, off_by_one, top_card_not_shuffled])
def test_a_biased_shuffle_is_found_out(biased):
    source = Seeded(7)
    assert finds_out("positions", [biased(source) for _ in range(SAMPLE)])


def test_a_deck_that_is_riffled_six_times_is_found_out():
    source = Seeded(7)
    assert finds_out("runs", [riffle(source) for _ in range(SAMPLE)])


def test_a_shuffle_that_is_used_twice_is_found_out():
    sample = [order for order in fair(SAMPLE // 2, Seeded(7)) for _ in range(2)]
    assert finds_out("one after another", sample)


def test_cards_that_stay_together_are_found_out():
    """Every card equally often in every place, but half of the neighbours stay neighbours."""
    sample = []
    for i, order in enumerate(fair(SAMPLE, Seeded(7))):
        flat = [card for first in order if first < 26 for card in (first, first + 26)]
        turn = i % 52
        sample.append(tuple(flat[turn:] + flat[:turn]))
    assert finds_out("pairs", sample)


def test_aces_that_come_too_regularly_are_found_out():
    """Whoever has waited long for an ace gets one: each place alone still looks fair."""
    sample, waited = [], 0
    for i, order in enumerate(fair(SAMPLE, Seeded(7))):
        here = i % 52
        waited += 1
        if waited > 30 and order[here] % 13 != 12:
            ace = next(k for k in range(52) if order[k] % 13 == 12)
            swapped = list(order)
            swapped[here], swapped[ace] = swapped[ace], swapped[here]
            order = tuple(swapped)
        waited = 0 if order[here] % 13 == 12 else waited
        sample.append(order)
    assert finds_out("gaps", sample)


def test_cards_that_are_picked_up_in_order_are_found_out():
    sample = []
    for i, order in enumerate(fair(SAMPLE, Seeded(7))):
        at = i % 49
        in_order = sorted(order[at : at + 4]) if i % 10 == 0 else order[at : at + 4]
        sample.append((*order[:at], *in_order, *order[at + 4 :]))
    assert finds_out("orders of four", sample)


def test_a_failure_is_repeated_once_on_a_fresh_sample_ten_times_as_large():
    asked = []

    def unlucky_once(size):
        asked.append(size)
        return [CARDS] * size if len(asked) == 1 else fair(size, Seeded(5))

    fairness.failures(unlucky_once, 300)
    assert asked == [300, 3000]
    assert set(fairness.failures(lambda size: [CARDS] * size, 300)) == set(fairness.TESTS)


def test_the_distributions_are_right():
    # Textbook values: 95% of chi-square with 10 degrees, median with 1, far tail with 2601.
    assert fairness.chi_square(18.307, 10) == pytest.approx(0.05, abs=1e-4)
    assert fairness.chi_square(0.4549, 1) == pytest.approx(0.5, abs=1e-4)
    assert fairness.chi_square(2601, 2601) == pytest.approx(0.4963, abs=1e-3)
    assert sum(fairness._eulerian(52)) == pytest.approx(1)
    assert fairness._eulerian(3) == pytest.approx([1 / 6, 4 / 6, 1 / 6])


# -- for a laboratory ---------------------------------------------------------------------------


def test_raw_bytes_are_the_source_itself():
    to, told = io.BytesIO(), []
    assert dump(to, 100_000, source=Seeded(3), progress=lambda *done: told.append(done)) == 100_000
    assert to.getvalue() == Seeded(3).take(100_000)
    assert told == [(65_536, 100_000), (100_000, 100_000)]


def test_permutations_are_decks_as_they_are_dealt():
    to = io.BytesIO()
    dump(to, 300, "permutations", source=Seeded(3))
    lines = to.getvalue().decode().splitlines()
    shuffler = Shuffler(Seeded(3))
    assert [read_cards(line) for line in lines] == [shuffler.shuffle(DECK) for _ in range(300)]


def test_numbers_are_as_a_draw_makes_them():
    to = io.BytesIO()
    dump(to, 50, "numbers", among=7, source=Seeded(3))
    shuffler = Shuffler(Seeded(3))
    assert to.getvalue().split() == [str(shuffler.below(7)).encode() for _ in range(50)]


def test_a_form_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="no form 'cards'; choose bytes, numbers, permutations"):
        dump(io.BytesIO(), 1, "cards")
    with pytest.raises(ValueError, match="-1 bytes"):
        dump(io.BytesIO(), -1)


def test_a_stream_that_takes_little_at_a_time_gets_everything():
    class Slow(io.BytesIO):
        def write(self, data):
            return super().write(bytes(data[:1000]))

    to = Slow()
    dump(to, 70_000, source=Seeded(3))
    assert to.getvalue() == Seeded(3).take(70_000)
