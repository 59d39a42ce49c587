"""The file of tables: made anew byte for byte, whole, small, and readable without our lists."""

import random

import pytest

from croupier.cards import DECK, rank_hand, tables
from croupier.cards.generate import FLUSH_FLAG, rank_counts
from croupier.cards.keys import RANK_KEYS, RANK_SUM_MASK


@pytest.fixture(scope="module")
def built() -> bytes:
    return tables.build()


def shipped() -> bytes:
    from importlib.resources import files

    return (files("croupier.cards") / tables.FILE_NAME).read_bytes()


def test_the_shipped_file_is_what_the_generator_makes(built):
    assert shipped() == built


def test_the_command_writes_what_is_made(built, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tables, "build", lambda: built)  # it takes a second
    target = tmp_path / "tables"
    assert tables.main([str(target)]) == 0
    assert target.read_bytes() == built
    assert f"{len(built):,} bytes" in capsys.readouterr().err
    assert tables.main(["one", "two"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_sections_are_as_documented():
    found = tables.sections()
    assert list(found) == [
        "rank_keys",
        "suit_sums",
        "flushes",
        "rows_5",
        "values_5",
        "rows_6",
        "values_6",
        "rows_7",
        "values_7",
    ]
    assert {name: len(found[name]) for name in ("rank_keys", "suit_sums", "flushes")} == {
        "rank_keys": 13,
        "suit_sums": 8192,
        "flushes": 8192,
    }
    for section in found.values():
        assert section.type == ("u4" if section.name in ("rank_keys", "suit_sums") else "u2")
        assert len(section.items()) == len(section) > 0
        assert f"    {section.name.replace('5', 'N').replace('6', 'N').replace('7', 'N')} " in (
            tables.__doc__ or ""
        )
    assert tuple(found["rank_keys"].items()) == RANK_KEYS


def test_the_tables_are_small_enough_for_a_cache():
    """A kernel on seven cards touches these four: they must stay near the processor."""
    found = tables.sections()
    touched = ("suit_sums", "flushes", "rows_7", "values_7")
    assert sum(found[name].data.nbytes for name in touched) <= 176 * 1024
    assert len(shipped()) <= 256 * 1024


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_no_two_rank_sums_meet(cards):
    sums = [
        sum(key * count for key, count in zip(RANK_KEYS, counts, strict=True)) & RANK_SUM_MASK
        for counts in rank_counts(cards)
    ]
    assert len(sums) == {5: 6_175, 6: 18_395, 7: 49_205}[cards]
    assert len(set(sums)) == len(sums)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_masks_are_ranked_from_the_raw_sections_as_the_lab_will(cards):
    """The whole of the documented way, from 64-bit masks, beside rank_hand."""
    found = {name: section.items() for name, section in tables.sections().items()}
    shift = tables.sections()[f"rows_{cards}"].shift
    assert tables.sections()[f"values_{cards}"].shift == shift
    low = (1 << shift) - 1
    chance = random.Random(cards)
    flushes = 0
    for number in range(4_000):
        hand = chance.sample(DECK if number % 4 else DECK[26:39], cards)  # a fourth: hearts
        mask = 0
        for card in hand:
            mask |= card.mask
        lanes = [mask >> 16 * suit & 0x1FFF for suit in range(4)]
        keys = sum(found["suit_sums"][lane] for lane in lanes)
        if keys & FLUSH_FLAG:
            flushes += 1
            value = max(found["flushes"][lane] for lane in lanes)
        else:
            rank_sum = keys & RANK_SUM_MASK
            row = found[f"rows_{cards}"][rank_sum >> shift]
            value = found[f"values_{cards}"][row + (rank_sum & low)]
        assert value == rank_hand(hand)
    assert 1_000 <= flushes < 1_500


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda file: b"", "is no file of ranking tables: install the package again"),
        (lambda file: b"X" + file[1:], "is no file of ranking tables"),
        (lambda file: file[:8] + b"\2" + file[9:], "has layout 2, 1 is needed"),
        (lambda file: file[:-1], "is damaged"),
        (lambda file: file[:5000] + bytes([file[5000] ^ 1]) + file[5001:], "is damaged"),
    ],
)
def test_a_damaged_file_is_refused(damage, message):
    with pytest.raises(ValueError, match=message):
        tables.parse(damage(shipped()))
