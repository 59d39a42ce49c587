from fractions import Fraction

import pytest

from croupier.cards import Card
from croupier.lab.ranges import RangeError, read_range


def classes(text):
    return set(read_range(text).classes())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AA", "AA"),
        ("AKs", "AKs"),
        ("AK", "AKs AKo"),
        ("JJ+", "JJ QQ KK AA"),
        ("AA+", "AA"),
        ("A9s+", "A9s ATs AJs AQs AKs"),
        ("Q9o+", "Q9o QTo QJo"),
        ("T9s+", "T9s JTs QJs KQs AKs"),
        ("AKs+", "AKs"),
        ("77-99", "77 88 99"),
        ("99-77", "77 88 99"),
        ("A2s-A5s", "A2s A3s A4s A5s"),
        ("T9s-76s", "T9s 98s 87s 76s"),
        ("AQ-AT", "AQs AJs ATs AQo AJo ATo"),
        ("4xs", "43s 42s"),
        ("3x", "32s 32o"),
        ("aks, 10Ts", None),
        ("10 9s", None),
        ("qjO;tt 22", "QJo TT 22"),
        ("109s", "T9s"),
    ],
)
def test_ranges_as_people_write_them(text, expected):
    if expected is None:
        with pytest.raises(RangeError):
            read_range(text)
    else:
        assert classes(text) == set(expected.split())


@pytest.mark.parametrize(
    ("text", "size"),
    [("random", 1326), ("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AhKd", 1), ("22+", 78)],
)
def test_how_many_pairs_of_cards_a_range_holds(text, size):
    assert read_range(text).size == size


def test_every_hand_of_random_is_there_once():
    combos = read_range("random").combos
    assert len({frozenset(combo) for combo in combos}) == 1326
    assert all(high.rank.order >= low.rank.order for high, low in combos)


def test_weights_are_exact():
    assert read_range("AKo:0.5").size == 6
    assert set(read_range("top 1%").classes()) == {"AA", "KK", "QQ"}
    assert read_range("top 1.5%, 22:50%").size == 24 + 3
    assert read_range("Top10%").combos == read_range("top 10 %").combos
    assert 132.6 <= read_range("top 10%").size < 132.6 + 12
    assert read_range("top 100%").combos == read_range("random").combos
    assert read_range("top 10%:0.5").size == read_range("top 10%").size / 2
    with pytest.raises(RangeError, match="above 0% and up to 100%"):
        read_range("AA, top 101%")
    assert read_range("AKo:12.5%").size == Fraction(3, 2)
    assert read_range("AA:0.001").classes() == {"AA": Fraction(1, 1000)}
    assert read_range("AA,AA,JJ+:1").size == 24


def test_two_cards_in_either_order_are_one_hand():
    assert (
        read_range("KdAh").combos == read_range("AhKd").combos == {(Card("Ah"), Card("Kd")): 1000}
    )


@pytest.mark.parametrize(
    ("text", "part", "at", "says"),
    [
        ("", "", 1, "empty"),
        ("AA, T9z", "T9z", 5, "no hand"),
        ("AA,KAs", "KAs", 4, "AKs"),
        ("KK AhAh", "AhAh", 4, "twice"),
        ("Ah Kd", "Ah", 1, "together"),
        ("AKo:2", "AKo:2", 1, "no weight"),
        ("AKo:1.001", "AKo:1.001", 1, "up to 1"),
        ("AKo:0.0005", "AKo:0.0005", 1, "three decimals"),
        ("AKo:0", "AKo:0", 1, "leave out"),
        ("AKo:101%", "AKo:101%", 1, "up to 1"),
        ("AKo:", "AKo:", 1, "no weight"),
        ("QQ+,KK:0.5", "KK:0.5", 5, "another weight"),
        ("A2s-A5o", "A2s-A5o", 1, "both ends"),
        ("A2s-K5s", "A2s-K5s", 1, "a run keeps"),
        ("AA-A5", "AA-A5", 1, "a run keeps"),
        ("22s", "22s", 1, "neither suited"),
        ("2x", "2x", 1, "below a Two"),
        ("Axs+", "Axs+", 1, "leave out the +"),
        ("A1s", "A1s", 1, "no hand"),
        ("-99", "-99", 1, "no hand"),
    ],
)
def test_an_unreadable_range_points_at_the_part(text, part, at, says):
    with pytest.raises(RangeError, match=says.replace("+", r"\+")) as caught:
        read_range(text)
    assert (caught.value.part, caught.value.at) == (part, at)
    assert repr(part) in str(caught.value)
    assert str(at) in str(caught.value)
