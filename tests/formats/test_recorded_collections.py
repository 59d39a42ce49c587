"""Hands that were really played, thousands of them: what the book and the records say alike.

The collections are not part of the project: the folder that `CROUPIER_HANDS` names holds them. The
normal set takes some of them, `slow` all.
"""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from croupier.formats.check import Checker, Options, check_hands
from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand
from croupier.formats.phh import read_hands, read_phh
from croupier.formats.phh_text import RawHand, plain_fields, split_hands, strict_fields
from croupier.formats.phh_write import fields_of_hand, write_phh
from croupier.formats.replay import Replayer
from croupier.formats.replayed import replayed_hand


def folder() -> Path:
    named = os.environ.get("CROUPIER_HANDS")
    if not named:
        pytest.skip("CROUPIER_HANDS names no folder with recorded hands")
    return Path(named)


def members(archive: str, every: int) -> list[bytes]:
    with zipfile.ZipFile(folder() / archive) as opened:
        names = sorted(name for name in opened.namelist() if name.endswith((".phh", ".phhs")))
        return [opened.read(name) for name in names[::every]]


@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.slow)])
def test_every_hand_of_pluribus_agrees(every: int):
    checker = Checker(Options())
    texts = members("pluribus.zip", every)
    assert len(texts) >= 200
    for text in texts:
        [raw] = split_hands(io.BytesIO(text))
        outcome = checker.check(raw)
        assert outcome.verdict == "agrees", (raw, outcome)
        assert outcome.rake == 0


@pytest.mark.parametrize(
    ("archive", "every"),
    [
        ("handhq-ong.zip", 20),
        ("handhq-pty.zip", 20),
        pytest.param("handhq-ong.zip", 1, marks=pytest.mark.slow),
        pytest.param("handhq-pty.zip", 1, marks=pytest.mark.slow),
    ],
)
def test_online_hands_agree_but_for_records_that_contradict_themselves(archive: str, every: int):
    checker = Checker(Options())
    hands = agree = unexplained = skipped = refused = explained = 0
    for text in members(archive, every):
        for raw in split_hands(io.BytesIO(text)):
            hands += 1
            outcome = checker.check(raw)
            match outcome.verdict:
                case "agrees":
                    agree += 1
                case "refused":
                    refused += 1
                    assert outcome.cites
                case "skipped":
                    skipped += 1
                case "differs" if outcome.cause:
                    explained += 1
                case verdict:
                    assert verdict == "differs", outcome
                    unexplained += 1
    assert hands >= 1900
    assert unexplained <= hands // 10_000
    # What contradicts itself, or is not allowed by the book, are at most one in a hundred.
    assert explained <= hands * 10 // 1000
    assert refused <= hands * 10 // 1000
    assert skipped <= hands * 3 // 100
    assert agree >= hands * 96 // 100


def test_in_hands_that_end_before_the_flop_ongame_took_no_rake():
    checker = Checker(Options())
    seen = 0
    for text in members("handhq-ong.zip", 20):
        for raw in split_hands(io.BytesIO(text)):
            outcome = checker.check(raw)
            if outcome.verdict == "agrees" and not outcome.saw_flop:
                assert outcome.rake == 0
                seen += 1
    assert seen > 500


@pytest.mark.parametrize("archive", ["handhq-ong.zip", "handhq-pty.zip", "pluribus.zip"])
def test_recorded_hands_are_read_and_written_again_without_loss(archive: str):
    replayer = Replayer()
    seen = 0
    for text in members(archive, 20)[:50]:
        for number, raw in enumerate(split_hands(io.BytesIO(text))):
            assert isinstance(raw, RawHand)
            if number % 10:
                continue
            strict = strict_fields(raw.text.decode(), raw)
            assert plain_fields(raw.text.decode()) == strict
            [hand] = read_hands(io.BytesIO(raw.text))
            assert isinstance(hand, Hand), hand
            written = fields_of_hand(hand)
            assert written | {"actions": None} == strict | {"actions": None}
            assert len(written["actions"]) == len(strict["actions"])
            replayed = replayed_hand(hand, replayer)
            again = read_phh(write_phh(replayed).encode())
            assert again == replayed
            found = fields_of_hand(again)
            assert all(found[name] == value for name, value in written.items())
            seen += 1
    assert seen >= 50


def test_a_whole_archive_in_one_go():
    report = check_hands((folder() / "pluribus.zip",), processes=1)
    assert (report.hands, report.agree) == (5000, 5000)
    assert not report.errors


def test_nothing_in_the_folder_is_unreadable():
    for text in members("handhq-pty.zip", 40):
        assert not any(isinstance(found, FormatError) for found in read_hands(io.BytesIO(text)))
