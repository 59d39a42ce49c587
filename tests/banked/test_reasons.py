"""Every bet of every settled box in the shipped cases says why it won or lost, by its paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from croupier.banked import BankedTable
from croupier.banked.reasons import Reason, reasons_of
from croupier.banked.state import BoxState
from croupier.pit.registry import GAMES
from croupier.pit.runner import stage_case
from tests.shipped import shipped_results

BOOKS = ("multi-link-progressive-v3", "multi-link-progressive-v2", "progressive-texas-holdem-v6")
Settled = tuple[str, BankedTable, BoxState]


@cache
def settled(book: str) -> list[Settled]:
    """The boxes that lie settled at the end of the cases of a book, with the name of the case."""
    return [found for found in _boxes() if found[1].book.id == book]


def _boxes() -> Iterator[Settled]:
    for first in shipped_results().values():
        for result in first.in_each_book():
            if result.case.book.id not in BOOKS:
                continue
            if not result.case.paragraphs[0].startswith(("1.", "3.", "4.")):
                continue
            pit, _ = stage_case(result.case, GAMES)
            for table in pit.tables.values():
                assert isinstance(table, BankedTable)
                for box in table.state.boxes.values():
                    if box.result is not None:
                        yield result.case.title, table, box


def why(book: str, case: str, bet: str, number: int = 1) -> Reason:
    """The reason of one bet in the case whose title begins so."""
    for title, table, box in settled(book):
        if title.startswith(case) and table.state.boxes[number] is box:
            return reasons_of(table, box)[bet]
    raise AssertionError(case)


@pytest.mark.parametrize("book", BOOKS)
def test_every_settled_bet_says_why(book: str):
    assert len(settled(book)) > 40
    for title, table, box in settled(book):
        found = reasons_of(table, box)
        assert found.keys() == box.payouts.keys(), title
        for bet, reason in found.items():
            payout = box.payouts[bet]
            word = reason.says.split()[0].rstrip(":.")
            jackpot = bet == "progressive" and (box.due or box.paid_lines)
            expected = "Won" if payout.won or jackpot else "Lost" if payout.lost else "Back"
            assert word == expected, (title, bet, reason, payout)
            assert reason.cites, (title, bet, reason)
            assert all(table.book.paragraph(cite) for cite in reason.cites)


def test_a_hand_that_came_too_late_for_the_jackpot():
    found = why("multi-link-progressive-v3", "Only Hole Cards and flop make", "progressive")
    assert found.says == (
        "Lost: no line pays for Five Odd Cards, King high. Only your two Hole Cards and the Flop "
        "count here. Your Royal Flush came with the Turn or the River."
    )
    assert found.cites[0] == "1.21"


def test_a_folded_hand_of_v6_has_no_line_whatever_it_is():
    found = why("progressive-texas-holdem-v6", "A folded box gains nothing", "progressive")
    assert found.says == (
        "Lost: you folded, so only the Community Cards count, and no line pays for them."
    )
    assert "3.11.2.a" in found.cites


def test_one_bonus_line_asks_for_the_dealers_cards():
    found = why("multi-link-progressive-v3", "Aces in the player's and the dealer's", "bonus")
    assert found.says.endswith("Your two Hole Cards and the dealer's count here.")


def test_nobody_is_told_of_cards_that_were_not_looked_at():
    for book in BOOKS:
        for _, table, box in settled(book):
            if box.examined or box.face_up or "progressive" not in box.payouts:
                continue
            says = reasons_of(table, box)["progressive"].says
            assert says.startswith(("Lost: there is no line for it.", "Back: ", "Won: ")), says


def test_a_bonus_that_is_cut_says_so_and_one_at_the_cap_is_not_cut():
    above = why("multi-link-progressive-v3", "A Bonus of 150 on double aces", "bonus")
    assert above.says.startswith("Won 1000 to 1, cut to the most that is paid, 100,000: Pair of")
    at_it = why("multi-link-progressive-v3", "A Bonus of 100 on double aces", "bonus")
    assert at_it.says.startswith("Won 1000 to 1: Pair of Aces.")
